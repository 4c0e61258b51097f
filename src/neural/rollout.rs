//! A model asked, any number of times, where an action leads from a recorded state: what a
//! benchmark wants, where [`super::NeuralDebugger`] holds one conversation.
//!
//! The prompt is read once; each sample goes on from it and is then forgotten.

use super::debugger::NeuralError;
use super::decoding::Decoding;
use super::dialect::{Dialect, FrameReader, LineIndex, Malformed, Predicted, Read, Shown};
use super::engine::{Branch, Engine, Interrupt, Row, Wanted};
use super::sampling::{Sampler, Sampling};
use super::vocabulary::TokenId;
use crate::action::Action;
use crate::program::Program;
use crate::python::Grouped;
use crate::state::{State, Stop};

/// What a context holds before the question: a program, the state that its run begins with, and the
/// way from there.
#[derive(Clone, Debug)]
pub struct Told {
    /// The program.
    pub program: Program,
    /// The first state.
    pub first: State,
    /// Each action, and where it led.
    pub steps: Vec<(Action, Stop)>,
}

/// A question in the context of an engine.
pub struct Rollout<'e> {
    engine: &'e mut dyn Engine,
    dialect: &'e dyn Dialect,
    lines: LineIndex,
    shown: Shown,
    action: Action,
    decoding: Decoding,
    prompt: usize,
    /// What the model thinks of the answer's first token.
    first: Vec<f32>,
    /// Tokens after which an answer counts as endless.
    longest: usize,
}

/// Where a walk over a model's own states ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// States that it said, the last one included.
    pub states: usize,
    /// The last thing that it said.
    pub end: WalkEnd,
}

/// Why a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// What was looked for, or an exit.
    At(Stop),
    /// What it said is no state.
    Malformed(Malformed),
    /// There was no more room in its context, or it had made as many steps as it may.
    TooLong,
}

impl<'e> Rollout<'e> {
    /// Lets the engine read what is told, and the question where `action` leads.
    pub fn begin(
        engine: &'e mut dyn Engine,
        dialect: &'e dyn Dialect,
        told: &Told,
        action: Action,
        interrupt: &Interrupt,
    ) -> Result<Self, NeuralError> {
        let mut prompt = dialect.opening(&told.program);
        let mut shown = Shown::default();
        prompt.extend(dialect.ask_first());
        let first = Stop::At(told.first.clone());
        prompt.extend(dialect.write(&first, None, &shown).unwrap_or_default().ids);
        shown.show(&told.first);
        for (action, stop) in &told.steps {
            prompt.extend(dialect.ask(action));
            prompt.extend(dialect.write(stop, Some(action), &shown).unwrap_or_default().ids);
            if let Stop::At(state) = stop {
                shown.show(state);
            }
        }
        prompt.extend(dialect.ask(&action));
        let (capacity, longest) = (engine.capacity(), engine.capacity() / 4);
        let needed = prompt.len() + longest;
        if needed > capacity {
            let program = told.program.name().to_owned();
            return Err(NeuralError::ProgramTooLong { program, needed, capacity });
        }
        engine.truncate(Branch::MAIN, 0)?;
        let mut first = Vec::new();
        let mut see = |row: Row<'_>| first = row.logits().to_vec();
        engine.append(Branch::MAIN, &prompt, Wanted::Last, interrupt, &mut see)?;
        let lines = LineIndex::new(&told.program);
        let (prompt, decoding) = (prompt.len(), Decoding::default());
        Ok(Rollout { engine, dialect, lines, shown, action, decoding, prompt, first, longest })
    }

    /// The same, choosing tokens another way.
    pub fn with_decoding(self, decoding: Decoding) -> Self {
        Rollout { decoding, ..self }
    }

    /// The sample of this number, which doesn't depend on others.
    pub fn sample(
        &mut self,
        sampling: Sampling,
        number: u64,
        interrupt: &Interrupt,
    ) -> Result<Predicted, NeuralError> {
        let mut sampler = Sampler::new(sampling, number);
        let (shown, first) = (self.shown.clone(), self.first.clone());
        let written = self.frame(&shown, &first, &mut sampler, interrupt);
        self.engine.truncate(Branch::MAIN, self.prompt)?;
        // A frame that fits is never longer than the room that was made for it.
        Ok(written?.map_or_else(|| self.endless(), |(predicted, _)| predicted))
    }

    /// Asks for one state after the other, each from the model's own one before, until `is_end`
    /// says so; at most so many.
    pub fn walk(
        &mut self,
        sampling: Sampling,
        number: u64,
        most: usize,
        mut is_end: impl FnMut(&State) -> bool,
        interrupt: &Interrupt,
    ) -> Result<Walked, NeuralError> {
        let mut sampler = Sampler::new(sampling, number);
        let walked = self.states(&mut sampler, most, &mut is_end, interrupt);
        self.engine.truncate(Branch::MAIN, self.prompt)?;
        walked
    }

