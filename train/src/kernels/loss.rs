//! Cross entropy, with the gradient taken in the forward pass: both need the same exponentials.

use std::sync::Arc;

use burn_flex::FlexTensor;
use multiversion::multiversion;

use super::fused::{Fused, rows_and_columns, tensor, values};
use super::lanes;

#[derive(Clone, Debug)]
pub(super) struct CrossEntropy {
    pub targets: Arc<[u32]>,
    pub scale: f32,
}

impl Fused<1> for CrossEntropy {
    type State = FlexTensor;

    fn forward(&self, [logits]: [FlexTensor; 1]) -> (FlexTensor, FlexTensor) {
        let shape = rows_and_columns(&logits);
        let mut gradient = values(&logits).to_vec();
        let loss = probabilities(&mut gradient, shape[1], &self.targets, self.scale);
        (tensor(vec![loss * self.scale], [1]), tensor(gradient, shape))
    }

    fn backward(&self, mut state: FlexTensor, gradient: FlexTensor) -> [FlexTensor; 1] {
        let factor = values(&gradient).first().copied().unwrap_or_default();
        // The loss is what `backward` is called on, so this is 1 in training.
        if factor != 1.0 {
            for value in state.storage_mut::<f32>() {
                *value *= factor;
            }
        }
        [state]
    }
}

/// Turns logits into their gradient, `scale * (softmax - target)`; returns the sum of surprises.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn probabilities(logits: &mut [f32], classes: usize, targets: &[u32], scale: f32) -> f32 {
    let mut loss = 0.0f64;
    for (row, &target) in logits.chunks_exact_mut(classes).zip(targets) {
        let target = target as usize;
        let (largest, logit) = (lanes::max(row), row[target]);
        let sum = lanes::exp_and_sum(row, largest);
        loss += f64::from(largest - logit + sum.ln());
        let factor = scale / sum;
        for value in &mut *row {
            *value *= factor;
        }
        row[target] -= scale;
    }
    loss as f32
}
