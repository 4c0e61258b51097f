//! `lockstep doctor`: is a model usable?

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use lockstep_tui::clean;

use super::model::EngineArgs;
use super::probe;
use super::{CommandError, Done};
use crate::neural::{ModelSource, Report, TokenKind, Verdict, doctor};
use crate::python::Grouped;

/// Check whether a model is usable: its frame tokens, its context, a frame that it writes, its speed
///
/// Exit code 1 means that the file is a model, but not usable.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  lockstep doctor
  lockstep doctor my-model.gguf --threads 2
  lockstep doctor my-model.gguf --json | jq .speed")]
pub struct DoctorArgs {
    /// The model in GGUF [default: the one that is built in]
    model: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: &DoctorArgs) -> Result<Done, CommandError> {
    let source = args.model.clone().map_or(ModelSource::Shipped, ModelSource::File);
    probe::survives(&source)?;
    let report = doctor(&source, &args.engine.settings());
    let mut out = anstream::stdout().lock();
    let (Some(model), verdict) = (&report.model, &report.verdict) else {
        // Not a model at all: bad input rather than a verdict.
        return Err(match report.verdict {
            Verdict::NotUsable { reasons } => CommandError::user(reasons.join("; ")),
            Verdict::Usable { .. } => CommandError::user(format!("{source}: can't be examined")),
        });
    };
    if args.json {
        serde_json::to_writer(&mut out, &report).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "model         {} ({source})", clean(&model.name))?;
        writeln!(out, "file          {} bytes, sha256 {}", Grouped(model.bytes), model.sha256)?;
        let millions = model.parameters as f64 / 1e6;
        let architecture = clean(&model.architecture);
        writeln!(out, "architecture  {architecture}, {millions:.1} million parameters")?;
        let (used, trained) = (model.context.into(), model.trained_context.into());
        writeln!(out, "context       {} of {} tokens", Grouped(used), Grouped(trained))?;
        writeln!(out, "dialect       {}", clean(&model.dialect))?;
        writeln!(out, "device        {}", clean(&model.device))?;
        print_findings(&mut out, &report)?;
    }
    Ok(match verdict {
        Verdict::Usable { .. } => Done::Yes,
        Verdict::NotUsable { .. } => Done::No,
    })
}

/// What was tried with the model, and what follows.
fn print_findings(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let bad = report.tokens.iter().filter(|token| token.found != TokenKind::Control);
    let bad: Vec<String> = bad
        .map(|token| match token.found {
            TokenKind::Text => format!("{} (text can forge it)", token.name),
            TokenKind::Missing | TokenKind::Control => format!("{} (missing)", token.name),
        })
        .collect();
    match bad.as_slice() {
        [] => writeln!(out, "tokens        all {} are control tokens", report.tokens.len())?,
        bad => writeln!(out, "tokens        wrong: {}", bad.join(", "))?,
    }
    if let Some(frame) = &report.frame {
        let found = match (frame.legal, frame.right) {
            (true, true) => "legal, and right",
            (true, false) => "legal, but wrong",
            (false, _) => "not legal",
        };
        writeln!(out, "frame         {found}")?;
    }
    if let Some(speed) = report.speed {
        let (read, write) = (speed.prefill, speed.decode);
        writeln!(out, "speed         {read:.0} tokens/s reading, {write:.0} tokens/s writing")?;
    }
    let (word, because) = match &report.verdict {
        Verdict::Usable { warnings } => ("usable", warnings),
        Verdict::NotUsable { reasons } => ("not usable", reasons),
    };
    writeln!(out, "\n{word}")?;
    for reason in because {
        writeln!(out, "  {}", clean(reason))?;
    }
    Ok(())
}
