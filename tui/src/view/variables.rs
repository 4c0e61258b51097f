//! The table of both sides: a sign, the name, the real text, the predicted text.

use ratatui::layout::Rect;

use super::canvas::{Canvas, Pen};
use crate::difference::{Difference, difference};
use crate::layout::inside;
use crate::model::{Entry, Model, Pane};
use crate::snapshot::{Row, Verdict};
use crate::text::{Marked, clean, excerpt, width};
use crate::theme::{MALFORMED, Role, mark};

/// Before the name of a field that changed in the last step.
pub(crate) const CHANGED: &str = "*";

/// The widths of the columns.
struct Columns {
    name: usize,
    real: usize,
    /// 0 if nothing is predicted at all.
    predicted: usize,
}

pub(super) fn draw(canvas: &mut Canvas<'_>, pane: Rect, model: &Model) {
    let entries = model.entries();
    let columns = columns(model, &entries, usize::from(pane.width));
    let title = match model.snapshot.stack().get(model.frame) {
        Some(frame) if !model.is_innermost() => format!("variables of {}", frame.function),
        _ => "variables".to_owned(),
    };
    let is_focused = model.focus == Pane::Variables;
    let shown = usize::from(inside(pane).height);
    let place = if entries.len() > shown {
        let last = entries.len().min(model.row_top + shown);
        vec![(format!("{}–{last} of {}", model.row_top + 1, entries.len()), Role::Faint)]
    } else {
        vec![]
    };
    canvas.title(pane, &title, is_focused, &place);
    if model.is_innermost() && columns.predicted > 0 {
        let mut pen = canvas.row(pane, pane.y);
        pen.skip(2 + columns.name);
        heading(&mut pen, "real", columns.real + 1, Role::Real);
        heading(&mut pen, "predicted", columns.predicted + 1, Role::Predicted);
    }
    let area = inside(pane);
    for (index, y) in (model.row_top..entries.len()).zip(area.y..area.bottom()) {
        let mut pen = canvas.row(area, y);
        match &entries[index] {
            Entry::Malformed { reason, .. } => {
                pen.put(&format!("{MALFORMED} malformed: "), Role::Diverged);
                let room = pen.room();
                pen.field(reason, room, Role::Plain);
            }
            Entry::Row(row) => draw_row(&mut pen, row, &columns),
        }
        if is_focused && index == model.row {
            canvas.overlay(Rect::new(area.x, y, area.width, 1), Role::Selected);
        }
    }
}

/// Writes a heading above its column, with the blank before it, if there is room for all of it.
fn heading(pen: &mut Pen<'_, '_>, text: &str, columns: usize, role: Role) {
    let used = if width(text) + 2 <= columns {
        pen.put(" ", Role::Plain);
        pen.put(text, role);
        pen.put(" ", Role::Plain);
        width(text) + 2
    } else {
        0
    };
    pen.skip(columns - used);
}

fn columns(model: &Model, entries: &[Entry], total: usize) -> Columns {
    let rows = || entries.iter().filter_map(|e| if let Entry::Row(r) = e { Some(r) } else { None });
    let longest = rows().map(|row| width(&clean(row.field.label()))).max().unwrap_or(0);
    let name = longest.clamp(10, (total / 4).max(10));
    let rest = total.saturating_sub(2 + name + 1);
    if model.snapshot.model.is_none() && rows().all(|row| row.predicted.is_none()) {
        return Columns { name, real: rest, predicted: 0 };
    }
    let real = rest.saturating_sub(1) / 2;
    Columns { name, real, predicted: rest.saturating_sub(real + 1) }
}

fn draw_row(pen: &mut Pen<'_, '_>, row: &Row, columns: &Columns) {
    let (sign, role) = mark(row.verdict);
    let (changed, value) = if row.changed { (CHANGED, Role::Changed) } else { (" ", Role::Plain) };
    pen.put(sign, role);
    pen.put(changed, Role::Changed);
    let name = if row.verdict.differs() { Role::Diverged } else { value };
    pen.field(row.field.label(), columns.name, name);
    pen.skip(1);
    let real = row.real.as_deref().map(clean);
    let predicted = row.predicted.as_deref().map(clean);
    let found = match (&real, &predicted) {
        (Some(real), Some(predicted)) => difference(real, predicted),
        _ => Difference::default(),
    };
    // A side that is alone differs as a whole.
    let alone = |is_this: bool| if is_this { Role::Diverged } else { value };
    if let Some(text) = &real {
        let marked = Marked { text, marks: &found.real, anchor: found.anchor };
        let plain = alone(row.verdict == Verdict::Missing);
        let pieces = excerpt(marked, columns.real);
        pen.pieces(&pieces, columns.real, plain, Role::DivergedPart);
    } else {
        pen.skip(columns.real);
    }
    pen.skip(1);
    match &predicted {
        Some(text) => {
            let marked = Marked { text, marks: &found.predicted, anchor: found.anchor };
            let plain = alone(row.verdict == Verdict::Extra);
            let pieces = excerpt(marked, columns.predicted);
            pen.pieces(&pieces, columns.predicted, plain, Role::DivergedPart);
        }
        None if row.verdict == Verdict::Pending => pen.field("…", columns.predicted, Role::Unknown),
        None => {}
    }
}
