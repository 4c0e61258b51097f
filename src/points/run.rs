//! What points look at: a recorded run.

use crate::python::{PythonError, Recording};
use crate::state::{Exit, State};
use crate::tree::Trace;

/// A recorded run, as far as points look at it.
pub trait Run: Trace<Error = PythonError> {
    /// The state of this index, waiting for it if need be; none after the last.
    fn state(&mut self, index: usize) -> Result<Option<State>, PythonError>;

    /// The state before in the same activation; none at the first of an activation.
    fn previous(&mut self, index: usize) -> Result<Option<usize>, PythonError>;

    /// Whether the text of this variable may differ from the one at [`Run::previous`]. A quick look
    /// that says no only where that is certain.
    fn may_change(&mut self, index: usize, name: &str) -> Result<bool, PythonError>;

    /// How the run ends, waiting for it.
    fn exit(&mut self) -> Result<Exit, PythonError>;
}

impl Run for Recording {
    fn state(&mut self, index: usize) -> Result<Option<State>, PythonError> {
        Recording::state(self, index)
    }

    fn previous(&mut self, index: usize) -> Result<Option<usize>, PythonError> {
        Recording::previous(self, index)
    }

    fn may_change(&mut self, index: usize, name: &str) -> Result<bool, PythonError> {
        Recording::may_change(self, index, name)
    }

    fn exit(&mut self) -> Result<Exit, PythonError> {
        Recording::exit(self)
    }
}
