//! What the screen shows: one moment of the session, as plain data.
//!
//! A [`Snapshot`] is whole in itself: the screen never asks back. Everything large in it is shared
//! (`Arc`), so that a debuggee can take one after every step.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::page::Page;

/// Shared text. It may hold anything a program can produce: the screen makes it harmless.
pub type Text = Arc<str>;

/// One moment of the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The program's name, such as the file's.
    pub program: Text,
    /// The program's lines, without newlines.
    pub source: Arc<[Text]>,
    /// Where the program really is.
    pub real: Real,
    /// Where the model says that it is.
    pub predicted: Prediction,
    /// Both sides field by field, in the order in which they are shown.
    pub rows: Arc<[Row]>,
    /// Lines with a breakpoint, 1-based.
    pub breakpoints: BTreeMap<u32, Breakpoint>,
    /// What the model's context holds.
    pub mode: Mode,
    /// The action that led here, such as `step over`; none before the first.
    pub action: Option<Text>,
    /// How many actions led here.
    pub step: u64,
    /// The number of the state among all that are recorded; none at the end.
    pub index: Option<u64>,
    /// How the predictions fared so far.
    pub tally: Tally,
    /// The surprise of the real state under the model, in bits.
    pub bits: Option<f64>,
    /// The model's name; none if the program runs without one.
    pub model: Option<Text>,
    /// Something to tell the user; shown until the next key.
    pub notice: Option<Notice>,
    /// What the program has printed, by line, without newlines.
    pub output: Arc<[Text]>,
    /// What is being worked on, such as `the model thinks`; none when at rest.
    pub running: Option<Text>,
    /// Whether [`Command::Undo`](crate::Command::Undo) has something to undo.
    pub can_undo: bool,
    /// Which branch of the run this is, such as `branch 1: n = 5 at state 12`; none on the
    /// original.
    pub branch: Option<Text>,
    /// The program waits for a line of input, and this is its prompt, perhaps empty. The answer
    /// comes by [`Debuggee::answer`](crate::Debuggee::answer).
    pub asks: Option<Text>,
    /// A list that was asked for; it is shown as long as it is here.
    pub page: Option<Arc<Page>>,
}

/// A breakpoint in the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breakpoint {
    /// It stops.
    On,
    /// It is switched off.
    Off,
}

/// The real side.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Real {
    /// No state is known yet.
    #[default]
    Starting,
    /// Stopped at an event.
    At {
        /// The event: call, line, return or exception.
        event: Text,
        /// The call stack, outermost frame first; the last is where the program stands.
        stack: Arc<[Frame]>,
    },
    /// The run is over: how, and why.
    Ended(Text),
}

/// A frame of the call stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function's name.
    pub function: Text,
    /// The line it stands at, 1-based; 0 before the first line of a module.
    pub line: u32,
    /// Its variables in order, for frames other than the last, whose variables are in
    /// [`Snapshot::rows`].
    pub locals: Arc<[(Text, Text)]>,
}

/// The predicted side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Prediction {
    /// Nothing was predicted here: there is no model, or it was given this state.
    #[default]
    None,
    /// The model has not answered yet.
    Pending,
    /// A state.
    At {
        /// The event: call, line, return or exception.
        event: Text,
        /// The numbers of the lines that hold the predicted text: one if it is unambiguous, none
        /// if the program has no such line.
        lines: Arc<[u32]>,
    },
    /// The end of the run, and how.
    Exit(Text),
    /// The answer was no well-formed state.
    Malformed {
        /// What is wrong with it, and where.
        reason: Text,
        /// What the model wrote.
        raw: Text,
    },
}

/// One field of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which field.
    pub field: Field,
    /// What it really is; none if it is not there.
    pub real: Option<Text>,
    /// What the model says; none if it says nothing.
    pub predicted: Option<Text>,
    /// How they compare.
    pub verdict: Verdict,
    /// Whether the real text changed in the last step.
    pub changed: bool,
}

/// The name of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Why the debugger stopped.
    Event,
    /// The text of the source line.
    Line,
    /// A local variable.
    Variable(Text),
    /// An expression that is watched.
    Watch(Text),
    /// The returned value.
    Value,
    /// The exception.
    Exception,
    /// How the run ended.
    Exit,
}

impl Field {
    /// The name on screen.
    pub fn label(&self) -> &str {
        match self {
            Field::Event => "event",
            Field::Line => "line",
            Field::Variable(name) | Field::Watch(name) => name,
            Field::Value => "value",
            Field::Exception => "exception",
            Field::Exit => "exit",
        }
    }
}

/// How the two sides of a field compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Equal.
    Same,
    /// Both are there and differ.
    Changed,
    /// Real, and not predicted.
    Missing,
    /// Predicted, and not real.
    Extra,
    /// The model has not answered yet.
    Pending,
    /// The model was not asked, or its format has no such field.
    Unasked,
}

impl Verdict {
    /// Whether the sides differ.
    pub fn differs(self) -> bool {
        matches!(self, Verdict::Changed | Verdict::Missing | Verdict::Extra)
    }
}

/// What the model's context holds after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// What really happened.
    #[default]
    Follow,
    /// What the model said.
    Free,
}

impl Mode {
    /// The word on screen.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Follow => "follow",
            Mode::Free => "free",
        }
    }

    /// The mode that this is not.
    pub fn other(self) -> Mode {
        match self {
            Mode::Follow => Mode::Free,
            Mode::Free => Mode::Follow,
        }
    }
}

/// Counts of predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Predictions compared with the real state.
    pub compared: u64,
    /// Those that agreed in every field.
    pub agreed: u64,
    /// Those that were malformed; compared, too.
    pub malformed: u64,
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How bad it is.
    pub level: Level,
    /// The message, one line.
    pub text: Text,
}

impl Notice {
    /// For the user's information.
    pub fn info(text: impl Into<Text>) -> Self {
        Notice { level: Level::Info, text: text.into() }
    }

    /// Something did not work.
    pub fn error(text: impl Into<Text>) -> Self {
        Notice { level: Level::Error, text: text.into() }
    }
}

/// How bad a [`Notice`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Not bad.
    Info,
    /// Something did not work.
    Error,
}

/// How the prediction of a snapshot compares as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Agrees,
    Diverges,
    Malformed,
    Pending,
    Unasked,
}

impl Snapshot {
    /// The real call stack, outermost frame first; empty when the program stands nowhere.
    pub fn stack(&self) -> &[Frame] {
        match &self.real {
            Real::At { stack, .. } => stack,
            Real::Starting | Real::Ended(_) => &[],
        }
    }

    /// The real line, 1-based, if the program stands at one.
    pub fn real_line(&self) -> Option<u32> {
        self.stack().last().map(|frame| frame.line).filter(|line| *line > 0)
    }

    /// The lines where the model may think the program stands.
    pub fn predicted_lines(&self) -> &[u32] {
        match &self.predicted {
            Prediction::At { lines, .. } => lines,
            _ => &[],
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match self.predicted {
            Prediction::None => Outcome::Unasked,
            Prediction::Pending => Outcome::Pending,
            Prediction::Malformed { .. } => Outcome::Malformed,
            Prediction::At { .. } | Prediction::Exit(_) => {
                if self.rows.iter().any(|row| row.verdict.differs()) {
                    Outcome::Diverges
                } else if self.rows.iter().any(|row| row.verdict == Verdict::Same) {
                    Outcome::Agrees
                } else {
                    // The run was stopped, so that nobody knows what came next.
                    Outcome::Unasked
                }
            }
        }
    }
}
