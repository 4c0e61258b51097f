//! `lockstep doctor`: is this model usable?

#![cfg(feature = "llama")]

use crate::support::{Bench, shipped_model};

#[test]
fn the_built_in_model_is_usable() {
    let bench = Bench::new();
    let stdout = bench.ok(&["doctor"]);
    assert!(stdout.contains("usable"), "{stdout}");
    let report = bench.json(&["doctor"]).pop().expect("a report");
    assert_eq!(report["verdict"], "usable", "{report}");
    assert_eq!(report["model"]["context"], 1024, "{report}");
}

#[test]
fn a_model_without_frame_tokens_is_not_usable() {
    // The same model with one frame token renamed: a well-formed file that can't speak the format.
    let mut bytes = shipped_model();
    let name = b"<|frame_sep|>";
    let at = bytes.windows(name.len()).position(|window| window == name).expect("the token");
    bytes[at + 2] = b'g';
    let bench = Bench::new();
    bench.write("m.gguf", bytes);
    let outcome = bench.run(&["doctor", "m.gguf"]);
    assert_eq!(outcome.code, Some(1), "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains("<|frame_sep|>"), "{}", outcome.stdout);
}

#[test]
fn a_file_that_is_no_model_is_bad_input() {
    let bench = Bench::new();
    bench.write("m.gguf", "hello");
    let stderr = bench.refused(&["doctor", "m.gguf"]);
    assert!(stderr.starts_with("lockstep: m.gguf"), "{stderr}");
}
