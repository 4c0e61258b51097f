//! What a log says: shares of steps by action, field, construct and so on, with how sure they are.
//!
//! A log is read once, program by program; what is kept grows with programs and groups, not with
//! steps. Steps without a verdict count nowhere but in their own number.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::record::{ProgramRecord, Status, StepRecord};
use super::statistics::{Cluster, Share};

/// A way to divide what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// All steps: every field is right.
    Steps,
    /// Steps by action.
    Action,
    /// Steps by the constructs of the line from which they were taken; a line has several.
    Construct,
    /// Steps by the depth of the frame from which they were taken.
    Depth,
    /// Steps by how many states they pass.
    Horizon,
    /// Steps by what really came: an event, or the exit.
    Event,
    /// Fields by their kind.
    Field,
    /// Variables and values by their type.
    Type,
    /// Variables that changed, and those that did not.
    Change,
    /// Answers that are a state or an exit.
    Format,
    /// Of a program's lines that run or are said to run, those that do both (REval: coverage).
    Coverage,
    /// Next lines (REval: path).
    Path,
    /// Variables after a line (REval: state).
    State,
    /// Returned values of the entry (REval: output).
    Output,
    /// Programs of which every step is right.
    Programs,
    /// Of a program's steps, those before the first wrong one.
    Prefix,
}

impl By {
    /// The heading of its group in reports.
    pub fn title(self) -> &'static str {
        match self {
            By::Steps => "steps",
            By::Action => "by action",
            By::Construct => "by construct of the line",
            By::Depth => "by call depth",
            By::Horizon => "by states passed",
            By::Event => "by what came",
            By::Field => "by field",
            By::Type => "by type of the value",
            By::Change => "by whether the variable changed",
            By::Format => "well-formed answers",
            By::Coverage => "coverage",
            By::Path => "next line",
            By::State => "variables after a line",
            By::Output => "value of the entry",
            By::Programs => "programs without a fault",
            By::Prefix => "steps before the first fault",
        }
    }
}

/// Everything that a log says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    shares: BTreeMap<(By, String), BTreeMap<usize, Cluster>>,
    /// Programs that were walked.
    pub programs: usize,
    /// Programs that could not be run: name and reason.
    pub refused: Vec<(String, String)>,
    /// Steps.
    pub steps: usize,
    /// Steps without a verdict, by reason.
    pub unjudged: BTreeMap<String, usize>,
    /// Malformed answers, by reason.
    pub malformed: BTreeMap<String, usize>,
    /// How runs really ended, and what the model said: an exit, `malformed`, or `goes on`.
    pub exits: BTreeMap<(String, String), usize>,
    /// Surprise of what really came, in bits, and of how many steps.
    pub bits: (f64, usize),
    /// Names of variables, Jaccard's index summed up, and over how many steps.
    pub names: (f64, usize),
    /// Names with their values, likewise.
    pub pairs: (f64, usize),
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
        let statements = match &program.status {
            Status::Refused { reason } => {
                self.refused.push((program.id.clone(), reason.clone()));
                return;
            }
            Status::Done { statements, .. } => statements,
        };
        self.programs += 1;
        let mut lines = Lines::default();
        let judged: Vec<&StepRecord> = steps.iter().filter(|step| step.agree.is_some()).collect();
        for step in steps {
            self.steps += 1;
            self.restarts += usize::from(step.restarted);
            match &step.unjudged {
                Some(why) => *self.unjudged.entry(why.clone()).or_default() += 1,
                None => self.judge(program.place, step),
            }
            lines.add(step);
        }
        if judged.is_empty() {
            return;
        }
        let right = judged.iter().take_while(|step| step.agree == Some(true)).count();
        self.count(program.place, By::Programs, "", right == judged.len());
        let prefix = Cluster { of: judged.len() as f64, count: right as f64 };
        self.add_to(program.place, By::Prefix, "", prefix);
        let covered = statements.iter().filter(|line| lines.both(**line)).count();
        let of = statements.iter().filter(|line| lines.either(**line)).count();
        let coverage = Cluster { of: of as f64, count: covered as f64 };
        self.add_to(program.place, By::Coverage, "", coverage);
    }

    /// Takes in a step that has a verdict.
    fn judge(&mut self, place: usize, step: &StepRecord) {
        let agrees = step.agree == Some(true);
        self.count(place, By::Steps, "", agrees);
        self.count(place, By::Action, step.action_name(), agrees);
        self.count(place, By::Event, &step.event, agrees);
        self.count(place, By::Depth, depth(step.depth), agrees);
        self.count(place, By::Format, "", step.malformed.is_none());
        if let Some(horizon) = step.horizon {
            self.count(place, By::Horizon, horizon_bin(horizon), agrees);
        }
        for construct in &step.constructs {
            self.count(place, By::Construct, construct.name(), agrees);
        }
        if let Some(malformed) = &step.malformed {
            *self.malformed.entry(malformed.reason.clone()).or_default() += 1;
        }
        if let Some(bits) = step.bits {
            self.bits.0 += bits;
            self.bits.1 += 1;
        }
        self.fields(place, step);
        self.reval(place, step);
        let said = match (&step.predicted_exit, &step.malformed) {
            (Some(exit), _) => exit.as_str(),
            (None, Some(_)) => "malformed",
            (None, None) => "goes on",
        };
        let really = step.exit.as_deref().unwrap_or("goes on");
        if step.exit.is_some() || step.predicted_exit.is_some() {
            *self.exits.entry((really.to_owned(), said.to_owned())).or_default() += 1;
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
            self.names.0 += named as f64 / (real + extra) as f64;
            self.names.1 += 1;
            self.pairs.0 += right as f64 / pairs as f64;
            self.pairs.1 += 1;
        }
    }

    /// What REval asks (arXiv 2403.16437), read off the steps.
    fn reval(&mut self, place: usize, step: &StepRecord) {
        if step.exit.is_none() {
            self.count(place, By::Path, "", step.is_right("source"));
        }
        if step.event == "line" {
            let mut locals = step.fields.iter().filter(|f| f.field.starts_with("locals."));
            let all = locals.all(|field| step.is_right(&field.field));
            let extra = step.diff.iter().any(|d| d.field.starts_with("locals."));
            let is_told = step.malformed.is_none() && step.predicted_exit.is_none();
            self.count(place, By::State, "", all && !extra && is_told);
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
        let cluster = programs.entry(place).or_default();
        cluster.of += more.of;
        cluster.count += more.count;
    }

    /// A share; none if nothing was counted.
    pub fn share(&self, by: By, key: &str) -> Option<Share> {
        Share::of(self.shares.get(&(by, key.to_owned()))?.values().copied())
    }

    /// All shares, in a fixed order.
    pub fn rows(&self) -> Vec<Row> {
        let row = |((by, key), programs): (&(By, String), &BTreeMap<usize, Cluster>)| {
            let share = Share::of(programs.values().copied())?;
            Some(Row { by: *by, key: key.clone(), share })
        };
        self.shares.iter().filter_map(row).collect()
    }

    /// Bits a step; none if none was scored.
    pub fn mean_bits(&self) -> Option<f64> {
        mean(self.bits)
    }

    /// Jaccard's index of the variables' names, mean over steps that have variables.
    pub fn mean_names(&self) -> Option<f64> {
        mean(self.names)
    }

    /// Jaccard's index of names with values, mean over steps that have variables.
    pub fn mean_pairs(&self) -> Option<f64> {
        mean(self.pairs)
    }
}

