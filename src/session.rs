//! A session: both sides in step.
//!
//! An action moves the real cursor on the recorded tree, and the model predicts where it leads.
//! In *follow* mode the model's context is then told what really happened; in *free* mode it keeps
//! what the model said. Undoing takes an action back on both sides; other moves back, and jumps,
//! have no prediction, and the model is told where the real side stands before it predicts again.

mod infer;
mod stops;

pub use infer::{Inquiry, NoInquiry};

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::diff::{Difference, differences};
use crate::neural::{Method, Neural, NeuralError, Predicted, Prediction, Surprise};
use crate::points::{Id, Logged, Points, Search};
use crate::policy::Place;
use crate::program::Program;
use crate::python::{Inspector, PythonError, Recording, Wanted};
use crate::state::{Exit, ExitKind, State, Stop, Text};
use crate::tree::{self, Target};

/// What the model's context holds after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// What really happened.
    Follow,
    /// What the model said.
    Free,
}

impl Mode {
    /// The word for this mode in JSON and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Follow => "follow",
            Mode::Free => "free",
        }
    }
}

/// What came of comparing a step's two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every field agrees.
    Agreed,
    /// These fields differ.
    Diverged(Vec<Difference>),
    /// The model wrote no legal frame.
    Malformed,
    /// Nothing to judge.
    Unjudged(Unjudged),
}

/// Why a step has no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unjudged {
    /// Nobody predicts.
    #[error("no model")]
    NoModel,
    /// The real run was stopped here: nobody knows what came next.
    #[error("the real run was stopped")]
    Stopped,
    /// The model can't be told this state, since it is too long; it goes on after it.
    #[error("{0}")]
    TooLong(Text),
}

/// One action and where it led on both sides.
#[derive(Clone, Debug)]
pub struct Step {
    /// 1 for the first action.
    pub number: usize,
    /// What was done.
    pub action: Action,
    /// The mode it was done in.
    pub mode: Mode,
    /// Where the real run stopped.
    pub real: Stop,
    /// What the model said; none without a model.
    pub prediction: Option<Prediction>,
    /// How the two compare.
    pub verdict: Verdict,
    /// Whether the real side had gone to the state before without the model, whose context began
    /// anew there, in free mode, too.
    pub jumped: bool,
    from: Target,
    target: Target,
    /// Where the model's context stands after this step. It is elsewhere than the target once the
    /// real side went on from there.
    told: Target,
}

impl Step {
    /// The recorded index of the state from which the action was taken; none at the exit.
    pub fn from(&self) -> Option<usize> {
        match self.from {
            Target::State(index) => Some(index),
            Target::Exit => None,
        }
    }

    /// Whether the model was wrong here.
    pub fn diverged(&self) -> bool {
        matches!(self.verdict, Verdict::Diverged(_) | Verdict::Malformed)
    }

    /// Surprise of the real state under the model, base 2; none if it was not scored.
    pub fn bits(&self) -> Option<f64> {
        self.prediction.as_ref()?.surprise.as_ref().map(Surprise::total)
    }

    /// The fields that differ.
    pub fn differences(&self) -> &[Difference] {
        match &self.verdict {
            Verdict::Diverged(differences) => differences,
            _ => &[],
        }
    }
}

/// Writes the step object of docs/json.md.
impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (agree, unjudged) = match &self.verdict {
            Verdict::Agreed => (Some(true), None),
            Verdict::Diverged(_) | Verdict::Malformed => (Some(false), None),
            Verdict::Unjudged(why) => (None, Some(why.to_string())),
        };
        let prediction = self.prediction.as_ref();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("step", &self.number)?;
        map.serialize_entry("action", &self.action.to_string())?;
        map.serialize_entry("from", &self.from())?;
        map.serialize_entry("jumped", &self.jumped)?;
        map.serialize_entry("mode", &self.mode)?;
        map.serialize_entry("real", &self.real)?;
        map.serialize_entry("predicted", &prediction.map(|prediction| &prediction.outcome))?;
        map.serialize_entry("agree", &agree)?;
        map.serialize_entry("unjudged", &unjudged)?;
        map.serialize_entry("diff", self.differences())?;
        map.serialize_entry("bits", &self.bits())?;
        map.serialize_entry("bits_by_field", &prediction.map(|p| &p.surprise))?;
        map.serialize_entry("restarted", &prediction.is_some_and(|p| p.restarted))?;
        map.end()
    }
}

