//! Questions about the states of a run, answered by running the program again.
//!
//! A recording holds texts. To know more, the program runs once more, up to the event that the
//! question is about, where its host answers. Runs are deterministic, so this is the state that was
//! recorded. Asking further on continues the same run; asking about an earlier state starts it
//! anew, and so does the next question after an answer that may have changed something.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::child::{Host, START_PATIENCE};
use super::error::PythonError;
use super::options::RunOptions;
use super::question::{Answer, Ask, Children, Evaluated, Path, Question};
use super::recording::SLICE;
use super::wire::{self, Command, Message, Purpose, Request, Stream, WireError};
use crate::program::Program;
use crate::state::Text;

/// How long an answer may take once its state is reached, unless the run's own limit is shorter.
const PATIENCE: Duration = Duration::from_secs(2);

/// A program that is run to be asked about its states.
pub struct Inspector {
    program: Program,
    request: Request,
    executable: Option<PathBuf>,
    run: Option<Run>,
    runs: usize,
    written: Vec<(Stream, String)>,
    interrupt: Arc<AtomicBool>,
}

/// A host that runs the program.
struct Run {
    host: Host,
    /// What it sent before anything was asked.
    rest: Vec<u8>,
    /// The state that was asked about last; it can't be asked about those before.
    at: usize,
}

/// What came of a question whose state was reached.
enum Reply {
    Answer(Answer),
    /// The host ended over it.
    Stopped(Text),
}

impl Inspector {
    /// Will run the program as it is recorded with these options, once something is asked.
    pub fn new(program: &Program, options: &RunOptions) -> Self {
        Inspector {
            program: program.clone(),
            request: options.request(program, Purpose::Inspect),
            executable: options.host.clone(),
            run: None,
            runs: 0,
            written: Vec::new(),
            interrupt: Arc::default(),
        }
    }

    /// Lets another thread end a wait for an answer; see
    /// [`Recording::interrupt_by`](super::Recording::interrupt_by).
    pub fn interrupt_by(&mut self, interrupt: Arc<AtomicBool>) {
        self.interrupt = interrupt;
    }

    /// The value of an expression in a frame at the state of this index: frame 0 is the innermost
    /// of those that are recorded, 1 its caller. The expression sees the frame's variables, and the
    /// run goes on as if it had never been evaluated, whatever it changes.
    pub fn evaluate(
        &mut self,
        at: usize,
        frame: usize,
        expression: &str,
    ) -> Result<Evaluated, PythonError> {
        self.written.clear();
        let question = Question::Evaluate { expression: expression.to_owned() };
        match self.ask(at, frame, question)? {
            Reply::Answer(Answer::Evaluated { result, written, spoils }) => {
                self.written = written;
                if spoils {
                    self.run = None;
                }
                Ok(result)
            }
            Reply::Answer(other) => Err(self.refused(at, frame, other)),
            Reply::Stopped(reason) => Ok(Evaluated::Stopped(reason)),
        }
    }

    /// The parts of a value in a range of places. None of the program's code runs for it but a
    /// `__repr__` that is sure to change nothing.
    pub fn expand(
        &mut self,
        at: usize,
        frame: usize,
        path: &Path,
        range: Range<usize>,
    ) -> Result<Children, PythonError> {
        let (start, count) = (range.start as u64, range.len() as u64);
        let question = Question::Expand { path: path.clone(), start, count };
        match self.answer(at, frame, question)? {
            Answer::Children(Some(children)) => Ok(children),
            Answer::Children(None) => Err(PythonError::NoPart { at, path: path.clone() }),
            other => Err(self.refused(at, frame, other)),
        }
    }

    /// The answer to a question that no program can keep from being answered.
    fn answer(
        &mut self,
        at: usize,
        frame: usize,
        question: Question,
    ) -> Result<Answer, PythonError> {
        match self.ask(at, frame, question)? {
            Reply::Answer(answer) => Ok(answer),
            Reply::Stopped(reason) => Err(PythonError::Unreached { at, reason }),
        }
    }

