//! The given state, and what a run must come to so as to reach it.

use crate::inverse::state::Visited;
use crate::python::{PythonError, Recording};
use crate::state::{Event, Locals, State, Text};
use crate::tree::{Node, Trace};

/// The state from which a model was asked to go back.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its recorded index.
    pub at: usize,
    /// The state.
    pub state: State,
    /// Its variables whose values were told.
    pub known: Locals,
}

/// How the given state must be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// As the next state.
    Next,
    /// As the next state on the same level, after calls.
    OverCalls,
    /// As a later state of the same frame.
    Later,
}

/// What a run must come to.
pub(super) struct Goal<'g> {
    pub given: &'g Given,
    pub reach: Reach,
}

impl Given {
    /// The state of this index, as it was told to one who has visited this much.
    pub fn new(at: usize, state: State, visited: &Visited) -> Self {
        let known = match state.event {
            // Told in full, and its frame then left.
            Event::Call => state.locals.clone(),
            _ => visited.known(&state).cloned().unwrap_or_default(),
        };
        Given { at, state, known }
    }

    /// The variables that those stand for which a state before this one leaves out. Before a call
    /// comes a state of another frame, which tells all that are known of it.
    pub fn later(&self) -> Locals {
        match self.state.event {
            Event::Call => Locals::new(),
            Event::Line | Event::Return | Event::Exception => self.state.locals.clone(),
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.state.position.as_ref().map_or(0, |position| position.depth)
    }

    /// In what a state of another run differs from this one; none if in nothing that was told.
    /// `unbound` may be there with the value None: a jump gives it to what has no value.
    fn difference(&self, found: &State, unbound: &dyn Fn(&str) -> bool) -> Option<String> {
        let given = &self.state;
        let place =
            |state: &State| state.position.as_ref().map(|p| (p.line, p.depth, p.function.clone()));
        if found.position.as_ref().is_some_and(|position| position.unwinds) {
            return Some(format!(
                "an exception leaves the run from it at `{}`",
                found.source.trim()
            ));
        }
        if found.event != given.event || place(found) != place(given) {
            return Some(format!(
                "the run from it comes to {} `{}`, not to {} `{}`",
                found.event.name(),
                found.source.trim(),
                given.event.name(),
                given.source.trim()
            ));
        }
        let missed = |what: &str, found: Option<&Text>, given: &Text| match found {
            Some(found) => Some(format!("{what} is {found} there, not {given}")),
            None => Some(format!("{what} has no value there, not {given}")),
        };
        if let Some(value) =
            given.value.as_ref().filter(|value| found.value.as_ref() != Some(value))
        {
            return missed("the returned value", found.value.as_ref(), value);
        }
        let wrong = self.known.iter().find(|(name, value)| found.locals.get(name) != Some(*value));
        if let Some((name, value)) = wrong {
            return missed(&format!("`{name}`"), found.locals.get(name), value);
        }
        let all_known = self.known.len() == given.locals.len() && given.event != Event::Return;
        let extra = found.locals.iter().find(|(name, value)| {
            let left_over = &***value == "None" && unbound(name);
            all_known && given.locals.get(name).is_none() && !left_over
        });
        extra.map(|(name, value)| format!("`{name}` is {value} there and doesn't exist here"))
    }
}

impl Goal<'_> {
    /// Whether a run that stands at the state of index `from` comes to the given state; why not.
    pub(super) fn is_reached(
        &self,
        run: &mut Recording,
        from: usize,
        unbound: &dyn Fn(&str) -> bool,
    ) -> Result<Result<(), String>, PythonError> {
        let Some(start) = run.node(from)? else { return Ok(Err(ends(run)?)) };
        match self.reach {
            Reach::Next => self.is_at(run, from + 1, unbound),
            Reach::OverCalls => {
                let mut at = from + 1;
                while run.node(at)?.is_some_and(|node| node.depth > start.depth) {
                    at += 1;
                }
                match at == from + 1 {
                    true => Ok(Err("its line calls nothing".to_owned())),
                    false => self.is_at(run, at, unbound),
                }
            }
            Reach::Later => self.is_later(run, from, start, unbound),
        }
    }

    fn is_at(
        &self,
        run: &mut Recording,
        at: usize,
        unbound: &dyn Fn(&str) -> bool,
    ) -> Result<Result<(), String>, PythonError> {
        let Some(found) = run.state(at)? else { return Ok(Err(ends(run)?)) };
        Ok(self.given.difference(&found, unbound).map_or(Ok(()), Err))
    }

    /// Looks for the given state until the frame is left; says how its last state differs.
    fn is_later(
        &self,
        run: &mut Recording,
        from: usize,
        start: Node,
        unbound: &dyn Fn(&str) -> bool,
    ) -> Result<Result<(), String>, PythonError> {
        let mut at = from + 1;
        while let Some(node) = run.node(at)?.filter(|node| node.depth >= start.depth) {
            if node.depth == start.depth {
                let found = self.is_at(run, at, unbound)?;
                if found.is_ok() || node.event == Event::Return {
                    return Ok(found);
                }
            }
            at += 1;
        }
        Ok(Err(ends(run)?))
    }
}

/// How a run ends that ends too soon.
fn ends(run: &mut Recording) -> Result<String, PythonError> {
    Ok(format!("the run from it ends before ({})", run.exit()?))
}
