//! The engine thread: it owns a model's context and does one request after the other, so that
//! whoever asks can go on drawing, and can cancel.
//!
//! Every request belongs to a *generation*. Cancelling begins a new one: requests of earlier ones
//! stop within a few tokens (at most [`super::engine::CHUNK`]) and answer that they were cancelled.
//! An answer nobody waits for any more is dropped with its [`Pending`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use super::debugger::{Exits, Method, NeuralDebugger, NeuralError};
use super::dialect::Predicted;
use super::engine::Interrupt;
use super::model::{Model, ModelInfo};
use super::prediction::Prediction;
use super::sampling::Sampling;
use crate::action::Action;
use crate::inverse::{InverseStop, Question};
use crate::program::Program;
use crate::state::{State, Stop};

/// A request, carried to the thread with the way its answer goes back.
type Job = Box<dyn FnOnce(&mut NeuralDebugger<'_>, &Interrupt) + Send>;

/// A neural debugger on a thread of its own. Dropping it cancels what runs and ends the thread.
#[derive(Debug)]
pub struct Neural {
    model: Model,
    canceller: Canceller,
    jobs: Option<Sender<(u64, Job)>>,
    thread: Option<JoinHandle<()>>,
}

/// An answer that is on its way.
#[derive(Debug)]
pub struct Pending<T> {
    answer: Receiver<Result<T, NeuralError>>,
}

impl<T> Pending<T> {
    /// Waits for the answer.
    pub fn wait(self) -> Result<T, NeuralError> {
        self.answer.recv().unwrap_or(Err(NeuralError::Gone))
    }
}

/// Cancels a [`Neural`]'s requests, from any thread. One that outlives it does nothing.
#[derive(Clone, Debug, Default)]
pub struct Canceller {
    generation: Arc<AtomicU64>,
}

impl Canceller {
    /// Cancels all requests that are not answered yet.
    ///
    /// A cancelled request makes no step; but one that was done just before may have made one: who
    /// didn't see its answer should rewind to the step that they know.
    pub fn cancel(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }
}

impl Neural {
    /// Starts a thread with an engine for `model`; returns once the engine is there.
    pub fn start(model: Model) -> Result<Self, NeuralError> {
        let kept = model.clone();
        let canceller = Canceller::default();
        let (jobs, inbox) = mpsc::channel::<(u64, Job)>();
        let (ready, started) = mpsc::channel();
        let current = Arc::clone(&canceller.generation);
        let serve = move || {
            let failed = ready.clone();
            let served = model.dialect().map_err(NeuralError::from).and_then(|dialect| {
                let mut dialect = Some(dialect);
                model.run(&mut |engine| {
                    let Some(dialect) = dialect.take() else { return };
                    // Whoever started the thread may be gone already; then there is no job either.
                    let _ = ready.send(Ok(()));
                    let mut debugger =
                        NeuralDebugger::new(engine, dialect).with_decoding(model.info().decoding);
                    for (own, job) in &inbox {
                        job(&mut debugger, &Interrupt::new(Arc::clone(&current), own));
                    }
                })?;
                Ok(())
            });
            if let Err(error) = served {
                let _ = failed.send(Err(error));
            }
        };
        let thread = std::thread::Builder::new()
            .name("neural".to_owned())
            .spawn(serve)
            .map_err(|_| NeuralError::Gone)?;
        let neural = Neural { model: kept, canceller, jobs: Some(jobs), thread: Some(thread) };
        started.recv().unwrap_or(Err(NeuralError::Gone))?;
        Ok(neural)
    }

    /// What is known of the model.
    pub fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    /// Asks what came before a state, this often, beside the conversation; see
    /// [`NeuralDebugger::infer`]. An error at once if the model has no words for it.
    pub fn infer(
        &self,
        question: Question,
        sampling: Sampling,
        samples: u64,
    ) -> Result<Pending<Vec<Predicted<InverseStop>>>, NeuralError> {
        let dialect = self.model.inverse_dialect()?;
        Ok(self.ask(move |debugger, interrupt| {
            debugger.infer(&dialect, &question, sampling, samples, interrupt)
        }))
    }

    /// More answers to the question of the last step; see [`NeuralDebugger::sample`].
    pub fn sample(&self, sampling: Sampling, samples: u64) -> Pending<Vec<Predicted>> {
        self.ask(move |debugger, interrupt| debugger.sample(sampling, samples, interrupt))
    }

    /// How the run ends if it goes on from here; see [`NeuralDebugger::exits`].
    pub fn exits(&self) -> Pending<Option<Exits>> {
        self.ask(move |debugger, interrupt| debugger.exits(interrupt))
    }

    /// Starts a conversation; see [`NeuralDebugger::begin`].
    pub fn begin(&self, program: Program, first: State) -> Pending<()> {
        self.ask(move |debugger, interrupt| debugger.begin(&program, &first, interrupt))
    }

    /// Predicts an action and lets the context hold the truth; see [`NeuralDebugger::follow`].
    pub fn follow(&self, action: Action, truth: Stop, method: Method) -> Pending<Prediction> {
        self.ask(move |debugger, interrupt| debugger.follow(&action, &truth, method, interrupt))
    }

    /// Predicts an action and keeps the prediction; see [`NeuralDebugger::free`].
    pub fn free(&self, action: Action) -> Pending<Prediction> {
        self.ask(move |debugger, interrupt| debugger.free(&action, interrupt))
    }

    /// Replaces the last prediction by the truth; see [`NeuralDebugger::resync`].
    pub fn resync(&self, truth: Stop) -> Pending<()> {
        self.ask(move |debugger, interrupt| debugger.resync(&truth, interrupt))
    }

    /// Forgets all but the first `steps` steps; see [`NeuralDebugger::rewind`].
    pub fn rewind(&self, steps: usize) -> Pending<()> {
        self.ask(move |debugger, _| debugger.rewind(steps))
    }

    /// What cancels requests from other threads.
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// Cancels all requests that are not answered yet; see [`Canceller::cancel`].
    pub fn cancel(&self) {
        self.canceller.cancel();
    }

    fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut NeuralDebugger<'_>, &Interrupt) -> Result<T, NeuralError>
        + Send
        + 'static,
    ) -> Pending<T> {
        let (back, answer) = mpsc::channel();
        let job: Job = Box::new(move |debugger, interrupt| {
            let done = interrupt.check().map_err(NeuralError::from);
            let done = done.and_then(|()| work(debugger, interrupt));
            // Nobody may wait for it any more.
            let _ = back.send(done);
        });
        if let Some(jobs) = &self.jobs {
            // A thread that is gone drops the job; the pending answer then says so.
            let _ = jobs.send((self.canceller.generation.load(Ordering::Relaxed), job));
        }
        Pending { answer }
    }
}

