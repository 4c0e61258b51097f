//! A session's stops: points, moves without the model, and what is evaluated.
//!
//! Where to stop is found on the real side. The model is then asked about one of the paper's actions
//! that leads there, [`Session::approach`] says which.

use super::{Session, SessionError, stop_at};
use crate::action::Action;
use crate::points::{Evaluator, Expression, Found, Logged, Means, Place, Point, Points};
use crate::python::{Evaluated, Inspector, PythonError, Recording};
use crate::travel::{self, Travel};
use crate::tree::{self, Lines, Node, Target, Trace};

impl Session {
    /// The points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The points, to be changed.
    pub fn points_mut(&mut self) -> &mut Points {
        &mut self.points
    }

    /// The next state at which a point stops, without going there.
    pub fn next_stop(&mut self) -> Result<Found, SessionError> {
        let points = self.points.clone();
        self.find_next(&points)
    }

    /// The last state before this one at which a point stops, without going there.
    pub fn previous_stop(&mut self) -> Result<Found, SessionError> {
        let points = self.points.clone();
        self.find_previous(&points)
    }

    /// The next state at this line, without going there.
    pub fn next_at_line(&mut self, line: u32) -> Result<Found, SessionError> {
        self.find_next(&only_line(line))
    }

    /// The last state before this one at this line, without going there.
    pub fn previous_at_line(&mut self, line: u32) -> Result<Found, SessionError> {
        self.find_previous(&only_line(line))
    }

    /// The action that leads to the state of index `at`, which lies ahead.
    ///
    /// It is a breakpoint on the text of that line if no state before holds this text, else any
    /// action that leads there. Where none does, the real side goes to the last state before that
    /// holds the text, without the model, and the breakpoint leads on from there: so whatever stops
    /// the run, the model predicts the stop from a state that it knows.
    pub fn approach(&mut self, at: usize) -> Result<Action, SessionError> {
        let from = self.index().unwrap_or(at);
        let line = self.recording.node(at)?.map_or(0, |node| node.line);
        let text = self.program.line(line);
        let breakpoint = Action::Breakpoint(text.clone());
        let actions = [breakpoint.clone(), Action::StepInto, Action::StepOver, Action::StepReturn];
        for action in actions {
            let mut until = Until { recording: &mut self.recording, last: at };
            let target = tree::target(&mut until, &self.program, from, &action)?;
            if target == Some(Target::State(at)) {
                return Ok(action);
            }
        }
        for before in (from + 1..at).rev() {
            let node = self.recording.node(before)?;
            if node.is_some_and(|node| self.program.reads(node.line, &text)) {
                self.jump(Target::State(before))?;
                self.log_passed(Target::State(from))?;
                break;
            }
        }
        Ok(breakpoint)
    }

    /// Makes a move without the model; whether it is available here.
    pub fn travel(&mut self, travel: Travel) -> Result<bool, SessionError> {
        let target = travel::target(&mut self.recording, self.at, travel)?;
        let Some(target) = target else { return Ok(false) };
        self.jump(target)?;
        Ok(true)
    }

    /// Back to where the step of this number (the first is 1) led; 0 is the entry.
    pub fn back_to_step(&mut self, number: usize) -> Result<(), SessionError> {
        let step = number.checked_sub(1).and_then(|last| self.steps.get(last));
        let target = step.map_or_else(|| super::target_of(&self.entry), |step| step.target);
        self.jump(target)
    }

    /// Evaluates an expression in a frame of the state of index `at`: 0 is the innermost, 1 its
    /// caller.
    pub fn evaluate(
        &mut self,
        expression: &Expression,
        at: usize,
        frame: usize,
    ) -> Result<Evaluated, SessionError> {
        let (search, mut means) = means(self);
        Ok(search.evaluate(expression, at, frame, &mut means)?)
    }

    /// Answers questions about the states of the run.
    pub fn inspector(&mut self) -> &mut Inspector {
        &mut self.inspector
    }

    /// What is watched, and its values at the state of index `at`.
    pub fn watched(&mut self, at: usize) -> Vec<(Expression, Evaluated)> {
        let watches = self.points.watches().to_vec();
        let value = |expression: Expression| {
            let evaluated = self.evaluate(&expression, at, 0);
            let evaluated =
                evaluated.unwrap_or_else(|error| Evaluated::Refused(error.to_string().into()));
            (expression, evaluated)
        };
        watches.into_iter().map(value).collect()
    }

    /// What log points printed at the states that were passed, in their order.
    pub fn logged(&self) -> impl Iterator<Item = &Logged> {
        self.logged.values()
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.steps.is_empty() || self.at != super::target_of(&self.entry)
    }

    /// Goes to a state without the model. Steps that lead beyond it are forgotten.
    fn jump(&mut self, target: Target) -> Result<(), SessionError> {
        let here = stop_at(&mut self.recording, target)?;
        let left = self.steps.partition_point(|step| order(step.target) <= order(target));
        self.keep(left)?;
        (self.at, self.here) = (target, here);
        Ok(())
    }

    /// Takes in what log points print from the state after `from` up to here.
    pub(super) fn log_passed(&mut self, from: Target) -> Result<(), SessionError> {
        let Target::State(after) = from else { return Ok(()) };
        let last = self.index().unwrap_or(usize::MAX);
        let points = self.points.clone();
        let (search, mut means) = means(self);
        let logged = search.passed(after, last, &points, &mut means)?;
        self.take_log(logged);
        Ok(())
    }

    fn take_log(&mut self, lines: Vec<Logged>) {
        self.logged.extend(lines.into_iter().map(|line| ((line.at, line.id), line)));
    }

    fn find_next(&mut self, points: &Points) -> Result<Found, SessionError> {
        let Some(here) = self.index() else { return Ok(Found::Nothing) };
        let mut log = Vec::new();
        let (search, mut means) = means(self);
        let found = search.next(here, points, &mut means, &mut log);
        self.take_log(log);
        Ok(found?)
    }

    fn find_previous(&mut self, points: &Points) -> Result<Found, SessionError> {
        let before = match self.at {
            Target::State(index) => index,
            Target::Exit => travel::end(&mut self.recording)?,
        };
        let (search, mut means) = means(self);
        Ok(search.previous(before, points, &mut means)?)
    }
}

/// The session's search, and what it works with.
fn means(session: &mut Session) -> (&mut crate::points::Search, Means<'_>) {
    let means = Means {
        run: &mut session.recording,
        program: &session.program,
        evaluator: Some(&mut session.inspector as &mut dyn Evaluator),
        interrupted: &session.interrupt,
    };
    (&mut session.search, means)
}

fn only_line(line: u32) -> Points {
    let mut points = Points::default();
    points.add(Point::at(Place::Line(line)));
    points
}

/// The exit comes after all states.
fn order(target: Target) -> usize {
    match target {
        Target::State(index) => index,
        Target::Exit => usize::MAX,
    }
}

/// A recording up to a state: to see whether an action leads there nobody waits for more.
struct Until<'a> {
    recording: &'a mut Recording,
    last: usize,
}

impl Trace for Until<'_> {
    type Error = PythonError;

    fn node(&mut self, index: usize) -> Result<Option<Node>, PythonError> {
        if index > self.last { Ok(None) } else { self.recording.node(index) }
    }
}
