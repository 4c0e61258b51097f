//! Takes addresses out of texts: they differ from run to run, and no model can predict them.
//!
//! A program gets to see an address only in a text that the interpreter makes of an object, such as
//! `<A object at 0x7f3a12bc4d50>` (`id` gives numbers of its own, see [`super::sandbox`]). So what
//! is masked is what looks like one of those, and no other hexadecimal number.

use std::borrow::Cow;

/// What stands before an address in the interpreter's texts.
const MARK: &str = " at 0x";
/// What stands for an address.
const SHOWN: &str = " at 0x…";
/// Digits of an address: those of programs lie above 4 GiB.
const DIGITS: std::ops::RangeInclusive<usize> = 9..=16;
/// What follows an address: the end, what a weak reference or cell refers to, or a place.
const AFTER: [&str; 6] = [">", "; ", ": ", ", ", " (", " to "];
/// Characters beyond which a text of `n` characters need not be looked at to find all addresses that
/// begin in it, and to have `n` characters of it when they are masked.
pub const fn reach(n: usize) -> usize {
    n.saturating_mul(3).saturating_add(64)
}

/// Whether a text holds what may be an address.
pub fn may_mask(text: &[u8]) -> bool {
    text.windows(MARK.len()).any(|window| window == MARK.as_bytes())
}

/// `text` with every address within angle brackets shown without its digits.
pub fn addresses(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    let mut open = 0;
    while let Some(at) = rest.find(MARK) {
        let digits = &rest[at + MARK.len()..];
        let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
        let length = digits.find(|c: char| !is_digit(c)).unwrap_or(digits.len());
        open = brackets(&rest[..at], open);
        let is_address = open > 0
            && DIGITS.contains(&length)
            && AFTER.iter().any(|after| digits[length..].starts_with(*after));
        masked.push_str(&rest[..at]);
        masked.push_str(if is_address { SHOWN } else { &rest[at..at + MARK.len() + length] });
        rest = &digits[length..];
    }
    masked.push_str(rest);
    Cow::Owned(masked)
}

/// How many angle brackets are open after `text`, of which `open` are before it.
fn brackets(text: &str, open: usize) -> usize {
    text.bytes().fold(open, |open, byte| match byte {
        b'<' => open + 1,
        b'>' => open.saturating_sub(1),
        _ => open,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_lose_their_digits() {
        for (text, shown) in [
            ("<A object at 0x7f3a12bc4d50>", "<A object at 0x…>"),
            ("[<A at 0x7f3a12bc4d50>, <B at 0x55d012bc4d51>]", "[<A at 0x…>, <B at 0x…>]"),
            (
                "<function f.<locals>.<lambda> at 0x7f3a12bc4d50>",
                "<function f.<locals>.<lambda> at 0x…>",
            ),
            (
                "<bound method A.f of <A object at 0x7f3a12bc4d50>>",
                "<bound method A.f of <A object at 0x…>>",
            ),
            (
                "<code object f at 0x7f3a12bc4d50, file \"p.py\", line 1>",
                "<code object f at 0x…, file \"p.py\", line 1>",
            ),
            (
                "<weakref at 0x7f3a12bc4d50; to 'A' at 0x7f3a12bc4d51>",
                "<weakref at 0x…; to 'A' at 0x…>",
            ),
            (
                "<cell at 0x7f3a12bc4d50: int object at 0x7f3a12bc4d51>",
                "<cell at 0x…: int object at 0x…>",
            ),
        ] {
            assert_eq!(addresses(text), shown);
        }
    }

    #[test]
    fn other_numbers_keep_their_digits() {
        for text in [
            "nothing here",
            "look at 0x1f",
            "look at 0x123456",
            "the fault at 0x7f3a12bc4d50 again",
            "<node> at 0x7f3a12bc4d50>",
            "<Node at 0x1040>",
            "<Node at 0x7f3a12bc4d50",
            "<Node at 0x7F3A12BC4D50>",
        ] {
            assert_eq!(addresses(text), text);
        }
    }

    proptest! {
        #[test]
        fn masking_twice_changes_nothing(text in "(<A| at 0x|[0-9a-f]{1,12}|>|, |é){0,12}") {
            let once = addresses(&text).into_owned();
            prop_assert_eq!(addresses(&once), once.as_str());
        }
    }
}
