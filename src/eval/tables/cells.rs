//! What stands in a cell of a table: numbers as people read them, and texts that a program or a model
//! chose, which must stay in their cell.

use crate::python::Grouped;

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A number with commas between thousands.
pub fn grouped(number: usize) -> String {
    Grouped(number as u64).to_string()
}

/// A text in one line: breaks of lines and other white space become single spaces.
pub fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text as Markdown shows it, whatever signs it holds, in a cell of a table too.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in line(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '&' | '~' | '#' | '$')
        {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A name as Markdown's code, in a cell of a table too.
pub fn code(name: &str) -> String {
    let name = line(name);
    // Inside code nothing is escaped but the sign that ends a cell.
    match name.contains(['`', '\\']) {
        true => markdown(&name),
        false => format!("`{}`", name.replace('|', "\\|")),
    }
}

/// A field of CSV (RFC 4180): in quotes where it would not be one field without them.
pub fn csv(text: &str) -> String {
    match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_in_its_cell() {
        let evil = "a|b`c\n| <img> [x](y) *z* \\";
        assert_eq!(markdown(evil), r"a\|b\`c \| \<img\> \[x\](y) \*z\* \\");
        assert_eq!(code("error (a|b\nc)"), r"`error (a\|b c)`");
        assert_eq!(code("error (`|)"), r"error (\`\|)");
        assert_eq!(line(" a\r\n\tb  c "), "a b c");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(csv("error (KeyError)"), "error (KeyError)");
        assert_eq!(csv("error (a,b)"), "\"error (a,b)\"");
        assert_eq!(csv("a\"b\nc"), "\"a\"\"b\nc\"");
    }
}
