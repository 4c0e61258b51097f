//! The host process as its parent holds it: started, talked to, killed.

use std::io::Read;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::error::PythonError;
use super::limits::{Limits, Reached};
use super::wire::{self, Message, Request, VERSION, WireError};
use crate::program::Program;
use crate::state::Text;

/// The subcommand that makes an executable the host.
pub const HOST_COMMAND: &str = "python-host";

/// The subcommand that makes an executable a host for one program after another.
pub const NURSERY_COMMAND: &str = "python-nursery";

/// Frames read ahead of what was asked for.
const AHEAD: usize = 2;
/// How long the host may take to start and to compile the program.
pub const START_PATIENCE: Duration = Duration::from_secs(60);

/// The child process, and the thread that reads what it sends.
pub struct Host {
    child: Child,
    stderr: Option<ChildStderr>,
    frames: Receiver<Result<Vec<u8>, WireError>>,
    reader: Option<JoinHandle<()>>,
    /// Whether another program can follow when one has ended.
    serves_more: bool,
}

impl Host {
    /// Starts the host and waits until the program is compiled and its entry is known. Also gives
    /// the messages that came after that, and with it. `executable` is this one by default.
    pub fn start(
        program: &Program,
        request: &Request,
        executable: Option<&Path>,
    ) -> Result<(Self, Vec<u8>), PythonError> {
        Host::spawn(HOST_COMMAND, executable)?.run(program, request)
    }

    /// Starts a host that serves one program after another.
    pub fn nursery(executable: Option<&Path>) -> Result<Self, PythonError> {
        let mut host = Host::spawn(NURSERY_COMMAND, executable)?;
        host.serves_more = true;
        Ok(host)
    }

    /// Whether another program can follow when one has ended.
    pub fn serves_more(&self) -> bool {
        self.serves_more
    }

    /// Lets the host run this program; see [`Host::start`].
    pub fn run(
        mut self,
        program: &Program,
        request: &Request,
    ) -> Result<(Self, Vec<u8>), PythonError> {
        match self.write(&wire::encode_request(request)?) {
            // What is no host may be gone already; what it said, or that it ended, tells more.
            Ok(()) | Err(WireError::Io(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let rest = self.wait_until_ready(program, &request.limits)?;
        Ok((self, rest))
    }

    fn spawn(word: &str, executable: Option<&Path>) -> Result<Self, PythonError> {
        let executable = match executable {
            Some(executable) => executable.to_owned(),
            None => std::env::current_exe().map_err(PythonError::Start)?,
        };
        let mut command = Command::new(executable);
        command
            .arg(word)
            // The program's clock knows no other zone, wherever it runs.
            .env("TZ", "UTC0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Its own group: an interrupt from the terminal is for the parent to handle.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(PythonError::Start)?;
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
        Ok(Host { child, stderr, frames, reader, serves_more: false })
    }

    fn wait_until_ready(
        &mut self,
        program: &Program,
        limits: &Limits,
    ) -> Result<Vec<u8>, PythonError> {
        let started = Instant::now();
        let mut greeted = false;
        loop {
            let patience = START_PATIENCE.saturating_sub(started.elapsed());
            let frame = match self.receive(patience) {
                Ok(frame) => frame?,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(PythonError::NotReady { seconds: START_PATIENCE.as_secs() });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PythonError::Ended { reason: self.cause_of_death(limits) });
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
                    Message::Ready => return Ok(rest.to_vec()),
                    Message::Refused(refusal) => {
                        return Err(PythonError::refused(refusal, program));
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

    /// Sends a command.
    pub fn send(&mut self, command: &wire::Command) -> Result<(), WireError> {
        self.write(&wire::encode_command(command)?)
    }

    /// The pipe stays open: its end tells the child that the parent is gone.
    fn write(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let missing = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        wire::write_frame(self.child.stdin.as_mut().ok_or_else(missing)?, bytes)
    }

    /// The next frame that the host sends; disconnected at the end of its pipe.
    pub fn receive(
        &self,
        patience: Duration,
    ) -> Result<Result<Vec<u8>, WireError>, RecvTimeoutError> {
        self.frames.recv_timeout(patience)
    }

    /// Kills the host; gives what it had sent by then.
    pub fn kill(&mut self) -> impl Iterator<Item = Vec<u8>> + use<> {
        self.end();
        self.serves_more = false;
        let frames: Vec<_> = std::iter::from_fn(|| self.frames.recv().ok()?.ok()).collect();
        frames.into_iter()
    }

    /// Kills the child and those that it made.
    fn end(&mut self) {
        #[cfg(unix)]
        if self.serves_more
            && let Some(group) =
                i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            // As below.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // It fails if the child has ended, which is what is wanted.
        let _ = self.child.kill();
    }

    /// What ended the child, as far as its status and its last words say.
    pub fn cause_of_death(&mut self, limits: &Limits) -> Text {
        let Some((status, words)) = self.last_words() else {
            return "the Python host ended, and nothing is known of it".into();
        };
        if words.contains("memory allocation of") {
            return limits.reason(Reached::Memory).into();
        }
        if words.contains("overflowed its stack") || is_segfault(status) {
            return "the interpreter's native stack is exhausted".into();
        }
        match words.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("the Python host ended with {status}: {line}").into(),
            None => format!("the Python host ended with {status}").into(),
        }
    }

    /// How the child ended, and what it wrote to its real standard error.
    fn last_words(&mut self) -> Option<(ExitStatus, String)> {
        // It closed its pipe, so it is as good as dead; this makes sure that the wait ends.
        self.end();
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
        self.end();
        let _ = self.child.wait();
        // Its sender may wait for room: without a receiver it ends.
        let (_, nobody) = sync_channel(0);
        self.frames = nobody;
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
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
