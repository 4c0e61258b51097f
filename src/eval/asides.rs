//! Actions that are tried from a state beside the one that the walk takes.

use std::collections::HashMap;

use crate::action::Action;
use crate::policy::Chooser;
use crate::python::{PythonError, Recording};
use crate::session::{Session, SessionError};
use crate::state::Event;
use crate::tree::{self, Target, Trace};

/// Every action but `step_into`.
pub(super) fn all_but_into(
    session: &mut Session,
    chooser: &mut Chooser,
) -> Result<Vec<Action>, SessionError> {
    let mut actions = vec![Action::StepOver, Action::StepReturn];
    actions.extend(session.with_place(|place| chooser.breakpoint(place))?);
    actions.push(Action::Continue);
    Ok(actions)
}

/// The jumps of the horizon study (spec, section 5.4): to the return of the frame, whose distance
/// shrinks from state to state, and to the states that are 1, 2, 4, 8 and so on further, where a
/// breakpoint on their line leads there.
pub(super) fn jumps(session: &mut Session) -> Result<Vec<Action>, SessionError> {
    let Some(here) = session.index() else { return Ok(Vec::new()) };
    let mut actions = vec![Action::StepReturn];
    let program = session.program().clone();
    let mut distance = 1;
    while let Some(node) = session.recording().node(here + distance)? {
        let breakpoint = Action::Breakpoint(program.line(node.line));
        let leads = tree::target(session.recording(), &program, here, &breakpoint)?;
        if leads == Some(Target::State(here + distance)) {
            actions.push(breakpoint);
        }
        distance *= 2;
    }
    Ok(actions)
}

/// How long the frames of a run are.
#[derive(Default)]
pub(super) struct Frames {
    /// Of a call: its return.
    returns: HashMap<usize, Option<usize>>,
}

impl Frames {
    /// How many states come after the call of this state's frame up to its return, the return
    /// included; none if it doesn't return.
    pub fn states_after_call(
        &mut self,
        recording: &mut Recording,
        at: usize,
    ) -> Result<Option<usize>, PythonError> {
        let Some(call) = call_of(recording, at)? else { return Ok(None) };
        let end = match self.returns.get(&call) {
            Some(known) => *known,
            None => {
                let program = recording.program().clone();
                let found = tree::target(recording, &program, call, &Action::StepReturn)?;
                let end = match found {
                    Some(Target::State(end)) => Some(end),
                    Some(Target::Exit) | None => None,
                };
                *self.returns.entry(call).or_insert(end)
            }
        };
        Ok(end.map(|end| end - call))
    }
}

/// The call of a state's frame.
fn call_of(recording: &mut Recording, at: usize) -> Result<Option<usize>, PythonError> {
    let Some(here) = recording.node(at)? else { return Ok(None) };
    for index in (0..=at).rev() {
        let Some(node) = recording.node(index)? else { break };
        if node.depth < here.depth {
            break;
        }
        if node.depth == here.depth && node.event == Event::Call {
            return Ok(Some(index));
        }
    }
    Ok(None)
}
