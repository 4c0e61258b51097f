//! The full screen, in a terminal of its own.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize};

#[cfg(feature = "llama")]
use crate::support::repository;
use crate::support::{Bench, program};

const PROGRAM: &str = "\
def double(n):
    return n * 2


def main():
    total = 0
    for n in [1, 2]:
        total += double(n)
    print('total', total)
    return total
";

const ROWS: NonZero<u16> = NonZero::new(24).unwrap();
const COLUMNS: NonZero<u16> = NonZero::new(80).unwrap();

/// Nothing here takes nearly as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal of 80×24 in which the program runs.
struct Terminal {
    screen: vt100::Parser,
    bytes: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    fn run(bench: &Bench, args: &[&str]) -> Self {
        let size = PtySize { rows: ROWS.get(), cols: COLUMNS.get(), ..PtySize::default() };
        let pair = portable_pty::native_pty_system().openpty(size).unwrap();
        let template = bench.command(args);
        let mut command = CommandBuilder::new(program());
        command.args(args);
        command.cwd(bench.path());
        command.env_clear();
        for (name, value) in template.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (sender, bytes) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        Terminal { screen, bytes, keys, child, _master: pair.master }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen shows `text`; all that it shows then.
    #[track_caller]
    fn wait_for(&mut self, text: &str) -> String {
        let started = Instant::now();
        loop {
            let shown = self.screen.screen().contents();
            if shown.contains(text) {
                return shown;
            }
            match self.bytes.recv_timeout(PATIENCE.saturating_sub(started.elapsed())) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(_) => panic!("`{text}` did not come; the screen:\n{shown}"),
            }
        }
    }

    /// Waits for the program's end; its exit code, and whether the terminal is as it was.
    #[track_caller]
    fn end(mut self) -> (u32, bool) {
        let started = Instant::now();
        let code = loop {
            while let Ok(bytes) = self.bytes.try_recv() {
                self.screen.process(&bytes);
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.exit_code();
            }
            assert!(started.elapsed() < PATIENCE, "it doesn't end");
            std::thread::sleep(Duration::from_millis(10));
        };
        while let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(300)) {
            self.screen.process(&bytes);
        }
        let screen = self.screen.screen();
        (code, !screen.alternate_screen() && !screen.hide_cursor())
    }
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("p.py", PROGRAM);
    bench
}

#[test]
fn the_first_screen_and_some_steps() {
    let bench = bench();
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model"]);
    insta::assert_snapshot!("first", terminal.wait_for("step 0"));
    terminal.press("sss");
    insta::assert_snapshot!("after_three_steps", terminal.wait_for("step 3"));
    terminal.press("q");
    assert_eq!(terminal.end(), (0, true));
}

#[test]
fn breakpoints_stop_and_steps_can_be_undone() {
    let bench = bench();
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model", "--break", "2"]);
    terminal.wait_for("step 0");
    terminal.press("c");
    terminal.wait_for("return n * 2");
    let shown = terminal.wait_for("step 1");
    assert!(shown.contains("▶ 2 line"), "{shown}");
    terminal.press("z");
    let shown = terminal.wait_for("step 0");
    assert!(shown.contains("▶ 5 call"), "{shown}");
    terminal.press("ccc");
    terminal.wait_for("normal");
    terminal.press("o");
    terminal.wait_for("total 6");
    terminal.press("q");
    terminal.press("q");
    assert_eq!(terminal.end(), (0, true));
}

#[test]
fn moves_go_back_as_they_go_forward() {
    let bench = bench();
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model", "--break", "2"]);
    terminal.wait_for("step 0");
    terminal.press("cc");
    terminal.wait_for("state 10");
    terminal.press("F");
    terminal.wait_for("state 9");
    terminal.press("N");
    terminal.wait_for("state 8");
    terminal.press("[s");
    terminal.wait_for("state 7");
    terminal.press("[c");
    terminal.wait_for("state 5");
    terminal.press("[c");
    terminal.wait_for("no stop before");
    terminal.press("E");
    terminal.wait_for("▶ 10 return");
    terminal.press("q");
    assert_eq!(terminal.end(), (0, true));
}

#[test]
fn typed_commands_set_points_that_are_there_the_next_time() {
    let bench = bench();
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model"]);
    terminal.wait_for("step 0");
    terminal.press(":b 8, n > 1\r");
    terminal.wait_for("1 (8, n > 1)");
    terminal.press(":watch total + n\r");
    terminal.press("c");
    terminal.wait_for("stop 1 (8, n > 1)");
    insta::assert_snapshot!("a_conditional_stop", terminal.wait_for("total + n"));
    terminal.press(":p total * 100\r");
    terminal.wait_for("total * 100 = 200");
    terminal.press(":b 99\r");
    terminal.wait_for("line 99 holds no statement");
    terminal.press(":goto 3\r");
    terminal.wait_for("state 3");
    terminal.press(":q\r");
    assert_eq!(terminal.end(), (0, true));
    bench.write("p.py", format!("# a new line\n{PROGRAM}"));
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model"]);
    terminal.wait_for("line 8 is line 9 now");
    terminal.press(":b\r");
    terminal.wait_for("9, n > 1");
    terminal.press("qq");
    assert_eq!(terminal.end(), (0, true));
}

