//! The box around what lies over the panes.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use crate::text::{clean, cut, width};
use crate::theme::Role;

/// No line over the panes is longer: it could not be read.
const LONGEST: usize = 110;

/// The most columns that a line in a box can have on a screen of this width.
pub(super) fn most(columns: u16) -> usize {
    usize::from(columns.saturating_sub(6)).min(LONGEST)
}

/// A box in the middle of the screen, around lines of so many columns; of the lines, as many as
/// there is room for.
pub(super) fn area((columns, height): (u16, u16), inner: usize, lines: usize) -> Rect {
    let rows = lines.min(usize::from(height.saturating_sub(4))) as u16;
    let inner = inner as u16;
    Rect::new(
        (columns.saturating_sub(inner + 4)) / 2,
        (height.saturating_sub(rows + 4)) / 2,
        inner + 4,
        rows + 2,
    )
}

/// The lines in a box, without the blanks beside them.
pub(super) fn inside(area: Rect) -> Rect {
    Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    }
}

/// Draws an empty box with a title at its top, and a place at its bottom.
pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect, title: &str, place: Option<&str>) {
    let inner = usize::from(area.width.saturating_sub(2));
    let bottom = area.y + area.height.saturating_sub(1);
    canvas.clear(area);
    for y in area.y + 1..bottom {
        let mut pen = canvas.row(area, y);
        pen.put("│", Role::Plain);
        pen.skip(inner);
        pen.put("│", Role::Plain);
    }
    let horizontal = "─".repeat(inner);
    canvas.row(area, area.y).put(&format!("┌{horizontal}┐"), Role::Plain);
    canvas.row(area, bottom).put(&format!("└{horizontal}┘"), Role::Plain);
    let mut pen = canvas.row(area, area.y);
    pen.skip(2);
    pen.put(&format!(" {} ", cut(&clean(title), inner.saturating_sub(4))), Role::Title);
    if let Some(place) = place {
        let place = format!(" {place} ");
        let mut pen = canvas.row(area, bottom);
        pen.skip(inner.saturating_sub(width(&place) + 1));
        pen.put(&place, Role::Faint);
    }
}
