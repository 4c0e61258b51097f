//! Programs made of other programs by small changes: another value, operator or name, a statement
//! gone, twice, or before its neighbour.
//!
//! A change is kept if the static check has nothing against it; whether the program still makes
//! sense is not asked.

use ruff_python_ast::Stmt;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_text_size::{Ranged, TextRange};

use crate::check::{self, Severity, builtins};
use crate::generate::WORDS;

/// Attempts at a change.
const ATTEMPTS: usize = 8;

/// A program like `source`, which must have passed the static check; none if no change was found.
pub fn mutate(source: &str, seed: u64) -> Option<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = source.to_owned();
    for _ in 0..random.usize(1..=3) {
        let found = (0..ATTEMPTS).find_map(|_| {
            let changed = change(&text, &mut random)?;
            (changed != text && is_sound(&changed)).then_some(changed)
        });
        text = found.unwrap_or(text);
    }
    (text != source).then_some(text)
}

fn is_sound(source: &str) -> bool {
    check::check(source)
        .is_ok_and(|findings| findings.iter().all(|finding| finding.severity == Severity::Note))
}

fn change(source: &str, random: &mut fastrand::Rng) -> Option<String> {
    let parsed = ruff_python_parser::parse_module(source).ok()?;
    let tokens: Vec<Token> = parsed
        .tokens()
        .iter()
        .map(|token| Token { kind: token.kind(), range: token.range() })
        .collect();
    match random.usize(..11) {
        0..4 => {
            replace_one(source, &tokens, random, |at, random| value(source, &tokens, at, random))
        }
        4..7 => replace_one(source, &tokens, random, |at, random| {
            random.choice(operators(&tokens, at)).map(|operator| (*operator).to_owned())
        }),
        7..9 => rename(source, &tokens, random),
        _ => statement(source, parsed.suite(), random),
    }
}

#[derive(Clone, Copy)]
struct Token {
    kind: TokenKind,
    range: TextRange,
}

/// Replaces one of the tokens for which there is something else.
fn replace_one(
    source: &str,
    tokens: &[Token],
    random: &mut fastrand::Rng,
    mut other: impl FnMut(usize, &mut fastrand::Rng) -> Option<String>,
) -> Option<String> {
    let mut places: Vec<usize> = (0..tokens.len()).collect();
    random.shuffle(&mut places);
    places.into_iter().find_map(|at| {
        let new = other(at, random)?;
        let range = tokens[at].range;
        Some(format!(
            "{}{new}{}",
            &source[..range.start().to_usize()],
            &source[range.end().to_usize()..]
        ))
    })
}

/// Another value for one that is written out.
fn value(source: &str, tokens: &[Token], at: usize, random: &mut fastrand::Rng) -> Option<String> {
    let text = &source[tokens[at].range];
    match tokens[at].kind {
        TokenKind::True => Some("False".to_owned()),
        TokenKind::False => Some("True".to_owned()),
        TokenKind::Int => {
            let number: i64 = text.parse().ok()?;
            let other = match random.usize(..6) {
                0 => number + 1,
                1 => (number - 1).max(0),
                2 => number * 2,
                3 => random.i64(0..10),
                4 => number + random.i64(1..6),
                _ => random.i64(0..100),
            };
            Some(other.to_string())
        }
        TokenKind::String => {
            let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
            let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
            if inside.contains(['\\', quote, '{', '%']) {
                return None;
            }
            let other = match random.usize(..5) {
                0 => random.choice(WORDS).copied().unwrap_or_default().to_owned(),
                1 => inside.chars().rev().collect(),
                2 => inside.to_uppercase(),
                3 => inside.chars().skip(1).collect(),
                _ => format!("{inside}{}", random.lowercase()),
            };
            Some(format!("{quote}{other}{quote}"))
        }
        _ => None,
    }
}

/// What may stand in place of an operator.
fn operators(tokens: &[Token], at: usize) -> &'static [&'static str] {
    use TokenKind::*;
    // A star or a slash among parameters or arguments is no operator.
    let operand = |token: &Token| matches!(token.kind, Name | Int | Float | String | Rpar | Rsqb);
    let is_binary = at > 0 && operand(&tokens[at - 1]);
    match tokens[at].kind {
        Plus if is_binary => &["-", "*"],
        Minus if is_binary => &["+"],
        Star if is_binary => &["+", "-"],
        DoubleSlash => &["%", "*"],
        Percent if is_binary => &["//", "+"],
        Less => &["<=", ">"],
        LessEqual => &["<", ">="],
        Greater => &[">=", "<"],
        GreaterEqual => &[">", "<="],
        EqEqual => &["!="],
        NotEqual => &["=="],
        PlusEqual => &["-="],
        MinusEqual => &["+="],
        And => &["or"],
        Or => &["and"],
        _ => &[],
    }
}

