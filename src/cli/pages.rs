//! The lists that the screen shows over its panes: the parts of a value, the branches, the points,
//! what the check found.

use std::sync::Arc;

use lockstep_tui::{Item, Page};

use crate::check::Finding;
use crate::multiverse::Multiverse;
use crate::python::{Children, Path, PythonError};
use crate::session::Session;
use crate::state::Text;

/// Parts that are fetched at once.
const PORTION: usize = 200;

/// What a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The parts of a value.
    Parts(Look),
    /// The branches of the run.
    Branches,
    /// The points.
    Points,
    /// What the check found.
    Findings,
}

/// A look into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The frame: 0 is where the program stands, 1 its caller.
    frame: usize,
    /// The value.
    path: Path,
    /// How many of its parts are shown.
    count: usize,
}

impl Look {
    /// A look into a value in a frame.
    pub fn into(frame: usize, path: Path) -> Self {
        Look { frame, path, count: PORTION }
    }

    /// The same with more parts.
    pub fn more(self) -> Self {
        Look { count: self.count + PORTION, ..self }
    }

    /// A look into the part at a place of the page.
    pub fn part(&self, place: usize, page: &Page) -> Self {
        let path = match self.path.name() {
            Some(_) => self.path.clone().part(place),
            None => {
                page.items.get(place).map_or_else(Path::frame, |item| Path::variable(&item.key))
            }
        };
        Look::into(self.frame, path)
    }

    /// A look into what this is a part of; none for the frame.
    pub fn whole(&self) -> Option<Self> {
        Some(Look::into(self.frame, self.path.whole()?))
    }

    /// The page of the parts, at the state where the session stands; none at the end of the run.
    pub fn page(&self, session: &mut Session) -> Result<Option<Page>, PythonError> {
        let Some(at) = session.index() else { return Ok(None) };
        let range = 0..self.count;
        let Children { total, items, .. } =
            session.inspector().expand(at, self.frame, &self.path, range)?;
        let items = items.into_iter().map(|child| Item {
            key: child.key,
            value: child.value,
            class: child.class,
            identity: child.identity,
            opens: child.expandable,
        });
        let title = match self.path.name() {
            Some(_) => self.path.to_string(),
            None => "variables".to_owned(),
        };
        Ok(Some(Page { title: title.into(), items: items.collect(), total }))
    }
}

/// The branches, each under the one that it changes.
pub fn branches(runs: &Multiverse) -> Page {
    let branches = runs.branches();
    let items = branches.iter().map(|(id, branch)| {
        let depth = branches.lineage(id).count().saturating_sub(1);
        let here = if id == branches.current() { "▶ " } else { "" };
        Item {
            key: id.to_string().into(),
            value: format!("{}{here}{}", "  ".repeat(depth), branch.label).into(),
            class: Text::default(),
            identity: None,
            opens: id != branches.current(),
        }
    });
    whole("branches", items.collect())
}

/// The points, with their numbers.
pub fn points(session: &Session) -> Page {
    let items = session.points().iter().map(|(id, point)| plain(id.to_string(), point.to_string()));
    whole("breakpoints", items.collect())
}

/// What the check found, by line.
pub fn findings(findings: &[Finding]) -> Page {
    let items = findings.iter().map(|Finding { span, severity, message, .. }| {
        plain(format!("line {}", span.line), format!("{}: {message}", severity.word()))
    });
    whole("found before the run", items.collect())
}

fn plain(key: String, value: String) -> Item {
    let class = Text::default();
    Item { key: key.into(), value: value.into(), class, identity: None, opens: false }
}

/// A page that holds all there is.
fn whole(title: &str, items: Arc<[Item]>) -> Page {
    Page { title: title.into(), total: items.len(), items }
}
