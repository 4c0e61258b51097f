//! What a check says: a place in the program, how bad it is, and one line about it.

use ruff_source_file::{LineIndex, PositionEncoding};
use ruff_text_size::{TextRange, TextSize};
use serde::{Deserialize, Serialize};

/// Something that a person should know about a program before it runs.
///
/// Ordered by place, so that a sorted list reads from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// Where it stands.
    #[serde(flatten)]
    pub span: Span,
    /// How bad it is.
    pub severity: Severity,
    /// Which rule found it.
    pub kind: Kind,
    /// What is wrong and what to do, in one line, with the program's own names as written: a
    /// terminal must be given [`super::render()`]'s text, which escapes control characters.
    pub message: String,
}

/// A stretch of the program's text, its end not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// Line of the first character, 1-based.
    pub line: u32,
    /// Column of the first character, in characters, 1-based.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column just behind the last character, in characters, 1-based.
    pub end_column: u32,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program can't run here.
    Error,
    /// It fails, or does less than it says, if it gets there.
    Warning,
    /// It runs; this is good to know.
    Note,
}

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Python refuses the text.
    SyntaxError,
    /// Expressions or blocks are nested deeper than the compiler can go.
    NestedTooDeeply,
    /// Python accepts the text and warns of it.
    SyntaxWarning,
    /// A name is read that nothing in the program binds.
    UnboundName,
    /// A local variable is only ever updated, never given a first value.
    UnboundLocal,
    /// A statement that no path leads to.
    UnreachableCode,
    /// An import of a module that programs don't have here.
    MissingModule,
    /// A built-in function that programs don't have here.
    MissingBuiltin,
    /// The order of a set's elements matters, and CPython's differs.
    SetOrder,
    /// The program reads its standard input.
    ReadsInput,
}

impl Severity {
    /// The word that people read.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// Why a program can't be compiled: a finding of kind [`Kind::SyntaxError`] or
/// [`Kind::NestedTooDeeply`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {}", .0.span.line, .0.span.column, .0.message)]
pub struct SyntaxError(pub Finding);

/// Turns the parser's byte offsets into lines and columns.
pub(super) struct Places<'a> {
    text: &'a str,
    index: LineIndex,
}

impl<'a> Places<'a> {
    /// The lines of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Places { text, index: LineIndex::from_source_text(text) }
    }

    /// The program's text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The stretch between two byte offsets.
    pub(super) fn span(&self, range: TextRange) -> Span {
        let (line, column) = self.place(range.start());
        let (end_line, end_column) = self.place(range.end());
        Span { line, column, end_line, end_column }
    }

    fn place(&self, offset: TextSize) -> (u32, u32) {
        let at = self.index.source_location(offset, self.text, PositionEncoding::Utf32);
        (narrow(at.line.get()), narrow(at.character_offset.get()))
    }

    /// A finding at a range of the text.
    pub(super) fn finding(
        &self,
        severity: Severity,
        kind: Kind,
        range: TextRange,
        message: String,
    ) -> Finding {
        Finding { span: self.span(range), severity, kind, message }
    }
}

/// Lines and columns of a text of less than 4 GiB fit.
pub(super) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let places = Places::new("é = 1\nnaïve = 'é' + x\n");
        let start = places.text().find("x").unwrap();
        let range = TextRange::at(TextSize::new(u32::try_from(start).unwrap()), TextSize::new(1));
        assert_eq!(places.span(range), Span { line: 2, column: 15, end_line: 2, end_column: 16 });
    }

    #[test]
    fn a_finding_is_flat_json() {
        let finding = Finding {
            span: Span { line: 1, column: 2, end_line: 1, end_column: 3 },
            severity: Severity::Note,
            kind: Kind::SetOrder,
            message: "m".into(),
        };
        assert_eq!(
            serde_json::to_string(&finding).unwrap(),
            r#"{"line":1,"column":2,"end_line":1,"end_column":3,"severity":"note","kind":"set-order","message":"m"}"#
        );
        assert_eq!(SyntaxError(finding).to_string(), "1:2: m");
    }
}
