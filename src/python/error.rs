//! Why a program can't be recorded.

use std::fmt;

use super::edit::Edit;
use super::question::Path;
use super::recording::Wanted;
use super::store::Misfit;
use super::wire::{Refusal, VERSION, WireError};
use crate::program::Program;
use crate::state::{Raised, Text};

/// Why a program can't be recorded, or its recording can't go on.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    /// The child process can't be started.
    #[error("the Python host can't be started: {0}")]
    Start(std::io::Error),
    /// The child didn't say that it is ready.
    #[error("the program was not ready to run after {seconds} s; it may be too large to compile")]
    NotReady {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The child is of another version.
    #[error(
        "the Python host speaks protocol {theirs}, this program {VERSION}: lockstep was replaced \
         while it ran; start it again"
    )]
    Version {
        /// The child's protocol.
        theirs: u32,
    },
    /// The child ended before it was ready.
    #[error("the Python host ended before the program could run: {reason}")]
    Ended {
        /// What is known of it.
        reason: Text,
    },
    /// Somebody asked not to wait any longer.
    #[error("interrupted")]
    Interrupted,
    /// The program waits for input, and what was asked for comes after that.
    #[error("the program waits for input{}", prompted(&.0.prompt))]
    Waits(Wanted),
    /// The pipe failed, or brought what is no message.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A state that was recorded isn't reached when the program runs again.
    #[error("state {at} can't be reached again: {reason}")]
    Unreached {
        /// Index of the state.
        at: usize,
        /// Why.
        reason: Text,
    },
    /// Fewer frames run at that state.
    #[error("no frame {frame} at state {at}: {running} run there, counted from 0, the innermost")]
    NoFrame {
        /// Index of the state.
        at: usize,
        /// What was asked for.
        frame: usize,
        /// How many frames of the program run there.
        running: usize,
    },
    /// A variable can't be given another value.
    #[error("`{name} = {expression}` can't be done at state {at}: {why}")]
    Change {
        /// Index of the state.
        at: usize,
        /// The variable.
        name: String,
        /// The expression of its value.
        expression: String,
        /// Why.
        why: String,
    },
    /// A run ends before an edit is made.
    #[error("`{edit}` can't be done: the run doesn't come there ({reason})")]
    EditUnreached {
        /// The edit.
        edit: Edit,
        /// How the run ends.
        reason: Text,
    },
    /// Nothing is at the end of a path.
    #[error("no value {path} at state {at}")]
    NoPart {
        /// Index of the state.
        at: usize,
        /// What was asked for.
        path: Path,
    },
    /// A message refers to nothing.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The program doesn't compile. Shown with the line and a caret under the place.
    #[error("{}", Marked(.0))]
    Syntax(SyntaxError),
    /// It has no function of that name.
    #[error("{}", no_entry(name, wanted, candidates, meant.as_deref()))]
    NoEntry {
        /// The program.
        name: String,
        /// What was asked for.
        wanted: String,
        /// The functions that can be called without arguments.
        candidates: Vec<String>,
        /// The one that was meant, probably.
        meant: Option<String>,
    },
    /// The function can't be the entry.
    #[error("{name}: `{wanted}` {why}")]
    BadEntry {
        /// The program.
        name: String,
        /// What was asked for.
        wanted: String,
        /// Why it can't be called.
        why: String,
    },
    /// The module's own statements raised before the entry could be called.
    #[error("{}", module_failed(name, entry, raised, *line))]
    ModuleFailed {
        /// The program.
        name: String,
        /// The function that was to be called.
        entry: String,
        /// What was raised.
        raised: Raised,
        /// Line of the module, 1-based; 0 if unknown.
        line: u32,
    },
}

/// A syntax error and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The program.
    pub name: String,
    /// 1-based; 0 if unknown.
    pub line: u32,
    /// In characters, 1-based; 0 if unknown.
    pub column: u32,
    /// What is wrong, in Python's words.
    pub message: String,
    /// The text of the line.
    pub source: Text,
}

