//! Exact frames: the share of states that greedy decoding would write without a fault.
//!
//! One pass over the real trajectory gives the likeliest token at every place. If it is the real one
//! at every token of a state, greedy decoding would have written exactly that state.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use burn::module::Module;
use serde::{Deserialize, Serialize};

use crate::batches::Batch;
use crate::kernels::Rope;
use crate::marks::Action;
use crate::model::Llama;

/// How many states were predicted, and how many of them exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Without a fault.
    pub exact: usize,
    /// All.
    pub all: usize,
}

impl Count {
    /// The share that is exact; 0 if there are none.
    pub fn share(self) -> f64 {
        self.exact as f64 / self.all.max(1) as f64
    }

    /// Standard error of the share, as if states were independent.
    pub fn error(self) -> f64 {
        (self.share() * (1.0 - self.share()) / self.all.max(1) as f64).sqrt()
    }
}

/// What an evaluation found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// All states.
    pub frames: Count,
    /// By the action that led to them.
    pub by_action: BTreeMap<&'static str, Count>,
    /// Mean surprise of a predicted token, in nats.
    pub loss: f64,
    /// Predicted tokens.
    pub tokens: usize,
}

impl Report {
    fn add(&mut self, other: Report) {
        self.frames = sum(self.frames, other.frames);
        for (action, count) in other.by_action {
            let entry = self.by_action.entry(action).or_default();
            *entry = sum(*entry, count);
        }
        let tokens = self.tokens + other.tokens;
        let total = self.loss * self.tokens as f64 + other.loss * other.tokens as f64;
        self.loss = total / tokens.max(1) as f64;
        self.tokens = tokens;
    }
}

fn sum(a: Count, b: Count) -> Count {
    Count { exact: a.exact + b.exact, all: a.all + b.all }
}

/// Evaluates a model on batches, with several threads.
pub fn evaluate(model: &Llama, rope: &Rope, batches: &[Batch], threads: usize) -> Report {
    let next = AtomicUsize::new(0);
    let model = model.valid();
    let work = || {
        let mut report = Report::default();
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            report.add(judge(&model, rope, batch));
        }
        report
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut report = work();
        for worker in workers {
            match worker.join() {
                Ok(other) => report.add(other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        report
    })
}

fn judge(model: &Llama, rope: &Rope, batch: &Batch) -> Report {
    let logits = model.logits(batch, rope);
    let [_, classes] = logits.dims();
    let logits = logits.into_data().try_to_vec::<f32>().unwrap_or_default();
    let mut report = Report { tokens: batch.targets.len(), ..Report::default() };
    let mut right = Vec::with_capacity(batch.targets.len());
    for (row, &target) in logits.chunks_exact(classes).zip(batch.targets.iter()) {
        let target = target as usize;
        // Of equals the first, as greedy decoding takes it.
        right.push(
            row[..target].iter().all(|&logit| logit < row[target])
                && row[target + 1..].iter().all(|&logit| logit <= row[target]),
        );
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = row.iter().map(|&logit| f64::from(logit - largest).exp()).sum();
        report.loss += f64::from(largest - row[target]) + sum.ln();
    }
    report.loss /= report.tokens.max(1) as f64;
    for (action, places) in &batch.frames {
        let exact = usize::from(right[places.clone()].iter().all(|&right| right));
        let count = Count { exact, all: 1 };
        report.frames = sum(report.frames, count);
        let entry = report.by_action.entry(Action::name(*action)).or_default();
        *entry = sum(*entry, count);
    }
    report
}

#[cfg(test)]
mod tests {
    use burn::tensor::Device;

    use super::*;
    use crate::batches::in_order;
    use crate::dataset::tests::dataset;
    use crate::model::Shape;

    #[test]
    fn counts_are_those_of_plain_decoding_whatever_the_threads() {
        let shape = Shape {
            width: 32,
            layers: 1,
            heads: 2,
            feed_forward: 32,
            context: 64,
            rope_base: 10_000.0,
        };
        let model = Llama::new(&shape, 5000, 1, &Device::flex().autodiff());
        let batches = in_order(&dataset(&[3, 7, 3, 12, 5]), 12);
        let rope = shape.rope();
        let report = evaluate(&model, &rope, &batches, 1);
        let shared = evaluate(&model, &rope, &batches, 3);
        assert_eq!((report.frames, report.tokens), (shared.frames, shared.tokens));
        assert!((report.loss - shared.loss).abs() < 1e-9);
        assert_eq!(report.frames.all, 5);
        assert_eq!(report.tokens, 1 + 5 + 1 + 10 + 3);
        // A model that knows nothing: its surprise is about that of chance.
        assert!((report.loss - f64::from(5000f32.ln())).abs() < 0.5, "{}", report.loss);

        // The likeliest tokens as targets are all predicted, and one other is not.
        let mut batch = batches[0].clone();
        let logits = model.valid().logits(&batch, &rope);
        let best: Vec<u32> = logits.argmax(1).into_data().iter::<u32>().collect();
        batch.targets = best.clone().into();
        let all = judge(&model.valid(), &rope, &batch).frames;
        assert_eq!((all.exact, all.all), (batch.frames.len(), batch.frames.len()));
        let mut other = best;
        other[0] = (other[0] + 1) % 5000;
        batch.targets = other.into();
        assert_eq!(judge(&model.valid(), &rope, &batch).frames.exact, all.exact - 1);
    }
}
