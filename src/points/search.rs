//! Where a run stops: the search for the next and the previous stop, and for what is logged on the
//! way.
//!
//! Whether a state is a stop depends on the recording and the points alone, never on the way by
//! which it is reached: so going back finds the stops that going forward found. Expressions are
//! evaluated at increasing indices as far as possible, since that is cheap, and once only.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::evaluator::Evaluator;
use super::expression::Expression;
use super::point::{Effect, Place, Point, Times};
use super::run::Run;
use super::{Id, Points};
use crate::program::Program;
use crate::python::{Evaluated, PythonError};
use crate::state::{Event, ExitKind, Text};
use crate::travel;
use crate::tree::Node;

/// States between two looks at whether the search is still wanted.
const LOOK_EVERY: usize = 256;

/// What a search works with.
pub struct Means<'a> {
    /// The run.
    pub run: &'a mut dyn Run<Error = PythonError>,
    /// The program that runs.
    pub program: &'a Program,
    /// Evaluates expressions, if anything does.
    pub evaluator: Option<&'a mut dyn Evaluator>,
    /// Whether the search shall end early.
    pub interrupted: &'a AtomicBool,
}

impl Means<'_> {
    /// Whether the search shall end at this state; looked at now and then.
    fn is_interrupted(&self, index: usize) -> bool {
        index.is_multiple_of(LOOK_EVERY) && self.interrupted.load(Ordering::Acquire)
    }
}

/// Why a state is a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Which point says so.
    pub id: Id,
    /// That point.
    pub point: Point,
    /// What there is to say about it: the exception, the values, or why the condition has none.
    pub note: Option<Text>,
}

/// `1 (12, n > 3)`, and the note.
impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} ({})", self.id, self.point)?;
        match &self.note {
            Some(note) => write!(f, ": {note}"),
            None => Ok(()),
        }
    }
}

/// A state that is a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its index.
    pub at: usize,
    /// The points that say so.
    pub reasons: Vec<Reason>,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// At a stop.
    Hit(Hit),
    /// At the end of the run, or at its beginning.
    Nothing,
    /// It was interrupted at the state of this index.
    Interrupted(usize),
}

/// What a log point printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The state's index.
    pub at: usize,
    /// The point.
    pub id: Id,
    /// The state's line.
    pub line: u32,
    /// The expression and what came of it: `total = 3`.
    pub text: Text,
}

impl std::fmt::Display for Logged {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// Searches one recording. It keeps what it found out about it.
#[derive(Debug, Default)]
pub struct Search {
    /// By expression, state and frame.
    evaluated: HashMap<(Expression, usize, usize), Evaluated>,
    counted: HashMap<Id, Counted>,
    uncaught: Option<Option<usize>>,
}

/// The times at a point so far.
#[derive(Debug)]
struct Counted {
    place: Place,
    condition: Option<Expression>,
    /// How many states were looked at.
    scanned: usize,
    /// The states that are a time.
    times: Vec<usize>,
}

/// A state at which a point's place and condition hold.
struct Match {
    note: Option<Text>,
}

impl Search {
    /// The first stop after the state of index `after`. What log points print up to there,
    /// the stop included, is added to `log`.
    pub fn next(
        &mut self,
        after: usize,
        points: &Points,
        means: &mut Means,
        log: &mut Vec<Logged>,
    ) -> Result<Found, PythonError> {
        let mut index = after + 1;
        while let Some(node) = means.run.node(index)? {
            if means.is_interrupted(index) {
                return Ok(Found::Interrupted(index));
            }
            let (reasons, logged) = self.look_at(index, node, points, means)?;
            log.extend(logged);
            if !reasons.is_empty() {
                return Ok(Found::Hit(Hit { at: index, reasons }));
            }
            index += 1;
        }
        Ok(Found::Nothing)
    }

    /// What log points print after the state of index `after`, up to that of `last`.
    pub fn passed(
        &mut self,
        after: usize,
        last: usize,
        points: &Points,
        means: &mut Means,
    ) -> Result<Vec<Logged>, PythonError> {
        let points = points.loggers();
        let mut log = Vec::new();
        if points.active().next().is_none() {
            return Ok(log);
        }
        for index in after + 1..=last {
            if means.is_interrupted(index) {
                break;
            }
            let Some(node) = means.run.node(index)? else { break };
            log.extend(self.look_at(index, node, &points, means)?.1);
        }
        Ok(log)
    }

