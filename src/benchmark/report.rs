//! What the log of a benchmark says.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::log::{Answer, Header, ItemRecord, Outcome, Recipe};
use super::pass::{Count, Pass, pass};
use super::score::Score;
use super::task::{By, Task};
use crate::eval::statistics::Share;

/// Most names that a line of text lists.
const MAX_NAMED: usize = 10;

/// What a log says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What made the log.
    pub recipe: Recipe,
    /// Items whose call doesn't give here what the file says.
    pub disagreeing: Vec<String>,
    /// By each way of asking.
    pub results: Vec<Asked>,
}

/// What one way of asking gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Asked {
    /// What was asked.
    pub task: Task,
    /// How.
    pub by: By,
    /// Items, those that could not be asked included.
    pub items: usize,
    /// pass@k of values that are equal: the result.
    pub equal: Vec<Pass>,
    /// pass@k of values that are equal and of the same types.
    pub same_types: Vec<Pass>,
    /// pass@k of texts that are equal.
    pub exact: Vec<Pass>,
    /// For breakpoints: pass@k of items whose function has one return statement, and of those where
    /// the breakpoint tells which of several is executed.
    pub one_return: Vec<Pass>,
    /// See [`Asked::one_return`].
    pub several_returns: Vec<Pass>,
    /// How many answers there are of each kind.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// How many items could not be asked, and why; they count as not answered.
    pub unasked: BTreeMap<String, usize>,
    /// For traces: the mean number of states.
    pub states: Option<f64>,
}

impl Report {
    /// What these records say. They are taken in the order of the items.
    pub fn of(header: &Header, records: &[ItemRecord]) -> Self {
        let mut by: BTreeMap<By, BTreeMap<usize, &ItemRecord>> = BTreeMap::new();
        for record in records {
            by.entry(record.by).or_default().insert(record.place, record);
        }
        let mut disagreeing: BTreeMap<usize, String> = BTreeMap::new();
        for record in records.iter().filter(|record| !record.agrees) {
            disagreeing.insert(record.place, record.id.clone());
        }
        let samples = usize::try_from(header.recipe.samples).unwrap_or(usize::MAX);
        let results = by.into_iter().map(|(by, records)| {
            let records: Vec<&ItemRecord> = records.into_values().collect();
            Asked::of(by, &records, samples)
        });
        Report {
            recipe: header.recipe.clone(),
            disagreeing: disagreeing.into_values().collect(),
            results: results.collect(),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let Recipe { model, data, samples, temperature, top_p, seed, .. } = &self.recipe;
        let manner = match samples {
            1 if *temperature == 0.0 => "one greedy answer each".to_owned(),
            1 => format!("one answer each, temperature {temperature}, top-p {top_p}, seed {seed}"),
            _ => format!(
                "{samples} answers each, temperature {temperature}, top-p {top_p}, seed {seed}"
            ),
        };
        let mut text = format!("{} on {}: {manner}\n", model.label(), data.name);
        for asked in &self.results {
            asked.write(data.items, &mut text);
        }
        if !self.disagreeing.is_empty() {
            let _ = writeln!(
                text,
                "\nthe file says another value than this interpreter gives: {}",
                named(&self.disagreeing)
            );
        }
        text
    }
}

impl Asked {
    fn of(by: By, records: &[&ItemRecord], samples: usize) -> Self {
        // An item that could not be asked is not answered.
        let count = |is: fn(&Answer) -> bool| {
            move |record: &&ItemRecord| Count {
                right: record.answers.iter().filter(|answer| is(answer)).count(),
                of: samples,
            }
        };
        let right = count(|answer| answer.outcome == Outcome::Right);
        let all =
            |of: &dyn Fn(&&ItemRecord) -> Count| pass(&records.iter().map(of).collect::<Vec<_>>());
        let with = |is: fn(usize) -> bool| {
            let some = records.iter().filter(|record| is(record.returns));
            match by {
                By::Breakpoint => pass(&some.map(&right).collect::<Vec<_>>()),
                _ => Vec::new(),
            }
        };
        let mut outcomes = BTreeMap::new();
        let mut unasked = BTreeMap::new();
        for record in records {
            record
                .answers
                .iter()
                .for_each(|answer| *outcomes.entry(answer.outcome).or_default() += 1);
            if let Some(why) = &record.unasked {
                *unasked.entry(why.clone()).or_default() += 1;
            }
        }
        let states: Vec<usize> =
            records.iter().flat_map(|record| &record.answers).map(|answer| answer.states).collect();
        let mean = states.iter().sum::<usize>() as f64 / states.len() as f64;
        Asked {
            task: by.task(),
            by,
            items: records.len(),
            equal: all(&right),
            same_types: all(&count(|answer| answer.same_types)),
            exact: all(&count(|answer| answer.exact)),
            one_return: with(|returns| returns == 1),
            several_returns: with(|returns| returns > 1),
            outcomes,
            unasked,
            states: (by == By::Trace && !states.is_empty()).then_some(mean),
        }
    }

