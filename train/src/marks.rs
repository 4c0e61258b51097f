//! The special tokens of the paper's format, both directions.

use tokenizers::Tokenizer;

/// All special tokens, in the order of their ids.
pub const NAMES: [&str; 30] = [
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|pad|>",
    "<|trace_context_start|>",
    "<|trace_end|>",
    "<|frame_sep|>",
    "<|action_sep|>",
    "<|src_sep|>",
    "<|arg_sep|>",
    "<|call_sep|>",
    "<|line_sep|>",
    "<|return_sep|>",
    "<|exception_sep|>",
    "<|step_into|>",
    "<|step_over|>",
    "<|step_return|>",
    "<|breakpoint|>",
    "<|continue|>",
    "<|exit_normal|>",
    "<|exit_error|>",
    "<|exit_never|>",
    "<|inv_call_sep|>",
    "<|inv_line_sep|>",
    "<|inv_line_call_sep|>",
    "<|inv_return_sep|>",
    "<|inv_exception_sep|>",
    "<|inv_step_into|>",
    "<|inv_step_over|>",
    "<|inv_step_call|>",
    "<|inv_exit_entry|>",
];

/// The special tokens that name an action.
const ACTIONS: [&str; 8] = [
    "<|step_into|>",
    "<|step_over|>",
    "<|step_return|>",
    "<|breakpoint|>",
    "<|continue|>",
    "<|inv_step_into|>",
    "<|inv_step_over|>",
    "<|inv_step_call|>",
];

/// The debugger's action before a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Action(u8);

impl Action {
    /// Every action, forward ones first.
    pub fn all() -> impl Iterator<Item = Action> {
        (0..ACTIONS.len() as u8).map(Action)
    }

    /// Its name, as `step_into`.
    pub fn name(self) -> &'static str {
        ACTIONS[usize::from(self.0)].trim_start_matches("<|").trim_end_matches("|>")
    }
}

/// The ids of those special tokens that bound states.
#[derive(Clone, Debug)]
pub struct Marks {
    end: u32,
    frame: u32,
    action: u32,
    actions: [u32; ACTIONS.len()],
}

impl Marks {
    /// Finds them in a tokenizer; an error names the first that it lacks.
    pub fn find(tokenizer: &Tokenizer) -> Result<Self, &'static str> {
        let id = |name: &'static str| tokenizer.token_to_id(name).ok_or(name);
        let mut actions = [0; ACTIONS.len()];
        for (place, name) in actions.iter_mut().zip(ACTIONS) {
            *place = id(name)?;
        }
        Ok(Marks {
            end: id("<|end_of_text|>")?,
            frame: id("<|frame_sep|>")?,
            action: id("<|action_sep|>")?,
            actions,
        })
    }

    /// The states that an action led to: the action, and the tokens that the model must predict.
    ///
    /// A state begins after the `<|frame_sep|>` that closes its action, and holds what ends it: the
    /// next `<|action_sep|>`, or `<|end_of_text|>` after an exit. So a model learns where to stop.
    /// The first state of a trace is given, not predicted.
    pub fn frames(&self, tokens: &[u32]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut at = 0;
        while let Some(sep) = find(tokens, at, self.action) {
            let named = tokens.get(sep + 1);
            let action = self.actions.iter().position(|id| Some(id) == named);
            let (Some(action), Some(frame)) = (action, find(tokens, sep, self.frame)) else {
                break;
            };
            let start = frame + 1;
            let last = |&id: &u32| id == self.action || id == self.end;
            let end = tokens[start..].iter().position(last);
            let end = end.map_or(tokens.len(), |end| start + end + 1);
            frames.push(Frame {
                action: Action(action as u8),
                start: start as u32,
                end: end as u32,
            });
            // The token that ended this state opens the next action.
            at = end - 1;
            if tokens[at] != self.action || start == end {
                break;
            }
        }
        frames.retain(|frame| frame.start < frame.end);
        frames
    }
}

fn find(tokens: &[u32], from: usize, id: u32) -> Option<usize> {
    tokens[from..].iter().position(|&token| token == id).map(|at| from + at)
}

/// A state that an action led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The action.
    pub action: Action,
    /// Its first token.
    pub start: u32,
    /// After its last token, the one that ends it.
    pub end: u32,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marks() -> Marks {
        let actions = std::array::from_fn(|index| 10 + index as u32);
        Marks { end: 0, frame: 1, action: 2, actions }
    }

    /// One token a word: 0 end, 1 frame, 2 action, 10 and more the actions, the rest text.
    fn frames(words: &str) -> Vec<(&'static str, String)> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let ids: Vec<u32> = words
            .iter()
            .map(|&word| match word {
                "end" => 0,
                "frame" => 1,
                "action" => 2,
                "into" => 10,
                "break" => 13,
                _ => 99,
            })
            .collect();
        let text = |frame: &Frame| words[frame.start as usize..frame.end as usize].join(" ");
        marks().frames(&ids).iter().map(|frame| (frame.action.name(), text(frame))).collect()
    }

    #[test]
    fn a_state_carries_what_ends_it_and_the_first_is_given() {
        let found =
            frames("code frame first action into frame a b action break c frame x tail end");
        let expected = [("step_into", "a b action"), ("breakpoint", "x tail end")];
        assert_eq!(found, expected.map(|(action, text)| (action, text.to_owned())));
    }

    #[test]
    fn a_trace_that_is_cut_gives_what_is_there() {
        assert_eq!(frames("code frame first action into frame a"), [("step_into", "a".to_owned())]);
        assert_eq!(frames("code frame first action into frame"), []);
        assert_eq!(frames("code frame first action into"), []);
        assert_eq!(frames("code frame first action"), []);
        assert_eq!(frames(""), []);
        assert_eq!(frames("code frame first action what frame a action"), []);
    }

    proptest! {
        #[test]
        fn states_follow_each_other_and_end_with_their_mark(
            ids in prop::collection::vec(0u32..20, 0..60),
        ) {
            let frames = marks().frames(&ids);
            for pair in frames.windows(2) {
                prop_assert!(pair[0].end < pair[1].start);
            }
            for frame in frames {
                let (start, end) = (frame.start as usize, frame.end as usize);
                prop_assert!(start < end && end <= ids.len() && ids[start - 1] == 1);
                let inside = &ids[start..end - 1];
                prop_assert!(!inside.contains(&2) && !inside.contains(&0));
                prop_assert!(end == ids.len() || [0, 2].contains(&ids[end - 1]));
            }
        }
    }

    #[test]
    fn names_are_distinct() {
        let distinct: std::collections::BTreeSet<_> = NAMES.into_iter().collect();
        assert_eq!(distinct.len(), NAMES.len());
        assert!(ACTIONS.iter().all(|name| distinct.contains(name)));
    }
}
