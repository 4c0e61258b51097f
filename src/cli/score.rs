//! `lockstep score`: stored generations, scored again.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::interrupt::Interrupt;
use super::progress::Progress;
use super::{CommandError, Done, tell};
use crate::benchmark::score::{Score, Scored, Scorer, scored_file};
use crate::benchmark::{Benchmark, BenchmarkError, Generations, Task};
use crate::python::{Limits, PythonError};
use crate::whole;

/// Most items that are named.
const SHOWN: usize = 10;

/// Score generations that were stored for CruxEval, or a benchmark of its kind
///
/// Each generation is scored twice. By the published rule, `assert OUTPUT == GENERATION` runs and
/// raises nothing: that gives the figures of papers. As a value, it is a Python literal (or a call
/// of the function with literals) that gives what the item's own call gives: nothing else counts.
/// Verdicts that are stored with the generations are compared with those of the published rule.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep score codellama-7b-scored-output.json --data cruxeval.jsonl --task output
  lockstep score generations.jsonl --data cruxeval.jsonl --task input --json

Generations are a file of CruxEval's ({\"raw_generations\": {ID: [TEXT, …]}}), {ID: [TEXT, …]}, a list
of lists in the order of the items, or JSON lines of {\"id\": ID, \"generations\": [TEXT, …]}.
Exit codes: 0 done, 1 stored verdicts differ, 2 bad input, 3 interrupted, or items could not be
checked; they are named, and the figures are about the others. What was interrupted begins anew. See
docs/cruxeval.md.")]
pub struct ScoreArgs {
    /// The generations
    generations: PathBuf,
    /// The benchmark's items: CruxEval's JSON lines, or LiveCodeBench's of its execution task
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// What the generations are: output (the value of a call) or input (a call that gives a value)
    #[arg(long, value_name = "TASK")]
    task: Task,
    /// Stop a check after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = super::running::seconds)]
    max_time: f64,
    /// Checks at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Write the generations with their verdicts, in the form of CruxEval's files
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

pub fn run(args: &ScoreArgs) -> Result<Done, CommandError> {
    args.keep_inputs()?;
    let benchmark = Benchmark::open(&args.data)?;
    let generations = Generations::open(&args.generations, &benchmark)?;
    let limits = Limits { time: Duration::from_secs_f64(args.max_time), ..Limits::default() };
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(processors, |jobs| jobs as usize);
    let scorer = Scorer { task: args.task, limits, jobs, executable: None };
    let places = 0..benchmark.items().len();
    let total = places.filter(|place| generations.of(*place).is_some()).count();
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new("items", total, 0);
    let done = || progress.one();
    let scored = scorer.score(&benchmark, &generations, &interrupt.flag(), done);
    progress.end();
    let Some(Scored { verdicts, failed }) = scored else {
        let done = progress.done();
        tell(&format!("interrupted after {done} of {total} items; started again, it begins anew"));
        return Ok(Done::Partial);
    };
    let is_whole = failed.is_empty();
    tell_failed(&benchmark, &failed);
    if verdicts.is_empty()
        && let Some(error) = failed.into_values().next()
    {
        return Err(error.into());
    }
    let score = Score::of(args.task, &benchmark, &generations, &verdicts);
    if let Some(path) = &args.out {
        let file = scored_file(&benchmark, &generations, &verdicts, &score);
        let text = file.to_string();
        whole::write(path, |out| out.write_all(text.as_bytes())).map_err(|error: io::Error| {
            CommandError::user(format!("{}: can't be written: {error}", path.display()))
        })?;
    }
    let text = match args.json {
        true => serde_json::to_string(&score).map_err(io::Error::from)? + "\n",
        false => score.text(&benchmark.name()),
    };
    super::report::print(&text)?;
    match &score.stored {
        _ if !is_whole => Ok(Done::Partial),
        Some(stored) if !stored.different.is_empty() => Ok(Done::No),
        _ => Ok(Done::Yes),
    }
}

impl ScoreArgs {
    /// Refuses to write over what is read.
    fn keep_inputs(&self) -> Result<(), CommandError> {
        let place = |path: &Path| path.canonicalize().ok();
        let Some(out) = self.out.as_deref().filter(|out| place(out).is_some()) else {
            return Ok(());
        };
        for (input, what) in [(&self.generations, "generations"), (&self.data, "items")] {
            if place(out) == place(input) {
                let told = format!("{}: --out is the file of the {what}", out.display());
                return Err(CommandError::user(told).hinted("name another file"));
            }
        }
        Ok(())
    }
}

fn tell_failed(benchmark: &Benchmark, failed: &BTreeMap<usize, PythonError>) {
    for (place, error) in failed.iter().take(SHOWN) {
        tell(&format!("{}: could not be checked: {error}", benchmark.items()[*place].id));
    }
    if failed.len() > SHOWN {
        tell(&format!("{} items could not be checked in all", failed.len()));
    }
}

impl From<BenchmarkError> for CommandError {
    fn from(error: BenchmarkError) -> Self {
        CommandError::user(error)
    }
}
