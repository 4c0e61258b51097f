//! Predicted predecessors, checked by running forward from them.
//!
//! Many states may have come before one, so that a prediction which isn't the recorded one may be
//! as good. Whether it is, only running tells: the program runs again to a recorded state of the
//! same frame, its variables get the predicted values, it goes on at the predicted line, and the
//! real interpreter must come to the given state. What the given state must look like then is what
//! was told of it: its line, its value, and those variables whose values were told; what a value was
//! at last is never told in this format, and may be anything.
//!
//! So *valid* has a witness: a real run that stood at the predicted state and went on to the given
//! one. *Invalid* has none: a state doesn't say where a loop's iterator stands or which names share
//! an object, and it is tried with those that the recorded run had at the places where the frame
//! was at that line or right before the given state, not with all that there could be.

mod attempt;
mod goal;

pub use goal::Given;

use serde::Serialize;

use super::action::InverseAction;
use super::literal;
use super::state::{InverseEvent, InverseState, InverseStop, Told};
use crate::neural::Predicted;
use crate::python::{PythonError, Recording};
use crate::state::{Event, Locals, State, Text};
use attempt::{Attempt, Failure, Start, World};
use goal::{Goal, Reach};

/// What a predicted predecessor is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", content = "reason", rename_all = "lowercase")]
pub enum Verdict {
    /// It says what was recorded.
    Exact,
    /// It is another predecessor that works.
    Valid,
    /// The given state is not reached from it; why.
    Invalid(String),
    /// It is no legal frame; the first rule that it breaks.
    Malformed(String),
    /// It can't be run from; why.
    Unchecked(String),
}

impl Verdict {
    /// The word for this verdict in JSON and in a table.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Exact => "exact",
            Verdict::Valid => "valid",
            Verdict::Invalid(_) => "invalid",
            Verdict::Malformed(_) => "malformed",
            Verdict::Unchecked(_) => "unchecked",
        }
    }

    /// Why, where there is something to say.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Verdict::Exact | Verdict::Valid => None,
            Verdict::Invalid(why) | Verdict::Malformed(why) | Verdict::Unchecked(why) => Some(why),
        }
    }
}

/// Most places that a predicted state is run from.
const MAX_STARTS: usize = 8;
/// Most recorded states of a frame that are looked through for such places.
const MAX_LOOKED_AT: usize = 10_000;

/// Checks predictions of what came before one recorded state.
pub struct Checker<'r> {
    recording: &'r mut Recording,
    world: World,
    given: Given,
    /// What was run from already: models repeat themselves.
    judged: Vec<(InverseAction, InverseStop, Verdict)>,
}

impl<'r> Checker<'r> {
    /// A checker for this state of a recorded run. What ends a wait for that run ends its own, too.
    pub fn new(recording: &'r mut Recording, given: Given) -> Self {
        let (program, options) = (recording.program().clone(), recording.options().clone());
        let interrupt = recording.interrupt();
        let world = World { program, options, interrupt };
        Checker { recording, world, given, judged: Vec::new() }
    }

    /// Judges a prediction of where `action` leads from the given state, where it leads to
    /// `recorded` in the recorded run.
    ///
    /// # Errors
    ///
    /// If the recording fails, or the program can't be run again at all.
    pub fn check(
        &mut self,
        action: InverseAction,
        recorded: &InverseStop,
        predicted: &Predicted<InverseStop>,
    ) -> Result<Verdict, PythonError> {
        let stop = match predicted {
            Predicted::Malformed(malformed) => {
                return Ok(Verdict::Malformed(malformed.reason.clone()));
            }
            Predicted::Stop(stop) => stop,
        };
        match recorded.agrees_with(stop, &self.given.later()) {
            true => Ok(Verdict::Exact),
            false => self.by_running(action, recorded, stop),
        }
    }

    /// The same, without a look at whether it says what was recorded: what was recorded is valid.
    pub fn by_running(
        &mut self,
        action: InverseAction,
        recorded: &InverseStop,
        stop: &InverseStop,
    ) -> Result<Verdict, PythonError> {
        let invalid = |why: &str| Ok(Verdict::Invalid(why.to_owned()));
        match (recorded, stop) {
            (InverseStop::Entry(_), InverseStop::Entry(_)) => Ok(Verdict::Valid),
            (InverseStop::Entry(_), _) => invalid("nothing comes before the call of the entry"),
            (_, InverseStop::Entry(_)) => invalid("the call of the entry comes before this state"),
            (_, InverseStop::At(state)) => match self.reach(action, state.event) {
                Ok(reach) => self.run_once_from(action, stop, state, reach),
                Err(why) => Ok(why),
            },
        }
    }

