use super::*;
use crate::inverse::{Run, Span, Walk};
use crate::neural::dialect::debugger::{FrameEnd, NAMES as FORWARD, SourceEnd};
use crate::neural::dialect::{LineIndex, Malformed, Predicted, Read};
use crate::neural::vocabulary::{ByteVocabulary, readable};
use crate::state::{Event, Locals, Position, State, Text};
use crate::tree::{self, Trace};
use proptest::prelude::*;
use serde::Deserialize;

fn vocabulary() -> Arc<dyn Vocabulary> {
    Arc::new(ByteVocabulary::new(FORWARD.into_iter().chain(NAMES)))
}

fn dialect(conventions: Conventions) -> InverseDialect {
    InverseDialect::new(vocabulary(), conventions).unwrap()
}

/// A run that `tests/fixtures/inverse.py` recorded and walked back through.
#[derive(Deserialize)]
struct Golden {
    program: String,
    events: Vec<RawEvent>,
    actions: Vec<InverseAction>,
    listing: String,
}

/// Event, line, depth, activation, locals, value.
#[derive(Deserialize)]
struct RawEvent(Event, u32, u32, u32, Locals, Option<Text>);

impl<'de> Deserialize<'de> for InverseAction {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        word.parse().map_err(serde::de::Error::custom)
    }
}

fn golden() -> Vec<Golden> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/inverse.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

impl Trace for Golden {
    type Error = std::convert::Infallible;
    fn node(&mut self, index: usize) -> Result<Option<tree::Node>, Self::Error> {
        let node = |event: &RawEvent| {
            let &RawEvent(event, line, depth, ..) = event;
            tree::Node { event, line, depth, unwinding: false }
        };
        Ok(self.events.get(index).map(node))
    }
}

impl Run for Golden {
    fn state(&mut self, index: usize) -> Result<Option<State>, Self::Error> {
        let program = Program::from_text("p.py".into(), &self.program).unwrap();
        Ok(self.events.get(index).map(|event| {
            let RawEvent(event, line, depth, activation, locals, value) = event;
            let (line, depth, activation) = (*line, *depth, *activation);
            let position =
                Position { function: "f".into(), line, depth, activation, unwinds: false };
            State {
                event: *event,
                source: program.line(line),
                locals: locals.clone(),
                value: value.clone(),
                exception: None,
                position: Some(position),
            }
        }))
    }
}

/// The paper's figure C.1b among them: a frame of 15 states, walked back by `inv_step_into` alone.
#[test]
fn walks_back_read_as_an_independent_tracer_writes_them() {
    let golden = golden();
    assert_eq!(golden[0].events.len(), 15);
    for mut run in golden {
        let program = Program::from_text("p.py".into(), &run.program).unwrap();
        let last = run.events.len() - 1;
        let Ok(span) = Span::ending_at(&mut run, last);
        let mut actions = run.actions.clone().into_iter();
        let most = actions.len();
        let Ok(walk) =
            Trajectory::through(&mut run, span.unwrap(), most, |_| actions.next().unwrap());
        let ids = dialect(Conventions::default()).trajectory(&program, &walk.unwrap());
        assert_eq!(readable(&*vocabulary(), &ids), run.listing);
    }
}

/// The prompt of the paper's figure B.4 and its answer.
#[test]
fn arguments_are_asked_for_from_the_return() {
    let dialect = dialect(Conventions::default());
    let context = Program::from_text("p.py".into(), "def f(x):\n    return x + 1\n").unwrap();
    let returned = InverseStop::At(InverseState {
        event: InverseEvent::Return,
        source: "    return x + 1".into(),
        locals: Told::default(),
        value: Some("6".into()),
    });
    let prompt = [
        dialect.opening(&context),
        dialect.ask_first(),
        dialect.write(&returned),
        dialect.ask(InverseAction::StepCall),
    ];
    assert_eq!(
        readable(&*vocabulary(), &prompt.concat()),
        "<|begin_of_text|><|trace_context_start|>def f(x):\n    return x + 1\n\
         <|frame_sep|><|inv_return_sep|><|src_sep|>    return x + 1<|arg_sep|>\"6\"\
         <|action_sep|><|inv_step_call|><|frame_sep|>"
    );
    let answer = InverseStop::At(InverseState {
        event: InverseEvent::Call,
        source: "def f(x):".into(),
        locals: Told { pairs: [("x", "5")].into_iter().collect(), rest: false },
        value: None,
    });
    assert_eq!(
        readable(&*vocabulary(), &dialect.write(&answer)),
        "<|inv_call_sep|><|src_sep|>def f(x):<|arg_sep|>{\"x\": \"5\"}"
    );
}

