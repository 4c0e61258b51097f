//! What can be asked about a state of a run, and what is answered.

use std::fmt;

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
    /// Parts of a value.
    Expand {
        /// The value.
        path: Path,
        /// The place of the first part.
        start: u64,
        /// How many parts.
        count: u64,
    },
}

/// A way to a value: a variable, and places of parts within parts. The empty way leads to the frame
/// itself, whose parts are its variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Path {
    variable: Option<Text>,
    places: Vec<usize>,
}

impl Path {
    /// The frame itself.
    pub fn frame() -> Self {
        Path::default()
    }

    /// The value of a variable of the frame.
    pub fn variable(name: &str) -> Self {
        Path { variable: Some(name.into()), places: Vec::new() }
    }

    /// The way to what this is a part of; none for the frame.
    pub fn whole(&self) -> Option<Path> {
        let mut whole = self.clone();
        if whole.places.pop().is_none() {
            whole.variable.take()?;
        }
        Some(whole)
    }

    /// A part of the value at the end of this path: the place that it has among
    /// [`Children::items`], counted from the first page.
    pub fn part(mut self, place: usize) -> Self {
        self.places.push(place);
        self
    }

    /// The variable that it starts from; none for the frame.
    pub fn name(&self) -> Option<&str> {
        self.variable.as_deref()
    }

    /// The places of the parts, outermost first.
    pub fn places(&self) -> &[usize] {
        &self.places
    }
}

/// Reads what is displayed: `tree.0.2`.
impl std::str::FromStr for Path {
    type Err = BadPath;

    fn from_str(text: &str) -> Result<Self, BadPath> {
        let mut parts = text.split('.');
        let variable = parts.next().filter(|name| !name.is_empty()).ok_or(BadPath)?;
        let places = parts.map(|place| place.parse().map_err(|_| BadPath));
        Ok(Path { variable: Some(variable.into()), places: places.collect::<Result<_, _>>()? })
    }
}

/// A text that is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a variable, and behind it the places of parts, such as tree.0.2")]
pub struct BadPath;

/// The variable, and the places behind it: `tree.0.2`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name().unwrap_or("the frame"))?;
        self.places.iter().try_for_each(|place| write!(f, ".{place}"))
    }
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
    /// To [`Question::Expand`]; none if nothing is at the end of the path.
    Children(Option<Children>),
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
        /// Its number, if it is an object that can be reached from a variable; see
        /// [`Child::identity`].
        identity: Option<u32>,
    },
    /// It raised.
    Raised(Raised),
    /// It is no expression; why, in Python's words.
    Refused(Text),
    /// It was stopped before it had a value: what it used too much of.
    Stopped(Text),
}

impl Evaluated {
    /// Whether it counts as true; none where there is no value.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Evaluated::Value { truthy, .. } => Some(*truthy),
            Evaluated::Raised(_) | Evaluated::Refused(_) | Evaluated::Stopped(_) => None,
        }
    }
}

/// The value, or what happened instead of one.
impl fmt::Display for Evaluated {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Evaluated::Value { text, .. } => f.write_str(text),
            Evaluated::Raised(raised) => write!(f, "raises {raised}"),
            Evaluated::Refused(why) => f.write_str(why),
            Evaluated::Stopped(why) => write!(f, "stopped: {why}"),
        }
    }
}

/// Parts of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Children {
    /// What they are to the value.
    pub kind: Kind,
    /// How many it has in all.
    pub total: usize,
    /// Those that were asked for. Attributes of an object that also contains something come last.
    pub items: Vec<Child>,
}

/// What parts are to their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Items of a sequence; their keys are their indices.
    Items,
    /// Entries of a mapping; their keys are the texts of the mapping's keys.
    Entries,
    /// Elements of a set, in the order of their texts; their keys are their places in it.
    Elements,
    /// Attributes, fields, or the variables of a closure; their keys are their names.
    Attributes,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Child {
    /// What it is called in its value.
    pub key: Text,
    /// Its text, as variables are shown.
    pub value: Text,
    /// The name of its class.
    pub class: Text,
    /// Its number: two values with one number are one object. Numbers are those of this state: they
    /// count what can be reached from the variables of all frames, outermost first. What can't
    /// change has none.
    pub identity: Option<u32>,
    /// Whether it has parts itself.
    pub expandable: bool,
}
