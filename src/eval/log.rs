//! The log of an evaluation: JSON lines that are only ever added to.
//!
//! A program's steps come before the line that ends it. What a killed evaluation left of a program is
//! cut off when it goes on, so the finished log is the same, byte for byte, as if it had never been
//! killed. Nothing in it depends on time or place.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::corpus::MAX_ITEMS;
use super::lines::{self, Next};
use super::recipe::SCHEMA;
use super::record::{Header, ProgramRecord, Record, StepRecord};
use super::worker::Line;

/// Why a log can't be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It can't be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The log.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Another process writes it.
    #[error("{}: another evaluation writes to this log", .0.display())]
    Busy(PathBuf),
    /// A line is none of a log.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// The log.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// It is of another version.
    #[error("{}: a log of format {theirs}; this version reads format {SCHEMA}", path.display())]
    Schema {
        /// The log.
        path: PathBuf,
        /// Its format.
        theirs: u32,
    },
    /// It was made otherwise.
    #[error("{}: made with another {}", path.display(), differs.join(", "))]
    Recipe {
        /// The log.
        path: PathBuf,
        /// The fields of the recipe in which it differs.
        differs: Vec<String>,
    },
}

impl LogError {
    pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> LogError {
        let path = path.to_owned();
        move |error| LogError::Io { path: path.clone(), error }
    }
}

/// A log that is written.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    out: BufWriter<File>,
    done: BTreeSet<usize>,
    synced: Instant,
}

/// Longest record that is read, in bytes.
const MAX_RECORD: usize = 256 << 20;

/// How much work a loss of power may cost.
const SYNC: Duration = Duration::from_secs(5);

impl LogWriter {
    /// Begins a log, or goes on with the one that is there if it has the same header. What it holds
    /// of a program that isn't finished is cut off.
    pub fn open(path: &Path, header: &Header) -> Result<Self, LogError> {
        let io = LogError::io(path);
        let file = open_to_add(path)?;
        let mut done = BTreeSet::new();
        let mut whole = 0;
        let mut found = None;
        let mut reader = LogReader::of(path, BufReader::new(&file));
        while let Some(record) = reader.next_record()? {
            match record {
                Record::Header(header) => {
                    found = Some(header);
                    whole = reader.read;
                }
                Record::Program(ProgramRecord { place, .. }) => {
                    done.insert(place);
                    whole = reader.read;
                }
                Record::Step(_) => {}
            }
        }
        if let Some(found) = &found {
            let mut differs = header.recipe.differs_from(&found.recipe);
            if header.shard != found.shard {
                differs.push("shard".to_owned());
            }
            if !differs.is_empty() {
                return Err(LogError::Recipe { path: path.to_owned(), differs });
            }
        }
        let begins = serde_json::to_vec(&Record::Header(Box::new(header.clone())));
        let begins = begins.map_err(|error| io(error.into()))?;
        if found.is_none() && !begins.starts_with(reader.bytes()) {
            return Err(reader.wrong(
                "no log of `lockstep eval`, or the beginning of another one; name another file, or \
                 remove it"
                    .to_owned(),
            ));
        }
        file.set_len(whole).map_err(&io)?;
        (&file).seek(SeekFrom::End(0)).map_err(&io)?;
        let out = BufWriter::new(file);
        let mut writer = LogWriter { path: path.to_owned(), out, done, synced: Instant::now() };
        if found.is_none() {
            writer.write(&Record::Header(Box::new(header.clone())))?;
            writer.flush()?;
        }
        Ok(writer)
    }

    /// The places of the programs that it holds.
    pub fn done(&self) -> &BTreeSet<usize> {
        &self.done
    }

    /// Adds a step.
    pub fn step(&mut self, step: StepRecord) -> Result<(), LogError> {
        self.write(&Record::Step(Box::new(step)))
    }