/// Why a session can't go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The real side failed.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// The model side failed.
    #[error(transparent)]
    Neural(#[from] NeuralError),
}

impl SessionError {
    /// Whether somebody asked for this: nothing is wrong.
    pub fn is_interrupted(&self) -> bool {
        match self {
            SessionError::Python(error) => matches!(error, PythonError::Interrupted),
            SessionError::Neural(error) => error.is_cancelled(),
        }
    }
}

/// Where an action led on the real side; the prediction is still to come.
#[derive(Clone, Debug)]
pub struct Move {
    /// What would be done.
    pub action: Action,
    target: Target,
    /// Where the real run stopped.
    pub real: Stop,
}

impl Move {
    /// The recorded index it leads to; none at the exit.
    pub fn index(&self) -> Option<usize> {
        match self.target {
            Target::State(index) => Some(index),
            Target::Exit => None,
        }
    }
}

/// Both sides of a run, in step.
pub struct Session {
    program: Program,
    recording: Recording,
    model: Option<Neural>,
    method: Method,
    mode: Mode,
    entry: Stop,
    steps: Vec<Step>,
    /// Where the real side stands: where the last step led, or where it went from there without the
    /// model.
    at: Target,
    here: Stop,
    /// Where undoing ends: the entry, or where a branch begins.
    home: Target,
    /// Where the model's context began; none if it has to begin anew before the next step.
    origin: Option<Target>,
    /// How many steps were taken before it began.
    begun: usize,
    points: Points,
    search: Search,
    inspector: Inspector,
    /// What log points printed, in the order of the states.
    logged: BTreeMap<(usize, Id), Logged>,
    interrupt: Arc<AtomicBool>,
    /// For each source line that runs, the last state that holds it; known once all is recorded.
    last_seen: Option<HashMap<Text, usize>>,
}

impl Session {
    /// Opens a session at the entry, without a model. Waits for the first state.
    pub fn open(
        program: Program,
        mut recording: Recording,
        method: Method,
        mode: Mode,
    ) -> Result<Self, SessionError> {
        let inspector = Inspector::new(&program, recording.options());
        let entry = stop_at(&mut recording, Target::State(0))?;
        Ok(Session {
            program,
            recording,
            model: None,
            method,
            mode,
            at: target_of(&entry),
            here: entry.clone(),
            home: target_of(&entry),
            origin: None,
            begun: 0,
            entry,
            steps: Vec::new(),
            points: Points::default(),
            search: Search::default(),
            inspector,
            logged: BTreeMap::new(),
            interrupt: Arc::default(),
            last_seen: None,
        })
    }

    /// Lets another thread end a wait for the program or a search for a stop; see
    /// [`Recording::interrupt_by`].
    pub fn interrupt_by(&mut self, interrupt: Arc<AtomicBool>) {
        self.interrupt = interrupt.clone();
        self.inspector.interrupt_by(interrupt.clone());
        self.recording.interrupt_by(interrupt);
    }

    /// Lets this model predict from here on: tells it the program and where the real side stands.
    /// Steps that were taken already stay as they are. A model that can't be told this state is
    /// attached all the same, since it may be told another one later.
    pub fn attach(&mut self, model: Neural) -> Result<(), SessionError> {
        self.model = Some(model);
        self.begin()
    }

    /// Takes the model away: nobody predicts from here on.
    pub fn detach(&mut self) -> Option<Neural> {
        self.origin = None;
        self.model.take()
    }

    /// The recorded run, which no session needs any more.
    pub fn into_recording(self) -> Recording {
        self.recording
    }

