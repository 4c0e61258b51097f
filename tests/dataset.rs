//! Generated programs run and end, and datasets are made of them: whole, again, and after a kill.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lockstep::action::Action;
use lockstep::generate::strategy::Programs;
use lockstep::neural::dialect::Dialect;
use lockstep::neural::dialect::debugger::{Conventions, DebuggerDialect, NAMES};
use lockstep::neural::engine::scripted::ScriptedEngine;
use lockstep::neural::engine::{Branch, Interrupt};
use lockstep::neural::vocabulary::{ByteVocabulary, Vocabulary, readable};
use lockstep::neural::{Method, NeuralDebugger};
use lockstep::program::Program;
use lockstep::python::{Limits, Nursery, PythonError, Recording, RunOptions};
use lockstep::state::{Exit, ExitKind, State, Stop};
use lockstep::tree::{self, Node, Target, Trace};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use crate::support::{Bench, program, repository};

fn executable() -> Option<PathBuf> {
    Some(program().into())
}

type Run = (Vec<State>, Vec<Node>, Exit);

fn read(recording: &mut Recording) -> Result<Run, PythonError> {
    let (mut states, mut nodes) = (Vec::new(), Vec::new());
    while let Some(node) = Trace::node(recording, states.len())? {
        states.extend(recording.state(states.len())?);
        nodes.push(node);
    }
    Ok((states, nodes, recording.exit()?))
}

fn options() -> RunOptions {
    let limits = Limits { steps: 5_000, time: Duration::from_secs(60), ..Limits::default() };
    RunOptions { limits, host: executable(), ..RunOptions::default() }
}

