//! Recipes: all that decides what a training run computes, in one TOML file.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::dataset::Direction;
use crate::error::{Error, Result, at};
use crate::model::Shape;

/// A training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Name of the model.
    pub name: String,
    /// Fixes the first weights and the order of the data.
    pub seed: u64,
    /// What is read.
    #[serde(default)]
    pub data: Data,
    /// The model's dimensions.
    pub model: Shape,
    /// How it learns.
    pub training: Training,
    /// How it is watched.
    #[serde(default)]
    pub validation: Validation,
    /// What is kept.
    #[serde(default)]
    pub checkpoints: Checkpoints,
}

/// Which trajectories are read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// The direction they run in.
    pub direction: Direction,
    /// Longer ones, in tokens, are left out; the model's context if none.
    pub longest: Option<usize>,
    /// Batches whose trajectories are sorted by length together; 1 leaves lengths mixed, which is
    /// best where nothing is padded, on the CPU.
    pub bucket: usize,
}

impl Default for Data {
    fn default() -> Self {
        Data { direction: Direction::default(), longest: None, bucket: 1 }
    }
}

/// How the model learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Where: `cpu`, `cuda` or `wgpu` (the latter two if built in).
    #[serde(default = "cpu")]
    pub device: String,
    /// Steps of the whole run.
    pub steps: usize,
    /// Tokens of a step's batch, about.
    pub tokens_per_step: usize,
    /// Threads, each with its part of the batch; on a GPU 1 is best.
    #[serde(default = "one")]
    pub threads: usize,
    /// For matrices inside the blocks; the rest always has AdamW.
    #[serde(default)]
    pub optimizer: Optimizer,
    /// Peak learning rate.
    pub learning_rate: f64,
    /// Steps in which it rises to its peak.
    #[serde(default)]
    pub warm_up: usize,
    /// How it falls.
    #[serde(default)]
    pub decay: Decay,
    /// Share of it that is left in the last step.
    #[serde(default)]
    pub final_share: f64,
    /// Share of a weight that decays in each step, times the learning rate; norms don't decay.
    #[serde(default = "weight_decay")]
    pub weight_decay: f32,
    /// Memory of AdamW for squares.
    #[serde(default = "beta2")]
    pub beta2: f32,
    /// The gradient of all weights together is cut to this norm.
    #[serde(default = "clip")]
    pub clip: f64,
}

/// What changes the matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// Adam with decoupled weight decay.
    #[default]
    AdamW,
    /// Momentum made orthogonal, at the scale of AdamW's steps.
    Muon,
}

/// How the learning rate falls from its peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decay {
    /// Along a cosine, from the warm-up on.
    #[default]
    Cosine,
    /// Not at all until the last part, then in a straight line; a run can be made longer before that
    /// without having gone another way so far.
    Late {
        /// Share of all steps in which it falls.
        share: f64,
    },
}

/// How the model is watched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Validation {
    /// Steps between two looks.
    pub every: usize,
    /// Trajectories that are looked at.
    pub trajectories: usize,
}

impl Default for Validation {
    fn default() -> Self {
        Validation { every: 250, trajectories: 400 }
    }
}

/// What is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Checkpoints {
    /// Steps between two.
    pub every: usize,
    /// The last so many are kept.
    pub keep: usize,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Checkpoints { every: 250, keep: 2 }
    }
}

fn cpu() -> String {
    "cpu".to_owned()
}
fn one() -> usize {
    1
}
fn weight_decay() -> f32 {
    0.1
}
fn beta2() -> f32 {
    0.95
}
fn clip() -> f64 {
    1.0
}

