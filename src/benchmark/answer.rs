//! A model's answers to an item: asked for, and judged by what they are worth.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::check::{Checker, Worth};
use super::item::Item;
use super::log::{Answer, ItemRecord, Outcome};
use super::question::{self, Put, Question};
use super::task::By;
use crate::action::Action;
use crate::inverse::{InverseEvent, InverseStop};
use crate::neural::dialect::Dialect;
use crate::neural::dialect::debugger::inverse::InverseDialect;
use crate::neural::engine::{Engine, Interrupt};
use crate::neural::{
    Decoding, Inference, NeuralError, Predicted, Rollout, Sampling, WalkEnd, Walked,
};
use crate::python::{Grouped, Limits, PythonError};
use crate::state::{Event, Exit, Locals, State, Stop};

/// How a model is asked.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// How often, for each item.
    pub samples: u64,
    /// How freely it answers.
    pub sampling: Sampling,
    /// Which tokens its answers may be made of.
    pub decoding: Decoding,
    /// Most states of a trace.
    pub most_states: usize,
    /// When the real run is stopped.
    pub limits: Limits,
}

/// What a model speaks.
pub struct Tongue {
    /// Forward.
    pub forward: Box<dyn Dialect>,
    /// Inverse, if it was trained on it.
    pub inverse: Option<InverseDialect>,
}

/// Why there are no answers.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The interpreter can't be had.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// The model can't answer.
    #[error(transparent)]
    Neural(#[from] NeuralError),
}

/// Asks a model about items.
pub struct Asker<'m> {
    /// What it speaks.
    pub tongue: &'m Tongue,
    /// How it is asked.
    pub manner: Manner,
    /// Judges its answers.
    pub checker: Checker,
}

/// An answer before it is judged.
enum Said {
    /// A value.
    Value(String),
    /// Variables: at a breakpoint, or the arguments of a call.
    Locals(Locals),
    /// Nothing that answers the question.
    Nothing(Outcome, String),
}

