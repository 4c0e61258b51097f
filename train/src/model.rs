//! The model: a Llama, small enough for one core.

use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, TensorData};
use serde::{Deserialize, Serialize};

use crate::batches::Batch;
use crate::kernels::{self, Rope};

/// What is added to the mean of squares before its root is taken.
pub const EPSILON: f32 = 1e-5;

/// Longest context that a model may have, in tokens: its angles are kept in a table.
const LONGEST_CONTEXT: usize = 1 << 17;

/// The dimensions of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Width of the residual stream.
    pub width: usize,
    /// Blocks of attention and feed-forward.
    pub layers: usize,
    /// Heads of attention; they share the width.
    pub heads: usize,
    /// Width of the feed-forward layers.
    pub feed_forward: usize,
    /// Most tokens that a trajectory may have.
    pub context: usize,
    /// Base of the rotary positions.
    #[serde(default = "rope_base")]
    pub rope_base: f64,
}

fn rope_base() -> f64 {
    10_000.0
}

impl Shape {
    /// Why no model can have these dimensions; none if one can.
    pub fn fault(&self) -> Option<String> {
        let positive = [
            ("width", self.width),
            ("layers", self.layers),
            ("heads", self.heads),
            ("feed_forward", self.feed_forward),
            ("context", self.context),
        ];
        if let Some((name, _)) = positive.into_iter().find(|(_, value)| *value == 0) {
            return Some(format!("model.{name} is 0; it must be at least 1"));
        }
        if self.context > LONGEST_CONTEXT {
            return Some(format!("model.context is {}; at most {LONGEST_CONTEXT}", self.context));
        }
        if !(self.rope_base >= 1.0 && self.rope_base.is_finite()) {
            return Some(format!("model.rope_base is {}; it must be at least 1", self.rope_base));
        }
        if !self.width.is_multiple_of(2 * self.heads) {
            return Some(format!(
                "model.width {} can't be shared by {} heads of even width",
                self.width, self.heads
            ));
        }
        (!self.width.is_multiple_of(32) || !self.feed_forward.is_multiple_of(32)).then(|| {
            "model.width and model.feed_forward must be multiples of 32, the block of Q8_0".into()
        })
    }

    /// The angles of its positions.
    pub fn rope(&self) -> Rope {
        Rope::new(self.heads, self.width / self.heads, self.rope_base, self.context)
    }
}

/// The weights. Matrices are (in, out).
#[derive(Module, Debug)]
pub struct Llama {
    /// A row a token.
    pub embedding: Param<Tensor<2>>,
    /// From first to last.
    pub blocks: Vec<Block>,
    /// Norm before the head.
    pub norm: Param<Tensor<1>>,
    /// A column a token.
    pub head: Param<Tensor<2>>,
}

/// Attention and feed-forward.
#[derive(Module, Debug)]
pub struct Block {
    /// Norm before attention.
    pub attention_norm: Param<Tensor<1>>,
    /// Queries.
    pub query: Param<Tensor<2>>,
    /// Keys.
    pub key: Param<Tensor<2>>,
    /// Values.
    pub value: Param<Tensor<2>>,
    /// Out of attention.
    pub output: Param<Tensor<2>>,
    /// Norm before feed-forward.
    pub feed_forward_norm: Param<Tensor<1>>,
    /// The gate, which passes through silu.
    pub gate: Param<Tensor<2>>,
    /// What is gated.
    pub up: Param<Tensor<2>>,
    /// Out of feed-forward.
    pub down: Param<Tensor<2>>,
}

impl Llama {
    /// Random weights: normal, of variance 2 / (5 width), and smaller by the root of the number of
    /// additions to the residual stream where they add to it.
    pub fn new(shape: &Shape, vocabulary: usize, seed: u64, device: &Device) -> Self {
        let mut draw = Draw { random: fastrand::Rng::with_seed(seed), device: device.clone() };
        let (width, inner) = (shape.width, shape.feed_forward);
        let std = (2.0 / (5.0 * width as f64)).sqrt();
        let into = std / (2.0 * shape.layers as f64).sqrt();
        Llama {
            embedding: draw.matrix([vocabulary, width], std),
            blocks: (0..shape.layers)
                .map(|_| Block {
                    attention_norm: draw.ones(width),
                    query: draw.matrix([width, width], std),
                    key: draw.matrix([width, width], std),
                    value: draw.matrix([width, width], std),
                    output: draw.matrix([width, width], into),
                    feed_forward_norm: draw.ones(width),
                    gate: draw.matrix([width, inner], std),
                    up: draw.matrix([width, inner], std),
                    down: draw.matrix([inner, width], into),
                })
                .collect(),
            norm: draw.ones(width),
            head: draw.matrix([width, vocabulary], std),
        }
    }

    /// The logits of what comes after each of the batch's places; `[places, vocabulary]`.
    pub fn logits(&self, batch: &Batch, rope: &Rope) -> Tensor<2> {
        let device = self.embedding.val().device();
        let mut x = self.embedding.val().select(0, kernels::indices(&batch.tokens, &device));
        let places = kernels::indices(&batch.places, &device);
        for (index, block) in self.blocks.iter().enumerate() {
            let mut y = block.attention(x.clone(), rope, batch);
            // Nothing after the last attention looks at other places.
            if index + 1 == self.blocks.len() {
                x = x.select(0, places.clone());
                y = y.select(0, places.clone());
            }
            x = x + y.matmul(block.output.val());
            x = x.clone() + block.feed_forward(x);
        }
        kernels::rms_norm(x, self.norm.val(), EPSILON).matmul(self.head.val())
    }
}

impl Block {
    fn attention(&self, x: Tensor<2>, rope: &Rope, batch: &Batch) -> Tensor<2> {
        let x = kernels::rms_norm(x, self.attention_norm.val(), EPSILON);
        let [q, k, v] =
            [&self.query, &self.key, &self.value].map(|weight| x.clone().matmul(weight.val()));
        kernels::attention(q, k, v, rope, &batch.spans)
    }

    fn feed_forward(&self, x: Tensor<2>) -> Tensor<2> {
        let x = kernels::rms_norm(x, self.feed_forward_norm.val(), EPSILON);
        let gate = x.clone().matmul(self.gate.val());
        kernels::swiglu(gate, x.matmul(self.up.val())).matmul(self.down.val())
    }
}

/// Draws initial weights.
struct Draw {
    random: fastrand::Rng,
    device: Device,
}

impl Draw {
    fn matrix(&mut self, shape: [usize; 2], std: f64) -> Param<Tensor<2>> {
        let count = shape[0] * shape[1];
        let values: Vec<f32> = (0..count).map(|_| (self.normal() * std) as f32).collect();
        Param::from_data(TensorData::new(values, shape), &self.device)
    }

    fn ones(&self, width: usize) -> Param<Tensor<1>> {
        Param::from_data(TensorData::new(vec![1.0f32; width], [width]), &self.device)
    }

    /// From the standard normal distribution (Box and Muller's way).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.random.f64()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.random.f64()).cos()
    }
}
