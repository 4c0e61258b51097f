//! Recorded runs for tests: written by hand, or drawn at random and well-formed.

use std::collections::HashMap;

use proptest::prelude::*;

use super::evaluator::Evaluator;
use super::run::Run;
use crate::python::{Evaluated, PythonError};
use crate::state::{Event, Exit, ExitKind, Locals, Position, Raised, State, Text};
use crate::tree::{Node, Trace};

/// A run whose states are all known.
#[derive(Clone, Debug)]
pub struct Script {
    pub states: Vec<State>,
    pub unwinding: Vec<bool>,
    pub exit: Exit,
}

impl Script {
    /// Reads states such as `line 0 @3 n=1`, separated by `;`: event, depth, line and locals. A
    /// `call` enters a new activation and `resume` the one before at that depth; `!` behind the
    /// event says that an exception leaves the frame, `^Class` which it is.
    pub fn of(text: &str) -> Script {
        let mut builder = Builder::default();
        for written in text.split(';') {
            let mut words = written.split_whitespace();
            let word = words.next().unwrap();
            let depth = words.next().unwrap().parse().unwrap();
            let (mut line, mut locals, mut class) = (0, Locals::new(), None);
            for word in words {
                if let Some(number) = word.strip_prefix('@') {
                    line = number.parse().unwrap();
                } else if let Some(name) = word.strip_prefix('^') {
                    class = Some(name);
                } else {
                    let (name, value) = word.split_once('=').unwrap();
                    locals.set(name.into(), value.into());
                }
            }
            let unwinding = word.ends_with('!');
            let (event, resumed) = match word.trim_end_matches('!') {
                "call" => (Event::Call, false),
                "resume" => (Event::Call, true),
                "line" => (Event::Line, false),
                "return" => (Event::Return, false),
                "exception" => (Event::Exception, false),
                other => panic!("no event: {other}"),
            };
            builder.push(event, resumed, depth, line, locals, unwinding, class);
        }
        builder.finish()
    }
}

#[derive(Default)]
struct Builder {
    states: Vec<State>,
    unwinding: Vec<bool>,
    /// The latest activation at each depth.
    latest: HashMap<u32, u32>,
    activations: u32,
}

impl Builder {
    #[allow(clippy::too_many_arguments)]
    fn push(
        &mut self,
        event: Event,
        resumed: bool,
        depth: u32,
        line: u32,
        locals: Locals,
        unwinding: bool,
        class: Option<&str>,
    ) {
        if event == Event::Call && !resumed {
            self.latest.insert(depth, self.activations);
            self.activations += 1;
        }
        let activation = self.latest[&depth];
        self.states.push(State {
            event,
            source: format!("line {line}").into(),
            locals,
            value: None,
            exception: class.map(|class| Raised { class: class.into(), message: "".into() }),
            position: Some(Position {
                function: format!("f{depth}").into(),
                line,
                depth,
                activation,
                unwinds: false,
            }),
        });
        self.unwinding.push(unwinding);
    }

    fn finish(self) -> Script {
        let last = self.states.len() - 1;
        let raised = |state: &&State| state.depth() == 0 && state.exception.is_some();
        let exit = match self.unwinding[last] {
            true => Exit {
                exception: self.states.iter().rev().find(raised).unwrap().exception.clone(),
                ..Exit::plain(ExitKind::Error)
            },
            false => Exit::plain(ExitKind::Normal),
        };
        Script { states: self.states, unwinding: self.unwinding, exit }
    }
}

impl State {
    fn depth(&self) -> u32 {
        self.position.as_ref().unwrap().depth
    }
}

impl Trace for Script {
    type Error = PythonError;

    fn node(&mut self, index: usize) -> Result<Option<Node>, PythonError> {
        Ok(self.states.get(index).map(|state| Node {
            event: state.event,
            line: state.line().unwrap(),
            depth: state.depth(),
            unwinding: self.unwinding[index],
        }))
    }
}

impl Run for Script {
    fn state(&mut self, index: usize) -> Result<Option<State>, PythonError> {
        Ok(self.states.get(index).cloned())
    }

    fn previous(&mut self, index: usize) -> Result<Option<usize>, PythonError> {
        let wanted = self.states[index].activation();
        Ok(self.states[..index].iter().rposition(|state| state.activation() == wanted))
    }

