//! JUnit's XML: a test case a program, which fails if one of its steps is wrong. Going back, a
//! predecessor that works is right.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::findings::{message, said};
use super::write::{Sink, Whole};
use crate::eval::record::{ProgramRecord, Status, StepRecord};

/// Most wrong steps that a failure lists.
const MOST: usize = 20;

/// The test cases of a log. They are held until their number is known.
pub(super) struct Suite<W> {
    cases: String,
    tests: usize,
    failures: usize,
    skipped: usize,
    out: W,
}

impl<W: Write> Suite<W> {
    pub fn new(out: W) -> Self {
        Suite { cases: String::new(), tests: 0, failures: 0, skipped: 0, out }
    }

    fn fail(&mut self, steps: usize, wrong: &[&StepRecord]) {
        self.failures += 1;
        let first = wrong.first().map(|step| at(step)).unwrap_or_default();
        let summary = format!("{} of {steps} steps are wrong; the first: {first}", wrong.len());
        let mut listed = String::new();
        for step in wrong.iter().take(MOST) {
            let _ = writeln!(listed, "{}", at(step));
            for difference in &step.diff {
                let _ = writeln!(listed, "  {}", said(difference));
            }
        }
        if wrong.len() > MOST {
            let _ = writeln!(listed, "… and {} more", wrong.len() - MOST);
        }
        let (summary, listed) = (escaped(&summary), escaped(&listed));
        let _ = write!(
            self.cases,
            "<failure message=\"{summary}\" type=\"divergence\">{listed}</failure>"
        );
    }

    fn skip(&mut self, why: &str) {
        self.skipped += 1;
        let _ = write!(self.cases, "<skipped message=\"{}\"/>", escaped(why));
    }
}

/// A wrong step, in a line.
fn at(step: &StepRecord) -> String {
    format!("step {}, line {}, {}", step.step, step.line, message(step))
}

impl<W: Write> Sink for Suite<W> {
    fn program(&mut self, program: &ProgramRecord, steps: Vec<StepRecord>) -> io::Result<()> {
        self.tests += 1;
        let name = escaped(&program.id);
        let _ = write!(self.cases, "    <testcase classname=\"lockstep\" name=\"{name}\">");
        let judged = steps.iter().filter(|step| step.is_good().is_some()).count();
        let wrong: Vec<_> = steps.iter().filter(|step| step.is_good() == Some(false)).collect();
        match &program.status {
            Status::Refused { reason } => self.skip(&format!("not run: {reason}")),
            Status::Done { .. } if judged == 0 => self.skip("no step has a verdict"),
            Status::Done { .. } if !wrong.is_empty() => self.fail(judged, &wrong),
            Status::Done { .. } => {}
        }
        self.cases.push_str("</testcase>\n");
        Ok(())
    }

    fn finish(mut self: Box<Self>, whole: &Whole) -> io::Result<()> {
        let Suite { cases, tests, failures, skipped, out } = &mut *self;
        let recipe = &whole.header.recipe;
        let model = escaped(&recipe.model.label());
        let name = format!("{model}, policy {}, {}", recipe.policy, recipe.mode.name());
        let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites name=\"lockstep\" {counts} skipped=\"{skipped}\">")?;
        writeln!(out, "  <testsuite name=\"{name}\" {counts} skipped=\"{skipped}\">")?;
        out.write_all(cases.as_bytes())?;
        writeln!(out, "  </testsuite>\n</testsuites>")?;
        out.flush()
    }
}

/// Text as it may stand in XML 1.0, in an attribute too. What XML can't hold is replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\r' => escaped.push_str("&#13;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::metrics::Metrics;

    #[test]
    fn programs_are_cases_and_nothing_breaks_out_of_its_place() {
        let mut out = Vec::new();
        let mut suite = Box::new(Suite::new(&mut out));
        let mut wrong = step(0, 2, false);
        wrong.diff[0].real = Some("]]></failure><b x=\"\u{1}\u{1b}[2J\ny\">".into());
        suite.program(&program(0, 2), vec![step(0, 1, true), wrong]).unwrap();
        suite.program(&program(1, 1), vec![step(1, 1, true)]).unwrap();
        let status = Status::Refused { reason: "\"x\" & y".into() };
        let refused = ProgramRecord { place: 2, id: "<p>".into(), status };
        suite.program(&refused, Vec::new()).unwrap();
        let unjudged = StepRecord { agree: None, ..step(3, 1, true) };
        suite.program(&program(3, 1), vec![unjudged]).unwrap();
        suite.finish(&Whole { header: header(), metrics: Metrics::default() }).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }

    #[test]
    fn a_failure_lists_some_steps_and_counts_the_others() {
        let mut out = Vec::new();
        let mut suite = Box::new(Suite::new(&mut out));
        let steps: Vec<_> = (1..=1_000).map(|number| step(0, number, false)).collect();
        suite.program(&program(0, 1_000), steps).unwrap();
        suite.finish(&Whole { header: header(), metrics: Metrics::default() }).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.len() < 4_000, "{} bytes", text.len());
        assert!(text.contains("1000 of 1000 steps are wrong") && text.contains("and 980 more"));
    }
}
