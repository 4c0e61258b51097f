//! Numbers that are no shares, with intervals by the bootstrap: programs are drawn anew, with
//! replacement, and the number is computed again for each draw (Efron's percentile interval). As in
//! [`super::statistics`], programs are what is drawn, since their steps stand or fall together.

use serde::Serialize;

use super::statistics::Cluster;

/// Most draws of an interval.
const MOST_DRAWS: usize = 1_000;
/// Fewest draws of an interval, however many programs there are.
const FEWEST_DRAWS: usize = 200;
/// Programs drawn in all for an interval, as far as [`FEWEST_DRAWS`] allows.
const DRAWN_IN_ALL: usize = 5_000_000;
/// Where the random numbers start: the same log gives the same report.
const SEED: u64 = 0;

/// A number, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// How many things were counted: steps, or programs.
    pub of: f64,
    /// In how many programs.
    pub programs: usize,
    /// The number.
    pub value: f64,
    /// Where it lies with 95%, by the bootstrap over programs; none with fewer than two programs.
    pub interval: Option<[f64; 2]>,
}

impl Estimate {
    /// A mean: a ratio of sums over programs. None if nothing was counted.
    pub fn mean(programs: impl IntoIterator<Item = Cluster>) -> Option<Self> {
        let programs: Vec<Cluster> = programs.into_iter().filter(|c| c.of > 0.0).collect();
        let ratio = |weights: &[u32]| {
            let sum = |part: fn(&Cluster) -> f64| -> f64 {
                programs.iter().zip(weights).map(|(c, weight)| part(c) * f64::from(*weight)).sum()
            };
            let of = sum(|cluster| cluster.of);
            (of > 0.0).then(|| sum(|cluster| cluster.count) / of)
        };
        let of = programs.iter().map(|cluster| cluster.of).sum();
        Estimate::of(programs.len(), of, ratio)
    }

    /// A number that is computed from programs, given how often each of them counts. None if there
    /// is no such number.
    pub fn of(programs: usize, of: f64, statistic: impl Fn(&[u32]) -> Option<f64>) -> Option<Self> {
        let value = statistic(&vec![1; programs])?;
        let interval = interval(programs, &statistic);
        Some(Estimate { of, programs, value, interval })
    }
}

/// The middle 95% of what a statistic is when programs are drawn anew; none with fewer than two
/// programs. Draws for which there is no number are left out.
fn interval(programs: usize, statistic: impl Fn(&[u32]) -> Option<f64>) -> Option<[f64; 2]> {
    if programs < 2 {
        return None;
    }
    let draws = (DRAWN_IN_ALL / programs).clamp(FEWEST_DRAWS, MOST_DRAWS);
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut weights = vec![0; programs];
    let mut values = Vec::with_capacity(draws);
    for _ in 0..draws {
        weights.fill(0);
        (0..programs).for_each(|_| weights[random.usize(..programs)] += 1);
        values.extend(statistic(&weights));
    }
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let place = (values.len().checked_sub(1)? as f64 * part).round() as usize;
        values.get(place).copied()
    };
    Some([at(0.025)?, at(0.975)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cluster(of: f64, count: f64) -> Cluster {
        Cluster { of, count }
    }

    #[test]
    fn a_mean_is_the_ratio_of_the_sums() {
        let mean =
            Estimate::mean([cluster(3.0, 1.5), cluster(1.0, 0.9), cluster(0.0, 0.0)]).unwrap();
        assert_eq!((mean.of, mean.programs), (4.0, 2));
        assert!((mean.value - 0.6).abs() < 1e-12);
        // Of two programs a draw has the one twice, the other twice, or both.
        let [low, high] = mean.interval.unwrap();
        assert!((low - 0.5).abs() < 1e-12 && (high - 0.9).abs() < 1e-12, "{low} {high}");
        assert_eq!(Estimate::mean([cluster(2.0, 1.0)]).unwrap().interval, None);
        assert_eq!(Estimate::mean([]), None);
    }

    /// 300 samples of 60 programs, of whose steps 30% are right, with another share in each program:
    /// the interval must hold 0.3 about 95 times in 100.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = fastrand::Rng::with_seed(5);
        let trials = 300;
        let held = (0..trials).filter(|_| {
            let program = |_| {
                let share = if random.bool() { 0.1 } else { 0.5 };
                let of = random.u32(5..20);
                let count = (0..of).filter(|_| random.f64() < share).count();
                cluster(f64::from(of), count as f64)
            };
            let programs: Vec<Cluster> = (0..60).map(program).collect();
            let [low, high] = Estimate::mean(programs).unwrap().interval.unwrap();
            low <= 0.3 && 0.3 <= high
        });
        let held = held.count() as f64 / f64::from(trials);
        assert!((0.90..0.985).contains(&held), "{held}");
    }

    proptest! {
        #[test]
        fn an_interval_is_ordered_within_the_means_and_always_the_same(
            counts in proptest::collection::vec((1u32..50, 0.0f64..1.0), 2..40),
        ) {
            let programs = || counts.iter().map(|(of, share)| {
                cluster(f64::from(*of), f64::from(*of) * share)
            });
            let mean = Estimate::mean(programs()).unwrap();
            let [low, high] = mean.interval.unwrap();
            let least = counts.iter().map(|(_, share)| *share).fold(1.0, f64::min);
            let most = counts.iter().map(|(_, share)| *share).fold(0.0, f64::max);
            prop_assert!(least - 1e-9 <= low && low <= high && high <= most + 1e-9);
            prop_assert_eq!(Estimate::mean(programs()), Some(mean));
        }
    }
}
