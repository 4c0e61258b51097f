//! The terminal is given back on every way out, and what is typed reaches the debuggee. Each test
//! runs the screen in a pseudo-terminal of its own, leaves it in some way, and looks at what is
//! left.
//!
//! The program in the pseudo-terminal is this test binary: [`the_screen`], told by a variable what
//! shall happen.

#![allow(clippy::unwrap_used, clippy::panic, reason = "clippy sees tests only in test functions")]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use lockstep_tui::{Command, Debuggee, Ended, Notice, Snapshot, Theme, Waker, run};
use portable_pty::{
    Child, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system,
};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// Longer than anything takes on the slowest machine.
const DEADLINE: Duration = Duration::from_secs(60);

/// What is on the screen while it is up.
const PROGRAM: &str = "unmistakable.py";

/// Misbehaves on command, or asks.
#[derive(Default)]
struct Misbehaving {
    now: Mutex<Snapshot>,
    waker: Mutex<Option<Waker>>,
}

impl Misbehaving {
    fn show(&self, change: impl FnOnce(&mut Snapshot)) {
        change(&mut self.now.lock().unwrap());
        self.waker.lock().unwrap().as_ref().unwrap().wake();
    }
}

impl Debuggee for Misbehaving {
    fn snapshot(&self) -> Arc<Snapshot> {
        let now = self.now.lock().unwrap().clone();
        Arc::new(Snapshot { program: PROGRAM.into(), can_undo: true, ..now })
    }

    fn enter(&self, _line: &str, _frame: usize) {}

    fn answer(&self, text: Option<&str>) {
        self.show(|now| {
            now.notice = Some(Notice::info(format!("heard {text:?}")));
            now.asks = None;
        });
    }

    fn send(&self, command: Command) {
        match command {
            Command::Resync => self.show(|now| now.asks = Some("whose? ".into())),
            Command::StepOver => panic!("the debuggee fell over"),
            Command::StepInto => {
                // The panic is the point; its message is looked for later.
                let _ = thread::spawn(|| panic!("another thread fell over")).join();
            }
            Command::Continue => {
                println!("stuck");
                loop {
                    thread::park();
                }
            }
            _ => {}
        }
    }

    fn on_change(&self, waker: Waker) {
        *self.waker.lock().unwrap() = Some(waker);
    }
}

#[test]
#[ignore = "the program that the other tests run"]
fn the_screen() {
    match run(&Misbehaving::default(), Theme::Monochrome) {
        Ok(Ended::Quit) => println!("quit"),
        Ok(Ended::Signal(signal)) => {
            println!("signal {signal}");
            std::process::exit(128 + signal);
        }
        Err(error) => println!("{error}"),
    }
    if std::env::var_os("LINGER").is_some() {
        println!("lingering");
        thread::park_timeout(DEADLINE);
    }
}

/// The screen in a pseudo-terminal.
struct Session {
    master: Box<dyn MasterPty + Send>,
    /// Kept open: the modes of the terminal go with its last user.
    _slave: Box<dyn SlavePty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    modes: String,
}

