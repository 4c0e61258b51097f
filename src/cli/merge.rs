//! `lockstep merge`: one log of the parts of an evaluation.

use std::path::PathBuf;

use clap::Args;

use super::{CommandError, Done, tell};
use crate::eval::Corpus;
use crate::eval::merge::{MergeError, Merged, gather, merge};

/// Most programs and failures that are listed.
const SHOWN: usize = 10;

/// Merge the logs of the parts of a corpus, or the answers of workers
///
/// The merged log is the same, byte for byte, as that of one evaluation of the whole corpus.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep merge part-*.jsonl --out eval.jsonl
  lockstep merge answers-*.jsonl --corpus programs.jsonl --out eval.jsonl     of `lockstep worker`

Exit codes: 0 done, 2 bad input, 3 partial: programs are missing; they are named, and the log holds
the others.")]
pub struct MergeArgs {
    /// The logs; with --corpus, files of what workers wrote
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// The merged log
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The programs that workers were given (can be repeated)
    #[arg(long, value_name = "CORPUS")]
    corpus: Vec<PathBuf>,
}

pub fn run(args: &MergeArgs) -> Result<Done, CommandError> {
    let merged = match args.corpus.as_slice() {
        [] => merge(&args.logs, &args.out)?,
        paths => gather(&args.logs, &Corpus::open(paths)?, &args.out)?,
    };
    tell(&format!("{} programs in {}", merged.programs, args.out.display()));
    tell_failures(&merged);
    match merged.missing.as_slice() {
        [] => Ok(Done::Yes),
        missing => {
            let shown: Vec<String> = missing.iter().take(SHOWN).map(usize::to_string).collect();
            let more = if missing.len() > SHOWN { "…" } else { "" };
            tell(&format!("{} are in no log: {}{more}", missing.len(), shown.join(", ")));
            Ok(Done::Partial)
        }
    }
}

fn tell_failures(merged: &Merged) {
    let failures = &merged.failures;
    for failure in failures.iter().take(SHOWN) {
        let id = failure.id.as_deref().unwrap_or("a line");
        tell(&format!("a worker could not evaluate {id}: {}", failure.error));
    }
    if failures.len() > SHOWN {
        tell(&format!("{} more could not be evaluated", failures.len() - SHOWN));
    }
}

impl From<MergeError> for CommandError {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Log(error) => error.into(),
            error @ MergeError::Stranger { .. } => CommandError::user(error)
                .hinted("give by --corpus the programs that the workers were given"),
            error => CommandError::user(error),
        }
    }
}
