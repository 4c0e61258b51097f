//! Signals while the screen is up.
//!
//! Signals that ask the process to end become events, so that the screen's thread leaves the usual
//! way. Should that thread be stuck, the watch gives the terminal back itself and ends the process
//! as the signal would have. Outside the screen the signals do what they always did.

use std::io;
use std::os::raw::c_int;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, kill_current_process_group};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::{flag, low_level};

use crate::terminal;

/// Signals that end the process.
const ENDING: [c_int; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// How long the screen's thread may take to leave after a signal.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether no screen is up. Handlers once installed stay; this makes them do the default then.
static IS_DOWN: AtomicBool = AtomicBool::new(true);

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// End, because of this signal.
    End(c_int),
    /// Stop until continued.
    Suspend,
    /// The process was continued.
    Resumed,
}

/// Watches for signals until it is dropped.
pub(crate) struct Watch {
    handle: Handle,
    /// Dropped with the watch, which tells the thread that the screen is down.
    _up: Sender<()>,
}

impl Watch {
    /// Reports every signal to `report`, on a thread of its own.
    pub fn start(report: impl Fn(Asked) + Send + 'static) -> io::Result<Watch> {
        install_defaults()?;
        let mut signals = Signals::new(ENDING.iter().chain(&[SIGTSTP, SIGCONT]))?;
        let handle = signals.handle();
        let (up, down) = mpsc::channel::<()>();
        thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                match signal {
                    SIGTSTP => report(Asked::Suspend),
                    SIGCONT => report(Asked::Resumed),
                    signal => {
                        report(Asked::End(signal));
                        if down.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                            terminal::leave();
                            let _ = low_level::emulate_default_handler(signal);
                        }
                    }
                }
            }
        })?;
        IS_DOWN.store(false, Ordering::SeqCst);
        Ok(Watch { handle, _up: up })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        IS_DOWN.store(true, Ordering::SeqCst);
        self.handle.close();
    }
}

/// Makes every signal do its default while no screen is up. Once for the whole process.
fn install_defaults() -> io::Result<()> {
    static INSTALLED: Mutex<bool> = Mutex::new(false);
    let mut installed = INSTALLED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !*installed {
        for signal in ENDING.into_iter().chain([SIGTSTP]) {
            flag::register_conditional_default(signal, &IS_DOWN)?;
        }
        *installed = true;
    }
    Ok(())
}

/// Stops the whole job, as Ctrl-Z does where no program reads it: a shell that waits for a
/// parent of this process must see it stop, too.
pub(crate) fn suspend() -> io::Result<()> {
    Ok(kill_current_process_group(Signal::STOP)?)
}
