//! Engines: what runs a model. An engine keeps token sequences (*branches*) with all that the model
//! needs to go on from them, and gives the logits of the tokens appended.
//!
//! Calls block; the engine thread makes them ([`super::Neural`]). Every argument is checked here,
//! before an engine sees it: a failed assertion in llama.cpp ends the process.

#[cfg(feature = "llama")]
pub mod llama;
pub mod scripted;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::vocabulary::TokenId;
use crate::python::Grouped;

/// A sequence of tokens that an engine keeps. Branches that were forked share their beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch(pub usize);

impl Branch {
    /// The branch that holds what really happened (or, in free mode, what the model said).
    pub const MAIN: Branch = Branch(0);
    /// A branch for what would have been said instead.
    pub const ASIDE: Branch = Branch(1);
}

/// How many branches an engine keeps.
pub const BRANCHES: usize = 2;

/// Most tokens that an engine takes at once, between two looks at the interrupt.
///
/// On the CPU, llama.cpp's flash attention gives the same logits, bit by bit, for one token and for
/// any batch of up to 63; from 64 on it takes another kernel, faster, but off by up to 0.3 bits.
/// Scoring must find what decoding one token at a time finds, so 64 is one too many.
pub const CHUNK: usize = 63;

/// Which of the appended tokens' logits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// None.
    None,
    /// Those after the last token.
    Last,
    /// Those after the token of this index (in the appended ones) and after all later ones.
    From(usize),
}

impl Wanted {
    /// Whether the row after token `index` of `count` is wanted.
    pub fn includes(self, index: usize, count: usize) -> bool {
        match self {
            Wanted::None => false,
            Wanted::Last => index + 1 == count,
            Wanted::From(first) => index >= first,
        }
    }
}

/// What the model thinks of the next token.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    logits: &'a [f32],
}

impl<'a> Row<'a> {
    /// A row of logits, one for each token of the vocabulary.
    pub fn new(logits: &'a [f32]) -> Self {
        Row { logits }
    }

    /// The logits themselves.
    pub fn logits(self) -> &'a [f32] {
        self.logits
    }

    /// The likeliest token; of equals, the first.
    pub fn best(self) -> TokenId {
        let mut best = 0;
        for (index, logit) in self.logits.iter().enumerate() {
            if *logit > self.logits[best] || self.logits[best].is_nan() {
                best = index;
            }
        }
        best as TokenId
    }

    /// All tokens, likeliest first; of equals in their order.
    pub fn ranked(self) -> Vec<TokenId> {
        let mut ids: Vec<TokenId> = (0..self.logits.len() as TokenId).collect();
        let logit = |id: TokenId| self.logits.get(id as usize).copied().filter(|x| !x.is_nan());
        let logit = |id| logit(id).unwrap_or(f32::NEG_INFINITY);
        ids.sort_by(|&a, &b| logit(b).total_cmp(&logit(a)));
        ids
    }

    /// The surprise of a token: minus the base-2 logarithm of its probability.
    ///
    /// Vocabularies are long and most of their tokens unlikely: sums are taken in double precision,
    /// or the tail is lost.
    pub fn bits(self, id: TokenId) -> f64 {
        let max = f64::from(self.logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        let sum: f64 = self.logits.iter().map(|logit| (f64::from(*logit) - max).exp()).sum();
        let logit = self.logits.get(id as usize).copied().unwrap_or(f32::NEG_INFINITY);
        (sum.ln() + max - f64::from(logit)) / std::f64::consts::LN_2
    }
}

/// Tells a running call to stop: it has once a later generation of requests has begun.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    current: Arc<AtomicU64>,
    own: u64,
}

impl Interrupt {
    /// An interrupt for requests of generation `own`.
    pub fn new(current: Arc<AtomicU64>, own: u64) -> Self {
        Interrupt { current, own }
    }

    /// Whether to stop.
    pub fn is_set(&self) -> bool {
        self.current.load(Ordering::Relaxed) != self.own
    }

    /// An error if it is time to stop.
    pub fn check(&self) -> Result<(), EngineError> {
        if self.is_set() { Err(EngineError::Cancelled) } else { Ok(()) }
    }
}

/// Why an engine can't do what it is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The request was cancelled; the branch is as it was before.
    #[error("interrupted")]
    Cancelled,
    /// The context is full.
    #[error(
        "the model's context is full: {} tokens are needed, {} fit; \
         use a longer one (--context), or a model that has one",
        Grouped(*needed as u64), Grouped(*capacity as u64)
    )]
    Full {
        /// Tokens that the branch would have.
        needed: usize,
        /// Tokens that fit.
        capacity: usize,
    },
    /// No such token.
    #[error(
        "token {id} is not in the vocabulary of {size}; please report this with the program and \
         the model's name"
    )]
    NoSuchToken {
        /// Its number.
        id: TokenId,
        /// How many tokens there are.
        size: usize,
    },
    /// No such branch, or no such place in it.
    #[error(
        "branch {branch} has no place {at} (it holds {len} tokens); please report this with the \
         program and the model's name"
    )]
    NoSuchPlace {
        /// The branch.
        branch: usize,
        /// The place asked for.
        at: usize,
        /// Its length.
        len: usize,
    },
    /// The engine's own context can't be made.
    #[error(
        "no context of {} tokens for this model: {cause}; \
         try a shorter one (--context) or fewer GPU layers (--gpu-layers)",
        Grouped(*tokens as u64)
    )]
    NoContext {
        /// Tokens asked for.
        tokens: usize,
        /// What the library says.
        cause: String,
    },
    /// The library failed.
    #[error("llama.cpp failed: {cause}; please report this with the program and the model's name")]
    Failed {
        /// What it says.
        cause: String,
    },
}