    /// Begins the model's context anew where the real side stands.
    fn begin(&mut self) -> Result<(), SessionError> {
        self.begun = self.steps.len();
        self.origin = None;
        if let (Some(model), Stop::At(state)) = (&self.model, &self.here) {
            model.begin(self.program.clone(), state.clone()).wait()?;
            self.origin = Some(self.at);
        }
        Ok(())
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The recorded run, as far as it is known.
    pub fn recording(&mut self) -> &mut Recording {
        &mut self.recording
    }

    /// The model, if there is one.
    pub fn model(&self) -> Option<&Neural> {
        self.model.as_ref()
    }

    /// How predictions are had while following.
    pub fn method(&self) -> Method {
        self.method
    }

    /// What the next step will leave in the model's context.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The entry's state, where every session starts.
    pub fn entry(&self) -> &Stop {
        &self.entry
    }

    /// The steps taken, oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Where the real side stands.
    pub fn here(&self) -> &Stop {
        &self.here
    }

    /// The step that led here; none at the entry, and where the real side went without the model.
    pub fn arrived_by(&self) -> Option<&Step> {
        self.steps.last().filter(|step| step.target == self.at)
    }

    /// The recorded index where the real side stands; none at the exit.
    pub fn index(&self) -> Option<usize> {
        match self.at {
            Target::State(index) => Some(index),
            Target::Exit => None,
        }
    }

    /// Where `action` leads on the real side, without going there; none if it isn't available.
    pub fn look(&mut self, action: Action) -> Result<Option<Move>, SessionError> {
        let Some(from) = self.index() else { return Ok(None) };
        let target = tree::target(&mut self.recording, &self.program, from, &action)?;
        let Some(target) = target else { return Ok(None) };
        let real = stop_at(&mut self.recording, target)?;
        Ok(Some(Move { action, target, real }))
    }

    /// Makes a move that [`Session::look`] found, asking the model for its prediction.
    pub fn make(&mut self, step: Move) -> Result<&Step, SessionError> {
        let Move { action, target, real } = step;
        let led = self.steps.last().map_or(self.home, |step| step.target);
        let jumped = led != self.at;
        let told = match self.tell() {
            Ok(()) => Ok(()),
            Err(SessionError::Neural(error)) => Err(error),
            Err(error) => return Err(error),
        };
        let answer = self.model.as_ref().map(|model| {
            told.and_then(|()| match self.mode {
                Mode::Follow => model.follow(action.clone(), real.clone(), self.method).wait(),
                Mode::Free => model.free(action.clone()).wait(),
            })
        });
        let (prediction, verdict) = match answer {
            None => (None, Verdict::Unjudged(Unjudged::NoModel)),
            Some(Err(error @ NeuralError::StateTooLong { .. })) => {
                (None, Verdict::Unjudged(Unjudged::TooLong(error.to_string().into())))
            }
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(prediction)) => {
                let verdict = judge(&real, &prediction.outcome);
                (Some(prediction), verdict)
            }
        };
        let number = self.steps.len() + 1;
        let mode = self.mode;
        let from = std::mem::replace(&mut self.at, target);
        self.here = real.clone();
        self.steps.push(Step {
            number,
            action,
            mode,
            real,
            prediction,
            verdict,
            jumped,
            from,
            target,
            told: target,
        });
        self.log_passed(from)?;
        Ok(&self.steps[number - 1])
    }

    /// Takes an action on both sides; none if it isn't available here.
    pub fn take(&mut self, action: Action) -> Result<Option<&Step>, SessionError> {
        match self.look(action)? {
            None => Ok(None),
            Some(found) => self.make(found).map(Some),
        }
    }

    /// Undoes the last `count` steps on both sides (fewer if fewer were taken). A move without the
    /// model counts as one: undoing it leads to where the last step before it led.
    pub fn back(&mut self, count: usize) -> Result<(), SessionError> {
        let mut left = self.steps.len();
        let mut to = self.at;
        for _ in 0..count {
            let last = left.checked_sub(1).map(|last| &self.steps[last]);
            let home = last.map_or(self.home, |step| step.target);
            match last {
                _ if to != home => to = home,
                Some(step) => {
                    to = step.from;
                    left -= 1;
                }
                None => break,
            }
        }
        let here = stop_at(&mut self.recording, to)?;
        self.keep(left)?;
        (self.at, self.here) = (to, here);
        Ok(())
    }

