//! Steps that leave the common way: states that are too long, runs that are over only in the
//! model's word, resyncs, rewinds, cancelled requests; and any sequence of all these.

use super::*;

const SMALL: usize = 1200;

/// A value as long as this is too long for an answer in [`SMALL`], but can begin a context.
const LONG: usize = 700;
/// And one as long as this can't do that either.
const HUGE: usize = 900;

fn with_value(stop: &Stop, length: usize) -> Stop {
    changed(stop, |state| state.locals.set("x".into(), "9".repeat(length).into()))
}

fn huge(stop: &Stop) -> Stop {
    with_value(stop, HUGE)
}

fn late() -> Interrupt {
    Interrupt::new(Arc::new(AtomicU64::new(1)), 0)
}

/// The program, and a state in full.
fn opened_at(run: &Run, state: &State) -> Vec<TokenId> {
    let dialect = dialect(Conventions::default());
    let frame = dialect.write(&Stop::At(state.clone()), None, &Shown::default()).unwrap();
    [dialect.opening(&run.program), dialect.ask_first(), frame.ids].concat()
}

/// What the model would have to say for the run to be over after these steps.
fn over_after(run: &Run, steps: &[(Action, Stop)], action: &Action) -> Vec<TokenId> {
    let dialect = dialect(Conventions::default());
    let exit = Stop::Exit(Exit::plain(ExitKind::Normal));
    let frame = dialect.write(&exit, None, &Shown::default()).unwrap();
    [transcript(run, steps), dialect.ask(action), frame.ids].concat()
}

#[test]
fn a_state_that_is_too_long_costs_its_predictions_and_no_more() {
    let run = run();
    let steps = run.all();
    let script = by_heart(vec![]);
    for method in [Method::Scoring, Method::Generating] {
        let mut engine = ScriptedEngine::new(&script, SMALL, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        debugger.begin(&run.program, &run.states[0], &never()).unwrap();
        let mut follow = |action: &Action, truth: &Stop| {
            let done = debugger.follow(action, truth, method, &never());
            (done, debugger.steps())
        };
        let (error, made) = follow(&steps[0].0, &huge(&steps[0].1));
        assert_eq!(made, 1);
        let error = error.unwrap_err();
        assert!(matches!(error, NeuralError::StateTooLong { .. }));
        let message = error.to_string();
        assert!(message.contains("leaves too little of the model's context of 1,200"), "{message}");
        // There is nothing to ask from; then the context begins anew.
        let (error, made) = follow(&steps[1].0, &steps[1].1);
        assert!(matches!(error, Err(NeuralError::StateTooLong { .. })));
        assert_eq!(made, 2);
        let (prediction, made) = follow(&steps[2].0, &steps[2].1);
        assert!(prediction.unwrap().restarted);
        assert_eq!(made, 3);
        debugger.rewind(2).unwrap();
        assert_eq!(debugger.steps(), 2);
        let long = with_value(&steps[2].1, LONG);
        let too_long = debugger.follow(&steps[2].0, &long, method, &never());
        assert!(matches!(too_long, Err(NeuralError::StateTooLong { .. })));
        let (action, truth) = &steps[3];
        assert!(debugger.follow(action, truth, method, &never()).unwrap().restarted);
        debugger.rewind(2).unwrap();
        assert!(debugger.follow(&steps[2].0, &steps[2].1, method, &never()).unwrap().restarted);
        debugger.rewind(0).unwrap();
        let (action, truth) = &steps[0];
        assert!(!debugger.follow(action, truth, method, &never()).unwrap().restarted);
        assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps[..1]));
    }
}

