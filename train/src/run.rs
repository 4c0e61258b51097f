//! A training run: a folder with a recipe, a tokenizer, checkpoints and a log.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use burn::module::Module;

use crate::batches::{self, Batch, Epoch};
use crate::checkpoint::{self, State};
use crate::dataset::{Dataset, Selection, Split};
use crate::error::{Error, Result, at};
use crate::evaluate::{self, Report};
use crate::learner::{self, Learner};
use crate::model::Llama;
use crate::progress::{self, Progress};
use crate::recipe::Recipe;
use crate::stored::{CHECKPOINTS, METRICS, RECIPE, Stored, TOKENIZER};
use crate::tokenizer::Vocabulary;

/// Tokens of a batch that is only evaluated.
pub const EVALUATED_TOKENS: usize = 2048;

/// A run that is ready to begin or to go on.
pub struct Run {
    folder: PathBuf,
    recipe: Recipe,
    learner: Learner,
    train: Dataset,
    validation: Vec<Batch>,
    state: State,
}

/// Where a run's weights come from when it begins.
pub enum Start<'a> {
    /// Drawn at random.
    Random,
    /// Those of another model with the same dimensions and tokens.
    From(&'a Path),
}

/// When a run stops before its last step; its checkpoint is written then.
#[derive(Clone, Default)]
pub struct Until {
    /// When this is set, by a signal.
    pub told: Arc<AtomicBool>,
    /// After this time.
    pub after: Option<Duration>,
}

impl Run {
    /// Makes the folder of a new run.
    pub fn begin(
        folder: &Path,
        recipe: Recipe,
        tokenizer: &Path,
        data: &[PathBuf],
        start: Start,
    ) -> Result<Self> {
        if checkpoint::latest(&folder.join(CHECKPOINTS))?.is_some() {
            let cause = "has checkpoints already; go on with `lockstep-train resume`, or name \
                         another folder";
            return Err(Error::Checkpoint { path: folder.to_owned(), cause: cause.into() });
        }
        let vocabulary = Vocabulary::read(tokenizer)?;
        let device = learner::device(&recipe.training.device)?.autodiff();
        let model = match start {
            Start::Random => Llama::new(&recipe.model, vocabulary.size(), recipe.seed, &device),
            Start::From(path) => weights_of(path, &recipe, &vocabulary, &device)?,
        };
        fs::create_dir_all(folder).map_err(at(folder))?;
        vocabulary.save(&folder.join(TOKENIZER))?;
        let (train, validation) = read(&recipe, &vocabulary, data)?;
        let state = State { data: train.digest(), ..State::default() };
        let learner = Learner::new(&recipe, model);
        let folder = folder.to_owned();
        let run = Run { folder, recipe, learner, train, validation, state };
        run.write_recipe()?;
        Ok(run)
    }

    /// Goes on from the last checkpoint of a run; `change` may alter its recipe.
    pub fn resume(
        folder: &Path,
        data: &[PathBuf],
        change: impl FnOnce(&mut Recipe),
    ) -> Result<Self> {
        let mut recipe = Recipe::read(&folder.join(RECIPE))?;
        change(&mut recipe);
        let failed =
            |cause: &str| Error::Checkpoint { path: folder.to_owned(), cause: cause.into() };
        let checkpoint = checkpoint::latest(&folder.join(CHECKPOINTS))?
            .ok_or_else(|| failed("has no checkpoint; begin with `lockstep-train train`"))?;
        let vocabulary = Vocabulary::read(&folder.join(TOKENIZER))?;
        let device = learner::device(&recipe.training.device)?.autodiff();
        let model = Llama::new(&recipe.model, vocabulary.size(), recipe.seed, &device);
        let model = checkpoint::weights(&checkpoint, model)?;
        let (learner, state) = checkpoint::rest(&checkpoint, Learner::new(&recipe, model))?;
        let (train, validation) = read(&recipe, &vocabulary, data)?;
        if train.digest() != state.data {
            return Err(failed(
                "began with other data; begin a new run with `lockstep-train train --init` and \
                 this one's folder",
            ));
        }
        let run = Run { folder: folder.to_owned(), recipe, learner, train, validation, state };
        run.write_recipe()?;
        Ok(run)
    }

    fn write_recipe(&self) -> Result<()> {
        let path = self.folder.join(RECIPE);
        fs::write(&path, self.recipe.text()).map_err(at(&path))
    }