#[test]
fn a_killed_debugger_gives_the_terminal_back() {
    let bench = bench();
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model"]);
    terminal.wait_for("step 0");
    let pid = terminal.child.process_id().unwrap().to_string();
    std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let (code, restored) = terminal.end();
    assert!(restored);
    assert_eq!(code, 3);
}

#[test]
fn a_bad_program_never_opens_the_screen() {
    let bench = Bench::new();
    bench.write("p.py", "x = (\n");
    let mut terminal = Terminal::run(&bench, &["debug", "p.py"]);
    terminal.wait_for("p.py:1");
    assert_eq!(terminal.end(), (2, true));
}

#[test]
fn an_endless_program_shows_its_first_state_at_once() {
    let bench = Bench::new();
    bench.write("p.py", "n = 0\nwhile True:\n    n += 1\n");
    let args = ["debug", "p.py", "--no-model", "--max-steps", "1000000000"];
    let mut terminal = Terminal::run(&bench, &args);
    terminal.wait_for("step 0");
    terminal.press("sss");
    terminal.wait_for("step 3");
    terminal.press("q");
    assert_eq!(terminal.end(), (0, true));
}

#[cfg(feature = "llama")]
mod with_the_model {
    use super::*;

    #[test]
    fn the_model_goes_on_from_where_the_real_side_went_without_it() {
        let bench = bench();
        let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--break", "8, n > 1"]);
        terminal.wait_for("lockstep-2.6m");
        terminal.press("ss");
        terminal.wait_for("step 2 ");
        terminal.press("N");
        terminal.wait_for("step 1 ");
        terminal.press("c");
        terminal.wait_for("stop 1 (8, n > 1)");
        terminal.press("j");
        terminal.wait_for("breakpoint");
        terminal.press("s");
        terminal.wait_for("agree");
        terminal.press("q");
        assert_eq!(terminal.end(), (0, true));
    }

    #[test]
    fn predictions_stand_beside_what_happened() {
        let bench = Bench::new();
        let demo = repository().join("corpora/lists/new_records.py");
        bench.write("p.py", std::fs::read(demo).unwrap());
        let mut terminal = Terminal::run(&bench, &["debug", "p.py"]);
        terminal.wait_for("lockstep-2.6m");
        terminal.press("s");
        let shown = terminal.wait_for("step 1 · 1/1 agree");
        assert!(shown.contains("▶ 18 line  ▷ 18 line"), "{shown}");
        terminal.press("]d");
        let shown = terminal.wait_for("\u{2260}  step_into");
        assert!(!shown.contains("1/1 agree"), "{shown}");
        terminal.press("m");
        terminal.wait_for("free");
        terminal.press("q");
        assert_eq!(terminal.end(), (0, true));
    }

    #[test]
    fn a_bad_model_is_told_on_the_plain_terminal() {
        let bench = bench();
        bench.write("m.gguf", "no model");
        let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--model", "m.gguf"]);
        terminal.wait_for("m.gguf");
        assert_eq!(terminal.end(), (2, true));
    }
}

#[test]
fn a_variable_is_changed_in_a_branch() {
    let bench = bench();
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model", "--break", "2"]);
    terminal.wait_for("step 0");
    terminal.press("c");
    terminal.wait_for("step 1");
    terminal.press(":set n = 50\r");
    terminal.wait_for("branch 1");
    terminal.press("B");
    insta::assert_snapshot!("branches", terminal.wait_for("n = 50 at state"));
    terminal.press("\u{1b}");
    terminal.press("E");
    terminal.wait_for("104");
    terminal.press("B");
    terminal.wait_for("original");
    terminal.press("k\r");
    terminal.wait_for("step 1");
    terminal.press("qq");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_value_is_taken_apart() {
    let bench = Bench::new();
    bench.write("p.py", "def main():\n    xs = [{'k': (1, 2)}]\n    ys = xs\n    return ys\n");
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model"]);
    terminal.wait_for("step 0");
    terminal.press("sss");
    terminal.wait_for("step 3");
    terminal.press("x");
    insta::assert_snapshot!("variables", terminal.wait_for("#1"));
    terminal.press("\r");
    terminal.wait_for("dict");
    terminal.press("\r");
    terminal.wait_for("tuple");
    terminal.press("\r");
    terminal.wait_for("xs.0.0");
    terminal.press("qq");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn input_is_asked_for_when_it_is_read() {
    let bench = Bench::new();
    bench.write("p.py", "def main():\n    name = input('your name? ')\n    return name * 2\n");
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model"]);
    terminal.wait_for("step 0");
    terminal.press("ss");
    terminal.wait_for("step 1");
    insta::assert_snapshot!("asked", terminal.wait_for("Ctrl-D"));
    terminal.press("Ada\r");
    terminal.wait_for("'Ada'");
    terminal.press("E");
    terminal.wait_for("'AdaAda'");
    terminal.press(":input 1 Bob\r");
    terminal.wait_for("branch 1");
    terminal.press("E");
    terminal.wait_for("'BobBob'");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_guess_at_what_came_before_is_checked() {
    let bench = bench();
    let mut terminal = Terminal::run(&bench, &["debug", "p.py", "--no-model"]);
    terminal.wait_for("step 0");
    terminal.press(":goto 7\r");
    terminal.press(":guess total = 1\r");
    terminal.wait_for("before state 7");
    insta::assert_snapshot!("guessed", terminal.wait_for("recorded"));
    terminal.press("qq");
    assert_eq!(terminal.end().0, 0);
}
