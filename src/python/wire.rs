//! What goes over the pipes between the debugger and the Python host.
//!
//! One [`Request`] goes down, and [`Command`]s may follow; [`Message`]s come up in batches. A frame is four bytes of length
//! (little endian) and that many bytes of postcard. Messages are flat: what changed since the last
//! event comes first, and the [`Message::Event`] that follows commits it. So neither side allocates
//! for an event, and a reader that is cut off in the middle still has every whole event.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use super::edit::Edit;
use super::limits::Limits;
use super::question::{Answer, Ask};
use crate::state::{Event, ExitKind};

/// Version of this protocol; both sides are one executable, so a mismatch means that the program
/// was replaced while it ran.
pub const VERSION: u32 = 2;

/// Longest frame, in bytes. Longer ones are refused unread.
pub const MAX_FRAME: u32 = 64 * 1024 * 1024;

/// What to run, and within which limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// [`VERSION`] of the sender.
    pub version: u32,
    /// What the program is run for.
    pub purpose: Purpose,
    /// The program's name, as tracebacks and records give it.
    pub name: String,
    /// Its text.
    pub source: String,
    /// The function to call, if one was asked for.
    pub entry: Option<String>,
    /// What the program reads from its standard input.
    pub stdin: String,
    /// What happens when it reads more.
    pub on_input: OnInput,
    /// What is changed on the way.
    pub edits: Vec<Edit>,
    /// What `random` and the system's entropy start from.
    pub seed: u64,
    /// What the clock shows at the start, in nanoseconds since the epoch.
    pub clock: u64,
    /// When to stop it.
    pub limits: Limits,
}

/// What happens when a program reads more than it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnInput {
    /// It finds the end of its input.
    #[default]
    End,
    /// It waits until somebody answers.
    Ask,
}

/// What a program is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// To record what it does.
    Record,
    /// To be asked about its states: nothing is sent but answers.
    Inspect,
}

/// What the parent says after its request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Run on to a state, which doesn't lie before the last one that was asked about, and answer.
    Ask(Ask),
    /// What the program reads that waits for it; none for the end of the input.
    Input(Option<String>),
}

/// One of the program's output streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// `sys.stdout`
    Stdout,
    /// `sys.stderr`
    Stderr,
}

impl Stream {
    /// The word for this stream in JSON and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        }
    }
}

/// What the host says, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message<'a> {
    /// First of all: the host's [`VERSION`].
    Hello {
        /// The version.
        version: u32,
    },
    /// The program compiled and its entry is known: what runs from here on is the program.
    Ready,
    /// The next entry of the table of names, numbered from 0.
    Name(&'a str),
    /// The next entry of the table of code objects, numbered from 0.
    Code {
        /// Number of its qualified name.
        function: u32,
    },
    /// A local variable has a new value.
    Set {
        /// Its place in the frame: locals are shown in the order of their slots.
        slot: u32,
        /// Number of its name.
        name: u32,
        /// The value's text.
        text: &'a str,
    },
    /// A local variable is gone.
    Unset {
        /// Its place in the frame.
        slot: u32,
    },
    /// The value that the coming return event returns.
    Value(&'a str),
    /// The exception of the coming exception event.
    Raised {
        /// Name of its class.
        class: &'a str,
        /// Its message.
        message: &'a str,
    },
    /// An event, which commits what came since the last one.
    Event {
        /// The event.
        event: Event,
        /// At a return: it leaves the frame by an exception.
        unwinding: bool,
        /// Number of the code object.
        code: u32,
        /// Number of the frame.
        activation: u32,
        /// The line, 1-based; 0 at the entry of a module.
        line: u32,
        /// Traced frames below this one.
        depth: u32,
    },
    /// The program wrote this after the last event.
    Output {
        /// Where to.
        stream: Stream,
        /// What.
        text: &'a str,
    },
    /// The program read something after the last event.
    Read {
        /// What stood on the line of its output by then.
        prompt: &'a str,
        /// What it read; empty at the end of the input.
        text: &'a str,
    },
    /// The program waits for [`Command::Input`].
    Wanted {
        /// What stands on the line of its output.
        prompt: &'a str,
    },
    /// The state that a question is about is reached; its answer comes next.
    Reached,
    /// The answer.
    Answer(Answer),
    /// The end of the run, and the last message.
    Exit {
        /// How it ended.
        kind: ExitKind,
        /// Class and message of the exception that ended it.
        exception: Option<(&'a str, &'a str)>,
        /// Why it was stopped, or what repeats.
        reason: Option<&'a str>,
    },
    /// The program can't be run, and the last message.
    Refused(Refusal),
}

/// Why a program can't be run to its entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// It doesn't compile.
    Syntax {
        /// 1-based line, 0 if unknown.
        line: u32,
        /// 1-based column in characters, 0 if unknown.
        column: u32,
        /// What is wrong, in Python's words.
        message: String,
    },
    /// It has no such function.
    NoEntry {
        /// What was asked for.
        name: String,
        /// The functions that can be called without arguments.
        candidates: Vec<String>,
        /// The one that was meant, probably.
        meant: Option<String>,
    },
    /// The function needs arguments, or can't be called.
    BadEntry {
        /// What was asked for.
        name: String,
        /// Why it can't be the entry.
        why: String,
    },
    /// The module's own statements raised before the entry could be called.
    ModuleFailed {
        /// The function that was to be called.
        entry: String,
        /// Class of the exception.
        class: String,
        /// Its message.
        message: String,
        /// Line of the module that raised, 1-based; 0 if unknown.
        line: u32,
    },
    /// A variable can't be set.
    Change {
        /// Index of the state.
        at: u64,
        /// The variable.
        name: String,
        /// The expression of its value.
        expression: String,
        /// Why.
        why: String,
    },
}

