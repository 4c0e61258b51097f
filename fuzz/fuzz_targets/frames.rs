//! What a model may write: any tokens, read as the frames of one conversation.
//!
//! Reading never fails, and what was read as a state of the program is written and read back the
//! same. An input is a program, a NUL byte, and text; in the text 0xFF and a byte stand for a
//! special token, and 0xFE, a length and that many bytes for one token of several bytes.

#![no_main]

mod tokens;

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use lockstep::neural::dialect::debugger::{
    Conventions, DebuggerDialect, FrameEnd, NAMES, SourceEnd,
};
use lockstep::neural::dialect::{Dialect, LineIndex, Predicted, Read, Shown};
use lockstep::neural::vocabulary::{TokenId, Vocabulary};
use lockstep::program::Program;
use lockstep::state::Stop;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let (Some(source), Some(text)) = (parts.next(), parts.next()) else { return };
    let Ok(program) = Program::from_bytes("p.py".to_owned(), source.to_vec()) else { return };
    let (pieces, ids) = tokens::read(text, &NAMES);
    let pieces: Arc<dyn Vocabulary> = Arc::new(pieces);
    for frame_end in [FrameEnd::Grammar, FrameEnd::ActionSep] {
        for source_end in [SourceEnd::Bare, SourceEnd::Newline] {
            let conventions = Conventions { frame_end, source_end };
            let dialect = DebuggerDialect::new(Arc::clone(&pieces), conventions);
            converse(&dialect.expect("all special tokens"), &program, &ids);
        }
    }
});

/// Reads all tokens, frame by frame.
fn converse(dialect: &DebuggerDialect, program: &Program, ids: &[TokenId]) {
    let lines = LineIndex::new(program);
    let mut shown = Shown::default();
    let mut at = 0;
    while at < ids.len() {
        let start = at;
        let mut reader = dialect.reader(&shown, &lines);
        let outcome = loop {
            let Some(&id) = ids.get(at) else {
                reader.cut("the input ends".to_owned());
                return;
            };
            match reader.push(id) {
                Read::More => at += 1,
                Read::Ended(outcome) => {
                    at += 1;
                    break outcome;
                }
                Read::EndedBefore(outcome) => break outcome,
            }
        };
        drop(reader);
        // The token that a frame ended before may be none that starts the next one.
        at = at.max(start + 1);
        if let Predicted::Stop(stop) = outcome {
            check_reads_back(dialect, program, &lines, &shown, &stop);
            match stop {
                Stop::At(state) => shown.show(&state),
                Stop::Exit(_) => shown = Shown::default(),
            }
        }
    }
}

/// A state of the program that was read is the same when it is written and read again.
fn check_reads_back(
    dialect: &DebuggerDialect,
    program: &Program,
    lines: &LineIndex,
    shown: &Shown,
    stop: &Stop,
) {
    if let Stop::At(state) = stop {
        // Other source lines are cut where they leave the program, which is told by an ellipsis.
        let own_line = program.numbers_of(&state.source).len() == 1;
        // An exception's text that is no call has no other form; it is kept as its class.
        let is_call = state.exception.as_ref().is_none_or(|raised| !raised.class.contains('('));
        if !own_line || !is_call {
            return;
        }
    }
    let frame = dialect.write(stop, None, shown).expect("it was read");
    let mut reader = dialect.reader(shown, lines);
    let action_sep = dialect.ask(&lockstep::action::Action::StepInto)[0];
    for &id in frame.ids.iter().chain([&action_sep]) {
        match reader.push(id) {
            Read::More => {}
            Read::Ended(outcome) | Read::EndedBefore(outcome) => {
                assert_eq!(outcome, Predicted::Stop(stop.clone()));
                return;
            }
        }
    }
    panic!("{stop:?} was written as a frame without an end");
}