#[test]
fn looking_at_a_move_is_not_making_it() {
    let mut run = golden().swap_remove(0);
    let Ok(span) = Span::ending_at(&mut run, 14);
    let Ok(mut walk) = Walk::begin(&mut run, span.unwrap());
    let before = walk.here().clone();
    let Ok(found) = walk.look(InverseAction::StepCall);
    assert_eq!(*walk.here(), before);
    let Ok(true) = walk.take(InverseAction::StepCall) else { panic!("it was available") };
    assert_eq!(Some(walk.here()), found.as_ref().map(|(_, stop)| stop));
    let (Ok(again), Ok(false)) = (walk.look(InverseAction::StepCall), walk.can_call()) else {
        panic!("this is a call")
    };
    assert_eq!(again, None);
    let Ok(true) = walk.take(InverseAction::StepInto) else { panic!("the exit is there") };
    assert_eq!((walk.here(), walk.node()), (&InverseStop::entry(), None));
    let Ok(false) = walk.take(InverseAction::StepInto) else { panic!("nothing is before it") };
}

#[test]
fn a_vocabulary_without_the_inverse_tokens_is_refused_by_name() {
    let forward = Arc::new(ByteVocabulary::new(FORWARD));
    let error = InverseDialect::new(forward, Conventions::default()).err().unwrap();
    assert_eq!(error.names, NAMES);
    let inverse = Arc::new(ByteVocabulary::new(NAMES));
    let error = InverseDialect::new(inverse, Conventions::default()).err().unwrap();
    assert_eq!(error.names, FORWARD);
}

