mod aside;
mod sequences;

use super::*;
use crate::neural::dialect::debugger::{Conventions, DebuggerDialect, FrameEnd, NAMES};
use crate::neural::engine::scripted::ScriptedEngine;
use crate::neural::testing::{Run, runs};
use crate::neural::vocabulary::{ByteVocabulary, TokenId, Vocabulary, readable};
use crate::state::{Exit, ExitKind};
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicU64;

const CAPACITY: usize = 4096;

fn vocabulary() -> Arc<dyn Vocabulary> {
    Arc::new(ByteVocabulary::new(NAMES))
}

fn dialect(conventions: Conventions) -> Box<dyn Dialect> {
    Box::new(DebuggerDialect::new(vocabulary(), conventions).unwrap())
}

/// The context after these steps, if each was told truthfully.
fn transcript(run: &Run, steps: &[(Action, Stop)]) -> Vec<TokenId> {
    let dialect = dialect(Conventions::default());
    let mut shown = Shown::default();
    let first = Stop::At(run.states[0].clone());
    let mut ids = dialect.opening(&run.program);
    ids.extend(dialect.ask_first());
    ids.extend(dialect.write(&first, None, &shown).unwrap().ids);
    shown.show(&run.states[0]);
    for (action, stop) in steps {
        ids.extend(dialect.ask(action));
        ids.extend(dialect.write(stop, Some(action), &shown).unwrap().ids);
        if let Stop::At(state) = stop {
            shown.show(state);
        }
    }
    ids
}

/// A model that knows some texts by heart; the first that goes on from where it is counts.
fn by_heart(texts: Vec<Vec<TokenId>>) -> impl Fn(&[TokenId]) -> TokenId + Send + Sync {
    let stop = vocabulary().control("<|action_sep|>").unwrap();
    move |tokens| {
        let known = texts.iter().find(|text| text.len() > tokens.len() && text.starts_with(tokens));
        known.map_or(stop, |text| text[tokens.len()])
    }
}

fn changed(stop: &Stop, change: impl FnOnce(&mut State)) -> Stop {
    let mut state = at(stop).clone();
    change(&mut state);
    Stop::At(state)
}

fn at(stop: &Stop) -> &State {
    let Stop::At(state) = stop else { panic!("{stop:?}") };
    state
}

fn predicted(prediction: &Prediction) -> &State {
    let Predicted::Stop(stop) = &prediction.outcome else { panic!("{prediction:?}") };
    at(stop)
}

fn never() -> Interrupt {
    Interrupt::default()
}

/// `return f(5)` in `main`, by single steps: 7 of them and the exit.
fn run() -> Run {
    runs().swap_remove(0)
}

fn follow_all(
    debugger: &mut NeuralDebugger<'_>,
    run: &Run,
    steps: &[(Action, Stop)],
    method: Method,
) -> Vec<Prediction> {
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    let follow = |(action, truth): &(Action, Stop)| {
        debugger.follow(action, truth, method, &never()).unwrap()
    };
    steps.iter().map(follow).collect()
}

