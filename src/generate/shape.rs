//! Shapes: algorithms as people write them, with what may vary left open.
//!
//! A shape is nearly Python. Its slots are names in capitals, declared above it with their kind and
//! role; its holes stand in guillemets:
//!
//! ```text
//! shape count matching
//! F: = count_if, tally
//! NUMS: list[int]+
//! X: element int
//! TOTAL: result int
//!
//! def F(NUMS):
//!     TOTAL = 0
//!     for X in NUMS:
//!         if «bool X»:
//!             TOTAL += «1|int X»
//!     return TOTAL
//! ```
//!
//! - `«int X N»` is an expression of that kind over these slots; `«int! X»` one that stands beside
//!   an operator; `«int:0 X»` one with that many operations inside each other; `I@NUMS` says that I
//!   is a place in NUMS.
//! - `«= kind»` is a value of that kind, or of a slot's, written out.
//! - `«a|b»` is one of these, which may hold holes themselves.
//! - A line with `?` before it may be left out, with the block under it.
//!
//! A shape without a `main` is called by one that is written for it.

use std::sync::LazyLock;

use super::kind::Kind;
use super::names::Role;

/// What begins a hole.
pub const OPEN: char = '«';
/// What ends it.
pub const CLOSE: char = '»';

/// A name to be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// How the shape writes it.
    pub mark: &'static str,
    /// What it holds; none for functions and classes.
    pub kind: Option<Kind>,
    /// What it is for.
    pub role: Role,
    /// Names to choose from, if the shape says so.
    pub names: Vec<&'static str>,
}

/// An algorithm with slots and holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What it is called.
    pub title: &'static str,
    /// Its names.
    pub slots: Vec<Slot>,
    /// Its lines; a hole that goes over several of them is in one.
    pub lines: Vec<String>,
}

/// Where a shape is no shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("shape {title:?}: {what}")]
pub struct BadShape {
    title: String,
    what: String,
}

const SOURCES: &[&str] = &[
    include_str!("shapes/numbers.txt"),
    include_str!("shapes/lists.txt"),
    include_str!("shapes/strings.txt"),
    include_str!("shapes/dicts.txt"),
    include_str!("shapes/recursion.txt"),
    include_str!("shapes/closures.txt"),
    include_str!("shapes/generators.txt"),
    include_str!("shapes/exceptions.txt"),
    include_str!("shapes/classes.txt"),
    include_str!("shapes/several.txt"),
];

/// All shapes. One that can't be read is left out; a test sees to it that there is none.
pub fn shapes() -> &'static [Shape] {
    static ALL: LazyLock<Vec<Shape>> =
        LazyLock::new(|| SOURCES.iter().flat_map(|source| read(source)).flatten().collect());
    &ALL
}

/// Reads the shapes of a text.
fn read(source: &'static str) -> Vec<Result<Shape, BadShape>> {
    let mut shapes: Vec<(&'static str, Vec<&'static str>)> = Vec::new();
    for line in source.lines() {
        match (line.strip_prefix("shape "), shapes.last_mut()) {
            (Some(title), _) => shapes.push((title, Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    shapes.into_iter().map(|(title, lines)| Shape::read(title, &lines)).collect()
}

impl Shape {
    fn read(title: &'static str, lines: &[&'static str]) -> Result<Shape, BadShape> {
        let bad = |what: String| BadShape { title: title.to_owned(), what };
        let gap = lines.iter().position(|line| line.is_empty());
        let gap = gap.ok_or_else(|| bad("no empty line behind its slots".to_owned()))?;
        let slots = lines[..gap]
            .iter()
            .map(|line| Slot::read(line).map_err(bad))
            .collect::<Result<Vec<_>, _>>()?;
        let lines = joined(&lines[gap + 1..]);
        if lines.iter().any(|line| open_holes(line) != 0) {
            return Err(bad("a hole has only one end".to_owned()));
        }
        Ok(Shape { title, slots, lines })
    }

    /// The slot that is written so.
    pub fn slot(&self, mark: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.mark == mark)
    }

    /// Whether it has a `main` of its own.
    pub fn has_main(&self) -> bool {
        self.lines.iter().any(|line| line.starts_with("def main("))
    }
}

/// Joins the lines over which a hole goes; without the empty ones at the end.
fn joined(lines: &[&str]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in lines.join("\n").trim_end().split('\n') {
        match joined.last_mut().filter(|last| open_holes(last) > 0) {
            Some(last) => {
                last.push('\n');
                last.push_str(line);
            }
            None => joined.push(line.to_owned()),
        }
    }
    joined
}

/// How many holes begin in a text and don't end there.
fn open_holes(text: &str) -> isize {
    text.matches(OPEN).count() as isize - text.matches(CLOSE).count() as isize
}

impl Slot {
    fn read(line: &'static str) -> Result<Slot, String> {
        let (mark, rest) = line.split_once(':').ok_or_else(|| format!("no slot: {line}"))?;
        let (kind, names) = rest.split_once('=').unwrap_or((rest, ""));
        let names: Vec<_> =
            names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let kind = kind.trim();
        let roles = [
            ("element", Role::Element),
            ("result", Role::Result),
            ("index", Role::Index),
            ("local", Role::Local),
        ];
        let role = roles.iter().find_map(|(word, role)| {
            let rest = kind.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with(' ')).then_some((rest.trim(), *role))
        });
        let (kind, role) = role.unwrap_or((kind, Role::Given));
        let kind = match kind {
            "" => None,
            kind => Some(Kind::parse(kind).map_err(|no| no.to_string())?),
        };
        if kind.is_none() && names.is_empty() {
            return Err(format!("slot {mark} has neither kind nor names"));
        }
        Ok(Slot { mark, kind, role, names })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_can_be_read() {
        for source in SOURCES {
            let shapes = read(source);
            assert!(!shapes.is_empty());
            for shape in shapes {
                if let Err(error) = shape {
                    panic!("{error}");
                }
            }
        }
        assert_eq!(shapes().len(), SOURCES.iter().map(|source| read(source).len()).sum::<usize>());
    }

    #[test]
    fn what_is_no_shape_says_so() {
        let message = |source| read(source).remove(0).unwrap_err().to_string();
        assert_eq!(message("shape a\nF: = f"), r#"shape "a": no empty line behind its slots"#);
        assert_eq!(
            message("shape a\nX: number\n\nX"),
            r#"shape "a": `number` is no kind of value"#
        );
        assert_eq!(message("shape a\nX:\n\nX"), r#"shape "a": slot X has neither kind nor names"#);
        assert_eq!(message("shape a\nX\n\nX"), r#"shape "a": no slot: X"#);
    }
}