/// The ids of a text in which special tokens are spelled.
fn ids(listing: &str) -> Vec<TokenId> {
    let vocabulary = vocabulary();
    let mut ids = Vec::new();
    let mut rest = listing;
    while let Some(next) = rest.chars().next() {
        let names = FORWARD.into_iter().chain(NAMES);
        match names.into_iter().find(|name| rest.starts_with(name)) {
            Some(name) => {
                ids.extend(vocabulary.control(name));
                rest = &rest[name.len()..];
            }
            None => {
                ids.extend(vocabulary.encode(&rest[..next.len_utf8()]));
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    ids
}

/// Reads a listing; the answer, and how many of its tokens it took.
fn read(conventions: Conventions, listing: &str) -> Option<(Predicted<InverseStop>, usize)> {
    let dialect = dialect(conventions);
    let lines = LineIndex::default();
    let mut reader = dialect.reader(&lines);
    for (index, id) in ids(listing).into_iter().enumerate() {
        match reader.push(id) {
            Read::More => {}
            Read::Ended(predicted) => return Some((predicted, index + 1)),
            Read::EndedBefore(predicted) => return Some((predicted, index)),
        }
    }
    None
}

#[test]
fn broken_frames_say_which_rule_they_break_first() {
    let reason = |listing| match read(Conventions::default(), listing) {
        Some((Predicted::Malformed(Malformed { reason, .. }), _)) => reason,
        other => panic!("{listing}: {other:?}"),
    };
    for (listing, expected) in [
        ("<|line_sep|>", "an inverse event or exit token was due, not `<|line_sep|>`"),
        ("x", "an inverse event or exit token was due, not `x`"),
        ("<|inv_call_sep|>d", "<|src_sep|> was due, not `d`"),
        ("<|inv_line_sep|><|src_sep|>x<|src_sep|>", "<|arg_sep|> was due, not `<|src_sep|>`"),
        ("<|inv_line_sep|><|src_sep|>x\ny", "the source line goes on after a newline"),
        ("<|inv_line_sep|><|src_sep|><|arg_sep|>{}", "the source line is missing"),
        (
            "<|inv_line_sep|><|src_sep|>x<|arg_sep|>{<|frame_sep|>",
            "more JSON was due, not `<|frame_sep|>`",
        ),
        (
            "<|inv_call_sep|><|src_sep|>x<|arg_sep|>{\"..\": \"..\"}",
            "`..` in a call, which is told in full",
        ),
        (
            "<|inv_line_sep|><|src_sep|>x<|arg_sep|>{\"a\": \"1\", \"..\": \"..\"}",
            "`..` doesn't come first",
        ),
        ("<|inv_exit_entry|><|end_of_text|>", "<|trace_end|> was due, not `<|end_of_text|>`"),
    ] {
        assert_eq!(reason(listing), expected, "{listing}");
    }
    let json = reason("<|inv_return_sep|><|src_sep|>x<|arg_sep|>{");
    assert!(json.starts_with("the value is no JSON string"), "{json}");
    let json = reason("<|inv_line_call_sep|><|src_sep|>x<|arg_sep|>\"");
    assert!(json.starts_with("the locals are no JSON object of strings"), "{json}");
}

#[test]
fn a_model_that_closes_its_frames_is_held_to_it() {
    let closing = Conventions { frame_end: FrameEnd::ActionSep, ..Conventions::default() };
    let frame = "<|inv_return_sep|><|src_sep|>    return n<|arg_sep|>\"2\"";
    let (predicted, taken) = read(closing, &format!("{frame}<|action_sep|>")).unwrap();
    assert!(matches!(predicted, Predicted::Stop(InverseStop::At(_))), "{predicted:?}");
    assert_eq!(taken, ids(frame).len());
    let (predicted, _) = read(closing, &format!("{frame}<|frame_sep|>")).unwrap();
    let Predicted::Malformed(malformed) = predicted else { panic!("{predicted:?}") };
    assert_eq!(malformed.reason, "<|action_sep|> was due, not `<|frame_sep|>`");
}

fn any_told() -> impl Strategy<Value = Told> {
    let name = prop_oneof!["[a-e]", Just("\\.0".to_owned()), "[\\PC]{1,3}"];
    let name = name.prop_filter("`..` has no words", |name: &String| name != "..");
    let value = prop_oneof!["[0-9]{1,2}", any::<String>(), Just("..".to_owned())];
    let pairs = proptest::collection::vec((name, value), 0..5);
    (pairs, any::<bool>()).prop_map(|(pairs, rest)| Told {
        pairs: pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        rest,
    })
}

fn any_stop() -> impl Strategy<Value = InverseStop> {
    (0..5usize, "[^\n]{1,12}", any_told(), any::<String>()).prop_map(
        |(event, source, locals, value)| {
            let Some(event) = InverseEvent::ALL.get(event).copied() else {
                return InverseStop::entry();
            };
            let locals = match event {
                InverseEvent::Return => Told::default(),
                InverseEvent::Call => Told { rest: false, ..locals },
                InverseEvent::Line | InverseEvent::LineCall => locals,
            };
            let value = (event == InverseEvent::Return).then(|| value.as_str().into());
            InverseStop::At(InverseState { event, source: source.as_str().into(), locals, value })
        },
    )
}

fn any_conventions() -> impl Strategy<Value = Conventions> {
    (any::<bool>(), any::<bool>()).prop_map(|(closes, newline)| Conventions {
        frame_end: if closes { FrameEnd::ActionSep } else { FrameEnd::Grammar },
        source_end: if newline { SourceEnd::Newline } else { SourceEnd::Bare },
    })
}

proptest! {
    #[test]
    fn states_read_back_as_they_were_written(
        conventions in any_conventions(), stop in any_stop(),
    ) {
        let dialect = dialect(conventions);
        let frame = dialect.write(&stop);
        let lines = LineIndex::default();
        let mut reader = dialect.reader(&lines);
        let mut answer = None;
        for (index, &id) in frame.iter().chain([&dialect.forward.marks.action]).enumerate() {
            prop_assert!(answer.is_none(), "ended before token {}", index);
            answer = match reader.push(id) {
                Read::More => None,
                Read::Ended(predicted) => {
                    prop_assert_eq!(index + 1, frame.len());
                    Some(predicted)
                }
                Read::EndedBefore(predicted) => {
                    prop_assert_eq!(index, frame.len());
                    Some(predicted)
                }
            };
            if index + 1 == frame.len() && answer.is_some() {
                break;
            }
        }
        prop_assert_eq!(answer, Some(Predicted::Stop(stop)));
    }

    #[test]
    fn any_tokens_are_read_as_something(
        conventions in any_conventions(),
        ids in proptest::collection::vec(prop_oneof![0u32..28, 0u32..290], 0..60),
    ) {
        let dialect = dialect(conventions);
        let lines = LineIndex::default();
        let mut reader = dialect.reader(&lines);
        for id in ids {
            match reader.push(id) {
                Read::More => {}
                Read::Ended(Predicted::Malformed(m)) | Read::EndedBefore(Predicted::Malformed(m)) => {
                    prop_assert!(!m.reason.is_empty());
                    break;
                }
                Read::Ended(_) | Read::EndedBefore(_) => break,
            }
        }
    }

    #[test]
    fn frames_with_one_wrong_token_are_read_as_something(
        stop in any_stop(), at in any::<prop::sample::Index>(), id in 0u32..290,
    ) {
        let dialect = dialect(Conventions::default());
        let mut ids = dialect.write(&stop);
        *at.get_mut(&mut ids) = id;
        let lines = LineIndex::default();
        let mut reader = dialect.reader(&lines);
        for id in ids {
            if reader.push(id) != Read::More {
                break;
            }
        }
    }
}
