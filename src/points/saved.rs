//! The points of a program, kept from one run of Lockstep to the next.
//!
//! Each program has a file of its own in the state folder, named after its absolute path. With a
//! line's number its text is kept: a program that was edited meanwhile finds its breakpoints where
//! the lines are now. A file that can't be read is put aside, never overwritten.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Expression, Place, Point, Points, Power};
use crate::hexadecimal::hexadecimal;
use crate::program::{Program, read_at_most};

/// The variable that names another state folder.
const STATE_VARIABLE: &str = "LOCKSTEP_STATE_DIR";
/// What the files hold; another number is another form.
const VERSION: u32 = 1;
/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Where the points of one program are kept.
#[derive(Clone, Debug)]
pub struct Shelf {
    program: PathBuf,
    file: PathBuf,
}

/// Why points can't be kept or found again.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// There is no folder to keep them in.
    #[error("no home folder is known to keep breakpoints in; set {STATE_VARIABLE} to a folder")]
    NoFolder,
    /// The program's path can't be made absolute.
    #[error("{}: its absolute path is not known: {source}", path.display())]
    NoPath {
        /// As the user gave it.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file can't be read, written or put aside.
    #[error("{}: breakpoints can't be kept there: {source}; {STATE_VARIABLE} names another folder", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The points, as they fit the program now.
    pub points: Points,
    /// What the user should know about them.
    pub notes: Vec<String>,
}

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    /// For people who look into the folder.
    program: PathBuf,
    points: Vec<SavedPoint>,
    watches: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct SavedPoint {
    /// The point's text.
    point: String,
    /// The text of its line, if it names one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    line: Option<String>,
}

impl Shelf {
    /// The place for the program at this path, in the user's state folder.
    pub fn of(program: &Path) -> Result<Self, ShelfError> {
        let folder = match std::env::var_os(STATE_VARIABLE).filter(|folder| !folder.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => {
                let base = etcetera::choose_base_strategy().map_err(|_| ShelfError::NoFolder)?;
                base.state_dir().unwrap_or_else(|| base.data_dir()).join("lockstep")
            }
        };
        Self::in_folder(&folder, program)
    }

    /// The place for the program at this path, in this folder.
    pub fn in_folder(folder: &Path, program: &Path) -> Result<Self, ShelfError> {
        let absolute = program.canonicalize().or_else(|_| std::path::absolute(program));
        let program =
            absolute.map_err(|source| ShelfError::NoPath { path: program.to_owned(), source })?;
        let digest = Sha256::digest(program.as_os_str().as_encoded_bytes());
        let hash = hexadecimal(&digest[..8]);
        let stem = program.file_stem().unwrap_or_default().to_string_lossy();
        let file = folder.join("points").join(format!("{stem}-{hash}.json"));
        Ok(Shelf { program, file })
    }

    #[cfg(test)]
    fn file(&self) -> &Path {
        &self.file
    }

