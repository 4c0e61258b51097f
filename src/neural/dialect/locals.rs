//! Locals as JSON: one object of strings, names in order (spec, section 2.3).

use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;

use super::Shown;
use crate::inverse::Told;
use crate::state::{Event, Locals, Text};

/// Longest name or value in a reason, in characters: the answer itself is kept beside it.
const MAX_SAID: usize = 60;

/// The pair that stands for all variables left out.
pub(super) const REST: &str = "..";

/// A JSON string. Characters beyond ASCII stay as they are.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// One pair of the object as it is printed, with what stands before it.
pub(super) struct Pair<'a> {
    /// The variable; none for the pair that stands for those left out.
    pub name: Option<&'a Text>,
    /// Its text, from the brace or comma before it to the quote at its end.
    pub text: String,
}

/// The pairs of `locals`: all of them, or those that differ from `base` after the pair for the
/// rest, if there is a rest. A variable named `..`, which only `globals()` can make, has no words
/// in this format and is left out.
pub(super) fn pairs<'a>(locals: &'a Locals, base: Option<&Locals>) -> Vec<Pair<'a>> {
    let named = || locals.iter().filter(|(name, _)| &***name != REST);
    let told: Vec<_> = named()
        .filter(|(name, value)| base.is_none_or(|base| base.get(name) != Some(value)))
        .collect();
    let rest = (told.len() < named().count()).then_some((None, REST, REST));
    rest.into_iter()
        .chain(told.into_iter().map(|(name, value)| (Some(name), &**name, &**value)))
        .enumerate()
        .map(|(index, (variable, name, value))| Pair {
            name: variable,
            text: format!(
                "{}{}: {}",
                if index == 0 { "{" } else { ", " },
                quoted(name),
                quoted(value)
            ),
        })
        .collect()
}

/// Reads an object of locals after `event`; `..` stands for what the context showed last. The
/// error says which rule it breaks first; what the model wrote stands after its first colon.
pub(super) fn read(json: &[u8], event: Event, shown: &Shown) -> Result<Locals, String> {
    let told = told(json)?;
    if !told.rest {
        return Ok(told.pairs);
    }
    if event == Event::Call {
        return Err("`..` in a call: a new frame has shown nothing yet".to_owned());
    }
    let base = shown.base().ok_or_else(|| "`..` with no locals shown before".to_owned())?;
    Ok(told.over(base))
}

/// Reads an object of locals by itself. The error says which rule it breaks first.
pub(super) fn told(json: &[u8]) -> Result<Told, String> {
    let mut json_reader = serde_json::Deserializer::from_slice(json);
    let pairs = json_reader
        .deserialize_map(PairVisitor)
        .and_then(|pairs| json_reader.end().map(|()| pairs))
        .map_err(|error| format!("the locals are no JSON object of strings: {error}"))?;
    let mut locals = Told::default();
    let mut names: Vec<String> = Vec::with_capacity(pairs.len());
    for (index, (name, value)) in pairs.into_iter().enumerate() {
        let serde_json::Value::String(value) = value else {
            return Err(format!("a value is no JSON string: that of `{name:.MAX_SAID$}`"));
        };
        if names.contains(&name) {
            return Err(format!("a variable is told twice: `{name:.MAX_SAID$}`"));
        }
        if name == REST {
            check_rest(index, &value)?;
            locals.rest = true;
        } else {
            locals.pairs.set(Text::from(name.as_str()), Text::from(value));
        }
        names.push(name);
    }
    Ok(locals)
}

/// Whether the pair `..` may stand so.
fn check_rest(index: usize, value: &str) -> Result<(), String> {
    if index != 0 {
        return Err("`..` doesn't come first".to_owned());
    }
    if value != REST {
        return Err(format!("the value of `..` is not \"..\": `{value:.MAX_SAID$}`"));
    }
    Ok(())
}

/// Reads an object as its pairs, in order, repeated names included.
struct PairVisitor;

impl<'de> Visitor<'de> for PairVisitor {
    type Value = Vec<(String, serde_json::Value)>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

/// Follows a JSON text byte by byte, to tell where it ends. Only what the format has is known:
/// a string, or an object of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scan {
    /// Nothing but white space so far.
    Before(Shape),
    /// Inside the object, between strings.
    Object,
    /// Inside a string.
    String {
        /// What closing the string leads back to.
        within: Shape,
        /// The last byte was a backslash.
        escaped: bool,
    },
    /// Complete.
    Closed,
    /// It can't become the shape that is wanted.
    Broken,
}

/// What JSON is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// An object of strings.
    Object,
    /// A string.
    String,
}

