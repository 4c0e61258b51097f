//! What a dataset says of itself: its card, as the Hugging Face hub shows it, and its special
//! tokens, as a tokenizer is given them.

use std::fmt::Write;

use super::{Format, Summary};
use crate::dataset::Label;
use crate::dataset::encoder::special_tokens;
use crate::dataset::row::Split;
use crate::python::{Grouped, INTERPRETER};

/// `README.md`: for machines the front matter, for people the rest.
pub fn card(label: &Label, summary: &Summary, format: Format) -> String {
    let rows: u64 = summary.rows.values().sum();
    let mut text = String::from("---\npretty_name: Walks through recorded Python runs\n");
    text.push_str("task_categories:\n- text-generation\nlanguage:\n- code\n");
    text.push_str("tags:\n- code\n- python\n- execution-traces\n- neural-debugger\n");
    // Writing to a text doesn't fail.
    let _ = writeln!(text, "size_categories:\n- {}", size(rows));
    text.push_str("configs:\n- config_name: default\n  data_files:\n");
    for split in Split::ALL.into_iter().filter(|split| summary.rows.contains_key(split)) {
        let name = split.name();
        let path = match format {
            Format::Jsonl => format!("jsonl/{name}.jsonl"),
            Format::Parquet | Format::Both => format!("data/{name}-*.parquet"),
        };
        let _ = writeln!(text, "  - split: {name}\n    path: {path}");
    }
    text.push_str("---\n\n# Walks through recorded Python runs\n\n");
    let _ = writeln!(
        text,
        "Made by `lockstep dataset` {} (seed {}). Python programs were run with {INTERPRETER} and \
         recorded; each row is a walk through a recording: the program, then states and the \
         debugger actions between them, in the format of \"Towards a Neural Debugger for Python\" \
         (arXiv 2603.09951). `recipe.json` holds how walks were drawn and what was kept.\n",
        label.version, label.seed
    );
    text.push_str("| split | walks | programs |\n| --- | ---: | ---: |\n");
    for (split, rows) in &summary.rows {
        let programs = summary.programs.get(split).copied().unwrap_or(0);
        let _ = writeln!(text, "| {} | {} | {} |", split.name(), Grouped(*rows), Grouped(programs));
    }
    let _ = writeln!(
        text,
        "\n{} characters in all. Programs that are alike but for their names are in one split, and \
         there once; so are a program and those made of it.",
        Grouped(summary.chars)
    );
    if !summary.left.is_empty() {
        text.push_str("\n| left out because | programs |\n| --- | ---: |\n");
        for (left, programs) in &summary.left {
            let _ = writeln!(text, "| {} | {} |", left.reason(), Grouped(*programs));
        }
    }
    text.push_str(COLUMNS);
    text
}

const COLUMNS: &str = r#"
## Columns

| column | what it holds |
| --- | --- |
| `text` | the whole walk, special tokens spelled out, from `<\|begin_of_text\|>` to `<\|end_of_text\|>` or the cut |
| `split` | `train`, `validation` or `test` |
| `direction` | `forward`, or `inverse`: from the return of a call back to its arguments |
| `program` | the program's name |
| `kind` | `generated`, `corpus`, `mutated` or `user` |
| `file` | the program's file; null if it was generated |
| `seed` | the seed of the program's choices and of the walks through it, in hexadecimal |
| `policy` | `into`: single steps; `mixed`: the paper's random policy |
| `function` | the function that the walk begins in |
| `start` | the recorded index of its first state |
| `states` | states told, the exit not counted |
| `actions` | actions taken |
| `exit` | how the walk ends: `normal`, `error`, `never`, `entry`; null if it is cut |

`special_tokens.json` is what `tokenizer.add_special_tokens` of `transformers` takes.
"#;

/// The hub's word for so many rows.
fn size(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        _ => "10M<n<100M",
    }
}

/// `special_tokens.json`.
pub fn tokens() -> String {
    let (begin, end) = ("<|begin_of_text|>", "<|end_of_text|>");
    let others: Vec<_> = special_tokens().filter(|&name| name != begin && name != end).collect();
    let tokens = serde_json::json!({
        "bos_token": begin,
        "eos_token": end,
        "additional_special_tokens": others,
    });
    format!("{tokens:#}\n")
}
