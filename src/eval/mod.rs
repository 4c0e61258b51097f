//! Evaluations: a model over a corpus, step by step into a log, and what the log says.
//!
//! A [`Corpus`] is walked program by program ([`Walker`]); each step becomes a line of a [`log`]
//! that is the one source of everything reported. [`metrics`] reads logs as streams, [`statistics`]
//! knows how sure a number is, and [`compare`] sets two logs side by side.

mod asides;
mod backward;
mod bins;
pub mod bootstrap;
pub mod calibration;
pub mod compare;
mod construct;
pub mod corpus;
pub mod jumps;
pub mod log;
pub mod merge;
pub mod metrics;
pub mod ranking;
pub mod recipe;
pub mod record;
pub mod report;
mod reval;
mod samples;
pub mod statistics;
pub mod tables;
mod value_type;
mod walk;

pub use construct::{Construct, constructs};
pub use corpus::{Corpus, CorpusError, Item};
pub use recipe::{Direction, Policy, Recipe};
pub use value_type::ValueType;
pub use walk::{WalkError, Walker};
