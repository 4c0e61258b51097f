//! Questions beside the conversation: more answers to the last one, and how the run may end.
//!
//! They are asked on the branch aside, which begins with what the main one holds, and leave the
//! conversation as it is.

use super::decode::Decoder;
use super::{NeuralDebugger, NeuralError, Step, probability};
use crate::action::Action;
use crate::neural::dialect::{FrameReader, Predicted, Read};
use crate::neural::engine::{Branch, EngineError, Interrupt, Row, Wanted};
use crate::neural::sampling::{Sampler, Sampling};
use crate::state::{Exit, ExitKind, Stop};

/// The probabilities that a model gives to the ways in which a run may end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exits {
    /// The entry returns.
    pub normal: f64,
    /// An exception leaves the entry.
    pub error: f64,
    /// The run goes on for ever.
    pub never: f64,
}

impl NeuralDebugger<'_> {
    /// More answers to the question of the last step, drawn at random; the same sampling draws the
    /// same. None if no question was asked: before the first step, where the state was too long, and
    /// in free mode after the model has said that the run is over.
    pub fn sample(
        &mut self,
        sampling: Sampling,
        samples: u64,
        interrupt: &Interrupt,
    ) -> Result<Vec<Predicted>, NeuralError> {
        let (talk, last) = self.talk()?;
        let [.., before, _] = &*talk.steps else { return Ok(Vec::new()) };
        let (Some(start), Some(action), None) = (before.end, &last.action, &before.over) else {
            return Ok(Vec::new());
        };
        let (ask, lines, shown) =
            (self.dialect.ask(action), talk.lines.clone(), before.shown.clone());
        let Some(longest) = self.room(start + ask.len(), 0) else { return Ok(Vec::new()) };
        let asked = start + ask.len();
        self.engine.fork(Branch::MAIN, start, Branch::ASIDE)?;
        let mut first = Vec::new();
        let mut see = |row: Row<'_>| first = row.logits().to_vec();
        self.engine.append(Branch::ASIDE, &ask, Wanted::Last, interrupt, &mut see)?;
        let mut answers = Vec::new();
        for number in 1..=samples {
            let mut decoder = Decoder {
                engine: &mut *self.engine,
                reader: self.dialect.reader(&shown, &lines),
                longest,
                decoding: self.decoding,
                interrupt,
            };
            answers.push(decoder.draw(&first, &mut Sampler::new(sampling, number))?);
            drop(decoder);
            self.engine.truncate(Branch::ASIDE, asked)?;
        }
        self.engine.truncate(Branch::ASIDE, 0)?;
        Ok(answers)
    }

    /// How the run ends if it goes on from here. None if the context holds no state, or has no room.
    pub fn exits(&mut self, interrupt: &Interrupt) -> Result<Option<Exits>, NeuralError> {
        let action = Action::Continue;
        let (_, last) = self.talk()?;
        let Step { end: Some(start), over: None, shown, .. } = last.clone() else {
            return Ok(None);
        };
        let ask = self.dialect.ask(&action);
        if self.room(start + ask.len(), 0).is_none() {
            return Ok(None);
        }
        let mut probability_of = |kind: ExitKind| -> Result<f64, EngineError> {
            let exit = Stop::Exit(Exit::plain(kind));
            let Some(frame) = self.dialect.write(&exit, Some(&action), &shown) else {
                return Ok(0.0);
            };
            let (ids, wanted) = ([&*ask, &*frame.ids].concat(), Wanted::From(ask.len() - 1));
            let (mut bits, mut at) = (0.0, 0);
            let mut see = |row: Row<'_>| {
                bits += frame.ids.get(at).map_or(0.0, |id| row.bits(*id));
                at += 1;
            };
            self.engine.fork(Branch::MAIN, start, Branch::ASIDE)?;
            self.engine.append(Branch::ASIDE, &ids, wanted, interrupt, &mut see)?;
            self.engine.truncate(Branch::ASIDE, 0)?;
            Ok(probability(bits))
        };
        Ok(Some(Exits {
            normal: probability_of(ExitKind::Normal)?,
            error: probability_of(ExitKind::Error)?,
            never: probability_of(ExitKind::Never)?,
        }))
    }
}

impl Decoder<'_> {
    /// Writes a frame on the branch aside, drawing each token; `first` is what the model thinks of
    /// its first one.
    fn draw(&mut self, first: &[f32], sampler: &mut Sampler) -> Result<Predicted, EngineError> {
        let draw = |row: Row<'_>, sampler: &mut Sampler, reader: &dyn FrameReader| {
            sampler.draw_by(self.decoding, row, |id| reader.allows(id))
        };
        let mut id = draw(Row::new(first), sampler, &*self.reader);
        for _ in 0..self.longest {
            match self.reader.push(id) {
                Read::More => {}
                Read::Ended(outcome) | Read::EndedBefore(outcome) => return Ok(outcome),
            }
            let last = id;
            let mut see = |row: Row<'_>| id = draw(row, sampler, &*self.reader);
            self.engine.append(Branch::ASIDE, &[last], Wanted::Last, self.interrupt, &mut see)?;
        }
        Ok(self.endless())
    }
}
