//! A micro model from its data to llama.cpp: it learns, goes on after a stop as if there had been
//! none, and says in llama.cpp what it says here.

// The lints' exception for tests doesn't reach the helpers of tests.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use burn::tensor::Device;
use llama_cpp_2::LogOptions;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token_type::LlamaTokenAttr;
use lockstep_train::batches::Batch;
use lockstep_train::dataset::{self, Dataset, Direction, Selection, Split};
use lockstep_train::error::Error;
use lockstep_train::gguf::{self, Kind};
use lockstep_train::marks::NAMES;
use lockstep_train::recipe::{Optimizer, Recipe};
use lockstep_train::run::{Run, Start, Until};
use lockstep_train::stored::Stored;
use lockstep_train::tokenizer::Vocabulary;
use tempfile::TempDir;

/// A folder with data, a tokenizer and a recipe.
struct Bench {
    folder: TempDir,
    recipe: Recipe,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        for (split, numbers) in [("train", 0..120), ("validation", 120..130)] {
            let lines: String = numbers.map(|number| line(number) + "\n").collect();
            std::fs::write(data.join(format!("{split}.jsonl")), lines).unwrap();
        }
        let bench = Bench { folder, recipe: recipe() };
        let selection = bench.selection(Split::Train);
        let texts = dataset::texts(&selection).unwrap();
        let vocabulary = Vocabulary::train(texts.iter().map(String::as_str), 320).unwrap();
        vocabulary.save(&bench.tokenizer()).unwrap();
        bench
    }

    fn selection(&self, split: Split) -> Selection {
        Selection {
            paths: vec![self.data()],
            split,
            direction: Direction::Both,
            longest: 256,
            limit: usize::MAX,
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn tokenizer(&self) -> PathBuf {
        self.folder.path().join("tokenizer.json")
    }

    fn run(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Trains to the end of the recipe; returns the run's folder and its losses by steps.
    fn train(&self, name: &str, start: Start) -> PathBuf {
        let folder = self.run(name);
        let data = [self.data()];
        let run = Run::begin(&folder, self.recipe.clone(), &self.tokenizer(), &data, start);
        let (_, complete) = run.unwrap().learn(&Until::default(), &mut std::io::sink()).unwrap();
        assert!(complete);
        folder
    }

    fn batch(&self, vocabulary: &Vocabulary) -> Batch {
        let dataset = Dataset::read(&self.selection(Split::Validation), vocabulary).unwrap();
        Batch::new(dataset.iter().take(3))
    }
}

/// A trajectory that can be learned: the argument and its successor.
fn line(number: usize) -> String {
    let (x, y) = (number, number + 1);
    let text = format!(
        "<|begin_of_text|><|trace_context_start|>def f(x):\n    return x + 1\n\
         <|frame_sep|><|call_sep|><|src_sep|>def f(x):<|arg_sep|>{{\"x\": \"{x}\"}}\
         <|action_sep|><|step_into|><|frame_sep|>\
         <|line_sep|><|arg_sep|>{{\"..\": \"..\"}}<|src_sep|>    return x + 1\
         <|action_sep|><|step_over|><|frame_sep|>\
         <|return_sep|><|src_sep|>    return x + 1<|arg_sep|>\"{y}\"\
         <|action_sep|><|continue|><|frame_sep|><|exit_normal|><|trace_end|><|end_of_text|>"
    );
    serde_json::json!({ "text": text, "direction": "forward", "other": [1, 2] }).to_string()
}

fn recipe() -> Recipe {
    toml::from_str(
        "name = 'micro'
        seed = 3
        [model]
        width = 32
        layers = 2
        heads = 2
        feed_forward = 64
        context = 256
        [training]
        steps = 24
        tokens_per_step = 512
        threads = 2
        learning_rate = 0.01
        warm_up = 4
        [validation]
        every = 12
        trajectories = 10
        [checkpoints]
        every = 12
        keep = 5",
    )
    .unwrap()
}

/// All weights, as the bytes of a file.
fn weights(path: &Path) -> Vec<u8> {
    let stored = Stored::read(path, &Device::flex()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.gguf");
    gguf::write(&file, &stored, Kind::F32).unwrap();
    std::fs::read(file).unwrap()
}

fn metrics(run: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn validation_losses(run: &Path) -> Vec<f64> {
    metrics(run).iter().filter_map(|line| line["validation"]["loss"].as_f64()).collect()
}

#[test]
fn it_learns() {
    for optimizer in [Optimizer::AdamW, Optimizer::Muon] {
        let mut bench = Bench::new();
        bench.recipe.training.optimizer = optimizer;
        bench.recipe.training.steps = 48;
        let run = bench.train("run", Start::Random);
        let losses = validation_losses(&run);
        assert_eq!(losses.len(), 4);
        let chance = (320f64).ln();
        assert!(losses[0] < chance && losses[3] < 0.5 * losses[0], "{optimizer:?}: {losses:?}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been() {
    for optimizer in [Optimizer::AdamW, Optimizer::Muon] {
        let mut bench = Bench::new();
        bench.recipe.training.optimizer = optimizer;
        let whole = bench.train("whole", Start::Random);
        let broken = bench.train("broken", Start::Random);
        assert_eq!(weights(&whole), weights(&broken), "the same recipe gives the same model");

        // Killed while it wrote its second checkpoint.
        let checkpoints = broken.join("checkpoints");
        let last = checkpoints.join("step-000024");
        std::fs::rename(&last, checkpoints.join(".step-000024.partial")).unwrap();
        let resumed = Run::resume(&broken, &[bench.data()], |_| ()).unwrap();
        resumed.learn(&Until::default(), &mut std::io::sink()).unwrap();
        assert_eq!(weights(&whole), weights(&broken), "{optimizer:?}");
        assert_eq!(validation_losses(&whole), validation_losses(&broken));
    }
}

#[test]
fn a_run_doesnt_go_on_with_other_data_or_begin_twice() {
    let bench = Bench::new();
    let run = bench.train("run", Start::Random);
    let again =
        Run::begin(&run, bench.recipe.clone(), &bench.tokenizer(), &[bench.data()], Start::Random);
    assert!(matches!(again.err(), Some(Error::Checkpoint { .. })));
    std::fs::write(bench.data().join("more.jsonl"), line(7)).unwrap();
    let other = Run::resume(&run, &[bench.data()], |_| ());
    let message = other.err().unwrap().to_string();
    assert!(message.contains("other data"), "{message}");
}

#[test]
fn a_run_can_begin_with_the_weights_of_a_file() {
    let mut bench = Bench::new();
    let first = bench.train("first", Start::Random);
    let file = bench.run("first.gguf");
    gguf::write(&file, &Stored::read(&first, &Device::flex()).unwrap(), Kind::F16).unwrap();
    bench.recipe.training.learning_rate = 1e-9;
    let second = bench.train("second", Start::From(&file));
    let (before, after) = (validation_losses(&first), validation_losses(&second));
    assert!((before[1] - after[0]).abs() < 0.01, "{before:?} {after:?}");
}

#[test]
fn llama_cpp_computes_the_same() {
    let bench = Bench::new();
    let run = bench.train("run", Start::Random);
    let stored = Stored::read(&run, &Device::flex()).unwrap();
    let batch = bench.batch(&stored.vocabulary);
    let here = stored.model.logits(&batch, &stored.shape.rope());
    let [_, classes] = here.dims();
    let here: Vec<f32> = here.into_data().try_to_vec().unwrap();
    for (kind, tolerance) in [(Kind::F32, 1e-3), (Kind::F16, 2e-2), (Kind::Q8, 0.3)] {
        let file = bench.run("model.gguf");
        gguf::write(&file, &stored, kind).unwrap();
        let there = llama_logits(&file, &batch);
        assert_eq!(here.len(), there.len());
        let largest = here.iter().zip(&there).map(|(a, b)| (a - b).abs()).fold(0.0f32, f32::max);
        assert!(largest < tolerance, "{kind:?}: logits differ by {largest}");
        if kind == Kind::F32 {
            let rows = here.chunks(classes).zip(there.chunks(classes));
            assert!(rows.into_iter().all(|(a, b)| likeliest(a) == likeliest(b)));
        }
    }
}

fn likeliest(logits: &[f32]) -> usize {
    let mut best = 0;
    for (index, logit) in logits.iter().enumerate() {
        if *logit > logits[best] {
            best = index;
        }
    }
    best
}

#[test]
fn llama_cpp_tokenises_the_same() {
    let bench = Bench::new();
    let run = bench.train("run", Start::Random);
    let stored = Stored::read(&run, &Device::flex()).unwrap();
    let file = bench.run("model.gguf");
    gguf::write(&file, &stored, Kind::Q8).unwrap();
    let llama = LlamaModel::load_from_file(backend(), &file, &LlamaModelParams::default()).unwrap();
    let vocabulary = llama.vocab();
    assert_eq!(usize::try_from(vocabulary.n_tokens()).unwrap(), stored.vocabulary.size());
    for text in [
        "def f(x):\n    return x + 1\n",
        "        if a[10:-2] == 3.14e-15 and not b:",
        "{\"..\": \"..\", \"x\": \"'a\\\\nb'\", \"y\": \"[1, 20, 300]\"}",
        "\t x  =  'it''s'  \r\n\n\n",
        "näïve = 'смех \u{1f40d}\u{200d}日本' # e\u{301}",
        "٣ ² ½ Ⅷ 1a2b",
        "<|frame_sep|><|line_sep|>a<|not_a_mark|>b<|end_of_text|>",
        "don't we'll I'M \u{a0}\u{3000}x",
        "\u{0}\u{1}\u{7f}",
        "",
        " ",
    ] {
        let here = stored.vocabulary.encode(vec![text.to_owned()]).unwrap().remove(0);
        let there: Vec<u32> = vocabulary
            .tokenize(text.as_bytes(), false, true)
            .into_iter()
            .map(|token| u32::try_from(token.0).unwrap())
            .collect();
        assert_eq!(here, there, "{text:?}");
    }
    for name in NAMES {
        let tokens = vocabulary.tokenize(name.as_bytes(), false, true);
        assert_eq!(tokens.len(), 1, "{name}");
        assert!(vocabulary.attr(tokens[0]).contains(LlamaTokenAttr::Control), "{name}");
        let spelled = vocabulary.tokenize(name.as_bytes(), false, false);
        assert!(spelled.len() > 1, "{name} can be forged");
    }
    assert_eq!(llama.meta_val_str("lockstep.dialect").unwrap(), "debugger");
    assert_eq!(llama.meta_val_str("lockstep.frame_end").unwrap(), "action_sep");
}

fn backend() -> &'static LlamaBackend {
    static BACKEND: OnceLock<LlamaBackend> = OnceLock::new();
    BACKEND.get_or_init(|| {
        llama_cpp_2::send_logs_to_tracing(LogOptions::default().with_logs_enabled(false));
        LlamaBackend::init().unwrap()
    })
}

/// The logits of llama.cpp at the places of a batch, sequence by sequence.
fn llama_logits(file: &Path, batch: &Batch) -> Vec<f32> {
    let model = LlamaModel::load_from_file(backend(), file, &LlamaModelParams::default()).unwrap();
    let params = LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(512))
        .with_n_threads(1)
        .with_n_threads_batch(1);
    let mut context = model.new_context(backend(), params).unwrap();
    let mut logits = Vec::new();
    for span in batch.spans.iter() {
        context.clear_kv_cache();
        let mut tokens = LlamaBatch::new(span.len(), 1);
        for (at, row) in span.clone().enumerate() {
            let token = LlamaToken(i32::try_from(batch.tokens[row]).unwrap());
            tokens.add(token, i32::try_from(at).unwrap(), &[0], true).unwrap();
        }
        context.decode(&mut tokens).unwrap();
        for &place in batch.places.iter().filter(|place| span.contains(&(**place as usize))) {
            let at = i32::try_from(place as usize - span.start).unwrap();
            logits.extend_from_slice(context.get_logits_ith(at));
        }
    }
    logits
}
