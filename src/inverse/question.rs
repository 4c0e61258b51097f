//! A question to a model: what came before this state?
//!
//! *From here* the state itself is told, in full, and nothing that came later: what a person would
//! ask in a debugger. *From the return* the context walks back to it from the return of its call, as
//! the paper's trajectories do: more is told of where the run went, and less of the values at this
//! state ([`super::state`]).

use std::str::FromStr;

use super::action::InverseAction;
use super::check::Given;
use super::context::context;
use super::state::InverseStop;
use super::tree::{NoSpan, Node, Span};
use super::walk::{Run, Trajectory, Walk, visited_lines};
use crate::program::Program;
use crate::python::{PythonError, Recording};
use crate::state::State;

impl Run for Recording {
    fn state(&mut self, index: usize) -> Result<Option<State>, PythonError> {
        Recording::state(self, index)
    }
}

/// Where the way back to a state begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// At the state itself.
    #[default]
    Here,
    /// At the return of the call that it stands in.
    Return,
}

impl Beginning {
    /// The word for it on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Beginning::Here => "here",
            Beginning::Return => "return",
        }
    }
}

impl FromStr for Beginning {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "here" => Ok(Beginning::Here),
            "return" => Ok(Beginning::Return),
            _ => Err(format!("`{word}` is no beginning; say here or return")),
        }
    }
}

/// What a model is asked, and what it should say.
#[derive(Clone, Debug)]
pub struct Question {
    context: Program,
    walk: Trajectory,
    action: InverseAction,
    given: Given,
    recorded: InverseStop,
}

/// Why there is nothing to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoQuestion {
    /// There is no way back to the state.
    #[error(transparent)]
    NoSpan(#[from] NoSpan),
    /// The action isn't available.
    #[error("state {at} is a call: {action} leads nowhere from it")]
    NotAvailable {
        /// The state.
        at: usize,
        /// The action.
        action: InverseAction,
    },
}

impl Question {
    /// Asks where an action leads back from the recorded state of this index.
    pub fn new(
        recording: &mut Recording,
        at: usize,
        beginning: Beginning,
        action: InverseAction,
    ) -> Result<Result<Self, NoQuestion>, PythonError> {
        let span = match beginning {
            Beginning::Here => Span::up_to(recording, at)?,
            Beginning::Return => Span::around(recording, at)?,
        };
        let span = match span {
            Ok(span) => span,
            Err(why) => return Ok(Err(why.into())),
        };
        let (lines, function) = visited_lines(recording, span)?;
        let context = context(recording.program(), &lines, &function);
        let mut walk = Walk::begin(recording, span)?;
        let missing = Ok(Err(NoSpan::NoState { at }.into()));
        let InverseStop::At(first) = walk.here().clone() else { return missing };
        let mut steps = Vec::new();
        // The state stands on the level of its call, so that this passes it.
        while walk.node() != Some(Node::State(at)) {
            if !walk.take(InverseAction::StepOver)? {
                return missing;
            }
            steps.push((InverseAction::StepOver, walk.here().clone()));
        }
        let Some((_, recorded)) = walk.look(action)? else {
            return Ok(Err(NoQuestion::NotAvailable { at, action }));
        };
        let visited = walk.visited().clone();
        let Some(state) = recording.state(at)? else { return missing };
        let given = Given::new(at, state, &visited);
        let walk = Trajectory { first, steps };
        Ok(Ok(Question { context, walk, action, given, recorded }))
    }

    /// What is shown of the program.
    pub fn context(&self) -> &Program {
        &self.context
    }

    /// The way back to the state; it ends there.
    pub fn walk(&self) -> &Trajectory {
        &self.walk
    }

    /// The action.
    pub fn action(&self) -> InverseAction {
        self.action
    }

    /// The state, and what is told of it.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// Where the action led in the recorded run.
    pub fn recorded(&self) -> &InverseStop {
        &self.recorded
    }
}
