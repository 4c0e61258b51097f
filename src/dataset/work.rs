//! The work on a dataset: its programs in chunks, each of which is a file when it is done.
//!
//! What a chunk holds depends on its programs alone. So workers may take chunks in any order, and a
//! run that was killed goes on with those whose file is not there.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::encoder::{self, Encoder};
use super::excluded::Excluded;
use super::fingerprint::{Likeness, fingerprint, mix};
use super::recipe::Recipe;
use super::recorded::{Left, Recorded};
use super::row::{Row, Split};
use super::source::Sources;
use super::{DatasetError, walk};
use crate::check::{self, Severity};
use crate::python::Nursery;

/// Programs in a chunk: some seconds of work, which is what a kill loses.
pub const CHUNK: usize = 64;
/// Stack of a worker, in bytes: it parses programs that passed the static check, as that does.
const STACK: usize = 64 << 20;

/// What a dataset is made of.
pub struct Order {
    /// The programs.
    pub sources: Sources,
    /// What is drawn from them.
    pub recipe: Recipe,
    /// What is left out.
    pub excluded: Excluded,
}

/// What a worker works with.
pub struct Tools {
    /// Spells walks.
    pub encoder: Encoder,
    /// Runs programs.
    pub nursery: Nursery,
}

/// What came of a program: a line of a chunk's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// The program's name.
    pub program: String,
    /// Shared by programs that are alike.
    pub fingerprint: u64,
    /// The walks through it, or why there are none.
    pub rows: Result<Vec<Row>, Left>,
}

/// How far the work is, for whoever watches it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Programs done, those of an earlier run included.
    pub programs: AtomicUsize,
    /// Programs done by this run.
    pub fresh: AtomicUsize,
    /// Walks that this run drew.
    pub walks: AtomicUsize,
}

impl Order {
    /// What comes of the program of this number.
    pub fn program(&self, tools: &mut Tools, number: usize) -> Done {
        let Some(sourced) = self.sources.program(number) else {
            let rows = Err(Left::NoMutant);
            return Done { program: format!("program-{number}"), fingerprint: 0, rows };
        };
        let source = sourced.program.text();
        let mut done =
            Done { program: sourced.id.clone(), fingerprint: 0, rows: Err(Left::Unsound) };
        if source.chars().count() > self.recipe.keep.max_program {
            done.rows = Err(Left::LongProgram);
            return done;
        }
        let sound = check::check(source).is_ok_and(|findings| {
            findings.iter().all(|finding| finding.severity != Severity::Error)
        });
        let Some(exact) = fingerprint(source, Likeness::Exact).filter(|_| sound) else {
            return done;
        };
        done.fingerprint = exact;
        done.rows = if encoder::spells_token(source) {
            Err(Left::SpellsToken)
        } else if self.excluded.holds(source) {
            Err(Left::Excluded)
        } else {
            let Tools { encoder, nursery } = tools;
            Recorded::of(nursery, &sourced.program, &self.recipe.keep).and_then(|mut run| {
                let parent = sourced.parent.as_deref();
                let group = parent.and_then(|parent| fingerprint(parent, Likeness::Exact));
                let split = Split::of(group.unwrap_or(exact), &self.recipe.split);
                let mut random = fastrand::Rng::with_seed(mix(sourced.seed, 1));
                let mut rows: Vec<Row> = Vec::new();
                for _ in 0..self.recipe.walks.per_program {
                    let recipe = &self.recipe;
                    let drawn =
                        walk::draw(&sourced.program, &mut run, encoder, recipe, &mut random);
                    let row = drawn.map(|walked| Row::of(&sourced, split, walked));
                    rows.extend(row.filter(|row| rows.iter().all(|other| other.text != row.text)));
                }
                if rows.is_empty() { Err(Left::NoWalk) } else { Ok(rows) }
            })
        };
        done
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.sources.len().div_ceil(CHUNK)
    }

    fn numbers(&self, chunk: usize) -> std::ops::Range<usize> {
        let start = chunk * CHUNK;
        start..(start + CHUNK).min(self.sources.len())
    }

    /// Does all chunks that are not in `folder`, with so many workers, until `stop` is set.
    pub fn work(
        &self,
        folder: &Path,
        workers: usize,
        progress: &Progress,
        stop: &AtomicBool,
    ) -> Result<(), DatasetError> {
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let worker = || -> Result<(), DatasetError> {
            let mut tools = Tools { encoder: Encoder::new()?, nursery: Nursery::default() };
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= self.chunks() || failed.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if !self.chunk(&mut tools, folder, chunk, progress, stop)? {
                    return Ok(());
                }
            }
        };
        let guarded = || worker().inspect_err(|_| failed.store(true, Ordering::Relaxed));
        std::thread::scope(|scope| {
            let spawn =
                |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, guarded);
            let running: Result<Vec<_>, _> = (0..workers.max(1)).map(spawn).collect();
            for worker in running.map_err(DatasetError::Worker)? {
                match worker.join() {
                    Ok(done) => done?,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(())
        })
    }

    /// Does a chunk, unless it is done; false if it was stopped.
    fn chunk(
        &self,
        tools: &mut Tools,
        folder: &Path,
        chunk: usize,
        progress: &Progress,
        stop: &AtomicBool,
    ) -> Result<bool, DatasetError> {
        let path = chunk_file(folder, chunk);
        if path.exists() {
            progress.programs.fetch_add(self.numbers(chunk).len(), Ordering::Relaxed);
            return Ok(true);
        }
        let part = path.with_extension("part");
        let failed = |source| DatasetError::Write { path: part.clone(), source };
        let mut file = BufWriter::new(File::create(&part).map_err(failed)?);
        for number in self.numbers(chunk) {
            if stop.load(Ordering::Acquire) {
                return Ok(false);
            }
            let done = self.program(tools, number);
            serde_json::to_writer(&mut file, &done).map_err(|error| failed(error.into()))?;
            file.write_all(b"\n").map_err(failed)?;
            progress.programs.fetch_add(1, Ordering::Relaxed);
            progress.fresh.fetch_add(1, Ordering::Relaxed);
            progress.walks.fetch_add(done.rows.map_or(0, |rows| rows.len()), Ordering::Relaxed);
        }
        file.flush().map_err(failed)?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        // A file that is there under its name is whole, also after a crash of the machine.
        file.sync_all().map_err(failed)?;
        fs::rename(&part, &path).map_err(failed)?;
        Ok(true)
    }
}

fn chunk_file(folder: &Path, chunk: usize) -> PathBuf {
    folder.join(format!("chunk-{chunk:06}.jsonl"))
}

/// Reads the lines of a chunk's file.
pub fn read_chunk(folder: &Path, chunk: usize) -> Result<Vec<Done>, DatasetError> {
    let path = chunk_file(folder, chunk);
    let failed = |source| DatasetError::Read { path: path.clone(), source };
    let file = BufReader::new(File::open(&path).map_err(failed)?);
    let mut all = Vec::with_capacity(CHUNK);
    for line in file.lines() {
        let done = serde_json::from_str(&line.map_err(failed)?);
        all.push(done.map_err(|error| failed(error.into()))?);
    }
    Ok(all)
}
