//! Where the user is in the pages: in the open one, and in those that led to it.

use crate::page::Page;
use crate::snapshot::Text;

/// A place in the snapshot's page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Browse {
    /// The selected item.
    pub selected: usize,
    /// The first item shown.
    pub top: usize,
    /// Whether an item or more of them were asked for, and have not come yet. A second key would
    /// mean a page that the user has not seen.
    pub is_waiting: bool,
    /// The pages that led here by title, with the items that were opened there.
    trail: Vec<(Text, usize)>,
}

impl Browse {
    /// Remembers where the selected item is opened, to come back to it.
    pub fn descend(&mut self, page: &Page) {
        self.trail.push((page.title.clone(), self.selected));
        self.is_waiting = true;
    }

    /// Takes in another page: one that led here is as it was left, any other at its beginning.
    pub fn arrive(&mut self, page: &Page) {
        let known = self.trail.iter().rposition(|(title, _)| *title == page.title);
        self.selected = known.map_or(0, |at| self.trail[at].1);
        self.trail.truncate(known.unwrap_or(self.trail.len()));
        self.top = 0;
        self.is_waiting = false;
    }
}