#[test]
fn a_first_state_that_is_too_long_leaves_the_program() {
    let run = run();
    let steps = run.all();
    let script = by_heart(vec![]);
    let mut engine = ScriptedEngine::new(&script, SMALL, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    let Stop::At(first) = huge(&Stop::At(run.states[0].clone())) else { panic!() };
    debugger.begin(&run.program, &first, &never()).unwrap();
    let first = debugger.follow(&steps[0].0, &steps[0].1, Method::Scoring, &never());
    assert!(matches!(first, Err(NeuralError::StateTooLong { .. })));
    debugger.follow(&steps[1].0, &steps[1].1, Method::Scoring, &never()).unwrap();
    assert!(engine.tokens(Branch::MAIN).starts_with(&opened_at(&run, at(&steps[0].1))));
}

#[test]
fn a_resync_ends_the_silence_after_a_state_that_is_too_long() {
    let run = run();
    let steps = run.all();
    let script = by_heart(vec![]);
    let mut engine = ScriptedEngine::new(&script, SMALL, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    let truth = huge(&steps[0].1);
    debugger.follow(&steps[0].0, &truth, Method::Scoring, &never()).unwrap_err();
    for made in 2..4 {
        let free = debugger.free(&Action::StepInto, &never());
        assert!(matches!(free, Err(NeuralError::StateTooLong { .. })));
        assert_eq!(debugger.steps(), made);
    }
    debugger.resync(&truth, &never()).unwrap();
    assert!(debugger.free(&Action::StepInto, &never()).is_err(), "the truth is no shorter");
    debugger.resync(&steps[3].1, &never()).unwrap();
    assert_eq!(debugger.steps(), 4);
    let prediction = debugger.free(&steps[4].0, &never()).unwrap();
    assert!(prediction.restarted);
    assert!(engine.tokens(Branch::MAIN).starts_with(&opened_at(&run, at(&steps[3].1))));
}

#[test]
fn a_run_that_is_over_in_the_models_word_stays_over_until_the_truth_is_told() {
    let run = run();
    let steps = run.all();
    let (action, _) = &steps[1];
    let over = over_after(&run, &steps[..1], action);
    let script = by_heart(vec![over, transcript(&run, &steps)]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    follow_all(&mut debugger, &run, &steps[..1], Method::Scoring);
    let said = debugger.free(action, &never()).unwrap();
    assert_eq!(said.outcome, Predicted::Stop(Stop::Exit(Exit::plain(ExitKind::Normal))));
    // Nothing is written anew that it could be sure of.
    let again = Prediction { confidence: None, ..said };
    for made in 3..6 {
        assert_eq!(debugger.free(&Action::StepOver, &never()).unwrap(), again);
        assert_eq!(debugger.steps(), made);
    }
    // Back to where it said so first: it says so again, and reality replaces it.
    debugger.rewind(2).unwrap();
    assert_eq!(debugger.free(action, &never()).unwrap(), again);
    debugger.rewind(2).unwrap();
    debugger.resync(&steps[1].1, &never()).unwrap();
    assert_eq!(debugger.steps(), 2);
    let (action, truth) = &steps[2];
    let prediction = debugger.follow(action, truth, Method::Scoring, &never()).unwrap();
    assert!(!prediction.restarted);
    assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps[..3]));
}

#[test]
fn a_resync_replaces_the_copy_of_an_end_and_following_needs_none() {
    let run = run();
    let steps = run.all();
    let script = by_heart(vec![over_after(&run, &[], &steps[0].0)]);
    for resync in [true, false] {
        let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        debugger.begin(&run.program, &run.states[0], &never()).unwrap();
        debugger.free(&steps[0].0, &never()).unwrap();
        debugger.free(&steps[0].0, &never()).unwrap();
        if resync {
            debugger.resync(&steps[0].1, &never()).unwrap();
        }
        let told = if resync { 2 } else { 1 };
        let (action, truth) = &steps[told - 1];
        debugger.follow(action, truth, Method::Scoring, &never()).unwrap();
        assert_eq!(debugger.steps(), 3);
        assert_eq!(engine.tokens(Branch::MAIN), transcript(&run, &steps[..told]));
    }
}

#[test]
fn nothing_follows_a_real_end() {
    let run = run();
    let steps = run.all();
    let exit = &steps.last().unwrap().1;
    let script = by_heart(vec![]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    debugger.free(&Action::Continue, &never()).unwrap();
    debugger.resync(exit, &never()).unwrap();
    for _ in 0..2 {
        let free = debugger.free(&Action::StepInto, &never());
        assert!(matches!(free, Err(NeuralError::AtEnd)));
        let follow = debugger.follow(&Action::StepInto, exit, Method::Scoring, &never());
        assert!(matches!(follow, Err(NeuralError::AtEnd)));
        assert_eq!(debugger.steps(), 1);
    }
}

#[test]
fn a_cancelled_resync_or_begin_leaves_what_was_said() {
    let run = run();
    let steps = run.all();
    let script = by_heart(vec![transcript(&run, &steps)]);
    let mut engine = ScriptedEngine::new(&script, CAPACITY, vocabulary().size());
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    debugger.begin(&run.program, &run.states[0], &never()).unwrap();
    for (action, _) in &steps[..2] {
        debugger.free(action, &never()).unwrap();
    }
    assert!(debugger.resync(&steps[4].1, &late()).unwrap_err().is_cancelled());
    assert_eq!(debugger.steps(), 2);
    assert!(debugger.free(&steps[2].0, &never()).unwrap().restarted);
    let told = engine.tokens(Branch::MAIN);
    assert!(told.starts_with(&opened_at(&run, at(&steps[1].1))), "the model's own word stays");
    let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
    follow_all(&mut debugger, &run, &steps[..3], Method::Scoring);
    assert!(debugger.begin(&run.program, &run.states[0], &late()).unwrap_err().is_cancelled());
    assert_eq!(debugger.steps(), 3);
    assert!(debugger.free(&steps[3].0, &never()).unwrap().restarted);
}

/// One call of a session.
#[derive(Clone, Debug)]
enum Call {
    Follow(Method, Truth),
    Free,
    Resync(Truth),
    Rewind(usize),
    Cancelled(bool),
}

/// What really happened: a step of the run, perhaps with a value of this length.
#[derive(Clone, Debug)]
struct Truth {
    step: usize,
    value: Option<usize>,
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let truth = || {
        let value = prop_oneof![8 => Just(None), 1 => Just(Some(LONG)), 1 => Just(Some(HUGE))];
        (0usize..100, value).prop_map(|(step, value)| Truth { step, value })
    };
    let method = prop_oneof![Just(Method::Scoring), Just(Method::Generating)];
    let call = prop_oneof![
        5 => (method, truth()).prop_map(|(method, truth)| Call::Follow(method, truth)),
        5 => Just(Call::Free),
        2 => truth().prop_map(Call::Resync),
        2 => (0usize..12).prop_map(Call::Rewind),
        1 => any::<bool>().prop_map(Call::Cancelled),
    ];
    prop::collection::vec(call, 1..40)
}

/// Makes the calls; what each answered.
fn make(debugger: &mut NeuralDebugger<'_>, run: &Run, calls: &[Call]) -> Vec<String> {
    let steps = run.all();
    let told = |truth: &Truth| {
        let (action, stop) = &steps[truth.step % steps.len()];
        match (stop, truth.value) {
            (Stop::At(_), Some(length)) => (action, with_value(stop, length)),
            _ => (action, stop.clone()),
        }
    };
    let mut answers = Vec::new();
    for call in calls {
        let before = debugger.steps();
        let (answer, expected) = match call {
            Call::Rewind(steps) => {
                debugger.rewind(*steps).unwrap();
                (String::new(), before.min(*steps))
            }
            Call::Resync(truth) => {
                debugger.resync(&told(truth).1, &never()).unwrap();
                (String::new(), before)
            }
            Call::Cancelled(free) => {
                let done = match free {
                    true => debugger.free(&steps[0].0, &late()),
                    false => debugger.follow(&steps[0].0, &steps[0].1, Method::Scoring, &late()),
                };
                assert!(done.unwrap_err().is_cancelled());
                (String::new(), before)
            }
            Call::Free | Call::Follow(..) => {
                let done = match call {
                    Call::Follow(method, truth) => {
                        let (action, stop) = told(truth);
                        debugger.follow(action, &stop, *method, &never())
                    }
                    _ => debugger.free(&Action::StepInto, &never()),
                };
                let made = match &done {
                    Ok(_) | Err(NeuralError::StateTooLong { .. }) => 1,
                    Err(NeuralError::AtEnd) => 0,
                    Err(error) => panic!("{error}"),
                };
                (format!("{done:?}"), before + made)
            }
        };
        assert_eq!(debugger.steps(), expected, "{call:?}");
        answers.push(answer);
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Both sides count the same steps, and the way back to the beginning forgets all others.
    #[test]
    fn any_calls_keep_the_steps_and_the_beginning_is_always_the_same(
        calls in calls(), seed: u64, which in 0usize..3,
    ) {
        let run = &runs()[which];
        let knows = by_heart(vec![transcript(run, &run.all())]);
        let marks = ["<|frame_sep|>", "<|exit_normal|>", "<|trace_end|>", "<|end_of_text|>"];
        let [frame, exit, trace_end, end] = marks.map(|name| vocabulary().control(name).unwrap());
        // Of what it doesn't know by heart, it says now and then that the run is over.
        let script = move |tokens: &[TokenId]| {
            let mut hasher = DefaultHasher::new();
            (seed, tokens).hash(&mut hasher);
            match tokens.last() {
                Some(last) if *last == frame && hasher.finish().is_multiple_of(4) => exit,
                Some(last) if *last == exit => trace_end,
                Some(last) if *last == trace_end => end,
                _ => knows(tokens),
            }
        };
        let mut engine = ScriptedEngine::new(&script, SMALL, vocabulary().size());
        let mut debugger = NeuralDebugger::new(&mut engine, dialect(Conventions::default()));
        debugger.begin(&run.program, &run.states[0], &never()).unwrap();
        let first = make(&mut debugger, run, &calls);
        debugger.rewind(0).unwrap();
        prop_assert_eq!(debugger.steps(), 0);
        prop_assert_eq!(make(&mut debugger, run, &calls), first);
    }
}
