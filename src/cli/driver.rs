//! What steers a session for the screen: keys and typed lines become moves, and each change of the
//! session a snapshot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;

use lockstep_tui::{Command, Mode as ShownMode, Notice, Page, Snapshot};

use super::checked;
use super::edits;
use super::model::Opening;
use super::orders::Order;
use super::pages::{self, Look, Topic};
use super::saved::Kept;
use super::screen::{Request, Shared};
use super::snapshot::{self, Around};
use crate::action::Action;
use crate::branches::BranchId;
use crate::check::Finding;
use crate::inverse::{Guess, InverseAction};
use crate::multiverse::{BranchError, Multiverse};
use crate::neural::{Neural, Sampling};
use crate::points::{Expression, Found, Hit, Id, Place, Point};
use crate::python::{Evaluated, Path, PythonError};
use crate::session::{Inquiry, Mode, Move, NoInquiry, Session, SessionError, Step};
use crate::state::Text;
use crate::travel::Travel;

/// How often the model is asked what may have come before.
const SAMPLES: u64 = 5;

/// A run and its branches, and what the screen shows beside them.
pub struct Driver {
    runs: Multiverse,
    shared: Arc<Shared>,
    kept: Kept,
    findings: Vec<Finding>,
    notice: Option<Notice>,
    /// What the program asks for, and what can't be done before it is answered.
    asked: Option<(Text, Request)>,
    page: Option<(Topic, Arc<Page>)>,
    /// Counts the requests that were worked off.
    request: u64,
}

impl Driver {
    /// Steers these runs.
    pub fn new(runs: Multiverse, shared: Arc<Shared>, kept: Kept, findings: Vec<Finding>) -> Self {
        let mut notes = Vec::new();
        if !kept.notes.is_empty() {
            notes.push(format!("saved breakpoints: {}", kept.notes.join("; ")));
        }
        match &*findings {
            [] => {}
            [only] => notes.push(checked::line(runs.session().program(), only)),
            [_, ..] => notes.push(format!("{} remarks on the program: :check", findings.len())),
        }
        let notice = (!notes.is_empty()).then(|| Notice::info(notes.join(" · ")));
        Driver { runs, shared, kept, findings, notice, asked: None, page: None, request: 0 }
    }

    fn session(&mut self) -> &mut Session {
        self.runs.session_mut()
    }

