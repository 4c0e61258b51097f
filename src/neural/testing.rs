//! Runs of small programs for tests, recorded with CPython's `sys.settrace`.

use serde::Deserialize;

use crate::action::Action;
use crate::program::Program;
use crate::state::{Event, Exit, ExitKind, Locals, Position, Raised, State, Stop, Text};
use crate::tree::{self, Node, Target, Trace};

/// A recorded run.
pub(super) struct Run {
    pub program: Program,
    pub states: Vec<State>,
    nodes: Vec<Node>,
    exit: ExitKind,
}

#[derive(Deserialize)]
struct RawRun {
    program: String,
    exit: ExitKind,
    states: Vec<RawState>,
}

/// Event, line, depth, activation, unwinding, locals, value, exception.
#[derive(Deserialize)]
struct RawState(Event, u32, u32, u32, bool, Locals, Option<Text>, Option<Raised>);

/// All recorded runs.
pub(super) fn runs() -> Vec<Run> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/traces.json");
    let raw: Vec<RawRun> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    raw.into_iter().map(Run::from).collect()
}

impl From<RawRun> for Run {
    fn from(raw: RawRun) -> Run {
        let program = Program::from_text("p.py".into(), &raw.program).unwrap();
        let nodes = raw.states.iter().map(RawState::node).collect();
        let states = raw.states.into_iter().map(|state| state.state(&program)).collect();
        Run { program, states, nodes, exit: raw.exit }
    }
}

impl RawState {
    fn node(&self) -> Node {
        let &RawState(event, line, depth, _, unwinding, ..) = self;
        Node { event, line, depth, unwinding }
    }

    fn state(self, program: &Program) -> State {
        let RawState(event, line, depth, activation, _, locals, value, exception) = self;
        let position = Position { function: "f".into(), line, depth, activation, unwinds: false };
        let source = program.line(line);
        State { event, source, locals, value, exception, position: Some(position) }
    }
}

impl Trace for &[Node] {
    type Error = std::convert::Infallible;
    fn node(&mut self, index: usize) -> Result<Option<Node>, Self::Error> {
        Ok(self.get(index).copied())
    }
}

impl Run {
    /// The steps that `actions` lead through; those not available are left out.
    pub(super) fn walk(&self, actions: impl IntoIterator<Item = Action>) -> Vec<(Action, Stop)> {
        let mut at = 0;
        let mut steps = Vec::new();
        for action in actions {
            let Ok(target) = tree::target(&mut &*self.nodes, &self.program, at, &action);
            match target {
                None => {}
                Some(Target::State(index)) => {
                    at = index;
                    steps.push((action, Stop::At(self.states[index].clone())));
                }
                Some(Target::Exit) => {
                    steps.push((action, Stop::Exit(Exit::plain(self.exit))));
                    break;
                }
            }
        }
        steps
    }

    /// All steps, one by one.
    pub(super) fn all(&self) -> Vec<(Action, Stop)> {
        self.walk(std::iter::repeat(Action::StepInto))
    }

    /// Steps of all kinds, chosen by a seed as the paper's policy weighs them.
    pub(super) fn mixed(&self, seed: u64) -> Vec<(Action, Stop)> {
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        self.walk(std::iter::from_fn(|| {
            // Xorshift: enough to vary the steps.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let line = &self.states[(random >> 20) as usize % self.states.len()].source;
            Some(match random % 100 {
                0..40 => Action::StepInto,
                40..75 => Action::StepOver,
                75..90 => Action::StepReturn,
                90..98 => Action::Breakpoint(line.clone()),
                _ => Action::Continue,
            })
        }))
    }
}
