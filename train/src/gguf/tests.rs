//! Files are read as they were written, and broken ones are refused.

use proptest::prelude::*;

use super::*;
use crate::error::Error;

fn stored() -> Stored {
    let shape = Shape {
        width: 32,
        layers: 2,
        heads: 2,
        feed_forward: 64,
        context: 64,
        rope_base: 10_000.0,
    };
    let text = "def f(x):\n    return x<|frame_sep|><|line_sep|>";
    let vocabulary = Vocabulary::train([text; 9].into_iter(), 300).unwrap();
    let model = Llama::new(&shape, vocabulary.size(), 7, &Device::flex());
    Stored { name: "small".to_owned(), longest: 48, shape, vocabulary, model }
}

fn weights(stored: &Stored) -> Vec<f32> {
    let mut all = floats(stored.model.embedding.val());
    all.extend(floats(stored.model.head.val()));
    for block in &stored.model.blocks {
        all.extend(matrices(block).iter().flat_map(|(_, weight)| floats(weight.val())));
        all.extend(floats(block.attention_norm.val()));
    }
    all
}

#[test]
fn a_model_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    let before = stored();
    for (kind, tolerance) in [(Kind::F32, 0.0), (Kind::F16, 1e-3), (Kind::Q8, 1e-2)] {
        write(&path, &before, kind).unwrap();
        let after = read(&path, &Device::flex()).unwrap();
        assert_eq!((&after.name, after.longest), (&before.name, before.longest));
        assert_eq!(after.shape, before.shape);
        assert_eq!(after.vocabulary.tokens(), before.vocabulary.tokens());
        assert_eq!(after.vocabulary.merges(), before.vocabulary.merges());
        let (before, after) = (weights(&before), weights(&after));
        assert_eq!(before.len(), after.len());
        let largest = before.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        for (before, after) in before.iter().zip(after) {
            assert!((before - after).abs() <= tolerance * largest, "{before} {after}");
        }
    }
}

#[test]
fn what_is_broken_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    write(&path, &stored(), Kind::Q8).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        matches!(read(&path, &Device::flex()), Err(Error::Gguf { .. }))
    };
    for length in (0..whole.len()).step_by(997) {
        assert!(refused(&whole[..length]), "cut to {length}");
    }
    let mut huge = whole.clone();
    huge[8..24].fill(0xff);
    assert!(refused(&huge));
    let mut other = whole.clone();
    other[0] = b'X';
    assert!(refused(&other));
    assert!(!refused(&whole));
}

fn small_file() -> File {
    let text = |text: &str| Value::Text(text.to_owned());
    File {
        metadata: vec![
            ("a".to_owned(), Value::U32(7)),
            ("b".to_owned(), Value::Array(vec![text("x"), text("")])),
            ("c".to_owned(), Value::F32(0.5)),
            ("d".to_owned(), Value::Bool(true)),
            ("e".to_owned(), Value::Array(vec![Value::I32(-1)])),
        ],
        tensors: vec![
            TensorEntry {
                name: "one".to_owned(),
                dimensions: vec![3],
                kind: Kind::F32,
                data: Kind::F32.pack(&[1.0, -2.0, 0.25]),
            },
            TensorEntry {
                name: "two".to_owned(),
                dimensions: vec![32, 2],
                kind: Kind::Q8,
                data: Kind::Q8.pack(&[0.5; 64]),
            },
        ],
    }
}

#[test]
fn the_container_is_read_as_it_was_written() {
    assert_eq!(format::parse(&small_file().bytes()).unwrap(), small_file());
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_fail_otherwise_than_by_an_error(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = small_file().bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = format::parse(&bytes);
        let _ = format::parse(&bytes[..length.index(bytes.len())]);
    }

    #[test]
    fn packing_loses_no_more_than_its_precision(
        values in prop::collection::vec(-100.0f32..100.0, 32),
    ) {
        prop_assert_eq!(&Kind::F32.unpack(&Kind::F32.pack(&values)), &values);
        let largest = values.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        for (kind, step) in [(Kind::F16, 1e-3), (Kind::Q8, 0.51 / 127.0 + 1e-3)] {
            for (before, after) in values.iter().zip(kind.unpack(&kind.pack(&values))) {
                prop_assert!((before - after).abs() <= step * largest, "{} {}", before, after);
            }
        }
    }
}
