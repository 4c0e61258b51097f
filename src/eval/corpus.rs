//! What a model is evaluated on: programs from files, folders and JSONL.
//!
//! A corpus may be larger than memory: kept is where each program stands and a hash of it. It is
//! read when its turn comes, and one that has changed since is noticed.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::lines::{self, MAX_LINE, Next};
use super::recipe::CorpusId;
use crate::benchmark;
use crate::hexadecimal::hexadecimal;
use crate::program::{Program, ProgramError};

/// Most programs of a corpus.
pub const MAX_ITEMS: usize = 1_000_000;

/// A program of a corpus, and how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// By which it is known in logs and reports; no two of a corpus have the same.
    pub id: String,
    /// The program.
    pub program: Program,
    /// The function to call; by default as for any other run.
    pub entry: Option<String>,
    /// What it reads from its standard input.
    pub stdin: String,
}

impl Item {
    /// A hash of everything in it, in hexadecimal.
    pub fn sha256(&self) -> String {
        hexadecimal(&self.digest())
    }

    /// A number made of what is run, whatever it is called.
    pub fn fingerprint(&self) -> u64 {
        let digest = digest_of(&self.what_runs());
        digest.first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
    }

    fn digest(&self) -> [u8; 32] {
        let [text, entry, stdin] = self.what_runs();
        digest_of(&[&self.id, text, entry, stdin])
    }

    fn what_runs(&self) -> [&str; 3] {
        [self.program.text(), self.entry.as_deref().unwrap_or_default(), &self.stdin]
    }
}

/// The hash of texts, none of which runs into the next.
fn digest_of(texts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    }
    hasher.finalize().into()
}

/// Programs in a fixed order.
#[derive(Clone, Debug)]
pub struct Corpus {
    entries: Vec<Entry>,
    sha256: String,
}

/// A program, as far as it is kept.
#[derive(Clone, Debug)]
struct Entry {
    stands: Stands,
    /// Of its name.
    id: [u8; 32],
    /// Of all of it.
    digest: [u8; 32],
}

/// Where a program stands.
#[derive(Clone, Debug)]
enum Stands {
    Here(Box<Item>),
    InFile(Box<Path>),
    OnLine {
        path: Arc<Path>,
        /// 1-based.
        number: usize,
        /// In bytes from the beginning.
        start: u64,
        bytes: usize,
    },
}

/// Why there is no such corpus.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or folder can't be read.
    #[error("{}: can't be read: {error}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A program can't be read.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A line of a JSONL file is no program.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A program is another one than when the corpus was opened.
    #[error("{0}: it was changed while it was evaluated")]
    Changed(String),
    /// Two programs have one name.
    #[error("two programs are called `{0}`: results couldn't be told apart")]
    Twice(String),
    /// There is no program.
    #[error("no programs in {}", .0.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "))]
    Empty(Vec<PathBuf>),
    /// There is no such place.
    #[error("the corpus has no program {0}, counted from 0")]
    NoPlace(usize),
    /// There are too many.
    #[error("more than {MAX_ITEMS} programs")]
    TooMany,
}

/// A program as a line of JSON says it. CruxEval's have `code`, `input` and `output`: what is
/// evaluated then is a `main` that returns `f(input)`, as in the paper (spec, section 9). Those of
/// LiveCodeBench's execution task say the `function_name` too, and are called by it.
#[derive(Deserialize)]
pub struct Row {
    #[serde(alias = "task_id", alias = "name")]
    id: Option<String>,
    #[serde(alias = "code", alias = "source")]
    program: Option<String>,
    /// The file that it stands in, instead.
    path: Option<PathBuf>,
    entry: Option<String>,
    #[serde(default)]
    stdin: String,
    input: Option<String>,
    function_name: Option<String>,
}

