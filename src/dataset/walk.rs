//! Walks through a run: where they begin, and which actions they take.

use std::collections::HashMap;
use std::convert::Infallible;

use super::encoder::Encoder;
use super::recipe::Recipe;
use super::recorded::Recorded;
use crate::action::Action;
use crate::inverse::{self, InverseChooser, InverseStop, Span, Trajectory};
use crate::policy::{Chooser, Place, Policy};
use crate::program::Program;
use crate::state::{Event, Exit, ExitKind, Stop, Text};
use crate::tree::{self, Node, Target, Trace};

/// In which direction a walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// As the program ran.
    Forward,
    /// Back.
    Inverse,
}

/// A walk, told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// What the model is told.
    pub text: String,
    /// Which way it goes.
    pub direction: Direction,
    /// How its actions were chosen.
    pub policy: Policy,
    /// The function it begins in.
    pub function: Text,
    /// The recorded index of its first state.
    pub start: usize,
    /// States told, the exit not counted.
    pub states: usize,
    /// Actions taken.
    pub actions: usize,
    /// How it ends; none if it is cut.
    pub exit: Option<&'static str>,
}

/// A part of a run that is a run of its own: that of one call.
struct Part<'r> {
    nodes: &'r [Node],
    end: usize,
    exit: ExitKind,
}

impl Trace for Part<'_> {
    type Error = Infallible;

    fn node(&mut self, index: usize) -> Result<Option<Node>, Infallible> {
        Ok(self.nodes[..self.end].get(index).copied())
    }
}

/// Draws a walk through a run; none if none with an action fits.
pub fn draw(
    program: &Program,
    run: &mut Recorded,
    encoder: &Encoder,
    recipe: &Recipe,
    random: &mut fastrand::Rng,
) -> Option<Walked> {
    let walks = &recipe.walks;
    let policy = if random.f64() < walks.into { Policy::Into } else { Policy::Mixed };
    let backwards = random.f64() < walks.inverse;
    let inner = random.f64() < walks.inner;
    let at = random.choice(&inner_calls(run)).copied().filter(|_| inner).unwrap_or(0);
    let guide = Guide { program, encoder, recipe, policy, seed: random.u64(..) };
    if backwards && let Some(span) = span(run, at, random) {
        return guide.back(run, span);
    }
    let part = if at > 0 { call_at(run, at) } else { whole(run) };
    let mut start = at;
    if random.f64() < walks.midway && part.end > at + 3 {
        let middle = random.usize(at + 1..part.end - 1);
        // A model is told the locals, which only calls and lines show.
        if run.nodes[middle].event.shows_locals() {
            start = middle;
        }
    }
    guide.forth(run, part, start)
}

/// The whole run.
fn whole(run: &Recorded) -> Part<'_> {
    Part { nodes: &run.nodes, end: run.nodes.len(), exit: run.exit.kind }
}

/// The calls within a run that begin a frame which ends at its first return: those of generators
/// go on.
fn inner_calls(run: &Recorded) -> Vec<usize> {
    let nodes = &run.nodes;
    let activation = |index: usize| run.states.get(index).and_then(|state| state.activation());
    let mut times: HashMap<Option<u32>, usize> = HashMap::new();
    let calls = (0..nodes.len()).filter(|&index| nodes[index].event == Event::Call);
    calls.clone().for_each(|index| *times.entry(activation(index)).or_default() += 1);
    calls.filter(|&index| index > 0 && times.get(&activation(index)) == Some(&1)).collect()
}

/// The run of the call at this index.
fn call_at(run: &Recorded, at: usize) -> Part<'_> {
    let nodes = &run.nodes;
    let depth = nodes[at].depth;
    let ends = |node: &Node| node.depth < depth || node.depth == depth && node.event == Event::Call;
    let end = nodes[at + 1..].iter().position(ends).map_or(nodes.len(), |after| at + 1 + after);
    // What ends the program ends the call, unless the call returned before.
    let last = nodes[end - 1];
    let exit = match (last.event, last.unwinding) {
        (Event::Return, false) => ExitKind::Normal,
        (Event::Return | Event::Exception, true) => ExitKind::Error,
        _ => run.exit.kind,
    };
    Part { nodes, end, exit }
}

