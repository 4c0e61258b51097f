//! What the screen looks like: a pure function of the model.

mod bars;
mod canvas;
mod output;
pub(crate) mod popup;
mod source;
mod stack;
mod variables;

#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::layout::SMALLEST;
use crate::model::Model;
use crate::theme::{Role, Theme};
use canvas::Canvas;

/// Draws the model over all of `buffer`, which has the model's size. Says where the terminal's
/// cursor belongs, if it is to be seen.
pub(crate) fn draw(model: &Model, theme: Theme, buffer: &mut Buffer) -> Option<Position> {
    let screen = buffer.area;
    let mut canvas = Canvas { buffer, theme };
    let (width, height) = model.size;
    if width < SMALLEST.0 || height < SMALLEST.1 {
        too_small(&mut canvas, screen);
        return None;
    }
    let layout = model.layout();
    source::draw(&mut canvas, layout.source, model);
    variables::draw(&mut canvas, layout.variables, model);
    if let Some(area) = layout.stack {
        stack::draw(&mut canvas, area, model);
    }
    if let Some(area) = layout.output {
        output::draw(&mut canvas, area, model);
    }
    divide(&mut canvas, screen, model);
    bars::status(&mut canvas, layout.status, model);
    let cursor = bars::footer(&mut canvas, layout.footer, model);
    popup::draw(&mut canvas, model);
    cursor
}

fn too_small(canvas: &mut Canvas<'_>, screen: Rect) {
    let lines = ["too small", &format!("{}×{} is the least", SMALLEST.0, SMALLEST.1)];
    for (line, y) in lines.iter().zip(screen.y..screen.bottom()) {
        canvas.row(screen, y).put(line, Role::Plain);
    }
}

/// The line between the panes that lie side by side.
fn divide(canvas: &mut Canvas<'_>, screen: Rect, model: &Model) {
    let layout = model.layout();
    let Some(stack) = layout.stack else { return };
    let is_beside_source = stack.x > layout.source.right();
    let (left, right) = (layout.variables, stack);
    let (x, top, bottom) = if layout.variables.y == stack.y {
        (left.right(), left.y, left.bottom())
    } else if is_beside_source || layout.source.y == layout.variables.y {
        (layout.source.right(), layout.source.y, right.bottom())
    } else {
        return;
    };
    for y in top..bottom.min(screen.bottom()) {
        let joint = match y {
            _ if y == top => "┬",
            _ if [layout.stack, layout.output].into_iter().flatten().any(|pane| pane.y == y) => {
                match (layout.output.is_some_and(|o| o.y == y), stack.y == y) {
                    (true, true) => "┼",
                    (true, false) => "┤",
                    _ => "├",
                }
            }
            _ => "│",
        };
        canvas.row(Rect::new(x, y, 1, 1), y).put(joint, Role::Faint);
    }
}
