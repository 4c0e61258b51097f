//! `lockstep dataset`: walks through recorded runs, to train a neural debugger on.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use super::interrupt::Interrupt;
use super::{CommandError, Done, tell};
use crate::dataset::{
    DatasetError, Excluded, Format, Kind, Order, Progress, Recipe, Sources, Summary,
};
use crate::python::Grouped;

/// Make a dataset to train a neural debugger on
///
/// Programs are generated, or yours, or both. Each is run and recorded; walks are drawn through the
/// recording by the paper's policy and written in its format. The same options give the same bytes,
/// whatever the number of jobs; a run that was interrupted or killed goes on where it was when it is
/// started again.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep dataset --generate 100000 --seed 1 --out data
  lockstep dataset my-programs/ --out data --exclude cruxeval.jsonl
  lockstep dataset --generate 1000 --config dataset.toml --out data

docs/dataset.md describes the files, their columns and the configuration.")]
pub struct DatasetArgs {
    /// Python programs, or folders of them
    programs: Vec<PathBuf>,
    /// The folder to make
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Generate this many programs
    #[arg(long, value_name = "N", default_value_t = 0)]
    generate: usize,
    /// What all choices are drawn by
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Programs or folders to be marked as a corpus
    #[arg(long, value_name = "PATH")]
    corpus: Vec<PathBuf>,
    /// Add so many programs that are made of each of yours, and of the corpora's, by small changes
    #[arg(long, value_name = "N", default_value_t = 0)]
    mutate: usize,
    /// Leave out programs with a function like one in this file (JSON lines with `code`, or a
    /// Python file), so that a model can be measured on those
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,
    /// What is drawn and kept (TOML)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Longest text of a walk, in characters; longer ones are cut at a state
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
    /// Walks through each program
    #[arg(long, value_name = "N")]
    walks: Option<usize>,
    /// The files of walks: JSON lines, Parquet as the Hugging Face hub has it, or both
    #[arg(long, value_enum, default_value_t = FormatArg::Both)]
    format: FormatArg,
    /// Programs recorded at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
}

pub fn run(args: &DatasetArgs) -> Result<Done, CommandError> {
    let order = args.order()?;
    if order.sources.is_empty() {
        return Err(CommandError::user("no programs")
            .hinted("name programs or folders of them, or ask for some with --generate N"));
    }
    let interrupt = Interrupt::listen()?;
    let (progress, ended, stop) = (Progress::default(), AtomicBool::new(false), interrupt.flag());
    let started = Instant::now();
    let jobs = args.jobs.map_or_else(processors, |jobs| jobs as usize);
    let made = std::thread::scope(|scope| {
        let watch = scope.spawn(|| watch(&progress, order.sources.len(), started, &ended));
        let made = order.make(&args.out, args.seed, args.format.into(), jobs, &progress, &stop);
        ended.store(true, Ordering::Release);
        watch.thread().unpark();
        made
    })?;
    match made {
        Some(summary) => {
            report(&summary, &progress, started.elapsed());
            Ok(Done::Yes)
        }
        None => {
            let programs = progress.programs.load(Ordering::Relaxed);
            tell(&format!(
                "interrupted after {} programs; the same command goes on from there",
                Grouped(programs as u64)
            ));
            Ok(Done::Partial)
        }
    }
}

/// See [`Format`].
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FormatArg {
    Jsonl,
    Parquet,
    Both,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Jsonl => Format::Jsonl,
            FormatArg::Parquet => Format::Parquet,
            FormatArg::Both => Format::Both,
        }
    }
}

impl DatasetArgs {
    fn order(&self) -> Result<Order, CommandError> {
        let mut recipe = match &self.config {
            Some(path) => Recipe::load(path)?,
            None => Recipe::default(),
        };
        if let Some(most) = self.max_chars {
            recipe.keep.max_chars = most;
        }
        if let Some(walks) = self.walks {
            recipe.walks.per_program = walks;
        }
        if let Some(fault) = recipe.fault() {
            return Err(CommandError::user(fault));
        }
        let mut sources = Sources::new(self.seed, self.generate, recipe.generate.clone());
        self.corpus.iter().try_for_each(|path| sources.add(Kind::Corpus, path))?;
        self.programs.iter().try_for_each(|path| sources.add(Kind::User, path))?;
        sources.mutate(self.mutate);
        let mut excluded = Excluded::default();
        self.exclude.iter().try_for_each(|path| excluded.add(path))?;
        Ok(Order { sources, recipe, excluded })
    }
}

impl From<DatasetError> for CommandError {
    fn from(error: DatasetError) -> Self {
        CommandError::user(error)
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Time between two lines of progress.
const BEAT: Duration = Duration::from_secs(5);

/// Tells how far the work is, until it ended.
fn watch(progress: &Progress, all: usize, started: Instant, ended: &AtomicBool) {
    loop {
        std::thread::park_timeout(BEAT);
        if ended.load(Ordering::Acquire) {
            return;
        }
        let done = progress.programs.load(Ordering::Relaxed);
        let fresh = progress.fresh.load(Ordering::Relaxed);
        let walks = progress.walks.load(Ordering::Relaxed);
        let rate = fresh as f64 / started.elapsed().as_secs_f64();
        let left = if rate > 0.0 { (all - done) as f64 / rate } else { 0.0 };
        tell(&format!(
            "{} of {} programs ({:.1}%), {rate:.1} a second, {} walks, {} left",
            Grouped(done as u64),
            Grouped(all as u64),
            100.0 * done as f64 / all as f64,
            Grouped(walks as u64),
            clock(left),
        ));
    }
}

/// Seconds as people read them.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02} min"),
        (hours, minutes, _) => format!("{hours}:{minutes:02} h"),
    }
}

/// A number of things.
fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", Grouped(count), if count == 1 { "" } else { "s" })
}

/// Tells what is in the dataset.
fn report(summary: &Summary, progress: &Progress, elapsed: Duration) {
    for (split, rows) in &summary.rows {
        let programs = summary.programs.get(split).copied().unwrap_or(0);
        let (walks, programs) = (counted(*rows, "walk"), counted(programs, "program"));
        tell(&format!("{}: {walks} of {programs}", split.name()));
    }
    for (left, programs) in &summary.left {
        tell(&format!("left out: {}: {}", counted(*programs, "program"), left.reason()));
    }
    let rate = |count: usize| count as f64 / elapsed.as_secs_f64();
    tell(&format!(
        "{:.1} programs and {:.1} walks a second, {} characters in all",
        rate(progress.fresh.load(Ordering::Relaxed)),
        rate(progress.walks.load(Ordering::Relaxed)),
        Grouped(summary.chars),
    ));
}
