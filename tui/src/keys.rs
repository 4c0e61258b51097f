//! The one table of keys: bindings, footer and help all come from it.
//!
//! The keys are pudb's, with gdb's `N` and `F` for going back, and the editors' `]d` and `[d` for the
//! next and the previous difference. `[` before a key that moves the program is the move backwards:
//! gdb's own `S` and `C` move between panes here, as in pudb.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::debuggee::Command;
use crate::model::{Model, Overlay, Pane, Subject};
use crate::snapshot::{Mode, Outcome, Real};
use crate::view::popup::last_top;

/// One key as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub code: KeyCode,
    pub control: bool,
}

const fn ch(c: char) -> Key {
    Key { code: KeyCode::Char(c), control: false }
}

const fn ctrl(c: char) -> Key {
    Key { code: KeyCode::Char(c), control: true }
}

const fn named(code: KeyCode) -> Key {
    Key { code, control: false }
}

impl From<KeyEvent> for Key {
    /// Shift is part of a character already, and no binding uses Alt.
    fn from(event: KeyEvent) -> Self {
        Key { code: event.code, control: event.modifiers.contains(KeyModifiers::CONTROL) }
    }
}

impl Key {
    /// The key's name for people.
    fn label(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(c) if self.control => c.to_ascii_uppercase().to_string(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::BackTab => "Shift-Tab".to_owned(),
            KeyCode::F(n) => format!("F{n}"),
            other => format!("{other:?}"),
        };
        if self.control { format!("Ctrl-{name}") } else { name }
    }
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Ask the debuggee for something that needs no argument.
    Send(Command),
    RunToCursor,
    RunBackToCursor,
    /// Type a command.
    Order,
    /// Type the line that the program waits for.
    Answer,
    ToggleBreakpoint,
    ToggleMode,
    /// Select the calling frame.
    CallerFrame,
    /// Select the called frame.
    CalledFrame,
    /// Move in the focused pane, or in the overlay.
    Move(Motion),
    /// Put the cursor where the program is.
    ToCurrentLine,
    Focus(Pane),
    FocusNext,
    FocusPrevious,
    /// Show the whole value of the selected row; in a page, open the selected item.
    OpenValue,
    /// List the variables of the selected frame.
    Inspect,
    ToggleOutput,
    Search,
    SearchNext,
    SearchPrevious,
    Help,
    /// Close what is open, else stop what is running.
    Escape,
    Redraw,
    Suspend,
    /// Close what is open, else leave.
    Quit,
    /// Leave, whatever is open.
    QuitNow,
}

/// A move of a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Left,
    Right,
}

/// The headings of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Step,
    Back,
    Compare,
    Breakpoints,
    Run,
    Move,
    Panes,
    Program,
}

impl Group {
    pub const ALL: [Group; 8] = [
        Group::Step,
        Group::Back,
        Group::Compare,
        Group::Breakpoints,
        Group::Run,
        Group::Move,
        Group::Panes,
        Group::Program,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Group::Step => "Stepping",
            Group::Back => "Stepping back",
            Group::Compare => "Real and predicted",
            Group::Breakpoints => "Breakpoints",
            Group::Run => "The run",
            Group::Move => "Moving about",
            Group::Panes => "Panes",
            Group::Program => "Lockstep",
        }
    }
}

/// Columns for the keys in the help, with the space after them.
pub(crate) const KEYS_WIDTH: usize = 12;

/// Columns for what they do.
pub(crate) const HELP_WIDTH: usize = 24;

/// A line of the table.
#[derive(Debug)]
pub(crate) struct Binding {
    /// Each alternative is a sequence of keys.
    pub keys: &'static [&'static [Key]],
    pub act: Act,
    pub group: Group,
    /// For the help.
    pub help: &'static str,
    /// For the footer; empty if it is never shown there.
    pub hint: &'static str,
}