    /// Learns until the last step, or until it is told to stop. Returns the model's last evaluation
    /// and whether it has reached its end.
    /// Lines for people go to `out`.
    pub fn learn(mut self, until: &Until, out: &mut dyn Write) -> Result<(Option<Report>, bool)> {
        let steps = self.recipe.training.steps;
        let metrics = self.folder.join(METRICS);
        let mut progress = Progress::new(out, &metrics, self.state.step, steps)?;
        self.introduce(&mut progress);
        let began = Instant::now();
        let seconds = self.state.seconds;
        let mut epoch = self.epoch();
        let mut report = None;
        let mut saved = self.state.step;
        while self.state.step < steps && !self.is_over(until, began) {
            if self.state.batch == epoch.len() {
                self.state.epoch += 1;
                self.state.batch = 0;
                epoch = self.epoch();
            }
            let threads = self.recipe.training.threads;
            let parts = epoch.batch(self.state.batch, &self.train, threads);
            let rate = self.recipe.training.rate(self.state.step);
            let (learner, outcome) = self.learner.step(&self.recipe, self.state.step, &parts)?;
            self.learner = learner;
            self.state.step += 1;
            self.state.batch += 1;
            self.state.tokens += outcome.tokens as u64;
            self.state.seconds = seconds + began.elapsed().as_secs_f64();
            let step = self.state.step;
            progress.step(step, self.state.tokens, rate, outcome)?;
            if step.is_multiple_of(self.recipe.validation.every) || step == steps {
                report = self.evaluate();
                if let Some(report) = &report {
                    progress.validation(step, report)?;
                }
            }
            if step.is_multiple_of(self.recipe.checkpoints.every) || step == steps {
                self.save(&mut progress)?;
                saved = step;
                progress.pause();
            }
        }
        if saved != self.state.step {
            self.save(&mut progress)?;
        }
        Ok((report, self.state.step == steps))
    }

    fn is_over(&self, until: &Until, began: Instant) -> bool {
        until.told.load(Ordering::Relaxed)
            || until.after.is_some_and(|after| began.elapsed() >= after)
    }

    fn epoch(&self) -> Epoch {
        let (tokens, window) = (self.recipe.training.tokens_per_step, self.recipe.data.bucket);
        Epoch::new(&self.train, tokens, window, self.recipe.seed, self.state.epoch)
    }

    fn evaluate(&self) -> Option<Report> {
        (!self.validation.is_empty()).then(|| {
            let (rope, threads) = (self.recipe.model.rope(), self.recipe.training.threads);
            evaluate::evaluate(&self.learner.model, &rope, &self.validation, threads)
        })
    }

    fn save(&self, progress: &mut Progress) -> Result<()> {
        let folder = self.folder.join(CHECKPOINTS);
        let keep = self.recipe.checkpoints.keep;
        let path = checkpoint::save(&folder, &self.learner, &self.state, keep)?;
        progress.say(&format!("step {}: wrote {}", self.state.step, path.display()));
        Ok(())
    }

    fn introduce(&self, progress: &mut Progress) {
        let left = |what: usize, why| match what {
            0 => String::new(),
            count => format!(", {count} {why} left out"),
        };
        progress.say(&format!(
            "{}: {} parameters; {} trajectories of {} tokens{}{}; {} steps of {} tokens, \
             {} a pass; {} threads",
            self.recipe.name,
            self.learner.model.num_params(),
            self.train.len(),
            self.train.tokens(),
            left(self.train.too_long, "too long"),
            left(self.train.without_states, "without states"),
            self.recipe.training.steps,
            self.recipe.training.tokens_per_step,
            self.epoch().len(),
            self.recipe.training.threads,
        ));
        if self.validation.is_empty() {
            progress.say("no validation: the data has no trajectories of that split");
        }
        if self.state.step > 0 {
            progress.say(&format!(
                "goes on after step {} ({:.2}M tokens, {})",
                self.state.step,
                self.state.tokens as f64 / 1e6,
                progress::duration(self.state.seconds)
            ));
        }
    }
}

/// The data of a run: what it learns from, and what it is watched by.
fn read(
    recipe: &Recipe,
    vocabulary: &Vocabulary,
    data: &[PathBuf],
) -> Result<(Dataset, Vec<Batch>)> {
    let mut selection = Selection {
        paths: data.to_vec(),
        split: Split::Train,
        direction: recipe.data.direction,
        longest: recipe.longest(),
        limit: usize::MAX,
    };
    let train = Dataset::read(&selection, vocabulary)?;
    selection.split = Split::Validation;
    selection.limit = recipe.validation.trajectories;
    let validation = match Dataset::read(&selection, vocabulary) {
        Ok(validation) => batches::in_order(&validation, EVALUATED_TOKENS),
        Err(Error::Empty { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok((train, validation))
}

fn weights_of(
    path: &Path,
    recipe: &Recipe,
    vocabulary: &Vocabulary,
    device: &burn::tensor::Device,
) -> Result<Llama> {
    let stored = Stored::read(path, device)?;
    let differ = |what| Error::Checkpoint {
        path: path.to_owned(),
        cause: format!("its {what} are not those of the recipe; take those of this model"),
    };
    // Positions hold no weights, so the context may differ.
    let shape = crate::model::Shape { context: recipe.model.context, ..stored.shape };
    if shape != recipe.model {
        return Err(differ("dimensions"));
    }
    if stored.vocabulary.tokens() != vocabulary.tokens() {
        return Err(differ("tokens"));
    }
    Ok(stored.model)
}
