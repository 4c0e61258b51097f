//! What holds for the model that ships, through llama.cpp.

use std::path::Path;

use super::debugger::{Method, NeuralDebugger, NeuralError};
use super::dialect::Predicted;
use super::doctor::{TokenKind, Verdict, doctor};
use super::engine::{Branch, CHUNK, Engine, EngineError, Interrupt, Row, Wanted};
use super::prediction::Prediction;
use super::testing::{Run, runs};
use super::thread::Neural;
use super::{Model, ModelSource, Settings};
use crate::action::Action;
use crate::state::{State, Stop};

fn source() -> ModelSource {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    ModelSource::File(folder.join("lockstep-2.6m-q8_0.gguf"))
}

fn with_debugger(settings: &Settings, mut work: impl FnMut(&mut NeuralDebugger<'_>)) {
    let model = Model::open(&source(), settings).unwrap();
    model
        .run(&mut |engine| {
            work(&mut NeuralDebugger::new(engine, model.dialect().unwrap()));
        })
        .unwrap();
}

fn follow(
    debugger: &mut NeuralDebugger<'_>,
    run: &Run,
    steps: &[(Action, Stop)],
    method: Method,
) -> Vec<Prediction> {
    let never = Interrupt::default();
    debugger.begin(&run.program, &run.states[0], &never).unwrap();
    steps
        .iter()
        .map(|(action, truth)| debugger.follow(action, truth, method, &never).unwrap())
        .collect()
}

/// The real state as a prediction would tell it.
fn told(stop: &Stop) -> Stop {
    match stop {
        Stop::At(state) if state.event.shows_locals() => {
            Stop::At(State { position: None, ..state.clone() })
        }
        Stop::At(state) => {
            Stop::At(State { position: None, locals: Default::default(), ..state.clone() })
        }
        Stop::Exit(exit) => Stop::Exit(exit.clone()),
    }
}

/// Design, decision 7: the verdicts of scoring are those of plain greedy decoding.
#[test]
fn scoring_finds_what_generating_finds() {
    let runs = runs();
    let (mut frames, mut right, mut malformed, mut restarts) = (0, 0, 0, 0);
    with_debugger(&Settings::default(), |debugger| {
        for run in &runs {
            for steps in [run.all(), run.mixed(1), run.mixed(2)] {
                let scored = follow(debugger, run, &steps, Method::Scoring);
                let generated = follow(debugger, run, &steps, Method::Generating);
                for (index, (scored, generated)) in scored.iter().zip(&generated).enumerate() {
                    assert_eq!(
                        scored.outcome, generated.outcome,
                        "step {index}: {:?}",
                        steps[index]
                    );
                    assert_eq!(scored.restarted, generated.restarted);
                    frames += 1;
                    right += usize::from(scored.outcome == Predicted::Stop(told(&steps[index].1)));
                    malformed += usize::from(matches!(scored.outcome, Predicted::Malformed(_)));
                    restarts += usize::from(scored.restarted);
                }
            }
        }
    });
    eprintln!("{frames} frames: {right} right, {malformed} malformed; {restarts} restarts");
    assert!(frames >= 200, "only {frames} frames");
    assert!(right > frames / 5 && right < frames, "{right} of {frames} right");
    assert!(restarts > 0, "no run was long enough to fill the context");
}

/// Why scoring can equal decoding at all; a new llama.cpp may choose its kernels otherwise.
#[test]
fn a_batch_gives_the_logits_of_its_tokens_one_by_one() {
    let run = &runs()[3];
    let model = Model::open(&source(), &Settings::default()).unwrap();
    let ids = model.vocabulary().encode(&run.program.text().repeat(4));
    let never = Interrupt::default();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    model
        .run(&mut |engine: &mut dyn Engine| {
            for batch in [1, 23, CHUNK] {
                engine.truncate(Branch::MAIN, 0).unwrap();
                let mut bits = Vec::new();
                for ids in ids.chunks(batch) {
                    let mut see = |row: Row<'_>| bits.extend((0..1024).map(|id| row.bits(id)));
                    engine.append(Branch::MAIN, ids, Wanted::From(0), &never, &mut see).unwrap();
                }
                rows.push(bits);
            }
        })
        .unwrap();
    assert!(ids.len() > 2 * CHUNK);
    assert!(rows.iter().all(|bits| *bits == rows[0]));
}

#[test]
fn a_frame_of_likeliest_tokens_has_few_bits() {
    let runs = runs();
    with_debugger(&Settings::default(), |debugger| {
        let predictions = follow(debugger, &runs[0], &runs[0].all(), Method::Scoring);
        let call = &predictions[1];
        assert_eq!(call.outcome, Predicted::Stop(told(&runs[0].all()[1].1)));
        let bits = call.surprise.as_ref().unwrap().total();
        assert!((0.0..2.0).contains(&bits), "{bits}");
        let names: Vec<_> =
            call.surprise.as_ref().unwrap().fields().iter().map(|(f, _)| f.to_string()).collect();
        assert_eq!(names, ["event", "source", "locals", "locals.x"]);
    });
}

#[test]
fn rewinding_and_taking_the_same_steps_predicts_the_same() {
    let run = &runs()[1];
    let steps = run.all();
    let never = Interrupt::default();
    with_debugger(&Settings::default(), |debugger| {
        let first = follow(debugger, run, &steps, Method::Scoring);
        assert!(first.iter().all(|prediction| !prediction.restarted), "the run fits the context");
        debugger.rewind(5).unwrap();
        assert_eq!(debugger.steps(), 5);
        for (index, (action, truth)) in steps.iter().enumerate().skip(5).take(10) {
            let again = debugger.follow(action, truth, Method::Scoring, &never).unwrap();
            assert_eq!(again, first[index], "step {index}: not bit by bit");
        }
    });
}

#[test]
fn a_resync_leaves_what_following_would_have_left() {
    let run = &runs()[1];
    let steps = run.all();
    let never = Interrupt::default();
    with_debugger(&Settings::default(), |debugger| {
        let followed = follow(debugger, run, &steps[..6], Method::Scoring);
        debugger.rewind(3).unwrap();
        let (action, truth) = &steps[3];
        debugger.free(action, &never).unwrap();
        debugger.resync(truth, &never).unwrap();
        for (index, (action, truth)) in steps.iter().enumerate().take(6).skip(4) {
            let again = debugger.follow(action, truth, Method::Scoring, &never).unwrap();
            assert_eq!(again, followed[index], "step {index}: not bit by bit");
        }
    });
}

#[test]
fn a_list_that_is_too_long_for_the_context_does_not_end_the_conversation() {
    let run = &runs()[1];
    let steps = run.all();
    let never = Interrupt::default();
    let list: Vec<String> = (0..150).map(|n| n.to_string()).collect();
    let long = |stop: &Stop| match stop {
        Stop::At(state) => {
            let mut state = state.clone();
            state.locals.set("numbers".into(), format!("[{}]", list.join(", ")).into());
            Stop::At(state)
        }
        Stop::Exit(_) => stop.clone(),
    };
    with_debugger(&Settings::default(), |debugger| {
        debugger.begin(&run.program, &run.states[0], &never).unwrap();
        let mut predicted = 0;
        for (index, (action, truth)) in steps.iter().enumerate().take(12) {
            let truth = if (3..6).contains(&index) { long(truth) } else { truth.clone() };
            match debugger.follow(action, &truth, Method::Scoring, &never) {
                Ok(_) => predicted += 1,
                Err(error) => assert!(matches!(error, NeuralError::StateTooLong { .. }), "{error}"),
            }
            assert_eq!(debugger.steps(), index + 1);
        }
        assert!((6..12).contains(&predicted), "{predicted} predictions");
    });
}

#[test]
fn the_thread_answers_cancels_and_ends() {
    let run = &runs()[1];
    let neural = Neural::start(Model::open(&source(), &Settings::default()).unwrap()).unwrap();
    let begun = neural.begin(run.program.clone(), run.states[0].clone());
    let steps = run.all();
    let (action, truth) = steps[0].clone();
    let followed = neural.follow(action.clone(), truth.clone(), Method::Scoring);
    begun.wait().unwrap();
    assert!(followed.wait().unwrap().surprise.is_some());
    let (next_action, next_truth) = steps[1].clone();
    let pending: Vec<_> =
        (0..50).map(|_| neural.begin(run.program.clone(), run.states[0].clone())).collect();
    neural.cancel();
    let cancelled = pending.into_iter().filter_map(|p| p.wait().err()).count();
    assert!(cancelled > 0);
    neural.begin(run.program.clone(), run.states[0].clone()).wait().unwrap();
    neural.follow(action, truth, Method::Generating).wait().unwrap();
    let last = neural.follow(next_action, next_truth, Method::Scoring);
    drop(neural);
    match last.wait() {
        Ok(prediction) => assert!(prediction.surprise.is_some()),
        Err(error) => assert!(error.is_cancelled() || matches!(error, NeuralError::Gone)),
    }
}

#[test]
fn wrong_calls_are_refused_before_llama_cpp_sees_them() {
    let model = Model::open(&source(), &Settings::default()).unwrap();
    let never = Interrupt::default();
    model
        .run(&mut |engine: &mut dyn Engine| {
            let mut append =
                |branch, ids: &[u32]| engine.append(branch, ids, Wanted::None, &never, &mut |_| ());
            assert!(matches!(
                append(Branch::MAIN, &[1024]),
                Err(EngineError::NoSuchToken { id: 1024, size: 1024 })
            ));
            assert!(matches!(append(Branch(99), &[5]), Err(EngineError::NoSuchPlace { .. })));
            assert!(matches!(append(Branch::MAIN, &[5; 1025]), Err(EngineError::Full { .. })));
            append(Branch::MAIN, &[5; 1000]).unwrap();
            assert!(engine.truncate(Branch::MAIN, 1001).is_err());
            assert!(engine.fork(Branch::MAIN, 1001, Branch::ASIDE).is_err());
            engine.fork(Branch::MAIN, 600, Branch::ASIDE).unwrap();
            assert_eq!(engine.len(Branch::ASIDE), 600);
            engine.append(Branch::ASIDE, &[5; 400], Wanted::None, &never, &mut |_| ()).unwrap();
            assert!(matches!(
                engine.append(Branch::ASIDE, &[5; 25], Wanted::None, &never, &mut |_| ()),
                Err(EngineError::Full { .. })
            ));
        })
        .unwrap();
}

/// The shipped model's bytes with `from` replaced by as long a `to`, once.
fn damaged(from: &[u8], to: &[u8]) -> Vec<u8> {
    let ModelSource::File(path) = source() else { panic!() };
    let mut bytes = std::fs::read(path).unwrap();
    let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

fn complaint(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gguf");
    std::fs::write(&path, bytes).unwrap();
    let source = ModelSource::File(path.clone());
    let Err(error) = Model::open(&source, &Settings::default()) else { panic!("it opens") };
    let report = doctor(&source, &Settings::default());
    assert_eq!(report.verdict, Verdict::NotUsable { reasons: vec![error.to_string()] });
    error.to_string().replace(&path.display().to_string(), "m.gguf")
}

#[test]
fn bad_models_are_refused_with_the_cause() {
    let whole = damaged(b"GGUF", b"GGUF");
    let mut complaints = String::new();
    let mut case = |name: &str, bytes: &[u8]| {
        complaints.push_str(&format!("{name}: {}\n", complaint(bytes)));
    };
    case("text", b"# Not a model\n\nAt all.\n");
    case("header only", &whole[..24]);
    case("half the metadata", &whole[..9_000]);
    case("half the weights", &whole[..1_400_000]);
    case("foreign architecture", &damaged(b"\0llama", b"\0LLAMA"));
    case("no frame token", &damaged(b"<|frame_sep|>", b"<|frame_SEP|>"));
    case("other dialect", &damaged(b"\0debugger", b"\0whatever"));
    insta::assert_snapshot!(complaints);
}

#[test]
fn the_doctor_finds_the_shipped_model_usable() {
    let report = doctor(&source(), &Settings::default());
    assert!(matches!(report.verdict, Verdict::Usable { .. }), "{report:?}");
    assert!(report.tokens.iter().all(|token| token.found == TokenKind::Control));
    assert!(report.frame.is_some_and(|frame| frame.legal && frame.right));
    assert!(report.speed.is_some_and(|speed| speed.prefill > 1.0 && speed.decode > 1.0));
    let info = report.model.unwrap();
    assert_eq!((info.architecture.as_str(), info.context), ("llama", 1024));
    assert_eq!(info.sha256.len(), 64);
}
