//! Whether a text begins JSON as the formats print it: what constrained decoding may write.
//!
//! A string, or an object of strings, with `", "` and `": "` between them and no white space else;
//! no name twice; `"..": ".."` at most once, and first. Whatever begins so can go on to an argument
//! that is read without an error, so decoding never runs into a dead end.

use super::locals::{REST, Shape};

/// Whether `text` is the beginning of such JSON, or the whole. `rest` says whether the pair that
/// stands for variables left out may be in it.
pub(super) fn begins(text: &[u8], shape: Shape, rest: bool) -> bool {
    let mut cursor = Cursor(text);
    let read = match shape {
        Shape::String => cursor.string().map(drop),
        Shape::Object => cursor.object(rest),
    };
    match read {
        Ok(()) => cursor.0.is_empty(),
        Err(stop) => stop == Stop::Cut,
    }
}

/// Why a text isn't read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// It is over before.
    Cut,
    /// It can't become what is wanted.
    Broken,
}

/// What is left of a text.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn byte(&mut self) -> Result<u8, Stop> {
        let (&byte, rest) = self.0.split_first().ok_or(Stop::Cut)?;
        self.0 = rest;
        Ok(byte)
    }

    fn expect(&mut self, text: &str) -> Result<(), Stop> {
        for wanted in text.bytes() {
            if self.byte()? != wanted {
                return Err(Stop::Broken);
            }
        }
        Ok(())
    }

    fn object(&mut self, rest: bool) -> Result<(), Stop> {
        self.expect("{")?;
        if self.0.first() == Some(&b'}') {
            return self.expect("}");
        }
        let mut names = Vec::new();
        loop {
            let name = self.string()?;
            let is_rest = name == REST;
            if names.contains(&name) || (is_rest && !(rest && names.is_empty())) {
                return Err(Stop::Broken);
            }
            self.expect(": ")?;
            if is_rest {
                self.expect("\"..\"")?;
            } else {
                self.string()?;
            }
            names.push(name);
            match self.byte()? {
                b'}' => return Ok(()),
                b',' => self.expect(" ")?,
                _ => return Err(Stop::Broken),
            }
        }
    }

    /// A string's value. Escapes that JSON has and the formats never print (halves of a surrogate
    /// pair) are refused, since one half can't stand alone.
    fn string(&mut self) -> Result<String, Stop> {
        let all = self.0;
        match self.quoted() {
            Ok(()) => {
                let string = &all[..all.len() - self.0.len()];
                serde_json::from_slice(string).map_err(|_| Stop::Broken)
            }
            // A character may be spread over two tokens.
            Err(Stop::Cut) => Err(match std::str::from_utf8(all) {
                Err(error) if error.error_len().is_some() => Stop::Broken,
                _ => Stop::Cut,
            }),
            Err(Stop::Broken) => Err(Stop::Broken),
        }
    }

    fn quoted(&mut self) -> Result<(), Stop> {
        self.expect("\"")?;
        loop {
            match self.byte()? {
                b'"' => return Ok(()),
                b'\\' => self.escape()?,
                0..0x20 => return Err(Stop::Broken),
                _ => {}
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<(), Stop> {
        match self.byte()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => {
                let first = self.hexadecimal()?;
                let second = self.hexadecimal()?;
                if matches!((first, second), (b'd' | b'D', b'8'..)) {
                    return Err(Stop::Broken);
                }
                self.hexadecimal()?;
                self.hexadecimal()?;
                Ok(())
            }
            _ => Err(Stop::Broken),
        }
    }

    fn hexadecimal(&mut self) -> Result<u8, Stop> {
        let byte = self.byte()?;
        if byte.is_ascii_hexdigit() { Ok(byte) } else { Err(Stop::Broken) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::dialect::locals;
    use crate::state::Locals;
    use proptest::prelude::*;

    fn object(text: &str) -> bool {
        begins(text.as_bytes(), Shape::Object, true)
    }

    #[test]
    fn only_what_can_go_on_begins() {
        for good in [
            "",
            "{",
            "{}",
            r#"{"n"#,
            r#"{"n": "1"#,
            r#"{"n": "1", "m"#,
            r#"{"n": "1", "nn": "2"}"#,
            r#"{"..": ".."}"#,
            r#"{"..": "..", "a": "\u00e9\n"#,
            r#"{"a": "\u00"#,
        ] {
            assert!(object(good), "{good}");
        }
        for bad in [
            "[",
            "{ ",
            "{} ",
            "{n",
            r#"{"n":1"#,
            r#"{"n": 1"#,
            r#"{"n": "1",,"#,
            r#"{"n": "1", "n""#,
            r#"{"n": "1", ".."."#,
            r#"{"..": "1"#,
            r#"{"n": "\q"#,
            r#"{"n": "\ud8"#,
            r#"{"n": "1"}}"#,
        ] {
            assert!(!object(bad), "{bad}");
        }
        assert!(!begins(br#"{"..""#, Shape::Object, false));
        assert!(begins(b"\"1", Shape::String, false) && !begins(b"1", Shape::String, false));
        assert!(begins(b"\"\xc3", Shape::String, false), "half a character");
        assert!(!begins(b"\"\xc3\\", Shape::String, false), "and an escape can't end it");
        assert!(
            !begins(b"\"\xc3\"", Shape::String, false) && !begins(b"\"\xff", Shape::String, false)
        );
    }

    proptest! {
        #[test]
        fn whatever_is_printed_begins_at_every_byte(
            pairs in proptest::collection::vec((".{1,6}", ".{0,12}"), 0..5),
        ) {
            let locals: Locals = pairs.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            let printed = locals::pairs(&locals, None);
            let open = if printed.is_empty() { "{" } else { "" };
            let text = printed.iter().fold(open.to_owned(), |text, pair| text + &pair.text) + "}";
            for end in 0..=text.len() {
                prop_assert!(begins(&text.as_bytes()[..end], Shape::Object, false), "{} {}", end, text);
            }
        }

        /// Greedily completed, a beginning is read.
        #[test]
        fn nothing_that_begins_is_a_dead_end(bytes in proptest::collection::vec(
            proptest::sample::select(b"{}\": ,.na\\u0d8\xc3\xa9".to_vec()), 0..24,
        )) {
            let mut text: Vec<u8> = Vec::new();
            for byte in bytes {
                text.push(byte);
                if !begins(&text, Shape::Object, true) {
                    text.pop();
                }
            }
            let ends = b"\"},: {0\\.\xa9zyxwvutsrqponmlk";
            for _ in 0..40 {
                if locals::told(&text).is_ok() {
                    break;
                }
                let next = ends.iter().find(|&&byte| {
                    begins(&[&text[..], &[byte]].concat(), Shape::Object, true)
                });
                prop_assert!(next.is_some(), "{:?}", String::from_utf8_lossy(&text));
                text.extend(next);
            }
            prop_assert!(locals::told(&text).is_ok(), "{:?}", String::from_utf8_lossy(&text));
        }
    }
}
