//! The end of a program in a log, and what a model foretold of it.

use serde::{Deserialize, Serialize};

use crate::eval::number::rounded;
use crate::neural::Exits;
use crate::state::Exit;

/// The end of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// Its place in the corpus, from 0.
    pub place: usize,
    /// By which it is known.
    pub id: String,
    /// How its evaluation ended.
    #[serde(flatten)]
    pub status: Status,
}

impl ProgramRecord {
    /// Steps taken.
    pub fn steps(&self) -> usize {
        match self.status {
            Status::Done { steps, .. } => steps,
            Status::Refused { .. } => 0,
        }
    }
}

/// How the evaluation of a program ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Status {
    /// It was walked.
    Done {
        /// Steps taken.
        steps: usize,
        /// How the real run ended, if the steps came there.
        exit: Option<String>,
        /// Lines that hold a statement.
        statements: Vec<u32>,
        /// What the model foretold from the first state, if it was asked.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        forecast: Option<ForecastRecord>,
    },
    /// It can't be run, and why; there are no steps.
    Refused {
        /// Why.
        reason: String,
    },
}

/// How a run ends by the model's word, asked from the first state, and how it really ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForecastRecord {
    /// The probability that the model gives to the exit `normal`.
    pub normal: f64,
    /// To the exit `error`.
    pub error: f64,
    /// To the exit `never`.
    pub never: f64,
    /// How it really ends: `normal`, `error`, `never` or `stopped`.
    pub exit: String,
    /// The class of the exception that ended it, if one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<String>,
}

impl ForecastRecord {
    /// What a model said, and how the run really ends. None if what it said is no number: JSON has no
    /// word for that, and the log could not be read again.
    pub fn of(said: Exits, real: &Exit) -> Option<Self> {
        let Exits { normal, error, never } = said;
        if ![normal, error, never].iter().all(|probability| probability.is_finite()) {
            return None;
        }
        Some(ForecastRecord {
            normal: rounded(normal),
            error: rounded(error),
            never: rounded(never),
            exit: real.kind.name().to_owned(),
            class: real.exception.as_ref().map(|raised| raised.class.to_string()),
        })
    }

    /// Whether the run fails: it ends in an error, or never. None if Lockstep stopped it.
    pub fn fails(&self) -> Option<bool> {
        match self.exit.as_str() {
            "normal" => Some(false),
            "error" | "never" => Some(true),
            _ => None,
        }
    }

    /// The probability that it fails, given that the model names an exit.
    pub fn failure(&self) -> f64 {
        let failing = self.error + self.never;
        let all = self.normal + failing;
        if all > 0.0 { failing / all } else { 0.0 }
    }

    /// The likeliest exit by the model's word; of equals, the first.
    pub fn likeliest(&self) -> &'static str {
        if self.normal >= self.error.max(self.never) {
            return "normal";
        }
        if self.error >= self.never { "error" } else { "never" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::ExitKind;

    #[test]
    fn a_forecast_that_is_no_number_is_dropped() {
        let said = Exits { normal: 0.75, error: 0.25, never: 0.0 };
        let end = Exit::plain(ExitKind::Normal);
        let told = ForecastRecord::of(said, &end).unwrap();
        assert_eq!((told.normal, told.exit.as_str(), told.fails()), (0.75, "normal", Some(false)));
        for number in [f64::NAN, f64::INFINITY] {
            assert_eq!(ForecastRecord::of(Exits { error: number, ..said }, &end), None);
        }
    }
}
