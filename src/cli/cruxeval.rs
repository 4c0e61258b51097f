//! `lockstep cruxeval`: a model asked about a benchmark's items by debugger actions.

use std::path::PathBuf;

use clap::Args;

use super::infer::{probability, temperature};
use super::interrupt::Interrupt;
use super::model::ModelArgs;
use super::progress::Progress;
use super::running::LimitArgs;
use super::{CommandError, Done, eval, tell};
use crate::benchmark::answer::{AnswerError, Asker, Manner, Tongue};
use crate::benchmark::log::{self, DataId, Header, LogWriter, Recipe, SCHEMA};
use crate::benchmark::report::Report;
use crate::benchmark::{Benchmark, By, Checker, Item, Task};
use crate::eval::recipe::{LimitsRecord, ModelId};
use crate::neural::engine::Engine;
use crate::neural::{Decoding, Model, NeuralError, Sampling};

/// Ask a model what CruxEval's calls give, and which calls give this, by debugger actions
///
/// Outputs are asked by one `step_return` from the call (the result to quote), by one breakpoint on
/// the return statement, or by stepping through to the return over the model's own states. Inputs
/// are asked by one `inv_step_call` from the return, and checked by running the function. An answer
/// is right if it is a literal that equals the real value; whether the types and the texts are the
/// same too is told beside it. Every item becomes a line of a log, and the report is made from the
/// log alone; a run that was interrupted or killed goes on when it is started again with that log.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep cruxeval --data cruxeval.jsonl --model m.gguf
  lockstep cruxeval --data cruxeval.jsonl --model m.gguf --by step-return --by breakpoint
  lockstep cruxeval --data cruxeval.jsonl --model m.gguf --task input --samples 10 --seed 1
  lockstep cruxeval --data cruxeval.jsonl --limit 50 --json | jq '.results[].equal'

