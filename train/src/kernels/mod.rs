//! The steps of the model that burn would run as many passes over memory, each as one operation
//! with its derivative written out.
//!
//! On the CPU the matrix products are fast and all the rest is memory traffic: attention alone made
//! about fifteen passes over a table of all pairs of positions. Here it is one operation that works
//! block by block in the cache, over sequences of different lengths without padding. On other
//! devices the same functions are composed from burn's operations, which its GPU backends fuse
//! themselves; a test holds both ways equal, values and gradients.

mod attention;
mod composed;
mod fused;
mod lanes;
mod loss;
mod norm;
mod product;
mod swiglu;

use std::ops::Range;
use std::sync::Arc;

use burn::tensor::{Device, Int, Tensor};

pub use attention::Rope;

/// Where each sequence of a packed batch lies among its rows; in order, without gaps.
pub type Spans = Arc<[Range<usize>]>;

/// `x` with each row scaled to a root mean square of 1, times `weight`; `[rows, width]`.
pub fn rms_norm(x: Tensor<2>, weight: Tensor<1>, epsilon: f32) -> Tensor<2> {
    let inputs = [x.clone().into_dispatch(), weight.clone().into_dispatch()];
    match fused::apply(norm::RmsNorm { epsilon }, inputs) {
        Some(y) => Tensor::from_dispatch(y),
        None => composed::rms_norm(x, weight, epsilon),
    }
}

/// `silu(gate) * up`, element by element.
pub fn swiglu(gate: Tensor<2>, up: Tensor<2>) -> Tensor<2> {
    let inputs = [gate.clone().into_dispatch(), up.clone().into_dispatch()];
    match fused::apply(swiglu::SwiGlu, inputs) {
        Some(y) => Tensor::from_dispatch(y),
        None => composed::swiglu(gate, up),
    }
}

/// Causal self-attention with rotary positions, each sequence of `spans` by itself.
///
/// `q`, `k`, `v` and the result are `[rows, heads * head_width]`; rotation pairs neighbours, as
/// llama.cpp's `llama` architecture does. Positions count from the start of each sequence and must
/// lie inside the table of `rope`.
pub fn attention(
    q: Tensor<2>,
    k: Tensor<2>,
    v: Tensor<2>,
    rope: &Rope,
    spans: &Spans,
) -> Tensor<2> {
    let inputs = [&q, &k, &v].map(|x| x.clone().into_dispatch());
    let op = attention::Attention { rope: rope.clone(), spans: Arc::clone(spans) };
    match fused::apply(op, inputs) {
        Some(y) => Tensor::from_dispatch(y),
        None => composed::attention([q, k, v], rope, spans),
    }
}

/// The sum over rows of the surprise (nats) of each row's target, times `scale`.
///
/// `logits` is `[rows, vocabulary]`; `targets` has a class for each row.
pub fn cross_entropy(logits: Tensor<2>, targets: &Arc<[u32]>, scale: f32) -> Tensor<1> {
    let op = loss::CrossEntropy { targets: Arc::clone(targets), scale };
    match fused::apply(op, [logits.clone().into_dispatch()]) {
        Some(y) => Tensor::from_dispatch(y),
        None => composed::cross_entropy(logits, targets, scale),
    }
}

/// Indices as a tensor on `device`.
pub fn indices(values: &[u32], device: &Device) -> Tensor<1, Int> {
    let values: Vec<i32> = values.iter().map(|&value| value as i32).collect();
    Tensor::from_data(values.as_slice(), device)
}

#[cfg(test)]
mod tests;
