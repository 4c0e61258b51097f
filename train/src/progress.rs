//! What a run tells: plain lines for people, `metrics.jsonl` for plots.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::error::{Result, at};
use crate::evaluate::Report;
use crate::learner::Outcome;

/// Seconds between two lines.
const PAUSE: Duration = Duration::from_secs(10);

/// The progress of a run.
pub struct Progress<'o> {
    out: &'o mut dyn Write,
    metrics: PathBuf,
    steps: usize,
    since: Instant,
    seen: Vec<Outcome>,
}

impl<'o> Progress<'o> {
    /// Begins, or goes on after `step` steps: lines of later ones are taken out of the metrics.
    pub fn new(out: &'o mut dyn Write, metrics: &Path, step: usize, steps: usize) -> Result<Self> {
        let before = fs::read_to_string(metrics).unwrap_or_default();
        let is_before = |line: &&str| {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            line["step"].as_u64().is_some_and(|at| at <= step as u64)
        };
        let kept: String = before.lines().filter(is_before).flat_map(|line| [line, "\n"]).collect();
        fs::write(metrics, kept).map_err(at(metrics))?;
        let metrics = metrics.to_owned();
        Ok(Progress { out, metrics, steps, since: Instant::now(), seen: Vec::new() })
    }

    /// Takes note of a step, now `step` steps; says so now and then, and when it is the last.
    pub fn step(&mut self, step: usize, tokens: u64, rate: f64, outcome: Outcome) -> Result<()> {
        self.seen.push(outcome);
        if self.since.elapsed() < PAUSE && step < self.steps {
            return Ok(());
        }
        let seconds = self.since.elapsed().as_secs_f64();
        let count = self.seen.len() as f64;
        let mean = |of: fn(&Outcome) -> f64| self.seen.iter().map(of).sum::<f64>() / count;
        let (loss, norm) = (mean(|outcome| outcome.loss), mean(|outcome| outcome.gradient_norm));
        let speed = self.seen.iter().map(|outcome| outcome.tokens).sum::<usize>() as f64 / seconds;
        let left = (self.steps - step) as f64 * seconds / count;
        let line = format!(
            "step {step}/{}  {:.2}M tokens  {speed:.0} tokens/s  loss {loss:.4}  rate {rate:.2e}  \
             gradient {norm:.2}  {} left",
            self.steps,
            tokens as f64 / 1e6,
            duration(left),
        );
        self.say(&line);
        self.write(json!({
            "step": step, "tokens": tokens, "tokens_per_second": speed, "loss": loss,
            "learning_rate": rate, "gradient_norm": norm,
        }))?;
        self.pause();
        Ok(())
    }

    /// Takes note of an evaluation after `step` steps.
    pub fn validation(&mut self, step: usize, report: &Report) -> Result<()> {
        self.say(&format!("step {step}: validation {}", in_words(report)));
        self.write(json!({ "step": step, "validation": report }))?;
        self.pause();
        Ok(())
    }

    /// Tells people something. A run doesn't end because nobody reads any more.
    pub fn say(&mut self, line: &str) {
        let _ = writeln!(self.out, "{line}");
    }

    /// Time that passes from here on is not that of the steps before.
    pub fn pause(&mut self) {
        self.seen.clear();
        self.since = Instant::now();
    }

    fn write(&self, line: Value) -> Result<()> {
        let file = fs::OpenOptions::new().append(true).create(true).open(&self.metrics);
        file.and_then(|mut file| writeln!(file, "{line}")).map_err(at(&self.metrics))
    }
}

/// An evaluation in one line.
pub fn in_words(report: &Report) -> String {
    let mut words = format!(
        "{:.2}% ± {:.2} of {} frames exact, loss {:.4}",
        100.0 * report.frames.share(),
        100.0 * report.frames.error(),
        report.frames.all,
        report.loss
    );
    for (action, count) in &report.by_action {
        words += &format!("  {action} {:.1}% of {}", 100.0 * count.share(), count.all);
    }
    words
}

/// Seconds as people say them.
pub fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{seconds:.0} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}
