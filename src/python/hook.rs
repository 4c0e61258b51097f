//! The trace hook: turns `settrace`'s events into messages.
//!
//! Only frames of the program's own file are recorded: depth counts those alone, and code that the
//! program makes with `exec` or `eval` under another name runs unseen, like the standard library.
//!
//! Some differences of RustPython 0.6 from CPython 3.14 are evened out here; all were found on
//! programs, none is documented:
//! - a `StopIteration` without a value at a `for` or `yield from` is reported by CPython only if
//!   code of a program raised it, and by RustPython always;
//! - RustPython has a second line event after a `yield from` or `await` is resumed;
//! - it lacks the line event at the start of a generator or coroutine whose body begins on the line
//!   of its call, as that of a generator expression does;
//! - it goes on to report what is closed after the entry has returned.
//!
//! What it can't even out (an event that never comes) is in docs/deviations.md.

use std::collections::HashMap;
use std::rc::Rc;

use rustpython_vm::builtins::{PyBaseException, PyStrInterned, PyTuple};
use rustpython_vm::frame::{FrameObject, FrameObjectRef};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

use super::answers::Answers;
use super::change::Changes;
use super::instruction::At;
use super::limits::{Grouped, Reached};
use super::locals::{self, CodeInfo, Codes, FrameLocals};
use super::memory;
use super::never::{Loops, Visits};
use super::outbox::{self, outbox};
use super::sandbox::World;
use super::value::Renderer;
use super::wire::{self, Message};
use crate::state::{Event, ExitKind};

/// Turns trace events into messages.
pub struct Recorder {
    world: Rc<World>,
    renderer: Renderer,
    file: &'static PyStrInterned,
    loops: Loops,
    changes: Changes,
    /// In a run that is asked about its states: what answers. Then nothing is recorded.
    answers: Option<Answers>,
    codes: Codes,
    /// The traced frames that run, outermost first.
    stack: Vec<Active>,
    /// Generators that wait to be resumed, by the address of their frame.
    suspended: HashMap<usize, Active>,
    /// Locals of frames that ended, kept for their buffers.
    spare: Vec<FrameLocals>,
    activations: u32,
    /// The entry has returned. What dies after it, and is entered once more to be closed, is no
    /// part of the run.
    ended: bool,
    /// How the frame below the top was come back to, if nothing was recorded since.
    back: Option<Back>,
    /// Address of the frame into which an exception is being thrown.
    thrown_into: Option<usize>,
    /// Whether generators are on the stack that no event put there.
    silent: bool,
    /// Whether the latest exception was a `StopIteration`.
    raised_stop: bool,
    /// Messages of the event at hand.
    batch: Vec<u8>,
    scratch: String,
}

/// A traced frame.
struct Active {
    /// Address of its frame object.
    frame: usize,
    activation: u32,
    code: Rc<CodeInfo>,
    locals: FrameLocals,
    visits: Visits,
    last: Last,
    /// It runs again since an exception is thrown through it, though no event has said so.
    silent: bool,
}

/// What was recorded last in a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Other,
    /// Resumed in the middle of a `yield from` or `await`, on this line.
    ResumedWithin(u32),
    /// An exception, at this instruction.
    Exception(u32),
}

/// A return into a frame of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Back {
    /// Address of the frame.
    into: usize,
    /// What left for it was a `StopIteration`.
    by_stop: bool,
}

impl Recorder {
    /// A recorder of the frames whose code names `file`.
    pub fn new(
        world: Rc<World>,
        renderer: Renderer,
        file: &'static PyStrInterned,
        loops: Loops,
        changes: Changes,
        answers: Option<Answers>,
    ) -> Self {
        Recorder {
            world,
            renderer,
            file,
            loops,
            changes,
            answers,
            codes: Codes::default(),
            stack: Vec::new(),
            suspended: HashMap::new(),
            spare: Vec::new(),
            activations: 0,
            ended: false,
            back: None,
            thrown_into: None,
            silent: false,
            raised_stop: false,
            batch: Vec::new(),
            scratch: String::new(),
        }
    }

