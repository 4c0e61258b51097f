//! Walks as text: what the debugger tells a model, special tokens spelled out.
//!
//! The debugger builds token ids; a dataset must not depend on a vocabulary. So the same dialects
//! write ids of a vocabulary of single bytes, and these are spelled out: there is no second
//! implementation of the format that could differ.

use std::sync::Arc;

use super::DatasetError;
use crate::action::Action;
use crate::inverse::{InverseAction, InverseState, InverseStop};
use crate::neural::dialect::debugger::{Conventions, DebuggerDialect, NAMES, inverse};
use crate::neural::dialect::{Dialect, Shown};
use crate::neural::vocabulary::{ByteVocabulary, TokenId, Vocabulary, readable};
use crate::program::Program;
use crate::state::{State, Stop};

/// All special tokens, those of the forward format first.
pub fn special_tokens() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(inverse::NAMES)
}

/// Whether a text spells a special token: it would be taken for one.
pub fn spells_token(text: &str) -> bool {
    text.contains("<|") && special_tokens().any(|name| text.contains(name))
}

/// Spells walks.
pub struct Encoder {
    vocabulary: Arc<ByteVocabulary>,
    forward: DebuggerDialect,
    inverse: inverse::InverseDialect,
}

impl Encoder {
    /// An encoder of the paper's format.
    pub fn new() -> Result<Self, DatasetError> {
        let vocabulary = Arc::new(ByteVocabulary::new(special_tokens()));
        let shared: Arc<dyn Vocabulary> = vocabulary.clone();
        let conventions = Conventions::default();
        let forward = DebuggerDialect::new(shared.clone(), conventions);
        let inverse = inverse::InverseDialect::new(shared, conventions);
        match (forward, inverse) {
            (Ok(forward), Ok(inverse)) => Ok(Encoder { vocabulary, forward, inverse }),
            (Err(missing), _) | (_, Err(missing)) => Err(DatasetError::Format(missing)),
        }
    }

    fn spell(&self, ids: &[TokenId]) -> String {
        readable(&*self.vocabulary, ids)
    }

    /// Begins the text of a forward walk at this state, of at most so many characters; none if the
    /// beginning is longer.
    pub fn forward(&self, program: &Program, first: &State, most: usize) -> Option<Forward<'_>> {
        let mut ids = self.forward.opening(program);
        ids.extend(self.forward.ask_first());
        let mut shown = Shown::default();
        ids.extend(self.forward.write(&Stop::At(first.clone()), None, &shown)?.ids);
        shown.show(first);
        let text = Text::begin(self.spell(&ids), most)?;
        Some(Forward { encoder: self, text, shown })
    }

    /// Begins the text of an inverse walk.
    pub fn inverse(
        &self,
        context: &Program,
        first: &InverseState,
        most: usize,
    ) -> Option<Inverse<'_>> {
        let mut ids = self.inverse.opening(context);
        ids.extend(self.inverse.ask_first());
        ids.extend(self.inverse.write(&InverseStop::At(first.clone())));
        let text = Text::begin(self.spell(&ids), most)?;
        Some(Inverse { encoder: self, text })
    }
}

/// A text that is bounded.
struct Text {
    text: String,
    left: usize,
}

impl Text {
    fn begin(text: String, most: usize) -> Option<Self> {
        let left = most.checked_sub(text.chars().count())?;
        Some(Text { text, left })
    }

    /// Adds a part if it fits; whether it did.
    fn add(&mut self, part: &str) -> bool {
        match self.left.checked_sub(part.chars().count()) {
            Some(left) => {
                self.left = left;
                self.text.push_str(part);
                true
            }
            None => false,
        }
    }
}

/// The text of a forward walk that goes on.
pub struct Forward<'e> {
    encoder: &'e Encoder,
    text: Text,
    shown: Shown,
}

impl Forward<'_> {
    /// Adds an action and where it led; whether that fitted, and the format has words for it.
    pub fn add(&mut self, action: &Action, stop: &Stop) -> bool {
        let dialect = &self.encoder.forward;
        let Some(frame) = dialect.write(stop, Some(action), &self.shown) else { return false };
        let mut ids = dialect.ask(action);
        ids.extend(frame.ids);
        let fits = self.text.add(&self.encoder.spell(&ids));
        if let (true, Stop::At(state)) = (fits, stop) {
            self.shown.show(state);
        }
        fits
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text.text
    }
}

/// The text of an inverse walk that goes on.
pub struct Inverse<'e> {
    encoder: &'e Encoder,
    text: Text,
}

impl Inverse<'_> {
    /// Adds an action and where it led; whether that fitted.
    pub fn add(&mut self, action: InverseAction, stop: &InverseStop) -> bool {
        let dialect = &self.encoder.inverse;
        let mut ids = dialect.ask(action);
        ids.extend(dialect.write(stop));
        self.text.add(&self.encoder.spell(&ids))
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text.text
    }
}
