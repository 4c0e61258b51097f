//! What a model is evaluated on: programs from files, folders and JSONL.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::program::{Program, ProgramError, read_at_most};

/// Largest JSONL file that is read, in bytes.
const MAX_JSONL: u64 = 1 << 30;

/// Most programs of a corpus.
pub const MAX_ITEMS: usize = 1_000_000;

/// A program of a corpus, and how it is run.
#[derive(Clone, Debug)]
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

/// Programs in a fixed order.
#[derive(Clone, Debug)]
pub struct Corpus {
    items: Vec<Item>,
    sha256: String,
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
    /// A JSONL file is too large.
    #[error("{}: larger than {} MiB", .0.display(), MAX_JSONL >> 20)]
    TooLarge(PathBuf),
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
    /// Two programs have one name.
    #[error("two programs are called `{0}`: results couldn't be told apart")]
    Twice(String),
    /// There is no program.
    #[error("no programs in {}", .0.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "))]
    Empty(Vec<PathBuf>),
    /// There are too many.
    #[error("more than {MAX_ITEMS} programs")]
    TooMany,
}

/// A line of a JSONL file. CruxEval's have `code`, `input` and `output`: what is evaluated then is a
/// `main` that returns `f(input)`, as in the paper (spec, section 9).
#[derive(Deserialize)]
struct Line {
    #[serde(alias = "task_id", alias = "name")]
    id: Option<String>,
    #[serde(alias = "code", alias = "source")]
    program: String,
    entry: Option<String>,
    #[serde(default)]
    stdin: String,
    input: Option<String>,
}

impl Corpus {
    /// The programs at these paths, in their order: a file with a program, a folder with `.py` files
    /// at any depth, in the order of their names, or a `.jsonl` file with a program a line.
    pub fn open(paths: &[PathBuf]) -> Result<Self, CorpusError> {
        let mut items = Vec::new();
        for path in paths {
            if path.is_dir() {
                for file in programs_in(path)? {
                    items.push(in_file(&file)?);
                }
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                in_jsonl(path, &mut items)?;
            } else {
                items.push(in_file(path)?);
            }
        }
        match items.len() {
            0 => Err(CorpusError::Empty(paths.to_vec())),
            count if count > MAX_ITEMS => Err(CorpusError::TooMany),
            _ => Corpus::of(items),
        }
    }

    /// These programs.
    pub fn of(items: Vec<Item>) -> Result<Self, CorpusError> {
        let mut ids = HashSet::new();
        let mut hasher = Sha256::new();
        for item in &items {
            if !ids.insert(item.id.as_str()) {
                return Err(CorpusError::Twice(item.id.clone()));
            }
            let entry = item.entry.as_deref().unwrap_or_default();
            for text in [&item.id, item.program.text(), entry, &item.stdin] {
                hasher.update((text.len() as u64).to_le_bytes());
                hasher.update(text);
            }
        }
        let sha256 = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Corpus { items, sha256 })
    }

    /// The programs.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// A hash of everything in it.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// All `.py` files below a folder, by name.
fn programs_in(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let unreadable = |error| CorpusError::Unreadable { path: folder.to_owned(), error };
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(unreadable)?;
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

fn in_jsonl(path: &Path, items: &mut Vec<Item>) -> Result<(), CorpusError> {
    let unreadable = |error| CorpusError::Unreadable { path: path.to_owned(), error };
    let bytes = read_at_most(path, MAX_JSONL)
        .map_err(unreadable)?
        .ok_or_else(|| CorpusError::TooLarge(path.to_owned()))?;
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let wrong =
            |why: String| CorpusError::Line { path: path.to_owned(), line: number + 1, why };
        let line: Line = serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
        let id = line.id.unwrap_or_else(|| format!("{}:{}", path.display(), number + 1));
        let text = match &line.input {
            None => line.program,
            Some(input) => {
                format!("{}\n\n\ndef main():\n    return f({input})\n", line.program.trim_end())
            }
        };
        let program =
            Program::from_text(id.clone(), &text).map_err(|error| wrong(error.to_string()))?;
        items.push(Item { id, program, entry: line.entry, stdin: line.stdin });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let ids: Vec<_> = corpus.items().iter().map(|item| item.id.rsplit('/').next()).collect();
        assert_eq!(ids, [Some("z.py"), Some("b.py")]);
    }

    #[test]
    fn lines_of_several_manners_are_programs() {
        let folder = folder(&[(
            "c.jsonl",
            "{\"id\": \"one\", \"program\": \"x = 1\", \"stdin\": \"a\"}\n\n\
             {\"code\": \"def f(a):\\n    return a\\n\", \"input\": \"3\", \"output\": \"3\", \"id\": \"two\"}\n",
        )]);
        let corpus = Corpus::open(&[folder.path().join("c.jsonl")]).unwrap();
        assert_eq!(corpus.items()[0].stdin, "a");
        assert!(corpus.items()[1].program.text().ends_with("def main():\n    return f(3)\n"));
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
        let hash = |items: Vec<Item>| Corpus::of(items).unwrap().sha256().to_owned();
        let (a, b) = (item("a", "x = 1\n"), item("b", "x = 2\n"));
        assert_eq!(hash(vec![a.clone()]), hash(vec![a.clone()]));
        assert_ne!(hash(vec![a.clone()]), hash(vec![item("a", "x = 3\n")]));
        assert_ne!(hash(vec![a.clone(), b.clone()]), hash(vec![b, a.clone()]));
        assert!(matches!(Corpus::of(vec![a.clone(), a]), Err(CorpusError::Twice(_))));
    }
}
