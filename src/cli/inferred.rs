//! What `lockstep infer` prints: the state, what was recorded before it, and each answer with its
//! verdict, for people or as JSON lines.

use std::collections::HashSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style as Ansi};
use lockstep_tui::{clean, cut};
use serde::Serialize;

use super::transcript::Style;
use crate::inverse::{Beginning, InverseState, InverseStop, Question, Verdict};
use crate::neural::{ModelInfo, Predicted};
use crate::state::{Locals, State, Text};

const GOOD: Ansi = AnsiColor::Green.on_default();
const BAD: Ansi = AnsiColor::Red.on_default();
const FAINT: Ansi = Ansi::new().dimmed();

/// Longest text of a value on a line, in columns; `--json` has them whole.
const VALUE_WIDTH: usize = 40;

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The model.
    Sample,
    /// A person.
    Guess,
}

/// The line that says what is asked.
#[derive(Serialize)]
struct Asked<'a> {
    state: usize,
    given: &'a State,
    known: &'a Locals,
    from: &'static str,
    action: &'static str,
    recorded: &'a InverseStop,
}

/// The line of an answer.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guess: Option<u64>,
    predicted: &'a Predicted<InverseStop>,
    verdict: &'static str,
    reason: Option<&'a str>,
}

/// The last line.
#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    counts: &'a Counts,
    model: Option<&'a ModelInfo>,
}

/// How many answers there were of each verdict.
#[derive(Clone, Debug, Default, Serialize)]
struct Counts {
    answers: usize,
    exact: usize,
    valid: usize,
    /// Of those that are exact or valid, how many different ones.
    distinct: usize,
    invalid: usize,
    malformed: usize,
    unchecked: usize,
}

/// Prints answers.
pub struct Inferred<W> {
    style: Style,
    out: W,
    counts: Counts,
    /// The variables that those stand for which an answer leaves out.
    later: Locals,
    /// The answers that are exact or valid, in full.
    working: HashSet<String>,
}

impl<W: Write> Inferred<W> {
    /// A printer to `out`.
    pub fn new(style: Style, out: W) -> Self {
        let (counts, later, working) = Default::default();
        Inferred { style, out, counts, later, working }
    }

    /// Prints what is asked.
    pub fn question(&mut self, question: &Question, from: Beginning) -> io::Result<()> {
        let given = question.given();
        self.later = given.later();
        if self.style == Style::Json {
            return self.json(&Asked {
                state: given.at,
                given: &given.state,
                known: &given.known,
                from: from.name(),
                action: question.action().name(),
                recorded: question.recorded(),
            });
        }
        let state = &given.state;
        let source = clean(state.source.trim());
        let out = &mut self.out;
        write!(out, "{:<9} {:<13} {source}", format!("state {}", given.at), state.event.name())?;
        let mut known: Vec<String> = given.known.iter().map(|(n, v)| pair(n, v)).collect();
        known.extend(state.value.as_ref().map(short));
        writeln!(out, "{FAINT}{}{FAINT:#}", listed(&known))?;
        write!(out, "{:<9} ", question.action().name().trim_start_matches("inv_"))?;
        said(out, question.recorded())?;
        writeln!(out, "  {FAINT}(recorded){FAINT:#}")
    }

    /// Prints an answer and its verdict.
    pub fn answer(
        &mut self,
        number: u64,
        origin: Origin,
        predicted: &Predicted<InverseStop>,
        verdict: &Verdict,
    ) -> io::Result<()> {
        self.count(predicted, verdict)?;
        if self.style == Style::Json {
            let of = |which| (origin == which).then_some(number);
            return self.json(&Answer {
                sample: of(Origin::Sample),
                guess: of(Origin::Guess),
                predicted,
                verdict: verdict.name(),
                reason: verdict.reason(),
            });
        }
        let color = match verdict {
            Verdict::Exact | Verdict::Valid => GOOD,
            Verdict::Invalid(_) | Verdict::Malformed(_) => BAD,
            Verdict::Unchecked(_) => FAINT,
        };
        write!(self.out, "{color}{:<9}{color:#} ", verdict.name())?;
        match predicted {
            Predicted::Stop(stop) => said(&mut self.out, stop)?,
            Predicted::Malformed(malformed) => {
                write!(self.out, "{}", cut(&clean(&malformed.raw), 2 * VALUE_WIDTH))?;
            }
        }
        if let Some(reason) = verdict.reason() {
            write!(self.out, "\n{:<9} {FAINT}{}{FAINT:#}", "", clean(reason))?;
        }
        writeln!(self.out)
    }

    /// Prints how many answers there were of each verdict.
    pub fn summary(&mut self, model: Option<&ModelInfo>) -> io::Result<()> {
        if self.style == Style::Json {
            let summary = Summary { counts: &self.counts, model };
            let line = serde_json::to_string(&summary)?;
            return writeln!(self.out, "{line}");
        }
        let Counts { answers, exact, valid, distinct, invalid, malformed, unchecked } =
            self.counts.clone();
        let plural = if answers == 1 { "" } else { "s" };
        write!(self.out, "{answers} answer{plural}: {exact} exact, {valid} valid")?;
        if exact + valid > distinct {
            write!(self.out, " ({distinct} different)")?;
        }
        write!(self.out, ", {invalid} invalid")?;
        for (count, word) in [(malformed, "malformed"), (unchecked, "unchecked")] {
            if count > 0 {
                write!(self.out, ", {count} {word}")?;
            }
        }
        writeln!(self.out)
    }

    /// Whether there were answers and all of them break the format.
    pub fn none_is_legal(&self) -> bool {
        self.counts.answers > 0 && self.counts.malformed == self.counts.answers
    }

    fn count(&mut self, predicted: &Predicted<InverseStop>, verdict: &Verdict) -> io::Result<()> {
        let counts = &mut self.counts;
        counts.answers += 1;
        *match verdict {
            Verdict::Exact => &mut counts.exact,
            Verdict::Valid => &mut counts.valid,
            Verdict::Invalid(_) => &mut counts.invalid,
            Verdict::Malformed(_) => &mut counts.malformed,
            Verdict::Unchecked(_) => &mut counts.unchecked,
        } += 1;
        if let (Verdict::Exact | Verdict::Valid, Predicted::Stop(stop)) = (verdict, predicted) {
            self.working.insert(serde_json::to_string(&stop.in_full(&self.later))?);
            counts.distinct = self.working.len();
        }
        Ok(())
    }

    fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        writeln!(self.out)
    }
}

/// What a stop says, on a line: the event and the source line; and the variables or the value.
pub fn told(stop: &InverseStop) -> (String, String) {
    let InverseStop::At(InverseState { event, source, locals, value }) = stop else {
        return (format!("{:<13}", "inv_entry"), String::new());
    };
    let mut parts: Vec<String> = locals.pairs.iter().map(|(n, v)| pair(n, v)).collect();
    if locals.rest {
        parts.insert(0, "..".to_owned());
    }
    parts.extend(value.as_ref().map(short));
    (format!("{:<13} {}", event.name(), clean(source.trim())), listed(&parts))
}

fn said(out: &mut impl Write, stop: &InverseStop) -> io::Result<()> {
    let (place, values) = told(stop);
    write!(out, "{place}{FAINT}{values}{FAINT:#}")
}

/// Parts after a gap; nothing if there are none.
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        parts => format!("  {}", parts.join(", ")),
    }
}

fn pair(name: &Text, value: &Text) -> String {
    format!("{} = {}", clean(name), short(value))
}

fn short(value: &Text) -> String {
    cut(&clean(value), VALUE_WIDTH).to_string()
}