/// What goes wrong on the pipes.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The pipe itself failed.
    #[error("the pipe to the Python host failed: {0}")]
    Io(#[from] io::Error),
    /// The length says more than [`MAX_FRAME`].
    #[error("a frame of {0} bytes came over the pipe; at most {MAX_FRAME} are allowed")]
    TooLong(u32),
    /// The bytes are no message.
    #[error("{0} bytes came over the pipe that are no message of protocol {VERSION}")]
    Garbled(usize),
}

/// Writes one frame.
pub fn write_frame(to: &mut impl Write, bytes: &[u8]) -> Result<(), WireError> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    if length > MAX_FRAME {
        return Err(WireError::TooLong(length));
    }
    to.write_all(&length.to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()?;
    Ok(())
}

/// Reads one frame; none at the end of the pipe, also if it ends within a frame. Memory grows with
/// what really comes, not with what the length promises.
pub fn read_frame(from: &mut impl Read) -> Result<Option<Vec<u8>>, WireError> {
    let mut length = [0; 4];
    if !read_whole(from, &mut length)? {
        return Ok(None);
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_FRAME {
        return Err(WireError::TooLong(length));
    }
    let mut bytes = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut bytes)?;
    Ok((bytes.len() == length as usize).then_some(bytes))
}

/// Fills `bytes`; false if the pipe ends first.
fn read_whole(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The bytes of a request.
pub fn encode_request(request: &Request) -> Result<Vec<u8>, WireError> {
    postcard::to_stdvec(request).map_err(|_| WireError::Garbled(0))
}

/// The request in these bytes.
pub fn decode_request(bytes: &[u8]) -> Result<Request, WireError> {
    postcard::from_bytes(bytes).map_err(|_| WireError::Garbled(bytes.len()))
}

/// The bytes of a command.
pub fn encode_command(command: &Command) -> Result<Vec<u8>, WireError> {
    postcard::to_stdvec(command).map_err(|_| WireError::Garbled(0))
}

/// The command in these bytes.
pub fn decode_command(bytes: &[u8]) -> Result<Command, WireError> {
    postcard::from_bytes(bytes).map_err(|_| WireError::Garbled(bytes.len()))
}

/// Appends a message to a batch.
pub fn append(batch: &mut Vec<u8>, message: &Message) -> Result<(), WireError> {
    postcard::serialize_with_flavor(message, Batch(batch)).map_err(|_| WireError::Garbled(0))
}

/// The first message of a batch and the rest.
pub fn split_first(batch: &[u8]) -> Result<(Message<'_>, &[u8]), WireError> {
    postcard::take_from_bytes(batch).map_err(|_| WireError::Garbled(batch.len()))
}

/// Lets postcard write slices at once.
struct Batch<'a>(&'a mut Vec<u8>);

