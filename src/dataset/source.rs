//! Where the programs of a dataset come from.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::DatasetError;
use super::fingerprint::{hash, mix};
use super::mutate::mutate;
use crate::check;
use crate::generate::{Difficulty, generate};
use crate::program::Program;

/// What kind of program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Made by the generator.
    Generated,
    /// From a corpus.
    Corpus,
    /// Made of a program of a corpus or of the user's by small changes.
    Mutated,
    /// The user's.
    User,
}

impl Kind {
    /// The word for it in a dataset.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Generated => "generated",
            Kind::Corpus => "corpus",
            Kind::Mutated => "mutated",
            Kind::User => "user",
        }
    }
}

/// A program, and where it comes from.
#[derive(Clone, Debug)]
pub struct Sourced {
    /// Names it in the dataset, the same in each that it is in.
    pub id: String,
    /// What kind it is.
    pub kind: Kind,
    /// Its file, as far as it is named in the dataset; none for a generated one.
    pub file: Option<String>,
    /// The seed of its choices, and of the walks through it.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// The text of the program that it was made of: both are in one split.
    pub parent: Option<String>,
}

/// All programs of a dataset, by number.
#[derive(Clone, Debug)]
pub struct Sources {
    seed: u64,
    generated: usize,
    difficulty: Difficulty,
    files: Vec<(Kind, String, Program)>,
    mutants: usize,
}

impl Sources {
    /// `generated` programs that `seed` decides.
    pub fn new(seed: u64, generated: usize, difficulty: Difficulty) -> Self {
        Sources { seed, generated, difficulty, files: Vec::new(), mutants: 0 }
    }

    /// Adds so many mutants of each program that comes from a file.
    pub fn mutate(&mut self, mutants: usize) {
        self.mutants = mutants;
    }

    /// Adds the program at a path, or all `.py` files in a folder and those below it, by name.
    pub fn add(&mut self, kind: Kind, path: &Path) -> Result<(), DatasetError> {
        for file in python_files(path)? {
            let program = Program::load(&file)?;
            // Named by its place in the folder, so that the dataset is the same everywhere.
            let within = file.strip_prefix(path).unwrap_or(&file);
            let within = if within.as_os_str().is_empty() {
                file.file_name().map(Path::new)
            } else {
                Some(within)
            };
            let name = within.unwrap_or(&file).display().to_string();
            let program = Program::from_text(name.clone(), program.text())?;
            self.files.push((kind, name, program));
        }
        Ok(())
    }

    /// How many programs there are.
    pub fn len(&self) -> usize {
        self.generated + self.files.len() * (1 + self.mutants)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The program of this number, which is below [`Sources::len`]; none for a mutant that can't be
    /// made.
    pub fn program(&self, number: usize) -> Option<Sourced> {
        let seed = mix(self.seed, number as u64);
        match number.checked_sub(self.generated) {
            None => {
                let text = generate(seed, &self.difficulty);
                let program = Program::from_text("generated.py".to_owned(), &text).ok()?;
                let id = format!("generated-{seed:016x}");
                Some(Sourced { id, kind: Kind::Generated, file: None, seed, program, parent: None })
            }
            Some(at) if at < self.files.len() => {
                let (kind, name, program) = self.files.get(at)?;
                let seed = mix(self.seed, hash(name.as_bytes()));
                let id = format!("{}/{name}", kind.name());
                let (kind, file, program) = (*kind, Some(name.clone()), program.clone());
                Some(Sourced { id, kind, file, seed, program, parent: None })
            }
            Some(at) => {
                let at = at - self.files.len();
                let (_, name, program) = self.files.get(at / self.mutants.max(1))?;
                let mutant = at % self.mutants.max(1);
                let id = format!("mutated/{name}#{mutant}");
                let seed = mix(self.seed, hash(id.as_bytes()));
                // Its header says what the original shows.
                let original = program.context();
                let sound = check::check(original).is_ok();
                let text = sound.then(|| mutate(original, seed)).flatten()?;
                let program = Program::from_text(name.clone(), &text).ok()?;
                let (kind, file) = (Kind::Mutated, Some(name.clone()));
                Some(Sourced { id, kind, file, seed, program, parent: Some(original.to_owned()) })
            }
        }
    }

    /// A number that changes with any of the programs.
    pub fn digest(&self) -> u64 {
        let files = self.files.iter().map(|(kind, name, program)| {
            hash(format!("{}\0{name}\0{}", kind.name(), program.text()).as_bytes())
        });
        files.fold(mix(mix(self.seed, self.generated as u64), self.mutants as u64), mix)
    }
}

/// The Python files at a path, sorted.
fn python_files(path: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |source| DatasetError::Read { path: path.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        // Links are not followed: they may lead round in a circle.
        if kind.is_dir() {
            files.extend(python_files(&path)?);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}
