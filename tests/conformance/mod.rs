//! Conformance: every program of programs/ gives the event stream that CPython 3.14 gives, but for
//! the deviations that are known. README.md says how the golden streams are recorded.

mod deviations;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use lockstep::state::{Event, Exit, Locals, Raised};
use serde::Deserialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use self::deviations::{Deviation, KNOWN};
use crate::support::{Bench, repository};

/// How many programs there are.
const PROGRAMS: usize = 295;

#[test]
fn every_program_gives_cpythons_events() {
    let folder = folder();
    let programs = stems(&folder.join("programs"), "py");
    assert_eq!(programs.len(), PROGRAMS, "README.md and CHANGELOG.md name the number too");
    assert_eq!(programs, stems(&folder.join("golden"), "jsonl"), "run record.mjs");
    let programs: Vec<String> = programs.into_iter().collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let reports: Vec<String> = std::thread::scope(|scope| {
        let mut running = Vec::new();
        for share in programs.chunks(programs.len().div_ceil(workers)) {
            let folder = &folder;
            let run = move || share.iter().filter_map(|program| report(folder, program));
            running.push(scope.spawn(move || run().collect::<Vec<_>>()));
        }
        running.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(
        reports.is_empty(),
        "{} of {} programs:\n{}",
        reports.len(),
        programs.len(),
        reports.concat()
    );
}

#[test]
fn every_known_deviation_is_explained() {
    let text = std::fs::read_to_string(repository().join("docs/deviations.md")).unwrap();
    let programs = stems(&folder().join("programs"), "py");
    for Deviation { program, missing, extra } in KNOWN {
        assert!(programs.contains(*program), "{program}: no such program");
        assert!(missing.len() + extra.len() > 0, "{program}: nothing differs");
        assert!(text.contains(&format!("`{program}`")), "{program}: not in docs/deviations.md");
    }
    assert!(KNOWN.is_sorted_by_key(|known| known.program), "not in order");
}

fn folder() -> PathBuf {
    repository().join("tests/conformance")
}

/// The names, without it, of the files in `folder` with this extension.
fn stems(folder: &Path, extension: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|found| found == extension) {
            stems.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    stems
}

/// What is wrong with the program's stream, as text; none if it is as expected.
fn report(folder: &Path, program: &str) -> Option<String> {
    let path = folder.join("programs").join(program).with_extension("py");
    let outcome = Bench::new().run(&["trace", path.to_str().unwrap(), "--json"]);
    if outcome.code != Some(0) {
        return Some(format!("\n{program}: exit code {:?}\n{}", outcome.code, outcome.stderr));
    }
    let golden = folder.join("golden").join(program).with_extension("jsonl");
    let golden = stream(&std::fs::read_to_string(golden).unwrap());
    let ours = stream(&outcome.stdout);
    let (missing, extra) = differences(&golden, &ours);
    let known = KNOWN.iter().find(|known| known.program == program);
    let (known_missing, known_extra) =
        known.map_or((&[][..], &[][..]), |known| (known.missing, known.extra));
    if missing == known_missing && extra == known_extra {
        return None;
    }
    let mut text = format!("\n{program}: missing: &{missing:?}, extra: &{extra:?}\n");
    if known.is_some() {
        let _ = writeln!(text, "  known: missing: &{known_missing:?}, extra: &{known_extra:?}");
    }
    if missing.is_empty() && extra.is_empty() {
        text.push_str("  no longer deviates: remove it from deviations.rs\n");
        return Some(text);
    }
    let unexpected = |lines: Vec<usize>, known: &[usize]| {
        lines.iter().copied().find(|line| !known.contains(line)).or(lines.first().copied())
    };
    if let Some(line) = unexpected(missing, known_missing) {
        let _ = writeln!(text, "  CPython, line {line}: {}", golden[line - 1]);
    }
    if let Some(line) = unexpected(extra, known_extra) {
        let _ = writeln!(text, "  ours, line {line}: {}", ours[line - 1]);
    }
    Some(text)
}

/// The lines, 1-based, that only the golden has and that only ours has.
fn differences(golden: &[String], ours: &[String]) -> (Vec<usize>, Vec<usize>) {
    let (mut missing, mut extra) = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, golden, ours) {
        if !matches!(op, DiffOp::Equal { .. }) {
            missing.extend(op.old_range().map(|index| index + 1));
            extra.extend(op.new_range().map(|index| index + 1));
        }
    }
    (missing, extra)
}

/// One line of `lockstep trace --json`; fields that docs/json.md may add are passed over.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    State {
        event: Event,
        function: String,
        line: u32,
        depth: u32,
        source: String,
        locals: Locals,
        value: Option<String>,
        exception: Option<Raised>,
    },
    Exit(Exit),
    Stdout {
        stdout: String,
    },
    Stderr {
        stderr: String,
    },
}

/// The stream as lines that are equal if all that they say is. What is written between two events
/// is one line, in however many pieces it was written.
fn stream(json: &str) -> Vec<String> {
    let mut lines: Vec<Line> = Vec::new();
    for text in json.lines() {
        let line = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        match (lines.last_mut(), &line) {
            (Some(Line::Stdout { stdout: before }), Line::Stdout { stdout: more })
            | (Some(Line::Stderr { stderr: before }), Line::Stderr { stderr: more }) => {
                before.push_str(more);
            }
            _ => lines.push(line),
        }
    }
    lines.iter().map(describe).collect()
}

/// All that a line says, to compare and to read.
fn describe(line: &Line) -> String {
    match line {
        Line::State { event, function, line, depth, source, locals, value, exception } => {
            let mut text = format!("{} {function}:{line} depth {depth} {source:?}", event.name());
            for (name, value) in locals.iter() {
                let _ = write!(text, " | {name} = {value}");
            }
            if let Some(value) = value {
                let _ = write!(text, " | value {value}");
            }
            if let Some(Raised { class, message }) = exception {
                let _ = write!(text, " | exception {class} {message:?}");
            }
            text
        }
        Line::Exit(Exit { kind, exception, reason }) => {
            format!("exit {} {exception:?} {reason:?}", kind.name())
        }
        Line::Stdout { stdout } => format!("stdout {stdout:?}"),
        Line::Stderr { stderr } => format!("stderr {stderr:?}"),
    }
}

#[test]
fn differences_are_the_lines_that_only_one_side_has() {
    let lines = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    assert_eq!(differences(&lines("abcd"), &lines("abcd")), (vec![], vec![]));
    assert_eq!(differences(&lines("abcd"), &lines("abd")), (vec![3], vec![]));
    assert_eq!(differences(&lines("abcd"), &lines("abxcd")), (vec![], vec![3]));
    assert_eq!(differences(&lines("abcd"), &lines("axcdy")), (vec![2], vec![2, 5]));
}

#[test]
fn a_line_of_the_stream_shows_every_field() {
    let json = r#"{"event":"return","function":"f","line":2,"depth":1,"source":"  x","locals":{"z":"1","a":"2"},"value":"'v'","exception":null}
{"stdout":"a"}
{"stdout":"b\n"}
{"exit":"error","exception":{"type":"KeyError","message":"'k'"},"reason":null}"#;
    let lines = stream(json);
    assert_eq!(lines[0], r#"return f:2 depth 1 "  x" | z = 1 | a = 2 | value 'v'"#);
    assert_eq!(lines[1], r#"stdout "ab\n""#);
    assert!(lines[2].starts_with("exit error") && lines[2].contains("KeyError"), "{}", lines[2]);
    assert_eq!(lines.len(), 3);
}
