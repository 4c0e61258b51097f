//! Messages of exceptions: what `str` gives for them, where no code of the program has to run for it.

use std::fmt::Write;

use rustpython_vm::builtins::{PyBaseException, PyStr, PyTuple, PyType};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

use super::limits::Grouped;
use super::mask;
use super::object;
use super::value::{self, Renderer, is_atom};

impl Renderer {
    /// Class name and `str` of an exception.
    pub fn exception(
        &self,
        exception: &Py<PyBaseException>,
        vm: &VirtualMachine,
    ) -> (String, String) {
        let class = exception.class();
        let mut message = String::new();
        if let Some(text) = self.own.str(exception.as_object(), vm) {
            let size = text.chars().count();
            self.cut(&text, size, &mut message);
        } else if !self.own.names().has_native_str(class)
            || !self.native_message(exception, &mut message, vm)
        {
            self.plain_message(exception, &mut message, vm);
        }
        (class.name().to_string(), message)
    }

    /// Appends what may be shown of a text of `size` characters.
    fn cut(&self, text: &str, size: usize, out: &mut String) {
        let text = mask::addresses(text);
        match text.char_indices().nth(self.max) {
            Some((cut, _)) => {
                let _ = write!(out, "{} <{} characters>…", &text[..cut], Grouped(size as u64));
            }
            None => out.push_str(&text),
        }
    }

    /// Appends `str` of an exception as `BaseException` itself writes it.
    fn plain_message(
        &self,
        exception: &Py<PyBaseException>,
        out: &mut String,
        vm: &VirtualMachine,
    ) {
        let args = exception.args();
        match args.as_slice() {
            [] => {}
            [only] => match only.downcast_ref::<PyStr>() {
                Some(string) => {
                    let text = value::start(string.as_wtf8(), self.max).to_string_lossy();
                    self.cut(&text, string.char_len(), out);
                }
                None => self.render(only, out, vm),
            },
            _ => self.render(args.as_object(), out, vm),
        }
    }

    /// Appends `str` of an exception whose class has one of its own in Rust; false if it has none, or
    /// if that would look at objects of the program.
    fn native_message(
        &self,
        exception: &Py<PyBaseException>,
        out: &mut String,
        vm: &VirtualMachine,
    ) -> bool {
        let classes = &vm.ctx.exceptions;
        let is = |class: &Py<PyType>| exception.class().fast_issubclass(class);
        if is(classes.key_error) {
            match exception.args().as_slice() {
                [only] => self.render(only, out, vm),
                _ => return false,
            }
            return true;
        }
        if is(classes.base_exception_group) {
            return self.group(exception, out, vm).is_some();
        }
        let readers: [(&Py<PyType>, &[&str]); 6] = [
            (classes.os_error, &["errno", "strerror", "filename", "filename2"]),
            (classes.syntax_error, &["msg", "filename", "lineno"]),
            (classes.import_error, &["msg"]),
            (classes.unicode_decode_error, &["object", "encoding", "reason"]),
            (classes.unicode_encode_error, &["object", "encoding", "reason"]),
            (classes.unicode_translate_error, &["object", "reason"]),
        ];
        let Some((class, fields)) = readers.into_iter().find(|(class, _)| is(class)) else {
            return false;
        };
        let is_shown =
            |name: &&str| field(exception, class, name, vm).is_some_and(|held| is_atom(&held, vm));
        let asks = vm.ctx.intern_str("__getattribute__");
        if !fields.iter().all(is_shown) || !object::is_inherited(exception.class(), asks) {
            return false;
        }
        let Ok(text) = exception.as_object().str(vm) else { return false };
        let shown = value::start(text.as_wtf8(), self.max).to_string_lossy();
        self.cut(&shown, text.char_len(), out);
        true
    }

    /// Appends a group's text: its message and how many exceptions it holds.
    fn group(
        &self,
        exception: &Py<PyBaseException>,
        out: &mut String,
        vm: &VirtualMachine,
    ) -> Option<()> {
        let class = vm.ctx.exceptions.base_exception_group;
        let message = field(exception, class, "message", vm)?;
        let message = message.downcast_ref::<PyStr>()?;
        let held = field(exception, class, "exceptions", vm)?;
        let count = held.downcast_ref::<PyTuple>()?.as_slice().len();
        let text = value::start(message.as_wtf8(), self.max).to_string_lossy();
        self.cut(&text, message.char_len(), out);
        let plural = if count == 1 { "" } else { "s" };
        let _ = write!(out, " ({count} sub-exception{plural})");
        Some(())
    }
}

/// What an exception holds in a field of the native class `class`; none if its own class has
/// something else in its place.
fn field(
    exception: &Py<PyBaseException>,
    class: &Py<PyType>,
    name: &str,
    vm: &VirtualMachine,
) -> Option<PyObjectRef> {
    let name = vm.ctx.intern_str(name);
    let reader = class.get_attr(name)?;
    let exception: &PyObject = exception.as_object();
    let own = exception.class().get_attr(name)?;
    own.is(&reader).then(|| vm.call_if_get_descriptor(&reader, exception.to_owned()).ok())?
}
