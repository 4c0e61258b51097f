//! Programs that don't want to end, or want to take the debugger with them: each run ends in the
//! state that its user would expect, and the debugger lives.

use crate::support::Bench;
use serde_json::Value;

/// The exit state of a program under tight limits.
fn exit_of(source: &str) -> Value {
    let bench = Bench::new();
    bench.write("p.py", source);
    let limits = ["--max-steps", "20000", "--max-time", "2", "--max-memory", "200M"];
    let lines = bench.json(&[&["trace", "p.py", "--max-output", "10K"][..], &limits].concat());
    lines.last().expect("an exit state").clone()
}

#[track_caller]
fn stopped(source: &str, reason: &str) {
    let exit = exit_of(source);
    assert_eq!(exit["exit"], "stopped", "{exit}");
    let said = exit["reason"].as_str().expect("a reason");
    assert!(said.starts_with(reason), "{said}");
}

#[track_caller]
fn raised(source: &str, class: &str) {
    let exit = exit_of(source);
    assert_eq!(exit["exit"], "error", "{exit}");
    assert_eq!(exit["exception"]["type"], class, "{exit}");
}

#[test]
fn prints_without_end() {
    stopped("n = 0\nwhile True:\n    n += 1\n    print('x' * n)\n", "output limit 10 KiB");
}

#[test]
fn prints_without_end_inside_one_builtin() {
    stopped("print('x' * 10**7)\n", "output limit 10 KiB");
    raised("print('x' * 10**10)\n", "MemoryError");
}

#[test]
fn counts_without_end() {
    stopped("n = 0\nwhile True:\n    n += 1\n", "step limit 20,000 (--max-steps)");
}

#[test]
fn provably_repeats() {
    for source in [
        "def main():\n    x = 1\n    while x:\n        x = 1\n",
        "while True:\n    print('the same')\n",
        "while True:\n    try:\n        x = 1 / 0\n    except BaseException:\n        pass\n",
    ] {
        let exit = exit_of(source);
        assert_eq!(exit["exit"], "never", "{exit}");
        assert!(exit["reason"].as_str().is_some_and(|reason| reason.contains("repeats")), "{exit}");
    }
}

#[test]
fn loops_inside_one_builtin() {
    stopped("x = sum(range(10**12))\n", "time limit 2 s (--max-time)");
}

#[test]
fn loops_inside_a_comprehension() {
    stopped("x = [0 for i in range(10**12) if i < 0]\n", "");
}

#[test]
fn allocates_without_end() {
    stopped("x = [0]\nwhile True:\n    x = x + x\n", "memory limit");
    stopped("x = 'ab'\nwhile True:\n    x += x\n", "memory limit");
}

#[test]
fn recurses_without_end() {
    raised("def f(n):\n    return f(n + 1)\n\ndef main():\n    return f(0)\n", "RecursionError");
}

#[test]
fn swallows_everything_in_a_loop() {
    stopped(
        "n = 0\nwhile True:\n    try:\n        n += 1 / 0\n    except BaseException:\n        n += 1\n",
        "step limit",
    );
}

#[test]
fn switches_the_trace_off() {
    let bench = Bench::new();
    bench.write("p.py", "import sys\nsys.settrace(None)\nx = 1\ny = 2\n");
    let lines = bench.json(&["trace", "p.py"]);
    assert!(lines.iter().any(|line| line["source"] == "y = 2"), "{lines:?}");
}

#[test]
fn reads_standard_input() {
    raised("def main():\n    return input('? ')\n", "EOFError");
    let bench = Bench::new();
    bench.write("p.py", "def main():\n    return input() + input()\n");
    bench.write("in.txt", "ab\ncd\n");
    let lines = bench.json(&["trace", "p.py", "--stdin", "in.txt"]);
    assert_eq!(lines[lines.len() - 2]["value"], "'abcd'");
}

#[test]
fn exits() {
    let exit = exit_of("import sys\nsys.exit(3)\n");
    assert_eq!((&exit["exit"], &exit["exception"]["type"]), (&"error".into(), &"SystemExit".into()));
}

#[test]
fn reaches_for_the_machine() {
    raised("import subprocess\n", "ModuleNotFoundError");
    raised("open('/etc/passwd')\n", "PermissionError");
    raised("import socket\n", "ModuleNotFoundError");
}

#[test]
fn sleeps() {
    let exit = exit_of("import time\ntime.sleep(10**6)\n");
    assert_eq!(exit["exit"], "normal", "{exit}");
}

#[test]
fn a_repr_that_never_ends() {
    let source = "class A:\n    def __repr__(self):\n        while True:\n            pass\n\n\
                  def main():\n    a = A()\n    return 1\n";
    let exit = exit_of(source);
    assert_eq!(exit["exit"], "normal", "{exit}");
}

#[test]
fn two_recordings_are_equal_byte_for_byte() {
    let bench = Bench::new();
    bench.write(
        "p.py",
        "import random, time\n\nclass A:\n    pass\n\ndef main():\n    a = [A(), object(), main]\n    \
         r = random.random()\n    t = time.time()\n    h = hash('x')\n    s = {'b', 'a', (1, 2)}\n    \
         print(a, id(a))\n    return r, t, h, s\n",
    );
    let run = || bench.ok(&["trace", "p.py", "--json"]);
    assert_eq!(run(), run());
}
