//! The files of stored generations: what a model answered to each item, any number of times.
//!
//! Read are CruxEval's scored files and the generations that they are made of, a list of lists in
//! the order of the items, and JSON lines (or an array) of objects with an `id` and `generations`,
//! or LiveCodeBench's `pred_list`. Verdicts that are stored with them are kept, to be compared.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::item::{self, Benchmark, BenchmarkError};

/// What is stored for an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// The answers.
    pub texts: Vec<String>,
    /// What another harness thought of each.
    pub verdicts: Option<Vec<bool>>,
}

/// The answers to the items of a benchmark.
#[derive(Clone, Debug)]
pub struct Generations {
    /// By place of the item; none where nothing is stored.
    stored: Vec<Option<Stored>>,
}

/// CruxEval's scored files.
#[derive(Deserialize)]
struct Whole {
    raw_generations: HashMap<String, Vec<String>>,
    #[serde(default)]
    raw_scored_generations: HashMap<String, Vec<bool>>,
}

/// An object for one item.
#[derive(Deserialize)]
struct Line {
    id: Value,
    #[serde(alias = "pred_list", alias = "raw_generations")]
    generations: Vec<String>,
    #[serde(alias = "graded_list", alias = "raw_scored_generations")]
    verdicts: Option<Vec<bool>>,
}

const EXPECTED: &str = "generations are {\"raw_generations\": {ID: [TEXT, …]}}, {ID: [TEXT, …]}, \
                        [[TEXT, …], …] in the order of the items, or JSON lines of {\"id\": ID, \
                        \"generations\": [TEXT, …]}";

impl Generations {
    /// Reads the file at `path`, whose generations are for items of this benchmark.
    pub fn open(path: &Path, benchmark: &Benchmark) -> Result<Self, BenchmarkError> {
        let bytes = item::read(path)?;
        let wrong = |why: String| BenchmarkError::Format { path: path.to_owned(), why };
        let named = named(path, &bytes, benchmark)?;
        let places: HashMap<&str, usize> =
            benchmark.items().iter().map(|item| item.id.as_str()).zip(0..).collect();
        let mut stored: Vec<Option<Stored>> = vec![None; benchmark.items().len()];
        for (id, given) in named {
            let Some(&place) = places.get(id.as_str()) else {
                return Err(wrong(format!("`{id}` is no item of {}", benchmark.name())));
            };
            if given.verdicts.as_ref().is_some_and(|all| all.len() != given.texts.len()) {
                return Err(wrong(format!("`{id}` has not one verdict for each generation")));
            }
            if stored[place].replace(given).is_some() {
                return Err(wrong(format!("`{id}` is there twice")));
            }
        }
        if stored.iter().all(|stored| stored.as_ref().is_none_or(|given| given.texts.is_empty())) {
            return Err(wrong(format!("no generations in it; {EXPECTED}")));
        }
        Ok(Generations { stored })
    }

    /// What is stored for the item at this place.
    pub fn of(&self, place: usize) -> Option<&Stored> {
        self.stored.get(place).and_then(Option::as_ref)
    }
}

