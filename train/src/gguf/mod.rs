//! Models as GGUF files, which llama.cpp and Lockstep read.
//!
//! The metadata is what `lockstep doctor` looks for: architecture `llama`, special tokens as CONTROL,
//! `lockstep.dialect` for the format, and `lockstep.frame_end` = `action_sep`, since a model from here
//! has learned to write what ends a state.

mod blocks;
mod format;

use std::collections::BTreeMap;
use std::path::Path;

use burn::module::Param;
use burn::tensor::{Device, Tensor, TensorData};

pub use blocks::Kind;

use crate::error::{Error, Result};
use crate::model::{Block, EPSILON, Llama, Shape};
use crate::stored::Stored;
use crate::tokenizer::Vocabulary;
use format::{File, TensorEntry, Value};

/// Kinds of tokens, as GGUF numbers them.
const NORMAL: i32 = 1;
const CONTROL: i32 = 3;

/// Writes a model with matrices of `kind`; norms are always 32-bit floats.
pub fn write(path: &Path, stored: &Stored, kind: Kind) -> Result<()> {
    let mut file = File { metadata: metadata(stored, kind), tensors: Vec::new() };
    let model = &stored.model;
    file.matrix("token_embd", &model.embedding, Order::OutIn, kind);
    file.vector("output_norm", &model.norm);
    file.matrix("output", &model.head, Order::InOut, kind);
    for (index, block) in model.blocks.iter().enumerate() {
        for (name, weight) in matrices(block) {
            file.matrix(&format!("blk.{index}.{name}"), weight, Order::InOut, kind);
        }
        file.vector(&format!("blk.{index}.attn_norm"), &block.attention_norm);
        file.vector(&format!("blk.{index}.ffn_norm"), &block.feed_forward_norm);
    }
    file.write(path)
}

/// The matrices of a block by their names in GGUF.
fn matrices(block: &Block) -> [(&'static str, &Param<Tensor<2>>); 7] {
    [
        ("attn_q", &block.query),
        ("attn_k", &block.key),
        ("attn_v", &block.value),
        ("attn_output", &block.output),
        ("ffn_gate", &block.gate),
        ("ffn_up", &block.up),
        ("ffn_down", &block.down),
    ]
}

/// The order of a matrix in burn; in GGUF all are rows of outputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    InOut,
    OutIn,
}

impl File {
    fn matrix(&mut self, name: &str, weight: &Param<Tensor<2>>, order: Order, kind: Kind) {
        let tensor = match order {
            Order::InOut => weight.val().transpose(),
            Order::OutIn => weight.val(),
        };
        let [rows, columns] = tensor.dims();
        self.push(name, vec![columns as u64, rows as u64], &floats(tensor), kind);
    }

    fn vector(&mut self, name: &str, weight: &Param<Tensor<1>>) {
        let values = floats(weight.val());
        self.push(name, vec![values.len() as u64], &values, Kind::F32);
    }

    fn push(&mut self, name: &str, dimensions: Vec<u64>, values: &[f32], kind: Kind) {
        let name = format!("{name}.weight");
        self.tensors.push(TensorEntry { name, dimensions, kind, data: kind.pack(values) });
    }
}

fn floats<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().try_to_vec().unwrap_or_default()
}

