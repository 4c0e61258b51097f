//! Checkpoints: all that a run needs to go on as if it had never stopped.
//!
//! A checkpoint is a folder `step-000250` with the weights and the optimizer's memory in burn's
//! format, and `state.json`. It is written under another name and renamed when it is whole, so a
//! run that is killed at any moment leaves only whole ones.

use std::fs;
use std::path::{Path, PathBuf};

use burn::module::Module;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, at};
use crate::learner::Learner;
use crate::model::Llama;

const WEIGHTS: &str = "weights.bpk";
const OPTIMIZER: &str = "optimizer.bpk";
const STATE: &str = "state.json";
const PREFIX: &str = "step-";

/// Where a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Steps taken.
    pub step: usize,
    /// Passes over the data that are complete.
    pub epoch: u64,
    /// Batches of this pass that were learned.
    pub batch: usize,
    /// Tokens that were read.
    pub tokens: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// [`crate::dataset::Dataset::digest`] of the data.
    pub data: u64,
}

/// Writes a checkpoint into `folder` and removes all but the last `keep`.
pub fn save(folder: &Path, learner: &Learner, state: &State, keep: usize) -> Result<PathBuf> {
    let name = format!("{PREFIX}{:06}", state.step);
    let (whole, partial) = (folder.join(&name), folder.join(format!(".{name}.partial")));
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(at(&partial))?;
    }
    fs::create_dir_all(&partial).map_err(at(&partial))?;
    let failed = |error: burn::store::RecordError| Error::Checkpoint {
        path: whole.clone(),
        cause: format!("can't be written: {error}"),
    };
    learner.model.clone().save_file(partial.join(WEIGHTS)).map_err(failed)?;
    learner.optimizer.save(partial.join(OPTIMIZER)).map_err(failed)?;
    let state_file = partial.join(STATE);
    let text = serde_json::to_string_pretty(state).unwrap_or_default();
    fs::write(&state_file, text).map_err(at(&state_file))?;
    if whole.exists() {
        fs::remove_dir_all(&whole).map_err(at(&whole))?;
    }
    fs::rename(&partial, &whole).map_err(at(&whole))?;
    let all = list(folder)?;
    for old in &all[..all.len().saturating_sub(keep)] {
        fs::remove_dir_all(old).map_err(at(old))?;
    }
    Ok(whole)
}

/// The last checkpoint in `folder`; none if there is none.
pub fn latest(folder: &Path) -> Result<Option<PathBuf>> {
    Ok(list(folder)?.pop())
}

/// All whole checkpoints, by their steps.
fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let path = entry.map_err(at(folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let step = name.strip_prefix(PREFIX).and_then(|step| step.parse::<usize>().ok());
            found.extend(step.map(|step| (step, path.clone())));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Whether a folder is a checkpoint.
pub fn is_one(folder: &Path) -> bool {
    folder.join(WEIGHTS).is_file()
}

/// Reads the weights of a checkpoint into a model of the same dimensions.
pub fn weights(checkpoint: &Path, model: Llama) -> Result<Llama> {
    let path = checkpoint.join(WEIGHTS);
    model.try_load_file(&path).map_err(|error| Error::Checkpoint {
        path: path.clone(),
        cause: format!("can't be read: {error}; is it of a model with these dimensions?"),
    })
}

/// Reads what the optimizer remembered, and where the run stood.
pub fn rest(checkpoint: &Path, mut learner: Learner) -> Result<(Learner, State)> {
    let path = checkpoint.join(OPTIMIZER);
    let unreadable = |path: &Path, cause: String| Error::Checkpoint {
        path: path.to_owned(),
        cause: format!("can't be read: {cause}; remove this checkpoint to go on from one before"),
    };
    learner.optimizer =
        learner.optimizer.load(&path).map_err(|error| unreadable(&path, error.to_string()))?;
    let path = checkpoint.join(STATE);
    let text = fs::read_to_string(&path).map_err(at(&path))?;
    let state =
        serde_json::from_str(&text).map_err(|error| unreadable(&path, error.to_string()))?;
    Ok((learner, state))
}
