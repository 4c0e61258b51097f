//! What kind of object a value is, found without running any of the program's code.

use rustpython_vm::builtins::{
    PyBaseException, PyBoundMethod, PyByteArray, PyBytes, PyCode, PyComplex, PyCoroutine, PyDict,
    PyFloat, PyFrozenSet, PyFunction, PyGenerator, PyInt, PyList, PyModule, PyRange, PySet,
    PySlice, PyStr, PyStrInterned, PyTuple, PyType, descriptor::PyMemberDescriptor,
};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

use super::library;

/// Attribute names that the walk looks up, interned once, and the program's file.
pub struct Names {
    repr: &'static PyStrInterned,
    str: &'static PyStrInterned,
    format: &'static PyStrInterned,
    dataclass_fields: &'static PyStrInterned,
    named_tuple_fields: &'static PyStrInterned,
    /// The attribute `repr` of a dataclass's fields.
    field_repr: &'static PyStrInterned,
    file: &'static PyStrInterned,
}

impl Names {
    /// Interns them.
    pub fn new(file: &'static PyStrInterned, vm: &VirtualMachine) -> Self {
        let intern = |name: &str| vm.ctx.intern_str(name);
        Names {
            repr: intern("__repr__"),
            str: intern("__str__"),
            format: intern("__format__"),
            dataclass_fields: intern("__dataclass_fields__"),
            named_tuple_fields: intern("_fields"),
            field_repr: intern("repr"),
            file,
        }
    }

    /// Whether a function stands in the program's file.
    pub fn is_own(&self, function: &PyObject, vm: &VirtualMachine) -> bool {
        code_of(function, vm).is_some_and(|code| code.source_path().is(self.file))
    }

    /// The methods that make a text of an object and are Python code; none if something else than
    /// Python code and the methods of the class's own native base would make it.
    pub fn python_texts(&self, class: &Py<PyType>) -> Option<Vec<PyObjectRef>> {
        let mut texts = Vec::new();
        for name in [self.repr, self.str, self.format] {
            match class.get_attr(name) {
                Some(text) if text.downcast_ref::<PyFunction>().is_some() => texts.push(text),
                _ if is_inherited(class, name) => {}
                _ => return None,
            }
        }
        Some(texts)
    }

    /// The `__repr__` of a class, if it is Python code.
    pub fn python_repr(&self, class: &Py<PyType>) -> Option<PyObjectRef> {
        class.get_attr(self.repr).filter(|repr| repr.downcast_ref::<PyFunction>().is_some())
    }

    /// The `__str__` of a class, if it is Python code.
    pub fn python_str(&self, class: &Py<PyType>) -> Option<PyObjectRef> {
        class.get_attr(self.str).filter(|str| str.downcast_ref::<PyFunction>().is_some())
    }

    /// Whether `str` of a class's instances is written in Rust.
    pub fn has_native_str(&self, class: &Py<PyType>) -> bool {
        is_inherited(class, self.str)
    }
}

/// Whether a class has this attribute from its native base.
pub fn is_inherited(class: &Py<PyType>, name: &'static PyStrInterned) -> bool {
    let native = library::native_class(class).and_then(|native| native.get_attr(name));
    match (class.get_attr(name), native) {
        (Some(own), Some(native)) => own.is(&native),
        _ => false,
    }
}

/// How a value is written.
pub enum Form {
    /// `None` of the others: the class's name in angle brackets.
    Opaque,
    /// By its class's own `repr`, which is Rust code and looks at nothing else.
    Plain,
    Int,
    Float,
    Complex,
    Str,
    Bytes,
    List,
    Tuple,
    Dict,
    Set,
    Range,
    Slice,
    Method,
    Class,
    Module,
    Generator,
    Exception,
    /// The names of its fields.
    NamedTuple(Vec<String>),
    /// The member's name and value.
    Enum {
        name: Option<String>,
        value: PyObjectRef,
    },
    /// The fields and values that its `repr` shows.
    Dataclass(Vec<(String, PyObjectRef)>),
    /// The parts of a container written in Rust, such as `deque([1, 2])`.
    Parts {
        open: String,
        close: String,
    },
    /// What makes the items that aren't there.
    DefaultDict(PyObjectRef),
    /// A dict under a name, such as `OrderedDict({'a': 1})`.
    NamedDict,
    Counter,
    /// By a `__repr__` in Python.
    Own,
    /// By its name and attributes, such as `Point(x=1)`.
    Attributes,
}

