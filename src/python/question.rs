//! What can be asked about a state of a run, and what is answered.

use serde::{Deserialize, Serialize};

use super::wire::Stream;
use crate::state::{Raised, Text};

/// A question about a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Index of the state.
    pub at: u64,
    /// The frame: 0 is the innermost of those that are recorded, 1 its caller.
    pub frame: u32,
    /// What is asked.
    pub question: Question,
}

/// What is asked about a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// The value of an expression.
    Evaluate {
        /// The expression.
        expression: String,
    },
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// To [`Question::Evaluate`].
    Evaluated {
        /// What came of it.
        result: Evaluated,
        /// What it wrote.
        written: Vec<(Stream, String)>,
        /// It may have changed something: the run is no longer what was recorded.
        spoils: bool,
    },
    /// There is no such frame.
    NoFrame {
        /// How many there are.
        running: u32,
    },
}

/// What came of evaluating an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evaluated {
    /// It has a value.
    Value {
        /// The value's text, as variables are shown.
        text: Text,
        /// Whether it counts as true in a condition.
        truthy: bool,
    },
    /// It raised.
    Raised(Raised),
    /// It is no expression; why, in Python's words.
    Refused(Text),
    /// It was stopped before it had a value: what it used too much of.
    Stopped(Text),
}
