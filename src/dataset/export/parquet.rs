//! Parquet in the layout of the Hugging Face hub: `data/train-00000-of-00002.parquet`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::TypePtr;

use crate::columns::{Column, write_group};
use crate::dataset::DatasetError;
use crate::dataset::row::{Row, Split};

/// The folder inside a dataset's.
pub const FOLDER: &str = "data";

/// The columns of [`Row`], in its order.
const SCHEMA: &str = "
message row {
    required binary text (STRING);
    required binary split (STRING);
    required binary direction (STRING);
    required binary program (STRING);
    required binary kind (STRING);
    optional binary file (STRING);
    required binary seed (STRING);
    required binary policy (STRING);
    required binary function (STRING);
    required int32 start;
    required int32 states;
    required int32 actions;
    optional binary exit (STRING);
}";

/// Rows that are held in memory, and written together.
const GROUP: usize = 10_000;
/// Groups in a file: some hundred megabytes of text.
const GROUPS: usize = 20;

/// The files of all splits, under other names until they are whole.
pub struct Files {
    folder: PathBuf,
    schema: TypePtr,
    splits: BTreeMap<Split, Parts>,
}

/// The files of one split.
#[derive(Default)]
struct Parts {
    waiting: Vec<Row>,
    open: Option<SerializedFileWriter<File>>,
    groups: usize,
    files: usize,
}

impl Files {
    /// Creates them in the dataset's folder.
    pub fn create(folder: &Path) -> Result<Self, DatasetError> {
        let folder = folder.join(FOLDER);
        let failed = |source| DatasetError::Write { path: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        let schema = parse_message_type(SCHEMA).map_err(|error| failed(io::Error::other(error)))?;
        Ok(Files { folder, schema: Arc::new(schema), splits: BTreeMap::new() })
    }

    /// Writes a row.
    pub fn write(&mut self, row: &Row) -> Result<(), DatasetError> {
        let parts = self.splits.entry(row.split).or_default();
        parts.waiting.push(row.clone());
        if parts.waiting.len() < GROUP {
            return Ok(());
        }
        let path = part(&self.folder, row.split, parts.files);
        let flushed = parts.flush(&path, &self.schema);
        flushed.map_err(|error| DatasetError::Write { path, source: io::Error::other(error) })
    }

    /// Gives the files their names, now that it is known how many there are.
    pub fn finish(mut self) -> Result<(), DatasetError> {
        for (&split, parts) in &mut self.splits {
            let path = part(&self.folder, split, parts.files);
            let ended = parts.flush(&path, &self.schema).and_then(|()| parts.close());
            ended.map_err(|error| DatasetError::Write { path, source: io::Error::other(error) })?;
            for number in 0..parts.files {
                let name = format!("{}-{number:05}-of-{:05}.parquet", split.name(), parts.files);
                let path = self.folder.join(name);
                fs::rename(part(&self.folder, split, number), &path)
                    .map_err(|source| DatasetError::Write { path, source })?;
            }
        }
        Ok(())
    }
}

/// A file's name until it is whole.
fn part(folder: &Path, split: Split, number: usize) -> PathBuf {
    folder.join(format!("{}-{number:05}.part", split.name()))
}

impl Parts {
    /// Writes what waits as a group of rows.
    fn flush(&mut self, path: &Path, schema: &TypePtr) -> Result<(), ParquetError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let file = match &mut self.open {
            Some(file) => file,
            None => {
                let properties =
                    WriterProperties::builder().set_compression(Compression::SNAPPY).build();
                let file = File::create(path)?;
                let writer = SerializedFileWriter::new(file, schema.clone(), Arc::new(properties))?;
                self.open.insert(writer)
            }
        };
        write_group(file, &self.waiting, &COLUMNS)?;
        self.waiting.clear();
        self.groups += 1;
        if self.groups == GROUPS { self.close() } else { Ok(()) }
    }

    /// Ends the open file.
    fn close(&mut self) -> Result<(), ParquetError> {
        if let Some(file) = self.open.take() {
            file.close()?;
            (self.files, self.groups) = (self.files + 1, 0);
        }
        Ok(())
    }
}

/// In the order of [`SCHEMA`].
const COLUMNS: [Column<Row>; 13] = [
    Column::Text(|row| &row.text),
    Column::Text(|row| row.split.name()),
    Column::Text(|row| &row.direction),
    Column::Text(|row| &row.program),
    Column::Text(|row| &row.kind),
    Column::OptionalText(|row| row.file.as_deref()),
    Column::Text(|row| &row.seed),
    Column::Text(|row| &row.policy),
    Column::Text(|row| &row.function),
    Column::Number(|row| row.start),
    Column::Number(|row| row.states),
    Column::Number(|row| row.actions),
    Column::OptionalText(|row| row.exit.as_deref()),
];

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    fn row(number: u32) -> Row {
        Row {
            text: format!("walk {number} \u{e9}"),
            split: if number == 3 { Split::Test } else { Split::Train },
            direction: "forward".into(),
            program: "p".into(),
            kind: "user".into(),
            file: number.is_multiple_of(2).then(|| "p.py".into()),
            seed: "00".into(),
            policy: "into".into(),
            function: "main".into(),
            start: number,
            states: 2,
            actions: 1,
            exit: None,
        }
    }

    #[test]
    fn rows_read_back_and_files_are_named_by_their_number() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files::create(folder.path()).unwrap();
        let rows: Vec<Row> = (0..GROUP as u32 + 5).map(row).collect();
        rows.iter().try_for_each(|row| files.write(row)).unwrap();
        files.finish().unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path().join(FOLDER))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["test-00000-of-00001.parquet", "train-00000-of-00001.parquet"]);
        let file = File::open(folder.path().join(FOLDER).join(&names[1])).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let train: Vec<&Row> = rows.iter().filter(|row| row.split == Split::Train).collect();
        let read = reader.get_row_iter(None).unwrap();
        assert_eq!(read.count(), train.len());
        for (found, row) in reader.get_row_iter(None).unwrap().zip(train).take(50) {
            let found = found.unwrap();
            assert_eq!(found.get_string(0).unwrap(), &row.text);
            assert_eq!(found.get_int(9).unwrap(), row.start as i32);
            assert_eq!(found.get_string(5).ok(), row.file.as_ref());
        }
    }
}
