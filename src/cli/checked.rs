//! The check of a program before it runs, in a process of its own: the compiler can take very long
//! and very much on text that was made for it, and that process can be lost.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::{CommandError, Done, tell};
use crate::check::{Finding, Kind, Severity, SyntaxError, check};
use crate::program::Program;

/// The hidden subcommand that checks a program.
const COMMAND: &str = "program-check";

/// How long a run is kept waiting for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Most memory that a check may take, in bytes.
#[cfg(unix)]
const MEMORY: u64 = 4 << 30;

/// Findings that are told before a run; `lockstep check` tells all.
const MOST_TOLD: usize = 10;

/// Checks the program on its standard input, and writes what it finds. Not for people.
pub fn main() -> Result<Done, CommandError> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        // Without the limit it is checked all the same.
        let _ = setrlimit(Resource::As, Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) });
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text)?;
    let findings = check(&text).unwrap_or_else(|SyntaxError(finding)| vec![finding]);
    serde_json::to_writer(std::io::stdout().lock(), &findings).map_err(std::io::Error::from)?;
    Ok(Done::Yes)
}

/// A check that goes on.
pub struct Checking {
    child: Child,
    output: Receiver<Vec<u8>>,
}

impl Checking {
    /// Begins to check this program.
    pub fn start(program: &Program) -> Result<Self, CommandError> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Its own group: an interrupt from the terminal is for the parent to handle.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let text = program.text().to_owned();
        let (sender, output) = mpsc::channel();
        thread::Builder::new().name("check".to_owned()).spawn(move || {
            // A child that is gone has no output, which tells enough.
            let _ = stdin.map(|mut stdin| stdin.write_all(text.as_bytes()));
            let mut bytes = Vec::new();
            let read = stdout.map(|mut stdout| stdout.read_to_end(&mut bytes));
            if matches!(read, Some(Ok(_))) {
                let _ = sender.send(bytes);
            }
        })?;
        Ok(Checking { child, output })
    }

    /// What it finds within this time; none if it takes too long, or too much memory.
    pub fn wait(mut self, patience: Duration) -> Option<Vec<Finding>> {
        let found = self.output.recv_timeout(patience).ok();
        let _ = self.child.kill();
        let _ = self.child.wait();
        serde_json::from_slice(&found?).ok()
    }

    /// What it finds before a run. A syntax error is no news, since then nothing runs.
    ///
    /// # Errors
    ///
    /// If the program can't run here.
    pub fn before_run(self, program: &Program) -> Result<Vec<Finding>, CommandError> {
        let mut findings = self.wait(PATIENCE).unwrap_or_default();
        let is_syntax =
            |finding: &Finding| matches!(finding.kind, Kind::SyntaxError | Kind::NestedTooDeeply);
        findings.retain(|finding| !is_syntax(finding));
        let error = findings.iter().find(|finding| finding.severity == Severity::Error);
        match error {
            None => Ok(findings),
            Some(error) => Err(CommandError::user(line(program, error))
                .hinted("the program can't run here; `lockstep check` shows all that it finds")
                .hinted("--no-check runs it all the same")),
        }
    }
}

/// Tells on the standard error stream what was found; that the program reads its input is worth a
/// line only where it gets none.
pub fn tell_findings(program: &Program, findings: &[Finding], has_input: bool) {
    let is_told = |finding: &&Finding| !(has_input && finding.kind == Kind::ReadsInput);
    let told: Vec<&Finding> = findings.iter().filter(is_told).collect();
    for finding in told.iter().take(MOST_TOLD) {
        tell(&line(program, finding));
    }
    if let Some(more @ 1..) = told.len().checked_sub(MOST_TOLD) {
        tell(&format!("{more} more; `lockstep check {}` shows all", program.name()));
    }
}

/// A finding in one line.
pub fn line(program: &Program, finding: &Finding) -> String {
    let Finding { span, severity, message, .. } = finding;
    format!("{}:{}:{}: {}: {message}", program.name(), span.line, span.column, severity.word())
}
