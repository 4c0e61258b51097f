//! `lockstep-train evaluate`.

use std::path::PathBuf;
use std::process::ExitCode;

use lockstep_train::batches;
use lockstep_train::dataset::{Dataset, Split};
use lockstep_train::error::Result;
use lockstep_train::evaluate;
use lockstep_train::learner;
use lockstep_train::run::EVALUATED_TOKENS;
use lockstep_train::stored::Stored;

use super::{SelectionArgs, say};

/// Count the states that a model predicts exactly, by action
///
/// A state is exact if every token of it is the likeliest, given what really came before: what greedy
/// decoding would have written, up to and with the token that ends it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lockstep-train evaluate runs/1 --data data
  lockstep-train evaluate model-q8_0.gguf --data data --split test --json")]
pub struct Args {
    /// A run, a checkpoint, or a GGUF file
    model: PathBuf,
    #[command(flatten)]
    data: SelectionArgs,
    /// The split
    #[arg(long, value_enum, default_value = "validation")]
    split: Split,
    /// Longest trajectory, in tokens, in place of the longest that the model was trained on
    #[arg(long, value_name = "TOKENS")]
    longest: Option<usize>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let stored = Stored::read(&args.model, &learner::device("cpu")?)?;
    let longest = args.longest.unwrap_or(stored.longest).min(stored.shape.context);
    let selection = args.data.selection(args.split, longest);
    let dataset = Dataset::read(&selection, &stored.vocabulary)?;
    let batches = batches::in_order(&dataset, EVALUATED_TOKENS);
    let rope = stored.shape.rope();
    let report = evaluate::evaluate(&stored.model, &rope, &batches, args.threads);
    if args.json {
        say(&serde_json::to_string(&report).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!(
        "{} trajectories ({} longer than {longest} tokens left out)",
        dataset.len(),
        dataset.too_long
    ));
    let frames = std::iter::once(("all", report.frames));
    let by_action = report.by_action.iter().map(|(action, count)| (*action, *count));
    for (name, count) in frames.chain(by_action) {
        say(&format!(
            "{name:14} {:6.2}% ± {:.2}  {:6} of {:6} exact",
            100.0 * count.share(),
            100.0 * count.error(),
            count.exact,
            count.all
        ));
    }
    say(&format!("surprise       {:.4} nats a token, {} tokens", report.loss, report.tokens));
    Ok(ExitCode::SUCCESS)
}
