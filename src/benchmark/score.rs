//! Stored generations, scored twice: by the rule of the published harnesses, so that figures can be
//! compared with those in papers, and by what the text is worth as a value.
//!
//! The published rule (CruxEval, LiveCodeBench) writes the generation behind `assert OUTPUT ==` and
//! counts it as right if the statement raises nothing. An output that holds the call itself, and an
//! input without a call, are rejected unrun. That rule takes any expression, so `1, 0` is right
//! where 1 is, as the assertion's message, and so is an object that equals everything.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use serde::Serialize;
use serde_json::json;

use super::check::{Checker, Ran, Worth};
use super::generations::{Generations, Stored};
use super::item::{Benchmark, Item};
use super::pass::{Count, Pass, pass};
use super::task::Task;
use crate::python::{Limits, PythonError};

/// What the published rule says of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Published {
    /// The assertion raised nothing.
    Passed,
    /// The assertion failed.
    Failed,
    /// Rejected unrun.
    Rejected,
    /// Something else was raised.
    Raised(String),
    /// A limit was met.
    Stopped(String),
}

impl Published {
    /// The word for it in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Published::Passed => "passed",
            Published::Failed => "failed",
            Published::Rejected => "rejected",
            Published::Raised(_) => "raised",
            Published::Stopped(_) => "stopped",
        }
    }
}

/// What is thought of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// By the published rule.
    pub published: Published,
    /// As a value.
    pub worth: Worth,
    /// Its text is the file's.
    pub exact: bool,
}

/// What came of scoring.
#[derive(Debug, Default)]
pub struct Scored {
    /// What is thought of the generations of each item, by its place.
    pub verdicts: BTreeMap<usize, Vec<Verdict>>,
    /// The items that could not be checked, by their places, and why.
    pub failed: BTreeMap<usize, PythonError>,
}

/// How generations are scored.
#[derive(Clone, Debug)]
pub struct Scorer {
    /// What was asked.
    pub task: Task,
    /// The limits of each check.
    pub limits: Limits,
    /// How many checks run at a time.
    pub jobs: usize,
    /// The executable that checks run in; by default this one.
    pub executable: Option<PathBuf>,
}

impl Scorer {
    /// Scores the generations of each item that has some. `done` is told after each item; none if
    /// `stop` was set meanwhile. An item that can't be checked doesn't keep the others from it.
    pub fn score(
        &self,
        benchmark: &Benchmark,
        generations: &Generations,
        stop: &AtomicBool,
        mut done: impl FnMut(),
    ) -> Option<Scored> {
        let items = benchmark.items();
        let next = AtomicUsize::new(0);
        let (results, inbox) = mpsc::channel();
        let worker = |results: mpsc::Sender<_>| {
            let mut checker = Checker::new(self.limits, self.executable.clone());
            while !stop.load(Ordering::Acquire) {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(place) else { return };
                let Some(stored) = generations.of(place) else { continue };
                let scored = self.item(&mut checker, item, stored);
                // Whoever waits for it is there until all workers have ended.
                let _ = results.send((place, scored));
            }
        };
        let mut all = Scored::default();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                let results = results.clone();
                scope.spawn(|| worker(results));
            }
            drop(results);
            for (place, scored) in inbox {
                match scored {
                    Ok(verdicts) => drop(all.verdicts.insert(place, verdicts)),
                    Err(error) => drop(all.failed.insert(place, error)),
                }
                done();
            }
        });
        (!stop.load(Ordering::Acquire)).then_some(all)
    }

    /// Scores the generations of an item; equal ones once.
    fn item(
        &self,
        checker: &mut Checker,
        item: &Item,
        stored: &Stored,
    ) -> Result<Vec<Verdict>, PythonError> {
        let distinct: BTreeSet<&str> = stored.texts.iter().map(String::as_str).collect();
        let texts: Vec<&str> = distinct.into_iter().collect();
        let worth = match self.task {
            Task::Output => checker.outputs(item, &texts)?,
            Task::Input => {
                let calls = texts.iter().map(|text| checker.call(item, text));
                calls.collect::<Result<Vec<_>, _>>()?
            }
        };
        let mut known = HashMap::new();
        for (text, worth) in texts.into_iter().zip(worth) {
            let published = self.published(checker, item, text)?;
            let exact = match self.task {
                Task::Output => text.trim() == item.output.trim(),
                Task::Input => text.trim() == item.call,
            };
            known.insert(text, Verdict { published, worth, exact });
        }
        Ok(stored.texts.iter().filter_map(|text| known.get(text.as_str()).cloned()).collect())
    }

    /// What the published rule says.
    fn published(
        &self,
        checker: &mut Checker,
        item: &Item,
        text: &str,
    ) -> Result<Published, PythonError> {
        let is_rejected = match self.task {
            Task::Output => text.contains(&item.call),
            Task::Input => !text.contains(&format!("{}(", item.function)),
        };
        if is_rejected {
            return Ok(Published::Rejected);
        }
        let assertion = format!("{}\nassert {} == {text}", item.code, item.output);
        Ok(match checker.passes(&item.id, &assertion)? {
            Ran::Value(_) => Published::Passed,
            Ran::Raised(raised) if &*raised.class == "AssertionError" => Published::Failed,
            Ran::Raised(raised) => Published::Raised(raised.to_string()),
            Ran::Stopped(reason) => Published::Stopped(reason.to_string()),
        })
    }
}