fn mean((sum, count): (f64, usize)) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// The lines that run, and those that are said to run.
#[derive(Default)]
struct Lines {
    real: BTreeSet<u32>,
    predicted: BTreeSet<u32>,
}

impl Lines {
    fn add(&mut self, step: &StepRecord) {
        self.real.extend(step.to_line);
        // A text that stands on several lines is said of the right one, if that is among them.
        let same = (step.is_right("source")).then_some(step.to_line).flatten();
        self.predicted.extend(step.predicted_line.or(same));
    }

    fn both(&self, line: u32) -> bool {
        self.real.contains(&line) && self.predicted.contains(&line)
    }

    fn either(&self, line: u32) -> bool {
        self.real.contains(&line) || self.predicted.contains(&line)
    }
}

/// Depths that are counted together.
fn depth(depth: u32) -> &'static str {
    match depth {
        0 => "0",
        1 => "1",
        2 => "2",
        3..=4 => "3 to 4",
        5..=8 => "5 to 8",
        _ => "9 and more",
    }
}

/// Horizons that are counted together; the names sort as the numbers do.
fn horizon_bin(horizon: usize) -> &'static str {
    match horizon {
        0..=1 => "  1",
        2 => "  2",
        3..=4 => "  3 to 4",
        5..=8 => "  5 to 8",
        9..=16 => "  9 to 16",
        17..=32 => " 17 to 32",
        33..=64 => " 33 to 64",
        65..=128 => " 65 to 128",
        _ => "129 and more",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{program, step};
    use crate::eval::record::{DifferenceRecord, FieldRecord, MalformedRecord};
    use crate::eval::value_type::ValueType;

    fn local(name: &str, of: ValueType, changed: bool) -> FieldRecord {
        FieldRecord { field: format!("locals.{name}"), of: Some(of), changed }
    }

    fn difference(field: &str, kind: &str) -> DifferenceRecord {
        let text = |is_there: bool| is_there.then(|| "x".to_owned());
        DifferenceRecord {
            field: field.into(),
            kind: kind.into(),
            real: text(kind != "extra"),
            predicted: text(kind != "missing"),
        }
    }

    fn metrics(programs: &[Vec<StepRecord>]) -> Metrics {
        let mut metrics = Metrics::default();
        for (place, steps) in programs.iter().enumerate() {
            metrics.add(&program(place, steps.len()), steps);
        }
        metrics
    }

    #[test]
    fn steps_programs_and_prefixes() {
        let verdicts = |place: usize, verdicts: &[bool]| {
            verdicts.iter().enumerate().map(|(n, v)| step(place, n + 1, *v)).collect::<Vec<_>>()
        };
        let metrics = metrics(&[
            verdicts(0, &[true, true]),
            verdicts(1, &[true, false, true, true]),
            verdicts(2, &[false]),
        ]);
        let share = |by| metrics.share(by, "").unwrap().share;
        assert!((share(By::Steps) - 5.0 / 7.0).abs() < 1e-12);
        assert!((share(By::Programs) - 1.0 / 3.0).abs() < 1e-12);
        assert!((share(By::Prefix) - 3.0 / 7.0).abs() < 1e-12);
        assert_eq!(share(By::Format), 1.0);
        assert_eq!(metrics.mean_bits(), Some(1.0));
    }

    #[test]
    fn fields_types_and_changes() {
        let mut one = step(0, 1, false);
        one.fields.extend([
            local("n", ValueType::Int, true),
            local("xs", ValueType::List, false),
            local("s", ValueType::Str, false),
        ]);
        one.diff = vec![
            difference("locals.n", "changed"),
            difference("locals.s", "missing"),
            difference("locals.z", "extra"),
        ];
        let metrics = metrics(&[vec![one]]);
        let share = |by, key| metrics.share(by, key).map(|share| share.share);
        assert_eq!(share(By::Field, "source"), Some(1.0));
        assert_eq!(share(By::Field, "locals"), Some(1.0 / 3.0));
        assert_eq!(share(By::Type, "int"), Some(0.0));
        assert_eq!(share(By::Type, "list"), Some(1.0));
        assert_eq!(share(By::Change, "unchanged"), Some(0.5));
        // Names: n and xs of n, xs, s and z. Pairs: xs alone, of n twice, xs, s and z.
        assert_eq!(metrics.mean_names(), Some(0.5));
        assert_eq!(metrics.mean_pairs(), Some(0.2));
        assert_eq!(share(By::State, ""), Some(0.0));
    }

    #[test]
    fn a_malformed_answer_has_nothing_right() {
        let mut bad = step(0, 1, false);
        bad.diff = Vec::new();
        bad.predicted_line = None;
        bad.malformed = Some(MalformedRecord { reason: "no event".into(), raw: String::new() });
        let metrics = metrics(&[vec![bad]]);
        assert_eq!(metrics.share(By::Format, "").unwrap().share, 0.0);
        assert_eq!(metrics.share(By::Field, "event").unwrap().share, 0.0);
        assert_eq!(metrics.share(By::Path, "").unwrap().share, 0.0);
        assert_eq!(metrics.malformed.get("no event"), Some(&1));
    }

    #[test]
    fn another_event_leaves_variables_unsaid() {
        let mut other = step(0, 1, false);
        other.fields.push(local("n", ValueType::Int, false));
        other.diff = vec![difference("event", "changed")];
        let metrics = metrics(&[vec![other]]);
        assert_eq!(metrics.share(By::Field, "locals").unwrap().share, 0.0);
        assert_eq!(metrics.share(By::Field, "source").unwrap().share, 1.0);
    }

    #[test]
    fn what_has_no_verdict_counts_nowhere() {
        let mut none = step(0, 1, true);
        (none.agree, none.unjudged) = (None, Some("no model".into()));
        let metrics = metrics(&[vec![none]]);
        assert_eq!(metrics.share(By::Steps, ""), None);
        assert_eq!((metrics.steps, metrics.unjudged.get("no model")), (1, Some(&1)));
    }

    #[test]
    fn exits_are_set_against_what_was_said() {
        let exit = |really: Option<&str>, said: Option<&str>| {
            let mut step = step(0, 1, really == said);
            step.exit = really.map(str::to_owned);
            step.predicted_exit = said.map(str::to_owned);
            step
        };
        let metrics = metrics(&[vec![
            exit(Some("normal"), Some("normal")),
            exit(Some("error"), Some("normal")),
            exit(None, Some("never")),
            exit(Some("error"), None),
            exit(None, None),
        ]]);
        let count = |really: &str, said: &str| {
            metrics.exits.get(&(really.to_owned(), said.to_owned())).copied()
        };
        assert_eq!(count("normal", "normal"), Some(1));
        assert_eq!(count("error", "normal"), Some(1));
        assert_eq!(count("goes on", "never"), Some(1));
        assert_eq!(count("error", "goes on"), Some(1));
        assert_eq!(metrics.exits.len(), 4);
    }
}
