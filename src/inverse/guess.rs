//! A person's guess at what came before a state, as JSON.

use std::str::FromStr;

use serde::Deserialize;

use super::state::{InverseEvent, InverseState, InverseStop, Told};
use crate::state::{Locals, Text};

/// A guess: what is known of a state of docs/json.md. What it leaves out is as recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guess {
    event: Option<InverseEvent>,
    source: Option<Text>,
    /// `..` among them stands for those that are the same as in the given state.
    locals: Option<Locals>,
    value: Option<Text>,
}

impl FromStr for Guess {
    type Err = String;

    fn from_str(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|error| {
            format!("{error}; a guess is a JSON object, e.g. {{\"locals\": {{\"n\": \"1\"}}}}")
        })
    }
}

impl Guess {
    /// A guess at the value of one variable.
    pub fn variable(name: &str, value: &str) -> Self {
        Guess { locals: Some([(name, value)].into_iter().collect()), ..Guess::default() }
    }

    /// The whole guess, with what it leaves out from the recorded predecessor.
    pub fn beside(&self, recorded: &InverseStop) -> InverseStop {
        let recorded = match recorded {
            InverseStop::At(state) => Some(state),
            InverseStop::Entry(_) => None,
        };
        let is_empty = *self == Guess::default();
        let event = self.event.or(recorded.map(|state| state.event));
        let (Some(event), false) = (event, is_empty && recorded.is_none()) else {
            return InverseStop::entry();
        };
        let source = self.source.clone().or(recorded.map(|state| state.source.clone()));
        let locals = match &self.locals {
            Some(locals) => told(locals, recorded.is_some_and(|state| state.locals.rest)),
            None => recorded.map(|state| state.locals.clone()).unwrap_or_default(),
        };
        let value = self.value.clone().or(recorded.and_then(|state| state.value.clone()));
        let (locals, value) = match event {
            InverseEvent::Return => (Told::default(), value),
            InverseEvent::Call => (Told { rest: false, ..locals }, None),
            InverseEvent::Line | InverseEvent::LineCall => (locals, None),
        };
        InverseStop::At(InverseState { event, source: source.unwrap_or_default(), locals, value })
    }
}

/// The variables of a guess; others are left out if it says so, or if others are in the recorded
/// state.
fn told(locals: &Locals, rest: bool) -> Told {
    let rest = rest || locals.get("..").is_some();
    let pairs = locals.iter().filter(|(name, _)| &***name != "..");
    Told { pairs: pairs.map(|(name, value)| (name.clone(), value.clone())).collect(), rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded() -> InverseStop {
        InverseStop::At(InverseState {
            event: InverseEvent::Line,
            source: "    n += 1".into(),
            locals: Told { pairs: [("n", "1")].into_iter().collect(), rest: true },
            value: None,
        })
    }

    fn whole(json: &str) -> String {
        let guess: Guess = json.parse().unwrap();
        serde_json::to_string(&guess.beside(&recorded())).unwrap()
    }

    #[test]
    fn what_a_guess_leaves_out_is_as_recorded() {
        assert_eq!(whole("{}"), serde_json::to_string(&recorded()).unwrap());
        assert_eq!(
            whole(r#"{"locals": {"n": "5"}}"#),
            r#"{"event":"inv_line","source":"    n += 1","locals":{"..":"..","n":"5"},"value":null}"#
        );
        assert_eq!(
            whole(r#"{"event": "inv_call", "source": "def f(n):", "locals": {"n": "5"}}"#),
            r#"{"event":"inv_call","source":"def f(n):","locals":{"n":"5"},"value":null}"#
        );
    }

    #[test]
    fn what_is_no_guess_says_what_one_looks_like() {
        for bad in ["", "n = 1", "[]", r#"{"local": {}}"#, r#"{"locals": {"n": 1}}"#] {
            let error = bad.parse::<Guess>().unwrap_err();
            assert!(error.ends_with(r#"e.g. {"locals": {"n": "1"}}"#), "{error}");
        }
    }
}
