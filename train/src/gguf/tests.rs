//! Files are read as they were written, and broken ones are refused.

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
