//! Chunks become the files of a dataset.

mod card;
mod jsonl;
mod parquet;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::recorded::Left;
use super::row::{Row, Split};
use super::work::{self, Done, Order};
use super::{DatasetError, Label, write_whole};

/// The files of rows that a dataset has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line, under `jsonl/`.
    Jsonl,
    /// Parquet, under `data/`.
    Parquet,
    /// Both.
    Both,
}

/// What is in a dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows of each split.
    pub rows: BTreeMap<Split, u64>,
    /// Programs of each split.
    pub programs: BTreeMap<Split, u64>,
    /// Programs of which nothing was taken, and why.
    pub left: BTreeMap<Left, u64>,
    /// Characters of all texts.
    pub chars: u64,
}

impl Summary {
    fn take(&mut self, rows: &[Row]) {
        for (at, row) in rows.iter().enumerate() {
            *self.rows.entry(row.split).or_default() += 1;
            *self.programs.entry(row.split).or_default() += u64::from(at == 0);
            self.chars += row.text.chars().count() as u64;
        }
    }
}

/// Writes the files of the dataset.
pub(super) fn export(
    order: &Order,
    work: &Path,
    folder: &Path,
    label: &Label,
    format: Format,
) -> Result<Summary, DatasetError> {
    let mut summary = Summary::default();
    let mut lines = match format {
        Format::Jsonl | Format::Both => Some(jsonl::Files::create(folder)?),
        Format::Parquet => None,
    };
    let mut tables = match format {
        Format::Parquet | Format::Both => Some(parquet::Files::create(folder)?),
        Format::Jsonl => None,
    };
    // Programs that are alike: the first one stays.
    let mut seen = HashSet::new();
    for chunk in 0..order.chunks() {
        for Done { fingerprint, rows, .. } in work::read_chunk(work, chunk)? {
            let rows = rows.and_then(|rows| match seen.insert(fingerprint) {
                true => Ok(rows),
                false => Err(Left::Repeated),
            });
            match rows {
                Err(left) => *summary.left.entry(left).or_default() += 1,
                Ok(rows) => {
                    summary.take(&rows);
                    for row in &rows {
                        lines.iter_mut().try_for_each(|files| files.write(row))?;
                        tables.iter_mut().try_for_each(|files| files.write(row))?;
                    }
                }
            }
        }
    }
    lines.into_iter().try_for_each(jsonl::Files::finish)?;
    tables.into_iter().try_for_each(parquet::Files::finish)?;
    write_whole(&folder.join("special_tokens.json"), &card::tokens())?;
    write_whole(&folder.join("README.md"), &card::card(label, &summary, format))?;
    Ok(summary)
}
