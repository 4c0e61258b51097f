//! The screen in the situations that matter, and at every size.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::keys::BINDINGS;
use crate::model::{Model, Overlay};
use crate::page::{Item, Page};
use crate::situations::*;
use crate::snapshot::{Prediction, Row, Snapshot, Text, Verdict};
use crate::theme::Theme;
use crate::update::{Msg, update};

fn press(model: &mut Model, keys: &str) {
    for c in keys.chars() {
        let code = match c {
            '\n' => KeyCode::Enter,
            '\x1b' => KeyCode::Esc,
            c => KeyCode::Char(c),
        };
        update(model, Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
}

fn drawn(model: &Model, theme: Theme) -> Buffer {
    let (width, height) = model.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| _ = super::draw(model, theme, frame.buffer_mut())).unwrap();
    terminal.backend().buffer().clone()
}

fn after(snapshot: Snapshot, size: (u16, u16), keys: &str) -> Model {
    let mut model = Model::new(Arc::new(snapshot), size);
    press(&mut model, keys);
    model
}

/// The screen as text.
fn text(model: &Model) -> String {
    let buffer = drawn(model, Theme::Colour);
    let mut lines = Vec::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.right() {
            line.push_str(buffer[(x, y)].symbol());
            x += buffer[(x, y)].cell_width().max(1);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// The screen as text, after some keys.
fn screen(snapshot: Snapshot, size: (u16, u16), keys: &str) -> String {
    text(&after(snapshot, size, keys))
}

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);

macro_rules! situations {
    ($($name:ident: $snapshot:expr, $keys:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_snapshot!(concat!(stringify!($name), "_80x24"), screen($snapshot, SMALL, $keys));
            assert_snapshot!(concat!(stringify!($name), "_120x40"), screen($snapshot, LARGE, $keys));
        }
    )*};
}

situations! {
    an_agreeing_step: agreeing(), "";
    a_diverging_variable: diverging_variable(), "";
    a_diverging_line: diverging_line(), "";
    an_ambiguous_line: ambiguous_line(), "";
    an_exit: exit(), "";
    a_malformed_prediction: malformed(), "";
    free_mode: free(), "";
    without_a_model: no_model(), "";
    a_branch: on_a_branch(), "";
    a_question: asking(), "2";
    a_question_put_off: asking(), "2\x1b";
    help: agreeing(), "?";
    the_end_of_the_help: agreeing(), "?G";
    a_page: with_page(variables()), "jjj";
    a_page_of_many: with_page(numbers(100)), "G";
    a_whole_item: with_page(variables()), "jjjj\n";
    an_empty_page: with_page(Page { title: "branches".into(), ..Page::default() }), "";
    a_page_with_a_question: Snapshot { asks: Some("n? ".into()), ..with_page(variables()) }, "5";
    a_hostile_page: hostile_page(), "";
    a_whole_value: diverging_variable(), "V\n";
    a_whole_malformed_prediction: malformed(), "V\n";
    a_long_program: long(), "O";
    a_calling_frame: diverging_variable(), "uS";
    a_key_sequence: agreeing(), "]";
    a_hostile_program: hostile(), "o";
}

#[test]
fn a_thinking_model_shows_a_spinner_after_a_while() {
    let mut model = Model::new(Arc::new(thinking()), SMALL);
    let before = text(&model);
    assert!(!before.contains("the model thinks"), "{before}");
    update(&mut model, Msg::Tick);
    assert_snapshot!(text(&model));
}

#[test]
fn a_tiny_terminal_says_so() {
    assert_snapshot!(screen(agreeing(), (29, 8), ""));
    assert_snapshot!(screen(agreeing(), (30, 8), ""));
}

#[test]
fn the_search_prompt_shows_what_is_typed() {
    let mut model = Model::new(Arc::new(agreeing()), SMALL);
    press(&mut model, "/日本");
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    let cursor = super::draw(&model, Theme::Colour, &mut buffer);
    assert_eq!(cursor, Some((5, 23).into()));
    assert!(text(&model).ends_with("/日本"));
}

#[test]
fn a_question_leaves_room_for_its_answer() {
    let long = Snapshot { asks: Some("日本".repeat(90).into()), ..agreeing() };
    for (width, half) in [(30, 15), (80, 40), (121, 60)] {
        let mut model = after(long.clone(), (width, 24), "yes");
        let shown = text(&model);
        let last = shown.lines().last().unwrap();
        let (asked, _) = last.split_once("yes").unwrap();
        assert!(asked.ends_with("… ") && crate::text::width(asked) <= half, "{last}");
        press(&mut model, &"0123456789".repeat(20));
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, 24));
        let cursor = super::draw(&model, Theme::Colour, &mut buffer);
        assert_eq!(cursor, Some((width - 1, 23).into()));
        assert!(text(&model).ends_with("56789"));
    }
    let silent = Snapshot { asks: Some("\n".into()), ..agreeing() };
    assert!(screen(silent, SMALL, "yes").lines().last().unwrap().starts_with("input: yes"));
}

