//! Says of an expression, before it is evaluated, whether it is sure to change nothing.
//!
//! Then the run can go on after it; after any other it has to start anew. Two things are looked at:
//! the expression's text, and that of the functions that it calls ([`super::purity`]); and what its
//! names stand for, since walking over an iterator moves it on, and a `defaultdict` grows when it is
//! asked.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::{ModModule, Stmt};
use rustpython_vm::builtins::{
    PyBaseException, PyBoundMethod, PyDict, PyFrozenSet, PyFunction, PyList, PyModule, PySet,
    PySlice, PyStr, PyTuple, PyType,
};
use rustpython_vm::frame::FrameObject;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

use super::answers;
use super::object;
use super::purity::{self, Touched};
use super::value::is_atom;

/// Objects looked at before an expression counts as one that may change something.
const MAX_SEARCHED: usize = 20_000;
/// Expressions whose texts' verdicts are kept.
const MAX_KEPT: usize = 1_000;

/// Modules of the standard library whose classes' methods don't change an object unless their names
/// say so.
const STILL_MODULES: [&str; 8] =
    ["enum", "typing", "abc", "collections", "dataclasses", "decimal", "fractions", "numbers"];
/// Classes written in Rust of which the same is true.
const STILL_CLASSES: [&str; 15] = [
    "object",
    "ellipsis",
    "NotImplementedType",
    "builtin_function_or_method",
    "method_descriptor",
    "bytearray",
    "deque",
    "OrderedDict",
    "array",
    "date",
    "datetime",
    "time",
    "timedelta",
    "Pattern",
    "Match",
];

/// Judges expressions that are evaluated in frames of one program.
pub struct Harmless {
    module: Option<ModModule>,
    /// What expressions touch, as far as their texts say; none if they may change something.
    texts: HashMap<String, Option<Touched>>,
}

impl Harmless {
    /// For the program with this text.
    pub fn new(source: &str) -> Self {
        let module = ruff_python_parser::parse_module(source).ok();
        Harmless { module: module.map(|module| module.into_syntax()), texts: HashMap::new() }
    }

    /// Whether the expression is sure to change nothing in this frame.
    pub fn holds(
        &mut self,
        expression: &str,
        frame: &Py<FrameObject>,
        vm: &VirtualMachine,
    ) -> bool {
        let Some(module) = &self.module else { return false };
        if self.texts.len() >= MAX_KEPT {
            self.texts.clear();
        }
        let touched = self
            .texts
            .entry(expression.to_owned())
            .or_insert_with(|| touched(&module.body, expression));
        let Some(touched) = touched else { return false };
        let Ok(names) = answers::names(frame, vm) else { return false };
        let roots = match touched {
            Touched::Names(wanted) => wanted
                .iter()
                .filter_map(|name| names.get_item_opt(name.as_str(), vm).ok().flatten())
                .collect(),
            Touched::Everything => names.items_vec().into_iter().map(|(_, value)| value).collect(),
        };
        let module = names.get_item_opt("__name__", vm).ok().flatten();
        are_still(roots, module.as_deref(), vm)
    }
}

/// What an expression touches. What is no expression changes nothing.
fn touched(module: &[Stmt], expression: &str) -> Option<Touched> {
    match ruff_python_parser::parse_expression(expression.trim()) {
        Ok(parsed) => purity::touched(module, &parsed.into_syntax().body),
        Err(_) => Some(Touched::Names(Vec::new())),
    }
}

