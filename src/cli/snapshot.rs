//! What the screen shows of a session: the session's words turned into lockstep-tui's.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_tui::{
    Breakpoint, Field as Label, Frame, Mode as ShownMode, Notice, Prediction as Shown, Real, Row,
    Snapshot, Tally, Verdict as Mark,
};

use crate::diff::{Difference, Kind};
use crate::neural::Predicted;
use crate::points::{Expression, Logged, Place, Points, Power};
use crate::program::Program;
use crate::python::{Evaluated, PythonError};
use crate::session::{Mode, Session, Verdict};
use crate::state::{Field, Locals, State, Stop, Text};

/// Before what a log point printed, among what the program printed.
const LOGGED: &str = "»";

/// What the screen shows beside the session itself.
pub struct Around<'a> {
    /// Something to tell the user.
    pub notice: Option<Notice>,
    /// What is being worked on.
    pub running: Option<&'a str>,
    /// Where the real side stands already, and by which action, while the prediction is still to
    /// come.
    pub coming: Option<(&'a Stop, &'a str, Option<usize>)>,
}

/// The session as it stands.
pub fn of(session: &mut Session, around: Around) -> Result<Snapshot, PythonError> {
    let (real, action, index) = match around.coming {
        Some((real, action, index)) => (real.clone(), Some(action), index),
        None => {
            let action = session.arrived_by().map(|step| step.action.name());
            let moved = session.can_undo().then_some("moved");
            (session.here().clone(), action.or(moved), session.index())
        }
    };
    let is_coming = around.coming.is_some();
    let done = session.arrived_by().filter(|_| !is_coming);
    let prediction = done.and_then(|step| step.prediction.clone());
    let verdict = done.map(|step| step.verdict.clone());
    let frames = match index {
        Some(index) => session.recording().stack(index)?,
        None => Vec::new(),
    };
    let output = printed(session, index.unwrap_or(usize::MAX));
    let watched = index.map(|at| session.watched(at)).unwrap_or_default();
    let before = state_before(session, &real, is_coming);
    let summary = session.summary();
    let program = session.program();
    Ok(Snapshot {
        program: program.name().into(),
        source: program.lines().clone(),
        rows: with_watches(
            rows(
                &real,
                prediction.as_ref().map(|p| &p.outcome),
                verdict.as_ref(),
                before.as_ref(),
                is_coming,
            ),
            watched,
        ),
        predicted: match &prediction {
            _ if is_coming => Shown::Pending,
            None => Shown::None,
            Some(prediction) => shown(&prediction.outcome, program),
        },
        real: match &real {
            Stop::At(state) => Real::At { event: event(state), stack: stack(&frames) },
            Stop::Exit(exit) => Real::Ended(exit.to_string().into()),
        },
        breakpoints: margin(session.points()),
        mode: match session.mode() {
            Mode::Follow => ShownMode::Follow,
            Mode::Free => ShownMode::Free,
        },
        action: action.map(Text::from),
        step: (session.steps().len() + usize::from(is_coming)) as u64,
        index: index.map(|index| index as u64),
        tally: Tally {
            compared: summary.judged() as u64,
            agreed: summary.agreed as u64,
            malformed: summary.malformed as u64,
        },
        bits: prediction.and_then(|p| p.surprise).map(|surprise| surprise.total()),
        model: session.model().map(|model| model.info().label().into()),
        notice: around.notice,
        output,
        running: around.running.map(Text::from),
        can_undo: session.can_undo(),
        branch: None,
        asks: None,
        page: None,
        request: 0,
    })
}

/// Why the program stopped there.
fn event(state: &State) -> Text {
    match &state.position {
        Some(position) if position.unwinds => "return (unwinds)".into(),
        _ => state.event.name().into(),
    }
}