    fn write(&self, of: usize, text: &mut String) {
        let Asked { task, by, items, .. } = self;
        let _ = writeln!(text, "\n{task} by {by}, {items} of {of} items");
        passes("equal", &self.equal, text);
        passes("same types", &self.same_types, text);
        passes("exact text", &self.exact, text);
        passes("one return", &self.one_return, text);
        passes("several returns", &self.several_returns, text);
        if *by == By::Breakpoint {
            let _ = writeln!(text, "  the breakpoint tells which return statement is executed");
        }
        let outcomes: Vec<String> =
            self.outcomes.iter().map(|(outcome, n)| format!("{n} {}", outcome.name())).collect();
        let _ = writeln!(text, "  answers: {}", outcomes.join(", "));
        if let Some(states) = self.states {
            let _ = writeln!(text, "  {states:.1} states each");
        }
        for (why, items) in &self.unasked {
            let _ = writeln!(text, "  not asked, and so not right: {items} ({why})");
        }
    }
}

impl Score {
    /// For people.
    pub fn text(&self, name: &str) -> String {
        let Score { task, items, of, generations, .. } = self;
        let mut text =
            format!("{name}: {task}, {generations} generations for {items} of {of} items\n");
        passes("published rule", &self.published, &mut text);
        passes("equal", &self.equal, &mut text);
        passes("same types", &self.same_types, &mut text);
        passes("exact text", &self.exact, &mut text);
        for (what, counts) in [("by the rule", &self.by_rule), ("as values", &self.by_worth)] {
            let counts: Vec<String> =
                counts.iter().map(|(name, n)| format!("{n} {name}")).collect();
            let _ = writeln!(text, "  {what}: {}", counts.join(", "));
        }
        if let Some(stored) = &self.stored {
            let (same, different) = (stored.same, stored.different.len());
            let of = same + different;
            let _ = writeln!(text, "  stored verdicts: {same} of {of} are the same");
            for other in stored.different.iter().take(MAX_NAMED) {
                let was = if other.stored { "passed" } else { "failed" };
                let (id, generation, ours) = (&other.id, other.generation, &other.ours);
                let _ = writeln!(text, "    {id}, generation {generation}: {was} there; {ours}");
            }
            if different > MAX_NAMED {
                let _ = writeln!(text, "    and {} more", different - MAX_NAMED);
            }
        }
        text
    }
}

/// `  equal            pass@1  34.2% ±1.6   pass@5  40.3% ±1.7`; nothing for no figures.
fn passes(what: &str, passes: &[Pass], text: &mut String) {
    if passes.is_empty() {
        return;
    }
    let _ = write!(text, "  {what:<16}");
    for Pass { k, share: Share { share, error, .. } } in passes {
        let error = error.map_or_else(String::new, |error| format!(" ±{:.2}", error * 100.0));
        let cell = format!("pass@{k} {:.2}%{error}", share * 100.0);
        let _ = write!(text, " {cell:<24}");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
}

/// Names, not too many.
fn named(names: &[String]) -> String {
    let shown = names.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::log::tests::{header, record};

    fn report() -> Report {
        use Outcome::{Elsewhere, Malformed, Right, TooLong, Wrong};
        let mut unasked = record(2, By::Breakpoint, 1, &[]);
        unasked.unasked = Some("the breakpoint stops elsewhere first".into());
        let mut other = record(1, By::StepReturn, 1, &[Wrong, Malformed]);
        other.agrees = false;
        let records = [
            other,
            record(0, By::StepReturn, 1, &[Right, Wrong]),
            record(0, By::Breakpoint, 1, &[Right, Right]),
            record(1, By::Breakpoint, 3, &[Elsewhere, Right]),
            unasked,
            record(0, By::Trace, 1, &[TooLong, Right]),
        ];
        Report::of(&header(), &records)
    }

    #[test]
    fn a_report_reads_well() {
        insta::assert_snapshot!(report().text());
    }

    #[test]
    fn an_item_that_could_not_be_asked_is_not_right() {
        let report = report();
        let breakpoint = report.results.iter().find(|asked| asked.by == By::Breakpoint).unwrap();
        assert_eq!(breakpoint.equal[0].share.share, 0.5);
        assert_eq!((breakpoint.equal[1].k, breakpoint.equal[1].share.share), (2, 2.0 / 3.0));
        assert_eq!(breakpoint.several_returns[0].share.share, 0.5);
    }

    #[test]
    fn json_names_ways_and_outcomes() {
        let json = serde_json::to_value(report()).unwrap();
        let first = &json["results"][0];
        assert_eq!(first["by"], "step-return");
        assert_eq!(first["outcomes"]["malformed"], 1);
        assert_eq!(first["equal"][0]["k"], 1);
        assert_eq!(first["equal"][0]["share"], 0.25);
    }
}
