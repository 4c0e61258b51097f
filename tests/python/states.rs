//! What a recording holds: states, locals, stacks, and the same each time.

use lockstep::state::{Event, Locals, State};

use super::{record, states};

/// Event, function, line and depth of each state, a line each.
fn outline(states: &[State]) -> String {
    let mut outline = String::new();
    for state in states {
        let position = state.position.as_ref().unwrap();
        outline += &format!(
            "{:indent$}{} {} {} #{}\n",
            "",
            state.event.name(),
            position.function,
            position.line,
            position.activation,
            indent = 2 * position.depth as usize,
        );
    }
    outline
}

const GENERATORS: &str = "\
def numbers(n):
    for i in range(n):
        yield i

def main():
    a = numbers(2)
    b = numbers(1)
    next(a)
    next(b)
    return list(a)
";

#[test]
fn a_generator_keeps_its_number_when_it_is_resumed() {
    let states = states(&mut record(GENERATORS));
    insta::assert_snapshot!(outline(&states));
}

#[test]
fn locals_are_complete_and_in_the_order_of_the_frame() {
    let source = "\
def f(z, a):
    m = z
    def g():
        return m + a
    del z
    [q for q in (1,)]
    return g()

f(1, 2)
";
    let states = states(&mut record(source));
    let f: Vec<&State> =
        states.iter().filter(|state| &*state.position.as_ref().unwrap().function == "f").collect();
    let names = |state: &State| state.locals.iter().map(|(n, _)| n.to_string()).collect::<Vec<_>>();
    assert_eq!(names(f[0]), ["z", "a"]);
    let last = f.last().unwrap();
    let order = names(last);
    assert!(!order.contains(&"z".to_owned()) && order.contains(&"g".to_owned()), "{order:?}");
    let inner = states
        .iter()
        .find(|state| &*state.position.as_ref().unwrap().function == "f.<locals>.g")
        .unwrap();
    assert_eq!(inner.locals, [("a", "2"), ("m", "1")].into_iter().collect::<Locals>());
}

#[test]
fn module_names_come_and_go_in_order() {
    let source = "a = 1\nb = 2\ndel a\na = 3\n__hidden = 4\nc = [i for i in range(2)]\nd = 0\n";
    let last = states(&mut record(source)).pop().unwrap();
    let expected = [("b", "2"), ("a", "3"), ("c", "[0, 1]"), ("d", "0")];
    assert_eq!(last.locals, expected.into_iter().collect::<Locals>());
}

#[test]
fn changes_inside_containers_are_seen_through_every_name() {
    let source = "def main():\n    a = []\n    b = {'k': a}\n    a.append(1)\n    return b\n";
    let last = states(&mut record(source)).pop().unwrap();
    assert_eq!(last.locals, [("a", "[1]"), ("b", "{'k': [1]}")].into_iter().collect::<Locals>());
}

#[test]
fn an_object_dies_when_the_program_drops_it() {
    let source = "\
log = []
class A:
    def __del__(self):
        log.append('gone')

def main():
    a = A()
    b = [a]
    del a
    b.clear()
    n = len(log)
    return n
";
    let last = states(&mut record(source)).pop().unwrap();
    assert_eq!(last.value.as_deref(), Some("1"));
}

#[test]
fn the_call_stack_is_known_at_every_state() {
    let source =
        "def g(n):\n    return n\n\ndef f(n):\n    return g(n)\n\ndef main():\n    return f(1)\n";
    let mut recording = record(source);
    let all = states(&mut recording);
    let deepest = all.iter().position(|state| state.line() == Some(2)).unwrap();
    let stack = recording.stack(deepest).unwrap();
    let frames: Vec<(&str, u32)> = stack.iter().map(|p| (&*p.function, p.line)).collect();
    assert_eq!(frames, [("main", 8), ("f", 5), ("g", 2)]);
}

#[test]
fn output_stands_between_the_states_where_it_was_written() {
    let source = "def main():\n    print('a', 1)\n    print('b', end='')\n    return 0\n";
    let mut recording = record(source);
    let lines: Vec<_> = states(&mut recording).iter().map(|state| state.line().unwrap()).collect();
    let written: Vec<(u32, &str)> = recording
        .output_so_far()
        .iter()
        .map(|output| (lines[output.at], output.text.as_str()))
        .collect();
    assert_eq!(written, [(3, "a 1\n"), (4, "b")]);
}

#[test]
fn states_can_be_had_in_any_order() {
    let source = "def main():\n    t = 0\n    for i in range(300):\n        t += i\n    return t\n";
    let mut recording = record(source);
    let forwards = states(&mut recording);
    for index in (0..forwards.len()).rev() {
        assert_eq!(recording.state(index).unwrap().unwrap(), forwards[index]);
    }
    assert_eq!(recording.state(forwards.len()).unwrap(), None);
}

#[test]
fn two_recordings_of_a_program_are_the_same() {
    let source = "\
import random, time, uuid, os
from collections import Counter

class A:
    pass

def main():
    values = [random.random(), random.Random().randint(1, 9), random.sample(range(99), 5)]
    random.seed()
    values += [random.random(), time.time(), time.perf_counter(), time.ctime()]
    values += [uuid.uuid4(), os.urandom(4), id(values), id(A()), hash('abc')]
    values += [object(), A(), repr(A()), {'b', 'a', 'c'}, Counter('hello')]
    print(A(), values)
    try:
        raise ValueError(A())
    except ValueError as error:
        return str(error)
";
    let run = || {
        let mut recording = record(source);
        let states = states(&mut recording);
        assert_eq!(states.last().unwrap().event, Event::Return, "{:?}", recording.exit());
        let output = recording.output_so_far().to_vec();
        (states, output, recording.exit().unwrap())
    };
    let first = run();
    assert!(!format!("{first:?}").contains(" at 0x7"), "{first:?}");
    assert_eq!(first, run());
}

#[test]
fn the_modules_that_programs_of_teachers_import_are_there() {
    let modules = "math json re collections itertools functools typing string heapq bisect copy \
        datetime decimal fractions enum abc textwrap operator time io random dataclasses \
        statistics contextlib inspect traceback queue uuid secrets logging argparse threading \
        calendar pprint numbers types weakref graphlib difflib hashlib base64 csv struct array \
        os os.path sys gc atexit";
    for module in modules.split_whitespace() {
        let exit = super::exit(&format!("import {module}\n"));
        assert_eq!(exit.exception, None, "{module}");
    }
}
