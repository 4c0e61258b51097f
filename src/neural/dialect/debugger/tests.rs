use super::*;
use crate::neural::dialect::{Malformed, Predicted, Read};
use crate::neural::vocabulary::{ByteVocabulary, readable};
use crate::state::{Event, Exit, ExitKind, Locals, Position, Raised, State};
use proptest::prelude::*;

fn vocabulary() -> Arc<dyn Vocabulary> {
    Arc::new(ByteVocabulary::new(NAMES))
}

fn dialect(conventions: Conventions) -> DebuggerDialect {
    DebuggerDialect::new(vocabulary(), conventions).unwrap()
}

/// The ids of a text in which special tokens are spelled.
fn ids(listing: &str) -> Vec<TokenId> {
    let vocabulary = vocabulary();
    let mut ids = Vec::new();
    let mut rest = listing;
    while !rest.is_empty() {
        let mark = NAMES.into_iter().find(|name| rest.starts_with(name));
        let end = match mark {
            Some(name) => {
                ids.extend(vocabulary.control(name));
                name.len()
            }
            None => {
                let end = NAMES.iter().filter_map(|name| rest.find(name)).min();
                let end = end.unwrap_or(rest.len());
                ids.extend(vocabulary.encode(&rest[..end]));
                end
            }
        };
        rest = &rest[end..];
    }
    ids
}

const PROGRAM: &str = "\
def double(n):
    n += n
    return n

def main():
    a = 1
    b = double(a)
    c = a / (b - 2)
";

fn program() -> Program {
    Program::from_text("p.py".into(), PROGRAM).unwrap()
}

fn lines() -> LineIndex {
    LineIndex::new(&program())
}

/// A recorded state of [`PROGRAM`]: event, line, depth and activation, locals.
fn state(event: Event, line: u32, depth: u32, locals: &[(&str, &str)]) -> State {
    State {
        event,
        source: program().line(line),
        locals: locals.iter().copied().collect(),
        value: None,
        exception: None,
        position: Some(Position {
            function: "f".into(),
            line,
            depth,
            activation: depth,
            unwinds: false,
        }),
    }
}

fn returned(value: &str, state: State) -> State {
    State { value: Some(value.into()), ..state }
}

fn trace() -> Vec<Stop> {
    let zero = Raised { class: "ZeroDivisionError".into(), message: "division by zero".into() };
    let states = [
        state(Event::Call, 5, 0, &[]),
        state(Event::Line, 6, 0, &[]),
        state(Event::Line, 7, 0, &[("a", "1")]),
        state(Event::Call, 1, 1, &[("n", "1")]),
        state(Event::Line, 2, 1, &[("n", "1")]),
        state(Event::Line, 3, 1, &[("n", "2")]),
        returned("2", state(Event::Return, 3, 1, &[("n", "2")])),
        state(Event::Line, 8, 0, &[("a", "1"), ("b", "2")]),
        State {
            exception: Some(zero.clone()),
            ..state(Event::Exception, 8, 0, &[("a", "1"), ("b", "2")])
        },
        returned("None", state(Event::Return, 8, 0, &[("a", "1"), ("b", "2")])),
    ];
    let exit = Exit { kind: ExitKind::Error, exception: Some(zero), reason: None };
    states.into_iter().map(Stop::At).chain([Stop::Exit(exit)]).collect()
}

/// A context as it is written when these actions led to these stops.
fn written(dialect: &DebuggerDialect, steps: &[(&str, Stop)]) -> Vec<TokenId> {
    let mut shown = Shown::default();
    let mut out = dialect.opening(&program());
    for (word, stop) in steps {
        let action = (!word.is_empty()).then(|| word.parse::<Action>().unwrap());
        out.extend(action.as_ref().map_or_else(|| dialect.ask_first(), |a| dialect.ask(a)));
        out.extend(dialect.write(stop, action.as_ref(), &shown).unwrap().ids);
        if let Stop::At(state) = stop {
            shown.show(state);
        }
    }
    out
}