impl Row {
    /// Reads a row; an error says what is wrong with it.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(|error| error.to_string())
    }

    /// What it is called, if it says so.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The program; one without a name of its own is called by its path, or so.
    pub fn into_item(self, name: Option<String>) -> Result<Item, String> {
        let Row { id, program, path, entry, stdin, input, function_name } = self;
        let own = id.or_else(|| path.as_ref().map(|path| path.display().to_string()));
        let id = own.or(name).ok_or("it has no `id`: results couldn't be told apart")?;
        let program = match (program, path) {
            (Some(text), None) => match input {
                None => Program::from_text(id.clone(), &text),
                Some(input) => {
                    benchmark::Item::calling(id.clone(), text, function_name, input)?.program()
                }
            },
            (None, Some(path)) => Program::load(&path),
            (None, None) => return Err("it has neither `program` nor `path`".to_owned()),
            (Some(_), Some(_)) => return Err("it has both `program` and `path`".to_owned()),
        };
        Ok(Item { id, program: program.map_err(|error| error.to_string())?, entry, stdin })
    }
}

impl Corpus {
    /// The programs at these paths, in their order: a file with a program, a folder with `.py` files
    /// at any depth, in the order of their names, or a `.jsonl` file with a program a line.
    pub fn open(paths: &[PathBuf]) -> Result<Self, CorpusError> {
        let mut reading = Reading::default();
        for path in paths {
            if path.is_dir() {
                for file in programs_in(path)? {
                    reading.file(file)?;
                }
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                reading.lines(path)?;
            } else {
                reading.file(path.clone())?;
            }
        }
        match reading.entries.len() {
            0 => Err(CorpusError::Empty(paths.to_vec())),
            _ => Ok(reading.corpus()),
        }
    }

    /// These programs.
    pub fn of(items: Vec<Item>) -> Result<Self, CorpusError> {
        let mut reading = Reading::default();
        for item in items {
            reading.add(&item, Stands::Here(Box::new(item.clone())))?;
        }
        Ok(reading.corpus())
    }

    /// How many programs there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reads the program at this place; there is one at each below [`Corpus::len`], else an error.
    pub fn item(&self, place: usize) -> Result<Item, CorpusError> {
        let entry = self.entries.get(place).ok_or(CorpusError::NoPlace(place))?;
        let item = match &entry.stands {
            Stands::Here(item) => Item::clone(item),
            Stands::InFile(path) => in_file(path)?,
            Stands::OnLine { path, number, start, bytes } => {
                let line = part(path, *start, *bytes).map_err(unreadable(path))?;
                on_line(path, *number, &line)?
            }
        };
        if item.digest() != entry.digest {
            return Err(CorpusError::Changed(item.id));
        }
        Ok(item)
    }

    /// What it is, as logs tell it.
    pub fn identity(&self) -> CorpusId {
        CorpusId { sha256: self.sha256.clone(), programs: self.len() }
    }

    /// Finds programs by their names.
    pub fn index(&self) -> Index<'_> {
        let places = self.entries.iter().zip(0..).map(|(entry, place)| (&entry.id, place));
        Index { corpus: self, places: places.collect() }
    }
}

/// The places of the programs of a corpus, by name.
pub struct Index<'a> {
    corpus: &'a Corpus,
    places: HashMap<&'a [u8; 32], usize>,
}

impl Index<'_> {
    /// The place of the program of this name.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(&digest_of(&[id])).copied()
    }

    /// Whether this is the [hash](Item::sha256) of the program at this place.
    pub fn is(&self, place: usize, sha256: &str) -> bool {
        hexadecimal(&self.corpus.entries[place].digest) == sha256
    }
}

/// A corpus that is being read.
#[derive(Default)]
struct Reading {
    entries: Vec<Entry>,
    ids: HashSet<[u8; 32]>,
    hasher: Sha256,
}

impl Reading {
    fn add(&mut self, item: &Item, stands: Stands) -> Result<(), CorpusError> {
        let entry = Entry { stands, id: digest_of(&[&item.id]), digest: item.digest() };
        if !self.ids.insert(entry.id) {
            return Err(CorpusError::Twice(item.id.clone()));
        }
        if self.entries.len() == MAX_ITEMS {
            return Err(CorpusError::TooMany);
        }
        self.hasher.update(entry.digest);
        self.entries.push(entry);
        Ok(())
    }

    fn file(&mut self, path: PathBuf) -> Result<(), CorpusError> {
        self.add(&in_file(&path)?, Stands::InFile(path.into()))
    }

