//! What docs/performance.md reports: the recorder against CPython's own tracing, questions about
//! states, following by scoring against frame-by-frame generation, whole evaluations, and the time to
//! the first screen.
//!
//! `./dev bench` runs it; `./dev bench -- recorder` (or `states`, `inspector`, `follow`, `eval`,
//! `screen`) runs one part. What is compared alternates within one run.

#[cfg(all(unix, feature = "llama"))]
#[path = "performance/eval.rs"]
mod eval;

use std::io::Read;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use lockstep::program::Program;
use lockstep::python::{Inspector, Limits, Recording, RunOptions};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const ROWS: NonZero<u16> = NonZero::new(24).unwrap();
const COLUMNS: NonZero<u16> = NonZero::new(80).unwrap();
const REPETITIONS: usize = 5;

fn main() -> Outcome {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |part: &str| wanted.is_empty() || wanted.iter().any(|name| name == part);
    if wants("recorder") {
        recorder()?;
    }
    if wants("states") {
        states()?;
    }
    if wants("inspector") {
        inspector()?;
    }
    #[cfg(feature = "llama")]
    if wants("follow") {
        follow::run()?;
    }
    #[cfg(all(unix, feature = "llama"))]
    if wants("eval") {
        eval::run()?;
    }
    if wants("screen") {
        first_screen()?;
    }
    Ok(())
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn host() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_lockstep"))
}

fn options() -> RunOptions {
    let limits = Limits { steps: u64::MAX, time: Duration::from_secs(600), ..Limits::default() };
    RunOptions { limits, host: Some(host()), ..RunOptions::default() }
}

/// Events a second, from the start of the host process to the last event in the parent.
fn record(program: &Program) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let mut recording = Recording::start(program, &options())?;
    recording.exit()?;
    Ok((recording.len_so_far(), started.elapsed().as_secs_f64()))
}

/// The same facts by `sys.settrace` in the machine's python3; none if there is none.
fn record_in_cpython(program: &Path) -> Option<(usize, f64)> {
    let tracer = repository().join("benches/recorder_in_cpython.py");
    let output = Command::new("python3").arg(tracer).arg(program).output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    let (events, seconds) = printed.trim().split_once(' ')?;
    Some((events.parse().ok()?, seconds.parse().ok()?))
}

/// The least that tracing costs: RustPython runs `main` with a native hook that does nothing. The
/// number of its events, and the seconds of that call alone.
fn record_nothing(program: &Program) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    use rustpython_vm::builtins::PyStrRef;
    use rustpython_vm::compiler::Mode;
    use rustpython_vm::frame::FrameObjectRef;
    use rustpython_vm::{Interpreter, PyObjectRef, Settings, VirtualMachine};

    let text = program.text().to_owned();
    let run = move || -> Result<(usize, f64), String> {
        let mut settings = Settings::default();
        settings.hash_seed = Some(0);
        settings.install_signal_handlers = false;
        settings.import_site = false;
        settings.isolated = true;
        settings.write_bytecode = false;
        let builder = Interpreter::builder(settings);
        let modules = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
        let interpreter = builder
            .add_native_modules(&modules)
            .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
            .build();
        interpreter.enter(|vm| {
            let told = |error: rustpython_vm::builtins::PyBaseExceptionRef| format!("{error:?}");
            let scope = vm.new_scope_with_builtins();
            let code = vm.compile(&text, Mode::Exec, "load.py").map_err(|e| e.to_string())?;
            vm.run_code_obj(code, scope.clone()).map_err(told)?;
            let main = scope.globals.get_item("main", vm).map_err(told)?;
            let events = std::rc::Rc::new(std::cell::Cell::new(0));
            let count = events.clone();
            let hook = vm.new_function(
                "hook",
                move |_: FrameObjectRef, _: PyStrRef, _: PyObjectRef, vm: &VirtualMachine| {
                    count.set(count.get() + 1);
                    vm.trace_func.borrow().clone()
                },
            );
            let settrace = vm.sys_module.get_attr("settrace", vm).map_err(told)?;
            settrace.call((hook,), vm).map_err(told)?;
            let started = Instant::now();
            main.call((), vm).map_err(told)?;
            Ok((events.get(), started.elapsed().as_secs_f64()))
        })
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run)?;
    Ok(thread.join().map_err(|_| "the interpreter panicked")??)
}

