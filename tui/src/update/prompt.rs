//! The lines that are typed at the bottom: a pattern, a command, the answer to the program.

use crossterm::event::KeyCode;

use super::{Direction, Effect, search};
use crate::keys::Key;
use crate::model::{Model, Overlay};

/// Longest line that pasting makes, in characters.
const MAX_TYPED: usize = 100_000;

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

/// Takes pasted text into the line that is being typed; elsewhere it means nothing. An answer may have
/// several lines.
pub(super) fn paste(model: &mut Model, pasted: &str) {
    let is_answer = matches!(model.overlay, Overlay::Answer { .. });
    if let Overlay::Search { text } | Overlay::Order { text } | Overlay::Answer { text } =
        &mut model.overlay
    {
        // Terminals send a carriage return for a line's end.
        let lines = pasted.replace("\r\n", "\n").replace('\r', "\n");
        let room = MAX_TYPED.saturating_sub(text.chars().count());
        let kept = lines.chars().map(|c| if c == '\n' && !is_answer { ' ' } else { c });
        text.extend(kept.take(room));
    }
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
