//! The full screen of `lockstep debug`: a session on a thread of its own, shown and steered by
//! lockstep-tui. Keys become commands in a queue; each change of the session becomes a snapshot.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lockstep_tui::{Command, Debuggee, Ended, Snapshot, Theme, Waker};

use super::driver::Driver;
use super::model::Opening;
use super::saved::Kept;
use super::{CommandError, Done};
use crate::check::Finding;
use crate::multiverse::Multiverse;
use crate::neural::Canceller;
use crate::session::Session;

/// A model that is open within this time is there before the screen, and one that can't be opened
/// is told on the plain terminal. A larger one loads while the screen is up.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long a worker is waited for at the end.
const GOODBYE: Duration = Duration::from_secs(1);

/// Shows the session until the user quits.
pub fn run(
    mut session: Session,
    kept: Kept,
    findings: Vec<Finding>,
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
    let runs = Multiverse::new(session, shared.interrupted.clone());
    let mut driver = Driver::new(runs, shared.clone(), kept, findings);
    // The screen never shows an empty moment.
    driver.publish(None, None);
    let remote = Remote { shared: shared.clone(), commands };
    let worker = thread::Builder::new()
        .name("session".to_owned())
        .spawn(move || driver.run(&queue, model))
        .map_err(CommandError::from)?;
    let ended = lockstep_tui::run(&remote, Theme::from_environment());
    shared.interrupted.store(true, Ordering::Release);
    if let Some(canceller) = &*lock(&shared.canceller) {
        canceller.cancel();
    }
    drop(remote);
    // The process must not take llama.cpp down while it computes. A worker that takes longer than
    // this ends with the process.
    let left = Instant::now();
    while !worker.is_finished() && left.elapsed() < GOODBYE {
        thread::sleep(Duration::from_millis(2));
    }
    if worker.is_finished() {
        let _ = worker.join();
    }
    match ended {
        Ok(Ended::Quit) => Ok(Done::Yes),
        Ok(Ended::Signal(_)) => Ok(Done::Partial),
        Err(error) => Err(CommandError::user(error)),
    }
}

/// What the user asks for.
#[derive(Clone, Debug)]
pub enum Request {
    /// By a key.
    Key(Command),
    /// By a typed line, for a frame: 0 is the innermost.
    Line(String, usize),
    /// By a line of input for the program; none is its end.
    Input(Option<String>),
}

/// What both threads see.
#[derive(Default)]
pub struct Shared {
    snapshot: Mutex<Arc<Snapshot>>,
    waker: Mutex<Option<Waker>>,
    /// Whether all that was asked so far shall end or be dropped.
    pub interrupted: Arc<AtomicBool>,
    /// Stops the model's thinking, once there is a model.
    canceller: Mutex<Option<Canceller>>,
}

impl Shared {
    /// Shows the snapshot that `next` makes of the one before.
    pub fn show(&self, next: impl FnOnce(&Snapshot) -> Snapshot) {
        let mut shown = lock(&self.snapshot);
        *shown = Arc::new(next(&shown));
        drop(shown);
        if let Some(waker) = &*lock(&self.waker) {
            waker.wake();
        }
    }

    /// Lets an interrupt stop this model's thinking, too.
    pub fn cancel_by(&self, canceller: Option<Canceller>) {
        *lock(&self.canceller) = canceller;
    }
}

/// What a lock guards here is replaced as a whole, so that a panic elsewhere can't leave half of it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The screen's end.
struct Remote {
    shared: Arc<Shared>,
    commands: Sender<Request>,
}

impl Debuggee for Remote {
    fn snapshot(&self) -> Arc<Snapshot> {
        lock(&self.shared.snapshot).clone()
    }

    fn send(&self, command: Command) {
        if command == Command::Interrupt {
            self.shared.interrupted.store(true, Ordering::Release);
            if let Some(canceller) = &*lock(&self.shared.canceller) {
                canceller.cancel();
            }
        }
        // Nobody takes commands once the worker has failed; the last snapshot says why.
        let _ = self.commands.send(Request::Key(command));
    }

    fn enter(&self, line: &str, frame: usize) {
        let _ = self.commands.send(Request::Line(line.to_owned(), frame));
    }

    fn answer(&self, text: Option<&str>) {
        let _ = self.commands.send(Request::Input(text.map(str::to_owned)));
    }

    fn on_change(&self, waker: Waker) {
        *lock(&self.shared.waker) = Some(waker);
    }
}
