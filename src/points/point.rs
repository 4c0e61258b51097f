//! Points: where, when and why a run is to stop, in a line of text.
//!
//! The text form is pdb's, with clauses behind it:
//!
//! ```text
//! point  = place ["," condition] {";" clause}
//! place  = 12                 line 12 is about to run, or the function that begins there is called
//!        | solve | Shape.area a function of this name, or qualified name, is called
//!        | "total += n"       a line that reads so, whatever its number and indentation
//!        | change total       the text of a variable of this name changes
//!        | raise | raise KeyError    an exception (of this class) is raised
//!        | raise uncaught     an exception is raised that nothing will catch
//! clause = hit 3 | from 3 | every 3  only the third time, from then on, every third time
//!        | log total          print this instead of stopping
//!        | off                not now
//! ```
//!
//! Conditions and what is logged are Python expressions, evaluated in the frame that stops. Times
//! are counted over the whole run, and only those are counted on which the condition holds: so the
//! third time is the same state from whichever side it is reached.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use super::expression::{BadExpression, Expression, outside_quotes};
use crate::state::Text;

/// Where a run can stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A line, by its number (1-based).
    Line(u32),
    /// Every line that reads so, apart from the space around it.
    Text(Text),
    /// The entry of a function of this name, or of this qualified name.
    Function(Text),
    /// Where the text of a variable of this name is not what its frame showed before.
    Change(Text),
    /// Where an exception is raised; if a class is named, one of exactly this class.
    Raise(Option<Text>),
    /// Where an exception is raised that leaves the entry.
    Uncaught,
}

/// Which of the times at a place count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Times {
    /// All.
    #[default]
    Each,
    /// Only this one, the first being 1.
    Hit(NonZeroU64),
    /// This one and all after it.
    From(NonZeroU64),
    /// Every so many.
    Every(NonZeroU64),
}

impl Times {
    /// Whether the time of this number (the first is 1) counts.
    pub fn includes(self, number: u64) -> bool {
        match self {
            Times::Each => true,
            Times::Hit(wanted) => number == wanted.get(),
            Times::From(first) => number >= first.get(),
            Times::Every(period) => number % period == 0,
        }
    }
}

/// What is done at a point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The debugger stops.
    Stop,
    /// The value of this is printed, and the debugger goes on.
    Log(Expression),
}

/// Whether a point has its effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Power {
    /// It has.
    #[default]
    On,
    /// It is kept, and does nothing.
    Off,
}

/// A breakpoint, a log point, or another reason to stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Where.
    pub place: Place,
    /// Only where this holds.
    pub condition: Option<Expression>,
    /// Only at these times.
    pub times: Times,
    /// What is done.
    pub effect: Effect,
    /// Whether it is done.
    pub power: Power,
}

impl Point {
    /// Stops at a place, always.
    pub fn at(place: Place) -> Self {
        Point { place, condition: None, times: Times::Each, effect: Effect::Stop, power: Power::On }
    }
}

/// A text that is no point, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPoint {
    /// Nothing says where to stop.
    #[error(
        "say where to stop: a line's number, a function's name, a line's \"text\", `change NAME` or `raise`"
    )]
    NoPlace,
    /// A place of no known form.
    #[error(
        "`{0}` is no place to stop; write a line's number, a function's name, a line's \"text\" in quotes, `change NAME` or `raise`"
    )]
    UnknownPlace(String),
    /// A line number in another file's name.
    #[error("`{0}`: a program is one file here; write the line's number alone")]
    OtherFile(String),
    /// A number that no line can have.
    #[error("`{0}` is no line number; lines count from 1")]
    BadLine(String),
    /// A clause of no known form.
    #[error("`{0}` is unknown after `;`; write hit N, from N, every N, log EXPRESSION or off")]
    UnknownClause(String),
    /// A count that is none.
    #[error("`{0}`: give a number from 1 on")]
    BadCount(String),
    /// A clause given twice.
    #[error("`{0}` is given twice, or beside another of its kind")]
    Twice(String),
    /// A quote that stays open.
    #[error("`{0}`: a quote is not closed")]
    OpenQuote(String),
    /// A condition or a log text that is no expression.
    #[error(transparent)]
    Expression(#[from] BadExpression),
}

impl FromStr for Point {
    type Err = BadPoint;

    fn from_str(text: &str) -> Result<Self, BadPoint> {
        let open = |_| BadPoint::OpenQuote(text.trim().to_owned());
        let split = |text, mark| -> Result<(_, Option<_>), BadPoint> {
            let at = outside_quotes(text, mark).map_err(open)?;
            Ok(at.map_or((text, None), |at: usize| (&text[..at], Some(&text[at + 1..]))))
        };
        let (head, mut clauses) = split(text, ';')?;
        let (place, condition) = split(head, ',')?;
        let mut point = Point::at(place.parse()?);
        point.condition = condition.map(Expression::new).transpose()?;
        while let Some(rest) = clauses {
            let (clause, after) = split(rest, ';')?;
            clauses = after;
            point.take_clause(clause.trim())?;
        }
        Ok(point)
    }
}

