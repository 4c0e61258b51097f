//! What values are made of, part by part, and which of them are one object.
//!
//! No code of the program runs for it. The parts of a value stand in a fixed order, so that their
//! places are a path to them; a long value is had page by page.

use std::collections::HashMap;
use std::ops::Range;

use rustpython_vm::builtins::{
    PyBaseException, PyBoundMethod, PyDict, PyFrozenSet, PyFunction, PyList, PyModule, PySet,
    PyStr, PyTuple, PyType,
};
use rustpython_vm::frame::{FrameObject, FrameObjectRef};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

use super::object::{self, Form};
use super::question::{Child, Children, Kind};
use super::value::{Renderer, is_atom};

/// Sets of more elements are shown in their own order: sorting takes a text of each.
const MAX_SORTED: usize = 10_000;
/// Most objects that get a number.
const MAX_NUMBERED: usize = 10_000;

/// How a part is called within its value.
enum Key {
    Index(usize),
    Name(String),
    Object(PyObjectRef),
}

/// Some of the parts of a value.
struct Parts {
    kind: Kind,
    /// How many there are in all.
    total: usize,
    parts: Vec<(Key, PyObjectRef)>,
}

/// The variables of a frame, in its order, as they are recorded.
pub fn variables(frame: &Py<FrameObject>, vm: &VirtualMachine) -> Vec<(String, PyObjectRef)> {
    let Ok(locals) = frame.locals(vm) else { return Vec::new() };
    let Some(locals) = locals.obj().downcast_ref::<PyDict>() else { return Vec::new() };
    let is_module = locals.is(frame.iframe().globals());
    named(locals, |name| !is_module || !name.starts_with("__"))
}

/// The entries of a dictionary whose keys are names that are `wanted`.
fn named(dict: &Py<PyDict>, wanted: impl Fn(&str) -> bool) -> Vec<(String, PyObjectRef)> {
    let name = |(key, value): (PyObjectRef, PyObjectRef)| {
        let name = key.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
        wanted(&name).then_some((name, value))
    };
    dict.items_vec().into_iter().filter_map(name).collect()
}

/// Looks at values.
pub struct Structure<'a> {
    renderer: &'a Renderer,
    vm: &'a VirtualMachine,
}

impl<'a> Structure<'a> {
    /// A look at values, whose texts `renderer` gives.
    pub fn new(renderer: &'a Renderer, vm: &'a VirtualMachine) -> Self {
        Structure { renderer, vm }
    }

    /// The part at this place, if there is one.
    pub fn part(&self, value: &PyObject, place: usize) -> Option<PyObjectRef> {
        let parts = self.parts(value, place..place.saturating_add(1)).parts;
        parts.into_iter().next().map(|(_, part)| part)
    }

    /// The parts in a range of places, as they are shown.
    pub fn children(&self, value: &PyObject, range: Range<usize>, numbers: &Numbers) -> Children {
        self.shown(self.parts(value, range), numbers)
    }

    /// The variables of a frame in a range of places, as they are shown.
    pub fn variables(
        &self,
        variables: Vec<(String, PyObjectRef)>,
        range: &Range<usize>,
        numbers: &Numbers,
    ) -> Children {
        self.shown(attributes(variables, range), numbers)
    }

    fn shown(&self, Parts { kind, total, parts }: Parts, numbers: &Numbers) -> Children {
        let items = parts.into_iter().map(|(key, part)| Child {
            key: match key {
                Key::Index(index) => index.to_string().into(),
                Key::Name(name) => name.into(),
                Key::Object(key) => self.text(&key).into(),
            },
            value: self.text(&part).into(),
            class: object::local_name(&object::qualified_name(part.class(), self.vm)).into(),
            identity: numbers.of(&part),
            expandable: self.parts(&part, 0..0).total > 0,
        });
        Children { kind, total, items: items.collect() }
    }

    fn text(&self, value: &PyObject) -> String {
        let mut text = String::new();
        self.renderer.render(value, &mut text, self.vm);
        text
    }

