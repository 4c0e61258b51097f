//! Hostile programs by the command line: the limits' flags, what is printed, and that the debugger
//! lives. How each of many programs ends is in tests/python/hostile.rs.

use crate::support::Bench;
use serde_json::Value;

/// The exit state of a program under these limits.
fn exit_of(source: &str, limits: &[&str]) -> Value {
    let bench = Bench::new();
    bench.write("p.py", source);
    let lines = bench.json(&[&["trace", "p.py"], limits].concat());
    lines.last().expect("an exit state").clone()
}

#[test]
fn each_limit_has_a_flag_and_is_named() {
    let counts = "n = 0\nwhile True:\n    n += 1\n";
    let recurses = "import sys\nsys.setrecursionlimit(10**6)\ndef f():\n    f()\nf()\n";
    for (source, limit, reason) in [
        (counts, ["--max-steps", "2000"], "step limit 2,000 (--max-steps)"),
        ("sum(range(10**12))\n", ["--max-time", "0.5"], "time limit 0.5 s (--max-time)"),
        (
            "x = [0]\nwhile True:\n    x += x\n",
            ["--max-memory", "64M"],
            "memory limit 64 MiB (--max-memory)",
        ),
        ("print('x' * 10**5)\n", ["--max-output", "10K"], "output limit 10 KiB (--max-output)"),
        (recurses, ["--max-depth", "50"], "call depth limit 50 (--max-depth)"),
    ] {
        let exit = exit_of(source, &limit);
        assert_eq!((&exit["exit"], &exit["reason"]), (&"stopped".into(), &reason.into()), "{exit}");
    }
}

#[test]
fn a_loop_that_repeats_is_told_from_one_that_is_stopped() {
    let exit = exit_of("def main():\n    x = 1\n    while x:\n        x = 1\n", &[]);
    assert_eq!(exit["exit"], "never", "{exit}");
    assert!(exit["reason"].as_str().is_some_and(|reason| reason.contains("repeats")), "{exit}");
}

#[test]
fn standard_input_is_what_the_flag_names() {
    let exit = exit_of("def main():\n    return input('? ')\n", &[]);
    assert_eq!(exit["exception"]["type"], "EOFError", "{exit}");
    let bench = Bench::new();
    bench.write("p.py", "def main():\n    return input() + input()\n");
    bench.write("in.txt", "ab\ncd\n");
    let lines = bench.json(&["trace", "p.py", "--stdin", "in.txt"]);
    assert_eq!(lines[lines.len() - 2]["value"], "'abcd'");
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
