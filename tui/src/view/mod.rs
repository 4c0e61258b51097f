//! What the screen looks like: a pure function of the model.

mod bars;
mod canvas;
mod frame;
mod help;
mod output;
pub(crate) mod page;
pub(crate) mod popup;
mod source;
mod stack;
mod variables;

#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::layout::{Layout, SMALLEST};
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
    divide(&mut canvas, &layout);
    bars::status(&mut canvas, layout.status, model);
    let cursor = bars::footer(&mut canvas, layout.footer, model);
    page::draw(&mut canvas, model);
    popup::draw(&mut canvas, model);
    cursor
}

fn too_small(canvas: &mut Canvas<'_>, screen: Rect) {
    let lines = ["too small", &format!("{}×{} is the least", SMALLEST.0, SMALLEST.1)];
    for (line, y) in lines.iter().zip(screen.y..screen.bottom()) {
        canvas.row(screen, y).put(line, Role::Plain);
    }
}

/// The line between panes that lie side by side: variables and stack, or source and variables.
fn divide(canvas: &mut Canvas<'_>, layout: &Layout) {
    let Some(stack) = layout.stack else { return };
    let is_narrow = stack.y == layout.variables.y;
    let left = if is_narrow { layout.variables } else { layout.source };
    for y in left.y..stack.bottom() {
        let joint = match y {
            _ if y == left.y => "┬",
            _ if y == stack.y && layout.output.is_some() => "┼",
            _ if y == stack.y => "├",
            _ => "│",
        };
        canvas.row(Rect::new(left.right(), y, 1, 1), y).put(joint, Role::Faint);
    }
}
