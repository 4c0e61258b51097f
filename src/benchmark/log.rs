//! What is kept of a model's answers: JSON lines that are only ever added to, an item and a way of
//! asking a line.
//!
//! What a killed run left of a line is cut off when it goes on, so the finished log is the same as if
//! it had never been killed. Neither which items nor which ways is part of the recipe: a log can go
//! on with more of both.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::check::Worth;
use super::task::By;
use crate::eval::log::{LogError, open_to_add};
use crate::eval::recipe::{LimitsRecord, ModelId, differing};

/// The version of the log's format.
pub const SCHEMA: u32 = 1;

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
enum Line {
    Benchmark(Box<Header>),
    Item(ItemRecord),
}

/// The first line: what made the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`] of the writer.
    pub schema: u32,
    /// Everything on which its numbers depend.
    pub recipe: Recipe,
}

/// What made a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Version of Lockstep.
    pub tool: String,
    /// SHA-256 of all sources that it was built from, and of the versions of what they use.
    #[serde(default)]
    pub tool_sha256: String,
    /// The interpreter that is the truth.
    pub python: String,
    /// SHA-256 of the sources of the real side, and of the versions of the interpreter's crates.
    #[serde(default)]
    pub python_sha256: String,
    /// The model.
    pub model: ModelId,
    /// The benchmark.
    pub data: DataId,
    /// Answers to each item.
    pub samples: u64,
    /// How freely they are drawn; at 0 the likeliest one.
    pub temperature: f64,
    /// The probability of the tokens that are drawn from.
    pub top_p: f64,
    /// Seed of the draws.
    pub seed: u64,
    /// Most states of a trace.
    pub most_states: usize,
    /// Limits of the real runs.
    pub limits: LimitsRecord,
}

/// Which benchmark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataId {
    /// The file's name.
    pub name: String,
    /// Its hash.
    pub sha256: String,
    /// How many items it has.
    pub items: usize,
}

/// An item, asked in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemRecord {
    /// Its place in the file, from 0.
    pub place: usize,
    /// Its name.
    pub id: String,
    /// How it was asked.
    pub by: By,
    /// Whether its call really gives what the file says.
    pub agrees: bool,
    /// Return statements of its function.
    pub returns: usize,
    /// Why it could not be asked, if so. It counts as not answered.
    pub unasked: Option<String>,
    /// The answers.
    pub answers: Vec<Answer>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The value's text, or the variables as JSON; empty if it is none.
    pub text: String,
    /// What it is worth.
    pub outcome: Outcome,
    /// It is right, and the types are the same too.
    pub same_types: bool,
    /// Its text is the real one.
    pub exact: bool,
    /// What was raised, which limit was met, what broke the format, or where it stands instead.
    pub why: Option<String>,
    /// States that the model said for it.
    pub states: usize,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It equals the real value.
    Right,
    /// It is another value.
    Wrong,
    /// It is no value: made of more than literals, or cut.
    NoValue,
    /// What it says raises.
    Raised,
    /// What it says met a limit.
    Stopped,
    /// It is a legal state, but not one that answers the question.
    Elsewhere,
    /// It is no legal state.
    Malformed,
    /// A trace that didn't come to its end.
    TooLong,
}

impl Outcome {
    /// What people read.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Right => "right",
            Outcome::Wrong => "wrong",
            Outcome::NoValue => "no value",
            Outcome::Raised => "raised",
            Outcome::Stopped => "stopped",
            Outcome::Elsewhere => "elsewhere",
            Outcome::Malformed => "malformed",
            Outcome::TooLong => "too long",
        }
    }
}

impl Answer {
    /// An answer that was judged; how many states it took is yet to be said.
    pub fn of(text: String, worth: Worth, exact: bool) -> Self {
        let same_types = worth == Worth::Right { same_types: true };
        let (outcome, why) = match worth {
            Worth::Right { .. } => (Outcome::Right, None),
            Worth::Wrong => (Outcome::Wrong, None),
            Worth::NoValue => (Outcome::NoValue, None),
            Worth::Raised(why) => (Outcome::Raised, Some(why)),
            Worth::Stopped(why) => (Outcome::Stopped, Some(why)),
        };
        Answer { text, outcome, same_types, exact, why, states: 0 }
    }

    /// An answer that answers nothing.
    pub fn nothing(outcome: Outcome, why: String, states: usize) -> Self {
        let text = String::new();
        Answer { text, outcome, same_types: false, exact: false, why: Some(why), states }
    }
}

