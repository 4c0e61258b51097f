use super::*;
use crate::eval::log::tests::{program, step};
use crate::eval::record::{
    DifferenceRecord, FieldRecord, MalformedRecord, PredecessorRecord, SampleRecord,
};
use crate::eval::value_type::ValueType;

fn local(name: &str, of: ValueType, changed: bool) -> FieldRecord {
    FieldRecord { field: format!("locals.{name}"), of: Some(of), changed }
}

fn difference(field: &str, kind: &str) -> DifferenceRecord {
    let text = |is_there: bool| is_there.then(|| "x".to_owned());
    DifferenceRecord {
        field: field.into(),
        kind: kind.into(),
        real: text(kind != "extra"),
        predicted: text(kind != "missing"),
    }
}

fn metrics(programs: &[Vec<StepRecord>]) -> Metrics {
    let mut metrics = Metrics::default();
    for (place, steps) in programs.iter().enumerate() {
        metrics.add(&program(place, steps.len()), steps);
    }
    metrics
}

fn mean(metrics: &Metrics, mean: Mean) -> Option<f64> {
    metrics.mean(mean).map(|estimate| estimate.value)
}

#[test]
fn steps_programs_and_prefixes() {
    let verdicts = |place: usize, verdicts: &[bool]| {
        verdicts.iter().enumerate().map(|(n, v)| step(place, n + 1, *v)).collect::<Vec<_>>()
    };
    let metrics = metrics(&[
        verdicts(0, &[true, true]),
        verdicts(1, &[true, false, true, true]),
        verdicts(2, &[false]),
    ]);
    let share = |by| metrics.share(by, "").unwrap().share;
    assert!((share(By::Steps) - 5.0 / 7.0).abs() < 1e-12);
    assert!((share(By::Programs) - 1.0 / 3.0).abs() < 1e-12);
    assert!((share(By::Prefix) - 3.0 / 7.0).abs() < 1e-12);
    assert_eq!(share(By::Format), 1.0);
    assert_eq!(mean(&metrics, Mean::Bits), Some(1.0));
    assert_eq!(mean(&metrics, Mean::FirstFault), Some(1.5));
    assert_eq!(mean(&metrics, Mean::LongestRun), Some(4.0 / 3.0));
}

#[test]
fn fields_types_and_changes() {
    let mut one = step(0, 1, false);
    one.fields.extend([
        local("n", ValueType::Int, true),
        local("xs", ValueType::List, false),
        local("s", ValueType::Str, false),
    ]);
    one.diff = vec![
        difference("locals.n", "changed"),
        difference("locals.s", "missing"),
        difference("locals.z", "extra"),
    ];
    let metrics = metrics(&[vec![one]]);
    let share = |by, key| metrics.share(by, key).map(|share| share.share);
    assert_eq!(share(By::Field, "source"), Some(1.0));
    assert_eq!(share(By::Field, "locals"), Some(1.0 / 3.0));
    assert_eq!(share(By::Type, "int"), Some(0.0));
    assert_eq!(share(By::Type, "list"), Some(1.0));
    assert_eq!(share(By::Change, "unchanged"), Some(0.5));
    // Names: n and xs of n, xs, s and z. Pairs: xs alone, of n twice, xs, s and z.
    assert_eq!(mean(&metrics, Mean::JaccardNames), Some(0.5));
    assert_eq!(mean(&metrics, Mean::JaccardPairs), Some(0.2));
    assert_eq!(share(By::State, ""), Some(0.0));
}

#[test]
fn a_malformed_answer_has_nothing_right() {
    let mut bad = step(0, 1, false);
    bad.diff = Vec::new();
    bad.predicted_line = None;
    bad.malformed = Some(MalformedRecord { reason: "no event".into(), raw: String::new() });
    let metrics = metrics(&[vec![bad]]);
    assert_eq!(metrics.share(By::Format, "").unwrap().share, 0.0);
    assert_eq!(metrics.share(By::Field, "event").unwrap().share, 0.0);
    assert_eq!(metrics.share(By::Path, "").unwrap().share, 0.0);
    assert_eq!(metrics.malformed.count("no event"), 1);
}

#[test]
fn another_event_leaves_variables_unsaid() {
    let mut other = step(0, 1, false);
    other.fields.push(local("n", ValueType::Int, false));
    other.diff = vec![difference("event", "changed")];
    let metrics = metrics(&[vec![other]]);
    assert_eq!(metrics.share(By::Field, "locals").unwrap().share, 0.0);
    assert_eq!(metrics.share(By::Field, "source").unwrap().share, 1.0);
    assert_eq!(metrics.share(By::State, "").unwrap().share, 0.0);
}

#[test]
fn what_has_no_verdict_counts_nowhere() {
    let mut none = step(0, 1, true);
    (none.agree, none.unjudged) = (None, Some("no model".into()));
    let metrics = metrics(&[vec![none]]);
    assert_eq!(metrics.share(By::Steps, ""), None);
    assert_eq!((metrics.steps, metrics.unjudged.count("no model")), (1, 1));
}

