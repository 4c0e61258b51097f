//! `lockstep report` and `lockstep compare`: what logs say.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CommandError, Done, eval, tell};
use crate::eval::compare::{CompareError, compare};
use crate::eval::report::{self, Format, Options, ReportError, Whole};
use crate::eval::{Corpus, log};
use crate::whole;

/// Report what the log of an evaluation says
#[derive(Args, Debug)]
#[command(after_help = "\
Formats:
  text, markdown, csv, json   the numbers
  html                        a page of its own: plots, timelines, all steps to search and filter
  parquet                     the steps as a table, for DuckDB, pandas and the like
  junit                       a test case a program
  sarif                       a result a wrong step, the 5,000 worst
  github                      annotations of a GitHub job, the 10 worst

Examples:
  lockstep report eval.jsonl
  lockstep report eval.jsonl --format html --corpus corpora/ --out report.html
  lockstep report eval.jsonl --format markdown >> \"$GITHUB_STEP_SUMMARY\"
  lockstep report eval.jsonl --format github --fail-under 0.9
  lockstep report eval.jsonl --format json | jq '.shares[] | select(.by == \"action\")'

Exit codes: 0 done, 1 below --fail-under, 2 bad input, 3 the evaluation is not finished: what is
reported holds for the programs that the log has.")]
pub struct ReportArgs {
    /// The log
    log: PathBuf,
    /// text, markdown, csv, json, html, parquet, junit, sarif or github
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write it to this file instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The corpus of the evaluation, for the source text in an HTML report
    #[arg(long, value_name = "CORPUS", num_args = 1..)]
    corpus: Vec<PathBuf>,
    /// Most steps that an HTML report holds one by one; its numbers are those of all
    #[arg(long, value_name = "N", default_value_t = MOST_STEPS, value_parser = clap::value_parser!(u64).range(..=500_000))]
    most_steps: u64,
    /// Exit code 1 if the share of right steps is lower
    #[arg(long, value_name = "SHARE", value_parser = eval::share)]
    fail_under: Option<f64>,
}

/// So many steps a browser shows without delay.
const MOST_STEPS: u64 = 100_000;

pub fn report(args: &ReportArgs) -> Result<Done, CommandError> {
    let corpus = match args.corpus.as_slice() {
        [] => None,
        paths => Some(same_corpus(paths, &args.log)?),
    };
    let sources = |place: usize| {
        let item = corpus.as_ref()?.item(place).ok()?;
        Some(item.program.text().to_owned())
    };
    let options = Options {
        format: args.format,
        sources: &sources,
        most_steps: usize::try_from(args.most_steps).unwrap_or(usize::MAX),
        least: args.fail_under,
    };
    written(&args.log, &options, args.out.as_deref())
}

/// Writes a report to the standard output, by the defaults of `lockstep report`.
pub fn make(log: &Path, format: Format, least: Option<f64>) -> Result<Done, CommandError> {
    let most_steps = usize::try_from(MOST_STEPS).unwrap_or(usize::MAX);
    written(log, &Options { format, sources: &|_| None, most_steps, least }, None)
}

/// The corpus at these paths, if the log is of it.
fn same_corpus(paths: &[PathBuf], log: &Path) -> Result<Corpus, CommandError> {
    let corpus = Corpus::open(paths)?;
    let (header, _) = log::open(log)?;
    match corpus.identity() == header.recipe.corpus {
        true => Ok(corpus),
        false => Err(CommandError::user(format!(
            "{}: of another corpus than --corpus, or the programs were changed since",
            log.display()
        ))
        .hinted("give the same paths as to `lockstep eval`, from the same folder")),
    }
}

fn written(log: &Path, options: &Options, out: Option<&Path>) -> Result<Done, CommandError> {
    let whole = match out {
        Some(path) => in_file(log, options, path)?,
        None if !options.format.is_for_files() => {
            let mut text = Vec::new();
            let whole = report::write(log, options, &mut text)?;
            print(&String::from_utf8_lossy(&text))?;
            whole
        }
        None if io::stdout().is_terminal() => {
            return Err(CommandError::user("a report of this format is nothing for a terminal")
                .hinted("write it to a file: --out FILE"));
        }
        None => {
            let mut out = BufWriter::new(io::stdout());
            let whole = report::write(log, options, &mut out)?;
            out.flush()?;
            whole
        }
    };
    if let Some(shortfall) = whole.shortfall(options.least) {
        tell(&shortfall);
        return Ok(Done::No);
    }
    if whole.is_partial() {
        let (held, of) = whole.programs();
        tell(&format!("{}: not finished, it holds {held} of {of} programs", log.display()));
        return Ok(Done::Partial);
    }
    Ok(Done::Yes)
}

/// Writes a report to a file. What was there is only replaced by a whole report, and never the log.
fn in_file(log: &Path, options: &Options, path: &Path) -> Result<Whole, CommandError> {
    let failed = |error: io::Error| CommandError::user(format!("{}: {error}", path.display()));
    if path.exists() && path.canonicalize().ok() == log.canonicalize().ok() {
        return Err(CommandError::user(format!("{}: --out is the log itself", path.display())));
    }
    let written = whole::write(path, |file| report::write(log, options, file));
    written.map_err(|error| match error {
        ReportError::Out(error) => failed(error),
        error => error.into(),
    })
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
        true => serde_json::to_string(&found).map_err(io::Error::from)? + "\n",
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

impl From<ReportError> for CommandError {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Log(error) => error.into(),
            ReportError::Out(error) => error.into(),
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