    /// How often the program has run for the answers so far.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// What the last evaluation wrote to both streams, as one text.
    pub fn written_text(&self) -> String {
        self.written.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// What the last evaluation wrote.
    pub fn written(&self) -> &[(Stream, String)] {
        &self.written
    }

    /// Runs the program from its start.
    fn begin(&mut self) -> Result<Run, PythonError> {
        self.runs += 1;
        let (host, rest) = Host::start(&self.program, &self.request, self.executable.as_deref())?;
        Ok(Run { host, rest, at: 0 })
    }

    /// An answer that says why there is none, or that answers something else.
    fn refused(&mut self, at: usize, frame: usize, answer: Answer) -> PythonError {
        match answer {
            Answer::NoFrame { running } => {
                PythonError::NoFrame { at, frame, running: running as usize }
            }
            Answer::Evaluated { .. } | Answer::Children(_) => {
                self.run = None;
                WireError::Garbled(0).into()
            }
        }
    }

    fn ask(&mut self, at: usize, frame: usize, question: Question) -> Result<Reply, PythonError> {
        let mut run = match self.run.take() {
            Some(run) if run.at <= at => run,
            _ => self.begin()?,
        };
        let ask = Ask { at: at as u64, frame: u32::try_from(frame).unwrap_or(u32::MAX), question };
        // A host that is gone has said why.
        let _ = run.host.send(&Command::Ask(ask));
        run.at = at;
        let reply = self.await_reply(&mut run, at)?;
        if matches!(reply, Reply::Answer(_)) {
            self.run = Some(run);
        }
        Ok(reply)
    }

    /// Waits for the answer to what was asked.
    fn await_reply(&self, run: &mut Run, at: usize) -> Result<Reply, PythonError> {
        let limits = &self.request.limits;
        let unreached = |reason: Text| PythonError::Unreached { at, reason };
        let patience = PATIENCE.min(limits.time);
        // The run is faster than when it was recorded, but the machine may be busier.
        let mut deadline = Instant::now() + limits.time.max(START_PATIENCE);
        let mut is_reached = false;
        let mut frame = std::mem::take(&mut run.rest);
        loop {
            let mut rest = frame.as_slice();
            while !rest.is_empty() {
                let (message, after) = wire::split_first(rest)?;
                rest = after;
                match message {
                    Message::Reached => {
                        is_reached = true;
                        deadline = Instant::now() + patience;
                    }
                    Message::Answer(answer) if is_reached => return Ok(Reply::Answer(answer)),
                    Message::Exit { reason, .. } if is_reached => {
                        return Ok(Reply::Stopped(reason.unwrap_or_default().into()));
                    }
                    Message::Exit { kind, reason, .. } => {
                        let reason = reason.unwrap_or_else(|| kind.name());
                        return Err(unreached(format!("the run ends before it: {reason}").into()));
                    }
                    Message::Refused(refusal) => {
                        return Err(PythonError::refused(refusal, &self.program));
                    }
                    _ => return Err(WireError::Garbled(frame.len()).into()),
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            frame = match run.host.receive(left.min(SLICE)) {
                Ok(frame) => frame?,
                Err(RecvTimeoutError::Timeout) if self.interrupt.load(Ordering::Acquire) => {
                    return Err(PythonError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left > SLICE => Vec::new(),
                Err(RecvTimeoutError::Timeout) => {
                    let reason = match is_reached {
                        true => format!("time limit {} s of an evaluation", patience.as_secs_f64()),
                        false => "the run takes much longer than before".to_owned(),
                    };
                    return match is_reached {
                        true => Ok(Reply::Stopped(reason.into())),
                        false => Err(unreached(reason.into())),
                    };
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let reason = run.host.cause_of_death(limits);
                    return match is_reached {
                        true => Ok(Reply::Stopped(reason)),
                        false => Err(unreached(reason)),
                    };
                }
            };
        }
    }
}
