//! What the program printed; its newest lines, unless the user scrolled up.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use crate::layout::inside;
use crate::model::{Model, Pane};
use crate::theme::Role;

pub(super) fn draw(canvas: &mut Canvas<'_>, pane: Rect, model: &Model) {
    let lines = &model.snapshot.output;
    let area = inside(pane);
    let end = lines.len().saturating_sub(model.output_up);
    let top = end.saturating_sub(usize::from(area.height));
    let place = if model.output_up > 0 {
        vec![(format!("{} of {}", end, lines.len()), Role::Faint)]
    } else {
        vec![]
    };
    canvas.title(pane, "output", model.focus == Pane::Output, &place);
    for (line, y) in lines[top..end].iter().zip(area.y..area.bottom()) {
        let mut pen = canvas.row(area, y);
        pen.skip(1);
        let room = pen.room();
        pen.field(line, room, Role::Plain);
    }
}
