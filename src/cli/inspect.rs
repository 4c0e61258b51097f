//! `lockstep inspect`: one state of a run, looked into.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use lockstep_tui::{clean, cut};
use serde_json::{Value, json};

use super::checked::tell_findings;
use super::running::RunArgs;
use super::transcript::outcome;
use super::{CommandError, Done};
use crate::points::Expression;
use crate::program::Program;
use crate::python::{Child, Children, Evaluated, OnInput, Path, PythonError, Recording};
use crate::session::{Mode, Session};
use crate::state::State;

/// Longest text of a value on a line, in columns; `--json` has it whole.
const WIDTH: usize = 70;

/// Most parts that are shown at once.
const MAX_COUNT: u64 = 10_000;

/// Look into one state of a run: its stack, its variables, the parts of a value, an expression
///
/// The program runs up to the state of this number, as `lockstep trace` counts them. Variables with
/// the same # are names of one object. Expressions are evaluated in the frame as it is there; what
/// they change is undone.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep inspect prog.py 12
  lockstep inspect prog.py 12 \"len(xs)\" \"xs[-1] > n\"
  lockstep inspect prog.py 12 --frame 1 --parts tree.0.2
  lockstep inspect prog.py 12 --set \"10: n = 5\" --json

The JSON is described in docs/json.md.")]
pub struct InspectArgs {
    /// The Python program
    program: PathBuf,
    /// The state's number, from 0
    #[arg(value_name = "STATE")]
    at: usize,
    /// Python expressions to evaluate there
    #[arg(value_name = "EXPR")]
    expressions: Vec<Expression>,
    /// The frame: 0 is where the program stands, 1 its caller
    #[arg(long, value_name = "N", default_value_t = 0)]
    frame: usize,
    /// Show the parts of this value in place of the variables: a variable, then places of parts
    #[arg(long, value_name = "PATH")]
    parts: Option<Path>,
    /// The first part that is shown
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// How many parts are shown
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=MAX_COUNT))]
    count: u64,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &InspectArgs) -> Result<Done, CommandError> {
    let program = Program::load(&args.program)?;
    let (mut recording, findings) = args.run.record(&program, OnInput::End)?;
    tell_findings(&program, &findings, args.run.has_input());
    let at = args.at;
    if recording.state(at)?.is_none() {
        return Err(beyond(&mut recording, at)?);
    }
    let stack = recording.stack(at)?;
    let mut session = Session::open(program, recording, Default::default(), Mode::Follow)?;
    let path = args.parts.clone().unwrap_or_else(Path::frame);
    let range = args.from..args.from.saturating_add(args.count as usize);
    let parts = session.inspector().expand(at, args.frame, &path, range)?;
    let mut values = Vec::new();
    for expression in &args.expressions {
        let inspector = session.inspector();
        let value = inspector.evaluate(at, args.frame, expression.as_str())?;
        if let Evaluated::Refused(why) = &value {
            return Err(CommandError::user(format!("`{expression}` is no expression: {why}")));
        }
        let written = inspector.written_text();
        values.push((expression, value, written));
    }

    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    if args.json {
        let values = values.iter().map(|(expression, value, written)| {
            let mut object = outcome(expression, value);
            object["printed"] = json!(written);
            object["identity"] = match value {
                Evaluated::Value { identity, .. } => json!(identity),
                _ => Value::Null,
            };
            object
        });
        let shown = json!({
            "state": at,
            "stack": stack,
            "path": args.parts.as_ref().map(Path::to_string),
            "total": parts.total,
            "parts": parts.items.iter().map(part).collect::<Vec<_>>(),
            "values": values.collect::<Vec<_>>(),
        });
        writeln!(out, "{shown}")?;
    } else {
        for (depth, state) in stack.iter().rev().enumerate() {
            frame(&mut out, state, depth == args.frame)?;
        }
        list(&mut out, &parts, args.from)?;
        for (expression, value, written) in values {
            for line in written.lines() {
                writeln!(out, "  │ {}", clean(line))?;
            }
            writeln!(out, "{}", clean(&format!("{expression} = {value}")))?;
        }
    }
    out.flush()?;
    Ok(Done::Yes)
}

/// Why there is no such state.
fn beyond(recording: &mut Recording, at: usize) -> Result<CommandError, PythonError> {
    let (count, exit) = (recording.len_so_far(), recording.exit()?);
    let error = CommandError::user(format!("no state {at}: the run has {count} ({exit})"));
    Ok(match count.checked_sub(1) {
        Some(last) => error.hinted(format!("states are counted from 0; the last one is {last}")),
        None => error,
    })
}

/// A frame, the one that is looked into marked.
fn frame(out: &mut impl Write, state: &State, is_here: bool) -> std::io::Result<()> {
    let sign = if is_here { '▶' } else { ' ' };
    let place = state.position.as_ref();
    let place = place.map_or(String::new(), |p| format!("{}:{}", p.function, p.line));
    let (place, source) = (clean(&place), clean(state.source.trim()));
    writeln!(out, "{sign} {place:<20} {:<9} {source}", state.event.name())
}

/// Parts, one a line.
fn list(out: &mut impl Write, parts: &Children, from: usize) -> std::io::Result<()> {
    for Child { key, value, class, identity, .. } in &parts.items {
        let number = identity.map_or(String::new(), |number| format!("#{number}"));
        let (key, class) = (clean(key), clean(class));
        writeln!(out, "  {key:<16} {number:<4} {class:<12} {}", cut(&clean(value), WIDTH))?;
    }
    let count = parts.items.len();
    if count < parts.total {
        let total = parts.total;
        writeln!(out, "  ({count} of {total}, from place {from}; --from and --count show others)")?;
    }
    Ok(())
}

/// A part in JSON.
fn part(child: &Child) -> Value {
    let Child { key, value, class, identity, expandable } = child;
    json!({ "key": key, "value": value, "class": class, "identity": identity, "has_parts": expandable })
}
