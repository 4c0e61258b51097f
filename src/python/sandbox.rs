//! The world that a debuggee finds: no files, no network, its own clock, its own streams.
//!
//! Everything here is deterministic. The clock counts the recorded steps, entropy is a counter, and
//! `id` numbers objects in the order in which they are asked for.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::mpsc::Receiver;

use rustpython_vm::builtins::{PyDictRef, PyStrRef};
use rustpython_vm::compiler::Mode;
use rustpython_vm::function::{ArgIntoFloat, FuncArgs};
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

use super::input::{Amount, Input, Read};
use super::limits::{Limits, Reached};
use super::outbox::{self, outbox};
use super::seal;
use super::wire::{Command, Message, Purpose, Request, Stream};

/// What one recorded step takes, in nanoseconds.
const STEP: u64 = 1_000;

/// Longest line of output that is told as a prompt, in bytes.
const MAX_PROMPT: usize = 1_000;

/// What the recorder and the debuggee's world share.
pub struct World {
    /// States recorded so far.
    pub steps: Cell<u64>,
    /// Whether a value is being rendered: then nothing that the program writes is output.
    pub rendering: Cell<bool>,
    /// The limits of this run.
    pub limits: Limits,
    purpose: Purpose,
    commands: Receiver<Command>,
    /// What an evaluation writes, while one runs.
    captured: RefCell<Option<Vec<(Stream, String)>>>,
    input: RefCell<Input>,
    /// The line of standard output that isn't ended.
    line: RefCell<String>,
    slept: Cell<u64>,
    written: Cell<u64>,
    entropy: Cell<u64>,
    identities: RefCell<HashMap<usize, (u64, PyObjectRef)>>,
}

impl World {
    /// A new world.
    pub fn new(request: &Request, commands: Receiver<Command>) -> Rc<Self> {
        Rc::new(World {
            steps: Cell::new(0),
            rendering: Cell::new(false),
            limits: request.limits,
            purpose: request.purpose,
            commands,
            captured: RefCell::new(None),
            input: RefCell::new(Input::new(&request.stdin, &request.edits, request.on_input)),
            line: RefCell::default(),
            slept: Cell::new(0),
            written: Cell::new(0),
            entropy: Cell::new(request.seed),
            identities: RefCell::default(),
        })
    }

    /// Waits for what the parent says next.
    pub fn command(&self) -> Command {
        self.commands.recv().unwrap_or_else(|_| std::process::exit(1))
    }

    /// Runs an evaluation; also gives what it writes, which is no output of the program.
    pub fn capture<R>(&self, run: impl FnOnce() -> R) -> (R, Vec<(Stream, String)>) {
        self.captured.replace(Some(Vec::new()));
        let result = run();
        (result, self.captured.take().unwrap_or_default())
    }

    /// Nanoseconds since the start of the program, on its own clock.
    fn now(&self) -> u64 {
        self.slept.get().saturating_add(self.steps.get().saturating_mul(STEP))
    }

    fn sleep(&self, seconds: ArgIntoFloat, vm: &VirtualMachine) -> PyResult<()> {
        let seconds = seconds.into_float();
        if seconds.is_nan() {
            return Err(vm.new_value_error("Invalid value NaN (not a number)"));
        }
        if seconds < 0.0 {
            return Err(vm.new_value_error("sleep length must be non-negative"));
        }
        // The conversion saturates, so even an endless sleep moves the clock and returns.
        let nanoseconds = (seconds * 1e9) as u64;
        self.slept.set(self.slept.get().saturating_add(nanoseconds));
        Ok(())
    }

