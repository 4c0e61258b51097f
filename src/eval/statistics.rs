//! How sure a share is.
//!
//! Steps of one program stand or fall together, so programs are what is drawn at random, and errors
//! are clustered by program (Miller, arXiv 2411.00640). Programs that all have the same share, as
//! where all is right or nothing, have no spread to be estimated from: the interval of their share is
//! Wilson's, over programs, and of their difference there is none.

use serde::Serialize;

/// The two-sided 95% point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The point of the normal distribution that 80% lie below.
const Z_POWER: f64 = 0.841_621_233_572_914;

/// What two counts may differ by in a program, as a share of what was counted, and count as the same:
/// sums of fractions are not exact.
const SAME: f64 = 1e-9;

/// How many of a program's steps, or of whatever is counted, and how many of these have a property.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// How many.
    pub of: f64,
    /// How many of these.
    pub count: f64,
}

impl Cluster {
    /// Adds what was counted.
    pub(super) fn add(&mut self, more: Cluster) {
        self.of += more.of;
        self.count += more.count;
    }
}

/// A share, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// How many were counted.
    pub of: f64,
    /// In how many programs.
    pub programs: usize,
    /// The share.
    pub share: f64,
    /// Its standard error, clustered by program; none with fewer than two programs.
    pub error: Option<f64>,
    /// Where it lies with 95%; none with fewer than two programs.
    pub interval: Option<[f64; 2]>,
}

impl Share {
    /// The share over these programs; none if nothing was counted.
    pub fn of(clusters: impl IntoIterator<Item = Cluster>) -> Option<Self> {
        let clusters: Vec<Cluster> = clusters.into_iter().filter(|c| c.of > 0.0).collect();
        let of: f64 = clusters.iter().map(|cluster| cluster.of).sum();
        let count: f64 = clusters.iter().map(|cluster| cluster.count).sum();
        if of == 0.0 {
            return None;
        }
        let (share, programs) = (count / of, clusters.len());
        let error = clustered_error(&clusters, share, of);
        let interval = error.map(|error| match have_spread(&clusters, share) {
            true => [(share - Z * error).max(0.0), (share + Z * error).min(1.0)],
            false => wilson(share, programs as f64),
        });
        Some(Share { of, programs, share, error, interval })
    }
}

/// Whether not all programs have the same share. Their counts decide, not whether an error that was
/// computed from them is exactly 0.
fn have_spread(clusters: &[Cluster], share: f64) -> bool {
    clusters.iter().any(|c| (c.count - share * c.of).abs() > SAME * c.of)
}

/// The standard error of a ratio of sums over clusters.
fn clustered_error(clusters: &[Cluster], share: f64, of: f64) -> Option<f64> {
    let programs = clusters.len() as f64;
    if programs < 2.0 {
        return None;
    }
    let spread: f64 = clusters.iter().map(|c| (c.count - share * c.of).powi(2)).sum();
    Some((spread * programs / (programs - 1.0)).sqrt() / of)
}

/// Wilson's interval of a share of `n` independent draws.
fn wilson(share: f64, n: f64) -> [f64; 2] {
    let z2 = Z * Z;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // Rounding may leave a share of 0 or 1 just outside.
    [(centre - half).max(0.0).min(share), (centre + half).min(1.0).max(share)]
}

/// A difference of two shares over the same steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedDifference {
    /// How many steps were compared.
    pub of: f64,
    /// In how many programs.
    pub programs: usize,
    /// The second share less the first.
    pub difference: f64,
    /// Its standard error, clustered by program; none with fewer than two programs, and none if all
    /// of them differ alike, which tells nothing of how others would.
    pub error: Option<f64>,
    /// Where it lies with 95%; none without an error.
    pub interval: Option<[f64; 2]>,
    /// Steps that only the first got right.
    pub only_first: u64,
    /// Steps that only the second got right.
    pub only_second: u64,
    /// McNemar's exact two-sided p-value of such a split by chance, as if steps were independent.
    pub mcnemar: f64,
    /// Programs that are needed to see a difference of this size 8 times in 10.
    pub needed: Option<u64>,
}

