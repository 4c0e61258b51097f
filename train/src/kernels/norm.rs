//! Root mean square normalisation.

use burn_flex::FlexTensor;
use multiversion::multiversion;

use super::fused::{Fused, rows_and_columns, tensor, values};
use super::lanes;

#[derive(Clone, Debug)]
pub(super) struct RmsNorm {
    pub epsilon: f32,
}

/// The inputs, and the factor that each row was scaled by.
type State = (FlexTensor, FlexTensor, Vec<f32>);

impl Fused<2> for RmsNorm {
    type State = State;

    fn forward(&self, [x, weight]: [FlexTensor; 2]) -> (FlexTensor, State) {
        let shape = rows_and_columns(&x);
        let mut y = vec![0.0; shape[0] * shape[1]];
        let mut factors = vec![0.0; shape[0]];
        forward(values(&x), values(&weight), self.epsilon, &mut y, &mut factors);
        (tensor(y, shape), (x, weight, factors))
    }

    fn backward(&self, (x, weight, factors): State, gradient: FlexTensor) -> [FlexTensor; 2] {
        let shape = rows_and_columns(&x);
        let mut dx = vec![0.0; shape[0] * shape[1]];
        let mut dweight = vec![0.0; shape[1]];
        let inputs = Inputs { x: values(&x), weight: values(&weight), factors: &factors };
        backward(inputs, values(&gradient), &mut dx, &mut dweight);
        [tensor(dx, shape), tensor(dweight, [shape[1]])]
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn forward(x: &[f32], weight: &[f32], epsilon: f32, y: &mut [f32], factors: &mut [f32]) {
    let width = weight.len();
    let rows = x.chunks_exact(width).zip(y.chunks_exact_mut(width));
    for ((x, y), factor) in rows.zip(factors) {
        *factor = (lanes::dot(x, x) / width as f32 + epsilon).sqrt().recip();
        for ((y, &x), &w) in y.iter_mut().zip(x).zip(weight) {
            *y = x * *factor * w;
        }
    }
}

struct Inputs<'a> {
    x: &'a [f32],
    weight: &'a [f32],
    factors: &'a [f32],
}

/// With y = x f w and f = (mean(x²) + ε)^-1/2: dx = f (w dy - x f² mean(x w dy)), dw = Σ x f dy.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn backward(inputs: Inputs, dy: &[f32], dx: &mut [f32], dweight: &mut [f32]) {
    let Inputs { x, weight, factors } = inputs;
    let width = weight.len();
    let rows = x.chunks_exact(width).zip(dy.chunks_exact(width)).zip(dx.chunks_exact_mut(width));
    for (((x, dy), dx), &factor) in rows.zip(factors) {
        for ((dx, &dy), &w) in dx.iter_mut().zip(dy).zip(weight) {
            *dx = dy * w;
        }
        let pull = factor * factor * lanes::dot(x, dx) / width as f32;
        for (((dx, &x), &dy), dw) in dx.iter_mut().zip(x).zip(dy).zip(&mut *dweight) {
            *dw += x * factor * dy;
            *dx = factor * (*dx - x * pull);
        }
    }
}
