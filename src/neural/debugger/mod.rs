//! The neural debugger: a model's side of a debugging session.
//!
//! Its context holds the program, then states and the actions between them. *Follow* predicts and
//! then writes what really happened into the context; *free* keeps what the model said.
//!
//! A prediction is what greedy decoding writes (the likeliest token, of equals the first, until the
//! dialect's reader sees the end of the frame). When the real state is known that need not be
//! written token by token: one pass over the real frame tells, for each of its tokens, whether
//! greedy decoding would have written it. Only from the first that it wouldn't must the model go on
//! by itself, on a branch aside, while the real frame stays where it is and nothing is read twice.

mod decode;

use std::sync::Arc;

use decode::{Decoder, Judged, Question};

use super::dialect::{Dialect, LineIndex, Predicted, Shown};
use super::engine::{Branch, Engine, EngineError, Interrupt, Wanted};
use super::model::ModelError;
use super::prediction::Prediction;
use super::vocabulary::TokenId;
use crate::action::Action;
use crate::program::Program;
use crate::state::{State, Stop};

/// How [`NeuralDebugger::follow`] finds out what the model predicts. Both find the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// One pass over the real frame, then decoding from the first token that is not the likeliest.
    #[default]
    Scoring,
    /// Decoding the whole frame, token by token.
    Generating,
}

/// Why the model's side can't go on.
#[derive(Debug, thiserror::Error)]
pub enum NeuralError {
    /// The model can't be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The engine failed, or the request was cancelled.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The program leaves no room for a trace.
    #[error(
        "{program} is too long for this model: the program and its first state need {needed} \
         tokens, the model has {capacity}; debug a smaller program, or a part of it, or use a \
         model with a longer context"
    )]
    ProgramTooLong {
        /// The program's name.
        program: String,
        /// Tokens needed, those for one answer included.
        needed: usize,
        /// Tokens that the context holds.
        capacity: usize,
    },
    /// One state doesn't fit beside the program, or takes more than half of the context.
    #[error(
        "this state is too long for this model: its {tokens} tokens leave too little of a context \
         of {capacity}; cut values shorter (--max-value) or use a model with a longer context"
    )]
    StateTooLong {
        /// Tokens of the state.
        tokens: usize,
        /// Tokens that the context holds.
        capacity: usize,
    },
    /// There is no state to go on from.
    #[error("the model's side is at the end of the run; step back or start again")]
    AtEnd,
    /// Nothing was begun.
    #[error("the model's side has no program yet; begin one first")]
    NotBegun,
    /// The engine thread is gone.
    #[error("the model's thread ended unexpectedly; please report this")]
    Gone,
}

impl NeuralError {
    /// Whether this is what a cancelled request answers.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, NeuralError::Engine(EngineError::Cancelled))
    }
}

/// One conversation with a model about the run of a program.
pub struct NeuralDebugger<'e> {
    engine: &'e mut dyn Engine,
    dialect: Box<dyn Dialect>,
    talk: Option<Talk>,
}

/// What is being talked about.
struct Talk {
    opening: Vec<TokenId>,
    lines: Arc<LineIndex>,
    steps: Vec<Step>,
}

/// Where the conversation stood after a step; the first stands after no step.
#[derive(Clone)]
struct Step {
    /// What the context had shown.
    shown: Shown,
    /// The state it was at last.
    at: Arc<State>,
    /// The run is over here.
    ended: bool,
    /// Tokens of the context; none if it has begun anew since.
    end: Option<usize>,
    /// The action that led here, and where in the context its answer begins.
    asked: Option<(Action, usize)>,
}

impl<'e> NeuralDebugger<'e> {
    /// A debugger that speaks `dialect` to the model in `engine`.
    pub fn new(engine: &'e mut dyn Engine, dialect: Box<dyn Dialect>) -> Self {
        NeuralDebugger { engine, dialect, talk: None }
    }

    /// Starts a conversation: the program, and the state that its run begins with.
    pub fn begin(
        &mut self,
        program: &Program,
        first: &State,
        interrupt: &Interrupt,
    ) -> Result<(), NeuralError> {
        let opening = self.dialect.opening(program);
        let step = Step {
            shown: Shown::default(),
            at: Arc::new(first.clone()),
            ended: false,
            end: None,
            asked: None,
        };
        let needed = opening.len() + self.opening_state(first).len() + self.reserve();
        let capacity = self.engine.capacity();
        if needed > capacity {
            let program = program.name().to_owned();
            return Err(NeuralError::ProgramTooLong { program, needed, capacity });
        }
        self.talk =
            Some(Talk { opening, lines: Arc::new(LineIndex::new(program)), steps: vec![step] });
        self.restart(interrupt)
    }

