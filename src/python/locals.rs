//! Reads the local variables of a frame and finds out what changed since the last time.
//!
//! Nothing is allocated for a variable that still holds the same immutable object, which is told by
//! identity. Other values are rendered anew and their texts compared. Only immutable objects
//! without parts are held on to: holding others would put off their end, and with it `__del__`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use rustpython_vm::builtins::{PyCode, PyDict, PyStr};
use rustpython_vm::bytecode::{CO_FAST_CELL, CO_FAST_FREE, CO_FAST_HIDDEN, CodeFlags};
use rustpython_vm::frame::{FrameObject, FrameObjectRef};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyRef, VirtualMachine};

use super::hook::append;
use super::never;
use super::value::{Renderer, is_atom};
use super::wire::Message;

/// What the recorder knows of a code object.
pub struct CodeInfo {
    /// Its number on the wire.
    pub id: u32,
    /// Keeps it, so that its address stays its own.
    code: PyRef<PyCode>,
    /// Number of the name of each slot.
    slots: Box<[u32]>,
    /// Whether the locals are those slots, and not a mapping.
    fast: bool,
    /// Whether its frames are left and come back to: generators and coroutines.
    pub resumable: bool,
    /// Slots of a module or class that comprehensions use while they run.
    hidden: Box<[u32]>,
    /// The line of each instruction, once asked for.
    lines: RefCell<Box<[Option<u32>]>>,
}

impl CodeInfo {
    /// The line of an instruction. A call stands at the first line; at a module's entry that is 0.
    pub fn line(&self, instruction: u32, is_call: bool) -> u32 {
        let index = instruction as usize;
        let mut lines = self.lines.borrow_mut();
        let known = lines.get(index).copied().flatten();
        if let Some(line) = known {
            return line;
        }
        let found = self.code.addr2line(instruction.wrapping_mul(2) as i32);
        let line = u32::try_from(found).unwrap_or_else(|_| {
            let first = self.code.first_line_number.map_or(0, |line| line.get() as u32);
            if is_call { first } else { 0 }
        });
        if let Some(slot) = lines.get_mut(index) {
            *slot = Some(line);
        }
        line
    }
}

/// Code objects and names that were seen, with their numbers on the wire.
#[derive(Default)]
pub struct Codes {
    codes: HashMap<usize, Rc<CodeInfo>>,
    names: HashMap<String, u32>,
    /// Messages that define the newest of them.
    news: Vec<u8>,
}

impl Codes {
    /// The entry of a code object, made at its first use.
    pub fn get(&mut self, code: &Py<PyCode>) -> Rc<CodeInfo> {
        let address = std::ptr::from_ref(code) as usize;
        if let Some(known) = self.codes.get(&address) {
            return Rc::clone(known);
        }
        let function = self.name(code.qualname.as_str());
        append(&mut self.news, &Message::Code { function });
        let varnames = code.varnames.iter();
        let cells = code
            .cellvars
            .iter()
            .filter(|cell| !code.varnames.iter().any(|name| std::ptr::eq(*name, **cell)));
        let names: Vec<&str> =
            varnames.chain(cells).chain(code.freevars.iter()).map(|name| name.as_str()).collect();
        let slots = names.into_iter().map(|name| self.name(name)).collect();
        let hidden = (0..)
            .zip(code.localspluskinds.iter())
            .filter(|(_, kind)| **kind & CO_FAST_HIDDEN != 0)
            .map(|(slot, _)| slot)
            .collect();
        let info = Rc::new(CodeInfo {
            id: self.codes.len() as u32,
            code: code.to_owned(),
            slots,
            fast: code.flags.contains(CodeFlags::OPTIMIZED),
            resumable: code.flags.intersects(
                CodeFlags::GENERATOR | CodeFlags::COROUTINE | CodeFlags::ASYNC_GENERATOR,
            ),
            hidden,
            lines: RefCell::new(vec![None; code.instructions.len()].into()),
        });
        self.codes.insert(address, Rc::clone(&info));
        info
    }

    /// The number of a name.
    pub fn name(&mut self, name: &str) -> u32 {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.insert(name.to_owned(), number);
        append(&mut self.news, &Message::Name(name));
        number
    }

    /// Moves the definitions of what is new to `batch`.
    pub fn announce(&mut self, batch: &mut Vec<u8>) {
        batch.append(&mut self.news);
    }
}

