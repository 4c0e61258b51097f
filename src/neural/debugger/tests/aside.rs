//! How sure answers are, and questions beside the conversation.

use super::*;
use crate::neural::engine::scripted::probability_of_the_certain;

const SAMPLING: Sampling = Sampling { temperature: 1.0, top_p: 1.0, seed: 3 };

#[test]
fn the_confidence_is_the_probability_of_all_tokens_of_the_answer() {
    let run = run();
    let steps = run.all();
    let wrong = changed(&steps[3].1, |state| state.locals.set("y".into(), "7".into()));
    let mut told = steps[..4].to_vec();
    told[3].1 = wrong;
    let script = by_heart(vec![transcript(&run, &told), transcript(&run, &steps)]);
    for method in [Method::Scoring, Method::Generating] {
        let size = vocabulary().size();
        let mut engine = ScriptedEngine::new(&script, CAPACITY, size);
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        let predictions = follow_all(&mut debugger, &run, &steps, method);
        // A wrong answer is as sure as a right one, to this model: it is of as many tokens.
        for at in [1, 3] {
            let frame = transcript(&run, &told[..=at]).len() - transcript(&run, &told[..at]).len();
            let tokens = frame - dialect(Conventions::default()).ask(&told[at].0).len();
            let expected = probability_of_the_certain(size).powi(tokens as i32);
            let found = predictions[at].confidence.unwrap();
            assert!((found - expected).abs() < 1e-9, "{method:?} {at}: {found} for {expected}");
        }
    }
}

#[test]
fn samples_answer_the_last_question_and_leave_the_conversation_alone() {
    let run = run();
    let steps = run.all();
    let truth = transcript(&run, &steps);
    let script = by_heart(vec![truth.clone()]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    assert_eq!(debugger.sample(SAMPLING, 2, &never()).unwrap(), [], "nothing was asked yet");
    for (action, truth) in &steps {
        let prediction = debugger.follow(action, truth, Method::Scoring, &never()).unwrap();
        // Greedy samples are what it predicted; so are most of the others of so sure a model.
        let greedy = Sampling { temperature: 0.0, ..SAMPLING };
        let samples = debugger.sample(greedy, 2, &never()).unwrap();
        assert_eq!(samples, [prediction.outcome.clone(), prediction.outcome.clone()]);
        let samples = debugger.sample(SAMPLING, 8, &never()).unwrap();
        assert!(samples.contains(&prediction.outcome));
        assert_eq!(debugger.sample(SAMPLING, 8, &never()).unwrap(), samples);
    }
    assert_eq!(debugger.steps(), steps.len());
    assert_eq!(engine.tokens(Branch::MAIN), truth);
    assert_eq!(engine.len(Branch::ASIDE), 0);
}

#[test]
fn the_exit_that_the_model_knows_is_the_likely_one() {
    let run = run();
    let first = transcript(&run, &[]);
    let fails = Stop::Exit(Exit::plain(ExitKind::Error));
    let mut knows = first.clone();
    knows.extend(dialect(Conventions::default()).ask(&Action::Continue));
    let frame = dialect(Conventions::default());
    knows.extend(frame.write(&fails, Some(&Action::Continue), &Shown::default()).unwrap().ids);
    let script = by_heart(vec![knows]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    let exits = debugger.exits(&never()).unwrap().unwrap();
    assert!(exits.error > 0.9 && exits.normal + exits.never < 0.01, "{exits:?}");
    assert_eq!(engine.tokens(Branch::MAIN), first);
    assert_eq!(engine.len(Branch::ASIDE), 0);
}