    /// Bytes that are the same in every run.
    fn entropy(&self, count: usize, vm: &VirtualMachine) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count.saturating_add(8)).map_err(|_| vm.new_memory_error(""))?;
        while bytes.len() < count {
            // SplitMix64 over a counter.
            let state = self.entropy.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
            self.entropy.set(state);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            bytes.extend_from_slice(&(mixed ^ (mixed >> 31)).to_le_bytes());
        }
        bytes.truncate(count);
        Ok(bytes)
    }

    /// A number for an object, unlike that of any other. The object is kept for it, since another
    /// one could take its place in memory.
    fn identity(&self, object: PyObjectRef) -> u64 {
        let mut identities = self.identities.borrow_mut();
        let next = 0x1000 + 16 * identities.len() as u64;
        let address = object.as_object().as_raw() as usize;
        identities.entry(address).or_insert((next, object)).0
    }

    /// Reads what the program is given, or asks for it. What an evaluation reads is no choice of
    /// the program's.
    fn read(&self, line: bool, characters: isize) -> String {
        let amount = Amount { line, characters: usize::try_from(characters).unwrap_or(usize::MAX) };
        if amount.characters == 0 {
            return String::new();
        }
        let is_evaluation = self.captured.borrow().is_some();
        let read = self.input.borrow_mut().read(amount);
        if self.purpose != Purpose::Record || is_evaluation {
            return match read {
                Read::Text(text) => text,
                Read::Wanted => String::new(),
            };
        }
        // What is typed ends the line.
        let prompt = self.line.take();
        let text = match read {
            Read::Text(text) => text,
            Read::Wanted => {
                let answer = self.ask(&prompt);
                self.input.borrow_mut().answer(amount, answer)
            }
        };
        outbox().push(&Message::Read { prompt: &prompt, text: &text });
        text
    }

    /// Waits for what the program reads.
    fn ask(&self, prompt: &str) -> Option<String> {
        let mut outbox = outbox();
        outbox.push(&Message::Wanted { prompt });
        outbox.flush();
        drop(outbox);
        loop {
            if let Command::Input(text) = self.command() {
                return text;
            }
        }
    }

    /// Takes what the program writes; ends the run at the limit.
    fn write(&self, stream: Stream, text: &PyStrRef, vm: &VirtualMachine) -> PyResult<usize> {
        let length = text.char_len();
        if self.rendering.get() {
            return Ok(length);
        }
        let Some(utf8) = text.to_str() else {
            // A lone surrogate: raises what CPython raises for it.
            return vm.call_method(text.as_object(), "encode", ("utf-8",)).map(|_| length);
        };
        let shown = super::mask::addresses(utf8);
        if let Some(captured) = self.captured.borrow_mut().as_mut() {
            let before: usize = captured.iter().map(|(_, text)| text.len()).sum();
            if (before + shown.len()) as u64 > self.limits.output {
                outbox::stop(&self.limits.reason(Reached::Output));
            }
            match captured.last_mut() {
                Some((last, text)) if *last == stream => text.push_str(&shown),
                _ => captured.push((stream, shown.into_owned())),
            }
            return Ok(length);
        }
        let left = self.limits.output - self.written.get();
        if shown.len() as u64 > left {
            let mut cut = left as usize;
            while !shown.is_char_boundary(cut) {
                cut -= 1;
            }
            self.output(stream, &shown[..cut]);
            outbox::stop(&self.limits.reason(Reached::Output));
        }
        self.written.set(self.written.get() + shown.len() as u64);
        self.output(stream, &shown);
        Ok(length)
    }

    fn output(&self, stream: Stream, text: &str) {
        if stream == Stream::Stdout {
            let mut line = self.line.borrow_mut();
            let start = text.rfind('\n').map(|newline| newline + 1);
            if start.is_some() {
                line.clear();
            }
            let rest = &text[start.unwrap_or(0)..];
            if line.len() + rest.len() <= MAX_PROMPT {
                line.push_str(rest);
            }
        }
        if self.purpose == Purpose::Record && !text.is_empty() {
            outbox().push(&Message::Output { stream, text });
        }
    }
}

/// The source of the prelude, and the name that its code objects carry.
const PRELUDE: &str = include_str!("prelude.py");
const PRELUDE_NAME: &str = "<lockstep>";