/// The locals of one frame as they were last sent.
#[derive(Default)]
pub struct FrameLocals {
    variables: Vec<Variable>,
    /// How many of `variables` are in use; the others keep their buffers.
    used: usize,
    /// The next number for a variable of a mapping.
    next_slot: u32,
    /// Whether the frame's hidden slots are what is shown.
    shows_hidden: bool,
    scratch: String,
}

#[derive(Default)]
struct Variable {
    slot: u32,
    /// Number of its name, and in a mapping the key itself.
    name: u32,
    key: Option<PyObjectRef>,
    /// The value, if it is one that may be held.
    held: Option<PyObjectRef>,
    text: String,
    bound: bool,
}

impl FrameLocals {
    /// Forgets everything but the buffers.
    pub fn clear(&mut self) {
        for variable in &mut self.variables[..self.used] {
            variable.forget();
        }
        self.used = 0;
        self.next_slot = 0;
        self.shows_hidden = false;
    }

    /// Appends what changed.
    pub fn update(
        &mut self,
        frame: &FrameObjectRef,
        code: &CodeInfo,
        codes: &mut Codes,
        renderer: &Renderer,
        batch: &mut Vec<u8>,
        vm: &VirtualMachine,
    ) {
        if code.fast {
            let all = 0..code.slots.len() as u32;
            self.update_slots(frame, code, all, renderer, batch, vm);
            return;
        }
        // A module's or class's comprehension has its variables in hidden slots; while it runs,
        // `f_locals` is those alone (PEP 709).
        let hidden = !code.hidden.is_empty()
            && code.hidden.iter().any(|slot| slot_value(frame, *slot).is_some());
        if hidden != self.shows_hidden {
            for variable in &mut self.variables[..self.used] {
                variable.unset(batch);
                variable.forget();
            }
            self.used = 0;
            self.next_slot = 0;
            self.shows_hidden = hidden;
        }
        if hidden {
            self.update_slots(frame, code, code.hidden.iter().copied(), renderer, batch, vm);
        } else {
            self.update_mapping(frame, codes, renderer, batch, vm);
        }
    }

    /// The texts of the variables, in order; empty for those that aren't bound.
    pub fn texts(&self) -> Vec<String> {
        self.variables[..self.used].iter().map(|variable| variable.shown().to_owned()).collect()
    }

    /// Whether [`FrameLocals::texts`] are these.
    pub fn texts_are(&self, texts: &[String]) -> bool {
        let own = self.variables[..self.used].iter().map(Variable::shown);
        own.eq(texts.iter().map(String::as_str))
    }

    fn update_slots(
        &mut self,
        frame: &FrameObjectRef,
        code: &CodeInfo,
        slots: impl ExactSizeIterator<Item = u32>,
        renderer: &Renderer,
        batch: &mut Vec<u8>,
        vm: &VirtualMachine,
    ) {
        let count = slots.len();
        self.make_room(count);
        self.used = count;
        // SAFETY: this runs in a trace callback on the thread that runs the frame, between two of
        // its instructions, so nothing writes its slots meanwhile.
        let values = unsafe { frame.fastlocals() };
        for (variable, slot) in self.variables.iter_mut().zip(slots) {
            let kind = code.code.localspluskinds[slot as usize];
            let value = values.get(slot as usize).and_then(Option::as_ref);
            variable.slot = slot;
            variable.name = code.slots[slot as usize];
            if kind & (CO_FAST_CELL | CO_FAST_FREE) != 0 {
                let contents = value.and_then(|value| cell_contents(value, vm));
                variable.show(contents.as_deref(), &mut self.scratch, renderer, batch, vm);
            } else {
                variable.show(value.map(|v| &**v), &mut self.scratch, renderer, batch, vm);
            }
        }
    }

