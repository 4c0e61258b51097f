//! Transcripts: what `trace` and `debug` print without a screen, for people or as JSON lines.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style as Ansi};
use serde::Serialize;
use serde_json::json;

use crate::diff::{self, Difference};
use crate::neural::{Malformed, Predicted};
use crate::python::Stream;
use crate::session::{self, Mode, Step, Summary, Verdict};
use crate::state::{State, Stop, Text};

const DIVERGED: Ansi = AnsiColor::Red.on_default();
const AGREED: Ansi = AnsiColor::Green.on_default();
const FAINT: Ansi = Ansi::new().dimmed();
const PART: Ansi = AnsiColor::Red.on_default().bold().underline();

/// Longest text of a value on a line, in characters; `--json` has them whole.
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
                writeln!(out, "{FAINT}{:>6} │{FAINT:#} {}", stream.name(), printable(line))?;
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
            .map(|(name, value)| format!("{}={}", printable(name), printable(&cut(value))))
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
                notes = format!("→ {}", printable(&cut(value)));
            }
            if let Some(raised) = &state.exception {
                notes = format!("! {}", printable(&cut(&raised.to_string())));
            }
            let (place, source) = (printable(&place), printable(&state.source));
            let line = format!("{place:<16} {:<9} {source:<36} {notes}", state.event.name());
            writeln!(out, "{}", line.trim_end())
        }
        Stop::Exit(exit) => writeln!(out, "exit {}", printable(&exit.to_string())),
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
        writeln!(self.out, "{}\n", printable(title))?;
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

    /// Prints a step, and under it how the sides differ.
    pub fn step(&mut self, step: &Step) -> io::Result<()> {
        if self.style == Style::Json {
            return json_line(self.out, step);
        }
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
            Verdict::Unjudged => (' ', FAINT),
        };
        let (number, action) = (step.number, step.action.name());
        write!(self.out, "{number:>4} {style}{sign}{style:#} {action:<12}")?;
        print_stop(self.out, &mut self.frames, &step.real)?;
        for difference in step.differences() {
            self.difference(difference)?;
        }
        if let Some(Predicted::Malformed(Malformed { raw, reason })) =
            step.prediction.as_ref().map(|prediction| &prediction.outcome)
        {
            writeln!(self.out, "       {DIVERGED}?{DIVERGED:#} malformed: {}", printable(reason))?;
            writeln!(self.out, "         predicted  {}", printable(&cut(raw)))?;
        }
        Ok(())
    }

    fn difference(&mut self, difference: &Difference) -> io::Result<()> {
        let Difference { field, kind, real, predicted } = difference;
        let sign = kind.sign();
        let field = field.to_string();
        writeln!(self.out, "       {DIVERGED}{sign}{DIVERGED:#} {}", printable(&field))?;
        let parts = match (real, predicted) {
            (Some(real), Some(predicted)) => diff::parts(real, predicted),
            _ => diff::Parts::default(),
        };
        let mut side = |name: &str, text: &Option<Text>, parts: &[Range<usize>]| match text {
            Some(text) => writeln!(self.out, "         {name:<10} {}", marked(text, parts)),
            None => writeln!(self.out, "         {name:<10} {FAINT}nothing{FAINT:#}"),
        };
        side("real", real, &parts.real)?;
        side("predicted", predicted, &parts.predicted)
    }

    /// Lets the reader see what was printed so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Prints the counts, and what they hold for.
    pub fn end(&mut self, summary: &Summary, first: Option<&Step>, of: &About) -> io::Result<()> {
        if self.style == Style::Json {
            return json_line(self.out, &json!({
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
            }));
        }
        writeln!(self.out)?;
        write!(self.out, "{}", counted(summary.steps, "step"))?;
        if let Some(fidelity) = summary.fidelity() {
            write!(self.out, ": {} agree ({:.1}%)", summary.agreed, fidelity * 100.0)?;
            write!(self.out, ", {} diverge", summary.diverged())?;
            if let Some(step) = first {
                let fields: Vec<String> =
                    step.differences().iter().map(|d| printable(&d.field.to_string())).collect();
                let fields = if fields.is_empty() { "malformed".into() } else { fields.join(", ") };
                write!(self.out, ", first at step {} ({fields})", step.number)?;
            }
            if summary.malformed > 0 {
                write!(self.out, ", {} malformed", summary.malformed)?;
            }
        }
        if summary.unjudged > 0 && of.model.is_some() {
            write!(self.out, "; {} without a verdict: the real run was stopped", summary.unjudged)?;
        }
        writeln!(self.out)?;
        if of.mode == Mode::Follow && of.model.is_some() && summary.steps > 0 {
            let mean = summary.bits / summary.steps as f64;
            writeln!(self.out, "surprise {:.1} bits, {mean:.2} a step", summary.bits)?;
        }
        if summary.restarts > 0 {
            let times = counted(summary.restarts, "time");
            writeln!(self.out, "the model's context was full and began anew {times}")?;
        }
        Ok(())
    }
}

