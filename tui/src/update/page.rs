//! What happens in the page that lies over the panes.

use std::sync::Arc;

use super::{Effect, moved};
use crate::browse::Browse;
use crate::debuggee::Command;
use crate::keys::{Act, Motion};
use crate::model::{Model, Overlay, Subject};
use crate::page::Page;

/// Whether an act means the page while one is in front. The others mean what they always mean.
pub(super) fn takes(act: Act) -> bool {
    matches!(
        act,
        Act::Move(_) | Act::OpenValue | Act::Escape | Act::Quit | Act::Send(Command::Undo)
    )
}

/// Does what a key asks of the page in front.
pub(super) fn perform(model: &mut Model, act: Act) -> Option<Effect> {
    let page = model.snapshot.page.clone()?;
    let browse = model.browse.as_mut()?;
    let command = match act {
        Act::Escape | Act::Quit => {
            model.browse = None;
            model.is_page_closed = true;
            Command::Close
        }
        Act::Move(Motion::Left) | Act::Send(Command::Undo) => Command::Up,
        Act::OpenValue | Act::Move(Motion::Right) => {
            let opens = page.items.get(browse.selected)?.opens;
            match act {
                _ if opens && browse.is_waiting => return None,
                _ if opens => {
                    browse.descend(&page);
                    Command::Open(browse.selected)
                }
                Act::OpenValue => {
                    model.overlay = Overlay::Value { subject: Subject::Item, top: 0 };
                    return None;
                }
                _ => return None,
            }
        }
        Act::Move(motion) => {
            let step = crate::view::page::rows(model).saturating_sub(1).max(1);
            return go(model.browse.as_mut()?, &page, motion, step);
        }
        _ => return None,
    };
    Some(Effect::Send(command))
}

/// Moves the selection. Going down from the last item asks for more.
fn go(browse: &mut Browse, page: &Page, motion: Motion, step: usize) -> Option<Effect> {
    let last = page.items.len().saturating_sub(1);
    let to = moved(browse.selected, motion, step, last);
    let is_down = matches!(motion, Motion::Down | Motion::PageDown | Motion::Last);
    let is_stuck = is_down && to == browse.selected;
    browse.selected = to;
    if !is_stuck || browse.is_waiting || page.items.len() >= page.total {
        return None;
    }
    browse.is_waiting = true;
    Some(Effect::Send(Command::More))
}

/// Takes in the page of a new snapshot. `before` is the one of the snapshot before.
pub(super) fn changed(model: &mut Model, before: Option<&Arc<Page>>) {
    let shows_item = matches!(model.overlay, Overlay::Value { subject: Subject::Item, .. });
    let Some(page) = model.snapshot.page.clone() else {
        model.browse = None;
        model.is_page_closed = false;
        if shows_item {
            model.overlay = Overlay::None;
        }
        return;
    };
    // The debuggee has not seen yet that it was closed.
    if model.is_page_closed {
        return;
    }
    let is_same = before
        .is_some_and(|before| before.title == page.title && before.items.len() <= page.items.len());
    match &mut model.browse {
        Some(browse) if is_same => browse.is_waiting &= model.snapshot.running.is_some(),
        _ => model.open_page(),
    }
}