impl Scan {
    /// Goes on by one byte.
    pub(super) fn step(self, byte: u8) -> Scan {
        let white = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        match self {
            Scan::Before(_) | Scan::Closed if white => self,
            Scan::Before(Shape::Object) if byte == b'{' => Scan::Object,
            Scan::Before(within @ Shape::String) if byte == b'"' => {
                Scan::String { within, escaped: false }
            }
            Scan::Before(_) | Scan::Closed | Scan::Broken => Scan::Broken,
            Scan::Object => match byte {
                b'}' => Scan::Closed,
                b'"' => Scan::String { within: Shape::Object, escaped: false },
                _ => Scan::Object,
            },
            Scan::String { within, escaped: true } => Scan::String { within, escaped: false },
            Scan::String { within, escaped: false } => match byte {
                b'\\' => Scan::String { within, escaped: true },
                b'"' if within == Shape::String => Scan::Closed,
                b'"' => Scan::Object,
                _ => self,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn locals(pairs: &[(&str, &str)]) -> Locals {
        pairs.iter().copied().collect()
    }

    fn printed(of: &Locals, base: Option<&Locals>) -> String {
        let pairs = pairs(of, base);
        let open = if pairs.is_empty() { "{" } else { "" };
        pairs.iter().fold(open.to_owned(), |text, pair| text + &pair.text) + "}"
    }

    #[test]
    fn deltas_print_what_changed_after_the_pair_for_the_rest() {
        let before = locals(&[("s", "'berry'"), ("n", "0")]);
        let after = locals(&[("s", "'berry'"), ("n", "1"), ("c", "'b'")]);
        assert_eq!(printed(&after, None), r#"{"s": "'berry'", "n": "1", "c": "'b'"}"#);
        assert_eq!(printed(&after, Some(&before)), r#"{"..": "..", "n": "1", "c": "'b'"}"#);
        assert_eq!(printed(&after, Some(&after)), r#"{"..": ".."}"#);
        assert_eq!(printed(&locals(&[]), Some(&locals(&[]))), "{}");
        assert_eq!(printed(&locals(&[("n", "1")]), Some(&locals(&[("n", "0")]))), r#"{"n": "1"}"#);
    }

    #[test]
    fn each_broken_rule_is_named() {
        let reason =
            |json: &str| read(json.as_bytes(), Event::Line, &Shown::default()).unwrap_err();
        assert!(reason("{").starts_with("the locals are no JSON object of strings: EOF"));
        assert!(reason("[]").starts_with("the locals are no JSON object of strings: invalid type"));
        assert!(reason("{} {}").starts_with("the locals are no JSON object of strings: trailing"));
        assert_eq!(reason(r#"{"n": 1}"#), "a value is no JSON string: that of `n`");
        assert_eq!(reason(r#"{"n": "1", "n": "2"}"#), "a variable is told twice: `n`");
        assert_eq!(reason(r#"{"n": "1", "..": ".."}"#), "`..` doesn't come first");
        assert_eq!(reason(r#"{"..": "1"}"#), r#"the value of `..` is not "..": `1`"#);
        assert_eq!(reason(r#"{"..": ".."}"#), "`..` with no locals shown before");
        assert_eq!(
            read(br#"{"..": ".."}"#, Event::Call, &Shown::default()).unwrap_err(),
            "`..` in a call: a new frame has shown nothing yet"
        );
    }

    #[test]
    fn a_reason_is_short_whatever_the_model_wrote() {
        let long = "é".repeat(100_000);
        for json in [
            format!(r#"{{"{long}": []}}"#),
            format!(r#"{{"n": [{long:?}]}}"#),
            format!(r#"{{"{long}": "", "{long}": ""}}"#),
            format!(r#"{{"..": "{long}"}}"#),
        ] {
            let reason = told(json.as_bytes()).unwrap_err();
            assert!(reason.chars().count() < 100, "{reason}");
        }
    }

    #[test]
    fn a_variable_that_is_named_dots_is_left_out() {
        assert_eq!(printed(&locals(&[("..", "1"), ("a", "2")]), None), r#"{"a": "2"}"#);
    }

    proptest! {
        #[test]
        fn a_printed_object_closes_with_its_last_byte(
            pairs in proptest::collection::vec((".{0,6}", ".{0,12}"), 0..5),
        ) {
            let of: Locals = pairs.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            let text = printed(&of, None);
            let mut scan = Scan::Before(Shape::Object);
            for &byte in text.as_bytes() {
                prop_assert!(scan != Scan::Closed && scan != Scan::Broken);
                scan = scan.step(byte);
            }
            prop_assert_eq!(scan, Scan::Closed);
        }

        #[test]
        fn a_printed_string_closes_with_its_last_byte(value in ".{0,20}") {
            let mut scan = Scan::Before(Shape::String);
            for &byte in quoted(&value).as_bytes() {
                prop_assert!(scan != Scan::Closed && scan != Scan::Broken);
                scan = scan.step(byte);
            }
            prop_assert_eq!(scan, Scan::Closed);
        }
    }
}
