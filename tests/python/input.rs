//! What programs read, the clock, and chance.

use lockstep::python::{Choice, Edit, Inspector, OnInput, Recording, RunOptions};
use lockstep::state::ExitKind;

use super::{options, program, start, states};

fn answer(at: usize, choice: usize, text: Option<&str>) -> Edit {
    Edit::Answer { at, choice, text: text.map(str::to_owned) }
}

fn with_input(stdin: &str) -> RunOptions {
    RunOptions { stdin: stdin.to_owned(), ..options() }
}

fn asking() -> RunOptions {
    RunOptions { on_input: OnInput::Ask, ..options() }
}

/// The text of a variable at the last state.
#[track_caller]
fn last(recording: &mut Recording, name: &str) -> String {
    let states = states(recording);
    let last = states.last().unwrap_or_else(|| panic!("{:?}", recording.exit()));
    last.locals.get(name).unwrap_or_else(|| panic!("no {name}: {last:?}")).to_string()
}

fn shown(choices: &[Choice]) -> String {
    choices
        .iter()
        .map(|choice| format!("{}: {:?} {:?}\n", choice.at, &*choice.prompt, &*choice.text))
        .collect()
}

const READS: &str = "\
import sys
a = input('first? ')
print('second?', end=' ')
b = sys.stdin.readline()
c = sys.stdin.read(2)
d = next(sys.stdin)
e = [line for line in sys.stdin]
f = sys.stdin.read()
try:
    g = input()
except EOFError as error:
    g = error
h = sys.stdin.readlines()
end = 1
";

#[test]
fn every_read_is_a_choice() {
    let mut recording = start(READS, &with_input("1\n2\n345\n6\n7")).unwrap();
    assert_eq!(last(&mut recording, "c"), "'34'");
    for (name, text) in [
        ("a", "'1'"),
        ("b", "'2\\n'"),
        ("d", "'5\\n'"),
        ("e", "['6\\n', '7']"),
        ("f", "''"),
        ("h", "[]"),
    ] {
        assert_eq!(last(&mut recording, name), text, "{name}");
    }
    insta::assert_snapshot!(shown(recording.choices_so_far()));
}

#[test]
fn a_program_that_asks_waits_for_its_answer() {
    let source = "n = int(input('n? '))\nm = n + 1\ns = input()\nend = 1\n";
    let mut recording = start(source, &asking()).unwrap();
    let error = recording.exit().unwrap_err();
    assert_eq!(error.to_string(), "the program waits for input: n? ");
    assert_eq!(recording.state(9).unwrap(), None);
    let wanted = recording.wanted_input().cloned().unwrap();
    assert_eq!((wanted.at, &*wanted.prompt), (2, "n? "));
    recording.answer(Some("41")).unwrap();
    assert_eq!(recording.exit().unwrap_err().to_string(), "the program waits for input");
    assert_eq!(recording.wanted_input().unwrap().at, 4);
    recording.answer(None).unwrap();
    let exit = recording.exit().unwrap();
    assert_eq!(exit.exception.map(|raised| raised.class.to_string()), Some("EOFError".into()));
    assert_eq!(recording.wanted_input(), None);
    assert_eq!(last(&mut recording, "m"), "42");
    // Nobody waits for this one.
    recording.answer(Some("late")).unwrap();
    // The same run is had again without asking.
    let answered = recording.options().clone();
    assert_eq!(answered.edits, [answer(2, 0, Some("41")), answer(4, 1, None)]);
    let mut again = start(source, &answered).unwrap();
    assert_eq!(states(&mut again), states(&mut recording));
    assert_eq!(again.choices_so_far(), recording.choices_so_far());
    let mut inspector = Inspector::new(&program(source), &answered);
    let found = format!("{:?}", inspector.evaluate(4, 0, "n * 2").unwrap());
    assert!(found.contains("82"), "{found}");
}

#[test]
fn another_answer_is_a_branch() {
    let source = "a = input()\nb = input()\nc = a + b\nend = 1\n";
    let given = with_input("1\n2\n");
    let mut original = start(source, &given).unwrap();
    assert_eq!(last(&mut original, "c"), "'12'");
    let choice = original.choices_so_far()[1].clone();
    let edits = vec![answer(choice.at, 1, Some("x"))];
    let mut branch = start(source, &RunOptions { edits, ..given.clone() }).unwrap();
    assert_eq!(last(&mut branch, "c"), "'1x'");
    assert_eq!(states(&mut branch)[..3], states(&mut original)[..3]);
    let edits = vec![answer(2, 0, None)];
    let mut branch = start(source, &RunOptions { edits, ..given.clone() }).unwrap();
    assert_eq!(branch.exit().unwrap().kind, ExitKind::Error);
    let edits = vec![answer(2, 7, Some("never read"))];
    let Err(error) = start(source, &RunOptions { edits, ..given }) else { panic!() };
    let said = error.to_string();
    assert_eq!(
        said,
        "`input 8 = \"never read\"` can't be done: the run doesn't come there (normal)"
    );
}

#[test]
fn a_program_that_reads_for_ever_waits_each_time() {
    let mut recording = start(
        "import sys\nn = 0\nfor line in sys.stdin:\n    n += len(line)\nend = 1\n",
        &asking(),
    )
    .unwrap();
    for _ in 0..20 {
        assert!(recording.exit().is_err());
        recording.answer(Some("x")).unwrap();
    }
    assert!(recording.exit().is_err());
    recording.answer(None).unwrap();
    assert_eq!(last(&mut recording, "n"), "40");
}

#[test]
fn dropping_a_recording_that_waits_ends_its_process() {
    let mut recording = start("input()\n", &asking()).unwrap();
    assert!(recording.exit().is_err());
    let started = std::time::Instant::now();
    drop(recording);
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
}

#[test]
fn chance_and_the_clock_start_where_they_are_told_to() {
    let source = "import random, time, os\nr = random.random(), os.urandom(2)\nt = time.ctime(), time.time()\nend = 1\n";
    let run = |options: &RunOptions| {
        let mut recording = start(source, options).unwrap();
        (last(&mut recording, "r"), last(&mut recording, "t"))
    };
    let (chance, clock) = run(&options());
    assert!(chance.starts_with("(0.844421851525"), "{chance}");
    assert!(clock.starts_with("('Thu Jan  1 00:00:00 2026', 1767225600.0"), "{clock}");
    let other = RunOptions { seed: 1, clock: 86_400.5, ..options() };
    let (other_chance, other_clock) = run(&other);
    assert!(other_chance.starts_with("(0.134364244112"), "{other_chance}");
    assert!(other_clock.starts_with("('Fri Jan  2 00:00:00 1970', 86400.5"), "{other_clock}");
    assert_eq!(run(&other), (other_chance, other_clock));
    for clock in [f64::NAN, -5.0, f64::INFINITY] {
        start("import time\nx = time.time()\n", &RunOptions { clock, ..options() })
            .unwrap()
            .exit()
            .unwrap();
    }
}
