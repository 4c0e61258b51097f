//! What REval asks of a run (arXiv 2403.16437), read off the steps: which lines run (coverage), what
//! the variables are after a line (state), which line comes next (path), and what comes out (output).
//!
//! REval's *incremental consistency* takes the four as a chain for each line that is asked about: an
//! answer counts only as far as all before it are right, and a right one after a wrong one makes the
//! whole chain worth nothing. All four right give 1, the first three 1/2, two 1/4, one 1/8.

use std::collections::BTreeSet;

use super::record::StepRecord;
use super::statistics::Cluster;
use crate::action::Action;

/// The lines that run, and those that are said to run.
#[derive(Default)]
pub(super) struct Lines {
    real: BTreeSet<u32>,
    predicted: BTreeSet<u32>,
}

impl Lines {
    /// Of a program's steps.
    pub fn of(steps: &[StepRecord]) -> Self {
        let mut lines = Lines::default();
        for step in steps {
            lines.real.extend(step.to_line);
            // A text that stands on several lines is said of the right one, if that is among them.
            let same = (step.is_right("source")).then_some(step.to_line).flatten();
            lines.predicted.extend(step.predicted_line.or(same));
        }
        lines
    }

    /// Of these lines that run or are said to run, those that do both.
    pub fn coverage(&self, statements: &[u32]) -> Cluster {
        let (real, predicted) = (&self.real, &self.predicted);
        let run = statements.iter().filter(|line| real.contains(line) || predicted.contains(line));
        let both = run.clone().filter(|line| real.contains(line) && predicted.contains(line));
        Cluster { of: run.count() as f64, count: both.count() as f64 }
    }

    /// Whether the model says of a line where the run came that it runs. That of the first state is
    /// given, and nobody is asked about it.
    fn is_known(&self, line: u32) -> bool {
        !self.real.contains(&line) || self.predicted.contains(&line)
    }
}

/// Whether all variables are right after a step. Under another event none was said, not even that
/// there are none.
pub(super) fn state_is_right(step: &StepRecord) -> bool {
    let mut locals = step.fields.iter().filter(|field| field.field.starts_with("locals."));
    let all = locals.all(|field| step.is_right(&field.field));
    let extra = step.diff.iter().any(|d| d.field.starts_with("locals."));
    let is_told = step.is_right("event") && step.predicted_exit.is_none();
    all && !extra && is_told
}

/// The scores of a program's chains: one for each single step from one line to another; none if the
/// steps don't come to the value of the entry.
pub(super) fn incremental_consistency(steps: &[&StepRecord], lines: &Lines) -> Vec<f64> {
    let is_end = |step: &&&StepRecord| step.event == "return" && step.depth == 0;
    let Some(end) = steps.iter().rfind(is_end) else { return Vec::new() };
    let output = end.is_right("value");
    let asked = steps.iter().filter(|step| {
        step.action == Action::StepInto.name() && step.event == "line" && step.line > 0
    });
    let chain = |step: &&StepRecord| {
        [lines.is_known(step.line), state_is_right(step), step.is_right("source"), output]
    };
    asked.map(|step| score(chain(step))).collect()
}

/// What a chain of answers is worth.
fn score(chain: [bool; 4]) -> f64 {
    let right = chain.iter().take_while(|is_right| **is_right).count();
    let is_consistent = !chain[right..].contains(&true);
    match (is_consistent, right) {
        (false, _) | (true, 0) => 0.0,
        (true, right) => 0.5f64.powi((chain.len() - right) as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::step;

    /// REval's own example is {1, 1, 0, 0}, worth 1/4.
    #[test]
    fn a_chain_counts_as_far_as_it_is_right_and_not_if_it_is_broken() {
        let chain = |bits: [u8; 4]| score(bits.map(|bit| bit == 1));
        assert_eq!(chain([1, 1, 1, 1]), 1.0);
        assert_eq!(chain([1, 1, 1, 0]), 0.5);
        assert_eq!(chain([1, 1, 0, 0]), 0.25);
        assert_eq!(chain([1, 0, 0, 0]), 0.125);
        assert_eq!(chain([0, 0, 0, 0]), 0.0);
        assert_eq!(chain([1, 0, 1, 1]), 0.0);
        assert_eq!(chain([0, 1, 1, 1]), 0.0);
    }

    #[test]
    fn a_state_without_variables_is_wrong_under_another_event() {
        let told_otherwise = |field: &str| {
            let mut other = step(0, 1, false);
            other.diff[0].field = field.into();
            other
        };
        assert!(state_is_right(&step(0, 1, true)));
        assert!(state_is_right(&told_otherwise("source")));
        assert!(!state_is_right(&told_otherwise("event")));
        assert!(!state_is_right(&told_otherwise("exit")));
    }

    #[test]
    fn chains_are_made_of_single_steps_between_lines() {
        let end = StepRecord { event: "return".into(), ..step(0, 3, true) };
        // The second step has a wrong next line: {1, 1, 0, 1} is no consistent chain.
        let steps = [step(0, 1, true), step(0, 2, false), end];
        let scores = |steps: &[StepRecord]| {
            let lines = Lines::of(steps);
            incremental_consistency(&steps.iter().collect::<Vec<_>>(), &lines)
        };
        assert_eq!(scores(&steps), [1.0, 0.0]);
        assert_eq!(scores(&steps[..2]), [0.0; 0], "without a value there is no output");
    }
}
