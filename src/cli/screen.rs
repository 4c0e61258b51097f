//! The full screen of `lockstep debug`: a session on a thread of its own, shown and steered by
//! lockstep-tui. Keys become commands in a queue; each change of the session becomes a snapshot.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use lockstep_tui::{Command, Debuggee, Ended, Mode as ShownMode, Notice, Snapshot, Theme, Waker};

use super::model::Opening;
use super::snapshot::{self, Around};
use super::{CommandError, Done};
use crate::action::Action;
use crate::session::{Mode, Move, Session, SessionError, Step};
use crate::state::Text;

/// A model that is open within this time is there before the screen, and one that can't be opened
/// is told on the plain terminal. A larger one loads while the screen is up.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows the session until the user quits.
pub fn run(
    mut session: Session,
    breakpoints: &[u32],
    model: Option<Opening>,
) -> Result<Done, CommandError> {
    let model = match model.map(|opening| opening.wait_for(PATIENCE)) {
        None => None,
        Some(Err(opening)) => Some(opening),
        Some(Ok(opened)) => {
            session.attach(opened?)?;
            None
        }
    };
    let (commands, queue) = mpsc::channel();
    let shared = Arc::new(Shared::default());
    session.interrupt_by(shared.interrupted.clone());
    let driver = Driver {
        session,
        shared: shared.clone(),
        breakpoints: breakpoints.iter().copied().collect(),
        notice: None,
    };
    let remote = Remote { shared: shared.clone(), commands };
    let worker = thread::Builder::new()
        .name("session".to_owned())
        .spawn(move || driver.run(&queue, model))
        .map_err(CommandError::from)?;
    let ended = lockstep_tui::run(&remote, Theme::from_environment());
    shared.interrupted.store(true, Ordering::Release);
    drop(remote);
    // A worker in the middle of a long step ends with the process.
    if worker.is_finished() {
        let _ = worker.join();
    }
    match ended {
        Ok(Ended::Quit) => Ok(Done::Yes),
        Ok(Ended::Signal(_)) => Ok(Done::Partial),
        Err(error) => Err(CommandError::user(error)),
    }
}

/// What both threads see.
#[derive(Default)]
struct Shared {
    snapshot: Mutex<Arc<Snapshot>>,
    waker: Mutex<Option<Waker>>,
    interrupted: Arc<AtomicBool>,
}

/// The screen's end.
struct Remote {
    shared: Arc<Shared>,
    commands: Sender<Command>,
}

impl Debuggee for Remote {
    fn snapshot(&self) -> Arc<Snapshot> {
        self.shared.snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn send(&self, command: Command) {
        if command == Command::Interrupt {
            self.shared.interrupted.store(true, Ordering::Release);
        }
        // Nobody takes commands once the worker has failed; the last snapshot says why.
        let _ = self.commands.send(command);
    }

    fn on_change(&self, waker: Waker) {
        *self.shared.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
    }
}

/// The session's end.
struct Driver {
    session: Session,
    shared: Arc<Shared>,
    breakpoints: BTreeSet<u32>,
    notice: Option<Notice>,
}

impl Driver {
    /// Works off the commands until the screen is gone.
    fn run(mut self, queue: &Receiver<Command>, model: Option<Opening>) {
        if let Some(opening) = model {
            self.publish(None, Some("the model loads"));
            let attached = opening
                .wait()
                .and_then(|model| Ok(self.session.attach(model)?))
                .map_err(|error| Notice::error(format!("no model: {error}")));
            self.notice = attached.err();
        }
        self.publish(None, None);
        while let Ok(command) = queue.recv() {
            if command == Command::Interrupt {
                // All that was asked before the interrupt is done or dropped by now.
                self.shared.interrupted.store(false, Ordering::Release);
                self.publish(None, None);
                continue;
            }
            if self.is_interrupted() {
                continue;
            }
            self.notice = None;
            if let Err(error) = self.obey(command) {
                self.notice = Some(match error.is_interrupted() {
                    true => Notice::info("interrupted"),
                    false => Notice::error(error.to_string()),
                });
            }
            self.publish(None, None);
        }
    }

    fn is_interrupted(&self) -> bool {
        self.shared.interrupted.load(Ordering::Acquire)
    }

    fn obey(&mut self, command: Command) -> Result<(), SessionError> {
        match command {
            Command::StepInto => self.step(Action::StepInto),
            Command::StepOver => self.step(Action::StepOver),
            Command::StepReturn => self.step(Action::StepReturn),
            Command::Continue => {
                let lines: Vec<Text> = self
                    .breakpoints
                    .iter()
                    .map(|&line| self.session.program().line(line))
                    .collect();
                let action = self.session.first_reached(&lines)?;
                self.step(action)
            }
            Command::RunTo(line) => match self.statement(line) {
                Some(text) => self.step(Action::Breakpoint(text)),
                None => Ok(()),
            },
            Command::ToggleBreakpoint(line) => {
                if !self.breakpoints.remove(&line) && self.statement(line).is_some() {
                    self.breakpoints.insert(line);
                }
                Ok(())
            }
            Command::Back => self.session.back(1),
            Command::Restart => self.session.back(usize::MAX),
            Command::NextDivergence => self.next_divergence(),
            Command::PreviousDivergence => self.previous_divergence(),
            Command::SetMode(ShownMode::Follow) => self.session.set_mode(Mode::Follow),
            Command::SetMode(ShownMode::Free) => self.session.set_mode(Mode::Free),
            Command::Resync => self.session.resync(),
            Command::Interrupt => Ok(()),
        }
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
        let before = steps.len().saturating_sub(1);
        match steps[..before].iter().rposition(Step::diverged) {
            Some(found) => self.session.back(steps.len() - 1 - found),
            None => {
                self.notice = Some(Notice::info("no divergence before this one"));
                Ok(())
            }
        }
    }

    /// The text of a line that can be stopped at; tells the user if it can't.
    fn statement(&mut self, line: u32) -> Option<Text> {
        let statement = self.session.program().statement(line);
        if statement.is_none() {
            self.notice = Some(Notice::info(format!("line {line} holds no statement to stop at")));
        }
        statement
    }

    /// Gives the screen a new snapshot: of the session, or of a move whose prediction is still to
    /// come.
    fn publish(&mut self, coming: Option<&Move>, running: Option<&str>) {
        let around = Around {
            breakpoints: &self.breakpoints,
            notice: self.notice.clone(),
            running,
            coming: coming.map(|found| (&found.real, found.action.name(), found.index())),
        };
        let snapshot = snapshot::of(&mut self.session, around);
        let mut shown = self.shared.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        *shown = Arc::new(match snapshot {
            Ok(snapshot) => snapshot,
            Err(error) => {
                let notice = Some(Notice::error(error.to_string()));
                Snapshot { notice, ..(**shown).clone() }
            }
        });
        drop(shown);
        if let Some(waker) = &*self.shared.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            waker.wake();
        }
    }
}
