//! Programs that want to hang the debugger, hide from it or take it down: each ends in the state
//! that its user would expect, with the limit named, and in bounded memory.
//!
//! The programs stand in hostile.py, or are made here where they are too large to be written out.
//! Before each stands `#: name | how it ends`, with `or` between ends that depend on how fast the
//! machine is or how much native stack a call takes. `# sees: line` names a line that the recording
//! must hold a state of.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use lockstep::python::{Limits, PythonError, Reached};
use lockstep::state::{Exit, ExitKind};

use super::{options, record, start, states};

/// A hostile program.
struct Case {
    name: String,
    /// How it may end, in the words of [`outcome`].
    ends: Vec<String>,
    source: String,
}

impl Case {
    fn new(name: &str, ends: &str, source: impl Into<String>) -> Self {
        let ends = ends.split(" or ").map(str::to_owned).collect();
        Case { name: name.to_owned(), ends, source: source.into() }
    }

    /// Tight limits. A program whose end is the time limit gets little of it; any other has so much
    /// that a busy machine is no reason to reach it.
    fn limits(&self) -> Limits {
        let hangs = self.ends.iter().any(|end| end == "stopped time");
        let time = Duration::from_secs(if hangs { 1 } else { 30 });
        Limits { time, ..super::limits() }
    }

    /// What is wrong with how it runs.
    fn failure(&self) -> Option<String> {
        let mut options = options();
        options.limits = self.limits();
        let mut recording = match start(&self.source, &options) {
            Ok(recording) => recording,
            Err(error) => return self.unexpected(&refused(&error)),
        };
        let exit = match recording.exit() {
            Ok(exit) => exit,
            Err(error) => return Some(format!("{}: {error}", self.name)),
        };
        if let Some(failure) = self.unexpected(&outcome(&exit, &options.limits)) {
            return Some(failure);
        }
        let sees = self.source.lines().filter_map(|line| line.strip_prefix("# sees: "));
        let missed: Vec<&str> = sees
            .filter(|line| !states(&mut recording).iter().any(|s| s.source.trim() == *line))
            .collect();
        (!missed.is_empty()).then(|| format!("{}: hides {missed:?}", self.name))
    }

    fn unexpected(&self, outcome: &str) -> Option<String> {
        let expected = self.ends.iter().any(|end| end == outcome);
        (!expected).then(|| format!("{}: {outcome}, not {}", self.name, self.ends.join(" or ")))
    }
}

/// How a run ended, in words: `normal`, `error KeyError`, `stopped time`, `never`.
fn outcome(exit: &Exit, limits: &Limits) -> String {
    let reason = exit.reason.as_deref().unwrap_or_default();
    let class = exit.exception.as_ref().map_or("", |raised| &*raised.class);
    match exit.kind {
        ExitKind::Normal | ExitKind::Never => exit.kind.name().to_owned(),
        ExitKind::Error => format!("error {class}"),
        ExitKind::Stopped => {
            let known = [
                ("steps", limits.reason(Reached::Steps)),
                ("time", limits.reason(Reached::Time)),
                ("memory", limits.reason(Reached::Memory)),
                ("output", limits.reason(Reached::Output)),
                ("depth", limits.reason(Reached::Depth)),
                ("stack", "the interpreter's native stack is exhausted".to_owned()),
            ];
            match known.iter().find(|(_, said)| said == reason) {
                Some((word, _)) => format!("stopped {word}"),
                None if reason.starts_with("the Python interpreter failed: ") => {
                    "stopped interpreter".to_owned()
                }
                None => format!("stopped: {reason}"),
            }
        }
    }
}

/// How a program was refused, in words.
fn refused(error: &PythonError) -> String {
    match error {
        PythonError::Syntax(_) => "refused".to_owned(),
        other => format!("refused: {other}"),
    }
}

/// The programs of hostile.py.
fn written() -> Vec<Case> {
    let file = crate::support::repository().join("tests/python/hostile.py");
    let text = std::fs::read_to_string(file).unwrap();
    let parts = text.strip_prefix("#: ").unwrap().split("\n#: ");
    parts
        .map(|part| {
            let (head, source) = part.split_once('\n').unwrap();
            let (name, ends) = head.split_once(" | ").unwrap();
            Case::new(name, ends, source)
        })
        .collect()
}