    /// Class and message of an exception.
    pub fn describe(
        &self,
        exception: &Py<PyBaseException>,
        vm: &VirtualMachine,
    ) -> (String, String) {
        self.renderer.exception(exception, vm)
    }

    /// Whether events of this frame are recorded.
    pub fn traces(&self, frame: &Py<FrameObject>) -> bool {
        !self.ended && frame.iframe().code().source_path().is(self.file)
    }

    /// Records an event, or ends the run at a limit. `word` is `settrace`'s.
    pub fn event(
        &mut self,
        frame: &FrameObjectRef,
        word: &[u8],
        argument: &PyObject,
        vm: &VirtualMachine,
    ) {
        let event = match word {
            b"call" => Event::Call,
            b"line" => Event::Line,
            b"return" => Event::Return,
            b"exception" => Event::Exception,
            _ => return,
        };
        let instruction = frame.lasti().wrapping_sub(1);
        let at = At::of(frame.iframe().code(), instruction);
        let address = address(frame);
        let thrown = std::mem::take(&mut self.thrown_into) == Some(address);
        match event {
            Event::Call if at == At::Yield => {
                self.thrown_into = Some(address);
                return;
            }
            Event::Exception if thrown => self.enter_thrown(frame, instruction, argument, vm),
            Event::Call if self.silent => {
                self.put_to_sleep(frame, vm);
                self.enter(frame, event, at);
            }
            _ => self.enter(frame, event, at),
        }
        let Some(active) = self.stack.last_mut() else { return };
        let line = active.code.line(instruction, event == Event::Call);
        // Its first line event is one that RustPython lacks.
        let starts_on_the_line_of_its_call = event == Event::Call
            && at == At::Start
            && active.code.resumable
            && active.code.line(instruction + 1, false) == line;

        let back = self.back.take().filter(|back| back.into == address);
        let last = std::mem::replace(&mut active.last, Last::Other);
        let mut unwinding = false;
        match event {
            Event::Call => {
                if at == At::ResumeWithin {
                    active.last = Last::ResumedWithin(line);
                }
            }
            Event::Line => {
                if last == Last::ResumedWithin(line) {
                    return;
                }
            }
            Event::Exception => {
                // CPython doesn't report the end of an iterator that is no code of a program.
                let from_program = match at {
                    At::For => back.is_some_and(|back| back.by_stop),
                    At::Send => back.is_some(),
                    _ => true,
                };
                if !from_program && stops_silently(argument, vm) {
                    active.last = last;
                    return;
                }
                active.last = Last::Exception(instruction);
                self.raised_stop = stops(argument, vm);
            }
            Event::Return => {
                unwinding = match at {
                    At::Return => false,
                    At::Yield => last == Last::Exception(instruction),
                    _ => true,
                };
            }
        }
        self.record(frame, event, unwinding, line, argument, vm);
        match event {
            Event::Return => self.leave(at, unwinding),
            Event::Call if starts_on_the_line_of_its_call => {
                self.record(frame, Event::Line, false, line, argument, vm);
            }
            // What will be changed on the way may end what repeats until then.
            Event::Line if self.changes.is_empty() && self.loops.has(line) => {
                self.visit(frame, instruction, line, vm)
            }
            _ => {}
        }
    }

    /// Records an event of the top frame, or ends the run at a limit.
    fn record(
        &mut self,
        frame: &FrameObjectRef,
        event: Event,
        unwinding: bool,
        line: u32,
        argument: &PyObject,
        vm: &VirtualMachine,
    ) {
        self.check_limits();
        // What is made here is gone again before the program goes on; if it set off a collection
        // of cycles, that would come at another place than in a run that makes less.
        vm.state.gc.disable();
        let at = self.world.steps.get();
        if self.changes.are_due(at) {
            let frames = self.frames(frame, vm);
            self.changes.make(at, &frames, &self.renderer, vm);
        }
        match self.answers.take() {
            None => {
                self.encode(frame, event, unwinding, line, argument, vm);
                outbox().push_event(&self.batch);
            }
            Some(mut answers) => {
                if !answers.passes(at) {
                    answers.give(at, &self.frames(frame, vm), &self.renderer, vm);
                }
                self.answers = Some(answers);
            }
        }
        self.world.steps.set(at + 1);
        vm.state.gc.enable();
    }

