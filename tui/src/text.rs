//! Text of a debugged program on its way to the screen: made harmless, measured, cut and wrapped.
//!
//! Programs are not to be trusted. A value that holds an escape sequence must not move the cursor,
//! and one that holds a bidirectional override must not rearrange the line.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

use crate::difference::{Difference, difference};

/// Columns from one tab stop to the next.
const TAB: usize = 4;

/// Stands for what was cut away.
const CUT: &str = "…";

/// `text` with everything replaced that would not stay in its cell: control characters become
/// their pictures (`␛`), tabs become spaces, characters that reorder text become `�`.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let spaces = TAB - column % TAB;
                cleaned.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
                continue;
            }
            '\0'..='\x1f' => cleaned.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => cleaned.push('␡'),
            _ if is_harmful(c) => cleaned.push('\u{fffd}'),
            _ => cleaned.push(c),
        }
        column += 1;
    }
    Cow::Owned(cleaned)
}

fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Line and paragraph separators; marks, embeddings, overrides and isolates of text
            // direction; interlinear annotations.
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
}

/// How many columns a cleaned text takes.
pub(crate) fn width(text: &str) -> usize {
    text.graphemes(true).map(columns).sum()
}

fn columns(grapheme: &str) -> usize {
    usize::from(grapheme.cell_width())
}

/// A text with its differing parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marked<'a> {
    /// The cleaned text.
    pub text: &'a str,
    /// The differing parts, ascending byte ranges.
    pub marks: &'a [Range<usize>],
    /// The byte where it first differs; it must be visible.
    pub anchor: usize,
}

impl<'a> Marked<'a> {
    /// A text that differs nowhere.
    pub fn plain(text: &'a str) -> Self {
        Marked { text, marks: &[], anchor: 0 }
    }

    fn is_marked(&self, byte: usize) -> bool {
        self.marks.iter().any(|mark| mark.contains(&byte))
    }
}

/// A run of text of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, cleaned.
    pub text: String,
    /// Whether this part differs from the other side.
    pub marked: bool,
}

fn push(pieces: &mut Vec<Piece>, text: &str, marked: bool) {
    match pieces.last_mut() {
        Some(last) if last.marked == marked => last.text.push_str(text),
        _ => pieces.push(Piece { text: text.to_owned(), marked }),
    }
}

/// At most `available` columns of a text, such that its first difference is visible; `…` stands
/// for what is cut away.
pub(crate) fn excerpt(marked: Marked<'_>, available: usize) -> Vec<Piece> {
    let graphemes: Vec<(usize, &str)> = marked.text.grapheme_indices(true).collect();
    let sum = |part: &[(usize, &str)]| part.iter().map(|(_, g)| columns(g)).sum::<usize>();
    let mut pieces = Vec::new();
    let mut rest = graphemes.as_slice();
    let mut room = available;
    let (head, tail) = rest.split_at(rest.partition_point(|(byte, _)| *byte < marked.anchor));
    let before = sum(head);
    let wanted = before + tail.first().map_or(0, |(_, g)| columns(g));
    if available > 2 && wanted >= available && sum(rest) > available {
        // Show a little before the difference, and as much as fits after it.
        let start = (before - available / 3).min(sum(rest) - (available - 1));
        let mut skipped = 0;
        while skipped < start {
            skipped += columns(rest[0].1);
            rest = &rest[1..];
        }
        push(&mut pieces, CUT, false);
        room -= 1;
    }
    let is_cut = sum(rest) > room;
    if is_cut {
        room = room.saturating_sub(1);
    }
    for (byte, grapheme) in rest {
        match room.checked_sub(columns(grapheme)) {
            Some(left) => room = left,
            None => break,
        }
        push(&mut pieces, grapheme, marked.is_marked(*byte));
    }
    if is_cut && available > 0 {
        push(&mut pieces, CUT, false);
    }
    pieces
}

/// Two texts of one field in at most `columns` columns each: what differs is marked, and the first
/// difference is visible.
pub fn excerpts(real: &str, predicted: &str, columns: usize) -> [Vec<Piece>; 2] {
    let (real, predicted) = (clean(real), clean(predicted));
    let Difference { real: in_real, predicted: in_predicted, anchor } =
        difference(&real, &predicted);
    let side = |text, marks| excerpt(Marked { text, marks, anchor }, columns);
    [side(&real, &in_real), side(&predicted, &in_predicted)]
}

/// The first `columns` columns of a cleaned text, with `…` for the rest.
pub fn cut(text: &str, columns: usize) -> String {
    excerpt(Marked::plain(text), columns).into_iter().map(|piece| piece.text).collect()
}

/// `text` without its first `skipped` columns; a wide character cut in half becomes a space.
pub(crate) fn scrolled(text: &str, skipped: usize) -> Cow<'_, str> {
    if skipped == 0 {
        return Cow::Borrowed(text);
    }
    let mut column = 0;
    for (byte, grapheme) in text.grapheme_indices(true) {
        if column == skipped {
            return Cow::Borrowed(&text[byte..]);
        }
        if column > skipped {
            return Cow::Owned(format!("{}{}", " ".repeat(column - skipped), &text[byte..]));
        }
        column += columns(grapheme);
    }
    Cow::Borrowed("")
}

