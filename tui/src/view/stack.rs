//! The call stack, outermost frame first, as in Python's tracebacks.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use crate::layout::inside;
use crate::model::{Model, Pane};
use crate::theme::Role;

/// Before the selected frame.
const SELECTED: &str = "›";

pub(super) fn draw(canvas: &mut Canvas<'_>, pane: Rect, model: &Model) {
    let stack = model.snapshot.stack();
    let is_focused = model.focus == Pane::Stack;
    let depth = if stack.len() > 1 { vec![(stack.len().to_string(), Role::Faint)] } else { vec![] };
    canvas.title(pane, "stack", is_focused, &depth);
    let area = inside(pane);
    for (index, y) in (model.frame_top..stack.len()).zip(area.y..area.bottom()) {
        let frame = &stack[index];
        let is_selected = index == model.frame;
        let role = if index + 1 == stack.len() { Role::Real } else { Role::Plain };
        let line = frame.line.to_string();
        let mut pen = canvas.row(area, y);
        pen.put(if is_selected { SELECTED } else { " " }, Role::Key);
        let room = pen.room().saturating_sub(line.len() + 2);
        pen.field(&frame.function, room, role);
        pen.skip(1);
        pen.put(&line, Role::Faint);
        if is_focused && is_selected {
            canvas.overlay(Rect::new(area.x, y, area.width, 1), Role::Selected);
        }
    }
}
