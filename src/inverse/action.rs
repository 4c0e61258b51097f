//! Inverse actions: the moves back (spec, section 1.5). There are no breakpoints among them, and
//! nothing like `continue`.

use std::fmt;
use std::str::FromStr;

/// A move back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InverseAction {
    /// To the state before, into what the line called.
    StepInto,
    /// To the state before on this level, or one level up; never down.
    StepOver,
    /// To the call of the current frame: its arguments.
    StepCall,
}

impl InverseAction {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::StepInto, Self::StepOver, Self::StepCall];

    /// The action's word.
    pub fn name(self) -> &'static str {
        match self {
            InverseAction::StepInto => "inv_step_into",
            InverseAction::StepOver => "inv_step_over",
            InverseAction::StepCall => "inv_step_call",
        }
    }
}

impl fmt::Display for InverseAction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no inverse action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is no inverse action; inverse actions are: into, over, call")]
pub struct UnknownInverseAction {
    /// What was typed.
    pub word: String,
}

impl FromStr for InverseAction {
    type Err = UnknownInverseAction;

    fn from_str(word: &str) -> Result<Self, UnknownInverseAction> {
        match word.strip_prefix("inv_step_").unwrap_or(word) {
            "into" => Ok(InverseAction::StepInto),
            "over" => Ok(InverseAction::StepOver),
            "call" => Ok(InverseAction::StepCall),
            _ => Err(UnknownInverseAction { word: word.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_words_name_the_same_action() {
        for action in InverseAction::ALL {
            assert_eq!(action.to_string().parse(), Ok(action));
            let short = action.name().strip_prefix("inv_step_").unwrap();
            assert_eq!(short.parse(), Ok(action));
        }
    }

    #[test]
    fn an_unknown_word_is_named_in_the_error() {
        let error = "return".parse::<InverseAction>().unwrap_err();
        assert!(error.to_string().starts_with("`return` is no inverse action"), "{error}");
    }
}
