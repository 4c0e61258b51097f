//! Why the model's side can't answer, and what to do about it.

use crate::neural::engine::EngineError;
use crate::neural::model::ModelError;
use crate::python::Grouped;

/// Why the model's side can't go on.
#[derive(Debug, thiserror::Error)]
pub enum NeuralError {
    /// The model can't be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The engine failed, or the request was cancelled.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The program leaves no room for even the smallest state.
    #[error(
        "{program} is too long for this model: the program, a state and an answer need {} tokens, \
         the model has {}; debug a smaller program, or a part of it, or use a model with a longer \
         context", Grouped(*needed as u64), Grouped(*capacity as u64)
    )]
    ProgramTooLong {
        /// The program's name.
        program: String,
        /// Tokens needed, those for one answer included.
        needed: usize,
        /// Tokens that the context holds.
        capacity: usize,
    },
    /// The state that an action leads to, or the one that it leads on from, doesn't fit beside the
    /// program, or takes more than half of the context. There is no prediction for this step, but
    /// it is made all the same: those after it are predicted as soon as a state fits.
    #[error(
        "no prediction here: a state of {} tokens leaves too little of the model's context of {}; \
         cut values shorter (--max-value) or use a model with a longer context",
        Grouped(*tokens as u64), Grouped(*capacity as u64)
    )]
    StateTooLong {
        /// Tokens of the state.
        tokens: usize,
        /// Tokens that the context holds.
        capacity: usize,
    },
    /// The run is really over: there is no state to go on from.
    #[error("the model's side is at the end of the run; step back or start again")]
    AtEnd,
    /// Nothing was begun.
    #[error("the model's side has no program yet; begin one first")]
    NotBegun,
    /// The engine thread is gone.
    #[error("the model's thread ended unexpectedly; please report this")]
    Gone,
}

impl NeuralError {
    /// Whether this is what a cancelled request answers.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, NeuralError::Engine(EngineError::Cancelled))
    }
}
