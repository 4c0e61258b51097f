//! How numbers are packed in GGUF tensors.

use half::f16;
use serde::{Deserialize, Serialize};

/// Values of a block of Q8_0, which share one scale.
const BLOCK: usize = 32;
/// Bytes of such a block.
const BLOCK_BYTES: usize = 2 + BLOCK;

/// A packing of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Kind {
    /// 32-bit floats.
    F32,
    /// 16-bit floats.
    F16,
    /// 8-bit integers, with one 16-bit scale for each 32 of them.
    #[value(name = "q8_0")]
    Q8,
}

impl Kind {
    /// Its number as the type of a tensor.
    pub(super) fn tensor_type(self) -> u32 {
        match self {
            Kind::F32 => 0,
            Kind::F16 => 1,
            Kind::Q8 => 8,
        }
    }

    /// Its number as the type of a whole file.
    pub(super) fn file_type(self) -> u32 {
        match self {
            Kind::F32 => 0,
            Kind::F16 => 1,
            Kind::Q8 => 7,
        }
    }

    /// The packing of a number; none if it is one that isn't read here.
    pub(super) fn of_tensor_type(number: u32) -> Option<Self> {
        [Kind::F32, Kind::F16, Kind::Q8].into_iter().find(|kind| kind.tensor_type() == number)
    }

    /// Bytes of so many values; none if they don't fill whole blocks.
    pub(super) fn bytes(self, values: usize) -> Option<usize> {
        match self {
            Kind::F32 => values.checked_mul(4),
            Kind::F16 => values.checked_mul(2),
            Kind::Q8 => values.is_multiple_of(BLOCK).then_some(values / BLOCK * BLOCK_BYTES),
        }
    }

    /// Packs values; for Q8_0 their number must be a multiple of 32.
    pub(super) fn pack(self, values: &[f32]) -> Vec<u8> {
        match self {
            Kind::F32 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Kind::F16 => {
                values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect()
            }
            Kind::Q8 => values.chunks(BLOCK).flat_map(pack_block).collect(),
        }
    }

    /// The values of packed bytes.
    pub(super) fn unpack(self, bytes: &[u8]) -> Vec<f32> {
        match self {
            Kind::F32 => {
                let (values, _) = bytes.as_chunks();
                values.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
            }
            Kind::F16 => {
                let (values, _) = bytes.as_chunks();
                values.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect()
            }
            Kind::Q8 => {
                let (blocks, _) = bytes.as_chunks::<BLOCK_BYTES>();
                blocks.iter().flat_map(unpack_block).collect()
            }
        }
    }
}

fn pack_block(values: &[f32]) -> Vec<u8> {
    let largest = values.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
    let scale = largest / 127.0;
    let inverse = if scale > 0.0 { scale.recip() } else { 0.0 };
    let steps = values.iter().map(|value| (value * inverse).round() as i8 as u8);
    f16::from_f32(scale).to_le_bytes().into_iter().chain(steps).collect()
}

fn unpack_block(block: &[u8; BLOCK_BYTES]) -> [f32; BLOCK] {
    let [low, high, steps @ ..] = block;
    let scale = f16::from_le_bytes([*low, *high]).to_f32();
    steps.map(|step| f32::from(step as i8) * scale)
}
