//! Sequences of keys and what comes of them.

mod pages;

use crossterm::event::KeyModifiers;

use super::*;
use crate::model::Subject;
use crate::situations::*;
use crate::snapshot::{Field, Mode, Prediction};

const SIZE: (u16, u16) = (80, 24);

fn model(snapshot: Snapshot) -> Model {
    Model::new(Arc::new(snapshot), SIZE)
}

fn press(model: &mut Model, code: KeyCode) -> Option<Effect> {
    update(model, Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn press_control(model: &mut Model, c: char) -> Option<Effect> {
    update(model, Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)))
}

/// Types characters; `\n` is Enter and `\x1b` is Escape.
fn type_in(model: &mut Model, keys: &str) -> Vec<Effect> {
    let code = |c| match c {
        '\n' => KeyCode::Enter,
        '\x1b' => KeyCode::Esc,
        c => KeyCode::Char(c),
    };
    keys.chars().filter_map(|c| press(model, code(c))).collect()
}

fn commands(model: &mut Model, keys: &str) -> Vec<Command> {
    type_in(model, keys)
        .into_iter()
        .map(|effect| match effect {
            Effect::Send(command) => command,
            other => panic!("{other:?} is no command"),
        })
        .collect()
}

#[test]
fn keys_become_commands_as_in_pudb_and_gdb() {
    use Command::*;
    let sent = commands(&mut model(agreeing()), "nsrfcNyR]d[d[n[sF[r[cEz");
    let expected = [
        StepOver,
        StepInto,
        StepReturn,
        StepReturn,
        Continue,
        BackOver,
        Resync,
        Restart,
        NextDivergence,
        PreviousDivergence,
        BackOver,
        BackInto,
        BackReturn,
        BackReturn,
        BackContinue,
        Last,
        Undo,
    ];
    assert_eq!(sent, expected);
}

#[test]
fn breakpoints_and_run_to_cursor_take_the_line_of_the_cursor() {
    let mut model = model(agreeing());
    assert_eq!(
        commands(&mut model, "bjjbkt[t"),
        [
            Command::ToggleBreakpoint(9),
            Command::ToggleBreakpoint(11),
            Command::RunTo(10),
            Command::BackTo(10),
        ]
    );
}

#[test]
fn the_mode_key_asks_for_the_other_mode() {
    assert_eq!(commands(&mut model(agreeing()), "m"), [Command::SetMode(Mode::Free)]);
    assert_eq!(commands(&mut model(free()), "m"), [Command::SetMode(Mode::Follow)]);
}

#[test]
fn undoing_at_the_first_state_says_why_not() {
    let mut model = model(Snapshot { can_undo: false, ..agreeing() });
    assert_eq!(type_in(&mut model, "z"), []);
    assert!(model.notice.is_some());
    type_in(&mut model, "j");
    assert_eq!(model.notice, None, "a notice goes with the next key");
}

#[test]
fn a_typed_command_is_sent_with_the_selected_frame() {
    let mut model = model(agreeing());
    assert_eq!(type_in(&mut model, ":p n * 2\n"), [Effect::Enter("p n * 2".into(), 0)]);
    assert_eq!(type_in(&mut model, "u:b 12\n"), [Effect::Enter("b 12".into(), 1)]);
    assert_eq!(type_in(&mut model, ":\n"), []);
    assert_eq!(type_in(&mut model, ":b\x1bn"), [Effect::Send(Command::StepOver)]);
    assert_eq!(type_in(&mut model, ":q\n"), [Effect::Quit]);
}

#[test]
fn an_unfinished_sequence_does_nothing() {
    let mut model = model(agreeing());
    assert_eq!(type_in(&mut model, "]x"), []);
    assert_eq!(commands(&mut model, "n"), [Command::StepOver], "the sequence is forgotten");
}

#[test]
fn escape_stops_what_is_running_and_closes_what_is_open() {
    let mut at_rest = model(agreeing());
    assert_eq!(type_in(&mut at_rest, "\x1b"), []);
    let mut model = model(thinking());
    type_in(&mut model, "?\x1b");
    assert_eq!(model.overlay, Overlay::None);
    assert_eq!(commands(&mut model, "\x1b"), [Command::Interrupt]);
}

#[test]
fn quitting_closes_an_overlay_first_and_control_c_does_not() {
    let mut model = model(agreeing());
    assert_eq!(type_in(&mut model, "?q"), []);
    assert_eq!(type_in(&mut model, "q"), [Effect::Quit]);
    type_in(&mut model, "/abc");
    assert_eq!(press_control(&mut model, 'c'), Some(Effect::Quit));
}

