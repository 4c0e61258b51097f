//! What makes a run of a program a branch of another: changes, each at its place in the run.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A change to a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Edit {
    /// A variable gets another value when the run comes to a state, so that this state shows it
    /// already. It is one of the frame's own variables, or one of its module's that exists; in the
    /// frame of a module or class it may be new.
    Set {
        /// Index of the state.
        at: usize,
        /// The frame: 0 is the innermost of those that are recorded, 1 its caller. The variable of
        /// a caller is recorded again at the caller's own next event.
        frame: usize,
        /// The variable.
        name: String,
        /// Its new value, evaluated in that frame.
        expression: String,
    },
    /// The program reads something else.
    Answer {
        /// How many events come before the read.
        at: usize,
        /// How many reads come before it.
        choice: usize,
        /// What it reads: of a read of one line a line, with or without its newline; none for the
        /// end of the input.
        text: Option<String>,
    },
}

/// Where in a run an edit stands; edits are made in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    at: usize,
    /// What is read comes before the event that follows it.
    is_set: bool,
    choice: usize,
}

impl Edit {
    /// Where in the run it stands.
    pub fn moment(&self) -> Moment {
        match *self {
            Edit::Set { at, .. } => Moment { at, is_set: true, choice: 0 },
            Edit::Answer { at, choice, .. } => Moment { at, is_set: false, choice },
        }
    }

    /// Whether `later`, made after this one, leaves nothing of it.
    pub fn is_replaced_by(&self, later: &Edit) -> bool {
        match (self, later) {
            (Edit::Answer { choice, .. }, Edit::Answer { choice: again, .. }) => choice == again,
            (
                Edit::Set { at, frame, name, expression: _ },
                Edit::Set { at: other, frame: other_frame, name: other_name, expression },
            ) => {
                // The new value may be made from the old one.
                (at, frame, name) == (other, other_frame, other_name)
                    && !expression.contains(name.as_str())
            }
            _ => false,
        }
    }
}

/// As it is written where it is made: `n = 5 at state 12`.
impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Edit::Set { at, name, expression, .. } => {
                write!(f, "{name} = {} at state {at}", expression.trim())
            }
            Edit::Answer { choice, text: Some(text), .. } => {
                write!(f, "input {} = {text:?}", choice + 1)
            }
            Edit::Answer { choice, text: None, .. } => write!(f, "input {} ends", choice + 1),
        }
    }
}
