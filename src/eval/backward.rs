//! A model asked what came before the states of a program, with its answers checked by running
//! forward from them ([`crate::inverse`]).
//!
//! The walk goes back through each outermost call that can be walked back through: the entry's, or
//! those within it if an exception was raised there. From a state, the question is asked as in the
//! paper, after a walk back from the return of the state's call; of a call, what came before it in
//! the caller's frame is asked from the call itself.

use super::recipe::Policy;
use super::record::{
    DifferenceRecord, FieldRecord, MalformedRecord, PredecessorRecord, SampleRecord, StepRecord,
};
use super::samples::records;
use super::value_type::ValueType;
use super::walk::{Known, Take, WalkError, Walked, Walker, is_its_own};
use crate::inverse::{
    Beginning, Checker, InverseAction, InverseChooser, InverseState, InverseStop, Node, Question,
    Span, Target, Verdict, Walk,
};
use crate::neural::{Neural, NeuralError, Predicted, Sampling};
use crate::python::{PythonError, Recording};
use crate::session::SessionError;
use crate::state::{Event, Field, Locals};
use crate::tree::Trace;

/// The likeliest answer.
const GREEDY: Sampling = Sampling { temperature: 0.0, top_p: 1.0, seed: 0 };

/// A question about a state, and how far back it asks.
struct Asked {
    question: Question,
    /// How many states the action passes, the one that it leads to included.
    horizon: usize,
    /// How many states come after the call of the state's frame, in the horizon study.
    frame: Option<usize>,
}

impl Walker {
    /// Walks back through a program that runs.
    pub(super) fn walk_back(
        &mut self,
        recording: &mut Recording,
        known: &Known,
        take: Take,
    ) -> Result<Walked, WalkError> {
        let exit = recording.exit()?.kind.name().to_owned();
        let done = |steps| Ok(Walked { steps, exit: Some(exit), forecast: None });
        let Some(model) = &self.model else { return done(0) };
        let seed = self.seed_of(known.item);
        let mut chooser = InverseChooser::new(self.policy.chosen_by(), seed);
        let mut taken = 0;
        for span in spans(recording)? {
            let mut walk = Walk::begin(recording, span)?;
            while let Some(node) = walk.node() {
                let can_call = walk.can_call()?;
                let next = match self.policy {
                    Policy::Each | Policy::Horizon => InverseAction::StepInto,
                    Policy::Into | Policy::Over | Policy::Mixed => chooser.choose(can_call),
                };
                for action in self.asked(node, next, can_call) {
                    if taken == self.most_steps {
                        return done(taken);
                    }
                    if self.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
                        return Err(PythonError::Interrupted.into());
                    }
                    let Some(asked) = self.question(&mut walk, span, action)? else { continue };
                    taken += 1;
                    let record = self.answer(model, walk.run(), &asked, taken, known)?;
                    take(record).map_err(WalkError::Sink)?;
                }
                let went = walk.take(next)?;
                if !went && !walk.take(InverseAction::StepInto)? {
                    break;
                }
            }
        }
        done(taken)
    }

    /// The actions that are asked about at a node, where the walk takes `next`. The copy of a line
    /// is no state of the run: nothing could be checked from there.
    fn asked(&self, node: Node, next: InverseAction, can_call: bool) -> Vec<InverseAction> {
        let Node::State(_) = node else { return Vec::new() };
        let all = match self.policy {
            Policy::Each => InverseAction::ALL.to_vec(),
            Policy::Horizon => vec![InverseAction::StepInto, InverseAction::StepCall],
            Policy::Into | Policy::Over | Policy::Mixed => vec![next],
        };
        all.into_iter().filter(|action| can_call || *action != InverseAction::StepCall).collect()
    }

    /// The question where the walk stands; none if there is nothing to ask.
    fn question(
        &self,
        walk: &mut Walk<'_, Recording>,
        span: Span,
        action: InverseAction,
    ) -> Result<Option<Asked>, SessionError> {
        let (Some(Node::State(at)), Some((target, _))) = (walk.node(), walk.look(action)?) else {
            return Ok(None);
        };
        let horizon = match (action, target) {
            (InverseAction::StepCall, Target::Node(node)) => at - node.index(),
            // Into leads to the very next node, and so does over, which stops at a line's copy.
            _ => 1,
        };
        let recording = walk.run();
        let is_call = recording.node(at)?.is_some_and(|node| node.event == Event::Call);
        let beginning = match is_call && at != span.call() {
            true => Beginning::Here,
            false => Beginning::Return,
        };
        let frame = match (self.policy, action) {
            (Policy::Horizon, InverseAction::StepCall) => {
                Span::around(recording, at)?.ok().map(|frame| frame.last() - frame.call())
            }
            _ => None,
        };
        let question = Question::new(recording, at, beginning, action)?;
        Ok(question.ok().map(|question| Asked { question, horizon, frame }))
    }

    /// Asks and checks.
    fn answer(
        &self,
        model: &Neural,
        recording: &mut Recording,
        asked: &Asked,
        number: usize,
        known: &Known,
    ) -> Result<StepRecord, SessionError> {
        let question = &asked.question;
        let mut record = about(asked, number, known);
        let ask = |sampling, samples| model.infer(question.clone(), sampling, samples)?.wait();
        let answers = match ask(GREEDY, 1) {
            Ok(answers) => answers,
            Err(error @ NeuralError::ProgramTooLong { .. }) => {
                return Ok(StepRecord { unjudged: Some(error.to_string()), ..record });
            }
            Err(error) => return Err(error.into()),
        };
        let samples = match self.sampling {
            None => Vec::new(),
            Some(drawn) => ask(self.drawing(drawn, known.item, number), drawn.samples)?,
        };
        let later = question.given().later();
        let mut checker = Checker::new(recording, question.given().clone());
        if let Some(answer) = answers.first() {
            let verdict = check(&mut checker, question, answer)?;
            record.judge(question.recorded(), answer, &verdict, &later);
        }
        let mut verdicts = Vec::with_capacity(samples.len());
        for sample in &samples {
            verdicts.push(check(&mut checker, question, sample)?);
        }
        record.samples = judged(&samples, &verdicts, &later);
        Ok(record)
    }
}

