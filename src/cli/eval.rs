//! `lockstep eval`: a model over a corpus, into a log, and a report.

use std::path::PathBuf;

use clap::Args;

use super::debug::{MethodArg, ModeArg};
use super::interrupt::Interrupt;
use super::model::ModelArgs;
use super::progress::Progress;
use super::running::LimitArgs;
use super::{CommandError, Done, tell};
use crate::eval::log::{LogError, LogWriter};
use crate::eval::recipe::{CorpusId, LimitsRecord, ModelId, SCHEMA, SamplingRecord};
use crate::eval::record::{Header, Shard};
use crate::eval::report::Format;
use crate::eval::shard::ShardError;
use crate::eval::{
    Cache, CacheError, Corpus, CorpusError, Direction, Evaluated, Evaluator, Policy, Recipe,
    WalkError, Walker,
};
use crate::neural::Sampling;
use crate::python::RunOptions;

/// Measure how well a model predicts the programs of a corpus
///
/// Each program is run for real and walked through by a policy; the model predicts each step. Every
/// step becomes a line of a log, and the report is made from the log alone. An evaluation that was
/// interrupted or killed goes on where it stopped when it is started again with the same log.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep eval corpora/
  lockstep eval corpora/ --model my-model.gguf --policy mixed --seed 7 --out mixed.jsonl
  lockstep eval programs.jsonl --policy each --steps 200 --report markdown > report.md
  lockstep eval corpora/ --shard 2/8 --out part-2.jsonl     then: lockstep merge part-*.jsonl --out all.jsonl
  lockstep eval corpora/ --shard auto                       in a Slurm array or Kubernetes job
  lockstep eval corpora/ --cache ~/.cache/lockstep-eval     programs of before are not run again
  lockstep eval corpora/ --fail-under 0.9                   exit code 1 below 90% of the steps
  lockstep eval corpora/ --policy horizon --samples 10      how far ahead is it right?
  lockstep eval corpora/ --direction inverse --samples 10   what came before? checked by running
  lockstep eval corpora/ --forecast                         does it know which programs fail?

