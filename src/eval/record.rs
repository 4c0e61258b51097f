//! The lines of a log. docs/log-format.md describes them for those who read them elsewhere.

mod header;
mod program;

use serde::{Deserialize, Serialize};

pub use self::header::{Header, Shard};
pub use self::program::{ForecastRecord, ProgramRecord, Status};
use super::construct::Construct;
use super::number::rounded;
use super::samples::works;
use super::value_type::ValueType;
use crate::neural::Predicted;
use crate::session::{Step, Verdict};
use crate::state::{Field, State, Stop, Text};

/// Longest text of a malformed answer that is kept, in characters.
const MAX_RAW: usize = 2_000;

/// Longest reason that is kept, in characters.
const MAX_REASON: usize = 500;

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
pub enum Record {
    /// The first line: what made the log.
    Header(Box<Header>),
    /// A step.
    Step(Box<StepRecord>),
    /// The end of a program, after its steps.
    Program(ProgramRecord),
}

/// A step of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The program's place in the corpus, from 0.
    pub place: usize,
    /// The step's number within the program, from 1.
    pub step: usize,
    /// The action, as `docs/json.md` writes it.
    pub action: String,
    /// The state from which the action was taken: its number in the recording.
    pub from: usize,
    /// Its line, 1-based; 0 before the first line of a module.
    pub line: u32,
    /// Its depth: calls between the entry and its frame.
    pub depth: u32,
    /// The constructs of its line.
    pub constructs: Vec<Construct>,
    /// How many states the action passes, the one that it leads to included; none at the exit of a
    /// run whose length isn't known.
    pub horizon: Option<usize>,
    /// What really came: an event, or `exit`.
    pub event: String,
    /// The line that it came at; none at the exit.
    pub to_line: Option<u32>,
    /// How the run really ended, at the exit.
    pub exit: Option<String>,
    /// The class of the exception that ended it, if one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// How the model says that it ends, if it says so.
    pub predicted_exit: Option<String>,
    /// The line that the model says, if its text stands on one line only.
    pub predicted_line: Option<u32>,
    /// Whether every field agrees; none if there is nothing to judge.
    pub agree: Option<bool>,
    /// Why there is nothing to judge.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unjudged: Option<String>,
    /// What is wrong with an answer that is no state, and the answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub malformed: Option<MalformedRecord>,
    /// The fields of what really came, which a model has to get right.
    pub fields: Vec<FieldRecord>,
    /// The fields that differ.
    pub diff: Vec<DifferenceRecord>,
    /// Surprise of what really came, in bits; none if it was not scored.
    pub bits: Option<f64>,
    /// The probability that the model gives to its own answer, all of it; none if it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub confidence: Option<f64>,
    /// In the horizon study: how many states lie between the call of the frame and its return, the
    /// return included.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub frame: Option<usize>,
    /// What a predicted predecessor is worth; none going forward.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub predecessor: Option<PredecessorRecord>,
    /// More answers, drawn at random.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub samples: Vec<SampleRecord>,
    /// Whether the model's context was full and began anew before this step.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub restarted: bool,
}

/// An answer that is no state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MalformedRecord {
    /// What is wrong with it.
    pub reason: String,
    /// The answer, cut when it is very long.
    pub raw: String,
}

/// What a predicted predecessor is worth; see [`crate::inverse::Verdict`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredecessorRecord {
    /// `exact`, `valid`, `invalid`, `malformed` or `unchecked`.
    pub verdict: String,
    /// Why, where there is something to say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
}

/// An answer that was drawn at random.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleRecord {
    /// The number of the first of the step's samples that says the same, from 0.
    pub same_as: usize,
    /// Whether it says what really came.
    pub agree: bool,
    /// What it is worth as a predecessor; none going forward.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<String>,
}

/// A field of what really came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRecord {
    /// Its name, as in `diff`.
    pub field: String,
    /// The type of its value; none for the event, the line and the exit.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub of: Option<ValueType>,
    /// Whether a variable's text differs from the one in the frame's recorded state before; true for
    /// what is no variable.
    pub changed: bool,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceRecord {
    /// Its name.
    pub field: String,
    /// `changed`, `missing` (only real) or `extra` (only predicted).
    pub kind: String,
    /// The real text.
    pub real: Option<String>,
    /// The predicted text.
    pub predicted: Option<String>,
}

/// What a step was taken from, and what is known of the program.
pub(super) struct Around<'a> {
    /// The program's place in the corpus.
    pub place: usize,
    /// The constructs of its lines.
    pub constructs: &'a [Vec<Construct>],
    /// The state from which the action was taken.
    pub from: &'a State,
    /// The recorded state before, in the frame that it leads to.
    pub before: Option<&'a State>,
    /// How many states the action passes.
    pub horizon: Option<usize>,
    /// The lines that hold a text.
    pub lines_of: &'a dyn Fn(&Text) -> Vec<u32>,
}

