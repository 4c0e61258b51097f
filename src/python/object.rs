//! What kind of object a value is, found without running any of the program's code.

use rustpython_vm::builtins::{
    PyBaseException, PyBoundMethod, PyByteArray, PyBytes, PyCode, PyComplex, PyCoroutine, PyDict,
    PyFloat, PyFrozenSet, PyFunction, PyGenerator, PyInt, PyList, PyModule, PyRange, PySet,
    PySlice, PyStr, PyStrInterned, PyTuple, PyType, descriptor::PyMemberDescriptor,
};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

/// Attribute names that the walk looks up, interned once, and the program's file.
pub struct Names {
    repr: &'static PyStrInterned,
    str: &'static PyStrInterned,
    format: &'static PyStrInterned,
    dataclass_fields: &'static PyStrInterned,
    named_tuple_fields: &'static PyStrInterned,
    member_map: &'static PyStrInterned,
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
            member_map: intern("_member_map_"),
            file,
        }
    }

    /// Whether a function stands in the program's file.
    pub fn is_own(&self, function: &PyObject, vm: &VirtualMachine) -> bool {
        code_of(function, vm).is_some_and(|code| code.source_path().is(self.file))
    }

    /// The `__repr__` of a class, if it is Python code.
    pub fn python_repr(&self, class: &Py<PyType>) -> Option<PyObjectRef> {
        class.get_attr(self.repr).filter(|repr| repr.downcast_ref::<PyFunction>().is_some())
    }

    /// The `__str__` of a class, if it is Python code.
    pub fn python_str(&self, class: &Py<PyType>) -> Option<PyObjectRef> {
        class.get_attr(self.str).filter(|str| str.downcast_ref::<PyFunction>().is_some())
    }
}

impl Names {
    /// The methods that make a text of an object and are Python code.
    pub fn python_texts(&self, class: &Py<PyType>) -> Vec<PyObjectRef> {
        let python =
            |name| class.get_attr(name).filter(|f| f.downcast_ref::<PyFunction>().is_some());
        [self.repr, self.str, self.format].into_iter().filter_map(python).collect()
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
        name: String,
        value: PyObjectRef,
    },
    /// The fields and values that its `repr` shows.
    Dataclass(Vec<(String, PyObjectRef)>),
    /// A name and its parts, such as `deque([1, 2])`.
    Prefixed {
        open: String,
        parts: Vec<PyObjectRef>,
        close: String,
    },
    /// A name and pairs, such as `Counter({'a': 1})`.
    Pairs {
        open: String,
        pairs: Vec<(PyObjectRef, PyObjectRef)>,
        close: &'static str,
    },
    /// By a `__repr__` in Python.
    Own,
    /// By its name and attributes, such as `Point(x=1)`.
    Attributes,
}

