//! Programs, options and models that can't be used: a message that says what, where and what to
//! do, and exit code 2.

use crate::support::Bench;

fn refused(name: &str, content: impl AsRef<[u8]>) -> String {
    let bench = Bench::new();
    bench.write(name, content);
    bench.refused(&["trace", name])
}

#[test]
fn a_missing_program() {
    insta::assert_snapshot!(Bench::new().refused(&["debug", "nope.py"]));
}

#[test]
fn a_folder() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("folder")).unwrap();
    insta::assert_snapshot!(bench.refused(&["trace", "folder"]));
}

#[test]
fn a_syntax_error_is_shown_with_its_line_and_a_caret() {
    insta::assert_snapshot!(refused("p.py", "x = 1\ny = (2 +\nz = 3\n"));
}

#[test]
fn an_error_that_only_the_compiler_finds_is_shown_the_same_way() {
    insta::assert_snapshot!(refused("p.py", "x = 1\n\nif x:\n    return x\n"));
}

#[test]
fn a_caret_stands_under_wide_characters_too() {
    insta::assert_snapshot!(refused("p.py", "\tname = '日本' )\n"));
}

#[test]
fn bytes_that_are_not_utf_8() {
    insta::assert_snapshot!(refused("p.py", b"x = 1\ny = '\xe9'\n"));
}

#[test]
fn a_nul_byte() {
    insta::assert_snapshot!(refused("p.py", "x = 1\ny = '\0'\n"));
}

#[test]
fn an_empty_program() {
    insta::assert_snapshot!(refused("p.py", ""));
}

#[test]
fn an_entry_that_is_not_there() {
    let bench = Bench::new();
    bench.write("p.py", "def solve():\n    return 1\n\ndef other(x):\n    return x\n");
    insta::assert_snapshot!(bench.refused(&["trace", "p.py", "--entry", "solv"]));
    insta::assert_snapshot!(bench.refused(&["trace", "p.py", "--entry", "other"]));
}

#[test]
fn a_module_that_fails_before_its_entry() {
    insta::assert_snapshot!(refused("p.py", "x = 1 / 0\n\ndef main():\n    return x\n"));
}

#[test]
fn deep_nesting_ends_in_a_message() {
    let deep = format!("x = {}1{}\n", "(".repeat(50_000), ")".repeat(50_000));
    let stderr = refused("p.py", deep);
    assert!(stderr.starts_with("lockstep: p.py"), "{stderr}");
    let deep = format!("x = {}1\n", "-".repeat(200_000));
    let stderr = refused("p.py", deep);
    assert!(stderr.starts_with("lockstep: p.py"), "{stderr}");
}

#[test]
fn actions_that_are_none() {
    let bench = Bench::new();
    bench.write("p.py", "x = 1\ny = 2\n");
    let with = |actions| bench.refused(&["debug", "p.py", "--no-model", "--actions", actions]);
    insta::assert_snapshot!(with("into jump"));
    insta::assert_snapshot!(with("breakpoint:9"));
    insta::assert_snapshot!(with("breakpoint:x"));
}

#[test]
fn an_action_that_is_not_available_there() {
    let bench = Bench::new();
    bench.write("p.py", "def main():\n    return 1\n");
    let outcome =
        bench.run(&["debug", "p.py", "--no-model", "--actions", "return return", "--json"]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.stdout.lines().count(), 2, "a step and the summary: {}", outcome.stdout);
    insta::assert_snapshot!(outcome.stderr);
}

#[cfg(feature = "llama")]
mod models {
    use super::*;
    use crate::support::shipped_model;

    fn with_model(content: Option<&[u8]>) -> String {
        let bench = Bench::new();
        bench.write("p.py", "x = 1\n");
        if let Some(content) = content {
            bench.write("m.gguf", content);
        }
        bench.refused(&["debug", "p.py", "--plain", "--model", "m.gguf"])
    }

    #[test]
    fn a_missing_model() {
        insta::assert_snapshot!(with_model(None));
    }

    #[test]
    fn an_empty_model() {
        insta::assert_snapshot!(with_model(Some(b"")));
    }

    #[test]
    fn a_model_that_is_something_else() {
        insta::assert_snapshot!(with_model(Some(
            b"PK\x03\x04 not a model at all, but long enough"
        )));
    }

    #[test]
    fn a_truncated_model() {
        let whole = shipped_model();
        for length in [4, 100, 20_000, whole.len() / 2, whole.len() - 1] {
            let stderr = with_model(Some(&whole[..length]));
            assert!(stderr.starts_with("lockstep: m.gguf"), "{length}: {stderr}");
            let says_what_to_do = stderr.contains("--model takes") || stderr.contains("download");
            assert!(says_what_to_do, "{length}: {stderr}");
        }
    }

    #[test]
    fn a_model_whose_header_lies() {
        let mut bytes = shipped_model();
        bytes[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
        let stderr = with_model(Some(&bytes));
        assert!(stderr.starts_with("lockstep: m.gguf"), "{stderr}");
    }
}
