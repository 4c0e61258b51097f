//! Numbers that are counted together; the names of bins sort as their numbers do.

use super::record::StepRecord;

/// Depths that are counted together.
pub(super) fn depth(depth: u32) -> &'static str {
    match depth {
        0 => "0",
        1 => "1",
        2 => "2",
        3..=4 => "3 to 4",
        5..=8 => "5 to 8",
        _ => "9 and more",
    }
}

/// Numbers of states passed that are counted together.
pub(super) fn horizon(passed: usize) -> &'static str {
    match passed {
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

/// The share of its frame's states that a jump of the horizon study skips (spec, section 5.4): 0 if
/// it leads to the very next one, 1 if it leads from the call to the return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skipped(f64);

impl Skipped {
    /// Of a step; none outside the study.
    pub fn of(step: &StepRecord) -> Option<Self> {
        let (frame, passed) = (step.frame?, step.horizon?);
        let most = frame.saturating_sub(1).max(1) as f64;
        Some(Skipped((passed.saturating_sub(1) as f64 / most).min(1.0)))
    }

    /// Under which name it is counted for an action.
    pub fn key(self, action: &str) -> String {
        let bin = match self.0 {
            0.0 => "0.0",
            share if share <= 0.2 => "0.0 to 0.2",
            share if share <= 0.4 => "0.2 to 0.4",
            share if share <= 0.6 => "0.4 to 0.6",
            share if share <= 0.8 => "0.6 to 0.8",
            _ => "0.8 to 1.0",
        };
        format!("{action} {bin}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(frame: usize, horizon: usize) -> String {
        let step =
            StepRecord { frame: Some(frame), horizon: Some(horizon), ..StepRecord::default() };
        Skipped::of(&step).unwrap().key("step_return")
    }

    #[test]
    fn the_share_is_of_the_frames_states() {
        assert_eq!(skipped(11, 1), "step_return 0.0");
        assert_eq!(skipped(11, 2), "step_return 0.0 to 0.2");
        assert_eq!(skipped(11, 6), "step_return 0.4 to 0.6");
        assert_eq!(skipped(11, 11), "step_return 0.8 to 1.0");
        assert_eq!(skipped(1, 1), "step_return 0.0", "a frame that returns at once");
        assert_eq!(skipped(4, 40), "step_return 0.8 to 1.0", "a jump may lead out of the frame");
        assert_eq!(Skipped::of(&StepRecord::default()), None);
    }
}