/// How to write a value. Of its parts no more than `most` are looked at.
pub fn form(value: &PyObject, names: &Names, most: usize, vm: &VirtualMachine) -> Form {
    if let Some(form) = builtin_form(value, vm) {
        return form;
    }
    let class = value.class();
    if let Some(repr) = names.python_repr(class) {
        // What classes of the program get from the standard library; the program's own is `Own`.
        return library::file_of(&repr, vm)
            .and_then(|file| generated_form(value, &repr, file, names, most, vm))
            .unwrap_or(Form::Own);
    }
    if let Some(form) = payload_form(value, vm) {
        return form;
    }
    if class.heaptype_ext().is_some() || class.is(vm.ctx.types.object_type) {
        return Form::Attributes;
    }
    native_form(value, most, vm)
}

/// Values of exact built-in classes.
fn builtin_form(value: &PyObject, vm: &VirtualMachine) -> Option<Form> {
    let class = value.class();
    let types = &vm.ctx.types;
    let forms: [(&Py<PyType>, Form); 9] = [
        (types.set_type, Form::Set),
        (types.frozenset_type, Form::Set),
        (types.bytes_type, Form::Bytes),
        (types.bytearray_type, Form::Bytes),
        (types.range_type, Form::Range),
        (types.complex_type, Form::Complex),
        (types.slice_type, Form::Slice),
        (types.bound_method_type, Form::Method),
        (types.module_type, Form::Module),
    ];
    if let Some((_, form)) = forms.into_iter().find(|(exact, _)| class.is(*exact)) {
        return Some(form);
    }
    if value.downcast_ref::<PyType>().is_some() {
        return Some(Form::Class);
    }
    let is_generator = value.downcast_ref::<PyGenerator>().is_some()
        || value.downcast_ref::<PyCoroutine>().is_some();
    is_generator.then_some(Form::Generator)
}

/// Values of classes that inherit their `repr` from a built-in class.
fn payload_form(value: &PyObject, vm: &VirtualMachine) -> Option<Form> {
    if value.downcast_ref::<PyBaseException>().is_some() {
        return Some(Form::Exception);
    }
    if let Some(form) = container_form(value, vm) {
        return Some(form);
    }
    let form = if value.downcast_ref::<PyInt>().is_some() {
        Form::Int
    } else if value.downcast_ref::<PyStr>().is_some() {
        Form::Str
    } else if value.downcast_ref::<PyFloat>().is_some() {
        Form::Float
    } else if value.downcast_ref::<PyComplex>().is_some() {
        Form::Complex
    } else if value.downcast_ref::<PyList>().is_some() {
        Form::List
    } else if value.downcast_ref::<PyTuple>().is_some() {
        Form::Tuple
    } else if value.downcast_ref::<PyDict>().is_some() {
        Form::Dict
    } else if value.downcast_ref::<PySet>().is_some()
        || value.downcast_ref::<PyFrozenSet>().is_some()
    {
        Form::Set
    } else if value.downcast_ref::<PyBytes>().is_some()
        || value.downcast_ref::<PyByteArray>().is_some()
    {
        Form::Bytes
    } else if value.downcast_ref::<PyRange>().is_some() {
        Form::Range
    } else if value.downcast_ref::<PySlice>().is_some() {
        Form::Slice
    } else if value.downcast_ref::<PyBoundMethod>().is_some() {
        Form::Method
    } else if value.downcast_ref::<PyModule>().is_some() {
        Form::Module
    } else {
        return None;
    };
    Some(form)
}

/// Values of classes that the standard library makes, or makes the text of: its function `repr`
/// stands in the module `file`.
fn generated_form(
    value: &PyObject,
    repr: &PyObject,
    file: &str,
    names: &Names,
    most: usize,
    vm: &VirtualMachine,
) -> Option<Form> {
    let class = value.class();
    match file {
        "enum" => {
            let attributes = value.dict()?;
            let name = library::entry(&attributes, "_name_")?;
            let member = library::entry(&attributes, "_value_")?;
            let name = name.downcast_ref::<PyStr>().map(|name| name.to_string_lossy().into_owned());
            Some(Form::Enum { name, value: member })
        }
        // Dataclasses guard their texts against recursion with what this module has for it.
        "reprlib" => {
            let fields = class.get_attr(names.dataclass_fields)?;
            dataclass_form(value, fields.downcast_ref::<PyDict>()?, names, most, vm)
        }
        "collections" if value.downcast_ref::<PyTuple>().is_some() => {
            let makes = |class: &&Py<PyType>| {
                class.get_direct_attr(names.repr).is_some_and(|own| own.is(repr))
            };
            let made = class.iter_base_chain().find(makes)?;
            let fields = made.get_direct_attr(names.named_tuple_fields)?;
            let text = |field: &PyObjectRef| {
                field.downcast_ref::<PyStr>().map(|name| name.to_string_lossy().into_owned())
            };
            let fields = fields.downcast_ref::<PyTuple>()?.as_slice().iter();
            fields.take(most).map(text).collect::<Option<_>>().map(Form::NamedTuple)
        }
        "collections" => {
            let makes = |class: &&Py<PyType>| {
                *class.name() == *"Counter" && library::is_class_of(class, "collections", vm)
            };
            value.downcast_ref::<PyDict>()?;
            class.iter_base_chain().find(makes).map(|_| Form::Counter)
        }
        _ => None,
    }
}

