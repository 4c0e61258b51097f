//! Colours by meaning. Nothing else in this crate names a colour.
//!
//! Only the terminal's own 16 colours are used, never as a background, and no yellow or blue text,
//! which light or dark terminals show badly. Every meaning has a sign besides its colour, so that
//! the monochrome theme loses nothing.

use ratatui::style::{Color, Modifier, Style};

use crate::snapshot::Verdict;

/// How meanings look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// With colours that read on light and dark terminals.
    #[default]
    Colour,
    /// With bold, dim, underlined and reversed text alone.
    Monochrome,
}

/// What a piece of the screen means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Text of the program and of values.
    Plain,
    /// Rules, line numbers, what can be overlooked.
    Faint,
    /// The title of a pane.
    Title,
    /// The title of the pane that has the keys.
    FocusedTitle,
    /// The line where the user's cursor is, the selected row or frame.
    Selected,
    /// Where the program really is.
    Real,
    /// Where the model says it is.
    Predicted,
    /// Both sides agree.
    Match,
    /// The sides differ.
    Diverged,
    /// The differing part of a value.
    DivergedPart,
    /// Not known yet, or never asked.
    Unknown,
    /// Changed in the last step.
    Changed,
    Breakpoint,
    /// The status line.
    Bar,
    /// A key's name.
    Key,
    Error,
    Info,
}

impl Theme {
    /// Monochrome if the environment asks for it (`NO_COLOR` set and not empty, see no-color.org).
    pub fn from_environment() -> Theme {
        match std::env::var_os("NO_COLOR") {
            Some(value) if !value.is_empty() => Theme::Monochrome,
            _ => Theme::Colour,
        }
    }

    pub(crate) fn style(self, role: Role) -> Style {
        let plain = Style::new();
        let (colour, modifier) = match role {
            Role::Plain => (None, Modifier::empty()),
            Role::Faint | Role::Unknown => (None, Modifier::DIM),
            Role::Title | Role::Key | Role::Changed => (None, Modifier::BOLD),
            Role::FocusedTitle => (None, Modifier::BOLD.union(Modifier::REVERSED)),
            Role::Selected | Role::Bar => (None, Modifier::REVERSED),
            Role::Real => (Some(Color::Cyan), Modifier::BOLD),
            Role::Predicted => (Some(Color::Magenta), Modifier::BOLD),
            Role::Match => (Some(Color::Green), Modifier::empty()),
            Role::Diverged => (Some(Color::Red), Modifier::BOLD),
            Role::DivergedPart => (Some(Color::Red), Modifier::BOLD.union(Modifier::UNDERLINED)),
            Role::Breakpoint | Role::Error => (Some(Color::Red), Modifier::BOLD),
            Role::Info => (Some(Color::Green), Modifier::BOLD),
        };
        match (self, colour) {
            (Theme::Colour, Some(colour)) => plain.fg(colour).add_modifier(modifier),
            _ => plain.add_modifier(modifier),
        }
    }
}

/// The sign of a prediction that could not be read.
pub(crate) const MALFORMED: &str = "✗";

/// The sign and the role of a verdict.
pub(crate) fn mark(verdict: Verdict) -> (&'static str, Role) {
    match verdict {
        Verdict::Same => ("=", Role::Match),
        Verdict::Changed => ("≠", Role::Diverged),
        Verdict::Missing => ("-", Role::Diverged),
        Verdict::Extra => ("+", Role::Diverged),
        Verdict::Pending => ("…", Role::Unknown),
        Verdict::Unasked => (" ", Role::Unknown),
    }
}
