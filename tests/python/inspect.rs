//! Questions about the states of a run.

use std::time::{Duration, Instant};

use lockstep::python::{Evaluated, Inspector, PythonError, RunOptions};

use super::{first_at, inspect, options, program, record, states};

/// The value of an expression, as text.
#[track_caller]
fn value(inspector: &mut Inspector, at: usize, expression: &str) -> String {
    match inspector.evaluate(at, 0, expression).unwrap() {
        Evaluated::Value { text, .. } => text.to_string(),
        other => panic!("{expression}: {other:?}"),
    }
}

#[track_caller]
fn raises(inspector: &mut Inspector, at: usize, expression: &str) -> String {
    match inspector.evaluate(at, 0, expression).unwrap() {
        Evaluated::Raised(raised) => raised.to_string(),
        other => panic!("{expression}: {other:?}"),
    }
}

#[track_caller]
fn stopped(inspector: &mut Inspector, at: usize, expression: &str) -> String {
    match inspector.evaluate(at, 0, expression).unwrap() {
        Evaluated::Stopped(reason) => reason.to_string(),
        other => panic!("{expression}: {other:?}"),
    }
}

const SUM: &str = "\
limit = 3
def add(total, i):
    new = total + i
    return new
def main():
    total = 0
    for i in range(limit):
        total = add(total, i)
    return total
";

#[test]
fn every_variable_of_every_state_evaluates_to_what_was_recorded() {
    let mut recording = record(SUM);
    let states = states(&mut recording);
    let mut inspector = inspect(SUM);
    let forwards = 0..states.len();
    for at in forwards.clone().chain(forwards.rev().step_by(5)) {
        for (name, text) in states[at].locals.iter() {
            assert_eq!(value(&mut inspector, at, name), **text, "{name} at {at}");
        }
    }
}

#[test]
fn an_expression_sees_locals_globals_and_builtins_also_within() {
    let mut inspector = inspect(SUM);
    let at = first_at(SUM, 4);
    for (expression, expected) in [
        ("total + i", "0"),
        ("limit", "3"),
        ("add(20, 3)", "23"),
        ("  [i + x for x in range(limit)]\n", "[0, 1, 2]"),
        ("all(x >= i for x in range(limit))", "True"),
        ("(lambda y: y + limit + i)(1)", "4"),
        ("(z := limit) + z", "6"),
        ("{'a': i}", "{'a': 0}"),
        ("len", "<builtin_function_or_method len>"),
    ] {
        let text = value(&mut inspector, at, expression);
        match expected.contains("len") {
            true => assert!(text.contains("len"), "{text}"),
            false => assert_eq!(text, expected, "{expression}"),
        }
    }
    assert_eq!(raises(&mut inspector, at, "z"), "NameError: name 'z' is not defined");
}

#[test]
fn frames_are_counted_outwards() {
    let source = "def f(n):\n    if n == 0:\n        return 0\n    return f(n - 1)\ndef main():\n    n = 9\n    return f(2)\n";
    let mut inspector = inspect(source);
    let at = first_at(source, 3);
    for (frame, expected) in [(0, "0"), (1, "1"), (2, "2"), (3, "9")] {
        let Evaluated::Value { text, .. } = inspector.evaluate(at, frame, "n").unwrap() else {
            panic!("{frame}");
        };
        assert_eq!(&*text, expected, "{frame}");
    }
    let error = inspector.evaluate(at, 4, "n").unwrap_err();
    assert!(matches!(error, PythonError::NoFrame { frame: 4, running: 4, .. }), "{error}");
    // Nothing was spoilt by it.
    assert_eq!(value(&mut inspector, at, "n"), "0");
}

#[test]
fn the_truth_of_a_value_is_told() {
    let mut inspector = inspect("x = []\ny = [0]\nz = 1\n");
    for (expression, expected) in [("x", false), ("y", true), ("x or y", true), ("0.0", false)] {
        let found = inspector.evaluate(3, 0, expression).unwrap();
        let Evaluated::Value { truthy, .. } = found else { panic!("{expression}: {found:?}") };
        assert_eq!(truthy, expected, "{expression}");
    }
}

