//! Trajectories as tokens, read from JSONL files.
//!
//! One trajectory a line, in the column `text`; `split` (or the file's name) says what it is for,
//! `direction` whether it runs forward or inverse. Other columns are ignored.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, at};
use crate::marks::Frame;
use crate::tokenizer::Vocabulary;

/// What trajectories are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Split {
    /// To learn from.
    Train,
    /// To watch the training and to choose a model by.
    Validation,
    /// To report.
    Test,
}

impl Split {
    fn of_name(name: &str) -> Option<Self> {
        let splits = [
            ("train", Split::Train),
            ("valid", Split::Validation),
            ("dev", Split::Validation),
            ("test", Split::Test),
        ];
        splits.into_iter().find(|(start, _)| name.starts_with(start)).map(|(_, split)| split)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Split::Train => "train",
            Split::Validation => "validation",
            Split::Test => "test",
        })
    }
}

/// Which trajectories are read, by the direction that they run in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Those that run forward.
    Forward,
    /// Those that run backward.
    Inverse,
    /// All.
    #[default]
    Both,
}

impl Direction {
    fn takes(self, direction: Option<&str>) -> bool {
        match self {
            Direction::Both => true,
            Direction::Inverse => direction == Some("inverse"),
            Direction::Forward => direction != Some("inverse"),
        }
    }
}

/// Which trajectories to read.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Files, and folders whose `.jsonl` files are read, in order of their names.
    pub paths: Vec<PathBuf>,
    /// The split.
    pub split: Split,
    /// The direction.
    pub direction: Direction,
    /// Longer ones, in tokens, are left out.
    pub longest: usize,
    /// No more than this many.
    pub limit: usize,
}

/// The columns that are read.
#[derive(Deserialize)]
struct Row {
    text: String,
    split: Option<String>,
    direction: Option<String>,
}

/// Trajectories in memory, two bytes a token.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    tokens: Vec<u16>,
    frames: Vec<Frame>,
    /// Where each trajectory ends in `tokens` and `frames`.
    ends: Vec<(usize, usize)>,
    /// How many were left out for their length.
    pub too_long: usize,
    /// How many were left out since nothing in them is to be predicted.
    pub without_states: usize,
}

/// One trajectory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trajectory<'a> {
    /// Its tokens.
    pub tokens: &'a [u16],
    /// The states in it that are to be predicted.
    pub frames: &'a [Frame],
}

/// Lines that are tokenised together.
const CHUNK: usize = 1 << 12;

impl Dataset {
    /// Reads and tokenises a selection.
    pub fn read(selection: &Selection, vocabulary: &Vocabulary) -> Result<Self> {
        let mut dataset = Dataset::default();
        let mut texts = Vec::new();
        let mut others = 0;
        for path in files(&selection.paths)? {
            for row in rows(&path)? {
                let row = row?;
                if !row.is_in(selection, &path) {
                    others += 1;
                    continue;
                }
                texts.push(row.text);
                let wanted = selection.limit - dataset.len();
                if texts.len() == CHUNK.min(wanted) {
                    dataset.add(std::mem::take(&mut texts), selection, vocabulary, &path)?;
                }
                if dataset.len() == selection.limit {
                    return Ok(dataset);
                }
            }
            dataset.add(std::mem::take(&mut texts), selection, vocabulary, &path)?;
        }
        if !dataset.is_empty() {
            return Ok(dataset);
        }
        let hint = format!(
            " ({others} of other splits or directions, {} longer than {} tokens, {} without states)",
            dataset.too_long, selection.longest, dataset.without_states
        );
        let (data, split) = (selection.paths.clone(), selection.split.to_string());
        Err(Error::Empty { data, split, hint })
    }

    fn add(
        &mut self,
        texts: Vec<String>,
        selection: &Selection,
        vocabulary: &Vocabulary,
        path: &Path,
    ) -> Result<()> {
        let failed = |cause| Error::Tokenizer { path: path.to_owned(), cause };
        for ids in vocabulary.encode(texts).map_err(failed)? {
            let frames = vocabulary.marks().frames(&ids);
            if ids.len() > selection.longest {
                self.too_long += 1;
            } else if frames.is_empty() {
                self.without_states += 1;
            } else {
                self.tokens.extend(ids.iter().map(|&id| id as u16));
                self.frames.extend(frames);
                self.ends.push((self.tokens.len(), self.frames.len()));
            }
        }
        Ok(())
    }