#[test]
fn exits_are_set_against_what_was_said() {
    let exit = |really: Option<&str>, said: Option<&str>| {
        let mut step = step(0, 1, really == said);
        step.error = (really == Some("error")).then(|| "KeyError".to_owned());
        step.exit = really.map(str::to_owned);
        step.predicted_exit = said.map(str::to_owned);
        step
    };
    let metrics = metrics(&[vec![
        exit(Some("normal"), Some("normal")),
        exit(Some("error"), Some("normal")),
        exit(None, Some("never")),
        exit(Some("error"), None),
        exit(None, None),
    ]]);
    let count = |really: &str, said: &str| {
        metrics.exits.get(&(really.to_owned(), said.to_owned())).copied()
    };
    assert_eq!(count("normal", "normal"), Some(1));
    assert_eq!(count("error (KeyError)", "normal"), Some(1));
    assert_eq!(count("goes on", "never"), Some(1));
    assert_eq!(count("error (KeyError)", "goes on"), Some(1));
    assert_eq!(metrics.exits.len(), 4);
    assert_eq!(metrics.share(By::Exit, "error (KeyError)").unwrap().share, 0.0);
    assert_eq!(metrics.share(By::Exit, "normal").unwrap().share, 1.0);
    assert_eq!(metrics.share(By::Exit, "goes on"), None, "it is there only where it is wrong");
}

/// A step back whose answer is worth this, with samples that are.
fn back(verdict: &str, samples: &[&str]) -> StepRecord {
    let samples = samples.iter().enumerate().map(|(number, verdict)| SampleRecord {
        same_as: number,
        agree: *verdict == "exact",
        verdict: Some((*verdict).to_owned()),
    });
    StepRecord {
        action: "inv_step_into".into(),
        event: "inv_line".into(),
        predecessor: Some(PredecessorRecord { verdict: verdict.into(), why: None }),
        samples: samples.collect(),
        ..step(0, 1, verdict == "exact")
    }
}

#[test]
fn predecessors_are_told_apart_by_what_they_are_worth() {
    let metrics = metrics(&[
        vec![back("exact", &["valid", "invalid"]), back("valid", &["invalid", "exact"])],
        vec![back("invalid", &["invalid", "malformed"]), back("unchecked", &["valid", "valid"])],
    ]);
    let share = |by, key: &str| metrics.share(by, key).map(|share| share.share);
    assert_eq!((share(By::Steps, ""), share(By::Works, "")), (Some(0.25), Some(0.5)));
    assert_eq!(share(By::WorksAt, "k =   1"), Some(0.5));
    assert_eq!(share(By::WorksAt, "k =   2"), Some(0.75));
    assert_eq!(share(By::ExactAt, "k =   2"), Some(0.25));
    assert_eq!(mean(&metrics, Mean::TwoSampleBrier), None, "there is no one truth going back");
    // Of the first program both work; of the second none does.
    assert_eq!((share(By::Programs, ""), share(By::Prefix, "")), (Some(0.5), Some(0.5)));
    assert_eq!(mean(&metrics, Mean::FirstFault), Some(1.0));
    assert_eq!(share(By::Action, "inv_step_into"), Some(0.5));
    assert_eq!(share(By::Path, ""), None);
    assert_eq!(share(By::Coverage, ""), None);
    let rows = metrics.rows();
    let verdicts: Vec<_> = rows.iter().filter(|row| row.by == By::Predecessor).collect();
    assert_eq!(verdicts.len(), 4);
    assert!(verdicts.iter().all(|row| row.share.share == 0.25 && row.share.of == 4.0));
}

#[test]
fn a_horizon_study_divides_jumps_by_what_they_skip() {
    let jump = |horizon, agree| StepRecord {
        action: "step_return".into(),
        horizon: Some(horizon),
        frame: Some(11),
        samples: vec![
            SampleRecord { same_as: 0, agree, verdict: None },
            SampleRecord { same_as: 1, agree: false, verdict: None },
        ],
        ..step(0, 1, agree)
    };
    let metrics = metrics(&[vec![jump(1, true), jump(3, true), jump(11, false)]]);
    let share = |by, key: &str| metrics.share(by, key).map(|share| share.share);
    assert_eq!(share(By::Skipped, "step_return 0.0"), Some(1.0));
    assert_eq!(share(By::Skipped, "step_return 0.8 to 1.0"), Some(0.0));
    assert_eq!(share(By::SkippedAt, "step_return 0.0 to 0.2 at k =   1"), Some(0.5));
    assert_eq!(share(By::SkippedAt, "step_return 0.0 to 0.2 at k =   2"), Some(1.0));
    // Both samples differ: 2 × 1/2 - 0, twice, and 2 × 0 - 0.
    assert_eq!(mean(&metrics, Mean::TwoSampleBrier), Some(2.0 / 3.0));
}
