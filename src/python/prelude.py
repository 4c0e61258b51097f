"""What the debuggee finds in place of the operating system.

Run once in every host before the program, with `native` bound to functions of the host
(sandbox.rs). It puts harmless stand-ins where the standard library needs a module that the
interpreter was built without, and takes away what would let a program see or end the recording.
"""

import _io
import builtins
import sys
import time

Module = type(sys)


def refuse(*args, **kwargs):
    raise PermissionError("programs have no files, processes or network inside Lockstep")


def module(name, /, **contents):
    made = Module(name)
    made.__dict__.update(contents)
    sys.modules[name] = made
    return made


# --- output and input ---


class Console(_io._TextIOBase):
    encoding = "utf-8"
    errors = "strict"
    newlines = None
    closed = False

    def __init__(self, name):
        self.name = name

    def flush(self):
        pass

    def close(self):
        pass

    def isatty(self):
        return False

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"


class Stream(Console):
    def __init__(self, name, write):
        super().__init__(name)
        self.write = write

    def writable(self):
        return True


class Input(Console):
    def readable(self):
        return True

    def read(self, size=-1, /):
        return native.read(False, -1 if size is None else size)

    def readline(self, size=-1, /):
        return native.read(True, -1 if size is None else size)


sys.stdout = sys.__stdout__ = Stream("<stdout>", native.write_stdout)
sys.stderr = sys.__stderr__ = Stream("<stderr>", native.write_stderr)
sys.stdin = sys.__stdin__ = Input("<stdin>")

# --- the system, as far as modules of the standard library need it to be imported ---


class PathLike:
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "__fspath__")


def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    try:
        return type(path).__fspath__(path)
    except AttributeError:
        kind = type(path).__name__
        raise TypeError(f"expected str, bytes or os.PathLike object, not {kind}") from None


def fsencode(path):
    path = fspath(path)
    return path.encode("utf-8", "surrogateescape") if isinstance(path, str) else path


def fsdecode(path):
    path = fspath(path)
    return path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else path


def normpath(path):
    path = fspath(path)
    empty, dot, slash, up = ("", ".", "/", "..") if isinstance(path, str) else (b"", b".", b"/", b"..")
    root = slash if path.startswith(slash) else empty
    kept = []
    for part in path.split(slash):
        if part in (empty, dot):
            continue
        if part != up or (not root and (not kept or kept[-1] == up)):
            kept.append(part)
        elif kept:
            kept.pop()
    return root + slash.join(kept) or dot


