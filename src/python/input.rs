//! The host's side of what the program reads: every read is a choice.

use std::collections::HashMap;

use super::edit::Edit;
use super::wire::OnInput;

/// How much a read takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// At most one line, rather than all there is.
    pub line: bool,
    /// At most so many characters.
    pub characters: usize,
}

/// What a program can read, and what it was told to read in place of it.
pub struct Input {
    pending: String,
    /// What of it was read.
    taken: usize,
    /// Answers by the number of the read; none for the end of the input.
    answers: HashMap<usize, Option<String>>,
    reads: usize,
    on_input: OnInput,
}

/// What a read comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// It has this; nothing at the end of the input.
    Text(String),
    /// Somebody has to be asked, whose answer [`Input::answer`] takes.
    Wanted,
}

impl Input {
    /// This text, but for the edits.
    pub fn new(text: &str, edits: &[Edit], on_input: OnInput) -> Self {
        let answer = |edit: &Edit| match edit {
            Edit::Answer { choice, text, .. } => Some((*choice, text.clone())),
            Edit::Set { .. } => None,
        };
        let answers = edits.iter().filter_map(answer).collect();
        Input { pending: text.to_owned(), taken: 0, answers, reads: 0, on_input }
    }

    /// The next read. An answer takes the place of what would have been read.
    pub fn read(&mut self, amount: Amount) -> Read {
        let text = self.take(amount);
        let number = self.reads;
        self.reads += 1;
        match self.answers.remove(&number) {
            Some(answer) => Read::Text(self.answer(amount, answer)),
            None if text.is_empty() && self.on_input == OnInput::Ask => Read::Wanted,
            None => Read::Text(text),
        }
    }

    /// What a read has that was answered so.
    pub fn answer(&mut self, amount: Amount, answer: Option<String>) -> String {
        let Some(mut answer) = answer else { return String::new() };
        if amount.line && !answer.ends_with('\n') {
            answer.push('\n');
        }
        answer.push_str(&self.pending[self.taken..]);
        self.pending = answer;
        self.taken = 0;
        self.take(amount)
    }

    fn take(&mut self, amount: Amount) -> String {
        let rest = &self.pending[self.taken..];
        let line = match amount.line {
            true => rest.find('\n').map_or(rest.len(), |newline| newline + 1),
            false => rest.len(),
        };
        let cut = rest.char_indices().nth(amount.characters).map_or(rest.len(), |(at, _)| at);
        let text = rest[..line.min(cut)].to_owned();
        self.taken += text.len();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: Amount = Amount { line: true, characters: usize::MAX };
    const ALL: Amount = Amount { line: false, characters: usize::MAX };

    fn answer(choice: usize, text: Option<&str>) -> Edit {
        Edit::Answer { at: 0, choice, text: text.map(str::to_owned) }
    }

    fn text(text: &str) -> Read {
        Read::Text(text.to_owned())
    }

    #[test]
    fn an_answer_takes_the_place_of_a_line() {
        let edits = [answer(1, Some("B")), answer(3, Some("end")), answer(4, None)];
        let mut input = Input::new("a\nb\nc\n", &edits, OnInput::End);
        for expected in ["a\n", "B\n", "c\n", "end\n", "", ""] {
            assert_eq!(input.read(LINE), text(expected));
        }
    }

    #[test]
    fn an_answer_of_two_lines_is_read_line_by_line() {
        let mut input = Input::new("a\nb", &[answer(0, Some("x\ny"))], OnInput::Ask);
        for expected in ["x\n", "y\n", "b"] {
            assert_eq!(input.read(LINE), text(expected));
        }
        assert_eq!(input.read(LINE), Read::Wanted);
        assert_eq!(input.answer(LINE, Some("z".to_owned())), "z\n");
    }

    #[test]
    fn all_that_is_left_is_answered_as_it_is() {
        let mut input = Input::new("a\nb\n", &[answer(1, Some("c"))], OnInput::Ask);
        assert_eq!(input.read(LINE), text("a\n"));
        assert_eq!(input.read(ALL), text("c"));
        assert_eq!(input.read(ALL), Read::Wanted);
        assert_eq!(input.answer(ALL, None), "");
    }

    proptest! {
        #[test]
        fn without_answers_reads_are_the_text(
            given in "(a|é|\n){0,20}",
            amounts in proptest::collection::vec((any::<bool>(), 1usize..5), 0..30),
        ) {
            let mut input = Input::new(&given, &[], OnInput::End);
            let mut read = String::new();
            for (line, characters) in amounts {
                let Read::Text(text) = input.read(Amount { line, characters }) else {
                    return Err(TestCaseError::fail("asked"));
                };
                prop_assert!(text.chars().count() <= characters);
                prop_assert!(!line || text.find('\n').is_none_or(|at| at + 1 == text.len()));
                read += &text;
            }
            prop_assert!(given.starts_with(&read));
        }
    }
}
