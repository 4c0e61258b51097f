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

use rustpython_vm::builtins::{
    PyBaseException, PyDict, PyList, PyStrInterned, PyStrRef, PyTuple, PyType,
};
use rustpython_vm::signal::UserSignalSender;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::mask;
use super::object::{self, Names};
use super::purity::Pure;
use super::sandbox::World;
use super::value::is_atom;

/// How long one `__repr__` may take.
const PATIENCE: Duration = Duration::from_millis(250);
/// Arguments of an exception that its text is asked for with; the built-in exceptions that do more
/// than list them take fewer.
const MAX_ARGUMENTS: usize = 16;
/// Objects looked at in the search for iterators.
const MAX_SEARCHED: usize = 500;

/// Modules of the standard library whose classes' own texts are safe to ask for.
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

    /// The text that `str` gives for an exception, if that may run.
    pub fn str(&self, exception: &PyObject, vm: &VirtualMachine) -> Option<String> {
        match self.names.python_str(exception.class()) {
            Some(function) => self.ask(exception, &function, vm, |vm| exception.str(vm)),
            None => {
                let args = exception.downcast_ref::<PyBaseException>()?;
                let args = args.args();
                let args = args.as_slice();
                let plain = args.len() <= MAX_ARGUMENTS && args.iter().all(|arg| is_atom(arg, vm));
                // A group's text is its message and a number.
                let is_group =
                    exception.class().fast_issubclass(vm.ctx.exceptions.base_exception_group);
                (plain || is_group)
                    .then(|| exception.str(vm).ok())
                    .flatten()
                    .map(|text| mask::addresses(&text.to_string_lossy()).into_owned())
            }
        }
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
        if !self.names.is_own(function, vm) {
            return is_self_contained(value.class(), vm);
        }
        self.is_pure(function, vm) && self.shows_safely(value, vm)
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
    fn shows_safely(&self, value: &PyObject, vm: &VirtualMachine) -> bool {
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
            if let Some(list) = next.downcast_ref::<PyList>() {
                open.extend(list.borrow_vec().iter().take(MAX_SEARCHED + 1).cloned());
            } else if let Some(tuple) = next.downcast_ref::<PyTuple>() {
                open.extend(tuple.as_slice().iter().take(MAX_SEARCHED + 1).cloned());
            } else if let Some(dict) = next.downcast_ref::<PyDict>() {
                open.extend(dict.values_vec().into_iter().take(MAX_SEARCHED + 1));
            }
            if class.heaptype_ext().is_none() || next.downcast_ref::<PyType>().is_some() {
                continue;
            }
            let texts = self.names.python_texts(class);
            let safe = |text: &PyObjectRef| match self.names.is_own(text, vm) {
                true => self.is_pure(text, vm),
                false => is_self_contained(class, vm) || is_made(class, vm),
            };
            if !texts.iter().all(safe) {
                return false;
            }
            open.extend(object::attributes(&next, vm).into_iter().map(|(_, item)| item));
        }
        true
    }
}

/// Whether the texts of this class of the standard library are made of its own parts alone.
fn is_self_contained(class: &Py<PyType>, vm: &VirtualMachine) -> bool {
    defining_module(class, vm).is_some_and(|module| SELF_CONTAINED.contains(&module.as_str()))
}

/// Whether the standard library made the texts of this class of the program: those of dataclasses,
/// enumerations and named tuples show their parts.
fn is_made(class: &Py<PyType>, vm: &VirtualMachine) -> bool {
    ["__dataclass_fields__", "_member_map_", "_fields"]
        .iter()
        .any(|name| class.get_attr(vm.ctx.intern_str(*name)).is_some())
}

/// The module that a class comes from.
fn defining_module(class: &Py<PyType>, vm: &VirtualMachine) -> Option<String> {
    let module: PyObjectRef = class.__module__(vm).ok()?;
    let name: PyStrRef = module.downcast().ok()?;
    Some(name.to_string_lossy().into_owned())
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
