//! Programs that want to hang the debugger, hide from it or take it down.

use std::time::{Duration, Instant};

use lockstep::python::{Recording, RunOptions};
use lockstep::state::ExitKind;

use super::{exit, options, program, record, start, states};

/// The program is stopped, and says why.
#[track_caller]
fn stopped(source: &str, reason: &str) {
    let exit = exit(source);
    assert_eq!(exit.kind, ExitKind::Stopped, "{exit:?}");
    assert_eq!(exit.reason.as_deref(), Some(reason));
}

#[track_caller]
fn raised(source: &str, class: &str) {
    let exit = exit(source);
    assert_eq!(exit.exception.as_ref().map(|raised| &*raised.class), Some(class), "{exit:?}");
}

const STEPS: &str = "step limit 20,000 (--max-steps)";
const TIME: &str = "time limit 3 s (--max-time)";
const MEMORY: &str = "memory limit 200 MiB (--max-memory)";
const OUTPUT: &str = "output limit 10,000 bytes (--max-output)";

#[test]
fn endless_loops_stop_at_the_step_limit() {
    stopped("i = 0\nwhile True:\n    i += 1\n", STEPS);
    stopped(
        "i = 0\nwhile True:\n    try:\n        i += 1\n        raise BaseException\n    except BaseException: pass\n",
        STEPS,
    );
    stopped(
        "def f():\n    try:\n        i = 0\n        while True: i += 1\n    finally:\n        f()\nf()\n",
        STEPS,
    );
    stopped("x = [0 for i in range(10**12)]\n", STEPS);
}

#[test]
fn loops_that_the_hook_does_not_see_stop_at_the_time_limit() {
    stopped("sum(range(10**12))\n", TIME);
    stopped("exec('while True: pass')\n", TIME);
    stopped("import re\nre.match(r'(a+)+b', 'a' * 40)\n", TIME);
}

#[test]
fn what_was_recorded_before_a_hang_is_kept() {
    let mut recording = record("a = 1\nb = 2\nsum(range(10**12))\n");
    assert_eq!(recording.exit().unwrap().kind, ExitKind::Stopped);
    let last = states(&mut recording).pop().unwrap();
    assert_eq!(last.line(), Some(3));
    assert_eq!(&**last.locals.get("b").unwrap(), "2");
}

/// Filling the memory takes its time on a busy machine.
#[track_caller]
fn out_of_memory(source: &str) {
    let mut options = options();
    options.limits.time = Duration::from_secs(60);
    let exit = start(source, &options).unwrap().exit().unwrap();
    assert_eq!(exit.reason.as_deref(), Some(MEMORY), "{source}{exit:?}");
}

#[test]
fn memory_is_bounded() {
    out_of_memory("x = [1]\nwhile True:\n    x = x + x\n");
    out_of_memory("x = 'a'\nwhile True:\n    x = x + x\n");
    out_of_memory("x = {}\nwhile True:\n    x[len(x)] = 'a' * 100000 + str(len(x))\n");
    out_of_memory("x = list(map(str, range(10**9)))\n");
    out_of_memory("import itertools\nx = list(itertools.count())\n");
    raised("x = [0] * 10**12\n", "MemoryError");
    raised("x = 1 << 10**13\n", "MemoryError");
}

#[test]
fn output_is_bounded_and_what_fits_is_kept() {
    let mut recording = record("i = 0\nwhile True:\n    i += 1\n    print('é' * 100)\n");
    assert_eq!(recording.exit().unwrap().reason.as_deref(), Some(OUTPUT));
    let written: usize = recording.output_so_far().iter().map(|output| output.text.len()).sum();
    assert!((9_998..=10_000).contains(&written), "{written}");
    stopped("import sys\nprint('x' * 20_000, file=sys.stderr)\n", OUTPUT);
}

#[test]
fn recursion_ends_in_pythons_own_error_or_at_the_depth_limit() {
    raised("def f(n):\n    return f(n + 1)\nf(0)\n", "RecursionError");
    raised(
        "class A:\n    def __getattr__(self, n):\n        return getattr(self, n)\nA().x\n",
        "RecursionError",
    );
    stopped(
        "import sys\nsys.setrecursionlimit(10**8)\ndef f(n):\n    return f(n + 1)\nf(0)\n",
        "call depth limit 1,000 (--max-depth)",
    );
}

