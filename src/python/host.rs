//! The Python host: the child process that runs a program and reports what it does.
//!
//! Three threads. The debuggee's runs the interpreter, on a stack of a fixed size so that deep
//! recursion ends at the same place everywhere. The pulse sends what waits in the outbox, watches
//! the memory, and interrupts a `__repr__` that takes too long. The third passes on what the parent
//! says; at the end of standard input, which is the end of the parent, it ends the process.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustpython_vm::builtins::{PyBaseExceptionRef, PyCode, PyDictRef, PyInt, PyStrRef};
use rustpython_vm::compiler::Mode;
use rustpython_vm::frame::FrameObjectRef;
use rustpython_vm::scope::Scope;
use rustpython_vm::signal::{UserSignalReceiver, UserSignalSender, user_signal_channel};
use rustpython_vm::{
    AsObject, Interpreter, PyObjectRef, PyRef, PyResult, Settings, VirtualMachine,
};

use super::answers::{Answers, syntax_error};
use super::change::Changes;
use super::entry::{self, Entry};
use super::hook::Recorder;
use super::limits::Reached;
use super::memory;
use super::never::Loops;
use super::outbox::{self, outbox};
use super::purity::Pure;
use super::repr::{self, OwnRepr};
use super::sandbox::{self, World};
use super::value::Renderer;
use super::wire::{self, Command, Message, Purpose, Refusal, Request, VERSION};
use crate::state::ExitKind;

/// Size of the debuggee's stack, in bytes.
pub(super) const STACK: usize = 64 * 1024 * 1024;
/// Time between two beats of the pulse.
const BEAT: Duration = Duration::from_millis(2);
/// How long memory may stay above the limit before the pulse ends the run. The recorder sees it at
/// its next event, which is at the same place in every run; the pulse is for code without events.
const MEMORY_PATIENCE: Duration = Duration::from_millis(50);

/// Runs the host; the hidden subcommand's whole work. It reads a request from standard input,
/// writes messages to standard output, and ends the process.
pub fn main() -> ! {
    report_panics();
    outbox().push(&Message::Hello { version: VERSION });
    let mut stdin = std::io::stdin();
    let request = match wire::read_frame(&mut stdin) {
        Ok(Some(bytes)) => wire::decode_request(&bytes),
        // Started by hand, or the parent is gone.
        _ => std::process::exit(2),
    };
    let request = match request {
        Ok(request) if request.version == VERSION => request,
        // The parent sees from the greeting that the versions differ.
        _ => outbox().finish(&Message::Ready),
    };
    bound_process(request.limits.memory);
    let (sender, commands) = channel();
    std::thread::spawn(move || {
        while let Ok(Some(frame)) = wire::read_frame(&mut stdin) {
            let sent =
                wire::decode_command(&frame).is_ok_and(|command| sender.send(command).is_ok());
            if !sent {
                break;
            }
        }
        std::process::exit(1)
    });
    let (signals, receiver) = user_signal_channel();
    let limits = request.limits;
    let debuggee = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || -> () { debuggee(&interpreter(receiver), &request, commands) });
    match debuggee {
        Ok(_) => pulse(&limits, &signals),
        Err(error) => outbox::stop(&format!("no thread for the program: {error}")),
    }
}

/// Lets a panic end the run, with what it says.
pub(super) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("a panic");
        outbox::stop(&format!("the Python interpreter failed: {what}"));
    }));
}

