//! Tokens as states: the decoder, a token at a time, so that it can say where a frame ends.
//!
//! Whatever a model writes is either a state or malformed, with the first rule it broke.

use super::{Conventions, DebuggerDialect, FrameEnd, SourceEnd};
use crate::neural::dialect::locals::{self, Scan, Shape};
use crate::neural::dialect::{
    FrameReader, LineIndex, Malformed, Predicted, Read, Shown, exception, printed,
};
use crate::neural::vocabulary::{Piece, TokenId, readable};
use crate::state::{Event, Exit, ExitKind, Locals, State, Stop, Text};

/// Where in a frame the reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Before the event or exit token.
    Start,
    /// Before a part's mark.
    Mark(Event, Part),
    /// Inside a part.
    Inside(Event, Part),
    /// In an exit, with this many of its closing tokens read.
    Exit(ExitKind, usize),
    /// After the frame.
    Over,
}

/// The two parts of a state's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Source,
    Argument,
}

/// The parts of an event's frame in order.
fn parts(event: Event) -> [Part; 2] {
    match event {
        Event::Line => [Part::Argument, Part::Source],
        Event::Call | Event::Return | Event::Exception => [Part::Source, Part::Argument],
    }
}

fn is_last(event: Event, part: Part) -> bool {
    parts(event)[1] == part
}

/// What the argument of an event must look like.
fn shape(event: Event) -> Shape {
    if event.shows_locals() { Shape::Object } else { Shape::String }
}

/// Reads one frame of the paper's format.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    dialect: &'a DebuggerDialect,
    shown: &'a Shown,
    lines: &'a LineIndex,
    at: At,
    source: Vec<u8>,
    /// The source line is none of the program's, which is all that is known of it.
    left_program: bool,
    argument: Vec<u8>,
    scan: Scan,
    read: Vec<TokenId>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        dialect: &'a DebuggerDialect,
        shown: &'a Shown,
        lines: &'a LineIndex,
    ) -> Self {
        Reader {
            dialect,
            shown,
            lines,
            at: At::Start,
            source: Vec::new(),
            left_program: false,
            argument: Vec::new(),
            scan: Scan::Broken,
            read: Vec::new(),
        }
    }

    fn start(&mut self, id: TokenId) -> Read {
        let marks = &self.dialect.marks;
        if let Some(event) = marks.event(id) {
            self.at = At::Mark(event, parts(event)[0]);
            self.scan = Scan::Before(shape(event));
            Read::More
        } else if let Some(kind) = marks.exit(id) {
            self.at = At::Exit(kind, 0);
            Read::More
        } else {
            self.due("an event or exit token", id)
        }
    }

    fn mark(&mut self, event: Event, part: Part, id: TokenId) -> Read {
        let (mark, due) = match part {
            Part::Source => (self.dialect.marks.source, "<|src_sep|>"),
            Part::Argument => (self.dialect.marks.argument, "<|arg_sep|>"),
        };
        if id != mark {
            return self.due(due, id);
        }
        self.at = At::Inside(event, part);
        Read::More
    }

    fn exit(&mut self, kind: ExitKind, done: usize, id: TokenId) -> Read {
        let marks = &self.dialect.marks;
        let (due, due_name) = match done {
            0 => (marks.trace_end, "<|trace_end|>"),
            _ => (marks.end, "<|end_of_text|>"),
        };
        if id != due {
            return self.due(due_name, id);
        }
        if done == 0 {
            self.at = At::Exit(kind, 1);
            return Read::More;
        }
        self.at = At::Over;
        Read::Ended(Predicted::Stop(Stop::Exit(Exit::plain(kind))))
    }

    /// A special token inside a part: it ends the part, if it may.
    fn control(&mut self, event: Event, part: Part, id: TokenId) -> Read {
        let closed = part == Part::Source || self.scan == Scan::Closed;
        if !closed {
            return self.due("more JSON", id);
        }
        if !is_last(event, part) {
            return self.mark(event, parts(event)[1], id);
        }
        if self.dialect.conventions.frame_end == FrameEnd::ActionSep
            && id != self.dialect.marks.action
        {
            return self.due("<|action_sep|>", id);
        }
        self.read.pop();
        Read::EndedBefore(self.finish(event))
    }

    fn source_text(&mut self, event: Event, bytes: &[u8]) -> Read {
        let Conventions { frame_end, source_end } = self.dialect.conventions;
        let by_grammar = is_last(event, Part::Source) && frame_end == FrameEnd::Grammar;
        let before = self.source.len();
        self.source.extend_from_slice(bytes);
        match source_end {
            SourceEnd::Newline => match self.source.iter().position(|&byte| byte == b'\n') {
                None => Read::More,
                Some(at) if at + 1 < self.source.len() => self.goes_on(),
                Some(_) if by_grammar => Read::Ended(self.finish(event)),
                Some(_) => Read::More,
            },
            SourceEnd::Bare if by_grammar => self.line_of_program(event, before),
            SourceEnd::Bare if bytes.contains(&b'\n') => self.goes_on(),
            SourceEnd::Bare => Read::More,
        }
    }

    /// The end of a source line that only the program's own lines can tell.
    fn line_of_program(&mut self, event: Event, before: usize) -> Read {
        let (lines, source) = (self.lines, &self.source);
        if lines.is_line(source) && !lines.begins_longer_line(source) {
            return Read::Ended(self.finish(event));
        }
        if lines.begins_line(source) {
            return Read::More;
        }
        if before > 0 && lines.is_line(&source[..before]) {
            self.source.truncate(before);
            self.read.pop();
            return Read::EndedBefore(self.finish(event));
        }
        self.left_program = true;
        Read::Ended(self.finish(event))
    }

    fn goes_on(&mut self) -> Read {
        self.broken("the source line goes on after a newline".to_owned())
    }

    fn argument_text(&mut self, event: Event, bytes: &[u8]) -> Read {
        self.argument.extend_from_slice(bytes);
        self.scan = bytes.iter().fold(self.scan, |scan, &byte| scan.step(byte));
        let by_grammar = self.dialect.conventions.frame_end == FrameEnd::Grammar;
        match self.scan {
            Scan::Closed if is_last(event, Part::Argument) && by_grammar => {
                Read::Ended(self.finish(event))
            }
            Scan::Broken => Read::Ended(self.finish(event)),
            _ => Read::More,
        }
    }

    /// Broken, since `due` had to follow and `id` did.
    fn due(&mut self, due: &str, id: TokenId) -> Read {
        let found = readable(&*self.dialect.vocabulary, &[id]);
        self.broken(format!("{due} was due, not `{found}`"))
    }

    fn broken(&mut self, reason: String) -> Read {
        self.at = At::Over;
        Read::Ended(Predicted::Malformed(self.cut(reason)))
    }

    /// The state of a frame that is complete, or the first rule that its text breaks.
    fn finish(&mut self, event: Event) -> Predicted {
        self.at = At::Over;
        match self.state(event) {
            Ok(state) => Predicted::Stop(Stop::At(state)),
            Err(reason) => Predicted::Malformed(self.cut(reason)),
        }
    }

    fn state(&self, event: Event) -> Result<State, String> {
        let mut state = State {
            event,
            source: "".into(),
            locals: Locals::new(),
            value: None,
            exception: None,
            position: None,
        };
        for part in parts(event) {
            match part {
                Part::Source => state.source = self.source_line(event)?,
                Part::Argument => match event {
                    Event::Call | Event::Line => {
                        state.locals = locals::read(&self.argument, event, self.shown)?;
                    }
                    Event::Return => state.value = Some(self.string("value")?.into()),
                    Event::Exception => {
                        state.exception = Some(exception::from_repr(&self.string("exception")?));
                    }
                },
            }
        }
        Ok(state)
    }

    /// The source line. Only the call of a module may have none: it stands before the first line.
    fn source_line(&self, event: Event) -> Result<Text, String> {
        if self.left_program {
            return Ok(format!("{}…", String::from_utf8_lossy(&self.source)).into());
        }
        let line = match self.dialect.conventions.source_end {
            SourceEnd::Bare => &*self.source,
            SourceEnd::Newline => self.source.strip_suffix(b"\n").unwrap_or(&self.source),
        };
        match std::str::from_utf8(line) {
            Err(error) => Err(format!("the source line is no UTF-8: {error}")),
            Ok("") if event != Event::Call => Err("the source line is missing".to_owned()),
            Ok(line) => Ok(line.into()),
        }
    }

    /// Whether what was read of an unfinished frame can go on to a state on a line of the program.
    fn may_become_legal(&self) -> bool {
        let argument = |event: Event| {
            let rest = event == Event::Line && self.shown.base().is_some();
            printed::begins(&self.argument, shape(event), rest)
        };
        let source_is_over = |event| parts(event)[0] == Part::Source;
        match self.at {
            At::Inside(_, Part::Source) => self.lines.may_become_line(&self.source),
            At::Mark(event, Part::Argument) => !source_is_over(event) || self.is_line(event),
            At::Inside(event, Part::Argument) => {
                argument(event) && (!source_is_over(event) || self.is_line(event))
            }
            At::Start | At::Mark(_, Part::Source) | At::Exit(..) | At::Over => true,
        }
    }

    /// Whether the source line is one of the program's; the call of a module has none.
    fn is_line(&self, event: Event) -> bool {
        let line = self.source.strip_suffix(b"\n").unwrap_or(&self.source);
        !self.left_program
            && (self.lines.is_line(line) || (event == Event::Call && line.is_empty()))
    }

    fn string(&self, what: &str) -> Result<String, String> {
        serde_json::from_slice(&self.argument)
            .map_err(|error| format!("the {what} is no JSON string: {error}"))
    }
}

