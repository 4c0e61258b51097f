//! What may have come before the state where a session stands: the model's answers, or a guess, each
//! checked by running forward. Neither side moves.

use super::{Session, SessionError};
use crate::inverse::{
    Beginning, Checker, Guess, InverseAction, InverseStop, NoQuestion, Question, Verdict,
};
use crate::neural::{Predicted, Sampling};

/// What was asked, and what came of it.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The question.
    pub question: Question,
    /// The answers, and what each is worth.
    pub answers: Vec<(Predicted<InverseStop>, Verdict)>,
}

/// Why nothing is inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoInquiry {
    /// The run is over.
    #[error("the run is over: infer at a state of it")]
    AtEnd,
    /// Nobody answers.
    #[error("no model: there is nobody to ask what came before")]
    NoModel,
    /// There is nothing to ask.
    #[error(transparent)]
    NoQuestion(#[from] NoQuestion),
}

impl Session {
    /// Asks the model, this often, where an action may lead back from here.
    pub fn infer(
        &mut self,
        action: InverseAction,
        sampling: Sampling,
        samples: u64,
    ) -> Result<Result<Inquiry, NoInquiry>, SessionError> {
        let question = match self.question(action)? {
            Ok(question) => question,
            Err(why) => return Ok(Err(why)),
        };
        let Some(model) = &self.model else { return Ok(Err(NoInquiry::NoModel)) };
        let answers = model.infer(question.clone(), sampling, samples)?.wait()?;
        self.check(question, answers).map(Ok)
    }

    /// Checks a guess at where an action may lead back from here.
    pub fn check_guess(
        &mut self,
        action: InverseAction,
        guess: &Guess,
    ) -> Result<Result<Inquiry, NoInquiry>, SessionError> {
        let question = match self.question(action)? {
            Ok(question) => question,
            Err(why) => return Ok(Err(why)),
        };
        let guess = guess.beside(question.recorded());
        self.check(question, vec![Predicted::Stop(guess)]).map(Ok)
    }

    fn question(
        &mut self,
        action: InverseAction,
    ) -> Result<Result<Question, NoInquiry>, SessionError> {
        let Some(at) = self.index() else { return Ok(Err(NoInquiry::AtEnd)) };
        let question = Question::new(&mut self.recording, at, Beginning::Here, action)?;
        Ok(question.map_err(NoInquiry::from))
    }

    fn check(
        &mut self,
        question: Question,
        answers: Vec<Predicted<InverseStop>>,
    ) -> Result<Inquiry, SessionError> {
        let mut checker = Checker::new(&mut self.recording, question.given().clone());
        let (action, recorded) = (question.action(), question.recorded());
        let mut judged = Vec::with_capacity(answers.len());
        for answer in answers {
            let verdict = checker.check(action, recorded, &answer)?;
            judged.push((answer, verdict));
        }
        Ok(Inquiry { question, answers: judged })
    }
}
