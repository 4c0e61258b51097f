//! Is a model usable? What `lockstep doctor` finds out.

use std::time::Instant;

use serde::Serialize;

use super::debugger::{Method, NeuralDebugger};
use super::dialect::debugger::NAMES;
use super::dialect::{Malformed, Predicted};
use super::engine::{Branch, Engine, EngineError, Interrupt, Wanted};
use super::model::{Model, ModelInfo, ModelSource, Settings};
use super::vocabulary::{TokenId, Vocabulary};
use crate::action::Action;
use crate::program::Program;
use crate::python::Grouped;
use crate::state::{Event, Locals, Position, State, Stop};

/// What was found out about a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The model, if it could be loaded.
    pub model: Option<ModelInfo>,
    /// Each special token of the dialect, and whether it is there.
    pub tokens: Vec<TokenCheck>,
    /// What it predicted for one step in a small program.
    pub frame: Option<FrameCheck>,
    /// How fast it runs here.
    pub speed: Option<Speed>,
    /// What follows from all this.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// Whether the model can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It can.
    Usable {
        /// What to know before trusting it; may be empty.
        warnings: Vec<String>,
    },
    /// It can't.
    NotUsable {
        /// Why; never empty.
        reasons: Vec<String>,
    },
}

/// One special token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TokenCheck {
    /// Its name.
    pub name: &'static str,
    /// What the vocabulary has under that name.
    pub found: TokenKind,
}

/// What a vocabulary has under a special token's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A single CONTROL token, as it should be.
    Control,
    /// A single token that ordinary text also becomes: a program could forge frames.
    Text,
    /// Nothing.
    Missing,
}

/// A prediction whose truth is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FrameCheck {
    /// The frame is a legal one.
    pub legal: bool,
    /// It is also right.
    pub right: bool,
    /// What is wrong with a frame that isn't legal.
    #[serde(flatten)]
    pub malformed: Option<Malformed>,
}

/// Tokens a second, measured here with the given settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// Reading, in long batches.
    pub prefill: f64,
    /// Writing, one token at a time.
    pub decode: f64,
}

/// The program that the check steps through.
const PROGRAM: &str = "\
def f(x):
    y = x + 1
    return y

def main():
    return f(5)
";

/// Tokens read and written to measure speed.
const PREFILL: usize = 512;
const DECODE: usize = 64;

/// Finds out whether a model is usable.
pub fn doctor(source: &ModelSource, settings: &Settings) -> Report {
    let mut report = Report {
        model: None,
        tokens: Vec::new(),
        frame: None,
        speed: None,
        verdict: Verdict::NotUsable { reasons: Vec::new() },
    };
    match Model::load(source, settings) {
        Ok(model) => examine(&model, &mut report),
        Err(error) => report.verdict = Verdict::NotUsable { reasons: vec![error.to_string()] },
    }
    report
}

fn examine(model: &Model, report: &mut Report) {
    report.model = Some(model.info().clone());
    report.tokens = tokens(&**model.vocabulary());
    let mut reasons = Vec::new();
    let mut examined = Err(String::new());
    match model.dialect() {
        Err(error) => reasons.push(error.to_string()),
        Ok(dialect) => {
            let mut dialect = Some(dialect);
            let run = model.run(&mut |engine| {
                let Some(dialect) = dialect.take() else { return };
                let text = model.vocabulary().encode(PROGRAM);
                examined =
                    speed(engine, &text).map_err(|error| error.to_string()).and_then(|speed| {
                        let mut debugger = NeuralDebugger::new(engine, dialect);
                        frame(&mut debugger).map(|frame| (speed, frame))
                    });
            });
            reasons.extend(run.err().map(|error| error.to_string()));
        }
    }
    match examined {
        Ok((speed, frame)) => {
            report.speed = Some(speed);
            report.frame = Some(frame);
        }
        Err(reason) if !reason.is_empty() => reasons.push(reason),
        Err(_) => {}
    }
    report.verdict = match reasons.is_empty() {
        true => Verdict::Usable { warnings: warnings(model.info(), report.frame.as_ref()) },
        false => Verdict::NotUsable { reasons },
    };
}

