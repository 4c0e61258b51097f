//! What a model may write when it is asked what came before: any tokens, read as inverse frames.
//!
//! Reading never fails, and what was read as a state is written and read back the same. Tokens are
//! told in an input as in `tokens`.

#![no_main]

mod tokens;

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use lockstep::inverse::{InverseAction, InverseStop};
use lockstep::neural::dialect::debugger::inverse::{InverseDialect, NAMES as INVERSE};
use lockstep::neural::dialect::debugger::{Conventions, FrameEnd, NAMES, SourceEnd};
use lockstep::neural::dialect::{LineIndex, Predicted, Read};
use lockstep::neural::vocabulary::{TokenId, Vocabulary};

fuzz_target!(|bytes: &[u8]| {
    let names: Vec<&'static str> = INVERSE.into_iter().chain(NAMES).collect();
    let (pieces, ids) = tokens::read(bytes, &names);
    let pieces: Arc<dyn Vocabulary> = Arc::new(pieces);
    for frame_end in [FrameEnd::Grammar, FrameEnd::ActionSep] {
        for source_end in [SourceEnd::Bare, SourceEnd::Newline] {
            let conventions = Conventions { frame_end, source_end };
            let dialect = InverseDialect::new(Arc::clone(&pieces), conventions);
            read_all(&dialect.expect("all special tokens"), &ids);
        }
    }
});

/// Reads all tokens, frame by frame.
fn read_all(dialect: &InverseDialect, mut ids: &[TokenId]) {
    while !ids.is_empty() {
        let Some((outcome, taken)) = read(dialect, ids) else { return };
        if let Predicted::Stop(stop) = outcome {
            check_reads_back(dialect, &stop);
        }
        // The token that a frame ended before may be none that starts the next one.
        ids = &ids[taken.max(1)..];
    }
}

/// The first frame of these tokens, and how many it takes; none if it doesn't end.
fn read(dialect: &InverseDialect, ids: &[TokenId]) -> Option<(Predicted<InverseStop>, usize)> {
    let lines = LineIndex::default();
    let mut reader = dialect.reader(&lines);
    for (index, &id) in ids.iter().enumerate() {
        match reader.push(id) {
            Read::More => {}
            Read::Ended(outcome) => return Some((outcome, index + 1)),
            Read::EndedBefore(outcome) => return Some((outcome, index)),
        }
    }
    reader.cut("the input ends".to_owned());
    None
}

/// A state that was read is the same when it is written and read again.
fn check_reads_back(dialect: &InverseDialect, stop: &InverseStop) {
    let mut ids = dialect.write(stop);
    let length = ids.len();
    ids.push(dialect.ask(InverseAction::StepInto)[0]);
    assert_eq!(read(dialect, &ids), Some((Predicted::Stop(stop.clone()), length)));
}
