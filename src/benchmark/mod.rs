//! CruxEval and benchmarks of its kind: what does a call give, and which call gives this?
//!
//! A [`Benchmark`] is a file of functions with a call and its value each. A model is asked by
//! debugger actions ([`question`], [`answer`]); stored generations of any model are scored as the
//! published harnesses do ([`score`]). Whether an answer is right is found out by running it
//! ([`check`]), never by comparing texts alone.
//!
//! - [`item`]: the files of benchmarks; [`generations`]: the files of generations;
//! - [`task`]: what is asked, and by which action;
//! - [`literal`]: which texts are values;
//! - [`mod@pass`]: the estimate of pass@k;
//! - [`log`] and [`report`]: what is kept of a model's answers, and what it says;
//! - [`lm_eval`]: the items as a task of lm-evaluation-harness.

pub mod answer;
pub mod check;
pub mod generations;
pub mod item;
pub mod literal;
pub mod lm_eval;
pub mod log;
pub mod pass;
mod prelude;
pub mod question;
pub mod report;
pub mod score;
pub mod task;

pub use check::{Checker, Worth};
pub use generations::Generations;
pub use item::{Benchmark, BenchmarkError, Item};
pub use task::{By, Task};
