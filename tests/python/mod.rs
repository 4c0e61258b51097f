//! The real side by its API: what a recording holds, how it ends, and that nothing hangs.

mod branches;
mod endings;
mod host;
mod hostile;
mod input;
mod inspect;
mod inverse;
mod loops;
mod states;
mod structure;
mod values;
mod walks;

use std::path::PathBuf;
use std::time::Duration;

use lockstep::program::Program;
use lockstep::python::{Inspector, Limits, PythonError, Recording, RunOptions};
use lockstep::state::{Event, Exit, State};

/// Limits that any honest program of these tests stays far below, and that a hostile one reaches
/// soon.
fn limits() -> Limits {
    Limits {
        steps: 20_000,
        time: Duration::from_secs(3),
        memory: 200 << 20,
        output: 10_000,
        ..Limits::default()
    }
}

fn options() -> RunOptions {
    let host = Some(PathBuf::from(crate::support::program()));
    RunOptions { limits: limits(), host, ..RunOptions::default() }
}

fn program(source: &str) -> Program {
    Program::from_text("p.py".to_owned(), source).unwrap()
}

/// Starts a program with these options.
fn start(source: &str, options: &RunOptions) -> Result<Recording, PythonError> {
    Recording::start(&program(source), options)
}

/// A recording of a program under the tests' limits.
#[track_caller]
fn record(source: &str) -> Recording {
    start(source, &options()).unwrap()
}

/// A program that can be asked about its states, under the tests' limits.
#[track_caller]
fn inspect(source: &str) -> Inspector {
    Inspector::new(&program(source), &options())
}

/// Index of the first state of a program that is a line event on this line.
#[track_caller]
fn first_at(source: &str, line: u32) -> usize {
    let mut recording = record(source);
    let at = states(&mut recording)
        .iter()
        .position(|state| state.event == Event::Line && state.line() == Some(line));
    at.unwrap_or_else(|| panic!("line {line} doesn't run"))
}

/// All states of a recording.
#[track_caller]
fn states(recording: &mut Recording) -> Vec<State> {
    let mut states = Vec::new();
    while let Some(state) = recording.state(states.len()).unwrap() {
        states.push(state);
    }
    states
}

/// How a program ends under the tests' limits.
#[track_caller]
fn exit(source: &str) -> Exit {
    record(source).exit().unwrap()
}

/// The text that a variable of `main` or the module has at the last state of a program.
#[track_caller]
fn last_text(source: &str, variable: &str) -> String {
    let mut recording = record(source);
    let states = states(&mut recording);
    let last = states.last().unwrap_or_else(|| panic!("{:?}", recording.exit()));
    let text = last.locals.get(variable);
    text.unwrap_or_else(|| panic!("no {variable} in {last:?}, {:?}", recording.exit())).to_string()
}
