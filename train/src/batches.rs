//! Which trajectories make up each step.
//!
//! A step's batch is whole trajectories of about a given number of tokens. The order is a function
//! of the seed alone, so a run that is resumed, whenever that is, goes on with the same batches.

use std::ops::Range;
use std::sync::Arc;

use crate::dataset::{Dataset, Trajectory};
use crate::kernels::Spans;
use crate::marks::Action;

/// Sequences packed one after the other, and what the model must predict in them.
#[derive(Clone, Debug)]
pub struct Batch {
    /// All tokens.
    pub tokens: Vec<u32>,
    /// Where each trajectory lies in `tokens`.
    pub spans: Spans,
    /// The places whose next token is to be predicted.
    pub places: Vec<u32>,
    /// Those next tokens.
    pub targets: Arc<[u32]>,
    /// For each state its action, and its part of `places`.
    pub frames: Vec<(Action, Range<usize>)>,
}

impl Batch {
    /// Packs trajectories.
    pub fn new<'a>(trajectories: impl Iterator<Item = Trajectory<'a>>) -> Self {
        let (mut tokens, mut spans) = (Vec::new(), Vec::new());
        let (mut places, mut targets, mut frames) = (Vec::new(), Vec::new(), Vec::new());
        for trajectory in trajectories {
            let base = tokens.len();
            tokens.extend(trajectory.tokens.iter().map(|&token| u32::from(token)));
            spans.push(base..tokens.len());
            for frame in trajectory.frames {
                let first = places.len();
                for at in frame.start as usize..frame.end as usize {
                    places.push((base + at - 1) as u32);
                    targets.push(tokens[base + at]);
                }
                frames.push((frame.action, first..places.len()));
            }
        }
        Batch { tokens, spans: spans.into(), places, targets: targets.into(), frames }
    }
}

/// The batches of one pass over the data.
#[derive(Clone, Debug)]
pub struct Epoch {
    order: Vec<u32>,
    batches: Vec<Range<usize>>,
}

impl Epoch {
    /// Shuffles `dataset` and cuts it into batches of up to `tokens` tokens.
    ///
    /// Trajectories of `window` batches are sorted by length before they are cut, so that those of
    /// one batch are of about one length, which devices that pad need; 1 leaves them mixed.
    pub fn new(dataset: &Dataset, tokens: usize, window: usize, seed: u64, epoch: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed ^ epoch.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut order: Vec<u32> = (0..dataset.len() as u32).collect();
        random.shuffle(&mut order);
        let length = |&index: &u32| dataset.get(index as usize).tokens.len();
        if window > 1 {
            let mean = (dataset.tokens() / dataset.len().max(1)).max(1);
            let size = (window * tokens / mean).max(1);
            for window in order.chunks_mut(size) {
                window.sort_by_key(length);
            }
        }
        let mut batches = Vec::new();
        let (mut start, mut sum) = (0, 0);
        for (at, index) in order.iter().enumerate() {
            let length = length(index);
            if sum + length > tokens && start < at {
                batches.push(start..at);
                (start, sum) = (at, 0);
            }
            sum += length;
        }
        if start < order.len() {
            batches.push(start..order.len());
        }
        random.shuffle(&mut batches);
        Epoch { order, batches }
    }

