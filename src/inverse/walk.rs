//! The reversed recording of one call, step by step: what a model learns from, and what its context
//! holds when it is asked.
//!
//! The copy of a calling line shows the line's own variables, as the line's state does: a recording
//! knows a frame's variables at the frame's own events only. What a callee changed inside a shared
//! object is thus undone for the caller at the copy already, and for the callee on the way through
//! it.

use std::collections::BTreeSet;

use super::action::InverseAction;
use super::state::{InverseEvent, InverseState, InverseStop, Visited};
use super::tree::{self, Node, Span, Target};
use crate::python::{PythonError, Recording};
use crate::state::{State, Text};
use crate::tree::Trace;

/// A recorded run that may still be growing.
pub trait Run: Trace {
    /// The state of this index, waiting for it if need be; none after the last.
    fn state(&mut self, index: usize) -> Result<Option<State>, Self::Error>;
}

impl Run for Recording {
    fn state(&mut self, index: usize) -> Result<Option<State>, PythonError> {
        Recording::state(self, index)
    }
}

/// A walk back through one call.
pub struct Walk<'r, R> {
    run: &'r mut R,
    span: Span,
    /// None at the exit state.
    node: Option<Node>,
    here: InverseStop,
    visited: Visited,
}

/// A walk back as it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trajectory {
    /// The return that it starts at.
    pub first: InverseState,
    /// Each action, and where it led.
    pub steps: Vec<(InverseAction, InverseStop)>,
}

impl<'r, R: Run> Walk<'r, R> {
    /// A walk that stands at the return of a call.
    pub fn begin(run: &'r mut R, span: Span) -> Result<Self, R::Error> {
        let here = InverseStop::entry();
        let mut walk =
            Walk { run, span, node: Some(span.start()), here, visited: Visited::default() };
        if let Some((event, state)) = walk.recorded(span.start())? {
            walk.here = InverseStop::At(walk.visited.say(event, &state));
            walk.visited.visit(event, &state);
        }
        Ok(walk)
    }

    /// What the state says where the walk stands.
    pub fn here(&self) -> &InverseStop {
        &self.here
    }

    /// The node where the walk stands; none at the exit state.
    pub fn node(&self) -> Option<Node> {
        self.node
    }

    /// What the walk has visited so far.
    pub fn visited(&self) -> &Visited {
        &self.visited
    }

    /// The run that is walked.
    pub fn run(&mut self) -> &mut R {
        self.run
    }

    /// Where an action leads from here and what is said there, without going; none if it isn't
    /// available.
    pub fn look(
        &mut self,
        action: InverseAction,
    ) -> Result<Option<(Target, InverseStop)>, R::Error> {
        let Some(from) = self.node else { return Ok(None) };
        let Some(target) = tree::target(self.run, self.span, from, action)? else {
            return Ok(None);
        };
        let stop = match target {
            Target::Entry => InverseStop::entry(),
            Target::Node(node) => match self.recorded(node)? {
                Some((event, state)) => InverseStop::At(self.visited.say(event, &state)),
                None => return Ok(None),
            },
        };
        Ok(Some((target, stop)))
    }

    /// Takes an action; whether it was available.
    pub fn take(&mut self, action: InverseAction) -> Result<bool, R::Error> {
        let Some((target, stop)) = self.look(action)? else { return Ok(false) };
        self.node = match target {
            Target::Entry => None,
            Target::Node(node) => {
                if let Some((event, state)) = self.recorded(node)? {
                    self.visited.visit(event, &state);
                }
                Some(node)
            }
        };
        self.here = stop;
        Ok(true)
    }

    /// The recorded state of a node, and the event that it stands for.
    pub fn recorded(&mut self, node: Node) -> Result<Option<(InverseEvent, State)>, R::Error> {
        let state = self.run.state(node.index())?;
        Ok(state.and_then(|state| Some((InverseEvent::of(node, state.event)?, state))))
    }
}

impl Trajectory {
    /// The walk back through a call that takes the actions chosen, to the exit state or until
    /// there are `most` steps. The chooser is told whether `inv_step_call` is available; what isn't
    /// available where it is chosen becomes `inv_step_into`. None if the first state is missing.
    pub fn through<R: Run>(
        run: &mut R,
        span: Span,
        most: usize,
        mut choose: impl FnMut(bool) -> InverseAction,
    ) -> Result<Option<Self>, R::Error> {
        let mut walk = Walk::begin(run, span)?;
        let InverseStop::At(first) = walk.here().clone() else { return Ok(None) };
        let mut steps = Vec::new();
        while steps.len() < most && walk.node().is_some() {
            let can_call = walk.look(InverseAction::StepCall)?.is_some();
            let mut action = choose(can_call);
            if !can_call && action == InverseAction::StepCall {
                action = InverseAction::StepInto;
            }
            if !walk.take(action)? {
                break;
            }
            steps.push((action, walk.here().clone()));
        }
        Ok(Some(Trajectory { first, steps }))
    }
}

/// The lines that the states of a call stand on, and the name of its function.
pub fn visited_lines<R: Run>(run: &mut R, span: Span) -> Result<(BTreeSet<u32>, Text), R::Error> {
    let mut lines = BTreeSet::new();
    for index in span.call()..=span.last() {
        lines.extend(run.node(index)?.map(|node| node.line));
    }
    let call = run.state(span.call())?;
    let function = call.and_then(|state| state.position).map(|position| position.function);
    Ok((lines, function.unwrap_or_default()))
}