impl postcard::ser_flavors::Flavor for Batch<'_> {
    type Output = ();

    fn try_extend(&mut self, data: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(data);
        Ok(())
    }

    fn try_push(&mut self, data: u8) -> postcard::Result<()> {
        self.0.push(data);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::question::{Evaluated, Question};
    use proptest::prelude::*;

    /// What a message is made of: which one, its numbers, its text.
    type Parts = (u8, (u32, u32, u32, u32), bool, String);

    fn parts() -> impl Strategy<Value = Parts> {
        (0..19u8, any::<(u32, u32, u32, u32)>(), any::<bool>(), ".{0,12}")
    }

    fn message((which, (a, b, c, d), flag, text): &Parts) -> Message<'_> {
        let (a, b, line, depth, flag) = (*a, *b, *c, *d, *flag);
        let events = [Event::Call, Event::Line, Event::Return, Event::Exception];
        let kinds = [ExitKind::Normal, ExitKind::Error, ExitKind::Never, ExitKind::Stopped];
        let syntax = Refusal::Syntax { line, column: a, message: text.clone() };
        let no_entry = Refusal::NoEntry {
            name: text.clone(),
            candidates: vec![text.clone(); 3],
            meant: flag.then(|| text.clone()),
        };
        match which {
            0 => Message::Ready,
            1 => Message::Hello { version: a },
            2 => Message::Name(text),
            3 => Message::Code { function: a },
            4 => Message::Set { slot: a, name: b, text },
            5 => Message::Unset { slot: a },
            6 => Message::Value(text),
            7 => Message::Raised { class: text, message: text },
            8 => Message::Output { stream: Stream::Stderr, text },
            9 => Message::Refused(syntax),
            10 => Message::Refused(no_entry),
            11 => Message::Exit {
                kind: kinds[a as usize % 4],
                exception: flag.then_some((text, text)),
                reason: (!flag).then_some(text),
            },
            15 => Message::Read { prompt: text, text },
            16 => Message::Wanted { prompt: text },
            17 => Message::Refused(Refusal::Change {
                at: a.into(),
                name: text.clone(),
                expression: text.clone(),
                why: text.clone(),
            }),
            12 => Message::Reached,
            13 => Message::Answer(Answer::NoFrame { running: a }),
            14 => Message::Answer(Answer::Evaluated {
                result: Evaluated::Value {
                    text: text.as_str().into(),
                    truthy: flag,
                    identity: flag.then_some(b),
                },
                written: vec![(Stream::Stdout, text.clone())],
                spoils: !flag,
            }),
            _ => Message::Event {
                event: events[a as usize % 4],
                unwinding: flag,
                code: a,
                activation: b,
                line,
                depth,
            },
        }
    }

    fn ask(at: u64, frame: u32, expression: String) -> Command {
        Command::Ask(Ask { at, frame, question: Question::Evaluate { expression } })
    }

    #[test]
    fn a_frame_that_is_too_long_is_refused_before_it_is_read() {
        let mut bytes: &[u8] = &[0xff; 8];
        assert!(matches!(read_frame(&mut bytes), Err(WireError::TooLong(u32::MAX))));
    }

    #[test]
    fn a_pipe_that_ends_within_a_frame_ends() {
        for cut in 0..7 {
            let mut bytes = Vec::new();
            write_frame(&mut bytes, b"abc").unwrap();
            bytes.truncate(cut);
            assert!(matches!(read_frame(&mut bytes.as_slice()), Ok(None)), "{cut}");
        }
    }

    proptest! {
        #[test]
        fn batches_read_back(parts in proptest::collection::vec(parts(), 0..8)) {
            let mut batch = Vec::new();
            for part in &parts {
                append(&mut batch, &message(part)).unwrap();
            }
            let mut framed = Vec::new();
            write_frame(&mut framed, &batch).unwrap();
            let batch = read_frame(&mut framed.as_slice()).unwrap().unwrap();
            let mut rest = batch.as_slice();
            for part in &parts {
                let (first, after) = split_first(rest).unwrap();
                prop_assert_eq!(first, message(part));
                rest = after;
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn garbage_is_an_error_or_a_message_but_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut rest = bytes.as_slice();
            while let Ok((_, after)) = split_first(rest) {
                if after.len() == rest.len() {
                    break;
                }
                rest = after;
            }
            let _ = decode_request(&bytes);
            let _ = decode_command(&bytes);
            let _ = read_frame(&mut bytes.as_slice());
        }

        #[test]
        fn commands_read_back(at in any::<u64>(), frame in any::<u32>(), expression in ".{0,9}") {
            let input = Command::Input((at % 2 == 0).then(|| expression.clone()));
            for command in [ask(at, frame, expression), input] {
                let bytes = encode_command(&command).unwrap();
                prop_assert_eq!(decode_command(&bytes).unwrap(), command);
            }
        }

        #[test]
        fn requests_read_back(name in ".{0,9}", source in ".{0,40}", entry in proptest::option::of(".{1,9}"), stdin in ".{0,9}", seed in any::<u64>()) {
            let limits = Limits::default();
            let edits = vec![
                Edit::Set { at: 3, frame: 1, name: name.clone(), expression: source.clone() },
                Edit::Answer { at: 1, choice: 0, text: entry.clone() },
            ];
            let request = Request { version: VERSION, purpose: Purpose::Inspect, name, source, entry, stdin, limits, on_input: OnInput::Ask, edits, seed, clock: seed };
            prop_assert_eq!(decode_request(&encode_request(&request).unwrap()).unwrap(), request);
        }
    }
}