    /// The frames that run and have had an event since they were entered, innermost first.
    fn frames(&self, innermost: &FrameObjectRef, vm: &VirtualMachine) -> Vec<FrameObjectRef> {
        let callers = std::iter::successors(Some(innermost.clone()), |frame| frame.f_back(vm));
        let is_shown = |frame: &FrameObjectRef| {
            let address = address(frame);
            self.stack.iter().any(|active| active.frame == address && !active.silent)
        };
        callers.filter(is_shown).collect()
    }

    /// Ends the run if it is sure that it repeats from here for ever.
    fn visit(&mut self, frame: &FrameObjectRef, instruction: u32, line: u32, vm: &VirtualMachine) {
        let Some(Active { locals, code, visits, .. }) = self.stack.last_mut() else { return };
        let found = visits.visit(
            instruction,
            self.world.steps.get(),
            |texts| locals.texts_are(texts),
            || locals.texts(),
            || locals::whole_state(frame, code, vm),
        );
        let Some(repetition) = found else { return };
        let states = match repetition.period {
            1 => "state".to_owned(),
            many => format!("{} states", Grouped(many)),
        };
        let reason = format!("from line {line} on, everything repeats every {states}");
        outbox().finish(&Message::Exit {
            kind: ExitKind::Never,
            exception: None,
            reason: Some(&reason),
        })
    }

    /// Makes `frame` the top of the stack.
    fn enter(&mut self, frame: &FrameObjectRef, event: Event, at: At) {
        let address = address(frame);
        if event != Event::Call || at != At::Start {
            let top = self.stack.last().is_some_and(|active| active.frame == address);
            let known = match top {
                true => Some(self.stack.len() - 1),
                false => self.stack.iter().rposition(|active| active.frame == address),
            };
            if let Some(depth) = known {
                self.suspend_above(depth);
                self.stack[depth].silent = false;
                return;
            }
        }
        let resumed = match at {
            At::Start => None,
            _ => self.suspended.remove(&address),
        };
        let code = self.codes.get(frame.iframe().code());
        let active = match resumed.filter(|active| Rc::ptr_eq(&active.code, &code)) {
            Some(active) => active,
            None => {
                self.activations += 1;
                let locals = self.spare.pop().unwrap_or_default();
                let activation = self.activations - 1;
                let visits = Visits::default();
                let last = Last::Other;
                let frame = address;
                Active { frame, activation, code, locals, visits, last, silent: false }
            }
        };
        self.stack.push(active);
    }

    /// Takes the frames above `depth` off the stack: they went to sleep without an event of their
    /// own.
    fn suspend_above(&mut self, depth: usize) {
        for active in self.stack.drain(depth + 1..) {
            self.suspended.insert(active.frame, Active { silent: false, ..active });
        }
    }

    /// Takes the frames off the stack that `frame` wasn't called from.
    fn put_to_sleep(&mut self, frame: &FrameObjectRef, vm: &VirtualMachine) {
        let mut next = frame.f_back(vm);
        while let Some(caller) = next {
            let caller_address = address(&caller);
            if let Some(depth) = self.stack.iter().rposition(|a| a.frame == caller_address) {
                self.suspend_above(depth);
                self.silent = false;
                return;
            }
            next = caller.f_back(vm);
        }
    }

    /// Enters a generator into which an exception is thrown, and records the call. It comes here
    /// only with the exception: a `GeneratorExit` closes it alone, while any other is thrown through
    /// the generators that wait for it, which run again though no event says so.
    fn enter_thrown(
        &mut self,
        frame: &FrameObjectRef,
        instruction: u32,
        argument: &PyObject,
        vm: &VirtualMachine,
    ) {
        let exits = raised(argument)
            .is_some_and(|raised| raised.fast_isinstance(vm.ctx.exceptions.generator_exit));
        if !exits {
            self.resume_callers(frame, vm);
        }
        self.enter(frame, Event::Call, At::Yield);
        let Some(active) = self.stack.last() else { return };
        let line = active.code.line(instruction, true);
        self.record(frame, Event::Call, false, line, argument, vm);
    }

