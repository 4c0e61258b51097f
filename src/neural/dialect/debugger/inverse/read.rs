//! Tokens as inverse states: the decoder, a token at a time, so that it can say where a frame ends.
//!
//! Whatever a model writes is either a state or malformed, with the first rule it broke.

use super::InverseDialect;
use crate::inverse::{InverseEvent, InverseState, InverseStop, Told};
use crate::neural::dialect::debugger::{FrameEnd, SourceEnd};
use crate::neural::dialect::locals::{self, Scan, Shape};
use crate::neural::dialect::{LineIndex, Malformed, Predicted, Read, printed};
use crate::neural::vocabulary::{Piece, TokenId, readable};
use crate::state::Text;

/// Where in a frame the reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Before the event or exit token.
    Start,
    /// Before the mark of the source line.
    SourceMark(InverseEvent),
    /// Inside the source line.
    Source(InverseEvent),
    /// Inside the variables or the value.
    Argument(InverseEvent),
    /// In the exit, with this many of its closing tokens read.
    Exit(usize),
    /// After the frame.
    Over,
}

/// What the argument of an event must look like.
fn shape(event: InverseEvent) -> Shape {
    match event {
        InverseEvent::Return => Shape::String,
        InverseEvent::Call | InverseEvent::Line | InverseEvent::LineCall => Shape::Object,
    }
}

/// Reads one frame of the inverse format.
#[derive(Clone)]
pub struct InverseReader<'a> {
    dialect: &'a InverseDialect,
    lines: &'a LineIndex,
    at: At,
    source: Vec<u8>,
    argument: Vec<u8>,
    scan: Scan,
    read: Vec<TokenId>,
}

impl<'a> InverseReader<'a> {
    pub(super) fn new(dialect: &'a InverseDialect, lines: &'a LineIndex) -> Self {
        InverseReader {
            dialect,
            lines,
            at: At::Start,
            source: Vec::new(),
            argument: Vec::new(),
            scan: Scan::Broken,
            read: Vec::new(),
        }
    }

    /// Takes the next token; nothing may be pushed after the end.
    pub fn push(&mut self, id: TokenId) -> Read<Predicted<InverseStop>> {
        self.read.push(id);
        let dialect = self.dialect;
        match (self.at, dialect.forward.vocabulary.piece(id)) {
            (_, None) => self.broken(format!("there is no token {id}")),
            (At::Source(_), Some(Piece::Text(bytes))) => self.source_text(bytes),
            (At::Argument(event), Some(Piece::Text(bytes))) => self.argument_text(event, bytes),
            (At::Source(event), Some(Piece::Control(_))) => self.argument_mark(event, id),
            (At::Argument(event), Some(Piece::Control(_))) => self.after_argument(event, id),
            (At::Start, Some(_)) => self.start(id),
            (At::SourceMark(event), Some(_)) if id == dialect.forward.marks.source => {
                self.at = At::Source(event);
                Read::More
            }
            (At::SourceMark(_), Some(_)) => self.due("<|src_sep|>", id),
            (At::Exit(done), Some(_)) => self.exit(done, id),
            (At::Over, Some(_)) => self.due("nothing more", id),
        }
    }

    /// Whether the frame can still become a legal one, on a line of the program, if this token is
    /// next.
    pub fn allows(&self, id: TokenId) -> bool {
        let mut next = self.clone();
        match next.push(id) {
            Read::More => next.may_become_legal(),
            Read::Ended(predicted) | Read::EndedBefore(predicted) => {
                matches!(predicted, Predicted::Stop(_))
            }
        }
    }

    fn may_become_legal(&self) -> bool {
        match self.at {
            At::Source(_) => self.lines.may_become_line(&self.source),
            At::Argument(event) => {
                let line = self.source.strip_suffix(b"\n").unwrap_or(&self.source);
                let is_line =
                    self.lines.is_line(line) || (event == InverseEvent::Call && line.is_empty());
                is_line
                    && printed::begins(&self.argument, shape(event), event != InverseEvent::Call)
            }
            At::Start | At::SourceMark(_) | At::Exit(_) | At::Over => true,
        }
    }

    /// Gives up on a frame that doesn't end.
    pub fn cut(&self, reason: String) -> Malformed {
        Malformed { raw: readable(&*self.dialect.forward.vocabulary, &self.read), reason }
    }

    fn start(&mut self, id: TokenId) -> Read<Predicted<InverseStop>> {
        let marks = &self.dialect.marks;
        self.at = match marks.event(id) {
            Some(event) => At::SourceMark(event),
            None if id == marks.entry => At::Exit(0),
            None => return self.due("an inverse event or exit token", id),
        };
        Read::More
    }

