//! The state tree, and the moves on it (spec, sections 1.3 and 1.4).
//!
//! All states of one call are children of the calling line, in recorded order, and depth in the
//! tree is depth of the call stack. So the tree needs no nodes of its own: it is the recorded
//! order, read with each state's depth. A move looks at nodes only as far as it must, since the
//! program may still be running, or never end.

use crate::action::Action;
use crate::state::Event;

/// What a move needs to know of a recorded state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The event.
    pub event: Event,
    /// Line number; source lines are compared by the numbers that [`Lines`] gives.
    pub line: u32,
    /// Depth of the call stack, 0 for the entry.
    pub depth: u32,
    /// The exception of this event leaves the frame, or the return is what that leaving looks like
    /// to `settrace`: a return of None that no statement made.
    pub unwinding: bool,
}

/// A recorded order of nodes that may still be growing.
pub trait Trace {
    /// Why the next node can't be had.
    type Error;
    /// The node at `index`, waiting for it if need be; none after the last.
    fn node(&mut self, index: usize) -> Result<Option<Node>, Self::Error>;
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To the recorded state of this index.
    State(usize),
    /// To the exit state.
    Exit,
}

/// Finds the line numbers that hold a source text.
pub trait Lines {
    /// Whether line `number` (1-based) reads exactly `text`.
    fn reads(&self, number: u32, text: &str) -> bool;
}

/// Where `action` leads from the state of index `from`; none if the action isn't available there:
/// `step_return` on a level with no later return (that is, on the return itself), and everything
/// after the last state.
pub fn target<T: Trace>(
    trace: &mut T,
    lines: &impl Lines,
    from: usize,
    action: &Action,
) -> Result<Option<Target>, T::Error> {
    let Some(here) = trace.node(from)? else { return Ok(None) };
    match action {
        Action::StepInto => first(trace, from, |_| Some(true)),
        Action::StepOver => first(trace, from, |node| Some(node.depth <= here.depth)),
        Action::StepReturn => step_return(trace, from, here),
        Action::Breakpoint(text) => first(trace, from, |node| Some(lines.reads(node.line, text))),
        Action::Continue => first(trace, from, |_| Some(false)),
    }
}

/// The return of the current frame: the first later return on its level, or the exception that
/// leaves it (spec, section 9). A generator that is suspended "returns" at its yield.
fn step_return<T: Trace>(
    trace: &mut T,
    from: usize,
    here: Node,
) -> Result<Option<Target>, T::Error> {
    let at_end = here.event == Event::Return;
    if at_end {
        return Ok(None);
    }
    first(trace, from, |node| match node.depth.cmp(&here.depth) {
        std::cmp::Ordering::Greater => Some(false),
        std::cmp::Ordering::Less => None,
        std::cmp::Ordering::Equal => Some(match node.event {
            Event::Return => true,
            Event::Exception => node.unwinding,
            Event::Call | Event::Line => false,
        }),
    })
}

