//! `lockstep eval` as people run it: scoring against decoding every frame, one part against two at
//! once, a corpus against one ten times as large; and what starting a program costs. Beside the
//! time that passes stands the time of processors, which says something on a busy machine too.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use lockstep::eval::log;
use lockstep::generate::{Difficulty, generate};
use lockstep::program::Program;
use lockstep::python::{Nursery, Recording};
use serde_json::json;

use super::{Outcome, host, options, repository};

/// Generated programs that the methods and parts are compared on.
const PROGRAMS: u64 = 24;
/// Of the corpus that grows ten-fold, and the steps that are taken in each of its programs.
const FEW: u64 = 24;
const STEPS: &str = "4";
/// Topics of corpora/ on which the shipped model is mostly wrong.
const TOPICS: [&str; 2] = ["lists", "dicts"];

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub fn run() -> Outcome {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    starts()?;
    let generated = corpus(folder, PROGRAMS)?;
    methods(folder, &format!("{PROGRAMS} generated programs"), &[&generated])?;
    let topics = TOPICS.map(|topic| repository().join("corpora").join(topic));
    methods(folder, "corpora/{lists,dicts}", &topics.each_ref().map(|path| path.as_path()))?;
    parts(folder, &generated)?;
    growth(folder)
}

/// A corpus of the first so many generated programs.
fn corpus(folder: &Path, programs: u64) -> Result<std::path::PathBuf> {
    let row = |seed| {
        let program = generate(seed, &Difficulty::default());
        json!({"id": format!("generated-{seed}"), "program": program}).to_string() + "\n"
    };
    let path = folder.join(format!("{programs}.jsonl"));
    std::fs::write(&path, (0..programs).map(row).collect::<String>())?;
    Ok(path)
}

/// Starts an evaluation into this log, which is begun anew.
fn start(log: &Path, corpus: &[&Path], more: &[&str]) -> Result<Child> {
    // None is there at first.
    let _ = std::fs::remove_file(log);
    let quiet = || File::create("/dev/null").map(Stdio::from);
    Ok(Command::new(host())
        .arg("eval")
        .args(corpus)
        .args(["--out".as_ref(), log.as_os_str()])
        .args(more)
        .stdout(quiet()?)
        .stderr(quiet()?)
        .spawn()?)
}

/// What an evaluation took.
#[derive(Clone, Copy, Default)]
struct Spent {
    /// Seconds that passed.
    wall: f64,
    /// Seconds of processors, in the process and those that it started.
    processor: f64,
    /// The most memory that one of them held at a time, in MiB.
    memory: f64,
}

impl Spent {
    /// The mean of two.
    fn mean(self, other: Spent) -> Spent {
        Spent {
            wall: (self.wall + other.wall) / 2.0,
            processor: (self.processor + other.processor) / 2.0,
            memory: self.memory.max(other.memory),
        }
    }

    fn tell(self, what: &str, steps: f64) {
        let (wall, processor) = (steps / self.wall, steps / self.processor);
        println!(
            "  {what:<11} {wall:>7.1} steps a second, {processor:>7.1} a second of processors"
        );
    }
}

