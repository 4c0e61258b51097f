//! The host's side of [`super::edit`]: gives variables other values while the program runs.

use std::collections::VecDeque;

use ruff_python_ast::Expr;
use rustpython_vm::builtins::PyDict;
use rustpython_vm::bytecode::CodeFlags;
use rustpython_vm::frame::{FrameObject, FrameObjectRef};
use rustpython_vm::{Py, PyObjectRef, PyResult, VirtualMachine};

use super::answers::{Failure, evaluate, syntax_error};
use super::edit::Edit;
use super::outbox::outbox;
use super::structure::variables;
use super::value::Renderer;
use super::wire::{Message, Refusal};

/// Longer names aren't looked at.
const MAX_NAME: usize = 1_000;

/// The changes that a run has still before it.
pub struct Changes(VecDeque<Change>);

struct Change {
    at: usize,
    frame: usize,
    name: String,
    expression: String,
}

impl Changes {
    /// Those of a run with these edits.
    pub fn new(edits: &[Edit]) -> Self {
        let mut changes: Vec<Change> = edits
            .iter()
            .filter_map(|edit| match edit {
                Edit::Set { at, frame, name, expression } => Some(Change {
                    at: *at,
                    frame: *frame,
                    name: name.clone(),
                    expression: expression.clone(),
                }),
                Edit::Answer { .. } => None,
            })
            .collect();
        changes.sort_by_key(|change| change.at);
        Changes(changes.into())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one is to be made at this state.
    pub fn are_due(&self, at: u64) -> bool {
        self.0.front().is_some_and(|change| change.at as u64 == at)
    }

    /// Makes those of this state, or ends the run. `frames` are those that run, innermost first.
    pub fn make(
        &mut self,
        at: u64,
        frames: &[FrameObjectRef],
        renderer: &Renderer,
        vm: &VirtualMachine,
    ) {
        while self.are_due(at)
            && let Some(change) = self.0.pop_front()
        {
            let made = match frames.get(change.frame) {
                Some(frame) => set(&change, frame, renderer, vm),
                None => Err(format!("{} frames run there", frames.len())),
            };
            if let Err(why) = made {
                let Change { name, expression, .. } = change;
                let refusal = Refusal::Change { at, name, expression, why };
                outbox().finish(&Message::Refused(refusal));
            }
        }
    }
}

/// Makes one change; an error says why it can't be made.
fn set(
    change: &Change,
    frame: &Py<FrameObject>,
    renderer: &Renderer,
    vm: &VirtualMachine,
) -> Result<(), String> {
    let name = change.name.as_str();
    if !is_name(name) {
        return Err("that is no name of a variable".to_owned());
    }
    let value = evaluate(&change.expression, frame, vm).map_err(|failure| match failure {
        Failure::Refused(error) => syntax_error(&error, vm),
        Failure::Raised(error) => {
            let (class, message) = renderer.exception(&error, vm);
            format!("the expression raises {class}: {message}")
        }
    })?;
    let assigned = assign(name, value, frame, vm).map_err(|error| {
        let (class, message) = renderer.exception(&error, vm);
        format!("{class}: {message}")
    })?;
    match assigned {
        Assigned::Done => Ok(()),
        Assigned::Hidden => {
            Err("a comprehension's variable can be changed in a function only".to_owned())
        }
        Assigned::Nowhere => {
            let function = frame.iframe().code().qualname.as_str();
            Err(format!("{function} has no variable of that name, and its module none"))
        }
    }
}

/// What came of giving a variable a value.
enum Assigned {
    Done,
    /// It is kept where nothing but the comprehension can write to.
    Hidden,
    /// There is none of that name.
    Nowhere,
}

/// Gives a variable its value.
fn assign(
    name: &str,
    value: PyObjectRef,
    frame: &Py<FrameObject>,
    vm: &VirtualMachine,
) -> PyResult<Assigned> {
    let iframe = frame.iframe();
    let code = iframe.code();
    let globals = iframe.globals();
    // Writes through to slots and cells; the mapping itself of a module or class, but while a
    // comprehension runs in it, whose variables alone are then the frame's.
    let locals = frame.f_locals(vm)?;
    let is_local = if code.flags.contains(CodeFlags::OPTIMIZED) {
        let own = [&code.varnames, &code.cellvars, &code.freevars];
        own.iter().any(|names| names.iter().any(|own| own.as_str() == name))
    } else if locals.downcast_ref::<PyDict>().is_some() {
        true
    } else if variables(frame, vm).iter().any(|(own, _)| own == name) {
        return Ok(Assigned::Hidden);
    } else {
        false
    };
    let is_module = code.obj_name.as_str() == "<module>";
    if is_local {
        locals.set_item(name, value, vm)?;
    } else if is_module || globals.contains_key(name, vm) {
        globals.set_item(name, value, vm)?;
    } else {
        return Ok(Assigned::Nowhere);
    }
    Ok(Assigned::Done)
}

/// Whether something can be assigned to this as a variable.
fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME
        && ruff_python_parser::parse_expression(text)
            .is_ok_and(|parsed| matches!(parsed.expr(), Expr::Name(name) if name.id == text))
}
