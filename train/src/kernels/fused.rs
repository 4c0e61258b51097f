//! How an operation with its own derivative joins burn's CPU backend and its autodiff graph.

use std::fmt::Debug;

use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::backend::{Autodiff, BackendTensor, DispatchKindConversion, DispatchTensor, Flex};
use burn::tensor::TensorData;
use burn_flex::FlexTensor;

/// An operation on the CPU, and its derivative. All tensors are contiguous 32-bit floats.
pub(super) trait Fused<const N: usize>: Clone + Debug + Send + 'static {
    /// What the derivative needs to know of the forward pass.
    type State: Clone + Debug + Send + 'static;

    /// The result, and the state.
    fn forward(&self, inputs: [FlexTensor; N]) -> (FlexTensor, Self::State);

    /// The gradients of the inputs, given that of the result.
    fn backward(&self, state: Self::State, gradient: FlexTensor) -> [FlexTensor; N];
}

/// Runs `op` if its inputs are on the CPU, tracked or not; none if they are elsewhere.
pub(super) fn apply<F: Fused<N>, const N: usize>(
    op: F,
    inputs: [DispatchTensor; N],
) -> Option<DispatchTensor> {
    type Tracked = Autodiff<Flex>;
    if let Some(inputs) = on::<Tracked, N>(&inputs) {
        let nodes = inputs.each_ref().map(|tensor| tensor.node());
        let values = inputs.map(|tensor| contiguous(tensor.into_primitive()));
        let (value, state) = op.forward(values);
        let output = match Step(op).prepare::<NoCheckpointing>(nodes).compute_bound().stateful() {
            OpsKind::Tracked(step) => step.finish(state, value),
            OpsKind::UnTracked(step) => step.finish(value),
        };
        let output = BackendTensor::<Tracked>::Float(output);
        return Some(<DispatchTensor as DispatchKindConversion<Tracked>>::from_backend(output));
    }
    let inputs = on::<Flex, N>(&inputs)?;
    let (value, _) = op.forward(inputs.map(contiguous));
    let output = BackendTensor::<Flex>::Float(value);
    Some(<DispatchTensor as DispatchKindConversion<Flex>>::from_backend(output))
}

/// The inputs as tensors of backend `B`, if all of them are.
fn on<B: burn::backend::Backend, const N: usize>(
    inputs: &[DispatchTensor; N],
) -> Option<[B::FloatTensorPrimitive; N]>
where
    DispatchTensor: DispatchKindConversion<B>,
{
    let mut found = Vec::with_capacity(N);
    for input in inputs {
        match <DispatchTensor as DispatchKindConversion<B>>::try_into_backend(input.clone()) {
            Ok(BackendTensor::Float(tensor)) => found.push(tensor),
            _ => return None,
        }
    }
    found.try_into().ok()
}

/// A fused operation as a node of the autodiff graph.
#[derive(Debug)]
struct Step<F>(F);

impl<F: Fused<N>, const N: usize> Backward<Flex, N> for Step<F> {
    type State = F::State;

    fn backward(self, ops: Ops<F::State, N>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let gradient = contiguous(gradients.consume::<Flex>(&ops.node));
        let inputs = self.0.backward(ops.state, gradient);
        for (parent, gradient) in ops.parents.into_iter().zip(inputs) {
            if let Some(parent) = parent {
                gradients.register::<Flex>(parent.id, gradient);
            }
        }
    }
}

fn contiguous(tensor: FlexTensor) -> FlexTensor {
    if tensor.is_contiguous() { tensor } else { tensor.to_contiguous() }
}

/// The values of a contiguous tensor of 32-bit floats.
pub(super) fn values(tensor: &FlexTensor) -> &[f32] {
    tensor.as_slice().unwrap_or_default()
}

/// A tensor of these values.
pub(super) fn tensor<const D: usize>(values: Vec<f32>, shape: [usize; D]) -> FlexTensor {
    FlexTensor::from_data(TensorData::new(values, shape))
}

/// Rows and columns of a tensor of rank 2.
pub(super) fn rows_and_columns(tensor: &FlexTensor) -> [usize; 2] {
    let shape = tensor.layout().shape();
    [shape[0], shape[1]]
}
