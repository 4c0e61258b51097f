//! Predicted predecessors, checked by running forward from them.

use std::sync::Arc;

use lockstep::action::Action;
use lockstep::inverse::{
    Beginning, Checker, Given, Guess, InverseAction, InverseEvent, InverseState, InverseStop, Node,
    Question, Span, Told, Verdict, Walk,
};
use lockstep::neural::dialect::debugger::inverse::{InverseDialect, NAMES as INVERSE};
use lockstep::neural::dialect::debugger::{Conventions, NAMES as FORWARD};
use lockstep::neural::engine::Interrupt;
use lockstep::neural::vocabulary::{ByteVocabulary, Vocabulary};
use lockstep::neural::{Inference, Method, Model, Neural, Predicted, Sampling};
use lockstep::session::{Mode, Session};
use lockstep::state::Event;
use lockstep::travel::Travel;
use lockstep::tree::Trace;

use super::{record, states};

/// What is predicted: event, source line, variables; `..` among them for the rest.
pub(super) type Said<'g> = (InverseEvent, &'g str, &'g [(&'g str, &'g str)]);

pub(super) fn line<'g>(source: &'g str, locals: &'g [(&'g str, &'g str)]) -> Said<'g> {
    (InverseEvent::Line, source, locals)
}

pub(super) fn stop((event, source, locals): Said) -> InverseStop {
    let rest = locals.iter().any(|(name, _)| *name == "..");
    let pairs = locals.iter().filter(|(name, _)| *name != "..").copied().collect();
    let (source, locals) = (source.into(), Told { pairs, rest });
    InverseStop::At(InverseState { event, source, locals, value: None })
}

/// Where the way back to a state begins.
#[derive(Clone, Copy)]
enum From {
    /// At the state itself, which is then told in full.
    Here,
    /// At the return of its call, as in the paper.
    Return,
}

/// Has guesses checked of what came before a state: the one that stands on this line with this
/// event for the nth time.
#[track_caller]
fn verdicts(
    source: &str,
    from: From,
    (event, line, nth): (Event, u32, usize),
    action: InverseAction,
    guesses: &[Said],
) -> (InverseStop, Vec<Verdict>) {
    let mut recording = record(source);
    let mut places = (0..).filter(|at| {
        let node = recording.node(*at).unwrap().expect("no such state");
        node.line == line && node.event == event
    });
    let at = places.nth(nth).unwrap();
    let span = match from {
        From::Here => Span::up_to(&mut recording, at),
        From::Return => Span::around(&mut recording, at),
    };
    let mut walk = Walk::begin(&mut recording, span.unwrap().unwrap()).unwrap();
    while walk.node() != Some(Node::State(at)) {
        assert!(walk.take(StepOver).unwrap());
    }
    let (_, recorded) = walk.look(action).unwrap().unwrap();
    let visited = walk.visited().clone();
    let given = Given::new(at, recording.state(at).unwrap().unwrap(), &visited);
    let mut checker = Checker::new(&mut recording, given);
    let check =
        |guess: &Said| checker.check(action, &recorded, &Predicted::Stop(stop(*guess))).unwrap();
    let verdicts = guesses.iter().map(check).collect();
    (recorded, verdicts)
}

fn invalid(why: &str) -> Verdict {
    Verdict::Invalid(why.into())
}

use InverseAction::{StepCall, StepInto, StepOver};

const COUNT: &str = "\
def count(s, t):
    n = 0
    for c in s:
        n += int(c == t)
    return n

def main():
    return count('berry', 'r')
";

const CALL: &str = "def count(s, t):";

#[test]
fn any_arguments_that_give_the_value_are_valid() {
    let (recorded, verdicts) = verdicts(
        COUNT,
        From::Here,
        (Event::Return, 5, 0),
        StepCall,
        &[
            (InverseEvent::Call, CALL, &[("s", "'berry'"), ("t", "'r'")]),
            (InverseEvent::Call, CALL, &[("s", "'aa'"), ("t", "'a'")]),
            (InverseEvent::Call, CALL, &[("s", "[1, 2, 1]"), ("t", "1")]),
            (InverseEvent::Call, CALL, &[("s", "'aab'"), ("t", "'b'")]),
            (InverseEvent::Call, CALL, &[("s", "5"), ("t", "'b'")]),
            (InverseEvent::Call, CALL, &[("s", "main()"), ("t", "'b'")]),
            (InverseEvent::Call, CALL, &[("s", "'berry'"), ("u", "'r'")]),
            (InverseEvent::Call, CALL, &[("s", "['berry'"), ("t", "'r'")]),
            (InverseEvent::Call, CALL, &[("s", "{[]}"), ("t", "'r'")]),
            (InverseEvent::Line, "    n = 0", &[("..", "..")]),
        ],
    );
    assert_eq!(recorded, stop((InverseEvent::Call, CALL, &[("s", "'berry'"), ("t", "'r'")])));
    assert_eq!(
        verdicts,
        [
            Verdict::Exact,
            Verdict::Valid,
            Verdict::Valid,
            invalid("the returned value is 1 there, not 2"),
            invalid("an exception leaves the run from it at `for c in s:`"),
            Verdict::Unchecked("`s` can't be set: `main()` is made of more than constants".into()),
            invalid("the call has no argument `u`"),
            invalid("`s` can't be set: '[' was never closed"),
            invalid(
                "`s` can't be set: the expression raises TypeError: cannot use 'list' as a set \
                 element (unhashable type: 'list')",
            ),
            invalid("inv_step_call leads to a call"),
        ]
    );
}