/// The call that a walk back goes through.
fn span(run: &mut Recorded, at: usize, random: &mut fastrand::Rng) -> Option<Span> {
    // The entry itself is `main`, whose arguments tell nothing: mostly the call in it is wanted.
    let at = if at == 0 && random.f64() < 0.8 {
        run.nodes.iter().skip(1).position(|node| node.event == Event::Call).map_or(0, |at| at + 1)
    } else {
        at
    };
    let Ok(span) = Span::around(run, at);
    span.ok()
}

/// Whether and where each line of the program is reached for the last time.
fn last_seen(program: &Program, part: &Part) -> Vec<(Text, usize)> {
    let mut last: HashMap<Text, usize> = HashMap::new();
    for (index, node) in part.nodes[..part.end].iter().enumerate() {
        last.insert(program.line(node.line), index);
    }
    let mut last: Vec<_> = last.into_iter().collect();
    last.sort_unstable();
    last
}

fn statements(program: &Program) -> Vec<Text> {
    let numbers = 1..=program.lines().len() as u32;
    let mut lines: Vec<_> = numbers.filter_map(|number| program.statement(number)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// How one walk is taken and told.
struct Guide<'g> {
    program: &'g Program,
    encoder: &'g Encoder,
    recipe: &'g Recipe,
    policy: Policy,
    seed: u64,
}

impl Guide<'_> {
    /// A walk forwards, from the state at `start` on.
    fn forth(&self, run: &Recorded, mut part: Part, start: usize) -> Option<Walked> {
        let first = run.states.get(start)?;
        let mut text = self.encoder.forward(self.program, first, self.recipe.keep.max_chars)?;
        let weights = self.recipe.policy.clone();
        let mut chooser = Chooser::weighed(self.policy, weights, self.seed);
        let (last_seen, statements) = (last_seen(self.program, &part), statements(self.program));
        let function = first.position.as_ref().map(|at| at.function.clone());
        let (mut here, mut states, mut actions, mut exit) = (start, 1, 0, None);
        while exit.is_none() {
            let can_return = self.target(&mut part, here, &Action::StepReturn).is_some();
            let reached = last_seen.iter().filter(|(_, last)| *last > here);
            let later: Vec<Text> = reached.map(|(line, _)| line.clone()).collect();
            let not_later = |line: &&Text| later.binary_search(line).is_err();
            let never_again: Vec<Text> = statements.iter().filter(not_later).cloned().collect();
            let place = Place { can_return, later: &later, never_again: &never_again };
            let action = chooser.choose(place);
            let stop = match self.target(&mut part, here, &action)? {
                Target::State(index) => {
                    here = index;
                    Stop::At(run.states.get(index)?.clone())
                }
                Target::Exit => Stop::Exit(Exit::plain(part.exit)),
            };
            if !text.add(&action, &stop) {
                break;
            }
            actions += 1;
            match stop {
                Stop::At(_) => states += 1,
                Stop::Exit(found) => exit = Some(found.kind.name()),
            }
        }
        let (text, direction, policy) = (text.finish(), Direction::Forward, self.policy);
        let function = function.unwrap_or_default();
        let walked = Walked { text, direction, policy, function, start, states, actions, exit };
        (actions > 0).then_some(walked)
    }

    fn target(&self, part: &mut Part, from: usize, action: &Action) -> Option<Target> {
        let Ok(target) = tree::target(part, self.program, from, action);
        target
    }

    /// A walk back through a call.
    fn back(&self, run: &mut Recorded, span: Span) -> Option<Walked> {
        let Ok((lines, function)) = inverse::walk::visited_lines(run, span);
        let context = inverse::context(self.program, &lines, &function);
        let mut chooser = InverseChooser::new(self.policy, self.seed);
        let keep = &self.recipe.keep;
        // Calling lines come twice.
        let most = keep.max_states * 2;
        let Ok(taken) = Trajectory::through(run, span, most, |can_call| chooser.choose(can_call));
        let taken = taken?;
        let mut text = self.encoder.inverse(&context, &taken.first, keep.max_chars)?;
        let (mut states, mut actions, mut exit) = (1, 0, None);
        for (action, stop) in &taken.steps {
            if !text.add(*action, stop) {
                break;
            }
            actions += 1;
            match stop {
                InverseStop::At(_) => states += 1,
                InverseStop::Entry(_) => exit = Some("entry"),
            }
        }
        let (text, direction, policy) = (text.finish(), Direction::Inverse, self.policy);
        let start = span.last();
        let walked = Walked { text, direction, policy, function, start, states, actions, exit };
        (actions > 0).then_some(walked)
    }
}
