//! How runs end, and what is refused.

use lockstep::python::PythonError;
use lockstep::state::{Event, ExitKind};
use lockstep::tree::Trace;

use super::{exit, options, record, start, states};

#[track_caller]
fn refused(source: &str, entry: Option<&str>) -> PythonError {
    let mut options = options();
    options.entry = entry.map(str::to_owned);
    match start(source, &options) {
        Err(error) => error,
        Ok(mut recording) => recording.exit().unwrap_err(),
    }
}

#[test]
fn a_program_ends_normally_or_by_its_exception() {
    assert_eq!(exit("x = 1\n").kind, ExitKind::Normal);
    let error = exit("def f():\n    return {}['k']\nf()\n");
    assert_eq!(error.kind, ExitKind::Error);
    assert_eq!(error.exception.unwrap().to_string(), "KeyError: 'k'");
}

#[test]
fn sys_exit_is_normal_if_its_code_says_so() {
    for normal in ["sys.exit()", "sys.exit(None)", "sys.exit(0)", "exit()", "raise SystemExit"] {
        assert_eq!(exit(&format!("import sys\n{normal}\n")).kind, ExitKind::Normal, "{normal}");
    }
    for (error, shown) in [("sys.exit(3)", "SystemExit: 3"), ("sys.exit('bad')", "SystemExit: bad")]
    {
        let exit = exit(&format!("import sys\n{error}\n"));
        assert_eq!(exit.kind, ExitKind::Error);
        assert_eq!(exit.exception.unwrap().to_string(), shown);
    }
}

#[test]
fn syntax_errors_show_line_and_caret() {
    insta::assert_snapshot!(refused("def f():\n    x = = 1\n", None), @r"
    p.py:2:9: invalid syntax
        x = = 1
            ^
    ");
    insta::assert_snapshot!(refused("x = 1\nreturn 5\n", None), @r"
    p.py:2:1: 'return' outside function
        return 5
        ^
    ");
    insta::assert_snapshot!(refused("if x:\ny = 1\n", None), @r"
    p.py:2:1: IndentationError: expected an indented block after 'if' statement on line 1
        y = 1
        ^
    ");
    insta::assert_snapshot!(refused("s = 'abc\n", None), @r"
    p.py:1:5: unterminated string literal (detected at line 1)
        s = 'abc
            ^
    ");
}

#[test]
fn the_entry_is_called_after_an_unseen_module_body() {
    let source = "print('body')\ndef main(n=2):\n    return n\nif __name__ == '__main__':\n    print('no')\n";
    let mut recording = record(source);
    let states = states(&mut recording);
    let seen: Vec<(Event, u32)> =
        states.iter().map(|state| (state.event, state.line().unwrap())).collect();
    assert_eq!(seen, [(Event::Call, 2), (Event::Line, 3), (Event::Return, 3)]);
    assert_eq!(states[0].position.as_ref().unwrap().depth, 0);
    let [output] = recording.output_so_far() else { panic!() };
    assert_eq!((output.at, output.text.as_str()), (0, "body\n"));
}

#[test]
fn a_named_entry_is_called_instead_of_main() {
    let mut options = options();
    options.entry = Some("other".to_owned());
    let source = "def main(): pass\ndef other(): return 7\n";
    let mut recording = start(source, &options).unwrap();
    let last = states(&mut recording).pop().unwrap();
    assert_eq!(last.value.as_deref(), Some("7"));
}

#[test]
fn an_entry_that_cannot_be_called_is_refused() {
    insta::assert_snapshot!(refused("def main(): pass\n", Some("mian")), @"p.py: no function `mian` in the module; did you mean `main`?");
    insta::assert_snapshot!(refused("def f(x): pass\n", Some("f")), @"p.py: `f` needs arguments; name a function that can be called without any");
    insta::assert_snapshot!(refused("def f(): yield\n", Some("f")), @"p.py: `f` is a generator: calling it runs nothing; name a function that walks over it");
    insta::assert_snapshot!(refused("def f(): pass\ndel f\n", Some("f")), @"p.py: `f` is no function any more once the module has run");
}

#[test]
fn a_module_that_fails_before_its_entry_is_refused() {
    let error = refused("def main(): pass\nx = {}\nx['k']\n", None);
    insta::assert_snapshot!(error, @"p.py:3: the module failed before `main` could be called: KeyError: 'k'");
}

#[test]
fn standard_input_is_what_was_given_and_then_ends() {
    let mut options = options();
    options.stdin = "7\nrest\n".to_owned();
    let source = "a = input('? ')\nimport sys\nb = list(sys.stdin)\nc = input()\n";
    let mut recording = start(source, &options).unwrap();
    let last = states(&mut recording).pop().unwrap();
    assert_eq!(&**last.locals.get("a").unwrap(), "'7'");
    assert_eq!(&**last.locals.get("b").unwrap(), r"['rest\n']");
    let exit = recording.exit().unwrap();
    assert_eq!(exit.exception.unwrap().to_string(), "EOFError: EOF when reading a line");
    assert_eq!(recording.output_so_far()[0].text, "? ");
}

#[test]
fn exceptions_say_whether_they_leave_their_frame() {
    let source = "\
def inner():
    1 / 0
def main():
    try:
        inner()
    except ZeroDivisionError:
        pass
    return 1
";
    let mut recording = record(source);
    let mut marks = Vec::new();
    for index in 0.. {
        let Some(node) = recording.node(index).unwrap() else { break };
        if node.event == Event::Exception || node.unwinding {
            marks.push((node.event, node.depth, node.unwinding));
        }
    }
    assert_eq!(
        marks,
        [(Event::Exception, 1, true), (Event::Return, 1, true), (Event::Exception, 0, false)]
    );
}
