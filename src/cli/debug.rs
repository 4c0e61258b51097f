//! `lockstep debug`: the real run and the model's predictions in step.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::checked::tell_findings;
use super::interrupt::Interrupt;
use super::model::ModelArgs;
use super::running::RunArgs;
use super::saved::Kept;
use super::transcript::{About, Lockstep, Notes, Style};
use super::{CommandError, Done, screen, tell};
use crate::action::Action;
use crate::check::Kind;
use crate::neural::{Method, Neural};
use crate::points::{Expression, Found, Place, Point};
use crate::policy::{Chooser, Policy};
use crate::program::Program;
use crate::python::{OnInput, Recording};
use crate::session::{Mode, Session};
use crate::state::{Stop, Text};

/// Steps of a transcript unless the user says otherwise: a model is slower than a program.
const STEPS: usize = 1000;

/// Step through a program: what really happens beside what the model predicts
///
/// In a terminal it opens a full screen (press ? for the keys). Without one, or with --plain, it
/// prints a transcript: a line a step, under it each field in which the prediction differs, and the
/// counts at the end. The model is told what really happened after each step (follow), or goes on
/// from what it said itself (free).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep debug prog.py
  lockstep debug prog.py --plain --actions \"into over return continue\"
  lockstep debug prog.py --plain --policy mixed --seed 7
  lockstep debug prog.py --json | jq 'select(.agree == false) | .diff'
  lockstep debug prog.py --break \"12, n > 3\" --model my-model.gguf
  lockstep debug prog.py --plain --break \"solve; log n\" --watch \"n * 2\" --actions continue

Points, for --break and for :b on the screen:
  12              line 12                 solve           a function is called
  '\"total += n\"'  a line that reads so    \"change total\"  a variable's text changes
  raise           an exception is raised; also \"raise KeyError\" (of exactly this class) and
                  \"raise uncaught\"
Behind it stand a condition and clauses: \"12, n > 3; hit 3\" (or from 3, or every 3), \"12; log n\",
\"12; off\". Conditions and what is logged are Python, evaluated where the program stops.

Actions: into, over, return, continue, and breakpoint:LINE, where LINE is a line's number.
The JSON is described in docs/json.md.")]
pub struct DebugArgs {
    /// The Python program
    program: PathBuf,
    /// Print a transcript even in a terminal
    #[arg(long)]
    plain: bool,
    /// Print one JSON object a step instead
    #[arg(long, conflicts_with = "plain")]
    json: bool,
    /// Take these actions, then end [default: what --policy chooses]
    #[arg(long, value_name = "ACTIONS", conflicts_with_all = ["policy", "seed"])]
    actions: Option<String>,
    /// How the transcript's actions are chosen: into (every state), over (the entry's own level),
    /// mixed (the paper's random policy)
    #[arg(long, default_value = "into", value_name = "POLICY")]
    policy: Policy,
    /// Seed of the policy mixed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// End the transcript after this many steps [default: 1000]
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// What the model is told after each step
    #[arg(long, value_enum, default_value_t = ModeArg::Follow)]
    mode: ModeArg,
    /// How predictions are had while following: by one pass over the real frame, decoding only where
    /// the model would have written another; or by decoding every frame. The verdicts are the same
    #[arg(long, value_enum, default_value_t = MethodArg::Scoring)]
    method: MethodArg,
    /// Stop at this point, e.g. 12, "12, n > 3", solve or "raise KeyError" (can be repeated; on the
    /// screen it is kept for the next time, as if it had been typed there)
    #[arg(long = "break", value_name = "POINT", allow_hyphen_values = true)]
    breakpoints: Vec<Point>,
    /// Show the value of this expression at each stop (can be repeated)
    #[arg(long = "watch", value_name = "EXPR", allow_hyphen_values = true)]
    watches: Vec<Expression>,
    /// Run the real side alone
    #[arg(long, conflicts_with = "model")]
    no_model: bool,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// What the model is told after each step.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ModeArg {
    /// What really happened
    Follow,
    /// Nothing: it goes on from what it said
    Free,
}

/// How predictions are had while following.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MethodArg {
    /// One pass over the real frame
    Scoring,
    /// Decoding every frame
    Generating,
}

impl ModeArg {
    /// The session's word for it.
    pub fn mode(self) -> Mode {
        match self {
            ModeArg::Follow => Mode::Follow,
            ModeArg::Free => Mode::Free,
        }
    }
}

impl MethodArg {
    /// The neural debugger's word for it.
    pub fn method(self) -> Method {
        match self {
            MethodArg::Scoring => Method::Scoring,
            MethodArg::Generating => Method::Generating,
        }
    }

    /// The word for it in recipes.
    pub fn name(self) -> &'static str {
        match self {
            MethodArg::Scoring => "scoring",
            MethodArg::Generating => "generating",
        }
    }
}

