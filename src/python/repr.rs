//! Runs a `__repr__` or `__str__` that is Python code, where that is safe.
//!
//! Code of the program runs only if the static check of [`super::purity`] proves that it changes
//! nothing and ends, and if no iterator can be reached from the object (walking one moves it on).
//! Code of the standard library runs for a few classes that are known to look at nothing but
//! themselves. While it runs nothing is traced and nothing is output; if it takes too long, the
//! host's pulse raises an error in it. Where none of this holds the caller shows attributes.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustpython_vm::builtins::{PyDict, PyList, PyStrInterned, PyStrRef, PyTuple, PyType};
use rustpython_vm::signal::UserSignalSender;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::library;
use super::mask;
use super::object::{self, Names};
use super::purity::Pure;
use super::sandbox::World;
use super::value::is_atom;

/// How long one `__repr__` may take.
const PATIENCE: Duration = Duration::from_millis(250);
/// Objects looked at in the search for iterators.
const MAX_SEARCHED: usize = 500;

/// Modules of the standard library whose classes' own texts show nothing but the objects' own parts.
const SELF_CONTAINED: [&str; 8] = [
    "typing",
    "_pydecimal",
    "decimal",
    "fractions",
    "_pydatetime",
    "datetime",
    "uuid",
    "ipaddress",
];

/// Modules of the standard library that give classes of the program texts which show their parts.
const MAKERS: [&str; 2] = ["enum", "collections"];

/// What makes the text that may be asked for, and so decides what it may come upon.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    /// A pure function of the program.
    Program,
    /// The standard library.
    Library,
}

/// Asks objects for their own texts.
pub struct OwnRepr {
    world: Rc<World>,
    pure: Pure,
    names: Names,
    /// Classes whose code took too long; they aren't asked again.
    slow: RefCell<HashSet<usize>>,
}

impl OwnRepr {
    /// For the program whose code objects name `file`.
    pub fn new(
        world: Rc<World>,
        file: &'static PyStrInterned,
        pure: Pure,
        vm: &VirtualMachine,
    ) -> Self {
        OwnRepr { world, pure, names: Names::new(file, vm), slow: RefCell::default() }
    }

    /// The names of what is looked up in classes.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The text that the `__repr__` of the object's class gives, if it may run.
    pub fn repr(&self, value: &PyObject, vm: &VirtualMachine) -> Option<String> {
        let function = self.names.python_repr(value.class())?;
        self.ask(value, &function, vm, |vm| value.repr(vm))
    }

    /// The text that the `__str__` of an exception's class gives, if it may run.
    pub fn str(&self, exception: &PyObject, vm: &VirtualMachine) -> Option<String> {
        let function = self.names.python_str(exception.class())?;
        self.ask(exception, &function, vm, |vm| exception.str(vm))
    }

    fn ask(
        &self,
        value: &PyObject,
        function: &PyObject,
        vm: &VirtualMachine,
        text: impl FnOnce(&VirtualMachine) -> PyResult<PyStrRef>,
    ) -> Option<String> {
        let class = value.class().as_object().as_raw() as usize;
        if self.slow.borrow().contains(&class) || !self.may_run(value, function, vm) {
            return None;
        }
        let nested = self.world.rendering.replace(true);
        let guard = Guard::start(nested);
        let text = text(vm);
        if guard.end() {
            self.slow.borrow_mut().insert(class);
        }
        self.world.rendering.set(nested);
        Some(mask::addresses(&text.ok()?.to_string_lossy()).into_owned())
    }

    fn may_run(&self, value: &PyObject, function: &PyObject, vm: &VirtualMachine) -> bool {
        let maker = match self.names.is_own(function, vm) {
            true if self.is_pure(function, vm) => Maker::Program,
            false if is_self_contained(value.class(), function, vm) => Maker::Library,
            _ => return false,
        };
        self.shows_safely(value, maker, vm)
    }

    fn is_pure(&self, function: &PyObject, vm: &VirtualMachine) -> bool {
        object::code_of(function, vm).is_some_and(|code| {
            let line = code.first_line_number.map_or(0, |line| line.get() as u32);
            self.names.is_own(function, vm) && self.pure.holds(code.obj_name.as_str(), line)
        })
    }