    /// Puts the generators back on the stack that wait for `frame`.
    fn resume_callers(&mut self, frame: &FrameObjectRef, vm: &VirtualMachine) {
        let mut callers = Vec::new();
        let mut next = frame.f_back(vm);
        while let Some(caller) = next {
            match self.suspended.remove(&address(&caller)) {
                Some(active) => callers.push(Active { silent: true, ..active }),
                None => break,
            }
            next = caller.f_back(vm);
        }
        self.silent |= !callers.is_empty();
        self.stack.extend(callers.into_iter().rev());
    }

    /// Takes the top frame off the stack after its return.
    fn leave(&mut self, at: At, unwinding: bool) {
        let Some(mut active) = self.stack.pop() else { return };
        let by_stop = unwinding && self.raised_stop;
        self.back = self.stack.last().map(|caller| Back { into: caller.frame, by_stop });
        if at == At::Yield && !unwinding {
            self.suspended.insert(active.frame, active);
        } else {
            self.ended = active.activation == 0;
            active.locals.clear();
            self.spare.push(active.locals);
        }
    }

    fn check_limits(&self) {
        let limits = &self.world.limits;
        let reached = if self.world.steps.get() >= limits.steps {
            Reached::Steps
        } else if self.stack.len() as u64 > u64::from(limits.depth) + 1 {
            Reached::Depth
        } else if memory::exceeded() {
            Reached::Memory
        } else {
            return;
        };
        outbox::stop(&limits.reason(reached));
    }

    /// Puts the messages of an event of the top frame into the batch.
    fn encode(
        &mut self,
        frame: &FrameObjectRef,
        event: Event,
        unwinding: bool,
        line: u32,
        argument: &PyObject,
        vm: &VirtualMachine,
    ) {
        self.batch.clear();
        self.codes.announce(&mut self.batch);
        let depth = self.stack.len() as u32 - 1;
        let Some(active) = self.stack.last_mut() else { return };
        active.locals.update(
            frame,
            &active.code,
            &mut self.codes,
            &self.renderer,
            &mut self.batch,
            vm,
        );
        self.scratch.clear();
        match event {
            Event::Return => {
                self.renderer.render(argument, &mut self.scratch, vm);
                append(&mut self.batch, &Message::Value(&self.scratch));
            }
            Event::Exception => {
                if let Some(exception) = raised(argument) {
                    let exception = exception.downcast_ref::<PyBaseException>();
                    let (class, message) = match exception {
                        Some(exception) => self.renderer.exception(exception, vm),
                        None => ("?".to_owned(), String::new()),
                    };
                    let raised = Message::Raised { class: &class, message: &message };
                    append(&mut self.batch, &raised);
                }
            }
            Event::Call | Event::Line => {}
        }
        let (code, activation) = (active.code.id, active.activation);
        let event = Message::Event { event, unwinding, code, activation, line, depth };
        append(&mut self.batch, &event);
    }
}

/// Appends a message. That can't fail: a batch in memory takes any message.
pub(super) fn append(batch: &mut Vec<u8>, message: &Message) {
    let appended = wire::append(batch, message);
    debug_assert!(appended.is_ok());
}

fn address(frame: &Py<FrameObject>) -> usize {
    std::ptr::from_ref(frame) as usize
}

/// The exception of an exception event's argument: the second of (class, exception, traceback).
fn raised(argument: &PyObject) -> Option<PyObjectRef> {
    argument.downcast_ref::<PyTuple>()?.as_slice().get(1).cloned()
}

/// Whether an exception event is a `StopIteration`.
fn stops(argument: &PyObject, vm: &VirtualMachine) -> bool {
    raised(argument)
        .is_some_and(|exception| exception.fast_isinstance(vm.ctx.exceptions.stop_iteration))
}

/// Whether an exception event is a `StopIteration` without a value.
fn stops_silently(argument: &PyObject, vm: &VirtualMachine) -> bool {
    raised(argument).is_some_and(|exception| {
        exception.class().is(vm.ctx.exceptions.stop_iteration)
            && exception
                .downcast_ref::<PyBaseException>()
                .is_some_and(|stop| stop.args().as_slice().is_empty())
    })
}
