//! Writing styled text into a buffer, row by row, never beyond a row's end.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::text::{Piece, clean, cut, width};
use crate::theme::{Role, Theme};

/// A buffer and the theme to write with.
pub(crate) struct Canvas<'a> {
    pub buffer: &'a mut Buffer,
    pub theme: Theme,
}

impl<'a> Canvas<'a> {
    /// A pen at the left end of the row `y` of `area`.
    pub fn row(&mut self, area: Rect, y: u16) -> Pen<'_, 'a> {
        let area = area.intersection(self.buffer.area);
        let end = if (area.top()..area.bottom()).contains(&y) { area.right() } else { area.x };
        Pen { canvas: self, x: area.x, y, end }
    }

    /// Lays a role over what is drawn already.
    pub fn overlay(&mut self, area: Rect, role: Role) {
        let style = self.theme.style(role);
        self.buffer.set_style(area.intersection(self.buffer.area), style);
    }

    /// Empties an area, and the halves of wide characters that reach into it.
    pub fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            if area.x > 0 && self.buffer[(area.x - 1, y)].symbol().cell_width() > 1 {
                self.buffer[(area.x - 1, y)].set_symbol(" ");
            }
            for x in area.left()..area.right() {
                self.buffer[(x, y)].reset();
            }
        }
    }

    /// The title of a pane: a rule with a text at its left and one at its right.
    pub fn title(&mut self, pane: Rect, text: &str, is_focused: bool, right: &[(String, Role)]) {
        let rule = "─".repeat(usize::from(pane.width));
        self.row(pane, pane.y).put(&rule, Role::Faint);
        let role = if is_focused { Role::FocusedTitle } else { Role::Title };
        let taken: usize = right.iter().map(|(text, _)| width(text)).sum();
        let mut pen = self.row(pane, pane.y);
        pen.skip(1);
        let room = pen.room().saturating_sub(if taken > 0 { taken + 4 } else { 1 });
        pen.put(&format!(" {} ", cut(&clean(text), room.saturating_sub(2))), role);
        let used = usize::from(pane.width) - pen.room();
        if taken > 0 && used + taken + 3 <= usize::from(pane.width) {
            let mut pen = self.row(pane, pane.y);
            pen.skip(usize::from(pane.width) - taken - 3);
            pen.put(" ", Role::Plain);
            for (text, role) in right {
                pen.put(text, *role);
            }
            pen.put(" ", Role::Plain);
        }
    }
}

/// Writes along one row.
pub(crate) struct Pen<'c, 'a> {
    canvas: &'c mut Canvas<'a>,
    x: u16,
    y: u16,
    end: u16,
}

impl Pen<'_, '_> {
    /// Columns left.
    pub fn room(&self) -> usize {
        usize::from(self.end.saturating_sub(self.x))
    }

    /// Leaves columns as they are.
    pub fn skip(&mut self, columns: usize) {
        self.x += columns.min(self.room()) as u16;
    }

    /// Writes a text, made harmless, as far as it fits.
    pub fn put(&mut self, text: &str, role: Role) {
        let style = Style::reset().patch(self.canvas.theme.style(role));
        let room = self.room();
        if room > 0 {
            (self.x, _) = self.canvas.buffer.set_stringn(self.x, self.y, clean(text), room, style);
        }
    }

    /// Writes a text into a field of `columns` columns, cut with `…` if it is longer.
    pub fn field(&mut self, text: &str, columns: usize, role: Role) {
        let columns = columns.min(self.room());
        let end = self.x + columns as u16;
        self.put(&cut(&clean(text), columns), role);
        self.x = end;
    }

    /// Writes pieces into a field of `columns` columns.
    pub fn pieces(&mut self, pieces: &[Piece], columns: usize, plain: Role, marked: Role) {
        let end = self.x + columns.min(self.room()) as u16;
        for piece in pieces {
            self.put(&piece.text, if piece.marked { marked } else { plain });
        }
        self.x = end;
    }
}
