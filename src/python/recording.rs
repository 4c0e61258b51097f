//! The parent's side: a recording that grows while it is read.
//!
//! Nothing runs ahead without bound: the child blocks on its pipe when a few frames wait to be
//! read, so the first states of an endless program are there at once, and its clock stands still
//! while nobody asks. Dropping a recording ends the child, whatever it is doing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::child::Host;
use super::edit::Edit;
use super::error::PythonError;
use super::limits::Reached;
use super::options::RunOptions;
use super::store::{Choice, Output, Store};
use super::wire::{self, Command, Message, OnInput, Purpose};
use crate::program::Program;
use crate::state::{Exit, ExitKind, Raised, State, Text};
use crate::tree::{Node, Trace};

/// How often a wait looks whether it is still wanted.
pub(super) const SLICE: Duration = Duration::from_millis(50);

/// A run of a program, recorded as far as anybody asked.
pub struct Recording {
    program: Program,
    options: RunOptions,
    store: Store,
    exit: Option<Exit>,
    host: Option<Host>,
    /// How long the program ran while it was waited for.
    waited: Duration,
    interrupt: Arc<AtomicBool>,
    wanted: Option<Wanted>,
    /// A host that can run another program, once this one has ended by itself.
    spare: Option<Host>,
}

/// Input that the program waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// How many events came before.
    pub at: usize,
    /// What stands on the line of the program's output.
    pub prompt: Text,
}

impl Recording {
    /// Starts the program, and waits until it is compiled and its entry is known; with edits, until
    /// all of them are made.
    pub fn start(program: &Program, options: &RunOptions) -> Result<Self, PythonError> {
        Recording::start_interruptibly(program, options, Arc::default())
    }

