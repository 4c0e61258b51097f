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

mod aside;
mod decode;
mod error;

use std::sync::Arc;

pub use aside::Exits;
use decode::{Decoder, Judged, Question, Written};
pub use error::NeuralError;

use super::decoding::Decoding;
use super::dialect::debugger::inverse::InverseDialect;
use super::dialect::{Dialect, LineIndex, Predicted, Shown};
use super::engine::{Branch, Engine, Interrupt, Wanted};
use super::inverse::Inference;
use super::prediction::Prediction;
use super::sampling::Sampling;
use super::vocabulary::TokenId;
use crate::action::Action;
use crate::inverse::{self, InverseStop};
use crate::program::Program;
use crate::state::{Exit, Locals, State, Stop};

/// How [`NeuralDebugger::follow`] finds out what the model predicts. Both find the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// One pass over the real frame, then decoding from the first token that is not the likeliest.
    #[default]
    Scoring,
    /// Decoding the whole frame, token by token.
    Generating,
}

/// One conversation with a model about the run of a program.
///
/// Every [`follow`](Self::follow) and [`free`](Self::free) makes one step, also if a state is too
/// long for the model. One that is cancelled, or that the engine fails, makes none: what was said
/// stays as it is, though the context may have to begin anew for it.
pub struct NeuralDebugger<'e> {
    engine: &'e mut dyn Engine,
    dialect: Box<dyn Dialect>,
    decoding: Decoding,
    talk: Option<Talk>,
}

/// What is being talked about.
struct Talk {
    opening: Vec<TokenId>,
    lines: Arc<LineIndex>,
    steps: Vec<Step>,
}

/// Where the conversation stood after a step; the first stands after no step.
///
/// Where two steps follow each other and the context holds the later one, it holds the earlier one
/// as well, and the question between them begins where that ends.
#[derive(Clone)]
struct Step {
    /// The action that led here; none led to the first.
    action: Option<Action>,
    /// What the context had shown; means nothing without a context.
    shown: Shown,
    /// The state it was at last.
    at: Arc<State>,
    /// Whether the run is over here.
    over: Option<Over>,
    /// Tokens of the context; none if it has begun anew since, or never held this step.
    end: Option<usize>,
}

/// Whose word it is that a run is over.
#[derive(Clone)]
enum Over {
    /// It really is.
    Really,
    /// The model's own, in free mode. It is not kept in the context, since nothing could follow it.
    Said(Exit),
}

/// A context that begins with the program and one state in full.
struct Fresh {
    ids: Vec<TokenId>,
    shown: Shown,
}

impl<'e> NeuralDebugger<'e> {
    /// A debugger that speaks `dialect` to the model in `engine`.
    pub fn new(engine: &'e mut dyn Engine, dialect: Box<dyn Dialect>) -> Self {
        NeuralDebugger { engine, dialect, decoding: Decoding::default(), talk: None }
    }

    /// The same, choosing tokens another way.
    pub fn with_decoding(self, decoding: Decoding) -> Self {
        NeuralDebugger { decoding, ..self }
    }

    /// Starts a conversation: the program, and the state that its run begins with. If that state
    /// is too long, the context begins with the first one that isn't.
    pub fn begin(
        &mut self,
        program: &Program,
        first: &State,
        interrupt: &Interrupt,
    ) -> Result<(), NeuralError> {
        let opening = self.dialect.opening(program);
        let ask = self.dialect.ask(&Action::StepInto).len();
        let smallest = State { locals: Locals::new(), ..first.clone() };
        let needed = self.fresh(&opening, &smallest).ids.len() + ask + self.reserve();
        let capacity = self.engine.capacity();
        if needed > capacity {
            let program = program.name().to_owned();
            return Err(NeuralError::ProgramTooLong { program, needed, capacity });
        }
        let fresh = self.fresh(&opening, first);
        let step = Step {
            action: None,
            shown: Shown::default(),
            at: Arc::new(first.clone()),
            over: None,
            end: None,
        };
        let talk = Talk { opening, lines: Arc::new(LineIndex::new(program)), steps: vec![step] };
        let before = self.talk.replace(talk);
        if self.room(fresh.ids.len() + ask, 0).is_none() {
            return Ok(());
        }
        let begun = self.restart(fresh, interrupt);
        if begun.is_err() {
            self.talk = before;
            self.forget_context();
        }
        begun
    }

    /// Predicts where `action` leads, then lets the context hold where it really led.
    ///
    /// An exit that Lockstep forced (a limit) has no words in the dialect: it is predicted, but
    /// neither scored nor kept. On [`NeuralError::StateTooLong`] there is no prediction, but the
    /// step is made; the context begins anew at the next state that fits. On any other error, a
    /// cancelled request included, the conversation is as it was before.
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
    ///
    /// Once the model has said that the run is over, it says so again. A state that is too long is
    /// an error with a step, as in [`follow`](Self::follow): the model's own words have grown
    /// beyond the context, and it has no more to say until a [`resync`](Self::resync).
    pub fn free(
        &mut self,
        action: &Action,
        interrupt: &Interrupt,
    ) -> Result<Prediction, NeuralError> {
        let (_, last) = self.talk()?;
        if let Some(Over::Said(exit)) = &last.over {
            interrupt.check()?;
            let outcome = Predicted::Stop(Stop::Exit(exit.clone()));
            self.push(Step { action: Some(action.clone()), ..last.clone() });
            return Ok(Prediction { outcome, surprise: None, confidence: None, restarted: false });
        }
        let question = self.question(action, None, interrupt)?;
        let start = question.start;
        let done = self.answer_freely(question, interrupt);
        if done.is_err() {
            self.engine.truncate(Branch::MAIN, start)?;
        }
        done
    }