class Later(Module):
    """A module that is imported when it is first used."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        import posixpath

        self.__dict__.update(
            (key, value) for key, value in posixpath.__dict__.items() if not key.startswith("__")
        )
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(f"module 'posixpath' has no attribute '{name}'") from None


path = Later("posixpath")
sys.modules["os.path"] = path

entropy = native.entropy

system = dict(
    name="posix",
    sep="/",
    altsep=None,
    extsep=".",
    pathsep=":",
    linesep="\n",
    curdir=".",
    pardir="..",
    defpath="/bin",
    devnull="/dev/null",
    error=OSError,
    PathLike=PathLike,
    path=path,
    environ={},
    fspath=fspath,
    fsencode=fsencode,
    fsdecode=fsdecode,
    urandom=entropy,
    getpid=lambda: 1,
    getppid=lambda: 0,
    getcwd=lambda: "/",
    cpu_count=lambda: 1,
    process_cpu_count=lambda: 1,
    register_at_fork=lambda **hooks: None,
    strerror=lambda code: f"error {code}",
    supports_dir_fd=set(),
    supports_effective_ids=set(),
    supports_fd=set(),
    supports_follow_symlinks=set(),
    F_OK=0,
    R_OK=4,
    W_OK=2,
    X_OK=1,
    O_RDONLY=0,
    O_WRONLY=1,
    O_RDWR=2,
    O_CREAT=64,
    O_EXCL=128,
    O_TRUNC=512,
    O_APPEND=1024,
    SEEK_SET=0,
    SEEK_CUR=1,
    SEEK_END=2,
)
for forbidden in (
    "open close read write lseek fdopen dup pipe access stat lstat fstat listdir scandir walk mkdir makedirs "
    "remove unlink rename replace rmdir chdir chmod chown link symlink readlink utime truncate system popen kill"
).split():
    system[forbidden] = refuse


def getenv(key, default=None):
    return system["environ"].get(key, default)


def get_terminal_size(fallback=(80, 24)):
    return fallback


def leave(code=0):
    raise SystemExit(code)


system.update(getenv=getenv, get_terminal_size=get_terminal_size, _exit=leave)
module("os", **system)
module("posix", _path_normpath=normpath, **system)

# --- what would let a program see, stop or outlive the recording ---


def ignore(*args, **kwargs):
    return None


for hook in "settrace setprofile _settraceallthreads _setprofileallthreads breakpointhook".split():
    setattr(sys, hook, ignore)
for hook in "gettrace getprofile".split():
    setattr(sys, hook, ignore)
for name in "monitoring call_tracing _current_frames _current_exceptions _clear_type_cache".split():
    if hasattr(sys, name):
        delattr(sys, name)
for name in "_testinternalcapi _interpreters _interpchannels _interpqueues _symtable".split():
    sys.modules[name] = None

module(
    "gc",
    collect=native.collect,
    enable=ignore,
    disable=ignore,
    isenabled=lambda: True,
    freeze=ignore,
    unfreeze=ignore,
    get_count=lambda: (0, 0, 0),
    get_threshold=lambda: (700, 10, 10),
    set_threshold=ignore,
    callbacks=[],
    garbage=[],
)
module("atexit", register=lambda function, *args, **kwargs: function, unregister=ignore)

sys.path = []
sys.path_hooks = []
sys.path_importer_cache = {}
sys.argv = [native.name]
sys.orig_argv = [native.name]
sys.executable = sys._base_executable = ""
sys.prefix = sys.base_prefix = sys.exec_prefix = sys.base_exec_prefix = ""

builtins.open = refuse
builtins.id = native.id
builtins.exit = builtins.quit = leave

# --- time: a clock that steps of the program and its sleeps move ---

for name, function in native.clocks.items():
    setattr(time, name, function)


def clock_gettime(clock, /):
    return time.time() if clock in (time.CLOCK_REALTIME, time.CLOCK_TAI) else time.monotonic()


def clock_gettime_ns(clock, /):
    return time.time_ns() if clock in (time.CLOCK_REALTIME, time.CLOCK_TAI) else time.monotonic_ns()


for name, function in dict(
    clock_gettime=clock_gettime, clock_gettime_ns=clock_gettime_ns, clock_settime=refuse, clock_settime_ns=refuse
).items():
    if hasattr(time, name):
        setattr(time, name, function)


def at(function):
    def of(seconds=None, /):
        return function(time.time() if seconds is None else seconds)

    of.__name__ = of.__qualname__ = function.__name__
    return of


gmtime, asctime, strftime = time.gmtime, time.asctime, time.strftime
time.gmtime = time.localtime = at(gmtime)


def asctime_of(moment=None, /):
    return asctime(time.gmtime() if moment is None else moment)


def ctime(seconds=None, /):
    return asctime_of(time.gmtime(seconds))


def strftime_of(format, moment=None, /):
    return strftime(format, time.gmtime() if moment is None else moment)


time.asctime, time.ctime, time.strftime = asctime_of, ctime, strftime_of

# The interpreter's own datetime asks the machine for the time; the one in Python asks this clock.
sys.modules["_datetime"] = None

# --- random: a generator that nobody seeded starts from the run's seed ---

import _random


class Random(_random.Random):
    def __init__(self, seed=None):
        self.seed(seed)

    def seed(self, seed=None):
        super().seed(native.seed if seed is None else seed)


module("_random", Random=Random)
