//! `lockstep cruxeval`, `score` and `export`: items of our own, and CruxEval's where it is at hand.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lockstep::benchmark::answer::{Asker, Manner, Tongue};
use lockstep::benchmark::log::{ItemRecord, Outcome};
use lockstep::benchmark::score::{Score, Scored, Scorer};
use lockstep::benchmark::{Benchmark, By, Checker, Generations, Item, Task, Worth};
use lockstep::inverse::{InverseEvent, InverseState, InverseStop, Told};
use lockstep::neural::dialect::debugger::inverse::{InverseDialect, NAMES as INVERSE};
use lockstep::neural::dialect::debugger::{Conventions, DebuggerDialect, NAMES};
use lockstep::neural::dialect::{Dialect, Shown};
use lockstep::neural::engine::scripted::ScriptedEngine;
use lockstep::neural::vocabulary::{ByteVocabulary, TokenId, Vocabulary};
use lockstep::neural::{Decoding, Sampling};
use lockstep::python::Limits;
use lockstep::state::{Event, Locals, State, Stop};

use crate::support::{Bench, program};

const ITEMS: &str = r#"{"code": "def f(a):\n    b = a + 1\n    return b * 2\n", "input": "3", "output": "8", "id": "one"}
{"code": "def f(s, n=1, *rest, sep='-'):\n    if not s:\n        return None\n    return sep.join([s] * n)\n", "input": "'ab', 2", "output": "'ab-ab'", "id": "two"}
{"code": "def f(d):\n    while d:\n        pass\n    return {'k': [1, True], **d}\n", "input": "{}", "output": "{'k': [1, True]}", "id": "three"}
"#;

fn benchmark(bench: &Bench) -> Benchmark {
    let path = bench.write("items.jsonl", ITEMS);
    Benchmark::open(&bench.path().join(path)).unwrap()
}

fn checker() -> Checker {
    let limits = Limits { time: std::time::Duration::from_secs(2), ..Limits::default() };
    Checker::new(limits, Some(program().into()))
}

fn names(worth: &[Worth]) -> Vec<String> {
    worth
        .iter()
        .map(|worth| match worth {
            Worth::Right { same_types: true } => "same".to_owned(),
            Worth::Raised(why) => why.clone(),
            other => other.name().to_owned(),
        })
        .collect()
}

#[test]
fn outputs_are_values_and_compared_as_values() {
    let bench = Bench::new();
    let benchmark = benchmark(&bench);
    let mut checker = checker();
    let texts = ["8", " 8 ", "8.0", "9", "'8'", "4 * 2", "f(3)", "8, 0", "{[]: 1}", "", "eight"];
    let worth = checker.outputs(&benchmark.items()[0], &texts).unwrap();
    let expected = [
        "same", "same", "right", "wrong", "wrong", "no value", "no value", "wrong", "no value",
        "no value", "no value",
    ];
    assert_eq!(names(&worth), expected);
    let texts = ["{'k': [1, True]}", "{'k': [1, 1]}", "{'k': [True, True]}", "{'k': (1, True)}"];
    let worth = checker.outputs(&benchmark.items()[2], &texts).unwrap();
    assert_eq!(names(&worth), ["same", "right", "right", "wrong"]);
}

/// A value that compares as it likes: with one text it raises, with another it never ends.
#[test]
fn no_answer_pays_for_another() {
    let code = "class E:\n    def __eq__(self, other):\n        while other == 'spin':\n            \
                pass\n        return other == 8 // (other != 0)\n\n\ndef f():\n    return E()\n";
    let bench = Bench::new();
    let item = serde_json::json!({ "code": code, "input": "", "output": "8" });
    bench.write("items.jsonl", item.to_string());
    let benchmark = Benchmark::open(&bench.path().join("items.jsonl")).unwrap();
    let worth = checker().outputs(&benchmark.items()[0], &["8", "0", "'spin'", "9", "x"]).unwrap();
    let found = names(&worth);
    assert!(found[1].starts_with("ZeroDivisionError"), "{found:?}");
    assert_eq!(
        (&*found[0], &found[2..]),
        ("right", &["stopped", "wrong", "no value"].map(str::to_owned)[..])
    );
}

