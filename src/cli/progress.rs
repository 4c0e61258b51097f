//! How far the work is: on a terminal in one line, else now and then.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use super::tell;

/// Time between two lines of progress where no terminal shows them.
const QUIET: Duration = Duration::from_secs(10);

/// Tells how far the work is.
pub struct Progress {
    what: &'static str,
    total: usize,
    done: usize,
    /// Done before.
    before: usize,
    started: Instant,
    told: Instant,
    on_terminal: bool,
}

impl Progress {
    /// Work on so many things, some of which were done before.
    pub fn new(what: &'static str, total: usize, before: usize) -> Self {
        if before > 0 {
            tell(&format!("going on: {before} of {total} {what} are done"));
        }
        let now = Instant::now();
        let on_terminal = std::io::stderr().is_terminal();
        Progress { what, total, done: before, before, started: now, told: now, on_terminal }
    }

    /// One more is done.
    pub fn one(&mut self) {
        let now = self.done + 1 - self.before;
        self.one_of(now, "", "");
    }

    /// One more is done; the speed is told of so many smaller things, called `of`, that were done
    /// now, with a note on those that are done.
    pub fn one_of(&mut self, count: usize, of: &str, note: &str) {
        self.done += 1;
        let wait = if self.on_terminal { QUIET / 50 } else { QUIET };
        if self.told.elapsed() >= wait {
            self.told = Instant::now();
            let line = self.line(self.started.elapsed().as_secs_f64(), count, of, note);
            match self.on_terminal {
                true => eprint!("\r\x1b[K{line}"),
                false => tell(&line),
            }
        }
    }

    /// How many are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Clears the line.
    pub fn end(&self) {
        if self.on_terminal {
            eprint!("\r\x1b[K");
        }
    }

    fn line(&self, seconds: f64, count: usize, of: &str, note: &str) -> String {
        let each = seconds / (self.done - self.before).max(1) as f64;
        let left = (each * (self.total - self.done) as f64) as u64;
        let (rate, minutes, seconds) = (count as f64 / seconds, left / 60, left % 60);
        let Progress { what, done, total, .. } = self;
        format!(
            "{done} of {total} {what}{note}, {rate:.1}{of} a second, {minutes}:{seconds:02} min left"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_before_is_no_speed() {
        let mut progress = Progress::new("items", 100, 40);
        progress.done = 60;
        let line = progress.line(10.0, 20, "", "");
        assert_eq!(line, "60 of 100 items, 2.0 a second, 0:20 min left");
        let line = progress.line(10.0, 55, " steps", " (3 from the cache)");
        assert_eq!(line, "60 of 100 items (3 from the cache), 5.5 steps a second, 0:20 min left");
    }
}
