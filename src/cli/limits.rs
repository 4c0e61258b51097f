//! The options that say how a program is run: entry, input, limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use crate::program::{Program, read_at_most};
use crate::python::{Limits, MAX_VALUE, Recording, RunOptions};

/// Most text that a program is given to read, in bytes.
const MAX_STDIN: u64 = 16 << 20;

/// How to run the program.
#[derive(Args, Debug, Serialize)]
#[command(next_help_heading = "Running the program")]
pub struct RunArgs {
    /// Start at this function instead of main() (or, without one, the module itself)
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// What the program reads from its standard input [default: nothing]
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
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

impl RunArgs {
    /// Starts the program.
    pub fn record(&self, program: &Program) -> Result<Recording, CommandError> {
        Ok(Recording::start(program, &self.options()?)?)
    }

    /// How to run it; reads what it will be given to read.
    pub fn options(&self) -> Result<RunOptions, CommandError> {
        let stdin = match &self.stdin {
            None => String::new(),
            Some(path) => read_stdin(path)?,
        };
        Ok(RunOptions {
            entry: self.entry.clone(),
            stdin,
            limits: Limits {
                steps: self.max_steps,
                time: Duration::from_secs_f64(self.max_time),
                memory: self.max_memory,
                output: self.max_output,
                depth: self.max_depth,
                value: self.max_value,
            },
            ..RunOptions::default()
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

/// Reads a positive, finite number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
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
    fn seconds_are_positive_and_finite() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("10s"), Ok(10.0));
        for bad in ["0", "-1", "inf", "NaN", "x", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
