//! The special tokens that the inverse format has besides those of the forward one (spec, section
//! 2.1).

use crate::inverse::{InverseAction, InverseEvent};
use crate::neural::dialect::debugger::MissingMarks;
use crate::neural::dialect::debugger::marks::find_all;
use crate::neural::vocabulary::{TokenId, Vocabulary};

/// These special tokens, by name.
pub const NAMES: [&str; 8] = [
    "<|inv_call_sep|>",
    "<|inv_line_sep|>",
    "<|inv_line_call_sep|>",
    "<|inv_return_sep|>",
    "<|inv_step_into|>",
    "<|inv_step_over|>",
    "<|inv_step_call|>",
    "<|inv_exit_entry|>",
];

/// The ids of [`NAMES`] in one vocabulary.
#[derive(Clone, Debug)]
pub(super) struct InverseMarks {
    /// In the order of [`InverseEvent::ALL`].
    events: [TokenId; 4],
    /// In the order of [`InverseAction::ALL`].
    actions: [TokenId; 3],
    pub entry: TokenId,
}

impl InverseMarks {
    /// Finds all of them in a vocabulary.
    pub(super) fn find(vocabulary: &dyn Vocabulary) -> Result<Self, MissingMarks> {
        let [call, line, line_call, ret, into, over, step_call, entry] =
            find_all(vocabulary, NAMES)?;
        let events = [call, line, line_call, ret];
        Ok(InverseMarks { events, actions: [into, over, step_call], entry })
    }

    pub(super) fn of_event(&self, event: InverseEvent) -> TokenId {
        let [call, line, line_call, ret] = self.events;
        match event {
            InverseEvent::Call => call,
            InverseEvent::Line => line,
            InverseEvent::LineCall => line_call,
            InverseEvent::Return => ret,
        }
    }

    pub(super) fn of_action(&self, action: InverseAction) -> TokenId {
        let [into, over, call] = self.actions;
        match action {
            InverseAction::StepInto => into,
            InverseAction::StepOver => over,
            InverseAction::StepCall => call,
        }
    }

    pub(super) fn event(&self, id: TokenId) -> Option<InverseEvent> {
        let known = InverseEvent::ALL.into_iter().zip(self.events);
        known.into_iter().find(|(_, mark)| *mark == id).map(|(event, _)| event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::vocabulary::ByteVocabulary;

    #[test]
    fn every_mark_has_the_id_of_its_name() {
        let vocabulary = ByteVocabulary::new(NAMES);
        let marks = InverseMarks::find(&vocabulary).unwrap();
        let id = |name: &str| vocabulary.control(name).unwrap();
        for event in InverseEvent::ALL {
            assert_eq!(marks.of_event(event), id(&format!("<|{}_sep|>", event.name())));
            assert_eq!(marks.event(marks.of_event(event)), Some(event));
        }
        for action in InverseAction::ALL {
            assert_eq!(marks.of_action(action), id(&format!("<|{action}|>")));
        }
        assert_eq!(marks.entry, id("<|inv_exit_entry|>"));
    }

    #[test]
    fn missing_marks_are_named() {
        let some = NAMES.into_iter().filter(|name| !name.contains("_step_c"));
        let error = InverseMarks::find(&ByteVocabulary::new(some)).unwrap_err();
        assert_eq!(error.to_string(), "its vocabulary lacks the special tokens <|inv_step_call|>");
    }
}
