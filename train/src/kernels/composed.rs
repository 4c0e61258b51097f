//! The same functions from burn's own operations, for devices other than the CPU.

use std::sync::Arc;

use burn::tensor::activation::{log_softmax, silu, softmax};
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::{Rope, Spans, indices};

/// What a score that looks ahead is lowered by. More would make `exp` underflow, which is slow on
/// some devices.
const MASKED: f32 = -60.0;

pub(super) fn rms_norm(x: Tensor<2>, weight: Tensor<1>, epsilon: f32) -> Tensor<2> {
    let factor = x.clone().square().mean_dim(1).add_scalar(epsilon).sqrt().recip();
    x * factor * weight.unsqueeze()
}

pub(super) fn swiglu(gate: Tensor<2>, up: Tensor<2>) -> Tensor<2> {
    silu(gate) * up
}

pub(super) fn cross_entropy(logits: Tensor<2>, targets: &Arc<[u32]>, scale: f32) -> Tensor<1> {
    let device = logits.device();
    let targets: Tensor<2, Int> = indices(targets, &device).unsqueeze_dim(1);
    log_softmax(logits, 1).gather(1, targets).sum().mul_scalar(-scale)
}

/// Sequences are laid out side by side, padded to the longest, and back.
pub(super) fn attention(inputs: [Tensor<2>; 3], rope: &Rope, spans: &Spans) -> Tensor<2> {
    let device = inputs[0].device();
    let (heads, head_width) = (rope.heads(), rope.head_width());
    let longest = spans.iter().map(|span| span.len()).max().unwrap_or_default();
    let [padded, packed] = places(spans, longest);
    let (padded, packed) = (indices(&padded, &device), indices(&packed, &device));
    let [q, k, v] = inputs.map(|x| {
        x.select(0, padded.clone())
            .reshape([spans.len(), longest, heads, head_width])
            .swap_dims(1, 2)
    });
    let [q, k] = [q, k].map(|x| rotate(x, rope, longest, &device));
    let scale = (head_width as f32).sqrt().recip();
    let scores = q.mul_scalar(scale).matmul(k.swap_dims(2, 3)) + mask(longest, &device);
    let output = softmax(scores, 3).matmul(v).swap_dims(1, 2);
    output.reshape([spans.len() * longest, heads * head_width]).select(0, packed)
}

/// For each place of the padded layout its row, and for each row its place. Padding repeats the last
/// row of its sequence; nothing before it sees it.
fn places(spans: &Spans, longest: usize) -> [Vec<u32>; 2] {
    let [mut padded, mut packed] = [Vec::new(), Vec::new()];
    for (index, span) in spans.iter().enumerate() {
        padded.extend((0..longest).map(|at| (span.start + at.min(span.len() - 1)) as u32));
        packed.extend((0..span.len()).map(|at| (index * longest + at) as u32));
    }
    [padded, packed]
}

fn rotate(x: Tensor<4>, rope: &Rope, longest: usize, device: &Device) -> Tensor<4> {
    let [sequences, heads, _, head_width] = x.dims();
    let angles: Vec<(f32, f32)> = (0..longest).flat_map(|at| rope.at(at).to_vec()).collect();
    let (cos, sin): (Vec<f32>, Vec<f32>) = angles.into_iter().unzip();
    let shape = [1, 1, longest, head_width / 2, 1];
    let [cos, sin]: [Tensor<5>; 2] =
        [cos, sin].map(|table| Tensor::from_data(TensorData::new(table, shape), device));
    let pairs = x.reshape([sequences, heads, longest, head_width / 2, 2]);
    let [a, b] = [0, 1].map(|side| pairs.clone().narrow(4, side, 1));
    let turned = [a.clone() * cos.clone() - b.clone() * sin.clone(), a * sin + b * cos];
    Tensor::cat(turned.to_vec(), 4).reshape([sequences, heads, longest, head_width])
}

fn mask(longest: usize, device: &Device) -> Tensor<4> {
    let value = |at: usize| if at % longest > at / longest { MASKED } else { 0.0 };
    let values: Vec<f32> = (0..longest * longest).map(value).collect();
    Tensor::from_data(TensorData::new(values, [1, 1, longest, longest]), device)
}
