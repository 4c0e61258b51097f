//! Programs and what is found in them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{Finding, MAX_FINDINGS, Severity, check, render};
use crate::program::Program;

/// Each finding as `line:column kind`, with the severity's first letter in front.
fn found(source: &str) -> Vec<String> {
    let findings = check(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    findings.iter().map(short).collect()
}

fn short(finding: &Finding) -> String {
    let severity = &finding.severity.word()[..1];
    let kind = serde_json::to_value(finding.kind).unwrap();
    let kind = kind.as_str().unwrap();
    format!("{severity} {}:{} {kind}", finding.span.line, finding.span.column)
}

#[track_caller]
fn each(programs: &[(&str, &[&str])]) {
    for (source, expected) in programs {
        assert_eq!(found(source), *expected, "\n{source}");
    }
}

#[track_caller]
fn silent(programs: &[&str]) {
    for source in programs {
        assert_eq!(found(source), [""; 0], "\n{source}");
    }
}

#[test]
fn names_that_nothing_binds() {
    each(&[
        ("print(x)\n", &["w 1:7 unbound-name"]),
        ("def f():\n    return x\n", &["w 2:12 unbound-name"]),
        ("def f():\n    x = 1\ndef g():\n    return x\n", &["w 4:12 unbound-name"]),
        // A class's names are not seen in its methods, nor in its comprehensions.
        ("class A:\n    x = 1\n    def f(self):\n        return x\n", &["w 4:16 unbound-name"]),
        ("class A:\n    x = 1\n    y = [x for _ in '']\n", &["w 3:10 unbound-name"]),
        ("class A:\n    x = 1\n    y = lambda: x\n", &["w 3:17 unbound-name"]),
        // A comprehension's variable ends with it.
        ("a = [i for i in '']\nprint(i)\n", &["w 2:7 unbound-name"]),
        ("def f(n=m): return n\n", &["w 1:9 unbound-name"]),
        (
            "@d\nclass A(B, metaclass=M): pass\n",
            &["w 1:2 unbound-name", "w 2:9 unbound-name", "w 2:22 unbound-name"],
        ),
        ("print(f'{x:{y}}')\n", &["w 1:10 unbound-name", "w 1:13 unbound-name"]),
        ("x.y = 1\nz[0] = 2\n", &["w 1:1 unbound-name", "w 2:1 unbound-name"]),
        (
            "match 1:\n    case A.B: pass\n    case C(): pass\n",
            &["w 2:10 unbound-name", "w 3:10 unbound-name"],
        ),
        // It runs, and is meant to fail.
        ("try:\n    x\nexcept NameError:\n    pass\n", &["n 2:5 unbound-name"]),
        ("try:\n    x\nexcept ValueError:\n    pass\n", &["w 2:5 unbound-name"]),
        ("try:\n    pass\nexcept NameError:\n    x\n", &["w 4:5 unbound-name"]),
        ("try:\n    def f(): return x\nexcept NameError:\n    pass\n", &["w 2:21 unbound-name"]),
        ("é = 'ü' + ñ\n", &["w 1:11 unbound-name"]),
        ("eval\n", &[]),
        ("print(open)\nhelp()\n", &["w 1:7 missing-builtin", "w 2:1 missing-builtin"]),
    ]);
    let missing_import = check("print(math.pi)\n").unwrap();
    assert_eq!(
        missing_import[0].message,
        "`math` is never bound in this program; write `import math` first"
    );
}

#[test]
fn names_that_something_may_bind() {
    silent(&[
        "x = 1\nprint(x)\n",
        "def f():\n    return x\nx = 1\n",
        "def f():\n    global x\n    x = 1\ndef g():\n    return x\n",
        "def f():\n    x = 1\n    def g():\n        def h():\n            return x\n",
        "def f():\n    def g():\n        nonlocal x\n        x = 2\n    x = 1\n    return g, x\n",
        "def f():\n    x = 1\n    class A:\n        y = x\n        def g(self): return x\n",
        "class A:\n    x = 1\n    y = [i for i in x]\n    z = x\n",
        "class A:\n    def f(self): return __class__, super()\n",
        "class A:\n    print(__qualname__, __module__)\nprint(__name__, __file__, __doc__)\n",
        "def f(a, /, b, *c, d, **e): return a, b, c, d, e\n",
        "f = lambda a, *b, c=1, **d: (a, b, c, d)\n",
        "[y for x in '' for y in x if y]\n",
        "{k: v for k, v in {}.items()}\n",
        "[(y := 1) for x in '']\nprint(y)\n",
        "def f():\n    any((hit := x) for x in '')\n    return hit\n",
        "if (n := 1): print(n)\n",
        "for a, (b, *c) in []: print(a, b, c)\n",
        "with 1 as a, 2 as (b, [c]): print(a, b, c)\n",
        "try: pass\nexcept OSError as e: print(e)\n",
        "try: pass\nexcept* ValueError as g: print(g)\n",
        "import os.path, json as j\nfrom math import pi, e as f\nprint(os, j, pi, f)\n",
        "match 1:\n    case [a, *b] if a: print(a, b)\n    case {'k': c, **d}: print(c, d)\n    \
         case str() as s: print(s)\n    case int(real=r) | r: print(r)\n",
        "def f[T: int, *Ts, **P](x: T) -> T: return T, Ts, P\n",
        "class A[T](list[T]):\n    x = T\n    def f(self): return T\n",
        "type X[T] = list[T] | Undefined\nprint(X)\n",
        "class A:\n    B = 1\n    def f[T](self, x=B): pass\n    class C[T](list[B]): pass\n",
        "x = 1\ndel x\nprint(x)\n",
        "x: int\ndef f(a: Undefined, *b: Undefined) -> Undefined: pass\ny: Undefined = 1\n",
        "async def f():\n    async for x in g(): print(x)\n    async with g() as y: print(y)\n    \
         return [z async for z in g()]\nasync def g(): yield\n",
        // Names that the text doesn't show.
        "from math import *\nprint(x)\n",
        "exec('x = 1')\nprint(x)\n",
        "globals()['x'] = 1\nprint(x)\n",
        "locals().update(x=1)\nprint(x)\n",
        "vars()['x'] = 1\nprint(x)\n",
        "import sys\nsetattr(sys.modules[__name__], 'x', 1)\nprint(x)\n",
        "import builtins\nbuiltins.x = 1\nprint(x)\n",
        "import enum\n@enum.global_enum\nclass E(enum.Enum): X = 1\nprint(X)\n",
        "class A:\n    def f(self): return __private\n",
    ]);
    // Inside a function these give a copy.
    each(&[("def f():\n    locals()['x'] = 1\n    return x\n", &["w 3:12 unbound-name"])]);
}

#[test]
fn locals_that_are_only_updated() {
    each(&[
        ("n = 0\ndef f():\n    n += 1\n    return n\n", &["w 3:5 unbound-local"]),
        ("n = 0\ndef f():\n    n = n + 1\n    return n\n", &["w 3:9 unbound-local"]),
        ("def f():\n    n = 0\n    def g():\n        n += 1\n", &["w 4:9 unbound-local"]),
        ("def f(n):\n    s = s + [n]\n", &["w 2:9 unbound-local"]),
        ("n += 1\n", &["w 1:1 unbound-name"]),
        (
            "n = 0\ndef f():\n    try:\n        n += 1\n    except UnboundLocalError: pass\n",
            &["n 4:9 unbound-local"],
        ),
        (
            "n = 0\ndef f():\n    try:\n        n += 1\n    except NameError: pass\n",
            &["n 4:9 unbound-local"],
        ),
    ]);
    silent(&[
        "n = 0\ndef f():\n    global n\n    n += 1\n",
        "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n",
        "def f(n):\n    n += 1\n",
        "def f():\n    n = 0\n    n += 1\n",
        "n = 0\nclass A:\n    n += 1\n    n = n + 1\n",
        "def f():\n    for n in []: n += 1\n",
        "sum = sum\nlist = list or 1\n",
        "def f():\n    g = lambda: g\n    h = [h for h in '']\n    k = 1 if g else k\n",
    ]);
    let advice = check("n = 0\ndef f():\n    n += 1\n").unwrap();
    assert!(advice[0].message.contains("`global n`"), "{}", advice[0].message);
    let advice = check("def f():\n    n = 0\n    def g():\n        n += 1\n").unwrap();
    assert!(advice[0].message.contains("`nonlocal n`"), "{}", advice[0].message);
}

#[test]
fn statements_that_nothing_reaches() {
    each(&[
        ("def f():\n    return 1\n    print()\n    print()\n", &["w 3:5 unreachable-code"]),
        ("raise ValueError\nprint()\n", &["w 2:1 unreachable-code"]),
        ("for x in []:\n    continue\n    print()\n", &["w 3:5 unreachable-code"]),
        ("while x := 0:\n    break\n    print(x)\n", &["w 3:5 unreachable-code"]),
        ("while True: pass\nprint()\n", &["w 2:1 unreachable-code"]),
        ("while 1:\n    for x in []: break\nprint()\n", &["w 3:1 unreachable-code"]),
        (
            "def f(x):\n    if x: return 1\n    elif x > 1: raise x\n    else: return 2\n    print()\n",
            &["w 5:5 unreachable-code"],
        ),
        (
            "def f(x):\n    match x:\n        case 1: return 1\n        case _: return 2\n    print()\n",
            &["w 5:5 unreachable-code"],
        ),
        (
            "def f():\n    try: return 1\n    except OSError: raise\n    print()\n",
            &["w 4:5 unreachable-code"],
        ),
        (
            "def f():\n    try: print()\n    finally: return 1\n    print()\n",
            &["w 3:14 syntax-warning", "w 4:5 unreachable-code"],
        ),
        (
            "def f():\n    try: return 1\n    except OSError: pass\n    else: print()\n",
            &["w 4:11 unreachable-code"],
        ),
        (
            "def f():\n    for x in []: print(x)\n    else: return 1\n    print()\n",
            &["w 4:5 unreachable-code"],
        ),
        // Only the outermost, and each block for itself.
        (
            "def f():\n    return 1\n    if f:\n        return 2\n        print()\n\
             def g():\n    return 1\n    print()\n",
            &["w 3:5 unreachable-code", "w 8:5 unreachable-code"],
        ),
    ]);
    silent(&[
        "def f(x):\n    if x: return 1\n    print()\n",
        "def f(x):\n    if x: return 1\n    elif x > 1: return 2\n    print()\n",
        "while True:\n    if 1: break\nprint()\n",
        "while True:\n    try: pass\n    except OSError: break\nprint()\n",
        "def f(x):\n    match x:\n        case 1: return 1\n        case y if y: return 2\n    print()\n",
        "def f():\n    try: return 1\n    except OSError: pass\n    print()\n",
        "def f():\n    return\n    yield\n",
        "from contextlib import suppress\nwith suppress(OSError): raise OSError\nprint()\n",
        "def f():\n    for x in []: return 1\n    print()\n",
        "def f():\n    for x in []:\n        break\n    else: return 1\n    print()\n",
        "while 0: pass\nprint()\n",
    ]);
}

#[test]
fn imports_that_fail_here() {
    each(&[
        ("import socket\n", &["e 1:8 missing-module"]),
        ("import os, numpy as np\n", &["e 1:12 missing-module"]),
        ("from urllib import parse, request\n", &["e 1:27 missing-module"]),
        ("from . import other\n", &["e 1:1 missing-module"]),
        ("from .other import x\n", &["e 1:1 missing-module"]),
        ("class A:\n    import socket\n", &["e 2:12 missing-module"]),
        ("def f():\n    import socket\n", &["w 2:12 missing-module"]),
        ("if __name__ == '__main__':\n    import socket\n", &["w 2:12 missing-module"]),
        (
            "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n",
            &["n 2:12 missing-module"],
        ),
        (
            "try:\n    import numpy\nexcept:\n    import cupy\n",
            &["n 2:12 missing-module", "n 4:12 missing-module"],
        ),
        ("try:\n    import numpy\nfinally:\n    pass\n", &["e 2:12 missing-module"]),
        (
            "try:\n    def f():\n        import numpy\nexcept ImportError: pass\n",
            &["w 3:16 missing-module"],
        ),
        (
            "from contextlib import suppress\nwith suppress(ImportError):\n    import numpy\n",
            &["n 3:12 missing-module"],
        ),
    ]);
    silent(&[
        "import math, json, re, random, dataclasses, collections.abc, os.path, _thread\n",
        "from __future__ import annotations\nfrom concurrent import futures\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy\n",
    ]);
}

#[test]
fn places_where_the_order_of_a_set_shows() {
    each(&[
        ("for x in {1, 2}: pass\n", &["n 1:10 set-order"]),
        ("s = {1, 2}\nfor x in s: pass\n", &["n 2:10 set-order"]),
        ("s = set()\ns |= {1}\nt = s\nfor x in t: pass\n", &["n 4:10 set-order"]),
        ("s = set('ab')\ns = s | {'c'}\n[x for x in s]\n", &["n 3:13 set-order"]),
        ("def f():\n    s = frozenset('ab')\n    return list(s)\n", &["n 3:17 set-order"]),
        ("a, b = {1, 2}\n", &["n 1:8 set-order"]),
        ("print(*{1, 2})\n", &["n 1:8 set-order"]),
        ("print({1, 2})\n", &["n 1:7 set-order"]),
        ("s = {1, 2}\nt = f'{s}'\n", &["n 2:8 set-order"]),
        ("s = {1, 2}\nx = s.pop()\n", &["n 2:5 set-order"]),
        ("'-'.join({'a', 'b'})\n", &["n 1:10 set-order"]),
        ("next(iter(set('ab')))\n", &["n 1:11 set-order"]),
        ("d = {}\nfor k in d.keys() & {1, 2}: pass\n", &["n 2:10 set-order"]),
        ("for x in {1, 2}.union([3]): pass\n", &["n 1:10 set-order"]),
        ("for i, x in enumerate(sorted({1, 2})): list({i, x})\n", &["n 1:45 set-order"]),
        ("def g():\n    yield from {1, 2}\n", &["n 2:16 set-order"]),
    ]);
    silent(&[
        "s = {1, 2}\nprint(len(s), 1 in s, min(s), max(s), sum(s), any(s), all(s), sorted(s))\n",
        "s = {1, 2}\nt = {*s, 3}\nsorted(map(str, s))\nsum(list(s))\n",
        "for x in sorted({1, 2}): pass\n",
        "for x in {1}: pass\nprint(set())\n(x,) = {1}\n",
        "s = {1, 2}\ns = [1]\nfor x in s: pass\n",
        "def f(s):\n    s = s or {1}\n    for x in s: pass\n",
        "def set(x): return x\nfor x in set('ab'): pass\n",
        "def f():\n    s = {1, 2}\ndef g(s):\n    for x in s: pass\n",
        "a = b = 1\nc = a - b\nfor x in [c]: pass\n",
        "x = []\nx.pop()\nprint(x)\n",
    ]);
}

#[test]
fn reads_of_the_standard_input() {
    each(&[
        ("name = input('? ')\n", &["n 1:8 reads-input"]),
        ("a = list(map(int, input().split()))\n", &["n 1:19 reads-input"]),
        ("import sys\nfor line in sys.stdin: pass\n", &["n 2:13 reads-input"]),
        ("import sys as s\ns.stdin.read()\n", &["n 2:1 reads-input"]),
        ("from sys import stdin\nstdin.read()\n", &["n 2:1 reads-input"]),
    ]);
    silent(&[
        "def input(): return 1\ninput()\n",
        "class A: stdin = 1\nA.stdin\n",
        "import sys, io\nsys.stdin = io.StringIO('')\n",
    ]);
}

#[test]
fn findings_stand_in_the_order_of_their_places() {
    assert_eq!(
        found("def f():\n    return x\n    y\nimport socket\nprint(z)\n"),
        [
            "w 2:12 unbound-name",
            "w 3:5 unbound-name",
            "w 3:5 unreachable-code",
            "e 4:8 missing-module",
            "w 5:7 unbound-name",
        ]
    );
}

/// The Python files in a folder of the repository and below, sorted.
fn programs(folder: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = vec![];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "py") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// All of these programs run, so whatever is found in them must be what they are there to show.
#[test]
fn findings_in_the_programs_of_this_repository() {
    let mut text = String::new();
    for folder in ["corpora", "tests/conformance/programs"] {
        let files = programs(folder);
        assert!(files.len() > 50, "{folder}: {}", files.len());
        for path in files {
            let program = Program::load(&path).unwrap();
            let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display();
            for finding in check(program.text()).unwrap() {
                assert_ne!(finding.severity, Severity::Error, "{name}: {}", finding.message);
                let line = program.line(finding.span.line);
                writeln!(text, "{name}: {}: {}", short(&finding), line.trim()).unwrap();
            }
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn findings_are_bounded() {
    let many: String = (0..5_000).map(|n| format!("print(missing{n})\n")).collect();
    assert_eq!(check(&many).unwrap().len(), MAX_FINDINGS);
}

#[test]
fn findings_as_people_see_them() {
    let source = "\
import socket
import random

count = 0

def roll(名前):
\tcount += random.randint(1, 6); return cuont
\tprint('never')

try:
    import numpy
except ImportError:
    numpy = None

for player in {'Ann', 'Bob'}:
    roll(player)
    if input(f\"{player}? \") is 'no':
        break
";
    let text: String = check(source)
        .unwrap()
        .iter()
        .map(|finding| render("dice.py", source, finding) + "\n")
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn syntax_errors_as_people_see_them() {
    let deep = "-".repeat(20_000) + "1";
    let text: String = [
        "x = (1,\ny = 2\n",
        "if x = 1:\n\tpass\n",
        "def f(名前, 名前): pass\n",
        "print 'a'\n",
        "s = 'é'; return 1\n",
        "x = '\u{1b}[31m\n",
        &deep,
    ]
    .into_iter()
    .map(|source| render("p.py", source, &check(source).unwrap_err().0) + "\n")
    .collect();
    insta::assert_snapshot!(text);
}

/// The tokens of Python, from which programs are thrown together.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "x", "y", "f", "A", "_", "__x", "self", "print", "input", "set", "sys", "0", "1", "1.5", "2j",
    "''",
    "'a'", "b'a'", "f'{", "f'{x!r:>{y}}'", "}'", "t'{x}'", "'''", "\"", "\\", "(", ")", "[", "]", "{",
    "}", ",", ":", ";", ".", "...", "->", ":=", "=", "==", "!=", "<", ">", "+", "-", "*", "**", "/",
    "//", "%", "@", "&", "|", "^", "~", "<<", ">>", "+=", "-=", "|=", "and", "or", "not", "in", "is",
    "if", "elif", "else", "for", "while", "break", "continue", "return", "yield", "from", "import",
    "as", "def", "class", "lambda", "with", "try", "except", "finally", "raise", "assert", "del",
    "global", "nonlocal", "pass", "async", "await", "match", "case", "type", "None", "True", "\n",
    "\n    ", "\n        ", "\n\t", "# c", "é", "名", "\u{1b}", "\u{202e}", "$", "?", "!", "`",
];

fn never_panics(source: &str) -> Result<(), TestCaseError> {
    let findings = check(source).unwrap_or_else(|error| vec![error.0]);
    prop_assert!(findings.is_sorted());
    for finding in findings {
        let lines = source.split(['\n', '\r']).count() + 1;
        prop_assert!(finding.span.line >= 1 && finding.span.line as usize <= lines);
        prop_assert!(finding.span.column >= 1);
        render("p.py", source, &finding);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_checked(source in "(?s).{0,200}") {
        never_panics(&source)?;
    }

    #[test]
    fn any_tokens_are_checked(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        never_panics(&tokens.join(" "))?;
    }
}
