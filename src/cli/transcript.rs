//! Transcripts: what `trace` and `debug` print without a screen, for people or as JSON lines.

use std::collections::HashMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style as Ansi};
use lockstep_tui::{Piece, clean, cut, excerpts};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::json;

use crate::diff::Difference;
use crate::neural::{Malformed, Predicted};
use crate::points::{Expression, Logged, Reason};
use crate::python::{Evaluated, Stream};
use crate::session::{self, Step, Summary, Unjudged, Verdict};
use crate::state::{Field, State, Stop};

const DIVERGED: Ansi = AnsiColor::Red.on_default();
const AGREED: Ansi = AnsiColor::Green.on_default();
const FAINT: Ansi = Ansi::new().dimmed();
const PART: Ansi = AnsiColor::Red.on_default().bold().underline();

/// Longest text of a value on a line, in columns; `--json` has them whole.
const VALUE_WIDTH: usize = 60;

/// For whom to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Lines to read.
    Plain,
    /// One object a line, as docs/json.md says.
    Json,
}

impl Style {
    /// The style that a `--json` flag asks for.
    pub fn of(json: bool) -> Self {
        if json { Style::Json } else { Style::Plain }
    }
}

/// Prints one JSON line.
fn json_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// Prints what the program wrote.
fn print_output(out: &mut impl Write, style: Style, stream: Stream, text: &str) -> io::Result<()> {
    match style {
        Style::Json => json_line(out, &json!({ stream.name(): text })),
        Style::Plain => {
            for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                writeln!(out, "{FAINT}{:>6} │{FAINT:#} {}", stream.name(), clean(line))?;
            }
            Ok(())
        }
    }
}

/// Remembers each frame's last state, to print only what changed.
#[derive(Default)]
struct Frames(HashMap<u32, State>);

impl Frames {
    /// The variables of `state` that changed since its frame was last shown, as `name=value`.
    fn changed(&mut self, state: &State) -> String {
        let Some(activation) = state.activation() else { return String::new() };
        let before = self.0.insert(activation, state.clone());
        let pairs: Vec<String> = session::changed(state, before.as_ref())
            .map(|(name, value)| format!("{}={}", clean(name), shown(value)))
            .collect();
        pairs.join(" ")
    }
}

/// One line for a stop: where, event, source, and what changed or came of it.
fn print_stop(out: &mut impl Write, frames: &mut Frames, stop: &Stop) -> io::Result<()> {
    match stop {
        Stop::At(state) => {
            let place = state.position.as_ref();
            let place = place.map_or(String::new(), |p| format!("{}:{}", p.function, p.line));
            let mut notes = frames.changed(state);
            if let Some(value) = &state.value {
                let unwinds = state.position.as_ref().is_some_and(|p| p.unwinds);
                notes =
                    if unwinds { "(unwinds)".to_owned() } else { format!("→ {}", shown(value)) };
            }
            if let Some(raised) = &state.exception {
                notes = format!("! {}", shown(&raised.to_string()));
            }
            let (place, source) = (clean(&place), clean(&state.source));
            let line = format!("{place:<16} {:<9} {source:<36} {notes}", state.event.name());
            writeln!(out, "{}", line.trim_end())
        }
        Stop::Exit(exit) => writeln!(out, "exit {}", clean(&exit.to_string())),
    }
}

/// Prints a recording state by state.
pub struct Trace<'a, W> {
    style: Style,
    out: &'a mut W,
    frames: Frames,
}

impl<'a, W: Write> Trace<'a, W> {
    /// Prints to `out`.
    pub fn new(style: Style, out: &'a mut W) -> Self {
        Trace { style, out, frames: Frames::default() }
    }

    /// Prints the state of this index, or the exit.
    pub fn stop(&mut self, index: usize, stop: &Stop) -> io::Result<()> {
        match self.style {
            Style::Json => json_line(self.out, stop),
            Style::Plain => {
                write!(self.out, "{index:>6} ")?;
                print_stop(self.out, &mut self.frames, stop)
            }
        }
    }

    /// Prints what the program wrote.
    pub fn output(&mut self, stream: Stream, text: &str) -> io::Result<()> {
        print_output(self.out, self.style, stream, text)
    }
}

/// Prints a session step by step.
pub struct Lockstep<'a, W> {
    style: Style,
    out: &'a mut W,
    frames: Frames,
}

impl<'a, W: Write> Lockstep<'a, W> {
    /// Prints to `out`.
    pub fn new(style: Style, out: &'a mut W) -> Self {
        Lockstep { style, out, frames: Frames::default() }
    }

