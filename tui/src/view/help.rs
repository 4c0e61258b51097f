//! The help: the table of keys, what can be typed, and the signs.

use std::fmt::Display;

use super::page::OPENS;
use super::popup::{Styled, heading};
use super::source::{BREAKPOINT, CANDIDATE, PREDICTED, REAL, SWITCHED_OFF};
use super::variables::CHANGED;
use crate::keys::{BINDINGS, Group, HELP_WIDTH, KEYS_WIDTH};
use crate::snapshot::Verdict;
use crate::text::width;
use crate::theme::{MALFORMED, Role, mark};

/// The key table by groups, and the signs; in two columns if they fit.
pub(super) fn lines(columns: usize) -> Vec<Styled> {
    let mut blocks: Vec<Vec<Styled>> = Group::ALL
        .into_iter()
        .map(|group| {
            let of_group = BINDINGS.iter().filter(|binding| binding.group == group);
            let mut lines = vec![heading(group.title(), Role::Title)];
            lines.extend(
                of_group.map(|binding| explained(binding.labels(), Role::Key, binding.help)),
            );
            lines
        })
        .collect();
    blocks.extend([orders(), signs()]);
    let column = KEYS_WIDTH + HELP_WIDTH;
    let flow = |blocks: &[Vec<Styled>]| blocks.join(&[vec![]][..]);
    if columns < 2 * column + 2 {
        return flow(&blocks);
    }
    let halves = |at: usize| (flow(&blocks[..at]), flow(&blocks[at..]));
    let taller = |(left, right): (Vec<Styled>, Vec<Styled>)| left.len().max(right.len());
    let middle = (0..blocks.len()).min_by_key(|at| taller(halves(*at)));
    let (mut left, mut right) = halves(middle.unwrap_or(0));
    let rows = left.len().max(right.len());
    left.resize(rows, vec![]);
    right.resize(rows, vec![]);
    left.into_iter()
        .zip(right)
        .map(|(mut line, right)| {
            let used: usize = line.iter().map(|(text, _)| width(text)).sum();
            line.push((" ".repeat((column + 2).saturating_sub(used)), Role::Plain));
            line.extend(right);
            line
        })
        .collect()
}

fn explained(name: impl Display, role: Role, meaning: &str) -> Styled {
    let name = name.to_string();
    let padding = KEYS_WIDTH.saturating_sub(width(&name)).max(1);
    vec![(format!("{name}{}", " ".repeat(padding)), role), (meaning.to_owned(), Role::Plain)]
}

/// What can be typed behind the colon. Whoever is asked reads it; the screen does not.
fn orders() -> Vec<Styled> {
    let order = |name, meaning| explained(name, Role::Key, meaning);
    vec![
        heading("Commands", Role::Title),
        order(":b 12", "stop at line 12"),
        order(":b 12, n>3", "if this holds"),
        order(":b solve", "if solve is called"),
        order(":b change n", "if n changes"),
        order(":b raise", "if something is raised"),
        order(":b 12;hit 3", "the third time only"),
        order(":b 12;log n", "print n, do not stop"),
        order(":b", "list them, with numbers"),
        order(":off 1", "switch off (:on 1)"),
        order(":clear 1", "take away"),
        order(":watch n*2", "show it (:unwatch n*2)"),
        order(":p n*2", "show it once"),
        order(":x tree", "inspect a value"),
        order(":set n = 5", "change n, as a branch"),
        order(":input 2 no", "answer read 2 otherwise"),
        order(":branch 1", "switch (0: the original)"),
        order(":infer", "what came before?"),
        order(":guess n=1", "check a guess at it"),
        order(":goto 37", "to state 37"),
        order(":t 12", "run to line 12"),
        order(":q", "quit"),
    ]
}

fn signs() -> Vec<Styled> {
    let verdict = |verdict, meaning| {
        let (sign, role) = mark(verdict);
        explained(sign, role, meaning)
    };
    vec![
        heading("Signs", Role::Title),
        explained(REAL, Role::Real, "the real line"),
        explained(PREDICTED, Role::Predicted, "the predicted line"),
        explained(CANDIDATE, Role::Predicted, "perhaps the predicted"),
        explained(BREAKPOINT, Role::Breakpoint, "a breakpoint"),
        explained(SWITCHED_OFF, Role::Breakpoint, "one that is switched off"),
        verdict(Verdict::Same, "both sides are the same"),
        verdict(Verdict::Changed, "they differ"),
        verdict(Verdict::Missing, "real, but not predicted"),
        verdict(Verdict::Extra, "predicted, but not real"),
        verdict(Verdict::Pending, "not predicted yet"),
        explained(MALFORMED, Role::Diverged, "a malformed prediction"),
        explained(CHANGED, Role::Changed, "changed in this step"),
        explained(OPENS, Role::Key, "an item that opens"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_help_fits_its_column() {
        let column = KEYS_WIDTH + HELP_WIDTH;
        for line in lines(column) {
            let [(name, _), (meaning, _)] = &*line else { continue };
            assert!(name.ends_with(' ') && width(name) <= KEYS_WIDTH, "{name}");
            assert!(width(meaning) <= HELP_WIDTH, "{meaning}");
        }
    }
}