impl Point {
    fn take_clause(&mut self, clause: &str) -> Result<(), BadPoint> {
        let (word, rest) = clause.split_once(char::is_whitespace).unwrap_or((clause, ""));
        let unknown = || BadPoint::UnknownClause(clause.to_owned());
        let twice = || BadPoint::Twice(word.to_owned());
        let count: fn(NonZeroU64) -> Times = match word {
            "hit" => Times::Hit,
            "from" => Times::From,
            "every" => Times::Every,
            "log" if self.effect != Effect::Stop => return Err(twice()),
            "log" => {
                self.effect = Effect::Log(Expression::new(rest)?);
                return Ok(());
            }
            "off" if rest.is_empty() && self.power == Power::Off => return Err(twice()),
            "off" if rest.is_empty() => {
                self.power = Power::Off;
                return Ok(());
            }
            _ => return Err(unknown()),
        };
        if self.times != Times::Each {
            return Err(twice());
        }
        let number = rest.trim().parse().map_err(|_| BadPoint::BadCount(clause.to_owned()))?;
        self.times = count(number);
        Ok(())
    }
}

/// The form that [`Point::from_str`] reads.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.place.fmt(f)?;
        if let Some(condition) = &self.condition {
            write!(f, ", {condition}")?;
        }
        match self.times {
            Times::Each => {}
            Times::Hit(number) => write!(f, "; hit {number}")?,
            Times::From(number) => write!(f, "; from {number}")?,
            Times::Every(number) => write!(f, "; every {number}")?,
        }
        if let Effect::Log(expression) = &self.effect {
            write!(f, "; log {expression}")?;
        }
        match self.power {
            Power::On => Ok(()),
            Power::Off => f.write_str("; off"),
        }
    }
}

impl FromStr for Place {
    type Err = BadPoint;

    fn from_str(text: &str) -> Result<Self, BadPoint> {
        let text = text.trim();
        let unknown = || BadPoint::UnknownPlace(text.to_owned());
        if text.is_empty() {
            return Err(BadPoint::NoPlace);
        }
        if text.starts_with(['"', '\'']) {
            let line = unquoted(text).ok_or_else(unknown)?;
            return match line.trim() {
                "" => Err(BadPoint::NoPlace),
                line => Ok(Place::Text(line.into())),
            };
        }
        if text.chars().all(|c| c.is_ascii_digit()) {
            return match text.parse() {
                Ok(number) if number > 0 => Ok(Place::Line(number)),
                _ => Err(BadPoint::BadLine(text.to_owned())),
            };
        }
        if let Some((_, number)) = text.rsplit_once(':')
            && number.trim().parse::<u32>().is_ok()
        {
            return Err(BadPoint::OtherFile(text.to_owned()));
        }
        let (word, name) = match text.split_once(char::is_whitespace) {
            Some((word, name)) => (word, Some(name.trim_start())),
            None => (text, None),
        };
        match (word, name) {
            ("raise", None) => Ok(Place::Raise(None)),
            ("raise", Some("uncaught")) => Ok(Place::Uncaught),
            ("raise", Some(class)) if is_name(class) => Ok(Place::Raise(Some(class.into()))),
            ("change", Some(variable)) if is_name(variable) => Ok(Place::Change(variable.into())),
            (_, None) if text.split('.').all(is_part) => Ok(Place::Function(text.into())),
            _ => Err(unknown()),
        }
    }
}

/// The form that [`Place::from_str`] reads.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Line(number) => number.fmt(f),
            Place::Text(line) => {
                write!(f, "\"{}\"", line.replace('\\', "\\\\").replace('"', "\\\""))
            }
            Place::Function(name) => f.write_str(name),
            Place::Change(variable) => write!(f, "change {variable}"),
            Place::Raise(None) => f.write_str("raise"),
            Place::Raise(Some(class)) => write!(f, "raise {class}"),
            Place::Uncaught => f.write_str("raise uncaught"),
        }
    }
}

/// Whether `text` can be the name of a variable or of a class. Python decides the rest.
fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether `text` can stand between the dots of a qualified name.
fn is_part(text: &str) -> bool {
    let bracketed = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    is_name(bracketed.unwrap_or(text))
}