/// Bounds what the kernel lets this process do.
#[cfg(unix)]
pub(super) fn bound_process(memory: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bound = |resource, most| {
        // Where the system refuses, the counted limits still hold.
        let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    };
    bound(Resource::Core, 0);
    // Far above what the allocator counts: it bounds what that doesn't see.
    bound(Resource::As, memory.saturating_mul(2).saturating_add(2 << 30));
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

#[cfg(not(unix))]
fn bound_process(_memory: u64) {}

/// Beats until the process ends.
pub(super) fn pulse(limits: &super::limits::Limits, signals: &UserSignalSender) -> ! {
    let mut exceeded: Option<Instant> = None;
    loop {
        std::thread::sleep(BEAT);
        outbox().flush();
        repr::watch(signals);
        if !memory::exceeded() {
            exceeded = None;
        } else if exceeded.get_or_insert_with(Instant::now).elapsed() > MEMORY_PATIENCE {
            outbox::stop(&limits.reason(Reached::Memory));
        }
    }
}

/// An interpreter that has run nothing yet.
pub(super) fn interpreter(signals: UserSignalReceiver) -> Interpreter {
    let mut settings = Settings::default();
    settings.hash_seed = Some(0);
    settings.install_signal_handlers = false;
    settings.import_site = false;
    settings.isolated = true;
    settings.ignore_environment = true;
    settings.write_bytecode = false;
    let builder = Interpreter::builder(settings);
    let modules = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    builder
        .add_native_modules(&modules)
        .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
        .init_hook(|vm| vm.set_user_signal_channel(signals))
        .build()
}

/// Runs the program, on its own thread.
pub(super) fn debuggee(
    interpreter: &Interpreter,
    request: &Request,
    commands: Receiver<Command>,
) -> ! {
    interpreter.enter(|vm| match prepare(request, commands, vm) {
        Ok(run) => run.go(vm),
        Err(refusal) => outbox().finish(&Message::Refused(refusal)),
    })
}

/// A program that is ready to run.
struct Run<'a> {
    request: &'a Request,
    world: Rc<World>,
    entry: Entry,
    pure: Pure,
    loops: Loops,
    code: PyRef<PyCode>,
}

/// Compiles the program, finds its entry and builds its world.
fn prepare<'a>(
    request: &'a Request,
    commands: Receiver<Command>,
    vm: &VirtualMachine,
) -> Result<Run<'a>, Refusal> {
    let code = vm
        .compile(&request.source, Mode::Exec, request.name.as_str())
        .map_err(|error| syntax(&error.into_pyexception(vm, Some(&request.source)), vm))?;
    // What compiles was parsed without an error by the same parser.
    let (entry, pure, loops) = match ruff_python_parser::parse_module(&request.source) {
        Ok(module) => {
            let suite = module.suite();
            let source = &request.source;
            let entry = entry::find(suite, request.entry.as_deref())?;
            (entry, Pure::of(suite, source), Loops::of(suite, source))
        }
        Err(_) => (Entry::Module, Pure::default(), Loops::default()),
    };
    let world = World::new(request, commands);
    if let Err(error) = sandbox::install(&world, request, vm) {
        let (class, message) = plain(&error, vm);
        outbox::stop(&format!("the program's world can't be built: {class}: {message}"));
    }
    outbox().push(&Message::Ready);
    memory::limit(request.limits.memory);
    Ok(Run { request, world, entry, pure, loops, code })
}

