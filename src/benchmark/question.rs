//! What a model is asked about an item: the context that it is told, the action, and what really
//! comes of it.
//!
//! The prompts are the paper's (spec, section 2.4). Forward, the context steps from the call of
//! `main` into the call of the item's function, and the action goes on from there. Inverse, it holds
//! the function without its caller, and the return with the value that the arguments are wanted for.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;

use super::item::Item;
use super::task::By;
use crate::action::Action;
use crate::check::with_tree;
use crate::inverse::{self, Beginning, InverseAction};
use crate::neural::Told;
use crate::program::Program;
use crate::python::{Limits, Nursery, PythonError, Recording, RunOptions};
use crate::state::{Event, State, Stop, Text};
use crate::tree::{self, Target, Trace};

/// A question, and what it is about.
#[derive(Clone, Debug)]
pub struct Question {
    /// How it is put.
    pub put: Put,
    /// The text of the value that the function really returns.
    pub value: Text,
    /// How many return statements the item's function has: where there are several, a breakpoint on
    /// one tells which is executed.
    pub returns: usize,
}

/// How a question is put to a model.
#[derive(Clone, Debug)]
pub enum Put {
    /// One step to the return.
    Return(Told),
    /// A breakpoint on the return statement.
    Breakpoint {
        /// What is told before.
        told: Told,
        /// The source line.
        line: Text,
        /// The state that really stops there.
        stop: State,
        /// What the statement returns.
        expression: String,
    },
    /// Step by step.
    Trace(Told),
    /// A step back to the call.
    Call(Box<inverse::Question>),
}

/// The real run of an item, as far as questions need it.
struct Run<'r> {
    program: &'r Program,
    recording: &'r mut Recording,
    /// Index of the function's call, and of its return.
    call: usize,
    end: usize,
}

/// A question, or why there is none to ask.
pub type Asked = Result<Question, String>;

