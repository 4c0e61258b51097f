//! States: what a debugger shows when it stops.
//!
//! A *state* holds what the paper's section on states names: the event, the source line, and the
//! locals (call and line events) or the argument (return and exception events). A recorded state
//! also has a [`Position`], which the model is never told: function, line number, depth. The JSON
//! form is fixed in docs/json.md.

use std::collections::HashMap;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Shared text: names, source lines and rendered values, which recur in thousands of states.
pub type Text = Arc<str>;

/// Why the debugger stopped, in `sys.settrace`'s words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// A frame was entered (or a generator resumed).
    Call,
    /// A line is about to run.
    Line,
    /// A frame is about to return.
    Return,
    /// An exception was raised in, or reached, this frame.
    Exception,
}

impl Event {
    /// The word for this event in JSON and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Event::Call => "call",
            Event::Line => "line",
            Event::Return => "return",
            Event::Exception => "exception",
        }
    }

    /// Whether a state of this event shows locals (call, line) rather than an argument.
    pub fn shows_locals(self) -> bool {
        matches!(self, Event::Call | Event::Line)
    }
}

/// Local variables in the order of the frame: name to the text of the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locals(Vec<(Text, Text)>);

impl Locals {
    /// No variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of `name`'s value.
    pub fn get(&self, name: &str) -> Option<&Text> {
        self.0.iter().find(|(n, _)| &**n == name).map(|(_, v)| v)
    }

    /// The text of `name`'s value, looked for first at `place`: frames seldom reorder variables, so
    /// that two states of one frame are compared in a time that grows with their number only.
    pub fn get_near(&self, place: usize, name: &str) -> Option<&Text> {
        match self.0.get(place) {
            Some((found, value)) if **found == *name => Some(value),
            _ => self.get(name),
        }
    }

    /// Sets `name`, keeping its place if it has one, else at the end.
    pub fn set(&mut self, name: Text, value: Text) {
        match self.0.iter_mut().find(|(n, _)| *n == name) {
            Some(slot) => slot.1 = value,
            None => self.0.push((name, value)),
        }
    }

    /// The pairs in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &Text)> {
        self.0.iter().map(|(n, v)| (n, v))
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Later pairs of a name replace earlier ones.
impl FromIterator<(Text, Text)> for Locals {
    fn from_iter<I: IntoIterator<Item = (Text, Text)>>(pairs: I) -> Self {
        let mut locals = Locals::new();
        let mut places = HashMap::new();
        for (name, value) in pairs {
            match places.get(&name) {
                Some(&place) => locals.0[place] = (name, value),
                None => {
                    places.insert(name.clone(), locals.len());
                    locals.0.push((name, value));
                }
            }
        }
        locals
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Locals {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Self {
        pairs.into_iter().map(|(n, v)| (Text::from(n), Text::from(v))).collect()
    }
}

impl Serialize for Locals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Locals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Locals;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object of names and texts")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Locals, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry::<Text, Text>()? {
                    pairs.push(pair);
                }
                Ok(pairs.into_iter().collect())
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// An exception as shown: its class and its message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// The class's name, e.g. `ZeroDivisionError`.
    #[serde(rename = "type")]
    pub class: Text,
    /// `str()` of the exception, e.g. `division by zero`.
    pub message: Text,
}

impl std::fmt::Display for Raised {
    /// As the last line of a traceback: `Class: message`, or the class alone.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.class)?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

/// Where a recorded state stands in the program and in the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Qualified name of the function, `<module>` for the module itself.
    pub function: Text,
    /// Line number, 1-based; 0 at the entry of a module, which stands before its first line.
    pub line: u32,
    /// Calls between the entry (0) and this frame.
    pub depth: u32,
    /// Number of the frame in order of creation; a generator keeps its number when resumed.
    pub activation: u32,
    /// Whether this is a return event by which an exception leaves the frame: nothing is returned,
    /// though the event carries the value None.
    pub unwinds: bool,
}

/// One state: what the debugger shows when it stops at an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Why it stopped.
    pub event: Event,
    /// The source line without its newline, indentation kept.
    pub source: Text,
    /// All locals. A prediction of a return or exception has none: the formats don't carry them.
    pub locals: Locals,
    /// The returned value, at return events.
    pub value: Option<Text>,
    /// The exception, at exception events.
    pub exception: Option<Raised>,
    /// Where this is; none in a prediction.
    pub position: Option<Position>,
}

impl State {
    /// The line number, if this state was recorded.
    pub fn line(&self) -> Option<u32> {
        self.position.as_ref().map(|p| p.line)
    }

    /// The frame's number, if this state was recorded.
    pub fn activation(&self) -> Option<u32> {
        self.position.as_ref().map(|p| p.activation)
    }
}