const BODY: &str = "        n += int(c == t)";

#[test]
fn a_line_is_run_with_the_variables_that_are_told() {
    // The fifth visit, with n = 2 and c = 'r'.
    let (recorded, verdicts) = verdicts(
        COUNT,
        From::Here,
        (Event::Line, 3, 4),
        StepInto,
        &[
            (InverseEvent::Line, BODY, &[("..", ".."), ("n", "1")]),
            (InverseEvent::Line, BODY, &[("s", "'b'"), ("t", "'r'"), ("n", "1"), ("c", "'r'")]),
            (InverseEvent::Line, BODY, &[("..", ".."), ("n", "1"), ("t", "'x'")]),
            (InverseEvent::Line, BODY, &[("..", "..")]),
            (InverseEvent::Line, "    n = 0", &[("..", "..")]),
            (InverseEvent::Line, "    pass", &[("..", "..")]),
            (InverseEvent::Line, BODY, &[("..", ".."), ("q", "1")]),
            (InverseEvent::LineCall, BODY, &[("..", ".."), ("n", "0")]),
        ],
    );
    assert_eq!(recorded, stop((InverseEvent::Line, BODY, &[("..", ".."), ("n", "1")])));
    assert_eq!(
        verdicts,
        [
            Verdict::Exact,
            invalid("`s` is 'b' there, not 'berry'"),
            invalid("`t` is 'x' there, not 'r'"),
            invalid("`n` is 3 there, not 2"),
            invalid("`n` is 0 there, not 2"),
            invalid("the program has no line `pass`"),
            invalid(
                "`q` can't be set: count has no variable of that name, and its module none; only \
                 a variable that exists there can be set",
            ),
            invalid("its line calls nothing"),
        ]
    );
}

/// Of a walk from the return, what a value was at last is never told, and may be anything.
#[test]
fn what_was_not_told_may_be_anything() {
    let guesses = [line(BODY, &[("..", ".."), ("n", "7")])];
    let place = (Event::Line, 3, 4);
    let (_, free) = verdicts(COUNT, From::Return, place, StepInto, &guesses);
    assert_eq!(free, [Verdict::Valid]);
    let (_, strict) = verdicts(COUNT, From::Here, place, StepInto, &guesses);
    assert_eq!(strict, [invalid("`n` is 8 there, not 2")]);
    // One visit earlier n = 1 was told.
    let place = (Event::Line, 3, 3);
    let (_, told) = verdicts(COUNT, From::Return, place, StepInto, &guesses);
    assert_eq!(told, [invalid("`n` is 8 there, not 1")]);
}

const STEPS: &str = "\
def walk(xs):
    total = 0
    for x in xs:
        if x > 2:
            total += x
        elif x < 0:
            total = abs(x)
        else:
            total -= 1
    return total

def main():
    return walk([3, 1, 5])
";

#[test]
fn a_branch_that_was_not_taken_may_have_come_before_too() {
    // The third visit of the loop's line: x = 1 and total = 2, from 3 - 1.
    let (recorded, verdicts) = verdicts(
        STEPS,
        From::Here,
        (Event::Line, 3, 2),
        StepOver,
        &[
            line("            total -= 1", &[("..", ".."), ("total", "3")]),
            line("            total += x", &[("..", ".."), ("total", "1")]),
            line("            total += x", &[("..", ".."), ("total", "2")]),
            line("            total = abs(x)", &[("..", ".."), ("total", "9")]),
            line("        if x > 2:", &[("..", "..")]),
            line("    total = 0", &[("..", "..")]),
            (InverseEvent::Call, "def walk(xs):", &[("xs", "[2]")]),
        ],
    );
    assert_eq!(recorded, stop(line("            total -= 1", &[("..", ".."), ("total", "3")])));
    assert_eq!(
        verdicts,
        [
            Verdict::Exact,
            Verdict::Valid,
            invalid("`total` is 3 there, not 2"),
            invalid("`total` is 1 there, not 2"),
            invalid("the run from it comes to line `elif x < 0:`, not to line `for x in xs:`"),
            invalid("`total` is 0 there, not 2"),
            invalid("the run from it comes to line `total = 0`, not to line `for x in xs:`"),
        ]
    );
}

