//! The paper's text format, forward (spec, section 2), token for token.
//!
//! What the spec leaves open follows the first model that shipped (models/README.md has the
//! measurements):
//!
//! - the program ends in exactly one newline; source lines carry none;
//! - JSON is written with `", "` and `": "`, characters beyond ASCII as they are;
//! - an exception's argument is its `repr`;
//! - on a call state locals are full, and the line after it is a delta to them;
//! - the return that unwinding makes after an exception is a state of its own, with `"None"`.
//!
//! *Where a frame ends.* That model was trained on the tokens of frames only, never on what comes
//! after one, so it had no opinion on the end: after `def main():<|arg_sep|>{}` it went on with
//! `<|src_sep|>`. The end is therefore read off the format ([`FrameEnd::Grammar`]): a value or an
//! object of locals ends with its closing quote or brace; a source line that stands last ends as
//! soon as it is a line of the program and can't become a longer one. Where one line of the program
//! begins another, the model's next token decides. A line that leaves the program's lines ends with
//! the token that does so, and an ellipsis: the model has no idea of its end, and goes on with
//! `:::::::` or the like. A model that was trained to close its frames says so in its metadata
//! (`lockstep.frame_end` = `action_sep`) and is then held to it ([`FrameEnd::ActionSep`]).

pub mod inverse;
mod marks;
mod read;
mod write;

pub use marks::{MissingMarks, NAMES};

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use marks::Marks;

use super::{Dialect, Frame, FrameReader, LineIndex, Shown};
use crate::action::Action;
use crate::neural::vocabulary::{TokenId, Vocabulary};
use crate::program::Program;
use crate::state::Stop;

/// What ends a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameEnd {
    /// The format itself: the frame is over when nothing more may follow.
    #[default]
    Grammar,
    /// `<|action_sep|>`, which the model must write.
    ActionSep,
}

/// What follows a source line inside its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceEnd {
    /// Nothing.
    #[default]
    Bare,
    /// The line's newline.
    Newline,
}

/// The choices that the spec leaves to the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    /// What ends a frame; `lockstep.frame_end` in a GGUF file (`grammar`, `action_sep`).
    pub frame_end: FrameEnd,
    /// What follows a source line; `lockstep.source_end` in a GGUF file (`bare`, `newline`).
    pub source_end: SourceEnd,
}

/// The paper's format over a vocabulary.
pub struct DebuggerDialect {
    vocabulary: Arc<dyn Vocabulary>,
    marks: Marks,
    conventions: Conventions,
    texts: RefCell<HashMap<Box<str>, Arc<[TokenId]>>>,
}

/// Texts whose tokens are kept: the same lines and locals recur in thousands of frames, and
/// tokenising costs a tenth of a millisecond.
const KEPT_TEXTS: usize = 1 << 14;

impl DebuggerDialect {
    /// The name that GGUF files give this format.
    pub const NAME: &'static str = "debugger";

    /// The format in the words of `vocabulary`; an error names the special tokens it lacks.
    pub fn new(
        vocabulary: Arc<dyn Vocabulary>,
        conventions: Conventions,
    ) -> Result<Self, MissingMarks> {
        let marks = Marks::find(&*vocabulary)?;
        Ok(DebuggerDialect { vocabulary, marks, conventions, texts: RefCell::default() })
    }

    /// The tokens of a text, remembered.
    fn tokens(&self, text: &str) -> Arc<[TokenId]> {
        let mut texts = self.texts.borrow_mut();
        if let Some(ids) = texts.get(text) {
            return Arc::clone(ids);
        }
        if texts.len() >= KEPT_TEXTS {
            texts.clear();
        }
        let ids: Arc<[TokenId]> = self.vocabulary.encode(text).into();
        texts.insert(text.into(), Arc::clone(&ids));
        ids
    }

    /// The tokens of a source line.
    fn source(&self, line: &str) -> Arc<[TokenId]> {
        match self.conventions.source_end {
            SourceEnd::Bare => self.tokens(line),
            SourceEnd::Newline => self.tokens(&format!("{line}\n")),
        }
    }
}

impl Dialect for DebuggerDialect {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn opening(&self, program: &Program) -> Vec<TokenId> {
        let text = format!("{}\n", program.context().trim_end_matches('\n'));
        let mut ids = vec![self.marks.begin, self.marks.context];
        ids.extend(self.vocabulary.encode(&text));
        ids
    }

    fn ask(&self, action: &Action) -> Vec<TokenId> {
        let mut ids = vec![self.marks.action, self.marks.of_action(action)];
        if let Action::Breakpoint(line) = action {
            ids.extend_from_slice(&self.source(line));
        }
        ids.push(self.marks.frame);
        ids
    }

    fn ask_first(&self) -> Vec<TokenId> {
        vec![self.marks.frame]
    }

    fn write(&self, stop: &Stop, action: Option<&Action>, shown: &Shown) -> Option<Frame> {
        write::frame(self, stop, action, shown)
    }

    fn reader<'a>(&'a self, shown: &'a Shown, lines: &'a LineIndex) -> Box<dyn FrameReader + 'a> {
        Box::new(read::Reader::new(self, shown, lines))
    }
}

#[cfg(test)]
mod tests;
