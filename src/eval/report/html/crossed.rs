//! Constructs against fields: which kind of line makes which part of a state hard to predict.

use std::collections::BTreeMap;

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
        for step in steps.iter().filter(|step| step.agree.is_some()) {
            for field in &step.fields {
                let right = usize::from(step.is_right(&field.field));
                for construct in &step.constructs {
                    let cell = self.cells.entry((*construct, kind(&field.field))).or_default();
                    cell.of += 1;
                    cell.right += right;
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
    use crate::eval::record::FieldRecord;

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
}