/// A recording of a million events: the memory that it takes in the parent, and the time to open a
/// state that nobody looked at before.
fn states() -> Outcome {
    const LOOKS: usize = 100_000;
    println!("states of a recording, {LOOKS} at random");
    println!("load         events     bytes an event   mean µs   99 of 100 µs   longest µs");
    let integers = "s = 0\ni = 0\nwhile i < 333_333:\n    s += i & 7\n    i += 1\n";
    let containers = "xs = []\nd = {}\nfor i in range(250_000):\n    xs.append(i)\n    \
                      d[i % 50] = xs[-3:]\n    if len(xs) > 40:\n        xs.clear()\n";
    for (load, text) in [("integers", integers), ("containers", containers)] {
        let program = Program::from_text("load.py".to_owned(), text)?;
        let before = resident();
        let mut recording = Recording::start(&program, &options())?;
        recording.exit()?;
        let events = recording.len_so_far();
        let bytes = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
        let mut random = fastrand::Rng::with_seed(1);
        let mut times = Vec::with_capacity(LOOKS);
        for _ in 0..LOOKS {
            let at = random.usize(..events);
            let started = Instant::now();
            let state = recording.state(at)?;
            times.push(started.elapsed().as_secs_f64() * 1e6);
            std::hint::black_box(state);
        }
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / LOOKS as f64;
        let bytes = bytes.map_or(f64::NAN, |bytes| bytes as f64 / events as f64);
        let (most, longest) = (times[LOOKS * 99 / 100], times[LOOKS - 1]);
        println!("{load:<12} {events:>9} {bytes:>14.0} {mean:>9.1} {most:>14.1} {longest:>12.1}");
    }
    println!();
    Ok(())
}

/// Bytes of memory that this process has; none where the system doesn't say.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Evaluations in a run of some 100,000 states: of a harmless expression and of one that changes
/// something, after which the program runs again.
fn inspector() -> Outcome {
    let text = "s = 0\ni = 0\nxs = []\nwhile i < 33_333:\n    s += i & 7\n    i += 1\n";
    let program = Program::from_text("loop.py".to_owned(), text)?;
    println!("inspector: milliseconds an evaluation, best of {REPETITIONS}");
    let start = || Inspector::new(&program, &options());
    let far = |at: usize| at * 1_000 + 999;
    let rows: [(&str, &str, Vec<usize>); 4] = [
        ("100 increasing, to the end", "s + len(xs) > i", (0..100).map(far).collect()),
        ("100 next to each other", "s + len(xs) > i", (50_000..50_100).collect()),
        ("10 at random", "s + len(xs) > i", (0..10).map(|n| far(n * 37 % 100)).collect()),
        ("10 increasing, each changing", "xs.append(1)", (0..10).map(|n| far(n * 10)).collect()),
    ];
    for (name, expression, places) in rows {
        let mut best = f64::INFINITY;
        for _ in 0..REPETITIONS {
            let mut inspector = start();
            inspector.evaluate(0, 0, "1")?;
            let started = Instant::now();
            for at in &places {
                inspector.evaluate(*at, 0, expression)?;
            }
            best = best.min(started.elapsed().as_secs_f64() * 1e3 / places.len() as f64);
        }
        println!("{name:<30} {best:>9.3}");
    }
    println!();
    Ok(())
}

fn recorder() -> Outcome {
    let version = Command::new("python3").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let version = version.unwrap_or_else(|_| "no python3 to compare with".to_owned());
    println!("recorder: events a second, best of {REPETITIONS} ({version}: sys.settrace)");
    println!(
        "{:<12} {:>9} {:>12} {:>12} {:>12} {:>11} {:>11}",
        "load", "events", "lockstep", "empty hook", "CPython", "times hook", "to CPython"
    );
    for load in ["integers", "containers"] {
        let path = repository().join(format!("benches/loads/{load}.py"));
        let program = Program::load(&path)?;
        let (mut ours, mut least, mut theirs): (f64, f64, f64) = (0.0, 0.0, 0.0);
        let mut counts = (0, 0);
        for _ in 0..REPETITIONS {
            let (events, seconds) = record(&program)?;
            ours = ours.max(events as f64 / seconds);
            counts.0 = events;
            let (events, seconds) = record_nothing(&program)?;
            least = least.max(events as f64 / seconds);
            if let Some((events, seconds)) = record_in_cpython(&path) {
                theirs = theirs.max(events as f64 / seconds);
                counts.1 = events;
            }
        }
        println!(
            "{load:<12} {:>9} {ours:>12.0} {least:>12.0} {theirs:>12.0} {:>11.2} {:>11.2}",
            counts.0,
            least / ours,
            ours / theirs
        );
        if counts.1 > 0 && counts.0 != counts.1 {
            println!("  CPython counts {} events: its version's line events differ", counts.1);
        }
    }
    Ok(())
}

