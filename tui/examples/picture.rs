//! Makes the picture in the README: runs a program in a terminal of its own, types some keys, and
//! writes what the screen then shows as SVG.
//!
//! `cargo run --release -p lockstep-tui --example picture -- OUT.svg KEYS PROGRAM [ARGS...]`

use std::error::Error;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::mpsc;
use std::time::Duration;

use portable_pty::{CommandBuilder, PtySize};

const ROWS: u16 = 24;
const COLUMNS: u16 = 80;
/// The screen counts as drawn when nothing has come for this long.
const QUIET: Duration = Duration::from_millis(700);

/// A cell's size and where its text stands in it, in the picture's units.
const CELL: (f64, f64) = (8.4, 17.0);
const BASELINE: f64 = 12.5;
const MARGIN: f64 = 10.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: picture OUT.svg KEYS PROGRAM [ARGS...]";
    let (out, keys) = (args.next().ok_or(usage)?, args.next().ok_or(usage)?);
    let mut command = CommandBuilder::new(args.next().ok_or(usage)?);
    command.args(args);
    command.cwd(std::env::current_dir()?);
    command.env("TERM", "xterm-256color");

    let size = PtySize { rows: ROWS, cols: COLUMNS, ..PtySize::default() };
    let pair = portable_pty::native_pty_system().openpty(size)?;
    let mut child = pair.slave.spawn_command(command)?;
    let (mut reader, mut writer) = (pair.master.try_clone_reader()?, pair.master.take_writer()?);
    let (sender, bytes) = mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let rows = NonZero::new(ROWS).ok_or("no rows")?;
    let columns = NonZero::new(COLUMNS).ok_or("no columns")?;
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    for key in std::iter::once(None).chain(keys.chars().map(Some)) {
        if let Some(key) = key {
            write!(writer, "{key}")?;
            writer.flush()?;
        }
        while let Ok(bytes) = bytes.recv_timeout(QUIET) {
            terminal.process(&bytes);
        }
    }
    child.kill()?;
    std::fs::write(out, svg(terminal.screen()))?;
    Ok(())
}

/// The screen as a picture, a run of equal cells a text element.
fn svg(screen: &vt100::Screen) -> String {
    let (width, height) = (f64::from(COLUMNS) * CELL.0, f64::from(ROWS) * CELL.1);
    let (whole, tall) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {tall}\" \
         font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"14\" xml:space=\"preserve\">\n\
         <rect width=\"{whole}\" height=\"{tall}\" rx=\"8\" fill=\"#1b1e24\"/>\n"
    );
    for row in 0..ROWS {
        let mut column = 0;
        while column < COLUMNS {
            let look = look(screen, row, column);
            let start = column;
            let mut text = String::new();
            while column < COLUMNS && self::look(screen, row, column) == look {
                match screen.cell(row, column).map(|cell| cell.contents().to_owned()) {
                    Some(contents) if !contents.is_empty() => text.push_str(&contents),
                    _ => text.push(' '),
                }
                column += 1;
            }
            run(&mut svg, (row, start, column - start), &text, &look);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// How a cell looks.
#[derive(PartialEq)]
struct Look {
    ink: String,
    paper: Option<String>,
    bold: bool,
    underline: bool,
}

fn look(screen: &vt100::Screen, row: u16, column: u16) -> Look {
    let Some(cell) = screen.cell(row, column) else {
        return Look {
            ink: color(vt100::Color::Default),
            paper: None,
            bold: false,
            underline: false,
        };
    };
    let ink = color(cell.fgcolor());
    let paper = match cell.bgcolor() {
        vt100::Color::Default => None,
        painted => Some(color(painted)),
    };
    let (ink, paper) = match cell.inverse() {
        true => (paper.unwrap_or_else(|| "#1b1e24".to_owned()), Some(ink)),
        false => (ink, paper),
    };
    Look { ink, paper, bold: cell.bold(), underline: cell.underline() }
}

/// The colours of the picture, for those that a terminal names by number.
fn color(color: vt100::Color) -> String {
    const NAMED: [&str; 16] = [
        "#3b4048", "#e5706b", "#8cc570", "#e0b46c", "#6cb2ee", "#c583dd", "#5fbcc6", "#c6ccd6",
        "#7d8592", "#ff8a84", "#a6dd8a", "#f5ca84", "#86c6ff", "#dc9cf2", "#79d4de", "#ffffff",
    ];
    match color {
        vt100::Color::Default => "#d4d8df".to_owned(),
        vt100::Color::Idx(number) => {
            NAMED.get(usize::from(number)).copied().unwrap_or("#d4d8df").to_owned()
        }
        vt100::Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

fn run(svg: &mut String, (row, start, length): (u16, u16, u16), text: &str, look: &Look) {
    let (x, y) = (MARGIN + f64::from(start) * CELL.0, MARGIN + f64::from(row) * CELL.1);
    let width = f64::from(length) * CELL.0;
    let mut element = String::new();
    if let Some(paper) = &look.paper {
        let _ = write!(
            element,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{paper}\"/>",
            CELL.1
        );
    }
    if !text.trim().is_empty() {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let bold = if look.bold { " font-weight=\"bold\"" } else { "" };
        let line = if look.underline { " text-decoration=\"underline\"" } else { "" };
        let (y, ink) = (y + BASELINE, &look.ink);
        let _ = write!(
            element,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{width:.1}\" fill=\"{ink}\"{bold}{line}>{text}</text>"
        );
    }
    if !element.is_empty() {
        svg.push_str(&element);
        svg.push('\n');
    }
}
