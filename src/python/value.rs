//! Texts of values: what `repr` gives, made by our own walk over the objects.
//!
//! The walk runs no code of the program: it never loops, prints, raises or changes anything, and
//! two runs give the same text (no addresses, sets sorted). It is bounded: a text has at most
//! [`Limits::value`](super::limits::Limits::value) characters, and what is cut ends in `…` and says
//! its full size. Objects that have a `__repr__` of their own are [`super::repr`]'s.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write;

use rustpython_vm::builtins::{
    PyBaseException, PyByteArray, PyBytes, PyComplex, PyCoroutine, PyDict, PyFloat, PyGenerator,
    PyInt, PyList, PyModule, PyRange, PySlice, PyStr, PyTuple, PyType,
};
use rustpython_vm::common::wtf8::Wtf8;
use rustpython_vm::literal::escape::{AsciiEscape, UnicodeEscape};
use rustpython_vm::literal::{complex, float};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, VirtualMachine};

use super::library;
use super::limits::Grouped;
use super::mask;
use super::object::{self, Form, Names};
use super::repr::OwnRepr;

/// Nesting beyond which a value's parts are shown as `…`.
const MAX_DEPTH: usize = 32;
/// Strings of at most this many bytes that need no escape are copied. No address fits into them.
const PLAIN: usize = 12;
/// What one walk may do, in multiples of the characters that are shown. Elements of sets are written
/// before they are sorted, so that more may be written than is shown.
const WORK: usize = 8;
/// Integers of more bits are shown by their size: writing them out takes quadratic time.
const MAX_BITS: u64 = 4096;

/// Writes values as text.
pub struct Renderer {
    pub(super) own: OwnRepr,
    pub(super) max: usize,
}

impl Renderer {
    /// A renderer of texts of at most `max` characters.
    pub fn new(max: u32, own: OwnRepr) -> Self {
        Renderer { own, max: max.max(1) as usize }
    }

    /// The names of what is looked up in classes.
    pub fn names(&self) -> &Names {
        self.own.names()
    }

    /// Appends the text of `value`.
    pub fn render(&self, value: &PyObject, out: &mut String, vm: &VirtualMachine) {
        let start = out.len();
        let path = [std::ptr::null(); MAX_DEPTH];
        let mut walk = Walk { vm, renderer: self, out, start, path, depth: 0, work: 0 };
        walk.value(value);
        if !walk.full() {
            return;
        }
        let is_spent = walk.is_spent();
        let cut = out[start..].char_indices().nth(self.max).map(|(cut, _)| cut);
        if let Some(cut) = cut {
            out.truncate(start + cut);
        }
        if cut.is_some() || is_spent {
            Self::say_size(value, out, vm);
        }
    }

    /// What a cut text ends in: the size of the whole.
    fn say_size(value: &PyObject, out: &mut String, vm: &VirtualMachine) {
        let _ = match size_of(value, vm) {
            Some((size, unit)) => write!(out, " <{} {unit}>…", Grouped(size as u64)),
            None => write!(out, "…"),
        };
    }
}

/// The start of a text that is long enough to show `max` characters of it, with addresses masked.
pub(super) fn start(text: &Wtf8, max: usize) -> &Wtf8 {
    let first = |count: usize| {
        let cut = match text.len() > count {
            true => text.code_point_indices().nth(count).map(|(at, _)| at),
            false => None,
        };
        cut.and_then(|at| text.get(..at)).unwrap_or(text)
    };
    let shown = first(mask::reach(max));
    if shown.len() <= max || mask::may_mask(shown.as_bytes()) { shown } else { first(max) }
}

/// Whether this object's text can never change and its end goes unnoticed, so that holding it on is
/// a safe way to tell later that a variable still is this object.
pub fn is_atom(value: &PyObject, vm: &VirtualMachine) -> bool {
    let class = value.class();
    let types = &vm.ctx.types;
    class.is(types.int_type)
        || class.is(types.str_type)
        || class.is(types.bool_type)
        || class.is(types.none_type)
        || class.is(types.float_type)
        || class.is(types.bytes_type)
        || class.is(types.complex_type)
        || class.is(types.range_type)
}

