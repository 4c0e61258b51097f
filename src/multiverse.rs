//! A run and its branches, each with a session of its own; one of them is looked at.
//!
//! A branch is made by an edit: a variable that is set, or input that is answered otherwise. It runs
//! from the start with its edits, so the branch that it comes from stays as it is, with its steps and
//! the place where it was left. The points and the model go along to the branch that is looked at:
//! there the model's context begins anew.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::branches::{BranchId, Branches};
use crate::python::{Edit, PythonError, Recording, RunOptions};
use crate::session::{Session, SessionError};
use crate::travel::Travel;

/// Most branches: each keeps a recording, and a process until its run is over.
pub const MAX_BRANCHES: usize = 100;

/// A run and its branches.
pub struct Multiverse {
    branches: Branches,
    /// By the number of the branch.
    sessions: Vec<Session>,
    interrupt: Arc<AtomicBool>,
}

/// Why there is no such branch.
#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    /// None has this number.
    #[error("there is no branch {0}")]
    NoBranch(usize),
    /// There are as many as can be.
    #[error("there are {MAX_BRANCHES} branches, which is the most that are kept")]
    TooMany,
    /// Nothing was read so often.
    #[error("the program has read {read} times, so there is no read {number}")]
    NoRead {
        /// The read that was asked for, from 1.
        number: usize,
        /// How many there were.
        read: usize,
    },
    /// A side failed.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl From<PythonError> for BranchError {
    fn from(error: PythonError) -> Self {
        BranchError::Session(error.into())
    }
}

impl Multiverse {
    /// A run without branches. What another thread sets ends a wait for any of its programs.
    pub fn new(mut session: Session, interrupt: Arc<AtomicBool>) -> Self {
        session.interrupt_by(interrupt.clone());
        let branches = Branches::new(session.recording().options().edits.clone());
        Multiverse { branches, sessions: vec![session], interrupt }
    }

    /// The branches.
    pub fn branches(&self) -> &Branches {
        &self.branches
    }

    /// The session of the branch that is looked at.
    pub fn session(&self) -> &Session {
        &self.sessions[self.branches.current().number()]
    }

    /// The session of the branch that is looked at, to be moved.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.sessions[self.branches.current().number()]
    }

    /// Branches off by setting a variable where the session stands, in a frame: 0 is the innermost.
    /// The new branch stands at the same state. If the edit can't be made, nothing is changed.
    pub fn set(
        &mut self,
        frame: usize,
        name: &str,
        expression: &str,
    ) -> Result<BranchId, BranchError> {
        let at = self.session().index().unwrap_or(usize::MAX);
        let (name, expression) = (name.to_owned(), expression.to_owned());
        self.fork(Edit::Set { at, frame, name, expression }, at)
    }

    /// Branches off by another answer to the read of this number, from 1; none is the end of the
    /// input. The new branch stands at the state before the read.
    pub fn answer_otherwise(
        &mut self,
        number: usize,
        text: Option<&str>,
    ) -> Result<BranchId, BranchError> {
        let choices = self.session_mut().recording().choices_so_far();
        let choice = number.checked_sub(1).and_then(|place| choices.get(place));
        let Some(choice) = choice else {
            return Err(BranchError::NoRead { number, read: choices.len() });
        };
        let at = choice.at;
        let edit = Edit::Answer { at, choice: number - 1, text: text.map(str::to_owned) };
        self.fork(edit, at.saturating_sub(1))
    }

    /// Gives the program the input that it waits for, none for the end of its input. This is no
    /// branch: the run goes on.
    pub fn answer(&mut self, text: Option<&str>) -> Result<(), SessionError> {
        let session = self.session_mut();
        let edits = session.recording().options().edits.len();
        session.answer(text)?;
        let given = session.recording().options().edits.get(edits).cloned();
        if let Some(edit) = given {
            self.branches.add(edit);
        }
        Ok(())
    }

    /// Goes to the branch of this number, where it was left.
    pub fn switch(&mut self, number: usize) -> Result<(), BranchError> {
        let from = self.branches.current();
        let to = self.branches.numbered(number).ok_or(BranchError::NoBranch(number))?;
        if from != to {
            self.branches.switch(to);
            self.hand_over(from)?;
        }
        Ok(())
    }

    /// Makes the branch of an edit, and goes to its state of this index.
    fn fork(&mut self, edit: Edit, index: usize) -> Result<BranchId, BranchError> {
        if self.sessions.len() >= MAX_BRANCHES {
            return Err(BranchError::TooMany);
        }
        let from = self.branches.current();
        let mut branches = self.branches.clone();
        let to = branches.fork(edit);
        let edits = branches.here().edits.clone();
        let (method, mode) = (self.session().method(), self.session().mode());
        let program = self.session().program().clone();
        let options = RunOptions { edits, ..self.session_mut().recording().options().clone() };
        let recording = Recording::start_interruptibly(&program, &options, self.interrupt.clone())?;
        let mut session = Session::open(program, recording, method, mode)?;
        session.interrupt_by(self.interrupt.clone());
        session.travel(Travel::Event(index))?;
        self.sessions.push(session);
        self.branches = branches;
        self.hand_over(from)?;
        Ok(to)
    }

    /// Gives what one session alone has to the one that is looked at now.
    fn hand_over(&mut self, from: BranchId) -> Result<(), SessionError> {
        let old = &mut self.sessions[from.number()];
        let (points, mode, model) = (std::mem::take(old.points_mut()), old.mode(), old.detach());
        let new = self.session_mut();
        *new.points_mut() = points;
        new.set_mode(mode)?;
        match model {
            Some(model) => new.attach(model),
            None => Ok(()),
        }
    }
}