    /// Adds the end of a program. All of it outlives this process when this returns, and every few
    /// seconds the machine.
    pub fn program(&mut self, program: ProgramRecord) -> Result<(), LogError> {
        let place = program.place;
        self.write(&Record::Program(program))?;
        self.flush()?;
        self.done.insert(place);
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Ends the writing; all of it is on the disk when this returns.
    pub fn close(mut self) -> Result<(), LogError> {
        self.flush()?;
        self.sync()
    }

    fn sync(&mut self) -> Result<(), LogError> {
        self.synced = Instant::now();
        self.out.get_ref().sync_data().map_err(LogError::io(&self.path))
    }

    fn write(&mut self, record: &Record) -> Result<(), LogError> {
        let written = serde_json::to_writer(&mut self.out, record).map_err(std::io::Error::from);
        written.and_then(|()| self.out.write_all(b"\n")).map_err(LogError::io(&self.path))
    }

    fn flush(&mut self) -> Result<(), LogError> {
        self.out.flush().map_err(LogError::io(&self.path))
    }
}

/// Opens a file that one evaluation at a time adds to; a new one if there is none.
pub(crate) fn open_to_add(path: &Path) -> Result<File, LogError> {
    let io = LogError::io(path);
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path);
    let file = file.map_err(&io)?;
    match lock(&file).map_err(&io)? {
        true => Ok(file),
        false => Err(LogError::Busy(path.to_owned())),
    }
}

/// Locks a file against other evaluations; false if another has it. A process that is just being
/// started may hold the lock of its parent for a moment, so it is tried again for a while.
fn lock(file: &File) -> std::io::Result<bool> {
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(25)),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

/// A log that is read, record by record.
#[derive(Debug)]
pub struct LogReader<R> {
    path: PathBuf,
    from: R,
    buffer: Vec<u8>,
    line: usize,
    /// Bytes of the whole lines read so far.
    read: u64,
}

/// Opens a log: its header, and what follows.
pub fn open(path: &Path) -> Result<(Header, LogReader<BufReader<File>>), LogError> {
    let file = File::open(path).map_err(LogError::io(path))?;
    let mut reader = LogReader::of(path, BufReader::new(file));
    match reader.next_record()? {
        Some(Record::Header(header)) => Ok((*header, reader)),
        _ => Err(LogError::Line {
            path: path.to_owned(),
            line: 1,
            why: "no log of `lockstep eval`: its first line is no header".to_owned(),
        }),
    }
}

impl<R: BufRead> LogReader<R> {
    fn of(path: &Path, from: R) -> Self {
        LogReader { path: path.to_owned(), from, buffer: Vec::new(), line: 0, read: 0 }
    }

    /// The next record; none at the end. A last line that was not finished is no record.
    pub fn next_record(&mut self) -> Result<Option<Record>, LogError> {
        self.line += 1;
        let next = lines::next(&mut self.from, &mut self.buffer, MAX_RECORD);
        if let Some(Next::TooLong) = next.map_err(LogError::io(&self.path))? {
            return Err(self.wrong(format!("longer than {} MiB", MAX_RECORD >> 20)));
        }
        let Some(text) = self.buffer.strip_suffix(b"\n") else { return Ok(None) };
        let wrong = |why: String| self.wrong(why);
        let record = serde_json::from_slice(text).map_err(|error| match self.line {
            1 if serde_json::from_slice::<Line>(text).is_ok() => wrong(
                "what `lockstep worker` wrote becomes a log by `lockstep merge --corpus`".into(),
            ),
            1 => wrong(format!("no log of `lockstep eval`: {error}")),
            _ => wrong(error.to_string()),
        })?;
        match &record {
            Record::Header(header) if header.schema != SCHEMA => {
                return Err(LogError::Schema { path: self.path.clone(), theirs: header.schema });
            }
            Record::Header(header) if header.recipe.corpus.programs > MAX_ITEMS => {
                return Err(wrong("it tells of more programs than a corpus can have".to_owned()));
            }
            Record::Header(_) if self.line > 1 => return Err(wrong("a second header".to_owned())),
            Record::Step(_) | Record::Program(_) if self.line == 1 => {
                return Err(wrong("no log of `lockstep eval`: it has no header".to_owned()));
            }
            _ => {}
        }
        self.read += self.buffer.len() as u64;
        Ok(Some(record))
    }

    /// An error at the line that was read last.
    fn wrong(&self, why: String) -> LogError {
        LogError::Line { path: self.path.clone(), line: self.line, why }
    }

    /// Where the next record begins, in bytes from the beginning.
    pub fn offset(&self) -> u64 {
        self.read
    }

