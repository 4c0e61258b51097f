//! Expressions that give a text.

use super::author::Author;
use super::expression::{Expression, Level};
use super::kind::{Kind, Letters, Number};
use super::scope::Variable;

fn is_str(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Str(_))
}

fn is_long(variable: &Variable) -> bool {
    is_str(variable) && variable.kind != Kind::Str(Letters::One)
}

fn is_int(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Int(_))
}

fn is_words(variable: &Variable) -> bool {
    variable.kind.is_like(&Kind::list(Kind::STR))
}

/// Methods without arguments.
const PLAIN: &[&str] = &[
    "upper",
    "lower",
    "strip",
    "upper",
    "lower",
    "lower",
    "title",
    "capitalize",
    "swapcase",
    "strip",
    "rstrip",
    "lstrip",
    "casefold",
    "expandtabs",
];

impl Author<'_> {
    /// A text. It can be had without an error in every run.
    pub(super) fn text(&mut self, letters: Letters, depth: usize) -> Expression {
        let has = |author: &Self, wanted: fn(&Variable) -> bool| u32::from(author.has(wanted));
        let deep = u32::from(depth > 0);
        let weights = [
            3,
            9 * has(self, is_str),
            7 * deep * has(self, is_str),
            4 * deep * has(self, is_str),
            8 * deep * has(self, is_long),
            8 * deep * has(self, is_str),
            6 * deep * has(self, is_words),
            3 * deep,
            2 * has(self, is_int),
            5 * u32::from(self.has_place(&Kind::STR)),
            deep,
            3 * deep * has(self, is_str),
            5 * deep * has(self, is_long),
        ];
        match self.choices.weighted(&weights) {
            0 if letters == Letters::Any && self.choices.chance(0.7) => {
                self.literal(&Kind::Str(Letters::Word))
            }
            0 => self.literal(&Kind::Str(letters)),
            1 => self.name(is_str),
            2 => {
                let name = self.name(is_str);
                Expression::atom(format!("{name}.{}()", self.choices.pick(PLAIN)))
            }
            3 => self.added(depth - 1),
            4 => self.sliced(is_long),
            5 => self.replaced(),
            6 => {
                let separator = self.separator();
                let words = self.name(is_words);
                Expression::atom(format!("{separator}.join({words})"))
            }
            7 => self.formatted(),
            8 => {
                let name = self.name(is_int);
                Expression::atom(format!("str({name})"))
            }
            9 => self.item(&Kind::STR).unwrap_or_else(|| Expression::atom("''")),
            10 => {
                let (yes, no) = (self.text(letters, depth - 1), self.text(letters, depth - 1));
                self.either(yes, no)
            }
            11 => self.padded(),
            _ => self.joined_letters(),
        }
    }

    fn separator(&mut self) -> Expression {
        let text = self.choices.pick(&["", " ", ",", "-", "", ", ", "_", "/", "|"]);
        self.quoted(text)
    }

    fn added(&mut self, depth: usize) -> Expression {
        let name = self.name(is_str);
        let other = match self.choices.below(3) {
            0 => self.part_of_text(),
            1 => self.text(Letters::Word, depth),
            _ => {
                let times = self.choices.between(2, 3);
                let part = self.part_of_text();
                return Expression::new(format!("{part} * {times} + {name}"), Level::Sum);
            }
        };
        let other = other.at(Level::Product);
        let text = match self.choices.chance(0.35) {
            true => format!("{other} + {name}"),
            false => format!("{name} + {other}"),
        };
        Expression::new(text, Level::Sum)
    }

    /// A part of a sequence.
    pub(super) fn sliced(&mut self, wanted: impl Fn(&Variable) -> bool) -> Expression {
        let name = self.name(wanted);
        let bound = |author: &mut Self| match author.choices.weighted(&[6, 2, 3]) {
            0 => author.choices.between(1, 4).to_string(),
            1 => (-author.choices.between(1, 3)).to_string(),
            _ if author.has(is_int) => author.name(is_int).to_string(),
            _ => "2".to_owned(),
        };
        let part = match self.choices.weighted(&[4, 4, 3, 3, 2, 1]) {
            0 => format!("{}:", bound(self)),
            1 => format!(":{}", bound(self)),
            2 => "::-1".to_owned(),
            3 => format!("{}:{}", bound(self), bound(self)),
            4 => "::2".to_owned(),
            _ => "1::2".to_owned(),
        };
        Expression::atom(format!("{name}[{part}]"))
    }

    fn replaced(&mut self) -> Expression {
        let name = self.name(is_str);
        match self.choices.weighted(&[8, 3, 3, 3, 1]) {
            0 => {
                let (old, new) = (self.part_of_text(), self.part_of_text());
                let count = if self.choices.chance(0.15) { ", 1" } else { "" };
                Expression::atom(format!("{name}.replace({old}, {new}{count})"))
            }
            1 => {
                let method = self.choices.pick(&["strip", "rstrip", "lstrip"]);
                let part = self.part_of_text();
                Expression::atom(format!("{name}.{method}({part})"))
            }
            2 => {
                let method = self.choices.pick(&["partition", "rpartition"]);
                let (part, place) =
                    (self.literal(&Kind::Str(Letters::One)), self.choices.between(0, 2));
                Expression::atom(format!("{name}.{method}({part})[{place}]"))
            }
            3 => {
                let method = self.choices.pick(&["removeprefix", "removesuffix"]);
                let part = self.part_of_text();
                Expression::atom(format!("{name}.{method}({part})"))
            }
            _ => {
                let from = self.choices.pick(&["ab", "ae", "xyz", "eo", "lo", "01"]);
                let to = &self.choices.pick(&["xyz", "123", "*_-", "ABC", "  ."])[..from.len()];
                let (from, to) = (self.quoted(from), self.quoted(to));
                let maker = if self.choices.chance(0.5) { "str" } else { &name.to_string() };
                Expression::atom(format!("{name}.translate({maker}.maketrans({from}, {to}))"))
            }
        }
    }

    fn padded(&mut self) -> Expression {
        let name = self.name(is_str);
        let width =
            match self.choices.chance(0.3) && self.has(|v| v.kind == Kind::Int(Number::Positive)) {
                true => self.name(|v| v.kind == Kind::Int(Number::Positive)),
                false => Expression::atom(self.choices.between(3, 12).to_string()),
            };
        Expression::atom(match self.choices.weighted(&[3, 3, 3, 2, 2]) {
            0 => format!("{name}.ljust({width})"),
            1 => format!("{name}.rjust({width}, {})", self.filling()),
            2 => format!("{name}.center({width}, {})", self.filling()),
            3 => format!("{name}.zfill({width})"),
            _ => format!("{name}.ljust({width}, {})", self.filling()),
        })
    }

    fn filling(&mut self) -> Expression {
        let sign = self.choices.pick(&["*", "-", ".", "0", "#", "_", " "]);
        self.quoted(sign)
    }

    /// An f-string, or its older kin.
    pub(super) fn formatted(&mut self) -> Expression {
        let shown = |v: &Variable| matches!(v.kind, Kind::Int(_) | Kind::Str(_) | Kind::Bool);
        if !self.has(shown) {
            return self.literal(&Kind::Str(Letters::Word));
        }
        let first = self.name(shown);
        let second = self.name(shown);
        let quote = self.quote;
        Expression::atom(match self.choices.weighted(&[4, 4, 2, 1, 1, 1]) {
            0 => {
                let join = self.choices.pick(&["-", ":", " ", "=", ", ", "", "/"]);
                format!("f{quote}{{{first}}}{join}{{{second}}}{quote}")
            }
            1 => {
                let word = self.letters(Letters::Word);
                let join = self.choices.pick(&[" ", ": ", "=", "-"]);
                format!("f{quote}{word}{join}{{{first}}}{quote}")
            }
            2 => {
                let (open, close) = match self.choices.below(3) {
                    0 => ("[", "]"),
                    1 => ("(", ")"),
                    _ => ("<", ">"),
                };
                format!("f{quote}{open}{{{first}}}{close}{quote}")
            }
            3 => format!("f{quote}{{{first}!r}}{quote}"),
            4 => {
                let number = self.name(is_int);
                match number.to_string() == "0" {
                    true => format!("f{quote}{{{first}}}!{quote}"),
                    false => format!("f{quote}{{{number}:03d}}{quote}"),
                }
            }
            _ => format!("{quote}{{}}.{{}}{quote}.format({first}, {second})"),
        })
    }

    /// `''.join(c for c in text if ...)`
    fn joined_letters(&mut self) -> Expression {
        let separator = self.separator();
        let kind = Kind::STR;
        match self.generated(is_long, &kind, 1, true) {
            Some(inner) => {
                let inner = match self.choices.chance(0.35) {
                    true => format!("[{inner}]"),
                    false => inner,
                };
                Expression::atom(format!("{separator}.join({inner})"))
            }
            None => self.literal(&kind),
        }
    }
}
