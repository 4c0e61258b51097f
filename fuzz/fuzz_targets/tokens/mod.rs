//! The tokens of an input: in its text 0xFF and a byte stand for a special token, and 0xFE, a length
//! and that many bytes for one token of several bytes.

use lockstep::neural::vocabulary::{ByteVocabulary, Piece, TokenId, Vocabulary};

/// Special tokens, bytes, and the longer tokens of one input.
pub struct Pieces {
    short: ByteVocabulary,
    long: Vec<Box<[u8]>>,
}

impl Vocabulary for Pieces {
    fn size(&self) -> usize {
        self.short.size() + self.long.len()
    }

    fn encode(&self, text: &str) -> Vec<TokenId> {
        self.short.encode(text)
    }

    fn piece(&self, id: TokenId) -> Option<Piece<'_>> {
        match (id as usize).checked_sub(self.short.size()) {
            None => self.short.piece(id),
            Some(long) => self.long.get(long).map(|bytes| Piece::Text(bytes)),
        }
    }

    fn control(&self, name: &str) -> Option<TokenId> {
        self.short.control(name)
    }
}

/// The tokens of an input, and the vocabulary that has them beside these special tokens.
pub fn read(mut text: &[u8], names: &[&'static str]) -> (Pieces, Vec<TokenId>) {
    let short = ByteVocabulary::new(names.iter().copied());
    let mut pieces = Pieces { short, long: Vec::new() };
    let mut ids = Vec::new();
    while let Some((&byte, rest)) = text.split_first() {
        text = rest;
        match (byte, text.split_first()) {
            // Beyond the special tokens are ids that no vocabulary has.
            (0xff, Some((&mark, rest))) => {
                let known = usize::from(mark) < names.len();
                ids.push(if known { mark.into() } else { u32::MAX - TokenId::from(mark) });
                text = rest;
            }
            (0xfe, Some((&length, rest))) => {
                let (piece, rest) = rest.split_at(usize::from(length).min(rest.len()));
                ids.push(pieces.size() as TokenId);
                pieces.long.push(piece.into());
                text = rest;
            }
            _ => ids.push((names.len() + usize::from(byte)) as TokenId),
        }
    }
    (pieces, ids)
}