pub fn run(args: &DebugArgs) -> Result<Done, CommandError> {
    let program = Program::load(&args.program)?;
    for point in &args.breakpoints {
        check(&point.place, &program)?;
    }
    let actions = args.actions.as_deref().map(|list| parse_actions(list, &program)).transpose()?;
    let mode = args.mode.mode();
    let on_screen = !args.plain
        && !args.json
        && actions.is_none()
        && std::io::stdout().is_terminal()
        && std::io::stdin().is_terminal()
        && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
    let on_input = if on_screen { OnInput::Ask } else { OnInput::End };
    let (mut recording, findings) = args.run.record(&program, on_input)?;
    if !on_screen {
        tell_findings(&program, &findings, args.run.has_input());
    }
    ask_before_entry(&mut recording)?;
    let mut session = Session::open(program, recording, args.method.method(), mode)?;
    let kept = match on_screen {
        true => Kept::restore(&args.program, &mut session),
        false => Kept::default(),
    };
    for point in &args.breakpoints {
        session.points_mut().add(point.clone());
    }
    for expression in &args.watches {
        session.points_mut().watch(expression.clone());
    }
    let points = args.breakpoints.iter().flat_map(Point::expressions);
    for expression in points.chain(&args.watches) {
        if let Some(why) = session.refuses(expression)? {
            return Err(CommandError::user(format!("`{expression}` is no expression: {why}")));
        }
    }
    let model = (!args.no_model).then(|| args.model.start_opening());
    if on_screen {
        // The screen asks for what the program reads.
        let findings = findings.into_iter().filter(|finding| finding.kind != Kind::ReadsInput);
        return screen::run(session, kept, findings.collect(), model);
    }
    if let Some(model) = model {
        session.attach(model.wait()?)?;
    }
    let choice = match actions {
        Some(actions) => Choice::Listed(actions.into_iter()),
        None => Choice::Policy(Chooser::new(args.policy, args.seed)),
    };
    transcript(args, session, choice)
}

/// Asks for what the program reads before it comes to its first state, which no screen shows yet.
fn ask_before_entry(recording: &mut Recording) -> Result<(), CommandError> {
    while recording.state(0)?.is_none()
        && let Some(wanted) = recording.wanted_input()
    {
        eprint!("{}", lockstep_tui::clean(&wanted.prompt));
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line)?;
        recording.answer((read > 0).then(|| line.trim_end_matches('\n')))?;
    }
    Ok(())
}

/// Where a transcript's actions come from.
enum Choice {
    Listed(std::vec::IntoIter<Action>),
    Policy(Chooser),
}

impl Choice {
    fn next(&mut self, session: &mut Session) -> Result<Option<Action>, CommandError> {
        match self {
            Choice::Listed(actions) => Ok(actions.next()),
            Choice::Policy(chooser) if chooser.sets_breakpoints() => {
                Ok(Some(session.with_place(|place| chooser.choose(place))?))
            }
            Choice::Policy(chooser) => Ok(Some(chooser.choose(Default::default()))),
        }
    }
}

/// Takes the actions, prints a line a step, and the summary however it ends.
fn transcript(
    args: &DebugArgs,
    mut session: Session,
    mut choice: Choice,
) -> Result<Done, CommandError> {
    let about = about(args, &session);
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    let mut printer = Lockstep::new(Style::of(args.json), &mut out);
    let interrupt = Interrupt::listen()?;
    session.interrupt_by(interrupt.flag());
    let most = args.steps.unwrap_or(STEPS);
    let wanted = |taken| taken < most && !interrupt.is_asked();
    let walked = walk(&mut session, &mut choice, wanted, &mut printer);
    let summary = session.summary();
    let first = summary.first_divergence.and_then(|number| session.steps().get(number - 1));
    printer.end(&summary, first, &about)?;
    out.flush()?;
    if interrupt.is_asked() {
        tell("interrupted; the summary holds for the steps above");
        return Ok(Done::Partial);
    }
    walked?;
    match session.here() {
        Stop::At(_) if args.steps.is_none() && session.steps().len() == STEPS => {
            tell(&format!("ended after {STEPS} steps; --steps takes more"));
        }
        Stop::Exit(_) => {
            if let Choice::Listed(left) = choice
                && left.len() > 0
            {
                tell(&format!("the run is over; {} of the actions were left", left.len()));
            }
        }
        Stop::At(_) => {}
    }
    Ok(Done::Yes)
}

