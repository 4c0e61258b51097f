//! Logs of the parts of a corpus become the log of the whole, the same for any number of parts; so
//! do the answers of workers.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};

use super::corpus::Corpus;
use super::lines::{self, Next};
use super::log::{self, LogError};
use super::recipe::{Recipe, SCHEMA};
use super::record::{Header, ProgramRecord, Record, Shard, StepRecord};
use super::worker::{Answer, Failure, Line};
use crate::whole;

/// Longest answer of a worker that is read, in bytes.
const MAX_ANSWER: usize = 1 << 30;

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
    /// An answer is of a program that the corpus has not, or has otherwise.
    #[error("{}:{line}: program `{id}` {why}", path.display())]
    Stranger {
        /// Where the answer stands.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What the program is called.
        id: String,
        /// What is wrong with it.
        why: &'static str,
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
    /// What workers could not evaluate.
    pub failures: Vec<Failure>,
}

/// Where the lines of a program stand.
struct Block {
    log: usize,
    start: u64,
    bytes: u64,
}

/// Where the programs that will be merged stand.
struct Blocks<'a> {
    logs: &'a [PathBuf],
    recipe: Option<Recipe>,
    by_place: BTreeMap<usize, Block>,
}

impl<'a> Blocks<'a> {
    fn of(logs: &'a [PathBuf]) -> Self {
        Blocks { logs, recipe: None, by_place: BTreeMap::new() }
    }

    /// Only what was made alike can be merged.
    fn expect(&mut self, log: usize, recipe: Recipe) -> Result<(), LogError> {
        let first = self.recipe.get_or_insert_with(|| recipe.clone());
        match first.differs_from(&recipe) {
            differs if differs.is_empty() => Ok(()),
            differs => Err(LogError::Recipe { path: self.logs[log].clone(), differs }),
        }
    }

    fn add(&mut self, place: usize, block: Block) -> Result<(), MergeError> {
        let here = block.log;
        match self.by_place.insert(place, block) {
            None => Ok(()),
            Some(there) => {
                let (one, other) = (self.logs[there.log].clone(), self.logs[here].clone());
                Err(MergeError::Twice { one, other, place })
            }
        }
    }

    /// Writes the log of the whole, beside its place, and moves it there. `copy` writes a program's
    /// lines as they are at its place, given their block.
    fn write(
        &self,
        header: Header,
        output: &Path,
        failures: Vec<Failure>,
        copy: impl Fn(&mut Take<File>, usize, &mut dyn Write) -> std::io::Result<()>,
    ) -> Result<Merged, MergeError> {
        let expected = 0..header.recipe.corpus.programs;
        let missing = expected.filter(|place| !self.by_place.contains_key(place)).collect();
        let write = |out: &mut BufWriter<File>| -> std::io::Result<()> {
            record(out, &Record::Header(Box::new(header)))?;
            for (place, block) in &self.by_place {
                // One at a time: there may be more logs than a process may have open.
                let mut file = File::open(&self.logs[block.log])?;
                file.seek(SeekFrom::Start(block.start))?;
                copy(&mut file.take(block.bytes), *place, out)?;
            }
            Ok(())
        };
        whole::write(output, write)
            .map_err(|error| MergeError::Output { path: output.to_owned(), error })?;
        Ok(Merged { programs: self.by_place.len(), missing, failures })
    }
}

fn record(to: &mut dyn Write, record: &Record) -> std::io::Result<()> {
    serde_json::to_writer(&mut *to, record)?;
    to.write_all(b"\n")
}

/// Writes the programs of all logs into one, in the order of the corpus.
pub fn merge(logs: &[PathBuf], output: &Path) -> Result<Merged, MergeError> {
    let mut blocks = Blocks::of(logs);
    for (number, path) in logs.iter().enumerate() {
        let (header, mut reader) = log::open(path)?;
        blocks.expect(number, header.recipe)?;
        let (mut start, mut end) = (reader.offset(), reader.offset());
        while let Some(record) = reader.next_record()? {
            end += reader.bytes().len() as u64;
            if let Record::Program(program) = record {
                blocks.add(program.place, Block { log: number, start, bytes: end - start })?;
                start = end;
            }
        }
    }
    let recipe = blocks.recipe.clone().ok_or(MergeError::Nothing)?;
    let header = Header { schema: SCHEMA, shard: Shard::WHOLE, recipe };
    blocks.write(header, output, Vec::new(), |block, _, out| std::io::copy(block, out).map(drop))
}

