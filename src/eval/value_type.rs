//! The type of a value, as far as its text tells.

use serde::{Deserialize, Serialize};

/// A type of values, read off what `repr` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the types of Python")]
pub enum ValueType {
    None,
    Bool,
    Int,
    Float,
    Str,
    Bytes,
    List,
    Tuple,
    Dict,
    Set,
    /// Instances, functions, classes and everything else.
    Other,
}

impl ValueType {
    /// The type of a value with this text.
    pub fn of(text: &str) -> Self {
        let is_float = |text: &str| {
            text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'i' | b'n'))
                && text.parse::<f64>().is_ok()
        };
        match text.as_bytes() {
            b"None" => ValueType::None,
            b"True" | b"False" => ValueType::Bool,
            [b'\'' | b'"', ..] => ValueType::Str,
            [b'b', b'\'' | b'"', ..] => ValueType::Bytes,
            [b'[', ..] => ValueType::List,
            [b'(', ..] => ValueType::Tuple,
            b"set()" => ValueType::Set,
            b"{}" => ValueType::Dict,
            [b'{', ..] if has_keys(text) => ValueType::Dict,
            [b'{', ..] => ValueType::Set,
            _ if text.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit()) => ValueType::Int,
            _ if is_float(text) => ValueType::Float,
            _ => ValueType::Other,
        }
    }

    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::None => "None",
            ValueType::Bool => "bool",
            ValueType::Int => "int",
            ValueType::Float => "float",
            ValueType::Str => "str",
            ValueType::Bytes => "bytes",
            ValueType::List => "list",
            ValueType::Tuple => "tuple",
            ValueType::Dict => "dict",
            ValueType::Set => "set",
            ValueType::Other => "other",
        }
    }
}

/// Whether a text in braces has a colon on its own level, before the first comma on it.
fn has_keys(text: &str) -> bool {
    let (mut depth, mut quote) = (0, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ':') if depth == 1 => return true,
            (None, ',') if depth == 1 => return false,
            (None, _) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_tell_their_types() {
        use ValueType::*;
        for (text, expected) in [
            ("None", None),
            ("True", Bool),
            ("-12", Int),
            ("1.5", Float),
            ("1e+20", Float),
            ("-inf", Float),
            ("nan", Float),
            ("'a: b'", Str),
            ("\"it's\"", Str),
            ("b'x'", Bytes),
            ("[1, 2]", List),
            ("()", Tuple),
            ("{}", Dict),
            ("{'a, b': 1}", Dict),
            ("{(1, 2): {3}}", Dict),
            ("{'a: b', 'c'}", Set),
            ("{1}", Set),
            ("set()", Set),
            ("Node(value=1)", Other),
            ("<function f>", Other),
            ("e", Other),
        ] {
            assert_eq!(ValueType::of(text), expected, "{text}");
        }
    }
}
