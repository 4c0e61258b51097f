//! The delta store: a recording in memory.
//!
//! An event is a record of fixed size and the changes of its frame's locals; its whole state is put
//! together when asked for. Records of one activation are chained backwards, and every so many of
//! them one is a keyframe, which lists the locals of its frame completely. So a state costs a walk
//! over a bounded number of records, wherever it stands, and an event costs what changed in it.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use super::wire::{Message, Stream};
use crate::state::{Event, Locals, Position, Raised, Text};
use crate::tree::Node;

/// Events of an activation between two keyframes, unless it has more variables than that.
const KEYFRAME_EVERY: u32 = 64;
/// Texts of at least this many bytes are kept once, however often they come.
const SHARED_FROM: usize = 24;
/// Frames that may run between two that have events: far more than any program nests generators.
const MAX_SILENT: u32 = 100_000;
/// No event.
const NONE: u32 = u32::MAX;

/// What the program wrote, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How many events came before it.
    pub at: usize,
    /// Where it was written to.
    pub stream: Stream,
    /// What was written there until the next event, in one piece.
    pub text: String,
}

/// Something that the program read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How many events came before it.
    pub at: usize,
    /// What stood on the line of the program's output by then.
    pub prompt: Text,
    /// What it read, with the newline of a line; empty at the end of its input.
    pub text: Text,
}

/// A message that doesn't fit to what came before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a message came over the pipe that refers to nothing before it")]
pub struct Misfit;

/// All events of a run so far.
#[derive(Default)]
pub struct Store {
    names: Vec<Text>,
    /// Number of the qualified name of each code object.
    codes: Vec<u32>,
    records: Vec<Record>,
    changes: Vec<Change>,
    texts: Texts,
    arguments: Vec<Argument>,
    activations: Vec<Activation>,
    /// Keyframes in the order of their events: the event, and where its list ends.
    keyframes: Vec<(u32, u32)>,
    /// The lists of the keyframes: numbers of changes.
    listed: Vec<u32>,
    /// The frames that run, outermost first: depth on the call stack, and latest event.
    running: Vec<(u32, u32)>,
    /// The locals of the frames that run, innermost last.
    live: Vec<(u32, Live)>,
    /// Exceptions of which it isn't known yet whether they leave their frame.
    unresolved: Vec<u32>,
    /// The argument of the coming event.
    coming: Option<(u32, Option<u32>)>,
    output: Vec<Output>,
    choices: Vec<Choice>,
}

/// One event.
#[derive(Clone, Copy)]
struct Record {
    line: u32,
    depth: u32,
    activation: u32,
    /// The event before in the same activation.
    previous: u32,
    /// The latest event of the calling frame.
    caller: u32,
    /// Where its changes end in the list of all; they begin where those of the record before end.
    changes_end: u32,
    event: Event,
    unwinding: bool,
}

/// A variable that was set, or that is gone.
#[derive(Clone, Copy)]
struct Change {
    slot: u32,
    name: u32,
    text: Option<TextId>,
}

/// What an event returns or raises.
#[derive(Clone, Copy)]
struct Argument {
    event: u32,
    /// The value, or the class of the exception.
    text: u32,
    /// The exception's message.
    message: Option<u32>,
}

#[derive(Clone, Copy)]
struct Activation {
    code: u32,
    last: u32,
}

/// The locals of an activation at its latest event: slot to change.
#[derive(Default)]
struct Live {
    locals: BTreeMap<u32, u32>,
    since_keyframe: u32,
}

/// Number of a text; one less than the number that fits into 32 bits besides "none".
#[derive(Clone, Copy, PartialEq, Eq)]
struct TextId(std::num::NonZeroU32);

/// Texts, one after the other.
#[derive(Default)]
struct Texts {
    bytes: String,
    ends: Vec<usize>,
    shared: HashMap<u64, u32>,
    hasher: RandomState,
}

impl Texts {
    fn add(&mut self, text: &str) -> u32 {
        let hash = (text.len() >= SHARED_FROM).then(|| self.hasher.hash_one(text));
        if let Some(known) = hash.and_then(|hash| self.shared.get(&hash)) {
            // Two texts of one hash are told apart; the second is then kept anew.
            if self.get(*known) == text {
                return *known;
            }
        }
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        let number = (self.ends.len() - 1) as u32;
        if let Some(hash) = hash {
            self.shared.insert(hash, number);
        }
        number
    }

    fn get(&self, number: u32) -> &str {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.bytes[start..self.ends[at]]
    }
}

