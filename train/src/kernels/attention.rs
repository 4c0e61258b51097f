//! Causal self-attention over packed sequences, block by block in the cache.
//!
//! The table of all pairs of positions is never kept: the forward pass leaves one number a row and
//! head (the logarithm of its sum of exponentials), from which the backward pass computes a block of
//! probabilities again when it needs it. Blocks of pairs that only look ahead are not computed.

use std::ops::Range;
use std::sync::Arc;

use burn_flex::FlexTensor;
use multiversion::multiversion;

use super::Spans;
use super::fused::{Fused, rows_and_columns, tensor, values};
use super::lanes;
use super::product::{Before, Matrix, multiply};

/// Rows of queries that are worked on together: their scores fit into the second-level cache.
const BLOCK: usize = 64;

/// Rotary positions: angles of all positions up to a length, and the heads that they turn.
#[derive(Clone, Debug)]
pub struct Rope {
    heads: usize,
    head_width: usize,
    /// Cosine and sine for each position and pair: `[positions, head_width / 2]`.
    table: Arc<[(f32, f32)]>,
}

impl Rope {
    /// Angles `position * base^(-2 pair / head_width)`, for `positions` positions.
    pub fn new(heads: usize, head_width: usize, base: f64, positions: usize) -> Self {
        let pairs = head_width / 2;
        let angle = |index: usize| {
            let (position, pair) = (index / pairs, index % pairs);
            let angle = position as f64 * base.powf(-2.0 * pair as f64 / head_width as f64);
            (angle.cos() as f32, angle.sin() as f32)
        };
        Rope { heads, head_width, table: (0..positions * pairs).map(angle).collect() }
    }

    /// How many heads share the width.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// The width of each head.
    pub fn head_width(&self) -> usize {
        self.head_width
    }

    /// Cosines and sines of the pairs at a position.
    pub(super) fn at(&self, position: usize) -> &[(f32, f32)] {
        let pairs = self.head_width / 2;
        &self.table[position * pairs..(position + 1) * pairs]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Attention {
    pub rope: Rope,
    pub spans: Spans,
}

/// What the derivative needs.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Rotated queries, scaled by one over the root of the head's width.
    q: Vec<f32>,
    /// Rotated keys.
    k: Vec<f32>,
    v: FlexTensor,
    output: FlexTensor,
    /// For each head and row the logarithm of the sum of exponentials of its scores.
    sums: Vec<f32>,
}

impl Fused<3> for Attention {
    type State = State;

    fn forward(&self, [q, k, v]: [FlexTensor; 3]) -> (FlexTensor, State) {
        let shape = rows_and_columns(&q);
        let mut q = values(&q).to_vec();
        let mut k = values(&k).to_vec();
        self.rotate(&mut q, 1.0, self.scale());
        self.rotate(&mut k, 1.0, 1.0);
        let mut output = vec![0.0; q.len()];
        let mut sums = vec![0.0; self.rope.heads * shape[0]];
        let mut scores = Vec::new();
        for span in self.spans.iter() {
            for head in 0..self.rope.heads {
                let head = Head { span, head, width: shape[1], head_width: self.rope.head_width };
                let sums = &mut sums[head.head * shape[0]..][..shape[0]];
                head.forward(&q, &k, values(&v), &mut output, sums, &mut scores);
            }
        }
        let output = tensor(output, shape);
        (output.clone(), State { q, k, v, output, sums })
    }

    fn backward(&self, state: State, gradient: FlexTensor) -> [FlexTensor; 3] {
        let shape = rows_and_columns(&gradient);
        let size = shape[0] * shape[1];
        let mut d = Gradients { q: vec![0.0; size], k: vec![0.0; size], v: vec![0.0; size] };
        let mut scratch = [Vec::new(), Vec::new()];
        for span in self.spans.iter() {
            for head in 0..self.rope.heads {
                let head = Head { span, head, width: shape[1], head_width: self.rope.head_width };
                let sums = &state.sums[head.head * shape[0]..][..shape[0]];
                head.backward(&state, sums, values(&gradient), &mut d, &mut scratch);
            }
        }
        self.rotate(&mut d.q, -1.0, self.scale());
        self.rotate(&mut d.k, -1.0, 1.0);
        [d.q, d.k, d.v].map(|values| tensor(values, shape))
    }
}

struct Gradients {
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
}

impl Attention {
    fn scale(&self) -> f32 {
        (self.rope.head_width as f32).sqrt().recip()
    }

    /// Turns each pair of neighbours by its angle (`direction` 1) or back (-1), and scales.
    fn rotate(&self, rows: &mut [f32], direction: f32, scale: f32) {
        let width = self.rope.heads * self.rope.head_width;
        for span in self.spans.iter() {
            let rows = &mut rows[span.start * width..span.end * width];
            for (position, row) in rows.chunks_exact_mut(width).enumerate() {
                for head in row.chunks_exact_mut(self.rope.head_width) {
                    turn(head, self.rope.at(position), direction, scale);
                }
            }
        }
    }
}

#[inline]
fn turn(head: &mut [f32], angles: &[(f32, f32)], direction: f32, scale: f32) {
    for (pair, &(cos, sin)) in head.chunks_exact_mut(2).zip(angles) {
        let (a, b, sin) = (pair[0], pair[1], sin * direction);
        pair[0] = (a * cos - b * sin) * scale;
        pair[1] = (a * sin + b * cos) * scale;
    }
}

/// One head of one sequence.
struct Head<'a> {
    span: &'a Range<usize>,
    head: usize,
    /// Distance between rows.
    width: usize,
    head_width: usize,
}