    /// How many trajectories there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many tokens they have together.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// The trajectory at an index below [`len`](Self::len).
    pub fn get(&self, index: usize) -> Trajectory<'_> {
        let (tokens, frames) = self.ranges(index);
        Trajectory { tokens: &self.tokens[tokens], frames: &self.frames[frames] }
    }

    fn ranges(&self, index: usize) -> (Range<usize>, Range<usize>) {
        let (tokens, frames) = index.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        let (tokens_end, frames_end) = self.ends[index];
        (tokens..tokens_end, frames..frames_end)
    }

    /// All trajectories.
    pub fn iter(&self) -> impl Iterator<Item = Trajectory<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// A number that changes with any token (FNV-1a): a run goes on only with the data it began on.
    pub fn digest(&self) -> u64 {
        self.tokens.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &token| {
            (hash ^ u64::from(token)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

impl Row {
    fn is_in(&self, selection: &Selection, path: &Path) -> bool {
        let by_column = self.split.as_deref().and_then(Split::of_name);
        let by_name = || path.file_stem().and_then(|stem| Split::of_name(&stem.to_string_lossy()));
        let split = by_column.or_else(by_name).unwrap_or(Split::Train);
        split == selection.split && selection.direction.takes(self.direction.as_deref())
    }
}

/// The texts of a selection, without tokenising them.
pub fn texts(selection: &Selection) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for path in files(&selection.paths)? {
        for row in rows(&path)? {
            let row = row?;
            if texts.len() < selection.limit && row.is_in(selection, &path) {
                texts.push(row.text);
            }
        }
    }
    if texts.is_empty() {
        let (data, split) = (selection.paths.clone(), selection.split.to_string());
        return Err(Error::Empty { data, split, hint: String::new() });
    }
    Ok(texts)
}

fn rows(path: &Path) -> Result<impl Iterator<Item = Result<Row>> + '_> {
    let lines = BufReader::new(File::open(path).map_err(at(path))?).lines();
    let row = move |(index, line): (usize, std::io::Result<String>)| {
        let line = line.map_err(at(path))?;
        let bad = |error: serde_json::Error| Error::Row {
            path: path.to_owned(),
            line: index + 1,
            cause: error.to_string(),
        };
        serde_json::from_str(&line).map_err(bad)
    };
    Ok(lines.enumerate().map(row))
}

/// The files of all paths; those of a folder sorted, so that the order is the same everywhere.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut inside = Vec::new();
            for entry in std::fs::read_dir(path).map_err(at(path))? {
                let entry = entry.map_err(at(path))?.path();
                if entry.is_dir() || entry.extension().is_some_and(|kind| kind == "jsonl") {
                    inside.push(entry);
                }
            }
            inside.sort();
            found.extend(files(&inside)?);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::marks::Action;

    /// Trajectories of these lengths, at least 3, with one state from the third token on.
    pub(crate) fn dataset(lengths: &[usize]) -> Dataset {
        let mut dataset = Dataset::default();
        let Some(action) = Action::all().next() else { return dataset };
        for (index, &length) in lengths.iter().enumerate() {
            dataset.tokens.extend((0..length).map(|at| (1000 * index + at) as u16));
            dataset.frames.push(Frame { action, start: 2, end: length as u32 });
            dataset.ends.push((dataset.tokens.len(), dataset.frames.len()));
        }
        dataset
    }

    const STATE: &str = "x<|frame_sep|>a<|action_sep|><|step_into|><|frame_sep|>";

    fn vocabulary() -> Vocabulary {
        Vocabulary::train(["def f(): pass"].into_iter(), 300).unwrap()
    }

    /// Reads these files; returns each trajectory's text after its only action.
    fn read(
        files: &[(&str, &str)],
        change: impl FnOnce(&mut Selection),
    ) -> Result<(Vec<String>, Dataset)> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut selection = Selection {
            paths: vec![folder.path().to_owned()],
            split: Split::Train,
            direction: Direction::Both,
            longest: 40,
            limit: usize::MAX,
        };
        change(&mut selection);
        let vocabulary = vocabulary();
        let dataset = Dataset::read(&selection, &vocabulary)?;
        let text = |one: Trajectory| {
            let ids: Vec<u32> = one.tokens.iter().map(|&id| u32::from(id)).collect();
            vocabulary.decode(&ids[one.frames[0].start as usize..])
        };
        Ok((dataset.iter().map(text).collect(), dataset))
    }

    fn row(text: &str, more: &str) -> String {
        format!("{{\"text\": \"{STATE}{text}\"{more}}}\n")
    }

    #[test]
    fn files_are_read_in_order_and_split_by_column_then_name() {
        let files = [
            ("b/train-1.jsonl", row("3", "") + &row("4", ", \"split\": \"validation\"")),
            ("a/test.jsonl", row("1", "") + &row("2", ", \"split\": \"train\"")),
            ("c.jsonl", row("5", ", \"program\": 7")),
            ("d.txt", "no dataset".to_owned()),
        ];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        let texts = |split| read(&files, |selection| selection.split = split).unwrap().0;
        assert_eq!(texts(Split::Train), ["2", "3", "5"]);
        assert_eq!(texts(Split::Validation), ["4"]);
        assert_eq!(texts(Split::Test), ["1"]);
        assert_eq!(read(&files, |selection| selection.limit = 2).unwrap().0, ["2", "3"]);
    }

    #[test]
    fn directions_are_chosen() {
        let text = row("1", "") + &row("2", ", \"direction\": \"inverse\"");
        let texts = |direction| {
            read(&[("a.jsonl", &text)], |selection| selection.direction = direction).unwrap().0
        };
        assert_eq!(texts(Direction::Both), ["1", "2"]);
        assert_eq!(texts(Direction::Forward), ["1"]);
        assert_eq!(texts(Direction::Inverse), ["2"]);
    }

    #[test]
    fn what_is_too_long_or_has_no_state_is_counted() {
        let text = row("1", "") + &row(&"y".repeat(99), "") + "{\"text\": \"x\"}\n";
        let (texts, dataset) = read(&[("a.jsonl", &text)], |_| ()).unwrap();
        assert_eq!(texts, ["1"]);
        assert_eq!((dataset.too_long, dataset.without_states), (1, 1));
    }

    #[test]
    fn faults_say_where() {
        let error = read(&[("a.jsonl", &(row("1", "") + "{\"x\": 1}\n"))], |_| ()).err().unwrap();
        let message = error.to_string();
        assert!(message.contains("a.jsonl:2: missing field `text`"), "{message}");
        let text = row(&"y".repeat(99), "");
        let error = read(&[("a.jsonl", &text)], |_| ()).err().unwrap();
        let message = error.to_string();
        assert!(message.contains("no trajectories of split `train` (0 of other"), "{message}");
        assert!(message.contains("1 longer than 40 tokens"), "{message}");
    }
}
