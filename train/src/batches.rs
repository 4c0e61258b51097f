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