/// What is watched, before the variables. No format carries it, so it is not compared.
fn with_watches(rows: Vec<Row>, watched: Vec<(Expression, Evaluated)>) -> Arc<[Row]> {
    let is_variable = |row: &Row| matches!(row.field, Label::Variable(_));
    let at = rows.iter().position(is_variable).unwrap_or(rows.len());
    let mut rows = rows;
    let watches = watched.into_iter().map(|(expression, value)| Row {
        field: Label::Watch(expression.as_str().into()),
        real: Some(value.to_string().into()),
        predicted: None,
        verdict: Mark::Unasked,
        changed: false,
    });
    rows.splice(at..at, watches);
    rows.into()
}

/// The state that this frame showed before, to mark what changed since.
fn state_before(session: &Session, real: &Stop, is_coming: bool) -> Option<State> {
    let Stop::At(state) = real else { return None };
    let steps = session.steps();
    let arrived = !is_coming && session.arrived_by().is_some();
    let before = &steps[..steps.len() - usize::from(arrived)];
    let entry = (is_coming || session.can_undo()).then(|| session.entry());
    let stops = before.iter().rev().map(|step| &step.real).chain(entry);
    stops
        .filter_map(|stop| match stop {
            Stop::At(earlier) => Some(earlier),
            Stop::Exit(_) => None,
        })
        .find(|earlier| earlier.activation() == state.activation())
        .cloned()
}

/// The signs in the margin; a line with several breakpoints has the sign of one that stops.
fn margin(points: &Points) -> BTreeMap<u32, Breakpoint> {
    let mut margin = BTreeMap::new();
    for (_, point) in points.iter() {
        let Place::Line(line) = point.place else { continue };
        let sign = margin.entry(line).or_insert(Breakpoint::Off);
        if point.power == Power::On {
            *sign = Breakpoint::On;
        }
    }
    margin
}

/// What the program and the log points printed up to a state, by line.
fn printed(session: &mut Session, until: usize) -> Arc<[Text]> {
    let chunks: Vec<(usize, String)> = session
        .recording()
        .output_so_far()
        .iter()
        .take_while(|chunk| chunk.at <= until)
        .map(|chunk| (chunk.at, chunk.text.clone()))
        .collect();
    let mut logged = session.logged().take_while(|line| line.at <= until).peekable();
    let mut text = String::new();
    let log = |text: &mut String, line: &Logged| {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        *text += &format!("{LOGGED} {line}\n");
    };
    for (at, chunk) in chunks {
        while let Some(line) = logged.next_if(|line| line.at < at) {
            log(&mut text, line);
        }
        text += &chunk;
    }
    logged.for_each(|line| log(&mut text, line));
    text.lines().map(Text::from).collect()
}

fn stack(frames: &[State]) -> Arc<[Frame]> {
    let frame = |state: &State| Frame {
        function: state.position.as_ref().map_or_else(Text::default, |p| p.function.clone()),
        line: state.line().unwrap_or(0),
        locals: state.locals.iter().map(|(name, text)| (name.clone(), text.clone())).collect(),
    };
    frames.iter().map(frame).collect()
}

fn shown(predicted: &Predicted, program: &Program) -> Shown {
    match predicted {
        Predicted::Stop(Stop::At(state)) => Shown::At {
            event: state.event.name().into(),
            lines: program.numbers_of(&state.source).into(),
        },
        Predicted::Stop(Stop::Exit(exit)) => Shown::Exit(exit.kind.name().into()),
        Predicted::Malformed(malformed) => Shown::Malformed {
            reason: malformed.reason.as_str().into(),
            raw: malformed.raw.as_str().into(),
        },
    }
}

