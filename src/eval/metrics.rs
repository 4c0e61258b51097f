//! What a log says: shares of steps by action, field, construct and so on, with how sure they are.
//!
//! A log is read once, program by program; what is kept grows with programs and groups, not with
//! steps. Steps without a verdict count nowhere but in their own number. docs/metrics.md defines
//! every number, and says where it comes from.

mod by;
mod reasons;

use std::collections::BTreeMap;

pub use by::{By, Mean};
pub use reasons::Reasons;
use serde::Serialize;

use super::bins::{Skipped, depth, horizon};
use super::bootstrap::Estimate;
use super::calibration::{Answers, Calibration};
use super::jumps::{JumpSplit, jump_verdicts};
use super::ranking::{Forecasts, Ranking};
use super::record::{ProgramRecord, Status, StepRecord};
use super::reval::{Lines, incremental_consistency, state_is_right};
use super::samples;
use super::statistics::{Cluster, Share};

/// Longest name of an exception's class in a key, in characters: programs choose them.
const MAX_CLASS: usize = 80;

/// Everything that a log says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    shares: BTreeMap<(By, String), BTreeMap<usize, Cluster>>,
    means: BTreeMap<Mean, BTreeMap<usize, Cluster>>,
    answers: Answers,
    forecasts: Forecasts,
    /// Programs that were walked.
    pub programs: usize,
    /// Programs that could not be run: name and reason.
    pub refused: Vec<(String, String)>,
    /// Steps.
    pub steps: usize,
    /// Steps without a verdict, by reason.
    pub unjudged: Reasons,
    /// Malformed answers, by the rule that they break.
    pub malformed: Reasons,
    /// How runs really ended (`error (KeyError)`), and what the model said: an exit, `malformed`, or
    /// `goes on`.
    pub exits: BTreeMap<(String, String), usize>,
    /// Jumps against the steps that lead to the same place, by action.
    pub jumps: BTreeMap<String, JumpSplit>,
    /// How often the context was full and began anew.
    pub restarts: usize,
}

/// A line of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// How it was divided.
    pub by: By,
    /// Which part.
    pub key: String,
    /// Its share.
    #[serde(flatten)]
    pub share: Share,
}

impl Metrics {
    /// Takes in a program and its steps.
    pub fn add(&mut self, program: &ProgramRecord, steps: &[StepRecord]) {
        let (statements, forecast) = match &program.status {
            Status::Refused { reason } => {
                self.refused.push((program.id.clone(), reason.clone()));
                return;
            }
            Status::Done { statements, forecast, .. } => (statements, forecast),
        };
        let place = program.place;
        self.programs += 1;
        if let Some(forecast) = forecast {
            self.forecasts.add(place, forecast);
        }
        for step in steps {
            self.steps += 1;
            self.restarts += usize::from(step.restarted);
            match &step.unjudged {
                Some(why) => self.unjudged.add(why),
                None => self.judge(place, step),
            }
        }
        self.course(place, steps);
        for (jump, verdict) in jump_verdicts(steps) {
            self.count(place, By::Jumps, jump, verdict.is_consistent());
            self.jumps.entry(jump.to_owned()).or_default().add(verdict);
        }
        let forward: Vec<&StepRecord> =
            steps.iter().filter(|step| step.is_forward() && step.agree.is_some()).collect();
        if !forward.is_empty() {
            let lines = Lines::of(steps);
            self.add_to(place, By::Coverage, "", lines.coverage(statements));
            for score in incremental_consistency(&forward, &lines) {
                self.add_to(place, By::Incremental, "", Cluster { of: 1.0, count: score });
            }
        }
    }

    /// How far a program goes without a fault. Going back, a predecessor that works is none.
    fn course(&mut self, place: usize, steps: &[StepRecord]) {
        let verdicts: Vec<bool> = steps.iter().filter_map(StepRecord::is_good).collect();
        if verdicts.is_empty() {
            return;
        }
        let right = verdicts.iter().take_while(|is_right| **is_right).count();
        self.count(place, By::Programs, "", right == verdicts.len());
        let prefix = Cluster { of: verdicts.len() as f64, count: right as f64 };
        self.add_to(place, By::Prefix, "", prefix);
        if right < verdicts.len() {
            self.add_mean(place, Mean::FirstFault, (right + 1) as f64);
        }
        let runs = verdicts.split(|is_right| !is_right).map(<[bool]>::len);
        self.add_mean(place, Mean::LongestRun, runs.max().unwrap_or_default() as f64);
    }