/// Runs a model over branches of tokens.
pub trait Engine {
    /// Tokens that a branch can hold.
    fn capacity(&self) -> usize;

    /// Tokens that the branch holds.
    fn len(&self, branch: Branch) -> usize;

    /// Appends tokens and shows the wanted rows in order; the row after a token is about the one
    /// that follows. On an error the branch is as it was.
    fn append(
        &mut self,
        branch: Branch,
        ids: &[TokenId],
        wanted: Wanted,
        interrupt: &Interrupt,
        see: &mut dyn FnMut(Row<'_>),
    ) -> Result<(), EngineError>;

    /// Forgets all but the first `len` tokens of a branch.
    fn truncate(&mut self, branch: Branch, len: usize) -> Result<(), EngineError>;

    /// Makes `to` a copy of the first `len` tokens of `from`.
    fn fork(&mut self, from: Branch, len: usize, to: Branch) -> Result<(), EngineError>;
}

/// The lengths of all branches, and the checks on what may be done with them.
#[derive(Clone, Debug)]
struct Ledger {
    capacity: usize,
    vocabulary: usize,
    lens: [usize; BRANCHES],
}

impl Ledger {
    fn new(capacity: usize, vocabulary: usize) -> Self {
        Ledger { capacity, vocabulary, lens: [0; BRANCHES] }
    }

    fn len(&self, branch: Branch) -> usize {
        self.lens.get(branch.0).copied().unwrap_or(0)
    }

    fn check_append(&self, branch: Branch, ids: &[TokenId]) -> Result<(), EngineError> {
        self.check_place(branch, 0)?;
        let needed = self.len(branch) + ids.len();
        if needed > self.capacity {
            return Err(EngineError::Full { needed, capacity: self.capacity });
        }
        match ids.iter().find(|id| **id as usize >= self.vocabulary) {
            Some(&id) => Err(EngineError::NoSuchToken { id, size: self.vocabulary }),
            None => Ok(()),
        }
    }

    /// Whether `at` tokens of the branch can be kept.
    fn check_place(&self, branch: Branch, at: usize) -> Result<(), EngineError> {
        match self.lens.get(branch.0) {
            Some(&len) if at <= len => Ok(()),
            len => {
                let len = len.copied().unwrap_or(0);
                Err(EngineError::NoSuchPlace { branch: branch.0, at, len })
            }
        }
    }

    /// Whether a branch can be made of the first `len` tokens of another.
    fn check_fork(&self, from: Branch, len: usize, to: Branch) -> Result<(), EngineError> {
        self.check_place(from, len)?;
        self.check_place(to, 0)?;
        if from == to {
            return Err(EngineError::NoSuchPlace { branch: to.0, at: len, len: self.len(to) });
        }
        Ok(())
    }

    fn set(&mut self, branch: Branch, len: usize) {
        if let Some(slot) = self.lens.get_mut(branch.0) {
            *slot = len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_logits_the_first_wins() {
        assert_eq!(Row::new(&[0.0, 2.0, 2.0]).best(), 1);
        assert_eq!(Row::new(&[f32::NAN, -1.0]).best(), 1);
    }

    #[test]
    fn bits_are_base_two() {
        let row = Row::new(&[0.0, 0.0, 0.0, 0.0]);
        assert!((row.bits(2) - 2.0).abs() < 1e-9);
        assert_eq!(Row::new(&[0.0]).bits(7), f64::INFINITY);
        assert!(Row::new(&[1000.0, 0.0]).bits(0) < 1e-9, "no overflow");
        let mut tail = vec![1e-8_f32.ln(); 1 << 20];
        tail[0] = 0.0;
        let expected = (1.0 + 1e-8 * f64::from((1 << 20) - 1)).log2();
        assert!((Row::new(&tail).bits(0) - expected).abs() < 1e-6, "the tail counts");
    }

    #[test]
    fn wrong_arguments_are_refused() {
        let mut ledger = Ledger::new(4, 10);
        assert_eq!(
            ledger.check_append(Branch::MAIN, &[10]),
            Err(EngineError::NoSuchToken { id: 10, size: 10 })
        );
        assert_eq!(
            ledger.check_append(Branch::MAIN, &[1; 5]),
            Err(EngineError::Full { needed: 5, capacity: 4 })
        );
        assert!(ledger.check_append(Branch(BRANCHES), &[1]).is_err());
        ledger.set(Branch::MAIN, 3);
        assert!(ledger.check_place(Branch::MAIN, 3).is_ok());
        assert!(ledger.check_place(Branch::MAIN, 4).is_err());
        assert!(ledger.check_fork(Branch::MAIN, 2, Branch::MAIN).is_err());
        assert!(ledger.check_fork(Branch::MAIN, 2, Branch::ASIDE).is_ok());
    }
}