/// The whole text in lines of at most `available` columns.
pub(crate) fn wrap(marked: Marked<'_>, available: usize) -> Vec<Vec<Piece>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for (byte, grapheme) in marked.text.grapheme_indices(true) {
        let columns = columns(grapheme);
        if columns > available {
            continue;
        }
        if used + columns > available {
            lines.push(Vec::new());
            used = 0;
        }
        used += columns;
        if let Some(line) = lines.last_mut() {
            push(line, grapheme, marked.is_marked(byte));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;
    use proptest::prelude::*;

    fn shown(pieces: &[Piece]) -> String {
        pieces
            .iter()
            .map(|p| if p.marked { format!("[{}]", p.text) } else { p.text.clone() })
            .collect()
    }

    fn length(pieces: &[Piece]) -> usize {
        pieces.iter().map(|p| width(&p.text)).sum()
    }

    #[test]
    fn escape_sequences_become_pictures() {
        assert_eq!(clean("a\x1b[2Jb\x07\x7f\r\n"), "a␛[2Jb␇␡␍␊");
        assert_eq!(clean("\u{9b}2J"), "\u{fffd}2J");
    }

    #[test]
    fn text_that_reorders_text_is_replaced() {
        assert_eq!(clean("a\u{202e}b\u{2066}c"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(clean("עברית 日本語 e\u{301}"), "עברית 日本語 e\u{301}");
    }

    #[test]
    fn tabs_reach_the_next_stop() {
        assert_eq!(clean("\tx\ty"), "    x   y");
    }

    #[test]
    fn a_long_value_keeps_its_head() {
        assert_eq!(cut("[1, 2, 3, 4, 5]", 8), "[1, 2, …");
        assert_eq!(cut("[1, 2]", 6), "[1, 2]");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("abc", 1), "…");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn a_difference_far_inside_is_visible() {
        let text = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]";
        let at = text.find('9').unwrap();
        let mark = at..at + 1;
        let marked = Marked { text, marks: from_ref(&mark), anchor: at };
        assert_eq!(shown(&excerpt(marked, 16)), "…, 8, [9], 10, 11…");
        assert_eq!(shown(&excerpt(marked, 100)), text.replace('9', "[9]"));
    }

    #[test]
    fn a_difference_at_the_end_uses_the_whole_width() {
        let text = "'aaaaaaaaaaaaaaaaaaaaaaab'";
        let at = text.find('b').unwrap();
        let mark = at..at + 1;
        let marked = Marked { text, marks: from_ref(&mark), anchor: at };
        assert_eq!(shown(&excerpt(marked, 10)), "…aaaaaaa[b]'");
    }

    #[test]
    fn two_long_values_show_the_same_place() {
        let real = format!("[{}]", (0..100).map(|n| n.to_string()).collect::<Vec<_>>().join(", "));
        let [real, predicted] = excerpts(&real, &real.replace("77", "78"), 30);
        assert_eq!(shown(&real), "…, 75, 76, [77], 78, 79, 80, 81…");
        assert_eq!(shown(&predicted), "…, 75, 76, [78], 78, 79, 80, 81…");
    }

    #[test]
    fn scrolling_cuts_wide_characters_in_half() {
        assert_eq!(scrolled("日本語", 2), "本語");
        assert_eq!(scrolled("日本語", 3), " 語");
        assert_eq!(scrolled("abc", 9), "");
    }

    #[test]
    fn wrapping_keeps_everything() {
        let marked = Marked { text: "abcdefg", marks: from_ref(&(2..4)), anchor: 2 };
        let lines = wrap(marked, 3);
        let lines: Vec<String> = lines.iter().map(|l| shown(l)).collect();
        assert_eq!(lines, ["ab[c]", "[d]ef", "g"]);
    }

    proptest! {
        #[test]
        fn cleaned_text_holds_no_control_characters(text in any::<String>()) {
            prop_assert!(!clean(&text).chars().any(is_harmful));
        }

        #[test]
        fn an_excerpt_fits_and_shows_the_difference(
            text in "[a-z0-9, 日é\u{301}]{0,60}", at in 0usize..60, available in 0usize..40,
        ) {
            let text = clean(&text);
            let anchor = text.grapheme_indices(true).nth(at).map_or(0, |(byte, _)| byte);
            let end = text[anchor..].graphemes(true).next().map_or(anchor, |g| anchor + g.len());
            let mark = anchor..end;
            let marked = Marked { text: &text, marks: from_ref(&mark), anchor };
            let pieces = excerpt(marked, available);
            prop_assert!(length(&pieces) <= available);
            if available >= 6 && width(&text[anchor..end]) > 0 {
                prop_assert!(pieces.iter().any(|p| p.marked), "{:?}", pieces);
            }
        }

        #[test]
        fn wrapped_lines_fit(text in any::<String>(), available in 2usize..20) {
            let text = clean(&text);
            for line in wrap(Marked::plain(&text), available) {
                prop_assert!(length(&line) <= available);
            }
        }
    }
}
