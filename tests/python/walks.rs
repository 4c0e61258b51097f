//! Evaluations of models that always say the same, so that their records can be known.

use std::sync::Arc;

use lockstep::eval::recipe::SamplingRecord;
use lockstep::eval::record::{ForecastRecord, Status, StepRecord};
use lockstep::eval::{Direction, Item, Policy, Walker};
use lockstep::neural::dialect::debugger::NAMES;
use lockstep::neural::vocabulary::{ByteVocabulary, Vocabulary};
use lockstep::neural::{Model, Neural};

use super::inverse::{line, says, stop, writes};

/// States: 0 main's call, 1 its line, 2 to 5 f with its return, 6 main's return.
const PROGRAM: &str = "\
def f(n):
    m = n % 3
    return m


def main():
    return f(7)
";

const SAMPLING: SamplingRecord = SamplingRecord { samples: 2, temperature: 0.6, top_p: 0.95 };

/// What a model makes of a program, by a walker that was set up so.
fn walk(model: Model, source: &str, set: impl FnOnce(&mut Walker)) -> (Vec<StepRecord>, Status) {
    let mut walker = Walker::new(Neural::start(model).unwrap(), super::options());
    walker.sampling = Some(SAMPLING);
    set(&mut walker);
    let (id, program) = ("p".to_owned(), super::program(source));
    let item = Item { id, program, entry: None, stdin: String::new() };
    let mut steps = Vec::new();
    let ended = walker.walk(0, &item, |step| {
        steps.push(step);
        Ok(())
    });
    (steps, ended.unwrap().status)
}

fn back(source: &str, locals: &[(&str, &str)], policy: Policy) -> Vec<StepRecord> {
    let (steps, status) = walk(says(&stop(line(source, locals))), PROGRAM, |walker| {
        (walker.direction, walker.policy) = (Direction::Inverse, policy);
    });
    assert!(matches!(status, Status::Done { exit: Some(_), .. }), "{status:?}");
    steps
}

/// The states whose predecessors got these verdicts.
fn got(steps: &[StepRecord], verdicts: &[&str]) -> Vec<usize> {
    let verdict = |step: &StepRecord| step.predecessor.as_ref().map(|p| p.verdict.clone());
    let is_wanted = |step: &&StepRecord| verdict(step).is_some_and(|v| verdicts.contains(&&*v));
    steps.iter().filter(is_wanted).map(|step| step.from).collect()
}

#[test]
fn going_back_each_state_is_asked_about_and_answers_are_worth_what_running_shows() {
    let other = back("    m = n % 3", &[("..", ".."), ("n", "4")], Policy::Into);
    let from: Vec<_> = other.iter().map(|step| step.from).collect();
    assert_eq!(from, [6, 5, 4, 3, 2, 1, 0], "the copy of the calling line is no state");
    assert_eq!(got(&other, &["valid"]), [4]);
    assert_eq!(got(&other, &["exact"]), [0; 0]);
    let valid = &other[2];
    assert_eq!(
        (valid.agree, valid.action.as_str(), &*valid.event),
        (Some(false), "inv_step_into", "inv_line")
    );
    let fields: Vec<_> = valid.diff.iter().map(|d| (&*d.field, d.predicted.as_deref())).collect();
    assert_eq!(fields, [("locals.n", Some("4"))]);
    let samples: Vec<_> =
        valid.samples.iter().map(|s| (s.same_as, s.agree, s.verdict.as_deref())).collect();
    assert_eq!(samples, [(0, false, Some("valid")); 2]);
    assert_eq!(other[6].event, "inv_entry");

    let recorded = back("    m = n % 3", &[("..", "..")], Policy::Into);
    assert_eq!((got(&recorded, &["exact"]), recorded[2].agree), (vec![4], Some(true)));
}

#[test]
fn going_back_a_horizon_study_asks_for_the_arguments_too() {
    let steps = back("    m = n % 3", &[], Policy::Horizon);
    let calls = steps.iter().filter(|step| step.action == "inv_step_call");
    let passed: Vec<_> = calls.map(|step| (step.from, step.horizon, step.frame)).collect();
    let expected = [(6, 6, 6), (5, 3, 3), (4, 2, 3), (3, 1, 3), (1, 1, 6)];
    assert_eq!(passed, expected.map(|(from, passed, frame)| (from, Some(passed), Some(frame))));
}

/// A model that says of everything that the run ends in an error.
fn pessimist() -> Model {
    let vocabulary = Arc::new(ByteVocabulary::new(NAMES));
    let names = ["<|exit_error|>", "<|trace_end|>", "<|end_of_text|>"];
    let told = names.map(|name| vocabulary.control(name).unwrap()).to_vec();
    writes(vocabulary, told)
}

#[test]
fn jumps_of_many_lengths_are_tried_from_each_state() {
    let (steps, status) = walk(pessimist(), PROGRAM, |walker| walker.policy = Policy::Horizon);
    assert!(matches!(status, Status::Done { forecast: None, .. }), "{status:?}");
    let of = |action: &str| {
        let steps = steps.iter().filter(|step| step.action_name() == action);
        steps.map(|step| (step.from, step.horizon.unwrap(), step.frame)).collect::<Vec<_>>()
    };
    assert_eq!(of("step_into").len(), 7, "the way on is by single steps");
    let expected = [(0, 6, 6), (1, 5, 6), (2, 3, 3), (3, 2, 3), (4, 1, 3)];
    assert_eq!(
        of("step_return"),
        expected.map(|(from, passed, frame)| (from, passed, Some(frame)))
    );
    // From state 3 the lines of 4 and 5 are the same, so that only the nearer one can be jumped to.
    let breakpoints = of("breakpoint");
    let from_3: Vec<_> = breakpoints.iter().filter(|(from, ..)| *from == 3).collect();
    assert_eq!(from_3, [&(3, 1, Some(3))]);
    let samples: Vec<_> = steps[0].samples.iter().map(|s| (s.same_as, s.agree)).collect();
    assert_eq!(samples, [(0, false); 2]);
    assert!(steps[0].confidence.unwrap() > 0.99, "sure of three tokens");
}

#[test]
fn how_a_run_ends_is_foretold_before_it_runs() {
    let forecast = |source: &str| {
        let (_, status) = walk(pessimist(), source, |walker| {
            (walker.forecast, walker.most_steps) = (true, 1);
        });
        match status {
            Status::Done { forecast: Some(forecast), .. } => forecast,
            other => panic!("{other:?}"),
        }
    };
    let ForecastRecord { normal, error, never, exit, class } =
        forecast("def main():\n    return {}['k']\n");
    assert!(error > 0.99 && normal < 0.01 && never < 0.01, "{normal} {error} {never}");
    assert_eq!((exit.as_str(), class.as_deref()), ("error", Some("KeyError")));
    let sound = forecast(PROGRAM);
    assert_eq!(
        (sound.exit.as_str(), sound.likeliest(), sound.fails()),
        ("normal", "error", Some(false))
    );
}
