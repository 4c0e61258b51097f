//! Takes addresses out of texts: they differ from run to run, and no model can predict them.

use std::borrow::Cow;

/// What stands before an address in Python's texts.
const MARK: &str = " at 0x";
/// What stands for an address.
const SHOWN: &str = " at 0x…";

/// `text` with every ` at 0x7f…` of it shown without its digits.
pub fn addresses(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let digits = &rest[at + MARK.len()..];
        let length = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        masked.push_str(&rest[..at]);
        // An address has more digits than a small number that a program writes in this form.
        masked.push_str(if length >= 6 { SHOWN } else { &rest[at..at + MARK.len() + length] });
        rest = &digits[length..];
    }
    masked.push_str(rest);
    Cow::Owned(masked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_lose_their_digits_and_other_numbers_keep_them() {
        let text = "<A object at 0x7f3a12bc4d50>, <B at 0x7f3a12bc4d51>; look at 0x1f";
        assert_eq!(addresses(text), "<A object at 0x…>, <B at 0x…>; look at 0x1f");
        assert_eq!(addresses("nothing here"), "nothing here");
    }

    proptest! {
        #[test]
        fn masking_twice_changes_nothing(text in "( at 0x|[0-9a-f]{1,8}|x|é){0,12}") {
            let once = addresses(&text).into_owned();
            prop_assert_eq!(addresses(&once), once.as_str());
        }
    }
}
