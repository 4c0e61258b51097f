//! What `--help` says: a change of it is seen in review.

use crate::support::Bench;

#[test]
fn the_program() {
    insta::assert_snapshot!(Bench::new().ok(&["--help"]));
}

#[test]
fn debug() {
    insta::assert_snapshot!(Bench::new().ok(&["debug", "--help"]));
}

#[test]
fn trace() {
    insta::assert_snapshot!(Bench::new().ok(&["trace", "--help"]));
}

#[test]
fn check() {
    insta::assert_snapshot!(Bench::new().ok(&["check", "--help"]));
}

#[test]
fn infer() {
    insta::assert_snapshot!(Bench::new().ok(&["infer", "--help"]));
}

#[test]
fn dataset() {
    insta::assert_snapshot!(Bench::new().ok(&["dataset", "--help"]));
}

#[test]
fn doctor() {
    insta::assert_snapshot!(Bench::new().ok(&["doctor", "--help"]));
}

#[test]
fn a_wrong_flag_is_named() {
    let stderr = Bench::new().refused(&["trace", "p.py", "--jsno"]);
    assert!(stderr.contains("--json"), "{stderr}");
}

#[test]
fn eval() {
    insta::assert_snapshot!(Bench::new().ok(&["eval", "--help"]));
}

#[test]
fn report() {
    insta::assert_snapshot!(Bench::new().ok(&["report", "--help"]));
}

#[test]
fn merge() {
    insta::assert_snapshot!(Bench::new().ok(&["merge", "--help"]));
}

#[test]
fn worker() {
    insta::assert_snapshot!(Bench::new().ok(&["worker", "--help"]));
}

#[test]
fn compare() {
    insta::assert_snapshot!(Bench::new().ok(&["compare", "--help"]));
}

#[test]
fn inspect() {
    insta::assert_snapshot!(Bench::new().ok(&["inspect", "--help"]));
}

#[test]
fn cruxeval() {
    insta::assert_snapshot!(Bench::new().ok(&["cruxeval", "--help"]));
}

#[test]
fn score() {
    insta::assert_snapshot!(Bench::new().ok(&["score", "--help"]));
}

#[test]
fn export() {
    insta::assert_snapshot!(Bench::new().ok(&["export", "lm-eval", "--help"]));
}