/// Both sides field by field.
fn rows(
    real: &Stop,
    predicted: Option<&Predicted>,
    verdict: Option<&Verdict>,
    before: Option<&State>,
    is_coming: bool,
) -> Vec<Row> {
    let predicted = match predicted {
        Some(Predicted::Stop(stop)) => Some(stop),
        Some(Predicted::Malformed(_)) | None => None,
    };
    let differences: Option<&[Difference]> = match verdict {
        Some(Verdict::Agreed) => Some(&[]),
        Some(Verdict::Diverged(found)) => Some(found),
        _ => None,
    };
    let mark = |field: &Field| match differences {
        _ if is_coming => Mark::Pending,
        None => Mark::Unasked,
        Some(found) => match found.iter().find(|d| d.field == *field).map(|d| d.kind) {
            None => Mark::Same,
            Some(Kind::Changed) => Mark::Changed,
            Some(Kind::Missing) => Mark::Missing,
            Some(Kind::Extra) => Mark::Extra,
        },
    };
    let mut rows = Vec::new();
    let mut push = |label, field: Field, real: Option<Text>, predicted: Option<Text>| {
        if real.is_some() || predicted.is_some() {
            let verdict = match mark(&field) {
                // Under another event, or beside an exit, there is nothing to compare it with.
                Mark::Same if real.is_none() || predicted.is_none() => Mark::Unasked,
                verdict => verdict,
            };
            rows.push(Row { field: label, real, predicted, verdict, changed: false });
        }
    };
    let side = |stop: Option<&Stop>| match stop {
        Some(Stop::At(state)) => Some(state.clone()),
        _ => None,
    };
    let (here, said) = (side(Some(real)), side(predicted));
    let text = |of: &dyn Fn(&State) -> Option<Text>| {
        (here.as_ref().and_then(of), said.as_ref().and_then(of))
    };
    let (event, said_event) = text(&|state| Some(state.event.name().into()));
    push(Label::Event, Field::Event, event, said_event);
    let (source, said_source) = text(&|state| Some(state.source.clone()));
    let indentation = |text: &Text| text.len() - text.trim_start().len();
    let common = source.iter().chain(&said_source).map(indentation).min().unwrap_or(0);
    let [source, said_source] = [source, said_source].map(|text| text.map(|t| t[common..].into()));
    push(Label::Line, Field::Source, source, said_source);
    let (value, said_value) = text(&|state| state.value.clone());
    let unwinds = match real {
        Stop::At(state) => state.position.as_ref().is_some_and(|position| position.unwinds),
        Stop::Exit(_) => false,
    };
    // Nothing is returned then; the event's None is worth a row only if the model says otherwise.
    if !unwinds || said_value.as_ref().is_some_and(|said| Some(said) != value.as_ref()) {
        push(Label::Value, Field::Value, value, said_value);
    }
    let (raised, said_raised) =
        text(&|state| state.exception.as_ref().map(|raised| raised.to_string().into()));
    push(Label::Exception, Field::Exception, raised, said_raised);
    let exit = |stop: Option<&Stop>| match stop {
        Some(Stop::Exit(exit)) => Some(Text::from(exit.kind.name())),
        _ => None,
    };
    push(Label::Exit, Field::Exit, exit(Some(real)), exit(predicted));
    // At returns and exceptions no format carries locals, and under another event the sides hold
    // different things: then each side's variables are shown, and not compared.
    let (Some(here), said) = (&here, &said) else { return rows };
    let is_compared = match said {
        Some(said) => said.event == here.event && here.event.shows_locals(),
        None => is_coming && here.event.shows_locals(),
    };
    let nothing = Locals::new();
    let said = said.as_ref().map_or(&nothing, |said| &said.locals);
    let mut variable = |name: &Text, real: Option<&Text>, predicted: Option<&Text>| {
        let verdict = match is_compared {
            true => mark(&Field::Local(name.clone())),
            false => Mark::Unasked,
        };
        let changed = before.is_some_and(|before| before.locals.get(name) != real);
        let (real, predicted) = (real.cloned(), predicted.cloned());
        rows.push(Row { field: Label::Variable(name.clone()), real, predicted, verdict, changed });
    };
    for (name, text) in here.locals.iter() {
        variable(name, Some(text), said.get(name));
    }
    for (name, text) in said.iter().filter(|(name, _)| here.locals.get(name).is_none()) {
        variable(name, None, Some(text));
    }
    rows
}
