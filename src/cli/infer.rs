//! `lockstep infer`: what may have come before a state.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::checked::tell_findings;
use super::inferred::{Inferred, Origin};
use super::interrupt::Interrupt;
use super::model::ModelArgs;
use super::running::RunArgs;
use super::transcript::Style;
use super::{CommandError, Done, tell};
use crate::inverse::{
    Beginning, Checker, Guess, InverseAction, InverseStop, NoQuestion, NoSpan, Question,
};
use crate::neural::engine::Engine;
use crate::neural::{Inference, NeuralError, Predicted, Sampling};
use crate::program::Program;
use crate::python::{OnInput, PythonError, Recording};

/// Infer what may have come before a state, and check it by running forward
///
/// A model is asked several times what came before the state of this number, as `lockstep trace`
/// counts them. This is no stepping back in the recording: many states may lead to one. Each answer
/// is checked by running the program from it: `exact` is what was recorded, `valid` another state
/// from which the run comes to this one, `invalid` one from which it doesn't. Your own guesses are
/// checked the same way, without a model.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep infer prog.py 12 --model inverse.gguf
  lockstep infer prog.py 12 --action call --samples 20 --model inverse.gguf
  lockstep infer prog.py 12 --guess '{\"locals\": {\"n\": \"1\"}}'

How answers are checked is told in docs/inverse.md, the JSON in docs/json.md.")]
pub struct InferArgs {
    /// The Python program
    program: PathBuf,
    /// The state's number, from 0
    #[arg(value_name = "STATE")]
    at: usize,
    /// The way back: into, over (to the state before), or call (to the arguments of the call)
    #[arg(long, value_name = "ACTION", default_value = "into")]
    action: InverseAction,
    /// Where the model's context begins: here, with this state in full, or at the return of its
    /// call, as in the paper
    #[arg(long, value_name = "WHERE", default_value = "here")]
    from: Beginning,
    /// How often the model is asked
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    samples: u64,
    /// How freely it answers; 0 is the likeliest answer alone
    #[arg(long, value_name = "T", default_value_t = Sampling::default().temperature, value_parser = temperature)]
    temperature: f64,
    /// Draw from the likeliest tokens that have this probability together
    #[arg(long, value_name = "P", default_value_t = Sampling::default().top_p, value_parser = probability)]
    top_p: f64,
    /// What the random numbers of the answers start from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Check this guess in place of a model's answers: a state in JSON; what it leaves out is as
    /// recorded (can be repeated)
    #[arg(long = "guess", value_name = "JSON")]
    guesses: Vec<Guess>,
    /// Print one JSON object a line instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &InferArgs) -> Result<Done, CommandError> {
    let program = Program::load(&args.program)?;
    let (mut recording, findings) = args.run.record(&program, OnInput::End)?;
    tell_findings(&program, &findings, args.run.has_input());
    let interrupt = Interrupt::listen()?;
    recording.interrupt_by(interrupt.flag());
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    let inferred = Inferred::new(Style::of(args.json), &mut out);
    match infer(args, recording, inferred, &interrupt) {
        Err(Stopped::Interrupted) => {
            out.flush()?;
            tell("interrupted");
            Ok(Done::Partial)
        }
        Err(Stopped::Failed(error)) => Err(error),
        Ok(()) => {
            out.flush()?;
            Ok(Done::Yes)
        }
    }
}

/// Why there are no more answers.
enum Stopped {
    Interrupted,
    Failed(CommandError),
}

impl<E: Into<CommandError>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Stopped::Failed(error.into())
    }
}

fn infer(
    args: &InferArgs,
    mut recording: Recording,
    inferred: Inferred<impl Write>,
    interrupt: &Interrupt,
) -> Result<(), Stopped> {
    let question = ask(args, &mut recording)?;
    let checker = Checker::new(&mut recording, question.given().clone());
    let mut judge = Judge { question: &question, checker, inferred, interrupt };
    match args.guesses.as_slice() {
        [] => sample(args, &mut judge),
        guesses => {
            judge.inferred.question(&question, args.from)?;
            for (number, guess) in (1..).zip(guesses) {
                let guess = guess.beside(question.recorded());
                judge.answer(number, Origin::Guess, &Predicted::Stop(guess))?;
            }
            Ok(judge.inferred.summary(None)?)
        }
    }
}

/// Asks the model.
fn sample(args: &InferArgs, judge: &mut Judge<impl Write>) -> Result<(), Stopped> {
    let model = args.model.open()?;
    let dialect = model.inverse_dialect().map_err(NeuralError::from)?;
    let InferArgs { temperature, top_p, seed, samples, .. } = *args;
    let sampling = Sampling { temperature, top_p, seed };
    judge.inferred.question(judge.question, args.from)?;
    let never = Default::default();
    let mut answers = |engine: &mut dyn Engine| -> Result<(), Stopped> {
        let inference = Inference::begin(engine, &dialect, judge.question, &never)?;
        let mut inference = inference.with_decoding(model.info().decoding);
        for number in 1..=samples {
            let predicted = inference.sample(sampling, number, &never)?;
            judge.answer(number, Origin::Sample, &predicted)?;
        }
        Ok(())
    };
    let mut answered = Ok(());
    model.run(&mut |engine| answered = answers(engine)).map_err(NeuralError::from)?;
    answered?;
    judge.inferred.summary(Some(model.info()))?;
    if judge.inferred.none_is_legal() {
        tell("no answer is a legal inverse frame; was this model trained on inverse traces?");
    }
    Ok(())
}

/// Judges answers and prints them.
struct Judge<'a, W> {
    question: &'a Question,
    checker: Checker<'a>,
    inferred: Inferred<W>,
    interrupt: &'a Interrupt,
}

impl<W: Write> Judge<'_, W> {
    fn answer(
        &mut self,
        number: u64,
        origin: Origin,
        predicted: &Predicted<InverseStop>,
    ) -> Result<(), Stopped> {
        let (action, recorded) = (self.question.action(), self.question.recorded());
        let verdict = self.checker.check(action, recorded, predicted);
        if self.interrupt.is_asked() || matches!(verdict, Err(PythonError::Interrupted)) {
            return Err(Stopped::Interrupted);
        }
        Ok(self.inferred.answer(number, origin, predicted, &verdict?)?)
    }
}

/// The question; an error says why there is none.
fn ask(args: &InferArgs, recording: &mut Recording) -> Result<Question, CommandError> {
    let question = Question::new(recording, args.at, args.from, args.action)?;
    question.map_err(|why| {
        let error = CommandError::user(why);
        match why {
            NoQuestion::NoSpan(NoSpan::NoReturn { .. }) => {
                error.hinted("`--from here` needs no return")
            }
            _ => error,
        }
    })
}

/// Reads a temperature.
pub fn temperature(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(temperature) if (0.0..=100.0).contains(&temperature) => Ok(temperature),
        _ => Err("give a number from 0 (the likeliest answer) to 100, e.g. 0.6".to_owned()),
    }
}

/// Reads a probability.
pub fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(probability) if (0.0..=1.0).contains(&probability) => Ok(probability),
        _ => Err("give a probability from 0 to 1, e.g. 0.95".to_owned()),
    }
}