    /// The last stop before the state of index `before`. Log points print nothing.
    pub fn previous(
        &mut self,
        before: usize,
        points: &Points,
        means: &mut Means,
    ) -> Result<Found, PythonError> {
        let points = points.stoppers();
        let plain = |point: &Point| point.condition.is_none() && point.times == Times::Each;
        if points.active().all(|(_, point)| plain(point)) {
            for index in (0..before).rev() {
                if means.is_interrupted(index) {
                    return Ok(Found::Interrupted(index));
                }
                let Some(node) = means.run.node(index)? else { continue };
                let reasons = self.look_at(index, node, &points, means)?.0;
                if !reasons.is_empty() {
                    return Ok(Found::Hit(Hit { at: index, reasons }));
                }
            }
            return Ok(Found::Nothing);
        }
        // Evaluating backwards would run the program anew for each state.
        let mut last = Found::Nothing;
        for index in 0..before {
            if means.is_interrupted(index) {
                return Ok(Found::Interrupted(index));
            }
            let Some(node) = means.run.node(index)? else { break };
            let reasons = self.look_at(index, node, &points, means)?.0;
            if !reasons.is_empty() {
                last = Found::Hit(Hit { at: index, reasons });
            }
        }
        Ok(last)
    }

    /// Evaluates an expression in a frame of a state, once: 0 is the innermost, 1 its caller.
    pub fn evaluate(
        &mut self,
        expression: &Expression,
        at: usize,
        frame: usize,
        means: &mut Means,
    ) -> Result<Evaluated, PythonError> {
        let key = (expression.clone(), at, frame);
        if let Some(known) = self.evaluated.get(&key) {
            return Ok(known.clone());
        }
        let Some(evaluator) = &mut means.evaluator else {
            return Ok(Evaluated::Refused("nothing here evaluates expressions".into()));
        };
        let evaluated = evaluator.evaluate(at, frame, expression.as_str())?;
        self.evaluated.insert(key, evaluated.clone());
        Ok(evaluated)
    }

    /// Why a state is a stop, and what is logged there.
    fn look_at(
        &mut self,
        index: usize,
        node: Node,
        points: &Points,
        means: &mut Means,
    ) -> Result<(Vec<Reason>, Vec<Logged>), PythonError> {
        let (mut reasons, mut logged) = (Vec::new(), Vec::new());
        for (id, point) in points.active() {
            let Some(Match { note }) = self.matches(point, index, node, means)? else { continue };
            if point.times != Times::Each {
                let number = self.number(id, point, index, means)?;
                if !point.times.includes(number) {
                    continue;
                }
            }
            match &point.effect {
                Effect::Stop => reasons.push(Reason { id, point: point.clone(), note }),
                Effect::Log(expression) => {
                    let text = match note.filter(|_| point.condition.is_some()) {
                        Some(note) => note,
                        None => {
                            let evaluated = self.evaluate(expression, index, 0, means)?;
                            logged_text(expression, &evaluated)
                        }
                    };
                    logged.push(Logged { at: index, id, line: node.line, text });
                }
            }
        }
        Ok((reasons, logged))
    }

    /// The number of this time at a point, the first being 1.
    fn number(
        &mut self,
        id: Id,
        point: &Point,
        index: usize,
        means: &mut Means,
    ) -> Result<u64, PythonError> {
        let mut counted = match self.counted.remove(&id) {
            Some(counted)
                if counted.place == point.place && counted.condition == point.condition =>
            {
                counted
            }
            _ => Counted {
                place: point.place.clone(),
                condition: point.condition.clone(),
                scanned: 0,
                times: Vec::new(),
            },
        };
        while counted.scanned <= index {
            let at = counted.scanned;
            if let Some(node) = means.run.node(at)?
                && self.matches(point, at, node, means)?.is_some()
            {
                counted.times.push(at);
            }
            counted.scanned += 1;
        }
        let number = counted.times.partition_point(|at| *at <= index) as u64;
        self.counted.insert(id, counted);
        Ok(number)
    }

    /// Whether a point's place and condition hold at a state. A condition without a value holds, so
    /// that its user is told.
    fn matches(
        &mut self,
        point: &Point,
        index: usize,
        node: Node,
        means: &mut Means,
    ) -> Result<Option<Match>, PythonError> {
        let Some(found) = self.is_at(&point.place, index, node, means)? else { return Ok(None) };
        let Some(condition) = &point.condition else { return Ok(Some(found)) };
        let evaluated = self.evaluate(condition, index, 0, means)?;
        Ok(match evaluated.truth() {
            Some(true) => Some(found),
            Some(false) => None,
            None => Some(Match {
                note: Some(format!("the condition has no value: {evaluated}").into()),
            }),
        })
    }

    fn is_at(
        &mut self,
        place: &Place,
        index: usize,
        node: Node,
        means: &mut Means,
    ) -> Result<Option<Match>, PythonError> {
        let at = |holds: bool| Ok(holds.then_some(Match { note: None }));
        match place {
            Place::Line(number) => {
                at(node.line == *number && about_to_run(means.run, index, node)?)
            }
            Place::Text(text) => {
                let line = means.program.line(node.line);
                at(line.trim() == &**text && about_to_run(means.run, index, node)?)
            }
            Place::Function(name) => {
                if node.event != Event::Call || means.run.previous(index)?.is_some() {
                    return Ok(None);
                }
                let state = means.run.state(index)?;
                let function = state.and_then(|state| state.position).map(|p| p.function);
                at(function.is_some_and(|function| is_called(&function, name)))
            }
            Place::Change(name) => change(means.run, index, name),
            Place::Raise(class) => {
                if node.event != Event::Exception || is_propagated(means.run, index, node)? {
                    return Ok(None);
                }
                raised(means.run, index, class.as_deref())
            }
            Place::Uncaught => {
                if node.event != Event::Exception || self.uncaught(means.run)? != Some(index) {
                    return Ok(None);
                }
                raised(means.run, index, None)
            }
        }
    }