const NESTED: &str = "\
class Box:
    def __init__(self, n):
        self.n = n

def double(n, box):
    n += n
    return n

def main():
    box = Box(1)
    a = 4
    b = double(a, box)
    c = b + 1
    return c
";

#[test]
fn a_line_that_calls_is_run_with_what_it_calls() {
    let line = "    b = double(a, box)";
    let (recorded, verdicts) = verdicts(
        NESTED,
        From::Here,
        (Event::Line, 13, 0),
        StepInto,
        &[
            (InverseEvent::LineCall, line, &[("..", "..")]),
            (InverseEvent::LineCall, line, &[("..", ".."), ("b", "1")]),
            (InverseEvent::LineCall, line, &[("..", ".."), ("a", "5")]),
            (InverseEvent::Line, line, &[("..", "..")]),
            (InverseEvent::LineCall, line, &[("..", ".."), ("box", "Box(n=2)")]),
            (InverseEvent::Return, "    return n", &[]),
        ],
    );
    assert_eq!(recorded, stop((InverseEvent::LineCall, line, &[("..", "..")])));
    assert_eq!(
        verdicts,
        [
            Verdict::Exact,
            Verdict::Valid,
            invalid("`a` is 5 there, not 4"),
            invalid("the run from it comes to call `def double(n, box):`, not to line `c = b + 1`"),
            Verdict::Unchecked(
                "`box` can't be set: `Box(n=2)` is made of more than constants".into()
            ),
            invalid("what a line called comes after the line's copy"),
        ]
    );
}

#[test]
fn before_a_call_stands_the_line_of_its_caller() {
    let line = "    b = double(a, box)";
    let (recorded, verdicts) = verdicts(
        NESTED,
        From::Here,
        (Event::Call, 5, 0),
        StepOver,
        &[
            (InverseEvent::Line, line, &[("box", "Box(n=1)"), ("a", "4")]),
            (InverseEvent::Line, line, &[("box", "Box(n=1)"), ("a", "4"), ("b", "0")]),
            (InverseEvent::Line, line, &[("box", "Box(n=1)"), ("a", "3")]),
            (InverseEvent::Line, "    a = 4", &[("box", "Box(n=1)")]),
            (InverseEvent::Call, "def main():", &[]),
        ],
    );
    assert_eq!(recorded, stop((InverseEvent::Line, line, &[("box", "Box(n=1)"), ("a", "4")])));
    assert_eq!(
        verdicts,
        [
            Verdict::Exact,
            Verdict::Valid,
            invalid("`n` is 3 there, not 4"),
            invalid(
                "the run from it comes to line `b = double(a, box)`, not to call `def double(n, box):`"
            ),
            invalid("a call comes before no call"),
        ]
    );
}

#[test]
fn a_prediction_that_never_gets_there_is_invalid() {
    let source = "\
def f(n):
    while n != 0:
        n -= 1
    return n

def main():
    return f(3)
";
    let call = "def f(n):";
    let (_, verdicts) = verdicts(
        source,
        From::Here,
        (Event::Return, 4, 0),
        StepCall,
        &[
            (InverseEvent::Call, call, &[("n", "0")]),
            (InverseEvent::Call, call, &[("n", "-1")]),
            (InverseEvent::Call, call, &[("n", "'x'")]),
        ],
    );
    assert_eq!(verdicts[0], Verdict::Valid);
    assert_eq!(
        verdicts[1..],
        [
            invalid("the run from it ends before (stopped: step limit 20,000 (--max-steps))"),
            invalid("an exception leaves the run from it at `n -= 1`"),
        ]
    );
}