    /// Forgets all steps but the first `left`, on both sides.
    fn keep(&mut self, left: usize) -> Result<(), SessionError> {
        if left >= self.steps.len() {
            return Ok(());
        }
        self.steps.truncate(left);
        match (&self.model, left.checked_sub(self.begun)) {
            (Some(model), Some(told)) if self.origin.is_some() => model.rewind(told).wait()?,
            // The model was told nothing of what came before its context.
            _ => (self.begun, self.origin) = (self.begun.min(left), None),
        }
        Ok(())
    }

    /// Where the model's context stands; none if it has to begin anew.
    fn told(&self) -> Option<Target> {
        match self.steps.get(self.begun..).and_then(<[Step]>::last) {
            Some(step) => self.origin.map(|_| step.told),
            None => self.origin,
        }
    }

    /// Lets the model's context begin anew if the real side went on without it: an action in a
    /// context leads to the state behind it.
    fn tell(&mut self) -> Result<(), SessionError> {
        match self.told() == Some(self.at) {
            true => Ok(()),
            false => self.begin(),
        }
    }

    /// Changes the mode from the next step on. Following again begins with a resync: the model is
    /// told where the real side stands.
    pub fn set_mode(&mut self, mode: Mode) -> Result<(), SessionError> {
        if (self.mode, mode) == (Mode::Free, Mode::Follow) {
            self.resync()?;
        }
        self.mode = mode;
        Ok(())
    }

    /// Tells the model where the real side stands, in place of what it said last.
    pub fn resync(&mut self) -> Result<(), SessionError> {
        let led_here = self.arrived_by().is_some() && self.steps.len() > self.begun;
        match (&self.model, self.steps.last_mut()) {
            (Some(model), Some(step)) if led_here && self.origin.is_some() => {
                model.resync(self.here.clone()).wait()?;
                step.told = self.at;
                Ok(())
            }
            _ => self.tell(),
        }
    }

    /// The input that the program waits for, and how it is answered; none if it doesn't wait.
    /// While it waits, moves beyond that give [`PythonError::Waits`].
    pub fn wanted_input(&self) -> Option<&Wanted> {
        self.recording.wanted_input()
    }

    /// Gives the program the input that it waits for, none for the end of its input.
    pub fn answer(&mut self, text: Option<&str>) -> Result<(), SessionError> {
        self.recording.answer(text)?;
        self.inspector = Inspector::new(&self.program, self.recording.options());
        self.inspector.interrupt_by(self.interrupt.clone());
        self.last_seen = None;
        Ok(())
    }

    /// What a policy is told of this place. Runs the program to its end first, since which lines
    /// are reached later is known only then.
    pub fn with_place<R>(&mut self, choose: impl FnOnce(Place) -> R) -> Result<R, SessionError> {
        if self.last_seen.is_none() {
            self.last_seen = Some(self.find_last_seen()?);
        }
        let can_return = self.look(Action::StepReturn)?.is_some();
        let here = self.index().unwrap_or(usize::MAX);
        let last_seen = self.last_seen.iter().flatten();
        let mut later: Vec<Text> =
            last_seen.filter(|&(_, &last)| last > here).map(|(line, _)| line.clone()).collect();
        later.sort_unstable();
        let statements = (1..=self.program.lines().len() as u32)
            .filter_map(|number| self.program.statement(number));
        let mut never_again: Vec<Text> =
            statements.filter(|line| later.binary_search(line).is_err()).collect();
        never_again.sort_unstable();
        never_again.dedup();
        Ok(choose(Place { can_return, later: &later, never_again: &never_again }))
    }

    fn find_last_seen(&mut self) -> Result<HashMap<Text, usize>, SessionError> {
        let mut last = HashMap::new();
        let mut index = 0;
        while let Some(node) = tree::Trace::node(&mut self.recording, index)? {
            last.insert(self.program.line(node.line), index);
            index += 1;
        }
        Ok(last)
    }