/// What a file holds, by the items' names.
fn named(
    path: &Path,
    bytes: &[u8],
    benchmark: &Benchmark,
) -> Result<Vec<(String, Stored)>, BenchmarkError> {
    let wrong = |why: String| BenchmarkError::Format { path: path.to_owned(), why };
    let whole: Option<Value> = serde_json::from_slice(bytes).ok();
    if let Some(Value::Object(object)) = &whole
        && !object.contains_key("id")
    {
        let read = match object.contains_key("raw_generations") {
            true => serde_json::from_slice::<Whole>(bytes),
            false => serde_json::from_slice(bytes).map(|raw_generations| Whole {
                raw_generations,
                raw_scored_generations: HashMap::new(),
            }),
        };
        let Whole { raw_generations, mut raw_scored_generations } =
            read.map_err(|error| wrong(format!("{error}; {EXPECTED}")))?;
        return Ok(raw_generations
            .into_iter()
            .map(|(id, texts)| {
                let verdicts = raw_scored_generations.remove(&id);
                (id, Stored { texts, verdicts })
            })
            .collect());
    }
    let entries = item::entries(path, bytes)?;
    let items = benchmark.items();
    if entries.iter().all(|(_, entry)| entry.is_array()) && !entries.is_empty() {
        if entries.len() != items.len() {
            let (lists, items, name) = (entries.len(), items.len(), benchmark.name());
            return Err(wrong(format!(
                "{lists} lists for the {items} items of {name}; with fewer, name them: {EXPECTED}"
            )));
        }
        return entries
            .into_iter()
            .zip(items)
            .map(|((_, entry), item)| match serde_json::from_value(entry) {
                Ok(texts) => Ok((item.id.clone(), Stored { texts, verdicts: None })),
                Err(error) => Err(wrong(format!("{}: {error}; {EXPECTED}", item.id))),
            })
            .collect();
    }
    entries
        .into_iter()
        .map(|(number, entry)| {
            let wrong = |why: String| BenchmarkError::Item { path: path.to_owned(), number, why };
            let line: Line = serde_json::from_value(entry)
                .map_err(|error| wrong(format!("{error}; {EXPECTED}")))?;
            let id = item::name(&line.id).ok_or_else(|| wrong("its id is no text".to_owned()))?;
            Ok((id, Stored { texts: line.generations, verdicts: line.verdicts }))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generations of this file for the items `a` and `b`.
    fn open(text: &str) -> Result<Generations, String> {
        let folder = tempfile::tempdir().unwrap();
        let (items, path) = (folder.path().join("b.jsonl"), folder.path().join("g"));
        let item =
            |id| format!("{{\"code\":\"x=1\",\"input\":\"\",\"output\":\"1\",\"id\":\"{id}\"}}\n");
        std::fs::write(&items, item("a") + &item("b")).unwrap();
        std::fs::write(&path, text).unwrap();
        let benchmark = Benchmark::open(&items).unwrap();
        let folder = folder.path().display().to_string();
        Generations::open(&path, &benchmark)
            .map_err(|error| error.to_string().replace(&folder, "DIR"))
    }

    #[test]
    fn all_manners_say_the_same() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        for text in [
            r#"{"raw_generations": {"b": ["3"], "a": ["1", "2"]}, "pass_at_1": 0}"#,
            r#"{"a": ["1", "2"], "b": ["3"]}"#,
            r#"[["1", "2"], ["3"]]"#,
            r#"[{"id": "b", "pred_list": ["3"]}, {"id": "a", "pred_list": ["1", "2"]}]"#,
            "{\"id\": \"a\", \"generations\": [\"1\", \"2\"]}\n{\"id\": \"b\", \"generations\": [\"3\"]}\n",
        ] {
            let found = open(text).unwrap();
            assert_eq!(
                found.of(0).unwrap().texts,
                Vec::<String>::from_iter::<Vec<_>>(texts(&["1", "2"])),
                "{text}"
            );
            assert_eq!(found.of(1), Some(&Stored { texts: texts(&["3"]), verdicts: None }));
        }
        let one = open(r#"{"id": "b", "generations": ["3"], "graded_list": [true]}"#).unwrap();
        assert_eq!((one.of(0), one.of(1).unwrap().verdicts.as_deref()), (None, Some(&[true][..])));
    }

    #[test]
    fn what_is_none_says_why() {
        for (text, told) in [
            ("", "DIR/g: no generations in it"),
            ("{\"c\": [\"1\"]}", "DIR/g: `c` is no item of b.jsonl"),
            ("{\"a\": 1}", "DIR/g: invalid type"),
            ("[[\"1\"]]", "DIR/g: 1 lists for the 2 items of b.jsonl"),
            ("{\"id\": \"a\"}", "DIR/g: item 1: missing field `generations`"),
            (
                r#"{"raw_generations": {"a": ["1"]}, "raw_scored_generations": {"a": []}}"#,
                "DIR/g: `a` has not one verdict for each generation",
            ),
            (
                r#"[{"id":"a","generations":[]},{"id":"a","generations":[]}]"#,
                "DIR/g: `a` is there twice",
            ),
        ] {
            let error = open(text).unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
    }
}
