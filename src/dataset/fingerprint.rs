//! When two programs are the same but for what doesn't matter: white space, comments, and the names
//! that a program chooses itself; for near-duplicates of a benchmark also the values it is given.

use ruff_python_ast::token::TokenKind;
use ruff_text_size::Ranged;
use std::collections::HashMap;

use crate::check::builtins;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// All but names.
    Exact,
    /// All but names and values that are written out.
    Near,
}

/// A number that two programs share if they are alike; None for what doesn't parse.
pub fn fingerprint(source: &str, likeness: Likeness) -> Option<u64> {
    normal_form(source, likeness).map(|form| hash(form.as_bytes()))
}

/// The fingerprints of the functions that a program defines at its top; none for what doesn't parse.
pub fn function_fingerprints(source: &str, likeness: Likeness) -> Vec<u64> {
    let Ok(parsed) = ruff_python_parser::parse_module(source) else { return Vec::new() };
    let functions = parsed.suite().iter().filter_map(|statement| statement.as_function_def_stmt());
    functions.filter_map(|function| fingerprint(&source[function.range()], likeness)).collect()
}

/// A program in its normal form: tokens separated by spaces, names by number of first occurrence.
fn normal_form(source: &str, likeness: Likeness) -> Option<String> {
    let parsed = ruff_python_parser::parse_module(source).ok()?;
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut form = String::with_capacity(source.len());
    let mut after_dot = false;
    for token in parsed.tokens() {
        let text = &source[token.range()];
        let kind = token.kind();
        match kind {
            TokenKind::Comment | TokenKind::NonLogicalNewline => continue,
            TokenKind::Name if !after_dot && !builtins::is_given(text) => {
                let next = numbers.len();
                form.push_str(&format!("v{}", numbers.entry(text).or_insert(next)));
            }
            TokenKind::Indent | TokenKind::Dedent | TokenKind::Newline => {
                form.push_str(&format!("{kind:?}"));
            }
            TokenKind::Int | TokenKind::Float | TokenKind::Complex | TokenKind::String
                if likeness == Likeness::Near =>
            {
                form.push_str(&format!("{kind:?}"));
            }
            TokenKind::String => form.push_str(&text.replace('"', "'")),
            _ => form.push_str(text),
        }
        form.push(' ');
        after_dot = kind == TokenKind::Dot;
    }
    Some(form)
}

/// FNV-1a with a finisher: the same everywhere and always.
pub fn hash(bytes: &[u8]) -> u64 {
    let fnv = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mix(fnv, 0)
}

/// A number that two numbers decide and that tells nothing of either (SplitMix64).
pub fn mix(seed: u64, stream: u64) -> u64 {
    let mut z = seed.wrapping_add(stream.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str, likeness: Likeness) -> bool {
        fingerprint(a, likeness).unwrap() == fingerprint(b, likeness).unwrap()
    }

    #[test]
    fn names_comments_and_white_space_do_not_matter() {
        let a = "def f(nums):\n    # adds\n    return sum(nums) + 1\n";
        let b = "def total( xs ):\n\n  return sum(xs)+1";
        assert!(alike(a, b, Likeness::Exact));
        assert!(!alike(a, &a.replace("sum", "max"), Likeness::Exact));
        assert!(!alike(a, &a.replace("+ 1", "+ 2"), Likeness::Exact));
        assert!(alike(a, &a.replace("+ 1", "+ 2"), Likeness::Near));
    }

    #[test]
    fn which_names_are_the_same_matters() {
        assert!(!alike("a = b + b", "a = b + c", Likeness::Near));
        assert!(!alike("s.upper()", "s.lower()", Likeness::Near));
    }

    #[test]
    fn what_does_not_parse_has_no_fingerprint() {
        assert_eq!(fingerprint("def f(:", Likeness::Exact), None);
    }

    #[test]
    fn the_numbers_never_change() {
        assert_eq!(hash(b"lockstep"), hash(b"lockstep"));
        assert_eq!(mix(0, 0), 0xe220_a839_7b1d_cdaf);
    }
}
