//! Messages in any order into the store, and every question about every event.
//!
//! The answers are compared with those of a plain list of states, which has no deltas, keyframes
//! or call stack that could go wrong.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use lockstep::python::store::Store;
use lockstep::python::wire::{self, Message};
use lockstep::state::{Event, Locals, Text};

/// Slot to name and value.
type Slots = BTreeMap<u32, (Text, Text)>;

/// What is told of one event.
struct Told {
    locals: Slots,
    argument: Option<(String, Option<String>)>,
    event: Event,
    line: u32,
    depth: u32,
    activation: u32,
}

#[derive(Default)]
struct PlainList {
    names: Vec<Text>,
    frames: BTreeMap<u32, Slots>,
    coming: Vec<(u32, Option<(Text, Text)>)>,
    argument: Option<(String, Option<String>)>,
    told: Vec<Told>,
}

impl PlainList {
    /// Takes a message that the store took.
    fn take(&mut self, message: &Message) {
        match *message {
            Message::Name(name) => self.names.push(name.into()),
            Message::Set { slot, name, text } => {
                let name = self.names[name as usize].clone();
                self.coming.push((slot, Some((name, text.into()))));
            }
            Message::Unset { slot } => self.coming.push((slot, None)),
            Message::Value(text) => self.argument = Some((text.into(), None)),
            Message::Raised { class, message } => {
                self.argument = Some((class.into(), Some(message.into())));
            }
            Message::Event { event, line, depth, activation, .. } => {
                let locals = self.frames.entry(activation).or_default();
                for (slot, change) in self.coming.drain(..) {
                    match change {
                        Some(variable) => locals.insert(slot, variable),
                        None => locals.remove(&slot),
                    };
                }
                let (locals, argument) = (locals.clone(), self.argument.take());
                self.told.push(Told { locals, argument, event, line, depth, activation });
            }
            _ => {}
        }
    }

    /// The frames that run at an event: of each shallower depth the latest event since which
    /// nothing shallower came.
    fn stack(&self, index: usize) -> Vec<usize> {
        let mut stack = vec![index];
        let mut depth = self.told[index].depth;
        for earlier in (0..index).rev() {
            if self.told[earlier].depth < depth {
                depth = self.told[earlier].depth;
                stack.push(earlier);
            }
        }
        stack.reverse();
        stack
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut store = Store::default();
    let mut plain = PlainList::default();
    let mut rest = bytes;
    while !rest.is_empty() {
        // What is no message is skipped, so that a wrong byte doesn't end the stream.
        let Ok((message, after)) = wire::split_first(rest) else {
            rest = &rest[1..];
            continue;
        };
        rest = after;
        let before = store.len();
        if store.take(&message).is_ok() {
            plain.take(&message);
        } else {
            assert_eq!(store.len(), before, "a refused message left an event");
        }
        assert_eq!(store.len(), plain.told.len());
    }
    check(&store, &plain);
    store.close();
    assert!((0..store.len()).all(|index| store.is_final(index)));
});

fn check(store: &Store, plain: &PlainList) {
    for (index, told) in plain.told.iter().enumerate() {
        let node = store.node(index).expect("an event");
        assert_eq!((node.event, node.line, node.depth), (told.event, told.line, told.depth));
        let position = store.position(index).expect("an event");
        assert_eq!(position.activation, told.activation);
        let locals: Locals = told.locals.values().cloned().collect();
        assert_eq!(store.locals(index), locals, "event {index}");
        assert_eq!(store.stack(index), plain.stack(index), "event {index}");
        let argument = match store.argument(index) {
            (None, None) => None,
            (Some(value), None) => Some((value.to_string(), None)),
            (None, Some(raised)) => {
                Some((raised.class.to_string(), Some(raised.message.to_string())))
            }
            (Some(_), Some(_)) => panic!("event {index} returns and raises"),
        };
        assert_eq!(argument, told.argument, "event {index}");
        store.is_final(index);
    }
    let beyond = plain.told.len();
    assert!(store.node(beyond).is_none() && store.position(beyond).is_none());
    assert!(store.stack(beyond).is_empty() && store.locals(beyond).is_empty());
    assert!(store.output().is_sorted_by_key(|output| output.at));
}
