//! Many programs one after another, for the price of one start of the interpreter.
//!
//! To start a host takes 20 ms of processor time, most of which goes into an interpreter that is
//! the same each time; a small program runs for one. A *nursery* is a host that builds its
//! interpreter once and then, for each program, makes a copy of itself (`fork`), which runs the
//! program as any host does and ends. Programs are as far apart as in hosts of their own, and a
//! recording is the same. Where the system knows no `fork`, each program gets a host of its own.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::child::Host;
use super::error::PythonError;
use super::options::RunOptions;
use super::recording::Recording;
use super::wire::Purpose;
use crate::program::Program;

/// Records one program after another.
#[derive(Default)]
pub struct Nursery {
    host: Option<Host>,
    executable: Option<PathBuf>,
}

impl Nursery {
    /// A nursery in this executable, called with [`NURSERY_COMMAND`](super::NURSERY_COMMAND); by
    /// default the one that runs.
    pub fn new(executable: Option<PathBuf>) -> Self {
        Nursery { host: None, executable }
    }

    /// Records a program, and lets `read` look at the recording. The host that the options name is
    /// not asked.
    pub fn record<R>(
        &mut self,
        program: &Program,
        options: &RunOptions,
        read: impl FnOnce(&mut Recording) -> Result<R, PythonError>,
    ) -> Result<R, PythonError> {
        let mut recording = self.start(program, options, Arc::default())?;
        let result = read(&mut recording);
        self.take_back(recording);
        result
    }

    /// Starts to record a program, as [`Recording::start_interruptibly`] does. Whoever has read the
    /// recording gives it back; until then, and if nobody does, the next program gets another host.
    pub fn start(
        &mut self,
        program: &Program,
        options: &RunOptions,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Recording, PythonError> {
        let request = options.request(program, Purpose::Record);
        let fresh = |executable| match cfg!(unix) {
            true => Host::nursery(executable)?.run(program, &request),
            false => Host::start(program, &request, executable),
        };
        let again = self.host.take().map(|host| host.run(program, &request));
        let started = match again {
            // It died after the program before, which this one must not pay for.
            None | Some(Err(PythonError::Ended { .. })) => fresh(self.executable.as_deref())?,
            Some(started) => started?,
        };
        Recording::of(program, options, started, interrupt)
    }

    /// Takes back what [`Nursery::start`] gave: its host runs the next program, unless this one had
    /// to be killed.
    pub fn take_back(&mut self, recording: Recording) {
        self.host = recording.into_host();
    }
}

/// Runs a nursery; the hidden subcommand's whole work. It reads requests from standard input, and
/// ends at its end.
#[cfg(unix)]
pub fn main() -> ! {
    server::main()
}

/// There is no `fork` here; nobody asks for a nursery.
#[cfg(not(unix))]
pub fn main() -> ! {
    std::process::exit(2)
}

#[cfg(unix)]
mod server {
    use std::sync::mpsc::channel;

    use rustix::process::{Pid, WaitOptions, waitpid};
    use rustpython_vm::Interpreter;
    use rustpython_vm::signal::{UserSignalSender, user_signal_channel};

    use crate::python::host;
    use crate::python::outbox::{self, outbox};
    use crate::python::wire::{self, Message, Request, VERSION};

    pub(super) fn main() -> ! {
        host::report_panics();
        host::bound_process(u64::MAX);
        let (signals, receiver) = user_signal_channel();
        // On a stack as every host's debuggee has: the copies go on with this thread alone.
        let serving = std::thread::Builder::new()
            .stack_size(host::STACK)
            .spawn(move || -> () { serve(&host::interpreter(receiver), signals) });
        match serving.map(std::thread::JoinHandle::join) {
            Ok(_) => std::process::exit(0),
            Err(error) => outbox::stop(&format!("no thread for programs: {error}")),
        }
    }

    fn serve(interpreter: &Interpreter, signals: UserSignalSender) {
        while let Some(request) = next_request() {
            // SAFETY: the only other thread waits for this one to end and holds no lock, so the
            // copy, which has this thread alone, finds nothing locked for ever.
            match unsafe { libc::fork() } {
                0 => run(interpreter, request, signals),
                child => {
                    let waited = Pid::from_raw(child)
                        .map(|child| waitpid(Some(child), WaitOptions::empty()));
                    let ended = matches!(waited, Some(Ok(Some((_, status)))) if status.exit_status() == Some(0));
                    if !ended {
                        // It may have died within a message: nothing can follow on this pipe.
                        std::process::exit(1);
                    }
                }
            }
        }
    }

    /// The next request; none at the end of standard input, or after what is no request.
    fn next_request() -> Option<Request> {
        let bytes = wire::read_frame(&mut std::io::stdin()).ok()??;
        wire::decode_request(&bytes).ok().filter(|request| request.version == VERSION)
    }

    /// Runs a program in this process, which was made for it.
    fn run(interpreter: &Interpreter, request: Request, signals: UserSignalSender) -> ! {
        outbox().push(&Message::Hello { version: VERSION });
        host::bound_process(request.limits.memory);
        let limits = request.limits;
        let pulse =
            std::thread::Builder::new().spawn(move || -> () { host::pulse(&limits, &signals) });
        if let Err(error) = pulse {
            outbox::stop(&format!("no thread for the pulse: {error}"));
        }
        // Nobody sends commands: standard input holds the next request.
        let (_sender, commands) = channel();
        host::debuggee(interpreter, &request, commands)
    }
}