impl Recipe {
    /// Reads one from a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(at(path))?;
        let faulty = |cause| Error::Recipe { path: path.to_owned(), cause };
        let recipe: Recipe = toml::from_str(&text).map_err(|error| faulty(error.to_string()))?;
        match recipe.fault() {
            Some(cause) => Err(faulty(cause)),
            None => Ok(recipe),
        }
    }

    /// Its text as a file.
    pub fn text(&self) -> String {
        toml::to_string_pretty(self).unwrap_or_default()
    }

    /// Longest trajectory, in tokens.
    pub fn longest(&self) -> usize {
        self.data.longest.unwrap_or(self.model.context).min(self.model.context)
    }

    fn fault(&self) -> Option<String> {
        let at_least_one = [
            ("training.steps", self.training.steps),
            ("training.tokens_per_step", self.training.tokens_per_step),
            ("training.threads", self.training.threads),
            ("validation.every", self.validation.every),
            ("validation.trajectories", self.validation.trajectories),
            ("checkpoints.every", self.checkpoints.every),
            ("checkpoints.keep", self.checkpoints.keep),
            ("data.bucket", self.data.bucket),
        ];
        if let Some((name, _)) = at_least_one.into_iter().find(|(_, value)| *value == 0) {
            return Some(format!("{name} is 0; it must be at least 1"));
        }
        let rate = self.training.learning_rate;
        if !(rate > 0.0 && rate.is_finite()) {
            return Some(format!("training.learning_rate is {rate}; it must be above 0"));
        }
        if let Decay::Late { share } = self.training.decay
            && !(0.0..=1.0).contains(&share)
        {
            return Some(format!("training.decay.late.share is {share}; it must be from 0 to 1"));
        }
        self.model.fault()
    }
}

impl Training {
    /// The learning rate of a step, counted from 0.
    pub fn rate(&self, step: usize) -> f64 {
        let (steps, warm_up) = (self.steps as f64, self.warm_up as f64);
        let at = step as f64;
        if at < warm_up {
            return self.learning_rate * (at + 1.0) / warm_up;
        }
        // How far it has fallen, from 0 to 1.
        let fallen = match self.decay {
            Decay::Cosine => {
                let share = (at - warm_up) / (steps - warm_up).max(1.0);
                0.5 - 0.5 * (share.min(1.0) * std::f64::consts::PI).cos()
            }
            Decay::Late { share } => {
                let last = (steps * share).max(1.0);
                (1.0 - (steps - at) / last).clamp(0.0, 1.0)
            }
        };
        self.learning_rate * (1.0 - fallen * (1.0 - self.final_share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "name = 'x'\nseed = 1\n[model]\nwidth = 32\nlayers = 1\nheads = 2\n\
        feed_forward = 64\ncontext = 128\n[training]\nsteps = 100\ntokens_per_step = 64\n\
        learning_rate = 0.01\nwarm_up = 10\n";

    fn read(text: &str) -> Result<Recipe> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recipe.toml");
        std::fs::write(&path, text).unwrap();
        Recipe::read(&path)
    }

    #[test]
    fn a_recipe_survives_its_file() {
        for more in ["", "decay = { late = { share = 0.2 } }\noptimizer = 'muon'\n"] {
            let recipe = read(&format!("{SMALL}{more}")).unwrap();
            assert_eq!(read(&recipe.text()).unwrap(), recipe);
        }
    }

    #[test]
    fn faults_are_named() {
        for (from, to, message) in [
            ("width = 32", "width = 30", "model.width"),
            ("heads = 2", "heads = 0", "model.heads is 0"),
            ("steps = 100", "steps = 0", "training.steps is 0"),
            ("0.01", "-1.0", "training.learning_rate"),
            ("warm_up", "warmup", "unknown field `warmup`"),
        ] {
            let error = read(&SMALL.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn the_rate_rises_and_falls() {
        let mut training = read(SMALL).unwrap().training;
        training.final_share = 0.1;
        let rates: Vec<f64> = (0..100).map(|step| training.rate(step) / 0.01).collect();
        assert!((rates[0] - 0.1).abs() < 1e-9 && (rates[10] - 1.0).abs() < 1e-9);
        assert!(rates[10..].windows(2).all(|pair| pair[0] >= pair[1]));
        assert!(rates[99] < 0.11 && rates[99] >= 0.1);
        training.decay = Decay::Late { share: 0.2 };
        assert_eq!(training.rate(79), 0.01);
        assert!((training.rate(90) / 0.01 - 0.55).abs() < 1e-9);
    }
}
