//! A model file that nobody has looked at is loaded first in a process of its own: on some damaged
//! files llama.cpp aborts, and that process can be lost.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use super::{CommandError, Done};
use crate::neural::{Model, ModelSource, Settings};

/// The hidden subcommand that loads a model and ends.
const COMMAND: &str = "model-probe";

/// Loads a model and ends. Not for people: what it finds is found again by whoever asked.
#[derive(Args, Debug)]
pub struct ProbeArgs {
    /// The model in GGUF
    model: PathBuf,
}

pub fn run(args: &ProbeArgs) -> Result<Done, CommandError> {
    let source = ModelSource::File(args.model.clone());
    match Model::open(&source, &Settings::default()) {
        Ok(_) => Ok(Done::Yes),
        Err(error) => Err(CommandError::user(error)),
    }
}

/// Makes sure that loading this model doesn't end the process.
///
/// # Errors
///
/// If it would. An ordinary error of the file is not one here: loading it gives that.
pub fn survives(source: &ModelSource) -> Result<(), CommandError> {
    let ModelSource::File(path) = source else { return Ok(()) };
    let program = std::env::current_exe()?;
    let mut command = Command::new(program);
    command.arg(COMMAND).arg(path).stdin(Stdio::null()).stdout(Stdio::null());
    // No debugger for a backtrace: nobody reads it.
    let output = command.env("GGML_NO_BACKTRACE", "1").output()?;
    if output.status.code().is_some() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let cause =
        words.lines().find_map(|line| line.split_once("GGML_ASSERT(")).map(|(_, rest)| rest);
    let cause = cause.and_then(|rest| rest.strip_suffix(") failed")).unwrap_or("a failed check");
    Err(CommandError::user(format!("{source}: llama.cpp can't survive this file: {cause}"))
        .hinted("the file is damaged, or made by a broken converter: download or convert it again"))
}
