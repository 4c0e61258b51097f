//! pass@k: the probability that at least one of k answers, drawn from those given, is right.

use serde::{Deserialize, Serialize};

use crate::eval::samples;
use crate::eval::statistics::{Cluster, Share};

/// The unbiased estimate for one item from `right` right ones of `of` answers (Chen et al., arXiv
/// 2107.03374), as evaluations have it. None if there are fewer than k answers.
pub fn pass_at(k: usize, right: usize, of: usize) -> Option<f64> {
    ((1..=of).contains(&k) && right <= of).then(|| samples::pass_at(of, right, k))
}

/// pass@k over items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pass {
    /// How many answers are drawn.
    pub k: usize,
    /// The mean over the items, which are what is drawn at random.
    #[serde(flatten)]
    pub share: Share,
}

/// How many of an item's answers are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Right ones.
    pub right: usize,
    /// All.
    pub of: usize,
}

/// pass@k over these items for k = 1, 5 and all answers, as far as each item has so many.
pub fn pass(items: &[Count]) -> Vec<Pass> {
    let fewest = items.iter().map(|item| item.of).min().unwrap_or(0);
    let mut ks = vec![1, 5, fewest];
    ks.retain(|k| (1..=fewest).contains(k));
    ks.sort_unstable();
    ks.dedup();
    ks.into_iter()
        .filter_map(|k| {
            let each = items.iter().filter_map(|item| pass_at(k, item.right, item.of));
            let share = Share::of(each.map(|count| Cluster { of: 1.0, count }))?;
            Some(Pass { k, share })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The share of the subsets of k answers that hold one of the first `right`.
    fn by_counting(k: usize, right: usize, of: usize) -> f64 {
        let subsets = (0u32..1 << of).filter(|subset| subset.count_ones() as usize == k);
        let (hit, all) = subsets.fold((0, 0), |(hit, all), subset| {
            (hit + u32::from(subset & ((1 << right) - 1) != 0), all + 1)
        });
        f64::from(hit) / f64::from(all)
    }

    proptest! {
        #[test]
        fn it_is_the_share_of_subsets_with_a_right_one(
            of in 1usize..11, k in 1usize..11, right in 0usize..11,
        ) {
            let (k, right) = (k.min(of), right.min(of));
            let found = pass_at(k, right, of).unwrap();
            prop_assert!((found - by_counting(k, right, of)).abs() < 1e-9);
        }
    }

    #[test]
    fn ks_are_those_that_every_item_has() {
        let count = |right, of| Count { right, of };
        let ks = |items: &[Count]| pass(items).into_iter().map(|pass| pass.k).collect::<Vec<_>>();
        assert_eq!(ks(&[count(1, 10), count(0, 10)]), [1, 5, 10]);
        assert_eq!(ks(&[count(1, 10), count(0, 3)]), [1, 3]);
        assert_eq!(ks(&[count(1, 1)]), [1]);
        assert!(ks(&[count(0, 0)]).is_empty() && ks(&[]).is_empty());
        assert_eq!(pass(&[count(1, 2), count(0, 2)])[0].share.share, 0.25);
        assert_eq!(pass_at(3, 1, 2), None);
    }
}
