//! Constructs against fields: which kind of line makes which part of a state hard to predict.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::eval::Construct;
use crate::eval::record::StepRecord;

/// How many fields were right, by the construct of the line and the field's kind.
#[derive(Debug, Default)]
pub struct Crossed {
    cells: BTreeMap<(Construct, &'static str), Cell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    of: usize,
    right: usize,
}

/// A cell, as the page's script reads it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    construct: &'static str,
    field: &'static str,
    of: usize,
    right: usize,
}

impl Crossed {
    /// Takes in a program's steps.
    pub fn add(&mut self, steps: &[StepRecord]) {
        for step in steps {
            for (kind, is_right) in verdicts(step) {
                for construct in &step.constructs {
                    let cell = self.cells.entry((*construct, kind)).or_default();
                    cell.of += 1;
                    cell.right += usize::from(is_right);
                }
            }
        }
    }

    /// All cells that count something.
    pub fn rows(&self) -> Vec<Row> {
        let row = |(&(construct, field), cell): (&(Construct, &'static str), &Cell)| Row {
            construct: construct.name(),
            field,
            of: cell.of,
            right: cell.right,
        };
        self.cells.iter().map(row).collect()
    }
}

/// The fields that a step had to get right, each by its kind, and whether it did.
fn verdicts(step: &StepRecord) -> impl Iterator<Item = (&'static str, bool)> {
    let fields = step.agree.is_some().then_some(&step.fields).into_iter().flatten();
    fields.map(|field| (kind(&field.field), step.is_right(&field.field)))
}

/// The kinds of the fields that a step has wrong, each once: the cells that count it as wrong. A
/// variable that is none is no field of what really came, and a kind of its own.
pub fn wrong_kinds(step: &StepRecord) -> BTreeSet<&'static str> {
    let wrong = verdicts(step).filter_map(|(kind, is_right)| (!is_right).then_some(kind));
    let is_extra = step.diff.iter().any(|d| d.kind == "extra" && d.field.starts_with("locals."));
    wrong.chain(is_extra.then_some("extra")).collect()
}

/// Variables are one kind.
fn kind(field: &str) -> &'static str {
    match field {
        "event" => "event",
        "source" => "source",
        "value" => "value",
        "exception" => "exception",
        "exit" => "exit",
        _ => "locals",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::step;
    use crate::eval::record::{FieldRecord, MalformedRecord};

    #[test]
    fn fields_are_counted_for_each_construct_of_the_line() {
        let mut wrong = step(0, 1, false);
        let local = |name: &str| FieldRecord { field: name.into(), of: None, changed: true };
        wrong.fields.extend([local("locals.a"), local("locals.b")]);
        wrong.constructs = vec![Construct::Call, Construct::Return];
        let unjudged = StepRecord { agree: None, ..wrong.clone() };
        let mut crossed = Crossed::default();
        crossed.add(&[wrong, unjudged]);
        let rows = crossed.rows();
        let of = |construct: &str, field: &str| {
            let row = rows.iter().find(|row| row.construct == construct && row.field == field);
            row.map(|row| (row.right, row.of)).unwrap()
        };
        assert_eq!((of("call", "source"), of("return", "locals")), ((0, 1), (2, 2)));
        assert_eq!(rows.len(), 6);
    }

    /// Whatever is wrong with a step: the cells that count a wrong field are those that list it.
    #[test]
    fn a_cell_counts_the_steps_that_it_lists() {
        let local = FieldRecord { field: "locals.a".into(), of: None, changed: true };
        let differing = |field: &str, kind: &str| {
            let mut wrong = step(0, 1, false);
            (wrong.diff[0].field, wrong.diff[0].kind) = (field.into(), kind.into());
            wrong
        };
        let malformed = MalformedRecord { reason: "no event".into(), raw: String::new() };
        let steps = [
            StepRecord { malformed: Some(malformed), diff: Vec::new(), ..step(0, 1, false) },
            differing("event", "changed"),
            differing("exit", "extra"),
            differing("locals.a", "missing"),
            differing("locals.z", "extra"),
            step(0, 1, true),
        ];
        let expected: [&[&str]; 6] = [
            &["event", "locals", "source"],
            &["event", "locals"],
            &["event", "locals", "source"],
            &["locals"],
            &["extra"],
            &[],
        ];
        for (mut step, expected) in steps.into_iter().zip(expected) {
            step.fields.push(local.clone());
            step.constructs = vec![Construct::Call];
            assert_eq!(wrong_kinds(&step).into_iter().collect::<Vec<_>>(), expected);
            let mut crossed = Crossed::default();
            crossed.add(&[step]);
            let wrong = crossed.rows().into_iter().filter(|row| row.right < row.of);
            let listed = expected.iter().copied().filter(|kind| *kind != "extra");
            assert_eq!(wrong.map(|row| row.field).collect::<Vec<_>>(), listed.collect::<Vec<_>>());
        }
    }
}
