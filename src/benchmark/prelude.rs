//! Imports that contest solutions take for granted.
//!
//! The functions of LiveCodeBench name `deque`, `inf` or `gcd` without importing them; its harness
//! runs them below a long list of imports. Here each program gets those that it needs, so that a
//! model is shown no others.

use std::collections::HashSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Parameter, Stmt, StmtImport, StmtImportFrom};

use crate::check::with_tree;

/// Modules that solutions use by name, and what they take from modules.
const MODULES: &[&str] = &[
    "bisect",
    "collections",
    "copy",
    "functools",
    "heapq",
    "itertools",
    "math",
    "random",
    "re",
    "string",
];
const MEMBERS: &[(&str, &[&str])] = &[
    ("bisect", &["bisect_left", "bisect_right", "insort"]),
    ("collections", &["Counter", "OrderedDict", "defaultdict", "deque"]),
    ("copy", &["deepcopy"]),
    ("functools", &["cache", "cmp_to_key", "lru_cache", "reduce"]),
    (
        "heapq",
        &[
            "heapify",
            "heappop",
            "heappush",
            "heappushpop",
            "heapreplace",
            "merge",
            "nlargest",
            "nsmallest",
        ],
    ),
    (
        "itertools",
        &[
            "accumulate",
            "chain",
            "combinations",
            "count",
            "cycle",
            "groupby",
            "islice",
            "pairwise",
            "permutations",
            "product",
            "repeat",
            "zip_longest",
        ],
    ),
    (
        "math",
        &[
            "ceil",
            "comb",
            "factorial",
            "floor",
            "gcd",
            "inf",
            "isqrt",
            "lcm",
            "log",
            "log10",
            "log2",
            "perm",
            "pi",
            "prod",
            "sqrt",
        ],
    ),
    ("operator", &["add", "and_", "itemgetter", "mul", "or_", "sub", "xor"]),
    ("random", &["randint", "randrange", "shuffle"]),
    ("string", &["ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits"]),
    ("typing", &["Any", "Callable", "Dict", "List", "Optional", "Set", "Tuple", "Union"]),
];

/// The import statements for names that the code reads and binds nowhere; empty if there are none,
/// or if the code can't be taken apart.
pub(super) fn imports(code: &str) -> String {
    let names = with_tree(code, |module| {
        let mut names = Names::default();
        names.visit_body(module);
        names.reads.into_iter().filter(|name| !names.binds.contains(name)).collect::<HashSet<_>>()
    });
    let missing = names.unwrap_or_default();
    // `bisect` is a module and its own function, which solutions call.
    let is_module =
        |name: &&&str| missing.contains(**name) && (**name != "bisect" || code.contains("bisect."));
    let mut text: String =
        MODULES.iter().filter(is_module).map(|module| format!("import {module}\n")).collect();
    if missing.contains("bisect") && !code.contains("bisect.") {
        text += "from bisect import bisect\n";
    }
    for (module, members) in MEMBERS {
        let used: Vec<&str> =
            members.iter().copied().filter(|member| missing.contains(*member)).collect();
        if !used.is_empty() {
            text += &format!("from {module} import {}\n", used.join(", "));
        }
    }
    text
}

/// The names that code reads, and those that it binds in any scope.
#[derive(Default)]
struct Names {
    reads: HashSet<String>,
    binds: HashSet<String>,
}

impl<'a> Visitor<'a> for Names {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let bound: Vec<&str> = match statement {
            Stmt::FunctionDef(function) => vec![&*function.name],
            Stmt::ClassDef(class) => vec![&*class.name],
            Stmt::Import(StmtImport { names, .. })
            | Stmt::ImportFrom(StmtImportFrom { names, .. }) => {
                names.iter().map(|alias| &**alias.asname.as_ref().unwrap_or(&alias.name)).collect()
            }
            _ => Vec::new(),
        };
        self.binds.extend(bound.into_iter().map(str::to_owned));
        visitor::walk_stmt(self, statement);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.binds.insert(parameter.name.to_string());
        visitor::walk_parameter(self, parameter);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            let names = match name.ctx {
                ExprContext::Store => &mut self.binds,
                _ => &mut self.reads,
            };
            names.insert(name.id.to_string());
        }
        visitor::walk_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_and_bound_nowhere_is_imported() {
        let code = "def f(n: List[int], count):\n    d = deque(n)\n    x = bisect(n, 1)\n    \
                    return math.floor(d[0]) + gcd(x, count)\n";
        let expected = "import math\nfrom bisect import bisect\nfrom collections import deque\n\
                        from math import gcd\nfrom typing import List\n";
        assert_eq!(imports(code), expected);
    }

    #[test]
    fn what_needs_nothing_gets_nothing() {
        assert_eq!(imports("from math import gcd\ndef f(a):\n    return gcd(a, 2)\n"), "");
        assert_eq!(imports("def f(:"), "");
        assert_eq!(imports("def f(a):\n    return bisect.bisect(a, 1)\n"), "import bisect\n");
    }
}
