//! Inverse states: what they say, and which variables they tell (spec, section 2.3).
//!
//! Going back, a state tells the variables whose values differ from those of its frame's state
//! visited just before, which is the later one in time. The first is the frame's return, which
//! prints no variables but counts. A variable that doesn't exist yet in the earlier state isn't
//! marked in any way. So what a value was *at last* is never told, and a state that leaves
//! variables out may have any of the later one's, or none: [`Told::over`] takes all of them, which
//! is the most that it can mean.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::tree::Node;
use crate::state::{Event, Field, Locals, State, Text};

/// Where an inverse state stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum InverseEvent {
    /// A frame was entered: what its arguments are.
    #[serde(rename = "inv_call")]
    Call,
    /// A line is about to run.
    #[serde(rename = "inv_line")]
    Line,
    /// What a line called has just returned.
    #[serde(rename = "inv_line_call")]
    LineCall,
    /// A frame is about to return.
    #[serde(rename = "inv_return")]
    Return,
}

impl InverseEvent {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Call, Self::Line, Self::LineCall, Self::Return];

    /// The word for this event in JSON and on screen.
    pub fn name(self) -> &'static str {
        match self {
            InverseEvent::Call => "inv_call",
            InverseEvent::Line => "inv_line",
            InverseEvent::LineCall => "inv_line_call",
            InverseEvent::Return => "inv_return",
        }
    }

    /// The event that a node of the inverse tree stands for; none for an exception, which no
    /// inverse tree holds.
    pub fn of(node: Node, event: Event) -> Option<Self> {
        match (node, event) {
            (Node::LineCall(_), _) => Some(InverseEvent::LineCall),
            (Node::State(_), Event::Call) => Some(InverseEvent::Call),
            (Node::State(_), Event::Line) => Some(InverseEvent::Line),
            (Node::State(_), Event::Return) => Some(InverseEvent::Return),
            (Node::State(_), Event::Exception) => None,
        }
    }
}

/// The variables that a state tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Names and values, in the order of the frame.
    pub pairs: Locals,
    /// Others are left out, since they have the values that they have in the later state.
    pub rest: bool,
}

impl Told {
    /// All variables at the most: those told, and of those left out all that the later state has.
    pub fn over(&self, later: &Locals) -> Locals {
        let mut all = if self.rest { later.clone() } else { Locals::new() };
        for (name, value) in self.pairs.iter() {
            all.set(name.clone(), value.clone());
        }
        all
    }
}

/// `{name: value}`, with `"..": ".."` first if variables are left out, as in the format.
impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rest = self.rest.then_some(("..", ".."));
        let told = self.pairs.iter().map(|(name, value)| (&**name, &**value));
        serializer.collect_map(rest.into_iter().chain(told))
    }
}

/// An inverse state as it is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InverseState {
    /// Where it stands.
    pub event: InverseEvent,
    /// The source line without its newline, indentation kept.
    pub source: Text,
    /// The variables that it tells; a return tells none.
    pub locals: Told,
    /// The returned value, at returns.
    pub value: Option<Text>,
}

/// Where a move back stops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum InverseStop {
    /// At a state.
    At(InverseState),
    /// Before the call of the entry.
    Entry(Entry),
}

/// The exit state of an inverse run, which stands before the entry's call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    exit: EntryWord,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
enum EntryWord {
    #[default]
    #[serde(rename = "inv_entry")]
    Entry,
}

impl InverseStop {
    /// The exit state.
    pub fn entry() -> Self {
        InverseStop::Entry(Entry::default())
    }

    /// Whether both say the same; the order of variables is not compared, as it isn't in Python.
    pub fn agrees_with(&self, other: &InverseStop) -> bool {
        self.differences(other).is_empty()
    }

    /// The fields in which another stop says something else; the exit alone if only one of them is
    /// one, the event alone if the events differ.
    pub fn differences(&self, other: &InverseStop) -> Vec<Field> {
        let (here, there) = match (self, other) {
            (InverseStop::Entry(_), InverseStop::Entry(_)) => return Vec::new(),
            (InverseStop::At(here), InverseStop::At(there)) => (here, there),
            _ => return vec![Field::Exit],
        };
        if here.event != there.event {
            return vec![Field::Event];
        }
        let mut found = Vec::new();
        let mut compare = |field: Field, same: bool| found.extend((!same).then_some(field));
        compare(Field::Source, here.source == there.source);
        let (told, also) = (&here.locals.pairs, &there.locals.pairs);
        compare(Field::Locals, here.locals.rest == there.locals.rest);
        for (place, (name, value)) in told.iter().enumerate() {
            compare(Field::Local(name.clone()), also.get_near(place, name) == Some(value));
        }
        for (place, (name, _)) in also.iter().enumerate() {
            compare(Field::Local(name.clone()), told.get_near(place, name).is_some());
        }
        compare(Field::Value, here.value == there.value);
        found
    }
}

/// What an inverse walk has visited so far: of each frame that it is within, the variables of the
/// state visited last. They decide what the next state tells.
#[derive(Clone, Debug, Default)]
pub struct Visited {
    /// By activation.
    frames: HashMap<u32, Arc<Locals>>,
}

impl Visited {
    /// The variables of the state that was visited last in this state's frame.
    pub fn later(&self, state: &State) -> Option<&Locals> {
        self.frames.get(&state.activation()?).map(|locals| &**locals)
    }

