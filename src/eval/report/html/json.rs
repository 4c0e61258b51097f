//! JSON that may stand in a script element of HTML.
//!
//! Inside `<script>` a browser looks for `</script` and `<!--` whatever the element holds, so `<`, `>`
//! and `&` are written as escapes; U+2028 and U+2029 too, which end a line in some scripts.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Writes a value.
pub fn write(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, InScript))?)
}

/// Writes compactly, with escapes.
struct InScript;

impl Formatter for InScript {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let is_special = |c: char| matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}');
        for part in fragment.split_inclusive(is_special) {
            let special = part.chars().next_back().filter(|c| is_special(*c));
            let plain = &part[..part.len() - special.map_or(0, char::len_utf8)];
            writer.write_all(plain.as_bytes())?;
            if let Some(c) = special {
                write!(writer, "\\u{:04x}", u32::from(c))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        write(&text, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_would_end_a_script_is_escaped() {
        assert_eq!(written("a</script>\u{2028}é"), "\"a\\u003c/script\\u003e\\u2028é\"");
    }

    proptest! {
        #[test]
        fn any_text_reads_back(text in "\\PC*|[<>&\\u{2028}\\u{2029}\\\\\"\n\u{0}-\u{1f}a]*") {
            let written = written(&text);
            let ends = ['<', '>', '&', '\u{2028}', '\u{2029}'];
            prop_assert!(!written.contains(ends));
            prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }
}