/// From starting the program in a terminal to the first screen: source, state, model at hand.
fn first_screen() -> Outcome {
    let demo = repository().join("corpora/dicts/inventory.py");
    let mut times = Vec::new();
    for _ in 0..2 * REPETITIONS {
        let pair = portable_pty::native_pty_system().openpty(portable_pty::PtySize {
            rows: ROWS.get(),
            cols: COLUMNS.get(),
            ..portable_pty::PtySize::default()
        })?;
        let mut command = portable_pty::CommandBuilder::new(host());
        command.args(["debug".as_ref(), demo.as_os_str()]);
        let mut reader = pair.master.try_clone_reader()?;
        let started = Instant::now();
        let mut child = pair.slave.spawn_command(command)?;
        let mut screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        let mut bytes = [0; 4096];
        while !screen.screen().contents().contains("lockstep-2.6m") {
            match reader.read(&mut bytes)? {
                0 => return Err("the program ended before its first screen".into()),
                count => screen.process(&bytes[..count]),
            }
        }
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        child.kill()?;
        child.wait()?;
    }
    times.sort_by(f64::total_cmp);
    println!(
        "first screen: {:.0} ms (median of {}; {:.0} to {:.0})",
        times[times.len() / 2],
        times.len(),
        times[0],
        times[times.len() - 1]
    );
    Ok(())
}

/// Follow mode: the same steps, once by scoring the real frames and once by decoding every frame.
#[cfg(feature = "llama")]
mod follow {
    use super::*;
    use lockstep::action::Action;
    use lockstep::neural::{Method, Model, ModelSource, Neural, Settings};
    use lockstep::session::{Mode, Session, Verdict};

    /// Programs of the topics that the shipped model knows best and least.
    const TOPICS: [&str; 4] = ["lists", "dicts", "recursion", "classes"];

    /// What a walk through a program found: a verdict a step, and the seconds in the model.
    fn walk(
        program: &Program,
        method: Method,
    ) -> Result<(Vec<Verdict>, f64), Box<dyn std::error::Error>> {
        let recording = Recording::start(program, &options())?;
        let mut session = Session::open(program.clone(), recording, method, Mode::Follow)?;
        let model = Model::open(&ModelSource::Shipped, &Settings::default())?;
        session.attach(Neural::start(model)?)?;
        let mut seconds = 0.0;
        while let Some(found) = session.look(Action::StepInto)? {
            let started = Instant::now();
            session.make(found)?;
            seconds += started.elapsed().as_secs_f64();
        }
        Ok((session.steps().iter().map(|step| step.verdict.clone()).collect(), seconds))
    }

    pub fn run() -> Outcome {
        let (mut steps, mut agreed, mut differ) = (0, 0, 0);
        let (mut scoring, mut generating) = (0.0, 0.0);
        for topic in TOPICS {
            let mut paths: Vec<PathBuf> =
                std::fs::read_dir(repository().join("corpora").join(topic))?
                    .map(|entry| entry.map(|entry| entry.path()))
                    .collect::<Result<_, _>>()?;
            paths.sort();
            for path in paths {
                let program = Program::load(&path)?;
                let (scored, seconds) = walk(&program, Method::Scoring)?;
                scoring += seconds;
                let (generated, seconds) = walk(&program, Method::Generating)?;
                generating += seconds;
                steps += scored.len();
                agreed += scored.iter().filter(|verdict| **verdict == Verdict::Agreed).count();
                differ += scored.iter().zip(&generated).filter(|(a, b)| a != b).count();
            }
        }
        println!(
            "follow: the shipped model over corpora/{{{}}}, step_into, one thread",
            TOPICS.join(",")
        );
        println!("  {steps} steps, {agreed} agree; {differ} verdicts differ between the methods");
        println!("  scoring     {:>7.1} steps a second", steps as f64 / scoring);
        println!("  generating  {:>7.1} steps a second", steps as f64 / generating);
        println!("  ratio       {:>7.2}", generating / scoring);
        Ok(())
    }
}
