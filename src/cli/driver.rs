//! What steers a session for the screen: keys and typed lines become moves, and each change of the
//! session a snapshot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;

use lockstep_tui::{Command, Mode as ShownMode, Notice, Snapshot};

use super::model::Opening;
use super::orders::Order;
use super::saved::Kept;
use super::screen::{Request, Shared};
use super::snapshot::{self, Around};
use crate::action::Action;
use crate::neural::Neural;
use crate::points::{Evaluated, Expression, Found, Hit, Id, Place, Point};
use crate::session::{Mode, Move, Session, SessionError, Step};
use crate::travel::Travel;

/// A session, and what the screen shows beside it.
pub struct Driver {
    session: Session,
    shared: Arc<Shared>,
    kept: Kept,
    notice: Option<Notice>,
}

impl Driver {
    /// Steers this session.
    pub fn new(session: Session, shared: Arc<Shared>, kept: Kept) -> Self {
        let notice = match &*kept.notes {
            [] => None,
            notes => Some(Notice::info(format!("saved breakpoints: {}", notes.join("; ")))),
        };
        Driver { session, shared, kept, notice }
    }

    /// Works off the requests until the screen is gone.
    pub fn run(mut self, queue: &Receiver<Request>, model: Option<Opening>) {
        if let Some(opening) = model {
            self.publish(None, Some("the model loads"));
            let attached = opening
                .wait()
                .and_then(|model| Ok(self.session.attach(model)?))
                .map_err(|error| Notice::error(format!("no model: {error}")));
            self.notice = attached.err().or(self.notice);
        }
        self.shared.cancel_by(self.session.model().map(Neural::canceller));
        self.keep();
        self.publish(None, None);
        while let Ok(request) = queue.recv() {
            if matches!(request, Request::Key(Command::Interrupt)) {
                // All that was asked before the interrupt is done or dropped by now.
                self.shared.interrupted.store(false, Ordering::Release);
                self.publish(None, None);
                continue;
            }
            if self.is_interrupted() {
                continue;
            }
            self.notice = None;
            let done = match request {
                Request::Key(command) => self.obey(command),
                Request::Line(line, frame) => self.obey_line(&line, frame),
            };
            if let Err(error) = done {
                self.notice = Some(match error.is_interrupted() {
                    true => Notice::info("interrupted"),
                    false => Notice::error(error.to_string()),
                });
            }
            self.keep();
            self.publish(None, None);
        }
    }

    /// Keeps the points for the next time, if they changed.
    fn keep(&mut self) {
        if let Err(why) = self.kept.save(&self.session) {
            self.notice = Some(Notice::error(why));
        }
    }

    fn is_interrupted(&self) -> bool {
        self.shared.interrupted.load(Ordering::Acquire)
    }

