//! Moves that no model is asked about: backwards, and to a state by its number.
//!
//! They mirror the forward actions of [`crate::tree`] on the same recorded order. A neural debugger
//! predicts what comes, so these have no prediction; with them the real side alone can be walked
//! both ways.

use std::fmt;

use crate::state::Event;
use crate::tree::{Node, Target, Trace};

/// A move over the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Travel {
    /// To the state before, at any level.
    BackInto,
    /// To the state before on this level, or one level up; never down.
    BackOver,
    /// To the call by which this frame was entered (a generator: resumed).
    BackReturn,
    /// To the entry.
    First,
    /// To the last state, before the exit.
    Last,
    /// To the recorded state of this index, or to the exit if there are fewer.
    Event(usize),
}

/// The words on screen.
impl fmt::Display for Travel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Travel::BackInto => f.write_str("back into"),
            Travel::BackOver => f.write_str("back over"),
            Travel::BackReturn => f.write_str("back to the call"),
            Travel::First => f.write_str("to the first state"),
            Travel::Last => f.write_str("to the last state"),
            Travel::Event(index) => write!(f, "to state {index}"),
        }
    }
}

/// Where `travel` leads from `from`; none if it isn't available there: backwards from the entry,
/// and back to the call on that call itself. The exit stands on the entry's level.
pub fn target<T: Trace>(
    trace: &mut T,
    from: Target,
    travel: Travel,
) -> Result<Option<Target>, T::Error> {
    Ok(match travel {
        Travel::BackInto => back(trace, from, |_, _| Look::Here)?,
        Travel::BackOver => back(trace, from, |depth, node| match node.depth <= depth {
            true => Look::Here,
            false => Look::Further,
        })?,
        Travel::BackReturn => back_return(trace, from)?,
        Travel::First => trace.node(0)?.map(|_| Target::State(0)),
        Travel::Last => match end(trace)?.checked_sub(1) {
            Some(last) => Some(Target::State(last)),
            None => Some(Target::Exit),
        },
        Travel::Event(index) => match trace.node(index)? {
            Some(_) => Some(Target::State(index)),
            None => Some(Target::Exit),
        },
    })
}

/// How many states the run has, waiting for its end.
pub fn end<T: Trace + ?Sized>(trace: &mut T) -> Result<usize, T::Error> {
    let mut end = 0;
    while trace.node(end)?.is_some() {
        end += 1;
    }
    Ok(end)
}

fn back_return<T: Trace>(trace: &mut T, from: Target) -> Result<Option<Target>, T::Error> {
    if let Target::State(index) = from
        && trace.node(index)?.is_some_and(|node| node.event == Event::Call)
    {
        return Ok(None);
    }
    back(trace, from, |depth, node| match node.depth.cmp(&depth) {
        std::cmp::Ordering::Greater => Look::Further,
        std::cmp::Ordering::Less => Look::Nowhere,
        std::cmp::Ordering::Equal if node.event == Event::Call => Look::Here,
        std::cmp::Ordering::Equal => Look::Further,
    })
}

/// What a search makes of a state.
enum Look {
    /// This is it.
    Here,
    /// It lies further back.
    Further,
    /// There is none.
    Nowhere,
}

