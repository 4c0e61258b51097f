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
}

impl Host {
    /// Starts the host and waits until the program is compiled and its entry is known. Also gives
    /// the messages that came after that, and with it. `executable` is this one by default.
    pub fn start(
        program: &Program,
        request: &Request,
        executable: Option<&Path>,
    ) -> Result<(Self, Vec<u8>), PythonError> {
        let mut host = Host::spawn(request, executable)?;
        let rest = host.wait_until_ready(program, &request.limits)?;
        Ok((host, rest))
    }

    fn spawn(request: &Request, executable: Option<&Path>) -> Result<Self, PythonError> {
        let executable = match executable {
            Some(executable) => executable.to_owned(),
            None => std::env::current_exe().map_err(PythonError::Start)?,
        };
        let mut command = Command::new(executable);
        command
            .arg(HOST_COMMAND)
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
        let mut host = Host { child, stderr, frames, reader };
        match host.write(&wire::encode_request(request)?) {
            // What is no host may be gone already; what it said, or that it ended, tells more.
            Ok(()) | Err(WireError::Io(_)) => Ok(host),
            Err(error) => Err(error.into()),
        }
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
        // It fails if the child has ended, which is what is wanted.
        let _ = self.child.kill();
        let frames: Vec<_> = std::iter::from_fn(|| self.frames.recv().ok()?.ok()).collect();
        frames.into_iter()
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
        let _ = self.child.kill();
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
        let _ = self.child.kill();
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
