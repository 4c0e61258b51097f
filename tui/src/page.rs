//! A list that was asked for: the variables of a frame, the parts of a value, the branches of a run.

use std::sync::Arc;

use crate::snapshot::Text;

/// A list, as far as it is there. What it lists is the debuggee's affair; the screen shows it over
/// the panes and sends back what the user does with it.
///
/// A page with the same title and at least as many items is the same page grown: the selection
/// stays. Every other one is shown from its first item on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// What is listed, such as `variables of main` or `tree.left`.
    pub title: Text,
    /// The first of them. [`Command::More`](crate::Command::More) asks for a page with more.
    pub items: Arc<[Item]>,
    /// How many there are in all.
    pub total: usize,
}

/// A line of a [`Page`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Its place or name, such as `.left`, `[3]` or `branch 1`.
    pub key: Text,
    /// What it is, in full: the screen cuts it, and shows all of it when asked.
    pub value: Text,
    /// The value's class; empty if it has none to show.
    pub class: Text,
    /// Which object it is: items with the same number are one object.
    pub identity: Option<u32>,
    /// Whether [`Command::Open`](crate::Command::Open) leads to another page. The others show
    /// their whole value.
    pub opens: bool,
}
