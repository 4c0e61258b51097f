//! `lockstep-train tokenizer`.

use std::path::PathBuf;
use std::process::ExitCode;

use lockstep_train::dataset::{self, Split};
use lockstep_train::error::{Error, Result};
use lockstep_train::marks;
use lockstep_train::tokenizer::Vocabulary;

use super::{SelectionArgs, say};

/// Learn the tokens of a dataset: byte-level BPE, one token a digit
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lockstep-train tokenizer --data data --vocabulary 1024 --out tokenizer.json
  lockstep-train tokenizer --data train.jsonl --limit 50000 --out tokenizer.json")]
pub struct Args {
    #[command(flatten)]
    data: SelectionArgs,
    /// How many tokens, with the 30 special ones and the 256 bytes
    #[arg(long, value_name = "N", default_value_t = 1024)]
    vocabulary: usize,
    /// Where to write it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let failed = |cause| Error::Tokenizer { path: args.out.clone(), cause };
    let least = marks::NAMES.len() + 256;
    if args.vocabulary < least || args.vocabulary > usize::from(u16::MAX) {
        return Err(failed(format!(
            "--vocabulary {} is not from {least} to {}",
            args.vocabulary,
            u16::MAX
        )));
    }
    let texts = dataset::texts(&args.data.selection(Split::Train, usize::MAX))?;
    let vocabulary =
        Vocabulary::train(texts.iter().map(String::as_str), args.vocabulary).map_err(failed)?;
    vocabulary.save(&args.out)?;
    say(&format!(
        "{}: {} tokens, {} merges, from {} trajectories",
        args.out.display(),
        vocabulary.size(),
        vocabulary.merges().len(),
        texts.len()
    ));
    Ok(ExitCode::SUCCESS)
}
