//! Names as people choose them, by what they stand for.

use super::choices::Choices;
use super::kind::{Kind, Letters, Number};

/// What a name is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A parameter, or a variable that holds what came in.
    Given,
    /// A variable in which a result grows.
    Result,
    /// What a loop gives each time.
    Element,
    /// A place in a sequence.
    Index,
    /// Anything else.
    Local,
}

/// Names of functions that are written freely.
pub const FUNCTIONS: &[&str] = &[
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "f",
    "solve",
    "process",
    "transform",
    "compute",
    "check",
    "update",
    "build",
    "convert",
    "adjust",
    "handle",
    "evaluate",
    "measure",
    "analyze",
    "modify",
    "apply",
    "parse",
    "helper",
    "run",
    "g",
    "func",
    "calculate",
    "filter_items",
    "clean",
    "reduce_all",
    "combine",
    "inspect",
    "collect",
    "select",
    "normalize",
    "score",
    "rank",
    "encode",
    "simplify",
];

/// The names for a variable of this kind in this role.
pub fn pool(kind: &Kind, role: Role) -> &'static [&'static str] {
    match (role, kind) {
        (Role::Index, _) => &["i", "i", "i", "j", "k", "idx", "index", "pos", "at"],
        (Role::Result, Kind::Int(_)) => &[
            "count", "total", "result", "res", "score", "cnt", "ans", "best", "acc", "s", "c",
            "steps", "value", "output", "num", "tally", "balance", "length",
        ],
        (Role::Result, Kind::Str(_)) => &[
            "result", "res", "output", "out", "new_text", "ans", "s", "text2", "built", "line",
            "word", "new", "tmp", "encoded", "answer",
        ],
        (Role::Result, Kind::List(..)) => &[
            "result",
            "res",
            "output",
            "out",
            "ans",
            "new_list",
            "items",
            "kept",
            "found",
            "ls",
            "lst",
            "answer",
            "collected",
            "stack",
            "parts",
            "history",
            "seen",
        ],
        (Role::Result, Kind::Dict(..)) => &[
            "result", "res", "counts", "d", "freq", "new_dict", "groups", "table", "seen", "out",
            "index", "lookup", "output", "mapping", "cache",
        ],
        (Role::Result, Kind::Set(_)) => &["seen", "unique", "found", "visited", "used", "known"],
        (_, Kind::Bool) => &["flag", "found", "ok", "done", "valid", "reverse", "strict", "is_new"],
        (Role::Element, Kind::Int(_)) => {
            &["x", "n", "num", "i", "value", "item", "v", "number", "a", "e", "amount", "y", "el"]
        }
        (Role::Element, Kind::Str(Letters::One)) => {
            &["c", "ch", "char", "letter", "c", "ch", "character", "x", "symbol"]
        }
        (Role::Element, Kind::Str(_)) => {
            &["s", "word", "item", "name", "w", "part", "token", "x", "line", "key", "string"]
        }
        (Role::Element, Kind::List(..)) => &["row", "group", "sub", "line", "chunk", "inner"],
        (Role::Element, Kind::Tuple(_)) => &["pair", "item", "entry", "p", "record", "t"],
        (_, Kind::Int(Number::Positive | Number::Small)) => {
            &["n", "k", "size", "step", "width", "times", "limit", "m", "count", "amount", "num"]
        }
        (_, Kind::Int(_)) => &[
            "n",
            "k",
            "x",
            "num",
            "value",
            "m",
            "limit",
            "a",
            "b",
            "target",
            "start",
            "y",
            "number",
            "val",
            "threshold",
            "base",
            "low",
            "high",
            "elem",
            "t",
            "index",
            "offset",
        ],
        (_, Kind::Str(Letters::One)) => {
            &["char", "sep", "c", "letter", "ch", "character", "fill", "delim", "sign", "mark"]
        }
        (_, Kind::Str(Letters::Word)) => {
            &["word", "name", "s", "key", "prefix", "suffix", "text", "value", "sub", "old", "new"]
        }
        (_, Kind::Str(_)) => &[
            "text", "text", "s", "string", "word", "line", "text", "sentence", "value", "txt",
            "st", "phrase", "data", "message", "title", "content", "a", "b",
        ],
        (_, Kind::List(of, _)) => match **of {
            Kind::Int(_) => &[
                "nums", "nums", "numbers", "array", "arr", "values", "lst", "items", "a", "l",
                "xs", "data", "scores", "prices", "list1", "sequence", "levels", "ys",
            ],
            Kind::Str(_) => &[
                "words", "names", "strings", "items", "lst", "tokens", "lines", "parts", "values",
                "letters", "keys", "arr", "fields", "tags",
            ],
            Kind::List(..) => &["grid", "matrix", "rows", "groups", "lists", "table", "board"],
            Kind::Tuple(_) => &["pairs", "items", "records", "entries", "points", "orders"],
            _ => &["items", "values", "lst", "data", "entries"],
        },
        (_, Kind::Dict(..)) => &[
            "d",
            "dic",
            "dictionary",
            "data",
            "mapping",
            "table",
            "stock",
            "scores",
            "prices",
            "config",
            "ages",
            "lookup",
            "my_dict",
            "counts",
            "inventory",
            "d1",
            "m",
        ],
        (_, Kind::Tuple(_)) => &["pair", "point", "t", "item", "record", "bounds", "entry"],
        (_, Kind::Set(_)) => &["seen", "allowed", "unique", "known", "chosen", "s"],
    }
}

/// A name from `pool` that is not `taken`; with a number behind it if all are.
pub fn fresh(choices: &mut Choices, pool: &[&str], taken: impl Fn(&str) -> bool) -> String {
    let start = choices.below(pool.len());
    let found = (0..pool.len()).map(|at| pool[(start + at) % pool.len()]).find(|name| !taken(name));
    match found {
        Some(name) => name.to_owned(),
        None => {
            let name = pool[start];
            let numbered = (2..).map(|number| format!("{name}{number}"));
            numbered.into_iter().find(|name| !taken(name)).unwrap_or_default()
        }
    }
}

/// Names that a program uses as built-in and must not hide.
pub fn is_reserved(name: &str) -> bool {
    const USED: &[&str] = &[
        "abs",
        "all",
        "any",
        "bool",
        "chr",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "int",
        "isinstance",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "ord",
        "print",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "super",
        "tuple",
        "type",
        "zip",
        "main",
    ];
    USED.contains(&name)
}