/// How many parts a value has, and what they are called.
fn size_of(value: &PyObject, vm: &VirtualMachine) -> Option<(usize, &'static str)> {
    if let Some(string) = value.downcast_ref::<PyStr>() {
        return Some((string.char_len(), "characters"));
    }
    if let Some(bytes) = value.downcast_ref::<PyBytes>() {
        return Some((bytes.as_bytes().len(), "bytes"));
    }
    if let Some(bytes) = value.downcast_ref::<PyByteArray>() {
        return Some((bytes.borrow_buf().len(), "bytes"));
    }
    let items = if let Some(list) = value.downcast_ref::<PyList>() {
        list.borrow_vec().len()
    } else if let Some(tuple) = value.downcast_ref::<PyTuple>() {
        tuple.as_slice().len()
    } else if let Some(dict) = value.downcast_ref::<PyDict>() {
        dict.__len__()
    } else {
        library::length(value, vm)?
    };
    Some((items, "items"))
}

/// One walk over a value.
pub(super) struct Walk<'a> {
    pub(super) vm: &'a VirtualMachine,
    pub(super) renderer: &'a Renderer,
    out: &'a mut String,
    start: usize,
    /// The containers that the walk is in.
    path: [*const PyObject; MAX_DEPTH],
    depth: usize,
    /// Values looked at, and bytes written of elements of sets.
    work: usize,
}