    fn inform(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::info(text.into()));
    }

    fn obey(&mut self, command: Command) -> Result<(), SessionError> {
        match command {
            Command::StepInto => self.step(Action::StepInto),
            Command::StepOver => self.step(Action::StepOver),
            Command::StepReturn => self.step(Action::StepReturn),
            Command::Continue => self.forward(Session::next_stop),
            Command::RunTo(line) => self.run_to(line),
            Command::ToggleBreakpoint(line) => {
                if self.is_statement(line) {
                    self.session.points_mut().toggle_line(line);
                }
                Ok(())
            }
            Command::Undo => self.session.back(1),
            Command::Restart => self.travel(Travel::First),
            Command::Last => self.travel(Travel::Last),
            Command::BackInto => self.travel(Travel::BackInto),
            Command::BackOver => self.travel(Travel::BackOver),
            Command::BackReturn => self.travel(Travel::BackReturn),
            Command::BackContinue => {
                let found = self.look(Session::previous_stop)?;
                self.back_to(found, Some("no stop before: this is the first state"))
            }
            Command::BackTo(line) => {
                if !self.is_statement(line) {
                    return Ok(());
                }
                match self.look(|session| session.previous_at_line(line))? {
                    Found::Nothing => {
                        self.inform(format!("line {line} was not run before this state"));
                        Ok(())
                    }
                    found => self.back_to(found, None),
                }
            }
            Command::NextDivergence => self.next_divergence(),
            Command::PreviousDivergence => self.previous_divergence(),
            Command::SetMode(ShownMode::Follow) => self.session.set_mode(Mode::Follow),
            Command::SetMode(ShownMode::Free) => self.session.set_mode(Mode::Free),
            Command::Resync => self.session.resync(),
            Command::Interrupt => Ok(()),
        }
    }

    /// Does what was typed.
    fn obey_line(&mut self, line: &str, frame: usize) -> Result<(), SessionError> {
        let order = match line.parse::<Order>() {
            Ok(order) => order,
            Err(error) => {
                self.notice = Some(Notice::error(error.to_string()));
                return Ok(());
            }
        };
        match order {
            Order::Set(point) => self.set(point),
            Order::List => self.list(),
            Order::Clear(id) => match self.session.points_mut().remove(id) {
                Some(point) => self.inform(format!("cleared {id} ({point})")),
                None => self.no_point(id),
            },
            Order::ClearAll => self.session.points_mut().clear(),
            Order::Switch(id, power) => {
                if !self.session.points_mut().switch(id, power) {
                    self.no_point(id);
                }
            }
            Order::Watch(expression) => self.session.points_mut().watch(expression),
            Order::Unwatch(expression) => {
                if !self.session.points_mut().unwatch(&expression) {
                    self.inform(format!("`{expression}` is not watched"));
                }
            }
            Order::Goto(index) => return self.travel(Travel::Event(index)),
            Order::RunTo(line) => return self.run_to(line),
            Order::Print(expression) => return self.print(&expression, frame),
        }
        Ok(())
    }

    fn set(&mut self, point: Point) {
        if let Err(error) = point.place.check(self.session.program()) {
            self.notice = Some(Notice::error(error.to_string()));
            return;
        }
        let shown = point.to_string();
        let id = self.session.points_mut().add(point);
        self.inform(format!("{id} ({shown})"));
    }

    fn list(&mut self) {
        let shown: Vec<String> =
            self.session.points().iter().map(|(id, point)| format!("{id} ({point})")).collect();
        match &*shown {
            [] => self.inform("there are no breakpoints; :b 12 sets one"),
            shown => self.inform(shown.join(" · ")),
        }
    }

    fn no_point(&mut self, id: Id) {
        self.notice = Some(Notice::error(format!("there is no {id}; :b lists what there is")));
    }

    fn print(&mut self, expression: &Expression, frame: usize) -> Result<(), SessionError> {
        let Some(at) = self.session.index() else {
            self.inform("the run is over: there is nothing to evaluate in");
            return Ok(());
        };
        self.publish(None, Some("Python evaluates"));
        self.notice = Some(match self.session.evaluate(expression, at, frame)? {
            Evaluated::Value { text, .. } => Notice::info(format!("{expression} = {text}")),
            other => Notice::error(format!("{expression}: {other}")),
        });
        Ok(())
    }

    /// Looks for a stop, showing that the program runs for it.
    fn look(
        &mut self,
        find: impl FnOnce(&mut Session) -> Result<Found, SessionError>,
    ) -> Result<Found, SessionError> {
        self.publish(None, Some("the program runs"));
        find(&mut self.session)
    }

    /// To the stop that is found ahead, or else to the end.
    fn forward(
        &mut self,
        find: impl FnOnce(&mut Session) -> Result<Found, SessionError>,
    ) -> Result<(), SessionError> {
        if self.session.index().is_none() {
            return self.step(Action::Continue);
        }
        match self.look(find)? {
            Found::Hit(hit) => {
                let action = self.session.approach(hit.at)?;
                self.step(action)?;
                self.explain(&hit);
                Ok(())
            }
            Found::Nothing => self.step(Action::Continue),
            Found::Interrupted(at) => {
                self.inform(format!("interrupted at state {at}; nothing was moved"));
                Ok(())
            }
        }
    }

    /// Back to the stop that was found, or to the first state.
    fn back_to(&mut self, found: Found, nothing: Option<&str>) -> Result<(), SessionError> {
        match found {
            Found::Hit(hit) => {
                self.travel(Travel::Event(hit.at))?;
                self.explain(&hit);
            }
            Found::Nothing => {
                self.travel(Travel::First)?;
                self.notice = nothing.map(Notice::info);
            }
            Found::Interrupted(at) => {
                self.inform(format!("interrupted at state {at}; nothing was moved"));
            }
        }
        Ok(())
    }

    /// Says why the program stopped, where that can't be seen.
    fn explain(&mut self, hit: &Hit) {
        let told = hit.reasons.iter().filter(|reason| {
            let is_plain = matches!(reason.point.place, Place::Line(_));
            reason.note.is_some() || reason.point.condition.is_some() || !is_plain
        });
        let told: Vec<String> = told.map(ToString::to_string).collect();
        if !told.is_empty() {
            self.inform(format!("stop {}", told.join(", ")));
        }
    }

    fn run_to(&mut self, line: u32) -> Result<(), SessionError> {
        match self.is_statement(line) {
            true => self.forward(|session| session.next_at_line(line)),
            false => Ok(()),
        }
    }

    /// Makes a move without the model.
    fn travel(&mut self, travel: Travel) -> Result<(), SessionError> {
        self.publish(None, Some("the program runs"));
        if !self.session.travel(travel)? {
            self.inform(match travel {
                Travel::BackReturn => "this frame begins here: N and [s go on back",
                _ => "this is the first state",
            });
        }
        Ok(())
    }

    /// Takes an action, showing the real side before the model has answered.
    fn step(&mut self, action: Action) -> Result<(), SessionError> {
        if self.session.index().is_none() {
            self.notice = Some(Notice::info("the run is over: N goes back, R starts again"));
            return Ok(());
        }
        self.publish(None, Some("the program runs"));
        let Some(found) = self.session.look(action)? else {
            let why = "not available here: this frame returns already; use n or s";
            self.notice = Some(Notice::info(why));
            return Ok(());
        };
        if self.session.model().is_some() {
            self.publish(Some(&found), Some("the model thinks"));
        }
        self.session.make(found)?;
        Ok(())
    }

    fn next_divergence(&mut self) -> Result<(), SessionError> {
        if self.session.model().is_none() {
            self.notice = Some(Notice::info("no model: there is nothing to compare"));
            return Ok(());
        }
        while self.session.index().is_some() && !self.is_interrupted() {
            self.step(Action::StepInto)?;
            if self.session.steps().last().is_some_and(Step::diverged) {
                return Ok(());
            }
        }
        self.notice = Some(Notice::info(match self.is_interrupted() {
            true => "interrupted",
            false => "no divergence up to the end; [d and N go back",
        }));
        Ok(())
    }

    fn previous_divergence(&mut self) -> Result<(), SessionError> {
        let steps = self.session.steps();
        let is_last = self.session.arrived_by().is_some();
        let before = steps.len().saturating_sub(usize::from(is_last));
        match steps[..before].iter().rposition(Step::diverged) {
            Some(found) => self.session.back_to_step(found + 1),
            None => {
                self.notice = Some(Notice::info("no divergence before this one"));
                Ok(())
            }
        }
    }

    /// Whether the program can stop at a line; tells the user if it can't.
    fn is_statement(&mut self, line: u32) -> bool {
        let is_one = self.session.program().statement(line).is_some();
        if !is_one {
            self.inform(format!("line {line} holds no statement to stop at"));
        }
        is_one
    }

    /// Gives the screen a new snapshot: of the session, or of a move whose prediction is still to
    /// come.
    pub fn publish(&mut self, coming: Option<&Move>, running: Option<&str>) {
        let around = Around {
            notice: self.notice.clone(),
            running,
            coming: coming.map(|found| (&found.real, found.action.name(), found.index())),
        };
        let snapshot = snapshot::of(&mut self.session, around);
        self.shared.show(|before| match snapshot {
            Ok(snapshot) => snapshot,
            Err(error) => {
                Snapshot { notice: Some(Notice::error(error.to_string())), ..before.clone() }
            }
        });
    }
}
