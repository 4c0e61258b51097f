//! Which modules a program can import, and why not the others.
//!
//! The lists say what the host's interpreter and its stand-ins for the operating system were seen to
//! do with an import of each module of the standard library. Modules whose names start with an
//! underscore belong to the library's own workings and are not judged.

/// Modules that a program can import, sorted.
#[rustfmt::skip]
pub const AVAILABLE: &[&str] = &[
    "__future__", "abc", "annotationlib", "argparse", "array", "ast", "atexit", "base64",
    "binascii", "bisect", "builtins", "bz2", "calendar", "cmath", "cmd", "code", "codecs",
    "codeop", "collections", "colorsys", "compression", "compression.bz2", "compression.gzip",
    "compression.lzma", "compression.zlib", "concurrent", "concurrent.futures",
    "concurrent.futures.thread", "configparser", "contextlib", "contextvars", "copy", "copyreg",
    "csv", "dataclasses", "datetime", "dbm", "dbm.dumb", "decimal", "difflib", "dis",
    "dummy_threading", "email", "email.base64mime", "email.charset", "email.contentmanager",
    "email.encoders", "email.errors", "email.feedparser", "email.generator", "email.header",
    "email.headerregistry", "email.iterators", "email.message", "email.mime",
    "email.mime.application", "email.mime.audio", "email.mime.base", "email.mime.image",
    "email.mime.message", "email.mime.multipart", "email.mime.nonmultipart", "email.mime.text",
    "email.parser", "email.policy", "email.quoprimime", "email.utils", "encodings", "enum",
    "errno", "filecmp", "fileinput", "fnmatch", "fractions", "functools", "gc", "genericpath",
    "getopt", "getpass", "gettext", "glob", "graphlib", "gzip", "hashlib", "heapq", "hmac",
    "html", "html.entities", "html.parser", "http", "http.cookies", "idlelib", "importlib",
    "importlib.abc", "importlib.machinery", "importlib.util", "inspect", "io", "ipaddress",
    "itertools", "json", "json.decoder", "json.encoder", "json.scanner", "json.tool", "keyword",
    "linecache", "locale", "logging", "lzma", "marshal", "math", "mimetypes", "modulefinder", "netrc",
    "ntpath", "nturl2path", "numbers", "opcode", "operator", "optparse", "os", "os.path",
    "pickle", "pickletools", "pkgutil", "platform", "plistlib", "posix", "posixpath", "pprint",
    "profile", "pstats", "py_compile", "pyclbr", "pydoc", "pydoc_data",
    "pydoc_data.module_docs", "pydoc_data.topics", "pyexpat", "queue", "quopri", "random", "re",
    "reprlib", "rlcompleter", "runpy", "sched", "secrets", "shelve", "shlex", "site", "sre_compile",
    "sre_constants", "sre_parse", "stat", "statistics", "string", "string.templatelib",
    "stringprep", "struct", "sys", "sysconfig", "tabnanny", "textwrap", "this", "threading",
    "time", "timeit", "token", "tokenize", "tomllib", "trace", "traceback", "turtledemo",
    "types", "typing", "unicodedata", "urllib", "urllib.parse", "uuid", "warnings", "wave",
    "weakref", "wsgiref", "wsgiref.handlers", "wsgiref.headers", "wsgiref.types",
    "wsgiref.util", "wsgiref.validate", "xml", "xml.dom", "xml.dom.NodeFilter",
    "xml.dom.domreg", "xml.dom.expatbuilder", "xml.dom.minicompat", "xml.dom.minidom",
    "xml.dom.pulldom", "xml.dom.xmlbuilder", "xml.etree", "xml.etree.ElementInclude",
    "xml.etree.ElementPath", "xml.etree.ElementTree", "xml.etree.cElementTree", "xml.parsers",
    "xml.parsers.expat", "xml.sax", "xml.sax.handler", "xml.sax.xmlreader", "xmlrpc",
    "zipimport", "zlib", "zoneinfo",
];