/// What a compile error says, and where.
fn syntax(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> Refusal {
    let number = |name: &str| {
        let value = error.as_object().get_attr(vm.ctx.intern_str(name), vm).ok();
        let value = value.as_ref().and_then(|value| value.downcast_ref::<PyInt>());
        value.and_then(|value| value.try_to_primitive(vm).ok()).unwrap_or(0)
    };
    let message = syntax_error(error, vm);
    Refusal::Syntax { line: number("lineno"), column: number("offset"), message }
}

/// Class and message of an exception of the host's own Python code.
fn plain(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> (String, String) {
    let message = error.as_object().str(vm);
    let message = message.map(|text: PyStrRef| text.to_string_lossy().into_owned());
    (error.class().name().to_string(), message.unwrap_or_default())
}

impl Run<'_> {
    /// Runs the program and ends the process.
    fn go(self, vm: &VirtualMachine) -> ! {
        let file = vm.ctx.intern_str(self.request.name.as_str());
        let own = OwnRepr::new(Rc::clone(&self.world), file, self.pure.clone(), vm);
        let renderer = Renderer::new(self.request.limits.value, own);
        let world = || Rc::clone(&self.world);
        let (loops, answers) = match self.request.purpose {
            Purpose::Record => (self.loops.clone(), None),
            // A run that is only looked at needs no end.
            Purpose::Inspect => {
                (Loops::default(), Some(Answers::new(world(), &self.request.source)))
            }
        };
        let changes = Changes::new(&self.request.edits);
        let recorder = Recorder::new(world(), renderer, file, loops, changes, answers);
        let recorder = Rc::new(RefCell::new(recorder));
        let ended = match &self.entry {
            Entry::Module => self.run_module(&recorder, vm),
            Entry::Function(name) => self.run_function(name, &recorder, vm),
        };
        finish(ended.map(|_| ()), &recorder, vm)
    }

    fn globals(&self, name: &str, vm: &VirtualMachine) -> PyResult<PyDictRef> {
        sandbox::module_globals(name, &self.request.name, vm)
    }

    /// Runs the module's statements, traced.
    fn run_module(&self, recorder: &Rc<RefCell<Recorder>>, vm: &VirtualMachine) -> PyResult {
        let globals = self.globals("__main__", vm)?;
        trace(recorder, vm);
        vm.run_code_obj(self.code.clone(), Scope::with_builtins(None, globals, vm))
    }

    /// Runs the module's statements, and then the function, which alone is traced. The module's
    /// name is the file's, so that what stands under `if __name__ == "__main__"` doesn't run.
    fn run_function(
        &self,
        name: &str,
        recorder: &Rc<RefCell<Recorder>>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let globals = self.globals(&module_name(&self.request.name, vm), vm)?;
        let scope = Scope::with_builtins(None, globals.clone(), vm);
        if let Err(error) = vm.run_code_obj(self.code.clone(), scope) {
            let (class, message) = recorder.borrow().describe(&error, vm);
            let line = line_of(&error, &self.request.name);
            let entry = name.to_owned();
            let refusal = Refusal::ModuleFailed { entry, class, message, line };
            outbox().finish(&Message::Refused(refusal));
        }
        let function = globals.get_item_opt(name, vm)?.filter(|value| value.is_callable());
        let Some(function) = function else {
            let why = "is no function any more once the module has run".to_owned();
            let refusal = Refusal::BadEntry { name: name.to_owned(), why };
            outbox().finish(&Message::Refused(refusal));
        };
        trace(recorder, vm);
        function.call((), vm)
    }
}

/// The name that a program has as a module: its file's, unless a module of the standard library has
/// it, which the program or that library may want to import.
fn module_name(file: &str, vm: &VirtualMachine) -> String {
    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let is_taken =
        |name: &str| vm.state.frozen.contains_key(name) || vm.state.module_defs.contains_key(name);
    match stem {
        Some(stem) if stem != "__main__" && !is_taken(&stem) => stem,
        _ => "program".to_owned(),
    }
}

/// Switches the hook on.
fn trace(recorder: &Rc<RefCell<Recorder>>, vm: &VirtualMachine) {
    let recorder = Rc::clone(recorder);
    let hook = vm.new_function(
        "trace",
        move |frame: FrameObjectRef, word: PyStrRef, argument: PyObjectRef, vm: &VirtualMachine| {
            let mut recorder = recorder.borrow_mut();
            if !recorder.traces(&frame) {
                return vm.ctx.none();
            }
            recorder.event(&frame, word.as_bytes(), &argument, vm);
            // Wanted of a call only: the function that is told of what happens in its frame.
            match word.as_bytes() {
                b"call" => vm.trace_func.borrow().clone(),
                _ => vm.ctx.none(),
            }
        },
    );
    vm.trace_func.replace(hook.into());
    vm.use_tracing.set(true);
}

/// Says how the program ended, and ends the process.
fn finish(ended: PyResult<()>, recorder: &Rc<RefCell<Recorder>>, vm: &VirtualMachine) -> ! {
    vm.trace_func.replace(vm.ctx.none());
    vm.use_tracing.set(false);
    let error = match ended {
        Ok(()) => None,
        Err(error) if leaves_in_order(&error, vm) => None,
        Err(error) => Some(recorder.borrow().describe(&error, vm)),
    };
    let exception = error.as_ref().map(|(class, message)| (class.as_str(), message.as_str()));
    let kind = if exception.is_some() { ExitKind::Error } else { ExitKind::Normal };
    outbox().finish(&Message::Exit { kind, exception, reason: None })
}

/// Whether this is `sys.exit()` with a code that says that all is well: None or 0.
fn leaves_in_order(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> bool {
    if !error.class().is(vm.ctx.exceptions.system_exit) {
        return false;
    }
    match error.args().as_slice() {
        [] => true,
        [code] => {
            vm.is_none(code)
                || code.downcast_ref::<PyInt>().is_some_and(|code| code.as_bigint().bits() == 0)
        }
        _ => false,
    }
}

/// The innermost line of the program in an exception's traceback; 0 if there is none.
fn line_of(error: &PyBaseExceptionRef, file: &str) -> u32 {
    let mut line = 0;
    let mut next = error.traceback();
    while let Some(entry) = next {
        if entry.frame.f_code().source_path().as_str() == file {
            line = entry.lineno.get() as u32;
        }
        next = entry.next.lock().clone();
    }
    line
}
