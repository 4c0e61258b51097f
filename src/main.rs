//! The `lockstep` program: parse, dispatch, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(lockstep::cli::run())
}
