//! The programs of corpora/: each has its header, stands in the table, and runs on both sides.

use std::path::PathBuf;

use crate::support::{Bench, repository};

/// All programs, as paths relative to corpora/, sorted.
fn programs() -> Vec<String> {
    let mut found = Vec::new();
    let root = repository().join("corpora");
    for topic in std::fs::read_dir(&root).unwrap() {
        let topic = topic.unwrap().path();
        if !topic.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(topic).unwrap() {
            let path: PathBuf = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "py") {
                found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// A field of a program's header.
fn header(source: &str, field: &str) -> String {
    let mut lines = source.lines().take_while(|line| line.starts_with('#')).map(|line| &line[1..]);
    let start = format!(" {field}: ");
    let Some(first) = lines.find_map(|line| line.strip_prefix(&start)) else {
        panic!("no `# {field}:` in the header")
    };
    let more = lines.take_while(|line| line.starts_with("  "));
    std::iter::once(first).chain(more.map(str::trim)).collect::<Vec<_>>().join(" ")
}

fn read(program: &str) -> String {
    std::fs::read_to_string(repository().join("corpora").join(program)).unwrap()
}

#[test]
fn there_are_at_least_thirty_over_ten_topics() {
    let programs = programs();
    let mut topics: Vec<&str> = programs.iter().filter_map(|p| Some(p.split_once('/')?.0)).collect();
    topics.dedup();
    assert!(programs.len() >= 30, "{}", programs.len());
    assert!(topics.len() >= 10, "{topics:?}");
}

#[test]
fn each_has_a_header_and_its_row_in_the_table() {
    let table = std::fs::read_to_string(repository().join("corpora/README.md")).unwrap();
    for program in programs() {
        let source = read(&program);
        assert_eq!(header(&source, "topic"), program.split_once('/').unwrap().0, "{program}");
        let (title, shows) = (header(&source, "title"), header(&source, "shows"));
        let row = format!("| [{program}]({program}) | {title} | {shows} |");
        assert!(table.contains(&row), "corpora/README.md lacks\n{row}");
    }
    assert_eq!(table.matches(".py) |").count(), programs().len(), "a row without a program");
}

/// Runs the programs whose number leaves `part` on division by two: two tests, two cores.
#[cfg(feature = "llama")]
fn run_part(part: usize) {
    let bench = Bench::new();
    for program in programs().into_iter().skip(part).step_by(2) {
        let path = repository().join("corpora").join(&program);
        let path = path.to_str().unwrap();
        let lines = bench.json(&["debug", path]);
        crate::debug::check_run(&lines);
        let summary = lines.last().unwrap();
        let exit = summary["exit"]["exit"].as_str();
        assert!(matches!(exit, Some("normal" | "error")), "{program}: {summary}");
        let recorded = bench.json(&["trace", path]);
        let states = recorded.iter().filter(|line| line.get("event").is_some()).count();
        assert_eq!(summary["steps"], states, "{program}: every state and the exit is a step");
    }
}

#[cfg(feature = "llama")]
#[test]
fn every_second_program_runs_on_both_sides() {
    run_part(0);
}

#[cfg(feature = "llama")]
#[test]
fn the_other_half_runs_on_both_sides() {
    run_part(1);
}
