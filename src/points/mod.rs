//! Where a run stops, as its user wants it: breakpoints by line, text and function, changes of
//! variables, exceptions, with conditions and counts; log points; and expressions to watch.

mod evaluator;
mod expression;
mod point;
mod run;
mod saved;
mod search;
#[cfg(test)]
pub(crate) mod testing;

pub use evaluator::Evaluator;
pub use expression::{BadExpression, Expression};
pub use point::{BadPoint, Effect, Place, Point, Power, Times};
pub use run::Run;
pub use saved::{Restored, Shelf, ShelfError};
pub use search::{Found, Hit, Logged, Means, Reason, Search};

use crate::program::Program;

/// The number by which a point is known; it is never given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u32);

impl Id {
    /// The point of this number, if there is one.
    pub fn new(number: u32) -> Self {
        Id(number)
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// All points of a program, and what is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Points {
    points: Vec<(Id, Point)>,
    last_id: u32,
    watches: Vec<Expression>,
}

/// A place that the program doesn't have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misplaced {
    /// A blank line, a comment, or a number after the last line.
    #[error("{name}: line {line} holds no statement to stop at")]
    NoStatement {
        /// The program.
        name: String,
        /// The line.
        line: u32,
    },
    /// A text that no line holds.
    #[error("{name}: no line reads `{text}`")]
    NoLine {
        /// The program.
        name: String,
        /// The text.
        text: String,
    },
    /// A name that stands nowhere in the program.
    #[error("{name}: no line of it names `{wanted}`")]
    NoName {
        /// The program.
        name: String,
        /// The function or variable.
        wanted: String,
    },
}

impl Points {
    /// Adds a point, unless it is there already; its number.
    pub fn add(&mut self, point: Point) -> Id {
        if let Some((id, _)) = self.points.iter().find(|(_, known)| *known == point) {
            return *id;
        }
        self.last_id += 1;
        let id = Id(self.last_id);
        self.points.push((id, point));
        id
    }

    /// Takes a point away; it, if it was there.
    pub fn remove(&mut self, id: Id) -> Option<Point> {
        let at = self.points.iter().position(|(known, _)| *known == id)?;
        Some(self.points.remove(at).1)
    }

    /// Takes all points away.
    pub fn clear(&mut self) {
        self.points.clear();
    }

    /// The point of this number.
    pub fn get(&self, id: Id) -> Option<&Point> {
        self.points.iter().find(|(known, _)| *known == id).map(|(_, point)| point)
    }

    /// Switches a point on or off; whether it is there.
    pub fn switch(&mut self, id: Id, power: Power) -> bool {
        match self.points.iter_mut().find(|(known, _)| *known == id) {
            Some((_, point)) => {
                point.power = power;
                true
            }
            None => false,
        }
    }

    /// Takes away all points on a line, or sets a breakpoint there if there is none.
    pub fn toggle_line(&mut self, line: u32) {
        let before = self.points.len();
        self.points.retain(|(_, point)| point.place != Place::Line(line));
        if self.points.len() == before {
            self.add(Point::at(Place::Line(line)));
        }
    }

    /// All points, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (Id, &Point)> {
        self.points.iter().map(|(id, point)| (*id, point))
    }

    /// The points that are switched on.
    pub fn active(&self) -> impl Iterator<Item = (Id, &Point)> {
        self.iter().filter(|(_, point)| point.power == Power::On)
    }

    /// What is watched, oldest first.
    pub fn watches(&self) -> &[Expression] {
        &self.watches
    }

    /// Watches an expression, unless it is watched already.
    pub fn watch(&mut self, expression: Expression) {
        if !self.watches.contains(&expression) {
            self.watches.push(expression);
        }
    }

    /// Ends the watch of an expression; whether there was one.
    pub fn unwatch(&mut self, expression: &Expression) -> bool {
        let before = self.watches.len();
        self.watches.retain(|watched| watched != expression);
        self.watches.len() < before
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.watches.is_empty()
    }

    /// Only the points that stop.
    fn stoppers(&self) -> Points {
        self.only(|point| point.effect == Effect::Stop)
    }

    /// Only the points that log.
    fn loggers(&self) -> Points {
        self.only(|point| point.effect != Effect::Stop)
    }

    fn only(&self, wanted: impl Fn(&Point) -> bool) -> Points {
        let mut points = self.clone();
        points.points.retain(|(_, point)| wanted(point));
        points
    }
}

impl Place {
    /// Whether this program has such a place, as far as its text tells.
    pub fn check(&self, program: &Program) -> Result<(), Misplaced> {
        let name = program.name().to_owned();
        match self {
            Place::Line(line) if program.statement(*line).is_none() => {
                Err(Misplaced::NoStatement { name, line: *line })
            }
            Place::Text(text) if !program.lines().iter().any(|line| line.trim() == &**text) => {
                Err(Misplaced::NoLine { name, text: text.to_string() })
            }
            Place::Function(wanted) => {
                let own = wanted.rsplit('.').next().unwrap_or(wanted);
                let is_there = own.starts_with('<') || program.text().contains(own);
                let wanted = wanted.to_string();
                if is_there { Ok(()) } else { Err(Misplaced::NoName { name, wanted }) }
            }
            Place::Change(wanted) if !program.text().contains(&**wanted) => {
                Err(Misplaced::NoName { name, wanted: wanted.to_string() })
            }
            Place::Line(_) | Place::Text(_) | Place::Change(_) => Ok(()),
            Place::Raise(_) | Place::Uncaught => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(texts: &[&str]) -> Points {
        let mut points = Points::default();
        for text in texts {
            points.add(text.parse().unwrap());
        }
        points
    }

    #[test]
    fn numbers_are_never_given_again() {
        let mut points = points(&["1", "2"]);
        assert!(points.remove(Id(2)).is_some());
        assert_eq!(points.add(Point::at(Place::Line(3))), Id(3));
        assert_eq!(points.add(Point::at(Place::Line(3))), Id(3));
        assert_eq!(points.remove(Id(2)), None);
    }

    #[test]
    fn toggling_a_line_takes_away_whatever_is_there() {
        let mut points = points(&["5, n > 1", "5; log n", "6"]);
        points.toggle_line(5);
        assert_eq!(points.iter().count(), 1);
        points.toggle_line(5);
        assert_eq!(points.iter().last().unwrap().1, &Point::at(Place::Line(5)));
    }

    #[test]
    fn switched_off_points_are_kept() {
        let mut points = points(&["5", "6"]);
        assert!(points.switch(Id(1), Power::Off));
        assert!(!points.switch(Id(9), Power::Off));
        assert_eq!(points.active().count(), 1);
        assert_eq!(points.get(Id(1)).unwrap().to_string(), "5; off");
    }

    #[test]
    fn places_that_the_program_has_not_are_told() {
        let text = "def f():\n    # note\n    return 1\n";
        let program = Program::from_text("p.py".into(), text).unwrap();
        let check = |place: &str| place.parse::<Place>().unwrap().check(&program);
        for good in
            ["1", "3", "f", "Shape.f", "f.<locals>.<lambda>", "'return 1'", "raise KeyError"]
        {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["2", "9", "g", "'return 2'", "change total"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
