//! `lockstep worker`: programs in by lines, results out by lines, for whatever spreads the work.

use std::io::{self, BufReader, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use clap::Args;

use super::eval::WalkArgs;
use super::interrupt::Interrupt;
use super::{CommandError, Done, tell};
use crate::eval::corpus::Row;
use crate::eval::lines::{self, MAX_LINE, Next};
use crate::eval::recipe::CorpusId;
use crate::eval::worker::{Said, Worker};

/// How often an idle worker looks whether it is to end.
const BEAT: Duration = Duration::from_millis(100);

/// Evaluate programs that come line by line, for GNU parallel, Spark, Ray and the like
///
/// Reads a JSON object a line from standard input and writes one for each to standard output, in
/// their order and at once; the model is loaded only once. A line that is no program is answered with
/// what is wrong with it. `lockstep merge --corpus` makes the log of an evaluation of the answers.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep worker < programs.jsonl > answers.jsonl
  lockstep merge answers.jsonl --corpus programs.jsonl --out eval.jsonl
  parallel --pipe -N 16 lockstep worker < programs.jsonl > answers.jsonl
  echo '{\"id\": \"a\", \"program\": \"x = 1\"}' | lockstep worker | jq '.steps[] | .agree'

A line is {\"id\", \"program\"} or {\"id\", \"path\"}, with \"entry\" and \"stdin\" if need be, or a row of
CruxEval. Exit codes: 0 at the end of the input, 2 bad usage or environment, 3 interrupted: the
program at hand was answered, and those after it were not. docs/scale.md has more.")]
pub struct WorkerArgs {
    #[command(flatten)]
    walk: WalkArgs,
}

pub fn run(args: &WorkerArgs) -> Result<Done, CommandError> {
    let (evaluator, recipe) = args.walk.evaluator(CorpusId::default())?;
    let mut worker = Worker::new(evaluator, recipe);
    let interrupt = Interrupt::listen()?;
    let rows = rows()?;
    let mut out = io::stdout().lock();
    loop {
        if interrupt.is_asked() {
            tell("interrupted: the lines that were not answered are still to be done");
            return Ok(Done::Partial);
        }
        let row = match rows.recv_timeout(BEAT) {
            Ok(row) => row.map_err(|error| {
                CommandError::user(format!("standard input can't be read: {error}"))
            })?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(Done::Yes),
        };
        let Said { line, complaints } = worker.answer(row);
        complaints.iter().for_each(|complaint| tell(complaint));
        serde_json::to_writer(&mut out, &line).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
}

/// What standard input holds, read on a thread of its own, since a read can't be interrupted; one
/// line ahead. Blank lines are none.
fn rows() -> io::Result<Receiver<io::Result<Result<Row, String>>>> {
    let (sender, rows) = sync_channel(1);
    let read = move || {
        let (mut stdin, mut line) = (BufReader::new(io::stdin()), Vec::new());
        loop {
            let row = match lines::next(&mut stdin, &mut line, MAX_LINE) {
                Ok(None) => return,
                Ok(Some(Next::Line)) if line.trim_ascii().is_empty() => continue,
                Ok(Some(Next::Line)) => Ok(Row::read(&line)),
                Ok(Some(Next::TooLong)) => {
                    Ok(Err(format!("a line longer than {} MiB", MAX_LINE >> 20)))
                }
                Err(error) => Err(error),
            };
            let is_last = row.is_err();
            if sender.send(row).is_err() || is_last {
                return;
            }
        }
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(rows)
}