impl Walk<'_> {
    /// Whether as much is written as may be shown, or as much is done as may be.
    fn full(&self) -> bool {
        let bytes = self.out.len() - self.start;
        let max = self.renderer.max;
        self.is_spent()
            || bytes > max && (bytes > 4 * max || self.out[self.start..].chars().count() > max)
    }

    fn is_spent(&self) -> bool {
        self.work > WORK * self.renderer.max
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn write(&mut self, text: std::fmt::Arguments) {
        let _ = self.out.write_fmt(text);
    }

    /// Appends the text of `value`.
    fn value(&mut self, value: &PyObject) {
        if self.full() {
            return;
        }
        self.work += 1;
        let class = value.class();
        let types = &self.vm.ctx.types;
        if class.is(types.int_type) {
            self.int(value);
        } else if class.is(types.str_type) {
            self.str(value);
        } else if class.is(types.none_type) {
            self.push("None");
        } else if class.is(types.bool_type) {
            self.push(if value.is(self.vm.ctx.true_value.as_object()) { "True" } else { "False" });
        } else if class.is(types.list_type) {
            self.list(value);
        } else if class.is(types.tuple_type) {
            self.tuple(value);
        } else if class.is(types.dict_type) {
            self.dict(value);
        } else if class.is(types.float_type) {
            self.float(value);
        } else if class.is(types.function_type) {
            self.function(value);
        } else {
            self.other(value);
        }
    }

    /// A value of a rarer class.
    fn other(&mut self, value: &PyObject) {
        match object::form(value, self.renderer.names(), self.renderer.max, self.vm) {
            Form::Set => self.set(value),
            Form::Int => self.int(value),
            Form::Str => self.str(value),
            Form::Float => self.float(value),
            Form::List => self.list(value),
            Form::Tuple => self.tuple(value),
            Form::Dict => self.dict(value),
            Form::Bytes => self.bytes(value),
            Form::Complex => self.complex(value),
            Form::Plain => self.builtin_repr(value),
            Form::Range => self.range(value),
            Form::Slice => self.slice(value),
            Form::Method => self.method(value),
            Form::Class => self.class(value),
            Form::Module => self.module(value),
            Form::Generator => self.generator(value),
            Form::Exception => self.exception(value),
            Form::NamedTuple(fields) => self.named_tuple(value, &fields),
            Form::Enum { name, value: member } => self.enumeration(value, name.as_deref(), &member),
            Form::Dataclass(fields) => {
                let name = object::qualified_name(value.class(), self.vm);
                self.attributes(value, &name, fields);
            }
            Form::Parts { open, close } => self.parts(value, &open, &close),
            Form::DefaultDict(factory) => self.default_dict(value, &factory),
            Form::NamedDict => self.named_dict(value),
            Form::Counter => self.counter(value),
            Form::Own => self.own(value),
            Form::Attributes => {
                let name = value.class().name().to_string();
                self.attributes(value, &name, self.attributes_of(value));
            }
            Form::Opaque => {
                let name = value.class().name().to_string();
                self.write(format_args!("<{name}>"));
            }
        }
    }

    fn int(&mut self, value: &PyObject) {
        let Some(int) = value.downcast_ref::<PyInt>() else { return };
        let bits = int.as_bigint().bits();
        if bits > MAX_BITS {
            self.write(format_args!("<int of {} bits>", Grouped(bits)));
        } else if bits < 64 {
            // The low 64 bits of the two's complement are the number itself.
            self.write(format_args!("{}", int.as_u64_mask() as i64));
        } else {
            self.write(format_args!("{}", int.as_bigint()));
        }
    }

    fn str(&mut self, value: &PyObject) {
        let Some(string) = value.downcast_ref::<PyStr>() else { return };
        let text = string.as_wtf8();
        self.quoted(start(text, self.renderer.max));
    }

    fn quoted(&mut self, text: &Wtf8) {
        let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'\'' && byte != b'\\';
        if text.len() <= PLAIN
            && text.as_bytes().iter().all(|byte| plain(*byte))
            && let Ok(text) = text.as_str()
        {
            self.push("'");
            self.push(text);
            self.push("'");
            return;
        }
        let start = self.out.len();
        let escape = UnicodeEscape::new_repr(text);
        let _ = escape.str_repr().write(self.out);
        // A program may have asked for the text of an object.
        if let Cow::Owned(masked) = mask::addresses(&self.out[start..]) {
            self.out.truncate(start);
            self.out.push_str(&masked);
        }
    }

    fn bytes(&mut self, value: &PyObject) {
        let max = self.renderer.max;
        let write = |bytes: &[u8], out: &mut String| {
            let escape = AsciiEscape::new_repr(&bytes[..bytes.len().min(max)]);
            let _ = escape.bytes_repr().write(out);
        };
        if let Some(bytes) = value.downcast_ref::<PyBytes>() {
            write(bytes.as_bytes(), self.out);
        } else if let Some(bytes) = value.downcast_ref::<PyByteArray>() {
            self.push("bytearray(");
            write(&bytes.borrow_buf(), self.out);
            self.push(")");
        }
    }

    fn float(&mut self, value: &PyObject) {
        if let Some(number) = value.downcast_ref::<PyFloat>() {
            self.push(&float::to_string(number.to_f64()));
        }
    }

    fn complex(&mut self, value: &PyObject) {
        if let Some(number) = value.downcast_ref::<PyComplex>() {
            let number = number.to_complex();
            self.push(&complex::to_string(number.re, number.im));
        }
    }

    /// Runs the `repr` of a class whose `repr` is Rust code that runs no Python code.
    fn builtin_repr(&mut self, value: &PyObject) {
        match value.repr(self.vm) {
            Ok(text) => self.push(&mask::addresses(&text.to_string_lossy())),
            Err(_) => self.push("…"),
        }
    }

    /// Enters a container; false, with the mark of a cycle or of too deep a nesting written, if
    /// its parts aren't to be shown.
    fn enter(&mut self, value: &PyObject, open: &str, close: &str) -> bool {
        let id: *const PyObject = value;
        let mark = if self.path[..self.depth].contains(&id) {
            "..."
        } else if self.depth == MAX_DEPTH {
            "…"
        } else {
            self.path[self.depth] = id;
            self.depth += 1;
            self.push(open);
            return true;
        };
        self.push(open);
        self.push(mark);
        self.push(close);
        false
    }

    fn leave(&mut self, close: &str) {
        self.depth -= 1;
        self.push(close);
    }

    fn sequence(
        &mut self,
        value: &PyObject,
        open: &str,
        parts: impl IntoIterator<Item = PyObjectRef>,
        close: &str,
    ) {
        if !self.enter(value, open, close) {
            return;
        }
        for (at, part) in parts.into_iter().enumerate() {
            if self.full() {
                break;
            }
            if at > 0 {
                self.push(", ");
            }
            self.value(&part);
        }
        self.leave(close);
    }

    /// The parts of a container written in Rust.
    fn parts(&mut self, value: &PyObject, open: &str, close: &str) {
        if let Some(parts) = library::parts(value, self.vm) {
            self.sequence(value, open, parts, close);
        }
    }

    fn list(&mut self, value: &PyObject) {
        let Some(list) = value.downcast_ref::<PyList>() else { return };
        if !self.enter(value, "[", "]") {
            return;
        }
        // One item at a time: the list's lock must not be held while an item is looked at.
        let mut at = 0;
        while !self.full() {
            let item = list.borrow_vec().get(at).cloned();
            let Some(item) = item else { break };
            if at > 0 {
                self.push(", ");
            }
            self.value(&item);
            at += 1;
        }
        self.leave("]");
    }

    fn tuple(&mut self, value: &PyObject) {
        let Some(tuple) = value.downcast_ref::<PyTuple>() else { return };
        let close = if tuple.as_slice().len() == 1 { ",)" } else { ")" };
        self.sequence(value, "(", tuple.as_slice().iter().cloned(), close);
    }

    fn dict(&mut self, value: &PyObject) {
        if self.enter(value, "{", "}") {
            self.entries(value);
            self.leave("}");
        }
    }

    /// The keys and items of a dict, which isn't asked for them but walked over.
    fn entries(&mut self, value: &PyObject) {
        let Some(dict) = value.downcast_ref::<PyDict>() else { return };
        let mut position = 0;
        let mut first = true;
        while let Some((next, key, item)) = dict.next_entry(position) {
            position = next;
            if self.full() {
                break;
            }
            self.pair(std::mem::take(&mut first), &key, &item);
        }
    }

    fn pair(&mut self, first: bool, key: &PyObject, item: &PyObject) {
        if !first {
            self.push(", ");
        }
        self.value(key);
        self.push(": ");
        self.value(item);
    }

    fn default_dict(&mut self, value: &PyObject, factory: &PyObject) {
        let open = format!("{}(", value.class().name());
        if self.enter(value, &open, ")") {
            self.value(factory);
            self.push(", {");
            self.entries(value);
            self.leave("})");
        }
    }

    fn named_dict(&mut self, value: &PyObject) {
        let is_empty = value.downcast_ref::<PyDict>().is_some_and(|dict| dict.__len__() == 0);
        let (before, after) = if is_empty { ("(", ")") } else { ("({", "})") };
        let open = format!("{}{before}", value.class().name());
        if self.enter(value, &open, after) {
            self.entries(value);
            self.leave(after);
        }
    }

    /// A counter's elements, the most common first. Of one that is too long to be shown the first
    /// ones are.
    fn counter(&mut self, value: &PyObject) {
        let Some(dict) = value.downcast_ref::<PyDict>() else { return };
        let mut pairs = Vec::new();
        let mut position = 0;
        while let Some((next, key, count)) = dict.next_entry(position) {
            position = next;
            if pairs.len() > self.renderer.max {
                break;
            }
            pairs.push((key, count));
        }
        if pairs.is_empty() {
            return self.named_dict(value);
        }
        if pairs.iter().all(|(_, count)| count.downcast_ref::<PyInt>().is_some()) {
            let number = |count: &PyObjectRef| {
                count.downcast_ref::<PyInt>().map(|count| count.as_bigint().clone())
            };
            pairs.sort_by_cached_key(|(_, count)| Reverse(number(count)));
        }
        let open = format!("{}({{", value.class().name());
        if self.enter(value, &open, "})") {
            for (at, (key, count)) in pairs.iter().enumerate() {
                if self.full() {
                    break;
                }
                self.pair(at == 0, key, count);
            }
            self.leave("})");
        }
    }

    /// A set's elements in the order of their texts: their own order is an accident of hashing. Of
    /// a set that is too large to be shown the elements that come first are sorted.
    fn set(&mut self, value: &PyObject) {
        let vm = self.vm;
        let class = value.class();
        let name = class.name().to_string();
        if library::length(value, vm) == Some(0) {
            self.write(format_args!("{name}()"));
            return;
        }
        let (open, close) = match class.is(vm.ctx.types.set_type) {
            true => ("{".to_owned(), "}"),
            false => (format!("{name}({{"), "})"),
        };
        let Some(elements) = library::parts(value, vm) else { return };
        if !self.enter(value, &open, close) {
            return;
        }
        let mut texts: Vec<String> = Vec::new();
        for element in elements.take(self.renderer.max) {
            if self.is_spent() {
                break;
            }
            let mut text = String::new();
            let Walk { renderer, path, depth, work, .. } = *self;
            let mut walk = Walk { vm, renderer, out: &mut text, start: 0, path, depth, work };
            walk.value(&element);
            self.work = walk.work + text.len();
            texts.push(text);
        }
        texts.sort_unstable();
        for (at, text) in texts.iter().enumerate() {
            if self.out.len() - self.start > 4 * self.renderer.max {
                break;
            }
            if at > 0 {
                self.push(", ");
            }
            self.push(text);
        }
        self.leave(close);
    }

    fn range(&mut self, value: &PyObject) {
        let Some(range) = value.downcast_ref::<PyRange>() else { return };
        let (start, stop) = (range.start.clone(), range.stop.clone());
        self.push("range(");
        self.int(start.as_object());
        self.push(", ");
        self.int(stop.as_object());
        let step = range.step.clone();
        if step.as_bigint().bits() != 1 || step.as_u64_mask() != 1 {
            self.push(", ");
            self.int(step.as_object());
        }
        self.push(")");
    }

    fn slice(&mut self, value: &PyObject) {
        let Some(slice) = value.downcast_ref::<PySlice>() else { return };
        let none = self.vm.ctx.none();
        let parts = [
            slice.start.clone().unwrap_or_else(|| none.clone()),
            slice.stop.clone(),
            slice.step.clone().unwrap_or(none),
        ];
        self.sequence(value, "slice(", parts, ")");
    }

    fn function(&mut self, value: &PyObject) {
        let name = object::function_name(value, self.vm);
        self.write(format_args!("<function {name}>"));
    }

    fn method(&mut self, value: &PyObject) {
        let name = match value.get_attr("__func__", self.vm) {
            Ok(function) => object::function_name(&function, self.vm),
            Err(_) => "?".to_owned(),
        };
        self.write(format_args!("<bound method {name}>"));
    }

    fn class(&mut self, value: &PyObject) {
        let Some(class) = value.downcast_ref::<PyType>() else { return };
        let name = object::qualified_name(class, self.vm);
        self.write(format_args!("<class '{}'>", object::local_name(&name)));
    }

    fn module(&mut self, value: &PyObject) {
        let Some(module) = value.downcast_ref::<PyModule>() else { return };
        let name = match library::entry(&module.dict(), "__name__") {
            Some(name) => {
                name.downcast_ref::<PyStr>().map(|name| name.to_string_lossy().into_owned())
            }
            None => None,
        };
        self.write(format_args!("<module '{}'>", name.as_deref().unwrap_or("?")));
    }

    fn generator(&mut self, value: &PyObject) {
        let kind = value.class().name().to_string();
        let name = if let Some(generator) = value.downcast_ref::<PyGenerator>() {
            generator.as_coro().qualname()
        } else if let Some(coroutine) = value.downcast_ref::<PyCoroutine>() {
            coroutine.as_coro().qualname()
        } else {
            return;
        };
        let name = object::local_name(&name.to_string_lossy());
        self.write(format_args!("<{kind} {name}>"));
    }

    fn exception(&mut self, value: &PyObject) {
        let Some(exception) = value.downcast_ref::<PyBaseException>() else { return };
        let open = format!("{}(", value.class().name());
        let args = exception.args();
        self.sequence(value, &open, args.as_slice().iter().cloned(), ")");
    }

    fn named_tuple(&mut self, value: &PyObject, fields: &[String]) {
        let Some(tuple) = value.downcast_ref::<PyTuple>() else { return };
        let parts = fields.iter().cloned().zip(tuple.as_slice().iter().cloned()).collect();
        let name = value.class().name().to_string();
        self.attributes(value, &name, parts);
    }

    fn enumeration(&mut self, value: &PyObject, name: Option<&str>, member: &PyObject) {
        let class = value.class().name().to_string();
        match name {
            Some(name) => self.write(format_args!("<{class}.{name}: ")),
            None => self.write(format_args!("<{class}: ")),
        }
        self.value(member);
        self.push(">");
    }

    fn attributes(&mut self, value: &PyObject, name: &str, parts: Vec<(String, PyObjectRef)>) {
        if !self.enter(value, &format!("{name}("), ")") {
            return;
        }
        for (at, (name, part)) in parts.iter().enumerate() {
            if self.full() {
                break;
            }
            if at > 0 {
                self.push(", ");
            }
            self.push(name);
            self.push("=");
            self.value(part);
        }
        self.leave(")");
    }

    /// An instance whose class has a `__repr__` of its own: its text if that may be run, else its
    /// attributes.
    fn own(&mut self, value: &PyObject) {
        let vm = self.vm;
        if let Some(text) = self.renderer.own.repr(value, vm) {
            self.push(&text);
            return;
        }
        let name = value.class().name().to_string();
        self.attributes(value, &name, self.attributes_of(value));
    }

    /// As many attributes as may be shown.
    fn attributes_of(&self, value: &PyObject) -> Vec<(String, PyObjectRef)> {
        object::attributes(value, self.renderer.max, self.vm)
    }
}
