//! By what records name a model's tokenizer and dialect: hashes of what they do with fixed texts.
//!
//! Two files may hold one tokenizer, and one dialect is written in the tokens of many. So the
//! tokenizer is its tokens and how it divides a text; the dialect is what it writes of a short run,
//! spelled out, so that the same conventions have the same hash in every vocabulary.

use super::digest;
use crate::action::Action;
use crate::neural::dialect::{Dialect, Shown};
use crate::neural::vocabulary::{Piece, TokenId, Vocabulary, readable};
use crate::program::Program;
use crate::state::{Event, Exit, ExitKind, Position, Raised, State, Stop};

/// What dividers of text differ in: digits, indentation, contractions, capitals, other scripts.
const TEXT: &str =
    "def f(x1):\n        return x1 // 1234567 + 0.5  # it's ÆON, naïve: 日本語 🦀\n\t\n";

/// A program with a call, an exception and a line that no tokenizer has whole.
const PROGRAM: &str = "\
def half(n):
    return 84 / n

def main():
    text = 'é'
    half(0)
";

/// The hash of a tokenizer.
pub(super) fn of_tokenizer(vocabulary: &dyn Vocabulary) -> String {
    let mut bytes = Vec::new();
    let size = TokenId::try_from(vocabulary.size()).unwrap_or(TokenId::MAX);
    for id in 0..size {
        let (kind, piece) = match vocabulary.piece(id) {
            Some(Piece::Text(text)) => (b't', text),
            Some(Piece::Control(name)) => (b'c', name.as_bytes()),
            None => (b'n', &[][..]),
        };
        bytes.push(kind);
        bytes.extend((piece.len() as u64).to_le_bytes());
        bytes.extend(piece);
    }
    bytes.extend(vocabulary.encode(TEXT).into_iter().flat_map(TokenId::to_le_bytes));
    digest::sha256_of(&bytes)
}

/// The hash of a dialect: of all that it writes of a run of [`PROGRAM`].
pub(super) fn of_dialect(dialect: &dyn Dialect, vocabulary: &dyn Vocabulary) -> String {
    let mut ids = Vec::new();
    if let Ok(program) = Program::from_text("program".to_owned(), PROGRAM) {
        let mut shown = Shown::default();
        ids.extend(dialect.opening(&program));
        let mut action = None;
        for stop in stops(&program) {
            ids.extend(action.as_ref().map_or_else(|| dialect.ask_first(), |to| dialect.ask(to)));
            let frame = dialect.write(&stop, action.as_ref(), &shown);
            ids.extend(frame.into_iter().flat_map(|frame| frame.ids));
            if let Stop::At(state) = &stop {
                shown.show(state);
            }
            action = Some(Action::StepInto);
        }
        let line = program.line(6);
        let others =
            [Action::StepOver, Action::StepReturn, Action::Breakpoint(line), Action::Continue];
        ids.extend(others.iter().flat_map(|action| dialect.ask(action)));
    }
    digest::sha256_of(readable(vocabulary, &ids).as_bytes())
}

/// Some states of the run, of every event, and both of its ends that a model is told.
fn stops(program: &Program) -> Vec<Stop> {
    let state = |event, function: &str, line, depth, locals: &[(&str, &str)]| State {
        event,
        source: program.line(line),
        locals: locals.iter().copied().collect(),
        value: (event == Event::Return).then(|| "None".into()),
        exception: (event == Event::Exception).then(|| Raised {
            class: "ZeroDivisionError".into(),
            message: "division by zero".into(),
        }),
        position: Some(Position {
            function: function.into(),
            line,
            depth,
            activation: depth,
            unwinds: event == Event::Return,
        }),
    };
    let text = [("text", "'é'")];
    let argument = [("n", "0")];
    let states = [
        state(Event::Call, "main", 4, 0, &[]),
        state(Event::Line, "main", 5, 0, &[]),
        state(Event::Line, "main", 6, 0, &text),
        state(Event::Call, "half", 1, 1, &argument),
        state(Event::Line, "half", 2, 1, &argument),
        state(Event::Exception, "half", 2, 1, &argument),
        state(Event::Return, "half", 2, 1, &argument),
    ];
    let ends = [ExitKind::Normal, ExitKind::Error].map(|kind| Stop::Exit(Exit::plain(kind)));
    states.into_iter().map(Stop::At).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::neural::dialect::debugger::{
        Conventions, DebuggerDialect, FrameEnd, NAMES, SourceEnd,
    };
    use crate::neural::vocabulary::ByteVocabulary;

    fn dialect(conventions: Conventions, marks: Vec<&str>) -> String {
        let vocabulary = Arc::new(ByteVocabulary::new(marks));
        let dialect = DebuggerDialect::new(vocabulary.clone(), conventions).unwrap();
        of_dialect(&dialect, &*vocabulary)
    }

    #[test]
    fn a_dialect_is_known_by_its_conventions_and_not_by_its_tokens() {
        let plain = dialect(Conventions::default(), NAMES.to_vec());
        let reversed = NAMES.iter().rev().copied().collect();
        assert_eq!(plain, dialect(Conventions::default(), reversed));
        let closing = Conventions { frame_end: FrameEnd::ActionSep, ..Conventions::default() };
        let newline = Conventions { source_end: SourceEnd::Newline, ..Conventions::default() };
        assert_ne!(plain, dialect(newline, NAMES.to_vec()));
        assert_ne!(dialect(closing, NAMES.to_vec()), dialect(newline, NAMES.to_vec()));
    }

    #[test]
    fn a_tokenizer_is_known_by_its_tokens() {
        let of = |marks: &[&str]| of_tokenizer(&ByteVocabulary::new(marks.iter().copied()));
        assert_eq!(of(&["<a>", "<b>"]), of(&["<a>", "<b>"]));
        assert_ne!(of(&["<a>", "<b>"]), of(&["<b>", "<a>"]));
        assert_ne!(of(&["<a>"]), of(&["<a>", "<b>"]));
    }
}
