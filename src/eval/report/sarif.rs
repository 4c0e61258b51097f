//! SARIF 2.1.0, as code scanners write it: a result a wrong step, at the line it was taken from.
//!
//! Those who show it take no more than some thousand results of a run (GitHub 5,000), so it holds the
//! worst of them and says how many there are.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::findings::{Finding, Kind, Worst};
use super::grouped;
use super::write::{Sink, Whole};
use crate::eval::record::{ProgramRecord, StepRecord};

/// Most results.
const MOST: usize = 5_000;

/// The results of a log.
pub(super) struct Results<W> {
    worst: Worst,
    out: W,
}

impl<W: Write> Results<W> {
    pub fn new(out: W) -> Self {
        Results { worst: Worst::new(MOST), out }
    }
}

impl<W: Write> Sink for Results<W> {
    fn program(&mut self, program: &ProgramRecord, steps: Vec<StepRecord>) -> io::Result<()> {
        self.worst.add(&program.id, &steps);
        Ok(())
    }

    fn finish(mut self: Box<Self>, whole: &Whole) -> io::Result<()> {
        let found = self.worst.found;
        let results: Vec<Value> = self.worst.into_sorted().iter().map(result).collect();
        let rules = Kind::ALL.map(
            |kind| json!({ "id": kind.name(), "shortDescription": { "text": kind.meaning() } }),
        );
        let remarks = remarks(whole, found)
            .into_iter()
            .map(|text| json!({ "level": "note", "message": { "text": text } }));
        let run = json!({
            "tool": {
                "driver": {
                    "name": "Lockstep",
                    "semanticVersion": whole.header.recipe.tool,
                    "rules": rules,
                },
            },
            "invocations": [{
                "executionSuccessful": !whole.is_partial(),
                "toolExecutionNotifications": remarks.collect::<Vec<_>>(),
            }],
            "results": results,
            "properties": { "recipe": whole.header.recipe, "wrongSteps": found },
        });
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        });
        serde_json::to_writer_pretty(&mut self.out, &log)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

/// What a reader should know of what is not there.
fn remarks(whole: &Whole, found: usize) -> Vec<String> {
    let (held, of) = whole.programs();
    let mut remarks = Vec::new();
    if found > MOST {
        let (most, found) = (grouped(MOST), grouped(found));
        remarks.push(format!("{most} of {found} wrong steps are listed, the worst first"));
    }
    if whole.is_partial() {
        remarks.push(format!("the evaluation is not finished: {held} of {of} programs"));
    }
    remarks
}

fn result(finding: &Finding) -> Value {
    let location = match finding.file() {
        Some(file) => {
            let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
            if let Some(line) = finding.line {
                physical["region"] = json!({ "startLine": line });
            }
            json!({ "physicalLocation": physical })
        }
        // The program of a JSONL file is no file of its own.
        None => {
            let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
            let name = format!("{}{line}", finding.program);
            json!({ "logicalLocations": [{ "fullyQualifiedName": name }] })
        }
    };
    json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": finding.kind as usize,
        "level": "warning",
        "message": { "text": finding.message },
        "locations": [location],
        "properties": {
            "program": finding.program,
            "step": finding.step,
            "action": finding.action,
            "bits": finding.bits,
        },
    })
}

/// A path as a URI reference (RFC 3986): what may not stand in a path is given by its bytes.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into());
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    // A second slash would make a host of the first folder.
    match uri.starts_with('/') {
        true => format!("file://{uri}"),
        false => uri,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::metrics::Metrics;

    fn sarif(programs: &[(&str, Vec<StepRecord>)]) -> Value {
        let (mut metrics, mut out) = (Metrics::default(), Vec::new());
        let mut results = Box::new(Results::new(&mut out));
        for (place, (id, steps)) in programs.iter().enumerate() {
            let ended = ProgramRecord { id: (*id).into(), ..program(place, steps.len()) };
            metrics.add(&ended, steps);
            results.program(&ended, steps.clone()).unwrap();
        }
        results.finish(&Whole { header: header(), metrics }).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn wrong_steps_are_results() {
        let before = StepRecord { line: 0, ..step(0, 1, false) };
        let found = sarif(&[
            ("a b.py", vec![step(0, 1, true), before, step(0, 3, false)]),
            ("items.jsonl:4", vec![step(1, 1, false)]),
            ("c.py", vec![step(2, 1, true)]),
        ]);
        insta::assert_snapshot!(
            serde_json::to_string_pretty(&found["runs"][0]["results"]).unwrap()
        );
        assert_eq!(found["runs"][0]["invocations"][0]["executionSuccessful"], true);
    }

    #[test]
    fn every_rule_stands_at_its_index() {
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
    }

    #[test]
    fn there_are_no_more_results_than_are_shown() {
        let steps: Vec<_> = (1..=12_000).map(|number| step(0, number, false)).collect();
        let run = &sarif(&[("a.py", steps)])["runs"][0];
        assert_eq!(run["results"].as_array().unwrap().len(), MOST);
        assert_eq!(run["properties"]["wrongSteps"], 12_000);
        let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
        assert!(notes[0]["message"]["text"].as_str().unwrap().starts_with("5,000 of 12,000"));
        assert_eq!(run["invocations"][0]["executionSuccessful"], false, "2 programs are missing");
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("a/b c#é.py"), "a/b%20c%23%C3%A9.py");
        assert_eq!(uri("/a:b.py"), "file:///a%3Ab.py");
    }
}