    /// The parts in a range of places: what a value contains, then the attributes of its own.
    fn parts(&self, value: &PyObject, range: Range<usize>) -> Parts {
        let vm = self.vm;
        let mut parts = self.contents(value, &range);
        let has_attributes = value.class().heaptype_ext().is_some()
            || value.dict().is_some() && value.downcast_ref::<PyModule>().is_none();
        let is_enum =
            matches!(object::form(value, self.renderer.names(), usize::MAX, vm), Form::Enum { .. });
        if has_attributes && !is_enum && value.downcast_ref::<PyType>().is_none() {
            let attributes = object::attributes(value, usize::MAX, vm);
            if parts.total == 0 {
                parts.kind = Kind::Attributes;
            }
            let before = parts.total;
            parts.total += attributes.len();
            let places = before..parts.total;
            let found = places.zip(attributes).filter(|(place, _)| range.contains(place));
            parts.parts.extend(found.map(|(_, (name, part))| (Key::Name(name), part)));
        }
        parts
    }

    /// What a value contains by its class, without its own attributes.
    fn contents(&self, value: &PyObject, range: &Range<usize>) -> Parts {
        let vm = self.vm;
        if is_atom(value, vm) {
            return attributes(Vec::new(), range);
        }
        match object::form(value, self.renderer.names(), usize::MAX, vm) {
            Form::NamedTuple(fields) => {
                let items = value.downcast_ref::<PyTuple>().map(Py::as_slice).unwrap_or_default();
                return attributes(fields.into_iter().zip(items.iter().cloned()).collect(), range);
            }
            Form::Enum { name, value: member } => {
                let name = name.map(|name| ("name".to_owned(), vm.ctx.new_str(name).into()));
                let parts = name.into_iter().chain([("value".to_owned(), member)]);
                return attributes(parts.collect(), range);
            }
            _ => {}
        }
        if let Some(list) = value.downcast_ref::<PyList>() {
            items(&list.borrow_vec(), range)
        } else if let Some(tuple) = value.downcast_ref::<PyTuple>() {
            items(tuple.as_slice(), range)
        } else if let Some(dict) = value.downcast_ref::<PyDict>() {
            entries(dict, range)
        } else if let Some(set) = value.downcast_ref::<PySet>() {
            self.elements(set.elements(), range)
        } else if let Some(set) = value.downcast_ref::<PyFrozenSet>() {
            self.elements(set.elements(), range)
        } else if let Some(error) = value.downcast_ref::<PyBaseException>() {
            let mut parts = vec![("args".to_owned(), error.args().into())];
            let others = [("__cause__", error.__cause__()), ("__context__", error.__context__())];
            for (name, other) in others {
                parts.extend(other.map(|other| (name.to_owned(), other.into())));
            }
            attributes(parts, range)
        } else if let Some(module) = value.downcast_ref::<PyModule>() {
            attributes(named(&module.dict(), |name| !name.starts_with("__")), range)
        } else if let Some(class) = value.downcast_ref::<PyType>() {
            attributes(self.class_attributes(class), range)
        } else if value.downcast_ref::<PyFunction>().is_some() {
            attributes(self.closure(value), range)
        } else if value.downcast_ref::<PyBoundMethod>().is_some() {
            let names = ["__self__", "__func__"];
            let part = |name: &'static str| Some((name.to_owned(), value.get_attr(name, vm).ok()?));
            attributes(names.into_iter().filter_map(part).collect(), range)
        } else if matches!(
            &*value.class().name(),
            "deque" | "dict_keys" | "dict_values" | "dict_items"
        ) && value.class().heaptype_ext().is_none()
        {
            items(&vm.extract_elements_with(value, Ok).unwrap_or_default(), range)
        } else {
            attributes(Vec::new(), range)
        }
    }

    /// A set's elements in the order in which its text has them.
    fn elements(&self, mut elements: Vec<PyObjectRef>, range: &Range<usize>) -> Parts {
        if elements.len() <= MAX_SORTED && !range.is_empty() {
            elements.sort_by_cached_key(|element| self.text(element));
        }
        Parts { kind: Kind::Elements, ..items(&elements, range) }
    }

    /// What a class of a program defines.
    fn class_attributes(&self, class: &Py<PyType>) -> Vec<(String, PyObjectRef)> {
        if class.heaptype_ext().is_none() {
            return Vec::new();
        }
        let name = |(name, value): (PyObjectRef, PyObjectRef)| {
            let name = name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
            (!name.starts_with("__") || value.downcast_ref::<PyFunction>().is_some())
                .then_some((name, value))
        };
        let entries = class.attributes().entries().into_iter();
        entries.filter_map(name).collect()
    }

