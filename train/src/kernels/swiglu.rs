//! The gate of the feed-forward layers: `silu(gate) * up`.

use burn_flex::FlexTensor;
use multiversion::multiversion;

use super::fused::{Fused, rows_and_columns, tensor, values};
use super::lanes;

#[derive(Clone, Debug)]
pub(super) struct SwiGlu;

impl Fused<2> for SwiGlu {
    type State = [FlexTensor; 2];

    fn forward(&self, [gate, up]: [FlexTensor; 2]) -> (FlexTensor, [FlexTensor; 2]) {
        let shape = rows_and_columns(&gate);
        let mut y = vec![0.0; shape[0] * shape[1]];
        forward(values(&gate), values(&up), &mut y);
        (tensor(y, shape), [gate, up])
    }

    fn backward(&self, [gate, up]: [FlexTensor; 2], gradient: FlexTensor) -> [FlexTensor; 2] {
        let shape = rows_and_columns(&gate);
        let mut dgate = vec![0.0; shape[0] * shape[1]];
        let mut dup = vec![0.0; shape[0] * shape[1]];
        backward([values(&gate), values(&up)], values(&gradient), &mut dgate, &mut dup);
        [tensor(dgate, shape), tensor(dup, shape)]
    }
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + lanes::exp(-x))
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn forward(gate: &[f32], up: &[f32], y: &mut [f32]) {
    for ((y, &gate), &up) in y.iter_mut().zip(gate).zip(up) {
        *y = gate * sigmoid(gate) * up;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn backward([gate, up]: [&[f32]; 2], dy: &[f32], dgate: &mut [f32], dup: &mut [f32]) {
    let inputs = gate.iter().zip(up).zip(dy);
    for (((&gate, &up), &dy), (dgate, dup)) in inputs.zip(dgate.iter_mut().zip(dup)) {
        let s = sigmoid(gate);
        *dgate = dy * up * s * (1.0 + gate * (1.0 - s));
        *dup = dy * gate * s;
    }
}
