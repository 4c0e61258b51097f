//! Programs that were evaluated before: a folder with a file for each.
//!
//! A file's name is a hash of all on which its contents depend: the recipe without the corpus, and
//! the program. So a changed model, build, policy, seed or program finds nothing, and many
//! evaluations may share a folder, at once too: a file is written under a name of its own and moved
//! to its place when it is whole. Only what would come out again is kept: no program that could not
//! be run, and none whose run was stopped, since a limit of time is not the same everywhere.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::corpus::Item;
use super::recipe::{CorpusId, Recipe, SCHEMA};
use super::record::{ProgramRecord, Record, Status, StepRecord};
use crate::hexadecimal::hexadecimal;
use crate::inverse::Verdict;
use crate::state::ExitKind;
use crate::whole;

/// A folder with evaluated programs, and the recipe of those that are wanted.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    recipe: Sha256,
}

/// Why what a cache holds can't be used, or nothing be put into it. An evaluation goes on without.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The folder or a file in it can't be read or written.
    #[error("the cache's {}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file is not as it was written.
    #[error("the cache's {} is damaged: {why}; the program is evaluated again", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What shows it.
        why: String,
    },
}

/// What was kept of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its steps.
    pub steps: Vec<StepRecord>,
    /// Its end.
    pub program: ProgramRecord,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Label {
    /// The hash that the file is called by.
    key: String,
    /// Of all that follows.
    sha256: String,
}

impl Cache {
    /// Opens a cache for evaluations by this recipe, and makes its folder if need be.
    pub fn open(folder: &Path, recipe: &Recipe) -> Result<Self, CacheError> {
        std::fs::create_dir_all(folder).map_err(io(folder))?;
        let recipe = Recipe { corpus: CorpusId::default(), ..recipe.clone() };
        let mut hasher = Sha256::new();
        hasher.update(SCHEMA.to_le_bytes());
        hasher.update(serde_json::to_vec(&recipe).map_err(|error| io(folder)(error.into()))?);
        Ok(Cache { folder: folder.to_owned(), recipe: hasher })
    }

    /// What is kept of a program, as if it stood at this place; none if nothing is.
    pub fn get(&self, place: usize, item: &Item) -> Result<Option<Kept>, CacheError> {
        let key = self.key(item);
        let path = self.file(&key);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CacheError::Io { path, error }),
        };
        match read(&bytes, &key) {
            Ok(mut kept) => {
                kept.steps.iter_mut().for_each(|step| step.place = place);
                kept.program.place = place;
                Ok(Some(kept))
            }
            Err(why) => Err(CacheError::Damaged { path, why: why.to_owned() }),
        }
    }

    /// Keeps a program, if it would come out the same again.
    pub fn put(&self, item: &Item, kept: &Kept) -> Result<(), CacheError> {
        if !lasts(kept) {
            return Ok(());
        }
        let key = self.key(item);
        let path = self.file(&key);
        let bytes = written(&key, kept).map_err(|error| io(&path)(error.into()))?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io(folder))?;
        }
        whole::write(&path, |out| out.write_all(&bytes)).map_err(io(&path))
    }

    fn key(&self, item: &Item) -> String {
        let mut hasher = self.recipe.clone();
        hasher.update(item.sha256());
        hexadecimal(&hasher.finalize())
    }

    /// In folders by the first byte, as there may be a million files.
    fn file(&self, key: &str) -> PathBuf {
        let (first, rest) = key.split_at(2);
        self.folder.join(first).join(rest).with_extension("jsonl")
    }
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> CacheError {
    let path = path.to_owned();
    move |error| CacheError::Io { path: path.clone(), error }
}

/// Whether a program would come out the same again: nothing in it comes of a limit that its run met.
fn lasts(kept: &Kept) -> bool {
    let Status::Done { exit, forecast, .. } = &kept.program.status else { return false };
    let exits = kept.steps.iter().map(|step| step.exit.as_deref());
    let exits = exits.chain([exit.as_deref(), forecast.as_ref().map(|told| &*told.exit)]);
    let unchecked = Verdict::Unchecked(String::new()).name();
    let is_unchecked = |verdict: Option<&str>| verdict == Some(unchecked);
    exits.flatten().all(|exit| exit != ExitKind::Stopped.name())
        && kept.steps.iter().all(|step| {
            let samples = step.samples.iter().map(|sample| sample.verdict.as_deref());
            let own = step.predecessor.as_ref().map(|predecessor| &*predecessor.verdict);
            !samples.chain([own]).any(is_unchecked)
        })
}

fn written(key: &str, kept: &Kept) -> serde_json::Result<Vec<u8>> {
    let mut body = Vec::new();
    for step in &kept.steps {
        line(&mut body, &Record::Step(Box::new(step.clone())))?;
    }
    line(&mut body, &Record::Program(kept.program.clone()))?;
    let mut bytes = Vec::new();
    let sha256 = hexadecimal(&Sha256::digest(&body));
    line(&mut bytes, &Label { key: key.to_owned(), sha256 })?;
    bytes.extend(body);
    Ok(bytes)
}

fn line(to: &mut Vec<u8>, value: &impl Serialize) -> serde_json::Result<()> {
    serde_json::to_writer(&mut *to, value)?;
    to.push(b'\n');
    Ok(())
}