    /// Prints what runs, and the entry's state; nothing in JSON, where the summary says it.
    pub fn begin(&mut self, title: &str, entry: &Stop) -> io::Result<()> {
        if self.style == Style::Json {
            return Ok(());
        }
        writeln!(self.out, "{}\n", clean(title))?;
        write!(self.out, "{:>4}   {:<12}", 0, "")?;
        print_stop(self.out, &mut self.frames, entry)
    }

    /// Prints what the program wrote; nothing in JSON, where `trace` says it.
    pub fn output(&mut self, stream: Stream, text: &str) -> io::Result<()> {
        match self.style {
            Style::Json => Ok(()),
            Style::Plain => print_output(self.out, self.style, stream, text),
        }
    }

    /// Prints what is told of a step under it.
    fn notes(&mut self, notes: &Notes) -> io::Result<()> {
        let mut note = |kind: &str, text: String| {
            writeln!(self.out, "{FAINT}{kind:>6} │{FAINT:#} {}", clean(&text))
        };
        notes.logs.iter().try_for_each(|logged| note("log", logged.to_string()))?;
        let stops = notes.stops.iter().filter(|reason| reason.note.is_some());
        stops.map(Reason::to_string).try_for_each(|text| note("stop", text))?;
        let watches = notes.watches.iter();
        watches
            .map(|(watch, value)| format!("{watch} = {value}"))
            .try_for_each(|t| note("watch", t))
    }

    /// Prints a step, under it how the sides differ, and what is told of it.
    pub fn step(&mut self, step: &Step, notes: &Notes) -> io::Result<()> {
        if self.style == Style::Json {
            return json_line(self.out, &Noted { step, notes });
        }
        self.sides(step)?;
        self.notes(notes)
    }

    fn sides(&mut self, step: &Step) -> io::Result<()> {
        if step.prediction.as_ref().is_some_and(|prediction| prediction.restarted) {
            writeln!(
                self.out,
                "{FAINT}       the model's context was full: it begins anew here{FAINT:#}"
            )?;
        }
        let (sign, style) = match step.verdict {
            Verdict::Agreed => ('=', AGREED),
            Verdict::Diverged(_) => ('≠', DIVERGED),
            Verdict::Malformed => ('?', DIVERGED),
            Verdict::Unjudged(_) => (' ', FAINT),
        };
        let (number, action) = (step.number, step.action.name());
        write!(self.out, "{number:>4} {style}{sign}{style:#} {action:<12}")?;
        print_stop(self.out, &mut self.frames, &step.real)?;
        let outcome = step.prediction.as_ref().map(|prediction| &prediction.outcome);
        let said = match outcome {
            Some(Predicted::Stop(said)) => Some(said),
            Some(Predicted::Malformed(_)) | None => None,
        };
        if let Verdict::Unjudged(why @ Unjudged::TooLong(_)) = &step.verdict {
            writeln!(self.out, "{FAINT}       no verdict: {}{FAINT:#}", clean(&why.to_string()))?;
        }
        for difference in step.differences() {
            self.difference(difference, [Some(&step.real), said])?;
        }
        if let Some(Predicted::Malformed(Malformed { raw, reason })) = outcome {
            writeln!(self.out, "       {DIVERGED}?{DIVERGED:#} malformed: {}", clean(reason))?;
            writeln!(self.out, "         predicted  {}", shown(raw))?;
        }
        Ok(())
    }

    /// Prints one field of both sides, whose stops stand beside it.
    fn difference(&mut self, difference: &Difference, stops: [Option<&Stop>; 2]) -> io::Result<()> {
        let Difference { field, kind, real, predicted } = difference;
        let sign = kind.sign();
        let field = field.to_string();
        writeln!(self.out, "       {DIVERGED}{sign}{DIVERGED:#} {}", clean(&field))?;
        let sides = match (real, predicted) {
            (Some(real), Some(predicted)) => excerpts(real, predicted, VALUE_WIDTH).map(marked),
            _ => {
                let [at, said] = stops.map(|stop| instead(difference, stop));
                let side = |text: &Option<_>, instead| text.as_deref().map_or(instead, shown);
                [side(real, at), side(predicted, said)]
            }
        };
        for (name, text) in ["real", "predicted"].into_iter().zip(sides) {
            writeln!(self.out, "         {name:<10} {text}")?;
        }
        Ok(())
    }

