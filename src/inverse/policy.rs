//! Which inverse action comes next when no person chooses: the mirror of the paper's policy
//! ([`crate::policy`]), which the paper doesn't give for the way back (spec, section 3).

use super::action::InverseAction;
use crate::policy::Policy;

/// Chooses inverse actions by a policy; the same seed gives the same choices.
#[derive(Clone, Debug)]
pub struct InverseChooser {
    policy: Policy,
    random: fastrand::Rng,
}

/// Weights of inv_step_into, inv_step_over and inv_step_call in the mirror of row A.
const ROW_A: [f64; 3] = [0.45, 0.35, 0.20];

impl InverseChooser {
    /// A chooser of this policy; `seed` matters to [`Policy::Mixed`] only.
    pub fn new(policy: Policy, seed: u64) -> Self {
        InverseChooser { policy, random: fastrand::Rng::with_seed(seed) }
    }

    /// The next action; `can_call` says whether `inv_step_call` is available.
    pub fn choose(&mut self, can_call: bool) -> InverseAction {
        match self.policy {
            Policy::Into => InverseAction::StepInto,
            Policy::Over => InverseAction::StepOver,
            Policy::Mixed if self.random.bool() => self.row_a(can_call),
            Policy::Mixed if self.random.bool() => InverseAction::StepInto,
            Policy::Mixed => InverseAction::StepOver,
        }
    }

    /// Draws from row A, with the weight of `inv_step_call` left out if that isn't available.
    fn row_a(&mut self, can_call: bool) -> InverseAction {
        let [into, over, call] = ROW_A;
        let call = if can_call { call } else { 0.0 };
        let point = self.random.f64() * (into + over + call);
        if point < into {
            InverseAction::StepInto
        } else if point < into + over {
            InverseAction::StepOver
        } else {
            InverseAction::StepCall
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(seed: u64, can_call: bool) -> Vec<InverseAction> {
        let mut chooser = InverseChooser::new(Policy::Mixed, seed);
        (0..4_000).map(|_| chooser.choose(can_call)).collect()
    }

    fn share(actions: &[InverseAction], action: InverseAction) -> f64 {
        actions.iter().filter(|found| **found == action).count() as f64 / actions.len() as f64
    }

    #[test]
    fn shares_mirror_the_papers_table() {
        let actions = draw(1, true);
        // Half of row A plus half of row B.
        let expected = [0.475, 0.425, 0.10];
        for (action, expected) in InverseAction::ALL.into_iter().zip(expected) {
            let found = share(&actions, action);
            assert!((found - expected).abs() < 0.03, "{action}: {found} for {expected}");
        }
        assert_eq!(draw(7, true), draw(7, true));
        assert_ne!(draw(7, true), draw(8, true));
    }

    #[test]
    fn what_is_not_available_is_never_chosen() {
        assert_eq!(share(&draw(3, false), InverseAction::StepCall), 0.0);
    }
}
