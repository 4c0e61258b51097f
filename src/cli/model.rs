//! The options that say which model predicts, and how it is run.

use std::path::PathBuf;

use clap::Args;

use super::error::CommandError;
use crate::neural::{EngineOptions, Model, NeuralDebugger};

/// Which model predicts.
#[derive(Args, Debug)]
#[command(next_help_heading = "The model")]
pub struct ModelArgs {
    /// A model in GGUF instead of the one that is built in
    #[arg(long, value_name = "FILE.gguf")]
    model: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// How a model is run.
#[derive(Args, Debug)]
pub struct EngineArgs {
    /// Threads of llama.cpp; more than one pays only for large models on idle cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Layers of the model to keep on the GPU, in builds with cuda, vulkan or metal
    #[arg(long, value_name = "N", default_value_t = 0)]
    gpu_layers: u32,
}

impl EngineArgs {
    /// These options as the engine takes them.
    pub fn options(&self) -> EngineOptions {
        EngineOptions { threads: self.threads, gpu_layers: self.gpu_layers, ..EngineOptions::default() }
    }
}

impl ModelArgs {
    /// Opens the model: the named one, or the one that is built in.
    pub fn open(&self) -> Result<NeuralDebugger, CommandError> {
        let model = match &self.model {
            Some(path) => Model::open(path)?,
            None => Model::shipped()?,
        };
        Ok(NeuralDebugger::start(model, self.engine.options())?)
    }
}
