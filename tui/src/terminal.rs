//! The terminal while the screen is up, and the promise to give it back as it was.
//!
//! Raw mode and the alternate screen are entered and left together, in [`enter`] and [`leave`],
//! which may be called any number of times, from any thread. Mouse capture stays off, so that
//! text can be selected as everywhere. Every way out ends in `leave`: [`Screen`]'s drop, the panic
//! hook, and, if the screen's own thread is stuck, the signal watch.

use std::io;
use std::panic::PanicHookInfo;
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{ExecutableCommand, execute};

/// What the process knows of its terminal.
struct State {
    /// The thread that draws, while the screen is up.
    owner: Option<ThreadId>,
    /// What panics of other threads would have printed over the screen.
    held_back: Vec<String>,
}

static STATE: Mutex<State> = Mutex::new(State { owner: None, held_back: Vec::new() });

fn state() -> std::sync::MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the terminal for the calling thread.
pub(crate) fn enter() -> io::Result<()> {
    let mut state = state();
    if state.owner.is_none() {
        enable_raw_mode()?;
        // From here on there is something to undo.
        state.owner = Some(thread::current().id());
        execute!(io::stdout(), EnterAlternateScreen, Hide, EnableBracketedPaste)?;
    }
    Ok(())
}

/// Gives the terminal back. Errors are ignored: if the terminal is gone, there is nobody to tell.
pub(crate) fn leave() {
    let mut state = state();
    if state.owner.take().is_some() {
        let _ = io::stdout().execute(DisableBracketedPaste);
        let _ = io::stdout().execute(LeaveAlternateScreen);
        let _ = io::stdout().execute(Show);
        let _ = disable_raw_mode();
        for message in state.held_back.drain(..) {
            eprintln!("{message}");
        }
    }
}

/// Holds the terminal until it is dropped.
pub(crate) struct Screen(());

impl Screen {
    /// Takes the terminal, and sees to it that a panic gives it back.
    pub fn enter() -> io::Result<Screen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let previous = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                if !hold_back(info) {
                    leave();
                    previous(info);
                }
            }));
        });
        let screen = Screen(());
        enter()?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Keeps the message of a panic on a thread that does not draw until the screen is down: the
/// session goes on, and the message must not ruin the screen nor be lost.
fn hold_back(info: &PanicHookInfo<'_>) -> bool {
    let mut state = state();
    let is_ours = match state.owner {
        Some(owner) => owner == thread::current().id(),
        None => true,
    };
    if !is_ours {
        state.held_back.push(info.to_string());
    }
    !is_ours
}