    /// The variables that a function has from the functions around it.
    fn closure(&self, function: &PyObject) -> Vec<(String, PyObjectRef)> {
        let Some(code) = object::code_of(function, self.vm) else { return Vec::new() };
        let cells = function.get_attr("__closure__", self.vm).ok();
        let cells = cells.as_ref().and_then(|cells| cells.downcast_ref::<PyTuple>());
        let cells = cells.map(Py::as_slice).unwrap_or_default();
        // What a cell refers to is its contents alone; an empty one refers to nothing.
        let contents = |(name, cell): (&&rustpython_vm::builtins::PyStrInterned, &PyObjectRef)| {
            Some((name.as_str().to_owned(), cell.gc_get_referents().pop()?))
        };
        code.freevars.iter().zip(cells).filter_map(contents).collect()
    }

    /// Numbers what can be reached from the variables of these frames, innermost first: the
    /// variables themselves, from the outermost frame on, then their parts, breadth first.
    pub fn number(&self, frames: &[FrameObjectRef]) -> Numbers {
        let mut numbers = Numbers::default();
        let outwards = frames.iter().rev();
        let mut open: Vec<PyObjectRef> =
            outwards.flat_map(|frame| variables(frame, self.vm)).map(|(_, value)| value).collect();
        let mut looked_at = 0;
        while !open.is_empty() && looked_at < MAX_NUMBERED {
            let mut next = Vec::new();
            for value in std::mem::take(&mut open) {
                looked_at += 1;
                if looked_at > MAX_NUMBERED {
                    break;
                }
                if is_interesting(&value, self.vm) && numbers.add(&value) {
                    let parts = self.parts(&value, 0..MAX_NUMBERED - looked_at).parts;
                    next.extend(parts.into_iter().map(|(_, part)| part));
                }
            }
            open = next;
        }
        numbers
    }
}

/// Numbers of objects at one state, from 1.
#[derive(Default)]
pub struct Numbers {
    of: HashMap<usize, u32>,
    /// They are kept, since another object could take their place in memory.
    kept: Vec<PyObjectRef>,
}

impl Numbers {
    /// The number of this object, if it has one.
    pub fn of(&self, value: &PyObject) -> Option<u32> {
        self.of.get(&(value.as_raw() as usize)).copied()
    }

    /// Numbers an object; false if it had a number.
    fn add(&mut self, value: &PyObject) -> bool {
        let next = self.of.len() as u32 + 1;
        let number = *self.of.entry(value.as_raw() as usize).or_insert(next);
        if number == next {
            self.kept.push(value.to_owned());
        }
        number == next
    }
}

/// Whether it means something that two names stand for this one object: not where it can't change,
/// nor where its name tells what it is.
pub fn is_interesting(value: &PyObject, vm: &VirtualMachine) -> bool {
    let is_empty = value.downcast_ref::<PyTuple>().is_some_and(|tuple| tuple.as_slice().is_empty());
    let class = value.class();
    !(is_atom(value, vm)
        || is_empty
        || value.downcast_ref::<PyType>().is_some()
        || value.downcast_ref::<PyModule>().is_some()
        || value.downcast_ref::<PyFunction>().is_some()
        || class.is(vm.ctx.types.builtin_function_or_method_type)
        || value.is(vm.ctx.ellipsis.as_object())
        || value.is(vm.ctx.not_implemented.as_object()))
}

fn clamped(range: &Range<usize>, total: usize) -> Range<usize> {
    let end = range.end.min(total);
    range.start.min(end)..end
}

fn items(all: &[PyObjectRef], range: &Range<usize>) -> Parts {
    let range = clamped(range, all.len());
    let parts = range.clone().zip(&all[range]).map(|(at, part)| (Key::Index(at), part.clone()));
    Parts { kind: Kind::Items, total: all.len(), parts: parts.collect() }
}

fn attributes(all: Vec<(String, PyObjectRef)>, range: &Range<usize>) -> Parts {
    let total = all.len();
    let range = clamped(range, total);
    let parts = all.into_iter().skip(range.start).take(range.len());
    let parts = parts.map(|(name, part)| (Key::Name(name), part));
    Parts { kind: Kind::Attributes, total, parts: parts.collect() }
}

fn entries(dict: &Py<PyDict>, range: &Range<usize>) -> Parts {
    let total = dict.__len__();
    let range = clamped(range, total);
    let mut position = 0;
    let all = std::iter::from_fn(|| {
        let (next, key, value) = dict.next_entry(position)?;
        position = next;
        Some((Key::Object(key), value))
    });
    let parts = all.skip(range.start).take(range.len()).collect();
    Parts { kind: Kind::Entries, total, parts }
}