    fn states(
        &mut self,
        sampler: &mut Sampler,
        most: usize,
        is_end: &mut dyn FnMut(&State) -> bool,
        interrupt: &Interrupt,
    ) -> Result<Walked, NeuralError> {
        let (mut shown, mut first) = (self.shown.clone(), self.first.clone());
        for states in 1..=most {
            let ended = |end| Ok(Walked { states, end });
            let Some((predicted, last)) = self.frame(&shown, &first, sampler, interrupt)? else {
                return ended(WalkEnd::TooLong);
            };
            let state = match predicted {
                Predicted::Stop(Stop::At(state)) => state,
                Predicted::Stop(exit) => return ended(WalkEnd::At(exit)),
                Predicted::Malformed(malformed) => return ended(WalkEnd::Malformed(malformed)),
            };
            if is_end(&state) {
                return ended(WalkEnd::At(Stop::At(state)));
            }
            shown.show(&state);
            let ask: Vec<TokenId> =
                last.into_iter().chain(self.dialect.ask(&self.action)).collect();
            if self.engine.len(Branch::MAIN) + ask.len() >= self.engine.capacity() {
                return ended(WalkEnd::TooLong);
            }
            let mut see = |row: Row<'_>| first = row.logits().to_vec();
            self.engine.append(Branch::MAIN, &ask, Wanted::Last, interrupt, &mut see)?;
        }
        Ok(Walked { states: most, end: WalkEnd::TooLong })
    }