impl FrameReader for Reader<'_> {
    fn push(&mut self, id: TokenId) -> Read {
        self.read.push(id);
        let dialect = self.dialect;
        match (self.at, dialect.vocabulary.piece(id)) {
            (_, None) => self.broken(format!("there is no token {id}")),
            (At::Inside(event, Part::Source), Some(Piece::Text(bytes))) => {
                self.source_text(event, bytes)
            }
            (At::Inside(event, Part::Argument), Some(Piece::Text(bytes))) => {
                self.argument_text(event, bytes)
            }
            (At::Inside(event, part), Some(Piece::Control(_))) => self.control(event, part, id),
            (At::Start, Some(_)) => self.start(id),
            (At::Mark(event, part), Some(_)) => self.mark(event, part, id),
            (At::Exit(kind, done), Some(_)) => self.exit(kind, done, id),
            (At::Over, Some(_)) => self.due("nothing more", id),
        }
    }

    fn allows(&self, id: TokenId) -> bool {
        let mut next = self.clone();
        match next.push(id) {
            Read::More => next.may_become_legal(),
            Read::Ended(Predicted::Stop(stop)) | Read::EndedBefore(Predicted::Stop(stop)) => {
                match stop {
                    Stop::At(state) => next.is_line(state.event),
                    Stop::Exit(_) => true,
                }
            }
            Read::Ended(Predicted::Malformed(_)) | Read::EndedBefore(Predicted::Malformed(_)) => {
                false
            }
        }
    }

    fn fork(&self) -> Box<dyn FrameReader + '_> {
        Box::new(self.clone())
    }

    fn cut(&self, reason: String) -> Malformed {
        Malformed { raw: readable(&*self.dialect.vocabulary, &self.read), reason }
    }
}
