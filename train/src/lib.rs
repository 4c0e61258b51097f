//! Trains a small neural debugger from scratch and writes it as GGUF.
//!
//! A [`dataset`] of trajectories becomes tokens ([`tokenizer`], [`marks`]) and [`batches`]; a
//! [`learner`] changes a [`model`] with them; a [`run`] does that as a [`recipe`] says, keeps
//! checkpoints and looks how many states are predicted exactly ([`evaluate`]); [`gguf`] writes what
//! came out for llama.cpp. README.md beside this crate tells how to use it.

pub mod batches;
pub mod checkpoint;
pub mod dataset;
pub mod error;
pub mod evaluate;
pub mod gguf;
pub mod kernels;
pub mod learner;
pub mod marks;
pub mod model;
pub mod optimizer;
pub mod progress;
pub mod recipe;
pub mod run;
pub mod stored;
pub mod tokenizer;
