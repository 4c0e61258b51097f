//! The lines of docs/log-format.md for other tools, run as they stand there. Which tools a machine has
//! differs; those that it lacks are named. `LOCKSTEP_PYTHON` names a Python that has pandas and DuckDB.

use std::process::{Command, Stdio};

use super::bench;
use crate::support::{Bench, repository};

/// The code blocks of the document: language and text.
fn blocks() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository().join("docs/log-format.md")).unwrap();
    let mut blocks = Vec::new();
    let mut rest = text.as_str();
    while let Some((_, block)) = rest.split_once("\n```") {
        let (language, block) = block.split_once('\n').unwrap();
        let (code, after) = block.split_once("\n```").unwrap();
        blocks.push((language.to_owned(), code.to_owned()));
        rest = after;
    }
    blocks
}

/// Whether this works here at all.
fn works(program: &str, args: &[&str]) -> bool {
    let status =
        Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn run(bench: &Bench, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(bench.path()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_lines_for_other_tools_work() {
    let bench = bench();
    bench.ok(&["report", "eval.jsonl", "--format", "parquet", "--out", "eval.parquet"]);
    let python = std::env::var("LOCKSTEP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let duckdb = "import duckdb, sys; print(duckdb.sql(sys.argv[1]))";
    let mut ran = 0;
    for (language, code) in blocks() {
        let printed = match language.as_str() {
            "sh" if works("jq", &["--version"]) => run(&bench, "sh", &["-euc", &code]),
            "python" if works(&python, &["-c", "import pandas, pyarrow"]) => {
                run(&bench, &python, &["-c", &code])
            }
            "sql" if works(&python, &["-c", "import duckdb"]) => {
                run(&bench, &python, &["-c", duckdb, &code])
            }
            "sh" | "python" | "sql" => {
                eprintln!("skipped, its tool is not here: {code}");
                continue;
            }
            other => panic!("no tool for {other}"),
        };
        assert!(!printed.trim().is_empty(), "nothing was printed by: {code}");
        ran += 1;
    }
    assert!(blocks().len() >= 4, "the document has lines for each tool");
    eprintln!("{ran} of {} blocks ran", blocks().len());
}
