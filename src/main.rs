//! The `lockstep` program: parse, dispatch, exit code.

use std::process::ExitCode;

use lockstep::python::CountingAllocator;

/// Counts what a debuggee holds; this executable is its host too.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    ExitCode::from(lockstep::cli::run())
}