#[test]
fn an_evaluation_changes_nothing_that_comes_later() {
    let source = "\
from collections import defaultdict
import random, sys
xs = [1, 2, 3]
it = iter(xs)
d = defaultdict(list)
n = 0
class C:
    seen = 0
    def __len__(self):
        C.seen += 1
        return C.seen
c = C()
def bump():
    global n
    n += 1
    return n
def walk():
    return list(it)
done = 1
after = (len(xs), list(it), len(d), n, C.seen, random.random(), sys.stdin.readline(), done)
end = 1
";
    let options = RunOptions { stdin: "line\n".to_owned(), ..options() };
    let mut inspector = Inspector::new(&program(source), &options);
    let before = first_at(source, 20);
    let after = before + 1;
    let expected = value(&mut inspector, after, "after");
    assert!(expected.starts_with("(3, [1, 2, 3], 0, 0, 0, 0.84"), "{expected}");
    for changing in [
        "xs.append(4)",
        "xs.__iadd__([4])",
        "list(it)",
        "3 in it",
        "sorted(it)",
        "[*it]",
        "walk()",
        "max(it)",
        "d['new']",
        "d['new'] if d else d[1]",
        "bump()",
        "sorted(xs, key=lambda x: bump())",
        "globals().update(n=7)",
        "len(c)",
        "bool(c)",
        "c",
        "not c",
        "f'{c:{bump()}}'",
        "random.random()",
        "sys.stdin.readline()",
        "exec('import sys; sys.n = n')",
        "setattr(C, 'seen', 5)",
        "C.__init_subclass__() or bump()",
        "xs[0:1].append(xs.pop())",
        "__import__('random').seed(1)",
        "[xs.append(y) for y in (1, 2)]",
        "(xs := xs[:1], xs.clear())",
    ] {
        let _ = inspector.evaluate(before, 0, changing).unwrap();
        assert_eq!(value(&mut inspector, after, "after"), expected, "{changing}");
    }
}

#[test]
fn what_an_evaluation_writes_is_told_apart() {
    let source = "print('own')\nx = 1\ny = 2\n";
    let mut inspector = inspect(source);
    assert_eq!(value(&mut inspector, 3, "print('a', x) or print('b')"), "None");
    let written: Vec<&str> = inspector.written().iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(written, ["a 1\nb\n"]);
    value(&mut inspector, 3, "x");
    assert!(inspector.written().is_empty());
}

