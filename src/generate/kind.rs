//! Kinds of values: types, and what is known of the values beyond that.

use std::fmt;

/// What a variable holds or an expression gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Int(Number),
    /// True or False.
    Bool,
    /// A text.
    Str(Letters),
    /// A list of one kind.
    List(Box<Kind>, Items),
    /// A tuple of these kinds.
    Tuple(Vec<Kind>),
    /// A dict from one kind to another.
    Dict(Box<Kind>, Box<Kind>, Items),
    /// A set of one kind.
    Set(Box<Kind>),
}

/// Which numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Any, small ones more often.
    Any,
    /// 0 to 9.
    Digit,
    /// 1 to 9.
    Positive,
    /// 2 to 4: sizes of steps, counts of rounds.
    Small,
    /// 10 to the largest.
    Large,
}

/// Which texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Any of those below.
    Any,
    /// One word in small letters.
    Word,
    /// One character.
    One,
    /// Words with spaces between them.
    Phrase,
    /// Digits.
    Digits,
    /// Letters, digits and signs in no order.
    Mixed,
    /// Brackets.
    Brackets,
    /// A few letters that repeat.
    Runs,
}

/// What is known of a container's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Items {
    /// Nothing; there may be none.
    Any,
    /// There are some.
    Some,
    /// There are some, and they rise.
    Rising,
}

/// A kind that is no kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoKind(pub String);

impl Kind {
    /// Any number.
    pub const INT: Kind = Kind::Int(Number::Any);
    /// Any text.
    pub const STR: Kind = Kind::Str(Letters::Any);

    /// A list of this kind.
    pub fn list(of: Kind) -> Kind {
        Kind::List(Box::new(of), Items::Any)
    }

    /// A dict of these kinds.
    pub fn dict(key: Kind, value: Kind) -> Kind {
        Kind::Dict(Box::new(key), Box::new(value), Items::Any)
    }

    /// The kind without what is known beyond the type.
    pub fn plain(&self) -> Kind {
        match self {
            Kind::Int(_) => Kind::INT,
            Kind::Bool => Kind::Bool,
            Kind::Str(_) => Kind::STR,
            Kind::List(of, _) => Kind::list(of.plain()),
            Kind::Tuple(of) => Kind::Tuple(of.iter().map(Kind::plain).collect()),
            Kind::Dict(key, value, _) => Kind::dict(key.plain(), value.plain()),
            Kind::Set(of) => Kind::Set(Box::new(of.plain())),
        }
    }

    /// Whether both are of one type.
    pub fn is_like(&self, other: &Kind) -> bool {
        self.plain() == other.plain()
    }

    /// Whether it can be changed in place.
    pub fn is_mutable(&self) -> bool {
        matches!(self, Kind::List(..) | Kind::Dict(..) | Kind::Set(_))
    }

    /// Whether there certainly is an element.
    pub fn has_items(&self) -> bool {
        match self {
            Kind::List(_, items) | Kind::Dict(_, _, items) => *items != Items::Any,
            Kind::Str(letters) => *letters != Letters::Any,
            _ => false,
        }
    }

    /// What a loop over it gives; none if there is no such loop.
    pub fn element(&self) -> Option<Kind> {
        match self {
            Kind::Str(_) => Some(Kind::Str(Letters::One)),
            Kind::List(of, _) => Some((**of).clone()),
            Kind::Dict(key, ..) => Some((**key).clone()),
            Kind::Int(_) | Kind::Bool | Kind::Tuple(_) | Kind::Set(_) => None,
        }
    }

    /// Reads the notation of shapes: `int`, `list[word]+`, `dict[str, list[int]]`.
    pub fn parse(text: &str) -> Result<Kind, NoKind> {
        let text = text.trim();
        let unknown = || NoKind(text.to_owned());
        if let Some(rest) = text.strip_prefix("rising ") {
            return match Kind::parse(rest)? {
                Kind::List(of, _) => Ok(Kind::List(of, Items::Rising)),
                _ => Err(unknown()),
            };
        }
        if let Some(rest) = text.strip_suffix('+') {
            return match Kind::parse(rest)? {
                Kind::List(of, _) => Ok(Kind::List(of, Items::Some)),
                Kind::Dict(key, value, _) => Ok(Kind::Dict(key, value, Items::Some)),
                _ => Err(unknown()),
            };
        }
        if let Some((outer, inner)) = text.split_once('[') {
            let inner = inner.strip_suffix(']').ok_or_else(unknown)?;
            let mut parts =
                split(inner).into_iter().map(Kind::parse).collect::<Result<Vec<_>, _>>()?;
            return match (outer, parts.len()) {
                ("list", 1) => Ok(Kind::list(parts.remove(0))),
                ("set", 1) => Ok(Kind::Set(Box::new(parts.remove(0)))),
                ("dict", 2) => {
                    let key = parts.remove(0);
                    Ok(Kind::dict(key, parts.remove(0)))
                }
                ("tuple", _) => Ok(Kind::Tuple(parts)),
                _ => Err(unknown()),
            };
        }
        Ok(match text {
            "int" => Kind::INT,
            "digit" => Kind::Int(Number::Digit),
            "positive" => Kind::Int(Number::Positive),
            "small" => Kind::Int(Number::Small),
            "large" => Kind::Int(Number::Large),
            "bool" => Kind::Bool,
            "str" => Kind::STR,
            "word" => Kind::Str(Letters::Word),
            "char" => Kind::Str(Letters::One),
            "phrase" => Kind::Str(Letters::Phrase),
            "digits" => Kind::Str(Letters::Digits),
            "mixed" => Kind::Str(Letters::Mixed),
            "brackets" => Kind::Str(Letters::Brackets),
            "runs" => Kind::Str(Letters::Runs),
            _ => return Err(unknown()),
        })
    }
}

/// Splits at commas outside brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

impl fmt::Display for NoKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "`{}` is no kind of value", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_of_shapes_is_read() {
        assert_eq!(Kind::parse("int"), Ok(Kind::INT));
        let words = Kind::list(Kind::Str(Letters::Word));
        assert_eq!(
            Kind::parse("dict[char, list[word]]+"),
            Ok(Kind::Dict(Box::new(Kind::Str(Letters::One)), Box::new(words), Items::Some))
        );
        let Ok(rising) = Kind::parse("rising list[int]+") else { panic!() };
        assert!(rising.has_items());
        for bad in ["", "integer", "list[", "list[int, int]", "int+", "rising int"] {
            assert!(Kind::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn kinds_of_one_type_are_alike() {
        assert!(Kind::INT.is_like(&Kind::Int(Number::Small)));
        assert!(!Kind::INT.is_like(&Kind::Bool));
        assert!(Kind::list(Kind::STR).is_like(&Kind::parse("list[word]+").unwrap()));
    }
}
