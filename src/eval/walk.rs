//! A model walked through the programs of a corpus.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::asides::{Frames, all_but_into, jumps};
use super::construct::{Construct, constructs};
use super::corpus::Item;
use super::recipe::{Direction, Policy, SamplingRecord};
use super::record::{Around, ForecastRecord, ProgramRecord, SampleRecord, Status, StepRecord};
use super::samples::records;
use crate::action::Action;
use crate::diff::differences;
use crate::neural::{Method, Neural, NeuralError, Predicted, Sampling};
use crate::policy::{self, Chooser};
use crate::python::{Nursery, PythonError, Recording, RunOptions};
use crate::session::{Mode, Session, SessionError, Verdict};
use crate::state::{State, Stop, Text};

/// Walks a model through programs, one after the other.
pub struct Walker {
    /// The model, while no session has it.
    pub(super) model: Option<Neural>,
    /// Runs the programs.
    nursery: Nursery,
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
    /// Which way the model is asked to go.
    pub direction: Direction,
    /// How more answers are drawn for each step; none if there are none.
    pub sampling: Option<SamplingRecord>,
    /// Whether the model foretells each run's end from its first state.
    pub forecast: bool,
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

impl From<PythonError> for WalkError {
    fn from(error: PythonError) -> Self {
        WalkError::Session(error.into())
    }
}

impl WalkError {
    /// Whether somebody asked for this.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, WalkError::Session(error) if error.is_interrupted())
    }
}

/// What takes the steps of a walk.
pub(super) type Take<'t> =
    &'t mut dyn FnMut(StepRecord) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// What is known of a program while it is walked through.
pub(super) struct Known<'a> {
    pub place: usize,
    pub item: &'a Item,
    pub constructs: Vec<Vec<Construct>>,
    pub statements: Vec<u32>,
}

/// What became of a walk.
pub(super) struct Walked {
    /// Steps taken.
    pub steps: usize,
    /// How the run ended, if the walk came there.
    pub exit: Option<String>,
    pub forecast: Option<ForecastRecord>,
}

impl<'a> Known<'a> {
    fn of(place: usize, item: &'a Item) -> Self {
        let program = &item.program;
        let lines = 1..=u32::try_from(program.lines().len()).unwrap_or(u32::MAX);
        Known {
            place,
            item,
            constructs: constructs(program.text()),
            statements: lines.filter(|line| program.statement(*line).is_some()).collect(),
        }
    }
}

