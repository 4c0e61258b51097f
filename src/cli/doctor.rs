//! `lockstep doctor`: is a model usable?

use std::path::PathBuf;

use clap::Args;

use super::model::EngineArgs;
use super::{CommandError, Done};
use crate::neural::{ModelSource, Verdict, doctor};

/// Check whether a model is usable: its frame tokens, its context, a frame that it writes, its speed
///
/// Exit code 1 means that the file is a model, but not usable.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep doctor
  lockstep doctor my-model.gguf --threads 2
  lockstep doctor my-model.gguf --json | jq .speed")]
pub struct DoctorArgs {
    /// The model in GGUF [default: the one that is built in]
    model: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: &DoctorArgs) -> Result<Done, CommandError> {
    let source = args.model.clone().map_or(ModelSource::Shipped, ModelSource::File);
    let report = doctor(&source, &args.engine.settings());
    let _ = report;
    match report.verdict {
        Verdict::Usable { .. } => Ok(Done::Yes),
        Verdict::NotUsable { .. } => Ok(Done::No),
    }
}
