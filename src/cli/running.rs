//! The options that say how a program is run: entry, input, limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::{Serialize, Serializer};

use super::checked::Checking;
use super::edits;
use super::error::CommandError;
use crate::check::Finding;
use crate::program::{Program, read_at_most};
use crate::python::{Edit, Limits, MAX_VALUE, OnInput, Recording, RunOptions};

/// Most text that a program is given to read, in bytes.
const MAX_STDIN: u64 = 16 << 20;

/// How to run the program.
#[derive(Args, Debug, Serialize)]
#[command(next_help_heading = "Running the program")]
pub struct RunArgs {
    /// Start at this function instead of main() (or, without one, the module itself)
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// What the program reads from its standard input: the text of this file [default: nothing, or
    /// on the screen whatever you type when it reads]
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A line that the program reads from its standard input (can be repeated)
    #[arg(
        long = "input",
        value_name = "LINE",
        conflicts_with = "stdin",
        allow_hyphen_values = true
    )]
    inputs: Vec<String>,
    /// Answer a read otherwise, e.g. "2: yes" the second one (can be repeated)
    #[arg(long = "answer", value_name = "N: TEXT", value_parser = edits::answer)]
    #[serde(serialize_with = "written")]
    answers: Vec<Edit>,
    /// Change a variable at a state, e.g. "12: n = 5" (12/1 in the caller's frame; can be repeated)
    #[arg(long = "set", value_name = "STATE: NAME = EXPR", value_parser = edits::set)]
    #[serde(serialize_with = "written")]
    sets: Vec<Edit>,
    /// What the program's random numbers start from, if it doesn't say itself
    #[arg(long, value_name = "N", default_value_t = RunOptions::default().seed)]
    random_seed: u64,
    /// What the program's clock shows at its start, in seconds since 1970
    #[arg(long, value_name = "SECONDS", default_value_t = RunOptions::default().clock, value_parser = moment)]
    clock: f64,
    /// Run the program without checking it first
    #[arg(long)]
    no_check: bool,
    #[command(flatten)]
    #[serde(flatten)]
    limits: LimitArgs,
}

/// When a program is stopped.
#[derive(Args, Debug, Serialize)]
#[command(next_help_heading = "Running the program")]
pub struct LimitArgs {
    /// Stop after this many recorded states
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps, value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: u64,
    /// Stop when the program has run this long, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().time.as_secs_f64(), value_parser = seconds)]
    max_time: f64,
    /// Stop when the program uses more memory, e.g. 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = size)]
    max_memory: u64,
    /// Stop when the program has printed more, e.g. 64K
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = size)]
    max_output: u64,
    /// Stop when calls are nested deeper
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, value_parser = clap::value_parser!(u32).range(1..))]
    max_depth: u32,
    /// Cut the text of a value after this many characters
    #[arg(long, value_name = "N", default_value_t = Limits::default().value, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_VALUE)))]
    max_value: u32,
}

impl LimitArgs {
    /// These limits.
    pub fn limits(&self) -> Limits {
        Limits {
            steps: self.max_steps,
            time: Duration::from_secs_f64(self.max_time),
            memory: self.max_memory,
            output: self.max_output,
            depth: self.max_depth,
            value: self.max_value,
        }
    }
}

impl RunArgs {
    /// Starts the program, unless a check finds that it can't run here; and what the check found.
    pub fn record(
        &self,
        program: &Program,
        on_input: OnInput,
    ) -> Result<(Recording, Vec<Finding>), CommandError> {
        let options = self.options(on_input)?;
        let checking = (!self.no_check).then(|| Checking::start(program)).transpose()?;
        let recording = Recording::start(program, &options);
        let findings = checking.map(|checking| checking.before_run(program)).transpose()?;
        Ok((recording?, findings.unwrap_or_default()))
    }

    /// Whether the program is given something to read.
    pub fn has_input(&self) -> bool {
        self.stdin.is_some() || !self.inputs.is_empty() || !self.answers.is_empty()
    }

    /// How to run it; reads what it will be given to read. What comes after that is the end of the
    /// input if any was given, else as said.
    fn options(&self, on_input: OnInput) -> Result<RunOptions, CommandError> {
        let stdin = match &self.stdin {
            None => self.inputs.iter().map(|line| format!("{line}\n")).collect(),
            Some(path) => read_stdin(path)?,
        };
        let is_given = self.stdin.is_some() || !self.inputs.is_empty();
        Ok(RunOptions {
            entry: self.entry.clone(),
            stdin,
            on_input: if is_given { OnInput::End } else { on_input },
            edits: self.answers.iter().chain(&self.sets).cloned().collect(),
            seed: self.random_seed,
            clock: self.clock,
            limits: self.limits.limits(),
            host: None,
        })
    }
}

/// Reads what the program will read from its standard input.
fn read_stdin(path: &Path) -> Result<String, CommandError> {
    let refuse = |why: &str| {
        CommandError::user(format!("{}: {why}", path.display()))
            .hinted("--stdin takes a file with the text that the program reads")
    };
    let bytes = read_at_most(path, MAX_STDIN)
        .map_err(|error| refuse(&format!("can't be read: {error}")))?
        .ok_or_else(|| refuse(&format!("larger than {} MiB", MAX_STDIN >> 20)))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refuse(&format!("not UTF-8 at byte {at}"))
    })
}

/// Edits in a recipe, as they are typed.
fn written<S: Serializer>(given: &[Edit], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(given.iter().map(edits::typed))
}

/// Reads a moment after 1970, in seconds, that a clock can still count in nanoseconds.
fn moment(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e10).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds since 1970, e.g. 1767225600".to_owned()),
    }
}

/// Reads a positive, finite number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.strip_suffix('s').unwrap_or(text).parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("give a number of seconds above 0, e.g. 10 or 0.5".to_owned()),
    }
}

/// Reads a size in bytes, with K, M or G for powers of 1,024.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit: u64 = match &text[digits.len()..] {
        "" => 1,
        "K" | "k" => 1 << 10,
        "M" | "m" => 1 << 20,
        "G" | "g" => 1 << 30,
        _ => return Err("give a size such as 4096, 64K, 256M or 2G".to_owned()),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(unit))
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "give a size such as 4096, 64K, 256M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("64K"), Ok(65_536));
        assert_eq!(size("2G"), Ok(2_147_483_648));
        for bad in ["", "K", "0", "-1", "1T", "1.5G", "99999999999G", "ü"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn moments_are_finite_and_not_before_1970() {
        assert_eq!(moment("0"), Ok(0.0));
        assert_eq!(moment("1767225600.5"), Ok(1_767_225_600.5));
        for bad in ["-1", "inf", "NaN", "1e11", "today", ""] {
            assert!(moment(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn seconds_are_positive_and_finite() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("10s"), Ok(10.0));
        for bad in ["0", "-1", "inf", "NaN", "x", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
