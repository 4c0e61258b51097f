//! What a worker says: for each line that it reads, one line that stands alone.
//!
//! A worker knows nothing of a corpus: it may get any part of it, in any order, more than once. So an
//! answer carries all that is needed to make it a part of a log again: the recipe, and a hash of the
//! program. [`merge`](super::merge) does that.

use serde::{Deserialize, Serialize};

use super::corpus::{Item, Row};
use super::evaluator::{Evaluated, Evaluator};
use super::recipe::{Recipe, SCHEMA};
use super::record::{ProgramRecord, StepRecord};

/// A line that a worker writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
pub enum Line {
    /// A program that was evaluated.
    Answer(Box<Answer>),
    /// A line that was none, or a program that could not be evaluated.
    Failure(Failure),
}

/// A program that was evaluated. The `place` in its records is the number of the line that it came
/// on, from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What the program is called.
    pub id: String,
    /// Version of the format.
    pub schema: u32,
    /// SHA-256 of the program: its name, text, entry and input.
    pub sha256: String,
    /// Everything on which the numbers depend; it names no corpus.
    pub recipe: Recipe,
    /// The steps.
    pub steps: Vec<StepRecord>,
    /// The end of the program.
    pub program: ProgramRecord,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What the program is called, if that could be read.
    pub id: Option<String>,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub error: String,
}

/// Answers lines.
pub struct Worker {
    evaluator: Evaluator,
    recipe: Recipe,
    line: usize,
}

/// What came of a line.
pub struct Said {
    /// What is to be written.
    pub line: Line,
    /// What is to be told to people.
    pub complaints: Vec<String>,
}

impl Worker {
    /// A worker that evaluates by this recipe, which names no corpus.
    pub fn new(evaluator: Evaluator, recipe: Recipe) -> Self {
        Worker { evaluator, recipe, line: 0 }
    }

    /// Answers the next line; an error of [`Row`]s or of reading it is answered with a failure.
    pub fn answer(&mut self, read: Result<Row, String>) -> Said {
        self.line += 1;
        let mut failure = Failure { id: None, line: self.line, error: String::new() };
        let item = read.and_then(|row| {
            failure.id = row.id().map(str::to_owned);
            row.into_item(None)
        });
        let answered = item.and_then(|item| {
            failure.id = Some(item.id.clone());
            self.evaluate(&item)
        });
        match answered {
            Ok((answer, complaints)) => Said { line: Line::Answer(Box::new(answer)), complaints },
            Err(error) => {
                failure.error = error;
                Said { line: Line::Failure(failure), complaints: Vec::new() }
            }
        }
    }

    fn evaluate(&mut self, item: &Item) -> Result<(Answer, Vec<String>), String> {
        let mut steps = Vec::new();
        let evaluated = self.evaluator.evaluate(self.line - 1, item, |step| {
            steps.push(step);
            Ok(())
        });
        let Evaluated { program, complaints, .. } = evaluated.map_err(|error| error.to_string())?;
        let answer = Answer {
            id: item.id.clone(),
            schema: SCHEMA,
            sha256: item.sha256(),
            recipe: self.recipe.clone(),
            steps,
            program,
        };
        Ok((answer, complaints.iter().map(ToString::to_string).collect()))
    }
}
