//! Programs: the source text, its lines, and what the model is shown of it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::state::Text;
use crate::tree::Lines;

/// Longest program read, in bytes; far above what a model's context holds.
pub const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Reads a file of at most `limit` bytes; none if it is longer. Its size is not trusted: devices and
/// pipes have none.
pub(crate) fn read_at_most(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// A Python program in memory: valid UTF-8, newlines normalised, no NUL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    name: String,
    text: String,
    lines: Arc<[Text]>,
}

/// Why a program can't be read. Each message says what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// No such file.
    #[error("{}: no such file; name a Python program", path.display())]
    Missing {
        /// As the user gave it.
        path: PathBuf,
    },
    /// A folder, where a file is wanted.
    #[error("{}: is a folder; name a Python file in it", path.display())]
    Folder {
        /// As the user gave it.
        path: PathBuf,
    },
    /// It can't be read.
    #[error("{}: can't be read: {source}; is it yours to read?", path.display())]
    Unreadable {
        /// As the user gave it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Larger than [`MAX_BYTES`].
    #[error(
        "{}: larger than {} MiB, the most that is read of a program; is it one?",
        path.display(), MAX_BYTES >> 20
    )]
    TooLarge {
        /// As the user gave it.
        path: PathBuf,
    },
    /// Not UTF-8.
    #[error("{name}:{line}: byte {byte:#04x} is not UTF-8; save the program as UTF-8")]
    NotUtf8 {
        /// The program.
        name: String,
        /// Line of the first wrong byte, 1-based.
        line: usize,
        /// That byte.
        byte: u8,
    },
    /// A NUL byte, which Python refuses.
    #[error("{name}:{line}:{column}: NUL byte; Python source can't hold one, remove it")]
    Nul {
        /// The program.
        name: String,
        /// Its line, 1-based.
        line: usize,
        /// Its column in characters, 1-based.
        column: usize,
    },
    /// Nothing to run.
    #[error("{name}: nothing to run: the file holds no statement")]
    Empty {
        /// The program.
        name: String,
    },
}

impl Program {
    /// Reads the program at `path`; messages and records name it as the user gave it.
    pub fn load(path: &Path) -> Result<Self, ProgramError> {
        let owned = || path.to_owned();
        let unreadable = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => ProgramError::Missing { path: owned() },
            io::ErrorKind::IsADirectory => ProgramError::Folder { path: owned() },
            _ => ProgramError::Unreadable { path: owned(), source },
        };
        let bytes = read_at_most(path, MAX_BYTES).map_err(unreadable)?;
        let bytes = bytes.ok_or_else(|| ProgramError::TooLarge { path: owned() })?;
        Self::from_bytes(path.display().to_string(), bytes)
    }

    /// Takes a program's bytes as a file would hold them.
    pub fn from_bytes(name: String, bytes: Vec<u8>) -> Result<Self, ProgramError> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            ProgramError::NotUtf8 {
                name: name.clone(),
                line: 1 + bytes[..valid].iter().filter(|&&b| b == b'\n').count(),
                byte: bytes[valid],
            }
        })?;
        Self::from_text(name, &text)
    }

    /// Takes a program's text.
    pub fn from_text(name: String, text: &str) -> Result<Self, ProgramError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if let Some(at) = text.find('\0') {
            let before = &text[..at];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            return Err(ProgramError::Nul {
                name,
                line: 1 + before.matches('\n').count(),
                column: 1 + before[line_start..].chars().count(),
            });
        }
        let is_code = |line: &str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        };
        if !text.lines().any(is_code) {
            return Err(ProgramError::Empty { name });
        }
        let lines = text.lines().map(Text::from).collect();
        Ok(Program { name, text, lines })
    }

    /// The name that messages and records use: the path as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, newlines normalised.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a line without its newline; empty for numbers that are no line's.
    pub fn line(&self, number: u32) -> Text {
        self.lines.get((number as usize).wrapping_sub(1)).cloned().unwrap_or_default()
    }

    /// All lines, first to last; shared, so that each picture of a session can hold them.
    pub fn lines(&self) -> &Arc<[Text]> {
        &self.lines
    }

    /// The text of a line that the debugger can stop at; none for blank lines and comments.
    pub fn statement(&self, number: u32) -> Option<Text> {
        let text = self.line(number);
        let code = text.trim_start();
        (!code.is_empty() && !code.starts_with('#')).then_some(text)
    }

    /// The numbers of the lines that read exactly `text`.
    pub fn numbers_of(&self, text: &str) -> Vec<u32> {
        (1..)
            .zip(self.lines.iter())
            .filter(|(_, line)| &***line == text)
            .map(|(number, _)| number)
            .collect()
    }

    /// The text that a model is shown: without the comment lines and blank lines at the top (title
    /// and topic of a corpus program, a licence), which say nothing of what runs.
    pub fn context(&self) -> &str {
        let mut rest = self.text.as_str();
        while let Some((line, after)) = rest.split_once('\n') {
            let line = line.trim_start();
            if line.is_empty() || line.starts_with('#') {
                rest = after;
            } else {
                break;
            }
        }
        rest
    }
}

