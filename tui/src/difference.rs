//! Where two values differ: the parts to mark, by words and numbers rather than by characters, so
//! that `12` against `2` marks the number and not a digit.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Above this many tokens between the common head and tail, all of it counts as different: a
/// finer answer would cost more than a frame, and nobody reads it.
const LIMIT: usize = 2_000;

/// The differing parts of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Byte ranges of the real text that are not in the predicted one.
    pub real: Vec<Range<usize>>,
    /// Byte ranges of the predicted text that are not in the real one.
    pub predicted: Vec<Range<usize>>,
    /// The byte of either text where they first differ.
    pub anchor: usize,
}

/// Compares two cleaned texts.
pub(crate) fn difference(real: &str, predicted: &str) -> Difference {
    if real == predicted {
        return Difference::default();
    }
    let (a, b) = (tokens(real), tokens(predicted));
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail =
        a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (a_middle, b_middle) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let anchor = a[..head].iter().map(|token| token.len()).sum();
    if a_middle.len().max(b_middle.len()) > LIMIT {
        let whole =
            |middle: &[&str]| anchor..anchor + middle.iter().map(|t| t.len()).sum::<usize>();
        return Difference {
            real: vec![whole(a_middle)],
            predicted: vec![whole(b_middle)],
            anchor,
        };
    }
    let (a_starts, b_starts) = (starts(a_middle, anchor), starts(b_middle, anchor));
    let mut found = Difference { anchor, ..Difference::default() };
    for op in capture_diff_slices(Algorithm::Myers, a_middle, b_middle) {
        let (old, new) = match op {
            DiffOp::Equal { .. } => continue,
            other => (other.old_range(), other.new_range()),
        };
        if !old.is_empty() {
            found.real.push(a_starts[old.start]..a_starts[old.end]);
        }
        if !new.is_empty() {
            found.predicted.push(b_starts[new.start]..b_starts[new.end]);
        }
    }
    found
}

/// Words and numbers whole, everything else by character.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (byte, c) in text.char_indices() {
        if byte > start && !(in_word && is_word(c)) {
            tokens.push(&text[start..byte]);
            start = byte;
        }
        in_word = is_word(c);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

/// The byte where each token starts, and where the last one ends.
fn starts(tokens: &[&str], from: usize) -> Vec<usize> {
    let mut byte = from;
    let mut starts = vec![byte];
    starts.extend(tokens.iter().map(|token| {
        byte += token.len();
        byte
    }));
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, ranges: &[Range<usize>]) -> Vec<String> {
        ranges.iter().map(|range| text[range.clone()].to_owned()).collect()
    }

    #[test]
    fn numbers_and_words_are_marked_whole() {
        let (real, predicted) = ("[3, 12, 6.5, 'left']", "[3, 2, 6.25, 'right']");
        let found = difference(real, predicted);
        assert_eq!(shown(real, &found.real), ["12", "6.5", "left"]);
        assert_eq!(shown(predicted, &found.predicted), ["2", "6.25", "right"]);
        assert_eq!(found.anchor, 4);
    }

    #[test]
    fn what_only_one_side_has_is_marked_there() {
        let found = difference("[1, 2]", "[1, 2, 3]");
        assert_eq!(found.real, []);
        assert_eq!(shown("[1, 2, 3]", &found.predicted), [", 3"]);
        assert_eq!(found.anchor, 5);
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(difference("[1]", "[1]"), Difference::default());
    }

    #[test]
    fn huge_differences_are_marked_as_one() {
        let (real, predicted) = ("a,".repeat(LIMIT), "b;".repeat(LIMIT));
        assert_eq!(difference(&real, &predicted).real, vec![0..real.len(); 1]);
    }

    proptest! {
        /// What is not marked is the same on both sides.
        #[test]
        fn the_rest_is_equal(real in "[ab12, é]{0,30}", predicted in "[ab12, é]{0,30}") {
            let found = difference(&real, &predicted);
            let rest = |text: &str, ranges: &[Range<usize>]| -> String {
                text.char_indices()
                    .filter(|(byte, _)| !ranges.iter().any(|r| r.contains(byte)))
                    .map(|(_, c)| c)
                    .collect()
            };
            prop_assert_eq!(rest(&real, &found.real), rest(&predicted, &found.predicted));
            prop_assert_eq!(real == predicted, found == Difference::default());
        }

        #[test]
        fn any_text_can_be_compared(real in any::<String>(), predicted in any::<String>()) {
            let found = difference(&real, &predicted);
            for range in &found.real {
                prop_assert!(real.get(range.clone()).is_some());
            }
            for range in &found.predicted {
                prop_assert!(predicted.get(range.clone()).is_some());
            }
        }
    }
}
