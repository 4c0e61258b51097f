//! The special tokens of the paper's format (spec, section 2.1).

use crate::action::Action;
use crate::neural::vocabulary::{TokenId, Vocabulary};
use crate::state::{Event, ExitKind};

/// The special tokens that the forward format needs, by name.
pub const NAMES: [&str; 20] = [
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|trace_context_start|>",
    "<|trace_end|>",
    "<|frame_sep|>",
    "<|action_sep|>",
    "<|src_sep|>",
    "<|arg_sep|>",
    "<|call_sep|>",
    "<|line_sep|>",
    "<|return_sep|>",
    "<|exception_sep|>",
    "<|step_into|>",
    "<|step_over|>",
    "<|step_return|>",
    "<|breakpoint|>",
    "<|continue|>",
    "<|exit_normal|>",
    "<|exit_error|>",
    "<|exit_never|>",
];

/// A vocabulary that lacks some of a format's special tokens.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its vocabulary lacks the special tokens {}", names.join(" "))]
pub struct MissingMarks {
    /// The names it lacks.
    pub names: Vec<&'static str>,
}

/// The ids of [`NAMES`] in one vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    pub begin: TokenId,
    pub end: TokenId,
    pub context: TokenId,
    pub trace_end: TokenId,
    pub frame: TokenId,
    pub action: TokenId,
    pub source: TokenId,
    pub argument: TokenId,
    events: [TokenId; 4],
    actions: [TokenId; 5],
    exits: [TokenId; 3],
}

const EVENTS: [Event; 4] = [Event::Call, Event::Line, Event::Return, Event::Exception];
const EXITS: [ExitKind; 3] = [ExitKind::Normal, ExitKind::Error, ExitKind::Never];

/// The ids of special tokens in a vocabulary; an error names all that it lacks.
pub(super) fn find_all<const N: usize>(
    vocabulary: &dyn Vocabulary,
    names: [&'static str; N],
) -> Result<[TokenId; N], MissingMarks> {
    let missing: Vec<_> =
        names.into_iter().filter(|name| vocabulary.control(name).is_none()).collect();
    if !missing.is_empty() {
        return Err(MissingMarks { names: missing });
    }
    Ok(names.map(|name| vocabulary.control(name).unwrap_or_default()))
}

impl Marks {
    /// Finds all special tokens in a vocabulary.
    pub(super) fn find(vocabulary: &dyn Vocabulary) -> Result<Self, MissingMarks> {
        let ids = find_all(vocabulary, NAMES)?;
        let [begin, end, context, trace_end, frame, action, source, argument, rest @ ..] = ids;
        let [c, l, r, e, into, over, ret, breakpoint, cont, normal, error, never] = rest;
        Ok(Marks {
            begin,
            end,
            context,
            trace_end,
            frame,
            action,
            source,
            argument,
            events: [c, l, r, e],
            actions: [into, over, ret, breakpoint, cont],
            exits: [normal, error, never],
        })
    }

    pub(super) fn of_event(&self, event: Event) -> TokenId {
        let [call, line, ret, exception] = self.events;
        match event {
            Event::Call => call,
            Event::Line => line,
            Event::Return => ret,
            Event::Exception => exception,
        }
    }

    pub(super) fn of_action(&self, action: &Action) -> TokenId {
        let [into, over, ret, breakpoint, cont] = self.actions;
        match action {
            Action::StepInto => into,
            Action::StepOver => over,
            Action::StepReturn => ret,
            Action::Breakpoint(_) => breakpoint,
            Action::Continue => cont,
        }
    }

    /// The token of an exit; none for an exit that Lockstep forced.
    pub(super) fn of_exit(&self, kind: ExitKind) -> Option<TokenId> {
        EXITS.into_iter().zip(self.exits).find(|(exit, _)| *exit == kind).map(|(_, id)| id)
    }

    pub(super) fn event(&self, id: TokenId) -> Option<Event> {
        EVENTS.into_iter().zip(self.events).find(|(_, mark)| *mark == id).map(|(event, _)| event)
    }

    pub(super) fn exit(&self, id: TokenId) -> Option<ExitKind> {
        EXITS.into_iter().zip(self.exits).find(|(_, mark)| *mark == id).map(|(kind, _)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::vocabulary::ByteVocabulary;

    #[test]
    fn every_mark_has_the_id_of_its_name() {
        let vocabulary = ByteVocabulary::new(NAMES);
        let marks = Marks::find(&vocabulary).unwrap();
        let id = |name: &str| vocabulary.control(name).unwrap();
        assert_eq!(marks.begin, id("<|begin_of_text|>"));
        assert_eq!(marks.argument, id("<|arg_sep|>"));
        for event in EVENTS {
            assert_eq!(marks.of_event(event), id(&format!("<|{}_sep|>", event.name())));
            assert_eq!(marks.event(marks.of_event(event)), Some(event));
        }
        for action in ["into", "over", "return", "continue", "breakpoint:x"] {
            let action: Action = action.parse().unwrap();
            assert_eq!(marks.of_action(&action), id(&format!("<|{}|>", action.name())));
        }
        for kind in EXITS {
            let mark = marks.of_exit(kind).unwrap();
            assert_eq!(mark, id(&format!("<|exit_{}|>", kind.name())));
            assert_eq!(marks.exit(mark), Some(kind));
        }
        assert_eq!(marks.of_exit(ExitKind::Stopped), None);
    }

    #[test]
    fn missing_marks_are_named() {
        let some = NAMES.into_iter().filter(|name| !name.contains("exit_n"));
        let error = Marks::find(&ByteVocabulary::new(some)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "its vocabulary lacks the special tokens <|exit_normal|> <|exit_never|>"
        );
    }
}