impl Recipe {
    /// The names of the fields in which another recipe differs.
    fn differs_from(&self, other: &Recipe) -> Vec<String> {
        let mut names = Vec::new();
        if let (Ok(ours), Ok(theirs)) = (serde_json::to_value(self), serde_json::to_value(other)) {
            differing(&ours, &theirs, String::new(), &mut names);
        }
        names
    }
}

/// A log that is written.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    file: File,
    done: BTreeSet<(usize, By)>,
}

impl LogWriter {
    /// Begins a log, or goes on with the one that is there if it was made by the same recipe.
    pub fn open(path: &Path, header: &Header) -> Result<Self, LogError> {
        let io = LogError::io(path);
        let file = open_to_add(path)?;
        let Lines { header: found, records, whole, rest } = lines(path, BufReader::new(&file))?;
        let first = written(path, &Line::Benchmark(Box::new(header.clone())))?;
        match &found {
            Some(found) => {
                let differs = header.recipe.differs_from(&found.recipe);
                if !differs.is_empty() {
                    return Err(LogError::Recipe { path: path.to_owned(), differs });
                }
            }
            // What a killed run left of its first line is ours to cut, and nothing else.
            None if first.starts_with(&rest) => {}
            None => {
                let why = format!(
                    "{NO_LOG}, or the beginning of another one; name another --out, or remove it"
                );
                return Err(LogError::Line { path: path.to_owned(), line: 1, why });
            }
        }
        file.set_len(whole).map_err(&io)?;
        (&file).seek(SeekFrom::End(0)).map_err(&io)?;
        let done = records.iter().map(|record| (record.place, record.by)).collect();
        let mut writer = LogWriter { path: path.to_owned(), file, done };
        if found.is_none() {
            writer.write(&first)?;
        }
        Ok(writer)
    }

    /// The items that it holds, and how they were asked.
    pub fn done(&self) -> &BTreeSet<(usize, By)> {
        &self.done
    }

    /// Adds an item. All of it is on its way to the disk when this returns.
    pub fn item(&mut self, record: ItemRecord) -> Result<(), LogError> {
        self.done.insert((record.place, record.by));
        let line = written(&self.path, &Line::Item(record))?;
        self.write(&line)
    }

    /// Writes a line at once.
    fn write(&mut self, line: &[u8]) -> Result<(), LogError> {
        self.file.write_all(line).map_err(LogError::io(&self.path))
    }
}