    /// Works off the requests until the screen is gone.
    pub fn run(mut self, queue: &Receiver<Request>, model: Option<Opening>) {
        if let Some(opening) = model {
            self.publish(None, Some("the model loads"));
            let attached = opening
                .wait()
                .and_then(|model| Ok(self.session().attach(model)?))
                .map_err(|error| Notice::error(error.to_string()));
            self.notice = attached.err().or(self.notice.take());
        }
        self.shared.cancel_by(self.runs.session().model().map(Neural::canceller));
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
            self.request += 1;
            self.answer(request);
            self.renew_page();
            self.keep();
            self.publish(None, None);
        }
    }

    /// Does what is asked for, and tells what came of it.
    fn answer(&mut self, request: Request) {
        let asked = self.asked.take();
        let done = match request.clone() {
            Request::Key(command) => self.obey(command),
            Request::Line(line, frame) => self.obey_line(&line, frame),
            Request::Input(text) => {
                // Nothing else changes what the program waits for.
                let Some((_, waiting)) = asked else { return };
                return match self.runs.answer(text.as_deref()) {
                    Ok(()) => self.answer(waiting),
                    Err(error) => self.notice = Some(Notice::error(error.to_string())),
                };
            }
        };
        match done {
            Ok(()) => {}
            Err(BranchError::Session(SessionError::Python(PythonError::Waits(wanted)))) => {
                self.asked = Some((wanted.prompt, request));
            }
            Err(BranchError::Session(error)) if error.is_interrupted() => {
                self.inform("interrupted");
            }
            Err(error) => self.notice = Some(Notice::error(error.to_string())),
        }
    }

    /// Shows the page as it is where the session stands now.
    fn renew_page(&mut self) {
        let Some((topic, old)) = self.page.take() else { return };
        let page = match &topic {
            Topic::Parts(look) => match look.page(self.runs.session_mut()) {
                Ok(page) => page,
                // What was there in another state is not here.
                Err(PythonError::NoPart { .. } | PythonError::NoFrame { .. })
                    if !old.title.is_empty() =>
                {
                    None
                }
                Err(error) => {
                    self.notice = Some(Notice::error(error.to_string()));
                    None
                }
            },
            Topic::Branches => Some(pages::branches(&self.runs)),
            Topic::Points => Some(pages::points(self.runs.session())),
            Topic::Findings => Some(pages::findings(&self.findings)),
            Topic::Inferred => Some(Page::clone(&old)),
        };
        self.page = page.map(|page| match *old == page {
            true => (topic, old),
            false => (topic, Arc::new(page)),
        });
    }

    /// Opens a page.
    fn open(&mut self, topic: Topic) {
        self.page = Some((topic, Arc::default()));
    }

    /// Keeps the points for the next time, if they changed.
    fn keep(&mut self) {
        if let Err(why) = self.kept.save(self.runs.session()) {
            self.notice = Some(Notice::error(why));
        }
    }

    fn is_interrupted(&self) -> bool {
        self.shared.interrupted.load(Ordering::Acquire)
    }

    fn inform(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::info(text.into()));
    }

    fn obey(&mut self, command: Command) -> Result<(), BranchError> {
        match command {
            Command::StepInto => self.step(Action::StepInto)?,
            Command::StepOver => self.step(Action::StepOver)?,
            Command::StepReturn => self.step(Action::StepReturn)?,
            Command::Continue => self.forward(Session::next_stop)?,
            Command::RunTo(line) => self.run_to(line)?,
            Command::ToggleBreakpoint(line) => {
                if self.is_statement(line) {
                    self.session().points_mut().toggle_line(line);
                }
            }
            Command::Undo => self.runs.undo()?,
            Command::Restart => self.travel(Travel::First)?,
            Command::Last => self.travel(Travel::Last)?,
            Command::BackInto => self.travel(Travel::BackInto)?,
            Command::BackOver => self.travel(Travel::BackOver)?,
            Command::BackReturn => self.travel(Travel::BackReturn)?,
            Command::BackContinue => {
                let found = self.look(Session::previous_stop)?;
                self.back_to(found, Some("no stop before: this is the first state"))?;
            }
            Command::BackTo(line) => self.back_to_line(line)?,
            Command::NextDivergence => self.next_divergence()?,
            Command::PreviousDivergence => self.previous_divergence()?,
            Command::SetMode(ShownMode::Follow) => self.session().set_mode(Mode::Follow)?,
            Command::SetMode(ShownMode::Free) => self.session().set_mode(Mode::Free)?,
            Command::Resync => self.session().resync()?,
            Command::Inspect(frame) => self.inspect(frame, Path::frame()),
            Command::Branches => self.open(Topic::Branches),
            Command::Open(place) => self.follow(place)?,
            Command::Up => {
                self.page = match self.page.take() {
                    Some((Topic::Parts(look), page)) => {
                        look.whole().map(|whole| (Topic::Parts(whole), page))
                    }
                    _ => None,
                }
            }
            Command::More => {
                self.page = self.page.take().map(|(topic, page)| match topic {
                    Topic::Parts(look) => (Topic::Parts(look.more()), page),
                    topic => (topic, page),
                })
            }
            Command::Close => self.page = None,
            Command::Interrupt => {}
        }
        Ok(())
    }

    /// Follows the item at this place of the page.
    fn follow(&mut self, place: usize) -> Result<(), BranchError> {
        match self.page.take() {
            Some((Topic::Parts(look), page)) => {
                self.page = Some((Topic::Parts(look.part(place, &page)), page));
                Ok(())
            }
            Some((Topic::Branches, _)) => self.runs.switch(place),
            _ => Ok(()),
        }
    }

    fn inspect(&mut self, frame: usize, path: Path) {
        match self.session().index() {
            Some(_) => self.open(Topic::Parts(Look::into(frame, path))),
            None => self.inform("the run is over: there is nothing to look into"),
        }
    }

    fn back_to_line(&mut self, line: u32) -> Result<(), SessionError> {
        if !self.is_statement(line) {
            return Ok(());
        }
        match self.look(|session| session.previous_at_line(line))? {
            Found::Nothing => self.inform(format!("line {line} was not run before this state")),
            found => self.back_to(found, None)?,
        }
        Ok(())
    }

    /// Does what was typed.
    fn obey_line(&mut self, line: &str, frame: usize) -> Result<(), BranchError> {
        let order = match line.parse::<Order>() {
            Ok(order) => order,
            Err(error) => {
                self.notice = Some(Notice::error(error.to_string()));
                return Ok(());
            }
        };
        match order {
            Order::Set(point) => self.set(point)?,
            Order::List => self.open(Topic::Points),
            Order::Clear(id) => match self.session().points_mut().remove(id) {
                Some(point) => self.inform(format!("cleared {id} ({point})")),
                None => self.no_point(id),
            },
            Order::ClearAll => self.session().points_mut().clear(),
            Order::Switch(id, power) => {
                if !self.session().points_mut().switch(id, power) {
                    self.no_point(id);
                }
            }
            Order::Watch(expression) => match self.session().refuses(&expression)? {
                Some(why) => self.notice = Some(Notice::error(format!("{expression}: {why}"))),
                None => self.session().points_mut().watch(expression),
            },
            Order::Unwatch(expression) => {
                if !self.session().points_mut().unwatch(&expression) {
                    self.inform(format!("`{expression}` is not watched"));
                }
            }
            Order::Goto(index) => self.travel(Travel::Event(index))?,
            Order::RunTo(line) => self.run_to(line)?,
            Order::Print(expression) => self.print(&expression, frame)?,
            Order::Assign(name, value) => self.assign(frame, &name, &value)?,
            Order::Branches => self.open(Topic::Branches),
            Order::Branch(number) => self.runs.switch(number)?,
            Order::Input(number, text) => {
                self.publish(None, Some("the branch runs"));
                self.runs.answer_otherwise(number, edits::read(&text).as_deref())?;
            }
            Order::Inspect(path) => self.inspect(frame, path),
            Order::Findings => self.open(Topic::Findings),
            Order::Infer(action) => self.infer(action)?,
            Order::Guess(name, value) => self.guess(&name, &value)?,
        }
        Ok(())
    }

    fn set(&mut self, point: Point) -> Result<(), SessionError> {
        if let Err(error) = point.place.check(self.session().program()) {
            self.notice = Some(Notice::error(error.to_string()));
            return Ok(());
        }
        for expression in point.expressions() {
            if let Some(why) = self.session().refuses(expression)? {
                self.notice = Some(Notice::error(format!("{expression}: {why}")));
                return Ok(());
            }
        }
        let shown = point.to_string();
        let id = self.session().points_mut().add(point);
        self.inform(format!("{id} ({shown})"));
        Ok(())
    }

    /// Changes a variable in a branch of the run, and goes there.
    fn assign(&mut self, frame: usize, name: &str, value: &str) -> Result<(), BranchError> {
        self.publish(None, Some("the branch runs"));
        self.runs.set(frame, name, value)?;
        Ok(())
    }

    /// Asks the model what may have come before the state where the program stands.
    fn infer(&mut self, action: InverseAction) -> Result<(), SessionError> {
        self.publish(None, Some("the model thinks, and the program runs"));
        let inquiry = self.session().infer(action, Sampling::default(), SAMPLES)?;
        self.show_inquiry(inquiry);
        Ok(())
    }

    /// Checks a guess at what came before.
    fn guess(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        self.publish(None, Some("the program runs"));
        let guess = Guess::variable(name, value);
        let inquiry = self.session().check_guess(InverseAction::StepInto, &guess)?;
        self.show_inquiry(inquiry);
        Ok(())
    }

    fn show_inquiry(&mut self, inquiry: Result<Inquiry, NoInquiry>) {
        match inquiry {
            Ok(inquiry) => {
                self.page = Some((Topic::Inferred, Arc::new(pages::inferred(&inquiry))));
            }
            Err(why) => self.inform(why.to_string()),
        }
    }

    fn no_point(&mut self, id: Id) {
        self.notice = Some(Notice::error(format!("there is no {id}; :b lists what there is")));
    }

    fn print(&mut self, expression: &Expression, frame: usize) -> Result<(), SessionError> {
        let Some(at) = self.session().index() else {
            self.inform("the run is over: there is nothing to evaluate in");
            return Ok(());
        };
        self.publish(None, Some("Python evaluates"));
        let inspector = self.session().inspector();
        let value = inspector.evaluate(at, frame, expression.as_str())?;
        let written = inspector.written_text();
        let printed = match written.trim_end() {
            "" => String::new(),
            written => format!("{written} · "),
        };
        self.notice = Some(match value {
            Evaluated::Value { text, .. } => {
                Notice::info(format!("{printed}{expression} = {text}"))
            }
            other => Notice::error(format!("{printed}{expression}: {other}")),
        });
        Ok(())
    }

    /// Looks for a stop, showing that the program runs for it.
    fn look(
        &mut self,
        find: impl FnOnce(&mut Session) -> Result<Found, SessionError>,
    ) -> Result<Found, SessionError> {
        self.publish(None, Some("the program runs"));
        find(self.runs.session_mut())
    }

    /// To the stop that is found ahead, or else to the end.
    fn forward(
        &mut self,
        find: impl FnOnce(&mut Session) -> Result<Found, SessionError>,
    ) -> Result<(), SessionError> {
        if self.session().index().is_none() {
            return self.step(Action::Continue);
        }
        match self.look(find)? {
            Found::Hit(hit) => {
                let action = self.session().approach(hit.at)?;
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
        if !self.session().travel(travel)? {
            self.inform(match travel {
                Travel::BackReturn => "this frame begins here: N and [s go on back",
                _ => "this is the first state",
            });
        }
        Ok(())
    }

    /// Takes an action, showing the real side before the model has answered.
    fn step(&mut self, action: Action) -> Result<(), SessionError> {
        if self.session().index().is_none() {
            self.notice = Some(Notice::info("the run is over: N goes back, R starts again"));
            return Ok(());
        }
        self.publish(None, Some("the program runs"));
        let Some(found) = self.session().look(action)? else {
            let why = "not available here: this frame returns already; use n or s";
            self.notice = Some(Notice::info(why));
            return Ok(());
        };
        if self.session().model().is_some() {
            self.publish(Some(&found), Some("the model thinks"));
        }
        self.session().make(found)?;
        Ok(())
    }

    fn next_divergence(&mut self) -> Result<(), SessionError> {
        if self.session().model().is_none() {
            self.notice = Some(Notice::info("no model: there is nothing to compare"));
            return Ok(());
        }
        while self.session().index().is_some() && !self.is_interrupted() {
            self.step(Action::StepInto)?;
            if self.session().steps().last().is_some_and(Step::diverged) {
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
        let session = self.runs.session();
        let steps = session.steps();
        let is_last = session.arrived_by().is_some();
        let before = steps.len().saturating_sub(usize::from(is_last));
        match steps[..before].iter().rposition(Step::diverged) {
            Some(found) => self.session().back_to_step(found + 1),
            None => {
                self.notice = Some(Notice::info("no divergence before this one"));
                Ok(())
            }
        }
    }

    /// Whether the program can stop at a line; tells the user if it can't.
    fn is_statement(&mut self, line: u32) -> bool {
        let is_one = self.session().program().statement(line).is_some();
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
        let snapshot = snapshot::of(self.runs.session_mut(), around);
        let branch = match self.runs.branches().current() {
            BranchId::ORIGINAL => None,
            id => Some(Text::from(format!("branch {id}: {}", self.runs.branches().here().label))),
        };
        let asks = self.asked.as_ref().map(|(prompt, _)| prompt.clone());
        let page = self.page.as_ref().map(|(_, page)| page.clone());
        let (request, can_undo) = (self.request, self.runs.can_undo());
        let snapshot =
            snapshot.map(|snapshot| Snapshot { branch, asks, page, request, can_undo, ..snapshot });
        self.shared.show(|before| match snapshot {
            Ok(snapshot) => snapshot,
            Err(error) => {
                Snapshot { notice: Some(Notice::error(error.to_string())), ..before.clone() }
            }
        });
    }
}