/// Gives a name of the program another one everywhere.
fn rename(source: &str, tokens: &[Token], random: &mut fastrand::Rng) -> Option<String> {
    const NAMES: &[&str] = &[
        "x", "y", "value", "item", "total", "count", "result", "data", "n", "k", "found",
        "current", "left", "right", "first", "last", "size", "name", "text", "out", "items", "acc",
        "step",
    ];
    let name_at = |at: usize| &source[tokens[at].range];
    let is_name = |at: usize| tokens[at].kind == TokenKind::Name;
    let follows = |at: usize, kind| at > 0 && tokens[at - 1].kind == kind;
    // A name that is also an attribute or the name of an argument means something elsewhere.
    let precedes = |at: usize, kind| tokens.get(at + 1).is_some_and(|token| token.kind == kind);
    let outside = |at: usize| {
        follows(at, TokenKind::Dot)
            || precedes(at, TokenKind::Equal)
                && (follows(at, TokenKind::Comma) || follows(at, TokenKind::Lpar))
            || follows(at, TokenKind::Import)
            || follows(at, TokenKind::From)
    };
    let mut named: Vec<usize> = (0..tokens.len()).filter(|&at| is_name(at)).collect();
    let taken: Vec<&str> = named.iter().map(|&at| name_at(at)).collect();
    let free = |name: &str| {
        !builtins::is_given(name)
            && !matches!(name, "main" | "self" | "cls" | "_" | "match" | "case" | "type")
            && !named.iter().any(|&at| name_at(at) == name && outside(at))
    };
    let candidates: Vec<&str> = taken.iter().copied().filter(|name| free(name)).collect();
    let old = *random.choice(&candidates)?;
    let new = random.choice(NAMES).copied().filter(|name| !taken.contains(name))?;
    named.retain(|&at| name_at(at) == old);
    let mut text = source.to_owned();
    for &at in named.iter().rev() {
        let range = tokens[at].range;
        text.replace_range(range.start().to_usize()..range.end().to_usize(), new);
    }
    Some(text)
}

/// Leaves out a statement, writes it twice, or puts it before the one above it.
fn statement(source: &str, suite: &[Stmt], random: &mut fastrand::Rng) -> Option<String> {
    struct Bodies(Vec<Vec<TextRange>>);
    impl<'a> Visitor<'a> for Bodies {
        fn visit_body(&mut self, body: &'a [Stmt]) {
            let simple = |statement: &&Stmt| {
                matches!(
                    statement,
                    Stmt::Expr(_) | Stmt::Assign(_) | Stmt::AugAssign(_) | Stmt::Delete(_)
                )
            };
            let ranges: Vec<_> = body.iter().filter(simple).map(Ranged::range).collect();
            // A block must keep a statement.
            if body.len() > 1 && !ranges.is_empty() {
                self.0.push(ranges);
            }
            visitor::walk_body(self, body);
        }
    }
    let mut bodies = Bodies(Vec::new());
    bodies.visit_body(suite);
    let body = random.choice(&bodies.0)?;
    let at = random.usize(..body.len());
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let line_of = |offset: usize| source[..offset].matches('\n').count();
    let span =
        |range: &TextRange| line_of(range.start().to_usize())..line_of(range.end().to_usize()) + 1;
    let here = span(&body[at]);
    let mut parts = vec![&lines[..here.start], &lines[here.clone()], &lines[here.end..]];
    match random.usize(..4) {
        0 | 1 => drop(parts.remove(1)),
        2 => parts.insert(1, &lines[here]),
        _ => {
            let above = body.get(at.checked_sub(1)?).map(span)?;
            if above.end != here.start {
                return None;
            }
            parts = vec![
                &lines[..above.start],
                &lines[here.clone()],
                &lines[above],
                &lines[here.end..],
            ];
        }
    }
    Some(parts.concat().concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const PROGRAM: &str = "\
def f(nums, limit):
    total = 0
    best = -1
    for n in nums:
        if n < limit and n != 3:
            total += n * 2
            best = max(best, n)
        print('kept', total)
    return total, best


def main():
    return f([1, 5, 3], limit=4)
";

    #[test]
    fn mutants_differ_are_sound_and_are_the_same_for_a_seed() {
        let mutants: Vec<_> = (0..200).filter_map(|seed| mutate(PROGRAM, seed)).collect();
        assert!(mutants.len() > 150, "{}", mutants.len());
        let distinct: HashSet<_> = mutants.iter().collect();
        assert!(distinct.len() > 100, "{}", distinct.len());
        assert!(mutants.iter().all(|mutant| mutant != PROGRAM && is_sound(mutant)));
        assert_eq!(mutate(PROGRAM, 7), mutate(PROGRAM, 7));
    }

    #[test]
    fn each_kind_of_change_is_made() {
        let all: String = (0..300).filter_map(|seed| mutate(PROGRAM, seed)).collect();
        for made in ["total -= n", "n <= limit", "'tpek'", "<limit"] {
            let spaced = made.replace("<limit", "n > limit");
            assert!(all.contains(&spaced), "{spaced}");
        }
        assert!(all.contains("def f(nums, limit):"), "the name of an argument stays");
        assert!(all.contains("    best = -1\n    total = 0\n"), "statements change places");
    }

    #[test]
    fn what_does_not_parse_has_no_mutant() {
        assert_eq!(mutate("def f(:", 1), None);
        assert_eq!(mutate("pass\n", 1), None);
    }
}
