//! Models: a GGUF file, checked and loaded, with its vocabulary and what is known of it.

mod digest;
mod file;
mod identity;
#[cfg(feature = "llama")]
mod llama;
#[cfg(feature = "llama")]
mod shipped;

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::decoding::Decoding;
use super::dialect::Dialect;
use super::dialect::debugger::inverse::InverseDialect;
use super::dialect::debugger::{Conventions, DebuggerDialect, MissingMarks};
use super::engine::scripted::{Script, ScriptedEngine};
use super::engine::{Engine, EngineError};
use super::vocabulary::Vocabulary;

/// Where a model comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ModelSource {
    /// The one in this binary.
    #[default]
    Shipped,
    /// A GGUF file.
    File(PathBuf),
}

impl std::fmt::Display for ModelSource {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ModelSource::Shipped => f.write_str("the model that ships with lockstep"),
            ModelSource::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// How a model is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads that compute. More than one slows small models down on busy machines.
    pub threads: u32,
    /// Layers that go to the GPU; the library's choice if none. Without a GPU it has no effect.
    pub gpu_layers: Option<u32>,
    /// Tokens of context; at most what the model was trained for, and [`DEFAULT_CONTEXT`] if none.
    pub context: Option<u32>,
    /// How the tokens of its answers are chosen.
    pub decoding: Decoding,
}

/// Longest context used unless asked for more: the window of the paper's models.
pub const DEFAULT_CONTEXT: u32 = 16_384;

impl Default for Settings {
    fn default() -> Self {
        Settings { threads: 1, gpu_layers: None, context: None, decoding: Decoding::default() }
    }
}

/// What is known of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelInfo {
    /// Its name, from the file, else the file's name.
    pub name: String,
    /// The file as the user gave it; none for the model that ships.
    pub file: Option<PathBuf>,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Its architecture, as GGUF names it.
    pub architecture: String,
    /// How many parameters it has.
    pub parameters: u64,
    /// Tokens that it was trained to read.
    pub trained_context: u32,
    /// Tokens that are used.
    pub context: u32,
    /// SHA-256 of its tokenizer, in hexadecimal: its tokens, and how it divides a fixed text.
    pub tokenizer_sha256: String,
    /// The dialect it speaks.
    pub dialect: String,
    /// SHA-256 of what the dialect writes of a fixed program, in hexadecimal, whatever the
    /// tokenizer; empty if the model lacks its special tokens.
    pub dialect_sha256: String,
    /// The device that runs it.
    pub device: String,
    /// How the tokens of its answers are chosen.
    pub decoding: Decoding,
}

impl ModelInfo {
    /// Its name, and what flatters its results.
    pub fn label(&self) -> String {
        self.decoding.label(&self.name)
    }
}

/// Why a model can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// This build has no engine.
    #[error(
        "this lockstep was built without llama.cpp, so it can run no model; \
         build it with the feature `llama` (on by default)"
    )]
    NoLlama,
    /// No such file.
    #[error("{}: no such file; --model takes a GGUF file", path.display())]
    Missing {
        /// As the user gave it.
        path: PathBuf,
    },
    /// A folder, where a file is wanted.
    #[error("{}: is a folder; name a GGUF file in it", path.display())]
    Folder {
        /// As the user gave it.
        path: PathBuf,
    },
    /// Something that can't be read twice, or has no end: a pipe, a device, a socket.
    #[error(
        "{}: not a regular file; a model is read more than once, so save it to a file and name that",
        path.display()
    )]
    NotRegular {
        /// As the user gave it.
        path: PathBuf,
    },
    /// It can't be read.
    #[error("{}: can't be read: {source}; check its permissions, or name another", path.display())]
    Unreadable {
        /// As the user gave it.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Not a GGUF file.
    #[error("{}: not a GGUF file: {cause}; --model takes a model in GGUF format", path.display())]
    NotGguf {
        /// As the user gave it.
        path: PathBuf,
        /// What shows it.
        cause: String,
    },
    /// A GGUF file that can't be loaded.
    #[error(
        "{}: can't be loaded: {cause}; is the download complete, and does this llama.cpp know \
         the model's architecture?", path.display()
    )]
    Unloadable {
        /// As the user gave it.
        path: PathBuf,
        /// What llama.cpp says.
        cause: String,
    },
    /// A model that doesn't speak any known dialect.
    #[error(
        "{origin}: no neural debugger: {missing}; a model must be trained on the debugger format, \
         with each of its special tokens a single CONTROL token"
    )]
    NoDialect {
        /// The model.
        origin: ModelSource,
        /// What it lacks.
        missing: MissingMarks,
    },
    /// A model that was never told what came before.
    #[error(
        "{origin}: it can't infer what came before: {missing}; take a model that was trained on \
         inverse traces, with each of these a single CONTROL token"
    )]
    NoInverse {
        /// The model.
        origin: ModelSource,
        /// What it lacks.
        missing: MissingMarks,
    },
    /// A model that names a dialect or convention that this version doesn't know.
    #[error(
        "{origin}: its metadata says {key} = {value:?}; this version knows: {known}; \
         use a newer lockstep, or another model"
    )]
    UnknownConvention {
        /// The model.
        origin: ModelSource,
        /// The metadata key.
        key: &'static str,
        /// Its value.
        value: String,
        /// Values that are known.
        known: &'static str,
    },
    /// A model whose memory can't be rolled back to an earlier token.
    #[error(
        "{origin}: a recurrent model; stepping back needs a model whose cache can be cut at any \
         token: use a plain transformer"
    )]
    Recurrent {
        /// The model.
        origin: ModelSource,
    },
    /// A model that can't be run.
    #[error("{origin}: {cause}")]
    NotRunnable {
        /// The model.
        origin: ModelSource,
        /// What the engine says.
        cause: EngineError,
    },
    /// A model whose weights give no numbers.
    #[error(
        "{origin}: it computes no numbers (NaN): its weights are damaged; \
         download or convert it again"
    )]
    NoNumbers {
        /// The model.
        origin: ModelSource,
    },
    /// The shipped model can't be put where llama.cpp can read it.
    #[error(
        "{}: the shipped model can't be written there: {source}; \
         set LOCKSTEP_CACHE_DIR to a folder that can be written, or name a model with --model",
        path.display()
    )]
    Cache {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// There is no place for a cache.
    #[error("no folder for the cache is known (is HOME set?); set LOCKSTEP_CACHE_DIR to one")]
    NoCache,
    /// llama.cpp can't be started.
    #[error("llama.cpp can't be started: {cause}; please report this (--no-model runs without it)")]
    NoBackend {
        /// What it says.
        cause: String,
    },
}