    /// Predicts where `action` leads, then lets the context hold where it really led.
    ///
    /// An exit that Lockstep forced (a limit) has no words in the dialect: it is predicted, but
    /// neither scored nor kept. On an error, a cancelled request included, the conversation is as
    /// it was before.
    pub fn follow(
        &mut self,
        action: &Action,
        truth: &Stop,
        method: Method,
        interrupt: &Interrupt,
    ) -> Result<Prediction, NeuralError> {
        let question = self.question(action, Some(truth), interrupt)?;
        let start = question.start;
        let done = self.answer(question, truth, method, interrupt);
        if done.is_err() {
            self.engine.truncate(Branch::ASIDE, 0)?;
            self.engine.truncate(Branch::MAIN, start)?;
        }
        done
    }

    /// Predicts where `action` leads and keeps that in the context.
    pub fn free(
        &mut self,
        action: &Action,
        interrupt: &Interrupt,
    ) -> Result<Prediction, NeuralError> {
        let question = self.question(action, None, interrupt)?;
        let start = question.start;
        let done = self.answer_freely(question, interrupt);
        if done.is_err() {
            self.engine.truncate(Branch::MAIN, start)?;
        }
        done
    }

    /// Replaces what the model said last by what really happened; in full, if the model's own
    /// words are still before it.
    pub fn resync(&mut self, truth: &Stop, interrupt: &Interrupt) -> Result<(), NeuralError> {
        let capacity = self.engine.capacity();
        let talk = self.talk.as_mut().ok_or(NeuralError::NotBegun)?;
        let (last, before) = match talk.steps.as_slice() {
            [.., before, last] => (last.clone(), before.clone()),
            _ => return Err(NeuralError::NotBegun),
        };
        let action = last.asked.as_ref().map(|(action, _)| action);
        let frame = self.dialect.write(truth, action, &before.shown).unwrap_or_default();
        let room = |at: usize| at + frame.ids.len() <= capacity;
        let mut step = before.after(truth, last.asked.clone());
        if let Some(slot) = talk.steps.last_mut() {
            slot.end = None;
        }
        if let (Some(_), Some((_, at))) = (last.end, &last.asked)
            && room(*at)
        {
            self.engine.truncate(Branch::MAIN, *at)?;
            self.engine.append(Branch::MAIN, &frame.ids, Wanted::None, interrupt, &mut |_| ())?;
            step.end = Some(at + frame.ids.len());
        }
        if let Some(slot) = talk.steps.last_mut() {
            *slot = step;
        }
        Ok(())
    }

    /// Forgets all steps but the first `steps`, so that other actions can be taken from there.
    pub fn rewind(&mut self, steps: usize) -> Result<(), NeuralError> {
        let talk = self.talk.as_mut().ok_or(NeuralError::NotBegun)?;
        talk.steps.truncate(steps + 1);
        if let Some(end) = talk.steps.last().and_then(|step| step.end) {
            self.engine.truncate(Branch::MAIN, end)?;
        }
        Ok(())
    }

    /// Steps taken so far.
    pub fn steps(&self) -> usize {
        self.talk.as_ref().map_or(0, |talk| talk.steps.len() - 1)
    }

    /// Tokens that are kept free for an answer, which may not be longer unless the real one is.
    fn reserve(&self) -> usize {
        self.engine.capacity() / 4
    }

    fn talk(&self) -> Result<(&Talk, &Step), NeuralError> {
        let talk = self.talk.as_ref().ok_or(NeuralError::NotBegun)?;
        let step = talk.steps.last().ok_or(NeuralError::NotBegun)?;
        Ok((talk, step))
    }

    /// The tokens of a state that opens a context, in full.
    fn opening_state(&self, state: &State) -> Vec<TokenId> {
        let stop = Stop::At(state.clone());
        let frame = self.dialect.write(&stop, None, &Shown::default()).unwrap_or_default();
        [self.dialect.ask_first(), frame.ids].concat()
    }

    /// Begins the context anew with the program and the state that the conversation is at.
    fn restart(&mut self, interrupt: &Interrupt) -> Result<(), NeuralError> {
        let (talk, step) = self.talk()?;
        let at = Arc::clone(&step.at);
        let state = self.opening_state(&at);
        let (tokens, capacity) = (state.len(), self.engine.capacity());
        let ids = [&*talk.opening, &*state].concat();
        let end = ids.len();
        if end > capacity {
            return Err(NeuralError::StateTooLong { tokens, capacity });
        }
        if let Some(talk) = &mut self.talk {
            talk.steps.iter_mut().for_each(|step| step.end = None);
        }
        self.engine.truncate(Branch::MAIN, 0)?;
        self.engine.append(Branch::MAIN, &ids, Wanted::None, interrupt, &mut |_| ())?;
        if let Some(step) = self.talk.as_mut().and_then(|talk| talk.steps.last_mut()) {
            step.end = Some(end);
            step.shown = Shown::default();
            step.shown.show(&at);
        }
        Ok(())
    }

