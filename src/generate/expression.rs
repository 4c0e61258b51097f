//! Expressions: their text, and how strongly it binds.

use std::fmt;

/// How strongly an operator binds, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `a if b else c`, `lambda`
    Conditional,
    /// `or`
    Or,
    /// `and`
    And,
    /// `not`
    Not,
    /// `<`, `in`, ...
    Comparison,
    /// `+`, `-`
    Sum,
    /// `*`, `//`, `%`
    Product,
    /// `-a`
    Sign,
    /// `**`
    Power,
    /// A name, a call, something in brackets.
    Atom,
}

/// An expression as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    level: Level,
}

impl Expression {
    /// An expression whose outermost operator binds like this.
    pub fn new(text: impl Into<String>, level: Level) -> Self {
        Expression { text: text.into(), level }
    }

    /// One that needs no parentheses anywhere.
    pub fn atom(text: impl Into<String>) -> Self {
        Self::new(text, Level::Atom)
    }

    /// Its text where an operator of this level stands beside it.
    pub fn at(&self, level: Level) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }

    /// Whether a variable stands in it.
    pub fn mentions(&self, name: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.text.match_indices(name).any(|(at, _)| {
            !self.text[..at].ends_with(is_part)
                && !self.text[at + name.len()..].starts_with(is_part)
        })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let sum = Expression::new("a + b", Level::Sum);
        assert_eq!(format!("{} * c", sum.at(Level::Product)), "(a + b) * c");
        assert_eq!(format!("{} < c", sum.at(Level::Comparison)), "a + b < c");
    }

    #[test]
    fn names_are_found_as_whole_words() {
        let sum = Expression::new("nums[n] + 1", Level::Sum);
        assert!(sum.mentions("n") && sum.mentions("nums") && !sum.mentions("num"));
    }
}
