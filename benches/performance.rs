//! What docs/performance.md reports: the recorder against CPython's own tracing, following by
//! scoring against frame-by-frame generation, and the time to the first screen.
//!
//! `./dev bench` runs it; `./dev bench -- recorder` (or `follow`, `screen`) runs one part. What is
//! compared alternates within one run, and each figure is the best of its repetitions.

use std::io::Read;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use lockstep::program::Program;
use lockstep::python::{Limits, Recording, RunOptions};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const ROWS: NonZero<u16> = NonZero::new(24).unwrap();
const COLUMNS: NonZero<u16> = NonZero::new(80).unwrap();
const REPETITIONS: usize = 5;

fn main() -> Outcome {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |part: &str| wanted.is_empty() || wanted.iter().any(|name| name == part);
    if wants("recorder") {
        recorder()?;
    }
    #[cfg(feature = "llama")]
    if wants("follow") {
        follow::run()?;
    }
    if wants("screen") {
        first_screen()?;
    }
    Ok(())
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn host() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_lockstep"))
}

fn options() -> RunOptions {
    let limits = Limits { steps: u64::MAX, time: Duration::from_secs(600), ..Limits::default() };
    RunOptions { limits, host: Some(host()), ..RunOptions::default() }
}

/// Events a second, from the start of the host process to the last event in the parent.
fn record(program: &Program) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let mut recording = Recording::start(program, &options())?;
    recording.exit()?;
    Ok((recording.len_so_far(), started.elapsed().as_secs_f64()))
}

/// The same facts by `sys.settrace` in the machine's python3; none if there is none.
fn record_in_cpython(program: &Path) -> Option<(usize, f64)> {
    let tracer = repository().join("benches/recorder_in_cpython.py");
    let output = Command::new("python3").arg(tracer).arg(program).output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    let (events, seconds) = printed.trim().split_once(' ')?;
    Some((events.parse().ok()?, seconds.parse().ok()?))
}

fn recorder() -> Outcome {
    let version = Command::new("python3").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let version = version.unwrap_or_else(|_| "no python3 to compare with".to_owned());
    println!("recorder: events a second, best of {REPETITIONS} ({version}: sys.settrace)");
    println!("{:<12} {:>9} {:>12} {:>12} {:>8}", "load", "events", "lockstep", "CPython", "ratio");
    for load in ["integers", "containers"] {
        let path = repository().join(format!("benches/loads/{load}.py"));
        let program = Program::load(&path)?;
        let (mut ours, mut theirs): (f64, f64) = (0.0, 0.0);
        let mut counts = (0, 0);
        for _ in 0..REPETITIONS {
            let (events, seconds) = record(&program)?;
            ours = ours.max(events as f64 / seconds);
            counts.0 = events;
            if let Some((events, seconds)) = record_in_cpython(&path) {
                theirs = theirs.max(events as f64 / seconds);
                counts.1 = events;
            }
        }
        println!("{load:<12} {:>9} {ours:>12.0} {theirs:>12.0} {:>8.2}", counts.0, ours / theirs);
        if counts.1 > 0 && counts.0 != counts.1 {
            println!("  CPython counts {} events: its version's line events differ", counts.1);
        }
    }
    Ok(())
}

/// From starting the program in a terminal to the first screen that shows its source.
fn first_screen() -> Outcome {
    let demo = repository().join("corpora/dicts/inventory.py");
    let mut times = Vec::new();
    for _ in 0..2 * REPETITIONS {
        let pair = portable_pty::native_pty_system().openpty(portable_pty::PtySize {
            rows: ROWS.get(),
            cols: COLUMNS.get(),
            ..portable_pty::PtySize::default()
        })?;
        let mut command = portable_pty::CommandBuilder::new(host());
        command.args(["debug".as_ref(), demo.as_os_str()]);
        let mut reader = pair.master.try_clone_reader()?;
        let started = Instant::now();
        let mut child = pair.slave.spawn_command(command)?;
        let mut screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        let mut bytes = [0; 4096];
        while !screen.screen().contents().contains("def take(stock, item, amount):") {
            match reader.read(&mut bytes)? {
                0 => return Err("the program ended before its first screen".into()),
                count => screen.process(&bytes[..count]),
            }
        }
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        child.kill()?;
        child.wait()?;
    }
    times.sort_by(f64::total_cmp);
    println!("first screen: {:.0} ms (median of {}; {:.0} to {:.0})",
        times[times.len() / 2], times.len(), times[0], times[times.len() - 1]);
    Ok(())
}
