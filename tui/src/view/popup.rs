//! What lies over the panes: the help, and the whole value of a field.

use std::fmt::Display;

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::source::{BREAKPOINT, CANDIDATE, PREDICTED, REAL, SWITCHED_OFF};
use super::variables::CHANGED;
use crate::difference::difference;
use crate::keys::{BINDINGS, Group, HELP_WIDTH, KEYS_WIDTH};
use crate::model::{Entry, Model, Overlay, Subject};
use crate::snapshot::{Row, Verdict};
use crate::text::{Marked, clean, width, wrap};
use crate::theme::{MALFORMED, Role, mark};

/// A styled line.
type Styled = Vec<(String, Role)>;

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
    let Rect { y, width: columns, height, .. } = popup.area;
    let (inner, bottom) = (usize::from(columns.saturating_sub(2)), y + height.saturating_sub(1));
    canvas.clear(popup.area);
    let horizontal = "─".repeat(inner);
    canvas.row(popup.area, y).put(&format!("┌{horizontal}┐"), Role::Plain);
    canvas.row(popup.area, bottom).put(&format!("└{horizontal}┘"), Role::Plain);
    let mut pen = canvas.row(popup.area, y);
    pen.skip(2);
    pen.put(&format!(" {} ", popup.title), Role::Title);
    let top = popup.top.min(popup.last_top());
    for (index, y) in (y + 1..bottom).enumerate() {
        let mut pen = canvas.row(popup.area, y);
        pen.put("│", Role::Plain);
        pen.skip(inner);
        pen.put("│", Role::Plain);
        let mut pen = canvas.row(Rect { width: columns.saturating_sub(1), ..popup.area }, y);
        pen.skip(2);
        for (text, role) in popup.lines.get(top + index).into_iter().flatten() {
            pen.put(text, *role);
        }
    }
    if popup.last_top() > 0 {
        let place = format!(" {}–{} of {} ", top + 1, top + popup.rows(), popup.lines.len());
        let mut pen = canvas.row(popup.area, bottom);
        pen.skip(inner.saturating_sub(width(&place) + 1));
        pen.put(&place, Role::Faint);
    }
}

fn popup(model: &Model) -> Option<Popup> {
    let (columns, height) = model.size;
    let most = usize::from(columns.saturating_sub(6)).min(110);
    let (title, lines, top) = match &model.overlay {
        Overlay::None | Overlay::Search { .. } | Overlay::Order { .. } => return None,
        Overlay::Help { top } => ("help".to_owned(), help(most), *top),
        Overlay::Value { subject, top } => {
            let (title, lines) = value(model, subject, most);
            (title, lines, *top)
        }
    };
    let length = |line: &Styled| line.iter().map(|(text, _)| width(text)).sum::<usize>();
    let widest = lines.iter().map(length).max().unwrap_or(0).max(width(&title) + 2).min(most);
    let rows = lines.len().min(usize::from(height.saturating_sub(4)));
    let area = Rect::new(
        (columns.saturating_sub(widest as u16 + 4)) / 2,
        (height.saturating_sub(rows as u16 + 4)) / 2,
        widest as u16 + 4,
        rows as u16 + 2,
    );
    Some(Popup { title, lines, top, area })
}