#[test]
fn a_model_that_knows_the_truth_is_right_and_nothing_is_read_twice() {
    let run = run();
    let steps = run.all();
    let truth = transcript(&run, &steps);
    let script = by_heart(vec![truth.clone()]);
    for method in [Method::Scoring, Method::Generating] {
        let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        let predictions = follow_all(&mut debugger, &run, &steps, method);
        for (prediction, (_, real)) in predictions.iter().zip(&steps) {
            match (&prediction.outcome, real) {
                (Predicted::Stop(Stop::At(state)), Stop::At(real)) => {
                    assert_eq!((state.event, &state.source), (real.event, &real.source));
                    assert_eq!(state.value, real.value);
                    if real.event.shows_locals() {
                        assert_eq!(state.locals, real.locals);
                    }
                }
                (Predicted::Stop(exit), real) => assert_eq!(exit, real),
                (Predicted::Malformed(malformed), _) => panic!("{malformed:?}"),
            }
            assert!(!prediction.restarted);
            match (method, &prediction.surprise) {
                (Method::Scoring, Some(surprise)) => assert!(surprise.total() < 1.0),
                (Method::Generating, None) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(debugger.steps(), steps.len());
        assert!(matches!(
            debugger.follow(&Action::StepInto, &steps[0].1, method, &never()),
            Err(NeuralError::AtEnd)
        ));
        assert_eq!(engine.tokens(Branch::MAIN), truth);
        assert_eq!(engine.taken(), truth.len());
    }
}

#[test]
fn a_wrong_value_is_predicted_aside_while_the_truth_stays() {
    let run = run();
    let steps = run.all();
    let wrong = changed(&steps[3].1, |state| state.locals.set("y".into(), "7".into()));
    let mut told = steps[..4].to_vec();
    told[3].1 = wrong.clone();
    let script = by_heart(vec![transcript(&run, &told), transcript(&run, &steps)]);
    for method in [Method::Scoring, Method::Generating] {
        let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        let predictions = follow_all(&mut debugger, &run, &steps, method);
        assert_eq!(predicted(&predictions[3]).locals, at(&wrong).locals);
        assert_eq!(predicted(&predictions[4]).event, at(&steps[4].1).event, "back on the truth");
        if let Some(surprise) = &predictions[3].surprise {
            let y = crate::state::Field::Local("y".into());
            let of_y = surprise.fields().iter().find(|(field, _)| *field == y).unwrap().1;
            assert!(of_y > 20.0 && surprise.total() - of_y < 1.0, "{surprise:?}");
            let aside = "7\"}<|src_sep|>    return".len() + " y".len() - "<|src_sep|>".len();
            let truth = transcript(&run, &steps).len();
            assert_eq!(engine.taken() - truth, aside, "from the 7 to before the last y");
        }
        assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps));
        assert_eq!(engine.len(Branch::ASIDE), 0);
    }
}

#[test]
fn a_frame_that_breaks_the_format_is_kept_raw_and_the_truth_goes_on() {
    let run = run();
    let steps = run.all();
    let mut broken = transcript(&run, &steps[..1]);
    broken.extend(dialect(Conventions::default()).ask(&steps[1].0));
    broken.extend(vocabulary().encode("oops"));
    let script = by_heart(vec![broken, transcript(&run, &steps)]);
    for method in [Method::Scoring, Method::Generating] {
        let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        let predictions = follow_all(&mut debugger, &run, &steps, method);
        let Predicted::Malformed(malformed) = &predictions[1].outcome else { panic!() };
        assert_eq!(malformed.raw, "o");
        assert_eq!(malformed.reason, "an event or exit token was due, not `o`");
        assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps));
    }
}

#[test]
fn a_frame_without_end_is_malformed() {
    let run = run();
    let steps = run.all();
    let mut start = transcript(&run, &[]);
    start.extend(dialect(Conventions::default()).ask(&steps[0].0));
    let opening = start.len();
    let mut frame = Vec::new();
    for name in ["<|call_sep|>", "<|src_sep|>"] {
        frame.extend(vocabulary().control(name));
    }
    let x = vocabulary().encode("x")[0];
    let script = move |tokens: &[TokenId]| {
        tokens.len().checked_sub(opening).map_or(x, |at| *frame.get(at).unwrap_or(&x))
    };
    for method in [Method::Scoring, Method::Generating] {
        let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        let predictions = follow_all(&mut debugger, &run, &steps[..1], method);
        let Predicted::Malformed(malformed) = &predictions[0].outcome else { panic!() };
        assert_eq!(malformed.reason, "no end after 1,024 tokens", "a quarter of the context");
        assert!(malformed.raw.ends_with("xxx"));
        assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps[..1]));
    }
}

#[test]
fn a_forced_exit_is_predicted_but_not_told() {
    let run = run();
    let steps = run.all();
    let stopped = Stop::Exit(Exit::plain(ExitKind::Stopped));
    let script = by_heart(vec![transcript(&run, &steps)]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    follow_all(&mut debugger, &run, &steps[..1], Method::Scoring);
    let prediction =
        debugger.follow(&Action::StepInto, &stopped, Method::Scoring, &never()).unwrap();
    assert_eq!(predicted(&prediction).source, at(&steps[1].1).source);
    assert_eq!(prediction.surprise, None);
    assert!(matches!(debugger.free(&Action::StepInto, &never()), Err(NeuralError::AtEnd)));
    assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps[..1]));
}