#[test]
fn what_is_no_expression_is_refused() {
    let mut inspector = inspect("x = 1\ny = 2\n");
    let mut refusals = String::new();
    for text in ["x +", "", "x = 2", "(", "yield x", "await x", "return", "x; y", "\0", "x\ny"] {
        match inspector.evaluate(2, 0, text).unwrap() {
            Evaluated::Refused(why) => refusals += &format!("{text:?}: {why}\n"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
    insta::assert_snapshot!(refusals);
    assert_eq!(value(&mut inspector, 2, "x"), "1");
}

#[test]
fn what_an_expression_raises_is_told() {
    let source = "x = 0\nclass B:\n    def __bool__(self):\n        raise ValueError('no truth')\nb = B()\ny = 1\n";
    let mut inspector = inspect(source);
    let at = first_at(source, 6);
    assert_eq!(raises(&mut inspector, at, "1 / x"), "ZeroDivisionError: division by zero");
    assert_eq!(raises(&mut inspector, at, "exit(3)"), "SystemExit: 3");
    assert_eq!(raises(&mut inspector, at, "__import__('os')._exit(1)"), "SystemExit: 1");
    assert_eq!(raises(&mut inspector, at, "b"), "ValueError: no truth");
    assert_eq!(raises(&mut inspector, at, "open('f')").split(':').next(), Some("PermissionError"));
    let recursion = raises(&mut inspector, at, "(lambda f: f(f))(lambda f: f(f))");
    assert!(recursion.starts_with("RecursionError"), "{recursion}");
    assert_eq!(value(&mut inspector, at, "x"), "0");
}

#[test]
fn an_evaluation_that_takes_too_much_is_stopped_and_the_next_one_works() {
    let source = "x = 1\ndef loop():\n    while True: pass\ny = 2\nz = 3\n";
    let mut inspector = inspect(source);
    let at = first_at(source, 5);
    for (expression, says) in [
        ("loop()", "time limit 2 s of an evaluation"),
        ("sum(range(10**12))", "time limit 2 s of an evaluation"),
        ("[0 for _ in range(10**9)]", "memory limit 200 MiB (--max-memory)"),
        ("'x' * 10**8 + 'y' * 10**8 + 'z' * 10**8", "memory limit 200 MiB (--max-memory)"),
        ("print('x' * 20_000)", "output limit 10,000 bytes (--max-output)"),
    ] {
        let started = Instant::now();
        let reason = stopped(&mut inspector, at, expression);
        assert!(
            reason == says || (says.contains("memory") && reason.contains("time limit")),
            "{expression}: {reason}"
        );
        assert!(started.elapsed() < Duration::from_secs(30), "{expression}");
        assert_eq!(value(&mut inspector, at, "x + y"), "3", "after {expression}");
    }
}

#[test]
fn deep_expressions_are_refused_or_stop_the_host_alone() {
    let mut inspector = inspect("x = 1\ny = 2\n");
    for expression in [
        format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("{}1", "-".repeat(100_000)),
        "[".repeat(100_000),
        format!("1{}", " + 1".repeat(50_000)),
        format!("x{}", ".real".repeat(50_000)),
    ] {
        let shown = &expression[..10];
        inspector.evaluate(2, 0, &expression).unwrap_or_else(|e| panic!("{shown}: {e}"));
        assert_eq!(value(&mut inspector, 2, "x"), "1", "{shown}");
    }
}

#[test]
fn a_state_that_never_comes_is_an_error() {
    let mut inspector = inspect("x = 1\n");
    let error = inspector.evaluate(99, 0, "x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "state 99 can't be reached again: the run ends before it: normal"
    );
    assert_eq!(value(&mut inspector, 2, "x"), "1");
}

#[test]
fn a_program_that_cannot_run_cannot_be_asked() {
    let mut inspector = Inspector::new(&program("x = = 1\n"), &options());
    let error = inspector.evaluate(0, 0, "1").unwrap_err();
    assert!(matches!(error, PythonError::Syntax(_)), "{error}");
}

#[test]
fn states_in_generators_classes_comprehensions_and_handlers_can_be_asked() {
    let source = "\
def g(k):
    for i in range(k):
        got = yield i
class A:
    attr = [q * 2 for q in range(2)]
    def m(self):
        return self.attr
def main():
    outer = 5
    def inner():
        return outer + 1
    for v in g(2):
        w = v
    try:
        raise ValueError(w)
    except ValueError as e:
        r = inner()
    return r
main_result = main()
";
    let options = RunOptions { entry: Some("main".into()), ..options() };
    let mut inspector = Inspector::new(&program(source), &options);
    let mut recording = super::start(source, &options).unwrap();
    for (at, state) in states(&mut recording).iter().enumerate() {
        for (name, text) in state.locals.iter() {
            assert_eq!(value(&mut inspector, at, name), **text, "{name} at {at}");
        }
    }
    let at = first_at("class A:\n    x = 1\n    y = x\n", 3);
    let mut inspector = inspect("class A:\n    x = 1\n    y = x\n");
    assert_eq!(value(&mut inspector, at, "[x for _ in range(2)]"), "[1, 1]");
}
