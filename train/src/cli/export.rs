//! `lockstep-train export`.

use std::path::PathBuf;
use std::process::ExitCode;

use lockstep_train::error::{Result, size_of};
use lockstep_train::gguf::{self, Kind};
use lockstep_train::learner;
use lockstep_train::stored::Stored;

use super::say;

/// Write a model as GGUF
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lockstep-train export runs/1 --out model-q8_0.gguf
  lockstep-train export runs/1/checkpoints/step-000500 --type f16 --out model-f16.gguf")]
pub struct Args {
    /// A run, a checkpoint, or a GGUF file
    model: PathBuf,
    /// Where to write it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How matrices are packed
    #[arg(long = "type", value_enum, default_value = "q8_0")]
    kind: Kind,
    /// Its name, in place of the recipe's
    #[arg(long)]
    name: Option<String>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut stored = Stored::read(&args.model, &learner::device("cpu")?)?;
    stored.name = args.name.clone().unwrap_or(stored.name);
    gguf::write(&args.out, &stored, args.kind)?;
    say(&format!("{}: {} bytes", args.out.display(), size_of(&args.out)?));
    Ok(ExitCode::SUCCESS)
}
