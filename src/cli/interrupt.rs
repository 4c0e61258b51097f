//! Ctrl-C and SIGTERM while a transcript is printed: the step at hand is finished, the summary
//! printed, and the exit code says "partial". A second one ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

/// Whether somebody asked this process to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub fn listen() -> std::io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for &signal in TERM_SIGNALS {
            // In this order: what is set by the first signal makes the second one deadly.
            flag::register_conditional_shutdown(signal, 128 + signal, asked.clone())?;
            flag::register(signal, asked.clone())?;
        }
        Ok(Interrupt(asked))
    }

    /// What is set when it was asked, for those who wait elsewhere.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Whether it was asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
