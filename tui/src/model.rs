//! The state of the screen: what the debuggee last said, and what the user looks at.

use std::sync::Arc;

use crate::browse::Browse;
use crate::keys::Key;
use crate::layout::{Layout, inside};
use crate::page::Item;
use crate::snapshot::{Field, Notice, Prediction, Row, Snapshot, Text, Verdict};

/// A pane that can have the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    Source,
    Variables,
    Stack,
    Output,
}

/// What lies over the panes, and over the page if one is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Overlay {
    None,
    Help {
        /// The first line shown.
        top: usize,
    },
    /// The whole value of a row. It stays while the program is stepped.
    Value {
        subject: Subject,
        top: usize,
    },
    /// A command is being typed.
    Order {
        text: String,
    },
    /// The search pattern is being typed.
    Search {
        text: String,
    },
    /// The line that the program waits for is being typed.
    Answer {
        text: String,
    },
}

impl Overlay {
    /// The line that is being typed.
    pub fn typed(&self) -> Option<&str> {
        match self {
            Overlay::Order { text } | Overlay::Search { text } | Overlay::Answer { text } => {
                Some(text)
            }
            Overlay::None | Overlay::Help { .. } | Overlay::Value { .. } => None,
        }
    }

    pub fn is_prompt(&self) -> bool {
        self.typed().is_some()
    }
}

/// What a value overlay shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Field(Field),
    Malformed,
    /// The selected item of the page.
    Item,
}

/// A line of the table of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The prediction could not be read.
    Malformed { reason: Text, raw: Text },
    /// A field of both sides.
    Row(Row),
}

impl Entry {
    pub fn subject(&self) -> Subject {
        match self {
            Entry::Malformed { .. } => Subject::Malformed,
            Entry::Row(row) => Subject::Field(row.field.clone()),
        }
    }
}

/// The whole state of the screen. What is drawn is a function of this.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    pub snapshot: Arc<Snapshot>,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    pub focus: Pane,
    /// The line of the cursor in the source, 1-based.
    pub cursor: usize,
    /// The first source line shown, 0-based.
    pub source_top: usize,
    /// Columns of the source that are scrolled away.
    pub source_left: usize,
    /// The selected line of the table of variables.
    pub row: usize,
    pub row_top: usize,
    /// The selected frame, an index into the stack.
    pub frame: usize,
    pub frame_top: usize,
    /// How many lines the output is scrolled up from its end.
    pub output_up: usize,
    /// Whether the user wants the output pane; none leaves it to the size.
    pub show_output: Option<bool>,
    pub overlay: Overlay,
    /// The place in the snapshot's page, while it is open.
    pub browse: Option<Browse>,
    /// Whether the user closed the snapshot's page, and the debuggee has not taken it away yet.
    pub is_page_closed: bool,
    /// Whether the snapshot's question was answered: the next snapshot that asks, asks anew.
    pub is_answered: bool,
    /// What was last searched for.
    pub pattern: String,
    /// Keys typed of a longer sequence.
    pub typed: Vec<Key>,
    /// Shown in place of the footer until the next key.
    pub notice: Option<Notice>,
    /// Ticks since the debuggee began to work; none while it rests.
    pub busy: Option<usize>,
}

impl Model {
    /// The screen as it opens.
    pub fn new(snapshot: Arc<Snapshot>, size: (u16, u16)) -> Model {
        let mut model = Model {
            notice: snapshot.notice.clone(),
            busy: snapshot.running.as_ref().map(|_| 0),
            snapshot,
            size,
            focus: Pane::Source,
            cursor: 1,
            source_top: 0,
            source_left: 0,
            row: 0,
            row_top: 0,
            frame: 0,
            frame_top: 0,
            output_up: 0,
            show_output: None,
            overlay: Overlay::None,
            browse: None,
            is_page_closed: false,
            is_answered: false,
            pattern: String::new(),
            typed: Vec::new(),
        };
        model.select_innermost();
        model.select_difference();
        model.open_page();
        model.open_answer();
        model.settle();
        model
    }

    pub fn layout(&self) -> Layout {
        Layout::new(self.size.0, self.size.1, self.show_output)
    }

    /// The panes that can be seen.
    pub fn panes(&self) -> Vec<Pane> {
        let layout = self.layout();
        let mut panes = vec![Pane::Source, Pane::Variables];
        panes.extend(layout.stack.map(|_| Pane::Stack));
        panes.extend(layout.output.map(|_| Pane::Output));
        panes
    }

    /// Whether the selected frame is the one where the program stands.
    pub fn is_innermost(&self) -> bool {
        self.frame + 1 >= self.snapshot.stack().len()
    }

    /// The selected frame as the debuggee counts: 0 is where the program stands, 1 its caller.
    pub fn frame_number(&self) -> usize {
        self.snapshot.stack().len().saturating_sub(1).saturating_sub(self.frame)
    }

    /// What the program asks, unless it was answered.
    pub fn question(&self) -> Option<&Text> {
        self.snapshot.asks.as_ref().filter(|_| !self.is_answered)
    }

    /// Lets the user type the answer, if the program asks.
    pub fn open_answer(&mut self) {
        if self.question().is_some() {
            self.typed.clear();
            self.overlay = Overlay::Answer { text: String::new() };
        }
    }

