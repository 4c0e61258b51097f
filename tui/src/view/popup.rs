//! What is read over the panes: the help, and the whole value of a field or an item.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::{frame, help, page};
use crate::difference::difference;
use crate::model::{Entry, Model, Overlay, Subject};
use crate::page::Item;
use crate::snapshot::{Row, Verdict};
use crate::text::{Marked, clean, width, wrap};
use crate::theme::{MALFORMED, Role, mark};

/// A styled line.
pub(super) type Styled = Vec<(String, Role)>;

struct Popup {
    title: String,
    lines: Vec<Styled>,
    /// The first line shown, as far as there are lines.
    top: usize,
    /// With its frame.
    area: Rect,
}

impl Popup {
    fn rows(&self) -> usize {
        usize::from(self.area.height.saturating_sub(2))
    }

    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.rows())
    }
}

/// How far the open popup can be scrolled.
pub(crate) fn last_top(model: &Model) -> usize {
    popup(model).map_or(0, |popup| popup.last_top())
}

pub(super) fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let Some(popup) = popup(model) else { return };
    let top = popup.top.min(popup.last_top());
    let place = format!("{}–{} of {}", top + 1, top + popup.rows(), popup.lines.len());
    let place = (popup.last_top() > 0).then_some(&*place);
    frame::draw(canvas, popup.area, &popup.title, place);
    let inner = frame::inside(popup.area);
    for (line, y) in popup.lines[top..].iter().zip(inner.y..inner.bottom()) {
        let mut pen = canvas.row(inner, y);
        for (text, role) in line {
            pen.put(text, *role);
        }
    }
}

fn popup(model: &Model) -> Option<Popup> {
    let most = frame::most(model.size.0);
    let (title, lines, top) = match &model.overlay {
        Overlay::Help { top } => ("help".to_owned(), help::lines(most), *top),
        Overlay::Value { subject: Subject::Item, top } => {
            let (title, lines) = item(model.item()?, most);
            (title, lines, *top)
        }
        Overlay::Value { subject, top } => {
            let (title, lines) = value(model, subject, most);
            (title, lines, *top)
        }
        _ => return None,
    };
    let length = |line: &Styled| line.iter().map(|(text, _)| width(text)).sum::<usize>();
    let widest = lines.iter().map(length).max().unwrap_or(0).max(width(&title) + 2).min(most);
    let area = frame::area(model.size, widest, lines.len());
    Some(Popup { title, lines, top, area })
}

/// The whole value of an item of a page.
fn item(item: &Item, columns: usize) -> (String, Vec<Styled>) {
    let title = format!("{} {}", clean(&item.key), page::number(item));
    let class = clean(&item.class);
    let mut lines: Vec<Styled> = wrapped(&class, columns, Role::Faint).collect();
    lines.retain(|line| !line.is_empty());
    lines.extend(wrapped(&item.value, columns, Role::Plain));
    (title.trim_end().to_owned(), lines)
}

fn wrapped(text: &str, columns: usize, role: Role) -> impl Iterator<Item = Styled> {
    styled(wrap(Marked::plain(&clean(text)), columns), role)
}

fn value(model: &Model, subject: &Subject, columns: usize) -> (String, Vec<Styled>) {
    let entry = model.entries().into_iter().find(|entry| entry.subject() == *subject);
    match (entry, subject) {
        (Some(Entry::Malformed { reason, raw }), _) => {
            let mut lines = vec![heading("what is wrong", Role::Title)];
            lines.extend(wrapped(&reason, columns, Role::Plain));
            lines.extend([vec![], heading("what the model wrote", Role::Predicted)]);
            lines.extend(wrapped(&raw, columns, Role::Plain));
            (format!("{MALFORMED} malformed"), lines)
        }
        (Some(Entry::Row(row)), _) => {
            let title = format!("{} {}", mark(row.verdict).0, clean(row.field.label()));
            (title.trim_start().to_owned(), both_sides(&row, columns))
        }
        (None, Subject::Malformed | Subject::Item) => {
            ("malformed".into(), vec![heading("this prediction is well-formed", Role::Faint)])
        }
        (None, Subject::Field(field)) => {
            (clean(field.label()).into(), vec![heading("not here at this step", Role::Faint)])
        }
    }
}

fn both_sides(row: &Row, columns: usize) -> Vec<Styled> {
    let real = row.real.as_deref().map(clean);
    let predicted = row.predicted.as_deref().map(clean);
    if let (Some(text), Verdict::Same) = (&real, row.verdict) {
        let mut lines = vec![heading("real and predicted", Role::Match)];
        lines.extend(styled(wrap(Marked::plain(text), columns), Role::Plain));
        return lines;
    }
    let found = match (&real, &predicted) {
        (Some(real), Some(predicted)) => difference(real, predicted),
        _ => Default::default(),
    };
    let sides = [
        ("real", Role::Real, &real, &found.real),
        ("predicted", Role::Predicted, &predicted, &found.predicted),
    ];
    let mut lines = Vec::new();
    for (name, role, text, marks) in sides {
        if !lines.is_empty() {
            lines.push(vec![]);
        }
        lines.push(heading(name, role));
        match text {
            Some(text) => {
                let marked = Marked { text, marks, anchor: found.anchor };
                lines.extend(styled(wrap(marked, columns), Role::Plain));
            }
            None if row.verdict == Verdict::Pending => lines.push(heading("…", Role::Unknown)),
            None => lines.push(heading("nothing", Role::Unknown)),
        }
    }
    lines
}

pub(super) fn heading(text: &str, role: Role) -> Styled {
    vec![(text.to_owned(), role)]
}

fn styled(lines: Vec<Vec<crate::text::Piece>>, plain: Role) -> impl Iterator<Item = Styled> {
    lines.into_iter().map(move |line| {
        line.into_iter()
            .map(|piece| (piece.text, if piece.marked { Role::DivergedPart } else { plain }))
            .collect()
    })
}
