"""Records the golden event stream of a program by CPython's own sys.settrace.

golden(name, text) gives the lines that `lockstep trace NAME --json` must print (docs/json.md).
record.mjs runs it under CPython 3.14; any CPython 3.14 does: python3 record.py programs/NAME.py

The stream is what sys.settrace reports, but that the run ends when the entry returns: what its
frame held dies only then, and a generator among it would be entered once more to be closed.
"""

import ast
import io
import json
import re
import sys
import types
import warnings
from pathlib import Path

# A text that is cut would show the limits of the Rust side, not Python; no program has one.
LONGEST_TEXT = 1000

# The repr of objects that are shown by the name of their class alone.
NAMED_ONLY = [
    kind.__repr__
    for kind in (object, types.CellType, types.AsyncGeneratorType, staticmethod, classmethod)
]


class Renderer:
    """Texts of values by the rules of docs/json.md; runs no code of the program but __repr__."""

    def __init__(self):
        self.path = []

    def __call__(self, value):
        text = self.value(value)
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"a value of {len(text)} characters; programs must keep them short")
        return text

    def value(self, value):
        kind = type(value)
        own = kind.__repr__
        if isinstance(own, types.FunctionType):
            try:
                return mask(repr(value))
            except Exception:
                # Such as that of an instance whose __init__ has only begun.
                return self.joined(value, kind.__name__ + "(", self.attributes, ")")
        if isinstance(value, type):
            return f"<class '{local_name(value.__qualname__)}'>"
        if isinstance(value, types.FunctionType):
            return f"<function {local_name(value.__qualname__)}>"
        if isinstance(value, types.MethodType):
            return f"<bound method {local_name(value.__func__.__qualname__)}>"
        if isinstance(value, types.ModuleType):
            return f"<module '{value.__name__}'>"
        if isinstance(value, (types.GeneratorType, types.CoroutineType)):
            return f"<{kind.__name__} {local_name(value.__qualname__)}>"
        if isinstance(value, BaseException):
            return self.parts(value, kind.__name__ + "(", value.args, ")")
        if own is list.__repr__:
            return self.parts(value, "[", value, "]")
        if own is tuple.__repr__:
            return self.parts(value, "(", value, ",)" if len(value) == 1 else ")")
        if own is dict.__repr__:
            return self.joined(value, "{", self.pairs, "}")
        if own in (set.__repr__, frozenset.__repr__):
            bare = kind is set and len(value) > 0
            opening, closing = ("{", "}") if bare else (kind.__name__ + "({", "})")
            if not value:
                return kind.__name__ + "()"
            return self.joined(value, opening, self.elements, closing)
        if own in (type({}.keys()).__repr__, type({}.values()).__repr__, type({}.items()).__repr__):
            return self.parts(value, kind.__name__ + "([", value, "])")
        if own is object.__repr__ and (kind is object or "__module__" in vars(kind)):
            return self.joined(value, kind.__name__ + "(", self.attributes, ")")
        if own in NAMED_ONLY:
            return f"<{kind.__name__}>"
        return mask(repr(value))

    def parts(self, value, opening, parts, closing):
        return self.joined(value, opening, lambda _: [self.value(part) for part in parts], closing)

    def joined(self, value, opening, texts, closing):
        """The parts of a container; three dots if it is part of itself."""
        if any(outer is value for outer in self.path):
            return opening + "..." + closing
        self.path.append(value)
        try:
            return opening + ", ".join(texts(value)) + closing
        finally:
            self.path.pop()

    def pairs(self, value):
        return [f"{self.value(key)}: {self.value(item)}" for key, item in dict.items(value)]

    def elements(self, value):
        return sorted(self.value(element) for element in value)

    def attributes(self, value):
        named = list(getattr(value, "__dict__", {}).items())
        for base in reversed(type(value).__mro__):
            for name, descriptor in vars(base).items():
                if isinstance(descriptor, types.MemberDescriptorType):
                    try:
                        named.append((name, descriptor.__get__(value)))
                    except AttributeError:
                        pass
        return [f"{name}={self.value(item)}" for name, item in named]


