//! The one binary of whole-program tests: a module for each thing that people do.

// The lints' exception for tests doesn't reach the helpers of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bad_input;
#[cfg(feature = "llama")]
mod broken_models;
mod check;
mod conformance;
mod corpora;
mod cruxeval;
mod dataset;
mod debug;
mod doctor;
#[cfg(feature = "llama")]
mod eval;
mod help;
mod hostile;
mod infer;
mod inspect;
mod multiverse;
mod points;
mod python;
#[cfg(feature = "llama")]
mod report;
mod screen;
mod support;
mod trace;
#[cfg(feature = "llama")]
mod worker;

/// A test file that no module names would never run.
#[test]
fn no_test_file_is_forgotten() {
    let runner = include_str!("runner.rs");
    for entry in std::fs::read_dir(support::repository().join("tests")).expect("tests/") {
        let name = entry.expect("an entry").file_name().into_string().expect("a UTF-8 name");
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "runner") {
            assert!(runner.contains(&format!("mod {module};")), "tests/{name} is not in runner.rs");
        }
    }
}
