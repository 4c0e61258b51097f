//! Model files that are damaged, or made by a broken converter: each is refused with what is wrong
//! and what to do, whatever llama.cpp would make of it.

use std::fmt::Write;

use crate::support::{Bench, shipped_model};

/// A GGUF file in parts, so that one of them can be broken.
#[derive(Clone)]
struct Gguf {
    version: u32,
    pairs: Vec<Pair>,
    tensors: Vec<Tensor>,
    data: Vec<u8>,
    /// How many more pairs and tensors the header tells of than there are.
    lies: (i64, i64),
}

/// A key, the number of its type, and its value as it is stored.
#[derive(Clone)]
struct Pair(Vec<u8>, u32, Vec<u8>);

#[derive(Clone)]
struct Tensor {
    name: Vec<u8>,
    dimensions: Vec<u64>,
    kind: u32,
    offset: u64,
}

/// Types of values, by their numbers in GGUF.
const U32: u32 = 4;
const F32: u32 = 6;
const STRING: u32 = 8;
const ARRAY: u32 = 9;

/// Where tensors begin, at a multiple of this.
const ALIGNMENT: usize = 32;

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken.to_vec()
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().unwrap())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().unwrap())
    }

    fn string(&mut self) -> Vec<u8> {
        let length = self.u64();
        self.take(length as usize)
    }

    /// A value as it is stored.
    fn value(&mut self, kind: u32) -> Vec<u8> {
        let before = self.0;
        match kind {
            0 | 1 | 7 => drop(self.take(1)),
            2 | 3 => drop(self.take(2)),
            4..=6 => drop(self.take(4)),
            STRING => drop(self.string()),
            ARRAY => {
                let (kind, count) = (self.u32(), self.u64());
                (0..count).for_each(|_| drop(self.value(kind)));
            }
            _ => drop(self.take(8)),
        }
        before[..before.len() - self.0.len()].to_vec()
    }
}

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

impl Gguf {
    /// The model that ships.
    fn shipped() -> Self {
        let bytes = shipped_model();
        let mut reader = Reader(&bytes[4..]);
        let (version, tensors, pairs) = (reader.u32(), reader.u64(), reader.u64());
        let pairs = (0..pairs).map(|_| {
            let (key, kind) = (reader.string(), reader.u32());
            Pair(key, kind, reader.value(kind))
        });
        let pairs = pairs.collect();
        let tensors = (0..tensors).map(|_| {
            let (name, count) = (reader.string(), reader.u32());
            let dimensions = (0..count).map(|_| reader.u64()).collect();
            Tensor { name, dimensions, kind: reader.u32(), offset: reader.u64() }
        });
        let tensors = tensors.collect();
        let at = (bytes.len() - reader.0.len()).next_multiple_of(ALIGNMENT);
        Gguf { version, pairs, tensors, data: bytes[at..].to_vec(), lies: (0, 0) }
    }

