//! The commands.

mod evaluate;
mod export;
mod inspect;
mod tokenizer;
mod train;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lockstep_train::dataset::{Direction, Selection, Split};
use lockstep_train::error::Result;

/// Trains a small neural debugger from scratch.
///
/// In order: `tokenizer` learns the tokens of a dataset, `train` a model (`resume` goes on with one),
/// `evaluate` counts what it predicts exactly, `export` writes it as GGUF for Lockstep.
#[derive(Parser)]
#[command(name = "lockstep-train", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Tokenizer(tokenizer::Args),
    Train(train::Args),
    Resume(train::ResumeArgs),
    Evaluate(evaluate::Args),
    Export(export::Args),
    Inspect(inspect::Args),
}

/// Runs what the command line says.
pub fn run() -> Result<ExitCode> {
    match Cli::parse().command {
        Command::Tokenizer(args) => tokenizer::run(&args),
        Command::Train(args) => train::run(args),
        Command::Resume(args) => train::resume(args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Inspect(args) => inspect::run(&args),
    }
}

/// Writes a line to standard output, whether anybody reads it or not.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Where trajectories are read from.
#[derive(clap::Args)]
struct DataArgs {
    /// JSONL file of trajectories, or a folder of them; may be given several times
    #[arg(long = "data", value_name = "PATH", required = true)]
    data: Vec<PathBuf>,
}

/// Which trajectories are read.
#[derive(clap::Args)]
struct SelectionArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Only those that run in this direction
    #[arg(long, value_enum, default_value = "both")]
    direction: Direction,
    /// No more trajectories than this
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
}

impl SelectionArgs {
    fn selection(&self, split: Split, longest: usize) -> Selection {
        Selection {
            paths: self.data.data.clone(),
            split,
            direction: self.direction,
            longest,
            limit: self.limit,
        }
    }
}
