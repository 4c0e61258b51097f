//! A model walked through the programs of a corpus.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::construct::{Construct, constructs};
use super::corpus::Item;
use super::recipe::Policy;
use super::record::{Around, ProgramRecord, Status, StepRecord};
use crate::action::Action;
use crate::neural::{Method, Neural, NeuralError};
use crate::policy::{self, Chooser};
use crate::program::Program;
use crate::python::{PythonError, Recording, RunOptions};
use crate::session::{Mode, Session, SessionError};
use crate::state::{State, Stop, Text};

/// Walks a model through programs, one after the other.
pub struct Walker {
    /// The model, while no session has it.
    model: Option<Neural>,
    /// How programs are run.
    pub options: RunOptions,
    /// What the model is told after each step.
    pub mode: Mode,
    /// How predictions are had while following.
    pub method: Method,
    /// Which actions are taken.
    pub policy: Policy,
    /// Seed of the random policy.
    pub seed: u64,
    /// Most steps of a program.
    pub most_steps: usize,
    /// Ends a wait for a program when it is set.
    pub interrupt: Arc<AtomicBool>,
}

/// Why a program can't be walked through; nothing is known of the program then.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// The model or its engine failed, or somebody interrupted.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// What takes the steps failed.
    #[error(transparent)]
    Sink(Box<dyn std::error::Error + Send + Sync>),
}

impl WalkError {
    /// Whether somebody asked for this.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, WalkError::Session(error) if error.is_interrupted())
    }
}

/// What is known of a program while it is walked through.
struct Known<'a> {
    place: usize,
    program: &'a Program,
    constructs: Vec<Vec<Construct>>,
    statements: Vec<u32>,
}

impl Walker {
    /// A walker for this model that only steps into, follows, and takes at most 1,000 steps.
    pub fn new(model: Neural, options: RunOptions) -> Self {
        Walker {
            model: Some(model),
            options,
            mode: Mode::Follow,
            method: Method::Scoring,
            policy: Policy::Into,
            seed: 0,
            most_steps: 1_000,
            interrupt: Arc::default(),
        }
    }

    /// Walks through the program at this place of a corpus, giving each step to `take`.
    pub fn walk(
        &mut self,
        place: usize,
        item: &Item,
        mut take: impl FnMut(StepRecord) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
    ) -> Result<ProgramRecord, WalkError> {
        let ended = |status| ProgramRecord { place, id: item.id.clone(), status };
        let options = RunOptions {
            entry: item.entry.clone().or_else(|| self.options.entry.clone()),
            stdin: item.stdin.clone(),
            ..self.options.clone()
        };
        let opened =
            Recording::start_interruptibly(&item.program, &options, self.interrupt.clone())
                .map_err(SessionError::from)
                .and_then(|recording| {
                    Session::open(item.program.clone(), recording, self.method, self.mode)
                });
        let mut session = match opened {
            Ok(session) => session,
            Err(error @ SessionError::Python(PythonError::Interrupted)) => return Err(error.into()),
            Err(SessionError::Python(error)) => {
                return Ok(ended(Status::Refused { reason: error.to_string() }));
            }
            Err(error) => return Err(error.into()),
        };
        session.interrupt_by(self.interrupt.clone());
        let program = &item.program;
        let lines = 1..=u32::try_from(program.lines().len()).unwrap_or(u32::MAX);
        let known = Known {
            place,
            program,
            constructs: constructs(program.text()),
            statements: lines.filter(|line| program.statement(*line).is_some()).collect(),
        };
        let walked =
            self.attach(&mut session).and_then(|()| self.steps(&mut session, &known, &mut take));
        self.model = session.detach();
        let steps = walked?;
        let exit = match session.here() {
            Stop::Exit(exit) => Some(exit.kind.name().to_owned()),
            Stop::At(_) => None,
        };
        Ok(ended(Status::Done { steps, exit, statements: known.statements }))
    }

    /// Gives the model to the session. One that can't be told the first state may be told a later one.
    fn attach(&mut self, session: &mut Session) -> Result<(), WalkError> {
        let Some(model) = self.model.take() else { return Ok(()) };
        match session.attach(model) {
            Err(SessionError::Neural(NeuralError::StateTooLong { .. })) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes the steps; how many they were.
    fn steps(
        &self,
        session: &mut Session,
        known: &Known,
        take: &mut impl FnMut(StepRecord) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
    ) -> Result<usize, WalkError> {
        let mut chooser = Chooser::new(
            match self.policy {
                Policy::Into => policy::Policy::Into,
                Policy::Over => policy::Policy::Over,
                Policy::Mixed | Policy::Each => policy::Policy::Mixed,
            },
            self.seed_of(known.place),
        );
        let mut taken = 0;
        while taken < self.most_steps && session.index().is_some() {
            let asides = match self.policy {
                Policy::Each => all_but_into(session, &mut chooser)?,
                Policy::Into | Policy::Over | Policy::Mixed => Vec::new(),
            };
            for action in asides.into_iter().take(self.most_steps - taken) {
                if let Some(record) = step(session, action, taken + 1, known)? {
                    taken += 1;
                    take(record).map_err(WalkError::Sink)?;
                    session.back(1)?;
                }
            }
            let action = match self.policy {
                Policy::Each => Action::StepInto,
                Policy::Mixed => session.with_place(|place| chooser.choose(place))?,
                Policy::Into | Policy::Over => chooser.choose(policy::Place::default()),
            };
            let Some(record) = step(session, action, taken + 1, known)? else { break };
            taken += 1;
            take(record).map_err(WalkError::Sink)?;
        }
        Ok(taken)
    }

    /// The seed of a program's own random choices, the same in any shard.
    fn seed_of(&self, place: usize) -> u64 {
        self.seed.wrapping_add((place as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

/// The actions beside `step_into` that are taken from a state, which then is gone back to.
fn all_but_into(session: &mut Session, chooser: &mut Chooser) -> Result<Vec<Action>, SessionError> {
    let mut actions = vec![Action::StepOver, Action::StepReturn];
    actions.extend(session.with_place(|place| chooser.breakpoint(place))?);
    actions.push(Action::Continue);
    Ok(actions)
}

/// Takes an action; none if it isn't available.
fn step(
    session: &mut Session,
    action: Action,
    number: usize,
    known: &Known,
) -> Result<Option<StepRecord>, SessionError> {
    let Stop::At(from) = session.here().clone() else { return Ok(None) };
    let Some(found) = session.look(action)? else { return Ok(None) };
    let to = found.index();
    let before = before(session, to)?;
    session.make(found)?;
    let start = session.steps().last().and_then(|step| step.from()).unwrap_or_default();
    // At the exit the whole run is known.
    let end = to.unwrap_or_else(|| session.recording().len_so_far());
    let lines_of = |text: &Text| known.program.numbers_of(text);
    let around = Around {
        place: known.place,
        constructs: &known.constructs,
        from: &from,
        before: before.as_ref(),
        horizon: end.checked_sub(start),
        lines_of: &lines_of,
    };
    Ok(session.steps().last().map(|step| StepRecord::of(step, number, &around)))
}

/// The state before in the frame of the state of this index.
fn before(session: &mut Session, index: Option<usize>) -> Result<Option<State>, SessionError> {
    let Some(index) = index else { return Ok(None) };
    match session.recording().previous(index)? {
        Some(before) => Ok(session.recording().state(before)?),
        None => Ok(None),
    }
}
