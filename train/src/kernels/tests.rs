//! The fused operations against the same composed from burn's, values and gradients.

use super::*;
use burn::tensor::TensorData;

fn random<const D: usize>(seed: u64, shape: [usize; D]) -> Tensor<D> {
    let mut random = fastrand::Rng::with_seed(seed);
    let values: Vec<f32> = (0..shape.iter().product()).map(|_| random.f32() * 4.0 - 2.0).collect();
    let device = Device::flex().autodiff();
    Tensor::from_data(TensorData::new(values, shape), &device).require_grad()
}

fn floats<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_to_vec().unwrap()
}

fn close(name: &str, a: &[f32], b: &[f32]) {
    assert_eq!(a.len(), b.len(), "{name}");
    let size = b.iter().fold(0.0f32, |size, b| size.max(b.abs()));
    assert!(size > 0.0, "{name} is all zero");
    for (index, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= 1e-5 * size.max(1.0), "{name}[{index}]: {a} for {b}");
    }
}

/// Compares two ways to compute a function of two tensors, under a loss that weighs elements.
fn same(inputs: [Tensor<2>; 3], ways: [&dyn Fn([Tensor<2>; 3]) -> Tensor<2>; 2]) {
    let [fused, composed] = ways.map(|way| {
        let output = way(inputs.clone());
        let weights = random(99, output.dims());
        let gradients = (output.clone() * weights.detach()).sum().backward();
        let gradients = inputs.each_ref().map(|x| x.grad(&gradients).map(floats));
        (floats(output), gradients)
    });
    close("value", &fused.0, &composed.0);
    for (index, (a, b)) in fused.1.iter().zip(&composed.1).enumerate() {
        assert_eq!(a.is_some(), b.is_some());
        if let (Some(a), Some(b)) = (a, b) {
            close(&format!("gradient {index}"), a, b);
        }
    }
}

#[test]
fn norms_are_equal() {
    let inputs = [random(1, [5, 37]), random(2, [1, 37]), random(3, [1, 1])];
    same(
        inputs,
        [&|[x, w, _]| rms_norm(x, w.squeeze_dim(0), 1e-5), &|[x, w, _]| {
            composed::rms_norm(x, w.squeeze_dim(0), 1e-5)
        }],
    );
}

#[test]
fn gates_are_equal() {
    let inputs = [random(1, [5, 37]), random(2, [5, 37]), random(3, [1, 1])];
    same(inputs, [&|[g, u, _]| swiglu(g, u), &|[g, u, _]| composed::swiglu(g, u)]);
}

#[test]
fn losses_are_equal() {
    let inputs = [random(1, [6, 41]), random(2, [1, 1]), random(3, [1, 1])];
    let targets: Arc<[u32]> = Arc::from([0, 40, 7, 7, 16, 31]);
    same(
        inputs,
        [&|[x, ..]| cross_entropy(x, &targets, 0.3).unsqueeze(), &|[x, ..]| {
            composed::cross_entropy(x, &targets, 0.3).unsqueeze()
        }],
    );
}

#[test]
fn attention_is_equal_on_sequences_of_all_lengths() {
    // Below, at and above the block; one of a single row.
    let spans: Spans = Arc::from([0..1, 1..65, 65..196, 196..200]);
    let rope = Rope::new(3, 8, 10_000.0, 256);
    let inputs = [1, 2, 3].map(|seed| random(seed, [200, 24]));
    same(
        inputs,
        [&|[q, k, v]| attention(q, k, v, &rope, &spans), &|inputs| {
            composed::attention(inputs, &rope, &spans)
        }],
    );
}

#[test]
fn nothing_sees_what_comes_later_or_belongs_to_others() {
    let spans: Spans = Arc::from([0..70, 70..150]);
    let rope = Rope::new(2, 8, 10_000.0, 256);
    let [q, k, v] = [1, 2, 3].map(|seed| random::<2>(seed, [150, 16]));
    let before = floats(attention(q.clone(), k.clone(), v.clone(), &rope, &spans));
    let other = random::<2>(4, [150, 16]);
    let changed =
        |x: Tensor<2>| Tensor::cat(vec![x.narrow(0, 0, 68), other.clone().narrow(0, 68, 82)], 0);
    let after = floats(attention(changed(q), changed(k), changed(v), &rope, &spans));
    assert_eq!(before[..68 * 16], after[..68 * 16]);
    assert_ne!(before[68 * 16..70 * 16], after[68 * 16..70 * 16]);
}

#[test]
fn exp_is_that_of_libm() {
    for step in -8_700..=8_800 {
        let x = step as f32 / 100.0;
        let (found, expected) = (lanes::exp(x), x.exp());
        assert!((found - expected).abs() <= 3e-7 * expected, "exp({x}): {found} for {expected}");
    }
    assert!(lanes::exp(f32::NEG_INFINITY) < 1e-37);
}