/// Whether nothing that can be reached from these objects changes by being read. `module` is the
/// name of the program's module.
fn are_still(mut open: Vec<PyObjectRef>, module: Option<&PyObject>, vm: &VirtualMachine) -> bool {
    let mut seen = HashSet::new();
    while let Some(next) = open.pop() {
        if is_atom(&next, vm) {
            continue;
        }
        if seen.len() + open.len() > MAX_SEARCHED {
            return false;
        }
        if !seen.insert(next.as_raw() as usize) || is_leaf(&next) {
            continue;
        }
        let class = next.class();
        if class.slots().iternext.load().is_some() {
            return false;
        }
        if let Some(class) = next.downcast_ref::<PyType>() {
            // Those of the interpreter hold nothing of the program's.
            if class.heaptype_ext().is_some() && is_of(class, module, vm) {
                open.extend(class.attributes().entries().into_iter().map(|(_, value)| value));
            }
            continue;
        }
        if next.downcast_ref::<PyFunction>().is_some() {
            for name in ["__closure__", "__defaults__", "__kwdefaults__"] {
                open.extend(next.get_attr(name, vm));
            }
            continue;
        }
        if class.is(vm.ctx.types.cell_type) {
            open.extend(next.gc_get_referents());
            continue;
        }
        if !class.mro_collect().iter().all(|base| is_still_class(base, module, vm)) {
            return false;
        }
        let room = MAX_SEARCHED + 1;
        if let Some(list) = next.downcast_ref::<PyList>() {
            open.extend(list.borrow_vec().iter().take(room).cloned());
        } else if let Some(tuple) = next.downcast_ref::<PyTuple>() {
            open.extend(tuple.as_slice().iter().take(room).cloned());
        } else if let Some(dict) = next.downcast_ref::<PyDict>() {
            for (key, value) in dict.items_vec().into_iter().take(room) {
                open.extend([key, value]);
            }
        } else if let Some(set) = next.downcast_ref::<PySet>() {
            open.extend(set.elements());
        } else if let Some(set) = next.downcast_ref::<PyFrozenSet>() {
            open.extend(set.elements());
        } else if let Some(error) = next.downcast_ref::<PyBaseException>() {
            open.push(error.args().into());
        } else if *class.name() == *"deque" {
            match vm.extract_elements_with(&next, Ok) {
                Ok(items) => open.extend(items),
                Err(_) => return false,
            }
        }
        if class.heaptype_ext().is_some() {
            open.extend(
                object::attributes(&next, usize::MAX, vm).into_iter().map(|(_, value)| value),
            );
            open.push(class.to_owned().into());
        }
    }
    true
}

/// Objects that hold others, but not for an expression that calls functions by their names alone.
fn is_leaf(value: &PyObject) -> bool {
    value.downcast_ref::<PyBoundMethod>().is_some()
        || value.downcast_ref::<PyModule>().is_some()
        || value.downcast_ref::<PySlice>().is_some()
}

/// Whether a class's instances don't change by being read.
fn is_still_class(class: &Py<PyType>, module: Option<&PyObject>, vm: &VirtualMachine) -> bool {
    let types = &vm.ctx.types;
    let name = class.name();
    if *name == *"defaultdict" {
        return false;
    }
    if class.heaptype_ext().is_some() {
        return is_of(class, module, vm)
            || module_of(class, vm).is_some_and(|module| {
                module.downcast_ref::<PyStr>().is_some_and(|name| {
                    STILL_MODULES.iter().any(|m| name.as_bytes() == m.as_bytes())
                })
            });
    }
    let built_in = [
        types.int_type,
        types.str_type,
        types.float_type,
        types.bool_type,
        types.complex_type,
        types.bytes_type,
        types.range_type,
        types.list_type,
        types.tuple_type,
        types.dict_type,
        types.set_type,
        types.frozenset_type,
    ];
    built_in.iter().any(|built_in| class.is(*built_in))
        || class.fast_issubclass(vm.ctx.exceptions.base_exception_type)
        || STILL_CLASSES.iter().any(|still| *name == **still)
}

/// Whether a class is the program's own.
fn is_of(class: &Py<PyType>, module: Option<&PyObject>, vm: &VirtualMachine) -> bool {
    let own = module.and_then(|module| module.downcast_ref::<PyStr>());
    match (own, module_of(class, vm)) {
        (Some(own), Some(module)) => {
            module.downcast_ref::<PyStr>().is_some_and(|name| name.as_wtf8() == own.as_wtf8())
        }
        _ => false,
    }
}

fn module_of(class: &Py<PyType>, vm: &VirtualMachine) -> Option<PyObjectRef> {
    class.__module__(vm).ok()
}