impl TextId {
    fn new(number: u32) -> Self {
        TextId(std::num::NonZeroU32::MIN.saturating_add(number))
    }

    fn number(self) -> u32 {
        self.0.get() - 1
    }
}

impl Store {
    /// Takes in a message that isn't an end.
    pub fn take(&mut self, message: &Message) -> Result<(), Misfit> {
        match *message {
            Message::Name(name) => self.names.push(name.into()),
            Message::Code { function } => {
                self.names.get(function as usize).ok_or(Misfit)?;
                self.codes.push(function);
            }
            Message::Set { slot, name, text } => {
                self.names.get(name as usize).ok_or(Misfit)?;
                let text = Some(TextId::new(self.texts.add(text)));
                self.changes.push(Change { slot, name, text });
            }
            Message::Unset { slot } => self.changes.push(Change { slot, name: 0, text: None }),
            Message::Value(text) => self.coming = Some((self.texts.add(text), None)),
            Message::Raised { class, message } => {
                self.coming = Some((self.texts.add(class), Some(self.texts.add(message))));
            }
            Message::Event { event, unwinding, code, activation, line, depth } => {
                self.commit(event, unwinding, code, activation, line, depth)?;
            }
            Message::Output { stream, text } => {
                let at = self.records.len();
                match self.output.last_mut() {
                    Some(last) if last.at == at && last.stream == stream => last.text += text,
                    _ => self.output.push(Output { at, stream, text: text.to_owned() }),
                }
            }
            Message::Read { prompt, text } => {
                let at = self.records.len();
                self.choices.push(Choice { at, prompt: prompt.into(), text: text.into() });
            }
            Message::Hello { .. }
            | Message::Wanted { .. }
            | Message::Ready
            | Message::Reached
            | Message::Answer(_)
            | Message::Exit { .. }
            | Message::Refused(_) => return Err(Misfit),
        }
        Ok(())
    }

    /// Ends an event with all that came for it.
    fn commit(
        &mut self,
        event: Event,
        unwinding: bool,
        code: u32,
        activation: u32,
        line: u32,
        depth: u32,
    ) -> Result<(), Misfit> {
        let index = u32::try_from(self.records.len()).ok().filter(|i| *i != NONE).ok_or(Misfit)?;
        self.codes.get(code as usize).ok_or(Misfit)?;
        let changes_end = u32::try_from(self.changes.len()).map_err(|_| Misfit)?;
        if activation as usize == self.activations.len() {
            self.activations.push(Activation { code, last: NONE });
        }
        let known = self.activations.get_mut(activation as usize).ok_or(Misfit)?;
        let deepest = self.running.last().map_or(0, |(depth, _)| *depth);
        if known.code != code || depth > deepest.saturating_add(MAX_SILENT) {
            return Err(Misfit);
        }
        let previous = std::mem::replace(&mut known.last, index);
        // Depths may be left out: generators through which an exception is thrown run without an
        // event of their own.
        while self.running.pop_if(|(running, _)| *running >= depth).is_some() {}
        let caller = self.running.last().map_or(NONE, |(_, event)| *event);
        self.running.push((depth, index));
        self.resolve(previous, event == Event::Return && unwinding);
        if event == Event::Exception {
            self.unresolved.push(index);
        }
        self.records.push(Record {
            line,
            depth,
            activation,
            previous,
            caller,
            changes_end,
            event,
            unwinding,
        });
        if let Some((text, message)) = self.coming.take() {
            self.arguments.push(Argument { event: index, text, message });
        }
        self.update_live(index, activation, previous, event == Event::Return);
        Ok(())
    }

    /// Keeps the locals of the activation up to date, and makes a keyframe when it is time.
    fn update_live(&mut self, index: u32, activation: u32, previous: u32, returns: bool) {
        let known = self.live.iter().rposition(|(of, _)| *of == activation);
        let at = known.unwrap_or_else(|| {
            // A new frame, or a generator that is resumed.
            let live = if previous == NONE { Live::default() } else { self.locals_at(previous) };
            self.live.push((activation, live));
            self.live.len() - 1
        });
        let range = self.changes_of(index);
        let live = &mut self.live[at].1;
        for number in range {
            let change = &self.changes[number as usize];
            match change.text {
                Some(_) => live.locals.insert(change.slot, number),
                None => live.locals.remove(&change.slot),
            };
        }
        live.since_keyframe += 1;
        if live.since_keyframe >= KEYFRAME_EVERY.max(live.locals.len() as u32) {
            live.since_keyframe = 0;
            self.listed.extend(live.locals.values());
            self.keyframes.push((index, self.listed.len() as u32));
        }
        if returns {
            self.live.remove(at);
        }
    }

