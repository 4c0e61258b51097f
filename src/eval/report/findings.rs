//! The wrong steps of a log, the worst of them first, for the reports that can hold only some.

use std::cmp::Reverse;

use crate::eval::record::{DifferenceRecord, StepRecord};

/// Longest text of a value in a message, in characters.
const MAX_TEXT: usize = 200;

/// What is wrong with a step: the first field that differs decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Event,
    Source,
    Local,
    Value,
    Exception,
    Exit,
    Malformed,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::Event,
        Kind::Source,
        Kind::Local,
        Kind::Value,
        Kind::Exception,
        Kind::Exit,
        Kind::Malformed,
    ];

    /// Its name, as that of a rule.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Event => "event",
            Kind::Source => "source",
            Kind::Local => "locals",
            Kind::Value => "value",
            Kind::Exception => "exception",
            Kind::Exit => "exit",
            Kind::Malformed => "malformed",
        }
    }

    /// What it means, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Kind::Event => "The model predicts another event than the one that comes.",
            Kind::Source => "The model predicts another line than the one that comes.",
            Kind::Local => "The model predicts another value of a variable, or other variables.",
            Kind::Value => "The model predicts another returned value.",
            Kind::Exception => "The model predicts another exception.",
            Kind::Exit => "The model predicts another end of the run.",
            Kind::Malformed => "What the model says is no state.",
        }
    }

    fn of(step: &StepRecord) -> Self {
        let first = step.diff.first().map(|difference| difference.field.as_str());
        match first {
            _ if step.malformed.is_some() => Kind::Malformed,
            Some("event") => Kind::Event,
            Some("source") => Kind::Source,
            Some("value") => Kind::Value,
            Some("exception") => Kind::Exception,
            Some(field) if field.starts_with("locals.") => Kind::Local,
            _ => Kind::Exit,
        }
    }
}

/// A wrong step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    pub program: String,
    pub step: usize,
    pub action: String,
    /// The line from which it was taken; none before the first line of a module.
    pub line: Option<u32>,
    pub kind: Kind,
    /// What was real and what was predicted, in a few words.
    pub message: String,
    pub bits: Option<f64>,
    place: usize,
    is_first: bool,
}

impl Finding {
    /// A wrong step of a program; `is_first` if none before it was wrong.
    pub fn of(program: &str, step: &StepRecord, is_first: bool) -> Self {
        Finding {
            program: program.to_owned(),
            step: step.step,
            action: step.action.clone(),
            line: (step.line > 0).then_some(step.line),
            kind: Kind::of(step),
            message: message(step),
            bits: step.bits,
            place: step.place,
            is_first,
        }
    }

    /// The file in which it is, if the program is known by the path of one.
    pub fn file(&self) -> Option<&str> {
        self.program.ends_with(".py").then_some(&self.program)
    }

    /// The first fault of a program is worse than those that may follow from it, and a greater
    /// surprise is worse than a lesser one; else the order is that of the log.
    fn rank(&self) -> impl Ord + use<> {
        // Bits are never negative, and then their bit patterns are in the order of the numbers.
        let bits = self.bits.unwrap_or_default().max(0.0).to_bits();
        (!self.is_first, Reverse(bits), self.place, self.step)
    }
}

/// The worst findings: as many as can be told.
#[derive(Debug)]
pub(super) struct Worst {
    most: usize,
    kept: Vec<Finding>,
    /// How many there are in all.
    pub found: usize,
}

impl Worst {
    /// None yet, and never more than `most`.
    pub fn new(most: usize) -> Self {
        Worst { most, kept: Vec::new(), found: 0 }
    }

    /// Takes in a program's wrong steps. Going back, a predecessor that works is right.
    pub fn add(&mut self, program: &str, steps: &[StepRecord]) {
        let wrong = steps.iter().filter(|step| step.is_good() == Some(false));
        for (number, step) in wrong.enumerate() {
            self.found += 1;
            self.kept.push(Finding::of(program, step, number == 0));
        }
        if self.kept.len() > 2 * self.most {
            self.cut();
        }
    }

    /// The worst, the worst of all first.
    pub fn into_sorted(mut self) -> Vec<Finding> {
        self.cut();
        self.kept
    }

    fn cut(&mut self) {
        self.kept.sort_by_cached_key(Finding::rank);
        self.kept.truncate(self.most);
    }
}

/// What is wrong with a step, in one line.
pub(super) fn message(step: &StepRecord) -> String {
    let wrong = match (&step.malformed, step.diff.first()) {
        (Some(malformed), _) => format!("malformed: {}", malformed.reason),
        (None, Some(difference)) => said(difference),
        (None, None) => "differs".to_owned(),
    };
    let more = match step.diff.len() {
        _ if step.malformed.is_some() => String::new(),
        0 | 1 => String::new(),
        2 => "; and 1 more field".to_owned(),
        fields => format!("; and {} more fields", fields - 1),
    };
    format!("{}: {wrong}{more}", step.action)
}

/// A field that differs, in a few words.
pub(super) fn said(difference: &DifferenceRecord) -> String {
    let short = |text: &str| match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    let field = &difference.field;
    match (&difference.real, &difference.predicted) {
        (Some(real), Some(predicted)) => {
            format!("{field} is {}, predicted {}", short(real.trim()), short(predicted.trim()))
        }
        (Some(real), None) => format!("{field} is {}, not predicted", short(real.trim())),
        (None, Some(predicted)) => {
            format!("{field} is not there, predicted {}", short(predicted.trim()))
        }
        (None, None) => field.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::step;

    fn wrong(place: usize, number: usize, bits: f64) -> StepRecord {
        StepRecord { bits: Some(bits), ..step(place, number, false) }
    }

    #[test]
    fn first_faults_and_surprises_come_first() {
        let mut worst = Worst::new(3);
        worst.add("a", &[wrong(0, 1, 1.0), wrong(0, 2, 99.0), step(0, 3, true)]);
        worst.add("b", &[step(1, 1, true), wrong(1, 2, 8.0), wrong(1, 3, 7.0)]);
        assert_eq!(worst.found, 4);
        let sorted = worst.into_sorted();
        let found: Vec<_> = sorted.iter().map(|f| (f.program.as_str(), f.step)).collect();
        assert_eq!(found, [("b", 2), ("a", 1), ("a", 2)]);
        assert_eq!(sorted[0].message, "step_into: source is a, predicted b");
    }

    #[test]
    fn only_the_worst_of_many_are_kept() {
        let mut worst = Worst::new(5);
        for place in 0..1_000 {
            worst.add("p", &[wrong(place, 1, place as f64)]);
            assert!(worst.kept.len() <= 10);
        }
        let kept = worst.into_sorted();
        assert_eq!(kept.iter().map(|f| f.place).collect::<Vec<_>>(), [999, 998, 997, 996, 995]);
    }

    #[test]
    fn messages_are_short() {
        let mut long = wrong(0, 1, 1.0);
        long.diff[0].real = Some("é".repeat(1_000_000));
        long.diff.push(long.diff[0].clone());
        let message = message(&long);
        assert!(message.chars().count() < 300, "{message}");
        assert!(message.ends_with("…, predicted b; and 1 more field"), "{message}");
    }
}
