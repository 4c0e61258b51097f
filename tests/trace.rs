//! `lockstep trace`: the recorded states.

use crate::support::Bench;

const PROGRAM: &str = "\
# title: a loop that calls
def double(n):
    return n * 2


def main():
    total = 0
    for n in [1, 2]:
        total += double(n)
    print('total', total)
    return total
";

#[test]
fn a_recording_to_read() {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    insta::assert_snapshot!(bench.ok(&["trace", "p.py"]));
}

#[test]
fn a_recording_as_json() {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    insta::assert_snapshot!(bench.ok(&["trace", "p.py", "--json"]));
}

#[test]
fn a_module_is_its_own_entry() {
    let bench = Bench::new();
    bench.write("p.py", "x = 1\n\n\ndef f(n):\n    return n\n\n\nif __name__ == '__main__':\n    y = f(x)\n");
    insta::assert_snapshot!(bench.ok(&["trace", "p.py"]));
}

#[test]
fn another_entry() {
    let bench = Bench::new();
    bench.write("p.py", "def main():\n    return 1\n\n\ndef other(n=2):\n    return n\n");
    let lines = bench.json(&["trace", "p.py", "--entry", "other"]);
    assert_eq!(lines[0]["function"], "other");
    assert_eq!(lines[0]["locals"]["n"], "2");
}

#[test]
fn an_exception_is_an_event_of_each_frame_that_it_passes() {
    let bench = Bench::new();
    bench.write(
        "p.py",
        "def f(d):\n    return d['k']\n\n\ndef main():\n    try:\n        f({})\n    except KeyError as e:\n        return str(e)\n",
    );
    insta::assert_snapshot!(bench.ok(&["trace", "p.py"]));
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let bench = Bench::new();
    bench.write("p.py", "for i in range(20000):\n    x = i\n");
    let mut child = bench
        .command(&["trace", "p.py"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn escape_sequences_in_a_program_do_not_reach_the_terminal() {
    let bench = Bench::new();
    bench.write("p.py", "x = '\u{1b}[2J'\nprint(x)\nraise ValueError(x)\n");
    let stdout = bench.ok(&["trace", "p.py"]);
    assert!(!stdout.contains('\u{1b}'), "{stdout:?}");
}