    /// [`Recording::start`], which another thread can end; see [`Recording::interrupt_by`].
    pub fn start_interruptibly(
        program: &Program,
        options: &RunOptions,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, PythonError> {
        let request = options.request(program, Purpose::Record);
        let started = Host::start(program, &request, options.host.as_deref())?;
        Recording::of(program, options, started, interrupt)
    }

    /// The recording of a program that runs in this host, which has sent so much already.
    pub(super) fn of(
        program: &Program,
        options: &RunOptions,
        (host, rest): (Host, Vec<u8>),
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, PythonError> {
        let mut recording = Recording {
            program: program.clone(),
            options: options.clone(),
            store: Store::default(),
            exit: None,
            host: Some(host),
            waited: Duration::ZERO,
            interrupt,
            wanted: None,
            spare: None,
        };
        recording.take_all(&rest)?;
        for edit in &options.edits {
            // On the screen a read that is answered already may come after one that isn't.
            let is_early = matches!(edit, Edit::Answer { .. }) && options.on_input == OnInput::Ask;
            if !is_early {
                recording.wait_for(edit)?;
            }
        }
        Ok(recording)
    }

    /// Waits until an edit is made.
    fn wait_for(&mut self, edit: &Edit) -> Result<(), PythonError> {
        loop {
            let is_made = match edit {
                Edit::Set { at, .. } | Edit::Jump { at, .. } => self.store.len() > *at,
                Edit::Answer { choice, .. } => self.store.choices().len() > *choice,
            };
            if is_made {
                return Ok(());
            }
            if self.rests() {
                // Until it has its value, the state that it is made at isn't recorded.
                let is_there = matches!(edit, Edit::Set { at, .. } if self.store.len() == *at);
                let reason = match self.exit() {
                    Ok(exit) if is_there && exit.kind == ExitKind::Stopped => {
                        format!("it comes there, but the expression has no end: {exit}")
                    }
                    Ok(exit) => format!("the run doesn't come there: {exit}"),
                    Err(error @ PythonError::Waits(_)) => error.to_string(),
                    Err(error) => return Err(error),
                };
                let reason = reason.into();
                return Err(PythonError::EditUnreached { edit: edit.clone(), reason });
            }
            self.pull()?;
        }
    }

    /// What ends a wait for this run, and shall end those for others that are made of it.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// The host, if it can run another program.
    pub(super) fn into_host(self) -> Option<Host> {
        self.spare
    }

    /// The program that runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How it is run: the options that it was started with, and the answers that were given since.
    pub fn options(&self) -> &RunOptions {
        &self.options
    }

    /// The state of this index, waiting for it if need be; none after the last, and none as long as
    /// the program waits for input before it.
    pub fn state(&mut self, index: usize) -> Result<Option<State>, PythonError> {
        while self.store.len() <= index && !self.rests() {
            self.pull()?;
        }
        Ok(self.known(index))
    }

    /// Whether nothing more comes by itself.
    fn rests(&self) -> bool {
        self.exit.is_some() || self.wanted.is_some()
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

    /// How the run ends, waiting for it; an error if it waits for input.
    pub fn exit(&mut self) -> Result<Exit, PythonError> {
        loop {
            if let Some(exit) = &self.exit {
                return Ok(exit.clone());
            }
            if let Some(wanted) = &self.wanted {
                return Err(PythonError::Waits(wanted.clone()));
            }
            self.pull()?;
        }
    }

    /// The frames that run at the state of this index, outermost first: of each its latest state.
    pub fn stack(&mut self, index: usize) -> Result<Vec<State>, PythonError> {
        while self.store.len() <= index && !self.rests() {
            self.pull()?;
        }
        Ok(self.store.stack(index).into_iter().filter_map(|at| self.known(at)).collect())
    }

    /// The state before the one of this index in the same activation, waiting for it if need be;
    /// none at the first of an activation.
    pub fn previous(&mut self, index: usize) -> Result<Option<usize>, PythonError> {
        while self.store.len() <= index && !self.rests() {
            self.pull()?;
        }
        Ok(self.store.previous(index))
    }

    /// Whether the text of this variable may not be what it was at [`Recording::previous`]. It says
    /// no only where that is certain, and is quick.
    pub fn may_change(&mut self, index: usize, name: &str) -> Result<bool, PythonError> {
        while self.store.len() <= index && !self.rests() {
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

    /// What the program read, as far as it is known.
    pub fn choices_so_far(&self) -> &[Choice] {
        self.store.choices()
    }

    /// The input that the program waits for, if it does and all states before that are known. It
    /// waits only with [`OnInput::Ask`](super::OnInput::Ask).
    pub fn wanted_input(&self) -> Option<&Wanted> {
        self.wanted.as_ref()
    }

    /// Gives the program what it waits for, none for the end of its input; nothing happens if it
    /// doesn't wait.
    pub fn answer(&mut self, text: Option<&str>) -> Result<(), PythonError> {
        let Some(wanted) = self.wanted.take() else { return Ok(()) };
        let text = text.map(str::to_owned);
        let (at, choice) = (wanted.at, self.store.choices().len());
        self.options.edits.push(Edit::Answer { at, choice, text: text.clone() });
        if let Some(host) = &mut self.host {
            // A host that is gone says why when it is read from.
            let _ = host.send(&Command::Input(text));
        }
        Ok(())
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
            let left = self.options.limits.time.saturating_sub(self.waited);
            let frame = host.receive(left.min(SLICE));
            self.waited += started.elapsed();
            match frame {
                Err(RecvTimeoutError::Timeout) if self.interrupt.load(Ordering::Acquire) => {
                    return Err(PythonError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if self.waited < self.options.limits.time => {}
                frame => break frame,
            }
        };
        match frame {
            Ok(Ok(frame)) => self.take_all(&frame),
            Ok(Err(error)) => self.fail(error.into()),
            Err(RecvTimeoutError::Timeout) => {
                let exit = self.options.limits.exit(Reached::Time);
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
                    self.spare = self.host.take().filter(Host::serves_more);
                    self.end(Exit { kind, exception, reason: reason.map(Text::from) });
                    return Ok(());
                }
                Message::Wanted { prompt } => {
                    self.wanted = Some(Wanted { at: self.store.len(), prompt: prompt.into() });
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
        let sent = self.host.as_mut().map(Host::kill);
        for frame in sent.into_iter().flatten() {
            self.take_all(&frame)?;
        }
        if self.exit.is_none() {
            self.end(exit);
        }
        Ok(())
    }

    fn cause_of_death(&mut self) -> Text {
        let limits = &self.options.limits;
        self.host.as_mut().map_or_else(Text::default, |host| host.cause_of_death(limits))
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
}

impl Trace for Recording {
    type Error = PythonError;

    fn node(&mut self, index: usize) -> Result<Option<Node>, PythonError> {
        while !self.store.is_final(index) && !self.rests() {
            self.pull()?;
        }
        Ok(self.store.node(index))
    }
}