#[test]
fn a_value_stays_open_while_stepping() {
    let mut model = model(diverging_variable());
    assert_eq!(commands(&mut model, "V\nn"), [Command::StepOver]);
    let subject = Subject::Field(Field::Variable("items".into()));
    assert_eq!(model.overlay, Overlay::Value { subject, top: 0 });
    type_in(&mut model, "\n");
    assert_eq!(model.overlay, Overlay::None);
}

#[test]
fn enter_shows_the_first_difference_from_the_source() {
    let mut model = model(diverging_line());
    type_in(&mut model, "\n");
    assert_eq!(model.overlay, Overlay::Value { subject: Subject::Field(Field::Line), top: 0 });
}

#[test]
fn the_help_scrolls_and_stops_at_its_end() {
    let mut model = model(agreeing());
    type_in(&mut model, "?G");
    let Overlay::Help { top } = model.overlay else { panic!("{:?}", model.overlay) };
    assert_eq!(top, crate::view::popup::last_top(&model));
    type_in(&mut model, "j");
    assert_eq!(model.overlay, Overlay::Help { top }, "there is no more");
    type_in(&mut model, "k");
    assert_eq!(model.overlay, Overlay::Help { top: top - 1 });
}

#[test]
fn the_cursor_moves_with_the_program_but_not_with_a_late_prediction() {
    let mut model = model(thinking());
    type_in(&mut model, "gjj");
    assert_eq!(model.cursor, 3);
    update(&mut model, Msg::Changed(Arc::new(agreeing())));
    assert_eq!(model.cursor, 3, "only the prediction came");
    update(&mut model, Msg::Changed(Arc::new(Snapshot { step: 15, ..agreeing() })));
    assert_eq!(model.cursor, 9);
}

#[test]
fn a_new_difference_is_selected_unless_the_user_is_in_the_table() {
    let mut elsewhere = model(thinking());
    update(&mut elsewhere, Msg::Changed(Arc::new(diverging_variable())));
    assert_eq!(elsewhere.row, 2);
    let mut inside = model(thinking());
    type_in(&mut inside, "Vj");
    update(&mut inside, Msg::Changed(Arc::new(diverging_variable())));
    assert_eq!(inside.row, 1);
}

#[test]
fn up_and_down_walk_the_stack_and_show_the_frame() {
    let mut model = model(agreeing());
    type_in(&mut model, "u");
    assert_eq!((model.frame, model.cursor), (1, 17));
    assert_eq!(model.entries().len(), 3, "the locals of the caller");
    type_in(&mut model, "uuu");
    assert_eq!((model.frame, model.cursor), (0, 24));
    type_in(&mut model, "ddd");
    assert_eq!((model.frame, model.cursor), (2, 9));
    type_in(&mut model, "gH");
    assert_eq!(model.cursor, 9);
}

#[test]
fn panes_take_the_focus_by_letter_and_in_turn() {
    let mut model = model(agreeing());
    for (key, pane) in [('V', Pane::Variables), ('S', Pane::Stack), ('C', Pane::Source)] {
        press(&mut model, KeyCode::Char(key));
        assert_eq!(model.focus, pane);
    }
    for pane in [Pane::Variables, Pane::Stack, Pane::Source] {
        press(&mut model, KeyCode::Tab);
        assert_eq!(model.focus, pane);
    }
    press(&mut model, KeyCode::BackTab);
    assert_eq!(model.focus, Pane::Stack);
    press(&mut model, KeyCode::Char('O'));
    assert_eq!(model.focus, Pane::Output);
    press(&mut model, KeyCode::Char('o'));
    assert_eq!(model.focus, Pane::Source, "a hidden pane has no focus");
}

#[test]
fn the_output_scrolls_up_from_its_end() {
    let mut model = model(long());
    type_in(&mut model, "Okk");
    assert_eq!(model.output_up, 2);
    type_in(&mut model, "g");
    assert_eq!(model.output_up, 96);
    type_in(&mut model, "G");
    assert_eq!(model.output_up, 0);
}

#[test]
fn searching_goes_round_and_ignores_case_for_small_letters() {
    let mut model = model(agreeing());
    type_in(&mut model, "/quicksort\n");
    assert_eq!(model.cursor, 15);
    type_in(&mut model, "...");
    assert_eq!(model.cursor, 24);
    type_in(&mut model, ".");
    assert_eq!(model.cursor, 1, "round the end, and `Hoare's quicksort`");
    type_in(&mut model, ",");
    assert_eq!(model.cursor, 24);
    type_in(&mut model, "/Hoare\n/hOARE\n");
    assert!(model.notice.is_some(), "capitals count");
    assert_eq!(model.cursor, 1);
}