fn value(model: &Model, subject: &Subject, columns: usize) -> (String, Vec<Styled>) {
    let entry = model.entries().into_iter().find(|entry| entry.subject() == *subject);
    let wrapped = |text: &str, role| styled(wrap(Marked::plain(&clean(text)), columns), role);
    match (entry, subject) {
        (Some(Entry::Malformed { reason, raw }), _) => {
            let mut lines = vec![heading("what is wrong", Role::Title)];
            lines.extend(wrapped(&reason, Role::Plain));
            lines.extend([vec![], heading("what the model wrote", Role::Predicted)]);
            lines.extend(wrapped(&raw, Role::Plain));
            (format!("{MALFORMED} malformed"), lines)
        }
        (Some(Entry::Row(row)), _) => {
            let title = format!("{} {}", mark(row.verdict).0, clean(row.field.label()));
            (title.trim_start().to_owned(), both_sides(&row, columns))
        }
        (None, Subject::Malformed) => {
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

fn heading(text: &str, role: Role) -> Styled {
    vec![(text.to_owned(), role)]
}

fn styled(lines: Vec<Vec<crate::text::Piece>>, plain: Role) -> impl Iterator<Item = Styled> {
    lines.into_iter().map(move |line| {
        line.into_iter()
            .map(|piece| (piece.text, if piece.marked { Role::DivergedPart } else { plain }))
            .collect()
    })
}

/// The key table by groups, and the signs; in two columns if they fit.
fn help(columns: usize) -> Vec<Styled> {
    let mut blocks: Vec<Vec<Styled>> = Group::ALL
        .into_iter()
        .map(|group| {
            let of_group = BINDINGS.iter().filter(|binding| binding.group == group);
            let mut lines = vec![heading(group.title(), Role::Title)];
            lines.extend(
                of_group.map(|binding| explained(binding.labels(), Role::Key, binding.help)),
            );
            lines
        })
        .collect();
    blocks.extend([orders(), signs()]);
    let all: usize = blocks.iter().map(|block| block.len() + 1).sum();
    let column = KEYS_WIDTH + HELP_WIDTH;
    if columns < 2 * column + 2 {
        return blocks.into_iter().flat_map(|block| block.into_iter().chain([vec![]])).collect();
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for block in blocks {
        let side = if left.len() < all / 2 { &mut left } else { &mut right };
        side.extend(block);
        side.push(vec![]);
    }
    let rows = left.len().max(right.len());
    left.resize(rows, vec![]);
    right.resize(rows, vec![]);
    left.into_iter()
        .zip(right)
        .map(|(mut line, right)| {
            let used: usize = line.iter().map(|(text, _)| width(text)).sum();
            line.push((" ".repeat((column + 2).saturating_sub(used)), Role::Plain));
            line.extend(right);
            line
        })
        .collect()
}

fn explained(name: impl Display, role: Role, meaning: &str) -> Styled {
    let name = name.to_string();
    let padding = KEYS_WIDTH.saturating_sub(width(&name)).max(1);
    vec![(format!("{name}{}", " ".repeat(padding)), role), (meaning.to_owned(), Role::Plain)]
}

/// What can be typed behind the colon. Whoever is asked reads it; the screen does not.
fn orders() -> Vec<Styled> {
    let order = |name, meaning| explained(name, Role::Key, meaning);
    vec![
        heading("Commands", Role::Title),
        order(":b 12", "stop at line 12"),
        order(":b 12, n>3", "if this holds"),
        order(":b solve", "if solve is called"),
        order(":b change n", "if n changes"),
        order(":b raise", "if something is raised"),
        order(":b 12;hit 3", "the third time only"),
        order(":b 12;log n", "print n, do not stop"),
        order(":b", "list them, with numbers"),
        order(":off 1", "switch off (:on 1)"),
        order(":clear 1", "take away"),
        order(":watch n*2", "show it (:unwatch n*2)"),
        order(":p n*2", "show it once"),
        order(":goto 37", "to state 37"),
        order(":t 12", "run to line 12"),
        order(":q", "quit"),
    ]
}

fn signs() -> Vec<Styled> {
    let verdict = |verdict, meaning| {
        let (sign, role) = mark(verdict);
        explained(sign, role, meaning)
    };
    vec![
        heading("Signs", Role::Title),
        explained(REAL, Role::Real, "the real line"),
        explained(PREDICTED, Role::Predicted, "the predicted line"),
        explained(CANDIDATE, Role::Predicted, "perhaps the predicted"),
        explained(BREAKPOINT, Role::Breakpoint, "a breakpoint"),
        explained(SWITCHED_OFF, Role::Breakpoint, "one that is switched off"),
        verdict(Verdict::Same, "both sides are the same"),
        verdict(Verdict::Changed, "they differ"),
        verdict(Verdict::Missing, "real, but not predicted"),
        verdict(Verdict::Extra, "predicted, but not real"),
        verdict(Verdict::Pending, "not predicted yet"),
        explained(MALFORMED, Role::Diverged, "a malformed prediction"),
        explained(CHANGED, Role::Changed, "changed in this step"),
    ]
}