/// A dataclass's fields, but those that say `repr=False` and those that are no fields of the
/// instance (`ClassVar`, `InitVar`).
fn dataclass_form(
    value: &PyObject,
    fields: &Py<PyDict>,
    names: &Names,
    most: usize,
    vm: &VirtualMachine,
) -> Option<Form> {
    let dict = value.dict();
    let slots = slots(value, most, vm);
    let mut shown = Vec::new();
    let mut position = 0;
    while let Some((next, name, field)) = fields.next_entry(position) {
        position = next;
        if shown.len() > most {
            break;
        }
        let name = name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
        // A slot of the field, which is read without asking its class.
        let repr = field.class().get_attr(names.field_repr);
        let repr = repr.filter(|slot| slot.downcast_ref::<PyMemberDescriptor>().is_some());
        let repr = repr.and_then(|slot| vm.call_if_get_descriptor(&slot, field.clone()).ok());
        if repr.is_some_and(|repr| vm.ctx.false_value.is(&repr)) {
            continue;
        }
        let held = dict.as_ref().and_then(|dict| library::entry(dict, &name));
        let held = held
            .or_else(|| slots.iter().find(|(slot, _)| *slot == name).map(|(_, held)| held.clone()));
        if let Some(held) = held {
            shown.push((name, held));
        }
    }
    Some(Form::Dataclass(shown))
}

/// Containers of the standard library that are written in Rust but no built-in classes.
fn container_form(value: &PyObject, vm: &VirtualMachine) -> Option<Form> {
    let class = value.class();
    let native = library::native_class(class)?;
    match &*native.name() {
        "defaultdict" => {
            let factory = native.get_attr(vm.ctx.intern_str("default_factory"))?;
            let factory = vm.call_if_get_descriptor(&factory, value.to_owned());
            Some(Form::DefaultDict(factory.unwrap_or_else(|_| vm.ctx.none())))
        }
        "OrderedDict" => Some(Form::NamedDict),
        "deque" => {
            let bound = native.get_attr(vm.ctx.intern_str("maxlen"))?;
            let bound = vm.call_if_get_descriptor(&bound, value.to_owned()).ok()?;
            let close = match bound.downcast_ref::<PyInt>() {
                Some(bound) => format!("], maxlen={})", bound.as_bigint()),
                None => "])".to_owned(),
            };
            Some(Form::Parts { open: format!("{}([", class.name()), close })
        }
        _ => None,
    }
}

/// Values of classes written in Rust.
fn native_form(value: &PyObject, most: usize, vm: &VirtualMachine) -> Form {
    let class = value.class();
    // No class here is a program's, so that what is read from it is what it was made with.
    let read = |name: &'static str| value.get_attr(name, vm).ok();
    let plain_if = |is_plain: bool| if is_plain { Form::Plain } else { Form::Opaque };
    let name = class.name().to_string();
    match name.as_str() {
        "dict_keys" | "dict_values" | "dict_items" => {
            Form::Parts { open: format!("{name}(["), close: "])".to_owned() }
        }
        "array" => {
            let short = library::length(value, vm).is_some_and(|length| length <= most);
            let code = read("typecode");
            match code.as_ref().and_then(|code| code.downcast_ref::<PyStr>()?.to_str()) {
                Some(code) if !short && !matches!(code, "u" | "w") => {
                    Form::Parts { open: format!("array('{code}', ["), close: "])".to_owned() }
                }
                _ => plain_if(short),
            }
        }
        "Pattern" => plain_if(read("pattern").is_some_and(|text| is_text(&text, vm))),
        "Match" => {
            let text = read("string").is_some_and(|text| is_text(&text, vm));
            let span = vm.call_method(value, "span", ()).ok();
            let span = span.as_ref().and_then(|span| span.downcast_ref::<PyTuple>());
            let end = |at: usize| {
                let end = span?.as_slice().get(at)?.downcast_ref::<PyInt>()?;
                end.try_to_primitive::<usize>(vm).ok()
            };
            plain_if(text && end(1).zip(end(0)).is_some_and(|(end, start)| end - start <= most))
        }
        "timezone" => plain_if(is_plain_zone(value, vm)),
        "datetime" | "time" => {
            let zone = read("tzinfo");
            plain_if(zone.is_some_and(|zone| vm.is_none(&zone) || is_plain_zone(&zone, vm)))
        }
        "NotImplementedType"
        | "ellipsis"
        | "builtin_function_or_method"
        | "wrapper_descriptor"
        | "method_descriptor"
        | "method-wrapper"
        | "classmethod_descriptor"
        | "getset_descriptor"
        | "member_descriptor"
        | "code"
        | "memoryview"
        | "date"
        | "timedelta" => Form::Plain,
        "SimpleNamespace" => Form::Attributes,
        _ => Form::Opaque,
    }
}

