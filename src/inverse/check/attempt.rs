//! One run from a predicted state: the recorded run, edited where it starts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::goal::Goal;
use crate::program::Program;
use crate::python::{Edit, PythonError, Recording, RunOptions};
use crate::state::{Event, State, Text};

/// States that a run may go on for after it was edited.
const MAX_STEPS: u64 = 100_000;

/// How the refusal to set a variable begins that the program may well have.
const HIDDEN: &str = "a comprehension's variable";

/// What runs, and how.
pub(super) struct World {
    pub program: Program,
    pub options: RunOptions,
    /// Ends a wait for it.
    pub interrupt: Arc<AtomicBool>,
}

/// A recorded state that a run is started from.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Its index.
    pub at: usize,
    /// The line where the run goes on, if that is another, or the same once more.
    pub jump: Option<u32>,
    /// The state.
    pub state: State,
}

/// A run that starts at a predicted state.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub start: Start,
    /// Variables, and the expressions of their new values.
    pub settings: Vec<(Text, String)>,
}

/// Why the given state is not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The run came to something else.
    Missed(String),
    /// There could be no such run.
    Unusable(String),
}

impl Attempt {
    /// Runs, and looks whether the goal is reached.
    pub(super) fn run(
        &self,
        world: &World,
        goal: &Goal,
    ) -> Result<Result<(), Failure>, PythonError> {
        match self.try_run(world, goal) {
            Err(error @ PythonError::Waits(_)) => Ok(Err(Failure::Unusable(error.to_string()))),
            done => done,
        }
    }

    fn try_run(&self, world: &World, goal: &Goal) -> Result<Result<(), Failure>, PythonError> {
        let unusable = |why: String| Ok(Err(Failure::Unusable(why)));
        let World { program, options, interrupt } = world;
        let options = self.edited(options);
        let run = Recording::start_interruptibly(program, &options, interrupt.clone());
        let mut run = match run {
            Ok(run) => run,
            Err(PythonError::Change { name, why, .. }) => {
                let reason = format!("`{name}` can't be set: {why}");
                // Anything else is the prediction's fault: no such variable, or no value.
                return Ok(Err(match why.starts_with(HIDDEN) {
                    true => Failure::Unusable(reason),
                    false => Failure::Missed(reason),
                }));
            }
            Err(PythonError::Jump { line, why, .. }) => {
                return unusable(format!("the run can't start at line {line}: {why}"));
            }
            Err(error @ PythonError::EditUnreached { .. }) => return unusable(error.to_string()),
            Err(error) => return Err(error),
        };
        let from = match self.start.jump {
            None => self.start.at,
            Some(line) => {
                let landed = run.state(self.start.at + 1)?;
                let is_there =
                    |state: &State| state.event == Event::Line && state.line() == Some(line);
                if !landed.as_ref().is_some_and(is_there) {
                    return unusable(format!("nothing of this function starts at line {line}"));
                }
                self.start.at + 1
            }
        };
        let unbound =
            |name: &str| self.start.jump.is_some() && self.start.state.locals.get(name).is_none();
        Ok(goal.is_reached(&mut run, from, &unbound)?.map_err(Failure::Missed))
    }

    /// The recorded run's options with what makes it start here. What was set later in that run
    /// was set in another future.
    fn edited(&self, options: &RunOptions) -> RunOptions {
        let at = self.start.at;
        let mut options = options.clone();
        options.edits.retain(|edit| match edit {
            Edit::Set { at: earlier, .. } | Edit::Jump { at: earlier, .. } => *earlier <= at,
            Edit::Answer { .. } => true,
        });
        options.edits.extend(self.start.jump.map(|line| Edit::Jump { at, line }));
        options.edits.extend(self.settings.iter().map(|(name, expression)| Edit::Set {
            at,
            frame: 0,
            name: name.to_string(),
            expression: expression.clone(),
        }));
        options.limits.steps = options.limits.steps.min(at as u64 + MAX_STEPS);
        options
    }
}