    /// How the given state must be reached from a state of this event.
    fn reach(&self, action: InverseAction, event: InverseEvent) -> Result<Reach, Verdict> {
        let invalid = |why: &str| Err(Verdict::Invalid(why.to_owned()));
        let is_call = self.given.state.event == Event::Call;
        match (action, event) {
            (InverseAction::StepCall, InverseEvent::Call) => Ok(Reach::Later),
            (InverseAction::StepCall, _) => invalid("inv_step_call leads to a call"),
            (_, InverseEvent::Line) => Ok(Reach::Next),
            (_, InverseEvent::LineCall) if is_call => {
                invalid("the copy of the line comes after what it called")
            }
            (_, InverseEvent::LineCall) => Ok(Reach::OverCalls),
            (_, InverseEvent::Call) if is_call => invalid("a call comes before no call"),
            (_, InverseEvent::Call) => Ok(Reach::Next),
            (_, InverseEvent::Return) if is_call => {
                Err(Verdict::Unchecked("what another call returned can't be set".to_owned()))
            }
            (_, InverseEvent::Return) => invalid("what a line called comes after the line's copy"),
        }
    }

    /// Runs from a predicted state, unless it was done before.
    fn run_once_from(
        &mut self,
        action: InverseAction,
        stop: &InverseStop,
        state: &InverseState,
        reach: Reach,
    ) -> Result<Verdict, PythonError> {
        let known = self.judged.iter().find(|(a, judged, _)| *a == action && judged == stop);
        if let Some((_, _, verdict)) = known {
            return Ok(verdict.clone());
        }
        let verdict = self.run_from(state, reach)?;
        self.judged.push((action, stop.clone(), verdict.clone()));
        Ok(verdict)
    }

    fn run_from(&mut self, state: &InverseState, reach: Reach) -> Result<Verdict, PythonError> {
        let starts = match state.event {
            InverseEvent::Call => self.start_at_call(state)?,
            _ => self.starts_at_line(state)?,
        };
        let starts = match starts {
            Ok(starts) => starts,
            Err(why) => return Ok(Verdict::Invalid(why)),
        };
        let goal = Goal { given: &self.given, reach };
        let (mut invalid, mut unchecked) = (None, None);
        for start in starts {
            let attempt = match self.attempt(start, &state.locals) {
                Ok(attempt) => attempt,
                Err(why) => {
                    unchecked.get_or_insert(why);
                    continue;
                }
            };
            match attempt.run(&self.world, &goal)? {
                Ok(()) => return Ok(Verdict::Valid),
                Err(Failure::Missed(why)) => _ = invalid.get_or_insert(why),
                Err(Failure::Unusable(why)) => _ = unchecked.get_or_insert(why),
            }
        }
        Ok(match (invalid, unchecked) {
            (Some(why), _) => Verdict::Invalid(why),
            (None, Some(why)) => Verdict::Unchecked(why),
            (None, None) => {
                Verdict::Unchecked("the frame was nowhere that a run could start from".to_owned())
            }
        })
    }

    /// The frame's own call, where its arguments are set.
    fn start_at_call(
        &mut self,
        state: &InverseState,
    ) -> Result<Result<Vec<Start>, String>, PythonError> {
        let mut at = self.given.at;
        while let Some(before) = self.recording.previous(at)? {
            at = before;
            let found = self.recording.state(at)?;
            if let Some(call) = found.filter(|found| found.event == Event::Call) {
                if call.source != state.source {
                    return Ok(Err(format!("the call stands at `{}`", call.source.trim())));
                }
                let unknown = state.locals.pairs.iter().find(|(n, _)| call.locals.get(n).is_none());
                if let Some((name, _)) = unknown {
                    return Ok(Err(format!("the call has no argument `{name}`")));
                }
                return Ok(Ok(vec![Start { at, jump: None, state: call }]));
            }
        }
        Ok(Ok(Vec::new()))
    }

    /// Where the frame is at the predicted line, or can be put there: the likeliest places first.
    fn starts_at_line(
        &mut self,
        state: &InverseState,
    ) -> Result<Result<Vec<Start>, String>, PythonError> {
        let lines = self.world.program.numbers_of(&state.source);
        if lines.is_empty() {
            return Ok(Err(format!("the program has no line `{}`", state.source.trim())));
        }
        let is_there = |state: &State| state.line().is_some_and(|line| lines.contains(&line));
        let is_line = |state: &State| state.event == Event::Line;
        let before = self.frame_before()?;
        let jump_from = |at: usize, state: &State| {
            let jumps =
                lines.iter().map(|&line| Start { at, jump: Some(line), state: state.clone() });
            jumps.collect::<Vec<_>>()
        };
        let mut starts = Vec::new();
        // Right before the given state, where everything that no state shows is as it must be.
        let nearest = before.first().filter(|(_, state)| is_line(state));
        if let Some((at, state)) = nearest {
            match is_there(state) {
                true => starts.push(Start { at: *at, jump: None, state: state.clone() }),
                false => starts.extend(jump_from(*at, state)),
            }
        }
        let earlier = before.iter().skip(1).filter(|(_, state)| is_line(state) && is_there(state));
        starts.extend(earlier.map(|(at, state)| Start {
            at: *at,
            jump: None,
            state: state.clone(),
        }));
        starts.truncate(MAX_STARTS / 2);
        if is_line(&self.given.state) {
            starts.extend(jump_from(self.given.at, &self.given.state));
        }
        if let Some((at, state)) = nearest.filter(|(_, state)| is_there(state)) {
            starts.extend(jump_from(*at, state));
        }
        starts.truncate(MAX_STARTS);
        Ok(Ok(starts))
    }

