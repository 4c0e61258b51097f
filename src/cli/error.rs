//! What a command ends with when it can't do its work: a message, hints, and the exit code.

use std::fmt::Display;
use std::io;

use crate::program::ProgramError;
use crate::python::PythonError;
use crate::session::SessionError;

/// A failed command.
#[derive(Debug)]
pub enum CommandError {
    /// Bad usage, input or environment (exit code 2).
    User {
        /// What is wrong, and where.
        message: String,
        /// What to do, each a line.
        hints: Vec<String>,
    },
    /// The reader of our output went away: nothing is wrong.
    BrokenPipe,
}

impl CommandError {
    /// A user error with this message.
    pub fn user(message: impl Display) -> Self {
        CommandError::User { message: message.to_string(), hints: Vec::new() }
    }

    /// Adds what to do about it.
    pub fn hinted(mut self, hint: impl Display) -> Self {
        if let CommandError::User { hints, .. } = &mut self {
            hints.push(hint.to_string());
        }
        self
    }

    /// Prints the error for people; the exit code that belongs to it.
    pub fn report(&self) -> u8 {
        match self {
            CommandError::BrokenPipe => 0,
            CommandError::User { message, hints } => {
                eprintln!("lockstep: {message}");
                for hint in hints {
                    eprintln!("  hint: {hint}");
                }
                2
            }
        }
    }
}

impl From<ProgramError> for CommandError {
    fn from(error: ProgramError) -> Self {
        CommandError::user(error)
    }
}

impl From<PythonError> for CommandError {
    fn from(error: PythonError) -> Self {
        CommandError::user(error)
    }
}

impl From<SessionError> for CommandError {
    fn from(error: SessionError) -> Self {
        CommandError::user(error)
    }
}

/// An error of our output stream.
impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::BrokenPipe,
            _ => CommandError::user(format!("can't write the output: {error}")),
        }
    }
}
