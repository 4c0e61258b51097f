//! What made a log: everything on which its numbers depend.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::neural::{Decoding, ModelInfo};
use crate::policy;
use crate::python::{INTERPRETER, Limits};
use crate::session::Mode;

/// The version of the log's format.
pub const SCHEMA: u32 = 1;

/// How the states of a run are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// By `step_into` alone: every state once.
    Into,
    /// By `step_over` alone: the entry's own level.
    Over,
    /// By the paper's random policy (table A.1).
    Mixed,
    /// By every action from every state, each from the same context.
    Each,
    /// By `step_into`, and from every state by jumps of many lengths, each from the same context.
    Horizon,
}

impl Policy {
    /// The policy by which single actions are chosen.
    pub(super) fn chosen_by(self) -> policy::Policy {
        match self {
            Policy::Into | Policy::Horizon => policy::Policy::Into,
            Policy::Over => policy::Policy::Over,
            Policy::Mixed | Policy::Each => policy::Policy::Mixed,
        }
    }
}

/// A word that names no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no policy; policies are: into, over, mixed, each, horizon")]
pub struct UnknownPolicy(String);

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Policy::Into => "into",
            Policy::Over => "over",
            Policy::Mixed => "mixed",
            Policy::Each => "each",
            Policy::Horizon => "horizon",
        })
    }
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(word: &str) -> Result<Self, UnknownPolicy> {
        match word {
            "into" => Ok(Policy::Into),
            "over" => Ok(Policy::Over),
            "mixed" => Ok(Policy::Mixed),
            "each" => Ok(Policy::Each),
            "horizon" => Ok(Policy::Horizon),
            _ => Err(UnknownPolicy(word.to_owned())),
        }
    }
}

/// Which way a model is asked to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// What comes next.
    #[default]
    Forward,
    /// What may have come before.
    Inverse,
}

/// A word that names no direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no direction; directions are: forward, inverse")]
pub struct UnknownDirection(String);

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Direction::Forward => "forward",
            Direction::Inverse => "inverse",
        })
    }
}

impl FromStr for Direction {
    type Err = UnknownDirection;

    fn from_str(word: &str) -> Result<Self, UnknownDirection> {
        match word {
            "forward" => Ok(Direction::Forward),
            "inverse" => Ok(Direction::Inverse),
            _ => Err(UnknownDirection(word.to_owned())),
        }
    }
}

/// How more answers are drawn for each step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamplingRecord {
    /// How many.
    pub samples: u64,
    /// Logits are divided by it.
    pub temperature: f64,
    /// Only the likeliest tokens that have this probability together are drawn from.
    pub top_p: f64,
}

/// What made a log. Logs of one recipe can be merged, resumed and compared step by step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Version of Lockstep.
    pub tool: String,
    /// SHA-256 of all sources that it was built from, and of the versions of what they use.
    #[serde(default)]
    pub tool_sha256: String,
    /// The interpreter that is the truth.
    pub python: String,
    /// SHA-256 of the sources of the real side, and of the versions of the interpreter's crates.
    #[serde(default)]
    pub python_sha256: String,
    /// The model.
    pub model: ModelId,
    /// The corpus; a [worker](super::worker) knows none.
    #[serde(default, skip_serializing_if = "CorpusId::is_unknown")]
    pub corpus: CorpusId,
    /// What the model is told after each step.
    pub mode: Mode,
    /// How predictions are had while following: `scoring` or `generating`.
    pub method: String,
    /// Which actions are taken.
    pub policy: Policy,
    /// Seed of the random policy; each program has its own, made from this and its text.
    pub seed: u64,
    /// Most steps of a program.
    pub most_steps: usize,
    /// Which way the model is asked to go.
    #[serde(default)]
    pub direction: Direction,
    /// How more answers are drawn for each step, if there are any.
    #[serde(default)]
    pub sampling: Option<SamplingRecord>,
    /// Whether the model foretells each run's end from its first state.
    #[serde(default)]
    pub forecast: bool,
    /// When a program is stopped.
    pub limits: LimitsRecord,
}

/// Which model, and how it is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelId {
    /// Its name.
    pub name: String,
    /// SHA-256 of its file, tokenizer included.
    pub sha256: String,
    /// SHA-256 of its tokenizer alone.
    #[serde(default)]
    pub tokenizer_sha256: String,
    /// The dialect that it speaks.
    pub dialect: String,
    /// SHA-256 of what the dialect writes of a fixed program, whatever the tokenizer.
    #[serde(default)]
    pub dialect_sha256: String,
    /// Tokens of its context.
    pub context: u32,
    /// How the tokens of its answers are chosen; absent if greedily.
    #[serde(default, skip_serializing_if = "Decoding::is_greedy")]
    pub decoding: Decoding,
}

impl ModelId {
    /// Its name, and what flatters its results.
    pub fn label(&self) -> String {
        self.decoding.label(&self.name)
    }

    /// This model.
    pub fn of(info: &ModelInfo) -> Self {
        ModelId {
            name: info.name.clone(),
            sha256: info.sha256.clone(),
            tokenizer_sha256: info.tokenizer_sha256.clone(),
            dialect: info.dialect.clone(),
            dialect_sha256: info.dialect_sha256.clone(),
            context: info.context,
            decoding: info.decoding,
        }
    }
}

