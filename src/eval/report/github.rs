//! Annotations by GitHub's workflow commands, which a job prints: the worst steps as warnings, and all
//! of them in one line.
//!
//! GitHub shows ten annotations of a kind in a job; more would be lost without a word.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::findings::{Finding, Worst};
use super::write::{Sink, Whole};
use super::{grouped, percent};
use crate::eval::record::{ProgramRecord, StepRecord};

/// Annotations of a kind that GitHub shows.
const MOST: usize = 10;

/// The annotations of a log.
pub(super) struct Annotations<W> {
    worst: Worst,
    least: Option<f64>,
    out: W,
}

impl<W: Write> Annotations<W> {
    pub fn new(least: Option<f64>, out: W) -> Self {
        Annotations { worst: Worst::new(MOST), least, out }
    }
}

impl<W: Write> Sink for Annotations<W> {
    fn program(&mut self, program: &ProgramRecord, steps: Vec<StepRecord>) -> io::Result<()> {
        self.worst.add(&program.id, &steps);
        Ok(())
    }

    fn finish(mut self: Box<Self>, whole: &Whole) -> io::Result<()> {
        let found = self.worst.found;
        for finding in self.worst.into_sorted() {
            writeln!(self.out, "{}", warning(&finding))?;
        }
        let (held, of) = whole.programs();
        let judged = whole.judged();
        let mut told = match judged {
            0 => "no step has a verdict".to_owned(),
            judged => {
                format!("{} of {} steps are right", percent(whole.share()), grouped(judged))
            }
        };
        let unjudged = whole.metrics.steps.saturating_sub(judged);
        if unjudged > 0 && judged > 0 {
            let _ = write!(told, "; without a verdict: {}", grouped(unjudged));
        }
        if found > MOST {
            let _ = write!(told, "; the {MOST} worst of {} wrong ones are shown", grouped(found));
        }
        if whole.is_partial() {
            let _ = write!(told, "; partial: {held} of {of} programs");
        }
        writeln!(self.out, "::notice title=Lockstep::{}", data(&told))?;
        if let Some(shortfall) = whole.shortfall(self.least) {
            writeln!(self.out, "::error title=Lockstep::{}", data(&shortfall))?;
        }
        self.out.flush()
    }
}

fn warning(finding: &Finding) -> String {
    let mut command = String::from("::warning ");
    // A program that is no file would be shown as one that is missing.
    if let (Some(file), Some(line)) = (finding.file(), finding.line) {
        let _ = write!(command, "file={},line={line},", property(file));
    }
    let title = format!("{} step {}", finding.program, finding.step);
    let _ = write!(command, "title={}::{}", property(&title), data(&finding.message));
    command
}

/// Text after the second pair of colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::metrics::Metrics;

    fn annotations(id: &str, wrong: usize, least: Option<f64>) -> String {
        let (mut metrics, mut out) = (Metrics::default(), Vec::new());
        let mut sink = Box::new(Annotations::new(least, &mut out));
        for place in 0..3 {
            let ended = ProgramRecord { id: id.into(), ..program(place, wrong) };
            let steps: Vec<_> = (1..=wrong).map(|number| step(place, number, false)).collect();
            metrics.add(&ended, &steps);
            sink.program(&ended, steps).unwrap();
        }
        sink.finish(&Whole { header: header(), metrics }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nothing_that_a_program_is_called_makes_a_command() {
        insta::assert_snapshot!(annotations("a,b:100%\n::error::x.py", 1, Some(0.5)), @r"
        ::warning file=a%2Cb%3A100%25%0A%3A%3Aerror%3A%3Ax.py,line=1,title=a%2Cb%3A100%25%0A%3A%3Aerror%3A%3Ax.py step 1::step_into: source is a, predicted b
        ::warning file=a%2Cb%3A100%25%0A%3A%3Aerror%3A%3Ax.py,line=1,title=a%2Cb%3A100%25%0A%3A%3Aerror%3A%3Ax.py step 1::step_into: source is a, predicted b
        ::warning file=a%2Cb%3A100%25%0A%3A%3Aerror%3A%3Ax.py,line=1,title=a%2Cb%3A100%25%0A%3A%3Aerror%3A%3Ax.py step 1::step_into: source is a, predicted b
        ::notice title=Lockstep::0.0%25 of 3 steps are right
        ::error title=Lockstep::0.0%25 of the steps are right, less than 50.0%25
        ");
    }

    /// Of two steps with a verdict one is right; a third has none.
    #[test]
    fn the_share_is_that_of_the_steps_with_a_verdict() {
        let (mut metrics, mut out) = (Metrics::default(), Vec::new());
        let unjudged = StepRecord { agree: None, unjudged: Some("x".into()), ..step(0, 3, true) };
        metrics.add(&program(0, 3), &[step(0, 1, true), step(0, 2, false), unjudged]);
        let sink = Box::new(Annotations::new(None, &mut out));
        sink.finish(&Whole { header: header(), metrics }).unwrap();
        let told = String::from_utf8(out).unwrap();
        assert!(told.contains("::50.0%25 of 2 steps are right; without a verdict: 1"), "{told}");
    }

    #[test]
    fn there_are_no_more_than_are_shown() {
        let told = annotations("items.jsonl:7", 500, None);
        assert_eq!(told.lines().count(), 11);
        assert!(told.lines().take(10).all(|line| line.starts_with("::warning title=items")));
        assert!(told.contains("; the 10 worst of 1,500 wrong ones are shown\n"), "{told}");
    }
}
