//! Where the panes lie, for every size of terminal.

use ratatui::layout::Rect;

/// From this width on, source and variables lie side by side.
const WIDE: u16 = 110;

/// From this height on, the output has its own pane unasked.
const TALL: u16 = 32;

/// The smallest terminal that shows anything but a message.
pub(crate) const SMALLEST: (u16, u16) = (30, 8);

/// The panes. The first row of each is its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub source: Rect,
    pub variables: Rect,
    /// None where it would take the room of the variables.
    pub stack: Option<Rect>,
    pub output: Option<Rect>,
    pub status: Rect,
    pub footer: Rect,
}

impl Layout {
    /// The layout for a terminal of this size. `show_output` says whether the user wants the
    /// output; none leaves it to the size.
    pub fn new(width: u16, height: u16, show_output: Option<bool>) -> Layout {
        let status = Rect::new(0, height.saturating_sub(2), width, 1.min(height));
        let footer = Rect::new(0, height.saturating_sub(1), width, 1.min(height));
        let body = height.saturating_sub(2);
        let show_output = show_output.unwrap_or(height >= TALL);
        let panes = if width >= WIDE { wide } else { narrow }(width, body, show_output);
        let Panes { source, variables, stack, output } = panes;
        Layout { source, variables, stack, output, status, footer }
    }
}

struct Panes {
    source: Rect,
    variables: Rect,
    stack: Option<Rect>,
    output: Option<Rect>,
}

/// Source above output on the left; variables above stack on the right.
fn wide(width: u16, body: u16, show_output: bool) -> Panes {
    let left = width / 2;
    let right = width - left - 1;
    let output = if show_output { (body / 4).clamp(2, 12).min(body) } else { 0 };
    let stack = (body / 4).clamp(2, 12).min(body);
    Panes {
        source: Rect::new(0, 0, left, body.saturating_sub(output)),
        output: (output > 0).then(|| Rect::new(0, body.saturating_sub(output), left, output)),
        variables: Rect::new(left + 1, 0, right, body.saturating_sub(stack)),
        stack: Some(Rect::new(left + 1, body.saturating_sub(stack), right, stack)),
    }
}

/// Source on top; under it variables and stack side by side; under them the output.
fn narrow(width: u16, body: u16, show_output: bool) -> Panes {
    let output = if show_output { (body / 4).clamp(2, 10).min(body) } else { 0 };
    let rest = body.saturating_sub(output);
    let lower = (rest * 4 / 9).max(rest.min(3));
    let upper = rest - lower;
    let stack = if width >= 60 { (width / 4).clamp(16, 30) } else { 0 };
    let variables = if stack > 0 { width - stack - 1 } else { width };
    Panes {
        source: Rect::new(0, 0, width, upper),
        variables: Rect::new(0, upper, variables, lower),
        stack: (stack > 0).then(|| Rect::new(variables + 1, upper, stack, lower)),
        output: (output > 0).then(|| Rect::new(0, rest, width, output)),
    }
}

/// The rows of a pane under its title.
pub(crate) fn inside(pane: Rect) -> Rect {
    Rect {
        y: pane.y.saturating_add(pane.height.min(1)),
        height: pane.height.saturating_sub(1),
        ..pane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_stay_inside_and_apart_at_every_size() {
        for width in 1..=200 {
            for height in 1..=60 {
                for show in [None, Some(true), Some(false)] {
                    let l = Layout::new(width, height, show);
                    let screen = Rect::new(0, 0, width, height);
                    let mut panes = vec![l.source, l.variables];
                    panes.extend(l.stack.into_iter().chain(l.output));
                    if height > 1 {
                        panes.extend([l.status, l.footer]);
                    }
                    for (i, pane) in panes.iter().enumerate() {
                        assert_eq!(pane.intersection(screen), *pane, "{width}×{height}: {l:?}");
                        for other in &panes[i + 1..] {
                            assert!(!pane.intersects(*other), "{width}×{height}: {l:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn everything_has_rows_at_the_smallest_size() {
        let (width, height) = SMALLEST;
        let layout = Layout::new(width, height, None);
        assert!(inside(layout.source).height >= 2 && inside(layout.variables).height >= 1);
    }
}
