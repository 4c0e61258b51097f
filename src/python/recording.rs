//! The parent's side: a recording that grows while it is read.
//!
//! Nothing runs ahead without bound: the child blocks on its pipe when a few frames wait to be
//! read, so the first states of an endless program are there at once, and its clock stands still
//! while nobody asks. Dropping a recording ends the child, whatever it is doing.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::error::PythonError;
use super::limits::{Limits, Reached};
use super::store::{Output, Store};
use super::wire::{self, Message, Request, VERSION, WireError};
use crate::program::Program;
use crate::state::{Exit, ExitKind, Raised, State, Text};
use crate::tree::{Node, Trace};

/// The subcommand that makes an executable the host.
pub const HOST_COMMAND: &str = "python-host";

/// Frames read ahead of what was asked for.
const AHEAD: usize = 2;
/// How often a wait looks whether it is still wanted.
const SLICE: Duration = Duration::from_millis(50);
/// How long the host may take to start and to compile the program.
const START_PATIENCE: Duration = Duration::from_secs(60);

/// How to run a program.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The function to call; by default `main` if there is one without parameters, else the module.
    pub entry: Option<String>,
    /// What the program reads from its standard input.
    pub stdin: String,
    /// When to stop it.
    pub limits: Limits,
    /// The executable that is the host when called with [`HOST_COMMAND`]; by default this one.
    pub host: Option<PathBuf>,
}

/// A run of a program, recorded as far as anybody asked.
pub struct Recording {
    program: Program,
    limits: Limits,
    store: Store,
    exit: Option<Exit>,
    host: Option<Host>,
    /// How long the program ran while it was waited for.
    waited: Duration,
    interrupt: Arc<AtomicBool>,
}

impl Recording {
    /// Starts the program, and waits until it is compiled and its entry is known.
    pub fn start(program: &Program, options: &RunOptions) -> Result<Self, PythonError> {
        let mut limits = options.limits;
        limits.value = limits.value.clamp(1, super::limits::MAX_VALUE);
        let request = Request {
            version: VERSION,
            name: program.name().to_owned(),
            source: program.text().to_owned(),
            entry: options.entry.clone(),
            stdin: options.stdin.clone(),
            limits,
        };
        let host = Host::start(&request, options.host.clone())?;
        let mut recording = Recording {
            program: program.clone(),
            limits,
            store: Store::default(),
            exit: None,
            host: Some(host),
            waited: Duration::ZERO,
            interrupt: Arc::default(),
        };
        recording.wait_until_ready()?;
        Ok(recording)
    }

    /// The state of this index, waiting for it if need be; none after the last.
    pub fn state(&mut self, index: usize) -> Result<Option<State>, PythonError> {
        while self.store.len() <= index && self.exit.is_none() {
            self.pull()?;
        }
        Ok(self.known(index))
    }

    /// The state of this index, if it was recorded already.
    fn known(&self, index: usize) -> Option<State> {
        let node = self.store.node(index)?;
        let (value, exception) = self.store.argument(index);
        Some(State {
            event: node.event,
            source: self.program.line(node.line),
            locals: self.store.locals(index),
            value,
            exception,
            position: self.store.position(index),
        })
    }

    /// How the run ends, waiting for it.
    pub fn exit(&mut self) -> Result<Exit, PythonError> {
        loop {
            if let Some(exit) = &self.exit {
                return Ok(exit.clone());
            }
            self.pull()?;
        }
    }

    /// The frames that run at the state of this index, outermost first: of each its latest state.
    pub fn stack(&mut self, index: usize) -> Result<Vec<State>, PythonError> {
        while self.store.len() <= index && self.exit.is_none() {
            self.pull()?;
        }
        Ok(self.store.stack(index).into_iter().filter_map(|at| self.known(at)).collect())
    }

    /// The state before the one of this index in the same activation, waiting for it if need be;
    /// none at the first of an activation.
    pub fn previous(&mut self, index: usize) -> Result<Option<usize>, PythonError> {
        while self.store.len() <= index && self.exit.is_none() {
            self.pull()?;
        }
        Ok(self.store.previous(index))
    }

    /// Whether the text of this variable may not be what it was at [`Recording::previous`]. It says
    /// no only where that is certain, and is quick.
    pub fn may_change(&mut self, index: usize, name: &str) -> Result<bool, PythonError> {
        while self.store.len() <= index && self.exit.is_none() {
            self.pull()?;
        }
        Ok(self.store.may_change(index, name))
    }

