//! The host's side of [`super::inspect`]: answers questions about the state at hand.

use std::rc::Rc;

use rustpython_vm::builtins::{PyBaseExceptionRef, PyDict, PyDictRef};
use rustpython_vm::compiler::Mode;
use rustpython_vm::frame::{FrameObject, FrameObjectRef};
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::harmless::Harmless;
use super::outbox::outbox;
use super::question::{Answer, Ask, Evaluated, Question};
use super::sandbox::World;
use super::structure::{Structure, is_interesting, variables};
use super::value::Renderer;
use super::wire::{Command, Message};
use crate::state::Raised;

/// The name that code objects of expressions carry.
const EXPRESSION: &str = "<expression>";

/// Answers questions, one state after the other.
pub struct Answers {
    world: Rc<World>,
    harmless: Harmless,
    /// What was asked and isn't answered.
    open: Option<Ask>,
}

impl Answers {
    /// Answers questions about a run of the program with this text.
    pub fn new(world: Rc<World>, source: &str) -> Self {
        Answers { world, harmless: Harmless::new(source), open: None }
    }

    /// Whether the run can go on without looking at this state.
    pub fn passes(&self, at: u64) -> bool {
        self.open.as_ref().is_some_and(|ask| ask.at > at)
    }

    /// Answers what is asked about the state `at`, and waits for more of it, until a later state is
    /// asked for. `frames` are those that run, innermost first.
    pub fn give(
        &mut self,
        at: u64,
        frames: &[FrameObjectRef],
        renderer: &Renderer,
        vm: &VirtualMachine,
    ) {
        loop {
            let ask = match self.open.take() {
                Some(ask) => ask,
                None => match self.world.command() {
                    Command::Ask(ask) => ask,
                    Command::Input(_) => continue,
                },
            };
            if ask.at > at {
                self.open = Some(ask);
                return;
            }
            send(&Message::Reached);
            let answer = match frames.get(ask.frame as usize) {
                Some(frame) => self.answer(ask.question, frame, frames, renderer, vm),
                None => Answer::NoFrame { running: frames.len() as u32 },
            };
            send(&Message::Answer(answer));
        }
    }

    fn answer(
        &mut self,
        question: Question,
        frame: &Py<FrameObject>,
        frames: &[FrameObjectRef],
        renderer: &Renderer,
        vm: &VirtualMachine,
    ) -> Answer {
        let structure = Structure::new(renderer, vm);
        match question {
            Question::Evaluate { expression } => {
                let spoils = !self.harmless.holds(&expression, frame, vm);
                let identity = |value: &PyObject| {
                    let numbers = || structure.number(frames);
                    is_interesting(value, vm).then(numbers)?.of(value)
                };
                let evaluation =
                    || evaluated(evaluate(&expression, frame, vm), renderer, identity, vm);
                let (result, written) = self.world.capture(evaluation);
                Answer::Evaluated { result, written, spoils }
            }
            Question::Expand { path, start, count } => {
                let variables = variables(frame, vm);
                let range = start as usize..start.saturating_add(count) as usize;
                let numbers = structure.number(frames);
                let Some(name) = path.name() else {
                    let children = structure.variables(variables, &range, &numbers);
                    return Answer::Children(Some(children));
                };
                let value = variables.into_iter().find(|(own, _)| own == name);
                let value = value.and_then(|(_, value)| {
                    let mut places = path.places().iter();
                    places.try_fold(value, |value, place| structure.part(&value, *place))
                });
                let children = |value: PyObjectRef| structure.children(&value, range, &numbers);
                Answer::Children(value.map(children))
            }
        }
    }
}

fn send(message: &Message) {
    let mut outbox = outbox();
    outbox.push(message);
    outbox.flush();
}

/// Why an expression has no value.
pub enum Failure {
    /// It is none.
    Refused(PyBaseExceptionRef),
    /// It raised.
    Raised(PyBaseExceptionRef),
}

/// The value of an expression in a frame.
pub fn evaluate(
    expression: &str,
    frame: &Py<FrameObject>,
    vm: &VirtualMachine,
) -> Result<PyObjectRef, Failure> {
    let expression = expression.trim();
    let code = vm
        .compile(expression, Mode::Eval, EXPRESSION)
        .map_err(|error| Failure::Refused(error.into_pyexception(vm, Some(expression))))?;
    let names = names(frame, vm).map_err(Failure::Raised)?;
    vm.run_code_obj(code, Scope::with_builtins(None, names, vm)).map_err(Failure::Raised)
}

/// All names that a frame sees, in a dictionary of its own. As globals of an expression they are
/// seen within its functions and generators too, and what it binds stays in there.
pub fn names(frame: &Py<FrameObject>, vm: &VirtualMachine) -> PyResult<PyDictRef> {
    let names = vm.ctx.new_dict();
    for (name, value) in frame.iframe().globals().items_vec() {
        names.set_item(&*name, value, vm)?;
    }
    let locals = frame.locals(vm)?;
    // A class body may keep its names in any mapping; only a dictionary can be read safely.
    if let Some(locals) = locals.obj().downcast_ref::<PyDict>() {
        for (name, value) in locals.items_vec() {
            names.set_item(&*name, value, vm)?;
        }
    }
    Ok(names)
}

/// What came of an evaluation, as it is told.
fn evaluated(
    value: Result<PyObjectRef, Failure>,
    renderer: &Renderer,
    identity: impl Fn(&PyObject) -> Option<u32>,
    vm: &VirtualMachine,
) -> Evaluated {
    let truth = value.and_then(|value| match value.clone().is_true(vm) {
        Ok(truthy) => Ok((value, truthy)),
        Err(error) => Err(Failure::Raised(error)),
    });
    match truth {
        Ok((value, truthy)) => {
            let mut text = String::new();
            renderer.render(&value, &mut text, vm);
            Evaluated::Value { text: text.into(), truthy, identity: identity(&value) }
        }
        Err(Failure::Raised(error)) => {
            let (class, message) = renderer.exception(&error, vm);
            Evaluated::Raised(Raised { class: class.into(), message: message.into() })
        }
        Err(Failure::Refused(error)) => Evaluated::Refused(syntax_error(&error, vm).into()),
    }
}

/// What a compile error says.
pub fn syntax_error(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> String {
    let class = error.class().name().to_string();
    let said = match error.args().as_slice().first().map(|arg| arg.str(vm)) {
        Some(Ok(text)) => text.to_string_lossy().into_owned(),
        _ => return class,
    };
    match class.as_str() {
        "SyntaxError" => said,
        _ => format!("{class}: {said}"),
    }
}