    fn lines(&mut self, path: &Path) -> Result<(), CorpusError> {
        let file = File::open(path).map_err(unreadable(path))?;
        // A pipe can't be read again.
        let again = file.metadata().is_ok_and(|metadata| metadata.is_file());
        let shared: Arc<Path> = path.into();
        let (mut reader, mut line) = (BufReader::new(file), Vec::new());
        let (mut start, mut number) = (0, 0);
        while let Some(next) =
            lines::next(&mut reader, &mut line, MAX_LINE).map_err(unreadable(path))?
        {
            number += 1;
            if next == Next::TooLong {
                let why = format!("longer than {} MiB", MAX_LINE >> 20);
                return Err(CorpusError::Line { path: path.to_owned(), line: number, why });
            }
            let bytes = line.len();
            if !line.trim_ascii().is_empty() {
                let item = on_line(path, number, &line)?;
                let stands = match again {
                    true => Stands::OnLine { path: shared.clone(), number, start, bytes },
                    false => Stands::Here(Box::new(item.clone())),
                };
                self.add(&item, stands)?;
            }
            start += bytes as u64;
        }
        Ok(())
    }

    fn corpus(self) -> Corpus {
        Corpus { entries: self.entries, sha256: hexadecimal(&self.hasher.finalize()) }
    }
}

fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> CorpusError {
    let path = path.to_owned();
    move |error| CorpusError::Unreadable { path: path.clone(), error }
}