    /// Finds what was kept. Breakpoints on lines that moved follow them; those whose line is gone
    /// are switched off, and kept by its text. A file that makes no sense is put aside, and a note says so.
    pub fn load(&self, program: &Program) -> Result<Restored, ShelfError> {
        let text = match self.read() {
            Ok(Some(text)) => text,
            Ok(None) => return self.put_aside("it is no file of ours: too large, or none at all"),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Restored::default()),
            Err(source) => return Err(self.failed(source)),
        };
        match serde_json::from_slice::<Saved>(&text) {
            Ok(saved) if saved.version == VERSION => match restore(&saved, program) {
                Ok(restored) => Ok(restored),
                Err(why) => self.put_aside(&why),
            },
            Ok(saved) => {
                self.put_aside(&format!("it is of version {}, not {VERSION}", saved.version))
            }
            Err(error) => self.put_aside(&error.to_string()),
        }
    }

    /// The file's text; none if it is too large, or a device or pipe, which could be read for ever.
    fn read(&self) -> std::io::Result<Option<Vec<u8>>> {
        match std::fs::metadata(&self.file)?.is_file() {
            true => read_at_most(&self.file, MAX_BYTES),
            false => Ok(None),
        }
    }

    /// Keeps these points in place of what was kept.
    pub fn save(&self, points: &Points, program: &Program) -> Result<(), ShelfError> {
        if points.is_empty() {
            return match std::fs::remove_file(&self.file) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(self.failed(error)),
                _ => Ok(()),
            };
        }
        let line = |place: &Place| match place {
            Place::Line(number) => Some(program.line(*number).to_string()),
            _ => None,
        };
        let saved = Saved {
            version: VERSION,
            program: self.program.clone(),
            points: points
                .iter()
                .map(|(_, point)| SavedPoint { point: point.to_string(), line: line(&point.place) })
                .collect(),
            watches: points.watches().iter().map(Expression::to_string).collect(),
        };
        let mut text = serde_json::to_vec_pretty(&saved)
            .map_err(|error| self.failed(std::io::Error::other(error)))?;
        text.push(b'\n');
        self.write(&text).map_err(|source| self.failed(source))
    }

    /// Writes under another name first, so that the file is always whole.
    fn write(&self, text: &[u8]) -> std::io::Result<()> {
        static WRITTEN: AtomicU32 = AtomicU32::new(0);
        let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let draft = self.file.with_extension(format!("{}-{count}.tmp", std::process::id()));
        let done = std::fs::write(&draft, text).and_then(|()| std::fs::rename(&draft, &self.file));
        if done.is_err() {
            // The error that counts is the first one.
            let _ = std::fs::remove_file(&draft);
        }
        done
    }

    fn put_aside(&self, why: &str) -> Result<Restored, ShelfError> {
        let aside = (0u32..)
            .map(|number| match number {
                0 => self.file.with_extension("broken"),
                _ => self.file.with_extension(format!("broken-{number}")),
            })
            .find(|path| !path.exists())
            .unwrap_or_else(|| self.file.with_extension("broken"));
        std::fs::rename(&self.file, &aside).map_err(|source| self.failed(source))?;
        let note = format!(
            "the saved breakpoints can't be read ({why}); they are now in {}",
            aside.display()
        );
        Ok(Restored { points: Points::default(), notes: vec![note] })
    }

    fn failed(&self, source: std::io::Error) -> ShelfError {
        ShelfError::File { path: self.file.clone(), source }
    }
}

/// What was saved, as it fits the program now.
fn restore(saved: &Saved, program: &Program) -> Result<Restored, String> {
    let mut restored = Restored::default();
    for kept in &saved.points {
        let mut point: Point =
            kept.point.parse().map_err(|error| format!("`{}`: {error}", kept.point))?;
        if let (Place::Line(number), Some(text)) = (&point.place, &kept.line) {
            let number = *number;
            match nearest(program, number, text) {
                Some(line) => {
                    if line != number {
                        restored.notes.push(format!("line {number} is line {line} now"));
                    }
                    point.place = Place::Line(line);
                }
                None => {
                    point.power = Power::Off;
                    let text = text.trim();
                    // By its text it is there again when the line is; another line has its number.
                    point.place = Place::Text(text.into());
                    restored.notes.push(format!("line {number}, `{text}`, is gone: switched off"));
                }
            }
        } else if let Err(error) = point.place.check(program) {
            point.power = Power::Off;
            restored.notes.push(format!("{error}: switched off"));
        }
        restored.points.add(point);
    }
    for watched in &saved.watches {
        restored.points.watch(Expression::new(watched).map_err(|error| error.to_string())?);
    }
    Ok(restored)
}

