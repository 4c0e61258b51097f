use super::*;
use Event::{Call, Exception, Line, Return};
use proptest::prelude::*;

/// A recorded order in memory.
struct Recorded(Vec<tree::Node>);

impl Trace for Recorded {
    type Error = std::convert::Infallible;
    fn node(&mut self, index: usize) -> Result<Option<tree::Node>, Self::Error> {
        Ok(self.0.get(index).copied())
    }
}

fn node(event: Event, depth: u32) -> tree::Node {
    tree::Node { event, line: 1, depth, unwinding: false }
}

fn span(nodes: &[tree::Node]) -> Result<Span, NoSpan> {
    let Ok(span) = Span::ending_at(&mut Recorded(nodes.to_vec()), nodes.len() - 1);
    span
}

fn go(nodes: &[tree::Node], from: Node, action: InverseAction) -> Option<Target> {
    let span = span(nodes).unwrap();
    let Ok(target) = target(&mut Recorded(nodes.to_vec()), span, from, action);
    target
}

/// All nodes that an action leads through, from the return to the entry.
fn walk(nodes: &[tree::Node], action: InverseAction) -> Vec<Node> {
    let mut at = span(nodes).unwrap().start();
    let mut all = vec![at];
    while let Some(Target::Node(next)) = go(nodes, at, action) {
        all.push(next);
        at = next;
    }
    all
}

use InverseAction::{StepCall, StepInto, StepOver};
use Node::{LineCall, State};

/// A call whose second line calls a function of one line.
fn calling() -> Vec<tree::Node> {
    vec![
        node(Call, 0),   // 0 def f(x):
        node(Line, 0),   // 1     a = 1
        node(Line, 0),   // 2     b = g(a)
        node(Call, 1),   // 3 def g(c):
        node(Line, 1),   // 4     return c + 1
        node(Return, 1), // 5     return c + 1
        node(Line, 0),   // 6     return b
        node(Return, 0), // 7     return b
    ]
}

fn to(node: Node) -> Option<Target> {
    Some(Target::Node(node))
}

#[test]
fn a_calling_line_comes_as_a_copy_then_what_it_called_then_itself() {
    let order = [
        State(7),
        State(6),
        LineCall(2),
        State(5),
        State(4),
        State(3),
        State(2),
        State(1),
        State(0),
    ];
    assert_eq!(walk(&calling(), StepInto), order);
    assert_eq!(go(&calling(), State(0), StepInto), Some(Target::Entry));
}

#[test]
fn the_copy_is_stepped_into_at_the_return_or_over_to_the_line() {
    let tree = calling();
    assert_eq!(go(&tree, State(6), StepInto), to(LineCall(2)));
    assert_eq!(go(&tree, State(6), StepOver), to(LineCall(2)));
    assert_eq!(go(&tree, LineCall(2), StepInto), to(State(5)));
    assert_eq!(go(&tree, LineCall(2), StepOver), to(State(2)));
    assert_eq!(go(&tree, State(3), StepOver), to(State(2)), "one level up");
    assert_eq!(go(&tree, State(0), StepOver), Some(Target::Entry));
}

#[test]
fn step_call_leads_to_the_arguments_of_the_frame() {
    let tree = calling();
    for from in [State(7), State(6), LineCall(2), State(2), State(1)] {
        assert_eq!(go(&tree, from, StepCall), to(State(0)), "{from:?}");
    }
    for from in [State(5), State(4)] {
        assert_eq!(go(&tree, from, StepCall), to(State(3)), "{from:?}");
    }
    assert_eq!(go(&tree, State(3), StepCall), None);
    assert_eq!(go(&tree, State(0), StepCall), None);
}

/// The 15 states of the paper's figure C.1b: one frame, by `inv_step_into` alone.
#[test]
fn one_frame_is_walked_back_state_by_state() {
    let mut nodes = vec![node(Call, 3)];
    nodes.extend([node(Line, 3); 13]);
    nodes.push(node(Return, 3));
    let reversed: Vec<_> = (0..15).rev().map(State).collect();
    assert_eq!(walk(&nodes, StepInto), reversed);
    assert_eq!(walk(&nodes, StepOver), reversed);
}

#[test]
fn two_calls_on_one_line_hang_under_one_copy() {
    let tree = [
        node(Call, 0),
        node(Line, 0),
        node(Call, 1),
        node(Return, 1),
        node(Call, 1),
        node(Return, 1),
        node(Return, 0),
    ];
    let order = [State(6), LineCall(1), State(5), State(4), State(3), State(2), State(1), State(0)];
    assert_eq!(walk(&tree, StepInto), order);
    assert_eq!(go(&tree, State(5), StepCall), to(State(4)));
    assert_eq!(go(&tree, State(3), StepCall), to(State(2)));
    assert_eq!(go(&tree, State(4), StepOver), to(State(3)), "the level of the other call");
}

