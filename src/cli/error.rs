//! What a command ends with when it can't do its work: a message, hints, and the exit code.

use std::fmt::{self, Display};
use std::io::{self, Write};

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
                tell(message);
                for hint in hints {
                    say(&format!("  hint: {hint}"));
                }
                2
            }
        }
    }
}

impl Display for CommandError {
    /// The message alone.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CommandError::User { message, .. } => f.write_str(message),
            CommandError::BrokenPipe => f.write_str("nobody reads the output"),
        }
    }
}

/// Says something to the user, on the standard error stream and in this program's name.
pub fn tell(message: &str) {
    say(&format!("lockstep: {message}"));
}

/// Prints lines for people on the standard error stream. They may hold anything that a file name, a
/// program or a model holds: what would steer the terminal is shown instead. If nobody can read
/// them, nothing is lost that could be saved.
fn say(lines: &str) {
    let mut stderr = io::stderr().lock();
    for line in lines.split('\n') {
        let _ = writeln!(stderr, "{}", lockstep_tui::clean(line));
    }
}

impl From<ProgramError> for CommandError {
    fn from(error: ProgramError) -> Self {
        CommandError::user(error)
    }
}

impl From<PythonError> for CommandError {
    fn from(error: PythonError) -> Self {
        let waits = matches!(error, PythonError::Waits(_));
        let error = CommandError::user(error);
        match waits {
            true => error.hinted("give it its input by --input LINE or --stdin FILE"),
            false => error,
        }
    }
}

impl From<SessionError> for CommandError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Python(error) => error.into(),
            SessionError::Neural(error) => CommandError::user(error),
        }
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