#[test]
fn inputs_are_called_and_expressions_evaluated() {
    let bench = Bench::new();
    let benchmark = benchmark(&bench);
    let [one, two, three] = benchmark.items() else { panic!("three items") };
    let mut checker = checker();
    let locals = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<Locals>();
    let mut arguments = |item: &Item, pairs: &[(&str, &str)]| {
        names(&[checker.arguments(item, &locals(pairs)).unwrap()]).remove(0)
    };
    assert_eq!(arguments(one, &[("a", "3")]), "same");
    assert_eq!(arguments(one, &[("a", "3.0")]), "right");
    assert_eq!(arguments(one, &[("a", "4")]), "wrong");
    assert_eq!(arguments(one, &[("a", "x")]), "no value");
    assert_eq!(arguments(one, &[("a", "'x'")]).split(':').next(), Some("TypeError"));
    assert_eq!(arguments(one, &[("b", "3")]).split(':').next(), Some("KeyError"));
    let all = [("s", "'ab'"), ("n", "2"), ("sep", "'-'"), ("rest", "(1, 2)")];
    assert_eq!(arguments(two, &all), "same");
    assert_eq!(arguments(three, &[("d", "{1: 2}")]), "stopped");
    let mut called =
        |item: &Item, call: &str| names(&[checker.call(item, call).unwrap()]).remove(0);
    assert_eq!(called(two, "f('ab', n=2)"), "same");
    assert_eq!(called(two, "f('ab-ab')"), "same");
    assert_eq!(called(two, "f('a')"), "wrong");
    assert_eq!(called(two, "g('ab-ab')"), "no value");
    let mut evaluated = |pairs: &[(&str, &str)]| {
        names(&[checker.expression(one, "b * 2", &locals(pairs)).unwrap()]).remove(0)
    };
    assert_eq!(evaluated(&[("a", "3"), ("b", "4")]), "same");
    assert_eq!(evaluated(&[("b", "5"), ("other", "<object>")]), "wrong");
    assert_eq!(evaluated(&[("a", "3"), ("b", "<object>")]).split(':').next(), Some("NameError"));
}

/// A model that answers the last question of its context with what it is given.
struct Knows {
    vocabulary: Arc<ByteVocabulary>,
    forward: DebuggerDialect,
    inverse: InverseDialect,
}

impl Knows {
    fn new() -> Self {
        let names: Vec<&str> = NAMES.iter().chain(INVERSE.iter()).copied().collect();
        let vocabulary = Arc::new(ByteVocabulary::new(names));
        let words = || Arc::clone(&vocabulary) as Arc<dyn Vocabulary>;
        let conventions = Conventions::default();
        Knows {
            forward: DebuggerDialect::new(words(), conventions).unwrap(),
            inverse: InverseDialect::new(words(), conventions).unwrap(),
            vocabulary,
        }
    }

    /// Asks about the first item in this way; each question of it is answered by the next frame.
    fn asked(&self, by: By, frames: &[Vec<TokenId>]) -> ItemRecord {
        self.asked_with(Decoding::Greedy, by, frames)
    }