#[test]
fn what_a_resumed_generator_calls_hangs_under_the_resumption() {
    let tree = [node(Call, 0), node(Call, 1), node(Return, 1), node(Line, 0), node(Return, 0)];
    assert_eq!(walk(&tree, StepInto), [State(4), State(3), State(2), State(1), State(0)]);
    assert_eq!(walk(&tree, StepOver), [State(4), State(3), State(0)]);
}

#[test]
fn frames_that_fell_asleep_without_a_return_have_their_copies_too() {
    let tree = [
        node(Call, 0),
        node(Line, 0),
        node(Call, 1),
        node(Line, 1),
        node(Call, 2),
        node(Return, 2),
        node(Return, 0),
    ];
    let order = [
        State(6),
        LineCall(1),
        LineCall(3),
        State(5),
        State(4),
        State(3),
        State(2),
        State(1),
        State(0),
    ];
    assert_eq!(walk(&tree, StepInto), order);
}

#[test]
fn calls_without_an_inverse_tree_say_why() {
    let nodes = [node(Call, 0), node(Line, 0), node(Exception, 0), node(Line, 0), node(Return, 0)];
    assert_eq!(span(&nodes), Err(NoSpan::Exception { at: 2 }));
    assert_eq!(span(&nodes[..2]), Err(NoSpan::NoReturn { at: 1 }));
    assert_eq!(span(&nodes[3..]), Err(NoSpan::NoCall { at: 1 }));
    let left = tree::Node { unwinding: true, ..node(Return, 0) };
    assert_eq!(span(&[node(Call, 0), left]), Err(NoSpan::Unwinding { at: 1 }));
}

#[test]
fn the_call_around_a_state_is_the_innermost() {
    let around = |at| {
        let Ok(span) = Span::around(&mut Recorded(calling()), at);
        span.map(|span| (span.call(), span.last()))
    };
    assert_eq!(around(0), Ok((0, 7)));
    assert_eq!(around(2), Ok((0, 7)));
    assert_eq!(around(4), Ok((3, 5)));
    assert_eq!(around(99), Err(NoSpan::NoReturn { at: 99 }));
}

/// A call of random shape: for each of its lines, the calls made there.
#[derive(Clone, Debug)]
struct AnyCall(Vec<Vec<AnyCall>>);

impl AnyCall {
    fn record(&self, depth: u32, nodes: &mut Vec<tree::Node>) {
        nodes.push(node(Call, depth));
        for calls in &self.0 {
            nodes.push(node(Line, depth));
            calls.iter().for_each(|call| call.record(depth + 1, nodes));
        }
        nodes.push(node(Return, depth));
    }

    /// The inverse order by its definition, with `at` standing behind the call.
    fn reversed(&self, at: &mut usize, order: &mut Vec<Node>) {
        *at -= 1;
        order.push(State(*at));
        for calls in self.0.iter().rev() {
            let copy = order.len();
            calls.iter().rev().for_each(|call| call.reversed(at, order));
            *at -= 1;
            if !calls.is_empty() {
                order.insert(copy, LineCall(*at));
            }
            order.push(State(*at));
        }
        *at -= 1;
        order.push(State(*at));
    }
}

fn any_call() -> impl Strategy<Value = AnyCall> {
    let leaf = proptest::collection::vec(Just(Vec::new()), 0..3).prop_map(AnyCall);
    leaf.prop_recursive(4, 40, 4, |call| {
        let line = proptest::collection::vec(call, 0..3);
        proptest::collection::vec(line, 0..4).prop_map(AnyCall)
    })
}

proptest! {
    #[test]
    fn only_step_into_visits_everything_in_reversed_order(call in any_call()) {
        let mut nodes = Vec::new();
        call.record(0, &mut nodes);
        let mut order = Vec::new();
        let mut at = nodes.len();
        call.reversed(&mut at, &mut order);
        prop_assert_eq!(at, 0);
        prop_assert_eq!(walk(&nodes, StepInto), order);
    }

    #[test]
    fn jumps_lead_to_nodes_of_the_order_and_never_down(call in any_call()) {
        let mut nodes = Vec::new();
        call.record(0, &mut nodes);
        let order = walk(&nodes, StepInto);
        let depth = |node: Node| nodes[node.index()].depth;
        for (place, &from) in order.iter().enumerate() {
            let later = &order[place + 1..];
            let expected = later.iter().find(|node| depth(**node) <= depth(from));
            let over = go(&nodes, from, StepOver);
            prop_assert_eq!(over, Some(expected.map_or(Target::Entry, |node| Target::Node(*node))));
            let arguments = later.iter().find(|node| depth(**node) <= depth(from)
                && nodes[node.index()].event == Call);
            let call = go(&nodes, from, StepCall);
            if nodes[from.index()].event == Call {
                prop_assert_eq!(call, None);
            } else {
                prop_assert_eq!(call, arguments.map(|node| Target::Node(*node)));
                prop_assert!(arguments.is_some_and(|node| depth(*node) == depth(from)));
            }
        }
    }
}