impl Lines for Program {
    fn reads(&self, number: u32, text: &str) -> bool {
        number > 0 && self.lines.get(number as usize - 1).is_some_and(|line| &**line == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn program(text: &str) -> Result<Program, ProgramError> {
        Program::from_bytes("p.py".into(), text.into())
    }

    #[test]
    fn lines_are_numbered_from_one_and_keep_their_indentation() {
        let program = program("def f():\r\n    return 1\r\n").unwrap();
        assert_eq!(&*program.line(2), "    return 1");
        assert_eq!(&*program.line(0), "");
        assert_eq!(&*program.line(99), "");
        assert!(program.reads(1, "def f():"));
        assert!(!program.reads(0, ""));
    }

    #[test]
    fn the_model_is_not_shown_the_comment_header() {
        let program = program("# title: x\n#\n\n# topic: y\nx = 1\n# kept\n").unwrap();
        assert_eq!(program.context(), "x = 1\n# kept\n");
    }

    #[test]
    fn a_text_may_stand_on_several_lines() {
        let program = program("x = 1\ny = 2\nx = 1\n").unwrap();
        assert_eq!(program.numbers_of("x = 1"), [1, 3]);
        assert_eq!(program.numbers_of("y = 2"), [2]);
        assert_eq!(program.lines().len(), 3);
    }

    #[test]
    fn bad_bytes_are_named_with_their_place() {
        let latin = Program::from_bytes("p.py".into(), b"x = 1\ny = '\xe9'\n".to_vec());
        assert_eq!(
            latin.unwrap_err().to_string(),
            "p.py:2: byte 0xe9 is not UTF-8; save the program as UTF-8"
        );
        assert_eq!(
            program("x = 1\nab\0").unwrap_err().to_string(),
            "p.py:2:3: NUL byte; Python source can't hold one, remove it"
        );
        assert_eq!(
            program("# only a comment\n\n").unwrap_err().to_string(),
            "p.py: nothing to run: the file holds no statement"
        );
    }

    #[test]
    fn paths_that_are_no_program_are_named() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Program::load(folder.path()), Err(ProgramError::Folder { .. })));
        let missing = folder.path().join("nope.py");
        assert!(matches!(Program::load(&missing), Err(ProgramError::Missing { .. })));
        let endless = Path::new("/dev/zero");
        if endless.exists() {
            assert!(matches!(Program::load(endless), Err(ProgramError::TooLarge { .. })));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_program_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(program) = Program::from_bytes("p".into(), bytes) {
                prop_assert!(program.text().ends_with(program.context()));
                prop_assert!(!program.text().contains(['\r', '\0']));
            }
        }
    }
}