/// What the spec's rules make of the whole run, written by hand.
#[test]
fn the_listing_of_a_run_by_single_steps() {
    let steps: Vec<_> = ["", "into", "into", "into", "into", "into", "into", "into", "into"]
        .into_iter()
        .chain(["into", "into"])
        .zip(trace())
        .collect();
    let expected = [
        "<|begin_of_text|><|trace_context_start|>",
        PROGRAM,
        "<|frame_sep|><|call_sep|><|src_sep|>def main():<|arg_sep|>{}",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|line_sep|><|arg_sep|>{}<|src_sep|>    a = 1",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|line_sep|><|arg_sep|>{\"a\": \"1\"}<|src_sep|>    b = double(a)",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|call_sep|><|src_sep|>def double(n):<|arg_sep|>{\"n\": \"1\"}",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|line_sep|><|arg_sep|>{\"..\": \"..\"}<|src_sep|>    n += n",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|line_sep|><|arg_sep|>{\"n\": \"2\"}<|src_sep|>    return n",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|return_sep|><|src_sep|>    return n<|arg_sep|>\"2\"",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|line_sep|><|arg_sep|>{\"a\": \"1\", \"b\": \"2\"}",
        "<|src_sep|>    c = a / (b - 2)",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|exception_sep|><|src_sep|>    c = a / (b - 2)",
        "<|arg_sep|>\"ZeroDivisionError('division by zero')\"",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|return_sep|><|src_sep|>    c = a / (b - 2)<|arg_sep|>\"None\"",
        "<|action_sep|><|step_into|>",
        "<|frame_sep|><|exit_error|><|trace_end|><|end_of_text|>",
    ]
    .concat();
    let written = written(&dialect(Conventions::default()), &steps);
    assert_eq!(readable(&*vocabulary(), &written), expected);
    assert_eq!(written, ids(&expected));
}

#[test]
fn jumps_print_deltas_to_what_was_shown_and_breakpoints_print_in_full() {
    let trace = trace();
    let over = written(
        &dialect(Conventions::default()),
        &[("", trace[0].clone()), ("over", trace[2].clone()), ("over", trace[7].clone())],
    );
    let over = readable(&*vocabulary(), &over);
    assert!(over.ends_with(
        "<|action_sep|><|step_over|><|frame_sep|><|line_sep|>\
         <|arg_sep|>{\"..\": \"..\", \"b\": \"2\"}<|src_sep|>    c = a / (b - 2)"
    ));
    let breakpoint = written(
        &dialect(Conventions::default()),
        &[
            ("", trace[0].clone()),
            ("over", trace[2].clone()),
            ("breakpoint:    c = a / (b - 2)", trace[7].clone()),
        ],
    );
    assert!(readable(&*vocabulary(), &breakpoint).ends_with(
        "<|action_sep|><|breakpoint|>    c = a / (b - 2)<|frame_sep|><|line_sep|>\
         <|arg_sep|>{\"a\": \"1\", \"b\": \"2\"}<|src_sep|>    c = a / (b - 2)"
    ));
}

#[test]
fn a_program_that_spells_special_tokens_forges_nothing() {
    let text = "x = '<|frame_sep|><|exit_normal|>'\n";
    let program = Program::from_text("p".into(), text).unwrap();
    let dialect = dialect(Conventions::default());
    let opening = dialect.opening(&program);
    assert_eq!(opening.len(), 2 + text.len());
    let spelled = State { source: program.line(1), ..state(Event::Call, 1, 0, &[("x", text)]) };
    let frame = dialect.write(&Stop::At(spelled), None, &Shown::default()).unwrap();
    assert!(!frame.ids.contains(&dialect.marks.frame));
    assert_eq!(dialect.marks.exit(frame.ids[0]), None);
}

#[test]
fn the_program_ends_in_one_newline_whatever_the_file_has() {
    let dialect = dialect(Conventions::default());
    let opening = |text: &str| dialect.opening(&Program::from_text("p".into(), text).unwrap());
    assert_eq!(opening("x = 1"), opening("# title\n\nx = 1\n\n"));
}

#[test]
fn an_exit_that_lockstep_forced_has_no_words() {
    let stopped = Stop::Exit(Exit::plain(ExitKind::Stopped));
    let dialect = dialect(Conventions::default());
    assert_eq!(dialect.write(&stopped, Some(&Action::Continue), &Shown::default()), None);
}

#[test]
fn every_token_tells_one_field() {
    let dialect = dialect(Conventions::default());
    let mut shown = Shown::default();
    shown.show(&state(Event::Call, 5, 0, &[("a", "1")]));
    let line = state(Event::Line, 8, 0, &[("a", "1"), ("b", "2"), ("c", "3")]);
    let frame = dialect.write(&Stop::At(line), Some(&Action::StepInto), &shown).unwrap();
    let told: Vec<_> = frame
        .fields
        .iter()
        .map(|(field, range)| {
            (field.to_string(), readable(&*vocabulary(), &frame.ids[range.clone()]))
        })
        .collect();
    let told: Vec<_> = told.iter().map(|(f, t)| (f.as_str(), t.as_str())).collect();
    assert_eq!(
        told,
        [
            ("event", "<|line_sep|>"),
            ("locals", "<|arg_sep|>{\"..\": \"..\""),
            ("locals.b", ", \"b\": \"2\""),
            ("locals.c", ", \"c\": \"3\""),
            ("locals", "}"),
            ("source", "<|src_sep|>    c = a / (b - 2)"),
        ]
    );
}

/// Reads a listing; the answer, and how many of its tokens it took.
fn read(conventions: Conventions, shown: &Shown, listing: &str) -> Option<(Predicted, usize)> {
    let (dialect, lines) = (dialect(conventions), lines());
    let mut reader = dialect.reader(shown, &lines);
    for (index, id) in ids(listing).into_iter().enumerate() {
        match reader.push(id) {
            Read::More => {}
            Read::Ended(predicted) => return Some((predicted, index + 1)),
            Read::EndedBefore(predicted) => return Some((predicted, index)),
        }
    }
    None
}

fn reason(conventions: Conventions, listing: &str) -> String {
    match read(conventions, &Shown::default(), listing) {
        Some((Predicted::Malformed(Malformed { reason, .. }), _)) => reason,
        other => panic!("{listing}: {other:?}"),
    }
}

#[test]
fn broken_frames_say_which_rule_they_break_first() {
    let reason = |listing| reason(Conventions::default(), listing);
    assert_eq!(reason("<|src_sep|>"), "an event or exit token was due, not `<|src_sep|>`");
    assert_eq!(reason("x"), "an event or exit token was due, not `x`");
    assert_eq!(reason("<|line_sep|><|src_sep|>"), "<|arg_sep|> was due, not `<|src_sep|>`");
    assert_eq!(reason("<|call_sep|>d"), "<|src_sep|> was due, not `d`");
    assert_eq!(
        reason("<|call_sep|><|src_sep|>def f<|line_sep|>"),
        "<|arg_sep|> was due, not `<|line_sep|>`"
    );
    assert_eq!(
        reason("<|line_sep|><|arg_sep|>{<|src_sep|>"),
        "more JSON was due, not `<|src_sep|>`"
    );
    assert!(
        reason("<|line_sep|><|arg_sep|>\"").starts_with("the locals are no JSON object of strings")
    );
    assert_eq!(
        reason("<|line_sep|><|arg_sep|>{}<|src_sep|><|action_sep|>"),
        "the source line is missing"
    );
    assert_eq!(reason("<|call_sep|><|src_sep|>def f\n"), "the source line goes on after a newline");
    assert_eq!(
        reason("<|line_sep|><|arg_sep|>{\"..\": \"..\"}<|src_sep|>    a = 1"),
        "`..` with no locals shown before"
    );
    assert!(reason("<|return_sep|><|src_sep|>x<|arg_sep|>{").starts_with("the value is no JSON"));
    assert_eq!(
        reason("<|exit_normal|><|end_of_text|>"),
        "<|trace_end|> was due, not `<|end_of_text|>`"
    );
}

#[test]
fn a_malformed_frame_is_kept_raw_up_to_where_it_broke() {
    let read = read(Conventions::default(), &Shown::default(), "<|line_sep|><|frame_sep|>x");
    let Some((Predicted::Malformed(malformed), 2)) = read else { panic!("{read:?}") };
    assert_eq!(malformed.raw, "<|line_sep|><|frame_sep|>");
}

#[test]
fn a_source_line_ends_where_the_program_lets_it_end() {
    let program = Program::from_text("p".into(), "x = 1\nx = 12\ny = 3\n").unwrap();
    let (dialect, lines, shown) =
        (dialect(Conventions::default()), LineIndex::new(&program), Shown::default());
    let end = |listing: &str| {
        let mut reader = dialect.reader(&shown, &lines);
        for (index, id) in ids(listing).into_iter().enumerate() {
            let (predicted, end) = match reader.push(id) {
                Read::More => continue,
                Read::Ended(predicted) => (predicted, index + 1),
                Read::EndedBefore(predicted) => (predicted, index),
            };
            let Predicted::Stop(Stop::At(state)) = predicted else { panic!("{predicted:?}") };
            return (state.source.to_string(), ids(listing).len() - end);
        }
        panic!("{listing} has no end")
    };
    let start = "<|line_sep|><|arg_sep|>{}<|src_sep|>";
    assert_eq!(end(&format!("{start}y = 345")), ("y = 3".into(), 2), "no line goes on from here");
    assert_eq!(end(&format!("{start}x = 123")), ("x = 12".into(), 1));
    assert_eq!(end(&format!("{start}x = 1<|arg_sep|>")), ("x = 1".into(), 1));
    assert_eq!(end(&format!("{start}x = 19")), ("x = 1".into(), 1), "9 begins no longer line");
    assert_eq!(end(&format!("{start}y = 7:::")), ("y = 7…".into(), 3), "it leaves the program");
    assert_eq!(end(&format!("{start}y =<|arg_sep|>")), ("y =".into(), 1));
}

#[test]
fn a_model_that_closes_its_frames_is_held_to_it() {
    let closing = Conventions { frame_end: FrameEnd::ActionSep, ..Conventions::default() };
    let frame = "<|return_sep|><|src_sep|>    return n<|arg_sep|>\"2\"";
    let listing = format!("{frame}<|action_sep|>");
    let (predicted, taken) = read(closing, &Shown::default(), &listing).unwrap();
    assert!(matches!(predicted, Predicted::Stop(Stop::At(_))), "{predicted:?}");
    assert_eq!(taken, ids(frame).len());
    assert_eq!(
        reason(closing, &format!("{frame}<|frame_sep|>")),
        "<|action_sep|> was due, not `<|frame_sep|>`"
    );
    assert!(reason(closing, &format!("{frame}x")).contains("trailing characters"));
}

#[test]
fn source_lines_may_carry_their_newline() {
    let newline = Conventions { source_end: SourceEnd::Newline, ..Conventions::default() };
    let stop = Stop::At(State { position: None, ..state(Event::Line, 6, 0, &[]) });
    let frame = dialect(newline).write(&stop, None, &Shown::default()).unwrap();
    let listing = readable(&*vocabulary(), &frame.ids);
    assert_eq!(listing, "<|line_sep|><|arg_sep|>{}<|src_sep|>    a = 1\n");
    assert_eq!(
        read(newline, &Shown::default(), &listing),
        Some((Predicted::Stop(stop), frame.ids.len()))
    );
}

/// What a format without positions and with locals at two events only can tell of a state.
fn told(state: &State) -> State {
    let locals = match state.event.shows_locals() {
        true => state.locals.clone(),
        false => Locals::new(),
    };
    State { locals, position: None, ..state.clone() }
}

/// Equal up to the order of variables: a delta doesn't tell where a new one stands.
fn same(a: &State, b: &State) -> bool {
    let sorted = |locals: &Locals| {
        let mut pairs: Vec<_> = locals.iter().map(|(n, v)| (n.clone(), v.clone())).collect();
        pairs.sort();
        pairs
    };
    sorted(&a.locals) == sorted(&b.locals)
        && State { locals: Locals::new(), ..a.clone() }
            == State { locals: Locals::new(), ..b.clone() }
}

fn any_locals() -> impl Strategy<Value = Locals> {
    let name = prop_oneof!["[a-e]", Just("\\.0".to_owned()), "[\\PC]{1,3}", Just("...".to_owned())];
    let value = prop_oneof!["[0-9]{1,2}", any::<String>(), Just("..".to_owned())];
    proptest::collection::vec((name, value), 0..5).prop_map(|pairs| {
        pairs
            .iter()
            .filter(|(name, _)| name != "..")
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    })
}

fn any_state() -> impl Strategy<Value = State> {
    let source =
        prop_oneof![(1u32..=8).prop_map(|line| program().line(line).to_string()), "[^\n]{1,12}",];
    let source = source.prop_filter("a line has text", |line: &String| !line.is_empty());
    (0..4usize, source, any_locals(), any::<String>(), "[A-Za-z]{1,9}", 0u32..3).prop_map(
        |(event, source, locals, text, class, depth)| {
            let event = [Event::Call, Event::Line, Event::Return, Event::Exception][event];
            State {
                event,
                source: source.as_str().into(),
                locals,
                value: (event == Event::Return).then(|| text.as_str().into()),
                exception: (event == Event::Exception)
                    .then(|| Raised { class: class.into(), message: text.as_str().into() }),
                position: Some(Position {
                    function: "f".into(),
                    line: 1,
                    depth,
                    activation: depth,
                    unwinds: false,
                }),
            }
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
    fn traces_read_back_as_they_were_written(
        conventions in any_conventions(),
        trace in proptest::collection::vec((any_state(), any::<bool>()), 1..8),
    ) {
        let (dialect, lines) = (dialect(conventions), lines());
        let mut shown = Shown::default();
        for (mut state, breakpoint) in trace {
            let only_program = conventions == Conventions::default() && state.event == Event::Line;
            if only_program && !lines.is_line(state.source.as_bytes()) {
                state.source = program().line(2);
            }
            let action = match breakpoint {
                true => Action::Breakpoint(state.source.clone()),
                false => Action::StepInto,
            };
            let stop = Stop::At(state.clone());
            let frame = dialect.write(&stop, Some(&action), &shown).unwrap();
            prop_assert_eq!(frame.fields.last().map(|(_, range)| range.end), Some(frame.ids.len()));
            let mut reader = dialect.reader(&shown, &lines);
            let mut answer = None;
            for (index, &id) in frame.ids.iter().chain([&dialect.marks.action]).enumerate() {
                prop_assert!(answer.is_none(), "ended before token {index}");
                answer = match reader.push(id) {
                    Read::More => None,
                    Read::Ended(predicted) => {
                        prop_assert_eq!(index + 1, frame.ids.len());
                        Some(predicted)
                    }
                    Read::EndedBefore(predicted) => {
                        prop_assert_eq!(index, frame.ids.len());
                        Some(predicted)
                    }
                };
                if index + 1 == frame.ids.len() && answer.is_some() {
                    break;
                }
            }
            match answer {
                Some(Predicted::Stop(Stop::At(read))) => {
                    prop_assert!(same(&read, &told(&state)), "{read:?} is not {state:?}");
                }
                other => prop_assert!(false, "{other:?}"),
            }
            drop(reader);
            shown.show(&state);
        }
    }

    #[test]
    fn any_tokens_are_read_as_something(
        conventions in any_conventions(),
        ids in proptest::collection::vec(prop_oneof![0u32..20, 0u32..280], 0..60),
    ) {
        let (dialect, lines, shown) = (dialect(conventions), lines(), Shown::default());
        let mut reader = dialect.reader(&shown, &lines);
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
        state in any_state(), at in any::<prop::sample::Index>(), id in 0u32..280,
    ) {
        let (dialect, lines, shown) = (dialect(Conventions::default()), lines(), Shown::default());
        let mut ids = dialect.write(&Stop::At(state), None, &shown).unwrap().ids;
        *at.get_mut(&mut ids) = id;
        let mut reader = dialect.reader(&shown, &lines);
        for id in ids {
            if reader.push(id) != Read::More {
                break;
            }
        }
    }
}