    fn bytes(&self) -> Vec<u8> {
        let count = |length: usize, lie: i64| (length as i64 + lie).to_le_bytes();
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(count(self.tensors.len(), self.lies.1));
        bytes.extend(count(self.pairs.len(), self.lies.0));
        let text = |text: &[u8]| [&(text.len() as u64).to_le_bytes(), text].concat();
        for Pair(key, kind, value) in &self.pairs {
            bytes.extend([&*text(key), &kind.to_le_bytes(), value].concat());
        }
        for tensor in &self.tensors {
            bytes.extend(text(&tensor.name));
            bytes.extend((tensor.dimensions.len() as u32).to_le_bytes());
            tensor.dimensions.iter().for_each(|size| bytes.extend(size.to_le_bytes()));
            bytes.extend(tensor.kind.to_le_bytes());
            bytes.extend(tensor.offset.to_le_bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes.extend(&self.data);
        bytes
    }

    fn set(mut self, key: &str, kind: u32, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref().to_vec();
        match self.pairs.iter_mut().find(|pair| pair.0 == key.as_bytes()) {
            Some(pair) => *pair = Pair(pair.0.clone(), kind, value),
            None => self.pairs.push(Pair(key.as_bytes().to_vec(), kind, value)),
        }
        self
    }

    fn number(self, key: &str, value: u32) -> Self {
        self.set(key, U32, value.to_le_bytes())
    }

    fn text(self, key: &str, value: &str) -> Self {
        self.set(key, STRING, string(value))
    }

    fn without(mut self, key: &str) -> Self {
        self.pairs.retain(|pair| pair.0 != key.as_bytes());
        self
    }

    /// Changes the elements of an array, each as it is stored.
    fn elements(self, key: &str, change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Self {
        let Pair(_, _, value) =
            self.pairs.iter().find(|pair| pair.0 == key.as_bytes()).unwrap().clone();
        let mut reader = Reader(&value);
        let (kind, count) = (reader.u32(), reader.u64());
        let mut elements: Vec<_> = (0..count).map(|_| reader.value(kind)).collect();
        change(&mut elements);
        let count = (elements.len() as u64).to_le_bytes();
        let stored = [&kind.to_le_bytes()[..], &count, &elements.concat()].concat();
        self.set(key, ARRAY, stored)
    }

    /// Keeps the first elements of an array.
    fn shortened(self, key: &str, count: usize) -> Self {
        self.elements(key, |elements| elements.truncate(count))
    }

    fn tensor(mut self, change: impl FnOnce(&mut Tensor)) -> Self {
        change(&mut self.tensors[1]);
        self
    }

    fn changed(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

#[test]
fn each_is_refused_and_says_why() {
    let good = Gguf::shipped();
    let m = || good.clone();
    let eps = "llama.attention.layer_norm_rms_epsilon";
    let broken = [
        ("version 99", m().changed(|m| m.version = 99)),
        ("the other byte order", m().changed(|m| m.version = m.version.swap_bytes())),
        ("a pair too few", m().changed(|m| m.lies.0 = -1)),
        ("a pair too many", m().changed(|m| m.lies.0 = 1)),
        ("a tensor too few", m().changed(|m| m.lies.1 = -1)),
        ("a tensor too many", m().changed(|m| m.lies.1 = 1)),
        ("alignment 0", m().number("general.alignment", 0)),
        ("alignment 3", m().number("general.alignment", 3)),
        ("an alignment in words", m().text("general.alignment", "x")),
        ("an unknown architecture", m().text("general.architecture", "nonesuch")),
        ("no architecture", m().without("general.architecture")),
        ("another architecture", m().text("general.architecture", "mamba")),
        ("a context of 0", m().number("llama.context_length", 0)),
        ("a context in words", m().text("llama.context_length", "many")),
        ("no context", m().without("llama.context_length")),
        ("0 layers", m().number("llama.block_count", 0)),
        ("more layers than it has", m().number("llama.block_count", 9)),
        ("a thousand million layers", m().number("llama.block_count", 1 << 30)),
        ("width 191", m().number("llama.embedding_length", 191)),
        ("0 heads", m().number("llama.attention.head_count", 0)),
        ("7 heads", m().number("llama.attention.head_count", 7)),
        ("5 heads for keys", m().number("llama.attention.head_count_kv", 5)),
        ("a rotation of odd width", m().number("llama.rope.dimension_count", 33)),
        ("no epsilon", m().without(eps)),
        ("an epsilon below 0", m().set(eps, F32, (-1.0f32).to_le_bytes())),
        ("an epsilon that is no number", m().set(eps, F32, f32::NAN.to_le_bytes())),
        ("a tensor that is not there", m().changed(|m| drop(m.tensors.pop()))),
        ("a tensor twice", m().changed(|m| m.tensors.push(m.tensors[0].clone()))),
        ("a tensor of unknown type", m().tensor(|tensor| tensor.kind = 99)),
        ("a tensor beyond the end", m().tensor(|tensor| tensor.offset = 1 << 40)),
        ("a tensor without elements", m().tensor(|tensor| tensor.dimensions = vec![0])),
        ("a tensor of 2^80 elements", m().tensor(|tensor| tensor.dimensions = vec![1 << 40; 2])),
        (
            "a tensor of five dimensions",
            m().tensor(|tensor| tensor.dimensions = vec![192, 1, 1, 1, 1]),
        ),
        ("a tensor with a long name", m().tensor(|tensor| tensor.name = vec![b'x'; 100])),
        ("a key twice", m().changed(|m| m.pairs.push(m.pairs[0].clone()))),
        ("a key without a name", m().number("", 0)),
        ("a value of unknown type", m().set("a", 77, [0; 4])),
        ("an endless string", m().set("a", STRING, (1u64 << 62).to_le_bytes())),
        ("an endless array", m().set("a", ARRAY, [&U32.to_le_bytes()[..], &[0xff; 8]].concat())),
        ("no tokens", m().without("tokenizer.ggml.tokens")),
        (
            "a token twice, on which llama.cpp aborts",
            m().elements("tokenizer.ggml.tokens", |tokens| tokens[700] = tokens[701].clone()),
        ),
        ("half of the tokens", m().shortened("tokenizer.ggml.tokens", 500)),
        ("no merges", m().without("tokenizer.ggml.merges")),
        ("no kinds of tokens", m().without("tokenizer.ggml.token_type")),
        ("kinds of ten tokens", m().shortened("tokenizer.ggml.token_type", 10)),
        ("an unknown tokenizer", m().text("tokenizer.ggml.model", "nonesuch")),
        ("an unknown way to split", m().text("tokenizer.ggml.pre", "nonesuch")),
        ("an unknown dialect", m().text("lockstep.dialect", "klingon")),
        ("an unknown end of frames", m().text("lockstep.frame_end", "never")),
        ("weights that are no numbers", m().changed(|m| m.data.fill(0xff))),
        ("a cut file", m().changed(|m| m.data.truncate(m.data.len() - 100))),
    ];
    let bench = Bench::new();
    bench.write("p.py", "x = 1\n");
    bench.write("m.gguf", good.bytes());
    bench.ok(&["debug", "p.py", "--plain", "--model", "m.gguf"]);
    let mut told = String::new();
    for (what, model) in broken {
        bench.write("m.gguf", model.bytes());
        let stderr = bench.refused(&["debug", "p.py", "--plain", "--model", "m.gguf"]);
        assert!(stderr.starts_with("lockstep: m.gguf: "), "{what}: {stderr}");
        writeln!(told, "{what}\n{stderr}").unwrap();
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_flipped_byte_never_ends_the_debugger() {
    let whole = shipped_model();
    let bench = Bench::new();
    bench.write("p.py", "x = 1\n");
    for at in (0..1_200).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        bench.write("m.gguf", bytes);
        let outcome = bench.run(&["debug", "p.py", "--plain", "--model", "m.gguf"]);
        // Whether such a file opens is up to the byte.
        match outcome.code {
            Some(0) => {}
            Some(2) => assert!(outcome.stderr.starts_with("lockstep: "), "{}", outcome.stderr),
            code => panic!("byte {at}: {code:?} {}", outcome.stderr),
        }
    }
}