The file is CruxEval's (JSON lines of code, input, output, id) or that of LiveCodeBench's execution
task (with function_name); it is not part of Lockstep. A breakpoint tells the model which return is
executed. Exit codes: 0 done, 1 below --fail-under, 2 bad input, 3 interrupted: the log holds what
was done, and the same command goes on. See docs/cruxeval.md.")]
pub struct CruxevalArgs {
    /// The benchmark's items
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// What is asked: output (the value of a call) or input (a call that gives a value)
    #[arg(long, value_name = "TASK", default_value = "output")]
    task: Task,
    /// How it is asked: step-return, breakpoint, trace, or for inputs inv-step-call (can be repeated)
    /// [default: step-return, inv-step-call]
    #[arg(long, value_name = "WAY")]
    by: Vec<By>,
    /// The log, which is added to
    #[arg(long, value_name = "FILE", default_value = "cruxeval-log.jsonl")]
    out: PathBuf,
    /// Only the first N items
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Answers to each item, for pass@k
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    samples: u64,
    /// How freely it answers [default: 0, the likeliest answer, for one; 0.6 for several]
    #[arg(long, value_name = "T", value_parser = temperature)]
    temperature: Option<f64>,
    /// Draw from the likeliest tokens that have this probability together
    #[arg(long, value_name = "P", default_value_t = Sampling::default().top_p, value_parser = probability)]
    top_p: f64,
    /// What the random numbers of the answers start from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Most states of a trace
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// Exit code 1 if pass@1 of the first way is lower
    #[arg(long, value_name = "SHARE", value_parser = eval::share)]
    fail_under: Option<f64>,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub fn run(args: &CruxevalArgs) -> Result<Done, CommandError> {
    let ways = args.ways()?;
    let benchmark = Benchmark::open(&args.data)?;
    let model = args.model.open()?;
    let manner = args.manner(model.info().decoding)?;
    let tongue = args.tongue(&model, &ways)?;
    let recipe = args.recipe(&benchmark, &model, &manner);
    let mut log = LogWriter::open(&args.out, &Header { schema: SCHEMA, recipe })?;
    let interrupt = Interrupt::listen()?;
    let checker = Checker::new(manner.limits, None);
    let mut asker = Asker { tongue: &tongue, manner, checker };
    let limit = args.limit.map_or(usize::MAX, |limit| limit as usize);
    let all: Vec<(usize, &Item, By)> = benchmark
        .items()
        .iter()
        .enumerate()
        .take(limit)
        .flat_map(|(place, item)| ways.iter().map(move |by| (place, item, *by)))
        .collect();
    let left: Vec<_> =
        all.iter().filter(|(place, _, by)| !log.done().contains(&(*place, *by))).collect();
    let mut progress = Progress::new("questions", all.len(), all.len() - left.len());
    let stop = interrupt.flag();
    let mut ask_all = |engine: &mut dyn Engine| -> Result<bool, CommandError> {
        for (place, item, by) in &left {
            let Some(record) = asker.item(engine, (*place, item), *by, &stop)? else {
                return Ok(false);
            };
            log.item(record)?;
            progress.one();
            if interrupt.is_asked() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let mut asked = Ok(true);
    if !left.is_empty() {
        model.run(&mut |engine| asked = ask_all(engine)).map_err(NeuralError::from)?;
    }
    progress.end();
    if !asked? {
        let (done, total, out) = (progress.done(), all.len(), args.out.display());
        tell(&format!(
            "interrupted: {done} of {total} questions are in {out}; start again to go on"
        ));
        return Ok(Done::Partial);
    }
    drop(log);
    args.report(&ways)
}

impl CruxevalArgs {
    /// How it is asked, without repetition.
    fn ways(&self) -> Result<Vec<By>, CommandError> {
        let mut ways: Vec<By> = Vec::new();
        for by in &self.by {
            if by.task() != self.task {
                let (task, other) = (self.task, by.task());
                return Err(CommandError::user(format!("--by {by} asks for {other}s"))
                    .hinted(format!("the task is {task}; add --task {other}")));
            }
            if !ways.contains(by) {
                ways.push(*by);
            }
        }
        if ways.is_empty() {
            ways.extend(self.task.ways().first());
        }
        Ok(ways)
    }

    fn manner(&self, decoding: Decoding) -> Result<Manner, CommandError> {
        let several = self.samples > 1;
        let temperature = self.temperature.unwrap_or(match several {
            true => Sampling::default().temperature,
            false => 0.0,
        });
        if several && temperature == 0.0 {
            return Err(CommandError::user("at temperature 0 all answers to an item are the same")
                .hinted("ask for one (--samples 1), or let them differ (--temperature 0.6)"));
        }
        Ok(Manner {
            samples: self.samples,
            sampling: Sampling { temperature, top_p: self.top_p, seed: self.seed },
            decoding,
            most_states: self.steps as usize,
            limits: self.limits.limits(),
        })
    }

    /// What the model speaks; it must speak what it is asked in.
    fn tongue(&self, model: &Model, ways: &[By]) -> Result<Tongue, CommandError> {
        let inverse = match ways.contains(&By::StepCall) {
            true => Some(model.inverse_dialect().map_err(NeuralError::from)?),
            false => None,
        };
        Ok(Tongue { forward: model.dialect().map_err(NeuralError::from)?, inverse })
    }

    fn recipe(&self, benchmark: &Benchmark, model: &Model, manner: &Manner) -> Recipe {
        Recipe {
            tool: crate::eval::Recipe::tool(),
            tool_sha256: crate::eval::Recipe::tool_sha256(),
            python: crate::eval::Recipe::python(),
            python_sha256: crate::eval::Recipe::python_sha256(),
            model: ModelId::of(model.info()),
            data: DataId {
                name: benchmark.name(),
                sha256: benchmark.sha256().to_owned(),
                items: benchmark.items().len(),
            },
            samples: manner.samples,
            temperature: manner.sampling.temperature,
            top_p: manner.sampling.top_p,
            seed: manner.sampling.seed,
            most_states: manner.most_states,
            limits: LimitsRecord::of(&manner.limits),
        }
    }

    /// Prints what the log says.
    fn report(&self, ways: &[By]) -> Result<Done, CommandError> {
        let (header, records) = log::read(&self.out)?;
        let report = Report::of(&header, &records);
        let text = match self.json {
            true => serde_json::to_string(&report).map_err(std::io::Error::from)? + "\n",
            false => report.text(),
        };
        super::report::print(&text)?;
        let first = report.results.iter().find(|asked| ways.first() == Some(&asked.by));
        let share = first.and_then(|asked| asked.equal.first()).map_or(0.0, |p| p.share.share);
        match self.fail_under {
            Some(least) if share < least => {
                let (share, least) = (share * 100.0, least * 100.0);
                tell(&format!("pass@1 is {share:.1}%, less than {least:.1}%"));
                Ok(Done::No)
            }
            _ => Ok(Done::Yes),
        }
    }
}

impl From<AnswerError> for CommandError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Python(error) => error.into(),
            AnswerError::Neural(error) => error.into(),
        }
    }
}