    /// The bytes of the record that was read last, with its newline; at the end, those of a last line
    /// that was not finished.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Calls back for each program with its steps, which are held together.
    pub fn each_program(
        mut self,
        mut take: impl FnMut(ProgramRecord, Vec<StepRecord>),
    ) -> Result<(), LogError> {
        let mut steps = Vec::new();
        while let Some(record) = self.next_record()? {
            match record {
                Record::Step(step) => steps.push(*step),
                Record::Program(program) => take(program, std::mem::take(&mut steps)),
                Record::Header(_) => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::recipe::tests::recipe;
    use crate::eval::record::{FieldRecord, Shard, Status};

    pub fn header() -> Header {
        Header { schema: SCHEMA, shard: Shard::WHOLE, recipe: recipe() }
    }

    /// A step that is right, or that has the wrong source line.
    pub fn step(place: usize, step: usize, agree: bool) -> StepRecord {
        let field = |field: &str| FieldRecord { field: field.into(), of: None, changed: true };
        let wrong = crate::eval::record::DifferenceRecord {
            field: "source".into(),
            kind: "changed".into(),
            real: Some("a".into()),
            predicted: Some("b".into()),
        };
        StepRecord {
            place,
            step,
            action: "step_into".into(),
            from: step - 1,
            line: 1,
            depth: 0,
            constructs: Vec::new(),
            horizon: Some(1),
            event: "line".into(),
            to_line: Some(2),
            exit: None,
            predicted_exit: None,
            predicted_line: Some(2),
            agree: Some(agree),
            unjudged: None,
            malformed: None,
            fields: vec![field("event"), field("source")],
            diff: if agree { Vec::new() } else { vec![wrong] },
            bits: Some(1.0),
            ..StepRecord::default()
        }
    }

    pub fn program(place: usize, steps: usize) -> ProgramRecord {
        let (exit, statements, forecast) = (Some("normal".into()), vec![1, 2], None);
        let status = Status::Done { steps, exit, statements, forecast };
        ProgramRecord { place, id: format!("p{place}"), status }
    }

    /// A log of these programs: the verdicts of their steps.
    pub fn log(programs: &[(usize, &[bool])]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let mut writer = LogWriter::open(&path, &header()).unwrap();
        for (place, verdicts) in programs {
            for (number, agree) in verdicts.iter().enumerate() {
                writer.step(step(*place, number + 1, *agree)).unwrap();
            }
            writer.program(program(*place, verdicts.len())).unwrap();
        }
        drop(writer);
        std::fs::read(&path).unwrap()
    }

    #[test]
    fn a_file_that_is_no_log_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        for text in ["my precious notes", "my precious\nnotes\n", "{\"record\":\"header\"} "] {
            std::fs::write(&path, text).unwrap();
            let error = LogWriter::open(&path, &header()).unwrap_err().to_string();
            assert!(error.contains("notes.txt:1: no log of `lockstep eval`"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_log_that_was_cut_at_any_byte_goes_on_to_the_same_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let whole = log(&[(0, &[true, false]), (1, &[]), (2, &[true])]);
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut writer = LogWriter::open(&path, &header()).unwrap();
            for (place, verdicts) in [(0, &[true, false][..]), (1, &[]), (2, &[true])] {
                if writer.done().contains(&place) {
                    continue;
                }
                for (number, agree) in verdicts.iter().enumerate() {
                    writer.step(step(place, number + 1, *agree)).unwrap();
                }
                writer.program(program(place, verdicts.len())).unwrap();
            }
            drop(writer);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_log_of_another_recipe_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let whole = log(&[(0, &[true])]);
        std::fs::write(&path, &whole).unwrap();
        let mut other = header();
        other.recipe.seed = 7;
        let error = LogWriter::open(&path, &other).unwrap_err();
        assert!(error.to_string().ends_with("made with another seed"), "{error}");
        let error =
            LogWriter::open(&path, &Header { shard: Shard { index: 1, of: 2 }, ..header() });
        assert!(error.unwrap_err().to_string().ends_with("made with another shard"));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn two_evaluations_do_not_write_one_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let _first = LogWriter::open(&path, &header()).unwrap();
        assert!(matches!(LogWriter::open(&path, &header()), Err(LogError::Busy(_))));
    }

    #[test]
    fn what_is_no_log_is_named_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        for text in ["hello\n", "{}\n", "{\"record\":\"program\"}\n", "[1]\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(matches!(open(&path), Err(LogError::Line { line: 1, .. })), "{text}");
            assert!(LogWriter::open(&path, &header()).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn programs_are_read_with_their_steps() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, log(&[(0, &[true, false]), (1, &[])])).unwrap();
        let (found, reader) = open(&path).unwrap();
        assert_eq!(found, header());
        let mut seen = Vec::new();
        reader.each_program(|program, steps| seen.push((program.id, steps.len()))).unwrap();
        assert_eq!(seen, [("p0".to_owned(), 2), ("p1".to_owned(), 0)]);
    }
}