impl PythonError {
    /// What the host refused, said of this program.
    pub(super) fn refused(refusal: Refusal, program: &Program) -> Self {
        let name = program.name().to_owned();
        match refusal {
            Refusal::Syntax { line, column, message } => {
                let source = program.line(line);
                PythonError::Syntax(SyntaxError { name, line, column, message, source })
            }
            Refusal::NoEntry { name: wanted, candidates, meant } => {
                PythonError::NoEntry { name, wanted, candidates, meant }
            }
            Refusal::Change { at, name, expression, why } => {
                PythonError::Change { at: at as usize, name, expression, why }
            }
            Refusal::BadEntry { name: wanted, why } => PythonError::BadEntry { name, wanted, why },
            Refusal::ModuleFailed { entry, class, message, line } => {
                let raised = Raised { class: class.into(), message: message.into() };
                PythonError::ModuleFailed { name, entry, raised, line }
            }
        }
    }
}

/// `prog.py:3:7: message`, the line, and a caret under the column.
struct Marked<'a>(&'a SyntaxError);

impl fmt::Display for Marked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let SyntaxError { name, line, column, message, source } = self.0;
        if *line == 0 {
            return write!(f, "{name}: {message}");
        }
        write!(f, "{name}:{line}:{column}: {message}")?;
        let shown = source.trim_start();
        if shown.is_empty() {
            return Ok(());
        }
        write!(f, "\n    {}", shown.trim_end())?;
        let cut = source.chars().count() - shown.chars().count();
        if let Some(before) = (*column as usize).checked_sub(cut + 1) {
            // A tab in the line is a tab under it, so that the caret stands right in any terminal.
            let pad = shown.chars().chain(std::iter::repeat(' ')).take(before);
            let pad: String = pad.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(f, "\n    {pad}^")?;
        }
        Ok(())
    }
}

/// What stands on the program's line, if anything does.
fn prompted(prompt: &str) -> String {
    if prompt.is_empty() { String::new() } else { format!(": {prompt}") }
}

fn no_entry(name: &str, wanted: &str, candidates: &[String], meant: Option<&str>) -> String {
    let mut text = format!("{name}: no function `{wanted}` in the module");
    if let Some(meant) = meant {
        text += &format!("; did you mean `{meant}`?");
    }
    match candidates {
        [] => text += "; it defines none that can be called without arguments",
        [only] if meant == Some(only.as_str()) => {}
        _ => text += &format!(" (can be called: {})", candidates.join(", ")),
    }
    text
}

fn module_failed(name: &str, entry: &str, raised: &Raised, line: u32) -> String {
    let place = if line == 0 { name.to_owned() } else { format!("{name}:{line}") };
    format!("{place}: the module failed before `{entry}` could be called: {raised}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn syntax(column: u32, source: &str) -> String {
        PythonError::Syntax(SyntaxError {
            name: "p.py".into(),
            line: 2,
            column,
            message: "invalid syntax".into(),
            source: source.into(),
        })
        .to_string()
    }

    #[test]
    fn a_syntax_error_shows_its_line_and_a_caret() {
        insta::assert_snapshot!(syntax(9, "    x = = 1"), @r"
        p.py:2:9: invalid syntax
            x = = 1
                ^
        ");
        insta::assert_snapshot!(syntax(0, ""), @"p.py:2:0: invalid syntax");
        insta::assert_snapshot!(syntax(8, "é = 'ü' ="), @r"
        p.py:2:8: invalid syntax
            é = 'ü' =
                   ^
        ");
    }

    #[test]
    fn a_missing_entry_names_what_could_be_meant() {
        let said = |candidates: &[&str], meant: Option<&str>| {
            let candidates: Vec<String> = candidates.iter().map(|s| (*s).to_owned()).collect();
            no_entry("p.py", "mian", &candidates, meant)
        };
        insta::assert_snapshot!(said(&["main"], Some("main")), @"p.py: no function `mian` in the module; did you mean `main`?");
        insta::assert_snapshot!(said(&["main", "other"], Some("main")), @"p.py: no function `mian` in the module; did you mean `main`? (can be called: main, other)");
        insta::assert_snapshot!(said(&[], None), @"p.py: no function `mian` in the module; it defines none that can be called without arguments");
    }
}
