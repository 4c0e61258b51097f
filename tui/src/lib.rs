//! The screen of Lockstep, a differential debugger: the real run of a program and a model's
//! predictions of it, side by side in a terminal.
//!
//! This crate knows no Python and no models. It draws a [`Snapshot`], plain data, and turns keys
//! into [`Command`]s; whoever embeds it implements [`Debuggee`]:
//!
//! ```no_run
//! use std::sync::{Arc, Mutex};
//! use lockstep_tui::{Command, Debuggee, Frame, Real, Snapshot, Theme, Waker};
//!
//! /// Steps through a program that does nothing.
//! struct Idle(Mutex<Snapshot>, Mutex<Option<Waker>>);
//!
//! impl Debuggee for Idle {
//!     fn snapshot(&self) -> Arc<Snapshot> {
//!         Arc::new(self.0.lock().unwrap().clone())
//!     }
//!     fn send(&self, command: Command) {
//!         if command == Command::StepOver {
//!             let mut now = self.0.lock().unwrap();
//!             now.step += 1;
//!             let main = Frame { function: "main".into(), line: 1, locals: Arc::new([]) };
//!             now.real = Real::At { event: "line".into(), stack: Arc::new([main]) };
//!         }
//!         if let Some(waker) = &*self.1.lock().unwrap() {
//!             waker.wake();
//!         }
//!     }
//!     fn enter(&self, _line: &str, _frame: usize) {}
//!     fn answer(&self, _text: Option<&str>) {}
//!     fn on_change(&self, waker: Waker) {
//!         *self.1.lock().unwrap() = Some(waker);
//!     }
//! }
//!
//! let start = Snapshot { source: Arc::new(["pass".into()]), ..Snapshot::default() };
//! let idle = Idle(Mutex::new(start), Mutex::new(None));
//! lockstep_tui::run(&idle, Theme::from_environment())?;
//! # Ok::<(), lockstep_tui::Error>(())
//! ```
//!
//! Inside, it is one model, one message type, one function that updates the one by the other, and
//! one that draws it. `cargo run -p lockstep-tui --example demo` shows a canned session.

mod browse;
mod debuggee;
mod difference;
mod keys;
mod layout;
mod model;
mod page;
mod run;
mod signals;
#[cfg(test)]
mod situations;
mod snapshot;
mod terminal;
mod text;
mod theme;
mod update;
mod view;

pub use debuggee::{Command, Debuggee, Waker};
pub use page::{Item, Page};
pub use run::{Ended, Error, run};
pub use snapshot::{
    Breakpoint, Field, Frame, Level, Mode, Notice, Prediction, Real, Row, Snapshot, Tally, Text,
    Verdict,
};
pub use text::{Piece, clean, cut, excerpts};
pub use theme::Theme;
