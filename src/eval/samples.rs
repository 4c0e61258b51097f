//! What several answers to one question tell.
//!
//! *Right among k* is the unbiased estimate of the probability that of k samples one is right, from
//! n of which c are: 1 - C(n-c, k) / C(n, k) (Chen et al., arXiv 2107.03374). The *two-sample Brier
//! estimate* (CALM, arXiv 2510.27688) needs no likelihoods: of two samples x, y and the truth t, [x =
//! t] + [y = t] - [x = y] estimates 2 P(t) - Σ P², which is 1 for a model that is sure and right, and
//! -1 at worst; it is taken over all pairs of samples.

use std::collections::BTreeMap;

use super::record::SampleRecord;

/// What the samples of a step are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    /// How many there are.
    pub of: usize,
    /// How many say what really came.
    pub agree: usize,
    /// How many are predecessors that work; none going forward.
    pub works: Option<usize>,
    /// How many different ones there are.
    pub distinct: usize,
    /// Pairs that say the same.
    pairs: usize,
}

impl Tally {
    pub fn of(samples: &[SampleRecord]) -> Self {
        let mut classes: BTreeMap<usize, usize> = BTreeMap::new();
        for sample in samples {
            *classes.entry(sample.same_as).or_default() += 1;
        }
        let verdicts: Vec<&String> =
            samples.iter().filter_map(|sample| sample.verdict.as_ref()).collect();
        Tally {
            of: samples.len(),
            agree: samples.iter().filter(|sample| sample.agree).count(),
            works: (!verdicts.is_empty())
                .then(|| verdicts.iter().filter(|verdict| works(verdict)).count()),
            distinct: classes.len(),
            pairs: classes.values().map(|count| count * (count - 1) / 2).sum(),
        }
    }

    /// The two-sample Brier estimate, from -1 to 1; none with fewer than two samples.
    pub fn brier(&self) -> Option<f64> {
        let pairs = self.of.checked_sub(1)? * self.of / 2;
        let right = self.agree as f64 / self.of as f64;
        (pairs > 0).then(|| 2.0 * right - self.pairs as f64 / pairs as f64)
    }
}

/// The records of a step's samples; `judge` says of each whether it says what really came, and what
/// it is worth going back.
pub(super) fn records<T>(
    samples: &[T],
    same: impl Fn(&T, &T) -> bool,
    mut judge: impl FnMut(&T) -> (bool, Option<String>),
) -> Vec<SampleRecord> {
    let record = |(number, sample): (usize, &T)| {
        let first = samples[..number].iter().position(|earlier| same(earlier, sample));
        let (agree, verdict) = judge(sample);
        SampleRecord { same_as: first.unwrap_or(number), agree, verdict }
    };
    samples.iter().enumerate().map(record).collect()
}

/// Whether a predecessor of this verdict works: the run comes from it to the given state.
pub(super) fn works(verdict: &str) -> bool {
    matches!(verdict, "exact" | "valid")
}

/// The sizes k that are reported of n samples: 1, 2, 5, 10 and so on, and n itself.
pub(super) fn sizes(n: usize) -> Vec<usize> {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
    let mut sizes: Vec<usize> = steps.take_while(|k| *k < n).collect();
    sizes.push(n);
    sizes
}

/// The probability that of k samples, drawn from n of which c are right, one is right.
pub(crate) fn pass_at(n: usize, c: usize, k: usize) -> f64 {
    if n < c + k {
        return 1.0;
    }
    // C(n-c, k) / C(n, k), factor by factor.
    let none: f64 = (n - c + 1..=n).map(|i| 1.0 - k as f64 / i as f64).product();
    1.0 - none
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(same_as: usize, agree: bool) -> SampleRecord {
        SampleRecord { same_as, agree, verdict: None }
    }

    /// Of 5 samples with 2 right: 1 - C(3,2)/C(5,2) = 0.7, 1 - C(3,3)/C(5,3) = 0.9.
    #[test]
    fn right_among_k_is_the_unbiased_estimate() {
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        close(pass_at(5, 2, 1), 0.4);
        close(pass_at(5, 2, 2), 0.7);
        close(pass_at(5, 2, 3), 0.9);
        assert_eq!(pass_at(5, 2, 4), 1.0);
        assert_eq!(pass_at(5, 0, 5), 0.0);
        assert_eq!(pass_at(1, 1, 1), 1.0);
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(10), [1, 2, 5, 10]);
        assert_eq!(sizes(7), [1, 2, 5, 7]);
    }

    #[test]
    fn samples_that_say_the_same_are_known_by_the_first() {
        let found = records(&["a", "b", "a", "b", "c"], |a, b| a == b, |said| (*said == "b", None));
        let same: Vec<_> = found.iter().map(|sample| (sample.same_as, sample.agree)).collect();
        assert_eq!(same, [(0, false), (1, true), (0, false), (1, true), (4, false)]);
    }

    /// Right, right, wrong, other: 2 × 2/4 - 1/6.
    #[test]
    fn the_brier_estimate_is_taken_over_all_pairs() {
        let samples = [sample(0, true), sample(0, true), sample(2, false), sample(3, false)];
        let tally = Tally::of(&samples);
        assert_eq!((tally.of, tally.agree, tally.distinct), (4, 2, 3));
        assert!((tally.brier().unwrap() - (1.0 - 1.0 / 6.0)).abs() < 1e-12);
        assert_eq!(Tally::of(&samples[..2]).brier(), Some(1.0));
        assert_eq!(Tally::of(&[sample(0, false), sample(0, false)]).brier(), Some(-1.0));
        assert_eq!(Tally::of(&samples[..1]).brier(), None);
    }

    /// A model that says the truth with 0.6, and two other things with 0.3 and 0.1: 2 × 0.6 - 0.46.
    #[test]
    fn the_brier_estimate_is_unbiased() {
        let mut random = fastrand::Rng::with_seed(1);
        let draws = 40_000;
        let sum: f64 = (0..draws)
            .map(|_| {
                let mut said = || match random.f64() {
                    point if point < 0.6 => 0,
                    point if point < 0.9 => 1,
                    _ => 2,
                };
                let (first, second) = (said(), said());
                let same_as = usize::from(first != second);
                let samples = [sample(0, first == 0), sample(same_as, second == 0)];
                Tally::of(&samples).brier().unwrap()
            })
            .sum();
        let mean = sum / f64::from(draws);
        assert!((mean - 0.74).abs() < 0.015, "{mean}");
    }
}
