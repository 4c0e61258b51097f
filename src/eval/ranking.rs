//! How well what a model foretells orders programs by whether they fail.
//!
//! Before a program runs, the model is asked from its first state how the run ends. The probability
//! of an exit by an error, or of none at all, is its word on how likely the program fails. The *area
//! under the ROC curve* is the probability that of a failing and a sound program, drawn at random,
//! the failing one has the higher word; ties count half (Hanley and McNeil 1982). 0.5 is chance.

use std::cmp::Ordering;

use serde::Serialize;

use super::bootstrap::Estimate;
use super::record::ForecastRecord;

/// How well programs are ordered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// Programs whose end is known and was foretold.
    pub programs: usize,
    /// Those of them that fail: they end in an error, or never.
    pub failing: usize,
    /// The area under the ROC curve, from 0 to 1; none if all programs fail or none does.
    pub area: Option<Estimate>,
    /// Programs whose likeliest exit is the real one.
    pub right: usize,
}

/// Collects what was foretold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Forecasts {
    programs: Vec<Foretold>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Foretold {
    place: usize,
    score: f64,
    fails: bool,
    is_right: bool,
}

impl Forecasts {
    /// Takes in what was foretold of the program at this place. One that Lockstep stopped has no end
    /// that could be foretold.
    pub fn add(&mut self, place: usize, forecast: &ForecastRecord) {
        let Some(fails) = forecast.fails() else { return };
        let is_right = forecast.likeliest() == forecast.exit;
        let score = forecast.failure();
        self.programs.push(Foretold { place, score, fails, is_right });
    }

    /// How well these programs are ordered; none without programs.
    pub fn ranking(&self) -> Option<Ranking> {
        let mut programs = self.programs.clone();
        if programs.is_empty() {
            return None;
        }
        // The bootstrap draws by number: the order must not depend on how the log was read.
        programs.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.place.cmp(&b.place)));
        let count = programs.len();
        Some(Ranking {
            programs: count,
            failing: programs.iter().filter(|program| program.fails).count(),
            area: Estimate::of(count, count as f64, |weights| area(&programs, weights)),
            right: programs.iter().filter(|program| program.is_right).count(),
        })
    }
}

/// The area under the ROC curve of programs in the order of their scores, each counted this often:
/// Mann and Whitney's statistic, by one pass over groups of equal scores.
fn area(programs: &[Foretold], weights: &[u32]) -> Option<f64> {
    let (mut sound_below, mut above) = (0.0, 0.0);
    let (mut sound, mut failing) = (0.0, 0.0);
    let mut at = 0;
    while at < programs.len() {
        let score = programs[at].score;
        let (mut sound_here, mut failing_here) = (0.0, 0.0);
        while at < programs.len() && programs[at].score.total_cmp(&score) == Ordering::Equal {
            let here = if programs[at].fails { &mut failing_here } else { &mut sound_here };
            *here += f64::from(weights[at]);
            at += 1;
        }
        above += failing_here * (sound_below + sound_here / 2.0);
        sound_below += sound_here;
        sound += sound_here;
        failing += failing_here;
    }
    (sound > 0.0 && failing > 0.0).then(|| above / (sound * failing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(programs: &[(f64, &str)]) -> Ranking {
        let mut forecasts = Forecasts::default();
        for (place, (error, exit)) in programs.iter().enumerate() {
            let forecast = ForecastRecord {
                normal: 1.0 - error,
                error: *error,
                never: 0.0,
                exit: (*exit).into(),
                class: None,
            };
            forecasts.add(place, &forecast);
        }
        forecasts.ranking().unwrap()
    }

    /// Scores 0.1 (n), 0.4 (n), 0.35 (p), 0.8 (p): the example of scikit-learn's `roc_auc_score`,
    /// whose area is 0.75.
    #[test]
    fn the_area_is_that_of_a_known_example() {
        let found = ranking(&[(0.1, "normal"), (0.4, "normal"), (0.35, "error"), (0.8, "error")]);
        assert_eq!(found.area.unwrap().value, 0.75);
        assert_eq!((found.programs, found.failing, found.right), (4, 2, 3));
    }

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        let mut random = fastrand::Rng::with_seed(3);
        let exit = |fails: bool| if fails { "never" } else { "normal" };
        let programs: Vec<(f64, &str)> =
            (0..80).map(|_| (f64::from(random.u8(0..12)) / 12.0, exit(random.bool()))).collect();
        let (mut pairs, mut above) = (0.0, 0.0);
        for (high, _) in programs.iter().filter(|(_, exit)| *exit == "never") {
            for (low, _) in programs.iter().filter(|(_, exit)| *exit == "normal") {
                pairs += 1.0;
                above += match high.total_cmp(low) {
                    Ordering::Greater => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Less => 0.0,
                };
            }
        }
        let area = ranking(&programs).area.unwrap();
        assert!((area.value - above / pairs).abs() < 1e-12);
        let [low, high] = area.interval.unwrap();
        assert!(low < area.value && area.value < high);
    }

    #[test]
    fn without_two_kinds_there_is_no_area_and_what_was_stopped_does_not_count() {
        let found = ranking(&[(0.5, "normal"), (0.9, "normal"), (0.9, "stopped")]);
        assert_eq!((found.area, found.programs), (None, 2));
        assert_eq!(Forecasts::default().ranking(), None);
    }
}
