//! A log read once, and whatever report of it is asked for written on the way.

use std::io::{self, Write};
use std::path::Path;

use super::{Format, Summary, github, html, junit, parquet, render, sarif};
use crate::eval::log::{self, LogError};
use crate::eval::metrics::{By, Metrics};
use crate::eval::record::{Header, ProgramRecord, StepRecord};

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
        let of = (0..recipe.corpus.programs).filter(|place| shard.has(*place)).count();
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
        let right = self.metrics.share(By::Works, "");
        right.or_else(|| self.metrics.share(By::Steps, "")).map_or(0.0, |share| share.share)
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
