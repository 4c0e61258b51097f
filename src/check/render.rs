//! Findings for people: one line about it, the source line, and a mark below it.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

use super::finding::Finding;

/// Columns of a source line that are shown; more is cut off on both sides of the place.
const WIDTH: usize = 160;
/// Columns that are kept before the place when a line is cut.
const BEFORE: usize = 60;
/// Distance between tab stops, in columns.
const TAB: usize = 4;

/// A finding as text, with the line of the program that it is about.
///
/// `name` is what the user calls the program, `source` the text that was checked. The text ends in
/// a newline and holds no control characters but newlines, whatever the program holds.
///
/// ```text
/// warning: `cuonter` is never bound in this program; check its spelling or assign it first
///  --> count.py:3:11
///   |
/// 3 |     return cuonter
///   |            ^^^^^^^
/// ```
pub fn render(name: &str, source: &str, finding: &Finding) -> String {
    let span = finding.span;
    let line = source.split('\n').nth(span.line.saturating_sub(1) as usize).unwrap_or_default();
    let end = if span.end_line == span.line { span.end_column } else { u32::MAX };
    let excerpt = Excerpt::of(line, span.column as usize, end as usize);

    let number = span.line.to_string();
    let margin = " ".repeat(number.len());
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = writeln!(text, "{}: {}", finding.severity.word(), escaped(&finding.message));
    let _ = writeln!(text, "{margin}--> {}:{}:{}", escaped(name), span.line, span.column);
    let _ = writeln!(text, "{margin} |");
    let _ = writeln!(text, "{number} | {}", excerpt.text);
    let _ = writeln!(text, "{margin} | {}{}", " ".repeat(excerpt.start), "^".repeat(excerpt.width));
    text
}

/// What is shown of a line, and the columns of the mark below it.
struct Excerpt {
    text: String,
    start: usize,
    width: usize,
}

impl Excerpt {
    /// The part of a line around the characters from `start` up to `end`, both 1-based.
    fn of(line: &str, start: usize, end: usize) -> Self {
        // Each character with the column that it starts in.
        let mut column = 0;
        let shown: Vec<(usize, String)> = line
            .chars()
            .map(|character| {
                let at = column;
                let text = shown(character, at);
                column += text.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>();
                (at, text)
            })
            .collect();
        let column_of =
            |character: usize| shown.get(character.saturating_sub(1)).map_or(column, |(at, _)| *at);
        let (mark, mark_end) = (column_of(start), column_of(end));

        let first = if column > WIDTH { mark.saturating_sub(BEFORE) } else { 0 };
        let last = first + WIDTH;
        let mut text: String = shown
            .iter()
            .filter(|(at, _)| (first..last).contains(at))
            .map(|(_, text)| text.as_str())
            .collect();
        let mut cut = 0;
        if first > 0 {
            text.insert(0, '…');
            // A character that straddles the cut is left out whole.
            let kept = shown.iter().map(|(at, _)| *at).find(|at| *at >= first).unwrap_or(column);
            cut = kept - 1;
        }
        if column > last {
            text.push('…');
        }
        let end = mark_end.min(last);
        Excerpt {
            text: text.trim_end().to_owned(),
            start: mark - cut.min(mark),
            width: end.saturating_sub(mark).max(1),
        }
    }
}

/// A character as it is shown in a column: tabs as spaces, control characters escaped.
fn shown(character: char, column: usize) -> String {
    match character {
        '\t' => " ".repeat(TAB - column % TAB),
        _ if is_harmful(character) => character.escape_unicode().to_string(),
        _ => character.to_string(),
    }
}

/// Control characters, and those that turn the direction of the text around them.
fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| if is_harmful(c) { c.escape_unicode().to_string() } else { c.to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Kind, Severity, Span};
    use super::*;
    use proptest::prelude::*;

    fn marked(line: &str, column: u32, end_column: u32) -> String {
        let finding = Finding {
            span: Span { line: 1, column, end_line: 1, end_column },
            severity: Severity::Note,
            kind: Kind::SetOrder,
            message: "m".into(),
        };
        let text = render("p.py", line, &finding);
        text.lines().skip(3).map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn the_mark_stands_below_its_characters() {
        assert_eq!(marked("a = bc", 5, 7), "1 | a = bc\n  |     ^^\n");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(marked("名前 = bc", 6, 8), "1 | 名前 = bc\n  |        ^^\n");
        assert_eq!(marked("名前 = bc", 1, 3), "1 | 名前 = bc\n  | ^^^^\n");
    }

    #[test]
    fn combining_characters_take_none() {
        assert_eq!(marked("e\u{301} = bc", 6, 8), "1 | e\u{301} = bc\n  |     ^^\n");
    }

    #[test]
    fn tabs_go_to_the_next_stop() {
        assert_eq!(marked("\ta\tbc", 4, 6), "1 |     a   bc\n  |         ^^\n");
    }

    #[test]
    fn control_characters_are_escaped_and_counted() {
        let shown = marked("\u{1b}[31m\u{202e} bc", 8, 10);
        assert_eq!(shown, "1 | \\u{1b}[31m\\u{202e} bc\n  |                    ^^\n");
    }

    #[test]
    fn a_place_behind_the_end_of_a_line_is_marked_once() {
        assert_eq!(marked("ab", 3, 3), "1 | ab\n  |   ^\n");
        assert_eq!(marked("ab", 99, 120), "1 | ab\n  |   ^\n");
    }

    #[test]
    fn a_span_of_several_lines_is_marked_to_the_end_of_the_first() {
        let finding = Finding {
            span: Span { line: 2, column: 3, end_line: 3, end_column: 2 },
            severity: Severity::Warning,
            kind: Kind::UnreachableCode,
            message: "m".into(),
        };
        let text = render("p.py", "\n  abc\nd\n", &finding);
        assert!(text.ends_with("2 |   abc\n  |   ^^^\n"), "{text}");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let line = format!("{}bc{}", "名".repeat(1_000), "x".repeat(1_000));
        let text = marked(&line, 1_001, 1_003);
        let mut lines = text.lines();
        let (source, mark) = (lines.next().unwrap(), lines.next().unwrap());
        assert!(source.starts_with("1 | …名") && source.ends_with("x…"), "{source}");
        let column = mark.chars().count() - 2;
        let before: usize =
            source.chars().take_while(|c| *c != 'b').map(|c| c.width().unwrap()).sum();
        assert_eq!(before, column);
        assert!(mark.ends_with(" ^^"));
    }

    proptest! {
        #[test]
        fn any_finding_is_shown_without_control_characters(
            name in ".{0,10}",
            source in "(?s).{0,300}",
            message in "(?s).{0,40}",
            line in 0u32..5, column in 0u32..300, lines in 0u32..3, columns in 0u32..300,
        ) {
            let span = Span { line, column, end_line: line + lines, end_column: columns };
            let (severity, kind) = (Severity::Error, Kind::SyntaxError);
            let text = render(&name, &source, &Finding { span, severity, kind, message });
            prop_assert_eq!(text.lines().count(), 5);
            prop_assert!(text.chars().all(|c| c == '\n' || !is_harmful(c)));
        }
    }
}