#[test]
fn the_native_stack_is_bounded() {
    // Closing a chain of generators recurses in the interpreter itself, which can't be caught.
    let source = "\
def main():
    exec('''
def g(x):
    try:
        yield 1
    finally:
        x = None
x = None
for i in range(300_000):
    x = g(x)
    next(x)
x = None
''', {})
";
    let mut options = options();
    options.limits.memory = 2 << 30;
    options.limits.time = Duration::from_secs(60);
    let exit = start(source, &options).unwrap().exit().unwrap();
    assert_eq!(exit.kind, ExitKind::Stopped, "{exit:?}");
    assert_eq!(exit.reason.as_deref(), Some("the interpreter's native stack is exhausted"));
}

#[test]
fn a_failure_of_the_interpreter_is_a_stopped_run() {
    let source = "def f(): pass\nf.__code__ = f.__code__.replace(co_code=b'\\xff' * 20)\nf()\n";
    let exit = exit(source);
    assert_eq!(exit.kind, ExitKind::Stopped, "{exit:?}");
    assert!(exit.reason.unwrap().starts_with("the Python interpreter failed: "));
}

#[test]
fn a_program_cannot_hide() {
    let hides = "import sys\nsys.settrace(None)\nsys.setprofile(print)\nx = 1\ny = 2\n";
    let mut recording = record(hides);
    let last = states(&mut recording).pop().unwrap();
    assert_eq!(&**last.locals.get("y").unwrap(), "2");
    assert_eq!(recording.output_so_far(), []);
    raised("import sys\nsys.monitoring\n", "AttributeError");
    raised("import gc\ngc.get_objects()\n", "AttributeError");
}

#[test]
fn the_system_is_out_of_reach() {
    raised("open('/etc/passwd')\n", "PermissionError");
    raised("import os\nos.system('ls')\n", "PermissionError");
    raised("import io\nio.open('/etc/passwd')\n", "UnsupportedOperation");
    raised("import socket\n", "ModuleNotFoundError");
    raised("import subprocess\n", "ModuleNotFoundError");
    raised("import _ctypes\n", "ModuleNotFoundError");
}

#[test]
fn sleep_moves_the_clock_and_nothing_else() {
    let source =
        "import time\na = time.time()\ntime.sleep(10**9)\nb = time.time() - a > 10**9\nc = 0\n";
    assert_eq!(super::last_text(source, "b"), "True");
}

#[test]
fn deep_or_large_sources_are_refused_or_run() {
    for source in [
        format!("x = {}1{}\n", "(".repeat(5_000), ")".repeat(5_000)),
        format!("x = {}1\n", "-".repeat(100_000)),
        format!("x = {}\n", "[".repeat(100_000)),
        format!("x = 1{}\n", " + 1".repeat(50_000)),
        format!("x = a{}\n", ".b".repeat(50_000)),
        "x = 1\n".repeat(10_000),
        format!("x = f'{}'\n", "{x}".repeat(5_000)),
    ] {
        if let Ok(mut recording) = start(&source, &options()) {
            recording.exit().unwrap();
        }
    }
}

#[test]
fn the_first_states_of_an_endless_program_are_there_at_once() {
    let mut options = options();
    options.limits.steps = u64::from(u32::MAX);
    let mut recording = start("i = 0\nwhile True:\n    i += 1\n", &options).unwrap();
    assert!(recording.state(3).unwrap().is_some());
    // It runs ahead by what fits into the pipe, not further.
    std::thread::sleep(Duration::from_millis(300));
    recording.state(4).unwrap();
    assert!(recording.len_so_far() < 100_000, "{}", recording.len_so_far());
    assert_eq!(recording.exit_so_far(), None);
}

#[test]
fn time_does_not_pass_while_nobody_asks() {
    let mut options = options();
    options.limits.time = Duration::from_millis(500);
    let mut recording = start("for i in range(9000):\n    x = i\n", &options).unwrap();
    recording.state(1).unwrap();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(recording.exit().unwrap().kind, ExitKind::Normal);
}

#[test]
fn dropping_a_recording_ends_its_process_soon() {
    for source in ["while True: pass\n", "sum(range(10**12))\n", "x = 0\nwhile True:\n    x += 1\n"]
    {
        let mut recording = record(source);
        recording.state(0).unwrap();
        let started = Instant::now();
        drop(recording);
        assert!(started.elapsed() < Duration::from_secs(2), "{source}");
    }
}

#[test]
fn a_host_that_is_none_is_an_error() {
    for (host, says) in [
        ("/does/not/exist", "can't be started"),
        ("/bin/cat", "ended before the program could run"),
        ("/bin/echo", "a frame of "),
    ] {
        let options = RunOptions { host: Some(host.into()), ..options() };
        let Err(error) = Recording::start(&program("x = 1\n"), &options) else {
            panic!("{host} was a host");
        };
        let error = error.to_string();
        assert!(error.contains(says) || error.contains("the pipe to"), "{host}: {error}");
    }
}
