//! What whole-program tests share: a folder of their own and the program under test, started with
//! a known environment.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A folder for one test, and the `lockstep` program in it.
pub struct Bench {
    folder: tempfile::TempDir,
}

/// What a run of the program left.
#[must_use]
pub struct Outcome {
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// No run in these tests needs nearly as long; one that does hangs.
const PATIENCE: Duration = Duration::from_secs(120);

impl Bench {
    pub fn new() -> Self {
        Bench { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file into the folder; its name as the program is given it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path().join(name), content).expect("a file in the test's folder");
        name.to_owned()
    }

    /// The program, in the folder, with nothing of the tester's environment that it reads.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(args)
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .env("LOCKSTEP_CACHE_DIR", cache())
            .env("COLUMNS", "100")
            .env("GGML_NO_BACKTRACE", "1");
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, args: &[&str]) -> Outcome {
        self.run_with_input(args, "")
    }

    /// Runs the program with this on its standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Outcome {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // The program need not read it.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let watched = child.id();
        let (ended, watch) = std::sync::mpsc::channel::<()>();
        let watchdog = std::thread::spawn(move || {
            let started = Instant::now();
            if watch.recv_timeout(PATIENCE).is_err() && started.elapsed() >= PATIENCE {
                let _ = Command::new("kill").args(["-9", &watched.to_string()]).status();
            }
        });
        let output = child.wait_with_output().expect("the program ends");
        drop(ended);
        watchdog.join().expect("the watchdog ends");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
        }
    }

    /// Runs the program, which must succeed; its stdout.
    pub fn ok(&self, args: &[&str]) -> String {
        let outcome = self.run(args);
        assert_eq!(outcome.code, Some(0), "{args:?}\n{}\n{}", outcome.stdout, outcome.stderr);
        outcome.stdout
    }

    /// Runs the program with `--json`, which must succeed; its lines as JSON.
    pub fn json(&self, args: &[&str]) -> Vec<serde_json::Value> {
        let stdout = self.ok(&[args, &["--json"]].concat());
        stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// Runs the program, which must refuse with exit code 2 and print nothing else; its stderr.
    pub fn refused(&self, args: &[&str]) -> String {
        let outcome = self.run(args);
        assert_eq!(outcome.code, Some(2), "{args:?}\n{}\n{}", outcome.stdout, outcome.stderr);
        assert_eq!(outcome.stdout, "", "{args:?}");
        outcome.stderr
    }
}

/// The program under test.
pub fn program() -> &'static str {
    env!("CARGO_BIN_EXE_lockstep")
}

/// The file of the model that ships.
#[cfg(feature = "llama")]
pub fn shipped_model() -> Vec<u8> {
    std::fs::read(repository().join("models/lockstep-2.6m-q8_0.gguf"))
        .expect("the model that ships")
}

/// The repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the program unpacks its model: shared by the tests, since the file never differs.
fn cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache")
}
