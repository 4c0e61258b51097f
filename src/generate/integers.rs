//! Expressions that give a whole number.

use super::author::Author;
use super::expression::{Expression, Level};
use super::kind::{Kind, Letters, Number};
use super::scope::Variable;

/// Whether its length can be asked.
pub(super) fn is_sized(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Str(_) | Kind::List(..) | Kind::Dict(..) | Kind::Set(_))
        && variable.kind != Kind::Str(Letters::One)
}

fn is_int(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Int(_))
}

fn is_ints(variable: &Variable) -> bool {
    variable.kind.is_like(&Kind::list(Kind::INT))
}

fn is_text(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Str(_)) && variable.kind != Kind::Str(Letters::One)
}

fn counts(variable: &Variable) -> bool {
    matches!(&variable.kind, Kind::Dict(_, value, _) if matches!(**value, Kind::Int(_)))
}

impl Author<'_> {
    /// A whole number. It can be had without an error in every run.
    pub(super) fn integer(&mut self, which: Number, depth: usize) -> Expression {
        let has = |author: &Self, wanted: fn(&Variable) -> bool| u32::from(author.has(wanted));
        let deep = u32::from(depth > 0);
        let weights = [
            3,
            9 * has(self, is_int),
            7 * deep * has(self, is_int),
            5 * deep * has(self, is_int),
            4 * has(self, is_sized),
            3 * has(self, is_ints),
            5 * u32::from(self.has_place(&Kind::INT)),
            4 * has(self, counts),
            3 * deep * has(self, is_text),
            deep * has(self, is_int),
            deep,
            deep * has(self, is_int),
        ];
        match self.choices.weighted(&weights) {
            0 => self.number(which),
            1 => self.name(is_int),
            2 => self.with_number(),
            3 => self.of_two(depth - 1),
            4 => {
                let sized = self.name(is_sized);
                Expression::atom(format!("len({sized})"))
            }
            5 => self.of_numbers(),
            6 => self.item(&Kind::INT).unwrap_or_else(|| self.number(which)),
            7 => self.counted(depth),
            8 => self.in_text(),
            9 => {
                let function = self.choices.pick(&["max", "min"]);
                let left = self.name(is_int);
                let mut right = self.integer(Number::Digit, depth - 1);
                if left == right {
                    right = self.number(Number::Digit);
                }
                Expression::atom(format!("{function}({left}, {right})"))
            }
            10 => {
                let (yes, no) =
                    (self.integer(which, depth - 1), self.integer(Number::Digit, depth - 1));
                self.either(yes, no)
            }
            _ => {
                let name = self.name(is_int);
                match self.choices.below(3) {
                    0 => Expression::new(format!("-{name}"), Level::Sign),
                    1 => Expression::atom(format!("abs({name})")),
                    _ if self.loops == 0 => Expression::new(format!("{name} ** 2"), Level::Power),
                    _ => Expression::new(format!("{name} % 3"), Level::Product),
                }
            }
        }
    }

    /// A variable's name; "0" if there is none that is wanted.
    pub(super) fn name(&mut self, wanted: impl Fn(&Variable) -> bool) -> Expression {
        let found = self.variable(wanted);
        Expression::atom(found.map_or_else(|| "0".to_owned(), |variable| variable.name))
    }

    /// `a if condition else b`
    pub(super) fn either(&mut self, yes: Expression, no: Expression) -> Expression {
        // Without `and` and `or`: in a conditional expression the interpreter traces them otherwise
        // than CPython (docs/deviations.md).
        let condition = self.comparison(0);
        let (yes, no) = (yes.at(Level::Or), no.at(Level::Conditional));
        Expression::new(
            format!("{yes} if {} else {no}", condition.at(Level::Or)),
            Level::Conditional,
        )
    }

    /// A variable and a number.
    fn with_number(&mut self) -> Expression {
        let name = self.name(is_int);
        match self.choices.weighted(&[6, 5, 3, 3, 4, 1, 1]) {
            0 => Expression::new(
                format!("{name} + {}", self.plain_number(Number::Positive)),
                Level::Sum,
            ),
            1 => Expression::new(
                format!("{name} - {}", self.plain_number(Number::Positive)),
                Level::Sum,
            ),
            2 => Expression::new(
                format!("{name} * {}", self.plain_number(Number::Small)),
                Level::Product,
            ),
            3 => Expression::new(
                format!("{name} // {}", self.plain_number(Number::Small)),
                Level::Product,
            ),
            4 => {
                let by = self.choices.pick(&["2", "3", "2", "10", "5", "4", "7"]);
                Expression::new(format!("{name} % {by}"), Level::Product)
            }
            5 => Expression::new(
                format!("{} - {name}", self.plain_number(Number::Digit)),
                Level::Sum,
            ),
            _ => Expression::new(
                format!("{} * {name}", self.plain_number(Number::Small)),
                Level::Product,
            ),
        }
    }

    fn plain_number(&mut self, which: Number) -> Expression {
        if self.choices.chance(0.1) { self.number(Number::Any) } else { self.number(which) }
    }

    /// Two expressions and an operator.
    fn of_two(&mut self, depth: usize) -> Expression {
        let left = self.name(is_int);
        let mut right = self.integer(Number::Digit, depth);
        if left == right {
            right = self.number(Number::Positive);
        }
        let (sign, level) = match self.choices.weighted(&[6, 4, 2]) {
            0 => ("+", Level::Sum),
            1 => ("-", Level::Sum),
            _ if self.loops > 0 => ("+", Level::Sum),
            _ => ("*", Level::Product),
        };
        // The right side of `-` binds more strongly than a sum.
        let right = right.at(if sign == "+" { Level::Sum } else { Level::Product });
        Expression::new(format!("{} {sign} {right}", left.at(level)), level)
    }

    /// Of a list of numbers.
    fn of_numbers(&mut self) -> Expression {
        let Some(list) = self.variable(is_ints) else { return self.number(Number::Any) };
        let name = &list.name;
        let some = u32::from(list.kind.has_items());
        Expression::atom(match self.choices.weighted(&[4, 3 * some, 3 * some, 2, 1, 2 * some]) {
            0 => format!("sum({name})"),
            1 => format!("max({name})"),
            2 => format!("min({name})"),
            3 => format!("{name}.count({})", self.number(Number::Digit)),
            4 => format!("max({name}, default=0)"),
            _ => {
                let place = self.choices.pick(&["0", "-1", "0", "1", "-2"]);
                // Lists that certainly have elements have two.
                format!("{name}[{place}]")
            }
        })
    }

    /// The count that a dict has under a key, or none.
    fn counted(&mut self, depth: usize) -> Expression {
        let Some(dict) = self.variable(counts) else { return self.number(Number::Any) };
        let Kind::Dict(key, ..) = &dict.kind else { return self.number(Number::Any) };
        let name = &dict.name;
        match self.choices.weighted(&[5, 2]) {
            0 => {
                let key = self.expression(&key.plain(), depth.saturating_sub(1));
                Expression::atom(format!("{name}.get({key}, 0)"))
            }
            _ => Expression::atom(format!("sum({name}.values())")),
        }
    }

    /// A place or a count in a text.
    fn in_text(&mut self) -> Expression {
        let name = self.name(is_text);
        let method = self.choices.pick(&["count", "find", "count", "rfind"]);
        let part = self.part_of_text();
        Expression::atom(format!("{name}.{method}({part})"))
    }

    /// A variable that is one character, or one that is written out.
    pub(super) fn part_of_text(&mut self) -> Expression {
        let one = Kind::Str(Letters::One);
        if self.choices.chance(0.4) && self.has(|variable| variable.kind == one) {
            return self.name(|variable| variable.kind == one);
        }
        if self.choices.chance(0.25) {
            return self.literal(&Kind::Str(Letters::Word));
        }
        self.literal(&one)
    }

    /// Whether an element of this kind is certainly there in some container.
    pub(super) fn has_place(&self, kind: &Kind) -> bool {
        self.has(|place| self.holders(place, kind).next().is_some())
    }

    /// The containers of such elements in which a variable is a place that exists.
    fn holders<'a>(
        &'a self,
        place: &'a Variable,
        kind: &'a Kind,
    ) -> impl Iterator<Item = &'a Variable> + 'a {
        self.scope.variables().iter().filter(move |holder| {
            let holds = match &holder.kind {
                Kind::Dict(_, value, _) => value.is_like(kind),
                other => other.element().is_some_and(|element| element.is_like(kind)),
            };
            holds && place.place_in.contains(&holder.name)
        })
    }

    /// An element of this kind that is certainly there: `nums[i]`.
    pub(super) fn item(&mut self, kind: &Kind) -> Option<Expression> {
        let pairs: Vec<String> = self
            .scope
            .variables()
            .iter()
            .flat_map(|place| {
                let name = &place.name;
                self.holders(place, kind).map(move |holder| format!("{}[{name}]", holder.name))
            })
            .collect();
        let at = self.choices.below(pairs.len());
        pairs.into_iter().nth(at).map(Expression::atom)
    }
}
