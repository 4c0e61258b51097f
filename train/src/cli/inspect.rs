//! `lockstep-train inspect`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use lockstep_train::dataset::{Dataset, Split, Trajectory};
use lockstep_train::error::Result;
use lockstep_train::tokenizer::Vocabulary;

use super::{SelectionArgs, say};

/// Tell what a dataset is in tokens, or show what is learned of one trajectory
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lockstep-train inspect --data data --tokenizer tokenizer.json
  lockstep-train inspect --data data --tokenizer tokenizer.json --show 0")]
pub struct Args {
    #[command(flatten)]
    data: SelectionArgs,
    /// What `lockstep-train tokenizer` wrote
    #[arg(long, value_name = "FILE")]
    tokenizer: PathBuf,
    /// The split
    #[arg(long, value_enum, default_value = "train")]
    split: Split,
    /// Show this trajectory: what is learned stands in ⟦ ⟧, with · between tokens
    #[arg(long, value_name = "INDEX")]
    show: Option<usize>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let vocabulary = Vocabulary::read(&args.tokenizer)?;
    let dataset = Dataset::read(&args.data.selection(args.split, usize::MAX), &vocabulary)?;
    match args.show {
        Some(index) => say(&shown(dataset.get(index.min(dataset.len() - 1)), &vocabulary)),
        None => tell(&dataset),
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(dataset: &Dataset) {
    let mut lengths: Vec<usize> = dataset.iter().map(|one| one.tokens.len()).collect();
    lengths.sort_unstable();
    let quantile = |share: f64| lengths[((lengths.len() - 1) as f64 * share) as usize];
    let mut actions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut learned = 0;
    for frame in dataset.iter().flat_map(|trajectory| trajectory.frames) {
        *actions.entry(frame.action.name()).or_default() += 1;
        learned += (frame.end - frame.start) as usize;
    }
    let share = 100.0 * learned as f64 / dataset.tokens() as f64;
    say(&format!("trajectories  {}", dataset.len()));
    say(&format!("tokens        {} ({share:.1}% learned)", dataset.tokens()));
    say(&format!(
        "length        {} in the middle, {} at 90%, {} at 99%, {} at most",
        quantile(0.5),
        quantile(0.9),
        quantile(0.99),
        quantile(1.0)
    ));
    for (action, count) in actions {
        say(&format!("{action:13} {count}"));
    }
}

fn shown(trajectory: Trajectory, vocabulary: &Vocabulary) -> String {
    let mut text = String::new();
    for (at, &token) in trajectory.tokens.iter().enumerate() {
        let at = at as u32;
        let frame = trajectory.frames.iter().find(|frame| (frame.start..frame.end).contains(&at));
        let piece = vocabulary.decode(&[u32::from(token)]);
        match frame {
            None => text.push_str(&piece),
            Some(frame) => {
                text.push_str(if at == frame.start { "⟦" } else { "·" });
                text.push_str(&piece);
                text.push_str(if at + 1 == frame.end { "⟧" } else { "" });
            }
        }
    }
    text
}
