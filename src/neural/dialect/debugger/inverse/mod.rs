//! The paper's text format, inverse (spec, section 2.1), token for token.
//!
//! All inverse states tell the source line first, then their variables or value. What the spec
//! leaves open follows the forward format ([`super`]), the end of a frame too: it ends with the
//! closing brace or quote, or where the model's metadata says so, with `<|action_sep|>`. The copy of
//! a calling line is marked `<|inv_line_call_sep|>`, whose spelling the paper's listings don't show.
//!
//! A frame is read by itself: what the pair `"..": ".."` stands for is not known from the text,
//! since values that a variable had at last are never printed ([`crate::inverse::state`]).

mod marks;
mod read;

pub use marks::NAMES;
pub use read::InverseReader;

use std::sync::Arc;

use marks::InverseMarks;

use super::{Conventions, DebuggerDialect, MissingMarks};
use crate::inverse::{InverseAction, InverseEvent, InverseState, InverseStop, Told, Trajectory};
use crate::neural::dialect::{Dialect, LineIndex, locals};
use crate::neural::vocabulary::{TokenId, Vocabulary};
use crate::program::Program;

/// The paper's inverse format over a vocabulary.
pub struct InverseDialect {
    forward: DebuggerDialect,
    marks: InverseMarks,
}

impl InverseDialect {
    /// The format in the words of `vocabulary`; an error names the special tokens it lacks, those
    /// of the forward format included.
    pub fn new(
        vocabulary: Arc<dyn Vocabulary>,
        conventions: Conventions,
    ) -> Result<Self, MissingMarks> {
        let marks = InverseMarks::find(&*vocabulary)?;
        Ok(InverseDialect { forward: DebuggerDialect::new(vocabulary, conventions)?, marks })
    }

    /// What stands before the first state: the start of the text and what is shown of the program
    /// ([`crate::inverse::context()`]).
    pub fn opening(&self, context: &Program) -> Vec<TokenId> {
        self.forward.opening(context)
    }

    /// What stands before the first state's own tokens.
    pub fn ask_first(&self) -> Vec<TokenId> {
        self.forward.ask_first()
    }

    /// An action, and all that is given of the state it leads to; the model goes on from there.
    pub fn ask(&self, action: InverseAction) -> Vec<TokenId> {
        let marks = &self.forward.marks;
        vec![marks.action, self.marks.of_action(action), marks.frame]
    }

    /// The tokens of a state.
    pub fn write(&self, stop: &InverseStop) -> Vec<TokenId> {
        let marks = &self.forward.marks;
        match stop {
            InverseStop::Entry(_) => vec![self.marks.entry, marks.trace_end, marks.end],
            InverseStop::At(state) => {
                let mut ids = vec![self.marks.of_event(state.event), marks.source];
                ids.extend_from_slice(&self.forward.source(&state.source));
                ids.push(marks.argument);
                ids.extend_from_slice(&self.forward.tokens(&argument(state)));
                ids
            }
        }
    }

    /// The tokens of a whole walk back.
    pub fn trajectory(&self, context: &Program, walk: &Trajectory) -> Vec<TokenId> {
        let mut ids = self.opening(context);
        ids.extend(self.ask_first());
        ids.extend(self.write(&InverseStop::At(walk.first.clone())));
        for (action, stop) in &walk.steps {
            ids.extend(self.ask(*action));
            ids.extend(self.write(stop));
        }
        ids
    }

    /// A reader for one frame of the model's answer about a program of these lines.
    pub fn reader<'a>(&'a self, lines: &'a LineIndex) -> InverseReader<'a> {
        InverseReader::new(self, lines)
    }
}

/// The JSON that a state's frame ends with.
fn argument(state: &InverseState) -> String {
    match (state.event, &state.value) {
        (InverseEvent::Return, value) => locals::quoted(value.as_deref().unwrap_or("None")),
        (_, _) => object(&state.locals),
    }
}

/// The object of the variables that are told.
fn object(told: &Told) -> String {
    let rest = told.rest.then_some((locals::REST, locals::REST));
    let pairs = told.pairs.iter().map(|(name, value)| (&**name, &**value));
    let pairs: Vec<String> = rest
        .into_iter()
        .chain(pairs)
        .map(|(name, value)| format!("{}: {}", locals::quoted(name), locals::quoted(value)))
        .collect();
    format!("{{{}}}", pairs.join(", "))
}

#[cfg(test)]
mod tests;
