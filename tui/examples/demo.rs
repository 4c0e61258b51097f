//! The screen with a canned session: Euclid's algorithm, and a "model" that is wrong now and then.
//!
//! `cargo run -p lockstep-tui --example demo`

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use lockstep_tui::{
    Breakpoint, Command, Debuggee, Ended, Error, Field, Frame, Item, Mode, Notice, Page,
    Prediction, Real, Row, Snapshot, Tally, Text, Theme, Verdict, Waker, run,
};

const PROGRAM: &str = "\
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def main():
    numbers = [252, 105, 84, 36]
    result = 0
    for n in numbers:
        result = gcd(n, result)
        print(n, result)
    return result
";

/// How long the model thinks.
const THINKING: Duration = Duration::from_millis(250);

type Locals = Vec<(&'static str, String)>;

/// A recorded state.
struct Moment {
    event: &'static str,
    line: u32,
    /// Line and locals of `main`, while `gcd` runs.
    caller: Option<(u32, Locals)>,
    locals: Locals,
    printed: usize,
}

/// The states that the program passes through, up to the last call of `gcd`.
fn record() -> (Vec<Moment>, Vec<Text>) {
    let numbers = [252u32, 105, 84, 36];
    let (mut moments, mut output) = (Vec::new(), Vec::new());
    let mut main: Locals = Vec::new();
    let at = |event, line, caller: Option<(u32, Locals)>, locals: &Locals, printed| Moment {
        event,
        line,
        caller,
        locals: locals.clone(),
        printed,
    };
    moments.push(at("call", 7, None, &main, 0));
    moments.push(at("line", 8, None, &main, 0));
    main.push(("numbers", format!("{numbers:?}")));
    moments.push(at("line", 9, None, &main, 0));
    main.push(("result", "0".into()));
    moments.push(at("line", 10, None, &main, 0));
    let mut result = 0;
    for n in numbers {
        main.retain(|(name, _)| *name != "n");
        main.push(("n", n.to_string()));
        moments.push(at("line", 11, None, &main, output.len()));
        let (mut a, mut b) = (n, result);
        let mut inside = |event, line, a: u32, b: u32| {
            let locals = vec![("a", a.to_string()), ("b", b.to_string())];
            moments.push(at(event, line, Some((11, main.clone())), &locals, output.len()));
        };
        inside("call", 1, a, b);
        inside("line", 2, a, b);
        while b != 0 {
            inside("line", 3, a, b);
            (a, b) = (b, a % b);
            inside("line", 2, a, b);
        }
        inside("line", 4, a, b);
        inside("return", 4, a, b);
        result = a;
        main[1].1 = result.to_string();
        moments.push(at("line", 12, None, &main, output.len()));
        output.push(format!("{n} {result}").into());
        moments.push(at("line", 10, None, &main, output.len()));
    }
    moments.push(at("line", 13, None, &main, output.len()));
    moments.push(at("return", 13, None, &main, output.len()));
    (moments, output)
}

struct Session {
    moments: Vec<Moment>,
    output: Vec<Text>,
    /// The moment that is shown.
    at: usize,
    /// Up to which the model has answered.
    thought: usize,
    history: Vec<usize>,
    action: Option<&'static str>,
    /// The page that is shown, and those that led to it.
    pages: Vec<Page>,
    now: Snapshot,
    waker: Option<Waker>,
}

#[derive(Clone)]
struct Demo(Arc<Mutex<Session>>);

impl Demo {
    fn new() -> Demo {
        let (moments, output) = record();
        let now = Snapshot {
            program: "gcd.py".into(),
            source: PROGRAM.lines().map(Text::from).collect(),
            model: Some("demo-model".into()),
            ..Snapshot::default()
        };
        let mut session = Session {
            moments,
            output,
            at: 0,
            thought: 0,
            history: Vec::new(),
            action: None,
            pages: Vec::new(),
            now,
            waker: None,
        };
        session.refresh();
        Demo(Arc::new(Mutex::new(session)))
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the model think about the moment that is shown.
    fn think(&self) {
        let demo = self.clone();
        let about = self.session().at;
        thread::spawn(move || {
            thread::sleep(THINKING);
            let mut session = demo.session();
            session.thought = session.thought.max(about);
            session.refresh();
        });
    }
}

impl Session {
    fn go(&mut self, action: &'static str, to: usize) {
        self.history.push(self.at);
        self.action = Some(action);
        self.at = to.min(self.moments.len() - 1);
        self.refresh();
    }

    /// The next moment at or above the depth of this one.
    fn over(&self) -> usize {
        let is_inside = |i: usize| self.moments[i].caller.is_some();
        (self.at + 1..self.moments.len())
            .find(|i| is_inside(self.at) || !is_inside(*i))
            .unwrap_or(self.moments.len() - 1)
    }

    fn find(&self, wanted: impl Fn(usize) -> bool) -> usize {
        (self.at + 1..self.moments.len()).find(|i| wanted(*i)).unwrap_or(self.moments.len() - 1)
    }

    /// What the model says about a moment, right or wrong.
    fn predict(&self, at: usize) -> (Prediction, u32, Locals) {
        let moment = &self.moments[at];
        let (mut line, mut locals) = (moment.line, moment.locals.clone());
        match at % 13 {
            5 => line += 1,
            8 => locals.extend([("remainder", "0".to_owned())]),
            9 => {
                if let Some((_, value)) = locals.first_mut() {
                    *value = value.replacen('2', "3", 1);
                }
            }
            12 => {
                let raw = "<|frame_sep|><|line_sep|>{\"a\": \"21";
                let reason = "the locals end inside a string".into();
                return (Prediction::Malformed { reason, raw: raw.into() }, line, locals);
            }
            _ => {}
        }
        let lines = Arc::new([line]);
        (Prediction::At { event: moment.event.into(), lines }, line, locals)
    }

    fn refresh(&mut self) {
        let moment = &self.moments[self.at];
        let frame = |function: &str, line, locals: &Locals| Frame {
            function: function.into(),
            line,
            locals: locals.iter().map(|(n, v)| (Text::from(*n), Text::from(&**v))).collect(),
        };
        let stack: Arc<[Frame]> = match &moment.caller {
            Some((line, locals)) => {
                [frame("main", *line, locals), frame("gcd", moment.line, &moment.locals)].into()
            }
            None => [frame("main", moment.line, &moment.locals)].into(),
        };
        let is_pending = self.at > self.thought;
        let source = |line: u32| self.now.source[line as usize - 1].trim().into();
        let (predicted, line, locals) = match is_pending {
            true => (Prediction::Pending, 0, Vec::new()),
            false => self.predict(self.at),
        };
        let is_readable = matches!(predicted, Prediction::At { .. });
        let row = |field, real: Option<&str>, predicted: Option<&str>| {
            let predicted = predicted.filter(|_| is_readable);
            let verdict = match (real, predicted) {
                _ if is_pending => Verdict::Pending,
                _ if !is_readable => Verdict::Unasked,
                (Some(real), Some(predicted)) if real == predicted => Verdict::Same,
                (Some(_), Some(_)) => Verdict::Changed,
                (Some(_), None) => Verdict::Missing,
                (None, _) => Verdict::Extra,
            };
            let before = self.at.checked_sub(1).map(|i| &self.moments[i].locals);
            let changed = match &field {
                Field::Variable(name) => before.is_some_and(|locals| value(locals, name) != real),
                _ => false,
            };
            let [real, predicted] = [real, predicted].map(|side| side.map(Text::from));
            Row { field, real, predicted, verdict, changed }
        };
        let mut rows = vec![row(Field::Event, Some(moment.event), Some(moment.event))];
        let real_line: Text = source(moment.line);
        let predicted_line: Option<Text> = is_readable.then(|| source(line));
        rows.push(row(Field::Line, Some(&real_line), predicted_line.as_deref()));
        for (name, real) in &moment.locals {
            let field = Field::Variable((*name).into());
            rows.push(row(field, Some(real), value(&locals, name)));
        }
        for (name, predicted) in locals.iter().filter(|(n, _)| value(&moment.locals, n).is_none()) {
            rows.push(row(Field::Variable((*name).into()), None, Some(predicted)));
        }
        self.now = Snapshot {
            real: Real::At { event: moment.event.into(), stack },
            predicted,
            rows: rows.into(),
            action: self.action.map(Text::from),
            step: self.history.len() as u64,
            tally: Tally {
                compared: self.thought as u64,
                agreed: (1..=self.thought).filter(|i| !diverges(*i)).count() as u64,
                malformed: (1..=self.thought).filter(|i| i % 13 == 12).count() as u64,
            },
            bits: (!is_pending).then_some(if diverges(self.at) { 9.25 } else { 0.125 }),
            output: self.output[..moment.printed].into(),
            running: is_pending.then(|| "the model thinks".into()),
            can_undo: !self.history.is_empty(),
            notice: None,
            ..self.now.clone()
        };
        self.wake();
    }

    /// The variables of `main` or `gcd`: of the frame where the program stands, or of its caller.
    fn variables(&self, frame: usize) -> Page {
        let moment = &self.moments[self.at];
        let (function, locals) = match (&moment.caller, frame) {
            (Some((_, locals)), 1) => ("main", locals),
            (Some(_), _) => ("gcd", &moment.locals),
            (None, _) => ("main", &moment.locals),
        };
        page(&format!("variables of {function}"), locals.iter().map(|(n, v)| (*n, &**v)))
    }

    /// Changes which pages are open.
    fn browse(&mut self, change: impl FnOnce(&mut Vec<Page>)) {
        change(&mut self.pages);
        self.now.page = self.pages.last().cloned().map(Arc::new);
        self.now.notice = None;
        self.wake();
    }

    fn tell(&mut self, notice: Notice) {
        self.now.notice = Some(notice);
        self.wake();
    }

    fn wake(&self) {
        if let Some(waker) = &self.waker {
            waker.wake();
        }
    }
}

/// A page of names and values; lists can be opened.
fn page<'a>(title: &str, values: impl Iterator<Item = (&'a str, &'a str)>) -> Page {
    let item = |(name, value): (&str, &str)| {
        let opens = value.starts_with('[');
        let class = if opens { "list" } else { "int" };
        Item { key: name.into(), value: value.into(), class: class.into(), identity: None, opens }
    };
    let items: Arc<[Item]> = values.map(item).collect();
    Page { title: title.into(), total: items.len(), items }
}

/// The items of a list.
fn parts(list: &Item) -> Page {
    let values: Vec<&str> = list.value.trim_matches(['[', ']']).split(", ").collect();
    let keys: Vec<String> = (0..values.len()).map(|index| format!("[{index}]")).collect();
    page(&list.key, keys.iter().map(|key| &**key).zip(values))
}

/// Whether the model is wrong about a moment.
fn diverges(moment: usize) -> bool {
    matches!(moment % 13, 5 | 8 | 9 | 12)
}

fn value<'a>(locals: &'a Locals, name: &str) -> Option<&'a str> {
    locals.iter().find(|(n, _)| *n == name).map(|(_, v)| &**v)
}

