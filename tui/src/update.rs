//! What happens: the only place where the screen's state changes.

mod page;
mod prompt;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

use crate::debuggee::Command;
use crate::keys::{Act, Key, Lookup, Motion, lookup};
use crate::layout::inside;
use crate::model::{Model, Overlay, Pane};
use crate::snapshot::{Notice, Real, Snapshot, Text};

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum Msg {
    Key(KeyEvent),
    /// Text that was pasted in one piece.
    Paste(String),
    /// The terminal has these columns and rows now.
    Resize(u16, u16),
    /// The debuggee has something new to show.
    Changed(Arc<Snapshot>),
    /// Time passed while the debuggee works.
    Tick,
}

/// Something to be done that is not in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Send(Command),
    /// A line that was typed, for the selected frame.
    Enter(String, usize),
    /// The answer to what the program asks; none for the end of the input.
    Answer(Option<String>),
    /// Draw every cell anew.
    Repaint,
    /// Stop the process until it is continued.
    Suspend,
    Quit,
}

/// Takes one message into the model; says what else is to be done.
pub(crate) fn update(model: &mut Model, msg: Msg) -> Option<Effect> {
    let effect = match msg {
        Msg::Key(event) if event.kind != KeyEventKind::Release => key(model, event),
        Msg::Key(_) => None,
        Msg::Paste(text) => {
            prompt::paste(model, &text);
            None
        }
        Msg::Resize(width, height) => {
            model.size = (width, height);
            None
        }
        Msg::Changed(snapshot) => {
            changed(model, snapshot);
            None
        }
        Msg::Tick => {
            model.busy = model.busy.map(|ticks| ticks + 1);
            None
        }
    };
    if let Some(Effect::Send(Command::Inspect(_) | Command::Branches) | Effect::Enter(..)) = effect
    {
        // Whatever page comes now was asked for.
        model.is_page_closed = false;
    }
    model.settle();
    effect
}

fn changed(model: &mut Model, snapshot: Arc<Snapshot>) {
    let old = std::mem::replace(&mut model.snapshot, snapshot);
    let new = &model.snapshot;
    if new.notice != old.notice || new.request != old.request {
        model.notice = new.notice.clone();
    }
    model.busy = match (&new.running, model.busy) {
        (None, _) => None,
        (Some(_), busy) => Some(busy.unwrap_or(0)),
    };
    // A prediction that comes later must not move what the user looks at.
    let moved = new.step != old.step || position(new) != position(&old);
    if moved {
        model.select_innermost();
    }
    if model.focus != Pane::Variables {
        model.select_difference();
    }
    page::changed(model, old.page.as_ref());
    asked(model, old.asks.as_ref());
}

/// Opens the line for an answer when the program asks, and closes it when it asks no longer.
fn asked(model: &mut Model, before: Option<&Text>) {
    let asks = model.snapshot.asks.as_ref();
    let is_new = model.is_answered || asks != before;
    model.is_answered = false;
    match (asks.is_some(), &model.overlay) {
        // What is typed for something else must not go to the program.
        (true, Overlay::Search { .. } | Overlay::Order { .. }) => {}
        (true, _) if is_new => model.open_answer(),
        (false, Overlay::Answer { .. }) => model.overlay = Overlay::None,
        _ => {}
    }
}

fn position(snapshot: &Snapshot) -> (usize, Option<u32>, bool) {
    (snapshot.stack().len(), snapshot.real_line(), matches!(snapshot.real, Real::Ended(_)))
}

fn key(model: &mut Model, event: KeyEvent) -> Option<Effect> {
    model.notice = None;
    let pressed = Key::from(event);
    let leaves = pressed.control && pressed.code == KeyCode::Char('c');
    if model.overlay.is_prompt() && !leaves {
        return prompt::key(model, pressed);
    }
    model.typed.push(pressed);
    match lookup(&model.typed) {
        Lookup::Prefix => None,
        Lookup::Act(act) => {
            model.typed.clear();
            perform(model, act)
        }
        Lookup::Unbound => {
            model.typed.clear();
            None
        }
    }
}

