//! The two lines at the bottom: how things stand, and which keys matter now.

use ratatui::layout::{Position, Rect};

use super::canvas::Canvas;
use crate::keys::{Act, BINDINGS, Binding, hint, lookup_prefix};
use crate::model::{Model, Overlay};
use crate::snapshot::{Level, Outcome, Snapshot};
use crate::text::{clean, cut, width};
use crate::theme::{MALFORMED, Role};

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

pub(super) fn status(canvas: &mut Canvas<'_>, area: Rect, model: &Model) {
    let snapshot = &*model.snapshot;
    let facts = facts(snapshot);
    let head = head(model);
    let total = usize::from(area.width);
    // What was done comes first; of the rest, as much as fits beside 20 columns of it.
    let mut room = total.saturating_sub(4 + width(&head.text).min(20));
    let mut kept: Vec<&Fact> = Vec::new();
    let mut by_weight: Vec<&Fact> = facts.iter().collect();
    by_weight.sort_by_key(|fact| fact.weight);
    for fact in by_weight {
        let needed = width(&fact.text) + 3;
        if needed <= room {
            room -= needed;
            kept.push(fact);
        }
    }
    let right: Vec<&str> =
        facts.iter().filter(|f| kept.contains(f)).map(|f| f.text.as_str()).collect();
    let right = right.join(" · ");
    let mut pen = canvas.row(area, area.y);
    pen.put(&format!(" {} ", head.sign), head.role);
    pen.skip(1);
    let room = total.saturating_sub(4 + width(&right) + 2);
    pen.field(&head.text, room, Role::Plain);
    pen.skip(1);
    pen.put(&right, Role::Plain);
    canvas.overlay(area, Role::Bar);
}

struct Head {
    sign: &'static str,
    role: Role,
    text: String,
}

/// What was done and how it went, or what is being done.
fn head(model: &Model) -> Head {
    let snapshot = &*model.snapshot;
    if let (Some(what), Some(ticks @ 1..)) = (&snapshot.running, model.busy) {
        let sign = SPINNER[ticks % SPINNER.len()];
        return Head { sign, role: Role::Plain, text: clean(what).into_owned() };
    }
    let mut text = snapshot.action.as_deref().map_or("start".into(), clean).into_owned();
    let (sign, role) = match snapshot.outcome() {
        Outcome::Agrees => ("=", Role::Match),
        Outcome::Diverges => ("≠", Role::Diverged),
        Outcome::Malformed => (MALFORMED, Role::Diverged),
        Outcome::Pending => ("…", Role::Unknown),
        Outcome::Unasked => (" ", Role::Plain),
    };
    let differing: Vec<_> = snapshot
        .rows
        .iter()
        .filter(|r| r.verdict.differs())
        .map(|r| clean(r.field.label()))
        .collect();
    if !differing.is_empty() {
        text.push_str(": ");
        text.push_str(&differing.join(", "));
    }
    Head { sign, role, text }
}

/// Something to say in the status line; the lightest are said first if room is short.
#[derive(PartialEq)]
struct Fact {
    text: String,
    weight: u8,
}

/// Columns for the branch: it must leave room for the tally and the step on 80 columns.
const BRANCH: usize = 24;

fn facts(snapshot: &Snapshot) -> Vec<Fact> {
    let tally = snapshot.tally;
    let mut facts = vec![Fact { text: format!("step {}", snapshot.step), weight: 2 }];
    if let Some(index) = snapshot.index {
        facts.push(Fact { text: format!("state {index}"), weight: 7 });
    }
    if let Some(branch) = &snapshot.branch {
        facts.push(Fact { text: cut(&clean(branch), BRANCH), weight: 1 });
    }
    let Some(model) = &snapshot.model else {
        facts.push(Fact { text: "no model".into(), weight: 3 });
        return facts;
    };
    if let Some(share) = (tally.agreed * 100).checked_div(tally.compared) {
        let text = format!("{}/{} agree {share}%", tally.agreed, tally.compared);
        facts.push(Fact { text, weight: 0 });
    }
    if tally.malformed > 0 {
        facts.push(Fact { text: format!("{} malformed", tally.malformed), weight: 6 });
    }
    if let Some(bits) = snapshot.bits {
        facts.push(Fact { text: format!("{bits:.1} bits"), weight: 5 });
    }
    facts.push(Fact { text: snapshot.mode.name().into(), weight: 3 });
    facts.push(Fact { text: cut(&clean(model), 20), weight: 4 });
    facts
}