    /// Whether all that a search through attributes and containers finds may be shown at any time:
    /// its own texts are pure, and it is no iterator, which is moved on by being walked over. What
    /// is beyond the search's bounds counts as if it weren't.
    fn shows_safely(&self, value: &PyObject, maker: Maker, vm: &VirtualMachine) -> bool {
        let mut seen = HashSet::new();
        let mut open: Vec<PyObjectRef> = vec![value.to_owned()];
        while let Some(next) = open.pop() {
            if is_atom(&next, vm) || !seen.insert(next.as_raw() as usize) {
                continue;
            }
            let class = next.class();
            if seen.len() > MAX_SEARCHED || class.slots().iternext.load().is_some() {
                return false;
            }
            if next.downcast_ref::<PyType>().is_some() {
                // A class is shown by its metaclass.
                let is_known = class.is(vm.ctx.types.type_type)
                    || ["abc", "enum"].iter().any(|module| library::is_class_of(class, module, vm));
                if is_known || (maker == Maker::Program && self.is_safe(class, maker, vm)) {
                    continue;
                }
                return false;
            }
            push_parts(&next, &mut open, vm);
            if class.heaptype_ext().is_some() {
                if !self.is_safe(class, maker, vm) {
                    return false;
                }
                let attributes = object::attributes(&next, MAX_SEARCHED + 1, vm);
                open.extend(attributes.into_iter().map(|(_, item)| item));
            }
        }
        true
    }

    /// Whether the texts of a class's instances may be asked for.
    fn is_safe(&self, class: &Py<PyType>, maker: Maker, vm: &VirtualMachine) -> bool {
        let Some(texts) = self.names.python_texts(class) else { return false };
        texts.iter().all(|text| match self.names.is_own(text, vm) {
            true => maker == Maker::Program && self.is_pure(text, vm),
            false => is_self_contained(class, text, vm) || self.is_made(text, maker, vm),
        })
    }

    /// Whether the standard library made this text for a class of the program: those of dataclasses,
    /// enumerations and named tuples show their parts.
    fn is_made(&self, text: &PyObject, maker: Maker, vm: &VirtualMachine) -> bool {
        match library::file_of(text, vm) {
            Some("reprlib") => {
                // It calls the function that it wraps. That of a dataclass is made by `exec`, which
                // isn't in a program that has pure functions.
                let wrapped = text.get_attr("__wrapped__", vm).ok();
                let file = wrapped.as_ref().and_then(|wrapped| library::file_of(wrapped, vm));
                maker == Maker::Program && file == Some("<string>")
            }
            Some(file) => MAKERS.contains(&file),
            None => false,
        }
    }
}

/// Adds the parts of a container to `open`, or more of them than are looked at.
fn push_parts(value: &PyObject, open: &mut Vec<PyObjectRef>, vm: &VirtualMachine) {
    let types = &vm.ctx.types;
    let most = MAX_SEARCHED + 1;
    if let Some(list) = value.downcast_ref::<PyList>() {
        open.extend(list.borrow_vec().iter().take(most).cloned());
    } else if let Some(tuple) = value.downcast_ref::<PyTuple>() {
        open.extend(tuple.as_slice().iter().take(most).cloned());
    } else if let Some(dict) = value.downcast_ref::<PyDict>() {
        let mut position = 0;
        let before = open.len();
        while let Some((next, key, item)) = dict.next_entry(position) {
            position = next;
            open.extend([key, item]);
            if open.len() > before + most {
                break;
            }
        }
    } else if library::length(value, vm).is_some() {
        open.extend(library::parts(value, vm).into_iter().flatten().take(most));
    } else if value.class().heaptype_ext().is_none() {
        let class = value.class();
        let is_named = class.is(types.function_type)
            || class.is(types.builtin_function_or_method_type)
            || class.is(types.code_type)
            || class.is(types.module_type);
        if !is_named {
            open.extend(value.gc_get_referents().into_iter().take(most));
        }
    }
}

/// Whether this text of a class is made of the objects' own parts alone: both are the standard
/// library's.
fn is_self_contained(class: &Py<PyType>, text: &PyObject, vm: &VirtualMachine) -> bool {
    library::file_of(text, vm)
        .is_some_and(|file| SELF_CONTAINED.contains(&file) && library::is_class_of(class, file, vm))
}

/// When the code that runs now was started, in milliseconds on [`clock`], plus one; 0 if none runs.
static STARTED: AtomicU64 = AtomicU64::new(0);

fn clock() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_millis() as u64
}

/// Marks that code is asked for a text.
struct Guard {
    started: u64,
    nested: bool,
}

impl Guard {
    fn start(nested: bool) -> Self {
        let started = clock() + 1;
        if !nested {
            STARTED.store(started, Relaxed);
        }
        Guard { started, nested }
    }

    /// Ends it; true if it took too long.
    fn end(self) -> bool {
        if !self.nested {
            STARTED.store(0, Relaxed);
        }
        u128::from(clock() + 1 - self.started) >= PATIENCE.as_millis()
    }
}

/// Called at every beat of the host's pulse: interrupts code that takes too long.
pub fn watch(signals: &UserSignalSender) {
    let overdue = || {
        let started = STARTED.load(Relaxed);
        started != 0 && u128::from((clock() + 1).saturating_sub(started)) >= PATIENCE.as_millis()
    };
    if overdue() {
        // The receiver outlives the pulse: both end with the process.
        let _ = signals.send(Box::new(move |vm| match overdue() {
            true => Err(vm.new_runtime_error("this __repr__ takes too long")),
            false => Ok(()),
        }));
    }
}
