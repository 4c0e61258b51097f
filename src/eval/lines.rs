//! Lines of JSON from files and pipes, none of which may fill the memory.

use std::io::{self, BufRead, Read};

/// Longest line with a program, in bytes: the largest one and its input, written as JSON.
pub const MAX_LINE: usize = 64 << 20;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A line, with its newline unless it is the last one and has none.
    Line,
    /// One that is too long; it was passed over.
    TooLong,
}

/// Reads the next line into `line`, unless it has more than `most` bytes; none at the end.
pub fn next(from: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<Option<Next>> {
    line.clear();
    from.by_ref().take(most as u64 + 1).read_until(b'\n', line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() <= most || line.ends_with(b"\n") {
        return Ok(Some(Next::Line));
    }
    line.clear();
    from.skip_until(b'\n')?;
    Ok(Some(Next::TooLong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_too_long_are_passed_over() {
        let mut from = &b"ab\n\nabcd\nabcde\nabcdefghij\nx"[..];
        let (mut line, mut read) = (Vec::new(), Vec::new());
        while let Some(next) = next(&mut from, &mut line, 4).unwrap() {
            read.push((next, String::from_utf8(line.clone()).unwrap()));
        }
        let whole = |text: &str| (Next::Line, text.to_owned());
        let long = || (Next::TooLong, String::new());
        let expected = [whole("ab\n"), whole("\n"), whole("abcd\n"), long(), long(), whole("x")];
        assert_eq!(read, expected);
    }
}