/// Whatever was recorded before a state is valid by running, too: over programs of most topics, from
/// both beginnings, by each action.
#[test]
fn what_was_recorded_is_valid_when_it_is_run_from() {
    let folder = crate::support::repository().join("corpora");
    let mut checked = 0;
    for program in [
        "classes/vector.py",
        "closures/memoize.py",
        "control-flow/while_else.py",
        "control-flow/collatz.py",
        "functions/mutable_default.py",
        "generators/fibonacci.py",
        "recursion/hanoi.py",
        "strings/caesar.py",
    ] {
        let path = folder.join(program);
        let source = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{program}"));
        let mut recording = record(&source);
        let count = states(&mut recording).len();
        for (number, at) in (0..count).step_by(count.div_ceil(6)).enumerate() {
            let action = InverseAction::ALL[number % 3];
            let beginning = [Beginning::Here, Beginning::Return][number / 3];
            let question = Question::new(&mut recording, at, beginning, action).unwrap();
            let Ok(question) = question else { continue };
            let recorded = question.recorded();
            let mut checker = Checker::new(&mut recording, question.given().clone());
            let verdict = checker.by_running(action, recorded, recorded).unwrap();
            let other_call = "what another call returned can't be set".to_owned();
            if verdict != Verdict::Unchecked(other_call) {
                assert_eq!(verdict, Verdict::Valid, "{program}: {action} from {at}: {recorded:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

#[test]
fn a_model_is_asked_as_often_as_wanted_and_its_answers_are_judged() {
    let mut recording = record(COUNT);
    let at = states(&mut recording).len() - 2;
    let question = Question::new(&mut recording, at, Beginning::Here, StepCall).unwrap().unwrap();
    let answer = stop((InverseEvent::Call, CALL, &[("s", "'aa'"), ("t", "'a'")]));
    let model = says(&answer);
    let mut checker = Checker::new(&mut recording, question.given().clone());
    let mut verdicts = Vec::new();
    let never = Interrupt::default();
    let dialect = model.inverse_dialect().unwrap();
    model
        .run(&mut |engine| {
            let mut inference = Inference::begin(engine, &dialect, &question, &never).unwrap();
            for number in 0..3 {
                let sampling = Sampling { temperature: 0.0, ..Sampling::default() };
                let predicted = inference.sample(sampling, number, &never).unwrap();
                assert_eq!(predicted, Predicted::Stop(answer.clone()));
                verdicts.push(checker.check(StepCall, question.recorded(), &predicted).unwrap());
            }
        })
        .unwrap();
    assert_eq!(verdicts, [Verdict::Valid, Verdict::Valid, Verdict::Valid]);
}

#[test]
fn a_model_without_the_inverse_tokens_is_refused() {
    let vocabulary = Arc::new(ByteVocabulary::new(FORWARD));
    let model = Model::scripted(Arc::new(|_: &[u32]| 0), vocabulary, Conventions::default(), 64);
    let error = model.inverse_dialect().err().unwrap().to_string();
    assert!(error.contains("it can't infer what came before: its vocabulary lacks"), "{error}");
    assert!(error.contains("<|inv_exit_entry|>"), "{error}");
}

/// A model that says one answer, whatever it is asked.
pub(super) fn says(answer: &InverseStop) -> Model {
    let vocabulary = Arc::new(ByteVocabulary::new(FORWARD.into_iter().chain(INVERSE)));
    let dialect = InverseDialect::new(vocabulary.clone(), Conventions::default()).unwrap();
    writes(vocabulary, dialect.write(answer))
}

/// A model that writes these tokens after each mark of a frame.
pub(super) fn writes(vocabulary: Arc<ByteVocabulary>, told: Vec<u32>) -> Model {
    let frame = vocabulary.control("<|frame_sep|>").unwrap();
    let script = move |tokens: &[u32]| {
        let written = tokens.iter().rev().take_while(|id| **id != frame).count();
        told.get(written).copied().unwrap_or(frame)
    };
    Model::scripted(Arc::new(script), vocabulary, Conventions::default(), 4096)
}

#[test]
fn inferring_moves_neither_side_of_a_session() {
    let recording = record(COUNT);
    let mut session =
        Session::open(super::program(COUNT), recording, Method::Scoring, Mode::Follow).unwrap();
    assert_eq!(
        session.infer(StepInto, Sampling::default(), 2).unwrap().unwrap_err().to_string(),
        "no model: there is nobody to ask what came before"
    );
    let answer = stop((InverseEvent::Line, BODY, &[("..", ".."), ("n", "1"), ("c", "'r'")]));
    session.attach(Neural::start(says(&answer)).unwrap()).unwrap();
    assert!(session.travel(Travel::Event(11)).unwrap());
    session.take(Action::StepInto).unwrap().unwrap();
    let (index, steps) = (session.index(), session.steps().len());
    let inquiry = session.infer(StepInto, Sampling::default(), 2).unwrap().unwrap();
    let exact = (Predicted::Stop(answer), Verdict::Exact);
    assert_eq!(inquiry.answers, [exact.clone(), exact]);
    assert_eq!((session.index(), session.steps().len()), (index, steps));
    // The conversation goes on where it was: no context begins anew.
    let step = session.take(Action::StepInto).unwrap().unwrap();
    assert!(!step.prediction.as_ref().unwrap().restarted);
    let guess = Guess::variable("n", "7");
    let inquiry = session.check_guess(StepInto, &guess).unwrap().unwrap();
    assert!(matches!(inquiry.answers[..], [(_, Verdict::Invalid(_))]), "{inquiry:?}");
}