#[test]
fn free_keeps_what_the_model_said_until_resync() {
    let run = run();
    let steps = run.all();
    let mut told = steps[..5].to_vec();
    told[3].1 = changed(&steps[3].1, |state| state.locals.set("y".into(), "7".into()));
    told[4].1 = changed(&steps[4].1, |state| state.value = Some("7".into()));
    let script = by_heart(vec![transcript(&run, &told), transcript(&run, &steps)]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    for (action, stop) in &told {
        let prediction = debugger.free(action, &never()).unwrap();
        let (predicted, stop) = (predicted(&prediction), at(stop));
        assert_eq!((&predicted.source, &predicted.value), (&stop.source, &stop.value));
        if stop.event.shows_locals() {
            assert_eq!(predicted.locals, stop.locals);
        }
    }
    debugger.rewind(4).unwrap();
    debugger.resync(&steps[3].1, &never()).unwrap();
    assert_eq!(debugger.steps(), 4);
    // Reality is told in full: the frames before it are the model's own.
    let dialect = dialect(Conventions::default());
    let full = dialect.write(&steps[3].1, None, &Shown::default()).unwrap();
    let expected = [transcript(&run, &steps[..3]), dialect.ask(&steps[3].0), full.ids].concat();
    assert_eq!(engine.tokens(Branch::MAIN), expected);
}

#[test]
fn free_goes_on_after_a_malformed_frame() {
    let run = run();
    let script = by_heart(vec![]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    for steps in 1..4 {
        let prediction = debugger.free(&Action::StepInto, &never()).unwrap();
        assert!(matches!(prediction.outcome, Predicted::Malformed(_)));
        assert_eq!(debugger.steps(), steps);
    }
    let steps = run.all();
    debugger.rewind(1).unwrap();
    debugger.resync(&steps[0].1, &never()).unwrap();
    assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps[..1]));
}

#[test]
fn rewinding_makes_room_for_another_way() {
    let run = run();
    let (steps, other) = (run.all(), run.walk([Action::StepInto, Action::StepOver]));
    let script = by_heart(vec![]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    follow_all(&mut debugger, &run, &steps, Method::Scoring);
    debugger.rewind(1).unwrap();
    debugger.follow(&other[1].0, &other[1].1, Method::Scoring, &never()).unwrap();
    debugger.rewind(9).unwrap();
    assert_eq!(debugger.steps(), 2);
    assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &other));
}

#[test]
fn a_full_context_begins_anew_with_the_program_and_a_full_state() {
    let run = &runs()[1];
    let steps = run.all();
    let script = by_heart(vec![]);
    let mut engine = ScriptedEngine::new(&script, 600, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    let predictions = follow_all(&mut debugger, run, &steps[..12], Method::Scoring);
    let restarts: Vec<_> =
        (0..).zip(&predictions).filter(|(_, p)| p.restarted).map(|(index, _)| index).collect();
    let &last = restarts.last().unwrap();
    assert!(last > 0 && restarts.len() < predictions.len(), "{restarts:?}");
    // Back to before the restart: the context has to begin anew there, too.
    debugger.rewind(last - 1).unwrap();
    let (action, truth) = &steps[last - 1];
    let again = debugger.follow(action, truth, Method::Scoring, &never()).unwrap();
    assert!(again.restarted);
    let text = readable(&*vocabulary(), engine.tokens(Branch::MAIN));
    let state = at(&steps[last - 2].1);
    let full = state.locals.iter().all(|(name, _)| text.contains(&format!("\"{name}\": ")));
    assert!(text.starts_with("<|begin_of_text|><|trace_context_start|>def count(s, t):"));
    assert!(full && text.contains(&*state.source), "{text}");
}

#[test]
fn a_program_that_leaves_no_room_is_an_error_with_numbers() {
    let run = run();
    let script = by_heart(vec![]);
    let mut engine = ScriptedEngine::new(&script, 100, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    let ask = dialect(Conventions::default()).ask(&Action::StepInto).len();
    let needed = transcript(&run, &[]).len() + ask + 25;
    let error = debugger.begin(&run.program, &run.states[0], &never()).unwrap_err().to_string();
    let expected = format!("need {needed} tokens, the model has 100");
    assert!(
        error.starts_with("p.py is too long for this model") && error.contains(&expected),
        "{error}"
    );
    assert!(matches!(
        debugger.follow(&Action::StepInto, &run.all()[0].1, Method::Scoring, &never()),
        Err(NeuralError::NotBegun)
    ));
}

#[test]
fn a_cancelled_step_changes_nothing() {
    let run = run();
    let steps = run.all();
    let script = by_heart(vec![transcript(&run, &steps)]);
    let generation = Arc::new(AtomicU64::new(1));
    let late = Interrupt::new(generation, 0);
    for method in [Method::Scoring, Method::Generating] {
        let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        follow_all(&mut debugger, &run, &steps[..2], method);
        let (action, truth) = &steps[2];
        let cancelled = debugger.follow(action, truth, method, &late).unwrap_err();
        assert!(cancelled.is_cancelled());
        assert!(debugger.free(action, &late).unwrap_err().is_cancelled());
        let prediction = debugger.follow(action, truth, method, &never()).unwrap();
        assert_eq!(predicted(&prediction).source, at(truth).source);
        assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps[..3]));
    }
}

