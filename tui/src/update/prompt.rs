//! The lines that are typed at the bottom: a pattern, a command, the answer to the program.

use crossterm::event::KeyCode;

use super::{Direction, Effect, search};
use crate::keys::Key;
use crate::model::{Model, Overlay};

/// Takes a key into the line that is being typed.
pub(super) fn key(model: &mut Model, key: Key) -> Option<Effect> {
    let is_answer = matches!(model.overlay, Overlay::Answer { .. });
    let (Overlay::Search { text } | Overlay::Order { text } | Overlay::Answer { text }) =
        &mut model.overlay
    else {
        return None;
    };
    match key.code {
        // An empty line is an answer; the end of the input is typed as in a shell.
        KeyCode::Char('d') if key.control && is_answer && text.is_empty() => {
            model.overlay = Overlay::None;
            return answer(model, None);
        }
        KeyCode::Char(c) if !key.control => text.push(c),
        KeyCode::Backspace if text.pop().is_none() && !is_answer => model.overlay = Overlay::None,
        KeyCode::Enter => return entered(model),
        KeyCode::Esc => model.overlay = Overlay::None,
        _ => {}
    }
    None
}

/// Takes what was typed.
fn entered(model: &mut Model) -> Option<Effect> {
    match std::mem::replace(&mut model.overlay, Overlay::None) {
        Overlay::Search { text } => {
            if !text.is_empty() {
                model.pattern = text;
            }
            search(model, Direction::Forward);
            None
        }
        Overlay::Order { text } => match text.trim() {
            "" => None,
            "q" | "quit" => Some(Effect::Quit),
            _ => Some(Effect::Enter(text, model.frame_number())),
        },
        Overlay::Answer { text } => answer(model, Some(text)),
        Overlay::None | Overlay::Help { .. } | Overlay::Value { .. } => None,
    }
}

fn answer(model: &mut Model, text: Option<String>) -> Option<Effect> {
    model.is_answered = true;
    Some(Effect::Answer(text))
}
