//! Decoding one frame greedily, or finding out in one pass what that would write.

use crate::action::Action;
use crate::neural::dialect::{Frame, FrameReader, Predicted, Read};
use crate::neural::engine::{Branch, Engine, EngineError, Interrupt, Row, Wanted};
use crate::neural::prediction::Surprise;
use crate::neural::vocabulary::TokenId;
use crate::python::Grouped;

/// The place of a question in the context.
pub(super) struct Question {
    pub action: Action,
    /// The tokens that ask.
    pub ask: Vec<TokenId>,
    /// Where they begin.
    pub start: usize,
    /// The real answer, if it is known and the dialect has words for it.
    pub frame: Option<Frame>,
    /// Tokens after which an answer counts as endless.
    pub longest: usize,
    pub restarted: bool,
}

impl Question {
    pub(super) fn answer_at(&self) -> usize {
        self.start + self.ask.len()
    }
}

/// A frame that greedy decoding wrote.
pub(super) struct Written {
    pub outcome: Predicted,
    /// Its tokens that the branch holds.
    pub kept: Vec<TokenId>,
    /// Its last token, if the branch doesn't hold it.
    pub last: Option<TokenId>,
}

/// Decodes one frame, or scores it.
pub(super) struct Decoder<'t> {
    pub engine: &'t mut dyn Engine,
    pub reader: Box<dyn FrameReader + 't>,
    /// Tokens after which a frame counts as endless.
    pub longest: usize,
    pub interrupt: &'t Interrupt,
}

/// What a prediction is, and what it makes of the real frame.
pub(super) struct Judged {
    pub outcome: Predicted,
    pub surprise: Option<Surprise>,
}

impl Decoder<'_> {
    /// Reads the real frame in one pass and judges it; the main branch then holds it.
    pub(super) fn score(
        &mut self,
        question: &Question,
        frame: &Frame,
    ) -> Result<Judged, EngineError> {
        let mut best = Vec::with_capacity(frame.ids.len() + 1);
        let mut bits = Vec::with_capacity(frame.ids.len());
        let mut see = |row: Row<'_>| {
            bits.extend(frame.ids.get(best.len()).map(|&id| row.bits(id)));
            best.push(row.best());
        };
        let ids = [&*question.ask, &*frame.ids].concat();
        let wanted = Wanted::From(question.ask.len() - 1);
        self.engine.append(Branch::MAIN, &ids, wanted, self.interrupt, &mut see)?;
        let surprise = Some(Surprise::new(frame, &bits));
        let judged = |outcome| Ok(Judged { outcome, surprise });
        for (index, &id) in best.iter().enumerate() {
            if let Some((outcome, _)) = self.read(id, index) {
                return judged(outcome);
            }
            if frame.ids.get(index) != Some(&id) {
                let place = question.answer_at() + index;
                self.engine.fork(Branch::MAIN, place, Branch::ASIDE)?;
                let written = self.go_on(Branch::ASIDE, id, index)?;
                self.engine.truncate(Branch::ASIDE, 0)?;
                return judged(written.outcome);
            }
        }
        judged(self.endless())
    }

    /// Writes a frame of the model's own, then lets the main branch hold the real one. What they
    /// have in common at the beginning isn't read again.
    pub(super) fn generate_then(
        &mut self,
        question: &Question,
        frame: &Frame,
    ) -> Result<Judged, EngineError> {
        let written = self.write(question)?;
        let common = written.kept.iter().zip(&frame.ids).take_while(|(a, b)| a == b).count();
        self.engine.truncate(Branch::MAIN, question.answer_at() + common)?;
        let rest = &frame.ids[common..];
        self.engine.append(Branch::MAIN, rest, Wanted::None, self.interrupt, &mut |_| ())?;
        Ok(Judged { outcome: written.outcome, surprise: None })
    }

    /// Asks and writes the answer on the main branch.
    pub(super) fn write(&mut self, question: &Question) -> Result<Written, EngineError> {
        let first = self.next(Branch::MAIN, &question.ask)?;
        match self.read(first, 0) {
            Some((outcome, last)) => Ok(Written { outcome, kept: Vec::new(), last }),
            None => self.go_on(Branch::MAIN, first, 0),
        }
    }

    /// Goes on by itself with `id`, the frame's token of this index, which was read already.
    fn go_on(
        &mut self,
        branch: Branch,
        mut id: TokenId,
        index: usize,
    ) -> Result<Written, EngineError> {
        let mut kept = Vec::new();
        loop {
            let next = self.next(branch, &[id])?;
            kept.push(id);
            if let Some((outcome, last)) = self.read(next, index + kept.len()) {
                return Ok(Written { outcome, kept, last });
            }
            id = next;
        }
    }

    /// Appends tokens; the likeliest to follow.
    fn next(&mut self, branch: Branch, ids: &[TokenId]) -> Result<TokenId, EngineError> {
        let mut best = 0;
        let mut see = |row: Row<'_>| best = row.best();
        self.engine.append(branch, ids, Wanted::Last, self.interrupt, &mut see)?;
        Ok(best)
    }

    /// Reads the frame's token of this index: the outcome if the frame is over, and the token if
    /// it belongs to it.
    fn read(&mut self, id: TokenId, index: usize) -> Option<(Predicted, Option<TokenId>)> {
        if index >= self.longest {
            return Some((self.endless(), None));
        }
        match self.reader.push(id) {
            Read::More => None,
            Read::Ended(outcome) => Some((outcome, Some(id))),
            Read::EndedBefore(outcome) => Some((outcome, None)),
        }
    }

    fn endless(&self) -> Predicted {
        let reason = format!("no end after {} tokens", Grouped(self.longest as u64));
        Predicted::Malformed(self.reader.cut(reason))
    }
}