    /// How many batches there are.
    pub fn len(&self) -> usize {
        self.batches.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// A batch in `parts` of about equal work; at most one part a trajectory.
    pub fn batch(&self, index: usize, dataset: &Dataset, parts: usize) -> Vec<Batch> {
        let mut indices = self.order[self.batches[index].clone()].to_vec();
        indices.sort_by_key(|&index| std::cmp::Reverse(dataset.get(index as usize).tokens.len()));
        split(indices, parts, dataset)
    }
}

/// Packs trajectories, longest first, each into the part that has the fewest tokens so far.
fn split(indices: Vec<u32>, parts: usize, dataset: &Dataset) -> Vec<Batch> {
    let mut shares: Vec<(usize, Vec<u32>)> = vec![(0, Vec::new()); parts.max(1)];
    for index in indices {
        if let Some((tokens, share)) = shares.iter_mut().min_by_key(|(tokens, _)| *tokens) {
            *tokens += dataset.get(index as usize).tokens.len();
            share.push(index);
        }
    }
    shares
        .into_iter()
        .filter(|(_, share)| !share.is_empty())
        .map(|(_, share)| Batch::new(share.into_iter().map(|index| dataset.get(index as usize))))
        .collect()
}

/// Packs a whole dataset in order into batches of up to `tokens` tokens.
pub fn in_order(dataset: &Dataset, tokens: usize) -> Vec<Batch> {
    let mut batches = Vec::new();
    let (mut share, mut sum) = (Vec::new(), 0);
    for trajectory in dataset.iter() {
        if sum + trajectory.tokens.len() > tokens && !share.is_empty() {
            batches.push(Batch::new(share.drain(..)));
            sum = 0;
        }
        sum += trajectory.tokens.len();
        share.push(trajectory);
    }
    if !share.is_empty() {
        batches.push(Batch::new(share.into_iter()));
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::dataset;

    fn indices(epoch: &Epoch, dataset: &Dataset, parts: usize) -> Vec<Vec<Vec<usize>>> {
        let lengths = |part: &Batch| part.spans.iter().map(|span| span.len()).collect();
        (0..epoch.len())
            .map(|index| epoch.batch(index, dataset, parts).iter().map(lengths).collect())
            .collect()
    }

    #[test]
    fn a_pass_takes_every_trajectory_once() {
        // All of different lengths.
        let dataset = dataset(&(5..60).collect::<Vec<_>>());
        for (window, parts) in [(1, 1), (1, 3), (4, 2)] {
            let epoch = Epoch::new(&dataset, 100, window, 7, 0);
            let mut seen = indices(&epoch, &dataset, parts).concat().concat();
            seen.sort_unstable();
            assert_eq!(seen, (5..60).collect::<Vec<_>>());
            for index in 0..epoch.len() {
                let batch = epoch.batch(index, &dataset, parts);
                let tokens: usize = batch.iter().map(|part| part.tokens.len()).sum();
                assert!(tokens <= 100 && batch.len() <= parts);
            }
        }
    }

    #[test]
    fn the_order_is_that_of_the_seed_and_the_pass() {
        let dataset = dataset(&(5..60).collect::<Vec<_>>());
        let order = |seed, pass| indices(&Epoch::new(&dataset, 100, 1, seed, pass), &dataset, 2);
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1, 0), order(2, 0));
    }

    #[test]
    fn a_window_brings_equal_lengths_together() {
        let dataset = dataset(&(0..400).map(|index| 5 + index % 40).collect::<Vec<_>>());
        let spread = |window| {
            let epoch = Epoch::new(&dataset, 100, window, 7, 0);
            let spread = |lengths: &Vec<usize>| {
                lengths.iter().max().unwrap_or(&0) - lengths.iter().min().unwrap_or(&0)
            };
            indices(&epoch, &dataset, 1).concat().iter().map(spread).sum::<usize>()
        };
        assert!(10 * spread(50) < spread(1), "{} {}", spread(50), spread(1));
    }

    #[test]
    fn a_batch_asks_for_each_token_of_a_state_at_the_place_before_it() {
        let dataset = dataset(&[6, 9]);
        let batch = Batch::new(dataset.iter());
        assert_eq!(batch.spans.to_vec(), [0..6, 6..15]);
        for (place, target) in batch.places.iter().zip(batch.targets.iter()) {
            assert_eq!(batch.tokens[*place as usize + 1], *target);
        }
        let predicted: usize = dataset
            .iter()
            .flat_map(|trajectory| trajectory.frames)
            .map(|frame| (frame.end - frame.start) as usize)
            .sum();
        assert_eq!(batch.places.len(), predicted);
        assert_eq!(batch.frames.len(), 2);
        assert_eq!(batch.frames[1].1, batch.frames[0].1.end..predicted);
    }

    #[test]
    fn in_order_nothing_is_lost() {
        let dataset = dataset(&[30, 80, 200, 10, 10]);
        let sizes = |batch: &Batch| batch.spans.iter().map(|span| span.len()).collect::<Vec<_>>();
        let batches: Vec<_> = in_order(&dataset, 100).iter().map(sizes).collect();
        assert_eq!(batches, [vec![30], vec![80], vec![200], vec![10, 10]]);
    }
}