    fn source_text(&mut self, bytes: &[u8]) -> Read<Predicted<InverseStop>> {
        self.source.extend_from_slice(bytes);
        let newline = self.source.iter().position(|&byte| byte == b'\n');
        let may_end_there = self.dialect.forward.conventions.source_end == SourceEnd::Newline;
        match newline {
            Some(at) if !may_end_there || at + 1 < self.source.len() => {
                self.broken("the source line goes on after a newline".to_owned())
            }
            _ => Read::More,
        }
    }

    fn argument_mark(&mut self, event: InverseEvent, id: TokenId) -> Read<Predicted<InverseStop>> {
        if id != self.dialect.forward.marks.argument {
            return self.due("<|arg_sep|>", id);
        }
        self.at = At::Argument(event);
        self.scan = Scan::Before(shape(event));
        Read::More
    }

    fn argument_text(&mut self, event: InverseEvent, bytes: &[u8]) -> Read<Predicted<InverseStop>> {
        self.argument.extend_from_slice(bytes);
        self.scan = bytes.iter().fold(self.scan, |scan, &byte| scan.step(byte));
        let by_grammar = self.dialect.forward.conventions.frame_end == FrameEnd::Grammar;
        match self.scan {
            Scan::Closed if by_grammar => Read::Ended(self.finish(event)),
            Scan::Broken => Read::Ended(self.finish(event)),
            _ => Read::More,
        }
    }

    /// A special token after the variables or the value: it ends the frame, if it may.
    fn after_argument(&mut self, event: InverseEvent, id: TokenId) -> Read<Predicted<InverseStop>> {
        if self.scan != Scan::Closed {
            return self.due("more JSON", id);
        }
        if id != self.dialect.forward.marks.action {
            return self.due("<|action_sep|>", id);
        }
        self.read.pop();
        Read::EndedBefore(self.finish(event))
    }

    fn exit(&mut self, done: usize, id: TokenId) -> Read<Predicted<InverseStop>> {
        let marks = &self.dialect.forward.marks;
        let (due, due_name) = match done {
            0 => (marks.trace_end, "<|trace_end|>"),
            _ => (marks.end, "<|end_of_text|>"),
        };
        if id != due {
            return self.due(due_name, id);
        }
        if done == 0 {
            self.at = At::Exit(1);
            return Read::More;
        }
        self.at = At::Over;
        Read::Ended(Predicted::Stop(InverseStop::entry()))
    }

    /// Broken, since `due` had to follow and `id` did.
    fn due(&mut self, due: &str, id: TokenId) -> Read<Predicted<InverseStop>> {
        let found = readable(&*self.dialect.forward.vocabulary, &[id]);
        self.broken(format!("{due} was due, not `{found}`"))
    }

    fn broken(&mut self, reason: String) -> Read<Predicted<InverseStop>> {
        self.at = At::Over;
        Read::Ended(Predicted::Malformed(self.cut(reason)))
    }

    /// The state of a frame that is complete, or the first rule that its text breaks.
    fn finish(&mut self, event: InverseEvent) -> Predicted<InverseStop> {
        self.at = At::Over;
        match self.state(event) {
            Ok(state) => Predicted::Stop(InverseStop::At(state)),
            Err(reason) => Predicted::Malformed(self.cut(reason)),
        }
    }

    fn state(&self, event: InverseEvent) -> Result<InverseState, String> {
        let source = self.source_line(event)?;
        let (locals, value) = match event {
            InverseEvent::Return => {
                let value: String = serde_json::from_slice(&self.argument)
                    .map_err(|error| format!("the value is no JSON string: {error}"))?;
                (Told::default(), Some(value.into()))
            }
            InverseEvent::Call | InverseEvent::Line | InverseEvent::LineCall => {
                (locals::told(&self.argument)?, None)
            }
        };
        if event == InverseEvent::Call && locals.rest {
            return Err("`..` in a call, which is told in full".to_owned());
        }
        Ok(InverseState { event, source, locals, value })
    }

    /// The source line. Only the call of a module may have none: it stands before the first line.
    fn source_line(&self, event: InverseEvent) -> Result<Text, String> {
        let line = match self.dialect.forward.conventions.source_end {
            SourceEnd::Bare => &*self.source,
            SourceEnd::Newline => self.source.strip_suffix(b"\n").unwrap_or(&self.source),
        };
        match std::str::from_utf8(line) {
            Err(error) => Err(format!("the source line is no UTF-8: {error}")),
            Ok("") if event != InverseEvent::Call => Err("the source line is missing".to_owned()),
            Ok(line) => Ok(line.into()),
        }
    }
}