impl Session {
    /// Starts the screen and waits until it is up.
    fn start(linger: bool) -> Session {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let modes = modes(&*pair.master);
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["the_screen", "--exact", "--ignored", "--nocapture"]);
        command.env("TERM", "xterm");
        if linger {
            command.env("LINGER", "1");
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(nonzero(24), nonzero(80), 0)));
        let mut output = pair.master.try_clone_reader().unwrap();
        let parser = screen.clone();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = output.read(&mut bytes) {
                parser.lock().unwrap().process(&bytes[..n]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let session =
            Session { master: pair.master, _slave: pair.slave, child, keys, screen, modes };
        session.wait("the screen is up", |screen| {
            screen.alternate_screen() && screen.contents().contains(PROGRAM)
        });
        session
    }

    fn wait(&self, what: &str, is_there: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        loop {
            let parser = self.screen.lock().unwrap();
            if is_there(parser.screen()) {
                return;
            }
            assert!(start.elapsed() < DEADLINE, "{what}: {}", parser.screen().contents());
            drop(parser);
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn type_in(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn signal(&self, signal: Signal) {
        kill_process(self.id().unwrap(), signal).unwrap();
    }

    fn id(&self) -> Option<Pid> {
        self.child.process_id().and_then(|id| Pid::from_raw(id as i32))
    }

    /// Waits for the end, and checks that the terminal is as it was.
    fn ended(mut self, message: &str) -> ExitStatus {
        let status = self.child.wait().unwrap();
        self.wait(message, |screen| {
            !screen.alternate_screen() && screen.contents().contains(message)
        });
        self.assert_restored();
        status
    }

    /// Checks that the terminal is as it was. What was written last may still be on its way.
    fn assert_restored(&self) {
        self.wait("the cursor is shown, on the first screen", |screen| {
            !screen.hide_cursor() && !screen.alternate_screen()
        });
        assert_eq!(modes(&*self.master), self.modes);
    }
}

fn nonzero(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}

#[test]
fn quitting_restores_the_terminal() {
    let mut session = Session::start(false);
    assert_ne!(modes(&*session.master), session.modes, "raw while the screen is up");
    session.type_in("q");
    assert!(session.ended("quit").success());
}

#[test]
fn a_panic_restores_the_terminal_and_is_readable() {
    let mut session = Session::start(false);
    session.type_in("n");
    assert_eq!(session.ended("the debuggee fell over").exit_code(), 101);
}

#[test]
fn a_panic_of_another_thread_is_kept_for_the_end() {
    let mut session = Session::start(false);
    session.type_in("s?");
    session.wait("the screen goes on", |screen| screen.contents().contains("Stepping"));
    assert!(!session.screen.lock().unwrap().screen().contents().contains("fell over"));
    session.type_in("qq");
    assert!(session.ended("another thread fell over").success());
}

#[test]
fn signals_restore_the_terminal() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let session = Session::start(false);
        session.signal(signal);
        let status = session.ended(&format!("signal {}", signal.as_raw()));
        assert_eq!(status.exit_code(), 128 + signal.as_raw() as u32);
    }
}

#[test]
fn a_signal_restores_the_terminal_even_if_the_screen_is_stuck() {
    let mut session = Session::start(false);
    session.type_in("c");
    session.wait("it is stuck", |screen| screen.contents().contains("stuck"));
    session.signal(Signal::TERM);
    assert_eq!(session.ended("").signal(), Some("Terminated"));
}

#[test]
fn after_the_screen_signals_do_what_they_always_did() {
    let mut session = Session::start(true);
    session.type_in("q");
    session.wait("lingering", |screen| screen.contents().contains("lingering"));
    session.assert_restored();
    session.signal(Signal::TERM);
    assert_eq!(session.ended("lingering").signal(), Some("Terminated"));
}

#[test]
fn suspending_gives_the_terminal_back_until_continued() {
    let mut session = Session::start(false);
    for suspend in ["key", "signal"] {
        match suspend {
            "key" => session.type_in("\x1a"),
            _ => session.signal(Signal::TSTP),
        }
        let (_, status) = waitpid(session.id(), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped(), "{status:?}");
        session.wait("the screen is down", |screen| !screen.alternate_screen());
        session.assert_restored();
        session.signal(Signal::CONT);
        session.wait("continued", |screen| {
            screen.alternate_screen() && screen.contents().contains(PROGRAM)
        });
    }
    session.type_in("q");
    assert!(session.ended("quit").success());
}

#[test]
fn answers_reach_the_program() {
    let mut session = Session::start(false);
    for (typed, heard) in [("Ada\r", "heard Some(\"Ada\")"), ("\x04", "heard None")] {
        session.type_in("y");
        session.wait("it asks", |screen| screen.contents().contains("whose?"));
        session.type_in(typed);
        session.wait(heard, |screen| screen.contents().contains(heard));
    }
    session.type_in("q");
    assert!(session.ended("quit").success());
}

#[test]
fn a_resized_terminal_is_filled() {
    let mut session = Session::start(false);
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    session
        .screen
        .lock()
        .unwrap()
        .screen_mut()
        .set_size(40.try_into().unwrap(), 120.try_into().unwrap());
    session.master.resize(size).unwrap();
    session.wait("the footer is in the last row", |screen| {
        screen.rows(0, 120).last().is_some_and(|row| row.contains("q quit"))
    });
    session.type_in("q");
    assert!(session.ended("quit").success());
}
