//! The seam to the interpreter: what evaluates a Python expression in a stopped program.

use crate::program::Program;
use crate::python::{self, Inspector, PythonError, RunOptions};
use crate::state::{Raised, Text};

/// What came of evaluating an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluated {
    /// A value: its text, and whether it counts as true.
    Value {
        /// What `repr` gives, as everywhere in Lockstep.
        text: Text,
        /// Its truth value.
        truthy: bool,
    },
    /// The expression raised this.
    Raised(Raised),
    /// It was not evaluated, and why: it does not compile, or its frame is not there.
    Refused(Text),
    /// It was stopped, and why: it reached a limit.
    Stopped(Text),
}

impl Evaluated {
    /// Whether it counts as true; none where there is no value.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Evaluated::Value { truthy, .. } => Some(*truthy),
            Evaluated::Raised(_) | Evaluated::Refused(_) | Evaluated::Stopped(_) => None,
        }
    }
}

/// The value, or what happened instead of one.
impl std::fmt::Display for Evaluated {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Evaluated::Value { text, .. } => f.write_str(text),
            Evaluated::Raised(raised) => write!(f, "raises {raised}"),
            Evaluated::Refused(why) => f.write_str(why),
            Evaluated::Stopped(why) => write!(f, "stopped: {why}"),
        }
    }
}

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

/// An [`Inspector`] that is started when the first expression is to be evaluated.
pub struct OnDemand {
    program: Program,
    options: RunOptions,
    inspector: Option<Inspector>,
}

impl OnDemand {
    /// Will run the program as it was recorded with these options.
    pub fn new(program: Program, options: RunOptions) -> Self {
        OnDemand { program, options, inspector: None }
    }
}

impl Evaluator for OnDemand {
    fn evaluate(
        &mut self,
        at: usize,
        frame: usize,
        expression: &str,
    ) -> Result<Evaluated, PythonError> {
        let inspector = match self.inspector.take() {
            Some(inspector) => inspector,
            None => Inspector::start(&self.program, &self.options)?,
        };
        let evaluated = self.inspector.insert(inspector).evaluate(at, frame, expression)?;
        Ok(match evaluated {
            python::Evaluated::Value { text, truthy, .. } => Evaluated::Value { text, truthy },
            python::Evaluated::Raised(raised) => Evaluated::Raised(raised),
            python::Evaluated::Refused(why) => Evaluated::Refused(why),
            python::Evaluated::Stopped(why) => Evaluated::Stopped(why),
        })
    }
}
