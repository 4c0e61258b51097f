//! The program's lines, to tell where a source line that a model writes is complete.

use crate::program::Program;

/// The distinct lines of a program, found by prefix.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    sorted: Vec<Box<[u8]>>,
}

impl LineIndex {
    /// The lines of `program`.
    pub fn new(program: &Program) -> Self {
        let mut sorted: Vec<Box<[u8]>> =
            program.lines().iter().map(|line| line.as_bytes().into()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        LineIndex { sorted }
    }

    /// Whether these bytes are a whole line.
    pub fn is_line(&self, bytes: &[u8]) -> bool {
        self.sorted.binary_search_by(|line| (**line).cmp(bytes)).is_ok()
    }

    /// Whether some line starts with these bytes.
    pub fn begins_line(&self, bytes: &[u8]) -> bool {
        let at = self.sorted.partition_point(|line| &**line < bytes);
        self.sorted.get(at).is_some_and(|line| line.starts_with(bytes))
    }

    /// Whether a source line that is written so far can become a line of the program, its newline
    /// included.
    pub fn may_become_line(&self, written: &[u8]) -> bool {
        match written.strip_suffix(b"\n") {
            Some(line) => self.is_line(line),
            None => self.begins_line(written),
        }
    }

    /// Whether some line starts with these bytes and goes on.
    pub fn begins_longer_line(&self, bytes: &[u8]) -> bool {
        let at = self.sorted.partition_point(|line| &**line <= bytes);
        self.sorted.get(at).is_some_and(|line| line.starts_with(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_prefix() {
        let program = Program::from_text("p".into(), "x = 1\nx = 12\ny = 3\n").unwrap();
        let lines = LineIndex::new(&program);
        assert!(lines.is_line(b"x = 1") && lines.begins_longer_line(b"x = 1"));
        assert!(lines.is_line(b"x = 12") && !lines.begins_longer_line(b"x = 12"));
        assert!(lines.begins_line(b"x =") && !lines.is_line(b"x ="));
        assert!(lines.may_become_line(b"y =") && lines.may_become_line(b"y = 3\n"));
        assert!(!lines.may_become_line(b"y =\n") && !lines.may_become_line(b"y = 3\n\n"));
        assert!(!lines.begins_line(b"x = 2") && !lines.begins_line(b"z"));
    }
}