fn tokens(vocabulary: &dyn Vocabulary) -> Vec<TokenCheck> {
    let found = |name| match vocabulary.control(name) {
        Some(_) => TokenKind::Control,
        None if vocabulary.encode(name).len() == 1 => TokenKind::Text,
        None => TokenKind::Missing,
    };
    NAMES.into_iter().map(|name| TokenCheck { name, found: found(name) }).collect()
}

fn warnings(info: &ModelInfo, frame: Option<&FrameCheck>) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(FrameCheck { legal: false, malformed: Some(malformed), .. }) = frame {
        let Malformed { raw, reason } = malformed;
        warnings.push(format!(
            "it wrote no legal frame for a small program: {reason}, in {raw:?}; expect most \
             predictions to be malformed"
        ));
    }
    if info.trained_context < 512 {
        warnings.push(format!(
            "its context of {} tokens holds only very small programs",
            Grouped(info.trained_context.into())
        ));
    }
    warnings
}

/// One step in the small program, from its first line, over the call.
fn frame(debugger: &mut NeuralDebugger<'_>) -> Result<FrameCheck, String> {
    let told = |error: super::NeuralError| error.to_string();
    let program = Program::from_text("doctor".to_owned(), PROGRAM).map_err(|e| e.to_string())?;
    let state = |event, line, depth, locals: Locals| State {
        event,
        source: program.line(line),
        locals,
        value: None,
        exception: None,
        position: Some(Position {
            function: "".into(),
            line,
            depth,
            activation: depth,
            unwinds: false,
        }),
    };
    let never = Interrupt::default();
    let x = || -> Locals { [("x", "5")].into_iter().collect() };
    debugger.begin(&program, &state(Event::Call, 5, 0, Locals::new()), &never).map_err(told)?;
    let way = [state(Event::Line, 6, 0, Locals::new()), state(Event::Call, 1, 1, x())];
    for truth in way {
        let truth = Stop::At(truth);
        debugger.follow(&Action::StepInto, &truth, Method::Scoring, &never).map_err(told)?;
    }
    let truth = state(Event::Line, 2, 1, x());
    let expected = State { position: None, ..truth.clone() };
    let prediction = debugger
        .follow(&Action::StepInto, &Stop::At(truth), Method::Scoring, &never)
        .map_err(told)?;
    Ok(match prediction.outcome {
        Predicted::Stop(stop) => {
            FrameCheck { legal: true, right: stop == Stop::At(expected), malformed: None }
        }
        Predicted::Malformed(malformed) => {
            FrameCheck { legal: false, right: false, malformed: Some(malformed) }
        }
    })
}

/// Measures on a text, repeated; the branch is empty again afterwards.
fn speed(engine: &mut dyn Engine, text: &[TokenId]) -> Result<Speed, EngineError> {
    let never = Interrupt::default();
    let mut text = text.iter().copied().cycle();
    let prefill: Vec<TokenId> = text.by_ref().take(PREFILL.min(engine.capacity() / 2)).collect();
    let decode = DECODE.min(engine.capacity() / 4);
    let mut timed = |ids: &[TokenId], wanted| -> Result<f64, EngineError> {
        let start = Instant::now();
        engine.append(Branch::MAIN, ids, wanted, &never, &mut |_| ())?;
        Ok(start.elapsed().as_secs_f64().max(1e-9))
    };
    let read = timed(&prefill, Wanted::Last)?;
    let mut written = 0.0;
    for id in text.take(decode) {
        written += timed(&[id], Wanted::Last)?;
    }
    engine.truncate(Branch::MAIN, 0)?;
    Ok(Speed { prefill: prefill.len() as f64 / read, decode: decode as f64 / written })
}