/// The first node after `from` that `wanted` accepts, or the exit; none if `wanted` gives up.
fn first<T: Trace>(
    trace: &mut T,
    from: usize,
    wanted: impl Fn(Node) -> Option<bool>,
) -> Result<Option<Target>, T::Error> {
    let mut index = from + 1;
    while let Some(node) = trace.node(index)? {
        match wanted(node) {
            Some(true) => return Ok(Some(Target::State(index))),
            Some(false) => index += 1,
            None => return Ok(None),
        }
    }
    Ok(Some(Target::Exit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Event::{Call, Exception, Line, Return};
    use std::convert::Infallible;

    impl Trace for Vec<Node> {
        type Error = Infallible;
        fn node(&mut self, index: usize) -> Result<Option<Node>, Infallible> {
            Ok(self.get(index).copied())
        }
    }

    struct Numbered;
    impl Lines for Numbered {
        fn reads(&self, number: u32, text: &str) -> bool {
            format!("line {number}") == text
        }
    }

    fn node(event: Event, depth: u32, line: u32) -> Node {
        Node { event, line, depth, unwinding: false }
    }

    fn go(nodes: &[Node], from: usize, action: &str) -> Option<Target> {
        let action: Action = action.parse().unwrap();
        let Ok(target) = target(&mut nodes.to_vec(), &Numbered, from, &action);
        target
    }

    /// The paper's figure 3 as the spec sketches it; index 0 is its node 1.
    fn figure_3() -> Vec<Node> {
        vec![
            node(Line, 0, 1),
            node(Call, 1, 2),
            node(Line, 1, 3),
            node(Call, 2, 4),
            node(Line, 2, 5),
            node(Return, 2, 5),
            node(Line, 1, 6),
            node(Return, 1, 6),
            node(Line, 0, 7),
        ]
    }

    #[test]
    fn the_moves_of_figure_3() {
        let tree = figure_3();
        let to = |number: usize| Some(Target::State(number - 1));
        assert_eq!(go(&tree, 2, "into"), to(4));
        assert_eq!(go(&tree, 2, "over"), to(7));
        assert_eq!(go(&tree, 2, "return"), to(8));
        assert_eq!(go(&tree, 3, "into"), to(5));
        assert_eq!(go(&tree, 3, "over"), to(5));
        assert_eq!(go(&tree, 3, "return"), to(6));
        assert_eq!(go(&tree, 5, "into"), to(7));
        assert_eq!(go(&tree, 5, "over"), to(7));
        assert_eq!(go(&tree, 0, "over"), to(9));
    }

    #[test]
    fn step_return_is_not_available_on_the_return_itself() {
        assert_eq!(go(&figure_3(), 5, "return"), None);
        assert_eq!(go(&figure_3(), 7, "return"), None);
    }

    #[test]
    fn two_calls_on_one_line_are_children_of_the_same_node() {
        let tree = [
            node(Line, 0, 1),
            node(Call, 1, 2),
            node(Return, 1, 2),
            node(Call, 1, 3),
            node(Return, 1, 3),
            node(Line, 0, 4),
        ];
        assert_eq!(go(&tree, 2, "over"), Some(Target::State(3)));
        assert_eq!(go(&tree, 2, "return"), None);
        assert_eq!(go(&tree, 0, "over"), Some(Target::State(5)));
    }

    #[test]
    fn a_breakpoint_is_found_at_any_level_and_leads_to_the_exit_if_never_reached() {
        let tree = figure_3();
        assert_eq!(go(&tree, 0, "breakpoint:line 5"), Some(Target::State(4)));
        assert_eq!(go(&tree, 4, "breakpoint:line 5"), Some(Target::State(5)));
        assert_eq!(go(&tree, 6, "breakpoint:line 5"), Some(Target::Exit));
        assert_eq!(go(&tree, 0, "continue"), Some(Target::Exit));
    }

    #[test]
    fn step_return_stops_where_an_exception_leaves_the_frame() {
        let leaves = |event, depth, line| Node { unwinding: true, ..node(event, depth, line) };
        let tree = [
            node(Call, 0, 1),
            node(Line, 0, 2),
            node(Call, 1, 5),
            node(Line, 1, 6),
            node(Exception, 1, 6),
            node(Line, 1, 7),
            leaves(Exception, 1, 8),
            leaves(Return, 1, 8),
            node(Exception, 0, 2),
            node(Line, 0, 3),
            node(Return, 0, 3),
        ];
        assert_eq!(go(&tree, 2, "return"), Some(Target::State(6)));
        assert_eq!(go(&tree, 6, "return"), Some(Target::State(7)));
        assert_eq!(go(&tree, 1, "return"), Some(Target::State(10)));
        assert_eq!(go(&tree, 7, "over"), Some(Target::State(8)));
    }

    #[test]
    fn only_step_into_replays_the_recording() {
        let tree = figure_3();
        let mut at = 0;
        for expected in 1..tree.len() {
            assert_eq!(go(&tree, at, "into"), Some(Target::State(expected)));
            at = expected;
        }
        assert_eq!(go(&tree, at, "into"), Some(Target::Exit));
        assert_eq!(go(&tree, at + 1, "into"), None);
    }
}
