//! Runs that are changed on the way.

use lockstep::python::{Edit, Inspector, Recording, RunOptions};
use lockstep::state::{ExitKind, State};

use super::{first_at, options, program, record, start, states};

fn set(at: usize, name: &str, expression: &str) -> Edit {
    set_in(at, 0, name, expression)
}

fn set_in(at: usize, frame: usize, name: &str, expression: &str) -> Edit {
    Edit::Set { at, frame, name: name.to_owned(), expression: expression.to_owned() }
}

fn edited(edits: Vec<Edit>) -> RunOptions {
    RunOptions { edits, ..options() }
}

/// The run of a program with these edits.
#[track_caller]
fn branch(source: &str, edits: Vec<Edit>) -> Recording {
    start(source, &edited(edits)).unwrap()
}

/// Why a program can't be run with this edit.
#[track_caller]
fn refused(source: &str, edit: Edit) -> String {
    match start(source, &edited(vec![edit])) {
        Ok(_) => panic!("it could"),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn local(state: &State, name: &str) -> String {
    state.locals.get(name).unwrap_or_else(|| panic!("no {name}: {state:?}")).to_string()
}

/// The text of a variable at the last state.
#[track_caller]
fn last(recording: &mut Recording, name: &str) -> String {
    local(states(recording).last().unwrap(), name)
}

const SUM: &str = "\
def main():
    total = 0
    for i in range(3):
        total += i
    return total
";

#[test]
fn a_variable_is_changed_from_its_state_on() {
    let original = states(&mut record(SUM));
    let at = 5;
    let mut changed = branch(SUM, vec![set(at, "total", "100 + i")]);
    let changed = states(&mut changed);
    assert_eq!(changed[..at], original[..at]);
    assert_eq!(local(&original[at], "total"), "0");
    assert_eq!(local(&changed[at], "total"), "101");
    assert_eq!(changed.last().unwrap().value.as_deref(), Some("104"));
    assert_eq!(changed.len(), original.len());
    // The original is what it was.
    assert_eq!(states(&mut record(SUM)), original);
}

#[test]
fn the_first_and_the_last_state_can_be_changed() {
    let count = states(&mut record(SUM)).len();
    let with_parameter = "def main(n=1):\n    return n\n";
    let mut changed = branch(with_parameter, vec![set(0, "n", "5")]);
    assert_eq!(states(&mut changed).last().unwrap().value.as_deref(), Some("5"));
    let mut changed = branch(SUM, vec![set(count - 1, "total", "[i] * 2")]);
    assert_eq!(last(&mut changed, "total"), "[2, 2]");
    let mut module = branch("x = 1\ny = x\n", vec![set(0, "y", "7"), set(3, "y", "y + x")]);
    assert_eq!(last(&mut module, "y"), "2");
    let why = refused(SUM, set(count, "total", "1"));
    assert_eq!(
        why,
        format!("`total = 1 at state {count}` can't be done: the run doesn't come there: normal")
    );
}

#[test]
fn callers_cells_globals_and_comprehensions_can_be_changed() {
    let source = "\
n = 1
def main():
    count = 0
    def bump():
        nonlocal count
        count += n
        return count
    first = bump()
    second = bump()
    return first, second, count
";
    let at = first_at(source, 6);
    for (edit, expected) in [
        (set(at, "count", "10"), "(11, 12, 12)"),
        (set_in(at, 1, "count", "20"), "(21, 22, 22)"),
        (set(at, "n", "5"), "(5, 10, 10)"),
        (set_in(at, 1, "n", "n + count + 2"), "(3, 6, 6)"),
    ] {
        let mut changed = branch(source, vec![edit.clone()]);
        assert_eq!(states(&mut changed).last().unwrap().value.as_deref(), Some(expected), "{edit}");
    }
    let source = "def main():\n    xs = [\n        i * k\n        for i in range(3) for k in (1, 2)]\n    return xs\n";
    let at = first_at(source, 3);
    let mut changed = branch(source, vec![set(at, "i", "50")]);
    let returned = states(&mut changed).pop().unwrap().value;
    assert_eq!(returned.as_deref(), Some("[50, 100, 1, 2, 2, 4]"));
    // A module keeps a comprehension's variables where nothing else can write to.
    let source = "xs = [\n    i * k\n    for i in range(3) for k in (1, 2)]\nend = 1\n";
    let at = first_at(source, 2);
    let mut changed = branch(source, vec![set(at, "new", "i + k")]);
    assert_eq!(last(&mut changed, "new"), "1");
    let why = refused(source, set(at, "i", "50"));
    assert!(why.ends_with("a comprehension's variable can be changed in a function only"), "{why}");
    let class = "class A:\n    x = 1\n    y = x\nr = A.y, A.z\n";
    let at = first_at(class, 3);
    let mut changed = branch(class, vec![set(at, "x", "2"), set(at, "z", "3")]);
    assert_eq!(last(&mut changed, "r"), "(2, 3)");
}

#[test]
fn recursions_generators_and_handlers_can_be_changed() {
    let source = "def f(n):\n    if n == 0:\n        return 0\n    return 1 + f(n - 1)\ndef main():\n    return f(3)\n";
    let at = first_at(source, 3);
    let mut changed = branch(source, vec![set_in(at, 1, "n", "'unused'"), set(at, "n", "9")]);
    assert_eq!(states(&mut changed).last().unwrap().value.as_deref(), Some("3"));
    let at = first_at(source, 2);
    let mut changed = branch(source, vec![set(at, "n", "n + 7")]);
    assert_eq!(states(&mut changed).last().unwrap().value.as_deref(), Some("10"));
    let source = "\
def g():
    i = 0
    while i < 3:
        yield i
        i += 1
def main():
    return list(g())
";
    let at = first_at(source, 5);
    let mut changed = branch(source, vec![set(at, "i", "-2")]);
    assert_eq!(states(&mut changed).last().unwrap().value.as_deref(), Some("[0, -1, 0, 1, 2]"));
    let source = "def main():\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n        m = str(e)\n    return m\n";
    let at = first_at(source, 5);
    let mut changed = branch(source, vec![set(at, "e", "ValueError('other')")]);
    assert_eq!(states(&mut changed).last().unwrap().value.as_deref(), Some("'other'"));
}

#[test]
fn what_cannot_be_changed_says_why() {
    for (edit, why) in [
        (set(3, "i", "1 +"), "`i = 1 +` can't be done at state 3: invalid syntax"),
        (
            set(3, "i", "1 / 0"),
            "`i = 1 / 0` can't be done at state 3: the expression raises ZeroDivisionError: \
             division by zero",
        ),
        (
            set(3, "nope", "1"),
            "`nope = 1` can't be done at state 3: main has no variable of that name, and its \
             module none; only a variable that exists there can be set",
        ),
        (set(3, "i.x", "1"), "`i.x = 1` can't be done at state 3: that is no name of a variable"),
        (set(3, "if", "1"), "`if = 1` can't be done at state 3: that is no name of a variable"),
        (set_in(3, 4, "i", "1"), "`i = 1` can't be done at state 3: 1 frames run there"),
    ] {
        assert_eq!(refused(SUM, edit), why);
    }
    let deep = set(3, "i", &"[".repeat(100_000));
    assert!(refused(SUM, deep).contains("can't be done"));
}

#[test]
fn a_change_that_takes_too_much_stops_the_run() {
    let why = refused(SUM, set(3, "i", "sum(range(10**12))"));
    assert!(why.contains("time limit 3 s (--max-time)"), "{why}");
    let why = refused(SUM, set(3, "i", "print('x' * 20_000)"));
    assert!(why.contains("output limit 10,000 bytes"), "{why}");
}

#[test]
fn a_change_can_end_what_would_never_end_and_begin_what_never_ends() {
    let endless = "x = 0\nwhile x < 5:\n    x = 1\ny = 2\n";
    assert_eq!(record(endless).exit().unwrap().kind, ExitKind::Never);
    let mut ends = branch(endless, vec![set(40, "x", "9")]);
    assert_eq!(ends.exit().unwrap().kind, ExitKind::Normal);
    let ending = "x = 9\nwhile x < 5:\n    x = 1\ny = 2\n";
    let mut never = branch(ending, vec![set(2, "x", "0")]);
    assert_eq!(never.exit().unwrap().kind, ExitKind::Never);
}

#[test]
fn a_branch_can_be_asked_about_and_branched_again() {
    let edits = vec![set(5, "total", "100"), set(5, "total", "total + 1"), set(7, "i", "50")];
    let mut recording = branch(SUM, edits);
    let states = states(&mut recording);
    let mut inspector = Inspector::new(&program(SUM), recording.options());
    for (at, state) in states.iter().enumerate() {
        for (name, text) in state.locals.iter() {
            let found = inspector.evaluate(at, 0, name).unwrap();
            let lockstep::python::Evaluated::Value { text: found, .. } = found else {
                panic!("{name} at {at}: {found:?}");
            };
            assert_eq!(found, *text, "{name} at {at}");
        }
    }
    assert_eq!(states.last().unwrap().value.as_deref(), Some("152"));
}

const BRANCHES: &str = "\
def main(n=3):
    total = 0
    for i in range(n):
        if i > 5:
            total -= 100
        else:
            total += i
    return total
";

#[test]
fn a_run_goes_on_at_another_line() {
    let original = states(&mut record(BRANCHES));
    let at = first_at(BRANCHES, 7);
    let jump = |at, line| Edit::Jump { at, line };
    let mut changed = branch(BRANCHES, vec![jump(at, 5), set(at, "total", "1000")]);
    let changed = states(&mut changed);
    let line = |index: usize| (changed[index].line(), local(&changed[index], "total"));
    assert_eq!(changed[..at], original[..at]);
    assert_eq!(line(at), (Some(7), "1000".to_owned()), "where the run came to");
    assert_eq!(line(at + 1), (Some(5), "1000".to_owned()), "where it goes on");
    assert_eq!(line(at + 2), (Some(3), "900".to_owned()));
    assert_eq!(changed.last().unwrap().value.as_deref(), Some("903"));
    // The line of a loop begins it anew.
    let mut again = branch(BRANCHES, vec![jump(at, 3)]);
    assert_eq!(states(&mut again).len(), original.len() + 3);
}

#[test]
fn a_run_does_not_go_on_where_its_stack_would_not_fit() {
    let last = states(&mut record(BRANCHES)).len() - 1;
    for (at, line, why) in [
        (0, 3, "can't jump from the 'call' trace event of a new frame"),
        (2, 5, "can't jump into the body of a for loop"),
        (3, 99, "line 99 comes after the current code block"),
        (last, 3, "can only jump from a 'line' trace event"),
    ] {
        assert_eq!(
            refused(BRANCHES, Edit::Jump { at, line }),
            format!("the run can't go on at line {line} at state {at}: {why}")
        );
    }
    let why = refused(BRANCHES, Edit::Jump { at: 99, line: 3 });
    assert_eq!(
        why,
        "`go on at line 3 at state 99` can't be done: the run doesn't come there: normal"
    );
}
