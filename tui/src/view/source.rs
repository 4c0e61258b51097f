//! The source pane: the program, with the real and the predicted line.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use crate::layout::inside;
use crate::model::{Model, Pane};
use crate::snapshot::{Breakpoint, Prediction, Real};
use crate::text::{clean, cut, scrolled};
use crate::theme::Role;

pub(crate) const BREAKPOINT: &str = "●";
/// A breakpoint that is switched off.
pub(crate) const SWITCHED_OFF: &str = "○";
pub(crate) const REAL: &str = "▶";
pub(crate) const PREDICTED: &str = "▷";
/// A line that the prediction may mean: the program has several with this text.
pub(crate) const CANDIDATE: &str = "?";

/// Columns for how a run ended, in the title; the table of variables has it in full.
const ENDING: usize = 24;

pub(super) fn draw(canvas: &mut Canvas<'_>, pane: Rect, model: &Model) {
    let snapshot = &*model.snapshot;
    let function = snapshot.stack().get(model.frame).map(|frame| &*frame.function);
    let mut title = snapshot.program.to_string();
    if let Some(function) = function {
        title.push_str(" · ");
        title.push_str(function);
    }
    canvas.title(pane, &title, model.focus == Pane::Source, &places(model));
    let digits = snapshot.source.len().to_string().len().max(3);
    let area = inside(pane);
    for (index, y) in (model.source_top..snapshot.source.len()).zip(area.y..area.bottom()) {
        let Ok(line) = u32::try_from(index + 1) else { break };
        let is_real = snapshot.real_line() == Some(line);
        let candidates = snapshot.predicted_lines();
        let is_predicted = candidates.contains(&line);
        let role = match (is_real, is_predicted && candidates.len() == 1) {
            (true, true) => Role::Match,
            (true, false) => Role::Real,
            (false, true) => Role::Predicted,
            (false, false) => Role::Plain,
        };
        let mut pen = canvas.row(area, y);
        let breakpoint = match snapshot.breakpoints.get(&line) {
            Some(Breakpoint::On) => BREAKPOINT,
            Some(Breakpoint::Off) => SWITCHED_OFF,
            None => " ",
        };
        pen.put(breakpoint, Role::Breakpoint);
        let number = if index + 1 == model.cursor { Role::Selected } else { Role::Faint };
        pen.put(&format!("{line:>digits$}"), number);
        pen.skip(1);
        pen.put(if is_real { REAL } else { " " }, Role::Real);
        let sign = match is_predicted {
            true if candidates.len() == 1 => PREDICTED,
            true => CANDIDATE,
            false => " ",
        };
        pen.put(sign, Role::Predicted);
        pen.put(" ", Role::Plain);
        let text = clean(&snapshot.source[index]);
        let room = pen.room();
        pen.put(&cut(&scrolled(&text, model.source_left), room), role);
    }
}

/// Where both sides are, for the pane's title: they may be out of sight.
fn places(model: &Model) -> Vec<(String, Role)> {
    let snapshot = &*model.snapshot;
    let mut places = Vec::new();
    match &snapshot.real {
        Real::Starting => {}
        Real::At { event, stack } => {
            let line = stack.last().map_or(0, |frame| frame.line);
            places.push((format!("{REAL} {line} {}", clean(event)), Role::Real));
        }
        Real::Ended(how) => {
            places.push((format!("{REAL} {}", cut(&clean(how), ENDING)), Role::Real))
        }
    }
    let predicted = match &snapshot.predicted {
        Prediction::None => return places,
        Prediction::Pending => "…".to_owned(),
        Prediction::At { event, lines } => match &**lines {
            [] => format!("no such line {}", clean(event)),
            [line] => format!("{line} {}", clean(event)),
            [first, .., last] => format!("{first}…{last}? {}", clean(event)),
        },
        Prediction::Exit(how) => cut(&clean(how), ENDING),
        Prediction::Malformed { .. } => "malformed".to_owned(),
    };
    places.push((format!("  {PREDICTED} {predicted}"), Role::Predicted));
    places
}
