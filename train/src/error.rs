//! Why something can't be done.

use std::path::{Path, PathBuf};

/// What goes wrong; each message says what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder can't be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line of a dataset is not what it should be.
    #[error("{}:{line}: {cause}; a line is a JSON object with the trajectory in `text`", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the parser says.
        cause: String,
    },
    /// There is nothing to read.
    #[error("{}: no trajectories of split `{split}`{hint}", paths(data))]
    Empty {
        /// Where they were looked for.
        data: Vec<PathBuf>,
        /// The split.
        split: String,
        /// What was there instead, and what to do.
        hint: String,
    },
    /// A recipe can't be used.
    #[error("{}: {cause}", path.display())]
    Recipe {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        cause: String,
    },
    /// A tokenizer can't be trained, read or used.
    #[error("{}: {cause}", path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        cause: String,
    },
    /// A run or checkpoint can't be gone on with.
    #[error("{}: {cause}", path.display())]
    Checkpoint {
        /// The folder.
        path: PathBuf,
        /// Why, and what to do.
        cause: String,
    },
    /// A GGUF file can't be read or written.
    #[error("{}: {cause}", path.display())]
    Gguf {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        cause: String,
    },
    /// The device of the recipe isn't in this build.
    #[error("this build has no device `{0}`; build it with --features {0}, or use `cpu`")]
    NoDevice(String),
    /// Training left the numbers.
    #[error(
        "step {step}: the loss is not a number; lower the learning rate or the clip in the recipe \
         and resume from the last checkpoint"
    )]
    Diverged {
        /// The step.
        step: usize,
    },
}

/// The result of most functions here.
pub type Result<T> = std::result::Result<T, Error>;

/// Turns an error of the system at `path` into ours.
pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |source| Error::File { path: path.to_owned(), source }
}

fn paths(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Bytes of a file.
pub fn size_of(path: &Path) -> Result<u64> {
    std::fs::metadata(path).map(|metadata| metadata.len()).map_err(at(path))
}