/// The latest state before `from` that `look` accepts, given the depth of `from`.
fn back<T: Trace>(
    trace: &mut T,
    from: Target,
    look: impl Fn(u32, Node) -> Look,
) -> Result<Option<Target>, T::Error> {
    let (before, depth) = match from {
        Target::State(index) => match trace.node(index)? {
            Some(node) => (index, node.depth),
            None => return Ok(None),
        },
        Target::Exit => (end(trace)?, 0),
    };
    for index in (0..before).rev() {
        let Some(node) = trace.node(index)? else { continue };
        match look(depth, node) {
            Look::Here => return Ok(Some(Target::State(index))),
            Look::Further => {}
            Look::Nowhere => return Ok(None),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Action;
    use crate::points::testing::{Script, scripts};
    use crate::tree::{self, Lines};
    use proptest::prelude::*;

    struct NoLines;
    impl Lines for NoLines {
        fn reads(&self, _: u32, _: &str) -> bool {
            false
        }
    }

    fn forward(run: &mut Script, from: usize, action: &Action) -> Option<Target> {
        tree::target(run, &NoLines, from, action).unwrap()
    }

    fn travel(run: &mut Script, from: Target, travel: Travel) -> Option<Target> {
        target(run, from, travel).unwrap()
    }

    fn depth(run: &mut Script, at: Target) -> u32 {
        match at {
            Target::State(index) => run.node(index).unwrap().unwrap().depth,
            Target::Exit => 0,
        }
    }

    #[test]
    fn the_ends_of_a_run() {
        let mut run = Script::of("call 0; line 0; return 0");
        assert_eq!(travel(&mut run, Target::State(0), Travel::BackInto), None);
        assert_eq!(travel(&mut run, Target::State(0), Travel::BackReturn), None);
        assert_eq!(travel(&mut run, Target::Exit, Travel::BackReturn), Some(Target::State(0)));
        assert_eq!(travel(&mut run, Target::State(1), Travel::Last), Some(Target::State(2)));
        assert_eq!(travel(&mut run, Target::Exit, Travel::First), Some(Target::State(0)));
        assert_eq!(travel(&mut run, Target::Exit, Travel::Event(1)), Some(Target::State(1)));
        assert_eq!(travel(&mut run, Target::State(1), Travel::Event(3)), Some(Target::Exit));
    }

    #[test]
    fn back_over_skips_a_call_and_back_into_enters_it_at_its_return() {
        let mut run = Script::of("call 0; line 0; call 1; line 1; return 1; line 0; return 0");
        assert_eq!(travel(&mut run, Target::State(5), Travel::BackOver), Some(Target::State(1)));
        assert_eq!(travel(&mut run, Target::State(5), Travel::BackInto), Some(Target::State(4)));
        assert_eq!(travel(&mut run, Target::State(4), Travel::BackReturn), Some(Target::State(2)));
        assert_eq!(travel(&mut run, Target::State(2), Travel::BackOver), Some(Target::State(1)));
    }

    proptest! {
        #[test]
        fn back_into_undoes_into((mut run, at) in scripts()) {
            let there = forward(&mut run, at, &Action::StepInto).unwrap();
            prop_assert_eq!(travel(&mut run, there, Travel::BackInto), Some(Target::State(at)));
        }

        #[test]
        fn into_undoes_back_into((mut run, at) in scripts()) {
            if let Some(Target::State(before)) = travel(&mut run, Target::State(at), Travel::BackInto) {
                let there = forward(&mut run, before, &Action::StepInto);
                prop_assert_eq!(there, Some(Target::State(at)));
            } else {
                prop_assert_eq!(at, 0);
            }
        }

        #[test]
        fn back_over_never_goes_deeper_and_misses_nothing((mut run, at) in scripts()) {
            let here = Target::State(at);
            let level = depth(&mut run, here);
            match travel(&mut run, here, Travel::BackOver) {
                Some(Target::State(before)) => {
                    prop_assert!(before < at);
                    prop_assert!(depth(&mut run, Target::State(before)) <= level);
                    for between in before + 1..at {
                        prop_assert!(depth(&mut run, Target::State(between)) > level);
                    }
                }
                other => {
                    prop_assert_eq!(other, None);
                    prop_assert_eq!(at, 0);
                }
            }
        }

        #[test]
        fn back_over_undoes_over_on_one_level((mut run, at) in scripts()) {
            let here = Target::State(at);
            let there = forward(&mut run, at, &Action::StepOver).unwrap();
            let back = travel(&mut run, there, Travel::BackOver).unwrap();
            let Target::State(back) = back else { panic!("back to the exit") };
            prop_assert!(back <= at);
            if depth(&mut run, here) == depth(&mut run, there) {
                prop_assert_eq!(back, at);
            }
        }

        #[test]
        fn back_return_finds_the_call_of_the_same_activation((mut run, at) in scripts()) {
            match travel(&mut run, Target::State(at), Travel::BackReturn) {
                Some(Target::State(call)) => {
                    prop_assert!(call < at);
                    prop_assert_eq!(run.states[call].event, Event::Call);
                    prop_assert_eq!(run.states[call].activation(), run.states[at].activation());
                    for between in &run.states[call + 1..at] {
                        let resumed = between.event == Event::Call
                            && between.activation() == run.states[at].activation();
                        prop_assert!(!resumed);
                    }
                }
                other => {
                    prop_assert_eq!(other, None);
                    prop_assert_eq!(run.states[at].event, Event::Call);
                }
            }
        }
    }
}