    /// Writes a frame, and its last token if the context doesn't hold it; none if there is no more
    /// room. `first` is what the model thinks of its first token.
    fn frame(
        &mut self,
        shown: &Shown,
        first: &[f32],
        sampler: &mut Sampler,
        interrupt: &Interrupt,
    ) -> Result<Option<(Predicted, Option<TokenId>)>, NeuralError> {
        let mut reader = self.dialect.reader(shown, &self.lines);
        let decoding = self.decoding;
        let mut draw = |row: Row<'_>, reader: &dyn FrameReader| {
            sampler.draw_by(decoding, row, |id| reader.allows(id))
        };
        let mut id = draw(Row::new(first), &*reader);
        for _ in 0..self.longest {
            match reader.push(id) {
                Read::More => {}
                Read::Ended(predicted) => return Ok(Some((predicted, Some(id)))),
                Read::EndedBefore(predicted) => return Ok(Some((predicted, None))),
            }
            if self.engine.len(Branch::MAIN) >= self.engine.capacity() {
                return Ok(None);
            }
            let last = id;
            let mut see = |row: Row<'_>| id = draw(row, &*reader);
            self.engine.append(Branch::MAIN, &[last], Wanted::Last, interrupt, &mut see)?;
        }
        Ok(Some((Predicted::Malformed(reader.cut(self.reason())), None)))
    }

    fn endless(&self) -> Predicted {
        Predicted::Malformed(self.dialect.reader(&self.shown, &self.lines).cut(self.reason()))
    }

    fn reason(&self) -> String {
        format!("no end after {} tokens", Grouped(self.longest as u64))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::neural::dialect::debugger::{Conventions, DebuggerDialect, NAMES};
    use crate::neural::engine::scripted::ScriptedEngine;
    use crate::neural::testing::runs;
    use crate::neural::vocabulary::{ByteVocabulary, Vocabulary};
    use crate::state::{Event, Exit};

    const GREEDY: Sampling = Sampling { temperature: 0.0, top_p: 1.0, seed: 0 };

    /// The tokens of a run by `step_into`, from its first state to its exit.
    fn whole(dialect: &dyn Dialect, told: &Told, steps: &[(Action, Stop)]) -> Vec<TokenId> {
        let mut shown = Shown::default();
        let mut ids = [dialect.opening(&told.program), dialect.ask_first()].concat();
        ids.extend(dialect.write(&Stop::At(told.first.clone()), None, &shown).unwrap().ids);
        shown.show(&told.first);
        for (action, stop) in steps {
            ids.extend(dialect.ask(action));
            ids.extend(dialect.write(stop, Some(action), &shown).unwrap().ids);
            if let Stop::At(state) = stop {
                shown.show(state);
            }
        }
        ids
    }

    /// A model that knows the run says it, state by state, from any state of it on.
    #[test]
    fn a_walk_over_the_models_own_states_is_what_it_says() {
        let vocabulary: Arc<dyn Vocabulary> = Arc::new(ByteVocabulary::new(NAMES));
        let dialect =
            DebuggerDialect::new(Arc::clone(&vocabulary), Conventions::default()).unwrap();
        for run in runs().into_iter().take(4) {
            let steps = run.all();
            let (program, first) = (run.program.clone(), run.states[0].clone());
            let told = Told { program, first, steps: steps[..1].to_vec() };
            let text = whole(&dialect, &told, &steps);
            let end = vocabulary.control("<|end_of_text|>").unwrap();
            let script = move |tokens: &[TokenId]| text.get(tokens.len()).copied().unwrap_or(end);
            let mut engine = ScriptedEngine::new(&script, 1 << 16, vocabulary.size());
            let never = Interrupt::default();
            let mut rollout =
                Rollout::begin(&mut engine, &dialect, &told, Action::StepInto, &never).unwrap();
            let mut said = Vec::new();
            let mut see = |state: &State| {
                said.push(state.event);
                false
            };
            let walked = rollout.walk(GREEDY, 1, 1_000, &mut see, &never).unwrap();
            let real: Vec<Event> = run.states[2..].iter().map(|state| state.event).collect();
            assert_eq!(said, real);
            let Some((_, Stop::Exit(exit))) = steps.last() else { panic!("a run that ends") };
            assert_eq!(walked.end, WalkEnd::At(Stop::Exit(Exit::plain(exit.kind))));
            assert_eq!(walked.states, real.len() + 1);
            // One state, and the first of so many, are where the walk began.
            let Predicted::Stop(Stop::At(one)) = rollout.sample(GREEDY, 2, &never).unwrap() else {
                panic!("a state");
            };
            assert_eq!((one.event, &one.source), (run.states[2].event, &run.states[2].source));
            let short = rollout.walk(GREEDY, 3, 1, |_| false, &never).unwrap();
            assert_eq!(short, Walked { states: 1, end: WalkEnd::TooLong });
        }
    }

    /// A model that wishes, now and then, what is no state writes only what is one, alone and on a
    /// walk.
    #[test]
    fn constrained_answers_are_states_whatever_the_model_wishes() {
        let vocabulary: Arc<dyn Vocabulary> = Arc::new(ByteVocabulary::new(NAMES));
        let dialect =
            DebuggerDialect::new(Arc::clone(&vocabulary), Conventions::default()).unwrap();
        let run = runs().swap_remove(0);
        let steps = run.all();
        let (program, first) = (run.program.clone(), run.states[0].clone());
        let told = Told { program, first, steps: Vec::new() };
        let text = whole(&dialect, &told, &steps);
        let prompt = whole(&dialect, &told, &[]).len() + dialect.ask(&Action::StepInto).len();
        let never = Interrupt::default();
        let mut states = 0;
        for wish in ["<|trace_end|>", "<|end_of_text|>"] {
            let wish = vocabulary.control(wish).unwrap();
            // At the answer's first token, and after it.
            for at in [prompt, prompt + 4] {
                let text = text.clone();
                let script = move |tokens: &[TokenId]| match tokens.len() {
                    len if len == at => wish,
                    len => text.get(len).copied().unwrap_or(wish),
                };
                let said = |decoding| {
                    let mut engine = ScriptedEngine::new(&script, 1 << 12, vocabulary.size());
                    let begun =
                        Rollout::begin(&mut engine, &dialect, &told, Action::StepInto, &never);
                    let mut rollout = begun.unwrap().with_decoding(decoding);
                    let one = rollout.sample(GREEDY, 1, &never).unwrap();
                    let walked = rollout.walk(GREEDY, 1, 1, |_| false, &never).unwrap();
                    (one, walked.end)
                };
                let (one, end) = said(Decoding::Greedy);
                let is_malformed = matches!(one, Predicted::Malformed(_));
                assert!(is_malformed, "the wish is illegal: {one:?}");
                assert!(matches!(end, WalkEnd::Malformed(_)), "{end:?}");
                let (one, end) = said(Decoding::Constrained);
                // What keeps to the format may still not end.
                let is_fine = |reason: &str| reason.starts_with("no end after");
                match one {
                    Predicted::Stop(Stop::At(state)) => {
                        assert!(run.program.lines().contains(&state.source), "{state:?}");
                        states += 1;
                    }
                    Predicted::Stop(Stop::Exit(_)) => {}
                    Predicted::Malformed(malformed) => assert!(is_fine(&malformed.reason)),
                }
                if let WalkEnd::Malformed(malformed) = end {
                    assert!(is_fine(&malformed.reason), "{malformed:?}");
                }
            }
        }
        assert_ne!(states, 0, "some answers are states");
    }

    #[test]
    fn a_walk_ends_where_the_context_does() {
        let vocabulary: Arc<dyn Vocabulary> = Arc::new(ByteVocabulary::new(NAMES));
        let dialect =
            DebuggerDialect::new(Arc::clone(&vocabulary), Conventions::default()).unwrap();
        let run = runs().swap_remove(0);
        let steps = run.all();
        let (program, first) = (run.program.clone(), run.states[0].clone());
        let told = Told { program, first, steps: Vec::new() };
        let text = whole(&dialect, &told, &steps);
        let script = move |tokens: &[TokenId]| text.get(tokens.len()).copied().unwrap_or(0);
        let prompt = whole(&dialect, &told, &[]).len();
        let never = Interrupt::default();
        let mut engine = ScriptedEngine::new(&script, 2 * prompt, vocabulary.size());
        let mut rollout =
            Rollout::begin(&mut engine, &dialect, &told, Action::StepInto, &never).unwrap();
        let walked = rollout.walk(GREEDY, 1, 1_000, |_| false, &never).unwrap();
        assert_eq!(walked.end, WalkEnd::TooLong);
        let mut small = ScriptedEngine::new(&script, prompt, vocabulary.size());
        let begun = Rollout::begin(&mut small, &dialect, &told, Action::StepInto, &never);
        assert!(matches!(begun.err(), Some(NeuralError::ProgramTooLong { .. })));
    }
}
