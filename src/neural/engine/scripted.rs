//! An engine without a model: a function from the tokens so far to the next one.
//!
//! Everything above engines is tested with it, in builds without llama.cpp too.

use super::{BRANCHES, Branch, CHUNK, Engine, EngineError, Interrupt, Ledger, Row, Wanted};
use crate::neural::vocabulary::TokenId;

/// The logit of the token that the script wants; all others have 0.
const CERTAIN: f32 = 16.0;

/// The probability of the token that the script wants, in a vocabulary of this size.
#[cfg(test)]
pub(in crate::neural) fn probability_of_the_certain(vocabulary: usize) -> f64 {
    let certain = f64::from(CERTAIN).exp();
    certain / (certain + (vocabulary - 1) as f64)
}

/// What comes after these tokens.
pub type Script = dyn Fn(&[TokenId]) -> TokenId + Send + Sync;

/// An engine that always continues as its script says.
pub struct ScriptedEngine<'a> {
    script: &'a Script,
    ledger: Ledger,
    branches: [Vec<TokenId>; BRANCHES],
    row: Vec<f32>,
    taken: usize,
}

impl<'a> ScriptedEngine<'a> {
    /// An engine for `capacity` tokens of a vocabulary of `vocabulary`.
    pub fn new(script: &'a Script, capacity: usize, vocabulary: usize) -> Self {
        ScriptedEngine {
            script,
            ledger: Ledger::new(capacity, vocabulary),
            branches: Default::default(),
            row: vec![0.0; vocabulary],
            taken: 0,
        }
    }

    /// The tokens of a branch.
    pub fn tokens(&self, branch: Branch) -> &[TokenId] {
        self.branches.get(branch.0).map_or(&[], Vec::as_slice)
    }

    /// How many tokens it has read in all, those forgotten again included.
    pub fn taken(&self) -> usize {
        self.taken
    }

    fn take(&mut self, branch: Branch, id: TokenId) -> &[TokenId] {
        self.taken += 1;
        match self.branches.get_mut(branch.0) {
            Some(tokens) => {
                tokens.push(id);
                self.ledger.set(branch, tokens.len());
                tokens
            }
            None => &[],
        }
    }
}

impl Engine for ScriptedEngine<'_> {
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
        let before = self.len(branch);
        for (index, &id) in ids.iter().enumerate() {
            if index % CHUNK == 0 && interrupt.is_set() {
                self.truncate(branch, before)?;
                return Err(EngineError::Cancelled);
            }
            let script = self.script;
            let next = script(self.take(branch, id));
            if wanted.includes(index, ids.len()) {
                self.row.fill(0.0);
                if let Some(logit) = self.row.get_mut(next as usize) {
                    *logit = CERTAIN;
                }
                see(Row::new(&self.row));
            }
        }
        Ok(())
    }

    fn truncate(&mut self, branch: Branch, len: usize) -> Result<(), EngineError> {
        self.ledger.check_place(branch, len)?;
        if let Some(tokens) = self.branches.get_mut(branch.0) {
            tokens.truncate(len);
        }
        self.ledger.set(branch, len);
        Ok(())
    }

    fn fork(&mut self, from: Branch, len: usize, to: Branch) -> Result<(), EngineError> {
        self.ledger.check_fork(from, len, to)?;
        let copy: Vec<TokenId> = self.tokens(from).iter().copied().take(len).collect();
        if let Some(tokens) = self.branches.get_mut(to.0) {
            *tokens = copy;
        }
        self.ledger.set(to, len);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    fn last_plus_one(tokens: &[TokenId]) -> TokenId {
        tokens.last().map_or(0, |id| id + 1)
    }

    #[test]
    fn branches_go_on_from_where_they_were_forked() {
        let mut engine = ScriptedEngine::new(&last_plus_one, 10, 10);
        let mut best = Vec::new();
        let never = Interrupt::default();
        engine
            .append(Branch::MAIN, &[1, 2, 3], Wanted::From(1), &never, &mut |row| {
                best.push(row.best())
            })
            .unwrap();
        assert_eq!(best, [3, 4]);
        engine.fork(Branch::MAIN, 1, Branch::ASIDE).unwrap();
        engine.append(Branch::ASIDE, &[7], Wanted::None, &never, &mut |_| ()).unwrap();
        assert_eq!(engine.tokens(Branch::ASIDE), [1, 7]);
        assert_eq!(engine.tokens(Branch::MAIN), [1, 2, 3]);
        assert_eq!(engine.taken(), 4);
    }

    #[test]
    fn a_cancelled_append_leaves_the_branch_as_it_was() {
        let mut engine = ScriptedEngine::new(&last_plus_one, 300, 10);
        let generation = Arc::new(AtomicU64::new(1));
        let late = Interrupt::new(generation, 0);
        let result = engine.append(Branch::MAIN, &[1; 200], Wanted::None, &late, &mut |_| ());
        assert_eq!(result, Err(EngineError::Cancelled));
        assert_eq!(engine.len(Branch::MAIN), 0);
    }
}