    /// Replaces what the last step left in the context by what really happened; in full, if the
    /// model's own words are still before it. If that step left nothing, or the truth doesn't fit,
    /// the context begins anew at the truth or the next state that fits. Before the first step
    /// there is nothing to replace.
    pub fn resync(&mut self, truth: &Stop, interrupt: &Interrupt) -> Result<(), NeuralError> {
        let (talk, last) = self.talk()?;
        let ([.., before, _], Some(action)) = (&*talk.steps, &last.action) else { return Ok(()) };
        let mut step = before.after(truth, action);
        if let (Some(_), Some(start)) = (last.end, before.end) {
            let frame = self.dialect.write(truth, Some(action), &before.shown);
            let told = frame.map(|frame| [self.dialect.ask(action), frame.ids].concat());
            let told = told.unwrap_or_default();
            let (end, capacity) = (start + told.len(), self.engine.capacity());
            if end <= capacity && told.len() <= capacity / 2 {
                // Until the truth is read there is no context that holds this step.
                self.last(|last| last.end = None);
                self.engine.truncate(Branch::MAIN, start)?;
                self.engine.append(Branch::MAIN, &told, Wanted::None, interrupt, &mut |_| ())?;
                step.end = Some(end);
            }
        }
        self.last(|last| *last = step);
        Ok(())
    }

    /// Forgets all steps but the first `steps`, so that other actions can be taken from there.
    pub fn rewind(&mut self, steps: usize) -> Result<(), NeuralError> {
        let talk = self.talk.as_mut().ok_or(NeuralError::NotBegun)?;
        talk.steps.truncate(steps.saturating_add(1));
        if let Some(end) = talk.steps.last().and_then(|step| step.end) {
            self.engine.truncate(Branch::MAIN, end)?;
        }
        Ok(())
    }

    /// Asks what came before a state, this often, beside the conversation.
    pub fn infer(
        &mut self,
        dialect: &InverseDialect,
        question: &inverse::Question,
        sampling: Sampling,
        samples: u64,
        interrupt: &Interrupt,
    ) -> Result<Vec<Predicted<InverseStop>>, NeuralError> {
        let asked = Inference::begin(self.engine, dialect, question, interrupt);
        let answered = asked.and_then(|inference| {
            let mut inference = inference.with_decoding(self.decoding);
            let numbers = 1..=samples;
            numbers.map(|number| inference.sample(sampling, number, interrupt)).collect()
        });
        self.engine.truncate(Branch::ASIDE, 0)?;
        answered
    }

    /// Steps taken so far.
    pub fn steps(&self) -> usize {
        self.talk.as_ref().map_or(0, |talk| talk.steps.len() - 1)
    }

    /// Tokens that are kept free for an answer, which may not be longer unless the real one is.
    fn reserve(&self) -> usize {
        self.engine.capacity() / 4
    }

    /// Tokens that an answer may have if it begins at `at` and the real one has `tokens`; none if
    /// that doesn't fit.
    fn room(&self, at: usize, tokens: usize) -> Option<usize> {
        let (longest, capacity) = (self.reserve().max(tokens + 1), self.engine.capacity());
        (at + longest <= capacity && tokens <= capacity / 2).then_some(longest)
    }

    fn talk(&self) -> Result<(&Talk, &Step), NeuralError> {
        let talk = self.talk.as_ref().ok_or(NeuralError::NotBegun)?;
        let step = talk.steps.last().ok_or(NeuralError::NotBegun)?;
        Ok((talk, step))
    }

    /// A context that begins with `state`.
    fn fresh(&self, opening: &[TokenId], state: &State) -> Fresh {
        let stop = Stop::At(state.clone());
        let frame = self.dialect.write(&stop, None, &Shown::default()).unwrap_or_default();
        let mut shown = Shown::default();
        shown.show(state);
        Fresh { ids: [opening, &self.dialect.ask_first(), &frame.ids].concat(), shown }
    }

    /// Begins the context anew.
    fn restart(&mut self, fresh: Fresh, interrupt: &Interrupt) -> Result<(), NeuralError> {
        self.forget_context();
        self.engine.truncate(Branch::MAIN, 0)?;
        self.engine.append(Branch::MAIN, &fresh.ids, Wanted::None, interrupt, &mut |_| ())?;
        self.last(|step| {
            step.end = Some(fresh.ids.len());
            step.shown = fresh.shown;
        });
        Ok(())
    }

