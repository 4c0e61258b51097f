//! The event loop: keys, signals, the clock and the debuggee in one queue.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event;
use crossterm::tty::IsTty;
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};

use crate::debuggee::{Debuggee, Waker};
use crate::model::Model;
use crate::signals::{Asked, Watch, suspend};
use crate::terminal::{self, Screen};
use crate::theme::Theme;
use crate::update::{Effect, Msg, update};
use crate::view;

/// Between two pictures of the spinner, and before the first.
const TICK: Duration = Duration::from_millis(80);

/// How often the thread that reads keys looks whether it is still wanted.
const READER: Duration = Duration::from_millis(500);

/// How the screen was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The user quit.
    Quit,
    /// A signal of this number asked the process to end; by custom its exit code is 128 more.
    Signal(i32),
}

/// Why the screen could not go on. The terminal has been given back.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no terminal.
    #[error("the screen needs a terminal, and standard output is not one")]
    NoTerminal,
    /// The terminal failed.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
}

/// Something for the loop.
enum Event {
    Terminal(event::Event),
    Debuggee,
    Signal(Asked),
    /// No more keys will come.
    InputLost(io::Error),
}

/// Shows the session in the terminal until the user quits or a signal ends it.
///
/// The terminal is restored on every way out of here, a panic and a signal among them. While the
/// screen is up nothing else may write to the terminal; panic messages of other threads are held
/// back until it is down.
pub fn run(debuggee: &dyn Debuggee, theme: Theme) -> Result<Ended, Error> {
    if !io::stdout().is_tty() {
        return Err(Error::NoTerminal);
    }
    let (sender, events) = mpsc::channel();
    let is_woken = Arc::new(AtomicBool::new(false));
    debuggee.on_change(waker(&sender, &is_woken));
    // Dropped in reverse: the terminal is given back before signals do their default again.
    let _watch = Watch::start({
        let sender = sender.clone();
        move |asked| drop(sender.send(Event::Signal(asked)))
    })?;
    let _screen = Screen::enter()?;
    let _reader = Reader::start(sender)?;
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let size = terminal.size()?;
    let model = Model::new(debuggee.snapshot(), (size.width, size.height));
    Loop { debuggee, theme, events, is_woken, model }.run(&mut terminal)
}

/// Wakes the loop; many wakes before it looks are one event.
fn waker(sender: &Sender<Event>, is_woken: &Arc<AtomicBool>) -> Waker {
    let (sender, is_woken) = (sender.clone(), is_woken.clone());
    Waker::new(move || {
        if !is_woken.swap(true, Ordering::AcqRel) {
            // When the screen is down nobody listens, and nobody needs to.
            let _ = sender.send(Event::Debuggee);
        }
    })
}

struct Loop<'a> {
    debuggee: &'a dyn Debuggee,
    theme: Theme,
    events: Receiver<Event>,
    is_woken: Arc<AtomicBool>,
    model: Model,
}