/// Writes the state of docs/json.md; positions a prediction lacks are null.
impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let position = self.position.as_ref();
        let mut map = serializer.serialize_map(Some(9))?;
        map.serialize_entry("event", &self.event)?;
        map.serialize_entry("function", &position.map(|p| &p.function))?;
        map.serialize_entry("line", &position.map(|p| p.line))?;
        map.serialize_entry("depth", &position.map(|p| p.depth))?;
        map.serialize_entry("source", &self.source)?;
        map.serialize_entry("locals", &self.locals)?;
        map.serialize_entry("value", &self.value)?;
        map.serialize_entry("exception", &self.exception)?;
        map.serialize_entry("unwinds", &position.is_some_and(|p| p.unwinds))?;
        map.end()
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExitKind {
    /// The entry returned.
    Normal,
    /// An exception left the entry.
    Error,
    /// The run provably repeats for ever.
    Never,
    /// Lockstep stopped it: a limit, or the program's own end by force.
    Stopped,
}

impl ExitKind {
    /// The word for this end in JSON and on screen.
    pub fn name(self) -> &'static str {
        match self {
            ExitKind::Normal => "normal",
            ExitKind::Error => "error",
            ExitKind::Never => "never",
            ExitKind::Stopped => "stopped",
        }
    }
}

/// The exit state: what stands after the last recorded state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// How it ended.
    #[serde(rename = "exit")]
    pub kind: ExitKind,
    /// The uncaught exception, for `error`.
    pub exception: Option<Raised>,
    /// Why, for `stopped` and `never`: which limit and how to raise it, or what repeats.
    pub reason: Option<Text>,
}

impl Exit {
    /// An exit of this kind with nothing more to say.
    pub fn plain(kind: ExitKind) -> Self {
        Exit { kind, exception: None, reason: None }
    }
}

impl std::fmt::Display for Exit {
    /// The kind, and what there is to say about it: `stopped: step limit 100,000 (--max-steps)`.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.kind.name())?;
        if let Some(raised) = &self.exception {
            write!(f, ": {raised}")?;
        }
        if let Some(reason) = &self.reason {
            write!(f, ": {reason}")?;
        }
        Ok(())
    }
}

/// A part of a state that is told, and may be wrong, by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The event.
    Event,
    /// The source line.
    Source,
    /// Which locals are told at all; their number, `{}`, the `..` pair.
    Locals,
    /// One variable.
    Local(Text),
    /// The returned value.
    Value,
    /// The exception.
    Exception,
    /// How the run ends.
    Exit,
}

/// The name that docs/json.md gives the field.
impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Field::Event => f.write_str("event"),
            Field::Source => f.write_str("source"),
            Field::Locals => f.write_str("locals"),
            Field::Local(name) => write!(f, "locals.{name}"),
            Field::Value => f.write_str("value"),
            Field::Exception => f.write_str("exception"),
            Field::Exit => f.write_str("exit"),
        }
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Where the debugger stops: at a state, or at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Stop {
    /// At an event.
    At(State),
    /// After the last one.
    Exit(Exit),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_keep_the_order_of_the_frame_through_json() {
        let locals: Locals = [("z", "1"), ("a", "'x'"), ("m", "[1, 2]")].into_iter().collect();
        let json = serde_json::to_string(&locals).unwrap();
        assert_eq!(json, r#"{"z":"1","a":"'x'","m":"[1, 2]"}"#);
        assert_eq!(serde_json::from_str::<Locals>(&json).unwrap(), locals);
    }

    #[test]
    fn setting_a_variable_again_keeps_its_place() {
        let mut locals: Locals = [("a", "1"), ("b", "2")].into_iter().collect();
        locals.set("a".into(), "3".into());
        assert_eq!(locals, [("a", "3"), ("b", "2")].into_iter().collect());
    }

    #[test]
    fn a_state_prints_the_documented_object() {
        let state = State {
            event: Event::Line,
            source: "    n += 1".into(),
            locals: [("n", "1")].into_iter().collect(),
            value: None,
            exception: None,
            position: Some(Position {
                function: "f".into(),
                line: 12,
                depth: 1,
                activation: 3,
                unwinds: false,
            }),
        };
        assert_eq!(
            serde_json::to_string(&Stop::At(state)).unwrap(),
            r#"{"event":"line","function":"f","line":12,"depth":1,"source":"    n += 1","locals":{"n":"1"},"value":null,"exception":null,"unwinds":false}"#
        );
    }

    #[test]
    fn an_exit_prints_the_documented_object() {
        let exit = Exit {
            kind: ExitKind::Error,
            exception: Some(Raised { class: "KeyError".into(), message: "'x'".into() }),
            reason: None,
        };
        assert_eq!(
            serde_json::to_string(&Stop::Exit(exit)).unwrap(),
            r#"{"exit":"error","exception":{"type":"KeyError","message":"'x'"},"reason":null}"#
        );
    }
}