#[test]
fn the_spinner_starts_with_the_work_and_ends_with_it() {
    let mut model = model(agreeing());
    update(&mut model, Msg::Tick);
    assert_eq!(model.busy, None);
    update(&mut model, Msg::Changed(Arc::new(thinking())));
    update(&mut model, Msg::Tick);
    assert_eq!(model.busy, Some(1));
    update(&mut model, Msg::Changed(Arc::new(thinking())));
    assert_eq!(model.busy, Some(1), "it does not start anew");
    update(&mut model, Msg::Changed(Arc::new(agreeing())));
    assert_eq!(model.busy, None);
}

#[test]
fn what_changes_nothing_leaves_the_model_equal() {
    let mut model = model(agreeing());
    let before = model.clone();
    type_in(&mut model, "Q]x");
    update(&mut model, Msg::Changed(Arc::new(agreeing())));
    update(&mut model, Msg::Resize(SIZE.0, SIZE.1));
    assert_eq!(model, before, "so nothing is drawn");
}

#[test]
fn a_program_without_lines_can_be_walked_about() {
    let mut model = model(Snapshot::default());
    type_in(&mut model, "jkgGudHV\nS\nO\n/x\n.,bt?");
    assert_eq!(model.cursor, 1);
    update(
        &mut model,
        Msg::Changed(Arc::new(Snapshot { predicted: Prediction::Pending, ..Snapshot::default() })),
    );
}

#[test]
fn a_program_that_asks_gets_the_line_that_is_typed() {
    let mut model = model(agreeing());
    type_in(&mut model, "]");
    update(&mut model, Msg::Changed(Arc::new(asking())));
    let answers = type_in(&mut model, "d q\n");
    assert_eq!(answers, [Effect::Answer(Some("d q".into()))], "and `]` is forgotten");
    assert_eq!(model.overlay, Overlay::None);
    assert_eq!(commands(&mut model, "n"), [Command::StepOver]);
}

#[test]
fn an_empty_line_is_an_answer_and_so_is_the_end_of_the_input() {
    let mut at_once = model(asking());
    assert_eq!(type_in(&mut at_once, "\n"), [Effect::Answer(Some(String::new()))]);
    let mut ended = model(asking());
    type_in(&mut ended, "a");
    assert_eq!(press_control(&mut ended, 'd'), None, "not behind a text, as in a shell");
    press(&mut ended, KeyCode::Backspace);
    press(&mut ended, KeyCode::Backspace);
    assert_eq!(press_control(&mut ended, 'd'), Some(Effect::Answer(None)));
}

#[test]
fn an_answer_can_be_put_off() {
    let mut model = model(asking());
    assert_eq!(type_in(&mut model, "Ad\x1b"), []);
    update(&mut model, Msg::Changed(Arc::new(Snapshot { step: 15, ..asking() })));
    assert_eq!(model.overlay, Overlay::None, "it is the same question");
    assert_eq!(type_in(&mut model, "iEve\n"), [Effect::Answer(Some("Eve".into()))]);
    type_in(&mut model, "i");
    assert_eq!(model.overlay, Overlay::None, "it is answered");
    assert!(model.notice.is_some());
}

#[test]
fn the_next_question_opens_the_line_again_though_it_is_the_same() {
    let mut model = model(asking());
    type_in(&mut model, "Ada\n");
    update(&mut model, Msg::Changed(Arc::new(asking())));
    assert_eq!(model.overlay, Overlay::Answer { text: String::new() });
    update(&mut model, Msg::Changed(Arc::new(agreeing())));
    assert_eq!(model.overlay, Overlay::None, "it asks no longer");
}

#[test]
fn a_question_takes_no_keys_from_a_command() {
    let mut model = model(agreeing());
    type_in(&mut model, ":b 1");
    update(&mut model, Msg::Changed(Arc::new(asking())));
    assert_eq!(type_in(&mut model, "2\n"), [Effect::Enter("b 12".into(), 0)]);
    assert_eq!(type_in(&mut model, "iAda\n"), [Effect::Answer(Some("Ada".into()))]);
}

#[test]
fn pasted_text_goes_into_the_line_that_is_typed() {
    let mut model = model(agreeing());
    update(&mut model, Msg::Paste("ignored".into()));
    assert_eq!(model.overlay, Overlay::None);
    type_in(&mut model, ":");
    update(&mut model, Msg::Paste("b 12,\r\nn > 3".into()));
    assert_eq!(model.overlay, Overlay::Order { text: "b 12, n > 3".into() });
}
