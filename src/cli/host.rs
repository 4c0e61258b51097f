//! `lockstep python-host`: the child process that runs a program. Not for people: it speaks the
//! wire protocol of `python::wire` on its standard streams.

use clap::Args;

use super::{CommandError, Done};

/// Runs a program for the parent process and streams its events
#[derive(Args, Debug)]
pub struct HostArgs {}

pub fn run(_args: &HostArgs) -> Result<Done, CommandError> {
    crate::python::host::main();
    Ok(Done::Yes)
}
