//! The items of a benchmark as a task of lm-evaluation-harness, so that other models can be asked
//! the same there.
//!
//! A task is a folder: its YAML, the items as JSON lines with the prompt of each, and the Python file
//! that reads and scores them. Answers are scored as here: an output is right if it is a literal that
//! equals the value, an input if calling the function with it gives the value.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::item::{Benchmark, Item};
use super::task::Task;

/// Reads and scores the items there.
const SCORING: &str = include_str!("lm_eval/lockstep_items.py");

/// Why there is no task.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder holds something else.
    #[error("{}: is not empty; name a folder that is, or that isn't there yet", .0.display())]
    NotEmpty(PathBuf),
    /// A file can't be written.
    #[error("{}: can't be written: {error}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// Writes the task into this folder, which is made, or empty; the task's name.
pub fn export(benchmark: &Benchmark, task: Task, folder: &Path) -> Result<String, ExportError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| ExportError::Write { path, error }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut entries = fs::read_dir(folder).map_err(failed(folder))?;
    if entries.next().is_some() {
        return Err(ExportError::NotEmpty(folder.to_owned()));
    }
    let name = task_name(&benchmark.name(), task);
    let rows: String = benchmark.items().iter().map(|item| row(item, task) + "\n").collect();
    let files = [
        (format!("{name}.jsonl"), rows),
        ("lockstep_items.py".to_owned(), SCORING.replace("ITEMS.jsonl", &format!("{name}.jsonl"))),
        // Last: without it the folder is no task.
        (format!("{name}.yaml"), configuration(&name, task)),
    ];
    for (file, text) in files {
        let path = folder.join(file);
        fs::write(&path, text).map_err(failed(&path))?;
    }
    Ok(name)
}

/// `lockstep_cruxeval_output`.
fn task_name(file: &str, task: Task) -> String {
    let stem = file.split('.').next().unwrap_or_default().to_lowercase();
    let word: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("lockstep_{}_{task}", word.trim_matches('_'))
}

/// A line of the items.
fn row(item: &Item, task: Task) -> String {
    let (code, call, output, function) =
        (item.code.trim_end(), &item.call, &item.output, &item.function);
    let (prompt, target) = match task {
        Task::Output => (
            format!("{code}\n\n\n# What the call gives, as a literal.\nassert {call} =="),
            format!(" {output}"),
        ),
        Task::Input => (
            format!(
                "{code}\n\n\n# Arguments, as literals, for which the function gives this.\n\
                 assert {output} == {function}("
            ),
            call[function.len() + 1..].to_owned(),
        ),
    };
    json!({
        "id": item.id,
        "code": item.code,
        "function": function,
        "call": call,
        "output": output,
        "prompt": prompt,
        "target": target,
    })
    .to_string()
}

/// The YAML.
fn configuration(name: &str, task: Task) -> String {
    // An input is checked by calling the function, which the harness wants to be confirmed.
    let unsafe_code = match task {
        Task::Output => "",
        Task::Input => "unsafe_code: true\n",
    };
    format!(
        "\
task: {name}
custom_dataset: !function lockstep_items.items
test_split: test
output_type: generate_until
doc_to_text: \"{{{{prompt}}}}\"
doc_to_target: \"{{{{target}}}}\"
process_results: !function lockstep_items.score_{task}
generation_kwargs:
  until:
    - \"\\n\"
  do_sample: false
  max_gen_toks: 1024
metric_list:
  - metric: equal
    aggregation: mean
    higher_is_better: true
  - metric: exact
    aggregation: mean
    higher_is_better: true
{unsafe_code}metadata:
  version: 1.0
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::item::tests::item;

    #[test]
    fn a_prompt_and_its_target_are_the_assertion() {
        let item = item("def f(a, b=2):\n    return [a, b]\n", "1, b=3", "[1, 3]");
        let text = |task, key: &str| {
            let row: serde_json::Value = serde_json::from_str(&row(&item, task)).unwrap();
            row[key].as_str().unwrap().to_owned()
        };
        let last = |task| {
            let whole = text(task, "prompt") + &text(task, "target");
            whole.lines().last().unwrap().to_owned()
        };
        assert_eq!(last(Task::Output), "assert f(1, b=3) == [1, 3]");
        assert_eq!(last(Task::Input), "assert [1, 3] == f(1, b=3)");
        assert!(text(Task::Input, "prompt").starts_with("def f(a, b=2):\n"));
        assert!(!text(Task::Input, "prompt").contains("1, b=3"));
        assert!(!text(Task::Output, "prompt").contains("[1, 3]"));
    }

    #[test]
    fn names_are_words() {
        assert_eq!(task_name("CruxEval-v1.jsonl", Task::Input), "lockstep_cruxeval_v1_input");
    }

    #[test]
    fn the_configuration_names_what_the_python_file_defines() {
        for task in [Task::Output, Task::Input] {
            let yaml = configuration("t", task);
            for line in yaml.lines().filter(|line| line.contains("!function")) {
                let function = line.rsplit('.').next().unwrap();
                assert!(SCORING.contains(&format!("def {function}(")), "{function}");
            }
            assert_eq!(yaml.contains("unsafe_code: true"), task == Task::Input);
        }
        insta::assert_snapshot!(configuration("lockstep_cruxeval_output", Task::Output));
    }
}