    fn update_mapping(
        &mut self,
        frame: &FrameObjectRef,
        codes: &mut Codes,
        renderer: &Renderer,
        batch: &mut Vec<u8>,
        vm: &VirtualMachine,
    ) {
        let Ok(mapping) = frame.locals(vm) else { return };
        let Some(dict) = mapping.obj().downcast_ref::<PyDict>() else { return };
        let is_module = dict.is(frame.iframe().globals());
        let mut at = 0;
        let mut position = 0;
        while let Some((next, key, value)) = dict.next_entry(position) {
            position = next;
            let Some(name) = key.downcast_ref::<PyStr>() else { continue };
            if is_module && name.as_bytes().starts_with(b"__") {
                continue;
            }
            // The order of a mapping is that of insertion: what stands before the key that comes
            // next, and isn't it, is gone.
            while at < self.used && !self.variables[at].is_named(&key) {
                self.remove(at, batch);
            }
            if at == self.used {
                self.make_room(at + 1);
                self.used = at + 1;
                let slot = self.next_slot;
                self.next_slot += 1;
                let variable = &mut self.variables[at];
                variable.slot = slot;
                variable.name = codes.name(&name.to_string_lossy());
                variable.key = Some(key.clone());
                codes.announce(batch);
            }
            let variable = &mut self.variables[at];
            variable.show(Some(&value), &mut self.scratch, renderer, batch, vm);
            at += 1;
        }
        while at < self.used {
            self.remove(at, batch);
        }
    }

    /// Takes the variable at `at` out of those in use.
    fn remove(&mut self, at: usize, batch: &mut Vec<u8>) {
        self.variables[at].unset(batch);
        self.variables[at].forget();
        self.variables[at..self.used].rotate_left(1);
        self.used -= 1;
    }

    fn make_room(&mut self, count: usize) {
        if self.variables.len() < count {
            self.variables.resize_with(count, Variable::default);
        }
    }
}

impl Variable {
    /// Compares with the value that it has now.
    fn show(
        &mut self,
        value: Option<&PyObject>,
        scratch: &mut String,
        renderer: &Renderer,
        batch: &mut Vec<u8>,
        vm: &VirtualMachine,
    ) {
        let Some(value) = value else {
            self.unset(batch);
            self.held = None;
            return;
        };
        if self.held.as_ref().is_some_and(|held| held.is(value)) {
            return;
        }
        scratch.clear();
        renderer.render(value, scratch, vm);
        self.held = is_atom(value, vm).then(|| value.to_owned());
        if self.bound && self.text == *scratch {
            return;
        }
        std::mem::swap(&mut self.text, scratch);
        self.bound = true;
        append(batch, &Message::Set { slot: self.slot, name: self.name, text: &self.text });
    }

    fn shown(&self) -> &str {
        if self.bound { &self.text } else { "" }
    }

    /// Says that it is gone, if it was there.
    fn unset(&mut self, batch: &mut Vec<u8>) {
        if std::mem::take(&mut self.bound) {
            append(batch, &Message::Unset { slot: self.slot });
        }
    }

    fn forget(&mut self) {
        self.key = None;
        self.held = None;
        self.bound = false;
    }

    fn is_named(&self, key: &PyObject) -> bool {
        self.key.as_ref().is_some_and(|own| {
            own.is(key)
                || match (own.downcast_ref::<PyStr>(), key.downcast_ref::<PyStr>()) {
                    (Some(own), Some(key)) => own.as_wtf8() == key.as_wtf8(),
                    _ => false,
                }
        })
    }
}

/// The state of a frame, if equal states of it are sure to go on equally (see [`never`]).
pub fn whole_state(
    frame: &FrameObjectRef,
    code: &CodeInfo,
    vm: &VirtualMachine,
) -> Option<Vec<u8>> {
    let globals = frame.iframe().globals();
    if code.resumable {
        return None;
    }
    let slots = code.slots.len() as u32;
    if !code.fast && !frame.locals(vm).ok()?.obj().is(globals) {
        // The body of a class.
        return None;
    }
    never::snapshot((0..slots).map(|slot| slot_value(frame, slot)), globals, vm)
}

/// What a slot holds.
fn slot_value(frame: &Py<FrameObject>, slot: u32) -> Option<PyObjectRef> {
    // SAFETY: as in `FrameLocals::update_slots`.
    let values = unsafe { frame.fastlocals() };
    values.get(slot as usize)?.clone()
}

/// What a cell holds. The cell's class is private to the interpreter; what it refers to is its
/// contents alone.
fn cell_contents(value: &PyObject, vm: &VirtualMachine) -> Option<PyObjectRef> {
    if value.class().is(vm.ctx.types.cell_type) {
        value.gc_get_referents().pop()
    } else {
        Some(value.to_owned())
    }
}
