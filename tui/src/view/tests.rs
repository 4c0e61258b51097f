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

use crate::model::Model;
use crate::situations::*;
use crate::snapshot::{Prediction, Row, Snapshot, Text, Verdict};
use crate::theme::Theme;
use crate::update::{Msg, update};

fn press(model: &mut Model, keys: &str) {
    for c in keys.chars() {
        let code = match c {
            '\n' => KeyCode::Enter,
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
    help: agreeing(), "?";
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
    for snapshot in [diverging_variable(), diverging_line(), malformed(), exit()] {
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
        width in 30u16..130, height in 8u16..45, keys in prop::sample::select(vec!["", "V\n", "oO"]),
    ) {
        let row = Row {
            predicted: Some(predicted.clone()),
            verdict: Verdict::Changed,
            ..same(variable(&name), &real)
        };
        let snapshot = Snapshot {
            program: name.clone(),
            source: Arc::new([line.clone(), line.clone()]),
            predicted: Prediction::Malformed { reason: real.clone(), raw: predicted },
            action: Some(name.clone()),
            model: Some(line.clone()),
            output: Arc::new([line, real]),
            notice: Some(crate::Notice::error(name)),
            ..with_row(agreeing(), row)
        };
        let buffer = drawn(&after(snapshot, (width, height), keys), Theme::Colour);
        for cell in &buffer.content {
            prop_assert!(!cell.symbol().chars().any(char::is_control), "{:?}", cell.symbol());
        }
    }
}
