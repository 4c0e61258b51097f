//! The process that runs a program: when it runs, when it waits, how it ends, and what is no host.

use std::time::{Duration, Instant};

use lockstep::python::{Recording, RunOptions};
use lockstep::state::ExitKind;

use super::{options, program, record, start};

#[test]
fn the_first_states_of_an_endless_program_are_there_at_once() {
    let mut options = options();
    options.limits.steps = u64::from(u32::MAX);
    let mut recording = start("i = 0\nwhile True:\n    i += 1\n", &options).unwrap();
    assert!(recording.state(3).unwrap().is_some());
    // It runs ahead by what fits into the pipe, not further.
    std::thread::sleep(Duration::from_millis(300));
    recording.state(4).unwrap();
    assert!(recording.len_so_far() < 100_000, "{}", recording.len_so_far());
    assert_eq!(recording.exit_so_far(), None);
}

#[test]
fn time_does_not_pass_while_nobody_asks() {
    let mut options = options();
    options.limits.time = Duration::from_millis(500);
    let mut recording = start("for i in range(9000):\n    x = i\n", &options).unwrap();
    recording.state(1).unwrap();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(recording.exit().unwrap().kind, ExitKind::Normal);
}

#[test]
fn dropping_a_recording_ends_its_process_soon() {
    for source in ["while True: pass\n", "sum(range(10**12))\n", "x = 0\nwhile True:\n    x += 1\n"]
    {
        let mut recording = record(source);
        recording.state(0).unwrap();
        let started = Instant::now();
        drop(recording);
        assert!(started.elapsed() < Duration::from_secs(2), "{source}");
    }
}

#[test]
fn a_host_that_is_none_is_an_error() {
    for (host, says) in [
        ("/does/not/exist", "can't be started"),
        ("/bin/cat", "ended before the program could run"),
        ("/bin/echo", "a frame of "),
    ] {
        let options = RunOptions { host: Some(host.into()), ..options() };
        let Err(error) = Recording::start(&program("x = 1\n"), &options) else {
            panic!("{host} was a host");
        };
        let error = error.to_string();
        assert!(error.contains(says) || error.contains("the pipe to"), "{host}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_host_of_another_version_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().join("host");
    // Once it is spoken to, a frame of two bytes: the greeting, version 99.
    std::fs::write(
        &host,
        "#!/bin/sh\nhead -c 1 >/dev/null\nprintf '\\002\\000\\000\\000\\000\\143'\n",
    )
    .unwrap();
    std::fs::set_permissions(&host, std::fs::Permissions::from_mode(0o755)).unwrap();
    let options = RunOptions { host: Some(host), ..options() };
    let Err(error) = Recording::start(&program("x = 1\n"), &options) else {
        panic!("it was taken for a host");
    };
    let error = error.to_string();
    assert!(error.contains("speaks protocol 99"), "{error}");
}
