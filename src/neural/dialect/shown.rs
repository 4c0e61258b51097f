//! What a context has shown so far: the part of a dialect's state that deltas depend on.
//!
//! Locals are printed as a delta to those printed last, so both writing and reading a frame need
//! to know what was printed, and of which frame of the program (activation). A prediction names no
//! activation; there the frames are told by the order of calls and returns.

use std::sync::Arc;

use crate::action::Action;
use crate::state::{Event, Locals, State};

/// The locals that a context has shown, by frame; outermost first. Cheap to copy, so that every
/// step can keep its own.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    frames: Vec<ShownFrame>,
    /// Whether the last frame's locals were the last ones shown, with no return shown since.
    fresh: bool,
}

#[derive(Clone, Debug)]
struct ShownFrame {
    /// Activation and depth, if the state was recorded.
    place: Option<(u32, u32)>,
    locals: Arc<Locals>,
}

impl Shown {
    /// The locals that `..` stands for in the next frame: those shown last of the frame that is
    /// still open.
    pub fn base(&self) -> Option<&Locals> {
        self.frames.last().map(|frame| &*frame.locals)
    }

    /// The locals to which `state`'s are printed as a delta when `action` leads there; none where
    /// the rule of the spec's section 2.3 wants them in full: on calls, on the state that a
    /// breakpoint lands on, if the last locals shown belong to another frame, and if a return was
    /// shown since. Also if a variable vanished (`del`), which a delta has no words for.
    pub fn delta_base(&self, state: &State, action: Option<&Action>) -> Option<&Locals> {
        let last = self.frames.last()?;
        let same_frame = last.place.is_some_and(|(a, _)| Some(a) == state.activation());
        let breakpoint = matches!(action, Some(Action::Breakpoint(_)));
        let vanished = || last.locals.iter().any(|(name, _)| state.locals.get(name).is_none());
        let delta =
            state.event == Event::Line && self.fresh && same_frame && !breakpoint && !vanished();
        delta.then_some(&*last.locals)
    }

    /// Takes in a state that was shown.
    pub fn show(&mut self, state: &State) {
        let place = state.position.as_ref().map(|p| (p.activation, p.depth));
        if let Some((activation, depth)) = place {
            self.leave(|frame| match frame.place {
                Some((a, d)) => d >= depth && a != activation,
                None => true,
            });
        }
        match state.event {
            Event::Call => self.enter(place, state),
            Event::Line => {
                self.pop_own(place);
                self.enter(place, state);
            }
            Event::Return => {
                self.pop_own(place);
                self.fresh = false;
            }
            Event::Exception => {}
        }
    }

    /// Drops the innermost frame if it is the one at `place`; a prediction is of the innermost.
    fn pop_own(&mut self, place: Option<(u32, u32)>) {
        let activation = |place: Option<(u32, u32)>| place.map(|(activation, _)| activation);
        if place.is_none()
            || self.frames.last().is_some_and(|top| activation(top.place) == activation(place))
        {
            self.frames.pop();
        }
    }

    fn enter(&mut self, place: Option<(u32, u32)>, state: &State) {
        self.frames.push(ShownFrame { place, locals: Arc::new(state.locals.clone()) });
        self.fresh = true;
    }

    /// Drops the innermost frames that are `gone`.
    fn leave(&mut self, gone: impl Fn(&ShownFrame) -> bool) {
        while self.frames.last().is_some_and(&gone) {
            self.frames.pop();
            self.fresh = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Position;

    fn state(event: Event, activation: u32, depth: u32, locals: &[(&str, &str)]) -> State {
        State {
            event,
            source: "x".into(),
            locals: locals.iter().copied().collect(),
            value: None,
            exception: None,
            position: Some(Position {
                function: "f".into(),
                line: 1,
                depth,
                activation,
                unwinds: false,
            }),
        }
    }

    fn shown(states: &[State]) -> Shown {
        let mut shown = Shown::default();
        states.iter().for_each(|state| shown.show(state));
        shown
    }

    #[test]
    fn a_line_of_the_same_frame_is_a_delta() {
        let first = state(Event::Call, 0, 0, &[("n", "1")]);
        let shown = shown(std::slice::from_ref(&first));
        let line = state(Event::Line, 0, 0, &[("n", "1")]);
        assert_eq!(shown.delta_base(&line, Some(&Action::StepInto)), Some(&first.locals));
        assert_eq!(shown.delta_base(&line, Some(&Action::Breakpoint("x".into()))), None);
        assert_eq!(shown.delta_base(&state(Event::Line, 1, 0, &[("n", "1")]), None), None);
        assert_eq!(shown.delta_base(&state(Event::Line, 0, 0, &[]), None), None, "n vanished");
    }

    #[test]
    fn after_a_return_the_caller_is_shown_in_full_but_dots_mean_the_caller() {
        let caller = state(Event::Line, 0, 0, &[("a", "1")]);
        let shown = shown(&[
            state(Event::Call, 0, 0, &[]),
            caller.clone(),
            state(Event::Call, 1, 1, &[("b", "2")]),
            state(Event::Return, 1, 1, &[("b", "2")]),
        ]);
        assert_eq!(shown.delta_base(&caller, None), None);
        assert_eq!(shown.base(), Some(&caller.locals));
    }

    #[test]
    fn stepping_over_a_call_stays_a_delta() {
        let line = state(Event::Line, 0, 0, &[("a", "1")]);
        let shown = shown(&[state(Event::Call, 0, 0, &[]), line.clone()]);
        assert!(shown.delta_base(&line, Some(&Action::StepOver)).is_some());
    }

    #[test]
    fn an_exception_in_the_same_frame_leaves_the_delta_and_one_from_below_does_not() {
        let line = state(Event::Line, 0, 0, &[("a", "1")]);
        let raised = state(Event::Exception, 0, 0, &[("a", "1")]);
        let same = shown(&[line.clone(), raised.clone()]);
        assert!(same.delta_base(&line, None).is_some());
        let from_below = shown(&[line.clone(), state(Event::Call, 1, 1, &[]), raised]);
        assert_eq!(from_below.delta_base(&line, None), None);
        assert_eq!(from_below.base(), Some(&line.locals));
    }

    #[test]
    fn predictions_nest_by_their_calls_and_returns() {
        let predicted =
            |event, locals: &[(&str, &str)]| State { position: None, ..state(event, 0, 0, locals) };
        let mut shown = shown(&[state(Event::Line, 0, 0, &[("a", "1")])]);
        shown.show(&predicted(Event::Call, &[("b", "2")]));
        shown.show(&predicted(Event::Line, &[("b", "3")]));
        assert_eq!(shown.base(), Some(&[("b", "3")].into_iter().collect()));
        shown.show(&predicted(Event::Return, &[]));
        assert_eq!(shown.base(), Some(&[("a", "1")].into_iter().collect()));
    }
}
