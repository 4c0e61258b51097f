//! What the screen drives: the seam between it and the rest of the program.

use std::fmt;
use std::sync::Arc;

use crate::snapshot::{Mode, Snapshot};

/// What the user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// To the next state.
    StepInto,
    /// To the next state on this level, or one level up.
    StepOver,
    /// To the return of this function.
    StepReturn,
    /// To the next breakpoint, or to the end.
    Continue,
    /// To the next state at this line (1-based), or to the end.
    RunTo(u32),
    /// Set a breakpoint at this line (1-based), or take it away.
    ToggleBreakpoint(u32),
    /// Undo the last action.
    Undo,
    /// Back to the state before.
    BackInto,
    /// Back to the state before on this level, or one level up.
    BackOver,
    /// Back to the call of this function.
    BackReturn,
    /// Back to the breakpoint before, or to the first state.
    BackContinue,
    /// Back to the last state before at this line (1-based).
    BackTo(u32),
    /// To the last state, before the end.
    Last,
    /// Step until the two sides differ.
    NextDivergence,
    /// Back to where the two sides last differed.
    PreviousDivergence,
    /// What the model's context shall hold from here on.
    SetMode(Mode),
    /// Put what really happened into the model's context, once.
    Resync,
    /// Back to the first state.
    Restart,
    /// A page of the variables of a frame: 0 is where the program stands, 1 its caller.
    Inspect(usize),
    /// A page of the branches of this run.
    Branches,
    /// Follow the item at this place of the page, counted from 0.
    Open(usize),
    /// Back to the page from which this one was opened.
    Up,
    /// The same page with more of its items.
    More,
    /// The page is done with: later snapshots bring none.
    Close,
    /// Stop what is running, and forget what is queued.
    Interrupt,
}

/// A session that the screen shows and steers.
///
/// All methods are called on the screen's thread and must return at once; work belongs on other
/// threads. Commands arrive faster than they can be done when a key is held: queue them.
pub trait Debuggee {
    /// The newest state of the session.
    fn snapshot(&self) -> Arc<Snapshot>;

    /// Takes a command; what comes of it shows in later snapshots.
    fn send(&self, command: Command);

    /// Takes a line that was typed at the prompt, without its colon. `frame` is the selected frame:
    /// 0 is where the program stands, 1 its caller. What comes of it shows in later snapshots.
    fn enter(&self, line: &str, frame: usize);

    /// Takes the answer to what the program asks (see [`Snapshot::asks`]): a line without its
    /// newline, perhaps empty, or none for the end of the input. Later snapshots ask no longer, or
    /// for the next line.
    fn answer(&self, text: Option<&str>);

    /// Called once, before anything else: wake the screen whenever a new snapshot is there.
    fn on_change(&self, waker: Waker);
}

/// Tells the screen that there is a new snapshot. Cheap, callable from any thread, any number of
/// times.
#[derive(Clone)]
pub struct Waker(Arc<dyn Fn() + Send + Sync>);

impl Waker {
    /// A waker that calls `wake`.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Waker(Arc::new(wake))
    }

    /// Asks the screen to fetch a snapshot.
    pub fn wake(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Waker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Waker")
    }
}