/// The outermost calls of a whole run that can be walked back through, latest first.
fn spans(recording: &mut Recording) -> Result<Vec<Span>, PythonError> {
    let mut end = 0;
    while recording.node(end)?.is_some() {
        end += 1;
    }
    let mut spans = Vec::new();
    while let Some(last) = end.checked_sub(1) {
        end = match Span::ending_at(recording, last)? {
            Ok(span) => {
                spans.push(span);
                span.call()
            }
            Err(_) => last,
        };
    }
    Ok(spans)
}

/// What an answer is worth. Where the program can't be run again, nobody knows.
fn check(
    checker: &mut Checker,
    question: &Question,
    answer: &Predicted<InverseStop>,
) -> Result<Verdict, SessionError> {
    match checker.check(question.action(), question.recorded(), answer) {
        Ok(verdict) => Ok(verdict),
        Err(error) if !is_its_own(&error) => Err(error.into()),
        Err(error) => Ok(Verdict::Unchecked(error.to_string())),
    }
}

fn judged(
    samples: &[Predicted<InverseStop>],
    verdicts: &[Verdict],
    later: &Locals,
) -> Vec<SampleRecord> {
    let same = |one: &Predicted<InverseStop>, other: &Predicted<InverseStop>| match (one, other) {
        (Predicted::Stop(one), Predicted::Stop(other)) => one.agrees_with(other, later),
        (Predicted::Malformed(one), Predicted::Malformed(other)) => one.raw == other.raw,
        _ => false,
    };
    let mut verdicts = verdicts.iter();
    records(samples, same, |_| {
        let verdict = verdicts.next();
        let name = verdict.map(|verdict| verdict.name().to_owned());
        (matches!(verdict, Some(Verdict::Exact)), name)
    })
}