/// All `.py` files below a folder, by name.
fn programs_in(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(unreadable(folder))?;
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        // A link may lead back up.
        if path.is_dir() && !path.is_symlink() {
            files.append(&mut programs_in(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
    Ok(files)
}

fn in_file(path: &Path) -> Result<Item, CorpusError> {
    let program = Program::load(path)?;
    Ok(Item { id: path.display().to_string(), program, entry: None, stdin: String::new() })
}

/// Reads a part of a file.
fn part(path: &Path, start: u64, bytes: usize) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut part = Vec::with_capacity(bytes);
    file.take(bytes as u64).read_to_end(&mut part)?;
    Ok(part)
}

fn on_line(path: &Path, number: usize, line: &[u8]) -> Result<Item, CorpusError> {
    let name = format!("{}:{number}", path.display());
    Row::read(line).and_then(|row| row.into_item(Some(name))).map_err(|why| CorpusError::Line {
        path: path.to_owned(),
        line: number,
        why,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn folders_are_read_by_name_and_deep() {
        let folder = folder(&[("b.py", "x = 1\n"), ("a/z.py", "y = 2\n"), ("a/notes.txt", "no")]);
        let corpus = Corpus::open(&[folder.path().to_owned()]).unwrap();
        let ids: Vec<_> = (0..corpus.len()).map(|place| corpus.item(place).unwrap().id).collect();
        let names: Vec<_> = ids.iter().map(|id| id.rsplit('/').next()).collect();
        assert_eq!(names, [Some("z.py"), Some("b.py")]);
    }

    #[test]
    fn lines_of_several_manners_are_programs() {
        let folder = folder(&[(
            "c.jsonl",
            "{\"id\": \"one\", \"program\": \"x = 1\", \"stdin\": \"a\"}\n\n\
             {\"code\": \"def f(a):\\n    return a\\n\", \"input\": \"3\", \"output\": \"3\", \"id\": \"two\"}\n",
        )]);
        let corpus = Corpus::open(&[folder.path().join("c.jsonl")]).unwrap();
        assert_eq!((corpus.len(), corpus.item(0).unwrap().stdin.as_str()), (2, "a"));
        let crux = corpus.item(1).unwrap();
        assert!(crux.program.text().ends_with("def main():\n    return f(3)\n"));
        let index = corpus.index();
        assert_eq!((index.place("two"), index.place("three")), (Some(1), None));
        assert!(index.is(1, &crux.sha256()) && !index.is(0, &crux.sha256()));
    }

    #[test]
    fn a_row_of_livecodebench_is_called_by_its_name_and_has_its_imports() {
        let row = |name: &str| {
            let row = serde_json::json!({
                "question_id": 1, "id": "sample_0", "function_name": name, "input": "g(n = 4)",
                "code": "def g(n: int) -> List[int]:\n    return [gcd(n, 2)]\n", "output": "[2]",
            });
            Row::read(row.to_string().as_bytes()).unwrap().into_item(None)
        };
        let text = row("g").unwrap().program.text().to_owned();
        assert!(text.starts_with("from math import gcd\nfrom typing import List\ndef g"), "{text}");
        assert!(text.ends_with("def main():\n    return g(n = 4)\n"), "{text}");
        assert!(row("main").unwrap_err().contains("`main`"));
    }

    #[test]
    fn a_row_may_name_a_file() {
        let folder = folder(&[("a.py", "x = 1\n")]);
        let path = folder.path().join("a.py").display().to_string();
        let row = |row: serde_json::Value| {
            let row = Row::read(row.to_string().as_bytes()).unwrap();
            row.into_item(None).map(|item| (item.id, item.program.text().to_owned()))
        };
        let text = "x = 1\n".to_owned();
        assert_eq!(row(serde_json::json!({"path": path})), Ok((path.clone(), text.clone())));
        assert_eq!(row(serde_json::json!({"id": "a", "path": path})), Ok(("a".to_owned(), text)));
        let told = |value| row(value).unwrap_err();
        assert_eq!(told(serde_json::json!({"id": "a"})), "it has neither `program` nor `path`");
        let unnamed = told(serde_json::json!({"program": "x = 1"}));
        assert_eq!(unnamed, "it has no `id`: results couldn't be told apart");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_row_or_not(bytes in proptest::collection::vec(any::<u8>(), 0..80), text in ".{0,40}") {
            let _ = Row::read(&bytes).map(|row| row.into_item(None));
            let row = serde_json::json!({"id": text, "program": text, "stdin": text}).to_string();
            let item = Row::read(row.as_bytes()).unwrap().into_item(None);
            if let Ok(item) = item {
                prop_assert_eq!((&item.id, &item.stdin), (&text, &text));
                prop_assert_eq!(item.sha256().len(), 64);
            }
        }
    }

    #[test]
    fn a_program_that_changes_is_noticed() {
        let folder =
            folder(&[("a.py", "x = 1\n"), ("c.jsonl", "{\"id\":\"b\",\"program\":\"x\"}\n")]);
        let paths = ["a.py", "c.jsonl"].map(|name| folder.path().join(name));
        let corpus = Corpus::open(&paths).unwrap();
        std::fs::write(&paths[0], "x = 2\n").unwrap();
        std::fs::write(&paths[1], "{\"id\":\"b\",\"program\":\"y\"}\n").unwrap();
        for place in 0..2 {
            assert!(matches!(corpus.item(place), Err(CorpusError::Changed(_))), "{place}");
        }
    }

    #[test]
    fn what_is_no_corpus_says_why() {
        let folder = folder(&[("bad.jsonl", "{\"id\": 1}\n"), ("empty/x.txt", "")]);
        let told = |paths: &[&str]| {
            let paths: Vec<_> = paths.iter().map(|path| folder.path().join(path)).collect();
            let error = Corpus::open(&paths).unwrap_err().to_string();
            error.replace(&folder.path().display().to_string(), "DIR")
        };
        assert!(told(&["bad.jsonl"]).starts_with("DIR/bad.jsonl:1: "));
        assert_eq!(told(&["empty"]), "no programs in DIR/empty");
        assert!(told(&["nowhere.jsonl"]).starts_with("DIR/nowhere.jsonl: can't be read"));
    }

    #[test]
    fn the_hash_tells_corpora_apart() {
        let item = |id: &str, text: &str| Item {
            id: id.to_owned(),
            program: Program::from_text(id.to_owned(), text).unwrap(),
            entry: None,
            stdin: String::new(),
        };
        let hash = |items: Vec<Item>| Corpus::of(items).unwrap().identity().sha256;
        let (a, b) = (item("a", "x = 1\n"), item("b", "x = 2\n"));
        assert_eq!(hash(vec![a.clone()]), hash(vec![a.clone()]));
        assert_ne!(hash(vec![a.clone()]), hash(vec![item("a", "x = 3\n")]));
        assert_ne!(hash(vec![a.clone(), b.clone()]), hash(vec![b, a.clone()]));
        assert_eq!(a.fingerprint(), item("c", "x = 1\n").fingerprint());
        assert!(matches!(Corpus::of(vec![a.clone(), a]), Err(CorpusError::Twice(_))));
    }
}