    /// The state at which the exception that ends the run is raised. Whether an exception is caught
    /// is known only when the run has ended, so this waits for that.
    fn uncaught(
        &mut self,
        run: &mut dyn Run<Error = PythonError>,
    ) -> Result<Option<usize>, PythonError> {
        if let Some(known) = self.uncaught {
            return Ok(known);
        }
        let found = find_uncaught(run)?;
        self.uncaught = Some(found);
        Ok(found)
    }
}

fn logged_text(expression: &Expression, evaluated: &Evaluated) -> Text {
    match evaluated {
        Evaluated::Value { text, .. } => format!("{expression} = {text}").into(),
        other => format!("{expression}: {other}").into(),
    }
}

/// Whether a state stands before its line: a line event, or the call of a function that begins
/// there, unless its first statement stands on that line, too.
fn about_to_run(
    run: &mut dyn Run<Error = PythonError>,
    index: usize,
    node: Node,
) -> Result<bool, PythonError> {
    Ok(match node.event {
        Event::Line => true,
        Event::Call if node.line > 0 && run.previous(index)?.is_none() => {
            !run.node(index + 1)?.is_some_and(|next| {
                (next.event, next.line, next.depth) == (Event::Line, node.line, node.depth)
            })
        }
        Event::Call | Event::Return | Event::Exception => false,
    })
}

/// Whether a function of this qualified name answers to `name`.
fn is_called(function: &str, name: &str) -> bool {
    function.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

fn change(
    run: &mut dyn Run<Error = PythonError>,
    index: usize,
    name: &str,
) -> Result<Option<Match>, PythonError> {
    if !run.may_change(index, name)? {
        return Ok(None);
    }
    let Some(previous) = run.previous(index)? else { return Ok(None) };
    let mut text = |index| -> Result<Option<Text>, PythonError> {
        Ok(run.state(index)?.and_then(|state| state.locals.get(name).cloned()))
    };
    let (before, after) = (text(previous)?, text(index)?);
    if before == after {
        return Ok(None);
    }
    let shown = |text: Option<Text>| text.unwrap_or_else(|| "unbound".into());
    Ok(Some(Match { note: Some(format!("{} → {}", shown(before), shown(after)).into()) }))
}

/// Whether the exception of a state comes from a frame that it has left already.
fn is_propagated(
    run: &mut dyn Run<Error = PythonError>,
    index: usize,
    node: Node,
) -> Result<bool, PythonError> {
    let Some(before) = index.checked_sub(1) else { return Ok(false) };
    Ok(run.node(before)?.is_some_and(|before| {
        before.event == Event::Return && before.unwinding && before.depth > node.depth
    }))
}

fn raised(
    run: &mut dyn Run<Error = PythonError>,
    index: usize,
    class: Option<&str>,
) -> Result<Option<Match>, PythonError> {
    let exception = run.state(index)?.and_then(|state| state.exception);
    let Some(exception) = exception else { return Ok(None) };
    let wanted = class.is_none_or(|class| *exception.class == *class);
    Ok(wanted.then(|| Match { note: Some(exception.to_string().into()) }))
}

/// Follows the exception that ended the run from frame to frame back to where it was raised.
fn find_uncaught(run: &mut dyn Run<Error = PythonError>) -> Result<Option<usize>, PythonError> {
    let exit = run.exit()?;
    let Some(mut left) = travel::end(run)?.checked_sub(1) else { return Ok(None) };
    if exit.kind != ExitKind::Error {
        return Ok(None);
    }
    let mut found = None;
    while let Some(node) = run.node(left)?
        && node.event == Event::Return
        && node.unwinding
    {
        // A frame may catch other exceptions while it is left, in a `finally`.
        let (mut latest, mut same) = (None, None);
        for index in (0..left).rev() {
            let Some(inner) = run.node(index)? else { continue };
            if inner.depth != node.depth {
                continue;
            }
            match inner.event {
                Event::Exception => {
                    latest = latest.or(Some(index));
                    if run.state(index)?.and_then(|state| state.exception) == exit.exception {
                        same = Some(index);
                        break;
                    }
                }
                Event::Call => break,
                Event::Line | Event::Return => {}
            }
        }
        let Some(index) = same.or(latest) else { break };
        found = Some(index);
        let Some(exception) = run.node(index)? else { break };
        if !is_propagated(run, index, exception)? {
            break;
        }
        left = index - 1;
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