impl PairedDifference {
    /// The difference over programs, each with its steps that both, that only the first, and that
    /// only the second got right, and those that none did; none if there are no steps.
    pub fn of(programs: &[Flips]) -> Option<Self> {
        let clusters: Vec<Cluster> = programs.iter().map(Flips::cluster).collect();
        let counted: Vec<Cluster> = clusters.into_iter().filter(|c| c.of > 0.0).collect();
        let of: f64 = counted.iter().map(|cluster| cluster.of).sum();
        if of == 0.0 {
            return None;
        }
        let difference = counted.iter().map(|cluster| cluster.count).sum::<f64>() / of;
        let error =
            clustered_error(&counted, difference, of).filter(|_| have_spread(&counted, difference));
        let sum = |part: fn(&Flips) -> u64| programs.iter().map(part).sum::<u64>();
        let (only_first, only_second) =
            (sum(|flips| flips.only_first), sum(|flips| flips.only_second));
        let found = PairedDifference {
            of,
            programs: counted.len(),
            difference,
            error,
            interval: error.map(|error| [difference - Z * error, difference + Z * error]),
            only_first,
            only_second,
            mcnemar: mcnemar(only_first, only_second),
            needed: None,
        };
        Some(PairedDifference { needed: found.needed_for(difference), ..found })
    }

    /// How many programs like these it takes to see a difference of this size 8 times in 10 (a
    /// two-sided test at 5%); none if there is nothing to see, or no error to tell it from.
    pub fn needed_for(&self, gap: f64) -> Option<u64> {
        let error = self.error.filter(|_| gap != 0.0)?;
        let variance = error * error * self.programs as f64;
        Some(((Z + Z_POWER).powi(2) * variance / (gap * gap)).ceil() as u64)
    }

    /// Whether the difference can't be told from chance: its interval holds zero, or there is none.
    pub fn is_noise(&self) -> bool {
        self.interval.is_none_or(|[low, high]| low <= 0.0 && 0.0 <= high)
    }
}

/// How two verdicts on a program's steps go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flips {
    /// Steps that both or none got right.
    pub same: u64,
    /// Steps that only the first got right.
    pub only_first: u64,
    /// Steps that only the second got right.
    pub only_second: u64,
}

impl Flips {
    /// Counts a step.
    pub fn add(&mut self, first: bool, second: bool) {
        match (first, second) {
            (true, false) => self.only_first += 1,
            (false, true) => self.only_second += 1,
            _ => self.same += 1,
        }
    }

    /// Counts the steps of other flips, too.
    pub fn join(&mut self, more: Flips) {
        self.same += more.same;
        self.only_first += more.only_first;
        self.only_second += more.only_second;
    }

    fn cluster(&self) -> Cluster {
        Cluster {
            of: (self.same + self.only_first + self.only_second) as f64,
            count: self.only_second as f64 - self.only_first as f64,
        }
    }
}

