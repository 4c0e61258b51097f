//! Exceptions as the formats print them: the `repr` of the exception.
//!
//! A recorded exception has a class and a message (`str()`); its `repr` is rebuilt from these. For
//! arguments that are one string, and for KeyError, whose `str()` is its key's `repr`, that is
//! exact. Others, say `StopIteration(5)`, are printed with the message as a string; the model's
//! own `StopIteration(5)` is read as the same class and message.

use crate::state::{Raised, Text};

/// The `repr` of an exception.
pub(super) fn repr(raised: &Raised) -> String {
    let Raised { class, message } = raised;
    match &**class {
        _ if message.is_empty() => format!("{class}()"),
        "KeyError" => format!("{class}({message})"),
        _ => format!("{class}({})", string_repr(message)),
    }
}

/// The exception that a `repr` stands for. Text that is no call is taken as a class alone: shown
/// as it is, it equals no real exception.
pub(super) fn from_repr(text: &str) -> Raised {
    let call =
        text.split_once('(').and_then(|(class, rest)| Some((class, rest.strip_suffix(')')?)));
    let Some((class, arguments)) = call else {
        return Raised { class: text.into(), message: Text::default() };
    };
    let message = if class == "KeyError" {
        arguments.to_owned()
    } else if let Some(message) = string_value(arguments) {
        message
    } else if has_several(arguments) {
        format!("({arguments})")
    } else {
        arguments.to_owned()
    };
    Raised { class: class.into(), message: message.into() }
}

/// `repr` of a Python string: single quotes unless it holds those and no double ones.
fn string_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c == quote => out.extend(['\\', c]),
            _ if is_printable(c) => out.push(c),
            _ => match u32::from(c) {
                code @ ..=0xff => out.push_str(&format!("\\x{code:02x}")),
                code @ ..=0xffff => out.push_str(&format!("\\u{code:04x}")),
                code => out.push_str(&format!("\\U{code:08x}")),
            },
        }
    }
    out.push(quote);
    out
}

/// Whether Python prints the character as it is. Rust's debug form escapes the same classes, but
/// also combining characters that open a text, hence the letter before it.
fn is_printable(c: char) -> bool {
    matches!(c, '\'' | '"') || format!("a{c}").escape_debug().eq(['a', c])
}

/// The value of a Python string literal; none if `text` is anything else.
fn string_value(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let quote = chars.next().filter(|c| matches!(c, '\'' | '"'))?;
    let mut value = String::with_capacity(text.len());
    loop {
        match chars.next()? {
            c if c == quote => return chars.next().is_none().then_some(value),
            '\\' => value.push(match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'x' => by_code(&mut chars, 2)?,
                'u' => by_code(&mut chars, 4)?,
                'U' => by_code(&mut chars, 8)?,
                c @ ('\\' | '\'' | '"') => c,
                _ => return None,
            }),
            c => value.push(c),
        }
    }
}

/// The character that the next `digits` hexadecimal digits name.
fn by_code(chars: &mut std::str::Chars, digits: usize) -> Option<char> {
    let code = chars.by_ref().take(digits).try_fold((0, 0), |(code, count), c| {
        c.to_digit(16).map(|digit| (code * 16 + digit, count + 1))
    });
    code.filter(|&(_, count)| count == digits).and_then(|(code, _)| char::from_u32(code))
}

/// Whether a call's arguments are more than one: a comma outside quotes and brackets.
fn has_several(arguments: &str) -> bool {
    let (mut depth, mut quote, mut escaped) = (0i32, None, false);
    for c in arguments.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => return true,
            (None, _) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn raised(class: &str, message: &str) -> Raised {
        Raised { class: class.into(), message: message.into() }
    }

    #[test]
    fn exceptions_print_as_their_repr() {
        let printed = |class, message| repr(&raised(class, message));
        assert_eq!(
            printed("IndexError", "list index out of range"),
            "IndexError('list index out of range')"
        );
        assert_eq!(printed("KeyError", "'c'"), "KeyError('c')");
        assert_eq!(printed("AssertionError", ""), "AssertionError()");
        assert_eq!(printed("NameError", "name 'x' is"), r#"NameError("name 'x' is")"#);
        assert_eq!(printed("E", "a\n\\'\"é\u{7f}\u{200b}"), r#"E('a\n\\\'"é\x7f\u200b')"#);
    }

    #[test]
    fn other_arguments_read_as_python_would_print_them() {
        assert_eq!(from_repr("StopIteration(5)"), raised("StopIteration", "5"));
        assert_eq!(from_repr("E('a', 1)"), raised("E", "('a', 1)"));
        assert_eq!(from_repr("E([1, 2])"), raised("E", "[1, 2]"));
        assert_eq!(from_repr("E('a, b' 'c')"), raised("E", "'a, b' 'c'"));
        assert_eq!(from_repr("None"), raised("None", ""));
        assert_eq!(from_repr("E('\\x4')"), raised("E", "'\\x4'"));
    }

    proptest! {
        #[test]
        fn an_exception_reads_back(class in "[A-Za-z_.]{1,8}", message in any::<String>()) {
            let original = raised(&class, &message);
            prop_assert_eq!(from_repr(&repr(&original)), original);
        }

        #[test]
        fn any_text_is_some_exception(text in any::<String>()) {
            from_repr(&text);
        }
    }
}