    fn asked_with(&self, decoding: Decoding, by: By, frames: &[Vec<TokenId>]) -> ItemRecord {
        let bench = Bench::new();
        let benchmark = benchmark(&bench);
        let control = |name: &str| self.vocabulary.control(name).unwrap();
        let (frame, end) = (control("<|frame_sep|>"), control("<|end_of_text|>"));
        // The states that the context tells, and the question itself.
        let told = if by == By::StepCall { 2 } else { 4 };
        let frames = frames.to_vec();
        let script = move |tokens: &[TokenId]| {
            let questions = tokens.iter().filter(|id| **id == frame).count();
            let answer = questions.checked_sub(told).and_then(|answer| frames.get(answer));
            let at = tokens.iter().rev().take_while(|id| **id != frame).count();
            answer.and_then(|answer| answer.get(at)).copied().unwrap_or(end)
        };
        let mut engine = ScriptedEngine::new(&script, 1 << 11, self.vocabulary.size());
        let words = || Arc::clone(&self.vocabulary) as Arc<dyn Vocabulary>;
        let tongue = Tongue {
            forward: Box::new(DebuggerDialect::new(words(), Conventions::default()).unwrap()),
            inverse: Some(InverseDialect::new(words(), Conventions::default()).unwrap()),
        };
        let sampling = Sampling { temperature: 0.0, ..Sampling::default() };
        let limits = Limits::default();
        let manner = Manner { samples: 1, sampling, decoding, most_states: 9, limits };
        let mut asker = Asker { tongue: &tongue, manner, checker: checker() };
        let never = AtomicBool::new(false);
        let item = (0, &benchmark.items()[0]);
        asker.item(&mut engine, item, by, &never).unwrap().unwrap()
    }

    fn frame(
        &self,
        event: Event,
        source: &str,
        locals: &[(&str, &str)],
        value: Option<&str>,
    ) -> Vec<TokenId> {
        let locals = locals.iter().copied().collect();
        let value = value.map(Into::into);
        let state =
            State { event, source: source.into(), locals, value, exception: None, position: None };
        self.forward.write(&Stop::At(state), None, &Shown::default()).unwrap().ids
    }
}

#[test]
fn each_way_of_asking_is_judged_by_the_value() {
    let model = Knows::new();
    let judged = |by, frames: &[Vec<TokenId>]| {
        let record = model.asked(by, frames);
        let answer = record.answers[0].clone();
        assert_eq!((record.id.as_str(), record.agrees, record.returns), ("one", true, 1));
        (answer.outcome, answer.same_types, answer.exact, answer.states)
    };
    let last = "    return b * 2";
    let returns = |value| model.frame(Event::Return, last, &[], Some(value));
    assert_eq!(judged(By::StepReturn, &[returns("8")]), (Outcome::Right, true, true, 1));
    assert_eq!(judged(By::StepReturn, &[returns("8.0")]), (Outcome::Right, false, false, 1));
    assert_eq!(judged(By::StepReturn, &[returns("9")]), (Outcome::Wrong, false, false, 1));
    assert_eq!(judged(By::StepReturn, &[returns("b * 2")]), (Outcome::NoValue, false, false, 1));
    let line = |source, locals: &[(&str, &str)]| model.frame(Event::Line, source, locals, None);
    let at_last = line(last, &[("a", "3"), ("b", "4")]);
    assert_eq!(
        judged(By::StepReturn, std::slice::from_ref(&at_last)),
        (Outcome::Elsewhere, false, false, 1)
    );
    assert_eq!(
        judged(By::Breakpoint, std::slice::from_ref(&at_last)),
        (Outcome::Right, true, true, 1)
    );
    let other = line(last, &[("a", "0"), ("b", "4.0")]);
    assert_eq!(judged(By::Breakpoint, &[other]), (Outcome::Right, false, false, 1));
    let trace = [line("    b = a + 1", &[("a", "3")]), at_last, returns("8")];
    assert_eq!(judged(By::Trace, &trace), (Outcome::Right, true, true, 3));
    assert_eq!(judged(By::Trace, &trace[..1]), (Outcome::Malformed, false, false, 2));
    let call = |value: &str| {
        model.inverse.write(&InverseStop::At(InverseState {
            event: InverseEvent::Call,
            source: "def f(a):".into(),
            locals: Told { pairs: [("a", value)].into_iter().collect(), rest: false },
            value: None,
        }))
    };
    assert_eq!(judged(By::StepCall, &[call("3")]), (Outcome::Right, true, true, 1));
    assert_eq!(judged(By::StepCall, &[call("3.0")]), (Outcome::Right, false, false, 1));
    assert_eq!(judged(By::StepCall, &[call("4")]), (Outcome::Wrong, false, false, 1));
}

