//! Logs of the parts of a corpus become the log of the whole, the same for any number of parts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::log::{self, LogError};
use super::record::{Header, Record, Shard};

/// Why logs can't be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One of them can't be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// There are none.
    #[error("no logs to merge")]
    Nothing,
    /// A program stands in two of them.
    #[error("{} and {} both hold program {place}", one.display(), other.display())]
    Twice {
        /// A log.
        one: PathBuf,
        /// Another.
        other: PathBuf,
        /// The program's place in the corpus.
        place: usize,
    },
    /// The merged log can't be written.
    #[error("{}: {error}", path.display())]
    Output {
        /// Where to.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// What a merge made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Programs in the merged log.
    pub programs: usize,
    /// Places of the corpus that no log holds.
    pub missing: Vec<usize>,
}

/// Where the lines of a program stand.
struct Block {
    log: usize,
    start: u64,
    bytes: u64,
}

/// Writes the programs of all logs into one, in the order of the corpus. The output is written
/// beside its place and moved there when it is whole.
pub fn merge(logs: &[PathBuf], output: &Path) -> Result<Merged, MergeError> {
    let mut whole: Option<Header> = None;
    let mut blocks: BTreeMap<usize, Block> = BTreeMap::new();
    for (number, path) in logs.iter().enumerate() {
        let (header, mut reader) = log::open(path)?;
        match &whole {
            None => whole = Some(Header { shard: Shard::WHOLE, ..header }),
            Some(first) => {
                let differs = first.recipe.differs_from(&header.recipe);
                if !differs.is_empty() {
                    return Err(LogError::Recipe { path: path.clone(), differs }.into());
                }
            }
        }
        let (mut start, mut end) = (reader.offset(), reader.offset());
        while let Some(record) = reader.next_record()? {
            end += reader.bytes().len() as u64;
            if let Record::Program(program) = record {
                let block = Block { log: number, start, bytes: end - start };
                start = end;
                if let Some(other) = blocks.insert(program.place, block) {
                    let (one, other) = (logs[other.log].clone(), path.clone());
                    return Err(MergeError::Twice { one, other, place: program.place });
                }
            }
        }
    }
    let header = whole.ok_or(MergeError::Nothing)?;
    let expected = 0..header.recipe.corpus.programs;
    let missing = expected.filter(|place| !blocks.contains_key(place)).collect();
    let programs = blocks.len();
    let partial = output.with_extension("partial");
    write(&partial, &header, blocks.values(), logs)
        .and_then(|()| std::fs::rename(&partial, output))
        .map_err(|error| MergeError::Output { path: output.to_owned(), error })?;
    Ok(Merged { programs, missing })
}

fn write<'a>(
    path: &Path,
    header: &Header,
    blocks: impl Iterator<Item = &'a Block>,
    logs: &[PathBuf],
) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    serde_json::to_writer(&mut out, &Record::Header(header.clone()))?;
    out.write_all(b"\n")?;
    let mut files = logs.iter().map(File::open).collect::<Result<Vec<_>, _>>()?;
    for block in blocks {
        let file = &mut files[block.log];
        file.seek(SeekFrom::Start(block.start))?;
        std::io::copy(&mut file.take(block.bytes), &mut out)?;
    }
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::LogWriter;
    use crate::eval::log::tests::{header, log, program, step};

    /// The log of the programs of a shard.
    fn shard(folder: &Path, shard: Shard, verdicts: &[&[bool]]) -> PathBuf {
        let path = folder.join(format!("{}-of-{}.jsonl", shard.index, shard.of));
        let mut writer = LogWriter::open(&path, &Header { shard, ..header() }).unwrap();
        for (place, verdicts) in verdicts.iter().enumerate().filter(|(place, _)| shard.has(*place))
        {
            for (number, agree) in verdicts.iter().enumerate() {
                writer.step(step(place, number + 1, *agree)).unwrap();
            }
            writer.program(program(place, verdicts.len())).unwrap();
        }
        path
    }

    #[test]
    fn any_number_of_parts_gives_the_same_bytes() {
        let verdicts: [&[bool]; 3] = [&[true, false], &[], &[true]];
        let whole = log(&[(0, verdicts[0]), (1, verdicts[1]), (2, verdicts[2])]);
        for of in [1, 2, 3, 7] {
            let folder = tempfile::tempdir().unwrap();
            let part = |index| shard(folder.path(), Shard { index, of }, &verdicts);
            let logs: Vec<_> = (0..of).rev().map(part).collect();
            let output = folder.path().join("whole.jsonl");
            let merged = merge(&logs, &output).unwrap();
            assert_eq!(merged, Merged { programs: 3, missing: vec![] });
            assert_eq!(std::fs::read(&output).unwrap(), whole, "{of} parts");
        }
    }

    #[test]
    fn what_is_missing_or_twice_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let verdicts: [&[bool]; 3] = [&[true], &[true], &[true]];
        let first = shard(folder.path(), Shard { index: 0, of: 2 }, &verdicts);
        let output = folder.path().join("whole.jsonl");
        assert_eq!(merge(std::slice::from_ref(&first), &output).unwrap().missing, [1]);
        let whole = shard(folder.path(), Shard::WHOLE, &verdicts);
        assert!(matches!(merge(&[first, whole], &output), Err(MergeError::Twice { place: 0, .. })));
        assert!(matches!(merge(&[], &output), Err(MergeError::Nothing)));
    }
}
