//! Loading GGUF files with llama.cpp.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token_type::LlamaTokenAttr;
use llama_cpp_2::{LlamaBackendDeviceType, LogOptions, list_llama_ggml_backend_devices};

use super::{
    DEFAULT_CONTEXT, Model, ModelError, ModelInfo, ModelSource, Runner, Settings, Work, digest,
    file, shipped,
};
use crate::neural::dialect::debugger::{Conventions, DebuggerDialect, FrameEnd, SourceEnd};
use crate::neural::engine::llama::LlamaEngine;
use crate::neural::engine::{Branch, EngineError, Interrupt, Row, Wanted};
use crate::neural::logs::LogCapture;
use crate::neural::vocabulary::{Piece, TokenId, Vocabulary};

/// Loads the model of `source`.
pub(super) fn load(source: &ModelSource, settings: &Settings) -> Result<Model, ModelError> {
    let (path, known_sha256) = match source {
        ModelSource::Shipped => shipped::install().map(|(path, sha256)| (path, Some(sha256)))?,
        ModelSource::File(path) => (path.clone(), None),
    };
    let bytes = file::check(&path)?;
    let backend = backend()?;
    let (llama, sha256) = std::thread::scope(|scope| {
        let hash = scope.spawn(|| known_sha256.map_or_else(|| digest::sha256_of_file(&path), Ok));
        let llama = read(backend, &path, settings);
        (llama, hash.join())
    });
    let llama = llama?;
    let unreadable = |source| ModelError::Unreadable { path: path.clone(), source };
    let sha256 = sha256
        .unwrap_or_else(|_| Err(std::io::Error::other("hashing failed")))
        .map_err(unreadable)?;
    if llama.is_recurrent() || llama.is_hybrid() {
        return Err(ModelError::Recurrent { origin: source.clone() });
    }
    if llama.n_ctx_train() == 0 {
        let cause = "its metadata says that it reads no tokens (context_length = 0)".to_owned();
        return Err(ModelError::Unloadable { path, cause });
    }
    let text = |key: &str| llama.meta_val_str(key).ok().filter(|value| !value.is_empty());
    let info = ModelInfo {
        name: text("general.name").unwrap_or_else(|| stem(&path)),
        file: match source {
            ModelSource::Shipped => None,
            ModelSource::File(path) => Some(path.clone()),
        },
        sha256,
        bytes,
        architecture: text("general.architecture").unwrap_or_else(|| "unknown".to_owned()),
        parameters: llama.n_params(),
        trained_context: llama.n_ctx_train(),
        context: settings.context.unwrap_or(DEFAULT_CONTEXT).min(llama.n_ctx_train()),
        tokenizer_sha256: String::new(),
        dialect: dialect_name(source, text("lockstep.dialect"))?,
        dialect_sha256: String::new(),
        device: device(backend, settings),
        decoding: settings.decoding,
    };
    let conventions = conventions(source, &text)?;
    let loaded = Arc::new(Loaded::new(llama));
    let model = Model {
        vocabulary: Arc::clone(&loaded) as Arc<dyn Vocabulary>,
        conventions,
        runner: Arc::new(LlamaRunner { loaded, context: info.context, threads: settings.threads }),
        info,
    };
    match source {
        ModelSource::Shipped => {}
        ModelSource::File(_) => try_out(source, &model)?,
    }
    Ok(model)
}

/// Lets a model read one token: what is wrong with its numbers shows only then.
fn try_out(origin: &ModelSource, model: &Model) -> Result<(), ModelError> {
    let mut read = Ok(());
    let mut numbers = true;
    let run = model.run(&mut |engine| {
        let mut see = |row: Row<'_>| numbers = !row.logits().iter().any(|logit| logit.is_nan());
        let interrupt = Interrupt::default();
        read = engine.append(Branch::MAIN, &[0], Wanted::Last, &interrupt, &mut see);
    });
    let origin = origin.clone();
    match run.and(read) {
        Err(cause) => Err(ModelError::NotRunnable { origin, cause }),
        Ok(()) if numbers => Ok(()),
        Ok(()) => Err(ModelError::NoNumbers { origin }),
    }
}

/// llama.cpp is started once in a process; its log goes to whoever listens, never to the terminal.
fn backend() -> Result<&'static LlamaBackend, ModelError> {
    static BACKEND: OnceLock<Result<LlamaBackend, String>> = OnceLock::new();
    let started = BACKEND.get_or_init(|| {
        llama_cpp_2::send_logs_to_tracing(LogOptions::default());
        LlamaBackend::init().map_err(|error| error.to_string())
    });
    started.as_ref().map_err(|cause| ModelError::NoBackend { cause: cause.clone() })
}

/// Loading a model and making a context of it both change what others read: one at a time.
static LOADING: Mutex<()> = Mutex::new(());

fn read(
    backend: &LlamaBackend,
    path: &Path,
    settings: &Settings,
) -> Result<LlamaModel, ModelError> {
    let mut params = LlamaModelParams::default();
    if let Some(layers) = settings.gpu_layers {
        params = params.with_n_gpu_layers(layers);
    }
    let logs = LogCapture::new();
    let _one_at_a_time = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
    logs.during(|| LlamaModel::load_from_file(backend, path, &params)).map_err(|error| {
        let cause = logs.cause(&error);
        let cause = cause.strip_prefix("error loading model: ").unwrap_or(&cause).to_owned();
        ModelError::Unloadable { path: path.to_owned(), cause }
    })
}

