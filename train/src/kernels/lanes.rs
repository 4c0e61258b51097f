//! Loops over floats that the compiler turns into vector instructions.
//!
//! All are inlined into functions that are compiled for several processors (`multiversion`).

/// Floats that are summed side by side; a sum in strict order can't be vectorised.
const LANES: usize = 16;

/// `e` to the `x`, for `x` up to 88; relative error about 1e-7. Below -87 the result is about 1e-38.
///
/// libm's function is a call for each element; this one is a dozen vector instructions.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // x = n ln 2 + r with |r| <= ln 2 / 2; adding 1.5 * 2^23 rounds to the integer n, and leaves it
    // in the low bits.
    const ROUND: f32 = 12_582_912.0;
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let p = 1.0 / 720.0;
    let p = p * r + 1.0 / 120.0;
    let p = p * r + 1.0 / 24.0;
    let p = p * r + 1.0 / 6.0;
    let p = p * r + 0.5;
    let p = p * r + 1.0;
    let p = p * r + 1.0;
    let n = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    p * f32::from_bits((n.wrapping_add(127) << 23) as u32)
}

/// The sum of `f` over pairs of elements.
#[inline(always)]
pub(super) fn sum_of(a: &[f32], b: &[f32], f: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (a_lanes, b_lanes) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 =
        a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(&a, &b)| f(a, b)).sum();
    for (a, b) in a_lanes.zip(b_lanes) {
        for lane in 0..LANES {
            lanes[lane] += f(a[lane], b[lane]);
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// The sum of products.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    sum_of(a, b, |a, b| a * b)
}

/// The largest element; negative infinity if there is none.
#[inline(always)]
pub(super) fn max(values: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder().iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] = if chunk[lane] > lanes[lane] { chunk[lane] } else { lanes[lane] };
        }
    }
    lanes.into_iter().fold(rest, f32::max)
}

/// Replaces each element by `exp(element - shift)` and returns their sum.
#[inline(always)]
pub(super) fn exp_and_sum(values: &mut [f32], shift: f32) -> f32 {
    for value in &mut *values {
        *value = exp(*value - shift);
    }
    sum_of(values, values, |value, _| value)
}