impl Debuggee for Demo {
    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new(self.session().now.clone())
    }

    fn send(&self, command: Command) {
        let mut session = self.session();
        let next = session.at + 1;
        match command {
            Command::StepInto => session.go("step into", next),
            Command::StepOver => {
                let to = session.over();
                session.go("step over", to);
            }
            Command::StepReturn => {
                let to = session.find(|i| session.moments[i].event == "return");
                session.go("step return", to);
            }
            Command::Continue => {
                let to = session
                    .find(|i| session.now.breakpoints.contains_key(&session.moments[i].line));
                session.go("continue", to);
            }
            Command::RunTo(line) => {
                let to = session.find(|i| session.moments[i].line == line);
                session.go("run to line", to);
            }
            Command::ToggleBreakpoint(line) => {
                if session.now.breakpoints.remove(&line).is_none() {
                    session.now.breakpoints.insert(line, Breakpoint::On);
                }
                session.wake();
            }
            Command::BackInto | Command::BackOver => {
                let to = session.at.saturating_sub(1);
                session.go("back", to);
            }
            Command::BackReturn => {
                let to = (0..session.at).rfind(|i| session.moments[*i].event == "call");
                session.go("back to the call", to.unwrap_or(0));
            }
            Command::BackContinue => session.go("to the first state", 0),
            Command::BackTo(line) => {
                let to = (0..session.at).rfind(|i| session.moments[*i].line == line);
                session.go("back to line", to.unwrap_or(0));
            }
            Command::Last => session.go("to the last state", usize::MAX),
            Command::Undo => {
                if let Some(at) = session.history.pop() {
                    session.at = at;
                    session.action = Some("back");
                    session.refresh();
                }
            }
            Command::SetMode(mode) => {
                session.now.mode = mode;
                let text = match mode {
                    Mode::Follow => "the model sees what really happened",
                    Mode::Free => "the model sees what it said",
                };
                session.tell(Notice::info(text));
            }
            Command::NextDivergence => {
                let to = session.find(diverges);
                session.go("next divergence", to);
            }
            Command::Restart => session.go("restart", 0),
            Command::PreviousDivergence => {
                let at = session.at;
                match (0..at).rfind(|i| diverges(*i)) {
                    Some(to) => session.go("previous divergence", to),
                    None => session.tell(Notice::info("no divergence before this")),
                }
            }
            Command::Resync => {
                session.tell(Notice::info("the model knows again what really happened"));
            }
            Command::Inspect(frame) => {
                let page = session.variables(frame);
                session.browse(|pages| *pages = vec![page]);
            }
            Command::Open(place) => session.browse(|pages| {
                let item = pages.last().and_then(|page| page.items.get(place));
                let opened = item.filter(|item| item.opens).map(parts);
                pages.extend(opened);
            }),
            Command::Up => session.browse(|pages| pages.truncate(pages.len().max(2) - 1)),
            Command::Close => session.browse(Vec::clear),
            Command::Branches => {
                session.tell(Notice::info("the demo has no branches: nothing can be changed"));
            }
            // Its pages are whole.
            Command::More => {}
            Command::Interrupt => {
                session.thought = session.at;
                session.refresh();
            }
        }
        drop(session);
        self.think();
    }

    fn enter(&self, _line: &str, _frame: usize) {
        self.session().tell(Notice::info("the demo takes no commands"));
    }

    /// The program never asks.
    fn answer(&self, _text: Option<&str>) {}

    fn on_change(&self, waker: Waker) {
        self.session().waker = Some(waker);
    }
}

fn main() -> Result<(), Error> {
    match run(&Demo::new(), Theme::from_environment())? {
        Ended::Quit => Ok(()),
        Ended::Signal(signal) => std::process::exit(128 + signal),
    }
}