/// The probability that of `a + b` fair coins at most the lesser, or at least the greater number fall
/// on one side.
fn mcnemar(a: u64, b: u64) -> f64 {
    let (n, least) = (a + b, a.min(b));
    if n == 0 {
        return 1.0;
    }
    // Sums of binomial coefficients by their logarithms: they overflow otherwise.
    let mut log = -(n as f64) * std::f64::consts::LN_2;
    let mut sum = log.exp();
    for k in 1..=least {
        log += ((n - k + 1) as f64).ln() - (k as f64).ln();
        sum += log.exp();
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cluster(of: u32, count: u32) -> Cluster {
        Cluster { of: of.into(), count: count.into() }
    }

    #[test]
    fn without_clusters_the_error_is_the_binomial_one() {
        let share = Share::of((0..100).map(|n| cluster(1, u32::from(n < 30)))).unwrap();
        assert_eq!(share.share, 0.3);
        let expected = (0.3f64 * 0.7 / 99.0).sqrt();
        assert!((share.error.unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn steps_that_go_together_make_it_less_sure() {
        let together = Share::of((0..10).map(|n| cluster(10, 10 * u32::from(n < 5)))).unwrap();
        let apart = Share::of((0..100).map(|n| cluster(1, n % 2))).unwrap();
        assert_eq!(together.share, apart.share);
        assert!(together.error.unwrap() > 3.0 * apart.error.unwrap());
    }

    #[test]
    fn all_of_a_few_is_not_certain() {
        let share = Share::of((0..10).map(|_| cluster(50, 50))).unwrap();
        let [low, high] = share.interval.unwrap();
        assert!((0.70..0.73).contains(&low), "{low}");
        assert!(high > 0.999, "{high}");
        assert_eq!(Share::of([cluster(5, 5)]).unwrap().interval, None);
        assert_eq!(Share::of([]), None);
    }

    #[test]
    fn mcnemar_is_the_exact_binomial_test() {
        assert_eq!(mcnemar(0, 0), 1.0);
        assert!((mcnemar(1, 9) - 0.021_484_375).abs() < 1e-12);
        assert!((mcnemar(9, 1) - 0.021_484_375).abs() < 1e-12);
        assert_eq!(mcnemar(5, 5), 1.0);
        assert!(mcnemar(4_000, 6_000) < 1e-50);
    }

    #[test]
    fn a_difference_knows_whether_it_is_noise() {
        let flips = |only_first, only_second| Flips { same: 8, only_first, only_second };
        let better: Vec<_> = (0..30).map(|n| flips(0, 1 + n % 3)).collect();
        let better = PairedDifference::of(&better).unwrap();
        assert!((better.difference - 0.2).abs() < 0.02 && !better.is_noise());
        let mixed: Vec<_> = (0..30).map(|n| flips(n % 2, 1 - n % 2)).collect();
        let mixed = PairedDifference::of(&mixed).unwrap();
        assert!(mixed.is_noise() && mixed.mcnemar > 0.9);
        assert!(PairedDifference::of(&[flips(0, 2)]).unwrap().is_noise());
    }

    /// Two programs of one step that both flip: McNemar's p is 0.5, and nothing tells how others would
    /// differ. Thirds, whose shares are not exact, are alike, too.
    #[test]
    fn programs_that_differ_alike_give_no_interval_and_no_power() {
        let flip = Flips { only_second: 1, ..Flips::default() };
        let both = PairedDifference::of(&[flip; 2]).unwrap();
        assert_eq!((both.difference, both.mcnemar), (1.0, 0.5));
        let thirds = PairedDifference::of(&[Flips { same: 2, ..flip }; 7]).unwrap();
        for found in [both, thirds] {
            assert_eq!((found.error, found.interval, found.needed), (None, None, None));
            assert_eq!(found.needed_for(0.03), None);
            assert!(found.is_noise());
        }
    }

    /// Seven programs with a third right each, and shares of sums that are not exact.
    #[test]
    fn without_spread_the_interval_is_wilsons_whatever_the_rounding() {
        for clusters in [vec![cluster(3, 1); 7], vec![Cluster { of: 1.0, count: 0.1 }; 7]] {
            let share = Share::of(clusters).unwrap();
            assert_eq!(share.interval, Some(wilson(share.share, 7.0)));
            assert!(share.interval.unwrap()[1] > share.share + 0.1);
        }
    }

    /// 200 programs of one step each; of 100 flips 60 are for the better: the difference is 0.1, its
    /// variance a program (0.5 - 0.01) × 200/199 = 0.49246, and (1.96 + 0.8416)² × 0.49246 / 0.1² =
    /// 386.5. Four times as many for half the gap.
    #[test]
    fn the_power_is_the_one_computed_by_hand() {
        let program = |n: u64| Flips {
            same: u64::from(n >= 100),
            only_first: u64::from(n < 40),
            only_second: u64::from((40..100).contains(&n)),
        };
        let found = PairedDifference::of(&(0..200).map(program).collect::<Vec<_>>()).unwrap();
        assert!((found.difference - 0.1).abs() < 1e-12);
        assert_eq!((found.needed, found.needed_for(0.1)), (Some(387), Some(387)));
        assert_eq!(found.needed_for(0.05), Some(1_547));
        assert_eq!(found.needed_for(0.0), None);
        assert!((found.mcnemar - 0.056_887_933_640_980_46).abs() < 1e-9, "{}", found.mcnemar);
    }

    proptest! {
        #[test]
        fn intervals_hold_their_share(
            counts in proptest::collection::vec((1u32..50, 0u32..50), 2..40),
        ) {
            let clusters: Vec<_> =
                counts.into_iter().map(|(of, count)| cluster(of, count.min(of))).collect();
            let share = Share::of(clusters).unwrap();
            let [low, high] = share.interval.unwrap();
            prop_assert!(0.0 <= low && low <= share.share && share.share <= high && high <= 1.0);
        }
    }
}