/// What is known of a step back before the model answers.
fn about(asked: &Asked, number: usize, known: &Known) -> StepRecord {
    let question = &asked.question;
    let given = question.given();
    let position = given.state.position.as_ref();
    let line = position.map_or(0, |position| position.line);
    let constructs = (line as usize).checked_sub(1).and_then(|at| known.constructs.get(at));
    StepRecord {
        place: known.place,
        step: number,
        action: question.action().to_string(),
        from: given.at,
        line,
        depth: position.map_or(0, |position| position.depth),
        constructs: constructs.cloned().unwrap_or_default(),
        horizon: Some(asked.horizon),
        frame: asked.frame,
        event: match question.recorded() {
            InverseStop::At(state) => state.event.name().to_owned(),
            InverseStop::Entry(_) => "inv_entry".to_owned(),
        },
        fields: fields(question.recorded(), &given.later()),
        ..StepRecord::default()
    }
}

/// The fields that a model has to get right: of variables all that there are, those that it may
/// leave out as not changed.
fn fields(recorded: &InverseStop, later: &Locals) -> Vec<FieldRecord> {
    let plain = |field: Field| FieldRecord { field: field.to_string(), of: None, changed: true };
    let (InverseStop::At(told), InverseStop::At(whole)) = (recorded, recorded.in_full(later))
    else {
        return vec![plain(Field::Exit)];
    };
    let typed = |field: Field, text: &str, changed| FieldRecord {
        field: field.to_string(),
        of: Some(ValueType::of(text)),
        changed,
    };
    let mut fields = vec![plain(Field::Event), plain(Field::Source)];
    fields.extend(whole.value.iter().map(|value| typed(Field::Value, value, true)));
    fields.extend(whole.locals.pairs.iter().map(|(name, text)| {
        let changed = told.locals.pairs.get(name).is_some();
        typed(Field::Local(name.clone()), text, changed)
    }));
    fields
}

impl StepRecord {
    /// Takes in an answer going back and what it is worth.
    fn judge(
        &mut self,
        recorded: &InverseStop,
        answer: &Predicted<InverseStop>,
        verdict: &Verdict,
        later: &Locals,
    ) {
        self.agree = Some(matches!(verdict, Verdict::Exact));
        self.malformed = MalformedRecord::of(answer);
        let why = verdict.reason().map(str::to_owned);
        self.predecessor = Some(PredecessorRecord { verdict: verdict.name().to_owned(), why });
        let Predicted::Stop(said) = answer else { return };
        let (real, predicted) = (recorded.in_full(later), said.in_full(later));
        let difference = |field: Field| {
            let (real, predicted) = (text(&real, &field), text(&predicted, &field));
            let kind = match (&real, &predicted) {
                (Some(_), None) => "missing",
                (None, Some(_)) => "extra",
                _ => "changed",
            };
            DifferenceRecord { field: field.to_string(), kind: kind.to_owned(), real, predicted }
        };
        let differences = recorded.differences(said, later);
        self.diff = differences.into_iter().map(difference).collect();
    }
}

/// What a stop says in a field; none if it has none.
fn text(stop: &InverseStop, field: &Field) -> Option<String> {
    let InverseStop::At(InverseState { event, source, locals, value }) = stop else {
        return (*field == Field::Exit).then(|| "inv_entry".to_owned());
    };
    match field {
        Field::Event => Some(event.name().to_owned()),
        Field::Source => Some(source.to_string()),
        Field::Local(name) => locals.pairs.get(name).map(ToString::to_string),
        Field::Value => value.as_ref().map(ToString::to_string),
        Field::Locals | Field::Exception | Field::Exit => None,
    }
}
