//! Which classes and functions are the standard library's, and what its containers hold.
//!
//! Names prove nothing: a program may call its own class `Counter` and say that its module is
//! `collections`. A class that is written in Rust can't be made by a program. Of a function of the
//! standard library the code names the module as its file, and a class of the standard library is
//! also found in that module.
//!
//! The parts of a container are asked for through the class that is written in Rust, so that
//! nothing that a program's class overrides is called.

use rustpython_vm::builtins::{PyDict, PyModule, PyStr, PyType};
use rustpython_vm::protocol::PyIterReturn;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::object::code_of;

/// Containers written in Rust whose length is that of what is shown of them.
const CONTAINERS: [&str; 7] =
    ["set", "frozenset", "deque", "dict_keys", "dict_values", "dict_items", "array"];

/// The class written in Rust that a class is, or inherits from first.
pub fn native_class(class: &Py<PyType>) -> Option<&Py<PyType>> {
    class.iter_base_chain().find(|base| base.heaptype_ext().is_none())
}

/// The module of the standard library that a function stands in, as its code has it.
pub fn file_of(function: &PyObject, vm: &VirtualMachine) -> Option<&'static str> {
    code_of(function, vm).map(|code| code.source_path().as_str())
}

/// Whether a class is the one that this module has under the class's name.
pub fn is_class_of(class: &Py<PyType>, module: &str, vm: &VirtualMachine) -> bool {
    let modules = entry(&vm.sys_module.dict(), "modules");
    let found = modules.as_ref().and_then(|modules| modules.downcast_ref::<PyDict>());
    let found = found.and_then(|modules| entry(modules, module));
    let found = found.as_ref().and_then(|module| module.downcast_ref::<PyModule>());
    found
        .and_then(|module| entry(&module.dict(), &class.name()))
        .is_some_and(|found| found.is(class.as_object()))
}

/// What a dict holds under a name. The dict isn't asked, since it would ask its keys.
pub fn entry(dict: &Py<PyDict>, name: &str) -> Option<PyObjectRef> {
    let mut position = 0;
    while let Some((next, key, value)) = dict.next_entry(position) {
        position = next;
        if key.downcast_ref::<PyStr>().is_some_and(|key| key.as_bytes() == name.as_bytes()) {
            return Some(value);
        }
    }
    None
}

/// How many parts a container written in Rust has.
pub fn length(value: &PyObject, vm: &VirtualMachine) -> Option<usize> {
    let class = native_class(value.class())?;
    if !CONTAINERS.contains(&&*class.name()) {
        return None;
    }
    let length = class.slots().as_sequence.length.load()?;
    length(value.sequence_unchecked(), vm).ok()
}

/// The parts of a container written in Rust, one by one.
pub fn parts<'a>(value: &PyObject, vm: &'a VirtualMachine) -> Option<Parts<'a>> {
    let iter = native_class(value.class())?.slots().iter.load()?;
    let iterator = iter(value.to_owned(), vm).ok()?;
    let next = iterator.class().slots().iternext.load()?;
    Some(Parts { iterator, next, vm })
}

/// See [`parts`].
pub struct Parts<'a> {
    iterator: PyObjectRef,
    next: fn(&PyObject, &VirtualMachine) -> PyResult<PyIterReturn>,
    vm: &'a VirtualMachine,
}

impl Iterator for Parts<'_> {
    type Item = PyObjectRef;

    fn next(&mut self) -> Option<PyObjectRef> {
        match (self.next)(&self.iterator, self.vm) {
            Ok(PyIterReturn::Return(part)) => Some(part),
            _ => None,
        }
    }
}
