//! Datasets of walks through recorded runs, to train neural debuggers on.
//!
//! Programs (`source`) are recorded to their end (`recorded`); walks are drawn through each run
//! (`walk`) and told as the debugger tells them to a model (`encoder`). The work is done in
//! chunks (`work`), so that it can be taken up again and any number of workers gives the same
//! bytes; at the end the chunks become the files of a dataset (`export`).

mod encoder;
mod excluded;
mod export;
mod fingerprint;
mod mutate;
mod recipe;
mod recorded;
mod row;
mod source;
#[cfg(test)]
mod tests;
mod walk;
mod work;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

pub use encoder::{Encoder, special_tokens};
pub use excluded::Excluded;
pub use export::{Format, Summary};
pub use recipe::{Keep, Recipe, Shares, Walks};
pub use recorded::Left;
pub use row::{Row, Split};
pub use source::{Kind, Sources};
pub use work::{Order, Progress};

use crate::neural::dialect::debugger::MissingMarks;
use crate::program::ProgramError;

/// Why a dataset can't be made. Each message says what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A recipe that is none.
    #[error("{}: {}", path.display(), what.trim_end())]
    Recipe {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A file of programs to leave out that is none.
    #[error("{}: {what}", path.display())]
    Exclude {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A program can't be read.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A file can't be read.
    #[error("{}: can't be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file can't be written.
    #[error("{}: can't be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The folder holds something else.
    #[error("{}: {what}; name a folder that is new or empty", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// What it holds.
        what: &'static str,
    },
    /// No thread for a worker.
    #[error("no thread for a worker: {0}; try fewer (--jobs)")]
    Worker(io::Error),
    /// The format lacks words.
    #[error(transparent)]
    Format(MissingMarks),
}

/// What stands in a dataset's folder while it is worked on, and at the end: what it is made by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Label {
    version: String,
    seed: u64,
    programs: usize,
    digest: String,
    recipe: Recipe,
}

/// The folder inside a dataset's that holds its chunks until it is whole.
const WORK: &str = ".work";
/// What is there when a dataset is whole.
const LABEL: &str = "recipe.json";

impl Order {
    fn label(&self, seed: u64) -> Label {
        Label {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed,
            programs: self.sources.len(),
            digest: format!(
                "{:016x}",
                fingerprint::mix(self.sources.digest(), self.excluded.digest())
            ),
            recipe: self.recipe.clone(),
        }
    }

    /// Makes the dataset in `folder`, or goes on with it; none if it was stopped before it was
    /// whole.
    pub fn make(
        &self,
        folder: &Path,
        seed: u64,
        format: Format,
        workers: usize,
        progress: &Progress,
        stop: &AtomicBool,
    ) -> Result<Option<Summary>, DatasetError> {
        let work = self.open(folder, seed)?;
        self.work(&work, workers, progress, stop)?;
        if stop.load(std::sync::atomic::Ordering::Acquire) {
            return Ok(None);
        }
        let label = self.label(seed);
        let summary = export::export(self, &work, folder, &label, format)?;
        write_whole(&folder.join(LABEL), &pretty(&label))?;
        // What is left of it would do no harm.
        let _ = fs::remove_dir_all(&work);
        Ok(Some(summary))
    }

    /// Opens the folder of the work, which is new or of the same order.
    fn open(&self, folder: &Path, seed: u64) -> Result<PathBuf, DatasetError> {
        let occupied = |what| DatasetError::Occupied { path: folder.to_owned(), what };
        let failed = |source| DatasetError::Write { path: folder.to_owned(), source };
        if folder.join(LABEL).exists() {
            return Err(occupied("holds a dataset that is whole"));
        }
        let work = folder.join(WORK);
        let label = work.join(LABEL);
        let text = pretty(&self.label(seed));
        match fs::read_to_string(&label) {
            Ok(found) if found == text => return Ok(work),
            Ok(_) => {
                return Err(occupied("holds a dataset begun with other programs, seed or recipe"));
            }
            Err(_) => {}
        }
        if fs::read_dir(folder).is_ok_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() != WORK))
        }) {
            return Err(occupied("holds other files"));
        }
        fs::create_dir_all(&work).map_err(failed)?;
        write_whole(&label, &text)?;
        Ok(work)
    }
}

fn pretty(label: &Label) -> String {
    // What it is made of can always be written.
    serde_json::to_string_pretty(label).unwrap_or_default() + "\n"
}

/// Writes a small file under another name first.
fn write_whole(path: &Path, text: &str) -> Result<(), DatasetError> {
    let part = path.with_extension("part");
    let failed = |source| DatasetError::Write { path: path.to_owned(), source };
    fs::write(&part, text).map_err(failed)?;
    fs::rename(&part, path).map_err(failed)
}
