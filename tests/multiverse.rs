//! Runs and their branches, as the screen steers them.

use std::path::PathBuf;
use std::sync::Arc;

use lockstep::multiverse::{BranchError, MAX_BRANCHES, Multiverse};
use lockstep::neural::Method;
use lockstep::points::{Place, Point};
use lockstep::program::Program;
use lockstep::python::{OnInput, PythonError, Recording, RunOptions};
use lockstep::session::{Mode, Session, SessionError};
use lockstep::state::Stop;
use lockstep::travel::Travel;

const SUM: &str = "\
def main():
    total = 0
    for i in range(3):
        total += i
    return total
";

fn runs(source: &str, on_input: OnInput) -> Multiverse {
    let program = Program::from_text("p.py".to_owned(), source).unwrap();
    let host = Some(PathBuf::from(crate::support::program()));
    let options = RunOptions { on_input, host, ..RunOptions::default() };
    let recording = Recording::start(&program, &options).unwrap();
    let session = Session::open(program, recording, Method::Scoring, Mode::Follow).unwrap();
    Multiverse::new(session, Arc::default())
}

fn go(runs: &mut Multiverse, to: Travel) {
    assert!(runs.session_mut().travel(to).unwrap());
}

/// The returned value of the branch that is looked at.
fn returned(runs: &mut Multiverse) -> String {
    go(runs, Travel::Last);
    match runs.session().here() {
        Stop::At(state) => state.value.as_deref().unwrap_or_default().to_owned(),
        Stop::Exit(exit) => panic!("{exit}"),
    }
}

fn local(runs: &Multiverse, name: &str) -> String {
    match runs.session().here() {
        Stop::At(state) => state.locals.get(name).map(ToString::to_string).unwrap_or_default(),
        Stop::Exit(exit) => panic!("{exit}"),
    }
}

#[test]
fn a_change_is_a_branch_and_the_original_stays_where_it_was() {
    let mut runs = runs(SUM, OnInput::End);
    runs.session_mut().points_mut().add(Point::at(Place::Line(5)));
    go(&mut runs, Travel::Event(5));
    let branch = runs.set(0, "total", "100").unwrap();
    assert_eq!((branch.number(), runs.session().index()), (1, Some(5)));
    assert_eq!(local(&runs, "total"), "100");
    // The points went along.
    assert_eq!(runs.session().points().iter().count(), 1);
    let nested = runs.set(0, "total", "total + 50").unwrap();
    assert_eq!(local(&runs, "total"), "150");
    assert_eq!(returned(&mut runs), "153");
    assert_eq!(runs.branches().get(nested).unwrap().parent, Some(branch));
    runs.switch(0).unwrap();
    assert_eq!((runs.session().index(), local(&runs, "total").as_str()), (Some(5), "0"));
    assert_eq!(returned(&mut runs), "3");
    runs.switch(1).unwrap();
    assert_eq!(returned(&mut runs), "103");
    // An expression is evaluated in the branch that is looked at.
    let watched = runs.session_mut().evaluate(&"total * 2".parse().unwrap(), 5, 0).unwrap();
    assert_eq!(watched.to_string(), "200");
}

#[test]
fn what_can_not_be_changed_changes_nothing() {
    let mut runs = runs(SUM, OnInput::End);
    go(&mut runs, Travel::Event(3));
    for (name, value) in [("x", "1"), ("total", "1 +"), ("total", "1 / 0"), ("a.b", "1")] {
        let error = runs.set(0, name, value).unwrap_err();
        assert!(
            matches!(error, BranchError::Session(SessionError::Python(PythonError::Change { .. }))),
            "{error}"
        );
    }
    assert!(matches!(runs.switch(7), Err(BranchError::NoBranch(7))));
    assert_eq!((runs.branches().iter().len(), runs.session().index()), (1, Some(3)));
    assert_eq!(returned(&mut runs), "3");
}

#[test]
fn there_are_only_so_many_branches() {
    let mut runs = runs("def main():\n    n = 1\n    return n\n", OnInput::End);
    go(&mut runs, Travel::Event(2));
    for n in 1..MAX_BRANCHES {
        runs.switch(0).unwrap();
        runs.set(0, "n", &n.to_string()).unwrap();
    }
    assert!(matches!(runs.set(0, "n", "0"), Err(BranchError::TooMany)));
    assert_eq!(local(&runs, "n"), (MAX_BRANCHES - 1).to_string());
}

#[test]
fn input_is_asked_for_and_another_answer_is_a_branch() {
    let source = "\
def main():
    name = input('name? ')
    age = int(input('age? '))
    return f'{name} {age + 1}'
";
    let mut runs = runs(source, OnInput::Ask);
    let waits = |runs: &mut Multiverse| match runs.session_mut().travel(Travel::Event(9)) {
        Err(SessionError::Python(PythonError::Waits(wanted))) => wanted.prompt.to_string(),
        other => panic!("{other:?}"),
    };
    go(&mut runs, Travel::Event(1));
    assert_eq!(waits(&mut runs), "name? ");
    // What waits isn't harmed by a look elsewhere.
    go(&mut runs, Travel::First);
    runs.answer(Some("Ada")).unwrap();
    assert_eq!(waits(&mut runs), "age? ");
    runs.answer(Some("36")).unwrap();
    assert_eq!(returned(&mut runs), "'Ada 37'");
    assert_eq!(runs.branches().here().edits.len(), 2);

    let error = runs.answer_otherwise(3, Some("x")).unwrap_err();
    assert_eq!(error.to_string(), "the program has read 2 times, so there is no read 3");
    assert!(runs.answer_otherwise(0, Some("x")).is_err());
    runs.answer_otherwise(2, Some("40")).unwrap();
    assert_eq!(local(&runs, "name"), "'Ada'");
    assert_eq!(returned(&mut runs), "'Ada 41'");
    // Another first answer: what was answered later is asked for again.
    runs.answer_otherwise(1, Some("Bob")).unwrap();
    assert_eq!(waits(&mut runs), "age? ");
    runs.answer(Some("1")).unwrap();
    assert_eq!(returned(&mut runs), "'Bob 2'");
    runs.switch(0).unwrap();
    assert_eq!(returned(&mut runs), "'Ada 37'");
}
