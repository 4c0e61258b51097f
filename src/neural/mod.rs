//! The model side: models, engines that run them, dialects they speak, and the debugger over them.
//!
//! A [`Model`] is loaded from a GGUF file; a [`NeuralDebugger`] holds one conversation with it,
//! through a [`dialect::Dialect`] (states to tokens and back) and an [`engine::Engine`] (tokens to
//! logits); [`Neural`] runs it on a thread of its own.

mod debugger;
mod decoding;
pub mod dialect;
mod doctor;
pub mod engine;
mod inverse;
#[cfg(feature = "llama")]
mod logs;
mod model;
mod prediction;
mod rollout;
mod sampling;
#[cfg(test)]
#[cfg(feature = "llama")]
mod shipped_tests;
#[cfg(test)]
mod testing;
mod thread;
pub mod vocabulary;

pub use debugger::{Exits, Method, NeuralDebugger, NeuralError};
pub use decoding::Decoding;
pub use dialect::{Malformed, Predicted};
pub use doctor::{Report, TokenKind, Verdict, doctor};
pub use inverse::Inference;
pub use model::{DEFAULT_CONTEXT, Model, ModelError, ModelInfo, ModelSource, Settings};
pub use prediction::{Prediction, Surprise};
pub use rollout::{Rollout, Told, WalkEnd, Walked};
pub use sampling::Sampling;
pub use thread::{Canceller, Neural, Pending};