    /// Says whether the exception at `event` left its frame, if that was open.
    fn resolve(&mut self, event: u32, leaves: bool) {
        if event == NONE {
            return;
        }
        if let Some(at) = self.unresolved.iter().rposition(|open| *open == event) {
            self.unresolved.remove(at);
            self.records[event as usize].unwinding = leaves;
        }
    }

    /// The run is over: what is open stays as it is.
    pub fn close(&mut self) {
        self.unresolved.clear();
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether all that [`Store::node`] says of this event is final.
    pub fn is_final(&self, index: usize) -> bool {
        index < self.records.len()
            && !self.unresolved.iter().rev().any(|open| *open as usize == index)
    }

    /// What a move needs to know of an event.
    pub fn node(&self, index: usize) -> Option<Node> {
        let record = self.records.get(index)?;
        Some(Node {
            event: record.event,
            line: record.line,
            depth: record.depth,
            unwinding: record.unwinding,
        })
    }

    /// Where an event stands.
    pub fn position(&self, index: usize) -> Option<Position> {
        let record = self.records.get(index)?;
        let code = self.activations[record.activation as usize].code;
        Some(Position {
            function: self.names[self.codes[code as usize] as usize].clone(),
            line: record.line,
            depth: record.depth,
            activation: record.activation,
            unwinds: record.event == Event::Return && record.unwinding,
        })
    }

    /// The latest event of each frame that runs at an event, outermost first.
    pub fn stack(&self, index: usize) -> Vec<usize> {
        let caller = |at: &usize| self.records.get(*at).map(|record| record.caller as usize);
        let running = std::iter::successors(Some(index), caller);
        let mut stack: Vec<usize> = running.take_while(|at| *at < self.records.len()).collect();
        stack.reverse();
        stack
    }

    /// The event before this one in the same activation.
    pub fn previous(&self, index: usize) -> Option<usize> {
        let previous = self.records.get(index)?.previous;
        (previous != NONE).then_some(previous as usize)
    }

    /// Whether an event may have set or unset a variable of this name.
    pub fn may_change(&self, index: usize, name: &str) -> bool {
        let Ok(event) = u32::try_from(index) else { return false };
        index < self.records.len()
            && self.changes_of(event).any(|number| {
                let change = &self.changes[number as usize];
                // One that unsets has no name of its own.
                change.text.is_none() || *self.names[change.name as usize] == *name
            })
    }

    /// All locals of an event's frame, in the frame's order.
    pub fn locals(&self, index: usize) -> Locals {
        let live = match u32::try_from(index) {
            Ok(event) if index < self.records.len() => self.locals_at(event),
            _ => Live::default(),
        };
        let variable = |change: &u32| {
            let change = &self.changes[*change as usize];
            let text = change.text.map_or("", |text| self.texts.get(text.number()));
            (self.names[change.name as usize].clone(), Text::from(text))
        };
        live.locals.values().map(variable).collect()
    }

    /// What a return event returns, or an exception event raises.
    pub fn argument(&self, index: usize) -> (Option<Text>, Option<Raised>) {
        let found = self.arguments.binary_search_by_key(&index, |a| a.event as usize);
        let Ok(at) = found else { return (None, None) };
        let argument = &self.arguments[at];
        let text = Text::from(self.texts.get(argument.text));
        match argument.message {
            None => (Some(text), None),
            Some(message) => {
                let message = Text::from(self.texts.get(message));
                (None, Some(Raised { class: text, message }))
            }
        }
    }

    /// What was written so far.
    pub fn output(&self) -> &[Output] {
        &self.output
    }

    /// What was read so far.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    fn changes_of(&self, event: u32) -> std::ops::Range<u32> {
        let end = self.records[event as usize].changes_end;
        let start = event.checked_sub(1).map_or(0, |e| self.records[e as usize].changes_end);
        start..end
    }

