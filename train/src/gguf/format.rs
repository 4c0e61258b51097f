//! The container: a header, metadata, the list of tensors, their data.

use std::io::{BufWriter, Write};
use std::path::Path;

use super::blocks::Kind;
use crate::error::{Result, at};

const MAGIC: &[u8; 4] = b"GGUF";
const VERSION: u32 = 3;
/// Each tensor begins at a multiple of this.
const ALIGNMENT: usize = 32;
/// A file that claims more entries than this is broken.
const MOST_ENTRIES: u64 = 1 << 20;

/// A value of the metadata, of the types that are used here.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    U32(u32),
    I32(i32),
    F32(f32),
    Bool(bool),
    Text(String),
    Array(Vec<Value>),
    /// Of a type that isn't used here.
    Other,
}

impl Value {
    fn type_number(&self) -> u32 {
        match self {
            Value::U32(_) | Value::Other => 4,
            Value::I32(_) => 5,
            Value::F32(_) => 6,
            Value::Bool(_) => 7,
            Value::Text(_) => 8,
            Value::Array(_) => 9,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Value::U32(value) => out.extend(value.to_le_bytes()),
            Value::I32(value) => out.extend(value.to_le_bytes()),
            Value::F32(value) => out.extend(value.to_le_bytes()),
            Value::Bool(value) => out.push(u8::from(*value)),
            Value::Text(text) => write_text(text, out),
            Value::Array(values) => {
                let kind = values.first().map_or(4, Value::type_number);
                out.extend(kind.to_le_bytes());
                out.extend((values.len() as u64).to_le_bytes());
                values.iter().for_each(|value| value.write(out));
            }
            Value::Other => out.extend([0; 4]),
        }
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

/// A tensor and its packed numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TensorEntry {
    pub name: String,
    /// From the fastest to the slowest.
    pub dimensions: Vec<u64>,
    pub kind: Kind,
    pub data: Vec<u8>,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct File {
    pub metadata: Vec<(String, Value)>,
    pub tensors: Vec<TensorEntry>,
}

impl File {
    /// Writes it under another name and renames it when it is whole.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let partial = path.with_extension("gguf.partial");
        let written = std::fs::File::create(&partial).and_then(|file| {
            let mut file = BufWriter::new(file);
            file.write_all(&self.bytes())?;
            file.into_inner()?.sync_all()
        });
        written.map_err(at(&partial))?;
        std::fs::rename(&partial, path).map_err(at(path))
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend((self.tensors.len() as u64).to_le_bytes());
        out.extend((self.metadata.len() as u64).to_le_bytes());
        for (key, value) in &self.metadata {
            write_text(key, &mut out);
            out.extend(value.type_number().to_le_bytes());
            value.write(&mut out);
        }
        let mut offset = 0usize;
        for tensor in &self.tensors {
            write_text(&tensor.name, &mut out);
            out.extend((tensor.dimensions.len() as u32).to_le_bytes());
            tensor.dimensions.iter().for_each(|size| out.extend(size.to_le_bytes()));
            out.extend(tensor.kind.tensor_type().to_le_bytes());
            out.extend((offset as u64).to_le_bytes());
            offset += tensor.data.len().next_multiple_of(ALIGNMENT);
        }
        for tensor in &self.tensors {
            out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
            out.extend(&tensor.data);
        }
        out
    }
}

/// Reads the bytes of a file; nothing in them is trusted.
pub(super) fn parse(bytes: &[u8]) -> std::result::Result<File, String> {
    let mut cursor = Cursor { bytes, at: 0 };
    if cursor.take(4)? != MAGIC {
        return Err("not a GGUF file".to_owned());
    }
    let version = cursor.u32()?;
    if !(2..=VERSION).contains(&version) {
        return Err(format!("GGUF version {version}; this reads 2 and {VERSION}"));
    }
    let (tensors, entries) = (cursor.u64()?, cursor.u64()?);
    if tensors > MOST_ENTRIES || entries > MOST_ENTRIES {
        return Err(format!("claims {tensors} tensors and {entries} keys; it is broken"));
    }
    let mut file = File::default();
    for _ in 0..entries {
        let key = cursor.text()?;
        let kind = cursor.u32()?;
        file.metadata.push((key, cursor.value(kind)?));
    }
    let headers = (0..tensors).map(|_| cursor.header()).collect::<Cut<Vec<_>>>()?;
    let start = cursor.at.next_multiple_of(ALIGNMENT);
    for header in headers {
        file.tensors.push(header.entry(bytes, start)?);
    }
    Ok(file)
}

type Cut<T> = std::result::Result<T, String>;

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// A tensor's place in the list.
struct Header {
    name: String,
    dimensions: Vec<u64>,
    kind: Kind,
    offset: u64,
}

impl Header {
    fn entry(self, bytes: &[u8], start: usize) -> Cut<TensorEntry> {
        let Header { name, dimensions, kind, offset } = self;
        let values = dimensions
            .iter()
            .try_fold(1usize, |values, &size| values.checked_mul(usize::try_from(size).ok()?));
        let data = values
            .and_then(|values| kind.bytes(values))
            .zip(usize::try_from(offset).ok().and_then(|offset| start.checked_add(offset)))
            .and_then(|(size, from)| bytes.get(from..from.checked_add(size)?))
            .ok_or_else(|| format!("tensor {name} is cut or has impossible dimensions"))?;
        Ok(TensorEntry { name, dimensions, kind, data: data.to_vec() })
    }
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Cut<&'a [u8]> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| "the file is cut".to_owned())?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Cut<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Cut<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Cut<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Cut<String> {
        let size = self.u64()?;
        let size = usize::try_from(size).map_err(|_| "the file is cut".to_owned())?;
        Ok(String::from_utf8_lossy(self.take(size)?).into_owned())
    }

    fn value(&mut self, kind: u32) -> Cut<Value> {
        Ok(match kind {
            0 | 1 => self.take(1).map(|_| Value::Other)?,
            2 | 3 => self.take(2).map(|_| Value::Other)?,
            4 => Value::U32(self.u32()?),
            5 => Value::I32(self.array().map(i32::from_le_bytes)?),
            6 => Value::F32(self.array().map(f32::from_le_bytes)?),
            7 => Value::Bool(self.take(1)? != [0]),
            8 => Value::Text(self.text()?),
            9 => {
                let (kind, count) = (self.u32()?, self.u64()?);
                if kind == 9 || count > MOST_ENTRIES {
                    return Err(format!("an array of {count} values of type {kind}"));
                }
                Value::Array((0..count).map(|_| self.value(kind)).collect::<Cut<_>>()?)
            }
            10..=12 => self.take(8).map(|_| Value::Other)?,
            other => return Err(format!("a value of unknown type {other}")),
        })
    }

    fn header(&mut self) -> Cut<Header> {
        let name = self.text()?;
        let rank = self.u32()?;
        if rank > 4 {
            return Err(format!("tensor {name} has {rank} dimensions"));
        }
        let dimensions = (0..rank).map(|_| self.u64()).collect::<Cut<_>>()?;
        let number = self.u32()?;
        let kind = Kind::of_tensor_type(number).ok_or_else(|| {
            format!("tensor {name} is of type {number}; this reads F32, F16 and Q8_0")
        })?;
        Ok(Header { name, dimensions, kind, offset: self.u64()? })
    }
}
