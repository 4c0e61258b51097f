//! What the screen keeps of a program from one time to the next.

use std::path::Path;

use crate::points::{Points, Shelf};
use crate::session::Session;

/// Where a session's points are kept, and what to tell of them.
#[derive(Debug, Default)]
pub struct Kept {
    shelf: Option<Shelf>,
    saved: Points,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Kept {
    /// Gives the session the points that were kept for the program at this path. What fails is
    /// noted: a debugger that can't find its breakpoints is still a debugger.
    pub fn restore(path: &Path, session: &mut Session) -> Self {
        let shelf = match Shelf::of(path) {
            Ok(shelf) => shelf,
            Err(error) => return Kept { notes: vec![error.to_string()], ..Kept::default() },
        };
        match shelf.load(session.program()) {
            Ok(restored) => {
                *session.points_mut() = restored.points.clone();
                Kept { shelf: Some(shelf), saved: restored.points, notes: restored.notes }
            }
            Err(error) => Kept { notes: vec![error.to_string()], ..Kept::default() },
        }
    }

    /// Keeps the session's points if they changed; why, if it can't.
    pub fn save(&mut self, session: &Session) -> Result<(), String> {
        let points = session.points();
        if *points == self.saved {
            return Ok(());
        }
        self.saved = points.clone();
        match &self.shelf {
            Some(shelf) => shelf.save(points, session.program()).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}
