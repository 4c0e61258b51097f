//! Dialects: how states are told to a model, and how its answers are read.
//!
//! A dialect turns states into token ids and ids into states; it never talks to an engine. The
//! paper's format is [`debugger`]. An answer is read token by token, since only the reader knows
//! where a frame ends; a frame that breaks the format is a result like any other, kept raw.

mod exception;
mod lines;
mod locals;
mod printed;
mod shown;

pub mod debugger;

pub use lines::LineIndex;
pub use shown::Shown;

use std::ops::Range;

use serde::Serialize;

use super::vocabulary::TokenId;
use crate::action::Action;
use crate::program::Program;
use crate::state::{Field, Stop};

/// A text format in which a model speaks of states.
pub trait Dialect: Send {
    /// The name that GGUF files give it under `lockstep.dialect`.
    fn name(&self) -> &'static str;

    /// What stands before the first state: the start of the text and the program.
    fn opening(&self, program: &Program) -> Vec<TokenId>;

    /// An action, and all that is given of the state it leads to; the model goes on from there.
    fn ask(&self, action: &Action) -> Vec<TokenId>;

    /// What stands before the first state's own tokens, as [`Dialect::ask`] for those after it.
    fn ask_first(&self) -> Vec<TokenId>;

    /// The tokens of a state (what the model should answer) after `action`, or as the first one.
    /// None if the format has no words for it: an exit that Lockstep forced.
    fn write(&self, stop: &Stop, action: Option<&Action>, shown: &Shown) -> Option<Frame>;

    /// A reader for the model's answer in a context that has shown this much.
    fn reader<'a>(&'a self, shown: &'a Shown, lines: &'a LineIndex) -> Box<dyn FrameReader + 'a>;
}

/// The tokens of one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its tokens in order.
    pub ids: Vec<TokenId>,
    /// Which tokens tell which field; in order, without gaps.
    pub fields: Vec<(Field, Range<usize>)>,
}

/// What a model answered; in JSON the state, the exit, or `{"malformed": raw, "reason": why}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Predicted<S = Stop> {
    /// A state or an exit.
    Stop(S),
    /// Something that is no state.
    Malformed(Malformed),
}

/// An answer that breaks the format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Malformed {
    /// The answer up to where it broke, special tokens by name.
    #[serde(rename = "malformed")]
    pub raw: String,
    /// The first rule it broke.
    pub reason: String,
}

/// What a reader makes of one more token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read<P = Predicted> {
    /// The frame isn't at its end.
    More,
    /// The frame ends with this token.
    Ended(P),
    /// The frame ended before this token, which is no part of it.
    EndedBefore(P),
}

/// Reads one frame, token by token.
pub trait FrameReader {
    /// Takes the next token; nothing may be pushed after the end.
    fn push(&mut self, id: TokenId) -> Read;

    /// Whether the frame can still become a legal one, on a line of the program, if this token is
    /// next.
    fn allows(&self, id: TokenId) -> bool;

    /// The reader as it is now, to go on by itself.
    fn fork(&self) -> Box<dyn FrameReader + '_>;

    /// Gives up on a frame that doesn't end.
    fn cut(&self, reason: String) -> Malformed;
}