impl StepRecord {
    /// The record of a step.
    pub(super) fn of(step: &Step, number: usize, around: &Around) -> Self {
        let position = around.from.position.as_ref();
        let line = position.map_or(0, |position| position.line);
        let outcome = step.prediction.as_ref().map(|prediction| &prediction.outcome);
        let said = match outcome {
            Some(Predicted::Stop(stop)) => Some(stop),
            _ => None,
        };
        let constructs = (line as usize).checked_sub(1).and_then(|at| around.constructs.get(at));
        StepRecord {
            place: around.place,
            step: number,
            action: step.action.to_string(),
            from: step.from().unwrap_or_default(),
            line,
            depth: position.map_or(0, |position| position.depth),
            constructs: constructs.cloned().unwrap_or_default(),
            horizon: around.horizon,
            event: match &step.real {
                Stop::At(state) => state.event.name().to_owned(),
                Stop::Exit(_) => "exit".to_owned(),
            },
            to_line: match &step.real {
                Stop::At(state) => state.line(),
                Stop::Exit(_) => None,
            },
            exit: exit_of(Some(&step.real)),
            error: match &step.real {
                Stop::Exit(exit) => exit.exception.as_ref().map(|raised| raised.class.to_string()),
                Stop::At(_) => None,
            },
            predicted_exit: exit_of(said),
            predicted_line: match said {
                Some(Stop::At(state)) => match *(around.lines_of)(&state.source) {
                    [only] => Some(only),
                    _ => None,
                },
                _ => None,
            },
            agree: match &step.verdict {
                Verdict::Agreed => Some(true),
                Verdict::Diverged(_) | Verdict::Malformed => Some(false),
                Verdict::Unjudged(_) => None,
            },
            unjudged: match &step.verdict {
                Verdict::Unjudged(why) => Some(why.to_string()),
                _ => None,
            },
            malformed: outcome.and_then(MalformedRecord::of),
            fields: fields(&step.real, around.before),
            diff: step.differences().iter().map(DifferenceRecord::from).collect(),
            bits: step.bits().map(rounded),
            confidence: step
                .prediction
                .as_ref()
                .and_then(|prediction| prediction.confidence.map(rounded)),
            frame: None,
            predecessor: None,
            samples: Vec::new(),
            restarted: step.prediction.as_ref().is_some_and(|prediction| prediction.restarted),
        }
    }

    /// The action's name, without the line of a breakpoint.
    pub fn action_name(&self) -> &str {
        self.action.split_once(':').map_or(self.action.as_str(), |(name, _)| name)
    }

    /// Whether the answer is good: going forward, that it agrees; going back, that the run comes from
    /// it to the given state. None if there is nothing to judge.
    pub fn is_good(&self) -> Option<bool> {
        match &self.predecessor {
            Some(predecessor) => Some(works(&predecessor.verdict)),
            None => self.agree,
        }
    }

    /// Whether it goes forward.
    pub fn is_forward(&self) -> bool {
        self.predecessor.is_none() && !self.action.starts_with("inv_")
    }

    /// Whether the model got this field right. Under another event, and in an answer that is no
    /// state, it got none right but those that are named the same.
    pub fn is_right(&self, field: &str) -> bool {
        let differs = |name: &str| self.diff.iter().any(|difference| difference.field == name);
        let told_otherwise = self.malformed.is_some() || differs("exit");
        let is_own = matches!(field, "event" | "source" | "exit");
        !told_otherwise && !differs(field) && (is_own || !differs("event"))
    }
}

impl MalformedRecord {
    /// What is wrong with an answer, if it is no state.
    pub(super) fn of<S>(answer: &Predicted<S>) -> Option<Self> {
        match answer {
            Predicted::Stop(_) => None,
            Predicted::Malformed(malformed) => Some(MalformedRecord {
                reason: malformed.reason.chars().take(MAX_REASON).collect(),
                raw: malformed.raw.chars().take(MAX_RAW).collect(),
            }),
        }
    }
}

impl From<&crate::diff::Difference> for DifferenceRecord {
    fn from(difference: &crate::diff::Difference) -> Self {
        DifferenceRecord {
            field: difference.field.to_string(),
            kind: difference.kind.name().to_owned(),
            real: difference.real.as_deref().map(str::to_owned),
            predicted: difference.predicted.as_deref().map(str::to_owned),
        }
    }
}

/// How a run ends by what is said, if it does.
fn exit_of(stop: Option<&Stop>) -> Option<String> {
    match stop {
        Some(Stop::Exit(exit)) => Some(exit.kind.name().to_owned()),
        _ => None,
    }
}

/// The fields that a model has to get right.
fn fields(real: &Stop, before: Option<&State>) -> Vec<FieldRecord> {
    let plain = |field: Field| FieldRecord { field: field.to_string(), of: None, changed: true };
    let Stop::At(state) = real else { return vec![plain(Field::Exit)] };
    let mut fields = vec![plain(Field::Event), plain(Field::Source)];
    let typed = |field: Field, text: &str, changed| FieldRecord {
        field: field.to_string(),
        of: Some(ValueType::of(text)),
        changed,
    };
    match (&state.value, &state.exception) {
        (Some(value), _) => fields.push(typed(Field::Value, value, true)),
        (None, Some(_)) => fields.push(plain(Field::Exception)),
        // At these events a model tells no variables.
        (None, None) => fields.extend(state.locals.iter().map(|(name, text)| {
            let old = before.and_then(|before| before.locals.get(name));
            typed(Field::Local(name.clone()), text, old != Some(text))
        })),
    }
    fields
}