/// A model that writes nothing but the opposite of what is right still writes states.
#[test]
fn constrained_answers_are_states_whatever_the_model_wants() {
    let run = run();
    let steps = run.all();
    let wishes = ["<|trace_end|>", "q", "}", "\"", "<|line_sep|>"];
    for wish in wishes {
        let vocabulary = vocabulary();
        let wish = vocabulary.control(wish).unwrap_or_else(|| vocabulary.encode(wish)[0]);
        let script = move |_: &[TokenId]| wish;
        let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary.size());
        let greedy = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        let mut debugger = greedy.with_decoding(Decoding::Constrained);
        debugger.begin(&run.program, &run.states[0], &never()).unwrap();
        let prediction = debugger.free(&steps[0].0, &never()).unwrap();
        match prediction.outcome {
            Predicted::Stop(_) => {}
            Predicted::Malformed(malformed) => {
                assert!(malformed.reason.starts_with("no end after"), "{malformed:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the model does, and whether it closes its frames or not.
    #[test]
    fn scoring_and_generating_agree(
        which in 0usize..8, seed: u64, closes: bool, errors in 1u64..60, mixed: bool,
        constrained: bool,
    ) {
        let run = &runs()[which];
        let steps = if mixed { run.mixed(seed) } else { run.all() };
        let truth = transcript(run, &steps);
        let size = vocabulary().size();
        let knows = by_heart(vec![truth]);
        let script = move |tokens: &[TokenId]| {
            let mut hasher = DefaultHasher::new();
            (seed, &tokens[tokens.len().saturating_sub(40)..]).hash(&mut hasher);
            let hash = hasher.finish();
            match hash % errors {
                0 => (hash >> 32) as TokenId % size as TokenId,
                _ => knows(tokens),
            }
        };
        let conventions = Conventions {
            frame_end: if closes { FrameEnd::ActionSep } else { FrameEnd::Grammar },
            ..Conventions::default()
        };
        let mut outcomes = Vec::new();
        for method in [Method::Scoring, Method::Generating] {
            let mut engine = ScriptedEngine::new(&script, 2048, size);
            let mut debugger = NeuralDebugger::new(&mut engine, dialect(conventions));
            if constrained {
                debugger = debugger.with_decoding(Decoding::Constrained);
            }
            let predictions = follow_all(&mut debugger, run, &steps, method);
            let outcome = |p: Prediction| (p.outcome, p.confidence, p.restarted);
            outcomes.push(predictions.into_iter().map(outcome).collect::<Vec<_>>());
        }
        prop_assert_eq!(&outcomes[0], &outcomes[1]);
        for (outcome, ..) in outcomes[0].iter().filter(|_| constrained) {
            match outcome {
                Predicted::Stop(Stop::At(state)) => prop_assert!(
                    state.source.is_empty() || run.program.lines().contains(&state.source)
                ),
                Predicted::Stop(Stop::Exit(_)) => {}
                Predicted::Malformed(malformed) => {
                    prop_assert!(malformed.reason.starts_with("no end after"), "{:?}", malformed);
                }
            }
        }
    }
}
