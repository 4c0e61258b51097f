//! `lockstep eval`, `report`, `merge` and `compare`, with the model that ships.

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
    for part in ["lockstep-dev-2.6m on 4 programs", "by action\n  step_into", "c/broken.py:1:9"] {
        assert!(outcome.stdout.contains(part), "{part}:\n{}", outcome.stdout);
    }
    // The report is made of the log alone.
    assert_eq!(bench.ok(&["report", "log.jsonl"]), outcome.stdout);
    let markdown = bench.ok(&["report", "log.jsonl", "--format", "markdown"]);
    assert!(markdown.starts_with("### lockstep-dev-2.6m on 4 programs: 20 steps"), "{markdown}");
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
    let refused = bench.refused(&["compare", "follow.jsonl", "over.jsonl"]);
    assert!(refused.contains("differ in policy"), "{refused}");
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
        vec!["eval", "c", "--policy", "random"],
        vec!["report", "notes.txt"],
        vec!["report", "nowhere.jsonl"],
    ];
    let told: Vec<String> = refused.iter().map(|args| bench.refused(args)).collect();
    insta::assert_snapshot!(told.join("---\n"));
    assert_eq!(log(&bench, "notes.txt"), b"hello\n");
}
