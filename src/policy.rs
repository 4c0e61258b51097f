//! Policies: which action comes next when no person chooses.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::state::Text;

/// A way to choose actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Only `step_into`: walks the whole recording.
    Into,
    /// Only `step_over`: walks the entry's own level.
    Over,
    /// The paper's random policy (table A.1).
    Mixed,
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Policy::Into => "into",
            Policy::Over => "over",
            Policy::Mixed => "mixed",
        })
    }
}

/// A word that names no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no policy; policies are: into, over, mixed")]
pub struct UnknownPolicy(String);

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(word: &str) -> Result<Self, UnknownPolicy> {
        match word {
            "into" => Ok(Policy::Into),
            "over" => Ok(Policy::Over),
            "mixed" => Ok(Policy::Mixed),
            _ => Err(UnknownPolicy(word.to_owned())),
        }
    }
}

/// What a chooser is told of the place where the debugger stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// Whether `step_return` is available here.
    pub can_return: bool,
    /// Distinct source lines that are reached later: breakpoints that will be hit.
    pub later: &'a [Text],
    /// Lines of the program that are not reached again: breakpoints that lead to the exit.
    pub never_again: &'a [Text],
}

/// How [`Policy::Mixed`] weighs its actions. Shares are from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// Weights of step_into, step_over, step_return, breakpoint, continue in row A of table A.1.
    pub row_a: [f64; 5],
    /// Share of the actions that are drawn from row A; the others from row B.
    pub share_a: f64,
    /// Weights of step_into and step_over in row B.
    pub row_b: [f64; 2],
    /// Share of breakpoints that are set on a line that is reached again.
    pub reached: f64,
}

impl Default for Weights {
    /// The paper's. Its row A sums to 0.80 as printed; step_over is read as 0.30, and how lines of
    /// breakpoints are drawn is not said (spec, section 3).
    fn default() -> Self {
        Weights {
            row_a: [0.35, 0.30, 0.20, 0.10, 0.05],
            share_a: 0.5,
            row_b: [0.5, 0.5],
            reached: 0.85,
        }
    }
}

/// Chooses actions by a policy; the same seed gives the same choices.
#[derive(Clone, Debug)]
pub struct Chooser {
    policy: Policy,
    weights: Weights,
    random: fastrand::Rng,
}

impl Chooser {
    /// A chooser of this policy; `seed` matters to [`Policy::Mixed`] only.
    pub fn new(policy: Policy, seed: u64) -> Self {
        Self::weighed(policy, Weights::default(), seed)
    }

    /// A chooser of this policy that weighs its actions so.
    pub fn weighed(policy: Policy, weights: Weights, seed: u64) -> Self {
        Chooser { policy, weights, random: fastrand::Rng::with_seed(seed) }
    }

    /// Whether this policy looks at the lines of a [`Place`].
    pub fn sets_breakpoints(&self) -> bool {
        self.policy == Policy::Mixed
    }

    /// The next action.
    pub fn choose(&mut self, place: Place) -> Action {
        match self.policy {
            Policy::Into => Action::StepInto,
            Policy::Over => Action::StepOver,
            Policy::Mixed if self.random.f64() < self.weights.share_a => self.row_a(place),
            Policy::Mixed => {
                let [into, over] = self.weights.row_b;
                match self.random.f64() * (into + over) < into {
                    true => Action::StepInto,
                    false => Action::StepOver,
                }
            }
        }
    }

    /// Draws from row A, with the weights of unavailable actions left out.
    fn row_a(&mut self, place: Place) -> Action {
        let mut weights = self.weights.row_a;
        if !place.can_return {
            weights[2] = 0.0;
        }
        if place.later.is_empty() && place.never_again.is_empty() {
            weights[3] = 0.0;
        }
        let mut point = self.random.f64() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            point -= weight;
            point < 0.0
        });
        match drawn {
            Some(0) => Action::StepInto,
            Some(1) => Action::StepOver,
            Some(2) => Action::StepReturn,
            Some(3) => Action::Breakpoint(self.line(place)),
            _ => Action::Continue,
        }
    }

    /// A breakpoint, mostly on a line that is reached again; none where the program has no line.
    pub fn breakpoint(&mut self, place: Place) -> Option<Action> {
        let has_lines = !place.later.is_empty() || !place.never_again.is_empty();
        has_lines.then(|| Action::Breakpoint(self.line(place)))
    }

    fn line(&mut self, place: Place) -> Text {
        let reached = self.random.f64() < self.weights.reached;
        let (first, second) = match reached {
            true => (place.later, place.never_again),
            false => (place.never_again, place.later),
        };
        let lines = if first.is_empty() { second } else { first };
        self.random.choice(lines).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(seed: u64, place: Place) -> Vec<Action> {
        let mut chooser = Chooser::new(Policy::Mixed, seed);
        (0..2_000).map(|_| chooser.choose(place)).collect()
    }

    fn share(actions: &[Action], name: &str) -> f64 {
        actions.iter().filter(|a| a.name() == name).count() as f64 / actions.len() as f64
    }

    #[test]
    fn a_seed_fixes_the_choices() {
        let lines = [Text::from("x = 1")];
        let place = Place { can_return: true, later: &lines, never_again: &lines };
        assert_eq!(draw(7, place), draw(7, place));
        assert_ne!(draw(7, place), draw(8, place));
    }

    #[test]
    fn shares_follow_the_papers_table() {
        let (later, never) = ([Text::from("later")], [Text::from("never")]);
        let place = Place { can_return: true, later: &later, never_again: &never };
        let actions = draw(1, place);
        // Half of row A plus half of row B.
        for (name, expected) in
            [("step_into", 0.425), ("step_over", 0.40), ("step_return", 0.10), ("breakpoint", 0.05)]
        {
            let found = share(&actions, name);
            assert!((found - expected).abs() < 0.03, "{name}: {found} for {expected}");
        }
        let reached =
            actions.iter().filter(|a| **a == Action::Breakpoint(later[0].clone())).count();
        let unreached =
            actions.iter().filter(|a| **a == Action::Breakpoint(never[0].clone())).count();
        assert!(reached > 2 * unreached && unreached > 0, "{reached} {unreached}");
    }

    #[test]
    fn unavailable_actions_are_never_chosen() {
        let actions = draw(3, Place { can_return: false, later: &[], never_again: &[] });
        assert_eq!(share(&actions, "step_return") + share(&actions, "breakpoint"), 0.0);
    }
}