    /// How many states are known.
    pub fn len_so_far(&self) -> usize {
        self.store.len()
    }

    /// How the run ended, if that is known.
    pub fn exit_so_far(&self) -> Option<&Exit> {
        self.exit.as_ref()
    }

    /// Lets another thread end a wait for the program: while this is set, whatever waits gives
    /// [`PythonError::Interrupted`]. The recording itself is not harmed.
    pub fn interrupt_by(&mut self, interrupt: Arc<AtomicBool>) {
        self.interrupt = interrupt;
    }

    /// What the program wrote before the state of this index, from chunk `printed` on, which is
    /// moved on behind it.
    pub fn output_until(&self, index: usize, printed: &mut usize) -> &[Output] {
        let all = self.store.output();
        let start = *printed;
        while all.get(*printed).is_some_and(|chunk| chunk.at <= index) {
            *printed += 1;
        }
        &all[start..*printed]
    }

    /// What the program wrote, as far as it is known: all that came before the last known state.
    pub fn output_so_far(&self) -> &[Output] {
        self.store.output()
    }

    fn wait_until_ready(&mut self) -> Result<(), PythonError> {
        let started = Instant::now();
        let mut greeted = false;
        loop {
            let Some(host) = &self.host else { return Ok(()) };
            let patience = START_PATIENCE.saturating_sub(started.elapsed());
            let frame = match host.frames.recv_timeout(patience) {
                Ok(frame) => frame?,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(PythonError::NotReady { seconds: START_PATIENCE.as_secs() });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PythonError::Ended { reason: self.cause_of_death() });
                }
            };
            let mut rest = frame.as_slice();
            while !rest.is_empty() {
                let (message, after) = wire::split_first(rest)?;
                rest = after;
                match message {
                    Message::Hello { version } if version == VERSION => greeted = true,
                    Message::Hello { version } => {
                        return Err(PythonError::Version { theirs: version });
                    }
                    _ if !greeted => return Err(WireError::Garbled(frame.len()).into()),
                    Message::Ready => return self.take_all(rest),
                    Message::Refused(refusal) => {
                        return Err(PythonError::refused(refusal, &self.program));
                    }
                    Message::Exit { reason, .. } => {
                        let reason = reason.unwrap_or("for no reason that it gave").into();
                        return Err(PythonError::Ended { reason });
                    }
                    _ => return Err(WireError::Garbled(frame.len()).into()),
                }
            }
        }
    }

    /// Waits for the next frame and takes it in.
    fn pull(&mut self) -> Result<(), PythonError> {
        let Some(host) = &self.host else {
            // Only a failure leaves no host and no exit.
            self.end(Exit::plain(ExitKind::Stopped));
            return Ok(());
        };
        let frame = loop {
            let started = Instant::now();
            let left = self.limits.time.saturating_sub(self.waited);
            let frame = host.frames.recv_timeout(left.min(SLICE));
            self.waited += started.elapsed();
            match frame {
                Err(RecvTimeoutError::Timeout) if self.interrupt.load(Ordering::Acquire) => {
                    return Err(PythonError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if self.waited < self.limits.time => {}
                frame => break frame,
            }
        };
        match frame {
            Ok(Ok(frame)) => self.take_all(&frame),
            Ok(Err(error)) => self.fail(error.into()),
            Err(RecvTimeoutError::Timeout) => {
                let exit = self.limits.exit(Reached::Time);
                self.stop(exit)
            }
            Err(RecvTimeoutError::Disconnected) => {
                let reason = self.cause_of_death();
                self.end(Exit { reason: Some(reason), ..Exit::plain(ExitKind::Stopped) });
                Ok(())
            }
        }
    }

    /// Takes in the messages of a frame.
    fn take_all(&mut self, mut rest: &[u8]) -> Result<(), PythonError> {
        while !rest.is_empty() {
            let message = match wire::split_first(rest) {
                Ok((message, after)) => {
                    rest = after;
                    message
                }
                Err(error) => return self.fail(error.into()),
            };
            match message {
                Message::Exit { kind, exception, reason } => {
                    let exception = exception.map(|(class, message)| Raised {
                        class: class.into(),
                        message: message.into(),
                    });
                    self.end(Exit { kind, exception, reason: reason.map(Text::from) });
                    return Ok(());
                }
                Message::Refused(refusal) => {
                    let error = PythonError::refused(refusal, &self.program);
                    return self.fail(error);
                }
                message => {
                    if let Err(error) = self.store.take(&message) {
                        return self.fail(error.into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Kills the child, and takes in what it had sent by then.
    fn stop(&mut self, exit: Exit) -> Result<(), PythonError> {
        if let Some(host) = &mut self.host {
            host.kill();
        }
        while let Some(Ok(Ok(frame))) = self.host.as_ref().map(|host| host.frames.recv()) {
            self.take_all(&frame)?;
        }
        if self.exit.is_none() {
            self.end(exit);
        }
        Ok(())
    }

    fn fail(&mut self, error: PythonError) -> Result<(), PythonError> {
        let reason = Some(Text::from(error.to_string()));
        self.end(Exit { reason, ..Exit::plain(ExitKind::Stopped) });
        Err(error)
    }

    fn end(&mut self, exit: Exit) {
        self.store.close();
        self.exit = Some(exit);
        self.host = None;
    }

    /// What ended the child, as far as its status and its last words say.
    fn cause_of_death(&mut self) -> Text {
        let Some((status, words)) = self.host.as_mut().and_then(Host::last_words) else {
            return "the Python host ended, and nothing is known of it".into();
        };
        if words.contains("memory allocation of") {
            return self.limits.reason(Reached::Memory).into();
        }
        if words.contains("overflowed its stack") || is_segfault(status) {
            return "the interpreter's native stack is exhausted".into();
        }
        match words.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("the Python host ended with {status}: {line}").into(),
            None => format!("the Python host ended with {status}").into(),
        }
    }
}

impl Trace for Recording {
    type Error = PythonError;

    fn node(&mut self, index: usize) -> Result<Option<Node>, PythonError> {
        while !self.store.is_final(index) && self.exit.is_none() {
            self.pull()?;
        }
        Ok(self.store.node(index))
    }
}

#[cfg(unix)]
fn is_segfault(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status)
        == Some(rustix::process::Signal::SEGV.as_raw())
}

#[cfg(not(unix))]
fn is_segfault(_status: ExitStatus) -> bool {
    false
}

/// The child process, and the thread that reads what it sends.
struct Host {
    child: Child,
    stderr: Option<ChildStderr>,
    frames: Receiver<Result<Vec<u8>, WireError>>,
    reader: Option<JoinHandle<()>>,
}

impl Host {
    fn start(request: &Request, program: Option<PathBuf>) -> Result<Self, PythonError> {
        let program = match program {
            Some(program) => program,
            None => std::env::current_exe().map_err(PythonError::Start)?,
        };
        let mut command = Command::new(program);
        command
            .arg(HOST_COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Its own group: an interrupt from the terminal is for the parent to handle.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(PythonError::Start)?;
        let missing = || PythonError::Start(std::io::ErrorKind::BrokenPipe.into());
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (sender, frames) = sync_channel(AHEAD);
        let reader = stdout.map(|mut stdout| {
            std::thread::spawn(move || {
                while let Some(frame) = wire::read_frame(&mut stdout).transpose() {
                    let is_last = frame.is_err();
                    if sender.send(frame).is_err() || is_last {
                        break;
                    }
                }
            })
        });
        let mut host = Host { child, stderr, frames, reader };
        let bytes = wire::encode_request(request)?;
        // The pipe stays open: its end tells the child that the parent is gone.
        let stdin = host.child.stdin.as_mut().ok_or_else(missing)?;
        wire::write_frame(stdin, &bytes)?;
        Ok(host)
    }

    fn kill(&mut self) {
        // It fails if the child has ended, which is what is wanted.
        let _ = self.child.kill();
    }

    /// How the child ended, and what it wrote to its real standard error.
    fn last_words(&mut self) -> Option<(ExitStatus, String)> {
        // It closed its pipe, so it is as good as dead; this makes sure that the wait ends.
        self.kill();
        let status = self.child.wait().ok()?;
        let mut words = Vec::new();
        if let Some(stderr) = self.stderr.take() {
            let _ = stderr.take(4096).read_to_end(&mut words);
        }
        Some((status, String::from_utf8_lossy(&words).into_owned()))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
        // Its sender may wait for room: without a receiver it ends.
        let (_, nobody) = sync_channel(0);
        self.frames = nobody;
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}