/// Writes the answers of workers to a corpus' programs into one log, in the order of the corpus.
/// Answers may stand in any file and order.
pub fn gather(outputs: &[PathBuf], corpus: &Corpus, output: &Path) -> Result<Merged, MergeError> {
    let (mut blocks, mut failures) = (Blocks::of(outputs), Vec::new());
    let mut told: HashMap<usize, [u8; 32]> = HashMap::new();
    let index = corpus.index();
    for (number, path) in outputs.iter().enumerate() {
        each_line(path, |at, start, line| {
            let wrong = |why| LogError::Line { path: path.clone(), line: at, why };
            let answer = match serde_json::from_slice(line) {
                Ok(Line::Answer(answer)) => *answer,
                Ok(Line::Failure(failure)) => {
                    failures.push(failure);
                    return Ok(());
                }
                Err(error) => {
                    let why = format!("no line of `lockstep worker`: {error}");
                    return Err(wrong(why).into());
                }
            };
            if answer.schema != SCHEMA {
                let (path, theirs) = (path.clone(), answer.schema);
                return Err(LogError::Schema { path, theirs }.into());
            }
            blocks.expect(number, answer.recipe.clone())?;
            let stranger = |why| MergeError::Stranger {
                path: path.clone(),
                line: at,
                id: answer.id.clone(),
                why,
            };
            let place = index.place(&answer.id).ok_or_else(|| stranger("is not in the corpus"))?;
            if !index.is(place, &answer.sha256) {
                return Err(stranger("is another one in the corpus"));
            }
            let digest = digest(&answer, place).map_err(|error| wrong(error.to_string()))?;
            match told.insert(place, digest) {
                // Schedulers give a worker a line again.
                Some(before) if before == digest => Ok(()),
                _ => blocks.add(place, Block { log: number, start, bytes: line.len() as u64 }),
            }
        })?;
    }
    let recipe = blocks.recipe.clone().ok_or(MergeError::Nothing)?;
    let recipe = Recipe { corpus: corpus.identity(), ..recipe };
    let header = Header { schema: SCHEMA, shard: Shard::WHOLE, recipe };
    blocks.write(header, output, failures, |block, place, out| {
        let line: Line = serde_json::from_reader(BufReader::new(block))?;
        let Line::Answer(answer) = line else { return Ok(()) };
        records(&answer, place, out)
    })
}

/// Writes the records of an answer as those of the program at a place.
fn records(answer: &Answer, place: usize, out: &mut dyn Write) -> std::io::Result<()> {
    for step in &answer.steps {
        let step = StepRecord { place, ..step.clone() };
        record(out, &Record::Step(Box::new(step)))?;
    }
    record(out, &Record::Program(ProgramRecord { place, ..answer.program.clone() }))
}

/// SHA-256 of an answer's records, on whichever line it came.
fn digest(answer: &Answer, place: usize) -> std::io::Result<[u8; 32]> {
    let mut written = Vec::new();
    records(answer, place, &mut written)?;
    Ok(Sha256::digest(&written).into())
}

