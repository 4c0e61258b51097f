//! The branches of a run: what was changed where, and what that was a change of.
//!
//! A branch is a run with edits, and its runs are made anew from them. The first branch is the
//! original, which never goes away; the others hang from the one that they change.

use std::fmt;

use crate::python::Edit;
use crate::state::Text;

/// The branches of a run; one of them is looked at.
#[derive(Clone, Debug)]
pub struct Branches {
    /// The original first; parents before their children.
    branches: Vec<Branch>,
    current: BranchId,
}

/// Which of the branches; 0 is the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchId(usize);

/// A run and what makes it differ from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The branch that it changes; none for the original.
    pub parent: Option<BranchId>,
    /// What it is called.
    pub label: Text,
    /// All edits of its run, those of its parents too.
    pub edits: Vec<Edit>,
}

impl BranchId {
    /// The original run.
    pub const ORIGINAL: BranchId = BranchId(0);

    /// Its number, counted from 0, the original.
    pub fn number(self) -> usize {
        self.0
    }
}

/// Counted from 0, the original.
impl fmt::Display for BranchId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Default for Branches {
    fn default() -> Self {
        Branches::new(Vec::new())
    }
}

impl Branches {
    /// The original alone, which may have edits itself: answers that were given as it ran.
    pub fn new(edits: Vec<Edit>) -> Self {
        let original = Branch { parent: None, label: "original".into(), edits };
        Branches { branches: vec![original], current: BranchId::ORIGINAL }
    }

    /// Branches off from the current branch and goes there. Edits of the parent that come later in
    /// the run are dropped, since they were made in another future.
    pub fn fork(&mut self, edit: Edit) -> BranchId {
        let moment = edit.moment();
        let mut edits = self.here().edits.clone();
        edits.retain(|old| old.moment() <= moment && !old.is_replaced_by(&edit));
        let label = edit.to_string().into();
        edits.push(edit);
        self.branches.push(Branch { parent: Some(self.current), label, edits });
        self.current = BranchId(self.branches.len() - 1);
        self.current
    }

    /// Adds an edit to the current branch itself: an answer that its run asked for.
    pub fn add(&mut self, edit: Edit) {
        let here = self.current.0;
        if let Some(branch) = self.branches.get_mut(here) {
            branch.edits.push(edit);
        }
    }

    /// Goes to a branch; false, and nothing happens, if there is none of this number.
    pub fn switch(&mut self, to: BranchId) -> bool {
        let exists = to.0 < self.branches.len();
        if exists {
            self.current = to;
        }
        exists
    }

    /// The number of the branch that is looked at.
    pub fn current(&self) -> BranchId {
        self.current
    }

    /// The branch that is looked at.
    pub fn here(&self) -> &Branch {
        &self.branches[self.current.0]
    }

    /// The branch of this number.
    pub fn get(&self, id: BranchId) -> Option<&Branch> {
        self.branches.get(id.0)
    }

    /// The branch that is counted so, from 0, the original.
    pub fn numbered(&self, number: usize) -> Option<BranchId> {
        (number < self.branches.len()).then_some(BranchId(number))
    }

    /// All branches, parents before their children.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (BranchId, &Branch)> {
        self.branches.iter().enumerate().map(|(number, branch)| (BranchId(number), branch))
    }

    /// The branches that change this one.
    pub fn children(&self, of: BranchId) -> impl Iterator<Item = (BranchId, &Branch)> {
        self.iter().filter(move |(_, branch)| branch.parent == Some(of))
    }

    /// The branch of this number and those that it comes from, the original last.
    pub fn lineage(&self, of: BranchId) -> impl Iterator<Item = BranchId> {
        let exists = self.get(of).map(|_| of);
        std::iter::successors(exists, |id| self.get(*id).and_then(|branch| branch.parent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(at: usize, name: &str, value: &str) -> Edit {
        Edit::Set { at, frame: 0, name: name.to_owned(), expression: value.to_owned() }
    }

    fn answer(at: usize, choice: usize, text: &str) -> Edit {
        Edit::Answer { at, choice, text: Some(text.to_owned()) }
    }

    #[test]
    fn a_branch_keeps_what_came_before_it_and_the_original_stays() {
        let mut branches = Branches::new(vec![answer(2, 0, "a"), answer(9, 1, "b")]);
        let first = branches.fork(set(5, "n", "1"));
        assert_eq!(branches.here().edits, [answer(2, 0, "a"), set(5, "n", "1")]);
        branches.add(answer(7, 1, "c"));
        let second = branches.fork(answer(7, 1, "d"));
        let expected = [answer(2, 0, "a"), set(5, "n", "1"), answer(7, 1, "d")];
        assert_eq!(branches.here().edits, expected);
        assert!(branches.switch(BranchId::ORIGINAL));
        assert_eq!(branches.here().edits, [answer(2, 0, "a"), answer(9, 1, "b")]);
        let third = branches.fork(set(1, "n", "2"));
        assert_eq!(branches.here().edits, [set(1, "n", "2")]);
        let lineage: Vec<_> = branches.lineage(second).collect();
        assert_eq!(lineage, [second, first, BranchId::ORIGINAL]);
        let children: Vec<_> = branches
            .children(BranchId::ORIGINAL)
            .map(|(id, branch)| (id, &*branch.label))
            .collect();
        assert_eq!(children, [(first, "n = 1 at state 5"), (third, "n = 2 at state 1")]);
    }

    #[test]
    fn a_variable_that_is_set_again_from_its_value_keeps_both() {
        let mut branches = Branches::default();
        branches.fork(set(5, "n", "1"));
        branches.fork(set(5, "m", "2"));
        branches.fork(set(5, "n", "n + 1"));
        assert_eq!(branches.here().edits.len(), 3);
        branches.fork(set(5, "n", "4"));
        assert_eq!(branches.here().edits, [set(5, "m", "2"), set(5, "n", "4")]);
    }

    #[test]
    fn what_is_read_before_a_state_comes_before_its_change() {
        let mut branches = Branches::new(vec![answer(5, 0, "a")]);
        branches.fork(set(5, "n", "1"));
        assert_eq!(branches.here().edits.len(), 2);
        branches.fork(answer(5, 0, "b"));
        assert_eq!(branches.here().edits, [answer(5, 0, "b")]);
    }

    #[test]
    fn there_is_no_going_to_a_branch_that_does_not_exist() {
        let mut branches = Branches::default();
        assert!(!branches.switch(BranchId(1)));
        assert_eq!(branches.current(), BranchId::ORIGINAL);
        assert_eq!(branches.numbered(1), None);
    }

    proptest! {
        #[test]
        fn every_branch_comes_from_the_original(
            steps in proptest::collection::vec((0usize..9, 0usize..9, any::<bool>()), 0..40),
        ) {
            let mut branches = Branches::default();
            for (at, to, sets) in steps {
                branches.switch(BranchId(to));
                let edit = if sets { set(at, "n", "0") } else { answer(at, at, "x") };
                let id = branches.fork(edit.clone());
                let branch = branches.get(id).unwrap();
                prop_assert_eq!(branch.edits.last(), Some(&edit));
                prop_assert!(branch.edits.iter().all(|old| old.moment() <= edit.moment()));
                prop_assert_eq!(branches.lineage(id).last(), Some(BranchId::ORIGINAL));
            }
            prop_assert!(branches.get(BranchId::ORIGINAL).unwrap().edits.is_empty());
        }
    }
}
