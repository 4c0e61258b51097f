//! `lockstep report`, `lockstep merge` and `lockstep compare`: what is done with logs.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{CommandError, Done, eval, tell};
use crate::eval::compare::{CompareError, compare};
use crate::eval::merge::{MergeError, merge};
use crate::eval::report::{self, Format};

/// Report what the log of an evaluation says
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep report eval.jsonl
  lockstep report eval.jsonl --format markdown >> \"$GITHUB_STEP_SUMMARY\"
  lockstep report eval.jsonl --format json | jq '.shares[] | select(.by == \"action\")'")]
pub struct ReportArgs {
    /// The log
    log: PathBuf,
    /// text, markdown, csv or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Exit code 1 if the share of right steps is lower
    #[arg(long, value_name = "SHARE", value_parser = eval::share)]
    fail_under: Option<f64>,
}

pub fn report(args: &ReportArgs) -> Result<Done, CommandError> {
    let (header, metrics) = eval::read(&args.log)?;
    print(&report::render(&header, &metrics, args.format))?;
    Ok(eval::verdict(&metrics, args.fail_under))
}

/// Merge the logs of the parts of a corpus
///
/// The merged log is the same, byte for byte, as that of one evaluation of the whole corpus.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  lockstep merge part-*.jsonl --out eval.jsonl")]
pub struct MergeArgs {
    /// The logs
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// The merged log
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn merge_logs(args: &MergeArgs) -> Result<Done, CommandError> {
    let merged = merge(&args.logs, &args.out)?;
    let missing = merged.missing.len();
    tell(&format!("{} programs in {}", merged.programs, args.out.display()));
    if missing > 0 {
        let shown: Vec<String> = merged.missing.iter().take(10).map(usize::to_string).collect();
        tell(&format!(
            "{missing} are in no log: {}{}",
            shown.join(", "),
            if missing > 10 { "…" } else { "" }
        ));
        return Ok(Done::Partial);
    }
    Ok(Done::Yes)
}

/// Compare two evaluations step by step
///
/// Both must have walked the same programs by the same policy and seed. Told are the difference of the
/// shares of right steps with its interval, whether it can be told from chance, and the steps on which
/// the verdicts differ. Going back, a step is right if the run comes from the predecessor to the given
/// state, be it the recorded one or another.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep compare before.jsonl after.jsonl
  lockstep compare before.jsonl after.jsonl --gap 0.03      how many programs to see 3 points?
  lockstep compare before.jsonl after.jsonl --json | jq .difference")]
pub struct CompareArgs {
    /// The first log
    first: PathBuf,
    /// The second log
    second: PathBuf,
    /// Tell how many programs it takes to see a gap of this size
    #[arg(long, value_name = "SHARE", value_parser = eval::share)]
    gap: Option<f64>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

pub fn compare_logs(args: &CompareArgs) -> Result<Done, CommandError> {
    let mut found = compare(&args.first, &args.second)?;
    if let Some(gap) = args.gap {
        found.ask_power(gap);
    }
    let text = match args.json {
        true => serde_json::to_string(&found).map_err(std::io::Error::from)? + "\n",
        false => report::comparison(&found),
    };
    print(&text)?;
    Ok(Done::Yes)
}

/// Prints text that may hold anything that a program or a model said.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut out = anstream::stdout().lock();
    for line in text.lines() {
        writeln!(out, "{}", lockstep_tui::clean(line))?;
    }
    Ok(out.flush()?)
}

impl From<MergeError> for CommandError {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Log(error) => error.into(),
            error => CommandError::user(error),
        }
    }
}

impl From<CompareError> for CommandError {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Log(error) => error.into(),
            error @ CompareError::Steps(_) => CommandError::user(error)
                .hinted("evaluate both models with the same corpus, policy, seed and limits"),
        }
    }
}
