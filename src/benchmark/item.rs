//! The files of benchmarks: CruxEval's, and those of LiveCodeBench's execution task.
//!
//! Both are JSON lines (or one JSON array) of objects with `code`, `input` and `output`. CruxEval
//! calls every function `f`, and its input is what stands between the brackets; LiveCodeBench says
//! the function's name, and its input is the whole call.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::prelude;
use crate::hexadecimal::hexadecimal;
use crate::program::{Program, read_at_most};

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The name of the function that calls the item's.
const CALLER: &str = "main";

/// A function, a call of it, and what the file says that this gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// By which generations and records name it.
    pub id: String,
    /// The function's program, with the imports that it takes for granted.
    pub code: String,
    /// The function.
    pub function: String,
    /// The input as the file has it.
    pub input: String,
    /// The call.
    pub call: String,
    /// The value's text.
    pub output: String,
}

/// Items in the order of their file.
#[derive(Clone, Debug)]
pub struct Benchmark {
    path: PathBuf,
    items: Vec<Item>,
    sha256: String,
}

/// Why there is no such benchmark.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    /// The file can't be read.
    #[error("{}: can't be read: {error}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is too large.
    #[error("{}: larger than {} MiB", .0.display(), MAX_BYTES >> 20)]
    TooLarge(PathBuf),
    /// The file is no JSON, or none of these.
    #[error("{}: {why}", path.display())]
    Format {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An entry of the file is no item.
    #[error("{}: item {number}: {why}", path.display())]
    Item {
        /// The file.
        path: PathBuf,
        /// From 1; the line in JSON lines.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// An entry of a file.
#[derive(Deserialize)]
struct Entry {
    id: Option<Value>,
    code: String,
    input: String,
    output: String,
    function_name: Option<String>,
}

impl Benchmark {
    /// Reads the file at `path`.
    pub fn open(path: &Path) -> Result<Self, BenchmarkError> {
        let bytes = read(path)?;
        let mut items = Vec::new();
        let mut ids = HashSet::new();
        for (number, entry) in entries(path, &bytes)? {
            let wrong = |why: String| BenchmarkError::Item { path: path.to_owned(), number, why };
            let entry: Entry = serde_json::from_value(entry).map_err(|error| {
                wrong(format!("{error}; an item has code, input and output, as texts"))
            })?;
            let item = Item::of(entry, items.len()).map_err(wrong)?;
            if !ids.insert(item.id.clone()) {
                return Err(wrong(format!("a second item is called `{}`", item.id)));
            }
            items.push(item);
        }
        if items.is_empty() {
            let why = "no items in it".to_owned();
            return Err(BenchmarkError::Format { path: path.to_owned(), why });
        }
        let sha256 = hexadecimal(&Sha256::digest(&bytes));
        Ok(Benchmark { path: path.to_owned(), items, sha256 })
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The file's name without its folders.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The hash of the file.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Reads a file that holds JSON.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, BenchmarkError> {
    read_at_most(path, MAX_BYTES)
        .map_err(|error| BenchmarkError::Unreadable { path: path.to_owned(), error })?
        .ok_or_else(|| BenchmarkError::TooLarge(path.to_owned()))
}

/// The objects of JSON lines, or of one JSON array, with their numbers from 1: the line's in JSON
/// lines.
pub(super) fn entries(path: &Path, bytes: &[u8]) -> Result<Vec<(usize, Value)>, BenchmarkError> {
    let wrong = |why: String| BenchmarkError::Format { path: path.to_owned(), why };
    if bytes.trim_ascii_start().starts_with(b"[") {
        let all: Vec<Value> =
            serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        return Ok((1..).zip(all).collect());
    }
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    lines
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(number, line)| match serde_json::from_slice(line) {
            Ok(value) => Ok((number, value)),
            Err(error) => {
                Err(BenchmarkError::Item { path: path.to_owned(), number, why: error.to_string() })
            }
        })
        .collect()
}

/// A name that is a text or a number.
pub(super) fn name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

impl Item {
    fn of(entry: Entry, place: usize) -> Result<Self, String> {
        let id = match &entry.id {
            None | Some(Value::Null) => format!("sample_{place}"),
            Some(id) => name(id).ok_or_else(|| format!("its id is no text: {id}"))?,
        };
        let Entry { code, input, output, function_name, .. } = entry;
        let item = Item { output, ..Item::calling(id, code, function_name, input)? };
        item.program().map_err(|error| error.to_string())?;
        Ok(item)
    }

    /// A call with this input of the function of this name, of which CruxEval says none; nothing is
    /// said of its value.
    pub(crate) fn calling(
        id: String,
        code: String,
        function_name: Option<String>,
        input: String,
    ) -> Result<Self, String> {
        let (function, imports) = match function_name {
            None => ("f".to_owned(), String::new()),
            Some(name) => (name, prelude::imports(&code)),
        };
        if function == CALLER {
            return Err(format!("its function is called `{CALLER}`, as the one that calls it is"));
        }
        let is_call = input.trim_start().starts_with(&format!("{function}("));
        let call = match is_call {
            true => input.trim().to_owned(),
            false => format!("{function}({input})"),
        };
        Ok(Item { id, code: imports + &code, function, input, call, output: String::new() })
    }

    /// What is run: the function, and one that calls it, as in the paper (spec, section 2.4).
    pub fn program(&self) -> Result<Program, crate::program::ProgramError> {
        let (code, call) = (self.code.trim_end(), &self.call);
        let text = format!("{code}\n\n\ndef {CALLER}():\n    return {call}\n");
        Program::from_text(self.id.clone(), &text)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An item of CruxEval's manner.
    pub fn item(code: &str, input: &str, output: &str) -> Item {
        let entry = Entry {
            id: None,
            code: code.into(),
            input: input.into(),
            output: output.into(),
            function_name: None,
        };
        Item::of(entry, 0).unwrap()
    }

    fn open(text: &str) -> Result<Benchmark, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.jsonl");
        std::fs::write(&path, text).unwrap();
        let folder = folder.path().display().to_string();
        Benchmark::open(&path).map_err(|error| error.to_string().replace(&folder, "DIR"))
    }

    #[test]
    fn cruxeval_calls_f_and_livecodebench_says_what_it_calls() {
        let benchmark = open(
            "{\"code\": \"def f(a):\\n    return a\\n\", \"input\": \"3\", \"output\": \"3\", \"id\": \"sample_0\"}\n\n\
             {\"question_id\": 1, \"id\": 7, \"function_name\": \"g\", \"code\": \"def g(a):\\n    return gcd(a, 2)\\n\", \"input\": \"g(a = 4)\", \"output\": \"2\"}\n",
        )
        .unwrap();
        let [f, g] = benchmark.items() else { panic!("two items") };
        assert_eq!((&*f.id, &*f.call, &*f.function), ("sample_0", "f(3)", "f"));
        assert!(f.program().unwrap().text().ends_with("a\n\n\ndef main():\n    return f(3)\n"));
        assert_eq!((&*g.id, &*g.call, &*g.function), ("7", "g(a = 4)", "g"));
        assert!(g.code.starts_with("from math import gcd\ndef g"));
        assert_eq!(benchmark.sha256().len(), 64);
    }

    #[test]
    fn an_array_is_read_too_and_items_without_an_id_are_numbered() {
        let text = "[{\"code\": \"def f():\\n    return 1\", \"input\": \"\", \"output\": \"1\"}]";
        assert_eq!(open(text).unwrap().items()[0].id, "sample_0");
    }

    #[test]
    fn what_is_no_benchmark_says_why_and_where() {
        for (text, told) in [
            ("", "DIR/b.jsonl: no items in it"),
            (
                "{\"code\": 1}",
                "DIR/b.jsonl: item 1: invalid type: integer `1`, expected a string; an item has code",
            ),
            (
                "\n{\"code\": \"x = 1\", \"input\": \"\"}",
                "DIR/b.jsonl: item 2: missing field `output`",
            ),
            ("nope", "DIR/b.jsonl: item 1: expected ident"),
            ("[1", "DIR/b.jsonl: EOF"),
            (
                "{\"code\": \"\", \"input\": \"\", \"output\": \"\", \"id\": []}",
                "DIR/b.jsonl: item 1: its id is no text",
            ),
            (
                "{\"code\": \"x=1\", \"input\": \"\", \"output\": \"\", \"function_name\": \"main\"}",
                "DIR/b.jsonl: item 1: its function is called `main`",
            ),
        ] {
            let error = open(text).unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
        let twice =
            "{\"code\": \"x=1\", \"input\": \"\", \"output\": \"\", \"id\": \"a\"}\n".repeat(2);
        assert!(open(&twice).unwrap_err().ends_with("a second item is called `a`"));
    }
}
