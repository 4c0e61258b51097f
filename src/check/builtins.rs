//! The names that are there without being bound: built-in ones and those of a module or class.

/// The names in `builtins` of CPython 3.14, with those that its `site` adds.
#[rustfmt::skip]
const BUILTINS: &[&str] = &[
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
    "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError",
    "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
    "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError",
    "Exception", "ExceptionGroup", "False", "FileExistsError", "FileNotFoundError",
    "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError",
    "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError",
    "NameError", "None", "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError",
    "OverflowError", "PendingDeprecationWarning", "PermissionError", "ProcessLookupError",
    "PythonFinalizationError", "RecursionError", "ReferenceError", "ResourceWarning",
    "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError",
    "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "True", "TypeError",
    "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
    "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning",
    "ZeroDivisionError", "_IncompleteInputError", "abs", "aiter", "all", "anext", "any", "ascii",
    "bin", "bool", "breakpoint", "bytearray", "bytes", "callable", "chr", "classmethod", "compile",
    "complex",
    "copyright", "credits", "delattr", "dict", "dir", "divmod", "enumerate", "eval", "exec",
    "exit", "filter", "float", "format", "frozenset", "getattr", "globals", "hasattr", "hash",
    "help", "hex", "id", "input", "int", "isinstance", "issubclass", "iter", "len", "license",
    "list", "locals", "map", "max", "memoryview", "min", "next", "object", "oct", "open", "ord",
    "pow", "print", "property", "quit", "range", "repr", "reversed", "round", "set", "setattr",
    "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars", "zip",
];

/// Names with two underscores on both sides that some scope has without an assignment: a module, a
/// class body, a method, or `builtins`.
const IMPLICIT: &[&str] = &[
    "__annotate__",
    "__annotations__",
    "__build_class__",
    "__builtins__",
    "__cached__",
    "__class__",
    "__conditional_annotations__",
    "__debug__",
    "__dict__",
    "__doc__",
    "__file__",
    "__firstlineno__",
    "__import__",
    "__loader__",
    "__module__",
    "__name__",
    "__package__",
    "__path__",
    "__qualname__",
    "__spec__",
    "__static_attributes__",
    "__type_params__",
];

/// What CPython has and programs here don't, and why.
pub const ABSENT: &[(&str, &str)] = &[
    ("open", "there are no files inside Lockstep"),
    ("help", "it belongs to the interactive interpreter"),
    ("copyright", "it belongs to the interactive interpreter"),
    ("credits", "it belongs to the interactive interpreter"),
    ("license", "it belongs to the interactive interpreter"),
];

/// Whether a name that nothing in the program binds may still have a value.
pub fn is_given(name: &str) -> bool {
    BUILTINS.binary_search(&name).is_ok() || IMPLICIT.binary_search(&name).is_ok()
}

/// Why programs don't have this built-in function here, if they don't.
pub(super) fn absence(name: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(absent, _)| *absent == name).map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_for_the_search() {
        assert!(BUILTINS.is_sorted());
        assert!(IMPLICIT.is_sorted());
        assert!(ABSENT.iter().all(|(name, _)| is_given(name)));
    }
}
