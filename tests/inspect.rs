//! `lockstep inspect`: one state of a run, looked into.

use crate::support::Bench;

const PROGRAM: &str = "\
class Node:
    def __init__(self, value, left=None):
        self.value = value
        self.left = left


def depth(node):
    if node is None:
        return 0
    return 1 + depth(node.left)


def main():
    leaf = Node([1, 2, 3])
    tree = Node('root', leaf)
    same = leaf
    return depth(tree)
";

/// The number of a state in `depth`, with three frames.
const AT: &str = "17";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    bench
}

#[test]
fn the_variables_of_a_frame() {
    insta::assert_snapshot!(bench().ok(&["inspect", "p.py", AT, "--frame", "2"]));
}

#[test]
fn expressions_and_parts() {
    let bench = bench();
    insta::assert_snapshot!(bench.ok(&[
        "inspect",
        "p.py",
        AT,
        "node.value",
        "1 / 0",
        "[node.value.clear(), node]",
        "node.value",
        "--parts",
        "node.0",
        "--from",
        "1",
        "--count",
        "1",
    ]));
}

#[test]
fn a_state_of_a_branch_as_json() {
    let lines = bench().json(&[
        "inspect",
        "p.py",
        AT,
        "same",
        "--frame",
        "2",
        "--set",
        "12: same = [leaf]",
    ]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&lines).unwrap());
}

#[test]
fn what_is_not_there_is_told() {
    let bench = bench();
    let refused = [
        vec!["inspect", "p.py", "999"],
        vec!["inspect", "p.py", AT, "--frame", "7"],
        vec!["inspect", "p.py", AT, "--parts", "nothing.3"],
        vec!["inspect", "p.py", AT, "--parts", "..x"],
        vec!["inspect", "p.py", AT, "--set", "n = 5"],
        vec!["inspect", "p.py", AT, "--set", "5: nowhere = 5"],
        vec!["inspect", "p.py", AT, "--answer", "1: x"],
    ];
    let told: Vec<String> = refused.iter().map(|args| bench.refused(args)).collect();
    insta::assert_snapshot!(told.join("---\n"));
}
