//! `lockstep check`: what is wrong with a program, without running it.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::checked::Checking;
use super::{CommandError, Done};
use crate::check::{Finding, Severity, render};
use crate::program::Program;

/// The compiler's time can grow much faster than the program; past this it is hopeless.
const PATIENCE: Duration = Duration::from_secs(30);

/// Check a program without running it
///
/// Finds what Python refuses to compile, names that nothing binds, statements that nothing reaches,
/// imports that aren't available inside Lockstep, and notes where the order of a set shows and where
/// the program reads its standard input. Exit code 1 means that the program can't run here.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep check prog.py
  lockstep check prog.py --json | jq -r '\"\\(.line): \\(.message)\"'")]
pub struct CheckArgs {
    /// The Python program
    program: PathBuf,
    /// Print one JSON object a finding instead
    #[arg(long)]
    json: bool,
}

pub fn run(args: &CheckArgs) -> Result<Done, CommandError> {
    let program = Program::load(&args.program)?;
    let findings = Checking::start(&program)?.wait(PATIENCE).ok_or_else(|| {
        let (name, seconds) = (program.name(), PATIENCE.as_secs());
        CommandError::user(format!("{name}: not compiled within {seconds} s"))
            .hinted("deeply nested try/finally and very many functions make the compiler slow")
    })?;
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    for finding in &findings {
        if args.json {
            serde_json::to_writer(&mut out, finding).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}", render(program.name(), program.text(), finding).trim_end())?;
        }
    }
    out.flush()?;
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    Ok(if findings.iter().any(is_error) { Done::No } else { Done::Yes })
}
