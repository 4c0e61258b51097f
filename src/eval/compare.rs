//! Two logs over the same steps, set side by side.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use serde::Serialize;

use super::log::{self, LogError};
use super::recipe::Recipe;
use super::record::StepRecord;
use super::statistics::{Flips, PairedDifference};

/// Most steps with differing verdicts that are listed.
pub const MAX_FLIPS: usize = 1_000;

/// Two logs compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What made the first log.
    pub first: Recipe,
    /// What made the second.
    pub second: Recipe,
    /// The difference over the steps that both have; none if there are none.
    pub difference: Option<PairedDifference>,
    /// The same by action, for the steps of each.
    pub by_action: BTreeMap<String, PairedDifference>,
    /// What it takes to see a gap that was asked about.
    pub power: Option<Power>,
    /// Steps that only one of the logs has, or that have no verdict in one.
    pub unpaired: usize,
    /// Steps with differing verdicts, the first of them.
    pub flips: Vec<Flip>,
    /// How many there are in all.
    pub flipped: usize,
}

/// How many programs like these it takes to see a gap 8 times in 10.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Power {
    /// The gap between two shares of right steps.
    pub gap: f64,
    /// How many programs; none if these programs give no spread to tell it from.
    pub programs: Option<u64>,
}

/// A step that one got right and the other wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flip {
    /// The program.
    pub program: String,
    /// The step's number.
    pub step: usize,
    /// The action.
    pub action: String,
    /// The line it was taken from.
    pub line: u32,
    /// Whether the second got it right.
    pub better: bool,
    /// The fields that the wrong one got wrong.
    pub fields: Vec<String>,
}

/// What is kept of a step of the first log until the second is read.
struct Kept {
    from: usize,
    action: Rc<str>,
    is_good: Option<bool>,
    /// The fields that are wrong, if it isn't good.
    wrong: Box<[Rc<str>]>,
}

/// The texts of what is kept, each once.
#[derive(Default)]
struct Texts(HashSet<Rc<str>>);

impl Texts {
    fn one(&mut self, text: &str) -> Rc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let new: Rc<str> = text.into();
        self.0.insert(new.clone());
        new
    }

    fn kept(&mut self, step: &StepRecord) -> Kept {
        let is_good = step.is_good();
        let wrong = if is_good == Some(false) { wrong_fields(step) } else { Vec::new() };
        Kept {
            from: step.from,
            action: self.one(&step.action),
            is_good,
            wrong: wrong.into_iter().map(|field| self.one(field)).collect(),
        }
    }
}

/// The fields that a wrong step has wrong.
fn wrong_fields(step: &StepRecord) -> Vec<&str> {
    match &step.malformed {
        Some(_) => vec!["malformed"],
        None => step.diff.iter().map(|difference| difference.field.as_str()).collect(),
    }
}

/// Why logs can't be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// One of them can't be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// They hold other steps.
    #[error("the logs can't be compared step by step: they differ in {}", .0.join(", "))]
    Steps(Vec<String>),
}

/// What may differ between logs that are compared: who predicted, and how; what was asked beside
/// the steps; and the build, since a run that it records otherwise shows as steps without a partner.
const MAY_DIFFER: [&str; 16] = [
    "tool",
    "tool_sha256",
    "python_sha256",
    "model.name",
    "model.decoding",
    "model.sha256",
    "model.tokenizer_sha256",
    "model.dialect",
    "model.dialect_sha256",
    "model.context",
    "method",
    "forecast",
    "sampling",
    "sampling.samples",
    "sampling.temperature",
    "sampling.top_p",
];

/// Compares two logs, which must hold the same steps of the same programs.
pub fn compare(first: &Path, second: &Path) -> Result<Comparison, CompareError> {
    let (one, reader) = log::open(first)?;
    let (other, others) = log::open(second)?;
    let differs = one.recipe.differs_from(&other.recipe);
    let differs: Vec<String> =
        differs.into_iter().filter(|name| !MAY_DIFFER.contains(&name.as_str())).collect();
    if !differs.is_empty() {
        return Err(CompareError::Steps(differs));
    }
    let (mut programs, mut texts) = (BTreeMap::new(), Texts::default());
    reader.each_program(|program, steps| {
        let kept: Vec<Kept> = steps.iter().map(|step| texts.kept(step)).collect();
        programs.insert(program.place, kept);
    })?;
    let mut found = Comparison {
        first: one.recipe,
        second: other.recipe,
        difference: None,
        by_action: BTreeMap::new(),
        power: None,
        unpaired: 0,
        flips: Vec::new(),
        flipped: 0,
    };
    let mut clusters = Vec::new();
    let mut by_action: BTreeMap<String, Vec<Flips>> = BTreeMap::new();
    others.each_program(|program, steps| {
        let firsts = programs.remove(&program.place).unwrap_or_default();
        let mut whole = Flips::default();
        for (action, flips) in found.add(&program.id, &firsts, &steps) {
            whole.join(flips);
            by_action.entry(action).or_default().push(flips);
        }
        clusters.push(whole);
    })?;
    found.unpaired += programs.values().map(Vec::len).sum::<usize>();
    found.difference = PairedDifference::of(&clusters);
    let differences = by_action
        .into_iter()
        .filter_map(|(action, programs)| Some((action, PairedDifference::of(&programs)?)));
    found.by_action = differences.collect();
    Ok(found)
}