fn stem(path: &Path) -> String {
    PathBuf::from(path).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

/// The dialect that the file names; the paper's if it names none.
fn dialect_name(origin: &ModelSource, value: Option<String>) -> Result<String, ModelError> {
    match value {
        Some(value) if value != DebuggerDialect::NAME => Err(ModelError::UnknownConvention {
            origin: origin.clone(),
            key: "lockstep.dialect",
            value,
            known: DebuggerDialect::NAME,
        }),
        _ => Ok(DebuggerDialect::NAME.to_owned()),
    }
}

fn conventions(
    origin: &ModelSource,
    text: &dyn Fn(&str) -> Option<String>,
) -> Result<Conventions, ModelError> {
    let unknown = |key, value, known| ModelError::UnknownConvention {
        origin: origin.clone(),
        key,
        value,
        known,
    };
    let frame_end = match text("lockstep.frame_end").as_deref() {
        None | Some("grammar") => FrameEnd::Grammar,
        Some("action_sep") => FrameEnd::ActionSep,
        Some(other) => {
            return Err(unknown("lockstep.frame_end", other.to_owned(), "grammar, action_sep"));
        }
    };
    let source_end = match text("lockstep.source_end").as_deref() {
        None | Some("bare") => SourceEnd::Bare,
        Some("newline") => SourceEnd::Newline,
        Some(other) => {
            return Err(unknown("lockstep.source_end", other.to_owned(), "bare, newline"));
        }
    };
    Ok(Conventions { frame_end, source_end })
}

/// The device that most of the model runs on.
fn device(backend: &LlamaBackend, settings: &Settings) -> String {
    let devices = list_llama_ggml_backend_devices();
    let offload = backend.supports_gpu_offload() && settings.gpu_layers != Some(0);
    let gpu = devices.iter().find(|device| {
        matches!(
            device.device_type,
            LlamaBackendDeviceType::Gpu | LlamaBackendDeviceType::IntegratedGpu
        )
    });
    match gpu.filter(|_| offload) {
        Some(gpu) => format!("{} ({})", gpu.description, gpu.backend),
        None => "CPU".to_owned(),
    }
}

/// A model in memory with its vocabulary spelled out, so that reading tokens needs no calls.
struct Loaded {
    llama: LlamaModel,
    pieces: Vec<Token>,
    controls: HashMap<String, TokenId>,
}

enum Token {
    Text(Box<[u8]>),
    Control(Box<str>),
}

impl Loaded {
    fn new(llama: LlamaModel) -> Self {
        let mut pieces = Vec::new();
        let mut controls = HashMap::new();
        let vocabulary = llama.vocab();
        for (id, token) in (0..).zip(vocabulary.tokens()) {
            let piece = vocabulary.token_to_piece(token, true, None);
            pieces.push(if vocabulary.attr(token).contains(LlamaTokenAttr::Control) {
                let name = String::from_utf8_lossy(&piece).into_owned();
                controls.insert(name.clone(), id);
                Token::Control(name.into())
            } else {
                Token::Text(piece.into())
            });
        }
        Loaded { llama, pieces, controls }
    }
}

impl Vocabulary for Loaded {
    fn size(&self) -> usize {
        self.pieces.len()
    }

    fn encode(&self, text: &str) -> Vec<TokenId> {
        let tokens = self.llama.vocab().tokenize(text.as_bytes(), false, false);
        tokens.into_iter().filter_map(|token| TokenId::try_from(token.0).ok()).collect()
    }

    fn piece(&self, id: TokenId) -> Option<Piece<'_>> {
        self.pieces.get(id as usize).map(|token| match token {
            Token::Text(bytes) => Piece::Text(bytes),
            Token::Control(name) => Piece::Control(name),
        })
    }

    fn control(&self, name: &str) -> Option<TokenId> {
        self.controls.get(name).copied()
    }
}

struct LlamaRunner {
    loaded: Arc<Loaded>,
    context: u32,
    threads: u32,
}

impl Runner for LlamaRunner {
    fn run(&self, work: &mut Work<'_>) -> Result<(), EngineError> {
        let backend =
            backend().map_err(|error| EngineError::Failed { cause: error.to_string() })?;
        let mut engine = {
            let _one_at_a_time = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
            LlamaEngine::new(backend, &self.loaded.llama, self.context, self.threads)?
        };
        work(&mut engine);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_names_the_conventions_and_unknown_ones_are_refused() {
        let of = |key: &'static str, value: &'static str| {
            let text = move |asked: &str| (asked == key).then(|| value.to_owned());
            conventions(&ModelSource::Shipped, &text).map_err(|error| error.to_string())
        };
        assert_eq!(of("general.name", "x"), Ok(Conventions::default()));
        let closing = Conventions { frame_end: FrameEnd::ActionSep, ..Conventions::default() };
        assert_eq!(of("lockstep.frame_end", "action_sep"), Ok(closing));
        let newline = Conventions { source_end: SourceEnd::Newline, ..Conventions::default() };
        assert_eq!(of("lockstep.source_end", "newline"), Ok(newline));
        assert_eq!(
            of("lockstep.frame_end", "maybe").unwrap_err(),
            "the model that ships with lockstep: its metadata says lockstep.frame_end = \"maybe\"; \
             this version knows: grammar, action_sep; use a newer lockstep, or another model"
        );
    }
}