/// Work for an engine, which lives only as long as the work.
pub type Work<'w> = dyn FnMut(&mut dyn Engine) + 'w;

/// Makes engines of a loaded model.
trait Runner: Send + Sync {
    /// Makes an engine on this thread and hands it to `work`.
    fn run(&self, work: &mut Work<'_>) -> Result<(), EngineError>;
}

/// A loaded model.
#[derive(Clone)]
pub struct Model {
    info: ModelInfo,
    vocabulary: Arc<dyn Vocabulary>,
    conventions: Conventions,
    runner: Arc<dyn Runner>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Model").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Model {
    /// Loads a model and checks that it speaks a known dialect.
    pub fn open(source: &ModelSource, settings: &Settings) -> Result<Self, ModelError> {
        let model = Self::load(source, settings)?;
        model.dialect()?;
        Ok(model)
    }

    /// Loads a model, whatever it speaks.
    #[cfg(feature = "llama")]
    pub(super) fn load(source: &ModelSource, settings: &Settings) -> Result<Self, ModelError> {
        llama::load(source, settings).map(Model::identified)
    }

    /// This build has no engine: an error that says so, after those that the file deserves.
    #[cfg(not(feature = "llama"))]
    pub(super) fn load(source: &ModelSource, _: &Settings) -> Result<Self, ModelError> {
        if let ModelSource::File(path) = source {
            file::check(path)?;
        }
        Err(ModelError::NoLlama)
    }

    /// A model that is a function: it goes on as `script` says.
    pub fn scripted(
        script: Arc<Script>,
        vocabulary: Arc<dyn Vocabulary>,
        conventions: Conventions,
        context: u32,
    ) -> Self {
        let info = ModelInfo {
            name: "scripted".to_owned(),
            file: None,
            sha256: String::new(),
            bytes: 0,
            architecture: "scripted".to_owned(),
            parameters: 0,
            trained_context: context,
            context,
            tokenizer_sha256: String::new(),
            dialect: DebuggerDialect::NAME.to_owned(),
            dialect_sha256: String::new(),
            device: "none".to_owned(),
            decoding: Decoding::default(),
        };
        let size = vocabulary.size();
        let runner = Arc::new(ScriptedRunner { script, context: context as usize, size });
        Model { info, vocabulary, conventions, runner }.identified()
    }

    /// With the hashes by which records name its tokenizer and its dialect.
    fn identified(mut self) -> Self {
        self.info.tokenizer_sha256 = identity::of_tokenizer(&*self.vocabulary);
        self.info.dialect_sha256 = self
            .dialect()
            .map(|dialect| identity::of_dialect(&*dialect, &*self.vocabulary))
            .unwrap_or_default();
        self
    }

    /// What is known of it.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// Its tokens.
    pub fn vocabulary(&self) -> &Arc<dyn Vocabulary> {
        &self.vocabulary
    }

    /// The dialect that it speaks.
    pub fn dialect(&self) -> Result<Box<dyn Dialect>, ModelError> {
        let vocabulary = Arc::clone(&self.vocabulary);
        match DebuggerDialect::new(vocabulary, self.conventions) {
            Ok(dialect) => Ok(Box::new(dialect)),
            Err(missing) => Err(ModelError::NoDialect { origin: self.source(), missing }),
        }
    }

    /// The inverse format in its tokens, if it has them all.
    pub fn inverse_dialect(&self) -> Result<InverseDialect, ModelError> {
        let vocabulary = Arc::clone(&self.vocabulary);
        InverseDialect::new(vocabulary, self.conventions)
            .map_err(|missing| ModelError::NoInverse { origin: self.source(), missing })
    }

    /// The same model, choosing tokens another way.
    pub fn with_decoding(mut self, decoding: Decoding) -> Self {
        self.info.decoding = decoding;
        self
    }

    /// Makes an engine on this thread and hands it to `work`.
    pub fn run(&self, work: &mut Work<'_>) -> Result<(), EngineError> {
        self.runner.run(work)
    }

    fn source(&self) -> ModelSource {
        self.info.file.clone().map_or(ModelSource::Shipped, ModelSource::File)
    }
}

struct ScriptedRunner {
    script: Arc<Script>,
    context: usize,
    size: usize,
}

impl Runner for ScriptedRunner {
    fn run(&self, work: &mut Work<'_>) -> Result<(), EngineError> {
        work(&mut ScriptedEngine::new(&*self.script, self.context, self.size));
        Ok(())
    }
}

#[cfg(all(test, not(feature = "llama")))]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_llama_says_so() {
        let error = Model::open(&ModelSource::Shipped, &Settings::default()).err();
        let message = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(message.starts_with("this lockstep was built without llama.cpp"), "{message}");
    }
}
