//! States as tokens. The order of fields differs (spec, section 2.1): a line state tells its
//! locals first (what the last statement did), then the source line (where we are); all others
//! tell the source line first.

use super::DebuggerDialect;
use crate::action::Action;
use crate::neural::dialect::{Frame, Shown, exception, locals};
use crate::state::Field;
use crate::neural::vocabulary::{Piece, TokenId};
use crate::state::{Event, Exit, State, Stop, Text};

/// The frame of `stop`; none for an exit the format can't tell.
pub(super) fn frame(
    dialect: &DebuggerDialect,
    stop: &Stop,
    action: Option<&Action>,
    shown: &Shown,
) -> Option<Frame> {
    let mut writer = Writer { dialect, frame: Frame::default() };
    match stop {
        Stop::At(state) => writer.state(state, action, shown),
        Stop::Exit(exit) => writer.exit(exit)?,
    }
    Some(writer.frame)
}

struct Writer<'a> {
    dialect: &'a DebuggerDialect,
    frame: Frame,
}

impl Writer<'_> {
    fn state(&mut self, state: &State, action: Option<&Action>, shown: &Shown) {
        self.put(Field::Event, &[self.dialect.marks.of_event(state.event)]);
        match state.event {
            Event::Call => {
                self.source(state);
                self.locals(state, action, shown);
            }
            Event::Line => {
                self.locals(state, action, shown);
                self.source(state);
            }
            Event::Return => {
                self.source(state);
                self.argument(Field::Value, state.value.as_deref().unwrap_or("None"));
            }
            Event::Exception => {
                self.source(state);
                let text = state.exception.as_ref().map(exception::repr).unwrap_or_default();
                self.argument(Field::Exception, &text);
            }
        }
    }

    fn exit(&mut self, exit: &Exit) -> Option<()> {
        let marks = &self.dialect.marks;
        let mark = marks.of_exit(exit.kind)?;
        self.put(Field::Exit, &[mark, marks.trace_end, marks.end]);
        Some(())
    }

    fn put(&mut self, field: Field, ids: &[TokenId]) {
        let start = self.frame.ids.len();
        self.frame.ids.extend_from_slice(ids);
        let end = self.frame.ids.len();
        match self.frame.fields.last_mut() {
            Some((last, range)) if *last == field => range.end = end,
            _ if start == end => {}
            _ => self.frame.fields.push((field, start..end)),
        }
    }

    fn source(&mut self, state: &State) {
        self.put(Field::Source, &[self.dialect.marks.source]);
        self.put(Field::Source, &self.dialect.source(&state.source));
    }

    fn argument(&mut self, field: Field, text: &str) {
        self.put(field.clone(), &[self.dialect.marks.argument]);
        self.put(field, &self.dialect.tokens(&locals::quoted(text)));
    }

    /// The object is tokenised as one text, since tokens reach across quotes and commas; a token
    /// belongs to the variable in whose pair it starts.
    fn locals(&mut self, state: &State, action: Option<&Action>, shown: &Shown) {
        self.put(Field::Locals, &[self.dialect.marks.argument]);
        let pairs = locals::pairs(&state.locals, shown.delta_base(state, action));
        let mut text = String::new();
        let mut owners: Vec<(Option<&Text>, usize)> = Vec::with_capacity(pairs.len());
        for pair in &pairs {
            text.push_str(&pair.text);
            owners.push((pair.name, text.len()));
        }
        text.push_str(if pairs.is_empty() { "{}" } else { "}" });
        let mut owners = owners.into_iter().peekable();
        let mut at = 0;
        for &id in self.dialect.tokens(&text).iter() {
            while owners.next_if(|&(_, end)| end <= at).is_some() {}
            let owner = owners.peek().and_then(|(name, _)| *name);
            self.put(owner.map_or(Field::Locals, |name| Field::Local(name.clone())), &[id]);
            if let Some(Piece::Text(bytes)) = self.dialect.vocabulary.piece(id) {
                at += bytes.len();
            }
        }
    }
}
