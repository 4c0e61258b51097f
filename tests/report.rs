//! Reports of a log: every format, the exit codes, and the page as a browser shows it.

mod browser;
mod readers;

use serde_json::Value;

use crate::support::Bench;

const PROGRAMS: [(&str, &str); 4] = [
    (
        "sum.py",
        "def main():\n    total = 0\n    for n in [1, 2]:\n        total += n\n    return total\n",
    ),
    ("call.py", "def f(a):\n    return a * 2\n\n\ndef main():\n    return f(3)\n"),
    ("script.py", "def main():\n    s = '</script><!--<b>'\n    t = s + '&'\n    return t\n"),
    ("broken.py", "def main(:\n"),
];

/// A folder with a corpus in it and the log of the model that is built in.
fn bench() -> Bench {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("c")).unwrap();
    for (name, text) in PROGRAMS {
        bench.write(&format!("c/{name}"), text);
    }
    bench.ok(&["eval", "c", "--policy", "mixed", "--threads", "1"]);
    bench
}

fn written(bench: &Bench, name: &str) -> String {
    std::fs::read_to_string(bench.path().join(name)).unwrap()
}

/// The steps of the log that have a verdict, and how many of them are wrong.
fn steps(bench: &Bench) -> (usize, usize) {
    let records = written(bench, "eval.jsonl");
    let records: Vec<Value> =
        records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let steps: Vec<_> = records.iter().filter(|step| step["agree"].is_boolean()).collect();
    (steps.len(), steps.iter().filter(|step| step["agree"] == false).count())
}

#[test]
fn every_format_tells_the_same_steps() {
    let bench = bench();
    let (steps, wrong) = steps(&bench);
    assert!(wrong > 0, "the model that is built in is not that good");

    let sarif = bench.ok(&["report", "eval.jsonl", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), wrong);

    let junit = bench.ok(&["report", "eval.jsonl", "--format", "junit"]);
    assert_eq!(junit.matches("<testcase ").count(), 4);
    assert_eq!(junit.matches("<skipped message=\"not run: c/broken.py:1:9").count(), 1, "{junit}");

    let github = bench.ok(&["report", "eval.jsonl", "--format", "github"]);
    assert_eq!(github.matches("::warning file=c/").count(), wrong.min(10));
    assert!(github.contains(&format!("%25 of {steps} steps are right")), "{github}");

    bench.ok(&["report", "eval.jsonl", "--format", "parquet", "--out", "steps.parquet"]);
    let parquet = std::fs::read(bench.path().join("steps.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));

    // To a file or to a pipe, it is the same.
    let page = bench.ok(&["report", "eval.jsonl", "--format", "html"]);
    bench.ok(&["report", "eval.jsonl", "--format", "html", "--out", "report.html"]);
    assert_eq!(page, written(&bench, "report.html"));
    assert_eq!(page.matches("</script").count(), 3);
}

#[test]
fn exit_codes_tell_what_is_missing_and_what_is_too_low() {
    let bench = bench();
    let run = |args: &[&str]| bench.run(&[&["report", "eval.jsonl"], args].concat());
    let low = run(&["--fail-under", "1.0", "--format", "github"]);
    assert_eq!(low.code, Some(1));
    assert!(low.stderr.contains("less than 100.0%"), "{}", low.stderr);
    assert!(low.stdout.contains("::error title=Lockstep::"), "{}", low.stdout);
    assert_eq!(run(&["--fail-under", "0", "--format", "csv"]).code, Some(0));

    let whole = written(&bench, "eval.jsonl");
    let cut = whole.rfind("{\"record\":\"program\"").unwrap();
    bench.write("eval.jsonl", &whole[..cut]);
    let partial = run(&["--format", "junit"]);
    assert_eq!(partial.code, Some(3));
    assert!(
        partial.stderr.contains("not finished, it holds 3 of 4 programs"),
        "{}",
        partial.stderr
    );
    assert_eq!(partial.stdout.matches("<testcase ").count(), 3);
}

/// What a log says of itself is not believed: it is refused, or counted without a loop.
#[test]
fn headers_that_can_not_be_are_refused() {
    let bench = bench();
    let whole = written(&bench, "eval.jsonl");
    let shard = "\"shard\":{\"index\":0,\"of\":1}";
    assert!(whole.contains(shard));
    bench.write("none.jsonl", whole.replacen(shard, "\"shard\":{\"index\":0,\"of\":0}", 1));
    let refused = bench.refused(&["report", "none.jsonl"]);
    assert!(refused.contains("none.jsonl:1: ") && refused.contains("part 0 of 0"), "{refused}");

    let endless = format!("\"programs\":{}", u64::MAX);
    bench.write("endless.jsonl", whole.replacen("\"programs\":4", &endless, 1));
    let refused = bench.refused(&["report", "endless.jsonl", "--format", "csv"]);
    assert!(refused.contains("endless.jsonl:1: it tells of more programs"), "{refused}");
}

#[test]
fn nothing_is_lost_by_a_wrong_command() {
    let bench = bench();
    bench.write("c2.py", "def main():\n    return 1\n");
    let before = written(&bench, "eval.jsonl");
    bench.write("kept.html", "before");
    let refused = [
        vec!["report", "eval.jsonl", "--format", "pdf"],
        vec!["report", "eval.jsonl", "--format", "html", "--out", "eval.jsonl"],
        vec!["report", "eval.jsonl", "--format", "html", "--out", "nowhere/report.html"],
        vec!["report", "eval.jsonl", "--format", "html", "--corpus", "c2.py", "--out", "kept.html"],
        vec!["report", "c2.py", "--format", "html", "--out", "kept.html"],
    ];
    let told: Vec<String> = refused.iter().map(|args| bench.refused(args)).collect();
    insta::assert_snapshot!(told.join("---\n"));
    assert_eq!(written(&bench, "eval.jsonl"), before);
    assert_eq!(written(&bench, "kept.html"), "before");
    let left: Vec<_> = std::fs::read_dir(bench.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