/// The text between the quotes that `text` begins and ends with; a backslash before a quote or
/// before a backslash is left out.
fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    let mut rest = text[1..].chars();
    let mut inside = String::new();
    loop {
        match rest.next()? {
            '\\' => match rest.next()? {
                c @ ('\\' | '"' | '\'') => inside.push(c),
                c => inside.extend(['\\', c]),
            },
            c if c == quote => break,
            c => inside.push(c),
        }
    }
    rest.as_str().is_empty().then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(text: &str) -> Point {
        text.parse().unwrap()
    }

    fn number(n: u64) -> NonZeroU64 {
        NonZeroU64::new(n).unwrap()
    }

    #[test]
    fn the_forms_of_the_documentation() {
        assert_eq!(point("12").place, Place::Line(12));
        assert_eq!(point("solve").place, Place::Function("solve".into()));
        assert_eq!(point("f.<locals>.g").place, Place::Function("f.<locals>.g".into()));
        assert_eq!(point("change").place, Place::Function("change".into()));
        assert_eq!(point("'total += n'").place, Place::Text("total += n".into()));
        assert_eq!(point(r#""s = 'a, b; \"c\"'""#).place, Place::Text("s = 'a, b; \"c\"'".into()));
        assert_eq!(point("change total").place, Place::Change("total".into()));
        assert_eq!(point("raise").place, Place::Raise(None));
        assert_eq!(point("raise KeyError").place, Place::Raise(Some("KeyError".into())));
        assert_eq!(point("raise uncaught").place, Place::Uncaught);
        let full = point(" 12 ,  n > 3 and s != ';' ; every 2; log n, s; off ");
        assert_eq!(full.condition, Some(Expression::new("n > 3 and s != ';'").unwrap()));
        assert_eq!(full.times, Times::Every(number(2)));
        assert_eq!(full.effect, Effect::Log(Expression::new("n, s").unwrap()));
        assert_eq!(full.power, Power::Off);
        assert_eq!(full.to_string(), "12, n > 3 and s != ';'; every 2; log n, s; off");
    }

    #[test]
    fn what_is_no_point_is_told_with_what_to_write() {
        let mut told = String::new();
        for bad in [
            "",
            "0",
            "99999999999",
            "p.py:12",
            "12 n > 3",
            "12,",
            "12; twice",
            "12; hit",
            "12; hit 0",
            "12; hit 1; every 2",
            "12; off; off",
            "12; log",
            "12; log a; log b",
            "'open",
            "''",
            "'a' b",
            "a b",
            "12, 'x",
            "change 1x",
            "raise a.b",
        ] {
            let error = bad.parse::<Point>().unwrap_err();
            told += &format!("{bad:<20} {error}\n");
        }
        insta::assert_snapshot!(told);
    }

    #[test]
    fn times_are_counted_from_one() {
        let counted = |times: Times| (1..=7).filter(|n| times.includes(*n)).collect::<Vec<_>>();
        assert_eq!(counted(Times::Hit(number(3))), [3]);
        assert_eq!(counted(Times::From(number(5))), [5, 6, 7]);
        assert_eq!(counted(Times::Every(number(3))), [3, 6]);
        assert_eq!(counted(Times::Each).len(), 7);
    }

    pub(crate) fn expressions() -> impl Strategy<Value = Expression> {
        prop_oneof![
            "[a-z]{1,3}( (==|>|<|in) ('[^'\\\\\n\r\0]{0,6}'|[0-9]{1,3}))?",
            "[a-z]\\[\"[^\"\\\\\n\r\0]{0,4}\"\\], [a-z]",
        ]
        .prop_map(|text| Expression::new(&text).unwrap())
    }

    fn places() -> impl Strategy<Value = Place> {
        prop_oneof![
            (1..=u32::MAX).prop_map(Place::Line),
            "[^\\s\0]([^\n\r\0]{0,20}[^\\s\0])?".prop_map(|line| Place::Text(line.trim().into())),
            "[a-zé_][a-z0-9_]{0,5}(\\.<locals>)?(\\.[a-zA-Z_]{1,4})?"
                .prop_filter_map("a keyword of places", |name| (name != "raise")
                    .then(|| Place::Function(name.into()))),
            "[a-z_][a-z0-9_]{0,5}".prop_map(|name| Place::Change(name.into())),
            Just(Place::Raise(None)),
            "[A-Z][a-z]{0,5}".prop_map(|name| Place::Raise(Some(name.into()))),
            Just(Place::Uncaught),
        ]
    }

    fn points() -> impl Strategy<Value = Point> {
        let times = (1..100u64, 0..4usize).prop_map(|(n, kind)| {
            [Times::Each, Times::Hit(number(n)), Times::From(number(n)), Times::Every(number(n))]
                [kind]
        });
        let effect = prop_oneof![Just(Effect::Stop), expressions().prop_map(Effect::Log)];
        let power = prop_oneof![Just(Power::On), Just(Power::Off)];
        (places(), prop::option::of(expressions()), times, effect, power).prop_map(
            |(place, condition, times, effect, power)| Point {
                place,
                condition,
                times,
                effect,
                power,
            },
        )
    }

    proptest! {
        #[test]
        fn printed_points_read_back(point in points()) {
            let text = point.to_string();
            prop_assert_eq!(text.parse::<Point>(), Ok(point), "{}", text);
        }

        #[test]
        fn any_text_is_a_point_or_an_error(text in any::<String>()) {
            if let Ok(point) = text.parse::<Point>() {
                prop_assert_eq!(point.to_string().parse::<Point>(), Ok(point));
            }
        }

        #[test]
        fn texts_that_look_like_points_never_panic(text in "[0-9a-z'\",;\\\\. ]{0,30}") {
            if let Ok(point) = text.parse::<Point>() {
                prop_assert_eq!(point.to_string().parse::<Point>(), Ok(point));
            }
        }
    }
}