fn metadata(stored: &Stored, kind: Kind) -> Vec<(String, Value)> {
    let (shape, vocabulary) = (&stored.shape, &stored.vocabulary);
    let tokens = vocabulary.tokens();
    let kinds = tokens
        .iter()
        .map(|token| Value::I32(if vocabulary.is_special(token) { CONTROL } else { NORMAL }));
    let kinds = kinds.collect();
    let id = |name: &str| {
        let at = tokens.iter().position(|token| token == name);
        Value::U32(at.unwrap_or_default() as u32)
    };
    let text = |text: &str| Value::Text(text.to_owned());
    let texts = |texts: &[String]| Value::Array(texts.iter().map(|t| text(t)).collect());
    let size = |size: usize| Value::U32(size as u32);
    let entries = [
        ("general.architecture", text("llama")),
        ("general.name", text(&stored.name)),
        ("general.description", text("a neural debugger for small Python programs")),
        ("general.file_type", Value::U32(kind.file_type())),
        ("llama.context_length", size(shape.context)),
        ("llama.embedding_length", size(shape.width)),
        ("llama.block_count", size(shape.layers)),
        ("llama.feed_forward_length", size(shape.feed_forward)),
        ("llama.attention.head_count", size(shape.heads)),
        ("llama.attention.head_count_kv", size(shape.heads)),
        ("llama.attention.layer_norm_rms_epsilon", Value::F32(EPSILON)),
        ("llama.rope.dimension_count", size(shape.width / shape.heads)),
        ("llama.rope.freq_base", Value::F32(shape.rope_base as f32)),
        ("llama.vocab_size", size(tokens.len())),
        ("lockstep.dialect", text("debugger")),
        ("lockstep.frame_end", text("action_sep")),
        ("lockstep.source_end", text("bare")),
        ("lockstep.trained_length", size(stored.longest)),
        ("tokenizer.ggml.model", text("gpt2")),
        ("tokenizer.ggml.pre", text("smollm")),
        ("tokenizer.ggml.merges", texts(&vocabulary.merges())),
        ("tokenizer.ggml.bos_token_id", id("<|begin_of_text|>")),
        ("tokenizer.ggml.eos_token_id", id("<|end_of_text|>")),
        ("tokenizer.ggml.padding_token_id", id("<|pad|>")),
        ("tokenizer.ggml.add_bos_token", Value::Bool(false)),
        ("tokenizer.ggml.token_type", Value::Array(kinds)),
        ("tokenizer.ggml.tokens", texts(&tokens)),
    ];
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Reads a model that [`write()`] wrote.
pub fn read(path: &Path, device: &Device) -> Result<Stored> {
    let bad = |cause: String| Error::Gguf { path: path.to_owned(), cause };
    let bytes = std::fs::read(path).map_err(crate::error::at(path))?;
    let file = format::parse(&bytes).map_err(bad)?;
    let read = Reading::new(file, device.clone());
    read.stored().map_err(bad)
}

/// A file that is being turned into a model.
struct Reading {
    metadata: BTreeMap<String, Value>,
    tensors: BTreeMap<String, TensorEntry>,
    device: Device,
}

type Read<T> = std::result::Result<T, String>;

impl Reading {
    fn new(file: File, device: Device) -> Self {
        let tensors = file.tensors.into_iter().map(|tensor| (tensor.name.clone(), tensor));
        Reading {
            metadata: file.metadata.into_iter().collect(),
            tensors: tensors.collect(),
            device,
        }
    }

    fn stored(mut self) -> Read<Stored> {
        let architecture = self.text("general.architecture")?;
        if architecture != "llama" {
            return Err(format!("its architecture is {architecture}; only llama can be read"));
        }
        let shape = Shape {
            width: self.size("llama.embedding_length")?,
            layers: self.size("llama.block_count")?,
            heads: self.size("llama.attention.head_count")?,
            feed_forward: self.size("llama.feed_forward_length")?,
            context: self.size("llama.context_length")?,
            rope_base: match self.value("llama.rope.freq_base")? {
                Value::F32(base) => f64::from(*base),
                _ => return Err("llama.rope.freq_base is no 32-bit float".to_owned()),
            },
        };
        if let Some(fault) = shape.fault() {
            return Err(fault);
        }
        let tokens = self.texts("tokenizer.ggml.tokens")?;
        let merges = self.texts("tokenizer.ggml.merges")?;
        Ok(Stored {
            name: self.text("general.name")?,
            longest: self.size("lockstep.trained_length").unwrap_or(shape.context),
            vocabulary: Vocabulary::from_parts(&tokens, &merges)?,
            model: self.model(&shape, tokens.len())?,
            shape,
        })
    }

    fn model(&mut self, shape: &Shape, vocabulary: usize) -> Read<Llama> {
        let (width, inner) = (shape.width, shape.feed_forward);
        let mut blocks = Vec::new();
        for index in 0..shape.layers {
            let mut matrix = |name: &str, shape| {
                self.matrix(&format!("blk.{index}.{name}"), shape).map(transposed)
            };
            let [query, key, value, output] = [
                matrix("attn_q", [width, width])?,
                matrix("attn_k", [width, width])?,
                matrix("attn_v", [width, width])?,
                matrix("attn_output", [width, width])?,
            ];
            let gate = matrix("ffn_gate", [inner, width])?;
            let up = matrix("ffn_up", [inner, width])?;
            let down = matrix("ffn_down", [width, inner])?;
            let attention_norm = self.vector(&format!("blk.{index}.attn_norm"), width)?;
            let feed_forward_norm = self.vector(&format!("blk.{index}.ffn_norm"), width)?;
            blocks.push(Block {
                attention_norm,
                query,
                key,
                value,
                output,
                feed_forward_norm,
                gate,
                up,
                down,
            });
        }
        Ok(Llama {
            embedding: Param::from_tensor(self.matrix("token_embd", [vocabulary, width])?),
            blocks,
            norm: self.vector("output_norm", width)?,
            head: self.matrix("output", [vocabulary, width]).map(transposed)?,
        })
    }

    fn matrix(&mut self, name: &str, [rows, columns]: [usize; 2]) -> Read<Tensor<2>> {
        let values = self.values(name, &[columns as u64, rows as u64])?;
        Ok(Tensor::from_data(TensorData::new(values, [rows, columns]), &self.device))
    }

    fn vector(&mut self, name: &str, width: usize) -> Read<Param<Tensor<1>>> {
        let values = self.values(name, &[width as u64])?;
        Ok(Param::from_data(TensorData::new(values, [width]), &self.device))
    }

    fn values(&mut self, name: &str, dimensions: &[u64]) -> Read<Vec<f32>> {
        let name = format!("{name}.weight");
        let tensor = self.tensors.remove(&name).ok_or_else(|| format!("has no tensor {name}"))?;
        if tensor.dimensions != dimensions {
            return Err(format!("{name} is {:?}, not {dimensions:?}", tensor.dimensions));
        }
        Ok(tensor.kind.unpack(&tensor.data))
    }

    fn value(&self, key: &str) -> Read<&Value> {
        self.metadata.get(key).ok_or_else(|| format!("has no {key}"))
    }

    fn size(&self, key: &str) -> Read<usize> {
        match self.value(key)? {
            Value::U32(size) => Ok(*size as usize),
            _ => Err(format!("{key} is no 32-bit number")),
        }
    }

    fn text(&self, key: &str) -> Read<String> {
        match self.value(key)? {
            Value::Text(text) => Ok(text.clone()),
            _ => Err(format!("{key} is no text")),
        }
    }

    fn texts(&self, key: &str) -> Read<Vec<String>> {
        let Value::Array(values) = self.value(key)? else {
            return Err(format!("{key} is no array"));
        };
        let text = |value: &Value| match value {
            Value::Text(text) => Ok(text.clone()),
            _ => Err(format!("{key} holds other things than text")),
        };
        values.iter().map(text).collect()
    }
}

fn transposed(tensor: Tensor<2>) -> Param<Tensor<2>> {
    let [rows, columns] = tensor.dims();
    let device = tensor.device();
    // As burn lays out new weights, so that products see them the same way.
    let values = floats(tensor.transpose());
    Param::from_data(TensorData::new(values, [columns, rows]), &device)
}

#[cfg(test)]
mod tests;
