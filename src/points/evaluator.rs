//! The seam to the interpreter: what evaluates a Python expression in a stopped program.

use crate::python::{Evaluated, Inspector, PythonError};

/// Evaluates expressions in the states of a recorded run.
pub trait Evaluator {
    /// Evaluates `expression` in a frame of the state of index `at`: frame 0 is the innermost, 1 its
    /// caller. Asking at increasing indices is cheap, going back is not.
    fn evaluate(
        &mut self,
        at: usize,
        frame: usize,
        expression: &str,
    ) -> Result<Evaluated, PythonError>;
}

impl Evaluator for Inspector {
    fn evaluate(
        &mut self,
        at: usize,
        frame: usize,
        expression: &str,
    ) -> Result<Evaluated, PythonError> {
        Inspector::evaluate(self, at, frame, expression)
    }
}