/// Every size for the situation with everything in it, some sizes for the others, and all overlays.
#[test]
fn the_screen_can_be_drawn_at_every_size() {
    let cases = [
        (hostile(), "oO", 1, 1),
        (diverging_variable(), "\n", 7, 3),
        (malformed(), "V\n", 7, 3),
        (exit(), "/x", 7, 3),
        (long(), "?", 7, 3),
        (no_model(), "uS", 7, 3),
        (asking(), "yes", 7, 3),
        (hostile_page(), "", 1, 1),
        (with_page(variables()), "jjjj\n", 7, 3),
    ];
    for (snapshot, keys, width_step, height_step) in cases {
        // Opened once, so that the overlays are met at every size, too.
        let mut model = after(snapshot, (200, 60), keys);
        for width in (1..=200).step_by(width_step) {
            for height in (1..=60).step_by(height_step) {
                update(&mut model, Msg::Resize(width, height));
                let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
                super::draw(&model, Theme::Colour, &mut buffer);
            }
        }
    }
}

#[test]
fn a_resized_terminal_keeps_the_current_line_in_sight() {
    let mut model = Model::new(Arc::new(long()), LARGE);
    for size in [(80, 24), (40, 10), (200, 60), (80, 24)] {
        update(&mut model, Msg::Resize(size.0, size.1));
        let shown = text(&model);
        assert!(shown.contains("value_1234 = "), "{shown}");
    }
}

#[test]
fn differences_have_a_colour_and_a_sign() {
    for theme in [Theme::Colour, Theme::Monochrome] {
        let buffer = drawn(&after(diverging_variable(), SMALL, ""), theme);
        let row = (0..24).find(|y| buffer[(0, *y)].symbol() == "≠").unwrap();
        let marked: String = (0..60)
            .map(|x| &buffer[(x, row)])
            .filter(|cell| cell.modifier.contains(Modifier::UNDERLINED))
            .map(|cell| cell.symbol())
            .collect();
        assert_eq!(marked, "15333315", "the differing parts of both sides");
        assert_eq!(buffer[(0, row)].fg == Color::Red, theme == Theme::Colour);
    }
}

#[test]
fn both_lines_are_marked_even_when_they_are_one() {
    let shown = screen(agreeing(), SMALL, "");
    assert!(shown.lines().any(|l| l.contains("  9 ▶▷")), "{shown}");
    let shown = screen(diverging_line(), SMALL, "");
    assert!(shown.lines().any(|l| l.contains("  9 ▶ ")), "{shown}");
    assert!(shown.lines().any(|l| l.contains("  7  ▷")), "{shown}");
}

#[test]
fn monochrome_means_no_colour_at_all() {
    let page = with_page(variables());
    for snapshot in [diverging_variable(), diverging_line(), malformed(), exit(), page] {
        for keys in ["", "?", "V\n"] {
            let buffer = drawn(&after(snapshot.clone(), LARGE, keys), Theme::Monochrome);
            assert!(buffer.content.iter().all(|c| c.fg == Color::Reset && c.bg == Color::Reset));
        }
    }
}

#[test]
fn a_long_value_shows_where_it_differs() {
    let real = format!("[{}]", (0..200).map(|n| n.to_string()).collect::<Vec<_>>().join(", "));
    let row = Row {
        predicted: Some(real.replace(" 150,", " -1,").into()),
        verdict: Verdict::Changed,
        ..same(variable("items"), &real)
    };
    let shown = screen(with_row(agreeing(), row), SMALL, "");
    let line = shown.lines().find(|line| line.starts_with('≠')).unwrap();
    assert!(line.contains(" 150,") && line.contains(" -1,"), "{line}");
}

