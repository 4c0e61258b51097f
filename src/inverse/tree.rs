//! The inverse tree of one call, and the moves on it (spec, section 1.5).
//!
//! It is the forward tree of that call in reversed order. A line that called something comes twice:
//! its *copy* first, under which hangs what it called, then the line itself. So around a line `L`
//! that called `f` the order is
//!
//! ```text
//! the next line · L (copy) · f's return · f's lines · f's call · L
//! ```
//!
//! As in [`crate::tree`] no nodes are built: the recorded order and each state's depth are the
//! tree. What hangs under a state that is no line, since it resumed a generator in the middle of
//! one, has no copy above it. Exceptions have no place in the inverse format (spec, section 11), so
//! a call in which one was raised has no inverse tree.

use super::action::InverseAction;
use crate::state::Event;
use crate::tree::{self, Trace};

/// A node of an inverse tree, by the recorded index of its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The state itself.
    State(usize),
    /// The copy of a line that called something.
    LineCall(usize),
}

impl Node {
    /// The recorded index of its state.
    pub fn index(self) -> usize {
        match self {
            Node::State(index) | Node::LineCall(index) => index,
        }
    }
}

/// Where a move back leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To this node.
    Node(Node),
    /// To the exit state before the entry's call.
    Entry,
}

/// The recorded states of one call, from its call to its return, or to an earlier state where the
/// way back begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    call: usize,
    last: usize,
}

/// Why a state begins no inverse tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSpan {
    /// There is no such state.
    #[error("the run has no state {at}")]
    NoState {
        /// What was asked for.
        at: usize,
    },
    /// Only a return ends a call.
    #[error("state {at} is in no call that returns")]
    NoReturn {
        /// The state.
        at: usize,
    },
    /// The call ends with an exception.
    #[error("state {at} leaves its call by an exception; there is no value to start back from")]
    Unwinding {
        /// The state.
        at: usize,
    },
    /// An exception was raised within the call.
    #[error(
        "an exception was raised at state {at}, within this call; the inverse format has no \
         words for exceptions: infer in another call"
    )]
    Exception {
        /// The state that shows it.
        at: usize,
    },
    /// The call itself was not recorded.
    #[error("the call that state {at} stands in was not recorded")]
    NoCall {
        /// The state.
        at: usize,
    },
}

impl Span {
    /// The call that returns at the state of index `last`.
    pub fn ending_at<T: Trace>(
        trace: &mut T,
        last: usize,
    ) -> Result<Result<Self, NoSpan>, T::Error> {
        match trace.node(last)? {
            Some(node) if node.unwinding => Ok(Err(NoSpan::Unwinding { at: last })),
            Some(node) if node.event == Event::Return => Span::back_from(trace, last, node.depth),
            _ => Ok(Err(NoSpan::NoReturn { at: last })),
        }
    }

    /// From the last call on this level before a state, to that state.
    fn back_from<T: Trace>(
        trace: &mut T,
        last: usize,
        level: u32,
    ) -> Result<Result<Self, NoSpan>, T::Error> {
        for index in (0..last).rev() {
            let Some(node) = trace.node(index)? else { break };
            match node.event {
                _ if node.depth < level => break,
                Event::Exception => return Ok(Err(NoSpan::Exception { at: index })),
                Event::Call if node.depth == level => return Ok(Ok(Span { call: index, last })),
                Event::Call | Event::Line | Event::Return => {}
            }
        }
        Ok(Err(NoSpan::NoCall { at: last }))
    }

    /// The call that the state of index `at` stands in, up to this state; of a state that is a call
    /// itself, its caller's. The call of the entry stands alone: nothing comes before it.
    pub fn up_to<T: Trace>(trace: &mut T, at: usize) -> Result<Result<Self, NoSpan>, T::Error> {
        let Some(here) = trace.node(at)? else { return Ok(Err(NoSpan::NoState { at })) };
        match here.event {
            Event::Exception => Ok(Err(NoSpan::Exception { at })),
            _ if here.unwinding => Ok(Err(NoSpan::Unwinding { at })),
            Event::Call if at == 0 => Ok(Ok(Span { call: 0, last: 0 })),
            Event::Call => Span::back_from(trace, at, here.depth.saturating_sub(1)),
            Event::Line | Event::Return => Span::back_from(trace, at, here.depth),
        }
    }

    /// The innermost call that the state of index `at` stands in; its return is looked for.
    pub fn around<T: Trace>(trace: &mut T, at: usize) -> Result<Result<Self, NoSpan>, T::Error> {
        let missing = Ok(Err(NoSpan::NoReturn { at }));
        let Some(here) = trace.node(at)? else { return missing };
        let mut last = at;
        while let Some(node) = trace.node(last)? {
            if node.depth < here.depth {
                break;
            }
            if node.depth == here.depth && node.event == Event::Return {
                return Span::ending_at(trace, last);
            }
            last += 1;
        }
        missing
    }

