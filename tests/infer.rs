//! `lockstep infer`: what may have come before a state.

use crate::support::Bench;

const PROGRAM: &str = "\
def count(s, t):
    n = 0
    for c in s:
        n += int(c == t)
    return n


def main():
    return count('berry', 'r')
";

/// The fifth visit of the loop's line.
const AT: &str = "12";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    bench
}

const GUESSES: [&str; 10] = [
    "--guess",
    r#"{"locals": {"n": "1"}}"#,
    "--guess",
    r#"{"source": "    n = 0", "locals": {"..": ".."}}"#,
    "--guess",
    r#"{"locals": {"s": "count", "n": "1"}}"#,
    "--guess",
    r#"{"locals": {"n": "2"}}"#,
    "--guess",
    r#"{"locals": {"n": "1", "c": "'r'", "s": "'berry'", "t": "'r'"}}"#,
];

#[test]
fn guesses_are_checked_by_running_from_them() {
    insta::assert_snapshot!(bench().ok(&[&["infer", "p.py", AT][..], &GUESSES].concat()));
}

#[test]
fn arguments_are_checked_by_calling_with_them() {
    insta::assert_snapshot!(bench().ok(&[
        "infer",
        "p.py",
        "16",
        "--action",
        "call",
        "--guess",
        "{}",
        "--guess",
        r#"{"locals": {"s": "'aa'", "t": "'a'"}}"#,
        "--guess",
        r#"{"locals": {"s": "'aab'", "t": "'b'"}}"#,
    ]));
}

#[test]
fn each_answer_is_an_object() {
    let lines = bench().json(&[&["infer", "p.py", AT, "--from", "return"][..], &GUESSES].concat());
    insta::assert_snapshot!(lines.iter().map(|line| line.to_string() + "\n").collect::<String>());
}

/// The model that ships answers one way or the other; the same seed gives the same answers.
#[cfg(feature = "llama")]
#[test]
fn a_seed_fixes_the_answers() {
    let bench = bench();
    let ask = || bench.json(&["infer", "p.py", "16", "--samples", "3", "--seed", "7"]);
    let lines = ask();
    assert_eq!(lines.len(), 1 + 3 + 1);
    for (number, line) in (1..).zip(&lines[1..4]) {
        assert_eq!(line["sample"], number);
        let verdict = line["verdict"].as_str().unwrap();
        let known = ["exact", "valid", "invalid", "malformed", "unchecked"];
        assert!(known.contains(&verdict), "{line}");
    }
    assert_eq!(lines[4]["answers"], 3);
    assert!(lines[4]["model"]["sha256"].is_string(), "{}", lines[4]);
    assert_eq!(ask(), lines);
}

#[test]
fn what_can_not_be_asked_says_why() {
    let bench = bench();
    bench.write("raises.py", "def main():\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        x = 1\n    return x\n");
    let refused = |args: &[&str]| bench.refused(&[&["infer"], args].concat());
    let told = [
        refused(&["p.py", "99", "--guess", "{}"]),
        refused(&["p.py", "0", "--action", "call", "--guess", "{}"]),
        refused(&["p.py", AT, "--guess", "n = 1"]),
        refused(&["p.py", AT, "--action", "return"]),
        refused(&["p.py", AT, "--temperature=-1"]),
        refused(&["raises.py", "5", "--guess", "{}"]),
        refused(&["raises.py", "5", "--from", "return", "--guess", "{}"]),
    ];
    insta::assert_snapshot!(told.concat());
}
