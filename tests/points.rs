//! Stops, watches and log points of `lockstep debug`.

use crate::support::Bench;

const PROGRAM: &str = "\
def square(n):
    return n * n


def main():
    total = 0
    for n in range(4):
        total += square(n)
    print(total)
    return [][total]
";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    bench
}

/// Where `continue` stops, over and over: line, event and locals of each state.
fn stops(point: &str) -> Vec<String> {
    let actions = ["continue"; 12].join(" ");
    let lines =
        bench().json(&["debug", "p.py", "--no-model", "--break", point, "--actions", &actions]);
    lines[..lines.len() - 1]
        .iter()
        .map(|step| {
            let (action, real) = (&step["action"], &step["real"]);
            match real.get("exit") {
                Some(exit) => format!("{action} exit {exit}"),
                None => format!("{action} {} {} {}", real["line"], real["event"], real["locals"]),
            }
        })
        .collect()
}

#[test]
fn a_line_with_a_condition_stops_where_it_holds() {
    insta::assert_snapshot!(stops("8, n > 1").join("\n"));
}

#[test]
fn counts_are_of_the_times_on_which_the_condition_holds() {
    insta::assert_snapshot!(stops("square, n % 2 == 0; hit 2").join("\n"));
}

#[test]
fn a_function_stops_where_it_is_called() {
    assert_eq!(stops("square").len(), 5);
}

#[test]
fn a_change_stops_after_it() {
    insta::assert_snapshot!(stops("change total").join("\n"));
}

#[test]
fn an_uncaught_exception_stops_where_it_is_raised() {
    insta::assert_snapshot!(stops("raise uncaught").join("\n"));
    assert_eq!(stops("raise KeyError").len(), 1);
}

#[test]
fn what_is_logged_watched_and_wrong_is_printed() {
    insta::assert_snapshot!(bench().ok(&[
        "debug",
        "p.py",
        "--no-model",
        "--plain",
        "--break",
        "8; log n, total",
        "--break",
        "9, missing",
        "--watch",
        "total * 2",
        "--actions",
        "continue continue",
    ]));
}

#[test]
fn points_that_can_not_be_are_refused_with_what_to_write() {
    let refused = |point: &str| bench().refused(&["debug", "p.py", "--break", point]);
    insta::assert_snapshot!(
        ["3", "12; twice", "p.py:3", "cube", "change nothing", "'total'"].map(refused).join("\n")
    );
}
