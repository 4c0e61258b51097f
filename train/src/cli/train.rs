//! `lockstep-train train` and `lockstep-train resume`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use lockstep_train::error::{Error, Result};
use lockstep_train::recipe::Recipe;
use lockstep_train::run::{Run, Start, Until};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::{DataArgs, say};

/// Train a model by a recipe
///
/// The run's folder gets the recipe, the tokenizer, checkpoints and a log (metrics.jsonl). SIGINT and
/// SIGTERM end the run after the step it is in, with a checkpoint.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lockstep-train train recipes/shipped.toml --data data --tokenizer tokenizer.json --run runs/1
  lockstep-train train recipes/shipped.toml --data data --tokenizer tokenizer.json --run runs/2 \\
      --init model-f16.gguf --threads 1 --stop-after 90")]
pub struct Args {
    /// The recipe
    recipe: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// What `lockstep-train tokenizer` wrote
    #[arg(long, value_name = "FILE")]
    tokenizer: PathBuf,
    /// Folder of the run
    #[arg(long, value_name = "FOLDER")]
    run: PathBuf,
    /// Begin with the weights of this run, checkpoint or GGUF file
    #[arg(long, value_name = "PATH")]
    init: Option<PathBuf>,
    #[command(flatten)]
    change: ChangeArgs,
}

/// Go on with a run from its last checkpoint, with the same data
///
/// What comes out is what the run would have come to without a stop.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lockstep-train resume runs/1 --data data
  lockstep-train resume runs/1 --data data --steps 20000 --threads 2")]
pub struct ResumeArgs {
    /// Folder of the run
    run: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    change: ChangeArgs,
}

/// What may differ from the recipe.
#[derive(clap::Args)]
struct ChangeArgs {
    /// Steps of the whole run, in place of the recipe's
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Threads, in place of the recipe's
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Stop with a checkpoint after this many minutes
    #[arg(long, value_name = "MINUTES")]
    stop_after: Option<f64>,
}

impl ChangeArgs {
    fn apply(&self, recipe: &mut Recipe) {
        let training = &mut recipe.training;
        training.steps = self.steps.unwrap_or(training.steps).max(1);
        training.threads = self.threads.unwrap_or(training.threads).max(1);
    }

    fn until(&self) -> Result<Until> {
        let until = Until {
            after: self
                .stop_after
                .and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok()),
            ..Until::default()
        };
        for signal in [SIGINT, SIGTERM] {
            // The second one ends the process at once.
            flag::register_conditional_shutdown(signal, 130, until.told.clone())
                .and_then(|_| flag::register(signal, until.told.clone()))
                .map_err(|source| Error::File { path: PathBuf::from("signal"), source })?;
        }
        Ok(until)
    }
}

pub fn run(args: Args) -> Result<ExitCode> {
    let mut recipe = Recipe::read(&args.recipe)?;
    args.change.apply(&mut recipe);
    let start = args.init.as_deref().map_or(Start::Random, Start::From);
    let run = Run::begin(&args.run, recipe, &args.tokenizer, &args.data.data, start)?;
    learn(run, &args.change, &args.run)
}

pub fn resume(args: ResumeArgs) -> Result<ExitCode> {
    let run = Run::resume(&args.run, &args.data.data, |recipe| args.change.apply(recipe))?;
    learn(run, &args.change, &args.run)
}

fn learn(run: Run, change: &ChangeArgs, folder: &std::path::Path) -> Result<ExitCode> {
    let (_, complete) = run.learn(&change.until()?, &mut std::io::stdout())?;
    if !complete {
        say(&format!("stopped; go on with: lockstep-train resume {} --data …", folder.display()));
    }
    Ok(ExitCode::SUCCESS)
}
