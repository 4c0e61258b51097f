//! Vocabularies: what dialects and engines agree on about token ids.
//!
//! Text is always tokenised with special tokens off, and special tokens are named, never spelled:
//! a program that contains `<|frame_sep|>` then can't forge a frame.

use std::collections::HashMap;

/// The number of a token in its vocabulary.
pub type TokenId = u32;

/// What a token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Bytes of text; a character may be spread over several tokens.
    Text(&'a [u8]),
    /// A special token, by its name.
    Control(&'a str),
}

/// The tokens of a model.
pub trait Vocabulary: Send + Sync {
    /// How many tokens there are; ids run from 0.
    fn size(&self) -> usize;

    /// The tokens of a text. Special tokens spelled in it are text like any other.
    fn encode(&self, text: &str) -> Vec<TokenId>;

    /// What a token stands for; none if there is no such token.
    fn piece(&self, id: TokenId) -> Option<Piece<'_>>;

    /// The special token of this name; none if there is none.
    fn control(&self, name: &str) -> Option<TokenId>;
}

/// A vocabulary without a model: special tokens first, then one token a byte.
///
/// Tests and the scripted engine use it.
#[derive(Clone, Debug)]
pub struct ByteVocabulary {
    controls: Vec<String>,
    ids: HashMap<String, TokenId>,
    bytes: [u8; 256],
}

impl ByteVocabulary {
    /// A vocabulary with these special tokens.
    pub fn new<'a>(controls: impl IntoIterator<Item = &'a str>) -> Self {
        let controls: Vec<String> = controls.into_iter().map(str::to_owned).collect();
        let ids = controls.iter().cloned().zip(0..).collect();
        ByteVocabulary { controls, ids, bytes: std::array::from_fn(|byte| byte as u8) }
    }
}

impl Vocabulary for ByteVocabulary {
    fn size(&self) -> usize {
        self.controls.len() + self.bytes.len()
    }

    fn encode(&self, text: &str) -> Vec<TokenId> {
        text.bytes().map(|byte| self.controls.len() as TokenId + TokenId::from(byte)).collect()
    }

    fn piece(&self, id: TokenId) -> Option<Piece<'_>> {
        let id = id as usize;
        match self.controls.get(id) {
            Some(name) => Some(Piece::Control(name)),
            None => {
                let byte = id - self.controls.len();
                self.bytes.get(byte..=byte).map(Piece::Text)
            }
        }
    }

    fn control(&self, name: &str) -> Option<TokenId> {
        self.ids.get(name).copied()
    }
}

/// The text of `ids` as people read it: special tokens by name, bytes that are no UTF-8 as `\xNN`.
pub fn readable(vocabulary: &dyn Vocabulary, ids: &[TokenId]) -> String {
    let mut text = String::new();
    let mut bytes = Vec::new();
    for &id in ids {
        match vocabulary.piece(id) {
            Some(Piece::Text(piece)) => bytes.extend_from_slice(piece),
            Some(Piece::Control(name)) => {
                flush(&mut text, &mut bytes);
                text.push_str(name);
            }
            None => {
                flush(&mut text, &mut bytes);
                text.push_str(&format!("<token {id}>"));
            }
        }
    }
    flush(&mut text, &mut bytes);
    text
}

fn flush(text: &mut String, bytes: &mut Vec<u8>) {
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    bytes.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_tokens_spelled_in_a_text_stay_text() {
        let vocabulary = ByteVocabulary::new(["<|frame_sep|>"]);
        let ids = vocabulary.encode("<|frame_sep|>");
        assert_eq!(ids.len(), 13);
        assert!(!ids.contains(&0));
        assert_eq!(vocabulary.control("<|frame_sep|>"), Some(0));
        assert_eq!(vocabulary.piece(0), Some(Piece::Control("<|frame_sep|>")));
        assert_eq!(vocabulary.piece(257), None);
    }

    #[test]
    fn broken_characters_are_shown_as_bytes() {
        let vocabulary = ByteVocabulary::new(["<|x|>"]);
        let mut ids = vocabulary.encode("aé");
        ids.pop();
        ids.extend([0, 9999]);
        assert_eq!(readable(&vocabulary, &ids), "a\\xc3<|x|><token 9999>");
    }
}