/// Which corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusId {
    /// Its hash.
    pub sha256: String,
    /// How many programs it has.
    pub programs: usize,
}

impl CorpusId {
    /// Whether nothing is known of it.
    pub fn is_unknown(&self) -> bool {
        *self == CorpusId::default()
    }
}

/// Limits of a program's run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitsRecord {
    /// States.
    pub steps: u64,
    /// Seconds.
    pub time: f64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of output.
    pub output: u64,
    /// Nested calls.
    pub depth: u32,
    /// Characters of a value.
    pub value: u32,
}

impl LimitsRecord {
    /// These limits.
    pub fn of(limits: &Limits) -> Self {
        let Limits { steps, time, memory, output, depth, value } = *limits;
        LimitsRecord { steps, time: time.as_secs_f64(), memory, output, depth, value }
    }
}

impl Recipe {
    /// The version of this program.
    pub fn tool() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// What this program was built from; see [`Recipe::tool_sha256`]. The build script computes it.
    pub fn tool_sha256() -> String {
        env!("LOCKSTEP_TOOL_SHA256").to_owned()
    }

    /// The interpreter of this program.
    pub fn python() -> String {
        INTERPRETER.to_owned()
    }

    /// What its real side was built from; see [`Recipe::python_sha256`].
    pub fn python_sha256() -> String {
        env!("LOCKSTEP_PYTHON_SHA256").to_owned()
    }

    /// The names of the fields in which another recipe differs: `model.sha256`, `seed`.
    pub fn differs_from(&self, other: &Recipe) -> Vec<String> {
        let (Ok(ours), Ok(theirs)) = (serde_json::to_value(self), serde_json::to_value(other))
        else {
            return Vec::new();
        };
        let mut names = Vec::new();
        differing(&ours, &theirs, String::new(), &mut names);
        names
    }
}

pub(crate) fn differing(ours: &Value, theirs: &Value, name: String, names: &mut Vec<String>) {
    match (ours.as_object(), theirs.as_object()) {
        (Some(ours), Some(theirs)) => {
            // A field may be absent on either side.
            let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
            for key in keys {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                let [ours, theirs] =
                    [ours, theirs].map(|fields| fields.get(key).unwrap_or(&Value::Null));
                differing(ours, theirs, name, names);
            }
        }
        _ if ours != theirs => names.push(name),
        _ => {}
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A recipe of no particular model.
    pub fn recipe() -> Recipe {
        Recipe {
            tool: "0.1.0".into(),
            tool_sha256: "22".into(),
            python: "Python".into(),
            python_sha256: "33".into(),
            model: ModelId {
                name: "m".into(),
                sha256: "00".into(),
                tokenizer_sha256: "44".into(),
                dialect: "debugger".into(),
                dialect_sha256: "55".into(),
                context: 1024,
                decoding: Decoding::default(),
            },
            corpus: CorpusId { sha256: "11".into(), programs: 3 },
            mode: Mode::Follow,
            method: "scoring".into(),
            policy: Policy::Into,
            seed: 0,
            most_steps: 1000,
            direction: Direction::Forward,
            sampling: None,
            forecast: false,
            limits: LimitsRecord::of(&Limits::default()),
        }
    }

    #[test]
    fn what_differs_is_named() {
        let other = Recipe { seed: 1, ..recipe() };
        let other = Recipe { model: ModelId { sha256: "01".into(), ..other.model }, ..other };
        assert_eq!(recipe().differs_from(&other), ["model.sha256", "seed"]);
        assert!(recipe().differs_from(&recipe()).is_empty());
    }

    #[test]
    fn what_one_of_two_leaves_out_differs_both_ways() {
        let model = ModelId { decoding: Decoding::Constrained, ..recipe().model };
        let other = Recipe { model, ..recipe() };
        assert_eq!(recipe().differs_from(&other), ["model.decoding"]);
        assert_eq!(other.differs_from(&recipe()), ["model.decoding"]);
    }

    #[test]
    fn recipes_of_before_went_forward_and_drew_nothing() {
        let mut written = serde_json::to_value(recipe()).unwrap();
        for name in ["direction", "sampling", "forecast"] {
            written.as_object_mut().unwrap().remove(name).unwrap();
        }
        assert_eq!(serde_json::from_value::<Recipe>(written).unwrap(), recipe());
    }

    #[test]
    fn a_log_that_was_begun_without_hashes_is_read_and_differs() {
        let mut written = serde_json::to_value(recipe()).unwrap();
        written.as_object_mut().unwrap().remove("python_sha256");
        let old: Recipe = serde_json::from_value(written).unwrap();
        assert_eq!(recipe().differs_from(&old), ["python_sha256"]);
    }

    #[test]
    fn the_build_knows_what_it_was_made_of() {
        let hashes = [Recipe::tool_sha256(), Recipe::python_sha256()];
        assert!(hashes.iter().all(|hash| hash.len() == 64), "{hashes:?}");
        assert_ne!(hashes[0], hashes[1]);
    }

    #[test]
    fn recipes_are_read_as_written() {
        let written = serde_json::to_string(&recipe()).unwrap();
        assert_eq!(serde_json::from_str::<Recipe>(&written).unwrap(), recipe());
    }
}
