//! `lockstep trace`: the recorded states alone.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::checked::tell_findings;
use super::interrupt::Interrupt;
use super::running::RunArgs;
use super::transcript::{self, Style};
use super::{CommandError, Done, tell};
use crate::program::Program;
use crate::python::{OnInput, PythonError};
use crate::state::Stop;

/// Run a program and print every recorded state, without a model
///
/// Each state is what a debugger would show on stopping there: the event, the line, the variables
/// that changed. What the program prints stands where it was written.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep trace prog.py
  lockstep trace prog.py --entry solve --max-steps 500
  lockstep trace prog.py --json | jq -r 'select(.event == \"line\") | .line'

The JSON is described in docs/json.md.")]
pub struct TraceArgs {
    /// The Python program
    program: PathBuf,
    /// Print one JSON object a line instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &TraceArgs) -> Result<Done, CommandError> {
    let program = Program::load(&args.program)?;
    let (mut recording, findings) = args.run.record(&program, OnInput::End)?;
    tell_findings(&program, &findings, args.run.has_input());
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    let mut printer = transcript::Trace::new(Style::of(args.json), &mut out);
    let mut index = 0;
    let mut printed = 0;
    let interrupt = Interrupt::listen()?;
    recording.interrupt_by(interrupt.flag());
    loop {
        let state = match recording.state(index) {
            _ if interrupt.is_asked() => Err(PythonError::Interrupted),
            state => state,
        };
        let state = match state {
            Err(PythonError::Interrupted) => {
                out.flush()?;
                tell(&format!("interrupted after {index} states"));
                return Ok(Done::Partial);
            }
            state => state?,
        };
        for chunk in recording.output_until(index, &mut printed) {
            printer.output(chunk.stream, &chunk.text)?;
        }
        match state {
            Some(state) => printer.stop(index, &Stop::At(state))?,
            None => break,
        }
        index += 1;
    }
    printer.stop(index, &Stop::Exit(recording.exit()?))?;
    out.flush()?;
    Ok(Done::Yes)
}
