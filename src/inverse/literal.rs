//! Values that a model predicts, as expressions that build them.
//!
//! A prediction's text is nothing to be run. It is taken only if it consists of constants and the
//! brackets and signs of containers, so that whatever it evaluates to, none of the program's code
//! runs for it; whether it is well formed is for the interpreter to say, in its own process.

/// Longest text of a value that is taken, in bytes.
const MAX_BYTES: usize = 1 << 16;

/// The expression that builds the value of this text; none if it isn't made of constants alone:
/// instances, functions, cut values.
pub fn expression(text: &str) -> Option<String> {
    if text.trim().is_empty() || text.len() > MAX_BYTES {
        return None;
    }
    let mut expression = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let (token, built) = match next {
            ' ' | '[' | ']' | '(' | ')' | '{' | '}' | ',' | ':' | '+' | '-' => {
                (&rest[..1], &rest[..1])
            }
            '\'' | '"' => (quoted(rest)?, quoted(rest)?),
            '0'..='9' => (number(rest), number(rest)),
            _ => word(rest)?,
        };
        expression.push_str(built);
        rest = &rest[token.len()..];
    }
    Some(expression)
}

/// The string that a text begins with, in its quotes.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next()?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' | '\r' | '\0' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(&text[..at + c.len_utf8()]),
            _ => {}
        }
    }
    None
}

/// The number that a text begins with, with the sign of its exponent and the `j` of an imaginary
/// one.
fn number(text: &str) -> &str {
    let mut end = 0;
    for (at, byte) in text.bytes().enumerate() {
        let after_exponent = at > 0 && text.as_bytes()[at - 1] == b'e';
        match byte {
            b'0'..=b'9' | b'.' | b'e' | b'j' => end = at + 1,
            b'+' | b'-' if after_exponent => end = at + 1,
            _ => break,
        }
    }
    &text[..end]
}

/// The word that a text begins with, if it is the name of a constant or the beginning of a literal,
/// and what builds it. Names that a program could have given another meaning are built without
/// them.
fn word(text: &str) -> Option<(&str, &str)> {
    const WORDS: [(&str, &str); 6] = [
        ("True", "True"),
        ("False", "False"),
        ("None", "None"),
        ("set()", "{*()}"),
        ("inf", "1e999"),
        ("nan", "(1e999-1e999)"),
    ];
    if let Some(string) = text.strip_prefix('b').filter(|rest| rest.starts_with(['\'', '"'])) {
        let whole = &text[..1 + quoted(string)?.len()];
        return Some((whole, whole));
    }
    let (word, built) = WORDS.into_iter().find(|(word, _)| text.starts_with(word))?;
    let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '(';
    let ends = !text[word.len()..].starts_with(goes_on);
    ends.then_some((&text[..word.len()], built))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn constants_and_containers_are_taken_as_they_are() {
        for text in [
            "1",
            "-12.5e-3",
            "(1+2j)",
            "'it\\'s {x}'",
            "b\"\\x00\"",
            "[1, [2, 'a'], (3,), {'k': {1, 2}}, True, None]",
            "''",
            "()",
        ] {
            assert_eq!(expression(text).as_deref(), Some(text));
        }
        assert_eq!(expression("[set(), -inf]").as_deref(), Some("[{*()}, -1e999]"));
        assert_eq!(expression("nan").as_deref(), Some("(1e999-1e999)"));
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            " ",
            "x",
            "main()",
            "__import__('os')",
            "f'{x}'",
            "rb'x'",
            "Point(x=1, y=2)",
            "<function f>",
            "'abc… (5,000 characters)",
            "[1, 2, … 3 more]",
            "set([1])",
            "set()()",
            "Trueish",
            "1 if 2 else 3",
            "9**9",
            "[1]*9",
            "lambda: 1",
            "'a'.upper()",
            "'open",
            "'a\nb'",
            "infinity",
        ] {
            assert_eq!(expression(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_names_nothing(text in any::<String>()) {
            if let Some(expression) = expression(&text) {
                let outside: String = strings_out(&expression);
                let words = outside.split(|c: char| !c.is_alphabetic() && c != '_');
                for word in words.filter(|word| !word.is_empty()) {
                    prop_assert!(
                        ["True", "False", "None", "e", "j", "b", "ej"].contains(&word)
                            || word.chars().all(|c| matches!(c, 'e' | 'j')),
                        "{word} in {expression}"
                    );
                }
            }
        }

        #[test]
        fn any_mix_of_tokens_is_taken_or_refused(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("'a'"), Just("b'"), Just("\\"), Just("set()"), Just("inf"), Just("1e"),
                    Just("["), Just("é"), Just("None"), Just("x"), Just("."), Just("+"),
                ],
                0..9,
            ),
        ) {
            let text = parts.concat();
            let taken = expression(&text);
            prop_assert!(taken.is_none() || !parts.contains(&"x") || text.contains("'"));
        }
    }

    /// An expression without its strings.
    fn strings_out(expression: &str) -> String {
        let mut out = String::new();
        let mut rest = expression;
        while let Some(next) = rest.chars().next() {
            match quoted(rest).filter(|_| matches!(next, '\'' | '"')) {
                Some(string) => rest = &rest[string.len()..],
                None => {
                    out.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        out
    }
}