fn read(bytes: &[u8], key: &str) -> Result<Kept, &'static str> {
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or("it has no whole line")?;
    let (first, body) = bytes.split_at(end + 1);
    let label: Label = serde_json::from_slice(first).map_err(|_| "its first line is no label")?;
    if label.key != key {
        return Err("it was written for another program");
    }
    if label.sha256 != hexadecimal(&Sha256::digest(body)) {
        return Err("its hash is another");
    }
    let mut steps = Vec::new();
    for line in body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(Record::Step(step)) => steps.push(*step),
            Ok(Record::Program(program)) => return Ok(Kept { steps, program }),
            _ => break,
        }
    }
    Err("it holds no program")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{program, step};
    use crate::eval::recipe::tests::recipe;
    use crate::eval::record::{PredecessorRecord, SampleRecord};
    use crate::program::Program;

    fn item(id: &str, text: &str) -> Item {
        let program = Program::from_text(id.to_owned(), text).unwrap();
        Item { id: id.to_owned(), program, entry: None, stdin: String::new() }
    }

    fn kept(place: usize) -> Kept {
        Kept {
            steps: vec![step(place, 1, true), step(place, 2, false)],
            program: program(place, 2),
        }
    }

    #[test]
    fn what_was_kept_is_found_at_any_place() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("new"), &recipe()).unwrap();
        let one = item("p0", "x = 1\n");
        assert_eq!(cache.get(0, &one).unwrap(), None);
        cache.put(&one, &kept(0)).unwrap();
        assert_eq!(cache.get(0, &one).unwrap(), Some(kept(0)));
        let elsewhere = cache.get(7, &one).unwrap().unwrap();
        assert_eq!((elsewhere.program.place, elsewhere.steps[1].place), (7, 7));
    }

    #[test]
    fn another_recipe_or_program_finds_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let one = item("p0", "x = 1\n");
        Cache::open(folder.path(), &recipe()).unwrap().put(&one, &kept(0)).unwrap();
        let other = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = recipe();
            change(&mut recipe);
            Cache::open(folder.path(), &recipe).unwrap().get(0, &one).unwrap().is_some()
        };
        assert!(other(&|_| {}));
        // A corpus may grow around it.
        assert!(other(&|recipe| recipe.corpus.programs += 1));
        let changes: [&dyn Fn(&mut Recipe); 8] = [
            &|recipe| recipe.tool_sha256.push('0'),
            &|recipe| recipe.python_sha256.push('0'),
            &|recipe| recipe.model.sha256.push('0'),
            &|recipe| recipe.model.dialect_sha256.push('0'),
            &|recipe| recipe.model.context += 1,
            &|recipe| recipe.policy = crate::eval::Policy::Over,
            &|recipe| recipe.seed += 1,
            &|recipe| recipe.limits.steps += 1,
        ];
        assert!(changes.iter().all(|change| !other(change)));
        let cache = Cache::open(folder.path(), &recipe()).unwrap();
        for changed in [
            item("p1", "x = 1\n"),
            item("p0", "x = 2\n"),
            Item { entry: Some("f".into()), ..one.clone() },
            Item { stdin: "a".into(), ..one.clone() },
        ] {
            assert_eq!(cache.get(0, &changed).unwrap(), None, "{changed:?}");
        }
    }

    #[test]
    fn what_might_come_out_otherwise_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), &recipe()).unwrap();
        let one = item("p0", "x = 1\n");
        let stopped = Status::Done {
            steps: 1,
            exit: Some("stopped".into()),
            statements: Vec::new(),
            forecast: None,
        };
        let not_kept = |kept: Kept| {
            cache.put(&one, &kept).unwrap();
            assert_eq!(cache.get(0, &one).unwrap(), None);
        };
        for status in [stopped, Status::Refused { reason: "no".into() }] {
            let program = ProgramRecord { status, ..program(0, 1) };
            not_kept(Kept { steps: Vec::new(), program });
        }
        // An action tried beside the walk met the limit; an answer could not be checked.
        let unchecked = || "unchecked".to_owned();
        let changes: [&dyn Fn(&mut StepRecord); 3] = [
            &|step| step.exit = Some("stopped".into()),
            &|step| {
                step.predecessor = Some(PredecessorRecord { verdict: unchecked(), why: None });
            },
            &|step| {
                let verdict = Some(unchecked());
                step.samples = vec![SampleRecord { same_as: 0, agree: false, verdict }];
            },
        ];
        for change in changes {
            let mut kept = kept(0);
            change(&mut kept.steps[1]);
            not_kept(kept);
        }
    }

    #[test]
    fn a_damaged_file_is_told_and_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), &recipe()).unwrap();
        let one = item("p0", "x = 1\n");
        cache.put(&one, &kept(0)).unwrap();
        let path = cache.file(&cache.key(&one));
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(matches!(cache.get(0, &one), Err(CacheError::Damaged { .. })), "cut at {at}");
            let mut other = whole.clone();
            other[at] ^= 1;
            std::fs::write(&path, other).unwrap();
            assert!(matches!(cache.get(0, &one), Err(CacheError::Damaged { .. })), "byte {at}");
        }
        cache.put(&one, &kept(0)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn many_write_at_once_and_leave_one_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let one = item("p0", "x = 1\n");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let cache = Cache::open(folder.path(), &recipe()).unwrap();
                    for _ in 0..50 {
                        cache.put(&one, &kept(0)).unwrap();
                        assert_eq!(cache.get(0, &one).unwrap(), Some(kept(0)));
                    }
                });
            }
        });
        let cache = Cache::open(folder.path(), &recipe()).unwrap();
        let path = cache.file(&cache.key(&one));
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(files.map(|file| file.unwrap().path()).collect::<Vec<_>>(), [path]);
    }
}