/// Calls back for each line that isn't blank: its number, where it begins, and its bytes. A last line
/// that was cut off is none; one that only lacks its newline is whole.
fn each_line(
    path: &Path,
    mut take: impl FnMut(usize, u64, &[u8]) -> Result<(), MergeError>,
) -> Result<(), MergeError> {
    let io = |error| LogError::Io { path: path.to_owned(), error };
    let mut reader = BufReader::new(File::open(path).map_err(io)?);
    let (mut line, mut number, mut start) = (Vec::new(), 0, 0);
    while let Some(next) = lines::next(&mut reader, &mut line, MAX_ANSWER).map_err(io)? {
        number += 1;
        if next == Next::TooLong {
            let why = format!("longer than {} MiB", MAX_ANSWER >> 20);
            return Err(LogError::Line { path: path.to_owned(), line: number, why }.into());
        }
        let is_whole = line.ends_with(b"\n") || serde_json::from_slice::<IgnoredAny>(&line).is_ok();
        if is_whole && !line.trim_ascii().is_empty() {
            take(number, start, &line)?;
        }
        start += line.len() as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::corpus::Item;
    use crate::eval::log::LogWriter;
    use crate::eval::log::tests::{header, log, program, step};
    use crate::eval::recipe::{CorpusId, tests::recipe};
    use crate::program::Program;

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
            let expected = Merged { programs: 3, missing: vec![], failures: vec![] };
            assert_eq!(merged, expected);
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

    fn items() -> Vec<Item> {
        let item = |number: usize| {
            let id = format!("p{number}");
            let program = Program::from_text(id.clone(), &format!("x = {number}\n")).unwrap();
            Item { id, program, entry: None, stdin: String::new() }
        };
        (0..3).map(item).collect()
    }

    /// What a worker says of a program that came on some line.
    fn answer(item: &Item, line: usize, verdicts: &[bool]) -> String {
        let step = |(number, agree): (usize, &bool)| step(line, number + 1, *agree);
        let answer = Answer {
            id: item.id.clone(),
            schema: SCHEMA,
            sha256: item.sha256(),
            recipe: Recipe { corpus: CorpusId::default(), ..recipe() },
            steps: verdicts.iter().enumerate().map(step).collect(),
            program: ProgramRecord { id: item.id.clone(), ..program(line, verdicts.len()) },
        };
        serde_json::to_string(&Line::Answer(Box::new(answer))).unwrap() + "\n"
    }

    /// The log that these answers become, or the error.
    fn gathered(corpus: &Corpus, outputs: &[String]) -> Result<(Merged, Vec<u8>), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = |number: usize| folder.path().join(format!("{number}.jsonl"));
        let paths: Vec<_> = (0..outputs.len()).map(path).collect();
        for (path, text) in paths.iter().zip(outputs) {
            std::fs::write(path, text).unwrap();
        }
        let output = folder.path().join("whole.jsonl");
        match gather(&paths, corpus, &output) {
            Ok(merged) => Ok((merged, std::fs::read(output).unwrap())),
            Err(error) => {
                Err(error.to_string().replace(&folder.path().display().to_string(), "DIR"))
            }
        }
    }

    #[test]
    fn answers_in_any_order_become_the_log() {
        let (items, corpus) = (items(), Corpus::of(items()).unwrap());
        let verdicts: [&[bool]; 3] = [&[true, false], &[], &[true]];
        let say = |number: usize, line| answer(&items[number], line, verdicts[number]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let recipe = Recipe { corpus: corpus.identity(), ..recipe() };
        let mut writer = LogWriter::open(&path, &Header { recipe, ..header() }).unwrap();
        for (place, verdicts) in verdicts.iter().enumerate() {
            for (number, agree) in verdicts.iter().enumerate() {
                writer.step(step(place, number + 1, *agree)).unwrap();
            }
            writer.program(program(place, verdicts.len())).unwrap();
        }
        drop(writer);
        let whole = std::fs::read(&path).unwrap();
        let outputs = [
            vec![say(0, 0) + &say(1, 1) + &say(2, 2)],
            vec![say(2, 0) + &say(0, 1), say(1, 0)],
            vec![say(1, 5), String::new(), say(2, 4) + "\n" + &say(0, 3)],
            // Some lines were given to two workers, and the last one has no newline.
            vec![say(2, 0) + &say(0, 1), say(1, 0) + say(0, 7).trim_end()],
        ];
        for outputs in outputs {
            let (merged, log) = gathered(&corpus, &outputs).unwrap();
            assert_eq!((merged.programs, merged.missing.len()), (3, 0));
            assert_eq!(log, whole);
        }
    }

    #[test]
    fn answers_that_are_missing_twice_or_strange_are_told() {
        let (items, corpus) = (items(), Corpus::of(items()).unwrap());
        let say = |item: &Item| answer(item, 0, &[true]);
        let failure = Failure { id: None, line: 2, error: "no".into() };
        let failed = serde_json::to_string(&Line::Failure(failure.clone())).unwrap() + "\n";
        // The last line was being written when its worker was killed.
        let cut = say(&items[2]);
        let output = say(&items[0]) + &failed + &cut[..cut.len() - 2];
        let (merged, _) = gathered(&corpus, &[output]).unwrap();
        assert_eq!((merged.missing, merged.failures), (vec![1, 2], vec![failure]));
        let told = |outputs: &[String]| gathered(&corpus, outputs).unwrap_err();
        let other = answer(&items[0], 0, &[false]);
        let twice = told(&[say(&items[0]), other]);
        assert_eq!(twice, "DIR/0.jsonl and DIR/1.jsonl both hold program 0");
        let stranger = told(&[say(&Item { id: "p9".into(), ..items[0].clone() })]);
        assert_eq!(stranger, "DIR/0.jsonl:1: program `p9` is not in the corpus");
        let other = told(&[say(&Item { stdin: "a".into(), ..items[0].clone() })]);
        assert_eq!(other, "DIR/0.jsonl:1: program `p0` is another one in the corpus");
        assert!(told(&["{}\n".into()]).starts_with("DIR/0.jsonl:1: no line of `lockstep worker`"));
        assert_eq!(told(&[failed]), "no logs to merge");
    }
}
