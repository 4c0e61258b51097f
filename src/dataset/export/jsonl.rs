//! One JSON object a line, a file for each split.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::dataset::DatasetError;
use crate::dataset::row::{Row, Split};

/// The files of all splits, under other names until they are whole.
pub struct Files {
    open: BTreeMap<Split, (PathBuf, BufWriter<File>)>,
}

impl Files {
    /// Creates them in the dataset's folder.
    pub fn create(folder: &Path) -> Result<Self, DatasetError> {
        let folder = folder.join("jsonl");
        let failed = |path: &Path, source| DatasetError::Write { path: path.to_owned(), source };
        fs::create_dir_all(&folder).map_err(|source| failed(&folder, source))?;
        let mut open = BTreeMap::new();
        for split in Split::ALL {
            let path = folder.join(format!("{}.jsonl", split.name()));
            let part = path.with_extension("part");
            let file = File::create(&part).map_err(|source| failed(&part, source))?;
            open.insert(split, (path, BufWriter::new(file)));
        }
        Ok(Files { open })
    }

    /// Writes a row.
    pub fn write(&mut self, row: &Row) -> Result<(), DatasetError> {
        let Some((path, file)) = self.open.get_mut(&row.split) else { return Ok(()) };
        let failed = |source| DatasetError::Write { path: path.clone(), source };
        serde_json::to_writer(&mut *file, row).map_err(|error| failed(error.into()))?;
        file.write_all(b"\n").map_err(failed)
    }

    /// Gives the files their names.
    pub fn finish(self) -> Result<(), DatasetError> {
        for (path, mut file) in self.open.into_values() {
            let failed = |source| DatasetError::Write { path: path.clone(), source };
            file.flush().map_err(failed)?;
            fs::rename(path.with_extension("part"), &path).map_err(failed)?;
        }
        Ok(())
    }
}
