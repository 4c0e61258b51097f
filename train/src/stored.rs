//! Models on disk: runs, checkpoints of runs, and GGUF files.

use std::path::{Path, PathBuf};

use burn::tensor::Device;

use crate::checkpoint;
use crate::error::{Error, Result};
use crate::gguf;
use crate::model::{Llama, Shape};
use crate::recipe::Recipe;
use crate::tokenizer::Vocabulary;

/// The recipe in a run's folder.
pub const RECIPE: &str = "recipe.toml";
/// The tokenizer in a run's folder.
pub const TOKENIZER: &str = "tokenizer.json";
/// The folder of a run's checkpoints.
pub const CHECKPOINTS: &str = "checkpoints";
/// The log of a run.
pub const METRICS: &str = "metrics.jsonl";

/// A model that was read from disk.
pub struct Stored {
    /// Its name.
    pub name: String,
    /// Its dimensions.
    pub shape: Shape,
    /// Its tokens.
    pub vocabulary: Vocabulary,
    /// Its weights.
    pub model: Llama,
    /// Longest trajectory that it was trained on; its context if that isn't known.
    pub longest: usize,
}

impl Stored {
    /// Reads the last checkpoint of a run, a checkpoint, or a GGUF file.
    pub fn read(path: &Path, device: &Device) -> Result<Self> {
        if path.is_file() {
            return gguf::read(path, device);
        }
        let (run, checkpoint) = if checkpoint::is_one(path) {
            let run = path.parent().and_then(Path::parent).unwrap_or(Path::new("."));
            (run.to_owned(), path.to_owned())
        } else {
            (path.to_owned(), last(path)?)
        };
        let recipe = Recipe::read(&run.join(RECIPE))?;
        let vocabulary = Vocabulary::read(&run.join(TOKENIZER))?;
        let model = Llama::new(&recipe.model, vocabulary.size(), 0, device);
        Ok(Stored {
            model: checkpoint::weights(&checkpoint, model)?,
            longest: recipe.longest(),
            shape: recipe.model,
            name: recipe.name,
            vocabulary,
        })
    }
}

fn last(run: &Path) -> Result<PathBuf> {
    checkpoint::latest(&run.join(CHECKPOINTS))?.ok_or_else(|| Error::Checkpoint {
        path: run.to_owned(),
        cause: "no model: name a run that has a checkpoint, a checkpoint, or a GGUF file".into(),
    })
}
