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