impl Walker {
    /// A walker for this model that only steps into, follows, and takes at most 1,000 steps.
    pub fn new(model: Neural, options: RunOptions) -> Self {
        Walker {
            model: Some(model),
            nursery: Nursery::new(options.host.clone()),
            options,
            mode: Mode::Follow,
            method: Method::Scoring,
            policy: Policy::Into,
            seed: 0,
            most_steps: 1_000,
            direction: Direction::Forward,
            sampling: None,
            forecast: false,
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
        let opened = self.nursery.start(&item.program, &options, self.interrupt.clone());
        // What can't be run at all shows by the first state.
        let opened = opened.and_then(|mut recording| {
            recording.state(0)?;
            Ok(recording)
        });
        let mut recording = match opened {
            Ok(recording) => recording,
            Err(error) if !is_its_own(&error) => return Err(error.into()),
            Err(error) => return Ok(ended(Status::Refused { reason: error.to_string() })),
        };
        let known = Known::of(place, item);
        let walked = match self.direction {
            Direction::Forward => self.walk_forward(recording, &known, &mut take),
            Direction::Inverse => {
                let walked = self.walk_back(&mut recording, &known, &mut take);
                self.nursery.take_back(recording);
                walked
            }
        };
        match walked {
            Ok(Walked { steps, exit, forecast }) => {
                let statements = known.statements;
                Ok(ended(Status::Done { steps, exit, statements, forecast }))
            }
            // The next program may be shorter.
            Err(WalkError::Session(SessionError::Neural(
                error @ NeuralError::ProgramTooLong { .. },
            ))) => Ok(ended(Status::Refused { reason: error.to_string() })),
            Err(error) => Err(error),
        }
    }

    /// Walks forward through a program that runs.
    fn walk_forward(
        &mut self,
        recording: Recording,
        known: &Known,
        take: Take,
    ) -> Result<Walked, WalkError> {
        let mut session =
            Session::open(known.item.program.clone(), recording, self.method, self.mode)?;
        session.interrupt_by(self.interrupt.clone());
        let walked = self.attach(&mut session).and_then(|()| {
            let forecast = if self.forecast { forecast(&mut session)? } else { None };
            Ok((self.steps(&mut session, known, take)?, forecast))
        });
        self.model = session.detach();
        let exit = match session.here() {
            Stop::Exit(exit) => Some(exit.kind.name().to_owned()),
            Stop::At(_) => None,
        };
        self.nursery.take_back(session.into_recording());
        let (steps, forecast) = walked?;
        Ok(Walked { steps, exit, forecast })
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
    fn steps(&self, session: &mut Session, known: &Known, take: Take) -> Result<usize, WalkError> {
        let mut chooser = Chooser::new(self.policy.chosen_by(), self.seed_of(known.item));
        let mut frames = Frames::default();
        let mut taken = 0;
        while taken < self.most_steps && session.index().is_some() {
            let asides = match self.policy {
                Policy::Each => all_but_into(session, &mut chooser)?,
                Policy::Horizon => jumps(session)?,
                Policy::Into | Policy::Over | Policy::Mixed => Vec::new(),
            };
            let frame = match (self.policy, session.index()) {
                (Policy::Horizon, Some(at)) => frames.states_after_call(session.recording(), at)?,
                _ => None,
            };
            // The last of the steps is the walk's own.
            for action in asides.into_iter().take(self.most_steps - taken - 1) {
                let aside = self.step(session, action, taken + 1, known)?;
                if let Some(record) = aside {
                    taken += 1;
                    take(StepRecord { frame, ..record }).map_err(WalkError::Sink)?;
                    session.back(1)?;
                }
            }
            let action = match self.policy {
                Policy::Each | Policy::Horizon => Action::StepInto,
                Policy::Mixed => session.with_place(|place| chooser.choose(place))?,
                Policy::Into | Policy::Over => chooser.choose(policy::Place::default()),
            };
            let Some(record) = self.step(session, action, taken + 1, known)? else { break };
            taken += 1;
            take(record).map_err(WalkError::Sink)?;
        }
        Ok(taken)
    }

    /// Takes an action; none if it isn't available.
    fn step(
        &self,
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
        let lines_of = |text: &Text| known.item.program.numbers_of(text);
        let samples = self.samples(session, known.item, number)?;
        let around = Around {
            place: known.place,
            constructs: &known.constructs,
            from: &from,
            before: before.as_ref(),
            horizon: end.checked_sub(start),
            lines_of: &lines_of,
        };
        let step = session.steps().last().map(|step| StepRecord::of(step, number, &around));
        Ok(step.map(|step| StepRecord { samples, ..step }))
    }

    /// More answers to the question of the last step.
    fn samples(
        &self,
        session: &Session,
        item: &Item,
        number: usize,
    ) -> Result<Vec<SampleRecord>, SessionError> {
        let (Some(sampling), Some(model)) = (self.sampling, session.model()) else {
            return Ok(Vec::new());
        };
        let Some(step) = session.steps().last() else { return Ok(Vec::new()) };
        if matches!(step.verdict, Verdict::Unjudged(_)) {
            return Ok(Vec::new());
        }
        let answers = model.sample(self.drawing(sampling, item, number), sampling.samples);
        let same = |one: &Predicted, other: &Predicted| match (one, other) {
            (Predicted::Stop(one), Predicted::Stop(other)) => differences(one, other).is_empty(),
            (Predicted::Malformed(one), Predicted::Malformed(other)) => one.raw == other.raw,
            _ => false,
        };
        let truth = Predicted::Stop(step.real.clone());
        Ok(records(&answers.wait()?, same, |answer| (same(&truth, answer), None)))
    }

    /// How the samples of a step are drawn: of each step otherwise, and the same in any shard.
    pub(super) fn drawing(&self, sampling: SamplingRecord, item: &Item, number: usize) -> Sampling {
        let SamplingRecord { temperature, top_p, .. } = sampling;
        let seed = self.seed_of(item).rotate_left(32).wrapping_add(number as u64);
        Sampling { temperature, top_p, seed }
    }

    /// The seed of a program's own random choices. It is made of what is run, so that a program is
    /// walked alike in any shard, in any corpus and by any worker.
    pub(super) fn seed_of(&self, item: &Item) -> u64 {
        self.seed.wrapping_add(item.fingerprint())
    }
}

/// What the model says of the run's end before the first step, and how it really ends. None if the
/// model can't be asked.
fn forecast(session: &mut Session) -> Result<Option<ForecastRecord>, SessionError> {
    let Some(model) = session.model() else { return Ok(None) };
    let Some(exits) = model.exits().wait()? else { return Ok(None) };
    let end = session.look(Action::Continue)?.map(|found| found.real);
    Ok(match end {
        Some(Stop::Exit(exit)) => ForecastRecord::of(exits, &exit),
        Some(Stop::At(_)) | None => None,
    })
}

/// Whether an error is the program's own, and not one of what runs it: such a program would be
/// refused again.
pub(super) fn is_its_own(error: &PythonError) -> bool {
    let not = matches!(
        error,
        PythonError::Interrupted | PythonError::Start(_) | PythonError::Version { .. }
    );
    !not
}

/// The state before in the frame of the state of this index.
fn before(session: &mut Session, index: Option<usize>) -> Result<Option<State>, SessionError> {
    let Some(index) = index else { return Ok(None) };
    match session.recording().previous(index)? {
        Some(before) => Ok(session.recording().state(before)?),
        None => Ok(None),
    }
}