/// What all verdicts say together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// What was asked.
    pub task: Task,
    /// Items with generations.
    pub items: usize,
    /// Items of the benchmark; those without generations are left out.
    pub of: usize,
    /// Generations in all.
    pub generations: usize,
    /// pass@k by the published rule.
    pub published: Vec<Pass>,
    /// pass@k of values that are equal.
    pub equal: Vec<Pass>,
    /// pass@k of values that are equal and of the same types.
    pub same_types: Vec<Pass>,
    /// pass@k of texts that are equal.
    pub exact: Vec<Pass>,
    /// How often the published rule says what.
    pub by_rule: BTreeMap<&'static str, usize>,
    /// How often a generation is worth what.
    pub by_worth: BTreeMap<&'static str, usize>,
    /// The verdicts that were stored, beside those of the published rule.
    pub stored: Option<Agreement>,
}

/// How stored verdicts agree with ours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Verdicts that are the same.
    pub same: usize,
    /// Those that differ.
    pub different: Vec<Disagreement>,
}

/// A verdict that was another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The item.
    pub id: String,
    /// The generation, from 0.
    pub generation: usize,
    /// The stored verdict.
    pub stored: bool,
    /// What ours is, and why.
    pub ours: String,
}

impl Score {
    /// Sums verdicts up.
    pub fn of(
        task: Task,
        benchmark: &Benchmark,
        generations: &Generations,
        verdicts: &BTreeMap<usize, Vec<Verdict>>,
    ) -> Self {
        let count = |is: fn(&Verdict) -> bool| {
            let counts = verdicts.values().map(|all| Count {
                right: all.iter().filter(|verdict| is(verdict)).count(),
                of: all.len(),
            });
            pass(&counts.filter(|count| count.of > 0).collect::<Vec<_>>())
        };
        let all = || verdicts.values().flatten();
        let mut by_rule = BTreeMap::new();
        let mut by_worth = BTreeMap::new();
        for verdict in all() {
            *by_rule.entry(verdict.published.name()).or_default() += 1;
            *by_worth.entry(verdict.worth.name()).or_default() += 1;
        }
        let same_types =
            |verdict: &Verdict| matches!(verdict.worth, Worth::Right { same_types: true });
        let items = verdicts.values().filter(|all| !all.is_empty()).count();
        Score {
            task,
            items,
            of: benchmark.items().len(),
            generations: all().count(),
            published: count(|verdict| verdict.published == Published::Passed),
            equal: count(|verdict| verdict.worth.is_right()),
            same_types: count(same_types),
            exact: count(|verdict| verdict.exact),
            by_rule,
            by_worth,
            stored: agreement(benchmark, generations, verdicts),
        }
    }
}

fn agreement(
    benchmark: &Benchmark,
    generations: &Generations,
    verdicts: &BTreeMap<usize, Vec<Verdict>>,
) -> Option<Agreement> {
    let mut agreement = Agreement::default();
    let mut any = false;
    for (place, ours) in verdicts {
        let Some(theirs) = generations.of(*place).and_then(|stored| stored.verdicts.as_ref())
        else {
            continue;
        };
        any = true;
        for (generation, (ours, &stored)) in ours.iter().zip(theirs).enumerate() {
            if (ours.published == Published::Passed) == stored {
                agreement.same += 1;
                continue;
            }
            let ours = match &ours.published {
                Published::Raised(why) | Published::Stopped(why) => why.clone(),
                other => other.name().to_owned(),
            };
            let id = benchmark.items()[*place].id.clone();
            agreement.different.push(Disagreement { id, generation, stored, ours });
        }
    }
    any.then_some(agreement)
}

/// The scored generations in the form of CruxEval's own files.
pub fn scored_file(
    benchmark: &Benchmark,
    generations: &Generations,
    verdicts: &BTreeMap<usize, Vec<Verdict>>,
    score: &Score,
) -> serde_json::Value {
    let id = |place: &usize| benchmark.items()[*place].id.clone();
    let texts: serde_json::Map<_, _> = verdicts
        .keys()
        .filter_map(|place| Some((id(place), json!(generations.of(*place)?.texts))))
        .collect();
    let scored: serde_json::Map<_, _> = verdicts
        .iter()
        .map(|(place, all)| {
            let passed: Vec<bool> =
                all.iter().map(|verdict| verdict.published == Published::Passed).collect();
            (id(place), json!(passed))
        })
        .collect();
    let mut file = json!({ "raw_generations": texts, "raw_scored_generations": scored });
    for pass in &score.published {
        file[format!("pass_at_{}", pass.k)] = json!(pass.share.share * 100.0);
    }
    file
}
