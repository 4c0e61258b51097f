//! The command line: one file per subcommand, whose doc comment is its help.

mod check;
mod checked;
mod cruxeval;
mod dataset;
mod debug;
mod doctor;
mod driver;
mod edits;
mod error;
mod eval;
mod export;
mod infer;
mod inferred;
mod inspect;
mod interrupt;
mod merge;
mod model;
mod orders;
mod pages;
mod probe;
mod progress;
mod report;
mod running;
mod saved;
mod score;
mod screen;
mod snapshot;
mod trace;
mod transcript;
mod worker;

use clap::{Parser, Subcommand};

use error::{CommandError, tell};

/// A differential debugger for Python: the real run and a neural debugger's predictions, side by
/// side.
///
/// Lockstep runs a program for real and lets a language model predict, for every debugger action,
/// the state that the program will stop in. It shows both, and marks where they differ.
#[derive(Parser, Debug)]
#[command(name = "lockstep", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  lockstep debug prog.py                     step through prog.py on a full screen
  lockstep debug prog.py | less              the same as a transcript
  lockstep trace prog.py --json              the recorded states, one a line
  lockstep inspect prog.py 12 \"len(xs)\"      what is there in state 12?
  lockstep eval corpora/ --model m.gguf      how well does it predict these?
  lockstep doctor my-model.gguf              is this model usable?

Exit codes: 0 done; 1 the answer is no; 2 bad usage, input or environment; 3 interrupted.";

#[derive(Subcommand, Debug)]
enum Command {
    Debug(debug::DebugArgs),
    Trace(trace::TraceArgs),
    Inspect(inspect::InspectArgs),
    Infer(infer::InferArgs),
    Check(check::CheckArgs),
    Eval(eval::EvalArgs),
    Report(report::ReportArgs),
    Compare(report::CompareArgs),
    Merge(merge::MergeArgs),
    Worker(worker::WorkerArgs),
    Cruxeval(cruxeval::CruxevalArgs),
    Score(score::ScoreArgs),
    Export(export::ExportArgs),
    Doctor(doctor::DoctorArgs),
    Dataset(dataset::DatasetArgs),
    /// Runs a program for the parent process and streams its events. Not for people: it speaks the
    /// protocol of `python::wire` on its standard streams.
    #[command(hide = true)]
    PythonHost,
    /// Runs one program after another for the parent process. Not for people either.
    #[command(hide = true)]
    PythonNursery,
    /// Checks the program on its standard input for the parent process. Not for people.
    #[command(hide = true)]
    ProgramCheck,
    #[command(hide = true)]
    ModelProbe(probe::ProbeArgs),
}

/// How a command that could do its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// It is done.
    Yes,
    /// It is done, and the answer is no.
    No,
    /// It was interrupted; what it printed is right as far as it goes.
    Partial,
}

/// Runs the command line of this process; its exit code.
pub fn run() -> u8 {
    let done = match Cli::parse().command {
        Command::Debug(args) => debug::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Infer(args) => infer::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Report(args) => report::report(&args),
        Command::Compare(args) => report::compare_logs(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Worker(args) => worker::run(&args),
        Command::Cruxeval(args) => cruxeval::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Dataset(args) => dataset::run(&args),
        Command::ProgramCheck => checked::main(),
        Command::ModelProbe(args) => probe::run(&args),
        Command::PythonHost => crate::python::host::main(),
        Command::PythonNursery => crate::python::nursery::main(),
    };
    match done {
        Ok(Done::Yes) => 0,
        Ok(Done::No) => 1,
        Ok(Done::Partial) => 3,
        Err(error) => error.report(),
    }
}
