//! Actions: the moves that a person or a policy makes with the debugger (spec, section 1.4).

use std::fmt;
use std::str::FromStr;

use crate::state::Text;

/// A forward action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// To the next state in recorded order.
    StepInto,
    /// To the next state on this level, or one level up; never down.
    StepOver,
    /// To the return of the current frame.
    StepReturn,
    /// To the next state that holds this source line, at any level, or to the exit.
    Breakpoint(Text),
    /// To the exit.
    Continue,
}

impl Action {
    /// The action's word, without a breakpoint's line.
    pub fn name(&self) -> &'static str {
        match self {
            Action::StepInto => "step_into",
            Action::StepOver => "step_over",
            Action::StepReturn => "step_return",
            Action::Breakpoint(_) => "breakpoint",
            Action::Continue => "continue",
        }
    }
}

/// The form that `--json` prints and [`Action::from_str`] reads.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Action::Breakpoint(line) => write!(f, "breakpoint:{line}"),
            other => f.write_str(other.name()),
        }
    }
}

/// A word that names no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is no action; actions are: into, over, return, continue, breakpoint:LINE")]
pub struct UnknownAction {
    /// What was typed.
    pub word: String,
}

impl FromStr for Action {
    type Err = UnknownAction;

    fn from_str(word: &str) -> Result<Self, UnknownAction> {
        Ok(match word {
            "into" | "step_into" => Action::StepInto,
            "over" | "step_over" => Action::StepOver,
            "return" | "step_return" => Action::StepReturn,
            "continue" => Action::Continue,
            _ => match word.strip_prefix("breakpoint:") {
                Some(line) if !line.is_empty() => Action::Breakpoint(line.into()),
                _ => return Err(UnknownAction { word: word.to_owned() }),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_and_long_words_name_the_same_action() {
        for (short, long) in
            [("into", "step_into"), ("over", "step_over"), ("return", "step_return")]
        {
            assert_eq!(short.parse::<Action>(), long.parse::<Action>());
        }
    }

    #[test]
    fn an_unknown_word_is_named_in_the_error() {
        let error = "jump".parse::<Action>().unwrap_err();
        assert!(error.to_string().starts_with("`jump` is no action"), "{error}");
        assert!("breakpoint:".parse::<Action>().is_err());
    }

    proptest! {
        #[test]
        fn printed_actions_read_back(line in "[^\\n]{1,40}", pick in 0..5usize) {
            let action = match pick {
                0 => Action::StepInto,
                1 => Action::StepOver,
                2 => Action::StepReturn,
                3 => Action::Continue,
                _ => Action::Breakpoint(line.as_str().into()),
            };
            prop_assert_eq!(action.to_string().parse::<Action>(), Ok(action));
        }
    }
}