    /// Shows the snapshot's page, if it has one, in place of what is read over the panes.
    pub fn open_page(&mut self) {
        let Some(page) = &self.snapshot.page else { return };
        self.browse.get_or_insert_default().arrive(page);
        if !self.overlay.is_prompt() {
            self.overlay = Overlay::None;
        }
    }

    /// Whether the keys go to a page.
    pub fn is_browsing(&self) -> bool {
        self.overlay == Overlay::None && self.browse.is_some()
    }

    /// The selected item of the page.
    pub fn item(&self) -> Option<&Item> {
        self.snapshot.page.as_ref()?.items.get(self.browse.as_ref()?.selected)
    }

    /// The lines of the table of variables. Frames other than the innermost have no prediction.
    pub fn entries(&self) -> Vec<Entry> {
        if !self.is_innermost() {
            let locals = self.snapshot.stack().get(self.frame).map(|frame| &*frame.locals);
            return locals.unwrap_or_default().iter().map(unpredicted).map(Entry::Row).collect();
        }
        let malformed = match &self.snapshot.predicted {
            Prediction::Malformed { reason, raw } => {
                Some(Entry::Malformed { reason: reason.clone(), raw: raw.clone() })
            }
            _ => None,
        };
        malformed.into_iter().chain(self.snapshot.rows.iter().cloned().map(Entry::Row)).collect()
    }

    /// Selects the frame where the program stands, and its line.
    pub fn select_innermost(&mut self) {
        self.frame = self.snapshot.stack().len().saturating_sub(1);
        if let Some(line) = self.snapshot.real_line() {
            self.cursor = line as usize;
        }
    }

    /// Selects the first difference, and scrolls so that the others can be seen as far as possible.
    pub fn select_difference(&mut self) {
        let rows = usize::from(inside(self.layout().variables).height);
        let differs = |entry: &Entry| match entry {
            Entry::Malformed { .. } => true,
            Entry::Row(row) => row.verdict.differs(),
        };
        let entries = self.entries();
        let first = entries.iter().position(differs).unwrap_or(0);
        let last = entries.iter().rposition(differs).unwrap_or(0);
        self.row = first;
        self.row_top = (last + 1).saturating_sub(rows).min(first);
    }

    /// Puts every cursor inside what it moves in, and scrolls so that it can be seen.
    pub fn settle(&mut self) {
        let layout = self.layout();
        let rows = |pane| usize::from(inside(pane).height);
        let lines = self.snapshot.source.len();
        self.cursor = self.cursor.clamp(1, lines.max(1));
        self.source_top = scroll(self.source_top, self.cursor - 1, lines, rows(layout.source), 3);
        let entries = self.entries().len();
        self.row = self.row.min(entries.saturating_sub(1));
        self.row_top = scroll(self.row_top, self.row, entries, rows(layout.variables), 0);
        let frames = self.snapshot.stack().len();
        self.frame = self.frame.min(frames.saturating_sub(1));
        let stack_rows = layout.stack.map_or(0, rows);
        self.frame_top = scroll(self.frame_top, self.frame, frames, stack_rows, 1);
        let output_rows = layout.output.map_or(0, rows);
        self.output_up = self.output_up.min(self.snapshot.output.len().saturating_sub(output_rows));
        let items = self.snapshot.page.as_ref().map_or(0, |page| page.items.len());
        let item_rows = crate::view::page::rows(self);
        if let Some(browse) = &mut self.browse {
            browse.selected = browse.selected.min(items.saturating_sub(1));
            browse.top = scroll(browse.top, browse.selected, items, item_rows, 1);
        }
        let last_top = crate::view::popup::last_top(self);
        if let Overlay::Help { top } | Overlay::Value { top, .. } = &mut self.overlay {
            *top = (*top).min(last_top);
        }
        if !self.panes().contains(&self.focus) {
            self.focus = Pane::Source;
        }
    }
}

fn unpredicted((name, value): &(Text, Text)) -> Row {
    Row {
        field: Field::Variable(name.clone()),
        real: Some(value.clone()),
        predicted: None,
        verdict: Verdict::Unasked,
        changed: false,
    }
}

/// The first line to show so that `cursor` is visible with `margin` lines around it.
fn scroll(top: usize, cursor: usize, lines: usize, rows: usize, margin: usize) -> usize {
    let margin = margin.min(rows.saturating_sub(1) / 2);
    let highest = (cursor + margin + 1).saturating_sub(rows);
    let lowest = cursor.saturating_sub(margin);
    top.clamp(highest.min(lowest), lowest).min(lines.saturating_sub(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrolling_moves_no_further_than_it_must() {
        assert_eq!(scroll(0, 5, 100, 10, 3), 0);
        assert_eq!(scroll(0, 7, 100, 10, 3), 1);
        assert_eq!(scroll(50, 20, 100, 10, 3), 17);
        assert_eq!(scroll(0, 99, 100, 10, 3), 90);
        assert_eq!(scroll(90, 2, 5, 10, 3), 0);
        assert_eq!(scroll(0, 4, 5, 0, 3), 4);
    }
}