#[test]
fn generated_programs_end_by_themselves_and_always_alike() {
    let mut runner =
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(200) });
    let nursery = std::cell::RefCell::new(Nursery::new(executable()));
    let result = runner.run(&Programs::default(), |generated| {
        let program = Program::from_text("generated.py".into(), &generated.text).unwrap();
        let mut nursery = nursery.borrow_mut();
        let mut record = || nursery.record(&program, &options(), read);
        let first = record().map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(matches!(first.2.kind, ExitKind::Normal | ExitKind::Error), "{}", first.2);
        prop_assert!(first.0.len() > 1);
        prop_assert_eq!(record().unwrap(), first);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn a_nursery_records_what_a_host_of_its_own_does() {
    let mut nursery = Nursery::new(executable());
    let programs =
        ["lists/sieve.py", "generators/cleanup.py", "exceptions/overdrawn.py", "classes/vector.py"];
    for name in programs {
        let program = Program::load(&repository().join("corpora").join(name)).unwrap();
        let alone = read(&mut Recording::start(&program, &options()).unwrap()).unwrap();
        for _ in 0..2 {
            assert_eq!(nursery.record(&program, &options(), read).unwrap(), alone, "{name}");
        }
    }
}

#[test]
fn a_nursery_outlives_the_programs_that_must_be_killed() {
    let mut nursery = Nursery::new(executable());
    let limits = Limits { time: Duration::from_millis(300), ..Limits::default() };
    let short = RunOptions { limits, ..options() };
    let run = |nursery: &mut Nursery, text: &str| {
        let program = Program::from_text("p.py".into(), text).unwrap();
        nursery.record(&program, &short, read).map(|(_, _, exit)| exit.to_string())
    };
    let fine = "def main():\n    return 1\n";
    assert_eq!(run(&mut nursery, fine).unwrap(), "normal");
    let stuck = "def main():\n    return sum(iter(int, 1))\n";
    assert_eq!(run(&mut nursery, stuck).unwrap(), "stopped: time limit 0.3 s (--max-time)");
    assert_eq!(run(&mut nursery, fine).unwrap(), "normal");
    assert!(run(&mut nursery, "def main(:\n").is_err());
    assert_eq!(run(&mut nursery, fine).unwrap(), "normal");
    assert_eq!(
        run(&mut nursery, "def main():\n    raise KeyError(1)\n").unwrap(),
        "error: KeyError: 1"
    );
    assert_eq!(run(&mut nursery, fine).unwrap(), "normal");
}

/// All files of a dataset, by name.
fn files(folder: &Path) -> HashMap<String, Vec<u8>> {
    let mut found = HashMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().display().to_string();
                    found.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

fn rows(folder: &Path) -> Vec<Value> {
    let splits =
        ["train", "validation", "test"].map(|split| folder.join(format!("jsonl/{split}.jsonl")));
    let texts = splits.map(|path| std::fs::read_to_string(path).unwrap());
    texts
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn corpus() -> String {
    repository().join("corpora/lists").display().to_string()
}

#[test]
fn a_small_dataset() {
    let bench = Bench::new();
    let config = bench.write("dataset.toml", "[walks]\nper_program = 2\n[split]\ntest = 0.2\n");
    let corpus = corpus();
    let args = [
        "dataset",
        "--generate",
        "6",
        "--seed",
        "3",
        "--corpus",
        &corpus,
        "--mutate",
        "1",
        "--config",
        &config,
        "--max-chars",
        "1200",
        "--out",
        "out",
        "--format",
        "both",
    ];
    let outcome = bench.run(&args);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let files = files(&bench.path().join("out"));
    let mut names: Vec<_> = files.keys().cloned().collect();
    names.sort();
    let rows = rows(&bench.path().join("out"));
    let told: Vec<String> =
        rows.iter().map(|row| serde_json::to_string_pretty(row).unwrap()).collect();
    let card = String::from_utf8(files["README.md"].clone()).unwrap();
    let card = card.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::assert_snapshot!(
        "a small dataset",
        format!("{}\n\n{card}\n{}", names.join("\n"), told.join("\n"))
    );
}

#[test]
fn any_number_of_jobs_makes_the_same_bytes_and_so_does_a_run_that_was_killed() {
    let bench = Bench::new();
    let corpus = corpus();
    let args = |out: &'static str, jobs: &'static str| {
        ["dataset", "--generate", "200", "--seed", "5", "--out", out, "--jobs", jobs]
            .map(str::to_owned)
    };
    let with_corpus = |mut args: Vec<String>| {
        args.extend(["--corpus".to_owned(), corpus.clone(), "--mutate".to_owned(), "2".to_owned()]);
        args
    };
    let run = |out, jobs| {
        let args = with_corpus(args(out, jobs).to_vec());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let outcome = bench.run(&args);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        files(&bench.path().join(out))
    };
    let whole = run("one", "1");
    assert_eq!(run("three", "3"), whole);

    let killed = with_corpus(args("killed", "1").to_vec());
    let killed: Vec<&str> = killed.iter().map(String::as_str).collect();
    let mut child = bench.command(&killed).spawn().unwrap();
    let first = bench.path().join("killed/.work/chunk-000000.jsonl");
    let started = Instant::now();
    while !first.exists() && started.elapsed() < Duration::from_secs(100) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!bench.path().join("killed/recipe.json").exists(), "it was killed too late");
    let untouched = std::fs::metadata(&first).unwrap().modified().unwrap();
    // Another order must not be mixed with it.
    let other = bench.run(&["dataset", "--generate", "200", "--seed", "6", "--out", "killed"]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("begun with other programs, seed or recipe"), "{}", other.stderr);
    assert_eq!(std::fs::metadata(&first).unwrap().modified().unwrap(), untouched);
    assert_eq!(run("killed", "2"), whole);
}

/// The actions of a walk, read from its text.
fn actions(text: &str) -> Vec<Action> {
    let asked = text
        .split("<|action_sep|>")
        .skip(1)
        .map(|part| part.split_once("<|frame_sep|>").unwrap().0);
    asked
        .map(|asked| match asked.strip_prefix("<|breakpoint|>") {
            Some(line) => Action::Breakpoint(line.into()),
            None => asked.trim_matches(['<', '>', '|']).parse().unwrap(),
        })
        .collect()
}

/// What the debugger's context holds when it is led along these actions.
fn context(program: &Program, (states, nodes, exit): &Run, actions: &[Action]) -> String {
    struct Nodes<'n>(&'n [Node]);
    impl Trace for Nodes<'_> {
        type Error = std::convert::Infallible;
        fn node(&mut self, index: usize) -> Result<Option<Node>, Self::Error> {
            Ok(self.0.get(index).copied())
        }
    }
    let vocabulary = std::sync::Arc::new(ByteVocabulary::new(NAMES));
    let dialect = DebuggerDialect::new(vocabulary.clone(), Conventions::default()).unwrap();
    let mut engine = ScriptedEngine::new(&|_| 0, 100_000, vocabulary.size());
    let mut debugger = NeuralDebugger::new(&mut engine, Box::new(dialect) as Box<dyn Dialect>);
    let never = Interrupt::default();
    debugger.begin(program, &states[0], &never).unwrap();
    let mut at = 0;
    for action in actions {
        let Ok(target) = tree::target(&mut Nodes(nodes), program, at, action);
        let stop = match target.unwrap() {
            Target::State(index) => {
                at = index;
                Stop::At(states[index].clone())
            }
            Target::Exit => Stop::Exit(exit.clone()),
        };
        debugger.follow(action, &stop, Method::Scoring, &never).unwrap();
    }
    drop(debugger);
    readable(&*vocabulary, engine.tokens(Branch::MAIN))
}

#[test]
fn a_walk_is_what_the_debugger_tells_a_model() {
    let bench = Bench::new();
    let config = bench.write("dataset.toml", "[walks]\ninverse = 0.0\ninner = 0.0\nmidway = 0.0\n");
    let corpus = repository().join("corpora");
    let (corpus, out) = (corpus.display().to_string(), bench.path().join("out"));
    let outcome =
        bench.run(&["dataset", &corpus, "--config", &config, "--out", "out", "--format", "jsonl"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let mut nursery = Nursery::new(executable());
    let rows = rows(&out);
    assert!(rows.len() > 80, "{}", rows.len());
    for row in rows {
        let (text, file) = (row["text"].as_str().unwrap(), row["file"].as_str().unwrap());
        let program = Program::load(&repository().join("corpora").join(file)).unwrap();
        let program = Program::from_text(file.to_owned(), program.text()).unwrap();
        let run = nursery.record(&program, &options(), read).unwrap();
        assert_eq!(context(&program, &run, &actions(text)), text, "{file}");
    }
}

#[test]
fn programs_of_which_nothing_can_be_taken_are_counted() {
    let bench = Bench::new();
    bench.write("broken.py", "def main(:\n");
    bench.write("unbound.py", "def main():\n    return nowhere\n");
    bench.write("token.py", "def main():\n    x = '<|frame_sep|>'\n    return x\n");
    bench.write("endless.py", "def main():\n    n = 0\n    while True:\n        n += 1\n");
    bench.write("short.py", "def main(): pass\n");
    bench.write("large.py", "def main():\n    x = 'ab' * 500\n    y = 1\n    return y\n");
    bench.write("fine.py", "def main():\n    x = 1\n    y = x + 1\n    return y\n");
    bench.write("alike.py", "def main():\n    a = 1  # one\n    b = a + 1\n    return b\n");
    let outcome = bench.run(&["dataset", ".", "--out", "out"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let stderr: Vec<_> =
        outcome.stderr.lines().filter(|line| !line.contains(" a second")).collect();
    insta::assert_snapshot!(stderr.join("\n"), @r"
    lockstep: train: 6 walks of 2 programs
    lockstep: left out: 1 program: the static check refused it
    lockstep: left out: 1 program: it spells a special token
    lockstep: left out: 1 program: the run is too short
    lockstep: left out: 1 program: the run is too long
    lockstep: left out: 1 program: a value is too long
    lockstep: left out: 1 program: like a program before it
    ");
}

#[test]
fn bad_orders_are_refused() {
    let bench = Bench::new();
    bench.write("ok.py", "def main():\n    return 1\n");
    bench.write("bad.toml", "[walks]\ninto = 'often'\n");
    bench.write("file", "");
    let refused = |args: &[&str]| {
        let outcome = bench.run(args);
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        outcome.stderr
    };
    assert!(refused(&["dataset", "--out", "out"]).contains("no programs"));
    assert!(refused(&["dataset", "nowhere", "--out", "out"]).contains("nowhere: no such file"));
    let config = refused(&["dataset", "ok.py", "--config", "bad.toml", "--out", "out"]);
    assert!(config.contains("bad.toml: TOML parse error at line 2"), "{config}");
    let occupied = refused(&["dataset", "ok.py", "--out", "."]);
    assert!(
        occupied.contains("holds other files; name a folder that is new or empty"),
        "{occupied}"
    );
    let unwritable = refused(&["dataset", "ok.py", "--out", "file/out"]);
    assert!(unwritable.contains("can't be written"), "{unwritable}");
    let exclude =
        refused(&["dataset", "ok.py", "--exclude", "ok.py", "--exclude", "bad.toml", "--out", "o"]);
    assert!(exclude.contains("bad.toml: line 1: no item with `code`"), "{exclude}");
    assert!(
        refused(&["dataset", "ok.py", "--max-chars", "1", "--out", "o"])
            .contains("keep.max_chars is 1")
    );
}

#[test]
fn a_dataset_that_is_whole_is_not_touched() {
    let bench = Bench::new();
    bench.write("ok.py", "def main():\n    x = 1\n    y = x + 2\n    return y\n");
    assert_eq!(bench.run(&["dataset", "ok.py", "--out", "out"]).code, Some(0));
    let again = bench.run(&["dataset", "ok.py", "--out", "out"]);
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("out: holds a dataset that is whole"), "{}", again.stderr);
}