    /// The recorded index of the call.
    pub fn call(self) -> usize {
        self.call
    }

    /// The recorded index of the state where the way back begins: the return.
    pub fn last(self) -> usize {
        self.last
    }

    /// The node where the inverse tree begins.
    pub fn start(self) -> Node {
        Node::State(self.last)
    }
}

/// Where `action` leads from `from` in the inverse tree of a call; none if it isn't available
/// there: `inv_step_call` on a level with no earlier call (that is, on the call itself).
pub fn target<T: Trace>(
    trace: &mut T,
    span: Span,
    from: Node,
    action: InverseAction,
) -> Result<Option<Target>, T::Error> {
    let mut tree = Tree { trace, span };
    let node = match action {
        InverseAction::StepInto => tree.before(from)?,
        InverseAction::StepOver => tree.before_on_level(from)?,
        InverseAction::StepCall => {
            let call = tree.call(from)?;
            return Ok(call.map(|index| Target::Node(Node::State(index))));
        }
    };
    Ok(Some(node.map_or(Target::Entry, Target::Node)))
}

struct Tree<'t, T> {
    trace: &'t mut T,
    span: Span,
}

impl<T: Trace> Tree<'_, T> {
    /// A state of the call.
    fn at(&mut self, index: usize) -> Result<Option<tree::Node>, T::Error> {
        if (self.span.call..=self.span.last).contains(&index) {
            return self.trace.node(index);
        }
        Ok(None)
    }

    fn depth(&mut self, index: usize) -> Result<u32, T::Error> {
        Ok(self.at(index)?.map_or(0, |node| node.depth))
    }

    /// The next node in inverse order; none before the entry's call.
    fn before(&mut self, from: Node) -> Result<Option<Node>, T::Error> {
        let level = self.depth(from.index())?;
        let (last, outermost) = match from {
            Node::State(index) if index <= self.span.call => return Ok(None),
            Node::State(index) => (index - 1, level),
            Node::LineCall(line) => (self.last_below(line)?, level + 1),
        };
        // Of the lines that called `last`, the outermost that has not had its copy yet.
        let mut copy = None;
        let mut at = last;
        while self.depth(at)? > outermost {
            let Some(caller) = self.caller(at)? else { break };
            if self.depth(caller)? < outermost {
                break;
            }
            if self.at(caller)?.is_some_and(|node| node.event == Event::Line) {
                copy = Some(Node::LineCall(caller));
            }
            at = caller;
        }
        Ok(Some(copy.unwrap_or(Node::State(last))))
    }

    /// The next node in inverse order that is no deeper; none before the entry's call.
    fn before_on_level(&mut self, from: Node) -> Result<Option<Node>, T::Error> {
        let index = match from {
            Node::LineCall(line) => return Ok(Some(Node::State(line))),
            Node::State(index) if index <= self.span.call => return Ok(None),
            Node::State(index) => index,
        };
        let level = self.depth(index)?;
        let mut before = index - 1;
        while before > self.span.call && self.depth(before)? > level {
            before -= 1;
        }
        let called = before + 1 < index;
        let calls = |node: tree::Node| node.event == Event::Line && node.depth == level;
        if called && self.at(before)?.is_some_and(calls) {
            return Ok(Some(Node::LineCall(before)));
        }
        Ok(Some(Node::State(before)))
    }

    /// The call of the current frame, if it comes later in inverse order.
    fn call(&mut self, from: Node) -> Result<Option<usize>, T::Error> {
        let level = self.depth(from.index())?;
        if self.at(from.index())?.is_some_and(|node| node.event == Event::Call) {
            return Ok(None);
        }
        for index in (self.span.call..from.index()).rev() {
            let Some(node) = self.at(index)? else { break };
            if node.depth < level {
                break;
            }
            if node.depth == level && node.event == Event::Call {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// The last state of all that hangs under a line.
    fn last_below(&mut self, line: usize) -> Result<usize, T::Error> {
        let level = self.depth(line)?;
        let mut last = line;
        while self.at(last + 1)?.is_some_and(|node| node.depth > level) {
            last += 1;
        }
        Ok(last)
    }

    /// The state that the call of this state's frame hangs under, if it is within the span.
    fn caller(&mut self, index: usize) -> Result<Option<usize>, T::Error> {
        let level = self.depth(index)?;
        for before in (self.span.call..index).rev() {
            if self.depth(before)? < level {
                return Ok(Some(before));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
#[path = "tree/tests.rs"]
mod tests;
