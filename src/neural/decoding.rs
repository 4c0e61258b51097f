//! Which tokens an answer may be made of: the likeliest, or the likeliest that keeps it legal.
//!
//! Constrained, an answer is a state that the format has, on a line of the program: what a model
//! knows of execution is then told apart from how well it keeps to a format. It flatters a model,
//! so it is off unless asked for, and every result says that it was on.

use serde::{Deserialize, Serialize};

use super::engine::Row;
use super::vocabulary::TokenId;

/// How the next token of an answer is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decoding {
    /// The likeliest of all.
    #[default]
    Greedy,
    /// The likeliest of those with which the answer can still become a legal state.
    Constrained,
}

impl Decoding {
    /// A model's name, and that it was constrained if it was.
    pub fn label(self, model: &str) -> String {
        match self {
            Decoding::Greedy => model.to_owned(),
            Decoding::Constrained => format!("{model} (constrained)"),
        }
    }

    /// Whether it is the one that is used unless asked otherwise.
    pub fn is_greedy(&self) -> bool {
        *self == Decoding::Greedy
    }

    /// The next token, of those after which the answer is `legal`; the likeliest if none is.
    pub(super) fn choose(self, row: Row<'_>, legal: impl Fn(TokenId) -> bool) -> TokenId {
        let best = row.best();
        if self == Decoding::Greedy || legal(best) {
            return best;
        }
        row.ranked().into_iter().find(|&id| legal(id)).unwrap_or(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_legal_token_is_taken() {
        let row = Row::new(&[1.0, 4.0, 3.0, 3.0, f32::NAN]);
        assert_eq!(Decoding::Greedy.choose(row, |_| false), 1);
        assert_eq!(Decoding::Constrained.choose(row, |_| true), 1);
        assert_eq!(Decoding::Constrained.choose(row, |id| id != 1), 2, "of equals, the first");
        assert_eq!(Decoding::Constrained.choose(row, |id| id == 4), 4);
        assert_eq!(Decoding::Constrained.choose(row, |_| false), 1);
    }
}