A corpus is Python files, folders of them, or JSONL with a program a line ({\"id\", \"program\",
\"entry\", \"stdin\"}, {\"id\", \"path\"}, or CruxEval's {\"code\", \"input\"}). Exit codes: 0 done, 1 below
--fail-under, 2 bad input, 3 interrupted: the log holds what was done, and the same command goes on.
docs/scale.md says how to spread an evaluation over many machines.")]
pub struct EvalArgs {
    /// Programs, folders or .jsonl files
    #[arg(required = true, value_name = "CORPUS")]
    corpus: Vec<PathBuf>,
    /// The log, which is added to [default: eval.jsonl, or eval-I-of-N.jsonl for a part]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only the programs of this part, counted from 0; `auto` takes it from the variables of Slurm
    /// or Kubernetes
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// The report, in a format of `lockstep report`
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    report: Format,
    /// Exit code 1 if the share of right steps is lower
    #[arg(long, value_name = "SHARE", value_parser = share)]
    fail_under: Option<f64>,
    #[command(flatten)]
    walk: WalkArgs,
}

/// How programs are walked through.
#[derive(Args, Debug)]
pub struct WalkArgs {
    /// Which actions are taken: into (every state), over (the entry's own level), mixed (the paper's
    /// random policy), each (every action from every state), horizon (jumps of many lengths from
    /// every state)
    #[arg(long, default_value = "into", value_name = "POLICY")]
    policy: Policy,
    /// Seed of the random choices
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Which way the model is asked to go: forward, or inverse (what may have come before; each
    /// answer is checked by running the program forward from it)
    #[arg(long, default_value = "forward", value_name = "WAY")]
    direction: Direction,
    /// How many more answers are drawn at random for each step
    #[arg(long, default_value_t = 0, value_name = "K", value_parser = clap::value_parser!(u64).range(..=1_000))]
    samples: u64,
    /// How freely they are drawn; 0 is the likeliest answer alone
    #[arg(long, value_name = "T", default_value_t = Sampling::default().temperature, value_parser = super::infer::temperature)]
    temperature: f64,
    /// Draw from the likeliest tokens that have this probability together
    #[arg(long, value_name = "P", default_value_t = Sampling::default().top_p, value_parser = super::infer::probability)]
    top_p: f64,
    /// Before each program, ask from its first state how it ends
    #[arg(long)]
    forecast: bool,
    /// Most steps of a program
    #[arg(long, default_value_t = 1000, value_name = "N")]
    steps: usize,
    /// What the model is told after each step
    #[arg(long, value_enum, default_value_t = ModeArg::Follow)]
    mode: ModeArg,
    /// How predictions are had while following; the verdicts are the same
    #[arg(long, value_enum, default_value_t = MethodArg::Scoring)]
    method: MethodArg,
    /// Take programs that were evaluated before, by the same recipe, from this folder, and keep the
    /// others there; many may share it at once
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl WalkArgs {
    /// How more answers are drawn, if any are.
    fn sampling(&self) -> Option<SamplingRecord> {
        let WalkArgs { samples, temperature, top_p, .. } = *self;
        (samples > 0).then_some(SamplingRecord { samples, temperature, top_p })
    }

    /// Opens the model; what evaluates programs by it, and the recipe that says how.
    pub fn evaluator(&self, corpus: CorpusId) -> Result<(Evaluator, Recipe), CommandError> {
        if self.forecast && self.direction == Direction::Inverse {
            let error =
                CommandError::user("--forecast asks how a run ends, --direction inverse goes back");
            return Err(error.hinted("make two evaluations, each with its own --out"));
        }
        let model = self.model.start_opening().wait()?;
        let limits = self.limits.limits();
        let recipe = Recipe {
            tool: Recipe::tool(),
            tool_sha256: Recipe::tool_sha256(),
            python: Recipe::python(),
            python_sha256: Recipe::python_sha256(),
            model: ModelId::of(model.info()),
            corpus,
            mode: self.mode.mode(),
            method: self.method.name().to_owned(),
            policy: self.policy,
            seed: self.seed,
            most_steps: self.steps,
            direction: self.direction,
            sampling: self.sampling(),
            forecast: self.forecast,
            limits: LimitsRecord::of(&limits),
        };
        let cache = self.cache.as_deref().map(|folder| Cache::open(folder, &recipe)).transpose()?;
        let mut walker = Walker::new(model, RunOptions { limits, ..RunOptions::default() });
        walker.mode = self.mode.mode();
        walker.method = self.method.method();
        walker.policy = self.policy;
        walker.seed = self.seed;
        walker.most_steps = self.steps;
        walker.direction = self.direction;
        walker.sampling = self.sampling();
        walker.forecast = self.forecast;
        Ok((Evaluator::new(walker, cache), recipe))
    }
}

impl EvalArgs {
    /// Where the log is written: parts that share a folder have logs of their own.
    fn out(&self) -> PathBuf {
        match (&self.out, self.shard) {
            (Some(path), _) => path.clone(),
            (None, None) => PathBuf::from("eval.jsonl"),
            (None, Some(Shard { index, of })) => format!("eval-{index}-of-{of}.jsonl").into(),
        }
    }
}

pub fn run(args: &EvalArgs) -> Result<Done, CommandError> {
    let corpus = Corpus::open(&args.corpus)?;
    let (mut evaluator, recipe) = args.walk.evaluator(corpus.identity())?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let out = args.out();
    let mut log = LogWriter::open(&out, &Header { schema: SCHEMA, shard, recipe })?;

    let interrupt = Interrupt::listen()?;
    let places = (0..corpus.len()).filter(|place| shard.has(*place));
    let total = places.clone().count();
    let mut progress = Progress::new("programs", total, log.done().len());
    let (mut walked, mut from_cache) = (0, 0);
    for place in places {
        if log.done().contains(&place) {
            continue;
        }
        if interrupt.is_asked() {
            progress.end();
            let (done, out) = (log.done().len(), out.display());
            tell(&format!(
                "interrupted: {done} of {total} programs are in {out}; start again to go on"
            ));
            log.close()?;
            return Ok(Done::Partial);
        }
        let item = corpus.item(place)?;
        let evaluated = evaluator.evaluate(place, &item, |step| Ok(log.step(step)?));
        let Evaluated { program, cached, complaints } = evaluated?;
        for complaint in complaints {
            progress.end();
            tell(&complaint.to_string());
        }
        match cached {
            true => from_cache += 1,
            false => walked += program.steps(),
        }
        let note = match from_cache {
            0 => String::new(),
            programs => format!(" ({programs} from the cache)"),
        };
        progress.one_of(walked, " steps", &note);
        log.program(program)?;
    }
    progress.end();
    log.close()?;
    super::report::make(&out, args.report, args.fail_under)
}

/// Reads `I/N`, or `auto` where a scheduler tells it.
fn shard(text: &str) -> Result<Shard, ShardError> {
    match text {
        "auto" => Shard::from_environment(|name| std::env::var(name).ok()),
        text => text.parse(),
    }
}

/// Reads a share between 0 and 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a share between 0 and 1, e.g. 0.9".to_owned()),
    }
}

impl From<CorpusError> for CommandError {
    fn from(error: CorpusError) -> Self {
        let hint = match error {
            CorpusError::Empty(_) => "a corpus is Python files, folders of them, or a .jsonl file",
            _ => return CommandError::user(error),
        };
        CommandError::user(error).hinted(hint)
    }
}

impl From<LogError> for CommandError {
    fn from(error: LogError) -> Self {
        let hint = match error {
            LogError::Recipe { .. } => {
                "give another --out, or move this log away; a log goes on only as it was begun"
            }
            LogError::Busy(_) => "wait for it, or give another --out",
            _ => return CommandError::user(error),
        };
        CommandError::user(error).hinted(hint)
    }
}

impl From<CacheError> for CommandError {
    fn from(error: CacheError) -> Self {
        CommandError::user(error)
    }
}

impl From<WalkError> for CommandError {
    fn from(error: WalkError) -> Self {
        CommandError::user(error)
    }
}
