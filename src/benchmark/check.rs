//! What an answer is worth, found out by the interpreter.
//!
//! Each check is a small program that runs in a host of its own, with limits: code of a benchmark
//! and text of a model are nothing to be trusted. What is compared are values, by Python's `==`;
//! whether their types are the same too is told beside it, since `1 == True == 1.0`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::item::Item;
use super::literal;
use crate::program::Program;
use crate::python::{Limits, Nursery, PythonError, RunOptions};
use crate::state::{Event, Locals, Raised, Text};

/// The helpers of the checking programs, which run before any foreign code and hold what they need
/// as their own names.
const HELPERS: &str = include_str!("check.py");

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// It equals the real value by `==`.
    Right {
        /// The types are the same as well, all the way down.
        same_types: bool,
    },
    /// It is another value.
    Wrong,
    /// It is no value: it is made of more than literals, or cut.
    NoValue,
    /// Running what it says raised this.
    Raised(String),
    /// Running what it says met a limit.
    Stopped(String),
}

impl Worth {
    /// Whether it is right.
    pub fn is_right(&self) -> bool {
        matches!(self, Worth::Right { .. })
    }

    /// The word for it in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Worth::Right { .. } => "right",
            Worth::Wrong => "wrong",
            Worth::NoValue => "no value",
            Worth::Raised(_) => "raised",
            Worth::Stopped(_) => "stopped",
        }
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// With a value, as text.
    Value(Text),
    /// With an exception.
    Raised(Raised),
    /// By a limit, or with its process.
    Stopped(Text),
}

/// Runs checks, one after the other.
pub struct Checker {
    nursery: Nursery,
    limits: Limits,
}

impl Checker {
    /// A checker whose programs run within these limits, in this executable (see
    /// [`Nursery::new`]).
    pub fn new(limits: Limits, executable: Option<PathBuf>) -> Self {
        // What is returned are verdicts, whose text must not be cut.
        let limits = Limits { value: crate::python::MAX_VALUE, ..limits };
        Checker { nursery: Nursery::new(executable), limits }
    }

    /// The hosts that it runs programs in, for whoever wants to run others.
    pub fn nursery(&mut self) -> &mut Nursery {
        &mut self.nursery
    }

    /// What these texts are worth as values of the item's call, whichever others stand beside each.
    pub fn outputs(&mut self, item: &Item, texts: &[&str]) -> Result<Vec<Worth>, PythonError> {
        let values: Vec<usize> =
            (0..texts.len()).filter(|&at| literal::is_value(texts[at])).collect();
        let mut worth = vec![Worth::NoValue; texts.len()];
        let texts: Vec<&str> = values.iter().map(|&at| texts[at]).collect();
        for (at, found) in values.into_iter().zip(self.values(item, &texts)?) {
            worth[at] = found;
        }
        Ok(worth)
    }

