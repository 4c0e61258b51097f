//! Rows as the columns of a Parquet file.
//!
//! A schema says what the columns are called; a list of [`Column`]s, in the schema's order, says how
//! each is read off a row.

use std::io::Write;

use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::Result;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};

/// The values of a column, by the type that the schema gives it.
pub(crate) enum Column<Row> {
    /// `required binary (STRING)`.
    Text(fn(&Row) -> &str),
    /// `optional binary (STRING)`.
    OptionalText(fn(&Row) -> Option<&str>),
    /// A list: `required group (LIST) { repeated group list { required binary element (STRING); } }`.
    Texts(fn(&Row) -> Vec<&str>),
    /// `required int32`.
    Number(fn(&Row) -> u32),
    /// `required int64`.
    Count(fn(&Row) -> usize),
    /// `optional int64`.
    OptionalCount(fn(&Row) -> Option<usize>),
    /// `optional double`.
    OptionalReal(fn(&Row) -> Option<f64>),
    /// `required boolean`.
    Flag(fn(&Row) -> bool),
    /// `optional boolean`.
    OptionalFlag(fn(&Row) -> Option<bool>),
}

impl<Row> Column<Row> {
    /// Writes the rows' values.
    fn write(&self, rows: &[Row], to: &mut SerializedColumnWriter) -> Result<()> {
        match self {
            Column::Text(get) => required::<ByteArrayType, _>(rows, to, |row| get(row).into()),
            Column::OptionalText(get) => {
                optional::<ByteArrayType, _>(rows, to, |row| get(row).map(ByteArray::from))
            }
            Column::Texts(get) => lists(rows, to, *get),
            Column::Number(get) => {
                required::<Int32Type, _>(rows, to, |row| get(row).try_into().unwrap_or(i32::MAX))
            }
            Column::Count(get) => required::<Int64Type, _>(rows, to, |row| long(get(row))),
            Column::OptionalCount(get) => {
                optional::<Int64Type, _>(rows, to, |row| get(row).map(long))
            }
            Column::OptionalReal(get) => optional::<DoubleType, _>(rows, to, get),
            Column::Flag(get) => required::<BoolType, _>(rows, to, get),
            Column::OptionalFlag(get) => optional::<BoolType, _>(rows, to, get),
        }
    }
}

/// Writes rows as one group.
pub(crate) fn write_group<Row, W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    rows: &[Row],
    columns: &[Column<Row>],
) -> Result<()> {
    let mut group = file.next_row_group()?;
    for column in columns {
        let Some(mut writer) = group.next_column()? else { break };
        column.write(rows, &mut writer)?;
        writer.close()?;
    }
    group.close()?;
    Ok(())
}

fn required<T: DataType, Row>(
    rows: &[Row],
    to: &mut SerializedColumnWriter,
    get: impl Fn(&Row) -> T::T,
) -> Result<()> {
    let values: Vec<T::T> = rows.iter().map(get).collect();
    to.typed::<T>().write_batch(&values, None, None)?;
    Ok(())
}

fn optional<T: DataType, Row>(
    rows: &[Row],
    to: &mut SerializedColumnWriter,
    get: impl Fn(&Row) -> Option<T::T>,
) -> Result<()> {
    let levels: Vec<i16> = rows.iter().map(|row| get(row).is_some().into()).collect();
    let values: Vec<T::T> = rows.iter().filter_map(get).collect();
    to.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(())
}

fn lists<Row>(
    rows: &[Row],
    to: &mut SerializedColumnWriter,
    get: fn(&Row) -> Vec<&str>,
) -> Result<()> {
    let (mut values, mut defined, mut repeated) = (Vec::<ByteArray>::new(), Vec::new(), Vec::new());
    for row in rows {
        let texts = get(row);
        if texts.is_empty() {
            defined.push(0);
            repeated.push(0);
        }
        for (number, text) in texts.into_iter().enumerate() {
            values.push(text.into());
            defined.push(1);
            repeated.push(i16::from(number > 0));
        }
    }
    to.typed::<ByteArrayType>().write_batch(&values, Some(&defined), Some(&repeated))?;
    Ok(())
}

fn long(count: usize) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}