    /// Lets the reader see what was printed so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Prints the counts, and what they hold for.
    pub fn end(&mut self, summary: &Summary, first: Option<&Step>, of: &About) -> io::Result<()> {
        if self.style == Style::Json {
            return json_line(
                self.out,
                &json!({
                    "steps": summary.steps,
                    "agreed": summary.agreed,
                    "malformed": summary.malformed,
                    "unjudged": summary.unjudged,
                    "first_divergence": summary.first_divergence,
                    "bits": summary.bits,
                    "restarts": summary.restarts,
                    "exit": summary.exit,
                    "model": of.model,
                    "recipe": of.recipe,
                }),
            );
        }
        writeln!(self.out)?;
        write!(self.out, "{}", counted(summary.steps, "step"))?;
        if let Some(fidelity) = summary.fidelity() {
            write!(self.out, ": {} agree ({:.1}%)", summary.agreed, fidelity * 100.0)?;
            write!(self.out, ", {} diverge", summary.diverged())?;
            if let Some(step) = first {
                let fields: Vec<String> = step
                    .differences()
                    .iter()
                    .map(|d| clean(&d.field.to_string()).into_owned())
                    .collect();
                let fields = if fields.is_empty() { "malformed".into() } else { fields.join(", ") };
                write!(self.out, ", first at step {} ({fields})", step.number)?;
            }
            if summary.malformed > 0 {
                write!(self.out, ", {} malformed", summary.malformed)?;
            }
        }
        if summary.unjudged > 0 && of.model.is_some() {
            write!(self.out, "; {} without a verdict", summary.unjudged)?;
        }
        writeln!(self.out)?;
        if let Some(bits) = summary.bits {
            let mean = bits / summary.scored as f64;
            writeln!(self.out, "surprise {bits:.1} bits, {mean:.2} a state")?;
        }
        if summary.restarts > 0 {
            let times = counted(summary.restarts, "time");
            writeln!(self.out, "the model's context was full and began anew {times}")?;
        }
        Ok(())
    }
}

/// What is told of a step beside its two sides.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// What log points printed on the way.
    pub logs: Vec<Logged>,
    /// The points that stopped it.
    pub stops: Vec<Reason>,
    /// What is watched, and its values there.
    pub watches: Vec<(Expression, Evaluated)>,
}

/// A step object of docs/json.md.
#[derive(Serialize)]
struct Noted<'a> {
    #[serde(flatten)]
    step: &'a Step,
    #[serde(flatten)]
    notes: &'a Notes,
}

impl Serialize for Notes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let watches = self.watches.iter().map(|(watch, value)| outcome(watch, value));
        let mut map = serializer.serialize_map(None)?;
        let logged = |Logged { at, line, text, .. }: &Logged| json!({ "state": at, "line": line, "text": text });
        let stopped = |Reason { point, note, .. }: &Reason| json!({ "point": point.to_string(), "note": note });
        map.serialize_entry("logs", &self.logs.iter().map(logged).collect::<Vec<_>>())?;
        map.serialize_entry("stops", &self.stops.iter().map(stopped).collect::<Vec<_>>())?;
        map.serialize_entry("watches", &watches.collect::<Vec<_>>())?;
        map.end()
    }
}

/// What came of evaluating an expression, in JSON.
pub fn outcome(expression: &Expression, value: &Evaluated) -> serde_json::Value {
    let text = match value {
        Evaluated::Value { text, .. } => Some(text),
        Evaluated::Raised(_) | Evaluated::Refused(_) | Evaluated::Stopped(_) => None,
    };
    let error = text.is_none().then(|| value.to_string());
    json!({ "expression": expression.as_str(), "value": text, "error": error })
}

/// What a summary holds for: printed with it, so that a result can be told from another.
#[derive(Clone, Debug)]
pub struct About {
    /// Name and hash of the model; none without one.
    pub model: Option<serde_json::Value>,
    /// Everything else that made the result.
    pub recipe: serde_json::Value,
}

/// `1 step`, `2 steps`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A value, cut to [`VALUE_WIDTH`] columns.
fn shown(text: &str) -> String {
    cut(&clean(text), VALUE_WIDTH)
}

/// What stands for the side that has no such field: instead of an exit, the state it stopped at.
fn instead(difference: &Difference, stop: Option<&Stop>) -> String {
    match (&difference.field, stop) {
        (Field::Exit, Some(Stop::At(state))) => {
            format!("{} at {}", state.event.name(), shown(state.source.trim()))
        }
        _ => format!("{FAINT}nothing{FAINT:#}"),
    }
}

/// A value with its differing parts marked.
fn marked(pieces: Vec<Piece>) -> String {
    let piece =
        |Piece { text, marked }| if marked { format!("{PART}{text}{PART:#}") } else { text };
    pieces.into_iter().map(piece).collect()
}