    /// The locals of an event's frame, newest change of each slot.
    fn locals_at(&self, event: u32) -> Live {
        let mut newest: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        let mut at = event;
        let mut since_keyframe = 0;
        while at != NONE {
            if let Ok(keyframe) = self.keyframes.binary_search_by_key(&at, |k| k.0) {
                let end = self.keyframes[keyframe].1 as usize;
                let start = keyframe.checked_sub(1).map_or(0, |k| self.keyframes[k].1 as usize);
                for change in &self.listed[start..end] {
                    newest.entry(self.changes[*change as usize].slot).or_insert(Some(*change));
                }
                break;
            }
            for change in self.changes_of(at).rev() {
                let Change { slot, text, .. } = self.changes[change as usize];
                newest.entry(slot).or_insert(text.map(|_| change));
            }
            since_keyframe += 1;
            at = self.records[at as usize].previous;
        }
        let locals =
            newest.into_iter().filter_map(|(slot, change)| Some((slot, change?))).collect();
        Live { locals, since_keyframe }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn store(messages: &[Message]) -> Store {
        let mut store = Store::default();
        for message in messages {
            store.take(message).unwrap();
        }
        store
    }

    fn event(event: Event, activation: u32, depth: u32, line: u32) -> Message<'static> {
        Message::Event { event, unwinding: false, code: 0, activation, line, depth }
    }

    const START: [Message; 4] =
        [Message::Name("f"), Message::Code { function: 0 }, Message::Name("x"), Message::Name("y")];

    #[test]
    fn a_variable_that_is_gone_comes_back_in_its_slot() {
        let mut messages = START.to_vec();
        messages.extend([
            Message::Set { slot: 1, name: 2, text: "2" },
            Message::Set { slot: 0, name: 1, text: "1" },
            event(Event::Call, 0, 0, 1),
            Message::Unset { slot: 0 },
            event(Event::Line, 0, 0, 2),
            Message::Set { slot: 0, name: 1, text: "9" },
            event(Event::Line, 0, 0, 3),
        ]);
        let store = store(&messages);
        assert_eq!(store.locals(0), [("x", "1"), ("y", "2")].into_iter().collect());
        assert_eq!(store.locals(1), [("y", "2")].into_iter().collect());
        assert_eq!(store.locals(2), [("x", "9"), ("y", "2")].into_iter().collect());
        assert_eq!(store.locals(3), Locals::new());
    }

    #[test]
    fn what_may_change_is_what_was_set_or_unset() {
        let mut messages = START.to_vec();
        messages.extend([
            Message::Set { slot: 0, name: 1, text: "1" },
            event(Event::Call, 0, 0, 1),
            event(Event::Call, 1, 1, 5),
            Message::Unset { slot: 0 },
            event(Event::Line, 0, 0, 2),
            event(Event::Line, 0, 0, 3),
        ]);
        let store = store(&messages);
        assert_eq!([0, 1, 2, 3].map(|at| store.may_change(at, "x")), [true, false, true, false]);
        assert!(!store.may_change(0, "y") && !store.may_change(9, "x"));
        assert_eq!(
            [0, 1, 2, 3, 9].map(|at| store.previous(at)),
            [None, None, Some(0), Some(2), None]
        );
    }

    #[test]
    fn the_stack_shows_where_each_frame_stands() {
        let mut messages = START.to_vec();
        messages.extend([
            event(Event::Line, 0, 0, 1),
            event(Event::Call, 1, 1, 5),
            event(Event::Return, 1, 1, 6),
            event(Event::Line, 0, 0, 2),
            event(Event::Call, 2, 1, 5),
        ]);
        let store = store(&messages);
        let line = |at: &usize| store.position(*at).map_or(0, |p| p.line);
        let lines = |index| store.stack(index).iter().map(line).collect::<Vec<_>>();
        assert_eq!(lines(2), [1, 6]);
        assert_eq!(lines(4), [2, 5]);
        assert_eq!(lines(9), [0; 0]);
    }

    #[test]
    fn an_exception_is_final_when_its_frame_goes_on_or_ends() {
        let mut messages = START.to_vec();
        messages.extend([
            Message::Raised { class: "KeyError", message: "'k'" },
            event(Event::Exception, 0, 0, 1),
            event(Event::Call, 1, 1, 5),
        ]);
        let mut store = store(&messages);
        assert!(!store.is_final(0));
        assert!(store.is_final(1));
        let leave = Message::Event {
            event: Event::Return,
            unwinding: true,
            code: 0,
            activation: 0,
            line: 1,
            depth: 0,
        };
        store.take(&leave).unwrap();
        assert!(store.is_final(0));
        assert!(store.node(0).unwrap().unwinding);
        let raised = Raised { class: "KeyError".into(), message: "'k'".into() };
        assert_eq!(store.argument(0), (None, Some(raised)));
    }