/// A model that begins every answer with what begins none.
#[test]
fn constrained_a_model_writes_what_it_is_asked_for() {
    let model = Knows::new();
    let wish = vec![model.vocabulary.control("<|trace_end|>").unwrap()];
    let frames = vec![wish; 40];
    for by in [By::StepReturn, By::Breakpoint, By::Trace, By::StepCall] {
        let answer = |decoding| model.asked_with(decoding, by, &frames).answers.remove(0);
        let greedy = answer(Decoding::Greedy);
        assert_eq!(greedy.outcome, Outcome::Malformed, "{by}");
        let why = greedy.why.unwrap();
        assert!(!why.starts_with("no end after"), "{by}: {why}");
        let constrained = answer(Decoding::Constrained);
        let is_legal = constrained.outcome != Outcome::Malformed
            || constrained.why.as_ref().is_some_and(|why| why.starts_with("no end after"));
        assert!(is_legal, "{by}: {constrained:?}");
    }
}

/// A checker that fails once.
#[cfg(unix)]
#[test]
fn an_item_that_can_not_be_checked_is_named_and_the_others_are_scored() {
    let bench = Bench::new();
    let benchmark = benchmark(&bench);
    bench.write("g.json", r#"{"one": ["8", "9"], "two": ["1"], "three": ["{'k': [1, True]}"]}"#);
    let generations = Generations::open(&bench.path().join("g.json"), &benchmark).unwrap();
    let script = format!(
        "#!/bin/sh\nif mkdir '{0}/failed' 2>/dev/null; then echo garbage; exec cat >/dev/null; fi\n\
         exec '{1}' \"$@\"\n",
        bench.path().display(),
        program(),
    );
    bench.write("text", script);
    // Written by another process, so that none that starts meanwhile holds it open for writing.
    let make = "cat text > checker && chmod +x checker";
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", make]).current_dir(bench.path()).status().unwrap().success());
    let executable = |name| Some(bench.path().join(name));
    let score = |name| {
        let limits = Limits::default();
        let scorer = Scorer { task: Task::Output, limits, jobs: 1, executable: executable(name) };
        scorer.score(&benchmark, &generations, &AtomicBool::new(false), || ()).unwrap()
    };
    let Scored { verdicts, failed } = score("checker");
    assert_eq!(failed.into_keys().collect::<Vec<_>>(), [0]);
    let right: Vec<bool> = verdicts.values().map(|all| all[0].worth.is_right()).collect();
    assert_eq!((verdicts.keys().collect::<Vec<_>>(), right), (vec![&1, &2], vec![false, true]));
    let Scored { verdicts, failed } = score("nowhere");
    assert_eq!((verdicts.len(), failed.len()), (0, 3));
}

#[test]
fn scored_generations_are_written_whole_and_never_over_what_is_read() {
    let bench = Bench::new();
    bench.write("items.jsonl", ITEMS);
    bench.write("g.json", r#"{"one": ["8"]}"#);
    let score =
        |out| ["score", "g.json", "--data", "items.jsonl", "--task", "output", "--out", out];
    let read = |name: &str| std::fs::read_to_string(bench.path().join(name)).unwrap();
    for (out, what) in [("./g.json", "generations"), ("items.jsonl", "items")] {
        let before = read(out);
        let told = bench.refused(&score(out));
        assert!(told.contains(&format!("--out is the file of the {what}")), "{told}");
        assert_eq!(read(out), before);
    }
    bench.write("scored.json", "of before");
    bench.ok(&score("scored.json"));
    assert!(read("scored.json").contains("raw_scored_generations"));
    let mut files: Vec<_> = std::fs::read_dir(bench.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["g.json", "items.jsonl", "scored.json"], "no draft is left");
    assert!(bench.refused(&score("nowhere/scored.json")).contains("can't be written"));
}

#[test]
fn stored_generations_are_scored_in_both_manners() {
    let bench = Bench::new();
    bench.write("items.jsonl", ITEMS);
    let generations = [
        ("one", r#"["8", "8.0", "8, 0", "4 * 2", "f(3)", "x", "9"]"#),
        ("two", r#"["'ab-ab'", "'ab-ab' # so", "\"ab-ab\"", "ab-ab", "'ab'", "(", "'ab-ab'"]"#),
    ];
    let lines: String = generations
        .iter()
        .map(|(id, texts)| format!("{{\"id\": \"{id}\", \"generations\": {texts}}}\n"))
        .collect();
    bench.write("g.jsonl", lines);
    let args = ["score", "g.jsonl", "--data", "items.jsonl", "--task", "output"];
    insta::assert_snapshot!(bench.ok(&[&args[..], &["--out", "scored.json"]].concat()));
    // Our own verdicts are those that are stored then.
    let again = ["score", "scored.json", "--data", "items.jsonl", "--task", "output"];
    assert!(bench.ok(&again).contains("stored verdicts: 14 of 14 are the same"));
    let scored = std::fs::read_to_string(bench.path().join("scored.json")).unwrap();
    bench.write("scored.json", scored.replacen("true", "false", 1));
    let outcome = bench.run(&again);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("one, generation 0: failed there; passed"),
        "{}",
        outcome.stdout
    );
    bench.write("in.json", r#"{"one": ["f(3)", "f(1 + 2)", "8", "f('x')", "f(3.0)"]}"#);
    let args = ["score", "in.json", "--data", "items.jsonl", "--task", "input"];
    insta::assert_snapshot!(bench.ok(&args));
    let json = &bench.json(&args)[0];
    assert_eq!((&json["by_rule"]["rejected"], &json["of"]), (&1.into(), &3.into()));
}

#[test]
fn what_can_not_be_scored_or_asked_says_why() {
    let bench = Bench::new();
    bench.write("items.jsonl", ITEMS);
    bench.write("g.json", r#"{"four": ["1"]}"#);
    bench.write("log.jsonl", "hello\n");
    let told: Vec<String> = [
        vec!["score", "g.json", "--data", "items.jsonl", "--task", "output"],
        vec!["score", "items.jsonl", "--data", "items.jsonl", "--task", "output"],
        vec!["score", "g.json", "--data", "g.json", "--task", "output"],
        vec!["score", "g.json", "--data", "items.jsonl", "--task", "both"],
        vec!["score", "nowhere.json", "--data", "items.jsonl", "--task", "input"],
        vec!["cruxeval", "--data", "nowhere.jsonl"],
        vec!["cruxeval", "--data", "items.jsonl", "--by", "jump"],
        vec!["cruxeval", "--data", "items.jsonl", "--by", "inv-step-call"],
        vec!["cruxeval", "--data", "items.jsonl", "--samples", "2", "--temperature", "0"],
        vec!["export", "lm-eval", "--data", "items.jsonl", "--task", "output", "--out", "."],
    ]
    .iter()
    .map(|args| bench.refused(args))
    .collect();
    insta::assert_snapshot!(told.join("---\n"));
}

#[cfg(feature = "llama")]
#[test]
fn a_log_that_was_cut_goes_on_to_the_same_bytes() {
    let bench = Bench::new();
    bench.write("items.jsonl", ITEMS);
    let args = |out| {
        let ways = ["--by", "step-return", "--by", "breakpoint", "--by", "trace", "--steps", "9"];
        [&["cruxeval", "--data", "items.jsonl", "--samples", "2", "--out", out][..], &ways].concat()
    };
    let report = bench.ok(&args("whole.jsonl"));
    for part in ["output by step-return, 3 of 3 items", "output by breakpoint", "output by trace"] {
        assert!(report.contains(part), "{part}:\n{report}");
    }
    let whole = std::fs::read(bench.path().join("whole.jsonl")).unwrap();
    for part in [4, 2] {
        bench.write("cut.jsonl", &whole[..whole.len() / part]);
        assert_eq!(bench.ok(&args("cut.jsonl")), report);
        assert_eq!(std::fs::read(bench.path().join("cut.jsonl")).unwrap(), whole, "1/{part}");
    }
    let inputs = ["cruxeval", "--data", "items.jsonl", "--task", "input", "--out", "in.jsonl"];
    let json = &bench.json(&inputs)[0];
    assert_eq!(json["results"][0]["by"], "inv-step-call");
    assert_eq!(json["results"][0]["items"], 3);
    let other = bench.refused(&[&args("whole.jsonl")[..], &["--seed", "1"]].concat());
    assert!(other.contains("made with another seed"), "{other}");
    let least = [&inputs[..], &["--fail-under", "1.0"]].concat();
    let outcome = bench.run(&least);
    let right = json["results"][0]["equal"][0]["share"] == 1.0;
    assert_eq!(outcome.code, Some(if right { 0 } else { 1 }), "{}", outcome.stderr);
}

/// Functions as LiveCodeBench's execution task has them: called by a name of their own, with the
/// whole call as input, and imports taken for granted.
#[cfg(feature = "llama")]
const CONTEST: &str = r#"[
{"question_id": 1, "id": "sample_0", "function_name": "rotate", "code": "def rotate(nums: List[int], k: int) -> List[int]:\n    line = deque(nums)\n    line.rotate(k)\n    return list(line)\n", "input": "rotate(nums = [1, 2, 3], k = 1)", "output": "[3, 1, 2]"},
{"question_id": 2, "id": "sample_1", "function_name": "least", "code": "def least(nums):\n    best = inf\n    for n in nums:\n        best = min(best, gcd(n, 12))\n    return best\n", "input": "least(nums = [9, 8])", "output": "3"}
]"#;

#[cfg(feature = "llama")]
#[test]
fn functions_of_livecodebench_are_asked_about_by_their_names() {
    let bench = Bench::new();
    bench.write("lcb.json", CONTEST);
    let asked = ["cruxeval", "--data", "lcb.json", "--by", "step-return", "--by", "breakpoint"];
    let report = &bench.json(&[&asked[..], &["--out", "log.jsonl", "--threads", "1"]].concat())[0];
    assert_eq!(report["disagreeing"], serde_json::json!([]));
    for result in report["results"].as_array().unwrap() {
        assert_eq!((&result["items"], &result["unasked"]), (&2.into(), &serde_json::json!({})));
    }
    let log = std::fs::read_to_string(bench.path().join("log.jsonl")).unwrap();
    assert_eq!(log.lines().filter(|line| line.contains("\"agrees\":true")).count(), 4);
    // The same rows are programs that come to their end.
    let rows: Vec<serde_json::Value> = serde_json::from_str(CONTEST).unwrap();
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    bench.write("lcb.jsonl", lines);
    let evaluated = ["eval", "lcb.jsonl", "--steps", "2", "--threads", "1", "--out", "eval.jsonl"];
    bench.ok(&evaluated);
    let log = std::fs::read_to_string(bench.path().join("eval.jsonl")).unwrap();
    assert!(!log.contains("NameError"), "{log}");
}

/// The scoring file in the Python that is at hand, without the harness.
#[test]
fn exported_outputs_are_scored_by_value_or_where_that_has_no_literal_by_text() {
    if std::process::Command::new("python3").arg("-V").output().is_err() {
        eprintln!("skipped: no python3");
        return;
    }
    let bench = Bench::new();
    bench.write("items.jsonl", ITEMS);
    bench.ok(&["export", "lm-eval", "--data", "items.jsonl", "--task", "output", "--out", "task"]);
    let score = "import sys; sys.path.insert(0, 'task'); sys.dont_write_bytecode = True\n\
                 from lockstep_items import score_output\n\
                 for output, text in [('8', ' 8.0'), ('8', '9'), ('8', 'None'), ('None', 'None'),\n\
                 \x20       ('inf', ' inf'), ('inf', 'None'), ('range(0, 3)', 'range(0,3)'),\n\
                 \x20       ('frozenset({1})', 'frozenset({2})')]:\n\
                 \x20   print(int(score_output({'output': output}, [text])['equal']), end=' ')\n";
    let mut python = std::process::Command::new("python3");
    let ran = python.args(["-I", "-c", score]).current_dir(bench.path()).output().unwrap();
    let told = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "1 0 0 1 1 0 1 0 ", "{told}");
}

#[test]
fn a_task_for_lm_evaluation_harness_has_its_three_files() {
    let bench = Bench::new();
    bench.write("items.jsonl", ITEMS);
    for task in ["output", "input"] {
        let args = ["export", "lm-eval", "--data", "items.jsonl", "--task", task, "--out", task];
        assert_eq!(bench.ok(&args), "");
        let read =
            |file: &str| std::fs::read_to_string(bench.path().join(task).join(file)).unwrap();
        let rows = read(&format!("lockstep_items_{task}.jsonl"));
        let rows: Vec<serde_json::Value> =
            rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        assert_eq!(rows.len(), 3);
        for row in &rows {
            for key in ["id", "code", "function", "call", "output", "prompt", "target"] {
                assert!(row[key].is_string(), "{key}: {row}");
            }
        }
        let python = read("lockstep_items.py");
        assert!(python.contains(&format!("\"lockstep_items_{task}.jsonl\"")), "{python}");
        let yaml = read(&format!("lockstep_items_{task}.yaml"));
        assert!(yaml.starts_with(&format!("task: lockstep_items_{task}\n")), "{yaml}");
        assert!(bench.refused(&args).contains("is not empty"));
    }
}

/// Where CruxEval is: `LOCKSTEP_CRUXEVAL`, or beside the project. It is no part of the project.
fn cruxeval() -> Option<PathBuf> {
    let beside = || crate::support::repository().join("../shared/data/cruxeval");
    let folder = std::env::var_os("LOCKSTEP_CRUXEVAL").map_or_else(beside, PathBuf::from);
    let found = folder.join("cruxeval.jsonl").is_file();
    if !found {
        eprintln!("skipped: no cruxeval.jsonl in {}", folder.display());
    }
    found.then_some(folder)
}

/// The scored generations that CruxEval's authors publish: their verdicts and their totals.
fn reproduces(task: Task, totals: [f64; 2]) {
    let Some(folder) = cruxeval() else { return };
    let benchmark = Benchmark::open(&folder.join("cruxeval.jsonl")).unwrap();
    let file = folder.join(format!("codellama-7b-scored-{task}.json"));
    let generations = Generations::open(&file, &benchmark).unwrap();
    let limits = Limits { time: std::time::Duration::from_secs(20), ..Limits::default() };
    let scorer = Scorer { task, limits, jobs: 2, executable: Some(program().into()) };
    let never = AtomicBool::new(false);
    let Scored { verdicts, failed } =
        scorer.score(&benchmark, &generations, &never, || ()).unwrap();
    assert!(failed.is_empty(), "{failed:?}");
    let score = Score::of(task, &benchmark, &generations, &verdicts);
    let stored = score.stored.unwrap();
    assert_eq!(stored.different, []);
    assert_eq!((score.items, score.generations, stored.same), (800, 8_000, 8_000));
    let found: Vec<f64> =
        score.published[..2].iter().map(|pass| pass.share.share * 100.0).collect();
    for (found, told) in found.iter().zip(totals) {
        assert!((found - told).abs() < 0.005, "{found} is not {told}");
    }
}

#[test]
fn published_verdicts_on_outputs_are_reproduced() {
    reproduces(Task::Output, [34.21, 40.29]);
}

#[test]
fn published_verdicts_on_inputs_are_reproduced() {
    reproduces(Task::Input, [35.95, 44.99]);
}

/// Every item's call gives in this interpreter what the file says, and can be asked about.
#[test]
fn every_call_gives_what_the_file_says() {
    let Some(folder) = cruxeval() else { return };
    let benchmark = Benchmark::open(&folder.join("cruxeval.jsonl")).unwrap();
    let mut checker = checker();
    for item in benchmark.items() {
        let worth = checker.outputs(item, &[&item.output]).unwrap();
        assert_eq!(worth, [Worth::Right { same_types: true }], "{}", item.id);
    }
}
