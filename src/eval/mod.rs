//! Evaluations: a model over a corpus, step by step into a log, and what the log says.
//!
//! A [`Corpus`] is walked program by program ([`Walker`]); each step becomes a line of a [`log`]
//! that is the one source of everything reported. [`metrics`] reads logs as streams, [`statistics`]
//! knows how sure a number is, and [`compare`] sets two logs side by side.

pub mod compare;
mod construct;
pub mod corpus;
pub mod log;
pub mod merge;
pub mod metrics;
pub mod recipe;
pub mod record;
pub mod report;
pub mod statistics;
mod value_type;
mod walk;

pub use construct::{Construct, constructs};
pub use corpus::{Corpus, CorpusError, Item};
pub use recipe::{Policy, Recipe};
pub use value_type::ValueType;
pub use walk::{WalkError, Walker};