/// Programs that are large or deep.
fn made() -> Vec<Case> {
    let nested = |open: &str, inside: &str, close: &str, times: usize| {
        format!("x = {}{inside}{}\n", open.repeat(times), close.repeat(times))
    };
    let indented = |head: &str, levels: usize| {
        let heads: String = (0..levels).map(|n| format!("{}{head}\n", " ".repeat(n))).collect();
        format!("x = 1\n{heads}{}pass\n", " ".repeat(levels))
    };
    let variables: String = (0..30_000).map(|n| format!("    v{n} = {n}\n")).collect();
    let names: String = (0..20_000).map(|n| format!("v{n} = ")).collect();
    vec![
        Case::new("5,000 parentheses", "refused", nested("(", "1", ")", 5_000)),
        Case::new("100,000 open brackets", "refused", nested("[", "", "", 100_000)),
        Case::new("100,000 minus signs", "refused", nested("-", "1", "", 100_000)),
        Case::new("100,000 times not", "refused", nested("not ", "1", "", 100_000)),
        Case::new("10,000 lambdas", "refused", nested("lambda: ", "1", "", 10_000)),
        Case::new("50,000 plus signs", "refused", nested("", "1", " + 1", 50_000)),
        Case::new("50,000 attributes", "refused", nested("", "a", ".b", 50_000)),
        Case::new("50,000 calls", "refused", nested("", "a", "()", 50_000)),
        Case::new("50,000 comparisons", "normal", nested("", "1", " < 2", 50_000)),
        Case::new(
            "an f-string of 5,000 parts",
            "normal",
            format!("x = 1\nx = f'{}'\n", "{x}".repeat(5_000)),
        ),
        Case::new("a statement 10,000 times", "normal", "x = 1\n".repeat(10_000)),
        Case::new(
            "150,000 statements in one line",
            "stopped time",
            "x = 1; ".repeat(150_000) + "\n",
        ),
        Case::new("a string of 1 MB", "normal", format!("x = '{}'\n", "é".repeat(500_000))),
        Case::new("a comment of 1 MB", "normal", format!("x = 1 # {}\n", "x".repeat(1_000_000))),
        Case::new("a name of 1 MB", "normal", format!("{} = 1\n", "x".repeat(1_000_000))),
        Case::new("1,000 nested ifs", "refused", indented("if x:", 1_000)),
        Case::new("1,000 nested functions", "refused", indented("def f():", 1_000)),
        Case::new("50 nested loops", "refused", indented("for i in [1]:", 50)),
        Case::new("20,000 names in one assignment", "normal", format!("{names}1\n")),
        Case::new("30,000 local variables", "stopped steps", format!("def main():\n{variables}")),
        Case::new("10,000 decorators", "stopped steps", "@id\n".repeat(10_000) + "def f(): pass\n"),
        Case::new(
            "20,000 branches of one if",
            "normal",
            format!("x = 1\nif x == 2: pass\n{}", "elif x == 3: pass\n".repeat(19_000)),
        ),
    ]
}

/// The host's own memory, its stack included, and what a program may allocate beyond its limit
/// before that is noticed; in bytes.
const MEMORY_BEYOND_LIMIT: u64 = 400 << 20;

#[test]
fn hostile_programs_end_as_their_users_expect() {
    let mut cases = written();
    cases.extend(made());
    let next = Mutex::new(cases.iter());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let watch = MemoryWatch::start();
                loop {
                    let Some(case) = next.lock().unwrap().next() else { break };
                    let mut failure = case.failure();
                    let (held, limit) = (watch.take(), case.limits().memory);
                    if held > limit + MEMORY_BEYOND_LIMIT {
                        failure = Some(format!("{}: its host held {held} bytes", case.name));
                    }
                    failures.lock().unwrap().extend(failure);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(cases.len() > 150, "{} programs", cases.len());
    assert!(failures.is_empty(), "of {} programs:\n{}", cases.len(), failures.join("\n"));
}

/// Looks after the memory of the processes that one thread starts. Only Linux tells it; elsewhere
/// none is ever seen.
struct MemoryWatch {
    most: std::sync::Arc<AtomicU64>,
    done: std::sync::Arc<AtomicBool>,
}

impl MemoryWatch {
    /// Watches the children of the calling thread.
    fn start() -> Self {
        let watch = MemoryWatch { most: Default::default(), done: Default::default() };
        let (most, done) = (watch.most.clone(), watch.done.clone());
        if let Ok(thread) = std::fs::read_link("/proc/thread-self") {
            let children = Path::new("/proc").join(thread).join("children");
            std::thread::spawn(move || {
                while !done.load(Relaxed) {
                    most.fetch_max(memory_of(&children), Relaxed);
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
        }
        watch
    }

    /// The most bytes that one process held since this was asked last.
    fn take(&self) -> u64 {
        self.most.swap(0, Relaxed)
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.done.store(true, Relaxed);
    }
}

/// The most bytes that one of the processes of a list has held so far.
fn memory_of(children: &Path) -> u64 {
    let children = std::fs::read_to_string(children).unwrap_or_default();
    let peak = |process: &str| {
        let status = PathBuf::from("/proc").join(process).join("status");
        let status = std::fs::read_to_string(status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    children.split_whitespace().filter_map(peak).max().unwrap_or(0) * 1024
}

#[test]
fn what_was_recorded_before_a_hang_is_kept() {
    let mut recording = record("a = 1\nb = 2\nsum(range(10**12))\n");
    assert_eq!(recording.exit().unwrap().kind, ExitKind::Stopped);
    let last = states(&mut recording).pop().unwrap();
    assert_eq!(last.line(), Some(3));
    assert_eq!(&**last.locals.get("b").unwrap(), "2");
}

#[test]
fn output_is_bounded_and_what_fits_is_kept() {
    let mut recording = record("i = 0\nwhile True:\n    i += 1\n    print('é' * 100)\n");
    assert_eq!(
        recording.exit().unwrap().reason.as_deref(),
        Some("output limit 10,000 bytes (--max-output)")
    );
    let written: usize = recording.output_so_far().iter().map(|output| output.text.len()).sum();
    assert!((9_998..=10_000).contains(&written), "{written}");
}

#[test]
fn the_native_stack_is_bounded() {
    // Closing a chain of generators recurses in the interpreter itself, which can't be caught.
    let source = "\
def main():
    exec('''
def g(x):
    try:
        yield 1
    finally:
        x = None
x = None
for i in range(300_000):
    x = g(x)
    next(x)
x = None
''', {})
";
    let mut options = options();
    options.limits.memory = 2 << 30;
    options.limits.time = Duration::from_secs(60);
    let exit = start(source, &options).unwrap().exit().unwrap();
    assert_eq!(exit.kind, ExitKind::Stopped, "{exit:?}");
    assert_eq!(exit.reason.as_deref(), Some("the interpreter's native stack is exhausted"));
}