    /// Makes room for a question and its answers, beginning anew if need be.
    fn question(
        &mut self,
        action: &Action,
        truth: Option<&Stop>,
        interrupt: &Interrupt,
    ) -> Result<Question, NeuralError> {
        if self.talk()?.1.ended {
            return Err(NeuralError::AtEnd);
        }
        let ask = self.dialect.ask(action);
        let capacity = self.engine.capacity();
        let mut restarted = false;
        loop {
            let (_, step) = self.talk()?;
            let written = truth.and_then(|t| self.dialect.write(t, Some(action), &step.shown));
            let tokens = written.map_or(0, |frame| frame.ids.len());
            let longest = self.reserve().max(tokens + 1);
            match step.end {
                Some(start)
                    if start + ask.len() + longest <= capacity && tokens <= capacity / 2 =>
                {
                    let action = action.clone();
                    return Ok(Question { action, ask, start, longest, restarted });
                }
                Some(_) if restarted => {
                    return Err(NeuralError::StateTooLong { tokens, capacity });
                }
                _ => self.restart(interrupt)?,
            }
            restarted = true;
        }
    }

    fn answer(
        &mut self,
        question: Question,
        truth: &Stop,
        method: Method,
        interrupt: &Interrupt,
    ) -> Result<Prediction, NeuralError> {
        let (talk, before) = self.talk()?;
        let (lines, before) = (Arc::clone(&talk.lines), before.clone());
        let frame = self.dialect.write(truth, Some(&question.action), &before.shown);
        let restarted = question.restarted;
        let at = question.answer_at();
        let mut decoder = Decoder {
            engine: &mut *self.engine,
            reader: self.dialect.reader(&before.shown, &lines),
            longest: question.longest,
            interrupt,
        };
        let (prediction, end) = match &frame {
            Some(frame) => {
                let Judged { outcome, surprise, scored, generated } = match method {
                    Method::Scoring => decoder.score(&question, frame)?,
                    Method::Generating => decoder.generate_then(&question, frame)?,
                };
                (
                    Prediction { outcome, surprise, scored, generated, restarted },
                    at + frame.ids.len(),
                )
            }
            None => {
                let (written, generated) = decoder.write(&question)?;
                decoder.engine.truncate(Branch::MAIN, question.start)?;
                let outcome = written.outcome;
                let prediction =
                    Prediction { outcome, surprise: None, scored: 0, generated, restarted };
                (prediction, question.start)
            }
        };
        drop(decoder);
        let asked = Some((question.action, at));
        self.step(Step { end: Some(end), ..before.after(truth, asked) });
        Ok(prediction)
    }

    fn answer_freely(
        &mut self,
        question: Question,
        interrupt: &Interrupt,
    ) -> Result<Prediction, NeuralError> {
        let (talk, before) = self.talk()?;
        let (lines, before) = (Arc::clone(&talk.lines), before.clone());
        let mut decoder = Decoder {
            engine: &mut *self.engine,
            reader: self.dialect.reader(&before.shown, &lines),
            longest: question.longest,
            interrupt,
        };
        let (written, generated) = decoder.write(&question)?;
        if let Some(last) = written.last {
            decoder.engine.append(Branch::MAIN, &[last], Wanted::None, interrupt, &mut |_| ())?;
        }
        drop(decoder);
        let asked = Some((question.action.clone(), question.answer_at()));
        let step = match &written.outcome {
            Predicted::Stop(stop) => before.after(stop, asked),
            Predicted::Malformed(_) => Step { asked, ..before },
        };
        self.step(Step { end: Some(self.engine.len(Branch::MAIN)), ..step });
        Ok(Prediction {
            outcome: written.outcome,
            surprise: None,
            scored: 0,
            generated,
            restarted: question.restarted,
        })
    }

    fn step(&mut self, step: Step) {
        if let Some(talk) = &mut self.talk {
            talk.steps.push(step);
        }
    }
}

impl Step {
    /// The step that leads from here to `stop`; where it ends in the context is not known yet.
    fn after(&self, stop: &Stop, asked: Option<(Action, usize)>) -> Step {
        let mut step = Step { asked, end: None, ..self.clone() };
        match stop {
            Stop::At(state) => {
                step.shown.show(state);
                step.at = Arc::new(state.clone());
            }
            Stop::Exit(_) => step.ended = true,
        }
        step
    }
}

#[cfg(test)]
mod tests;