/// The table. The footer shows hints in this order, as many as fit.
pub(crate) static BINDINGS: &[Binding] = {
    use Act::*;
    use Command::{
        BackContinue, BackInto, BackOver, BackReturn, Branches, Continue, Last, NextDivergence,
        PreviousDivergence, Restart, Resync, StepInto, StepOver, StepReturn, Undo,
    };
    const fn binding(
        keys: &'static [&'static [Key]],
        act: Act,
        group: Group,
        help: &'static str,
        hint: &'static str,
    ) -> Binding {
        Binding { keys, act, group, help, hint }
    }
    // Kept one to a line, so that it reads as the table that it is.
    #[rustfmt::skip]
    static TABLE: &[Binding] = &[
        binding(&[&[named(KeyCode::Esc)]], Escape, Group::Panes, "close, or stop the work", "close"),
        binding(&[&[ch('i')]], Answer, Group::Run, "answer the input", "answer"),
        binding(&[&[ch('n')]], Send(StepOver), Group::Step, "step over", "over"),
        binding(&[&[ch('s')]], Send(StepInto), Group::Step, "step into", "into"),
        binding(&[&[ch('r')], &[ch('f')]], Send(StepReturn), Group::Step, "step to the return", "return"),
        binding(&[&[ch('c')]], Send(Continue), Group::Step, "continue to a breakpoint", "cont"),
        binding(&[&[ch('t')]], RunToCursor, Group::Step, "run to the cursor", ""),
        binding(&[&[ch('E')]], Send(Last), Group::Step, "to the last state", ""),
        binding(&[&[named(KeyCode::Backspace)], &[ch('z')]], Send(Undo), Group::Back, "undo the last action", ""),
        binding(&[&[ch('N')], &[ch('['), ch('n')]], Send(BackOver), Group::Back, "back over", "back"),
        binding(&[&[ch('['), ch('s')]], Send(BackInto), Group::Back, "back into", ""),
        binding(&[&[ch('F')], &[ch('['), ch('r')]], Send(BackReturn), Group::Back, "back to the call", ""),
        binding(&[&[ch('['), ch('c')]], Send(BackContinue), Group::Back, "back to a breakpoint", ""),
        binding(&[&[ch('['), ch('t')]], RunBackToCursor, Group::Back, "back to the cursor", ""),
        binding(&[&[ch('R')]], Send(Restart), Group::Back, "back to the first state", "restart"),
        binding(&[&[named(KeyCode::Enter)], &[ch(' ')]], OpenValue, Group::Compare, "the whole value", "diff"),
        binding(&[&[ch(']'), ch('d')]], Send(NextDivergence), Group::Compare, "to the next difference", "next≠"),
        binding(&[&[ch('['), ch('d')]], Send(PreviousDivergence), Group::Compare, "back to the one before", ""),
        binding(&[&[ch('y')]], Send(Resync), Group::Compare, "resync model to reality", "resync"),
        binding(&[&[ch('m')]], ToggleMode, Group::Compare, "follow reality, run free", "mode"),
        binding(&[&[ch('b')]], ToggleBreakpoint, Group::Breakpoints, "set or clear at cursor", "break"),
        binding(&[&[ch('x')]], Inspect, Group::Run, "inspect the variables", "inspect"),
        binding(&[&[ch('B')]], Send(Branches), Group::Run, "branches of the run", "branches"),
        binding(&[&[ch(':')]], Order, Group::Run, "type a command", ""),
        binding(&[&[ch('j')], &[named(KeyCode::Down)]], Move(Motion::Down), Group::Move, "down", ""),
        binding(&[&[ch('k')], &[named(KeyCode::Up)]], Move(Motion::Up), Group::Move, "up", ""),
        binding(&[&[ch('h')], &[named(KeyCode::Left)]], Move(Motion::Left), Group::Move, "left", ""),
        binding(&[&[ch('l')], &[named(KeyCode::Right)]], Move(Motion::Right), Group::Move, "right", ""),
        binding(&[&[named(KeyCode::PageDown)], &[ctrl('d')]], Move(Motion::PageDown), Group::Move, "page down", "more"),
        binding(&[&[named(KeyCode::PageUp)], &[ctrl('u')]], Move(Motion::PageUp), Group::Move, "page up", ""),
        binding(&[&[ch('g')], &[named(KeyCode::Home)]], Move(Motion::First), Group::Move, "to the top", ""),
        binding(&[&[ch('G')], &[named(KeyCode::End)]], Move(Motion::Last), Group::Move, "to the bottom", ""),
        binding(&[&[ch('H')]], ToCurrentLine, Group::Move, "to the current line", ""),
        binding(&[&[ch('u')]], CallerFrame, Group::Move, "up the stack", ""),
        binding(&[&[ch('d')]], CalledFrame, Group::Move, "down the stack", ""),
        binding(&[&[ch('/')]], Search, Group::Move, "search the source", ""),
        binding(&[&[ch('.')]], SearchNext, Group::Move, "next match", ""),
        binding(&[&[ch(',')]], SearchPrevious, Group::Move, "previous match", ""),
        binding(&[&[named(KeyCode::Tab)]], FocusNext, Group::Panes, "next pane", ""),
        binding(&[&[named(KeyCode::BackTab)]], FocusPrevious, Group::Panes, "previous pane", ""),
        binding(&[&[ch('C')]], Focus(Pane::Source), Group::Panes, "source", ""),
        binding(&[&[ch('V')]], Focus(Pane::Variables), Group::Panes, "variables", ""),
        binding(&[&[ch('S')]], Focus(Pane::Stack), Group::Panes, "stack", ""),
        binding(&[&[ch('O')]], Focus(Pane::Output), Group::Panes, "output", ""),
        binding(&[&[ch('o')]], ToggleOutput, Group::Panes, "show or hide the output", "output"),
        binding(&[&[ch('?')], &[named(KeyCode::F(1))]], Help, Group::Program, "this help", "help"),
        binding(&[&[ctrl('l')]], Redraw, Group::Program, "redraw the screen", ""),
        binding(&[&[ctrl('z')]], Suspend, Group::Program, "suspend", ""),
        binding(&[&[ch('q')]], Quit, Group::Program, "quit", "quit"),
        binding(&[&[ctrl('c')]], QuitNow, Group::Program, "quit at once", ""),
    ];
    TABLE
};

