use super::*;
use crate::points::testing::{Lookup, Script, scripts};
use crate::state::Exit;
use proptest::prelude::*;

fn program() -> Program {
    Program::from_text("p.py".into(), "one\n  two\nthree\ntwo\nfive\nsix\n").unwrap()
}

fn points(texts: &[&str]) -> Points {
    let mut points = Points::default();
    for text in texts {
        points.add(text.parse().unwrap());
    }
    points
}

/// A search over a script, with what it needs.
struct Bench {
    script: Script,
    program: Program,
    lookup: Lookup,
    search: Search,
    points: Points,
}

impl Bench {
    fn new(script: Script, texts: &[&str]) -> Bench {
        let lookup = Lookup { script: script.clone(), asked: Vec::new() };
        let search = Search::default();
        Bench { script, program: program(), lookup, search, points: points(texts) }
    }

    fn next(&mut self, after: usize) -> (Found, Vec<Logged>) {
        let mut log = Vec::new();
        let mut means = Means {
            run: &mut self.script,
            program: &self.program,
            evaluator: Some(&mut self.lookup),
            interrupted: &AtomicBool::new(false),
        };
        let found = self.search.next(after, &self.points, &mut means, &mut log).unwrap();
        (found, log)
    }

    fn previous(&mut self, before: usize) -> Found {
        let mut means = Means {
            run: &mut self.script,
            program: &self.program,
            evaluator: Some(&mut self.lookup),
            interrupted: &AtomicBool::new(false),
        };
        self.search.previous(before, &self.points, &mut means).unwrap()
    }

    /// All stops after the entry, found forwards.
    fn stops(&mut self) -> Vec<usize> {
        let mut stops = Vec::new();
        let mut at = 0;
        while let (Found::Hit(hit), _) = self.next(at) {
            at = hit.at;
            stops.push(at);
        }
        stops
    }

    /// All stops after the entry, found backwards.
    fn stops_backwards(&mut self) -> Vec<usize> {
        let mut stops = Vec::new();
        let mut at = self.script.states.len();
        while let Found::Hit(hit) = self.previous(at) {
            at = hit.at;
            stops.push(at);
        }
        stops.reverse();
        stops.retain(|at| *at > 0);
        stops
    }

