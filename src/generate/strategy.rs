//! Generated programs as a proptest strategy, which shrinks them by their choices.

use std::fmt;

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::choices::Choices;
use super::difficulty::Difficulty;
use super::write;

/// Programs of this difficulty.
#[derive(Clone, Debug, Default)]
pub struct Programs(pub Difficulty);

impl Strategy for Programs {
    type Tree = Shrinking;
    type Value = Generated;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = proptest::num::u64::ANY.new_tree(runner)?.current();
        let best = Generated::of(Choices::seeded(seed), &self.0);
        let pass = Pass::Remove { length: best.choices.len() };
        Ok(Shrinking { difficulty: self.0.clone(), tried: best.clone(), best, pass, at: 0 })
    }
}

/// A program, and the choices that make it.
#[derive(Clone, PartialEq, Eq)]
pub struct Generated {
    /// Its text.
    pub text: String,
    choices: Vec<u32>,
}

impl Generated {
    fn of(choices: Choices, difficulty: &Difficulty) -> Self {
        let (text, choices) = write(choices, difficulty);
        Generated { text, choices }
    }

    /// A shorter text, fewer choices, or as many and smaller ones.
    fn is_simpler(&self, than: &Generated) -> bool {
        let measure = |of: &Generated| (of.text.len(), of.choices.len());
        (measure(self), &self.choices) < (measure(than), &than.choices)
    }
}

/// A failing test prints it: the text is what people want to see.
impl fmt::Debug for Generated {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "\n{}", self.text)
    }
}

/// A program that is being shrunk: runs of choices are removed, long ones first, then single ones
/// made smaller.
pub struct Shrinking {
    difficulty: Difficulty,
    /// The simplest program so far that is known to be wanted.
    best: Generated,
    /// The one that is tried.
    tried: Generated,
    pass: Pass,
    at: usize,
}

#[derive(Clone, Copy)]
enum Pass {
    Remove { length: usize },
    Lower { shift: u32 },
}

impl Shrinking {
    /// Tries the next simpler program; false if there is none.
    fn next(&mut self) -> bool {
        loop {
            let choices = &self.best.choices;
            let mut changed = choices.clone();
            match self.pass {
                Pass::Remove { length: 0 } => {
                    (self.pass, self.at) = (Pass::Lower { shift: 32 }, 0);
                    continue;
                }
                Pass::Remove { length } if self.at + length > choices.len() => {
                    (self.pass, self.at) = (Pass::Remove { length: length / 2 }, 0);
                    continue;
                }
                Pass::Remove { length } => {
                    changed.drain(self.at..self.at + length);
                    self.at += length;
                }
                Pass::Lower { shift: 0 } => return false,
                Pass::Lower { shift } if self.at >= choices.len() => {
                    (self.pass, self.at) = (Pass::Lower { shift: shift / 2 }, 0);
                    continue;
                }
                Pass::Lower { shift } => {
                    changed[self.at] = changed[self.at].checked_shr(shift).unwrap_or(0);
                    self.at += 1;
                }
            }
            let tried = Generated::of(Choices::replayed(changed), &self.difficulty);
            if tried.is_simpler(&self.best) {
                self.tried = tried;
                return true;
            }
        }
    }
}

impl ValueTree for Shrinking {
    type Value = Generated;

    fn current(&self) -> Generated {
        self.tried.clone()
    }

    fn simplify(&mut self) -> bool {
        // What was tried last is wanted.
        self.best = self.tried.clone();
        self.next()
    }

    fn complicate(&mut self) -> bool {
        self.tried = self.best.clone();
        self.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::test_runner::Config;

    #[test]
    fn what_is_found_is_shrunk() {
        let mut runner = TestRunner::deterministic();
        let wanted = |program: &Generated| program.text.contains("while ");
        let mut tree = Programs::default().new_tree(&mut runner).unwrap();
        while !wanted(&tree.current()) {
            tree = Programs::default().new_tree(&mut runner).unwrap();
        }
        let first = tree.current();
        let mut more = tree.simplify();
        while more {
            more = if wanted(&tree.current()) { tree.simplify() } else { tree.complicate() };
        }
        let last = tree.current();
        assert!(wanted(&last), "{last:?}");
        assert!(last.text.len() < first.text.len(), "{first:?}\n{last:?}");
    }

    #[test]
    fn a_failing_property_names_a_small_program() {
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
        let failed = runner.run(&Programs::default(), |program| {
            proptest::prop_assert!(!program.text.contains("for "));
            Ok(())
        });
        let Err(proptest::test_runner::TestError::Fail(_, program)) = failed else { panic!() };
        assert!(program.text.contains("for ") && program.text.lines().count() < 12, "{program:?}");
    }
}
