//! Expressions that are true or false.

use super::author::Author;
use super::expression::{Expression, Level};
use super::integers::is_sized;
use super::kind::{Kind, Letters, Number};
use super::scope::Variable;

fn is_int(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Int(_))
}

fn is_str(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Str(_))
}

fn is_searched(variable: &Variable) -> bool {
    match &variable.kind {
        Kind::List(of, _) | Kind::Set(of) => matches!(**of, Kind::Int(_) | Kind::Str(_)),
        Kind::Dict(key, ..) => matches!(**key, Kind::Int(_) | Kind::Str(_)),
        _ => false,
    }
}

const ASKED: &[&str] = &[
    "isdigit",
    "isalpha",
    "isupper",
    "islower",
    "isalnum",
    "isspace",
    "isdigit",
    "isalpha",
    "istitle",
    "isnumeric",
    "isdecimal",
    "isascii",
    "isidentifier",
];
const GROUPS: &[&str] =
    &["aeiou", "aeiou", "aeiouAEIOU", "abc", "xyz", ".,!?", "0123456789", "+-*/", " _-", "()[]"];

impl Author<'_> {
    /// A condition.
    pub(super) fn condition(&mut self, depth: usize) -> Expression {
        let deep = u32::from(depth > 0);
        let flags = u32::from(self.has_kind(&Kind::Bool));
        match self.choices.weighted(&[14, 2 * deep, 2 * deep, 2 * deep, 2 * flags, flags]) {
            0 => self.comparison(depth),
            1 => self.joined("and", Level::And, depth - 1),
            2 => self.joined("or", Level::Or, depth - 1),
            3 => {
                let operand = self.comparison(depth - 1);
                match operand.to_string().split_once(" in ") {
                    Some((left, right)) if !left.contains(' ') => {
                        Expression::new(format!("{left} not in {right}"), Level::Comparison)
                    }
                    _ => Expression::new(
                        format!("not {}", operand.at(Level::Comparison)),
                        Level::Not,
                    ),
                }
            }
            4 => self.name(|variable| variable.kind == Kind::Bool),
            _ => {
                let flag = self.name(|variable| variable.kind == Kind::Bool);
                Expression::new(format!("not {flag}"), Level::Not)
            }
        }
    }

    fn joined(&mut self, word: &str, level: Level, depth: usize) -> Expression {
        let (left, mut right) = (self.comparison(depth), self.comparison(depth));
        if left == right {
            right = self.comparison(depth);
        }
        // `and` beside `or` is put in parentheses, as careful people do.
        Expression::new(format!("{} {word} {}", left.at(Level::Not), right.at(Level::Not)), level)
    }

    /// A condition without `and` and `or`.
    pub(super) fn comparison(&mut self, depth: usize) -> Expression {
        let has = |author: &Self, wanted: fn(&Variable) -> bool| u32::from(author.has(wanted));
        let weights = [
            1,
            9 * has(self, is_int),
            4 * has(self, is_int),
            6 * has(self, is_str),
            4 * has(self, is_searched),
            3 * has(self, is_sized),
            2 * has(self, is_sized),
            2 * has(self, is_int),
            u32::from(depth > 0) * has(self, is_ints_or_words),
        ];
        match self.choices.weighted(&weights) {
            0 | 1 => self.compared(depth),
            2 => {
                let name = self.name(is_int);
                let (by, rest) = match self.choices.below(4) {
                    0 => ("2", "0"),
                    1 => ("2", "1"),
                    2 => ("3", "0"),
                    _ => ("5", "0"),
                };
                let sign = self.choices.pick(&["==", "==", "!="]);
                Expression::new(format!("{name} % {by} {sign} {rest}"), Level::Comparison)
            }
            3 => self.of_text(),
            4 => self.contained(),
            5 => {
                let name = self.name(is_sized);
                let sign = self.choices.pick(&[">", "<", "==", ">=", "!="]);
                let number = self.choices.between(0, 6);
                Expression::new(format!("len({name}) {sign} {number}"), Level::Comparison)
            }
            6 => {
                let name = self.name(is_sized);
                if self.choices.chance(0.5) {
                    Expression::new(format!("not {name}"), Level::Not)
                } else {
                    name
                }
            }
            7 => {
                let name = self.name(is_int);
                let (low, high) = (self.choices.between(-2, 5), self.choices.between(6, 30));
                let sign = self.choices.pick(&["<=", "<"]);
                Expression::new(format!("{low} {sign} {name} {sign} {high}"), Level::Comparison)
            }
            _ => self.any_or_all(),
        }
    }

    /// Two numbers.
    fn compared(&mut self, depth: usize) -> Expression {
        let left = self.telling(&Kind::INT, depth.min(1));
        let mut right = self.integer(Number::Any, 0);
        if left.mentions(&right.to_string()) {
            right = self.number(Number::Digit);
        }
        let sign = self.choices.pick(&[">", "<", "==", ">=", "<=", "!="]);
        let text = format!("{} {sign} {}", left.at(Level::Sum), right.at(Level::Sum));
        Expression::new(text, Level::Comparison)
    }

    fn of_text(&mut self) -> Expression {
        let Some(text) = self.variable(is_str) else { return self.compared(0) };
        let name = &text.name;
        let is_one = text.kind == Kind::Str(Letters::One);
        let weights = if is_one { [5, 0, 5, 4, 0, 3] } else { [4, 4, 1, 2, 3, 0] };
        match self.choices.weighted(&weights) {
            0 => Expression::atom(format!("{name}.{}()", self.choices.pick(ASKED))),
            1 => {
                let method = self.choices.pick(&["startswith", "endswith"]);
                let part = self.part_of_text();
                Expression::atom(format!("{name}.{method}({part})"))
            }
            2 => {
                let group = self.choices.pick(GROUPS);
                let group = self.quoted(group);
                let word = self.choices.pick(&["in", "in", "not in"]);
                Expression::new(format!("{name} {word} {group}"), Level::Comparison)
            }
            3 => {
                let other = self.part_of_text();
                let sign = self.choices.pick(&["==", "!=", "==", "<", ">"]);
                if other.to_string() == *name {
                    return Expression::atom(format!("{name}.isalpha()"));
                }
                Expression::new(format!("{name} {sign} {other}"), Level::Comparison)
            }
            4 => {
                let part = self.part_of_text();
                let word = self.choices.pick(&["in", "in", "not in"]);
                Expression::new(format!("{part} {word} {name}"), Level::Comparison)
            }
            _ => match self.variable(|v| is_str(v) && v.kind != Kind::Str(Letters::One)) {
                Some(within) => {
                    let word = self.choices.pick(&["in", "in", "not in"]);
                    Expression::new(format!("{name} {word} {}", within.name), Level::Comparison)
                }
                None => Expression::atom(format!("{name}.islower()")),
            },
        }
    }

    fn contained(&mut self) -> Expression {
        let Some(holder) = self.variable(is_searched) else { return self.compared(0) };
        let (Kind::List(of, _) | Kind::Set(of) | Kind::Dict(of, ..)) = &holder.kind else {
            return self.compared(0);
        };
        let of = of.plain();
        let element = self.expression(&of, 0);
        let word = self.choices.pick(&["in", "not in"]);
        Expression::new(format!("{element} {word} {}", holder.name), Level::Comparison)
    }

    fn any_or_all(&mut self) -> Expression {
        let function = self.choices.pick(&["any", "all"]);
        match self.generated(is_ints_or_words, &Kind::Bool, 0, false) {
            Some(inner) => Expression::atom(format!("{function}({inner})")),
            None => self.compared(0),
        }
    }
}

pub(super) fn is_ints_or_words(variable: &Variable) -> bool {
    variable.kind.element().is_some_and(|of| matches!(of, Kind::Int(_) | Kind::Str(_)))
        && !matches!(variable.kind, Kind::Dict(..))
}
