//! `lockstep worker`: lines in, lines out, and the log that they become.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Bench, Outcome};

const PROGRAMS: [(&str, &str); 3] = [
    (
        "sum",
        "def main():\n    total = 0\n    for n in [1, 2]:\n        total += n\n    return total\n",
    ),
    ("fails", "def main():\n    d = {}\n    return d['k']\n"),
    ("broken", "def main(:\n"),
];

fn rows() -> String {
    let mut rows = String::new();
    for (id, program) in PROGRAMS {
        rows += &(json!({"id": id, "program": program}).to_string() + "\n");
    }
    // A row of CruxEval.
    rows + "{\"id\": \"crux\", \"code\": \"def f(a):\\n    return a + 1\", \"input\": \"3\"}\n"
}

fn worker(bench: &Bench, input: &str, more: &[&str]) -> Outcome {
    bench.run_with_input(&[&["worker"], more].concat(), input)
}

fn log(bench: &Bench, name: &str) -> Vec<u8> {
    std::fs::read(bench.path().join(name)).unwrap()
}

#[test]
fn answers_become_the_log_of_an_evaluation() {
    let bench = Bench::new();
    bench.write("rows.jsonl", rows());
    let options = ["--policy", "mixed", "--seed", "3"];
    let eval = [&["eval", "rows.jsonl", "--out", "eval.jsonl"], &options[..]].concat();
    let report = bench.ok(&eval);
    let answered = worker(&bench, &rows(), &options);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    let lines: Vec<&str> = answered.stdout.lines().collect();
    assert_eq!(lines.len(), 4);
    for (line, id) in lines.iter().zip(["sum", "fails", "broken", "crux"]) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["record"], &line["id"]), (&"answer".into(), &id.into()));
        let refused = line["program"]["status"] == "refused";
        assert_eq!(line["steps"].as_array().unwrap().is_empty(), refused, "{line}");
    }
    // In one file or several, in any order, and written anew by other hands.
    let again = |line: &&str| serde_json::from_str::<Value>(line).unwrap().to_string() + "\n";
    bench.write("one.jsonl", &answered.stdout);
    bench.write("b.jsonl", lines[2..].iter().rev().map(again).collect::<String>());
    bench.write("a.jsonl", lines[..2].iter().map(again).collect::<String>());
    for files in [&["one.jsonl"][..], &["b.jsonl", "a.jsonl"]] {
        let more = ["--corpus", "rows.jsonl", "--out", "merged.jsonl"];
        bench.ok(&[&["merge"], files, &more].concat());
        assert_eq!(log(&bench, "merged.jsonl"), log(&bench, "eval.jsonl"), "{files:?}");
        assert_eq!(bench.ok(&["report", "merged.jsonl"]), report);
    }
    let partial = bench.run(&["merge", "a.jsonl", "--corpus", "rows.jsonl", "--out", "part.jsonl"]);
    assert_eq!(partial.code, Some(3), "{}", partial.stderr);
    assert!(partial.stderr.contains("2 are in no log: 2, 3"), "{}", partial.stderr);
    // Without the corpus they are no logs.
    let refused = bench.refused(&["merge", "one.jsonl", "--out", "x.jsonl"]);
    assert!(refused.contains("--corpus"), "{refused}");
}

#[test]
fn a_line_that_is_no_program_is_answered_in_its_place() {
    let bench = Bench::new();
    bench.write("p.py", PROGRAMS[1].1);
    let input = "nonsense\n\
                 {\"id\": \"path\", \"path\": \"p.py\", \"unknown\": 1}\n\
                 \n\
                 {\"program\": \"x = 1\"}\n\
                 {\"id\": \"nul\", \"program\": \"x = '\\u0000'\"}\n\
                 {\"id\": \"gone\", \"path\": \"gone.py\"}\n\
                 {\"id\": \"last\", \"program\": \"x = 1\"}";
    let outcome = worker(&bench, input, &["--steps", "2"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let lines: Vec<Value> =
        outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<Value> = lines
        .iter()
        .map(|line| json!([line["record"], line["id"], line["line"], line["error"]]))
        .collect();
    insta::assert_snapshot!(told.iter().map(|line| line.to_string() + "\n").collect::<String>());
}

/// A program can wait for its answer: each is written as soon as it is there.
#[test]
fn each_answer_comes_at_once_and_the_model_stays() {
    let bench = Bench::new();
    let mut child = bench
        .command(&["worker", "--steps", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in ["a", "b", "c"] {
        writeln!(stdin, "{}", json!({"id": id, "program": "x = 1\ny = 2\n"})).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&line["id"], line["steps"].as_array().map(Vec::len)), (&id.into(), Some(2)));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_worker_that_is_asked_to_end_says_that_it_is_not_done() {
    let bench = Bench::new();
    let mut child = bench
        .command(&["worker", "--steps", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", json!({"id": "a", "program": "x = 1\n"})).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    // It waits for more, and ends all the same.
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    drop(stdin);
}

#[test]
fn a_cache_serves_workers_and_evaluations_alike() {
    let bench = Bench::new();
    bench.write("rows.jsonl", rows());
    let plain = worker(&bench, &rows(), &[]).stdout;
    assert_eq!(worker(&bench, &rows(), &["--cache", "kept"]).stdout, plain);
    assert_eq!(worker(&bench, &rows(), &["--cache", "kept"]).stdout, plain);
    bench.ok(&["eval", "rows.jsonl", "--out", "plain.jsonl"]);
    bench.ok(&["eval", "rows.jsonl", "--out", "cached.jsonl", "--cache", "kept"]);
    assert_eq!(log(&bench, "cached.jsonl"), log(&bench, "plain.jsonl"));
}
