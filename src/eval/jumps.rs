//! Jumps against the steps that lead to the same place.
//!
//! From a state a jump leads where so many single steps lead. A model that follows what it says
//! elsewhere is right about the jump where it is right about all of these steps, and wrong where it
//! isn't. Both were asked from true states (policies `each` and `horizon`), so this compares two ways
//! to one answer, and finds jumps that are guessed.

use std::collections::BTreeMap;

use serde::Serialize;

use super::record::StepRecord;
use crate::action::Action;

/// How verdicts on jumps and on their steps go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JumpSplit {
    /// The jump is right, and so are all steps.
    pub both: u64,
    /// Only the jump is right.
    pub only_jump: u64,
    /// Only the steps are right, all of them.
    pub only_steps: u64,
    /// Neither is right.
    pub neither: u64,
}

/// The verdict on a jump, and on all of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JumpVerdict {
    jump: bool,
    steps: bool,
}

impl JumpVerdict {
    /// Whether both are the same.
    pub fn is_consistent(self) -> bool {
        self.jump == self.steps
    }
}

impl JumpSplit {
    pub(super) fn add(&mut self, verdict: JumpVerdict) {
        let count = match (verdict.jump, verdict.steps) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.only_jump,
            (false, true) => &mut self.only_steps,
            (false, false) => &mut self.neither,
        };
        *count += 1;
    }
}

/// The actions of those jumps of a program that pass more than one state and whose steps were all
/// taken and judged, with the verdicts.
pub(super) fn jump_verdicts(steps: &[StepRecord]) -> Vec<(&str, JumpVerdict)> {
    let single = Action::StepInto.name();
    let singles = steps.iter().filter(|step| step.is_forward() && step.action == single);
    let judged: BTreeMap<usize, bool> =
        singles.filter_map(|step| Some((step.from, step.agree?))).collect();
    let from: Vec<usize> = judged.keys().copied().collect();
    // How many of the single steps before each are right.
    let mut right = vec![0usize];
    right.extend(judged.values().scan(0, |sum, is_right| {
        *sum += usize::from(*is_right);
        Some(*sum)
    }));
    let verdict = |jump: &StepRecord| {
        let passed = jump.horizon.filter(|passed| *passed > 1)?;
        let [start, end] = [jump.from, jump.from.saturating_add(passed)]
            .map(|state| from.partition_point(|earlier| *earlier < state));
        let steps = (end - start == passed).then(|| right[end] - right[start] == passed)?;
        Some(JumpVerdict { jump: jump.agree?, steps })
    };
    let jumps = steps.iter().filter(|step| step.is_forward() && step.action != single);
    jumps.filter_map(|jump| Some((jump.action_name(), verdict(jump)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::step;

    fn jump(from: usize, horizon: usize, agree: bool) -> StepRecord {
        let jump = step(0, from + 1, agree);
        StepRecord { action: "breakpoint:    x = 1".into(), horizon: Some(horizon), ..jump }
    }

    #[test]
    fn a_jump_is_set_against_all_of_its_steps() {
        // Single steps from states 0 to 4; that from 2 is wrong.
        let mut steps: Vec<_> = (0..5).map(|from| step(0, from + 1, from != 2)).collect();
        steps.extend([
            jump(0, 2, true),
            jump(0, 2, false),
            jump(1, 2, true),
            jump(2, 3, false),
            jump(3, 2, true),
            jump(4, 2, true), // its second step was not taken
            jump(0, 1, true), // a single step itself
            jump(usize::MAX, 3, true),
        ]);
        let verdicts = jump_verdicts(&steps);
        assert_eq!(verdicts.len(), 5);
        let mut split = JumpSplit::default();
        verdicts.iter().for_each(|(_, verdict)| split.add(*verdict));
        assert_eq!(split, JumpSplit { both: 2, only_jump: 1, only_steps: 1, neither: 1 });
        let consistent = verdicts.iter().filter(|(_, verdict)| verdict.is_consistent()).count();
        assert_eq!((verdicts[0].0, consistent), ("breakpoint", 3));
    }
}