fn any_text() -> impl Strategy<Value = Text> {
    prop_oneof![any::<String>(), "[ -~\\x00-\\x1f\\x7f-\\x9f\u{202e}日é\u{301}]{0,40}"]
        .prop_map(Text::from)
}

proptest! {
    /// Whatever a program or a model writes, only its cells change: no control character gets to
    /// the terminal, and nothing panics.
    #[test]
    fn no_text_can_harm_the_terminal(
        name in any_text(), real in any_text(), predicted in any_text(), line in any_text(),
        width in 30u16..130, height in 8u16..45,
        keys in prop::sample::select(vec!["", "V\n", "oO", "i", "i\x1b\n"]),
        opens in any::<bool>(), total in any::<usize>(),
    ) {
        let item = Item {
            key: name.clone(),
            value: real.clone(),
            class: predicted.clone(),
            identity: Some(7),
            opens,
        };
        let page = Page { title: line.clone(), items: Arc::new([item.clone(), item]), total };
        let row = Row {
            predicted: Some(predicted.clone()),
            verdict: Verdict::Changed,
            ..same(variable(&name), &real)
        };
        let snapshot = Snapshot {
            program: name.clone(),
            source: Arc::new([line.clone(), line.clone()]),
            predicted: Prediction::Malformed { reason: real.clone(), raw: predicted.clone() },
            action: Some(name.clone()),
            model: Some(line.clone()),
            branch: Some(line.clone()),
            asks: keys.contains('i').then(|| predicted.clone()),
            page: keys.contains('i').then(|| Arc::new(page)),
            output: Arc::new([line, real]),
            notice: Some(crate::Notice::error(name)),
            ..with_row(agreeing(), row)
        };
        let buffer = drawn(&after(snapshot, (width, height), keys), Theme::Colour);
        for cell in &buffer.content {
            prop_assert!(!cell.symbol().chars().any(char::is_control), "{:?}", cell.symbol());
        }
    }

    /// Whatever happens in whatever order, the screen can be drawn, every cursor is inside what it
    /// moves in, and what is open has something to show.
    #[test]
    fn no_messages_can_break_the_screen(messages in prop::collection::vec(any_message(), 0..80)) {
        let mut model = Model::new(Arc::new(agreeing()), SMALL);
        for message in messages {
            update(&mut model, message);
            let (width, height) = model.size;
            super::draw(&model, Theme::Colour, &mut Buffer::empty(Rect::new(0, 0, width, height)));
            if let Some(browse) = &model.browse {
                let items = model.snapshot.page.as_ref().unwrap().items.len();
                prop_assert!(browse.top <= browse.selected && browse.selected < items.max(1));
            }
            if let Overlay::Answer { .. } = model.overlay {
                prop_assert!(model.question().is_some());
            }
            prop_assert!(model.cursor <= model.snapshot.source.len().max(1));
            prop_assert!(model.row < model.entries().len().max(1));
        }
    }
}

fn any_message() -> impl Strategy<Value = Msg> {
    let bound: Vec<KeyEvent> = BINDINGS
        .iter()
        .flat_map(|binding| binding.keys.concat())
        .map(|key| {
            let control = if key.control { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
            KeyEvent::new(key.code, control)
        })
        .collect();
    let asks = prop::option::of(prop::sample::select(vec!["", "name? "]));
    let page = prop::option::of(prop::sample::select(vec![
        variables(),
        numbers(0),
        numbers(3),
        numbers(100),
    ]));
    let base = prop::sample::select(vec![
        agreeing(),
        thinking(),
        diverging_variable(),
        exit(),
        long(),
        hostile(),
        Snapshot::default(),
    ]);
    let snapshot = (base, asks, page).prop_map(|(base, asks, page)| Snapshot {
        asks: asks.map(Text::from),
        page: page.map(Arc::new),
        ..base
    });
    prop_oneof![
        12 => prop::sample::select(bound).prop_map(Msg::Key),
        2 => any::<char>().prop_map(|c| Msg::Key(KeyCode::Char(c).into())),
        4 => snapshot.prop_map(|snapshot| Msg::Changed(Arc::new(snapshot))),
        1 => (1u16..200, 1u16..60).prop_map(|(width, height)| Msg::Resize(width, height)),
        1 => Just(Msg::Tick),
    ]
}