    /// What these values are worth. One program judges them all, since most programs have time and
    /// room for that; where it doesn't come to its end, each has one of its own, so that none pays
    /// for another.
    fn values(&mut self, item: &Item, texts: &[&str]) -> Result<Vec<Worth>, PythonError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let list: Vec<String> = texts.iter().map(|text| quoted(text.trim())).collect();
        let program = format!(
            "real = called({}, {})\nverdicts = [against(real, value) for value in [{}]]\n",
            quoted(&item.code),
            quoted(&item.call),
            list.join(", ")
        );
        let ran = self.run(&item.id, &program)?;
        if let Some(found) = verdicts(&ran).filter(|found| found.len() == texts.len()) {
            return Ok(found);
        }
        if texts.len() == 1 {
            return Ok(vec![failed(&ran)]);
        }
        let mut each = Vec::new();
        for text in texts {
            each.append(&mut self.values(item, &[text])?);
        }
        Ok(each)
    }

    /// What this expression is worth as the value of the item's call, evaluated where these
    /// variables are; those that are no values are left out.
    pub fn expression(
        &mut self,
        item: &Item,
        expression: &str,
        locals: &Locals,
    ) -> Result<Worth, PythonError> {
        let pairs = dictionary(locals.iter().filter(|(_, value)| literal::is_value(value)));
        self.one(item, &format!("evaluated({}, {pairs}, names)", quoted(expression)))
    }

    /// Whether the item's function gives the value of the item's call for these arguments.
    pub fn arguments(&mut self, item: &Item, arguments: &Locals) -> Result<Worth, PythonError> {
        if !arguments.iter().all(|(_, value)| literal::is_value(value)) {
            return Ok(Worth::NoValue);
        }
        let (function, pairs) = (quoted(&item.function), dictionary(arguments.iter()));
        self.one(item, &format!("applied(names[{function}], {pairs})"))
    }

    /// Whether this call of the item's function gives the value of the item's call.
    pub fn call(&mut self, item: &Item, call: &str) -> Result<Worth, PythonError> {
        if !literal::is_call(call, &item.function) {
            return Ok(Worth::NoValue);
        }
        self.one(item, &format!("eval({}, names)", quoted(call.trim())))
    }

    /// Compares what an expression gives with the value of the item's call, each in names of its
    /// own.
    fn one(&mut self, item: &Item, value: &str) -> Result<Worth, PythonError> {
        let (code, call) = (quoted(&item.code), quoted(&item.call));
        let program = format!(
            "real = called({code}, {call})\nnames = defined({code})\n\
             verdicts = [compared(real, {value})]\n"
        );
        let ran = self.run(&item.id, &program)?;
        let found = verdicts(&ran).and_then(|mut found| found.pop());
        Ok(found.unwrap_or_else(|| failed(&ran)))
    }

    /// Runs a program's text as a module of its own, as the published harnesses do; whether it ends
    /// without an exception.
    pub(super) fn passes(&mut self, id: &str, text: &str) -> Result<Ran, PythonError> {
        let program = format!("verdicts = True\nexec({}, {{}})\n", quoted(text));
        self.run(id, &program)
    }

    /// Runs the text of a checking program, which leaves its verdicts in `verdicts`. It runs
    /// untraced: only the function that gives them back is recorded.
    fn run(&mut self, id: &str, text: &str) -> Result<Ran, PythonError> {
        let text = format!("{HELPERS}\n\n{text}\n\ndef main():\n    return verdicts\n");
        // Only what a file holds that is too large for a program isn't one.
        let program = match Program::from_text(id.to_owned(), &text) {
            Ok(program) => program,
            Err(error) => return Ok(Ran::Stopped(error.to_string().into())),
        };
        let entry = Some("main".to_owned());
        let options = RunOptions { entry, limits: self.limits, ..RunOptions::default() };
        let ran = self.nursery.record(&program, &options, |recording| {
            let mut index = 0;
            while let Some(state) = recording.state(index)? {
                if let (Event::Return, Some(value)) = (state.event, state.value) {
                    // The process ends in order, so that another program can follow.
                    recording.exit()?;
                    return Ok(Ran::Value(value));
                }
                index += 1;
            }
            let exit = recording.exit()?;
            Ok(match exit.exception {
                Some(raised) => Ran::Raised(raised),
                None => Ran::Stopped(exit.reason.unwrap_or_else(|| "it ended early".into())),
            })
        });
        match ran {
            Err(PythonError::ModuleFailed { raised, .. }) => Ok(Ran::Raised(raised)),
            Err(PythonError::Ended { reason }) => Ok(Ran::Stopped(reason)),
            ran => ran,
        }
    }
}

/// The verdicts that a checking program returned: a list of `None` (no value), `False`, and the
/// types' sameness of what is equal, as 1 or 2.
fn verdicts(ran: &Ran) -> Option<Vec<Worth>> {
    let Ran::Value(text) = ran else { return None };
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    inside
        .split(", ")
        .map(|verdict| match verdict {
            "None" => Some(Worth::NoValue),
            "0" => Some(Worth::Wrong),
            "1" => Some(Worth::Right { same_types: false }),
            "2" => Some(Worth::Right { same_types: true }),
            _ => None,
        })
        .collect()
}

fn failed(ran: &Ran) -> Worth {
    match ran {
        Ran::Value(text) => Worth::Stopped(format!("no verdict: {text}")),
        Ran::Raised(raised) => Worth::Raised(raised.to_string()),
        Ran::Stopped(reason) => Worth::Stopped(reason.to_string()),
    }
}

/// A dictionary of names and the texts of their values.
fn dictionary<'a>(pairs: impl Iterator<Item = (&'a Text, &'a Text)>) -> String {
    let pairs: Vec<String> =
        pairs.map(|(name, value)| format!("{}: {}", quoted(name), quoted(value.trim()))).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// A Python literal of this text, in ASCII.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('\'');
    for c in text.chars() {
        match c {
            '\'' | '\\' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            ' '..='~' => literal.push(c),
            _ => literal.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    literal.push('\'');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn verdicts_are_read_and_nothing_else() {
        let read = |text: &str| verdicts(&Ran::Value(text.into()));
        let right = |same_types| Worth::Right { same_types };
        let all = vec![Worth::Wrong, right(false), right(true), Worth::NoValue];
        assert_eq!(read("[0, 1, 2, None]"), Some(all));
        for text in ["", "[]", "True", "[3]", "[0, x]"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn quoted_texts_are_ascii_literals() {
        assert_eq!(quoted("a'b\\\n\té😀"), "'a\\'b\\\\\\n\\U00000009\\U000000e9\\U0001f600'");
    }

    proptest! {
        #[test]
        fn whatever_is_quoted_is_one_value(text in any::<String>()) {
            prop_assert!(literal::is_value(&quoted(&text)));
        }
    }
}
