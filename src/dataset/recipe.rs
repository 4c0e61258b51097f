//! The recipe of a dataset: what is drawn from each program, and what is kept.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::DatasetError;
use crate::generate::Difficulty;
use crate::policy::Weights;
use crate::program::read_at_most;

/// What a dataset is made by, its programs apart. `dataset.toml` in docs/dataset.md shows all of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recipe {
    /// How walks are drawn.
    pub walks: Walks,
    /// How the mixed policy weighs its actions.
    pub policy: Weights,
    /// What is kept.
    pub keep: Keep,
    /// How programs are split.
    pub split: Shares,
    /// How generated programs are made.
    pub generate: Difficulty,
}

/// How walks are drawn. Shares are from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Walks {
    /// Walks through each program; those that come out equal are kept once.
    pub per_program: usize,
    /// Share of walks that go backwards.
    pub inverse: f64,
    /// Share of walks that only take single steps; the others follow the mixed policy.
    pub into: f64,
    /// Share of walks that begin at a call other than the entry, if there is one.
    pub inner: f64,
    /// Share of forward walks that begin in the middle of the run, as the debugger does when a
    /// model's context is full.
    pub midway: f64,
}

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Keep {
    /// Longest text of a walk, in characters, special tokens spelled out; it is cut at a state.
    pub max_chars: usize,
    /// Longest program, in characters.
    pub max_program: usize,
    /// Fewest states of a run.
    pub min_states: usize,
    /// Most states of a run.
    pub max_states: usize,
    /// Longest text of a value, in characters.
    pub max_value: usize,
}

/// Shares of programs that are not trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shares {
    /// For choosing between models.
    pub validation: f64,
    /// For the final measure.
    pub test: f64,
}

impl Default for Walks {
    fn default() -> Self {
        Walks { per_program: 3, inverse: 0.25, into: 0.3, inner: 0.3, midway: 0.08 }
    }
}

impl Default for Keep {
    fn default() -> Self {
        Keep {
            max_chars: 4_000,
            max_program: 1_500,
            min_states: 4,
            max_states: 300,
            max_value: 120,
        }
    }
}

impl Default for Shares {
    fn default() -> Self {
        Shares { validation: 0.01, test: 0.01 }
    }
}

/// Largest recipe read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

impl Recipe {
    /// Reads a recipe; what it doesn't name is as in the default one.
    pub fn load(path: &Path) -> Result<Self, DatasetError> {
        let bad = |what: String| DatasetError::Recipe { path: path.to_owned(), what };
        let bytes = read_at_most(path, MAX_BYTES)
            .map_err(|error| bad(format!("can't be read: {error}")))?
            .ok_or_else(|| bad("larger than 1 MiB".to_owned()))?;
        let text = String::from_utf8(bytes).map_err(|_| bad("is not UTF-8".to_owned()))?;
        let recipe: Recipe = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
        match recipe.fault() {
            Some(what) => Err(bad(what)),
            None => Ok(recipe),
        }
    }

    /// What makes no sense in it.
    pub fn fault(&self) -> Option<String> {
        let Recipe { walks, policy, keep, split, generate } = self;
        let shares = [
            ("walks.inverse", walks.inverse),
            ("walks.into", walks.into),
            ("walks.inner", walks.inner),
            ("walks.midway", walks.midway),
            ("policy.share_a", policy.share_a),
            ("policy.reached", policy.reached),
            ("split.validation", split.validation),
            ("split.test", split.test),
            ("generate.exceptions", generate.exceptions),
        ];
        let share = shares.iter().find(|(_, share)| !(0.0..=1.0).contains(share));
        let weights = policy.row_a.iter().chain(&policy.row_b);
        let manners = &generate.manners;
        let manners = [manners.free, manners.shape, manners.pair, manners.several, manners.module];
        let most = [
            ("walks.per_program", walks.per_program, 1..=100),
            ("keep.max_chars", keep.max_chars, 200..=1_000_000),
            ("keep.max_program", keep.max_program, 50..=100_000),
            ("keep.min_states", keep.min_states, 2..=10_000),
            ("keep.max_states", keep.max_states, 2..=10_000),
            ("keep.max_value", keep.max_value, 1..=100_000),
            ("generate.statements", generate.statements, 1..=100),
            ("generate.nesting", generate.nesting, 0..=8),
            ("generate.expression", generate.expression, 0..=6),
            ("generate.elements", generate.elements, 1..=100),
            ("generate.letters", generate.letters, 1..=1_000),
            ("generate.number", generate.number.try_into().unwrap_or(0), 1..=1_000_000_000),
        ];
        let outside = most.iter().find(|(_, number, range)| !range.contains(number));
        if let Some((name, share)) = share {
            Some(format!("{name} is {share}; a share is from 0 to 1"))
        } else if split.validation + split.test >= 1.0 {
            Some("split.validation and split.test leave nothing to train on".to_owned())
        } else if weights.clone().any(|weight| !(0.0..=1e6).contains(weight)) {
            Some("a weight of policy.row_a or policy.row_b is no number from 0 to 1e6".to_owned())
        } else if policy.row_a.iter().sum::<f64>() <= 0.0 || policy.row_b.iter().sum::<f64>() <= 0.0
        {
            Some("policy.row_a or policy.row_b weighs nothing".to_owned())
        } else if manners.iter().all(|&weight| weight == 0) || manners.iter().any(|&w| w > 1_000) {
            Some("the weights of generate.manners are from 0 to 1000, not all 0".to_owned())
        } else if keep.min_states > keep.max_states {
            Some("keep.min_states is above keep.max_states".to_owned())
        } else {
            outside.map(|(name, number, range)| {
                format!("{name} is {number}; it goes from {} to {}", range.start(), range.end())
            })
        }
    }
}