impl Drop for Neural {
    fn drop(&mut self) {
        self.cancel();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic there was answered with `Gone` already.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::neural::dialect::debugger::{Conventions, NAMES};
    use crate::neural::testing::runs;
    use crate::neural::vocabulary::{ByteVocabulary, TokenId, Vocabulary};

    /// The model itself cancels, from the engine's thread, in the middle of an answer that would
    /// not end by itself.
    #[test]
    fn what_runs_can_be_cancelled_from_another_thread() {
        let run = runs().swap_remove(0);
        let vocabulary = Arc::new(ByteVocabulary::new(NAMES));
        let answer: Vec<TokenId> = ["<|call_sep|>", "<|src_sep|>"]
            .map(|name| vocabulary.control(name).unwrap())
            .into_iter()
            .chain(vocabulary.encode("x"))
            .collect();
        let frame = vocabulary.control("<|frame_sep|>").unwrap();
        let canceller: Arc<Mutex<Option<Canceller>>> = Arc::default();
        let (cancels, after) = (Arc::clone(&canceller), Arc::new(AtomicUsize::new(0)));
        let seen = Arc::clone(&after);
        let script = move |tokens: &[TokenId]| {
            let at = tokens.iter().rev().take_while(|id| **id != frame).count();
            match (at == 100).then(|| cancels.lock().unwrap().take()).flatten() {
                Some(canceller) => canceller.cancel(),
                None if at >= 100 => _ = seen.fetch_add(1, Ordering::Relaxed),
                None => {}
            }
            answer.get(at).or(answer.last()).copied().unwrap_or(frame)
        };
        let model = Model::scripted(Arc::new(script), vocabulary, Conventions::default(), 4096);
        let neural = Neural::start(model).unwrap();
        neural.begin(run.program.clone(), run.states[0].clone()).wait().unwrap();
        *canceller.lock().unwrap() = Some(neural.canceller());
        after.store(0, Ordering::Relaxed);
        let error = neural.free(Action::StepInto).wait().unwrap_err();
        assert!(error.is_cancelled());
        assert_eq!(error.to_string(), "interrupted");
        assert_eq!(after.load(Ordering::Relaxed), 0, "no token was written after that");
        // The thread goes on with what is asked next.
        let (action, truth) = run.all().swap_remove(0);
        let prediction = neural.follow(action, truth, Method::Generating).wait().unwrap();
        assert!(matches!(prediction.outcome, Predicted::Malformed(_)));
        assert!(!prediction.restarted);
        assert!(after.load(Ordering::Relaxed) > 0);
    }
}