impl Loop<'_> {
    fn run<B>(mut self, terminal: &mut Terminal<B>) -> Result<Ended, Error>
    where
        B: Backend<Error = io::Error>,
    {
        self.draw(terminal)?;
        let mut tick = Instant::now() + TICK;
        loop {
            let mut next = self.wait(&mut tick);
            let shown = self.model.clone();
            let mut must_draw = false;
            // Take all that is there before drawing: a held key must not pile up frames.
            while let Some(event) = next {
                match self.handle(event, terminal)? {
                    Next::Go => {}
                    Next::Draw => must_draw = true,
                    Next::End(ended) => return Ok(ended),
                }
                next = self.events.try_recv().ok().map(Happened::Event);
            }
            if must_draw || self.model != shown {
                self.draw(terminal)?;
            }
        }
    }

    /// Waits for an event, or for the clock while the debuggee works.
    fn wait(&self, tick: &mut Instant) -> Option<Happened> {
        let now = Instant::now();
        let received = match self.model.busy {
            None => {
                *tick = now + TICK;
                self.events.recv().map_err(RecvTimeoutError::from)
            }
            Some(_) => self.events.recv_timeout(tick.saturating_duration_since(now)),
        };
        match received {
            Ok(event) => Some(Happened::Event(event)),
            Err(RecvTimeoutError::Timeout) => {
                *tick = Instant::now() + TICK;
                Some(Happened::Tick)
            }
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn handle<B>(&mut self, happened: Happened, terminal: &mut Terminal<B>) -> Result<Next, Error>
    where
        B: Backend<Error = io::Error>,
    {
        let msg = match happened {
            Happened::Tick => Msg::Tick,
            Happened::Event(Event::Debuggee) => {
                // Before the snapshot is taken: a change after it must wake again.
                self.is_woken.store(false, Ordering::Release);
                Msg::Changed(self.debuggee.snapshot())
            }
            Happened::Event(Event::Terminal(event::Event::Key(key))) => Msg::Key(key),
            Happened::Event(Event::Terminal(event::Event::Paste(text))) => Msg::Paste(text),
            Happened::Event(Event::Terminal(event::Event::Resize(w, h))) => Msg::Resize(w, h),
            Happened::Event(Event::Terminal(_)) => return Ok(Next::Go),
            Happened::Event(Event::Signal(Asked::End(signal))) => {
                return Ok(Next::End(Ended::Signal(signal)));
            }
            Happened::Event(Event::Signal(Asked::Suspend)) => return self.suspend(terminal),
            Happened::Event(Event::Signal(Asked::Resumed)) => return self.take_again(terminal),
            Happened::Event(Event::InputLost(error)) => return Err(error.into()),
        };
        match update(&mut self.model, msg) {
            None => Ok(Next::Go),
            Some(Effect::Send(command)) => {
                self.debuggee.send(command);
                Ok(Next::Go)
            }
            Some(Effect::Enter(line, frame)) => {
                self.debuggee.enter(&line, frame);
                Ok(Next::Go)
            }
            Some(Effect::Answer(text)) => {
                self.debuggee.answer(text.as_deref());
                Ok(Next::Go)
            }
            Some(Effect::Repaint) => repaint(terminal),
            Some(Effect::Suspend) => self.suspend(terminal),
            Some(Effect::Quit) => Ok(Next::End(Ended::Quit)),
        }
    }

    /// Gives the terminal back and stops the process until it is continued.
    fn suspend<B>(&mut self, terminal: &mut Terminal<B>) -> Result<Next, Error>
    where
        B: Backend<Error = io::Error>,
    {
        terminal::leave();
        suspend()?;
        // This thread may run on for a while before the stop reaches it, and must not take the
        // terminal meanwhile.
        loop {
            match self.events.recv() {
                Ok(Event::Signal(Asked::Resumed)) => return self.take_again(terminal),
                Ok(Event::Signal(Asked::End(signal))) => {
                    return Ok(Next::End(Ended::Signal(signal)));
                }
                Ok(Event::InputLost(error)) => return Err(error.into()),
                Ok(Event::Debuggee) => {
                    self.handle(Happened::Event(Event::Debuggee), terminal)?;
                }
                // What is typed now was not meant for the screen.
                Ok(Event::Terminal(_) | Event::Signal(Asked::Suspend)) => {}
                Err(error) => return Err(io::Error::other(error).into()),
            }
        }
    }

    /// Takes the terminal anew: whoever had it meanwhile may have left it in any state.
    fn take_again<B>(&mut self, terminal: &mut Terminal<B>) -> Result<Next, Error>
    where
        B: Backend<Error = io::Error>,
    {
        terminal::leave();
        terminal::enter()?;
        repaint(terminal)
    }

    fn draw<B>(&mut self, terminal: &mut Terminal<B>) -> Result<(), Error>
    where
        B: Backend<Error = io::Error>,
    {
        terminal.draw(|frame| {
            let area = frame.area();
            if self.model.size != (area.width, area.height) {
                update(&mut self.model, Msg::Resize(area.width, area.height));
            }
            if let Some(cursor) = view::draw(&self.model, self.theme, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })?;
        Ok(())
    }
}

/// Makes the next drawing write every cell. `Terminal::clear` would do, too, but asks the terminal
/// where its cursor is, and the thread that reads keys takes the answer.
fn repaint<B>(terminal: &mut Terminal<B>) -> Result<Next, Error>
where
    B: Backend<Error = io::Error>,
{
    let size = terminal.size()?;
    terminal.resize(size.into())?;
    Ok(Next::Draw)
}

enum Happened {
    Event(Event),
    Tick,
}

enum Next {
    Go,
    Draw,
    End(Ended),
}

/// Reads keys on a thread of its own until it is dropped.
struct Reader {
    is_wanted: Arc<AtomicBool>,
}

impl Reader {
    fn start(sender: Sender<Event>) -> io::Result<Reader> {
        // The first look is what begins to listen for changes of the size. Were it left to the
        // thread, one that comes before the thread does would be missed.
        event::poll(Duration::ZERO)?;
        let is_wanted = Arc::new(AtomicBool::new(true));
        let wanted = is_wanted.clone();
        thread::Builder::new().name("keys".into()).spawn(move || {
            while wanted.load(Ordering::Acquire) {
                let read = match event::poll(READER) {
                    Ok(false) => continue,
                    // A key typed after the end is left to whoever reads next.
                    Ok(true) if !wanted.load(Ordering::Acquire) => return,
                    Ok(true) => event::read(),
                    Err(error) => Err(error),
                };
                let is_lost = read.is_err();
                let event = read.map_or_else(Event::InputLost, Event::Terminal);
                if sender.send(event).is_err() || is_lost {
                    return;
                }
            }
        })?;
        Ok(Reader { is_wanted })
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.is_wanted.store(false, Ordering::Release);
    }
}
