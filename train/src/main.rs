//! `lockstep-train`: parse, dispatch, exit code.

mod cli;

use std::process::ExitCode;

/// Keeps pages between steps: each step asks for the same buffers again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("lockstep-train: {error}");
            ExitCode::from(2)
        }
    }
}