/// What a summary holds for: printed with it, so that a result can be told from another.
#[derive(Clone, Debug)]
pub struct About {
    /// Name and hash of the model; none without one.
    pub model: Option<serde_json::Value>,
    /// Everything else that made the result.
    pub recipe: serde_json::Value,
    /// The mode of the session.
    pub mode: Mode,
}

/// `1 step`, `2 steps`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Cuts a value to [`VALUE_WIDTH`] characters.
fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE_WIDTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A value with its differing parts marked, cut so that the first of them is seen.
fn marked(text: &str, parts: &[Range<usize>]) -> String {
    let first = parts.first().map_or(0, |part| part.start);
    let before = text[..first].chars().count();
    let skipped = if before > VALUE_WIDTH / 2 { before - VALUE_WIDTH / 4 } else { 0 };
    let boundary = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let (start, end) = (boundary(skipped), boundary(skipped + VALUE_WIDTH));
    let mut shown = String::new();
    if start > 0 {
        shown.push('…');
    }
    let mut at = start;
    for part in parts {
        let (from, to) = (part.start.clamp(at, end), part.end.clamp(at, end));
        if from < to {
            shown.push_str(&printable(&text[at..from]));
            shown.push_str(&format!("{PART}{}{PART:#}", printable(&text[from..to])));
            at = to;
        }
    }
    shown.push_str(&printable(&text[at..end]));
    if end < text.len() {
        shown.push('…');
    }
    shown
}

/// Text that is safe on a terminal. Programs and models are untrusted: an escape sequence in a
/// source line or a prediction is shown, not obeyed.
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => safe.push_str("    "),
            c if c.is_control() || is_hidden(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    safe
}

/// Characters that reorder or hide text around them.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_are_shown_not_obeyed() {
        assert_eq!(printable("a\u{1b}[2Jb\tc\u{202e}"), "a\\u{1b}[2Jb    c\\u{202e}");
    }

    #[test]
    fn the_wrong_element_of_a_long_value_is_in_sight() {
        let real = format!("[{}]", (0..100).map(|n| n.to_string()).collect::<Vec<_>>().join(", "));
        let predicted = real.replace("77", "78");
        let parts = diff::parts(&real, &predicted);
        let shown = anstream::adapter::strip_str(&marked(&real, &parts.real)).to_string();
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains(" 77,"), "{shown}");
        assert_eq!(shown.chars().count(), VALUE_WIDTH + 2);
    }

    proptest! {
        #[test]
        fn marking_never_panics_and_never_lets_a_control_through(real in ".{0,200}", predicted in ".{0,200}") {
            let parts = diff::parts(&real, &predicted);
            let shown = marked(&real, &parts.real);
            prop_assert!(!anstream::adapter::strip_str(&shown).to_string().contains(char::is_control));
        }
    }
}
