//! The program.
use lockstep::program::Program;
use lockstep::python::{Recording, RunOptions};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).is_some_and(|a| a == "python-host") {
        lockstep::python::host::main();
    }
    let program = Program::load(std::path::Path::new(&args[1])).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2)
    });
    let options = RunOptions { entry: args.get(2).cloned(), ..RunOptions::default() };
    let mut options = options;
    if let Ok(steps) = std::env::var("STEPS") {
        options.limits.steps = steps.parse().unwrap_or(1000);
    }
    let mut recording = Recording::start(&program, &options).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2)
    });
    if std::env::var("QUIET").is_err() {
        let mut at = 0;
        let mut out = 0;
        loop {
            let state = recording.state(at).unwrap();
            for o in recording.output_so_far().iter().skip(out).take_while(|o| o.at <= at) {
                println!("OUT {:?} {:?}", o.stream, o.text);
                out += 1;
            }
            let Some(state) = state else { break };
            use lockstep::tree::Trace;
            let node = recording.node(at).unwrap().unwrap();
            println!(
                "{}{}",
                serde_json::to_string(&state).unwrap(),
                if node.unwinding { " U" } else { "" }
            );
            at += 1;
        }
    }
    println!("{}", serde_json::to_string(&recording.exit().unwrap()).unwrap());
    println!("{} states", recording.len_so_far());
}