impl Comparison {
    /// Asks how many programs it takes to see a gap of this size.
    pub fn ask_power(&mut self, gap: f64) {
        let programs = self.difference.and_then(|difference| difference.needed_for(gap));
        self.power = Some(Power { gap, programs });
    }

    /// Takes in a program's steps of both logs; how their verdicts go together, by action.
    fn add(
        &mut self,
        id: &str,
        firsts: &[Kept],
        seconds: &[StepRecord],
    ) -> BTreeMap<String, Flips> {
        let mut flips: BTreeMap<String, Flips> = BTreeMap::new();
        for (first, second) in firsts.iter().zip(seconds) {
            let same = (first.from, &*first.action) == (second.from, second.action.as_str());
            let (true, Some(one), Some(other)) = (same, first.is_good, second.is_good()) else {
                self.unpaired += 1;
                continue;
            };
            flips.entry(second.action_name().to_owned()).or_default().add(one, other);
            if one == other {
                continue;
            }
            self.flipped += 1;
            if self.flips.len() < MAX_FLIPS {
                let fields: Vec<&str> = match one {
                    true => wrong_fields(second),
                    false => first.wrong.iter().map(|field| &**field).collect(),
                };
                self.flips.push(Flip {
                    program: id.to_owned(),
                    step: second.step,
                    action: second.action.clone(),
                    line: second.line,
                    better: other,
                    fields: fields.into_iter().map(str::to_owned).collect(),
                });
            }
        }
        self.unpaired += firsts.len().abs_diff(seconds.len());
        flips
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{log, step};

    fn compared(first: &[(usize, &[bool])], second: &[(usize, &[bool])]) -> Comparison {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, programs| {
            let path = folder.path().join(name);
            std::fs::write(&path, log(programs)).unwrap();
            path
        };
        compare(&write("a", first), &write("b", second)).unwrap()
    }

    #[test]
    fn steps_are_paired_and_flips_listed() {
        let first: [(usize, &[bool]); 2] = [(0, &[true, false]), (1, &[true, true])];
        let second: [(usize, &[bool]); 2] = [(0, &[true, true]), (1, &[true, true, true])];
        let found = compared(&first, &second);
        let difference = found.difference.unwrap();
        assert_eq!((difference.of, difference.difference), (4.0, 0.25));
        assert_eq!((found.unpaired, found.flipped), (1, 1));
        assert_eq!((found.flips[0].program.as_str(), found.flips[0].step), ("p0", 2));
        assert!(found.flips[0].better && difference.is_noise());
        assert_eq!(found.by_action["step_into"], difference);
    }

    #[test]
    fn what_was_wrong_is_told_of_either_log() {
        let found = compared(&[(0, &[true, false])], &[(0, &[false, true])]);
        let told: Vec<_> = found.flips.iter().map(|f| (f.step, f.better, &*f.fields)).collect();
        let source = ["source".to_owned()];
        assert_eq!(told, [(1, false, &source[..]), (2, true, &source[..])]);
    }

    /// A step as the log holds it takes hundreds of bytes. Of a log of a million steps this is kept.
    #[test]
    fn little_is_kept_of_a_step() {
        let mut texts = Texts::default();
        let kept = [step(0, 1, true), step(0, 2, false)].map(|step| texts.kept(&step));
        assert!(Rc::ptr_eq(&kept[0].action, &kept[1].action));
        assert_eq!((kept[0].wrong.len(), kept[1].wrong.len()), (0, 1));
        assert!(size_of::<Kept>() <= 48);
    }

    #[test]
    fn a_gap_that_no_spread_tells_of_is_asked_for_in_vain() {
        let mut found = compared(&[(0, &[true]), (1, &[true])], &[(0, &[false]), (1, &[false])]);
        found.ask_power(0.07);
        assert_eq!(found.power, Some(Power { gap: 0.07, programs: None }));
        let difference = found.difference.unwrap();
        assert_eq!((difference.interval, difference.mcnemar), (None, 0.5));
    }

    #[test]
    fn a_log_does_not_differ_from_itself() {
        let programs: [(usize, &[bool]); 2] = [(0, &[true, false]), (1, &[false])];
        let found = compared(&programs, &programs);
        assert_eq!(found.difference.unwrap().difference, 0.0);
        assert_eq!((found.unpaired, found.flipped), (0, 0));
    }
}