    fn note(&mut self) -> String {
        match self.next(0).0 {
            Found::Hit(hit) => hit.reasons.iter().map(Reason::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }
}

fn stops(script: &str, texts: &[&str]) -> Vec<usize> {
    Bench::new(Script::of(script), texts).stops()
}

const LOOP: &str = "call 0 @1; line 0 @2 n=0; line 0 @3 n=0; line 0 @2 n=1; line 0 @3 n=1; \
     line 0 @2 n=2; line 0 @3 n=2; return 0 @3 n=2";

#[test]
fn a_line_stops_before_it_runs_and_not_on_its_return() {
    assert_eq!(stops(LOOP, &["3"]), [2, 4, 6]);
}

#[test]
fn a_text_stops_on_every_line_that_reads_so() {
    let script = "call 0 @1; line 0 @1; line 0 @2; line 0 @4; return 0 @4";
    assert_eq!(stops(script, &["'two'"]), [2, 3]);
}

#[test]
fn a_def_line_stops_where_it_is_defined_and_where_it_is_called_but_once_on_one_line() {
    let script = "call 0 @0; line 0 @1; call 1 @1; line 1 @2; return 1 @2; return 0 @1";
    assert_eq!(stops(script, &["1"]), [1, 2]);
    let script = "call 0 @0; line 0 @1; call 1 @1; line 1 @1; return 1 @1; return 0 @1";
    assert_eq!(stops(script, &["1"]), [1, 3]);
}

#[test]
fn a_function_stops_where_it_is_entered_and_not_where_it_is_resumed() {
    let script = "call 0; line 0; call 1; return 1; line 0; resume 1; return 1; line 0; call 1; \
         return 1; return 0";
    assert_eq!(stops(script, &["f1"]), [2, 8]);
    assert!(is_called("Shape.area", "area") && is_called("Shape.area", "Shape.area"));
    assert!(!is_called("Shape.area", "rea") && !is_called("area", "Shape.area"));
}

#[test]
fn a_change_stops_where_the_frame_shows_another_text() {
    let script = "call 0; line 0 n=1; line 0 n=1; call 1 n=7; line 1 n=7; return 1 n=7; \
         line 0 n=2; line 0; return 0";
    let mut bench = Bench::new(Script::of(script), &["change n"]);
    assert_eq!(bench.stops(), [1, 6, 7]);
    assert_eq!(bench.note(), "1 (change n): unbound → 1");
}

/// A KeyError that a `finally` with an exception of its own lets through, and one that is caught.
const RAISING: &str = "call 0; line 0; call 1; line 1; exception 1 ^KeyError; line 1; return 1; \
     line 0; call 1; line 1; exception! 1 ^KeyError; return! 1; exception 0 ^KeyError; line 0; \
     exception 0 ^ValueError; line 0; return! 0";

#[test]
fn an_exception_stops_where_it_is_raised_and_not_where_it_passes() {
    assert_eq!(stops(RAISING, &["raise"]), [4, 10, 14]);
    assert_eq!(stops(RAISING, &["raise ValueError"]), [14]);
    assert!(stops(RAISING, &["raise TypeError"]).is_empty());
}

#[test]
fn an_uncaught_exception_stops_where_it_is_raised() {
    let mut script = Script::of(RAISING);
    script.exit.exception = script.states[10].exception.clone();
    assert_eq!(Bench::new(script.clone(), &["raise uncaught"]).stops(), [10]);
    script.exit = Exit::plain(ExitKind::Normal);
    assert!(Bench::new(script, &["raise uncaught"]).stops().is_empty());
}

#[test]
fn conditions_are_evaluated_in_order_and_once() {
    let mut bench = Bench::new(Script::of(LOOP), &["3, n == 2"]);
    assert_eq!(bench.stops(), [6]);
    assert_eq!(bench.stops_backwards(), [6]);
    assert_eq!(bench.lookup.asked, [2, 4, 6]);
}

#[test]
fn a_condition_without_a_value_stops_and_says_so() {
    let mut bench = Bench::new(Script::of(LOOP), &["3, missing"]);
    assert_eq!(
        bench.note(),
        "1 (3, missing): the condition has no value: raises NameError: name 'missing' is not defined"
    );
}

#[test]
fn times_are_counted_from_the_beginning_of_the_run() {
    assert_eq!(stops(LOOP, &["3; hit 2"]), [4]);
    assert_eq!(stops(LOOP, &["3; from 2"]), [4, 6]);
    assert_eq!(stops(LOOP, &["3; every 2"]), [4]);
    let mut bench = Bench::new(Script::of(LOOP), &["2; every 3"]);
    assert!(matches!(bench.next(3).0, Found::Hit(hit) if hit.at == 5));
    assert!(matches!(bench.previous(7), Found::Hit(hit) if hit.at == 5));
    assert_eq!(bench.previous(5), Found::Nothing);
}

#[test]
fn log_points_print_up_to_the_stop_and_stop_nothing() {
    let mut bench = Bench::new(Script::of(LOOP), &["3; log n", "2, n == 2", "5; off"]);
    let (found, log) = bench.next(0);
    assert!(matches!(found, Found::Hit(hit) if hit.at == 5));
    let shown: Vec<String> = log.iter().map(|line| format!("{} {line}", line.at)).collect();
    assert_eq!(shown, ["2 line 3: n = 0", "4 line 3: n = 1"]);
    let mut bench = Bench::new(Script::of(LOOP), &["3; log x; hit 1"]);
    let (found, log) = bench.next(0);
    assert_eq!(found, Found::Nothing);
    assert_eq!(log[0].to_string(), "line 3: x: raises NameError: name 'x' is not defined");
    assert_eq!(log.len(), 1);
}

#[test]
fn an_interrupted_search_says_where_it_was() {
    let long: Vec<&str> = vec!["line 0 @1"; 1000];
    let mut script = Script::of(&format!("call 0; {}; return 0", long.join("; ")));
    let program = program();
    let means = &mut Means {
        run: &mut script,
        program: &program,
        evaluator: None,
        interrupted: &AtomicBool::new(true),
    };
    let found = Search::default().next(0, &points(&["2"]), means, &mut Vec::new());
    assert!(matches!(found, Ok(Found::Interrupted(at)) if at < 1000));
}

const SOME: [&str; 12] = [
    "3",
    "2, n == 1",
    "2; every 2",
    "f1",
    "f2; hit 2",
    "change n",
    "change n, n == 2; from 2",
    "raise",
    "raise KeyError; every 2",
    "raise uncaught",
    "'two'",
    "4; log n",
];

proptest! {
    #[test]
    fn going_back_finds_the_stops_that_going_forward_found(
        (script, _) in scripts(), chosen in prop::sample::subsequence(SOME.to_vec(), 1..4),
    ) {
        let mut forwards = Bench::new(script.clone(), &chosen);
        let mut backwards = Bench::new(script, &chosen);
        let stops = forwards.stops();
        prop_assert_eq!(&stops, &backwards.stops_backwards());
        prop_assert_eq!(stops, forwards.stops_backwards());
    }

    #[test]
    fn forward_then_back_returns_to_the_previous_stop_or_the_start(
        (script, at) in scripts(), chosen in prop::sample::subsequence(SOME.to_vec(), 1..4),
    ) {
        let mut bench = Bench::new(script, &chosen);
        let before = bench.previous(at + 1);
        if let (Found::Hit(hit), _) = bench.next(at) {
            prop_assert!(hit.at > at);
            prop_assert_eq!(bench.previous(hit.at), before);
        }
    }
}
