//! Python expressions as they stand in a point: text that is told apart from what surrounds it.
//!
//! Lockstep's own process never parses Python. To find where an expression ends it needs to know
//! only what is inside quotes: `,` and `;` outside of them separate the parts of a point.

use std::fmt;

use crate::state::Text;

/// One line of Python that is meant to be an expression: not empty, without space around it, with
/// all its quotes closed, and without a `;` outside of quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression(Text);

/// Why a text can't be an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadExpression {
    /// There is nothing.
    #[error("an expression is missing")]
    Empty,
    /// A quote is open at the end.
    #[error("`{0}`: a quote is not closed")]
    OpenQuote(String),
    /// Several statements, or several lines.
    #[error("`{0}`: write one expression on one line, without `;`")]
    Several(String),
}

impl Expression {
    /// Takes this text, without the space around it.
    pub fn new(text: &str) -> Result<Self, BadExpression> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadExpression::Empty);
        }
        if text.contains(['\n', '\r', '\0']) {
            return Err(BadExpression::Several(text.escape_debug().to_string()));
        }
        match outside_quotes(text, ';') {
            Ok(None) => Ok(Expression(text.into())),
            Ok(Some(_)) => Err(BadExpression::Several(text.to_owned())),
            Err(OpenQuote) => Err(BadExpression::OpenQuote(text.to_owned())),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Expression {
    type Err = BadExpression;

    fn from_str(text: &str) -> Result<Self, BadExpression> {
        Expression::new(text)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A quote is open at the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenQuote;

/// Where `wanted` first stands outside of Python's quotes, in bytes.
pub fn outside_quotes(text: &str, wanted: char) -> Result<Option<usize>, OpenQuote> {
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let at = text.len() - rest.len();
        if next == wanted {
            // The rest has to be whole, too: it is read later.
            return Ok(Some(at));
        }
        rest = match next {
            '"' | '\'' => after_quoted(rest).ok_or(OpenQuote)?,
            _ => &rest[next.len_utf8()..],
        };
    }
    Ok(None)
}

/// What follows the quoted text at the start of `text`; none if it is not closed.
fn after_quoted(text: &str) -> Option<&str> {
    let quote = text.get(..1)?;
    let triple = [quote; 3].concat();
    let (mark, empty) = match text.starts_with(&triple) {
        true => (triple.as_str(), false),
        false => (quote, text[1..].starts_with(quote)),
    };
    if empty {
        return Some(&text[2..]);
    }
    let mut rest = &text[mark.len()..];
    loop {
        if let Some(after) = rest.strip_prefix(mark) {
            return Some(after);
        }
        let mut characters = rest.chars();
        if characters.next()? == '\\' {
            characters.next()?;
        }
        rest = characters.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn marks_inside_quotes_are_text() {
        for (text, comma) in [
            ("a, b", Some(1)),
            ("',' , b", Some(4)),
            (r"'\',' , b", Some(6)),
            (r#""","", b"#, Some(2)),
            (r#"""" , " """, b"#, Some(11)),
            ("f(x)", None),
            ("'é,' , x", Some(6)),
        ] {
            assert_eq!(outside_quotes(text, ','), Ok(comma), "{text}");
        }
        assert_eq!(outside_quotes("'a", ','), Err(OpenQuote));
        assert_eq!(outside_quotes("'''a'", ','), Err(OpenQuote));
        assert_eq!(outside_quotes(r"'a\", ','), Err(OpenQuote));
    }

    #[test]
    fn what_is_no_expression_is_told() {
        for bad in ["", "  ", "a; b", "a\nb", "'a", "\0"] {
            assert!(Expression::new(bad).is_err(), "{bad:?}");
        }
        assert_eq!(Expression::new(" n > ';' ").unwrap().as_str(), "n > ';'");
    }

    proptest! {
        #[test]
        fn any_text_is_an_expression_or_an_error(text in any::<String>()) {
            if let Ok(expression) = Expression::new(&text) {
                prop_assert_eq!(Expression::new(expression.as_str()), Ok(expression));
            }
        }

        #[test]
        fn quoted_text_hides_every_mark(inside in "[a-z,; ]{0,12}", quote in prop::sample::select(vec!["'", "\"", "'''", "\"\"\""])) {
            let text = format!("{quote}{inside}{quote}");
            prop_assert_eq!(outside_quotes(&text, ','), Ok(None));
        }
    }
}