    /// Takes in a step that has a verdict.
    fn judge(&mut self, place: usize, step: &StepRecord) {
        let agrees = step.agree == Some(true);
        // All but the exact match take what is good, as thresholds and comparisons do.
        let is_good = step.is_good() == Some(true);
        self.count(place, By::Steps, "", agrees);
        self.count(place, By::Action, step.action_name(), is_good);
        self.count(place, By::Event, &step.event, is_good);
        self.count(place, By::Depth, depth(step.depth), is_good);
        self.count(place, By::Format, "", step.malformed.is_none());
        if let Some(passed) = step.horizon {
            self.count(place, By::Horizon, horizon(passed), is_good);
        }
        for construct in &step.constructs {
            self.count(place, By::Construct, construct.name(), is_good);
        }
        if let Some(malformed) = &step.malformed {
            self.malformed.add(reasons::rule(&malformed.reason));
        }
        if let Some(bits) = step.bits {
            self.add_mean(place, Mean::Bits, bits);
        }
        if let Some(confidence) = step.confidence {
            self.answers.add(place, confidence, agrees);
        }
        let skipped = Skipped::of(step);
        if let Some(skipped) = &skipped {
            self.count(place, By::Skipped, &skipped.key(step.action_name()), is_good);
        }
        self.samples(place, step, skipped);
        self.fields(place, step);
        match &step.predecessor {
            Some(predecessor) => {
                self.count(place, By::Predecessor, &predecessor.verdict, true);
                self.count(place, By::Works, "", samples::works(&predecessor.verdict));
            }
            None => {
                self.reval(place, step);
                self.exit(place, step);
            }
        }
    }

    fn exit(&mut self, place: usize, step: &StepRecord) {
        if step.exit.is_none() && step.predicted_exit.is_none() {
            return;
        }
        let said = match (&step.predicted_exit, &step.malformed) {
            (Some(exit), _) => exit.as_str(),
            (None, Some(_)) => "malformed",
            (None, None) => "goes on",
        };
        let really = match (&step.exit, &step.error) {
            (Some(exit), Some(class)) => format!("{exit} ({class:.MAX_CLASS$})"),
            (Some(exit), None) => exit.clone(),
            (None, _) => "goes on".to_owned(),
        };
        // Steps at which the run goes on are here only if the model says otherwise: no share.
        if step.exit.is_some() {
            self.count(place, By::Exit, &really, step.agree == Some(true));
        }
        *self.exits.entry((really, said.to_owned())).or_default() += 1;
    }

    fn samples(&mut self, place: usize, step: &StepRecord, skipped: Option<Skipped>) {
        if step.samples.is_empty() {
            return;
        }
        let found = samples::Tally::of(&step.samples);
        self.add_mean(place, Mean::DistinctSamples, found.distinct as f64);
        for k in samples::sizes(found.of) {
            let key = format!("k = {k:>3}");
            let share = |works| Cluster { of: 1.0, count: samples::pass_at(found.of, works, k) };
            self.add_to(place, By::ExactAt, &key, share(found.agree));
            if let Some(skipped) = &skipped {
                let key = format!("{} at {key}", skipped.key(step.action_name()));
                self.add_to(place, By::SkippedAt, &key, share(found.works.unwrap_or(found.agree)));
            }
            if let Some(works) = found.works {
                self.add_to(place, By::WorksAt, &key, share(works));
            }
        }
        // Where many answers are right, there is no one true one to compare with.
        if let (Some(brier), None) = (found.brier(), &step.predecessor) {
            self.add_mean(place, Mean::TwoSampleBrier, brier);
        }
    }