/// Modules of the standard library, now or in the past, that a program can't import.
#[rustfmt::skip]
pub const MISSING: &[(Absence, &[&str])] = &[
    (Absence::Network, &[
        "antigravity", "ftplib", "http.client", "http.cookiejar", "http.server", "imaplib",
        "logging.config", "logging.handlers", "mailbox", "poplib", "select", "selectors",
        "smtplib", "socket", "socketserver", "ssl", "urllib.error", "urllib.request",
        "urllib.response", "urllib.robotparser", "webbrowser", "wsgiref.simple_server",
        "xml.sax.expatreader", "xml.sax.saxutils", "xmlrpc.client", "xmlrpc.server",
    ]),
    (Absence::EventLoop, &[
        "asyncio",
    ]),
    (Absence::Files, &[
        "compileall", "ensurepip", "importlib.metadata", "importlib.readers", "importlib.resources",
        "importlib.simple", "mmap", "pathlib", "shutil", "tarfile", "tempfile", "venv", "zipapp",
        "zipfile",
    ]),
    (Absence::Processes, &[
        "concurrent.futures.interpreter", "concurrent.futures.process", "concurrent.interpreters",
        "multiprocessing", "pty", "signal", "subprocess", "unittest",
    ]),
    (Absence::Screen, &[
        "curses", "readline", "termios", "tkinter", "tty", "turtle",
    ]),
    (Absence::Native, &[
        "compression.zstd", "ctypes", "dbm.gnu", "dbm.ndbm", "dbm.sqlite3", "sqlite3",
    ]),
    (Absence::Tracing, &[
        "bdb", "cProfile", "doctest", "faulthandler", "pdb", "symtable", "tracemalloc",
    ]),
    (Absence::System, &[
        "fcntl", "grp", "msvcrt", "nt", "pwd", "resource", "syslog", "winreg", "winsound",
    ]),
    (Absence::Removed, &[
        "aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt",
        "distutils", "imghdr", "imp", "lib2to3", "mailcap", "msilib", "nis", "nntplib",
        "ossaudiodev", "pipes", "smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu",
        "xdrlib",
    ]),
];

/// Why a program can't import a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It needs the network.
    Network,
    /// It needs sockets for its event loop.
    EventLoop,
    /// It needs the file system.
    Files,
    /// It needs processes or signals.
    Processes,
    /// It needs a screen or a terminal.
    Screen,
    /// It needs native code that the interpreter was built without.
    Native,
    /// It traces or examines the interpreter.
    Tracing,
    /// It talks to an operating system.
    System,
    /// Python no longer has it.
    Removed,
    /// It is not part of the standard library.
    ThirdParty,
    /// It is sought in a package around the program.
    Relative,
}

impl Absence {
    /// The reason, to stand behind a colon.
    pub fn reason(self) -> &'static str {
        match self {
            Absence::Network => "there is no network inside Lockstep",
            Absence::EventLoop => {
                "its event loop needs sockets, and there is no network inside Lockstep"
            }
            Absence::Files => "there are no files inside Lockstep",
            Absence::Processes => "there are no processes or signals inside Lockstep",
            Absence::Screen => "there is no screen or terminal inside Lockstep",
            Absence::Native => "it needs native code that the interpreter doesn't have",
            Absence::Tracing => "it watches the interpreter, which Lockstep does itself",
            Absence::System => "it talks to the operating system, which programs can't reach here",
            Absence::Removed => "it is no longer part of Python",
            Absence::ThirdParty => "only the standard library is there inside Lockstep",
            Absence::Relative => "a program is one file, with no package around it",
        }
    }
}

/// Whether a program can import the module of this full name.
pub(super) fn is_available(name: &str) -> bool {
    AVAILABLE.binary_search(&name).is_ok()
}

/// Why a program can't import the module of this full name, if it can't.
///
/// A part of an available package that is in no list counts as available.
pub(super) fn absence(name: &str) -> Option<Absence> {
    let top = name.split('.').next().unwrap_or(name);
    if is_available(name) || top.starts_with('_') {
        return None;
    }
    known_absence(name)
        .or_else(|| known_absence(top))
        .or_else(|| (!is_available(top)).then_some(Absence::ThirdParty))
}

/// Why the standard library's module of this full name, or a package that it lies in, is missing.
pub(super) fn known_absence(name: &str) -> Option<Absence> {
    let is_within = |module: &str| {
        name.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    MISSING
        .iter()
        .find(|(_, modules)| modules.iter().any(|module| is_within(module)))
        .map(|(absence, _)| *absence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_apart() {
        assert!(AVAILABLE.is_sorted());
        for (_, modules) in MISSING {
            assert!(modules.is_sorted(), "{modules:?}");
            for module in *modules {
                assert!(!is_available(module), "{module}");
                assert!(absence(module).is_some(), "{module}");
            }
        }
    }

    #[test]
    fn each_module_is_judged_by_its_full_name() {
        for (name, expected) in [
            ("math", None),
            ("os.path", None),
            ("__future__", None),
            ("urllib", None),
            ("urllib.parse", None),
            ("encodings.utf_8", None),
            ("_thread", None),
            ("socket", Some(Absence::Network)),
            ("urllib.request", Some(Absence::Network)),
            ("multiprocessing.pool", Some(Absence::Processes)),
            ("socketry", Some(Absence::ThirdParty)),
            ("numpy", Some(Absence::ThirdParty)),
            ("numpy.linalg", Some(Absence::ThirdParty)),
            ("distutils.core", Some(Absence::Removed)),
        ] {
            assert_eq!(absence(name), expected, "{name}");
        }
    }
}