/// A line as it is written.
fn written(path: &Path, line: &Line) -> Result<Vec<u8>, LogError> {
    let mut bytes = serde_json::to_vec(line).map_err(|error| LogError::io(path)(error.into()))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads a log.
pub fn read(path: &Path) -> Result<(Header, Vec<ItemRecord>), LogError> {
    let file = File::open(path).map_err(LogError::io(path))?;
    let Lines { header, records, .. } = lines(path, BufReader::new(file))?;
    let wrong = || LogError::Line { path: path.to_owned(), line: 1, why: NO_LOG.to_owned() };
    Ok((header.ok_or_else(wrong)?, records))
}

const NO_LOG: &str = "no log of `lockstep cruxeval`";

/// What a log holds.
struct Lines {
    header: Option<Header>,
    records: Vec<ItemRecord>,
    /// Bytes of whole lines.
    whole: u64,
    /// A last line that was not finished.
    rest: Vec<u8>,
}

fn lines(path: &Path, mut from: impl BufRead) -> Result<Lines, LogError> {
    let (mut header, mut records, mut whole) = (None, Vec::new(), 0);
    let mut buffer = Vec::new();
    for line in 1.. {
        buffer.clear();
        from.read_until(b'\n', &mut buffer).map_err(LogError::io(path))?;
        let Some(text) = buffer.strip_suffix(b"\n") else { break };
        let wrong = |why: String| LogError::Line { path: path.to_owned(), line, why };
        match (line, serde_json::from_slice(text)) {
            (1, Ok(Line::Benchmark(found))) if found.schema == SCHEMA => header = Some(*found),
            (1, Ok(Line::Benchmark(found))) => {
                let theirs = found.schema;
                return Err(wrong(format!(
                    "a log of format {theirs}; this version reads format {SCHEMA}"
                )));
            }
            (1, _) => return Err(wrong(NO_LOG.to_owned())),
            (_, Ok(Line::Item(record))) => records.push(record),
            (_, Ok(Line::Benchmark(_))) => return Err(wrong("a second header".to_owned())),
            (_, Err(error)) => return Err(wrong(error.to_string())),
        }
        whole += buffer.len() as u64;
    }
    Ok(Lines { header, records, whole, rest: buffer })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::neural::Decoding;
    use crate::python::Limits;

    /// A header of no particular model.
    pub fn header() -> Header {
        let model = ModelId {
            name: "m".into(),
            sha256: "00".into(),
            tokenizer_sha256: "01".into(),
            dialect: "debugger".into(),
            dialect_sha256: "02".into(),
            context: 1024,
            decoding: Decoding::default(),
        };
        let data = DataId { name: "b.jsonl".into(), sha256: "11".into(), items: 3 };
        let recipe = Recipe {
            tool: "0.1.0".into(),
            tool_sha256: "22".into(),
            python: "Python".into(),
            python_sha256: "33".into(),
            model,
            data,
            samples: 2,
            temperature: 0.6,
            top_p: 0.95,
            seed: 0,
            most_states: 100,
            limits: LimitsRecord::of(&Limits::default()),
        };
        Header { schema: SCHEMA, recipe }
    }

    /// An item with these answers.
    pub fn record(place: usize, by: By, returns: usize, answers: &[Outcome]) -> ItemRecord {
        let answer = |outcome: &Outcome| Answer {
            text: "1".into(),
            outcome: *outcome,
            same_types: *outcome == Outcome::Right,
            exact: false,
            why: None,
            states: 1,
        };
        ItemRecord {
            place,
            id: format!("sample_{place}"),
            by,
            agrees: true,
            returns,
            unasked: None,
            answers: answers.iter().map(answer).collect(),
        }
    }

    #[test]
    fn a_log_that_was_cut_at_any_byte_goes_on_to_the_same_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let write = || {
            let mut writer = LogWriter::open(&path, &header()).unwrap();
            for (place, by) in [(0, By::StepReturn), (0, By::Trace), (1, By::StepReturn)] {
                if !writer.done().contains(&(place, by)) {
                    writer.item(record(place, by, 1, &[Outcome::Right, Outcome::Wrong])).unwrap();
                }
            }
        };
        write();
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            write();
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
        let (found, records) = read(&path).unwrap();
        assert_eq!((found, records.len()), (header(), 3));
    }

    #[test]
    fn what_only_one_of_two_recipes_says_differs_both_ways() {
        let (ours, mut theirs) = (header().recipe, header().recipe);
        theirs.model.decoding = Decoding::Constrained;
        assert_eq!(ours.differs_from(&theirs), ["model.decoding"]);
        assert_eq!(theirs.differs_from(&ours), ["model.decoding"]);
        let mut old = serde_json::to_value(&ours).unwrap();
        old.as_object_mut().unwrap().remove("tool_sha256").unwrap();
        let old: Recipe = serde_json::from_value(old).unwrap();
        assert_eq!(ours.differs_from(&old), ["tool_sha256"]);
        assert_eq!(old.differs_from(&ours), ["tool_sha256"]);
    }

    #[test]
    fn a_log_of_another_recipe_and_what_is_no_log_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        drop(LogWriter::open(&path, &header()).unwrap());
        let whole = std::fs::read(&path).unwrap();
        let mut other = header();
        other.recipe.seed = 1;
        let error = LogWriter::open(&path, &other).unwrap_err();
        assert!(error.to_string().ends_with("made with another seed"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        let other = String::from_utf8(whole).unwrap();
        let mut begun_otherwise = header();
        begun_otherwise.recipe.seed = 1;
        let begun_otherwise =
            serde_json::to_string(&Line::Benchmark(Box::new(begun_otherwise))).unwrap();
        for (text, why) in [
            ("hello", "name another --out, or remove it"),
            ("{\"record\":\"item\"", "name another --out, or remove it"),
            (&*begun_otherwise, "name another --out, or remove it"),
            ("hello\n", "no log of `lockstep cruxeval`"),
            ("{}\n", "no log of `lockstep cruxeval`"),
            (&*other.repeat(2), "a second header"),
            (&*(other.clone() + "{}\n"), "missing field `record`"),
            (&*other.replace("\"schema\":1", "\"schema\":9"), "a log of format 9"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = LogWriter::open(&path, &header()).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
