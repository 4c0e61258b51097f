//! A check of a program before it runs: what can't run here says so before, not after.
//!
//! The program's text is compiled without an interpreter, which finds what Python itself refuses.
//! Then its syntax tree is looked through for names that nothing binds, statements that nothing
//! reaches, imports that fail here, places where the order of a set shows, and reads of the standard
//! input. A finding is only made where it is certain: what a program could do by `exec`,
//! `globals()` or a caught exception, it is taken to do.
//!
//! The parser and the compiler are recursive and run on text that nobody has looked at. A check has
//! a thread with a large stack for them, and refuses what is nested too deeply for it (depth.rs).
//! Time and memory are not bounded here, and the compiler's grow faster than the program (20,000
//! functions take seconds, each `try` in a `finally` doubles it): give programs that nobody has
//! looked at to a check in a child process with a deadline.

mod binder;
pub mod builtins;
mod depth;
mod finding;
mod flow;
mod handlers;
mod imports;
mod input;
pub mod modules;
mod names;
#[cfg(test)]
mod oracle;
mod render;
mod scopes;
mod sets;
mod syntax;
#[cfg(test)]
mod tests;

pub use finding::{Finding, Kind, Severity, Span, SyntaxError};
pub use render::render;

use finding::Places;
use ruff_python_ast::Stmt;
use scopes::Scopes;

/// Stack of a check, in bytes.
///
/// The compiler goes down 1,000 levels, the most costly of which (nested functions) were measured
/// to need more than 2 MiB and less than 8 MiB.
const STACK: usize = 64 * 1024 * 1024;

/// Most findings that a check gives: more than a person reads, and a bound for a program that is
/// made of them.
pub const MAX_FINDINGS: usize = 1_000;

/// Checks a program.
///
/// Gives what was found, sorted by place: the first [`MAX_FINDINGS`]. Lines are separated by `\n`,
/// as in [`crate::program::Program::text`].
///
/// # Errors
///
/// The first error of the compiler, if the program doesn't compile.
pub fn check(source: &str) -> Result<Vec<Finding>, SyntaxError> {
    on_large_stack(&|| examine(source))
}

/// Looks at a program's syntax tree; none if it doesn't parse, or is nested too deeply to be looked
/// at. The text must be one that a check got through: parsing has no deadline.
pub fn with_tree<R: Send>(source: &str, look: impl Fn(&[Stmt]) -> R + Sync) -> Option<R> {
    on_large_stack(&|| {
        depth::bounded(&Places::new(source)).ok()?;
        let parsed = ruff_python_parser::parse_module(source).ok()?;
        Some(look(parsed.suite()))
    })
}

/// Does recursive work where there is room for it.
fn on_large_stack<R: Send>(work: &(impl Fn() -> R + Sync)) -> R {
    let done = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map(std::thread::ScopedJoinHandle::join)
    });
    match done {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        // No memory for a large stack: this thread's will do for any ordinary program.
        Err(_) => work(),
    }
}

fn examine(source: &str) -> Result<Vec<Finding>, SyntaxError> {
    let places = Places::new(source);
    depth::bounded(&places)?;
    let mut findings = syntax::compile(&places)?;
    // What compiles also parses, but for `<>` under `from __future__ import barry_as_FLUFL`.
    if let Ok(parsed) = ruff_python_parser::parse_module(source) {
        let body = parsed.suite();
        let scopes = Scopes::of(body);
        findings.extend(names::check(&scopes, &places));
        findings.extend(flow::check(body, &places));
        findings.extend(imports::check(body, &places));
        findings.extend(sets::check(body, &scopes, &places));
        findings.extend(input::check(body, &scopes, &places));
    }
    findings.sort();
    findings.dedup();
    findings.truncate(MAX_FINDINGS);
    Ok(findings)
}