impl Binding {
    /// The first way to type it, for the footer.
    pub fn label(&self) -> String {
        self.keys.first().map(|sequence| name(sequence)).unwrap_or_default()
    }

    /// All ways to type it, for the help.
    pub fn labels(&self) -> String {
        self.keys.iter().map(|sequence| name(sequence)).collect::<Vec<_>>().join(" ")
    }
}

/// The footer's word for a binding, if it matters now.
pub(crate) fn hint(binding: &Binding, model: &Model) -> Option<&'static str> {
    let snapshot = &*model.snapshot;
    let ended = matches!(snapshot.real, Real::Ended(_));
    let has_model = snapshot.model.is_some();
    if model.is_browsing() {
        return page_hint(binding, model);
    }
    let matters = match (&model.overlay, binding.act) {
        (Overlay::None, Act::Escape) => return snapshot.running.as_ref().map(|_| "stop"),
        (_, Act::Escape) => true,
        (Overlay::Help { top }, Act::Move(Motion::PageDown)) => *top < last_top(model),
        (Overlay::Value { subject: Subject::Item, .. }, _) => false,
        (overlay, _) if overlay.is_prompt() || matches!(overlay, Overlay::Help { .. }) => false,
        (_, Act::Answer) => model.question().is_some(),
        (_, Act::Send(Command::BackOver)) => snapshot.can_undo,
        (_, Act::Send(Command::Restart)) => ended,
        (_, Act::Send(Command::NextDivergence)) => has_model && !ended,
        (_, Act::Send(Command::Resync)) => {
            snapshot.mode == Mode::Free && snapshot.outcome() != Outcome::Agrees
        }
        (_, Act::Send(Command::Branches)) => snapshot.branch.is_some(),
        (_, Act::Send(_)) => !ended,
        (Overlay::Value { .. }, _) => false,
        (_, act) => match act {
            Act::ToggleMode => has_model,
            Act::Inspect => !snapshot.stack().is_empty(),
            Act::Move(_) => false,
            Act::OpenValue => {
                let differs = matches!(snapshot.outcome(), Outcome::Diverges | Outcome::Malformed);
                differs || model.focus == Pane::Variables
            }
            Act::ToggleBreakpoint => model.focus == Pane::Source,
            Act::ToggleOutput => !snapshot.output.is_empty() && model.layout().output.is_none(),
            _ => true,
        },
    };
    (matters && !binding.hint.is_empty()).then_some(binding.hint)
}

/// The footer's word for a binding while a page is in front.
fn page_hint(binding: &Binding, model: &Model) -> Option<&'static str> {
    match binding.act {
        Act::OpenValue => model.item().map(|item| if item.opens { "open" } else { "whole value" }),
        Act::Send(Command::Undo) => Some("up"),
        Act::Answer => model.question().map(|_| binding.hint),
        Act::Escape | Act::Help => Some(binding.hint),
        _ => None,
    }
}

fn name(sequence: &[Key]) -> String {
    sequence.iter().map(|key| key.label()).collect()
}

/// What typed keys mean so far.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    Act(Act),
    /// The start of a longer sequence.
    Prefix,
    Unbound,
}

/// Looks a sequence up in the table.
pub(crate) fn lookup(typed: &[Key]) -> Lookup {
    let sequences = || BINDINGS.iter().flat_map(|b| b.keys.iter().map(move |keys| (*keys, b.act)));
    if let Some((_, act)) = sequences().find(|(keys, _)| *keys == typed) {
        Lookup::Act(act)
    } else if sequences().any(|(keys, _)| keys.starts_with(typed)) {
        Lookup::Prefix
    } else {
        Lookup::Unbound
    }
}

/// The bindings that a typed prefix can become.
pub(crate) fn lookup_prefix(typed: &[Key]) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |b| b.keys.iter().any(|keys| keys.starts_with(typed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sequence_is_bound_twice_or_hides_another() {
        let all: Vec<&[Key]> = BINDINGS.iter().flat_map(|b| b.keys.iter().copied()).collect();
        for (i, one) in all.iter().enumerate() {
            for other in &all[i + 1..] {
                assert!(
                    !one.starts_with(other) && !other.starts_with(one),
                    "{} and {}",
                    name(one),
                    name(other)
                );
            }
        }
    }

    #[test]
    fn every_binding_has_a_line_of_help_that_fits() {
        for binding in BINDINGS {
            assert!(!binding.keys.is_empty() && !binding.help.is_empty(), "{binding:?}");
            assert!(binding.labels().chars().count() < KEYS_WIDTH, "{binding:?}");
            assert!(binding.help.chars().count() <= HELP_WIDTH, "{binding:?}");
        }
    }

    #[test]
    fn sequences_are_typed_key_by_key() {
        assert_eq!(lookup(&[ch(']')]), Lookup::Prefix);
        assert_eq!(lookup(&[ch(']'), ch('d')]), Lookup::Act(Act::Send(Command::NextDivergence)));
        assert_eq!(lookup(&[ch(']'), ch('x')]), Lookup::Unbound);
    }
}
