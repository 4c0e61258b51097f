//! `lockstep eval` as people run it: scoring against decoding every frame, one part against two at
//! once, a corpus against one ten times as large; and what starting a program costs.

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
const PROGRAMS: u64 = 40;
/// Of the corpus that grows ten-fold, and the steps that are taken in each of its programs.
const FEW: u64 = 60;
const STEPS: &str = "8";
/// Topics of corpora/ on which the shipped model is mostly wrong.
const TOPICS: [&str; 2] = ["lists", "dicts"];

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub fn run() -> Outcome {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    starts()?;
    let generated = corpus(folder, PROGRAMS)?;
    methods(folder, "40 generated programs", &[&generated])?;
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

/// Evaluates; the seconds.
fn evaluate(log: &Path, corpus: &[&Path], more: &[&str]) -> Result<f64> {
    let started = Instant::now();
    let status = start(log, corpus, more)?.wait()?;
    match status.success() {
        true => Ok(started.elapsed().as_secs_f64()),
        false => Err(format!("lockstep eval ended with {status}").into()),
    }
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
    let mut seconds = [0.0, 0.0];
    // Each once first and once second, so that what else runs here strikes both.
    for turn in [0, 1, 1, 0] {
        let (method, log) = &logs[turn];
        seconds[turn] += evaluate(log, corpus, &["--method", method])? / 2.0;
    }
    let [scored, generated] = logs.each_ref().map(|(_, log)| verdicts(log));
    let (scored, generated) = (scored?, generated?);
    let steps = scored.len() as f64;
    let right = scored.iter().filter(|agree| **agree == Some(true)).count();
    let differ = scored.iter().zip(&generated).filter(|(a, b)| a != b).count();
    println!("eval: {name}: {} steps, {right} right; {differ} verdicts differ", scored.len());
    println!("  scoring     {:>7.1} steps a second", steps / seconds[0]);
    println!("  generating  {:>7.1} steps a second", steps / seconds[1]);
    println!("  ratio       {:>7.2}", seconds[1] / seconds[0]);
    Ok(())
}

fn parts(folder: &Path, corpus: &Path) -> Outcome {
    let whole = folder.join("whole");
    let mut one = evaluate(&whole, &[corpus], &[])? / 2.0;
    let logs = [folder.join("0"), folder.join("1")];
    let started = Instant::now();
    let halves = [("0/2", &logs[0]), ("1/2", &logs[1])];
    let running: Vec<Child> = halves
        .iter()
        .map(|(part, log)| start(log, &[corpus], &["--shard", part]))
        .collect::<Result<_>>()?;
    for mut child in running {
        child.wait()?;
    }
    let two = started.elapsed().as_secs_f64();
    let merged = folder.join("merged");
    let status =
        Command::new(host()).arg("merge").args(&logs).arg("--out").arg(&merged).status()?;
    one += evaluate(&whole, &[corpus], &[])? / 2.0;
    let same = status.success() && std::fs::read(&whole)? == std::fs::read(&merged)?;
    let steps = verdicts(&whole)?.len() as f64;
    println!("eval: parts; the merged log is the same: {same}");
    println!("  1 part      {:>7.1} steps a second", steps / one);
    println!("  2 at once   {:>7.1} steps a second", steps / two);
    Ok(())
}

fn growth(folder: &Path) -> Outcome {
    println!("eval: a corpus that grows, {STEPS} steps a program");
    for programs in [FEW, 10 * FEW, FEW] {
        let corpus = corpus(folder, programs)?;
        let log = folder.join("growth");
        let started = Instant::now();
        let memory = peak(start(&log, &[&corpus], &["--steps", STEPS])?)?;
        let seconds = started.elapsed().as_secs_f64();
        let steps = verdicts(&log)?.len();
        println!(
            "  {programs:>4} programs, {steps:>5} steps: {seconds:>6.1} s, {:>5.1} ms a step, {memory:>5.1} MiB",
            seconds * 1000.0 / steps as f64,
        );
    }
    Ok(())
}

/// Waits for an evaluation; the most memory that it, or a process of its own, held at a time, in MiB.
fn peak(child: Child) -> Result<f64> {
    let id = i32::try_from(child.id())?;
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the child is ours and nobody else waits for it; both places are there to be written,
    // and a usage of zeros is one.
    let usage = unsafe {
        libc::wait4(id, &raw mut status, 0, usage.as_mut_ptr());
        usage.assume_init()
    };
    match status {
        0 => Ok(usage.ru_maxrss as f64 / 1024.0),
        status => Err(format!("lockstep eval ended with status {status}").into()),
    }
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
