//! A run that is recorded to its end, and why one is not taken.

use std::convert::Infallible;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::encoder;
use super::recipe::Keep;
use crate::inverse::Run;
use crate::program::Program;
use crate::python::{Limits, Nursery, PythonError, Recording, RunOptions};
use crate::state::{Exit, ExitKind, State};
use crate::tree::{Node, Trace};

/// A recorded run.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Its states.
    pub states: Vec<State>,
    /// Their nodes.
    pub nodes: Vec<Node>,
    /// How it ended.
    pub exit: Exit,
}

/// Why nothing is taken of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// The static check found an error.
    Unsound,
    /// No change of the program that it was to be made of is sound.
    NoMutant,
    /// The interpreter refused it, or failed.
    Refused,
    /// It spells a special token.
    SpellsToken,
    /// The program's text is too long.
    LongProgram,
    /// Its run has too few states.
    ShortRun,
    /// Its run has too many states, or met another limit.
    LongRun,
    /// It has a value whose text is too long.
    LargeValue,
    /// It is like a program that was to be left out.
    Excluded,
    /// It is like a program that was there before.
    Repeated,
    /// No walk through it has an action that fits.
    NoWalk,
}

impl Left {
    /// What people read.
    pub fn reason(self) -> &'static str {
        match self {
            Left::Unsound => "the static check refused it",
            Left::NoMutant => "no mutant was found",
            Left::Refused => "it could not be run",
            Left::SpellsToken => "it spells a special token",
            Left::LongProgram => "the program is too long",
            Left::ShortRun => "the run is too short",
            Left::LongRun => "the run is too long",
            Left::LargeValue => "a value is too long",
            Left::Excluded => "like an excluded program",
            Left::Repeated => "like a program before it",
            Left::NoWalk => "no walk fits",
        }
    }
}

/// A run needs milliseconds; this is for a machine that is busy with other things, since how long
/// it takes must not decide what is in a dataset.
const TIME: Duration = Duration::from_secs(60);
const MEMORY: u64 = 256 << 20;
const OUTPUT: u64 = 64 << 10;
const DEPTH: u32 = 100;

impl Recorded {
    /// Runs a program; or why nothing is taken of it.
    pub fn of(nursery: &mut Nursery, program: &Program, keep: &Keep) -> Result<Self, Left> {
        let limits = Limits {
            steps: keep.max_states as u64 + 1,
            time: TIME,
            memory: MEMORY,
            output: OUTPUT,
            depth: DEPTH,
            // One that is cut is longer than what is kept.
            value: keep.max_value.saturating_add(100).try_into().unwrap_or(u32::MAX),
        };
        let options = RunOptions { limits, ..RunOptions::default() };
        let recorded = nursery.record(program, &options, Self::read);
        let run = recorded.map_err(|_| Left::Refused)?;
        run.fault(keep).map_or(Ok(run), Err)
    }

    fn read(recording: &mut Recording) -> Result<Self, PythonError> {
        let (mut states, mut nodes) = (Vec::new(), Vec::new());
        while let Some(node) = Trace::node(recording, states.len())? {
            states.extend(recording.state(states.len())?);
            nodes.push(node);
        }
        Ok(Recorded { states, nodes, exit: recording.exit()? })
    }

    fn fault(&self, keep: &Keep) -> Option<Left> {
        let values = || {
            self.states.iter().flat_map(|state| {
                let locals = state.locals.iter().map(|(_, value)| value);
                let message = state.exception.as_ref().map(|raised| &raised.message);
                locals.chain(&state.value).chain(message)
            })
        };
        if self.exit.kind == ExitKind::Stopped || self.states.len() > keep.max_states {
            Some(Left::LongRun)
        } else if self.states.len() < keep.min_states {
            Some(Left::ShortRun)
        } else if values().any(|value| value.chars().count() > keep.max_value) {
            Some(Left::LargeValue)
        } else if values().any(|value| encoder::spells_token(value)) {
            Some(Left::SpellsToken)
        } else {
            None
        }
    }
}

impl Trace for Recorded {
    type Error = Infallible;

    fn node(&mut self, index: usize) -> Result<Option<Node>, Infallible> {
        Ok(self.nodes.get(index).copied())
    }
}

impl Run for Recorded {
    fn state(&mut self, index: usize) -> Result<Option<State>, Infallible> {
        Ok(self.states.get(index).cloned())
    }
}
