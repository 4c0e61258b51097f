//! What the instruction at hand says about an event.

use rustpython_vm::Py;
use rustpython_vm::builtins::PyCode;
use rustpython_vm::bytecode::{Instruction, Opcode};

/// What an instruction means to the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The next item of a `for` loop or comprehension.
    For,
    /// The next step of a `yield from` or `await`.
    Send,
    /// `return`, also that of a function's end.
    Return,
    /// `yield`, also that of a `yield from` or `await`.
    Yield,
    /// The start of a function.
    Start,
    /// Where a generator goes on after `yield`.
    ResumeAfterYield,
    /// Where a generator or coroutine goes on within a `yield from` or `await`.
    ResumeWithin,
    /// Anything else.
    Other,
}

impl At {
    /// What stands at this place of a code object, before it was specialised or instrumented.
    pub fn of(code: &Py<PyCode>, instruction: u32) -> Self {
        let index = instruction as usize;
        if index >= code.instructions.len() {
            return At::Other;
        }
        let instruction: Instruction = code.instructions.read_op(index);
        let opcode = instruction.as_opcode();
        let opcode = opcode.to_base().unwrap_or(opcode);
        match opcode.deopt().unwrap_or(opcode) {
            Opcode::ForIter => At::For,
            Opcode::Send => At::Send,
            Opcode::ReturnValue => At::Return,
            Opcode::YieldValue => At::Yield,
            Opcode::Resume => match u8::from(code.instructions.read_arg(index)) & RESUME_LOCATION {
                0 => At::Start,
                1 => At::ResumeAfterYield,
                _ => At::ResumeWithin,
            },
            _ => At::Other,
        }
    }
}

/// The bits of a `RESUME` that say where it stands: 0 at the start of a function, 1 after `yield`,
/// 2 after `yield from`, 3 after `await` (CPython's `pycore_opcode_utils.h`).
const RESUME_LOCATION: u8 = 3;