/// Draws the footer: a prompt, a notice, the rest of a key sequence, or the keys that
/// matter now.
pub(super) fn footer(canvas: &mut Canvas<'_>, area: Rect, model: &Model) -> Option<Position> {
    if let Some(text) = model.overlay.typed() {
        return Some(prompt(canvas, area, model, text));
    }
    let mut pen = canvas.row(area, area.y);
    if let Some(notice) = &model.notice {
        let (sign, role) = match notice.level {
            Level::Info => (" ", Role::Info),
            Level::Error => ("!", Role::Error),
        };
        pen.put(&format!("{sign} "), role);
        let room = pen.room();
        pen.field(&notice.text, room, role);
        return None;
    }
    if !model.typed.is_empty() {
        for binding in lookup_prefix(&model.typed) {
            pen.put(&format!(" {}", binding.label()), Role::Key);
            pen.put(&format!(" {} ", binding.help), Role::Faint);
        }
        return None;
    }
    let hints: Vec<(&Binding, &str)> =
        BINDINGS.iter().filter_map(|b| hint(b, model).map(|hint| (b, hint))).collect();
    // Help and quit are always there; the others as far as they fit.
    let (last, mut first): (Vec<_>, Vec<_>) =
        hints.into_iter().partition(|(b, _)| matches!(b.act, Act::Help | Act::Quit));
    let columns = |(binding, hint): &(&Binding, &str)| width(&binding.label()) + width(hint) + 3;
    let mut room = usize::from(area.width).saturating_sub(last.iter().map(columns).sum::<usize>());
    first.retain(|hint| match room.checked_sub(columns(hint)) {
        Some(left) => {
            room = left;
            true
        }
        None => {
            room = 0;
            false
        }
    });
    for (binding, hint) in first.into_iter().chain(last) {
        pen.put(&format!(" {}", binding.label()), Role::Key);
        pen.put(&format!(" {hint} "), Role::Faint);
    }
    None
}

/// What the keys of an answer do, where there is room to say it.
const ANSWERING: &str = "Enter answer  Ctrl-D end of input  Esc later ";

/// Draws the line that is being typed, and says where its cursor is.
fn prompt(canvas: &mut Canvas<'_>, area: Rect, model: &Model, text: &str) -> Position {
    let sign = match &model.overlay {
        Overlay::Answer { .. } => question(model, usize::from(area.width) / 2),
        Overlay::Search { .. } => "/".to_owned(),
        _ => ":".to_owned(),
    };
    let text = clean(text);
    // The end of a long line is what is being typed; one column is the cursor's.
    let room = usize::from(area.width).saturating_sub(width(&sign) + 1);
    let shown = crate::text::scrolled(&text, width(&text).saturating_sub(room));
    let used = width(&sign) + width(&shown);
    let mut pen = canvas.row(area, area.y);
    pen.put(&sign, Role::Key);
    pen.put(&shown, Role::Plain);
    let left = usize::from(area.width).saturating_sub(used);
    if matches!(model.overlay, Overlay::Answer { .. }) && left > width(ANSWERING) + 1 {
        pen.skip(left - width(ANSWERING));
        pen.put(ANSWERING, Role::Faint);
    }
    Position::new(area.x + used as u16, area.y)
}

/// What the program asks, in so many columns: of several lines the last, where the answer stands
/// in a terminal, too.
fn question(model: &Model, columns: usize) -> String {
    let asked = model.question().map_or("", |text| text);
    let last = asked.lines().last().unwrap_or_default().trim_end();
    let last = if last.is_empty() { "input:" } else { last };
    format!("{} ", cut(&clean(last), columns.saturating_sub(1)))
}