impl Head<'_> {
    /// Where this head's part of a row of the sequence begins.
    fn at(&self, row: usize) -> usize {
        (self.span.start + row) * self.width + self.head * self.head_width
    }

    /// This head's part of some rows of the sequence.
    fn of<'a>(&self, buffer: &'a [f32], rows: &Range<usize>) -> Matrix<'a> {
        Matrix::rows(&buffer[self.at(rows.start)..], rows.len(), self.head_width, self.width)
    }

    fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let len = self.span.len();
        (0..len).step_by(BLOCK).map(move |start| start..(start + BLOCK).min(len))
    }

    fn forward(
        &self,
        q: &[f32],
        k: &[f32],
        v: &[f32],
        output: &mut [f32],
        sums: &mut [f32],
        scores: &mut Vec<f32>,
    ) {
        for rows in self.blocks() {
            let seen = 0..rows.end;
            scores.resize(rows.len() * seen.len(), 0.0);
            let (queries, keys) = (self.of(q, &rows), self.of(k, &seen));
            multiply(scores, seen.len(), queries, keys.transposed(), Before::Replace);
            let sums = &mut sums[self.span.start + rows.start..self.span.start + rows.end];
            softmax(scores, rows.start, seen.len(), sums);
            let weights = Matrix::rows(scores, rows.len(), seen.len(), seen.len());
            let place = &mut output[self.at(rows.start)..];
            multiply(place, self.width, weights, self.of(v, &seen), Before::Replace);
        }
    }

    fn backward(
        &self,
        state: &State,
        sums: &[f32],
        gradient: &[f32],
        d: &mut Gradients,
        [p, dp]: &mut [Vec<f32>; 2],
    ) {
        let (v, output) = (values(&state.v), values(&state.output));
        for rows in self.blocks() {
            let seen = 0..rows.end;
            p.resize(rows.len() * seen.len(), 0.0);
            dp.resize(rows.len() * seen.len(), 0.0);
            let (queries, keys) = (self.of(&state.q, &rows), self.of(&state.k, &seen));
            let dout = self.of(gradient, &rows);
            multiply(p, seen.len(), queries, keys.transposed(), Before::Replace);
            multiply(dp, seen.len(), dout, self.of(v, &seen).transposed(), Before::Replace);
            for row in rows.clone() {
                let scores = (row - rows.start) * seen.len()..(row - rows.start + 1) * seen.len();
                let (from, to) = (self.at(row), self.at(row) + self.head_width);
                let row = Row { sum: sums[self.span.start + row], seen: row + 1 };
                let (gradient, output) = (&gradient[from..to], &output[from..to]);
                row.backward(gradient, output, &mut p[scores.clone()], &mut dp[scores]);
            }
            let p = Matrix::rows(p, rows.len(), seen.len(), seen.len());
            let dp = Matrix::rows(dp, rows.len(), seen.len(), seen.len());
            let (first, width) = (self.at(0), self.width);
            multiply(&mut d.v[first..], width, p.transposed(), dout, Before::Add);
            multiply(&mut d.k[first..], width, dp.transposed(), queries, Before::Add);
            multiply(&mut d.q[self.at(rows.start)..], width, dp, keys, Before::Replace);
        }
    }
}

/// Turns rows of scores into probabilities; row `r` sees `first + r + 1` keys, the rest become 0.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn softmax(scores: &mut [f32], first: usize, stride: usize, sums: &mut [f32]) {
    for (index, (row, log_sum)) in scores.chunks_exact_mut(stride).zip(sums).enumerate() {
        let (seen, ahead) = row.split_at_mut((first + index + 1).min(stride));
        let largest = lanes::max(seen);
        let sum = lanes::exp_and_sum(seen, largest);
        let factor = 1.0 / sum;
        for value in seen {
            *value *= factor;
        }
        ahead.fill(0.0);
        *log_sum = largest + sum.ln();
    }
}

/// One query.
struct Row {
    sum: f32,
    /// How many keys it sees.
    seen: usize,
}

impl Row {
    /// Turns its scores into probabilities, and the gradient of those into that of the scores.
    fn backward(&self, gradient: &[f32], output: &[f32], p: &mut [f32], dp: &mut [f32]) {
        scores_gradient(self.sum, self.seen, [gradient, output], p, dp);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn scores_gradient(
    sum: f32,
    seen: usize,
    [gradient, output]: [&[f32]; 2],
    p: &mut [f32],
    dp: &mut [f32],
) {
    let mean = lanes::dot(gradient, output);
    let (p, p_ahead) = p.split_at_mut(seen);
    let (dp, dp_ahead) = dp.split_at_mut(seen);
    for (p, dp) in p.iter_mut().zip(dp) {
        *p = lanes::exp(*p - sum);
        *dp = *p * (*dp - mean);
    }
    p_ahead.fill(0.0);
    dp_ahead.fill(0.0);
}
