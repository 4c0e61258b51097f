//! One step: gradients of a batch by several threads, summed, clipped, applied.

use burn::module::Module;
use burn::optim::{GradientsAccumulator, GradientsParams, ModuleOptimizer};
use burn::tensor::Device;

use crate::batches::Batch;
use crate::error::{Error, Result};
use crate::kernels::{Rope, cross_entropy};
use crate::model::Llama;
use crate::optimizer;
use crate::recipe::Recipe;

/// A model that learns.
pub struct Learner {
    /// The model, on a device that tracks gradients.
    pub model: Llama,
    /// The optimizer and what it remembers.
    pub optimizer: ModuleOptimizer,
    rope: Rope,
}

/// What a step was like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Mean surprise of a predicted token, in nats, before the step.
    pub loss: f64,
    /// Norm of the gradient before it was cut.
    pub gradient_norm: f64,
    /// Tokens that were read.
    pub tokens: usize,
}

impl Learner {
    /// A model that learns by a recipe, and has not begun to.
    pub fn new(recipe: &Recipe, model: Llama) -> Self {
        let optimizer = optimizer::build(&recipe.training);
        Learner { model, optimizer, rope: recipe.model.rope() }
    }

    /// Learns from the parts of a batch, each in a thread of its own.
    pub fn step(
        mut self,
        recipe: &Recipe,
        step: usize,
        parts: &[Batch],
    ) -> Result<(Self, Outcome)> {
        let targets: usize = parts.iter().map(|part| part.targets.len()).sum();
        let scale = 1.0 / targets as f32;
        let (gradients, loss) = self.gradients(parts, scale);
        let (gradients, norm) = optimizer::clip(gradients, &self.model, recipe.training.clip);
        if !(loss.is_finite() && norm.is_finite()) {
            return Err(Error::Diverged { step });
        }
        self.model = self.optimizer.step(recipe.training.rate(step), self.model, gradients);
        let tokens = parts.iter().map(|part| part.tokens.len()).sum();
        Ok((self, Outcome { loss, gradient_norm: norm, tokens }))
    }

    fn gradients(&self, parts: &[Batch], scale: f32) -> (GradientsParams, f64) {
        if let [part] = parts {
            return gradients(&self.model, part, &self.rope, scale);
        }
        let device = self.model.embedding.val().device();
        let mut sum = GradientsAccumulator::new();
        let mut loss = 0.0;
        std::thread::scope(|scope| {
            let workers: Vec<_> = parts
                .iter()
                .map(|part| {
                    // Leaves of its own: a graph that reaches into another's waits for it.
                    let (model, rope) = (self.model.clone().fork(&device), &self.rope);
                    scope.spawn(move || gradients(&model, part, rope, scale))
                })
                .collect();
            // In order, so that sums don't depend on which thread is faster.
            for worker in workers {
                match worker.join() {
                    Ok((gradients, part)) => {
                        sum.accumulate(&self.model, gradients);
                        loss += part;
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        (sum.grads(), loss)
    }
}

fn gradients(model: &Llama, batch: &Batch, rope: &Rope, scale: f32) -> (GradientsParams, f64) {
    let loss = cross_entropy(model.logits(batch, rope), &batch.targets, scale);
    let value = loss.clone().into_scalar::<f64>();
    (GradientsParams::from_grads(loss.backward(), model), value)
}

/// The device of a recipe, without gradients.
pub fn device(name: &str) -> Result<Device> {
    match name {
        "cpu" => Ok(Device::flex()),
        #[cfg(feature = "cuda")]
        "cuda" => Ok(Device::cuda(0usize)),
        #[cfg(feature = "wgpu")]
        "wgpu" => Ok(Device::wgpu(burn::tensor::DeviceKind::DefaultDevice)),
        other => Err(Error::NoDevice(other.to_owned())),
    }
}