    #[test]
    fn messages_that_refer_to_nothing_are_refused() {
        let mut store = store(&START);
        for wrong in [
            Message::Code { function: 9 },
            Message::Set { slot: 0, name: 9, text: "" },
            event(Event::Line, 1, 0, 1),
            event(Event::Line, 0, 1_000_000, 1),
            Message::Event {
                event: Event::Line,
                unwinding: false,
                code: 9,
                activation: 0,
                line: 1,
                depth: 0,
            },
            Message::Ready,
        ] {
            assert_eq!(store.take(&wrong), Err(Misfit), "{wrong:?}");
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Set(u32, u8),
        Unset(u32),
        Line,
        Call,
        Suspend,
        Resume(usize),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            4 => (0..5u32, any::<u8>()).prop_map(|(slot, value)| Step::Set(slot, value)),
            1 => (0..5u32).prop_map(Step::Unset),
            6 => Just(Step::Line),
            1 => Just(Step::Call),
            1 => Just(Step::Suspend),
            1 => any::<usize>().prop_map(Step::Resume),
        ];
        proptest::collection::vec(step, 0..900)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn no_messages_bring_it_down(
            parts in proptest::collection::vec((0..9u8, 0..4u32, 0..4u32, 0..4u32, any::<bool>()), 0..200)
        ) {
            let mut store = Store::default();
            let events = [Event::Call, Event::Line, Event::Return, Event::Exception];
            for (which, a, b, c, flag) in parts {
                let message = match which {
                    0 => Message::Name("n"),
                    1 => Message::Code { function: a },
                    2 => Message::Set { slot: a, name: b, text: "t" },
                    3 => Message::Unset { slot: a },
                    4 => Message::Value("v"),
                    5 => Message::Raised { class: "c", message: "m" },
                    6 => Message::Output { stream: Stream::Stdout, text: "o" },
                    _ => Message::Event {
                        event: events[c as usize],
                        unwinding: flag,
                        code: a / 2,
                        activation: b,
                        line: c,
                        depth: a,
                    },
                };
                let _ = store.take(&message);
            }
            for index in 0..store.len() + 1 {
                let known = index < store.len();
                prop_assert_eq!(store.node(index).is_some(), known);
                prop_assert_eq!(!store.stack(index).is_empty(), known);
                store.locals(index);
                store.argument(index);
                store.is_final(index);
            }
        }

        #[test]
        fn every_state_is_what_a_plain_list_of_states_says(steps in steps()) {
            let names = ["n0", "n1", "n2", "n3", "n4"];
            let mut store = Store::default();
            store.take(&Message::Name("f")).unwrap();
            store.take(&Message::Code { function: 0 }).unwrap();
            for name in names {
                store.take(&Message::Name(name)).unwrap();
            }
            let mut frames: Vec<BTreeMap<u32, String>> = vec![BTreeMap::new()];
            let mut stack = vec![0u32];
            let mut waiting: Vec<u32> = Vec::new();
            let mut expected = Vec::new();
            store.take(&event(Event::Call, 0, 0, 1)).unwrap();
            expected.push(BTreeMap::new());
            for step in steps {
                let top = *stack.last().unwrap();
                let depth = stack.len() as u32 - 1;
                let event = match step {
                    Step::Set(slot, value) => {
                        let text = "v".repeat(usize::from(value % 40)) + &value.to_string();
                        store.take(&Message::Set { slot, name: slot + 1, text: &text }).unwrap();
                        frames[top as usize].insert(slot, text);
                        event(Event::Line, top, depth, 1)
                    }
                    Step::Unset(slot) => {
                        if frames[top as usize].remove(&slot).is_some() {
                            store.take(&Message::Unset { slot }).unwrap();
                        }
                        event(Event::Line, top, depth, 1)
                    }
                    Step::Line => event(Event::Line, top, depth, 1),
                    Step::Call => {
                        stack.push(frames.len() as u32);
                        frames.push(BTreeMap::new());
                        event(Event::Call, frames.len() as u32 - 1, depth + 1, 1)
                    }
                    Step::Suspend if depth > 0 => {
                        stack.pop();
                        waiting.push(top);
                        event(Event::Return, top, depth, 1)
                    }
                    Step::Resume(pick) if !waiting.is_empty() => {
                        let again = waiting.remove(pick % waiting.len());
                        stack.push(again);
                        event(Event::Call, again, depth + 1, 1)
                    }
                    Step::Suspend | Step::Resume(_) => continue,
                };
                let Message::Event { activation, .. } = event else { unreachable!() };
                store.take(&event).unwrap();
                expected.push(frames[activation as usize].clone());
            }
            for (index, locals) in expected.iter().enumerate() {
                let locals: Locals = locals
                    .iter()
                    .map(|(slot, text)| (Text::from(names[*slot as usize]), Text::from(text.as_str())))
                    .collect();
                prop_assert_eq!(store.locals(index), locals, "event {}", index);
            }
        }
    }
}
