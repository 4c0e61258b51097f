//! The real side: runs a program with RustPython in a child process and records what it does.
//!
//! The child ([`host`]) and the parent ([`Recording`]) are the same executable; [`wire`] is what
//! they say to each other. The parent never parses or runs Python: a hostile program can take down
//! its host, and nothing else.

mod answers;
mod change;
mod child;
mod edit;
mod entry;
mod error;
mod harmless;
mod hook;
pub mod host;
mod input;
mod inspect;
mod instruction;
mod library;
mod limits;
mod locals;
mod mask;
mod memory;
mod message;
mod never;
pub mod nursery;
mod object;
mod options;
mod outbox;
mod purity;
mod question;
mod recording;
mod repr;
mod sandbox;
mod seal;
mod store;
mod structure;
mod value;
pub mod wire;

pub use child::{HOST_COMMAND, NURSERY_COMMAND};
pub use edit::{Edit, Moment};
pub use error::{PythonError, SyntaxError};
pub use inspect::Inspector;
pub use limits::{Grouped, Limits, MAX_VALUE, Reached};
pub use memory::CountingAllocator;
pub use nursery::Nursery;
pub use options::RunOptions;
pub use question::{BadPath, Child, Children, Evaluated, Kind, Path};
pub use recording::{Recording, Wanted};
pub use store::{Choice, Misfit, Output};
pub use wire::{OnInput, Stream};

/// The interpreter, and the version of Python that it follows.
pub const INTERPRETER: &str = "RustPython 0.6.0 (Python 3.14)";
