//! The page over the panes: an item a row, with its object's number, its class and its value.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::frame;
use crate::model::Model;
use crate::page::Item;
use crate::text::{clean, width};
use crate::theme::Role;

/// Before the items that lead to another page.
pub(crate) const OPENS: &str = "▸";

/// From this width on, items show their class.
const CLASSES: usize = 40;

/// How many items are shown at once.
pub(crate) fn rows(model: &Model) -> usize {
    usize::from(area(model).height.saturating_sub(2))
}

/// Where the page lies, with its frame. It is as wide as can be, so that it does not jump about
/// when other items come into sight.
fn area(model: &Model) -> Rect {
    let items = model.snapshot.page.as_ref().map_or(0, |page| page.items.len());
    frame::area(model.size, frame::most(model.size.0), items.max(1))
}

pub(super) fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let (Some(page), Some(browse)) = (&model.snapshot.page, &model.browse) else { return };
    let area = area(model);
    let selected = (browse.selected + 1).min(page.items.len());
    let place = format!("{selected} of {}", page.total.max(page.items.len()));
    frame::draw(canvas, area, &page.title, Some(&place));
    let inner = frame::inside(area);
    if page.items.is_empty() {
        canvas.row(inner, inner.y).put("nothing", Role::Unknown);
    }
    let columns = Columns::of(&page.items, usize::from(inner.width));
    for (index, y) in (browse.top..page.items.len()).zip(inner.y..inner.bottom()) {
        draw_item(canvas, Rect { y, height: 1, ..inner }, &page.items[index], &columns);
        if index == browse.selected {
            let row = Rect::new(area.x + 1, y, area.width.saturating_sub(2), 1);
            canvas.overlay(row, Role::Selected);
        }
    }
}

fn draw_item(canvas: &mut Canvas<'_>, row: Rect, item: &Item, columns: &Columns) {
    let mut pen = canvas.row(row, row.y);
    pen.put(if item.opens { OPENS } else { " " }, Role::Key);
    pen.skip(1);
    pen.field(&item.key, columns.key, Role::Title);
    for (text, columns) in [(&*number(item), columns.number), (&*item.class, columns.class)] {
        if columns > 0 {
            pen.skip(1);
            pen.field(text, columns, Role::Faint);
        }
    }
    pen.skip(1);
    let room = pen.room();
    pen.field(&item.value, room, Role::Plain);
}

/// The object's number as it is shown; empty if it has none.
pub(super) fn number(item: &Item) -> String {
    item.identity.map(|identity| format!("#{identity}")).unwrap_or_default()
}

/// The widths of the columns before the value; 0 leaves one out.
struct Columns {
    key: usize,
    number: usize,
    class: usize,
}

impl Columns {
    fn of(items: &[Item], total: usize) -> Columns {
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let class = longest(&mut items.iter().map(|item| width(&clean(&item.class))));
        Columns {
            key: longest(&mut items.iter().map(|item| width(&clean(&item.key)))).min(total / 3),
            number: longest(&mut items.iter().map(|item| number(item).len())),
            class: if total < CLASSES { 0 } else { class.min(total / 5) },
        }
    }
}
