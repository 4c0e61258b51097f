//! A model asked what came before a state: a sampler of plausible predecessors.
//!
//! The prompt is read once, on the branch aside, so that a conversation on the main one stays as it
//! is; each sample goes on from it and is then forgotten.

use super::debugger::NeuralError;
use super::decoding::Decoding;
use super::dialect::debugger::inverse::{InverseDialect, InverseReader};
use super::dialect::{LineIndex, Predicted, Read};
use super::engine::{Branch, Engine, EngineError, Interrupt, Row, Wanted};
use super::sampling::{Sampler, Sampling};
use super::vocabulary::TokenId;
use crate::inverse::{InverseStop, Question};
use crate::python::Grouped;

/// A question in the context of an engine.
pub struct Inference<'e> {
    engine: &'e mut dyn Engine,
    dialect: &'e InverseDialect,
    /// Of the program as the model is shown it.
    lines: LineIndex,
    decoding: Decoding,
    prompt: usize,
    /// What the model thinks of the answer's first token.
    first: Vec<f32>,
    /// Tokens after which an answer counts as endless.
    longest: usize,
}

impl<'e> Inference<'e> {
    /// Lets the engine read a question.
    pub fn begin(
        engine: &'e mut dyn Engine,
        dialect: &'e InverseDialect,
        question: &Question,
        interrupt: &Interrupt,
    ) -> Result<Self, NeuralError> {
        let mut prompt = dialect.trajectory(question.context(), question.walk());
        prompt.extend(dialect.ask(question.action()));
        let (capacity, longest) = (engine.capacity(), engine.capacity() / 4);
        let needed = prompt.len() + longest;
        if needed > capacity {
            let program = question.context().name().to_owned();
            return Err(NeuralError::ProgramTooLong { program, needed, capacity });
        }
        engine.truncate(Branch::ASIDE, 0)?;
        let mut first = Vec::new();
        let mut see = |row: Row<'_>| first = row.logits().to_vec();
        engine.append(Branch::ASIDE, &prompt, Wanted::Last, interrupt, &mut see)?;
        let lines = LineIndex::new(question.context());
        let (prompt, decoding) = (prompt.len(), Decoding::default());
        Ok(Inference { engine, dialect, lines, decoding, prompt, first, longest })
    }

    /// The same, choosing tokens another way.
    pub fn with_decoding(self, decoding: Decoding) -> Self {
        Inference { decoding, ..self }
    }

    /// The sample of this number, which doesn't depend on others.
    pub fn sample(
        &mut self,
        sampling: Sampling,
        number: u64,
        interrupt: &Interrupt,
    ) -> Result<Predicted<InverseStop>, NeuralError> {
        let written = self.write(&mut Sampler::new(sampling, number), interrupt);
        self.engine.truncate(Branch::ASIDE, self.prompt)?;
        Ok(written?)
    }

    fn write(
        &mut self,
        sampler: &mut Sampler,
        interrupt: &Interrupt,
    ) -> Result<Predicted<InverseStop>, EngineError> {
        let mut reader = self.dialect.reader(&self.lines);
        let decoding = self.decoding;
        let mut draw = |row: Row<'_>, reader: &InverseReader<'_>| {
            sampler.draw_by(decoding, row, |id| reader.allows(id))
        };
        let mut id = draw(Row::new(&self.first), &reader);
        for _ in 0..self.longest {
            match reader.push(id) {
                Read::More => {}
                Read::Ended(predicted) | Read::EndedBefore(predicted) => return Ok(predicted),
            }
            let last: TokenId = id;
            let mut see = |row: Row<'_>| id = draw(row, &reader);
            self.engine.append(Branch::ASIDE, &[last], Wanted::Last, interrupt, &mut see)?;
        }
        let reason = format!("no end after {} tokens", Grouped(self.longest as u64));
        Ok(Predicted::Malformed(reader.cut(reason)))
    }
}