    /// What a recorded state says here, as this event: in full at a call and where its frame wasn't
    /// visited, else as a delta.
    pub fn say(&self, event: InverseEvent, state: &State) -> InverseState {
        let locals = match event {
            InverseEvent::Return => Told::default(),
            InverseEvent::Call => told(&state.locals, None),
            InverseEvent::Line | InverseEvent::LineCall => told(&state.locals, self.later(state)),
        };
        let value = match event {
            InverseEvent::Return => Some(state.value.clone().unwrap_or_else(|| "None".into())),
            InverseEvent::Call | InverseEvent::Line | InverseEvent::LineCall => None,
        };
        InverseState { event, source: state.source.clone(), locals, value }
    }

    /// Takes in a recorded state that was visited as this event.
    pub fn visit(&mut self, event: InverseEvent, state: &State) {
        let Some(activation) = state.activation() else { return };
        match event {
            InverseEvent::Call => _ = self.frames.remove(&activation),
            InverseEvent::Line | InverseEvent::LineCall | InverseEvent::Return => {
                self.frames.insert(activation, Arc::new(state.locals.clone()));
            }
        }
    }
}

/// The delta of `locals` to those of the later state; all of them without one. A variable named
/// `..`, which only `globals()` can make, has no words in this format and is left out.
fn told(locals: &Locals, later: Option<&Locals>) -> Told {
    let named = || locals.iter().filter(|(name, _)| &***name != "..");
    let same = |place: usize, name: &str, value: &Text| {
        later.is_some_and(|later| later.get_near(place, name) == Some(value))
    };
    let pairs: Locals = named()
        .enumerate()
        .filter(|(place, (name, value))| !same(*place, name, value))
        .map(|(_, (name, value))| (name.clone(), value.clone()))
        .collect();
    let rest = pairs.len() < named().count();
    Told { pairs, rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Position;

    fn locals(pairs: &[(&str, &str)]) -> Locals {
        pairs.iter().copied().collect()
    }

    fn state(event: Event, activation: u32, pairs: &[(&str, &str)]) -> State {
        let position = Position {
            function: "f".into(),
            line: 1,
            depth: activation,
            activation,
            unwinds: false,
        };
        State {
            event,
            source: "x".into(),
            locals: locals(pairs),
            value: (event == Event::Return).then(|| "2".into()),
            exception: None,
            position: Some(position),
        }
    }

    fn json(stop: &InverseState) -> String {
        serde_json::to_string(stop).unwrap()
    }

    #[test]
    fn the_return_counts_though_it_prints_no_variables() {
        let mut visited = Visited::default();
        let last = state(Event::Return, 0, &[("s", "'ab'"), ("n", "2")]);
        assert_eq!(
            json(&visited.say(InverseEvent::Return, &last)),
            r#"{"event":"inv_return","source":"x","locals":{},"value":"2"}"#
        );
        visited.visit(InverseEvent::Return, &last);
        let line = state(Event::Line, 0, &[("s", "'ab'"), ("n", "1")]);
        assert_eq!(
            json(&visited.say(InverseEvent::Line, &line)),
            r#"{"event":"inv_line","source":"x","locals":{"..":"..","n":"1"},"value":null}"#
        );
    }

    #[test]
    fn a_variable_that_does_not_exist_yet_is_not_marked() {
        let mut visited = Visited::default();
        visited.visit(InverseEvent::Line, &state(Event::Line, 0, &[("s", "'ab'"), ("n", "0")]));
        let told = visited.say(InverseEvent::Line, &state(Event::Line, 0, &[("s", "'ab'")])).locals;
        assert_eq!(told, Told { pairs: Locals::new(), rest: true });
        let later = locals(&[("s", "'ab'"), ("n", "0")]);
        assert_eq!(told.over(&later), later, "the most that it can mean");
        let none = visited.say(InverseEvent::Line, &state(Event::Line, 0, &[])).locals;
        assert_eq!(none, Told::default());
    }

    #[test]
    fn calls_are_told_in_full_and_their_frame_is_then_left() {
        let mut visited = Visited::default();
        let caller = state(Event::Line, 0, &[("a", "1"), ("b", "2")]);
        visited.visit(InverseEvent::LineCall, &caller);
        visited.visit(InverseEvent::Return, &state(Event::Return, 1, &[("n", "1")]));
        let call = state(Event::Call, 1, &[("n", "1")]);
        let said = visited.say(InverseEvent::Call, &call).locals;
        assert_eq!(said, Told { pairs: locals(&[("n", "1")]), rest: false });
        visited.visit(InverseEvent::Call, &call);
        assert_eq!(visited.later(&call), None);
        let back = visited.say(InverseEvent::Line, &state(Event::Line, 0, &[("a", "1")]));
        assert_eq!(back.locals, Told { pairs: Locals::new(), rest: true });
    }

    #[test]
    fn stops_are_compared_field_by_field() {
        let stop = |source: &str, pairs: &[(&str, &str)], rest| {
            InverseStop::At(InverseState {
                event: InverseEvent::Line,
                source: source.into(),
                locals: Told { pairs: locals(pairs), rest },
                value: None,
            })
        };
        let here = stop("x", &[("a", "1"), ("b", "2")], true);
        assert!(here.agrees_with(&stop("x", &[("b", "2"), ("a", "1")], true)));
        let fields = |other: &InverseStop| {
            here.differences(other).iter().map(Field::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            fields(&stop("y", &[("a", "1"), ("b", "3"), ("c", "1")], false)),
            ["source", "locals", "locals.b", "locals.c"]
        );
        assert_eq!(fields(&InverseStop::entry()), ["exit"]);
        assert_eq!(
            serde_json::to_string(&InverseStop::entry()).unwrap(),
            r#"{"exit":"inv_entry"}"#
        );
    }
}
