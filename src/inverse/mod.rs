//! Inverse execution: from a state back to the states that may have come before it (spec, sections
//! 1.5 and 2).
//!
//! Going back is no function: many states lead to one. So the model is asked for plausible
//! predecessors, and nothing here replays a recording, as stepping back in the debugger does. What
//! is recorded serves twice: the reversed recording is what a model learns from and what its
//! context holds ([`Walk`]), and running the program forward from a predicted predecessor tells
//! whether it is one.
//!
//! - [`tree`]: the inverse tree and the moves on it;
//! - [`state`]: what an inverse state says, and which of a frame's variables it tells;
//! - [`policy`]: which action comes next when no person chooses;
//! - [`mod@context`]: the part of a program that a model is shown;
//! - [`walk`]: the reversed recording of one call, step by step;
//! - [`question`]: what a model is asked, with all that is told it; [`guess`]: a person's answer;
//! - [`check`]: what an answer is worth, found out by running forward; [`literal`]: its values.

pub mod action;
pub mod check;
pub mod context;
pub mod guess;
pub mod literal;
pub mod policy;
pub mod question;
pub mod state;
pub mod tree;
pub mod walk;

pub use action::InverseAction;
pub use check::{Checker, Given, Verdict};
pub use context::context;
pub use guess::Guess;
pub use policy::InverseChooser;
pub use question::{Beginning, NoQuestion, Question};
pub use state::{InverseEvent, InverseState, InverseStop, Told, Visited};
pub use tree::{NoSpan, Node, Span, Target};
pub use walk::{Run, Trajectory, Walk};
