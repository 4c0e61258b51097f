//! The steps of a log as one Parquet file, for DuckDB, pandas and the like. docs/log-format.md says
//! what each column means.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::write::{Sink, Whole};
use crate::columns::{Column, write_group};
use crate::eval::record::{Header, ProgramRecord, StepRecord};

/// The columns of [`COLUMNS`].
const SCHEMA: &str = "
message step {
    required binary program (STRING);
    required int64 place;
    required int64 step;
    required binary action (STRING);
    required int64 from;
    required int32 line;
    required int32 depth;
    required group constructs (LIST) { repeated group list { required binary element (STRING); } }
    optional int64 horizon;
    required binary event (STRING);
    optional int64 to_line;
    optional binary exit (STRING);
    optional binary predicted_exit (STRING);
    optional int64 predicted_line;
    optional boolean agree;
    optional binary unjudged (STRING);
    optional binary malformed (STRING);
    optional binary raw (STRING);
    required group wrong (LIST) { repeated group list { required binary element (STRING); } }
    required binary diff (STRING);
    required binary fields (STRING);
    optional double bits;
    optional double confidence;
    optional binary error (STRING);
    optional int64 frame;
    optional binary predecessor (STRING);
    required binary samples (STRING);
    required boolean restarted;
}";

/// In the order of [`SCHEMA`].
const COLUMNS: [Column<Row>; 28] = [
    Column::Text(|row| &row.program),
    Column::Count(|row| row.step.place),
    Column::Count(|row| row.step.step),
    Column::Text(|row| &row.step.action),
    Column::Count(|row| row.step.from),
    Column::Number(|row| row.step.line),
    Column::Number(|row| row.step.depth),
    Column::Texts(|row| row.step.constructs.iter().map(|construct| construct.name()).collect()),
    Column::OptionalCount(|row| row.step.horizon),
    Column::Text(|row| &row.step.event),
    Column::OptionalCount(|row| line(row.step.to_line)),
    Column::OptionalText(|row| row.step.exit.as_deref()),
    Column::OptionalText(|row| row.step.predicted_exit.as_deref()),
    Column::OptionalCount(|row| line(row.step.predicted_line)),
    Column::OptionalFlag(|row| row.step.agree),
    Column::OptionalText(|row| row.step.unjudged.as_deref()),
    Column::OptionalText(|row| Some(row.step.malformed.as_ref()?.reason.as_str())),
    Column::OptionalText(|row| Some(row.step.malformed.as_ref()?.raw.as_str())),
    Column::Texts(|row| row.step.diff.iter().map(|found| found.field.as_str()).collect()),
    Column::Text(|row| &row.diff),
    Column::Text(|row| &row.fields),
    Column::OptionalReal(|row| row.step.bits),
    Column::OptionalReal(|row| row.step.confidence),
    Column::OptionalText(|row| row.step.error.as_deref()),
    Column::OptionalCount(|row| row.step.frame),
    Column::OptionalText(|row| Some(row.step.predecessor.as_ref()?.verdict.as_str())),
    Column::Text(|row| &row.samples),
    Column::Flag(|row| row.step.restarted),
];

/// Rows that are held in memory, and written together.
const GROUP: usize = 10_000;

/// The name under which the file holds the recipe, as JSON.
const RECIPE: &str = "lockstep.recipe";

/// A step, with what JSON says better than columns.
struct Row {
    program: Arc<str>,
    step: StepRecord,
    diff: String,
    fields: String,
    samples: String,
}

/// The table, as it is written.
pub(super) struct Table<W: Write + Send> {
    file: SerializedFileWriter<W>,
    waiting: Vec<Row>,
}

impl<W: Write + Send> Table<W> {
    pub fn begin(header: &Header, out: W) -> io::Result<Self> {
        let schema = parse_message_type(SCHEMA).map_err(io::Error::other)?;
        let recipe = serde_json::to_string(&header.recipe)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(vec![KeyValue::new(RECIPE.to_owned(), recipe)]))
            .build();
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties));
        Ok(Table { file: file.map_err(io::Error::other)?, waiting: Vec::new() })
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            write_group(&mut self.file, &self.waiting, &COLUMNS).map_err(io::Error::other)?;
            self.waiting.clear();
        }
        Ok(())
    }
}

impl<W: Write + Send> Sink for Table<W> {
    fn program(&mut self, program: &ProgramRecord, steps: Vec<StepRecord>) -> io::Result<()> {
        let id: Arc<str> = program.id.as_str().into();
        for step in steps {
            let diff = serde_json::to_string(&step.diff)?;
            let fields = serde_json::to_string(&step.fields)?;
            let samples = serde_json::to_string(&step.samples)?;
            self.waiting.push(Row { program: id.clone(), step, diff, fields, samples });
            if self.waiting.len() == GROUP {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _whole: &Whole) -> io::Result<()> {
        self.flush()?;
        self.file.close().map_err(io::Error::other)?;
        Ok(())
    }
}

fn line(line: Option<u32>) -> Option<usize> {
    line.map(|line| line as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Construct;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::metrics::Metrics;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{ListAccessor, RowAccessor};

    #[test]
    fn steps_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("steps.parquet");
        let file = std::fs::File::create(&path).unwrap();
        let mut table = Box::new(Table::begin(&header(), file).unwrap());
        let mut steps: Vec<_> = (1..GROUP + 8).map(|n| step(7, n, n % 3 > 0)).collect();
        steps[1].constructs = vec![Construct::Call, Construct::Return];
        (steps[2].bits, steps[2].horizon) = (None, None);
        table.program(&program(7, steps.len()), steps.clone()).unwrap();
        table.finish(&Whole { header: header(), metrics: Metrics::default() }).unwrap();

        let file = std::fs::File::open(&path).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let known = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let recipe = known.iter().find(|pair| pair.key == RECIPE).unwrap().value.clone().unwrap();
        let recipe: crate::eval::Recipe = serde_json::from_str(&recipe).unwrap();
        assert_eq!(recipe, header().recipe);
        let mut read = 0;
        for (found, step) in reader.get_row_iter(None).unwrap().zip(&steps) {
            let found = found.unwrap();
            assert_eq!(found.get_string(0).unwrap(), "p7");
            assert_eq!(found.get_long(2).unwrap(), step.step as i64);
            let constructs = found.get_list(7).unwrap();
            let names = (0..constructs.len()).map(|n| constructs.get_string(n).unwrap().as_str());
            let expected: Vec<_> = step.constructs.iter().map(|c| c.name()).collect();
            assert_eq!(names.collect::<Vec<_>>(), expected);
            assert_eq!(found.get_long(8).ok(), step.horizon.map(|horizon| horizon as i64));
            assert_eq!(found.get_bool(14).ok(), step.agree);
            assert_eq!(found.get_list(18).unwrap().len(), step.diff.len());
            let diff = serde_json::to_string(&step.diff).unwrap();
            assert_eq!(found.get_string(19).unwrap(), &diff);
            assert_eq!(found.get_double(21).ok(), step.bits);
            read += 1;
        }
        assert_eq!(read, steps.len());
    }
}
