//! The host's end of the pipe: collects messages into batches and sends them.
//!
//! A batch leaves when it is large, when the first event of a run is in it, and at every beat of
//! the host's pulse, so that nobody waits for an event that has happened. When the pipe is full the
//! writer blocks, which is what holds the program back from running far ahead of its reader.

use std::io::Stdout;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::wire::{self, Message};
use crate::state::ExitKind;

/// A batch of this many bytes is sent.
const BATCH: usize = 32 * 1024;

/// Messages that wait to be sent.
pub struct Outbox {
    batch: Vec<u8>,
    pipe: Stdout,
    any_event_sent: bool,
}

/// The process's one outbox.
pub fn outbox() -> MutexGuard<'static, Outbox> {
    static OUTBOX: OnceLock<Mutex<Outbox>> = OnceLock::new();
    let outbox = OUTBOX.get_or_init(|| {
        Mutex::new(Outbox { batch: Vec::new(), pipe: std::io::stdout(), any_event_sent: false })
    });
    // A panic while it was locked leaves whole messages behind: they are appended at once.
    outbox.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outbox {
    /// Adds a message.
    pub fn push(&mut self, message: &Message) {
        if wire::append(&mut self.batch, message).is_err() {
            give_up();
        }
        self.send_if_large();
    }

    /// Adds an event and what belongs to it, encoded already.
    pub fn push_event(&mut self, encoded: &[u8]) {
        self.batch.extend_from_slice(encoded);
        if !self.any_event_sent {
            self.any_event_sent = true;
            self.flush();
        }
        self.send_if_large();
    }

    fn send_if_large(&mut self) {
        if self.batch.len() >= BATCH {
            self.flush();
        }
    }

    /// Sends what waits.
    pub fn flush(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        if wire::write_frame(&mut self.pipe, &self.batch).is_err() {
            give_up();
        }
        self.batch.clear();
    }

    /// Sends the last message, and ends the process. The interpreter is not taken down: that would
    /// run the program's finalizers, outside of every limit.
    pub fn finish(&mut self, last: &Message) -> ! {
        self.push(last);
        self.flush();
        std::process::exit(0)
    }
}

/// Ends the run in a stopped state.
pub fn stop(reason: &str) -> ! {
    let exit = Message::Exit { kind: ExitKind::Stopped, exception: None, reason: Some(reason) };
    outbox().finish(&exit)
}

/// Nobody reads any more: the parent is gone or killed this run.
fn give_up() -> ! {
    std::process::exit(1)
}
