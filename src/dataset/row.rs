//! The rows of a dataset: one walk each, with where it comes from.

use serde::{Deserialize, Serialize};

use super::recipe::Shares;
use super::source::Sourced;
use super::walk::{Direction, Walked};

/// A part of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// To train on.
    Train,
    /// To choose between models.
    Validation,
    /// For the final measure.
    Test,
}

impl Split {
    /// All of them.
    pub const ALL: [Split; 3] = [Split::Train, Split::Validation, Split::Test];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Validation => "validation",
            Split::Test => "test",
        }
    }

    /// The split of the programs with this fingerprint: programs that are alike are in one.
    pub fn of(fingerprint: u64, shares: &Shares) -> Self {
        let place = (fingerprint >> 11) as f64 / (1u64 << 53) as f64;
        if place < shares.test {
            Split::Test
        } else if place < shares.test + shares.validation {
            Split::Validation
        } else {
            Split::Train
        }
    }
}

/// One walk. The fields are the columns, in this order; docs/dataset.md says what is in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The whole walk in the paper's format, special tokens spelled out.
    pub text: String,
    /// The part of the dataset.
    pub split: Split,
    /// `forward` or `inverse`.
    pub direction: String,
    /// The program's name; one program is in one split.
    pub program: String,
    /// `generated`, `corpus`, `mutated` or `user`.
    pub kind: String,
    /// The program's file, if it has one.
    pub file: Option<String>,
    /// The program's seed, in hexadecimal.
    pub seed: String,
    /// How actions were chosen: `into` or `mixed`.
    pub policy: String,
    /// The function that the walk begins in.
    pub function: String,
    /// The recorded index of the first state.
    pub start: u32,
    /// States told, the exit not counted.
    pub states: u32,
    /// Actions taken.
    pub actions: u32,
    /// How the walk ends: `normal`, `error`, `never`, `entry`; none if it is cut.
    pub exit: Option<String>,
}

impl Row {
    /// The row of a walk.
    pub fn of(sourced: &Sourced, split: Split, walked: Walked) -> Self {
        let direction = match walked.direction {
            Direction::Forward => "forward",
            Direction::Inverse => "inverse",
        };
        Row {
            text: walked.text,
            split,
            direction: direction.to_owned(),
            program: sourced.id.clone(),
            kind: sourced.kind.name().to_owned(),
            file: sourced.file.clone(),
            seed: format!("{:016x}", sourced.seed),
            policy: walked.policy.to_string(),
            function: walked.function.to_string(),
            start: walked.start as u32,
            states: walked.states as u32,
            actions: walked.actions as u32,
            exit: walked.exit.map(str::to_owned),
        }
    }
}