/// Builds the world in a fresh interpreter.
pub fn install(world: &Rc<World>, request: &Request, vm: &VirtualMachine) -> PyResult<()> {
    let native = vm.ctx.types.namespace_type.as_object().call((), vm)?;
    native.set_attr("name", vm.ctx.new_str(request.name.as_str()), vm)?;
    native.set_attr("seed", vm.ctx.new_int(request.seed), vm)?;
    native.set_attr("clocks", clocks(world, request.clock, vm)?, vm)?;

    for (attribute, stream) in [("write_stdout", Stream::Stdout), ("write_stderr", Stream::Stderr)]
    {
        let world = Rc::clone(world);
        let write = vm.new_function("write", move |text: PyStrRef, vm: &VirtualMachine| {
            world.write(stream, &text, vm)
        });
        native.set_attr(attribute, write, vm)?;
    }
    let own = Rc::clone(world);
    let read = vm.new_function("read", move |line: bool, size: isize| own.read(line, size));
    native.set_attr("read", read, vm)?;
    let own = Rc::clone(world);
    let entropy =
        vm.new_function("urandom", move |count: usize, vm: &VirtualMachine| own.entropy(count, vm));
    native.set_attr("entropy", entropy, vm)?;
    let own = Rc::clone(world);
    let identity = vm.new_function("id", move |object: PyObjectRef| own.identity(object));
    native.set_attr("id", identity, vm)?;
    let collect = vm.import("gc", 0)?.get_attr("collect", vm)?;
    // A function of its own, since a built-in one knows the module that it is from.
    let collect = vm
        .new_function("collect", move |args: FuncArgs, vm: &VirtualMachine| collect.call(args, vm));
    native.set_attr("collect", collect, vm)?;

    let scope = vm.new_scope_with_builtins();
    scope.globals.set_item("native", native, vm)?;
    scope.globals.set_item("__name__", vm.ctx.new_str(PRELUDE_NAME).into(), vm)?;
    let code = vm
        .compile(PRELUDE, Mode::Exec, PRELUDE_NAME)
        .map_err(|error| error.into_pyexception(vm, Some(PRELUDE)))?;
    vm.run_code_obj(code, scope)?;
    seal::close(vm)
}

/// The functions of the module `time` that tell or pass time.
fn clocks(world: &Rc<World>, start: u64, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
    let clocks = vm.ctx.new_dict();
    for (name, name_ns, start) in [
        ("time", "time_ns", start),
        ("monotonic", "monotonic_ns", 0),
        ("perf_counter", "perf_counter_ns", 0),
        ("process_time", "process_time_ns", 0),
        ("thread_time", "thread_time_ns", 0),
    ] {
        let own = Rc::clone(world);
        let seconds = vm.new_function(name, move || start.saturating_add(own.now()) as f64 / 1e9);
        clocks.set_item(name, seconds.into(), vm)?;
        let own = Rc::clone(world);
        let nanoseconds = vm.new_function(name_ns, move || start.saturating_add(own.now()));
        clocks.set_item(name_ns, nanoseconds.into(), vm)?;
    }
    let own = Rc::clone(world);
    let sleep = vm.new_function("sleep", move |seconds: ArgIntoFloat, vm: &VirtualMachine| {
        own.sleep(seconds, vm)
    });
    clocks.set_item("sleep", sleep.into(), vm)?;
    Ok(clocks.into())
}

/// Makes `name` a module that holds the program's globals.
pub fn module_globals(name: &str, file: &str, vm: &VirtualMachine) -> PyResult<PyDictRef> {
    let globals = vm.ctx.new_dict();
    let module = vm.new_module(name, globals.clone(), None);
    globals.set_item("__builtins__", vm.builtins.clone().into(), vm)?;
    globals.set_item("__file__", vm.ctx.new_str(file).into(), vm)?;
    vm.sys_module.get_attr("modules", vm)?.set_item(name, module.into(), vm)?;
    Ok(globals)
}