/// Runs an item and asks about it.
pub fn ask(
    nursery: &mut Nursery,
    item: &Item,
    by: By,
    limits: Limits,
) -> Result<Asked, PythonError> {
    let program = match item.program() {
        Ok(program) => program,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let options = RunOptions { entry: Some("main".to_owned()), limits, ..RunOptions::default() };
    let asked = nursery.record(&program, &options, |recording| {
        match Run::of(&program, recording, &item.function)? {
            Ok(mut run) => run.question(by, &item.function),
            Err(why) => Ok(Err(why)),
        }
    });
    match asked {
        Err(
            error @ (PythonError::Syntax(_)
            | PythonError::NoEntry { .. }
            | PythonError::BadEntry { .. }
            | PythonError::ModuleFailed { .. }
            | PythonError::Ended { .. }),
        ) => Ok(Err(error.to_string())),
        asked => asked,
    }
}

impl<'r> Run<'r> {
    /// Finds the call of the function by the entry, and its return.
    fn of(
        program: &'r Program,
        recording: &'r mut Recording,
        function: &str,
    ) -> Result<Result<Self, String>, PythonError> {
        let mut index = 0;
        let call = loop {
            let Some(state) = recording.state(index)? else {
                let exit = recording.exit()?;
                return Ok(Err(format!("`{function}` isn't called: {exit}")));
            };
            let is_its = |state: &State| {
                state.position.as_ref().is_some_and(|at| at.depth == 1 && &*at.function == function)
            };
            if state.event == Event::Call && is_its(&state) {
                break index;
            }
            index += 1;
        };
        let target = tree::target(recording, program, call, &Action::StepReturn)?;
        if let Some(Target::State(end)) = target
            && let Some(node) = recording.node(end)?
            && node.event == Event::Return
            && !node.unwinding
        {
            return Ok(Ok(Run { program, recording, call, end }));
        }
        let exit = recording.exit()?;
        Ok(Err(format!("`{function}` doesn't return: {exit}")))
    }

    fn question(&mut self, by: By, function: &str) -> Result<Asked, PythonError> {
        let returns = Returns::of(self.program, function);
        let end = self.recording.state(self.end)?;
        let Some((value, line)) = end.and_then(|end| Some((end.value.clone()?, end.line()?)))
        else {
            return Ok(Err("its return was not recorded".to_owned()));
        };
        let put = match by {
            By::StepReturn => Put::Return(self.told()?),
            By::Trace => Put::Trace(self.told()?),
            By::Breakpoint => match self.breakpoint(&returns, line)? {
                Ok(put) => put,
                Err(why) => return Ok(Err(why)),
            },
            By::StepCall => {
                let call = InverseAction::StepCall;
                let asked =
                    inverse::Question::new(self.recording, self.end, Beginning::Return, call)?;
                match asked {
                    Ok(question) => Put::Call(Box::new(question)),
                    Err(why) => return Ok(Err(why.to_string())),
                }
            }
        };
        Ok(Ok(Question { put, value, returns: returns.0.len() }))
    }

    /// The way from the first state into the call.
    fn told(&mut self) -> Result<Told, PythonError> {
        let mut states = Vec::new();
        for index in 0..=self.call {
            states.extend(self.recording.state(index)?);
        }
        let first = states.remove(0);
        let steps = states.into_iter().map(|state| (Action::StepInto, Stop::At(state))).collect();
        Ok(Told { program: self.program.clone(), first, steps })
    }

    /// A breakpoint on the return statement at `line`, which must stop right before it is executed
    /// and nowhere before.
    fn breakpoint(
        &mut self,
        returns: &Returns,
        line: u32,
    ) -> Result<Result<Put, String>, PythonError> {
        let Some(statement) = returns.at(line) else {
            return Ok(Err("no return statement is executed".to_owned()));
        };
        let text = self.program.line(statement.lines.0);
        let action = Action::Breakpoint(text.clone());
        let target = tree::target(self.recording, self.program, self.call, &action)?;
        let elsewhere = Ok(Err("the breakpoint stops elsewhere first".to_owned()));
        let Some(Target::State(at)) = target else { return elsewhere };
        let Some(stop) = self.recording.state(at)? else { return elsewhere };
        let activation = stop.activation();
        if stop.event != Event::Line {
            return elsewhere;
        }
        for index in at..=self.end {
            let Some(state) = self.recording.state(index)? else { return elsewhere };
            let (first, last) = statement.lines;
            let is_own = state.activation() == activation;
            if is_own && !state.line().is_some_and(|line| (first..=last).contains(&line)) {
                return elsewhere;
            }
            if index == self.end && !is_own {
                return elsewhere;
            }
        }
        let expression = statement.expression.clone();
        Ok(Ok(Put::Breakpoint { told: self.told()?, line: text, stop, expression }))
    }
}

/// The return statements of a function, those of functions within it left out.
#[derive(Default)]
struct Returns(Vec<Return>);

struct Return {
    /// First and last line.
    lines: (u32, u32),
    /// What it returns.
    expression: String,
}

impl Returns {
    /// Those of the module's function of this name.
    fn of(program: &Program, function: &str) -> Self {
        let source = program.text();
        let found = with_tree(source, |module| {
            let mut visitor = ReturnVisitor { source, found: Vec::new() };
            let functions = module.iter().filter_map(Stmt::as_function_def_stmt);
            for definition in functions.filter(|definition| &*definition.name == function) {
                visitor.visit_body(&definition.body);
            }
            visitor.found
        });
        Returns(found.unwrap_or_default())
    }

    /// The one that stands on this line.
    fn at(&self, line: u32) -> Option<&Return> {
        self.0.iter().find(|statement| (statement.lines.0..=statement.lines.1).contains(&line))
    }
}

struct ReturnVisitor<'s> {
    source: &'s str,
    found: Vec<Return>,
}

impl<'a> Visitor<'a> for ReturnVisitor<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(found) => {
                let line_of = |at: usize| 1 + self.source[..at].matches('\n').count() as u32;
                let range = found.range();
                let lines = (line_of(range.start().to_usize()), line_of(range.end().to_usize()));
                let expression = found.value.as_ref();
                let expression = expression.map_or("None", |value| &self.source[value.range()]);
                self.found.push(Return { lines, expression: expression.to_owned() });
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    /// No expression holds a return.
    fn visit_expr(&mut self, _: &'a Expr) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returns(code: &str) -> Vec<(u32, u32, String)> {
        let program = Program::from_text("p".into(), code).unwrap();
        let found = Returns::of(&program, "f").0;
        found.into_iter().map(|r| (r.lines.0, r.lines.1, r.expression)).collect()
    }

    #[test]
    fn returns_are_those_of_the_function_itself() {
        let code = "def g():\n    return 1\ndef f(a):\n    def h():\n        return 2\n    if a: return h()\n    \
                    for x in a:\n        return (\n            x +\n            1)\n    return\n";
        let expected = [
            (6, 6, "h()".to_owned()),
            (8, 10, "x +\n            1".to_owned()),
            (11, 11, "None".to_owned()),
        ];
        assert_eq!(returns(code), expected);
        assert!(returns("x = 1\n").is_empty());
    }
}