    fn fields(&mut self, place: usize, step: &StepRecord) {
        let (mut real, mut right) = (0usize, 0usize);
        let mut named = 0usize;
        for field in &step.fields {
            let is_right = step.is_right(&field.field);
            let is_local = field.field.starts_with("locals.");
            let kind = if is_local { "locals" } else { &field.field };
            self.count(place, By::Field, kind, is_right);
            if let Some(of) = field.of {
                self.count(place, By::Type, of.name(), is_right);
            }
            if is_local {
                let changed = if field.changed { "changed" } else { "unchanged" };
                self.count(place, By::Change, changed, is_right);
                real += 1;
                right += usize::from(is_right);
                let is_missing =
                    |kind: &str| step.diff.iter().any(|d| d.field == field.field && d.kind == kind);
                named += usize::from(is_right || is_missing("changed"));
            }
        }
        let extra = step
            .diff
            .iter()
            .filter(|d| d.kind == "extra" && d.field.starts_with("locals."))
            .count();
        if real + extra > 0 {
            // A changed value is one pair on each side.
            let pairs = real + extra + (named - right);
            self.add_mean(place, Mean::JaccardNames, named as f64 / (real + extra) as f64);
            self.add_mean(place, Mean::JaccardPairs, right as f64 / pairs as f64);
        }
    }

    /// What REval asks (arXiv 2403.16437), read off the steps.
    fn reval(&mut self, place: usize, step: &StepRecord) {
        if step.exit.is_none() {
            self.count(place, By::Path, "", step.is_right("source"));
        }
        if step.event == "line" {
            self.count(place, By::State, "", state_is_right(step));
        }
        if step.event == "return" && step.depth == 0 {
            self.count(place, By::Output, "", step.is_right("value"));
        }
    }

    fn count(&mut self, place: usize, by: By, key: &str, is_so: bool) {
        let count = f64::from(u8::from(is_so));
        self.add_to(place, by, key, Cluster { of: 1.0, count });
    }

    fn add_to(&mut self, place: usize, by: By, key: &str, more: Cluster) {
        let known = self.shares.get_mut(&(by, key.to_owned()));
        let programs = match known {
            Some(programs) => programs,
            None => self.shares.entry((by, key.to_owned())).or_default(),
        };
        programs.entry(place).or_default().add(more);
    }

    fn add_mean(&mut self, place: usize, mean: Mean, value: f64) {
        let programs = self.means.entry(mean).or_default();
        programs.entry(place).or_default().add(Cluster { of: 1.0, count: value });
    }

    /// A share; none if nothing was counted.
    pub fn share(&self, by: By, key: &str) -> Option<Share> {
        Share::of(self.shares.get(&(by, key.to_owned()))?.values().copied())
    }

    /// All shares, in a fixed order.
    pub fn rows(&self) -> Vec<Row> {
        let row = |((by, key), programs): (&(By, String), &BTreeMap<usize, Cluster>)| {
            let share = match by {
                // Each is a program's share among all verdicts, not right or wrong by itself.
                By::Predecessor => self.among(By::Works, programs),
                _ => Share::of(programs.values().copied()),
            }?;
            Some(Row { by: *by, key: key.clone(), share })
        };
        self.shares.iter().filter_map(row).collect()
    }

    /// The share of what was counted here in all that was counted there.
    fn among(&self, whole: By, part: &BTreeMap<usize, Cluster>) -> Option<Share> {
        let whole = self.shares.get(&(whole, String::new()))?;
        Share::of(whole.iter().map(|(place, all)| {
            let count = part.get(place).map_or(0.0, |part| part.count);
            Cluster { of: all.of, count }
        }))
    }

    /// A mean, with a bootstrap's interval; none if nothing was counted.
    pub fn mean(&self, mean: Mean) -> Option<Estimate> {
        Estimate::mean(self.means.get(&mean)?.values().copied())
    }

    /// How confident the model is and how right; none if no step tells.
    pub fn calibration(&self) -> Option<Calibration> {
        self.answers.calibration()
    }

    /// How well what the model foretells orders programs by whether they fail; none if it was not
    /// asked.
    pub fn ranking(&self) -> Option<Ranking> {
        self.forecasts.ranking()
    }
}

#[cfg(test)]
mod tests;
