//! Decoding one frame greedily, or finding out in one pass what that would write.

use crate::action::Action;
use crate::neural::decoding::Decoding;
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
    /// Surprise of its tokens, summed up, in bits: how unsure the model was.
    pub doubt: f64,
}

/// The token that is written next.
#[derive(Clone, Copy)]
struct Chosen {
    id: TokenId,
    /// Its surprise, in bits.
    doubt: f64,
}

/// Decodes one frame, or scores it.
pub(super) struct Decoder<'t> {
    pub engine: &'t mut dyn Engine,
    pub reader: Box<dyn FrameReader + 't>,
    /// Tokens after which a frame counts as endless.
    pub longest: usize,
    pub decoding: Decoding,
    pub interrupt: &'t Interrupt,
}

/// What a prediction is, and what it makes of the real frame.
pub(super) struct Judged {
    pub outcome: Predicted,
    pub surprise: Option<Surprise>,
    /// How unsure the model was of what it wrote, in bits.
    pub doubt: f64,
}

impl Decoder<'_> {
    /// Reads the real frame in one pass and judges it; the main branch then holds it.
    pub(super) fn score(
        &mut self,
        question: &Question,
        frame: &Frame,
    ) -> Result<Judged, EngineError> {
        let (best, bits) = self.look(question, frame)?;
        let surprise = Some(Surprise::new(frame, &bits));
        let judged = |outcome, doubt| Ok(Judged { outcome, surprise, doubt });
        let mut doubt = 0.0;
        for (index, &token) in best.iter().enumerate() {
            if let Some((outcome, last)) = self.read(token.id, index) {
                return judged(outcome, doubt + last.map_or(0.0, |_| token.doubt));
            }
            if frame.ids.get(index) != Some(&token.id) {
                let place = question.answer_at() + index;
                self.engine.fork(Branch::MAIN, place, Branch::ASIDE)?;
                let token = Chosen { doubt: doubt + token.doubt, ..token };
                let written = self.go_on(Branch::ASIDE, token, index)?;
                self.engine.truncate(Branch::ASIDE, 0)?;
                return judged(written.outcome, written.doubt);
            }
            doubt += token.doubt;
        }
        judged(self.endless(), doubt)
    }

    /// Reads the real frame: for each of its tokens, and for the one behind it, the token that would
    /// have been chosen there, up to the first that is another; and the surprise of each.
    fn look(
        &mut self,
        question: &Question,
        frame: &Frame,
    ) -> Result<(Vec<Chosen>, Vec<f64>), EngineError> {
        let mut chosen: Vec<Chosen> = Vec::with_capacity(frame.ids.len() + 1);
        let mut bits = Vec::with_capacity(frame.ids.len());
        // What is legal depends on what was read, which is the real frame up to the first miss.
        let mut reader = self.reader.fork();
        let mut missed = false;
        let mut see = |row: Row<'_>| {
            let real = frame.ids.get(bits.len()).copied();
            let surprise = real.map(|real| row.bits(real));
            bits.extend(surprise);
            if missed {
                return;
            }
            let id = self.decoding.choose(row, |id| reader.allows(id));
            missed = real != Some(id);
            let doubt = surprise.filter(|_| !missed).unwrap_or_else(|| row.bits(id));
            chosen.push(Chosen { id, doubt });
            if !missed && reader.push(id) != Read::More {
                // Greedy decoding would stop here: nothing behind it is asked for.
                missed = true;
            }
        };
        let ids = [&*question.ask, &*frame.ids].concat();
        let wanted = Wanted::From(question.ask.len() - 1);
        self.engine.append(Branch::MAIN, &ids, wanted, self.interrupt, &mut see)?;
        Ok((chosen, bits))
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
        Ok(Judged { outcome: written.outcome, surprise: None, doubt: written.doubt })
    }

    /// Asks and writes the answer on the main branch.
    pub(super) fn write(&mut self, question: &Question) -> Result<Written, EngineError> {
        let first = self.next(Branch::MAIN, &question.ask)?;
        match self.read(first.id, 0) {
            Some((outcome, last)) => {
                let doubt = last.map_or(0.0, |_| first.doubt);
                Ok(Written { outcome, kept: Vec::new(), last, doubt })
            }
            None => self.go_on(Branch::MAIN, first, 0),
        }
    }

    /// Goes on by itself with the frame's token of this index, which was read already; its doubt is
    /// that of all tokens up to it.
    fn go_on(
        &mut self,
        branch: Branch,
        mut token: Chosen,
        index: usize,
    ) -> Result<Written, EngineError> {
        let mut kept = Vec::new();
        let mut doubt = token.doubt;
        loop {
            let next = self.next(branch, &[token.id])?;
            kept.push(token.id);
            if let Some((outcome, last)) = self.read(next.id, index + kept.len()) {
                let doubt = doubt + last.map_or(0.0, |_| next.doubt);
                return Ok(Written { outcome, kept, last, doubt });
            }
            doubt += next.doubt;
            token = next;
        }
    }

    /// Appends tokens; the likeliest to follow.
    fn next(&mut self, branch: Branch, ids: &[TokenId]) -> Result<Chosen, EngineError> {
        let mut next = Chosen { id: 0, doubt: 0.0 };
        let mut see = |row: Row<'_>| {
            let id = self.decoding.choose(row, |id| self.reader.allows(id));
            next = Chosen { id, doubt: row.bits(id) };
        };
        self.engine.append(branch, ids, Wanted::Last, self.interrupt, &mut see)?;
        Ok(next)
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

    pub(super) fn endless(&self) -> Predicted {
        let reason = format!("no end after {} tokens", Grouped(self.longest as u64));
        Predicted::Malformed(self.reader.cut(reason))
    }
}
