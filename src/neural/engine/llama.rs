//! llama.cpp in this process.
//!
//! All calls are checked before they cross into C++, where a failed assertion ends the process:
//! token ids, positions (contiguous by construction, since a branch's length is its next position),
//! branches, batch sizes, and room in the cache. One unified cache, so that forks share cells and
//! may copy a part of a branch. Flash attention is left to llama.cpp: on for the CPU, where it makes
//! a batch give the logits that its tokens would give one by one ([`CHUNK`]).

use std::num::NonZeroU32;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::{BRANCHES, Branch, CHUNK, Engine, EngineError, Interrupt, Ledger, Row, Wanted};
use crate::neural::logs::LogCapture;
use crate::neural::vocabulary::TokenId;

/// An engine over one llama.cpp context.
pub struct LlamaEngine<'m> {
    context: LlamaContext<'m>,
    batch: LlamaBatch<'static>,
    ledger: Ledger,
    /// How many cells, from the beginning, the two branches share.
    shared: usize,
    cells: usize,
    logs: LogCapture,
}

impl<'m> LlamaEngine<'m> {
    /// A context of `capacity` tokens a branch on `model`, computed by `threads` threads.
    pub fn new(
        backend: &LlamaBackend,
        model: &'m LlamaModel,
        capacity: u32,
        threads: u32,
    ) -> Result<Self, EngineError> {
        // A branch aside repeats at most half of the main one in cells of its own.
        let cells = capacity + capacity / 2;
        let threads = i32::try_from(threads.max(1)).unwrap_or(i32::MAX);
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(cells))
            .with_n_batch(CHUNK as u32)
            .with_n_ubatch(CHUNK as u32)
            .with_n_seq_max(BRANCHES as u32)
            .with_kv_unified(true)
            .with_swa_full(true)
            .with_n_threads(threads)
            .with_n_threads_batch(threads);
        let logs = LogCapture::new();
        let context = logs.during(|| model.new_context(backend, params)).map_err(|error| {
            EngineError::NoContext { tokens: capacity as usize, cause: logs.cause(&error) }
        })?;
        let vocabulary = usize::try_from(model.vocab().n_tokens()).unwrap_or(0);
        Ok(LlamaEngine {
            context,
            batch: LlamaBatch::new(CHUNK, BRANCHES as i32),
            ledger: Ledger::new(capacity as usize, vocabulary),
            shared: 0,
            cells: cells as usize,
            logs,
        })
    }

    /// Cells that hold tokens.
    fn used(&self) -> usize {
        self.ledger.lens.iter().sum::<usize>() - self.shared
    }

    /// Decodes one chunk, which fits the batch.
    fn decode(
        &mut self,
        branch: Branch,
        chunk: &[TokenId],
        wants: &dyn Fn(usize) -> bool,
    ) -> Result<(), EngineError> {
        self.batch.clear();
        let start = self.ledger.len(branch);
        for (index, &id) in chunk.iter().enumerate() {
            let (token, position) = (LlamaToken(number(id as usize)?), number(start + index)?);
            self.batch
                .add(token, position, &[number(branch.0)?], wants(index))
                .map_err(|error| EngineError::Failed { cause: error.to_string() })?;
        }
        let LlamaEngine { context, batch, logs, .. } = self;
        logs.during(|| context.decode(batch))
            .map_err(|error| EngineError::Failed { cause: logs.cause(&error) })?;
        self.ledger.set(branch, start + chunk.len());
        Ok(())
    }

    fn append_chunks(
        &mut self,
        branch: Branch,
        ids: &[TokenId],
        wanted: Wanted,
        interrupt: &Interrupt,
        see: &mut dyn FnMut(Row<'_>),
    ) -> Result<(), EngineError> {
        for (number_of_chunk, chunk) in ids.chunks(CHUNK).enumerate() {
            interrupt.check()?;
            let first = number_of_chunk * CHUNK;
            let wants = |index: usize| wanted.includes(first + index, ids.len());
            self.decode(branch, chunk, &wants)?;
            for index in (0..chunk.len()).filter(|&index| wants(index)) {
                see(Row::new(self.context.get_logits_ith(number(index)?)));
            }
        }
        Ok(())
    }

    /// Removes the cells of a branch from `len` on.
    fn forget(&mut self, branch: Branch, len: usize) -> Result<(), EngineError> {
        let (sequence, from) = (number(branch.0)?, position(len)?);
        self.context
            .kv_cache_seq_rm(sequence, Some(from), None)
            .map_err(|error| EngineError::Failed { cause: error.to_string() })?;
        self.ledger.set(branch, len);
        self.shared = self.shared.min(len);
        Ok(())
    }
}

fn number(value: usize) -> Result<i32, EngineError> {
    i32::try_from(value).map_err(|error| EngineError::Failed { cause: error.to_string() })
}

fn position(value: usize) -> Result<u32, EngineError> {
    u32::try_from(value).map_err(|error| EngineError::Failed { cause: error.to_string() })
}

impl Engine for LlamaEngine<'_> {
    fn capacity(&self) -> usize {
        self.ledger.capacity
    }

    fn len(&self, branch: Branch) -> usize {
        self.ledger.len(branch)
    }

    fn append(
        &mut self,
        branch: Branch,
        ids: &[TokenId],
        wanted: Wanted,
        interrupt: &Interrupt,
        see: &mut dyn FnMut(Row<'_>),
    ) -> Result<(), EngineError> {
        self.ledger.check_append(branch, ids)?;
        let needed = self.used() + ids.len();
        if needed > self.cells {
            return Err(EngineError::Full { needed, capacity: self.cells });
        }
        let before = self.len(branch);
        let done = self.append_chunks(branch, ids, wanted, interrupt, see);
        if done.is_err() {
            self.forget(branch, before)?;
        }
        done
    }

    fn truncate(&mut self, branch: Branch, len: usize) -> Result<(), EngineError> {
        self.ledger.check_place(branch, len)?;
        self.forget(branch, len)
    }

    fn fork(&mut self, from: Branch, len: usize, to: Branch) -> Result<(), EngineError> {
        self.ledger.check_fork(from, len, to)?;
        self.forget(to, 0)?;
        if len > 0 {
            let (source, target, end) = (number(from.0)?, number(to.0)?, position(len)?);
            self.context
                .kv_cache_seq_cp(source, target, Some(0), Some(end))
                .map_err(|error| EngineError::Failed { cause: error.to_string() })?;
        }
        self.ledger.set(to, len);
        self.shared = len;
        Ok(())
    }
}