    /// The recorded states of the frame that comes before the given state, latest first: of its own
    /// frame, or of the caller's before a call.
    fn frame_before(&mut self) -> Result<Vec<(usize, State)>, PythonError> {
        let mut at = match self.given.state.event {
            Event::Call => self.given.at.checked_sub(1),
            _ => self.recording.previous(self.given.at)?,
        };
        let mut states = Vec::new();
        let depth = self.given.depth() - u32::from(self.given.state.event == Event::Call);
        while let Some(index) = at
            && states.len() < MAX_LOOKED_AT
        {
            let Some(state) = self.recording.state(index)? else { break };
            if state.position.as_ref().is_some_and(|position| position.depth != depth) {
                break;
            }
            states.push((index, state));
            at = self.recording.previous(index)?;
        }
        Ok(states)
    }

    /// A run from there with the variables that are told; why there is none.
    fn attempt(&self, start: Start, told: &Told) -> Result<Attempt, String> {
        let later = match self.given.state.event {
            Event::Call => &start.state.locals,
            _ => &self.given.state.locals,
        };
        let settings = settings(&start, told, later)?;
        Ok(Attempt { start, settings })
    }
}

/// The variables to set where a run starts, and the expressions of their values: those told, and of
/// those left out the ones that have another value there than in the later state. A variable that
/// is left out and doesn't exist yet at the line itself stays so: that isn't marked in the format.
fn settings(start: &Start, told: &Told, later: &Locals) -> Result<Vec<(Text, String)>, String> {
    let here = &start.state.locals;
    let rest = later.iter().filter(|(name, _)| told.rest && told.pairs.get(name).is_none());
    let rest = rest.filter(|(name, _)| start.jump.is_some() || here.get(name).is_some());
    told.pairs
        .iter()
        .chain(rest)
        .filter(|(name, value)| here.get(name) != Some(*value))
        .map(|(name, value)| match literal::expression(value) {
            Some(expression) => Ok((name.clone(), expression)),
            None => Err(format!("`{name}` can't be set: `{value}` is made of more than constants")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Position;

    fn locals(pairs: &[(&str, &str)]) -> Locals {
        pairs.iter().copied().collect()
    }

    fn start(jump: Option<u32>, pairs: &[(&str, &str)]) -> Start {
        let function = "f".into();
        let position = Position { function, line: 1, depth: 0, activation: 0, unwinds: false };
        let state = State {
            event: Event::Line,
            source: "x".into(),
            locals: locals(pairs),
            value: None,
            exception: None,
            position: Some(position),
        };
        Start { at: 3, jump, state }
    }

    fn set(start: &Start, told: &[(&str, &str)], rest: bool) -> Result<Vec<String>, String> {
        let later = locals(&[("a", "1"), ("b", "2"), ("o", "<object>")]);
        let told = Told { pairs: locals(told), rest };
        let settings = settings(start, &told, &later)?;
        Ok(settings.iter().map(|(name, value)| format!("{name} = {value}")).collect())
    }

    #[test]
    fn only_what_differs_is_set() {
        let here = start(None, &[("a", "1"), ("b", "3"), ("o", "<object>")]);
        assert_eq!(set(&here, &[("a", "5")], true), Ok(vec!["a = 5".into(), "b = 2".into()]));
        assert_eq!(set(&here, &[("a", "1")], false), Ok(vec![]));
        assert_eq!(set(&here, &[("o", "<object>")], false), Ok(vec![]));
    }

    #[test]
    fn what_does_not_exist_yet_stays_so_unless_the_run_jumps() {
        let here = start(None, &[("a", "1"), ("o", "<object>")]);
        assert_eq!(set(&here, &[], true), Ok(vec![]));
        let jump = start(Some(9), &[("a", "1"), ("o", "<object>")]);
        assert_eq!(set(&jump, &[], true), Ok(vec!["b = 2".into()]));
    }

    #[test]
    fn objects_can_be_kept_but_not_made() {
        let other = start(None, &[("o", "<other>")]);
        assert_eq!(
            set(&other, &[], true),
            Err("`o` can't be set: `<object>` is made of more than constants".into())
        );
    }
}