/// Steps until the choice or the run is at its end, or the number of steps taken is no longer
/// `wanted`.
fn walk(
    session: &mut Session,
    choice: &mut Choice,
    wanted: impl Fn(usize) -> bool,
    printer: &mut Lockstep<impl Write>,
) -> Result<(), CommandError> {
    let (mut printed, mut logged) = (0, 0);
    for chunk in session.recording().output_until(0, &mut printed) {
        printer.output(chunk.stream, &chunk.text)?;
    }
    printer.begin(&title(session), session.entry())?;
    while wanted(session.steps().len()) && matches!(session.here(), Stop::At(_)) {
        let mut reasons = Vec::new();
        let action = match choice.next(session)? {
            None => break,
            Some(Action::Continue) => match session.next_stop()? {
                Found::Hit(hit) => {
                    reasons = hit.reasons;
                    session.approach(hit.at)?
                }
                Found::Nothing => Action::Continue,
                Found::Interrupted(_) => break,
            },
            Some(action) => action,
        };
        let number = session.steps().len() + 1;
        let Some(found) = session.look(action.clone())? else {
            return Err(CommandError::user(format!(
                "action {number}, {}, is not available there: this frame returns already",
                action.name()
            ))
            .hinted("step_return needs a later return on the same level; use into or over"));
        };
        let index = found.index();
        let until = index.unwrap_or(usize::MAX);
        for chunk in session.recording().output_until(until, &mut printed) {
            printer.output(chunk.stream, &chunk.text)?;
        }
        session.make(found)?;
        let notes = Notes {
            logs: session.logged().skip(logged).cloned().collect(),
            stops: reasons,
            watches: index.map(|at| session.watched(at)).unwrap_or_default(),
        };
        logged += notes.logs.len();
        if let Some(step) = session.steps().last() {
            printer.step(step, &notes)?;
        }
        printer.flush()?;
    }
    Ok(())
}

/// What runs, for the head of a transcript.
fn title(session: &Session) -> String {
    let model = match session.model() {
        Some(model) => format!("model {} · {}", model.info().label(), session.mode().name()),
        None => "no model".to_owned(),
    };
    format!("lockstep · {} · {model}", session.program().name())
}

fn about(args: &DebugArgs, session: &Session) -> About {
    let model = session.model().map(Neural::info);
    let actions = match &args.actions {
        Some(list) => list.split_whitespace().collect::<Vec<_>>().join(" "),
        None => format!("policy {}", args.policy),
    };
    About {
        model: model.map(|model| json!({ "name": model.name, "sha256": model.sha256 })),
        recipe: json!({
            "dialect": model.map(|model| &model.dialect),
            "context": model.map(|model| model.context),
            "mode": model.map(|_| session.mode()),
            "method": model.map(|_| args.method.name()),
            "decoding": model.map(|model| model.decoding),
            "actions": actions,
            "seed": args.seed,
            "breakpoints": args.breakpoints.iter().map(Point::to_string).collect::<Vec<_>>(),
            "run": args.run,
            "tool": env!("CARGO_PKG_VERSION"),
            "python": crate::python::INTERPRETER,
        }),
    }
}

/// Refuses a place that the program doesn't have.
fn check(place: &Place, program: &Program) -> Result<(), CommandError> {
    place.check(program).map_err(|error| match place {
        Place::Line(_) => CommandError::user(error)
            .hinted(format!("the program has {} lines; name one with code", program.lines().len())),
        _ => CommandError::user(error).hinted("lockstep debug --help says how places are written"),
    })
}

/// Reads a list of actions; a breakpoint's line is a number here.
fn parse_actions(list: &str, program: &Program) -> Result<Vec<Action>, CommandError> {
    let actions = list.split_whitespace().map(|word| match word.parse::<Action>() {
        Ok(Action::Breakpoint(line)) => {
            let number = line.parse().map_err(|_| {
                CommandError::user(format!("`{word}`: `{line}` is no line number"))
                    .hinted("write a breakpoint as breakpoint:12")
            })?;
            Ok(Action::Breakpoint(text_of_line(program, number)?))
        }
        Ok(action) => Ok(action),
        Err(error) => Err(CommandError::user(error)),
    });
    actions.collect()
}

/// The text of a line to stop at. Breakpoints are named by text to the model, so another line of
/// the same text is a stop as well.
fn text_of_line(program: &Program, number: u32) -> Result<Text, CommandError> {
    check(&Place::Line(number), program)?;
    let text = program.line(number);
    let twins = program.numbers_of(&text);
    if twins.len() > 1 {
        let numbers: Vec<String> = twins.iter().map(u32::to_string).collect();
        tell(&format!(
            "lines {} read the same; the model knows breakpoints by their text, so the first of them \
             to be reached is the stop",
            numbers.join(", ")
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        Program::from_text("p.py".into(), "x = 1\n\n# note\ny = 2\n").unwrap()
    }

    #[test]
    fn breakpoints_are_given_by_number_and_kept_by_text() {
        let actions = parse_actions("into  breakpoint:4 continue", &program()).unwrap();
        assert_eq!(
            actions,
            [Action::StepInto, Action::Breakpoint("y = 2".into()), Action::Continue]
        );
    }

    #[test]
    fn a_line_without_code_is_no_breakpoint() {
        for list in
            ["breakpoint:2", "breakpoint:3", "breakpoint:99", "breakpoint:0", "breakpoint:x"]
        {
            assert!(parse_actions(list, &program()).is_err(), "{list}");
        }
    }
}