/// Whether this is a string or bytes of no class of the program.
fn is_text(value: &PyObject, vm: &VirtualMachine) -> bool {
    value.class().is(vm.ctx.types.str_type) || value.class().is(vm.ctx.types.bytes_type)
}

/// Whether this is a time zone that has no class of the program, and nothing of one in it.
fn is_plain_zone(zone: &PyObject, vm: &VirtualMachine) -> bool {
    let is_native = zone.class().heaptype_ext().is_none() && *zone.class().name() == *"timezone";
    is_native
        && vm.call_method(zone, "tzname", (vm.ctx.none(),)).is_ok_and(|name| is_text(&name, vm))
}

/// The code of a Python function.
pub fn code_of(function: &PyObject, vm: &VirtualMachine) -> Option<rustpython_vm::PyRef<PyCode>> {
    function.downcast_ref::<PyFunction>()?;
    function.get_attr("__code__", vm).ok()?.downcast::<PyCode>().ok()
}

/// An instance's attributes: its `__dict__` in its order, then its slots that hold something; of
/// either no more than `most`.
pub fn attributes(
    value: &PyObject,
    most: usize,
    vm: &VirtualMachine,
) -> Vec<(String, PyObjectRef)> {
    let mut attributes = Vec::new();
    if let Some(dict) = value.dict() {
        let mut position = 0;
        while let Some((next, name, item)) = dict.next_entry(position) {
            position = next;
            if attributes.len() == most {
                break;
            }
            if let Some(name) = name.downcast_ref::<PyStr>() {
                attributes.push((name.to_string_lossy().into_owned(), item));
            }
        }
    }
    attributes.append(&mut slots(value, most, vm));
    attributes
}

/// An instance's slots that hold something.
fn slots(value: &PyObject, most: usize, vm: &VirtualMachine) -> Vec<(String, PyObjectRef)> {
    let mut slots = Vec::new();
    let has_slots =
        |class: &&Py<PyType>| class.heaptype_ext().is_some_and(|class| class.slots.is_some());
    let classes: Vec<_> = value.class().iter_base_chain().filter(has_slots).collect();
    for class in classes.into_iter().rev() {
        for (name, descriptor) in class.attributes().entries() {
            if slots.len() == most {
                return slots;
            }
            if descriptor.downcast_ref::<PyMemberDescriptor>().is_none() {
                continue;
            }
            let Some(name) = name.downcast_ref::<PyStr>() else { continue };
            // A member descriptor reads its slot and runs no Python code; an empty slot is an error.
            if let Ok(item) = vm.call_if_get_descriptor(&descriptor, value.to_owned()) {
                slots.push((name.to_string_lossy().into_owned(), item));
            }
        }
    }
    slots
}

/// A qualified name without the functions that its definition stands in.
pub fn local_name(qualified: &str) -> String {
    qualified.rsplit("<locals>.").next().unwrap_or(qualified).to_owned()
}

/// A class's qualified name.
pub fn qualified_name(class: &Py<PyType>, vm: &VirtualMachine) -> String {
    let name = class.__qualname__(vm);
    match name.downcast_ref::<PyStr>() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => class.name().to_string(),
    }
}

/// A name of a function: an attribute that is read only from functions, since other callables may
/// run code to give it.
pub fn function_name(callable: &PyObject, vm: &VirtualMachine) -> String {
    let types = &vm.ctx.types;
    let class = callable.class();
    let known = class.is(types.function_type)
        || class.is(types.builtin_function_or_method_type)
        || class.is(types.method_descriptor_type);
    if known
        && let Ok(name) = callable.get_attr("__qualname__", vm)
        && let Some(name) = name.downcast_ref::<PyStr>()
    {
        return local_name(&name.to_string_lossy());
    }
    class.name().to_string()
}
