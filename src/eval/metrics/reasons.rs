//! Why answers are malformed or steps have no verdict, and how often.
//!
//! A reason may quote what a model wrote, which is another text in every step. So answers are counted
//! by the rule that they break, and no more than so many reasons are told apart: what is kept doesn't
//! grow with the steps.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

/// Longest reason, in characters.
const MAX_LENGTH: usize = 200;

/// Most reasons that are told apart.
const MAX_REASONS: usize = 200;

/// What all others are counted under.
const OTHERS: &str = "other reasons";

/// How often each reason was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Reasons(BTreeMap<String, usize>);

impl Reasons {
    /// Counts a reason.
    pub(super) fn add(&mut self, reason: &str) {
        let reason: String = reason.chars().take(MAX_LENGTH).collect();
        let is_told = self.0.len() < MAX_REASONS || self.0.contains_key(&reason);
        let reason = if is_told { reason } else { OTHERS.to_owned() };
        *self.0.entry(reason).or_default() += 1;
    }

    /// How often this was the reason.
    pub fn count(&self, reason: &str) -> usize {
        self.0.get(reason).copied().unwrap_or_default()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, the most frequent first.
    pub fn most_frequent(&self) -> Vec<(&str, usize)> {
        let mut all: Vec<_> = self.0.iter().map(|(why, count)| (why.as_str(), *count)).collect();
        all.sort_by_key(|(_, count)| Reverse(*count));
        all
    }
}

/// The rule that a malformed answer breaks, by its reason. What the model wrote instead stands after a
/// colon, or in backquotes after `, not`.
pub(super) fn rule(reason: &str) -> &str {
    let ends = [": ", ", not `"].into_iter().filter_map(|mark| reason.find(mark));
    &reason[..ends.min().unwrap_or(reason.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_the_rule_that_they_break() {
        let mut reasons = Reasons::default();
        for name in 0..1_000 {
            reasons.add(rule(&format!("a variable is told twice: `n{name}`")));
        }
        reasons.add(rule("<|src_sep|> was due, not `x`"));
        reasons.add(rule("`..` doesn't come first"));
        reasons.add(rule("`..` doesn't come first"));
        let expected = [
            ("a variable is told twice", 1_000),
            ("`..` doesn't come first", 2),
            ("<|src_sep|> was due", 1),
        ];
        assert_eq!(reasons.most_frequent(), expected);
    }

    #[test]
    fn what_is_kept_does_not_grow_with_the_steps() {
        let mut reasons = Reasons::default();
        for number in 0..5_000 {
            reasons.add(&format!("{number} {}", "é".repeat(1_000)));
        }
        assert_eq!(reasons.0.len(), MAX_REASONS + 1);
        assert_eq!(reasons.count(OTHERS), 5_000 - MAX_REASONS);
        assert!(reasons.0.keys().all(|reason| reason.chars().count() <= MAX_LENGTH));
    }
}
