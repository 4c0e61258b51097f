//! Whether a model knows when it is right: its confidence against how often it is.
//!
//! The confidence in an answer is the probability that the model gives to all of it, token by token.
//! Answers are divided into bins of equal width by their confidence. In a bin of a calibrated model
//! the share of right answers is the mean confidence; the *expected calibration error* is the mean
//! gap between both, weighed by answers (Naeini et al. 2015; Guo et al., arXiv 1706.04599). Bins
//! against shares are the reliability diagram.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bootstrap::Estimate;

/// How many bins there are.
pub const BINS: usize = 10;

/// How confident a model is, and how right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Mean confidence of all answers, from 0 to 1.
    pub confidence: f64,
    /// The share of right ones.
    pub right: f64,
    /// The expected calibration error, from 0 to 1.
    pub error: Estimate,
    /// The Brier score of the confidence: its mean squared distance from 1 where the answer is
    /// right, from 0 where it is wrong. 0 is best.
    pub brier: Estimate,
    /// The reliability diagram: all bins, from the least to the most confident.
    pub bins: Vec<Bin>,
}

/// Answers of about one confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The least confidence of the bin.
    pub low: f64,
    /// Where the next bin begins; the last one holds 1 itself.
    pub high: f64,
    /// How many answers it holds.
    pub steps: usize,
    /// Their mean confidence; none without answers.
    pub confidence: Option<f64>,
    /// The share of right ones; none without answers.
    pub right: Option<f64>,
}

/// Sums over the answers of a bin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    steps: f64,
    confidence: f64,
    right: f64,
}

/// Collects answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answers {
    /// By program.
    programs: BTreeMap<usize, Program>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Program {
    bins: [Sums; BINS],
    squares: f64,
}

impl Answers {
    /// Takes in an answer of the program at this place.
    pub fn add(&mut self, place: usize, confidence: f64, is_right: bool) {
        let program = self.programs.entry(place).or_default();
        let right = f64::from(u8::from(is_right));
        let sums = &mut program.bins[bin_of(confidence)];
        sums.steps += 1.0;
        sums.confidence += confidence;
        sums.right += right;
        program.squares += (confidence - right).powi(2);
    }

    /// What they say; none without answers.
    pub fn calibration(&self) -> Option<Calibration> {
        let programs: Vec<&Program> = self.programs.values().collect();
        let all = total(&programs, &vec![1; programs.len()]);
        let of: f64 = all.iter().map(|sums| sums.steps).sum();
        let mean = |part: fn(&Sums) -> f64| all.iter().map(part).sum::<f64>() / of;
        let squares = |weights: &[u32]| {
            let steps: f64 = total(&programs, weights).iter().map(|sums| sums.steps).sum();
            let squares = programs.iter().zip(weights).map(|(p, w)| p.squares * f64::from(*w));
            (steps > 0.0).then(|| squares.sum::<f64>() / steps)
        };
        let error = |weights: &[u32]| expected_error(&total(&programs, weights));
        Some(Calibration {
            error: Estimate::of(programs.len(), of, error)?,
            brier: Estimate::of(programs.len(), of, squares)?,
            confidence: mean(|sums| sums.confidence),
            right: mean(|sums| sums.right),
            bins: all.iter().enumerate().map(|(number, sums)| Bin::of(number, sums)).collect(),
        })
    }
}

impl Bin {
    fn of(number: usize, sums: &Sums) -> Self {
        let mean = |sum: f64| (sums.steps > 0.0).then(|| sum / sums.steps);
        Bin {
            low: number as f64 / BINS as f64,
            high: (number + 1) as f64 / BINS as f64,
            steps: sums.steps as usize,
            confidence: mean(sums.confidence),
            right: mean(sums.right),
        }
    }
}

fn bin_of(confidence: f64) -> usize {
    ((confidence * BINS as f64) as usize).min(BINS - 1)
}

/// The bins of these programs together, each counted this often.
fn total(programs: &[&Program], weights: &[u32]) -> [Sums; BINS] {
    let mut all = [Sums::default(); BINS];
    for (program, weight) in programs.iter().zip(weights).filter(|(_, weight)| **weight > 0) {
        let weight = f64::from(*weight);
        for (sum, more) in all.iter_mut().zip(&program.bins) {
            sum.steps += weight * more.steps;
            sum.confidence += weight * more.confidence;
            sum.right += weight * more.right;
        }
    }
    all
}

/// The mean gap between confidence and right answers, weighed by answers; none without answers.
fn expected_error(bins: &[Sums]) -> Option<f64> {
    let of: f64 = bins.iter().map(|sums| sums.steps).sum();
    let gaps = bins.iter().map(|sums| (sums.right - sums.confidence).abs());
    (of > 0.0).then(|| gaps.sum::<f64>() / of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(answers: &[(usize, f64, bool)]) -> Calibration {
        let mut all = Answers::default();
        answers.iter().for_each(|(place, confidence, right)| all.add(*place, *confidence, *right));
        all.calibration().unwrap()
    }

    /// By hand: bin 9 has 0.9 and 0.95 of which one is right, |0.5 - 0.925| = 0.425; bin 3 has 0.3
    /// and 0.35, none right, 0.325; bin 0 has 0.05, right, 0.95. (2 × 0.425 + 2 × 0.325 + 0.95) / 5.
    #[test]
    fn the_error_is_the_one_computed_by_hand() {
        let found = of(&[
            (0, 0.9, true),
            (0, 0.95, false),
            (1, 0.3, false),
            (1, 0.35, false),
            (2, 0.05, true),
        ]);
        assert!((found.error.value - 0.49).abs() < 1e-12, "{}", found.error.value);
        assert!((found.confidence - 0.51).abs() < 1e-12);
        assert_eq!(found.right, 0.4);
        let squares = 0.01 + 0.9025 + 0.09 + 0.1225 + 0.9025;
        assert!((found.brier.value - squares / 5.0).abs() < 1e-12);
        assert_eq!(found.bins.len(), BINS);
        assert_eq!((found.bins[9].steps, found.bins[9].right), (2, Some(0.5)));
        assert_eq!((found.bins[5].steps, found.bins[5].confidence), (0, None));
        let [low, high] = found.error.interval.unwrap();
        assert!(low <= found.error.value && found.error.value <= high);
    }

    #[test]
    fn who_is_right_as_often_as_sure_has_no_error() {
        let answers: Vec<_> = (0..1_000).map(|n| (n % 50, 0.75, n % 4 != 0)).collect();
        assert!(of(&answers).error.value < 1e-12);
        assert_eq!(of(&[(0, 1.0, true)]).bins[9].steps, 1, "1 is in the last bin");
        assert_eq!(Answers::default().calibration(), None);
    }
}
