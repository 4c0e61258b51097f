//! The options that say which model predicts, and how it is run.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clap::Args;

use super::error::CommandError;
use super::probe;
use crate::neural::{Decoding, Model, ModelSource, Neural, NeuralError, Settings};

/// Which model predicts.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The model")]
pub struct ModelArgs {
    /// A model in GGUF instead of the one that is built in
    #[arg(long, value_name = "FILE.gguf")]
    model: Option<PathBuf>,
    /// Let the model write legal states only, on lines of the program; results say so
    #[arg(long)]
    constrained: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// How a model is run.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The model")]
pub struct EngineArgs {
    /// Threads of llama.cpp; more than one pays only for large models on idle cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Layers of the model to keep on the GPU, in builds with cuda, vulkan or metal
    /// [default: as many as fit]
    #[arg(long, value_name = "N")]
    gpu_layers: Option<u32>,
    /// Tokens of context, at most as many as the model was trained for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(256..))]
    context: Option<u32>,
}

impl EngineArgs {
    /// These options as the engine takes them.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads,
            gpu_layers: self.gpu_layers,
            context: self.context,
            decoding: Decoding::default(),
        }
    }
}

impl ModelArgs {
    fn settings(&self) -> Settings {
        let decoding = if self.constrained { Decoding::Constrained } else { Decoding::Greedy };
        Settings { decoding, ..self.engine.settings() }
    }

    /// Opens the model, the named one or the one that is built in.
    pub fn open(&self) -> Result<Model, CommandError> {
        let source = self.model.clone().map_or(ModelSource::Shipped, ModelSource::File);
        probe::survives(&source)?;
        let model = Model::open(&source, &self.settings());
        Ok(model.map_err(NeuralError::from)?)
    }

    /// Begins to open the model, the named one or the one that is built in, on another thread:
    /// large models take their time.
    pub fn start_opening(&self) -> Opening {
        let (sender, answer) = mpsc::channel();
        let source = self.model.clone().map_or(ModelSource::Shipped, ModelSource::File);
        let settings = self.settings();
        let open = move || {
            let open =
                || Ok(Neural::start(Model::open(&source, &settings).map_err(NeuralError::from)?)?);
            // Nobody may wait for it any more.
            let _ = sender.send(probe::survives(&source).and_then(|()| open()));
        };
        // Without a thread the answer never comes, and whoever waits is told so.
        let _ = thread::Builder::new().name("opening".to_owned()).spawn(open);
        Opening { answer }
    }
}

/// A model that is being opened.
pub struct Opening {
    answer: Receiver<Result<Neural, CommandError>>,
}

impl Opening {
    /// The model, once it is there.
    pub fn wait(self) -> Result<Neural, CommandError> {
        self.answer.recv().unwrap_or_else(|_| Err(NeuralError::Gone.into()))
    }

    /// The model if it is there within `patience`, else the wait for it.
    pub fn wait_for(self, patience: Duration) -> Result<Result<Neural, CommandError>, Opening> {
        match self.answer.recv_timeout(patience) {
            Ok(opened) => Ok(opened),
            Err(RecvTimeoutError::Timeout) => Err(self),
            Err(RecvTimeoutError::Disconnected) => Ok(Err(NeuralError::Gone.into())),
        }
    }
}

/// A model's fault is the user's to mend.
impl From<NeuralError> for CommandError {
    fn from(error: NeuralError) -> Self {
        CommandError::user(error)
    }
}
