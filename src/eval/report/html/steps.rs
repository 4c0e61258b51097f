//! Programs and their steps as the page's script reads them: each step a row of numbers, and each text
//! once. A hundred thousand steps are some megabytes that way.
//!
//! A row is: verdict, action, from, line, depth, horizon, event, line that really came, line that was
//! predicted, bits, confidence, worth of a predecessor, constructs, kinds of the fields that are wrong;
//! then by the verdict four numbers a differing field (its name, how it differs, the real text, the
//! predicted text), or the reason and the raw answer of a malformed one, or why there is no verdict.
//! Texts are places in a list; what is absent is -1, an absent line 0. Going back, a predecessor that
//! works is right, and its fields may differ all the same.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::crossed::wrong_kinds;
use crate::eval::record::{DifferenceRecord, ProgramRecord, Status, StepRecord};

/// Longest text that is held, in characters.
const MAX_TEXT: usize = 2_000;

/// Verdicts, as `data.js` numbers them.
const RIGHT: usize = 0;
const WRONG: usize = 1;
const MALFORMED: usize = 2;
const UNJUDGED: usize = 3;

/// Texts, each once.
#[derive(Debug, Default)]
pub struct Strings {
    places: HashMap<String, usize>,
    list: Vec<String>,
}

impl Strings {
    /// The place of a text.
    fn place(&mut self, text: &str) -> usize {
        let cut = text.char_indices().nth(MAX_TEXT).map(|(end, _)| format!("{}…", &text[..end]));
        let text = cut.as_deref().unwrap_or(text);
        if let Some(place) = self.places.get(text) {
            return *place;
        }
        let place = self.list.len();
        self.list.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }

    /// All of them.
    pub fn list(&self) -> &[String] {
        &self.list
    }
}

/// A program with these of its steps, of which it has `of`.
pub fn program(
    program: &ProgramRecord,
    source: Option<String>,
    steps: &[StepRecord],
    of: usize,
    strings: &mut Strings,
) -> Value {
    let exit = match &program.status {
        Status::Done { exit, .. } => exit.as_deref(),
        Status::Refused { .. } => None,
    };
    json!({
        "id": program.id,
        "exit": exit,
        "of": of,
        "source": source,
        "steps": steps.iter().map(|step| row(step, strings)).collect::<Vec<_>>(),
    })
}

fn row(step: &StepRecord, strings: &mut Strings) -> Value {
    let constructs: Vec<&str> = step.constructs.iter().map(|construct| construct.name()).collect();
    let wrong: Vec<&str> = wrong_kinds(step).into_iter().collect();
    let verdict = match step.is_good() {
        Some(true) => RIGHT,
        Some(false) if step.malformed.is_some() => MALFORMED,
        Some(false) => WRONG,
        None => UNJUDGED,
    };
    let mut row = vec![
        json!(verdict),
        json!(strings.place(&step.action)),
        json!(step.from),
        json!(step.line),
        json!(step.depth),
        step.horizon.map_or(json!(-1), |horizon| json!(horizon)),
        json!(strings.place(&step.event)),
        json!(step.to_line.unwrap_or(0)),
        json!(step.predicted_line.unwrap_or(0)),
        rounded(step.bits),
        rounded(step.confidence),
        step.predecessor.as_ref().map_or(json!(-1), |worth| json!(strings.place(&worth.verdict))),
        json!(strings.place(&constructs.join(" "))),
        json!(strings.place(&wrong.join(" "))),
    ];
    match (&step.malformed, &step.unjudged) {
        (Some(malformed), _) => {
            row.push(json!(strings.place(&malformed.reason)));
            row.push(json!(strings.place(&malformed.raw)));
        }
        (None, Some(why)) => row.push(json!(strings.place(why))),
        (None, None) => {
            row.extend(step.diff.iter().flat_map(|difference| differing(difference, strings)));
        }
    }
    Value::Array(row)
}

/// Three digits are enough to read, and short.
fn rounded(number: Option<f64>) -> Value {
    number.map_or(json!(-1), |number| json!((number * 1e3).round() / 1e3))
}

fn differing(difference: &DifferenceRecord, strings: &mut Strings) -> [Value; 4] {
    let kind = match difference.kind.as_str() {
        "changed" => 0,
        "missing" => 1,
        _ => 2,
    };
    let field = strings.place(&difference.field);
    let mut text = |text: &Option<String>| match text {
        Some(text) => json!(strings.place(text)),
        None => json!(-1),
    };
    [json!(field), json!(kind), text(&difference.real), text(&difference.predicted)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Construct;
    use crate::eval::log::tests;
    use crate::eval::record::MalformedRecord;

    #[test]
    fn steps_are_rows_and_texts_stand_once() {
        let mut malformed = StepRecord { bits: None, horizon: None, ..tests::step(0, 3, false) };
        let answer = MalformedRecord { reason: "no event".into(), raw: "b".into() };
        malformed.malformed = Some(answer);
        let unjudged = StepRecord {
            agree: None,
            unjudged: Some("stopped".into()),
            constructs: vec![Construct::Call, Construct::Return],
            ..tests::step(0, 4, true)
        };
        let steps = [tests::step(0, 1, true), tests::step(0, 2, false), malformed, unjudged];
        let mut strings = Strings::default();
        let found = program(&tests::program(0, 4), None, &steps, 9, &mut strings);
        let expected = json!([
            [0, 0, 0, 1, 0, 1, 1, 2, 2, 1.0, -1, -1, 2, 2],
            [1, 0, 1, 1, 0, 1, 1, 2, 2, 1.0, -1, -1, 2, 3, 3, 0, 4, 5],
            [2, 0, 2, 1, 0, -1, 1, 2, 2, -1, -1, -1, 2, 6, 7, 5],
            [3, 0, 3, 1, 0, 1, 1, 2, 2, 1.0, -1, -1, 8, 2, 9],
        ]);
        assert_eq!(found["steps"], expected);
        assert_eq!(found["of"], 9);
        let texts = ["step_into", "line", "", "source", "a", "b", "event source", "no event"];
        assert_eq!(strings.list()[..8], texts);
        assert_eq!(strings.list()[8..], ["call return", "stopped"]);
    }

    #[test]
    fn long_texts_are_cut() {
        let mut strings = Strings::default();
        strings.place(&"é".repeat(MAX_TEXT));
        strings.place(&"é".repeat(MAX_TEXT + 1));
        let lengths: Vec<_> = strings.list().iter().map(|text| text.chars().count()).collect();
        assert_eq!(lengths, [MAX_TEXT, MAX_TEXT + 1], "the second ends in …");
    }
}