/// How to write a value.
pub fn form(value: &PyObject, names: &Names, vm: &VirtualMachine) -> Form {
    if let Some(form) = builtin_form(value, vm) {
        return form;
    }
    let class = value.class();
    let repr = names.python_repr(class);
    if let Some(repr) = &repr {
        // Code that classes are made with, by the standard library; the program's own is `Own`.
        let made = !names.is_own(repr, vm);
        if made {
            if let Some(form) = generated_form(value, names, vm) {
                return form;
            }
            if let Some(form) = library_form(value, vm) {
                return form;
            }
        }
        return Form::Own;
    }
    if let Some(form) = generated_form(value, names, vm) {
        return form;
    }
    if let Some(form) = payload_form(value, vm) {
        return form;
    }
    if class.heaptype_ext().is_some() || class.is(vm.ctx.types.object_type) {
        return Form::Attributes;
    }
    native_form(value, vm)
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
    if let Some(form) = library_form(value, vm) {
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

/// Members of enumerations, dataclasses and named tuples.
fn generated_form(value: &PyObject, names: &Names, vm: &VirtualMachine) -> Option<Form> {
    let class = value.class();
    if class.get_attr(names.member_map).is_some() {
        let attributes = value.dict()?;
        let name = attributes.get_item_opt("_name_", vm).ok().flatten()?;
        let member = attributes.get_item_opt("_value_", vm).ok().flatten()?;
        let name = name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
        return Some(Form::Enum { name, value: member });
    }
    if let Some(fields) = class.get_attr(names.dataclass_fields) {
        return dataclass_form(value, &fields, vm);
    }
    if value.downcast_ref::<PyTuple>().is_some() {
        let fields = class.get_attr(names.named_tuple_fields)?;
        let fields = fields.downcast_ref::<PyTuple>()?;
        let text = |field: &PyObjectRef| {
            field.downcast_ref::<PyStr>().map(|name| name.to_string_lossy().into_owned())
        };
        return fields.as_slice().iter().map(text).collect::<Option<_>>().map(Form::NamedTuple);
    }
    None
}

/// A dataclass's fields, but those that say `repr=False` and those that are no fields of the
/// instance (`ClassVar`, `InitVar`).
fn dataclass_form(value: &PyObject, fields: &PyObject, vm: &VirtualMachine) -> Option<Form> {
    let fields = fields.downcast_ref::<PyDict>()?;
    let all = attributes(value, vm);
    let mut shown = Vec::new();
    for (name, field) in fields.items_vec() {
        let name = name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
        let hidden = field.get_attr("repr", vm).is_ok_and(|repr| vm.ctx.false_value.is(&repr));
        if hidden {
            continue;
        }
        if let Some((_, value)) = all.iter().find(|(attribute, _)| *attribute == name) {
            shown.push((name, value.clone()));
        }
    }
    Some(Form::Dataclass(shown))
}

/// Containers of the standard library that are no built-in classes.
fn library_form(value: &PyObject, vm: &VirtualMachine) -> Option<Form> {
    let class = value.class();
    let name = class.name().to_string();
    let origin = base_names(class);
    let is = |wanted: &str| origin.iter().any(|base| base == wanted);
    if let Some(dict) = value.downcast_ref::<PyDict>() {
        if is("defaultdict") {
            let factory = value.get_attr("default_factory", vm).unwrap_or_else(|_| vm.ctx.none());
            let contents = vm.ctx.new_dict();
            for (key, item) in dict.items_vec() {
                contents.set_item(&*key, item, vm).ok()?;
            }
            let parts = vec![factory, contents.into()];
            return Some(Form::Prefixed { open: format!("{name}("), parts, close: ")".to_owned() });
        }
        if is("Counter") || is("OrderedDict") {
            let mut pairs = dict.items_vec();
            if pairs.is_empty() {
                let open = format!("{name}(");
                return Some(Form::Prefixed { open, parts: Vec::new(), close: ")".to_owned() });
            }
            if is("Counter") {
                let count = |item: &PyObjectRef| {
                    item.downcast_ref::<PyInt>().map(|int| int.as_bigint().clone())
                };
                pairs.sort_by_key(|(_, item)| std::cmp::Reverse(count(item)));
            }
            return Some(Form::Pairs { open: format!("{name}({{"), pairs, close: "})" });
        }
    }
    if name == "deque" && class.heaptype_ext().is_none() {
        let parts = vm.extract_elements_with(value, Ok).ok()?;
        let bound = value.get_attr("maxlen", vm).ok()?;
        let close = match bound.downcast_ref::<PyInt>() {
            Some(bound) => format!(", maxlen={})", bound.as_bigint()),
            None => ")".to_owned(),
        };
        let parts = vec![vm.ctx.new_list(parts).into()];
        return Some(Form::Prefixed { open: "deque(".to_owned(), parts, close });
    }
    None
}

/// Values of classes written in Rust.
fn native_form(value: &PyObject, vm: &VirtualMachine) -> Form {
    let class = value.class();
    let name = class.name().to_string();
    match name.as_str() {
        "dict_keys" | "dict_values" | "dict_items" => match vm.extract_elements_with(value, Ok) {
            Ok(parts) => {
                Form::Prefixed { open: format!("{name}(["), parts, close: "])".to_owned() }
            }
            Err(_) => Form::Opaque,
        },
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
        | "Pattern"
        | "Match"
        | "array"
        | "memoryview"
        | "date"
        | "timedelta"
        | "timezone" => Form::Plain,
        "datetime" | "time" => match value.get_attr("tzinfo", vm) {
            // A time zone of the program has a text of its own.
            Ok(zone) if zone.class().heaptype_ext().is_none() => Form::Plain,
            _ => Form::Opaque,
        },
        "SimpleNamespace" => Form::Attributes,
        _ => Form::Opaque,
    }
}

/// Names of the classes that a class is made of, itself first.
fn base_names(class: &Py<PyType>) -> Vec<String> {
    class.mro_map_collect(|base| base.name().to_string())
}

/// The code of a Python function.
pub fn code_of(function: &PyObject, vm: &VirtualMachine) -> Option<rustpython_vm::PyRef<PyCode>> {
    function.downcast_ref::<PyFunction>()?;
    function.get_attr("__code__", vm).ok()?.downcast::<PyCode>().ok()
}

/// An instance's attributes: its `__dict__` in its order, then its slots that hold something.
pub fn attributes(value: &PyObject, vm: &VirtualMachine) -> Vec<(String, PyObjectRef)> {
    let mut attributes = Vec::new();
    if let Some(dict) = value.dict() {
        for (name, item) in dict.items_vec() {
            if let Some(name) = name.downcast_ref::<PyStr>() {
                attributes.push((name.to_string_lossy().into_owned(), item));
            }
        }
    }
    let classes = value.class().mro_collect();
    for class in classes.iter().rev().filter(|class| class.heaptype_ext().is_some()) {
        for (name, descriptor) in class.attributes().entries() {
            if descriptor.downcast_ref::<PyMemberDescriptor>().is_none() {
                continue;
            }
            let Some(name) = name.downcast_ref::<PyStr>() else { continue };
            // A member descriptor reads its slot and runs no Python code; an empty slot is an error.
            let held = vm.call_if_get_descriptor(&descriptor, value.to_owned());
            if let Ok(item) = held {
                attributes.push((name.to_string_lossy().into_owned(), item));
            }
        }
    }
    attributes
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
