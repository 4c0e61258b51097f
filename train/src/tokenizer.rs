//! The tokenizer: byte-level BPE with one token a digit, as llama.cpp's `smollm` splits text.
//!
//! Special tokens stand between texts and are never part of one, so merges are learned from the
//! texts between them: programs, source lines, dictionaries of locals, as they are tokenised later.

use std::path::Path;

use tokenizers::decoders::DecoderWrapper;
use tokenizers::models::bpe::{BPE, BpeTrainerBuilder};
use tokenizers::models::{ModelWrapper, TrainerWrapper};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::{
    AddedToken, NormalizerWrapper, PostProcessorWrapper, Tokenizer, TokenizerBuilder,
};

use crate::error::{Error, Result};
use crate::marks::{self, Marks};

/// Longest token, in characters: longer ones would be whole lines of frequent programs.
const LONGEST_TOKEN: usize = 16;
/// A pair that is seen less often is not merged.
const LEAST_FREQUENCY: u64 = 2;

/// A tokenizer that knows the special tokens.
#[derive(Clone)]
pub struct Vocabulary {
    tokenizer: Tokenizer,
    marks: Marks,
}

impl Vocabulary {
    /// Trains one with `size` tokens, special ones included, on trajectories.
    pub fn train<'a>(
        texts: impl Iterator<Item = &'a str> + Send,
        size: usize,
    ) -> std::result::Result<Self, String> {
        let words = |error: tokenizers::Error| error.to_string();
        let mut trainer: TrainerWrapper = BpeTrainerBuilder::new()
            .vocab_size(size)
            .min_frequency(LEAST_FREQUENCY)
            .max_token_length(Some(LONGEST_TOKEN))
            .special_tokens(specials())
            .initial_alphabet(ByteLevel::alphabet().into_iter().collect())
            .show_progress(false)
            .build()
            .into();
        let mut tokenizer = around(BPE::builder().build().map_err(words)?)?;
        let pieces = texts.flat_map(between);
        tokenizer.train(&mut trainer, pieces).map_err(words)?;
        Self::checked(tokenizer)
    }

    /// Reads one that [`save`](Self::save) wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let unusable = |cause| Error::Tokenizer { path: path.to_owned(), cause };
        let tokenizer = Tokenizer::from_file(path).map_err(|error| unusable(error.to_string()))?;
        Self::checked(tokenizer).map_err(unusable)
    }

    /// One with these tokens (special ones among them) and merges, as GGUF files hold them.
    pub fn from_parts(tokens: &[String], merges: &[String]) -> std::result::Result<Self, String> {
        let ids = tokens.iter().cloned().zip(0..).collect::<ahash::AHashMap<_, _>>();
        let pair = |merge: &String| {
            let (left, right) = merge.split_once(' ')?;
            Some((left.to_owned(), right.to_owned()))
        };
        let merges = merges.iter().map(pair).collect::<Option<_>>();
        let merges = merges.ok_or("a merge is no pair of tokens")?;
        let bpe = BPE::builder().vocab_and_merges(ids, merges).build();
        let bpe = bpe.map_err(|error| error.to_string())?;
        let mut tokenizer = around(bpe)?;
        let added = tokenizer.add_special_tokens(specials());
        added.map_err(|error| error.to_string())?;
        let vocabulary = Self::checked(tokenizer)?;
        if vocabulary.size() == tokens.len() {
            Ok(vocabulary)
        } else {
            Err("the special tokens of the format are not all among its tokens".to_owned())
        }
    }

    fn checked(tokenizer: Tokenizer) -> std::result::Result<Self, String> {
        let marks = Marks::find(&tokenizer).map_err(|name| {
            format!("has no special token {name}; train one with `lockstep-train tokenizer`")
        })?;
        let size = tokenizer.get_vocab_size(true);
        if size > usize::from(u16::MAX) {
            return Err(format!("has {size} tokens; at most {} can be trained", u16::MAX));
        }
        Ok(Vocabulary { tokenizer, marks })
    }

    /// Writes it in the JSON format of the `tokenizers` library.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.tokenizer
            .save(path, true)
            .map_err(|error| Error::Tokenizer { path: path.to_owned(), cause: error.to_string() })
    }

    /// How many tokens there are.
    pub fn size(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// The special tokens that bound states.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// The tokens of texts, in which special tokens are spelled out.
    pub fn encode(&self, texts: Vec<String>) -> std::result::Result<Vec<Vec<u32>>, String> {
        let encodings = self.tokenizer.encode_batch_fast(texts, false);
        let encodings = encodings.map_err(|error| error.to_string())?;
        Ok(encodings.into_iter().map(|encoding| encoding.get_ids().to_vec()).collect())
    }

    /// The tokens in order of their ids, spelled in the alphabet of byte-level BPE.
    pub fn tokens(&self) -> Vec<String> {
        (0..self.size() as u32)
            .map(|id| self.tokenizer.id_to_token(id).unwrap_or_default())
            .collect()
    }

    /// Whether a token is special.
    pub fn is_special(&self, token: &str) -> bool {
        marks::NAMES.contains(&token)
    }

    /// The text of tokens as people read it.
    pub fn decode(&self, ids: &[u32]) -> String {
        self.tokenizer.decode(ids, false).unwrap_or_default()
    }

    /// The merges in order of their rank, each as two tokens with a space between.
    pub fn merges(&self) -> Vec<String> {
        // The library shows merges in its JSON form only.
        let json = serde_json::to_value(self.tokenizer.get_model()).unwrap_or_default();
        let pairs = json.get("merges").and_then(|merges| merges.as_array());
        let spelled = |pair: &serde_json::Value| match pair {
            serde_json::Value::String(pair) => pair.clone(),
            serde_json::Value::Array(pair) => {
                pair.iter().filter_map(|side| side.as_str()).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        pairs.into_iter().flatten().map(spelled).collect()
    }
}

fn specials() -> Vec<AddedToken> {
    marks::NAMES.iter().map(|name| AddedToken::from(*name, true)).collect()
}

/// A tokenizer around a model of merges.
fn around(bpe: BPE) -> std::result::Result<Tokenizer, String> {
    TokenizerBuilder::new()
        .with_model(ModelWrapper::from(bpe))
        .with_normalizer(None::<NormalizerWrapper>)
        .with_pre_tokenizer(Some(pre_tokenizer()))
        .with_post_processor(None::<PostProcessorWrapper>)
        .with_decoder(Some(DecoderWrapper::from(ByteLevel::default())))
        .build()
        .map(Tokenizer::from)
        .map_err(|error| error.to_string())
}

/// Digits one by one, then words as GPT-2 cuts them.
fn pre_tokenizer() -> PreTokenizerWrapper {
    let words = ByteLevel::default().add_prefix_space(false).use_regex(true);
    Sequence::new(vec![Digits::new(true).into(), words.into()]).into()
}

/// The texts between the special tokens of a trajectory.
fn between(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = next_mark(rest) {
        pieces.push(before.to_owned());
        rest = after;
    }
    pieces.push(rest.to_owned());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// What is before and after the first special token of a text.
fn next_mark(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("<|").map(|at| from + at) {
        let mark = marks::NAMES.iter().find(|name| text[at..].starts_with(**name));
        if let Some(mark) = mark {
            return Some((&text[..at], &text[at + mark.len()..]));
        }
        from = at + 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let text = "<|begin_of_text|><|trace_context_start|>def main():\n    return f(120)\n\
                    <|frame_sep|><|line_sep|><|arg_sep|>{\"x\": \"120\"}<|src_sep|>    return f(120)\
                    <|action_sep|><|step_into|>";
        Vocabulary::train([text; 20].into_iter(), 330).unwrap()
    }

    fn ids(vocabulary: &Vocabulary, text: &str) -> Vec<u32> {
        vocabulary.encode(vec![text.to_owned()]).unwrap().remove(0)
    }

    #[test]
    fn special_tokens_are_one_token_and_never_merged() {
        let vocabulary = vocabulary();
        assert_eq!(ids(&vocabulary, "<|frame_sep|><|call_sep|>"), [5, 9]);
        let merged = vocabulary.tokens().into_iter().skip(marks::NAMES.len());
        assert_eq!(merged.filter(|token| token.contains('|') && token.len() > 1).count(), 0);
    }

    #[test]
    fn digits_are_tokens_of_their_own() {
        let vocabulary = vocabulary();
        assert_eq!(ids(&vocabulary, "120").len(), 3);
        let digits = |token: &String| token.chars().any(|c| c.is_ascii_digit()) && token.len() > 1;
        assert_eq!(vocabulary.tokens().iter().filter(|token| digits(token)).count(), 0);
    }

    #[test]
    fn any_text_survives() {
        let vocabulary = vocabulary();
        for text in ["", "é\u{1f40d}\0\t x", "<|not_a_mark|>", "<|<|frame_sep|>", "  12.50e-3\r\n"]
        {
            assert_eq!(vocabulary.decode(&ids(&vocabulary, text)), text);
        }
    }

    #[test]
    fn texts_lie_between_marks() {
        assert_eq!(between("a<|x|>b<|frame_sep|><|src_sep|>c"), ["a<|x|>b", "c"]);
        assert_eq!(between("<|frame_sep|>"), Vec::<String>::new());
    }

    #[test]
    fn it_is_read_as_it_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokenizer.json");
        let vocabulary = vocabulary();
        vocabulary.save(&path).unwrap();
        let read = Vocabulary::read(&path).unwrap();
        assert_eq!(read.tokens(), vocabulary.tokens());
        assert_eq!(read.merges(), vocabulary.merges());
        assert!(!read.merges().is_empty());
        let text = "def main():<|frame_sep|>    return f(120)";
        assert_eq!(ids(&read, text), ids(&vocabulary, text));
    }
}
