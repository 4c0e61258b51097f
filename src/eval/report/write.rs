//! A log read once, and whatever report of it is asked for written on the way.

use std::io::{self, Write};
use std::path::Path;

use super::{Format, Summary, github, html, junit, parquet, render, sarif};
use crate::eval::log::{self, LogError};
use crate::eval::metrics::{By, Metrics};
use crate::eval::record::{Header, ProgramRecord, StepRecord};
use crate::eval::statistics::Share;

/// Gives the text of the program at a place of the corpus, if it is at hand.
pub type Sources<'a> = &'a dyn Fn(usize) -> Option<String>;

/// How a report is made.
pub struct Options<'a> {
    /// Its form.
    pub format: Format,
    /// Where the programs' texts come from, for the reports that show them.
    pub sources: Sources<'a>,
    /// How many steps an HTML report holds one by one at most.
    pub most_steps: usize,
    /// The least share of right steps that is asked for.
    pub least: Option<f64>,
}

/// All that a log says in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// Its first line.
    pub header: Header,
    /// Its numbers.
    pub metrics: Metrics,
}

impl Whole {
    /// How many programs the log holds, and how many a finished one would.
    pub fn programs(&self) -> (usize, usize) {
        let Header { shard, recipe, .. } = &self.header;
        let of = shard.count(recipe.corpus.programs);
        (self.metrics.programs + self.metrics.refused.len(), of)
    }

    /// Whether programs are missing: the evaluation was interrupted, or goes on.
    pub fn is_partial(&self) -> bool {
        let (held, of) = self.programs();
        held < of
    }

    /// The share of right steps; going back, that of predecessors that work. None right if there are
    /// none.
    pub fn share(&self) -> f64 {
        self.right().map_or(0.0, |right| right.share)
    }

    /// How many steps have a verdict.
    pub fn judged(&self) -> usize {
        self.right().map_or(0, |right| right.of as usize)
    }

    fn right(&self) -> Option<Share> {
        let works = self.metrics.share(By::Works, "");
        works.or_else(|| self.metrics.share(By::Steps, ""))
    }

    /// Whether the share of right steps is lower than it must be, and how to say that.
    pub fn shortfall(&self, least: Option<f64>) -> Option<String> {
        let least = least.filter(|least| self.share() < *least)?;
        let [share, least] = [self.share(), least].map(|share| share * 100.0);
        Some(format!("{share:.1}% of the steps are right, less than {least:.1}%"))
    }
}

/// Takes in a log, program by program, and ends a report.
pub(super) trait Sink {
    /// A program, and its steps.
    fn program(&mut self, program: &ProgramRecord, steps: Vec<StepRecord>) -> io::Result<()>;

    /// The end of the log.
    fn finish(self: Box<Self>, whole: &Whole) -> io::Result<()>;
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The log can't be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The report can't be written.
    #[error(transparent)]
    Out(#[from] io::Error),
}

/// Writes a report of a log; what the log says.
pub fn write<W: Write + Send>(
    log: &Path,
    options: &Options,
    out: &mut W,
) -> Result<Whole, ReportError> {
    let (header, reader) = log::open(log)?;
    let mut sink: Box<dyn Sink + '_> = match options.format {
        Format::Summary(summary) => Box::new(Numbers { summary, out }),
        Format::Html => Box::new(html::Page::begin(options, out)?),
        Format::Parquet => Box::new(parquet::Table::begin(&header, out)?),
        Format::Junit => Box::new(junit::Suite::new(out)),
        Format::Sarif => Box::new(sarif::Results::new(out)),
        Format::Github => Box::new(github::Annotations::new(options.least, out)),
    };
    let mut metrics = Metrics::default();
    let mut written = Ok(());
    reader.each_program(|program, steps| {
        metrics.add(&program, &steps);
        if written.is_ok() {
            written = sink.program(&program, steps);
        }
    })?;
    written?;
    let whole = Whole { header, metrics };
    sink.finish(&whole)?;
    Ok(whole)
}

/// The reports that need no steps.
struct Numbers<W> {
    summary: Summary,
    out: W,
}

impl<W: Write> Sink for Numbers<W> {
    fn program(&mut self, _program: &ProgramRecord, _steps: Vec<StepRecord>) -> io::Result<()> {
        Ok(())
    }

    fn finish(mut self: Box<Self>, whole: &Whole) -> io::Result<()> {
        let text = render(&whole.header, &whole.metrics, self.summary);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::record::PredecessorRecord;
    use crate::eval::report::Summary;

    /// No loop goes over programs that a header only claims.
    #[test]
    fn a_log_of_a_corpus_without_end_is_partial() {
        let mut header = header();
        header.recipe.corpus.programs = usize::MAX;
        let whole = Whole { header, metrics: Metrics::default() };
        assert_eq!(whole.programs(), (0, usize::MAX));
        assert!(whole.is_partial());
    }

    /// Going back, what passes the threshold is no failure in any report.
    #[test]
    fn every_report_takes_a_predecessor_that_works_for_right() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let back = StepRecord {
            action: "inv_step_into".into(),
            predecessor: Some(PredecessorRecord { verdict: "valid".into(), why: None }),
            ..step(0, 1, false)
        };
        let mut log = log::LogWriter::open(&path, &header()).unwrap();
        log.step(back).unwrap();
        log.program(program(0, 1)).unwrap();
        log.close().unwrap();
        let report = |format| {
            let sources = |_| None;
            let options = Options { format, sources: &sources, most_steps: 10, least: Some(1.0) };
            let mut out = Vec::new();
            let whole = write(&path, &options, &mut out).unwrap();
            assert_eq!((whole.share(), whole.judged()), (1.0, 1));
            assert_eq!(whole.shortfall(options.least), None);
            String::from_utf8(out).unwrap()
        };
        assert!(report(Format::Junit).contains("failures=\"0\""));
        assert!(report(Format::Sarif).contains("\"results\": []"));
        let github = report(Format::Github);
        assert!(!github.contains("::warning") && github.contains("100.0%25 of 1 step"), "{github}");
        assert!(report(Format::Html).contains("\"steps\":[[0,"));
        let csv = report(Format::Summary(Summary::Csv));
        assert!(csv.contains("\nsteps,,0.0") && csv.contains("\nprograms,,1.0"), "{csv}");
    }
}