    /// Changes the last step.
    fn last(&mut self, change: impl FnOnce(&mut Step)) {
        if let Some(step) = self.talk.as_mut().and_then(|talk| talk.steps.last_mut()) {
            change(step);
        }
    }

    /// No step's context is there any more.
    fn forget_context(&mut self) {
        let steps = self.talk.iter_mut().flat_map(|talk| &mut talk.steps);
        steps.for_each(|step| step.end = None);
    }

    /// Makes room for a question and its answers, beginning anew if need be. If there can't be
    /// room, the step is made without.
    fn question(
        &mut self,
        action: &Action,
        truth: Option<&Stop>,
        interrupt: &Interrupt,
    ) -> Result<Question, NeuralError> {
        interrupt.check()?;
        let (talk, step) = self.talk()?;
        if let Some(Over::Really) = step.over {
            return Err(NeuralError::AtEnd);
        }
        let ask = self.dialect.ask(action);
        // The question from here; where there is no room, the tokens of the real answer.
        let place = |start: usize, shown: &Shown, restarted| -> Result<Question, usize> {
            let frame = truth.and_then(|truth| self.dialect.write(truth, Some(action), shown));
            let tokens = frame.as_ref().map_or(0, |frame| frame.ids.len());
            let longest = self.room(start + ask.len(), tokens).ok_or(tokens)?;
            let (action, ask) = (action.clone(), ask.clone());
            Ok(Question { action, ask, start, frame, longest, restarted })
        };
        if let Some(question) = step.end.and_then(|end| place(end, &step.shown, false).ok()) {
            return Ok(question);
        }
        let fresh = self.fresh(&talk.opening, &step.at);
        // Where the run begins, the context would be the same again.
        match place(fresh.ids.len(), &fresh.shown, talk.steps.len() > 1) {
            Ok(question) => {
                self.restart(fresh, interrupt)?;
                Ok(question)
            }
            Err(tokens) => {
                let tokens = tokens.max(fresh.ids.len() - talk.opening.len());
                let step = match truth {
                    Some(truth) => step.after(truth, action),
                    None => Step { action: Some(action.clone()), end: None, ..step.clone() },
                };
                self.push(step);
                Err(NeuralError::StateTooLong { tokens, capacity: self.engine.capacity() })
            }
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
        let mut decoder = Decoder {
            engine: &mut *self.engine,
            reader: self.dialect.reader(&before.shown, &lines),
            longest: question.longest,
            decoding: self.decoding,
            interrupt,
        };
        let (judged, end) = match &question.frame {
            Some(frame) => {
                let judged = match method {
                    Method::Scoring => decoder.score(&question, frame)?,
                    Method::Generating => decoder.generate_then(&question, frame)?,
                };
                (judged, question.answer_at() + frame.ids.len())
            }
            None => {
                let Written { outcome, doubt, .. } = decoder.write(&question)?;
                decoder.engine.truncate(Branch::MAIN, question.start)?;
                (Judged { outcome, surprise: None, doubt }, question.start)
            }
        };
        drop(decoder);
        self.push(Step { end: Some(end), ..before.after(truth, &question.action) });
        let Judged { outcome, surprise, doubt } = judged;
        let confidence = Some(probability(doubt));
        Ok(Prediction { outcome, surprise, confidence, restarted: question.restarted })
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
            decoding: self.decoding,
            interrupt,
        };
        let Written { outcome, last, doubt, .. } = decoder.write(&question)?;
        let engine = &mut *decoder.engine;
        if let Predicted::Stop(Stop::Exit(_)) = &outcome {
            engine.truncate(Branch::MAIN, question.start)?;
        } else if let Some(last) = last {
            engine.append(Branch::MAIN, &[last], Wanted::None, interrupt, &mut |_| ())?;
        }
        drop(decoder);
        let step = match &outcome {
            Predicted::Stop(stop @ Stop::At(_)) => before.after(stop, &question.action),
            Predicted::Stop(Stop::Exit(exit)) => {
                Step { over: Some(Over::Said(exit.clone())), ..before }
            }
            Predicted::Malformed(_) => before,
        };
        let end = Some(self.engine.len(Branch::MAIN));
        self.push(Step { action: Some(question.action), end, ..step });
        let (surprise, confidence) = (None, Some(probability(doubt)));
        Ok(Prediction { outcome, surprise, confidence, restarted: question.restarted })
    }

    fn push(&mut self, step: Step) {
        if let Some(talk) = &mut self.talk {
            talk.steps.push(step);
        }
    }
}

/// The probability of what has this surprise, in bits.
fn probability(bits: f64) -> f64 {
    (-bits).exp2()
}

impl Step {
    /// The step that leads from here to `stop`; where it ends in the context is not known yet.
    fn after(&self, stop: &Stop, action: &Action) -> Step {
        let mut step = Step { action: Some(action.clone()), end: None, ..self.clone() };
        match stop {
            Stop::At(state) => {
                step.shown.show(state);
                step.at = Arc::new(state.clone());
                step.over = None;
            }
            Stop::Exit(_) => step.over = Some(Over::Really),
        }
        step
    }
}

#[cfg(test)]
mod tests;
