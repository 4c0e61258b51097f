//! `lockstep eval`, `report`, `merge` and `compare`, with the model that ships.

use std::process::Stdio;
use std::time::Duration;

use crate::support::Bench;

const PROGRAMS: [(&str, &str); 4] = [
    (
        "sum.py",
        "def main():\n    total = 0\n    for n in [1, 2]:\n        total += n\n    return total\n",
    ),
    ("call.py", "def f(a):\n    return a * 2\n\n\ndef main():\n    return f(3)\n"),
    ("fails.py", "def main():\n    d = {}\n    return d['k']\n"),
    ("broken.py", "def main(:\n"),
];

fn bench() -> Bench {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("c")).unwrap();
    for (name, text) in PROGRAMS {
        bench.write(&format!("c/{name}"), text);
    }
    bench
}

fn log(bench: &Bench, name: &str) -> Vec<u8> {
    std::fs::read(bench.path().join(name)).unwrap()
}

#[test]
fn a_corpus_is_walked_and_reported() {
    let bench = bench();
    let outcome = bench.run(&["eval", "c", "--out", "log.jsonl"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    // What the model says may differ from one processor to another; what it is asked doesn't.
    for part in ["lockstep-2.6m on 4 programs", "by action\n  step_into", "c/broken.py:1:9"] {
        assert!(outcome.stdout.contains(part), "{part}:\n{}", outcome.stdout);
    }
    // The report is made of the log alone.
    assert_eq!(bench.ok(&["report", "log.jsonl"]), outcome.stdout);
    let markdown = bench.ok(&["report", "log.jsonl", "--format", "markdown"]);
    assert!(markdown.starts_with("### lockstep-2.6m on 4 programs: 20 steps"), "{markdown}");
    let csv = bench.ok(&["report", "log.jsonl", "--format", "csv"]);
    assert!(csv.starts_with("by,key,share,error,low,high,of,programs\nsteps,,"), "{csv}");
    let json = bench.ok(&["report", "log.jsonl", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["programs"], &json["refused"][0]["id"]), (&3.into(), &"c/broken.py".into()));
    // Done again, nothing is walked and nothing changes.
    let before = log(&bench, "log.jsonl");
    let again = bench.run(&["eval", "c", "--out", "log.jsonl"]);
    assert_eq!(again.stdout, outcome.stdout);
    assert_eq!(log(&bench, "log.jsonl"), before);
}

#[test]
fn a_cut_log_goes_on_to_the_same_bytes() {
    let bench = bench();
    bench.ok(&["eval", "c", "--out", "whole.jsonl", "--policy", "mixed", "--seed", "3"]);
    let whole = log(&bench, "whole.jsonl");
    for part in [3, 2] {
        bench.write("cut.jsonl", &whole[..whole.len() / part]);
        bench.ok(&["eval", "c", "--out", "cut.jsonl", "--policy", "mixed", "--seed", "3"]);
        assert_eq!(log(&bench, "cut.jsonl"), whole, "1/{part}");
    }
    let refused = bench.refused(&["eval", "c", "--out", "cut.jsonl", "--policy", "mixed"]);
    assert!(refused.contains("made with another seed"), "{refused}");
    assert_eq!(log(&bench, "cut.jsonl"), whole);
}

#[test]
fn parts_merge_into_the_whole() {
    let bench = bench();
    bench.ok(&["eval", "c", "--out", "whole.jsonl", "--policy", "each", "--steps", "12"]);
    for part in ["0/3", "1/3", "2/3"] {
        let out = format!("part-{}.jsonl", &part[..1]);
        bench.ok(&[
            "eval", "c", "--policy", "each", "--steps", "12", "--shard", part, "--out", &out,
        ]);
    }
    let partial = bench.run(&["merge", "part-0.jsonl", "part-2.jsonl", "--out", "merged.jsonl"]);
    assert_eq!(partial.code, Some(3), "{}", partial.stderr);
    assert!(partial.stderr.contains("1 are in no log: 1"), "{}", partial.stderr);
    let parts = ["part-2.jsonl", "part-0.jsonl", "part-1.jsonl"];
    bench.ok(&["merge", parts[0], parts[1], parts[2], "--out", "merged.jsonl"]);
    assert_eq!(log(&bench, "merged.jsonl"), log(&bench, "whole.jsonl"));
    let refused = bench.refused(&["merge", parts[0], parts[0], "--out", "twice.jsonl"]);
    assert!(refused.contains("both hold program"), "{refused}");
}

/// Kills nothing that had time to end by itself, and everything else at moments that nobody chose:
/// whatever they are, the log goes on to the same bytes.
#[test]
fn an_evaluation_that_is_killed_again_and_again_comes_to_the_same_end() {
    let bench = bench();
    let whole = bench.ok(&["eval", "c", "--out", "whole.jsonl"]);
    for pause in [20, 60, 120, 200, 300, 450] {
        let mut child = bench
            .command(&["eval", "c", "--out", "killed.jsonl"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(bench.ok(&["eval", "c", "--out", "killed.jsonl"]), whole);
    assert_eq!(log(&bench, "killed.jsonl"), log(&bench, "whole.jsonl"));
}

/// Waits until the log holds a program: the evaluation is in its midst then.
#[cfg(unix)]
fn wait_for_a_program(bench: &Bench, name: &str) {
    for _ in 0..1000 {
        let text = std::fs::read_to_string(bench.path().join(name)).unwrap_or_default();
        if text.contains("\"record\":\"program\"") {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{name} never held a program");
}

#[cfg(unix)]
#[test]
fn an_evaluation_that_is_asked_to_end_ends_the_program_at_hand() {
    let bench = bench();
    for number in 0..40 {
        bench.write(&format!("c/more-{number}.py"), PROGRAMS[0].1);
    }
    bench.ok(&["eval", "c", "--steps", "3", "--out", "whole.jsonl"]);
    for (signal, name) in [("-TERM", "term.jsonl"), ("-INT", "int.jsonl")] {
        let child = bench
            .command(&["eval", "c", "--steps", "3", "--out", name])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_a_program(&bench, name);
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{told}");
        assert!(told.contains("of 44 programs are in"), "{told}");
        assert_eq!(output.stdout, b"", "a part has no report yet");
        // Nothing of it is half: the log is a beginning of the whole one, to the end of a program.
        let part = log(&bench, name);
        assert!(log(&bench, "whole.jsonl").starts_with(&part));
        let last = part.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap();
        assert!(last.starts_with(b"{\"record\":\"program\""), "{signal}");
        bench.ok(&["eval", "c", "--steps", "3", "--out", name]);
        assert_eq!(log(&bench, name), log(&bench, "whole.jsonl"));
    }
}

#[test]
fn a_cache_changes_nothing_but_the_time() {
    let bench = bench();
    let eval = |out: &str, more: &[&str]| {
        let outcome =
            bench.run(&[&["eval", "c", "--out", out, "--policy", "mixed"], more].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        outcome.stderr
    };
    eval("plain.jsonl", &[]);
    let kept = || {
        let mut files = Vec::new();
        for folder in std::fs::read_dir(bench.path().join("kept")).unwrap() {
            let folder = std::fs::read_dir(folder.unwrap().path()).unwrap();
            files.extend(folder.map(|file| file.unwrap().path()));
        }
        files.sort();
        files
    };
    eval("first.jsonl", &["--cache", "kept"]);
    // The one that does not compile is not kept.
    assert_eq!(kept().len(), PROGRAMS.len() - 1);
    eval("second.jsonl", &["--cache", "kept"]);
    for name in ["first.jsonl", "second.jsonl"] {
        assert_eq!(log(&bench, name), log(&bench, "plain.jsonl"), "{name}");
    }
    // Half a file is told, and what it held is made again.
    for path in kept() {
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() / 2]).unwrap();
    }
    let told = eval("third.jsonl", &["--cache", "kept"]);
    assert_eq!(told.matches("is damaged: its hash is another").count(), 3, "{told}");
    assert_eq!(log(&bench, "third.jsonl"), log(&bench, "plain.jsonl"));
    // Another seed is another walk.
    let before = kept().len();
    assert_eq!(before, PROGRAMS.len() - 1);
    eval("seed.jsonl", &["--cache", "kept", "--seed", "1"]);
    assert_eq!(kept().len(), 2 * before);
    let refused = bench.refused(&["eval", "c", "--out", "x.jsonl", "--cache", "c/sum.py"]);
    assert!(refused.contains("the cache's c/sum.py: "), "{refused}");
}

#[test]
fn a_scheduler_says_the_part() {
    let bench = bench();
    let run = |variables: &[(&str, &str)]| {
        let mut command = bench.command(&["eval", "c", "--steps", "3", "--shard", "auto"]);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), told)
    };
    for (index, variables) in [
        [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "3")],
        [("SLURM_PROCID", "2"), ("SLURM_STEP_NUM_TASKS", "3")],
        [("JOB_COMPLETION_INDEX", "0"), ("LOCKSTEP_SHARDS", "3")],
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(run(variables).0, Some(0), "{index}");
    }
    let parts = ["eval-0-of-3.jsonl", "eval-1-of-3.jsonl", "eval-2-of-3.jsonl"];
    bench.ok(&["eval", "c", "--steps", "3"]);
    bench.ok(&["merge", parts[0], parts[1], parts[2], "--out", "merged.jsonl"]);
    assert_eq!(log(&bench, "merged.jsonl"), log(&bench, "eval.jsonl"));
    let (code, told) = run(&[("JOB_COMPLETION_INDEX", "0")]);
    assert_eq!(code, Some(2));
    assert!(told.contains("LOCKSTEP_SHARDS must say of how many"), "{told}");
}

#[test]
fn a_recipe_names_all_that_made_the_log() {
    let bench = bench();
    bench.ok(&["eval", "c/broken.py"]);
    let log = String::from_utf8(log(&bench, "eval.jsonl")).unwrap();
    let header: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let recipe = &header["recipe"];
    let model = &recipe["model"];
    for hash in [
        &recipe["tool_sha256"],
        &recipe["python_sha256"],
        &recipe["corpus"]["sha256"],
        &model["sha256"],
        &model["tokenizer_sha256"],
        &model["dialect_sha256"],
    ] {
        assert_eq!(hash.as_str().map(str::len), Some(64), "{header}");
    }
}

#[test]
fn evaluations_are_compared_step_by_step() {
    let bench = bench();
    bench.ok(&["eval", "c", "--out", "follow.jsonl"]);
    bench.ok(&["eval", "c", "--out", "generated.jsonl", "--method", "generating"]);
    bench.ok(&["eval", "c", "--out", "over.jsonl", "--policy", "over"]);
    // Both methods give the same verdicts.
    let same = bench.ok(&["compare", "follow.jsonl", "generated.jsonl", "--json"]);
    let same: serde_json::Value = serde_json::from_str(&same).unwrap();
    assert_eq!((&same["flipped"], &same["unpaired"]), (&0.into(), &0.into()));
    assert_eq!(same["power"], serde_json::Value::Null);
    let refused = bench.refused(&["compare", "follow.jsonl", "over.jsonl"]);
    assert!(refused.contains("differ in policy"), "{refused}");
}

/// The numbers of a report, by name.
fn number(report: &serde_json::Value, name: &str) -> Option<serde_json::Value> {
    let numbers = report["numbers"].as_array().unwrap();
    numbers.iter().find(|number| number["name"] == name).cloned()
}

fn shares<'a>(report: &'a serde_json::Value, by: &str) -> Vec<&'a serde_json::Value> {
    report["shares"].as_array().unwrap().iter().filter(|share| share["by"] == by).collect()
}

fn report(bench: &Bench, log: &str) -> serde_json::Value {
    serde_json::from_str(&bench.ok(&["report", log, "--format", "json"])).unwrap()
}

/// Of each kind of evaluation the parts of a corpus make the log of the whole, samples included, and
/// the log of the whole tells what it should.
#[test]
fn horizon_studies_samples_and_forecasts_are_the_same_in_parts() {
    let bench = bench();
    let with = |rest: &[&str]| {
        let args = ["eval", "c", "--policy", "horizon", "--samples", "3", "--forecast"];
        bench.ok(&[&args[..], &["--steps", "25", "--report", "csv"], rest].concat());
    };
    with(&["--out", "whole.jsonl"]);
    with(&["--shard", "0/2", "--out", "even.jsonl"]);
    with(&["--shard", "1/2", "--out", "odd.jsonl"]);
    bench.ok(&["merge", "odd.jsonl", "even.jsonl", "--out", "merged.jsonl"]);
    assert_eq!(log(&bench, "merged.jsonl"), log(&bench, "whole.jsonl"));
    let whole = report(&bench, "whole.jsonl");
    assert_eq!(whole["recipe"]["sampling"]["samples"], 3);
    let text = String::from_utf8(log(&bench, "whole.jsonl")).unwrap();
    assert!(!text.contains("\"step\":26"), "no program has more than 25 steps");
    // Three programs can be run; one of them fails.
    assert_eq!(
        (&whole["failures"]["programs"], &whole["failures"]["failing"]),
        (&3.into(), &1.into())
    );
    for name in ["bits", "calibration-error", "two-sample-brier", "failure-auc"] {
        assert!(number(&whole, name).is_some(), "{name}: {whole}");
    }
    let bins = whole["calibration"]["bins"].as_array().unwrap();
    let steps: u64 = bins.iter().map(|bin| bin["steps"].as_u64().unwrap()).sum();
    let judged = shares(&whole, "steps")[0]["of"].as_f64().unwrap();
    assert_eq!((bins.len(), steps as f64), (10, judged), "each answer is in one bin");
    let keys: Vec<_> = shares(&whole, "skipped").iter().map(|share| share["key"].clone()).collect();
    for key in ["step_return 0.0", "step_return 0.8 to 1.0", "breakpoint 0.0"] {
        assert!(keys.contains(&key.into()), "{keys:?}");
    }
    assert!(whole["jumps"]["step_return"]["neither"].is_u64(), "{whole}");
}

#[test]
fn an_evaluation_goes_back_too() {
    let bench = bench();
    let args = ["eval", "c", "--direction", "inverse", "--policy", "each", "--samples", "2"];
    let outcome = bench.run(&[&args[..], &["--out", "back.jsonl"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    for part in ["policy each, going back", "predecessors that work", "(pass@k)"] {
        assert!(outcome.stdout.contains(part), "{part}:\n{}", outcome.stdout);
    }
    let text = String::from_utf8(log(&bench, "back.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let steps: Vec<_> = lines.filter(|line| line["record"] == "step").collect();
    // The program that sums has nine states; from its call no inv_step_call leads back.
    let of = |place: u64, action: &str| {
        let all = steps.iter().filter(|step| step["place"] == place && step["action"] == action);
        all.count()
    };
    assert_eq!((of(3, "inv_step_into"), of(3, "inv_step_call")), (9, 8));
    assert_eq!(of(2, "inv_step_into"), 0, "an exception has no words in the inverse format");
    assert!(steps.iter().all(|step| step["samples"].as_array().unwrap().len() == 2));
    let worth: f64 = shares(&report(&bench, "back.jsonl"), "predecessor")
        .iter()
        .map(|share| share["share"].as_f64().unwrap())
        .sum();
    assert!((worth - 1.0).abs() < 1e-9, "every answer is worth something: {worth}");
}

#[test]
fn a_threshold_decides_the_exit_code() {
    let bench = bench();
    let args = |least| ["eval", "c/sum.py", "--steps", "3", "--fail-under", least];
    assert_eq!(bench.run(&args("0")).code, Some(0));
    let outcome = bench.run(&args("1.0"));
    assert!(matches!(outcome.code, Some(0 | 1)), "{}", outcome.stderr);
    assert_eq!(outcome.code == Some(1), outcome.stderr.contains("less than 100.0%"));
}

#[test]
fn what_is_no_corpus_or_log_is_refused() {
    let bench = bench();
    bench.write("x.jsonl", "{\"id\": 1}\n");
    bench.write("notes.txt", "hello\n");
    let refused = [
        vec!["eval", "nowhere"],
        vec!["eval", "x.jsonl"],
        vec!["eval", "c", "c"],
        vec!["eval", "c", "--out", "notes.txt"],
        vec!["eval", "c", "--shard", "3/3"],
        vec!["eval", "c", "--shard", "auto"],
        vec!["eval", "c", "--policy", "random"],
        vec!["eval", "c", "--direction", "back"],
        vec!["eval", "c", "--direction", "inverse", "--forecast"],
        vec!["report", "notes.txt"],
        vec!["report", "nowhere.jsonl"],
    ];
    let told: Vec<String> = refused.iter().map(|args| bench.refused(args)).collect();
    insta::assert_snapshot!(told.join("---\n"));
    assert_eq!(log(&bench, "notes.txt"), b"hello\n");
}
