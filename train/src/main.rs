//! `lockstep-train`: parse, dispatch, exit code.

mod cli;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` in mimalloc.h; the crate names only some of the options.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Keeps pages that are free: each step asks for the same buffers again, and those that come from
/// the system must be cleared, which took a tenth of the time.
fn keep_pages() {
    // SAFETY: sets a number that the allocator reads when it frees pages.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, -1) }
}

fn main() -> ExitCode {
    keep_pages();
    match cli::run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("lockstep-train: {error}");
            ExitCode::from(2)
        }
    }
}