    fn may_change(&mut self, _: usize, _: &str) -> Result<bool, PythonError> {
        Ok(true)
    }

    fn exit(&mut self) -> Result<Exit, PythonError> {
        Ok(self.exit.clone())
    }
}

/// Evaluates `NAME`, `NAME == TEXT` and `raise` by looking at the locals of a script, and keeps
/// what it was asked.
pub struct Lookup {
    pub script: Script,
    pub asked: Vec<usize>,
}

impl Evaluator for Lookup {
    fn evaluate(
        &mut self,
        at: usize,
        frame: usize,
        expression: &str,
    ) -> Result<Evaluated, PythonError> {
        self.asked.push(at);
        let state = &self.script.states[at];
        assert_eq!(frame, 0);
        let local = |name: &str| state.locals.get(name).cloned();
        Ok(match expression.split_once(" == ") {
            Some((name, text)) => {
                let truthy = local(name).is_some_and(|value| *value == *text);
                Evaluated::Value {
                    text: if truthy { "True" } else { "False" }.into(),
                    truthy,
                    identity: None,
                }
            }
            None => match local(expression) {
                Some(text) => Evaluated::Value { truthy: &*text != "0", text, identity: None },
                None => Evaluated::Raised(Raised {
                    class: "NameError".into(),
                    message: Text::from(format!("name '{expression}' is not defined")),
                }),
            },
        })
    }
}

/// A well-formed run with generators and exceptions, and a state of it.
pub fn scripts() -> impl Strategy<Value = (Script, usize)> {
    let moves = prop::collection::vec((0..8u8, 1..6u32, 0..3u8), 1..60);
    (moves, any::<prop::sample::Index>()).prop_map(|(moves, at)| {
        let script = drawn(&moves);
        let at = at.index(script.states.len());
        (script, at)
    })
}

/// Plays random moves on a stack of frames, then leaves all that are open.
fn drawn(moves: &[(u8, u32, u8)]) -> Script {
    let mut builder = Builder::default();
    let mut variables: HashMap<u32, Locals> = HashMap::new();
    let mut depth = 0;
    // At each depth, whether a generator waits there to be resumed.
    let mut suspended: HashMap<u32, u32> = HashMap::new();
    builder.push(Event::Call, false, 0, 1, Locals::new(), false, None);
    for &(kind, line, value) in moves {
        let activation = builder.latest[&depth];
        let locals = variables.entry(activation).or_default();
        match kind {
            0..=3 => {
                if value > 0 {
                    locals.set("n".into(), value.to_string().as_str().into());
                }
                let locals = locals.clone();
                builder.push(Event::Line, false, depth, line, locals, false, None);
            }
            4 if depth < 4 => {
                depth += 1;
                let resumed = suspended.remove(&depth);
                if let Some(activation) = resumed {
                    builder.latest.insert(depth, activation);
                }
                let locals = resumed.map(|activation| variables[&activation].clone());
                let locals = locals.unwrap_or_default();
                builder.push(Event::Call, resumed.is_some(), depth, line, locals, false, None);
                variables.entry(builder.latest[&depth]).or_default();
            }
            5 | 6 if depth > 0 => {
                if kind == 6 {
                    suspended.insert(depth, activation);
                }
                let locals = locals.clone();
                builder.push(Event::Return, false, depth, line, locals, false, None);
                depth -= 1;
            }
            7 => {
                let (locals, left) = (locals.clone(), value > 0 && depth > 0);
                let class = Some("KeyError");
                let push = |builder: &mut Builder, event, depth, locals, left, class| {
                    builder.push(event, false, depth, line, locals, left, class);
                };
                push(&mut builder, Event::Exception, depth, locals.clone(), left, class);
                if left {
                    push(&mut builder, Event::Return, depth, locals, true, None);
                    depth -= 1;
                    let locals =
                        variables.get(&builder.latest[&depth]).cloned().unwrap_or_default();
                    push(&mut builder, Event::Exception, depth, locals, false, class);
                }
            }
            _ => {}
        }
    }
    for depth in (0..=depth).rev() {
        let locals = variables.get(&builder.latest[&depth]).cloned().unwrap_or_default();
        builder.push(Event::Return, false, depth, 9, locals, false, None);
    }
    builder.finish()
}
