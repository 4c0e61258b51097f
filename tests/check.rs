//! `lockstep check`: what can't run here says so before, not after.

use crate::support::Bench;

const PROGRAM: &str = "\
import socket

def main():
    for letter in {'b', 'a'}:
        print(lettr)
    return 1
    print('never')
";

#[test]
fn findings_stand_under_their_lines() {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    let outcome = bench.run(&["check", "p.py"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn findings_as_json() {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    let outcome = bench.run(&["check", "p.py", "--json"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn a_program_without_fault_says_nothing() {
    let bench = Bench::new();
    bench.write("p.py", "def main():\n    return sorted({2, 1})\n");
    assert_eq!(bench.ok(&["check", "p.py"]), "");
}

#[test]
fn the_lists_of_modules_are_true() {
    let bench = Bench::new();
    let imports = |names: &[&str]| -> String {
        let each = names.iter().map(|name| {
            format!(
                "try:\n    import {name}\nexcept Exception:\n    print('@no', '{name}')\n\
                     else:\n    print('@yes', '{name}')\n"
            )
        });
        each.collect()
    };
    let printed = |source: String| -> Vec<String> {
        bench.write("p.py", source);
        let limits = ["--max-time", "60", "--max-steps", "1000000"];
        let lines = bench.json(&[&["trace", "p.py"][..], &limits].concat());
        let exit = lines.last().unwrap();
        assert_eq!(exit["exit"], "normal", "{exit}");
        let text: String = lines.iter().filter_map(|line| line["stdout"].as_str()).collect();
        // What `import this` prints is not an answer.
        text.lines().filter(|line| line.starts_with('@')).map(str::to_owned).collect()
    };
    let available = lockstep::check::modules::AVAILABLE;
    let wrong: Vec<String> =
        printed(imports(available)).into_iter().filter(|line| !line.starts_with("@yes")).collect();
    assert!(wrong.is_empty(), "listed as available: {wrong:?}");
    let missing: Vec<&str> =
        lockstep::check::modules::MISSING.iter().flat_map(|(_, names)| *names).copied().collect();
    let wrong: Vec<String> =
        printed(imports(&missing)).into_iter().filter(|line| !line.starts_with("@no")).collect();
    assert!(wrong.is_empty(), "listed as missing: {wrong:?}");
}

#[test]
fn a_program_that_can_not_run_here_says_so_before() {
    let bench = Bench::new();
    bench.write("p.py", "print('started')\nimport socket\n");
    for command in ["trace", "debug"] {
        let stderr = bench.refused(&[command, "p.py"]);
        assert!(stderr.contains("p.py:2:8: error: module `socket`"), "{stderr}");
        assert!(stderr.contains("--no-check"), "{stderr}");
    }
    let stdout = bench.ok(&["trace", "p.py", "--no-check"]);
    assert!(stdout.contains("started") && stdout.contains("ModuleNotFoundError"), "{stdout}");
}

#[test]
fn what_may_surprise_is_told_before_a_run() {
    let bench = Bench::new();
    bench.write("p.py", "for letter in {'b', 'a'}:\n    print(letter + input())\n");
    let outcome = bench.run(&["trace", "p.py"]);
    insta::assert_snapshot!(outcome.stderr);
    // Input that is given needs no remark.
    let outcome = bench.run(&["trace", "p.py", "--input", "x", "--input", "y"]);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("bx") && outcome.stdout.contains("ay"), "{}", outcome.stdout);
}
