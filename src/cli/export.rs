//! `lockstep export`: a benchmark's items for other programs.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{CommandError, Done, tell};
use crate::benchmark::lm_eval::{self, ExportError};
use crate::benchmark::{Benchmark, Task};

/// Write a benchmark's items in the form of another program
#[derive(Args, Debug)]
pub struct ExportArgs {
    #[command(subcommand)]
    to: To,
}

#[derive(Subcommand, Debug)]
enum To {
    LmEval(LmEvalArgs),
}

/// Write a task for lm-evaluation-harness
///
/// The folder holds the task's YAML, the items as JSON lines with their prompts, and the Python file
/// that scores answers as Lockstep does.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  lockstep export lm-eval --data cruxeval.jsonl --task output --out task
  lm_eval --include_path task --tasks lockstep_cruxeval_output --model hf …

Checking inputs calls the functions: lm_eval then wants --confirm_run_unsafe_code. See
docs/cruxeval.md.")]
struct LmEvalArgs {
    /// The benchmark's items: CruxEval's JSON lines, or LiveCodeBench's of its execution task
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// What is asked: output (the value of a call) or input (a call that gives a value)
    #[arg(long, value_name = "TASK")]
    task: Task,
    /// The folder, which must not hold anything yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(args: &ExportArgs) -> Result<Done, CommandError> {
    let To::LmEval(args) = &args.to;
    let benchmark = Benchmark::open(&args.data)?;
    let name = lm_eval::export(&benchmark, args.task, &args.out)?;
    let (items, folder) = (benchmark.items().len(), args.out.display());
    tell(&format!("{items} items in {folder}: --include_path {folder} --tasks {name}"));
    Ok(Done::Yes)
}

impl From<ExportError> for CommandError {
    fn from(error: ExportError) -> Self {
        CommandError::user(error)
    }
}
