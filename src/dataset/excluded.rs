//! Programs that a dataset must not hold, since a model is to be measured on them.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;

use super::DatasetError;
use super::fingerprint::{Likeness, function_fingerprints};
use crate::check;
use crate::program::read_at_most;

/// Functions to be left out, whatever they are called and given.
#[derive(Clone, Debug, Default)]
pub struct Excluded {
    functions: HashSet<u64>,
}

/// The part of a benchmark's item that is looked at, as CruxEval has it.
#[derive(Deserialize)]
struct Item {
    code: String,
}

/// Largest file read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

impl Excluded {
    /// Adds a file's programs: one object a line, with the program under `code`, or, if it is named
    /// so, one Python program.
    pub fn add(&mut self, path: &Path) -> Result<(), DatasetError> {
        let bad = |what: String| DatasetError::Exclude { path: path.to_owned(), what };
        let bytes = read_at_most(path, MAX_BYTES)
            .map_err(|error| bad(format!("can't be read: {error}")))?
            .ok_or_else(|| bad("larger than 1 GiB".to_owned()))?;
        let text = String::from_utf8(bytes).map_err(|_| bad("is not UTF-8".to_owned()))?;
        if path.extension().is_some_and(|extension| extension == "py") {
            self.add_program(&text);
            return Ok(());
        }
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let item: Item = serde_json::from_str(line)
                .map_err(|error| bad(format!("line {number}: no item with `code`: {error}")))?;
            self.add_program(&item.code);
        }
        Ok(())
    }

    fn add_program(&mut self, source: &str) {
        if check::check(source).is_ok() {
            self.functions.extend(function_fingerprints(source, Likeness::Near));
        }
    }

    /// Whether a program defines one of the functions. It must have passed the static check.
    pub fn holds(&self, source: &str) -> bool {
        let is_excluded = |found: &u64| self.functions.contains(found);
        !self.functions.is_empty()
            && function_fingerprints(source, Likeness::Near).iter().any(is_excluded)
    }

    /// A number that changes with any of them.
    pub fn digest(&self) -> u64 {
        self.functions.iter().fold(self.functions.len() as u64, |sum, one| sum.wrapping_add(*one))
    }
}