/// Waits for an evaluation.
fn wait(child: &Child, started: Instant) -> Result<Spent> {
    let id = i32::try_from(child.id())?;
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the child is ours and nobody else waits for it; both places are there to be written,
    // and a usage of zeros is one.
    let usage = unsafe {
        libc::wait4(id, &raw mut status, 0, usage.as_mut_ptr());
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    match status {
        0 => Ok(Spent {
            wall: started.elapsed().as_secs_f64(),
            processor: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            memory: usage.ru_maxrss as f64 / 1024.0,
        }),
        status => Err(format!("lockstep eval ended with status {status}").into()),
    }
}

/// Evaluates.
fn evaluate(log: &Path, corpus: &[&Path], more: &[&str]) -> Result<Spent> {
    let started = Instant::now();
    wait(&start(log, corpus, more)?, started)
}

/// The verdicts of a log, in order.
fn verdicts(path: &Path) -> Result<Vec<Option<bool>>> {
    let mut verdicts = Vec::new();
    let (_, reader) = log::open(path)?;
    reader.each_program(|_, steps| verdicts.extend(steps.iter().map(|step| step.agree)))?;
    Ok(verdicts)
}

fn methods(folder: &Path, name: &str, corpus: &[&Path]) -> Outcome {
    let logs = ["scoring", "generating"].map(|method| (method, folder.join(method)));
    let run = |turn: usize| {
        let (method, log) = &logs[turn];
        evaluate(log, corpus, &["--method", method])
    };
    // Each once first and once second, so that what else runs here strikes both.
    let [scoring, generating] = [run(0)?, run(1)?];
    let [generating, scoring] = [generating.mean(run(1)?), scoring.mean(run(0)?)];
    let (scored, generated) = (verdicts(&logs[0].1)?, verdicts(&logs[1].1)?);
    let steps = scored.len() as f64;
    let right = scored.iter().filter(|agree| **agree == Some(true)).count();
    let differ = scored.iter().zip(&generated).filter(|(a, b)| a != b).count();
    println!("eval: {name}: {} steps, {right} right; {differ} verdicts differ", scored.len());
    scoring.tell("scoring", steps);
    generating.tell("generating", steps);
    let (wall, processor) =
        (generating.wall / scoring.wall, generating.processor / scoring.processor);
    println!("  ratio       {wall:>7.2},                {processor:>7.2}");
    Ok(())
}

fn parts(folder: &Path, corpus: &Path) -> Outcome {
    let whole = folder.join("whole");
    let before = evaluate(&whole, &[corpus], &[])?;
    let logs = [folder.join("0"), folder.join("1")];
    let started = Instant::now();
    let halves = [("0/2", &logs[0]), ("1/2", &logs[1])];
    let running: Vec<Child> = halves
        .iter()
        .map(|(part, log)| start(log, &[corpus], &["--shard", part]))
        .collect::<Result<_>>()?;
    let mut two = Spent::default();
    for child in &running {
        let spent = wait(child, started)?;
        two.wall = two.wall.max(spent.wall);
        two.processor += spent.processor;
    }
    let one = before.mean(evaluate(&whole, &[corpus], &[])?);
    let merged = folder.join("merged");
    let status =
        Command::new(host()).arg("merge").args(&logs).arg("--out").arg(&merged).status()?;
    let same = status.success() && std::fs::read(&whole)? == std::fs::read(&merged)?;
    let steps = verdicts(&whole)?.len() as f64;
    println!("eval: parts; the merged log is the same: {same}");
    one.tell("1 part", steps);
    two.tell("2 at once", steps);
    Ok(())
}

fn growth(folder: &Path) -> Outcome {
    println!("eval: a corpus that grows, {STEPS} steps a program");
    for programs in [FEW, 10 * FEW, FEW] {
        let corpus = corpus(folder, programs)?;
        let log = folder.join("growth");
        let spent = evaluate(&log, &[&corpus], &["--steps", STEPS])?;
        let steps = verdicts(&log)?.len();
        let each = spent.processor * 1000.0 / steps as f64;
        println!(
            "  {programs:>4} programs, {steps:>5} steps: {:>6.1} s, {:>6.1} s of processors \
             ({each:>5.1} ms a step), {:>5.1} MiB",
            spent.wall, spent.processor, spent.memory,
        );
    }
    Ok(())
}

/// What it costs to start a program and to record it: in a host of its own, and in a nursery.
fn starts() -> Outcome {
    let programs: Vec<Program> = (0..PROGRAMS)
        .map(|seed| Program::from_text("p.py".into(), &generate(seed, &Difficulty::default())))
        .collect::<std::result::Result<_, _>>()?;
    let mut nursery = Nursery::new(Some(host()));
    let (mut alone, mut together) = (0.0, 0.0);
    for program in &programs {
        let started = Instant::now();
        Recording::start(program, &options())?.exit()?;
        alone += started.elapsed().as_secs_f64();
        let started = Instant::now();
        nursery.record(program, &options(), |recording| recording.exit())?;
        together += started.elapsed().as_secs_f64();
    }
    let each = |seconds: f64| seconds * 1000.0 / programs.len() as f64;
    println!("eval: recording a program, milliseconds");
    println!("  host of its own  {:>6.1}", each(alone));
    println!("  nursery          {:>6.1}", each(together));
    Ok(())
}
