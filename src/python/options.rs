//! How to run a program.

use std::path::PathBuf;

use super::edit::Edit;
use super::limits::{Limits, MAX_VALUE};
use super::wire::{OnInput, Purpose, Request, VERSION};
use crate::program::Program;

/// How to run a program. The same options give the same run, event for event.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The function to call; by default `main` if there is one without parameters, else the module.
    pub entry: Option<String>,
    /// What the program reads from its standard input.
    pub stdin: String,
    /// What happens when it reads more than that.
    pub on_input: OnInput,
    /// What is changed on the way; of two that contradict each other the later one holds.
    pub edits: Vec<Edit>,
    /// What `random` starts from if the program doesn't say, and the system's entropy.
    pub seed: u64,
    /// What the clock shows at the start, in seconds since the epoch (1970); not before it.
    pub clock: f64,
    /// When to stop it.
    pub limits: Limits,
    /// The executable that is the host when called with [`HOST_COMMAND`](super::HOST_COMMAND); by
    /// default this one.
    pub host: Option<PathBuf>,
}

/// The default of [`RunOptions::clock`]: 2026-01-01 00:00:00 UTC.
const CLOCK: f64 = 1_767_225_600.0;

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            entry: None,
            stdin: String::new(),
            on_input: OnInput::default(),
            edits: Vec::new(),
            seed: 0,
            clock: CLOCK,
            limits: Limits::default(),
            host: None,
        }
    }
}

impl RunOptions {
    /// What a host is asked for.
    pub(super) fn request(&self, program: &Program, purpose: Purpose) -> Request {
        let mut limits = self.limits;
        limits.value = limits.value.clamp(1, MAX_VALUE);
        Request {
            version: VERSION,
            purpose,
            name: program.name().to_owned(),
            source: program.text().to_owned(),
            entry: self.entry.clone(),
            stdin: self.stdin.clone(),
            on_input: self.on_input,
            edits: self.edits.clone(),
            seed: self.seed,
            // The conversion saturates. Whole seconds are exact, which they aren't as nanoseconds.
            clock: (self.clock.trunc() as u64)
                .saturating_mul(1_000_000_000)
                .saturating_add((self.clock.fract().max(0.0) * 1e9) as u64),
            limits,
        }
    }
}
