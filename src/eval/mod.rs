//! Evaluations: a model over a corpus, step by step into a log, and what the log says.
//!
//! A [`Corpus`] is walked program by program ([`Walker`]); each step becomes a line of a [`log`]
//! that is the one source of everything reported. [`metrics`] reads logs as streams, [`statistics`]
//! knows how sure a number is, and [`compare`] sets two logs side by side. An [`Evaluator`] takes
//! from a [`cache`] what was walked before; a [`worker`] answers line by line instead of writing a
//! log, and [`merge`] makes one log of the parts or of the answers.

mod asides;
mod backward;
mod bins;
pub mod bootstrap;
pub mod cache;
pub mod calibration;
pub mod compare;
mod construct;
pub mod corpus;
mod evaluator;
pub mod jumps;
pub mod lines;
pub mod log;
pub mod merge;
pub mod metrics;
pub mod number;
pub mod ranking;
pub mod recipe;
pub mod record;
pub mod report;
mod reval;
pub(crate) mod samples;
pub mod shard;
pub mod statistics;
pub mod tables;
mod value_type;
mod walk;
pub mod worker;

pub use cache::{Cache, CacheError};
pub use construct::{Construct, constructs};
pub use corpus::{Corpus, CorpusError, Item};
pub use evaluator::{Evaluated, Evaluator};
pub use recipe::{Direction, Policy, Recipe};
pub use value_type::ValueType;
pub use walk::{WalkError, Walker};