def local_name(qualified):
    return qualified.rsplit("<locals>.", 1)[-1]


def mask(text):
    return re.sub(r" at 0x[0-9a-f]{4,}", " at 0x…", text)


class Output(io.TextIOBase):
    """A stream of the program, written into the recording."""

    def __init__(self, recording, name):
        self.recording = recording
        self.name = name

    def writable(self):
        return True

    def write(self, text):
        self.recording.output(self.name, text)
        return len(text)


class Recording:
    """The lines of one run."""

    def __init__(self, name, text):
        self.name = name
        self.source = ["", *text.split("\n")]
        self.lines = []
        self.render = Renderer()
        self.entry = None
        self.ended = False

    def output(self, stream, text):
        last = self.lines[-1] if self.lines else {}
        if stream in last:
            last[stream] += text
        elif text:
            self.lines.append({stream: text})

    def trace(self, frame, event, arg):
        if frame.f_code.co_filename != self.name or self.ended:
            return None
        self.entry = self.entry or frame
        self.lines.append(self.state(frame, event, arg))
        self.ended = event == "return" and frame is self.entry
        return self.trace

    def state(self, frame, event, arg):
        raised = None
        if event == "exception":
            raised = self.raised(arg[1])
        return {
            "event": event,
            "function": frame.f_code.co_qualname,
            "line": frame.f_lineno,
            "depth": self.depth(frame),
            "source": self.source[frame.f_lineno],
            "locals": self.locals(frame),
            "value": self.render(arg) if event == "return" else None,
            "exception": raised,
        }

    def raised(self, error):
        """Class and message of an exception; arguments in it are shown as values are."""
        message = None
        if type(error).__str__ is BaseException.__str__:
            args = error.args[0] if len(error.args) == 1 else error.args
            if error.args and not isinstance(args, str):
                message = self.render(args)
        return {"type": type(error).__name__, "message": message or mask(str(error))}

    def depth(self, frame):
        """Frames of the program between this one and the entry."""
        depth = 0
        while frame is not self.entry:
            frame = frame.f_back
            depth += frame.f_code.co_filename == self.name
        return depth

    def locals(self, frame):
        module = frame.f_code.co_name == "<module>"
        return {
            name: self.render(value)
            for name, value in frame.f_locals.items()
            if not (module and name.startswith("__"))
        }


def entry_function(text):
    """Whether the program defines main() without parameters."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "main":
            if not ast.unparse(statement.args):
                return "main"
    return None


def golden(name, text):
    """The golden lines of the program `name` with this text."""
    recording = Recording(name, text)
    with warnings.catch_warnings(action="ignore"):
        code = compile(text, name, "exec", dont_inherit=True)
    entry = entry_function(text)
    scope = {"__name__": Path(name).stem if entry else "__main__"}
    streams = sys.stdout, sys.stderr
    sys.stdout = Output(recording, "stdout")
    sys.stderr = Output(recording, "stderr")
    exit_state = {"exit": "normal", "exception": None, "reason": None}
    try:
        if entry:
            exec(code, scope)
            run = scope[entry]
        else:
            def run():
                exec(code, scope)
        sys.settrace(recording.trace)
        try:
            run()
        finally:
            sys.settrace(None)
    except Exception as error:
        exit_state |= {"exit": "error", "exception": recording.raised(error)}
    finally:
        sys.stdout, sys.stderr = streams
    if not recording.ended:
        raise RuntimeError(f"{name}: its entry was not traced to its end: {exit_state}")
    recording.lines.append(exit_state)
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    return "".join(json.dumps(line, **compact) + "\n" for line in recording.lines)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        sys.stdout.write(golden(path.name, path.read_text()))