    /// The counts over the steps taken.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary {
            steps: self.steps.len(),
            exit: match self.here() {
                Stop::Exit(exit) => Some(exit.clone()),
                Stop::At(_) => None,
            },
            ..Summary::default()
        };
        for step in &self.steps {
            match step.verdict {
                Verdict::Agreed => summary.agreed += 1,
                Verdict::Malformed => summary.malformed += 1,
                Verdict::Unjudged(_) => summary.unjudged += 1,
                Verdict::Diverged(_) => {}
            }
            if step.diverged() && summary.first_divergence.is_none() {
                summary.first_divergence = Some(step.number);
            }
            summary.jumps += usize::from(step.jumped);
            if let Some(prediction) = &step.prediction {
                summary.restarts += usize::from(prediction.restarted);
            }
            if let Some(bits) = step.bits() {
                summary.scored += 1;
                summary.bits = Some(summary.bits.unwrap_or(0.0) + bits);
            }
        }
        summary
    }
}

/// The counts over a session's steps; the fields of docs/json.md.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Steps taken.
    pub steps: usize,
    /// Of these, those on which every field agrees.
    pub agreed: usize,
    /// Those on which the model wrote no legal frame.
    pub malformed: usize,
    /// Those without a verdict.
    pub unjudged: usize,
    /// The first step that does not agree.
    pub first_divergence: Option<usize>,
    /// Steps whose real state was scored.
    pub scored: usize,
    /// Surprise of all real states that were scored, base 2; none if none was.
    pub bits: Option<f64>,
    /// How often the model's context was full and began anew.
    pub restarts: usize,
    /// How often the real side went on without the model, whose context began anew there.
    pub jumps: usize,
    /// The exit state, if the steps reached it.
    pub exit: Option<Exit>,
}

impl Summary {
    /// Steps with a verdict.
    pub fn judged(&self) -> usize {
        self.steps - self.unjudged
    }

    /// Steps with a verdict on which some field differs or the frame was malformed.
    pub fn diverged(&self) -> usize {
        self.judged() - self.agreed
    }

    /// Share of the judged steps that agree; none if none was judged.
    pub fn fidelity(&self) -> Option<f64> {
        (self.judged() > 0).then(|| self.agreed as f64 / self.judged() as f64)
    }
}

/// What comes of comparing the real stop with what the model said.
fn judge(real: &Stop, outcome: &Predicted) -> Verdict {
    match (real, outcome) {
        (Stop::Exit(Exit { kind: ExitKind::Stopped, .. }), _) => {
            Verdict::Unjudged(Unjudged::Stopped)
        }
        (_, Predicted::Malformed(_)) => Verdict::Malformed,
        (_, Predicted::Stop(predicted)) => match differences(real, predicted) {
            found if found.is_empty() => Verdict::Agreed,
            found => Verdict::Diverged(found),
        },
    }
}

/// Where the entry's stop is.
fn target_of(entry: &Stop) -> Target {
    match entry {
        Stop::At(_) => Target::State(0),
        Stop::Exit(_) => Target::Exit,
    }
}

/// The recorded stop at `target`.
fn stop_at(recording: &mut Recording, target: Target) -> Result<Stop, PythonError> {
    if let Target::State(index) = target
        && let Some(state) = recording.state(index)?
    {
        return Ok(Stop::At(state));
    }
    Ok(Stop::Exit(recording.exit()?))
}

/// The locals of `state` whose text is not what `before` (the frame's state before it) showed.
pub fn changed<'a>(
    state: &'a State,
    before: Option<&'a State>,
) -> impl Iterator<Item = (&'a Text, &'a Text)> {
    let pairs = state.locals.iter().enumerate();
    let differs = move |(place, (name, value)): &(usize, (&Text, &'a Text))| {
        before.and_then(|before| before.locals.get_near(*place, name)) != Some(*value)
    };
    pairs.filter(differs).map(|(_, pair)| pair)
}
