//! Limits on a run: what each bounds, its default, and what is said when it ends a run.
//!
//! No program may hang the debugger or take it down. Steps, output and depth are counted in the
//! host, at the same place in every run of a program; memory is counted by the host's allocator
//! ([`super::memory`]); time is counted by the parent, which kills the host.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::state::{Exit, ExitKind};

/// When a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Most states recorded.
    pub steps: u64,
    /// Longest time that the program runs while somebody waits for it.
    pub time: Duration,
    /// Most memory that the program may hold, in bytes.
    pub memory: u64,
    /// Most output, in bytes of both streams together.
    pub output: u64,
    /// Deepest call stack, in traced frames.
    pub depth: u32,
    /// Longest text of a value, in characters; longer ones are cut, the run goes on.
    pub value: u32,
}

/// The longest that [`Limits::value`] may be: a text must fit into a frame of the wire.
pub const MAX_VALUE: u32 = 1_000_000;

impl Default for Limits {
    /// The depth is Python's own recursion limit: a program that recurses without end then ends in
    /// its own `RecursionError`, and only one that raised that limit is stopped. A value's 1,000
    /// characters are what a step's screen or a model's context can hold of one variable.
    fn default() -> Self {
        Limits {
            steps: 100_000,
            time: Duration::from_secs(10),
            memory: 512 * MIB,
            output: MIB,
            depth: 1_000,
            value: 1_000,
        }
    }
}

const MIB: u64 = 1024 * 1024;

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// [`Limits::steps`]
    Steps,
    /// [`Limits::time`]
    Time,
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::output`]
    Output,
    /// [`Limits::depth`]
    Depth,
}

impl Limits {
    /// What to say when `reached` ends the run: the limit, its size, and the flag that raises it.
    pub fn reason(&self, reached: Reached) -> String {
        match reached {
            Reached::Steps => format!("step limit {} (--max-steps)", Grouped(self.steps)),
            Reached::Time => format!("time limit {} (--max-time)", Seconds(self.time)),
            Reached::Memory => format!("memory limit {} (--max-memory)", Bytes(self.memory)),
            Reached::Output => format!("output limit {} (--max-output)", Bytes(self.output)),
            Reached::Depth => {
                format!("call depth limit {} (--max-depth)", Grouped(self.depth.into()))
            }
        }
    }

    /// The exit state of a run that `reached` ended.
    pub fn exit(&self, reached: Reached) -> Exit {
        Exit { kind: ExitKind::Stopped, exception: None, reason: Some(self.reason(reached).into()) }
    }
}

/// A number with its thousands separated by commas.
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// A number of bytes in the largest unit that leaves it whole.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (unit, name) in [(1024 * MIB, "GiB"), (MIB, "MiB"), (1024, "KiB")] {
            if self.0 >= unit && self.0.is_multiple_of(unit) {
                return write!(f, "{} {name}", Grouped(self.0 / unit));
            }
        }
        write!(f, "{} bytes", Grouped(self.0))
    }
}

struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} s", self.0.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_names_its_size_and_its_flag() {
        let limits = Limits { memory: 1536 * MIB, output: 1000, ..Limits::default() };
        let said = |reached| limits.reason(reached);
        assert_eq!(said(Reached::Steps), "step limit 100,000 (--max-steps)");
        assert_eq!(said(Reached::Time), "time limit 10 s (--max-time)");
        assert_eq!(said(Reached::Memory), "memory limit 1,536 MiB (--max-memory)");
        assert_eq!(said(Reached::Output), "output limit 1,000 bytes (--max-output)");
        assert_eq!(said(Reached::Depth), "call depth limit 1,000 (--max-depth)");
        let short = Limits { time: Duration::from_millis(250), ..limits };
        assert_eq!(short.reason(Reached::Time), "time limit 0.25 s (--max-time)");
    }

    #[test]
    fn thousands_are_separated() {
        let shown = [0, 999, 1000, 123_456, 1_234_567].map(|n| Grouped(n).to_string());
        assert_eq!(shown, ["0", "999", "1,000", "123,456", "1,234,567"]);
    }
}
