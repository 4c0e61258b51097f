//! What changes the weights: AdamW, and Muon for the matrices inside the blocks.

use burn::module::{Module, ModuleVisitor, Param, ParamGroup};
use burn::optim::decay::WeightDecayConfig;
use burn::optim::{AdamWConfig, AdjustLrFn, GradientsParams, ModuleOptimizer, MuonConfig};
use burn::tensor::Tensor;

use crate::model::Llama;
use crate::recipe::{Optimizer, Training};

/// The matrices inside the blocks, by their names in [`crate::model::Block`].
const MATRICES: [&str; 7] = [".query", ".key", ".value", ".output", ".gate", ".up", ".down"];

/// The optimizer of a recipe.
pub fn build(training: &Training) -> ModuleOptimizer {
    let adamw = AdamWConfig::new().with_beta_2(training.beta2).with_epsilon(1e-8);
    let mut optimizer = adamw.clone().with_weight_decay(training.weight_decay).init().with_group(
        ParamGroup::from_predicate("norm"),
        adamw.with_weight_decay(0.0).build(),
        None,
    );
    if training.optimizer == Optimizer::Muon {
        let muon = MuonConfig::new()
            .with_weight_decay(Some(WeightDecayConfig::new(training.weight_decay)))
            .with_adjust_lr_fn(AdjustLrFn::MatchRmsAdamW)
            .build();
        for name in MATRICES {
            let group = ParamGroup::from_predicates(vec!["blocks", name]);
            optimizer = optimizer.with_group(group, muon.clone(), None);
        }
    }
    optimizer
}

/// Cuts gradients to a norm of `most` over all weights together; returns their norm before.
pub fn clip(gradients: GradientsParams, model: &Llama, most: f64) -> (GradientsParams, f64) {
    let mut norm = Norm { gradients: &gradients, squares: 0.0 };
    model.visit(&mut norm);
    let norm = norm.squares.sqrt();
    if norm <= most {
        return (gradients, norm);
    }
    let mut scale = Scale { gradients, factor: most / norm };
    model.visit(&mut scale);
    (scale.gradients, norm)
}

struct Norm<'a> {
    gradients: &'a GradientsParams,
    squares: f64,
}

impl ModuleVisitor for Norm<'_> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if let Some(gradient) = self.gradients.get::<D>(param.id) {
            self.squares += gradient.square().sum().into_scalar::<f64>();
        }
    }
}

struct Scale {
    gradients: GradientsParams,
    factor: f64,
}

impl ModuleVisitor for Scale {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if let Some(gradient) = self.gradients.remove::<D>(param.id) {
            self.gradients.register(param.id, gradient.mul_scalar(self.factor));
        }
    }
}