/// The line nearest to `number` that reads `text`, or else one that does but for its indentation.
fn nearest(program: &Program, number: u32, text: &str) -> Option<u32> {
    let lines = || (1u32..).zip(program.lines().iter());
    let among = |same: &dyn Fn(&str) -> bool| {
        let (line, _) =
            lines().filter(|(_, line)| same(line)).min_by_key(|(line, _)| line.abs_diff(number))?;
        Some(line)
    };
    let bare = text.trim();
    among(&|line| line == text).or_else(|| among(&|line| line.trim() == bare && !bare.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "def f(n):\n    n += 1\n    return n\n\nf(1)\n";

    fn program(text: &str) -> Program {
        Program::from_text("p.py".into(), text).unwrap()
    }

    fn points(texts: &[&str]) -> Points {
        let mut points = Points::default();
        for text in texts {
            points.add(text.parse().unwrap());
        }
        points
    }

    fn shown(restored: &Restored) -> String {
        let points: Vec<String> = restored.points.iter().map(|(_, p)| p.to_string()).collect();
        format!("{} | {}", points.join(" | "), restored.notes.join(" | "))
    }

    /// What is found after `points` were saved with one text of the program and loaded with another.
    fn through(points: &Points, before: &str, after: &str) -> Restored {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::in_folder(folder.path(), Path::new("p.py")).unwrap();
        shelf.save(points, &program(before)).unwrap();
        shelf.load(&program(after)).unwrap()
    }

    #[test]
    fn points_and_watches_come_back_and_an_empty_set_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::in_folder(folder.path(), Path::new("p.py")).unwrap();
        let program = program(TEXT);
        assert_eq!(shelf.load(&program).unwrap(), Restored::default());
        let mut points =
            points(&["2, n > ';'; hit 3; off", "f", "raise uncaught", "'return n'; log n"]);
        points.watch(Expression::new("n * 2").unwrap());
        shelf.save(&points, &program).unwrap();
        let restored = shelf.load(&program).unwrap();
        assert_eq!(restored, Restored { points, notes: Vec::new() });
        shelf.save(&Points::default(), &program).unwrap();
        assert!(!shelf.file().exists());
        assert_eq!(std::fs::read_dir(shelf.file().parent().unwrap()).unwrap().count(), 0);
    }

    #[test]
    fn breakpoints_follow_their_lines() {
        let moved = format!("# a new line\n{TEXT}");
        let restored = through(&points(&["2, n > 1", "3"]), TEXT, &moved);
        assert_eq!(shown(&restored), "3, n > 1 | 4 | line 2 is line 3 now | line 3 is line 4 now");
        let indented = TEXT.replace("    return", "        return");
        assert_eq!(shown(&through(&points(&["3"]), TEXT, &indented)), "3 | ");
    }

    #[test]
    fn the_nearest_line_of_several_is_taken() {
        let before = "a\nx\nb\nx\n";
        assert_eq!(
            shown(&through(&points(&["4"]), before, "x\nx\nx\nb\nx\n")),
            "3 | line 4 is line 3 now"
        );
    }

    #[test]
    fn breakpoints_whose_place_is_gone_are_switched_off() {
        let restored = through(&points(&["2", "f"]), TEXT, "print(0)\n");
        assert_eq!(
            shown(&restored),
            "\"n += 1\"; off | f; off | line 2, `n += 1`, is gone: switched off | p.py: no line of it \
             names `f`: switched off"
        );
    }

    #[test]
    fn a_broken_file_is_put_aside_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::in_folder(folder.path(), Path::new("p.py")).unwrap();
        let newer = r#"{"version": 9, "program": "p.py", "points": [], "watches": []}"#;
        let bad =
            r#"{"version": 1, "program": "p.py", "points": [{"point": "12 ("}], "watches": []}"#;
        for (number, text) in ["{", newer, bad].into_iter().enumerate() {
            std::fs::create_dir_all(shelf.file().parent().unwrap()).unwrap();
            std::fs::write(shelf.file(), text).unwrap();
            let restored = shelf.load(&program(TEXT)).unwrap();
            assert!(restored.points.is_empty());
            assert!(restored.notes[0].contains("can't be read"), "{:?}", restored.notes);
            assert!(!shelf.file().exists());
            let suffix = if number == 0 { "broken".into() } else { format!("broken-{number}") };
            let aside = std::fs::read_to_string(shelf.file().with_extension(suffix));
            assert_eq!(aside.unwrap(), text);
        }
    }

    #[test]
    fn programs_of_one_name_have_files_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let file = |path: &str| Shelf::in_folder(folder.path(), Path::new(path)).unwrap().file;
        assert_ne!(file("/a/p.py"), file("/b/p.py"));
    }

    proptest! {
        #[test]
        fn any_file_is_read_or_put_aside(text in any::<Vec<u8>>()) {
            let folder = tempfile::tempdir().unwrap();
            let shelf = Shelf::in_folder(folder.path(), Path::new("p.py")).unwrap();
            std::fs::create_dir_all(shelf.file().parent().unwrap()).unwrap();
            std::fs::write(shelf.file(), &text).unwrap();
            prop_assert!(shelf.load(&program(TEXT)).is_ok());
            prop_assert_eq!(std::fs::read_dir(shelf.file().parent().unwrap()).unwrap().count(), 1);
        }

        #[test]
        fn an_unchanged_program_gets_its_lines_back(lines in prop::collection::vec("[a-c]{1,2}", 1..12), at in any::<prop::sample::Index>()) {
            let text = lines.join("\n");
            let number = at.index(lines.len()) as u32 + 1;
            let mut points = Points::default();
            points.add(Point::at(Place::Line(number)));
            let restored = through(&points, &text, &text);
            prop_assert_eq!(restored, Restored { points, notes: Vec::new() });
        }
    }
}