fn perform(model: &mut Model, act: Act) -> Option<Effect> {
    if let Overlay::Help { .. } = model.overlay
        && !matches!(
            act,
            Act::Move(_) | Act::Escape | Act::Quit | Act::QuitNow | Act::Suspend | Act::Redraw
        )
    {
        model.overlay = Overlay::None;
        return None;
    }
    if model.is_browsing() && page::takes(act) {
        return page::perform(model, act);
    }
    let is_open = model.overlay != Overlay::None;
    match act {
        Act::Send(Command::Undo) if !model.snapshot.can_undo => {
            model.notice = Some(Notice::info("nothing to undo: this is the first state"));
        }
        Act::Inspect => return Some(Effect::Send(Command::Inspect(model.frame_number()))),
        Act::Send(command) => return Some(Effect::Send(command)),
        Act::RunToCursor => return Some(Effect::Send(Command::RunTo(line(model)))),
        Act::RunBackToCursor => return Some(Effect::Send(Command::BackTo(line(model)))),
        Act::Order => model.overlay = Overlay::Order { text: String::new() },
        Act::Answer if model.question().is_none() => {
            model.notice = Some(Notice::info("the program asks for nothing"));
        }
        Act::Answer => model.open_answer(),
        Act::ToggleBreakpoint => return Some(Effect::Send(Command::ToggleBreakpoint(line(model)))),
        Act::ToggleMode => {
            return Some(Effect::Send(Command::SetMode(model.snapshot.mode.other())));
        }
        Act::CallerFrame => select_frame(model, model.frame.checked_sub(1)),
        Act::CalledFrame => {
            let called = model.frame + 1;
            select_frame(model, (called < model.snapshot.stack().len()).then_some(called));
        }
        Act::Move(motion) => go(model, motion),
        Act::ToCurrentLine => model.select_innermost(),
        Act::Focus(Pane::Output) => {
            model.show_output = Some(true);
            model.focus = Pane::Output;
        }
        Act::Focus(pane) => model.focus = pane,
        Act::FocusNext => focus_next(model, 1),
        Act::FocusPrevious => focus_next(model, model.panes().len() - 1),
        Act::OpenValue if is_open => model.overlay = Overlay::None,
        Act::OpenValue if model.focus == Pane::Stack => model.focus = Pane::Source,
        Act::OpenValue => open_value(model),
        Act::ToggleOutput => model.show_output = Some(model.layout().output.is_none()),
        Act::Search => model.overlay = Overlay::Search { text: String::new() },
        Act::SearchNext => search(model, Direction::Forward),
        Act::SearchPrevious => search(model, Direction::Backward),
        Act::Help => model.overlay = Overlay::Help { top: 0 },
        Act::Escape if !is_open && model.snapshot.running.is_some() => {
            return Some(Effect::Send(Command::Interrupt));
        }
        Act::Escape => model.overlay = Overlay::None,
        Act::Quit if is_open => model.overlay = Overlay::None,
        Act::Quit | Act::QuitNow => return Some(Effect::Quit),
        Act::Redraw => return Some(Effect::Repaint),
        Act::Suspend => return Some(Effect::Suspend),
    }
    None
}

/// The line of the cursor as commands carry it.
fn line(model: &Model) -> u32 {
    u32::try_from(model.cursor).unwrap_or(u32::MAX)
}

fn select_frame(model: &mut Model, frame: Option<usize>) {
    let Some(frame) = frame else { return };
    model.frame = frame;
    if let Some(selected) = model.snapshot.stack().get(frame) {
        model.cursor = selected.line as usize;
    }
}

fn focus_next(model: &mut Model, by: usize) {
    let panes = model.panes();
    let at = panes.iter().position(|pane| *pane == model.focus).unwrap_or(0);
    model.focus = panes[(at + by) % panes.len()];
}

fn open_value(model: &mut Model) {
    if let Some(entry) = model.entries().get(model.row) {
        model.overlay = Overlay::Value { subject: entry.subject(), top: 0 };
    }
}

fn go(model: &mut Model, motion: Motion) {
    let layout = model.layout();
    if let Overlay::Help { top } | Overlay::Value { top, .. } = &mut model.overlay {
        let page = usize::from(model.size.1.saturating_sub(6)).max(1);
        *top = moved(*top, motion, page, usize::MAX - page);
        return;
    }
    let page = |pane| usize::from(inside(pane).height).saturating_sub(1).max(1);
    match model.focus {
        Pane::Source => match motion {
            Motion::Left => model.source_left = model.source_left.saturating_sub(8),
            Motion::Right => model.source_left = (model.source_left + 8).min(10_000),
            _ => {
                let last = model.snapshot.source.len().saturating_sub(1);
                model.cursor = moved(model.cursor - 1, motion, page(layout.source), last) + 1;
            }
        },
        Pane::Variables => {
            let last = model.entries().len().saturating_sub(1);
            model.row = moved(model.row, motion, page(layout.variables), last);
        }
        Pane::Stack => {
            let last = model.snapshot.stack().len().saturating_sub(1);
            let frame = moved(model.frame, motion, layout.stack.map_or(1, page), last);
            select_frame(model, Some(frame));
        }
        Pane::Output => {
            let last = model.snapshot.output.len();
            let shown = layout.output.map_or(0, |pane| usize::from(inside(pane).height));
            let end = last.saturating_sub(shown);
            let top = end.saturating_sub(model.output_up);
            model.output_up = end - moved(top, motion, layout.output.map_or(1, page), end);
        }
    }
}

fn moved(at: usize, motion: Motion, page: usize, last: usize) -> usize {
    match motion {
        Motion::Up => at.saturating_sub(1),
        Motion::Down => at + 1,
        Motion::PageUp => at.saturating_sub(page),
        Motion::PageDown => at + page,
        Motion::First => 0,
        Motion::Last => last,
        Motion::Left | Motion::Right => at,
    }
    .min(last)
}

#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Backward,
}

/// Moves the cursor to the next line that holds the pattern, round the end. A pattern without
/// capitals matches either case.
fn search(model: &mut Model, direction: Direction) {
    if model.pattern.is_empty() {
        model.notice = Some(Notice::info("no search yet: type / and a text"));
        return;
    }
    let exact = model.pattern.chars().any(char::is_uppercase);
    let holds = |line: &str| {
        if exact {
            line.contains(&model.pattern)
        } else {
            line.to_lowercase().contains(&model.pattern)
        }
    };
    let lines = &model.snapshot.source;
    let n = lines.len();
    let found = (0..n)
        .map(|i| match direction {
            Direction::Forward => (model.cursor + i) % n,
            Direction::Backward => (model.cursor + 2 * n - 2 - i) % n,
        })
        .find(|index| holds(&lines[*index]));
    match found {
        Some(index) => {
            model.cursor = index + 1;
            model.focus = Pane::Source;
        }
        None => {
            model.notice = Some(Notice::error(format!("`{}` is not in the source", model.pattern)));
        }
    }
}