impl Asker<'_> {
    /// The answers to an item; none if `stop` was set meanwhile.
    pub fn item(
        &mut self,
        engine: &mut dyn Engine,
        (place, item): (usize, &Item),
        by: By,
        stop: &AtomicBool,
    ) -> Result<Option<ItemRecord>, AnswerError> {
        let agrees = self.checker.outputs(item, &[&item.output])?.iter().all(Worth::is_right);
        let mut record = ItemRecord {
            place,
            id: item.id.clone(),
            by,
            agrees,
            returns: 0,
            unasked: None,
            answers: Vec::new(),
        };
        let asked = question::ask(self.checker.nursery(), item, by, self.manner.limits)?;
        let question = match asked {
            Ok(question) => question,
            Err(why) => return Ok(Some(ItemRecord { unasked: Some(why), ..record })),
        };
        record.returns = question.returns;
        let said = match self.say(engine, place, &question, stop) {
            Err(AnswerError::Neural(NeuralError::ProgramTooLong { capacity, .. })) => {
                let capacity = Grouped(capacity as u64);
                let why = format!("it leaves no room in the model's context of {capacity} tokens");
                return Ok(Some(ItemRecord { unasked: Some(why), ..record }));
            }
            said => said?,
        };
        if stop.load(Ordering::Acquire) {
            return Ok(None);
        }
        record.answers = self.judge(item, &question, said)?;
        Ok(Some(record))
    }

    /// Lets the model say as much as it is asked for, with the states that each answer took.
    fn say(
        &self,
        engine: &mut dyn Engine,
        place: usize,
        question: &Question,
        stop: &AtomicBool,
    ) -> Result<Vec<(Said, usize)>, AnswerError> {
        let Manner { samples, sampling, decoding, most_states, .. } = self.manner;
        // Each item draws by itself, so that its answers don't depend on which others are asked.
        let seed = sampling.seed.wrapping_add((place as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let sampling = Sampling { seed, ..sampling };
        let never = Interrupt::default();
        let numbers = || (1..=samples).take_while(|_| !stop.load(Ordering::Acquire));
        let forward = &*self.tongue.forward;
        let jump = |engine, told, action, read: fn(Predicted) -> Said| {
            let rollout = Rollout::begin(engine, forward, told, action, &never)?;
            let mut rollout = rollout.with_decoding(decoding);
            let said = |number| Ok((read(rollout.sample(sampling, number, &never)?), 1));
            numbers().map(said).collect()
        };
        match &question.put {
            Put::Return(told) => jump(engine, told, Action::StepReturn, returned),
            Put::Breakpoint { told, line, .. } => {
                jump(engine, told, Action::Breakpoint(line.clone()), stopped)
            }
            Put::Trace(told) => {
                let rollout = Rollout::begin(engine, forward, told, Action::StepInto, &never)?;
                let mut rollout = rollout.with_decoding(decoding);
                let said = |number| {
                    let end = end_of_call();
                    let walked = rollout.walk(sampling, number, most_states, end, &never)?;
                    Ok((traced(&walked), walked.states))
                };
                numbers().map(said).collect()
            }
            Put::Call(inverse) => {
                let Some(dialect) = &self.tongue.inverse else { return Ok(Vec::new()) };
                let inference = Inference::begin(engine, dialect, inverse, &never)?;
                let mut inference = inference.with_decoding(decoding);
                let said = |number| Ok((called(inference.sample(sampling, number, &never)?), 1));
                numbers().map(said).collect()
            }
        }
    }

    /// Finds out what answers are worth; equal ones once.
    fn judge(
        &mut self,
        item: &Item,
        question: &Question,
        said: Vec<(Said, usize)>,
    ) -> Result<Vec<Answer>, PythonError> {
        let mut known: HashMap<String, Answer> = HashMap::new();
        let mut answers = Vec::new();
        for (said, states) in said {
            let text = match &said {
                Said::Value(text) => text.clone(),
                Said::Locals(locals) => serde_json::to_string(locals).unwrap_or_default(),
                Said::Nothing(outcome, why) => {
                    answers.push(Answer::nothing(*outcome, why.clone(), states));
                    continue;
                }
            };
            let answer = match known.get(&text) {
                Some(answer) => answer.clone(),
                None => {
                    let (worth, exact) = self.worth(item, question, &said)?;
                    let answer = Answer::of(text.clone(), worth, exact);
                    known.entry(text).or_insert(answer).clone()
                }
            };
            answers.push(Answer { states, ..answer });
        }
        Ok(answers)
    }

    /// What an answer is worth, and whether its text is the real one.
    fn worth(
        &mut self,
        item: &Item,
        question: &Question,
        said: &Said,
    ) -> Result<(Worth, bool), PythonError> {
        let is_recorded = match (said, &question.put) {
            (Said::Value(text), _) => **text == *question.value,
            (Said::Locals(locals), Put::Breakpoint { stop, .. }) => are_same(locals, &stop.locals),
            (Said::Locals(locals), Put::Call(inverse)) => match inverse.recorded() {
                InverseStop::At(state) => are_same(locals, &state.locals.pairs),
                InverseStop::Entry(_) => false,
            },
            (Said::Locals(_) | Said::Nothing(..), _) => false,
        };
        // What was recorded gives what was recorded; what has no literal, a function say, is known by
        // its text alone.
        if is_recorded {
            return Ok((Worth::Right { same_types: true }, true));
        }
        let worth = match (said, &question.put) {
            (Said::Value(text), _) => self.checker.outputs(item, &[text])?.pop(),
            (Said::Locals(locals), Put::Breakpoint { expression, .. }) => {
                Some(self.checker.expression(item, expression, locals)?)
            }
            (Said::Locals(locals), Put::Call(_)) => Some(self.checker.arguments(item, locals)?),
            (Said::Locals(_) | Said::Nothing(..), _) => None,
        };
        Ok((worth.unwrap_or(Worth::NoValue), false))
    }
}

/// Whether both are the same variables with the same texts; their order doesn't matter.
fn are_same(a: &Locals, b: &Locals) -> bool {
    a.len() == b.len() && a.iter().all(|(name, value)| b.get(name) == Some(value))
}

/// Tells whether a state is the return of the call that a walk began in.
fn end_of_call() -> impl FnMut(&State) -> bool {
    let mut depth = 0u32;
    move |state| match state.event {
        Event::Return if depth == 0 => true,
        Event::Return => {
            depth -= 1;
            false
        }
        Event::Call => {
            depth += 1;
            false
        }
        Event::Line | Event::Exception => false,
    }
}

fn elsewhere(what: &str) -> Said {
    Said::Nothing(Outcome::Elsewhere, what.to_owned())
}

fn exited(exit: &Exit) -> Said {
    elsewhere(&format!("exit {}", exit.kind.name()))
}

/// What a return says.
fn returned(predicted: Predicted) -> Said {
    match predicted {
        Predicted::Stop(Stop::At(State { event: Event::Return, value: Some(value), .. })) => {
            Said::Value(value.to_string())
        }
        Predicted::Stop(Stop::At(state)) => elsewhere(state.event.name()),
        Predicted::Stop(Stop::Exit(exit)) => exited(&exit),
        Predicted::Malformed(malformed) => Said::Nothing(Outcome::Malformed, malformed.reason),
    }
}

/// What a stop at a line says of the variables there. Which line it is was told with the question,
/// so that the source that the model repeats is not judged.
fn stopped(predicted: Predicted) -> Said {
    match predicted {
        Predicted::Stop(Stop::At(state)) if state.event == Event::Line => {
            Said::Locals(state.locals)
        }
        other => match returned(other) {
            Said::Value(_) => elsewhere(Event::Return.name()),
            nothing => nothing,
        },
    }
}

fn traced(walked: &Walked) -> Said {
    match &walked.end {
        WalkEnd::At(stop) => returned(Predicted::Stop(stop.clone())),
        WalkEnd::Malformed(malformed) => returned(Predicted::Malformed(malformed.clone())),
        WalkEnd::TooLong => {
            let states = format!("{} states", walked.states);
            Said::Nothing(Outcome::TooLong, states)
        }
    }
}

/// What a call says of its arguments.
fn called(predicted: Predicted<InverseStop>) -> Said {
    match predicted {
        Predicted::Stop(InverseStop::At(state)) if state.event == InverseEvent::Call => {
            Said::Locals(state.locals.pairs)
        }
        Predicted::Stop(InverseStop::At(state)) => elsewhere(state.event.name()),
        Predicted::Stop(InverseStop::Entry(_)) => elsewhere("exit"),
        Predicted::Malformed(malformed) => Said::Nothing(Outcome::Malformed, malformed.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(event: Event) -> State {
        State {
            event,
            source: "    return x".into(),
            locals: [("x", "1")].into_iter().collect(),
            value: (event == Event::Return).then(|| "1".into()),
            exception: None,
            position: None,
        }
    }

    #[test]
    fn the_end_of_a_call_is_its_own_return() {
        use Event::{Call, Exception, Line, Return};
        let mut is_end = end_of_call();
        let events = [Line, Call, Line, Exception, Return, Line, Call, Call, Return, Return];
        assert!(events.into_iter().all(|event| !is_end(&state(event))));
        assert!(is_end(&state(Return)));
    }

    #[test]
    fn an_answer_to_another_question_says_where_it_is() {
        let at = |event| Predicted::Stop(Stop::At(state(event)));
        assert!(matches!(returned(at(Event::Return)), Said::Value(value) if value == "1"));
        for (said, expected) in
            [(returned(at(Event::Line)), "line"), (stopped(at(Event::Return)), "return")]
        {
            assert!(matches!(said, Said::Nothing(Outcome::Elsewhere, what) if what == expected));
        }
        assert!(matches!(stopped(at(Event::Line)), Said::Locals(_)));
    }
}
