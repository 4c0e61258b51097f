//! Expressions that give a list, a tuple, a dict or a set; comprehensions.

use super::author::Author;
use super::expression::{Expression, Level};
use super::kind::{Items, Kind, Letters, Number};
use super::names::Role;
use super::scope::Variable;

impl Author<'_> {
    /// The inside of a comprehension over a variable that is wanted: `x * 2 for x in nums if x > 3`.
    /// None if there is no such variable.
    pub(super) fn generated(
        &mut self,
        wanted: impl Fn(&Variable) -> bool,
        kind: &Kind,
        depth: usize,
        filtered: bool,
    ) -> Option<String> {
        if self.comprehends {
            return None;
        }
        let over = self.variable(|variable| !variable.empty && wanted(variable))?;
        let element = over.kind.element()?;
        let mark = self.scope.mark();
        let name = self.bind(&element, Role::Element);
        let was_fixed = self.fix(&over.name, true);
        self.comprehends = true;
        self.loops += 1;
        let keep = element.is_like(kind) && filtered && self.choices.chance(0.4);
        let given = if keep { Expression::atom(&name) } else { self.about(&name, kind, depth) };
        let condition = match filtered && (keep || self.choices.chance(0.3)) {
            true => {
                let condition = self.about(&name, &Kind::Bool, 0);
                format!(" if {}", condition.at(Level::Or))
            }
            false => String::new(),
        };
        self.loops -= 1;
        self.comprehends = false;
        self.scope.leave(mark);
        self.fix(&over.name, was_fixed);
        Some(format!("{} for {name} in {}{condition}", given.at(Level::Conditional), over.name))
    }

    /// An expression in which this variable stands, if that can be had in a few attempts.
    pub(super) fn about(&mut self, name: &str, kind: &Kind, depth: usize) -> Expression {
        let mut found = self.expression(kind, depth);
        for _ in 0..6 {
            if found.mentions(name) {
                break;
            }
            found = self.expression(kind, depth);
        }
        found
    }

    /// A list of this kind of elements.
    pub(super) fn list(&mut self, of: &Kind, items: Items, depth: usize) -> Expression {
        let kind = Kind::list(of.clone());
        let own = u32::from(self.has_kind(&kind));
        let deep = u32::from(depth > 0);
        let simple = u32::from(matches!(of, Kind::Int(_) | Kind::Str(_)));
        let source = |variable: &Variable| {
            variable.kind.element().is_some_and(|of| matches!(of, Kind::Int(_) | Kind::Str(_)))
        };
        let looped = u32::from(self.has(source));
        let weights = [
            3,
            6 * own,
            4 * own * deep,
            4 * own * deep * simple,
            5 * looped * deep * simple,
            2 * own * deep,
            5 * deep * simple,
            2 * own * deep,
            2 * deep,
        ];
        match self.choices.weighted(&weights) {
            0 => self.literal(&Kind::List(Box::new(of.plain()), items)),
            1 => self.name(|variable| variable.kind.is_like(&kind)),
            2 => self.sliced(|variable| variable.kind.is_like(&kind)),
            3 => self.sorted(&kind),
            4 => match self.generated(source, of, 1, true) {
                Some(inner) => Expression::atom(format!("[{inner}]")),
                None => self.literal(&kind),
            },
            5 => {
                let name = self.name(|variable| variable.kind.is_like(&kind));
                let element = self.expression(of, 0);
                let text = match self.choices.chance(0.3) {
                    true => format!("[{element}] + {name}"),
                    false => format!("{name} + [{element}]"),
                };
                Expression::new(text, Level::Sum)
            }
            6 => self.converted(of),
            7 => {
                let name = self.name(|variable| variable.kind.is_like(&kind));
                Expression::atom(match self.choices.below(3) {
                    0 => format!("{name}.copy()"),
                    1 => format!("list({name})"),
                    _ => format!("list(reversed({name}))"),
                })
            }
            _ => {
                let element = self.expression(of, 0);
                let times = self.choices.between(2, 3);
                Expression::new(format!("[{element}] * {times}"), Level::Product)
            }
        }
    }

    fn sorted(&mut self, kind: &Kind) -> Expression {
        let name = self.name(|variable| variable.kind.is_like(kind));
        let is_words = kind.is_like(&Kind::list(Kind::STR));
        let text = match self.choices.weighted(&[5, 3, 2, 2]) {
            0 => format!("sorted({name})"),
            1 => format!("sorted({name}, reverse=True)"),
            2 => format!("sorted(set({name}))"),
            _ if is_words => format!("sorted({name}, key=len)"),
            _ => format!(
                "sorted({name}, key=lambda x: {})",
                self.choices.pick(&["-x", "x % 3", "x % 2", "abs(x - 5)", "(x % 2, x)"])
            ),
        };
        Expression::atom(text)
    }

    /// A list made of something else.
    fn converted(&mut self, of: &Kind) -> Expression {
        let is_text =
            |v: &Variable| matches!(v.kind, Kind::Str(_)) && v.kind != Kind::Str(Letters::One);
        let is_key = |v: &Variable| matches!(&v.kind, Kind::Dict(key, ..) if key.is_like(of));
        let has_value =
            |v: &Variable| matches!(&v.kind, Kind::Dict(_, value, _) if value.is_like(of));
        let text = matches!(of, Kind::Str(_)) && self.has(is_text);
        let weights = [
            4 * u32::from(text),
            6 * u32::from(text),
            5 * u32::from(self.has(is_key)),
            4 * u32::from(self.has(has_value)),
            2 * u32::from(matches!(of, Kind::Int(_))),
            1,
        ];
        Expression::atom(match self.choices.weighted(&weights) {
            0 if text => format!("list({})", self.name(is_text)),
            1 => {
                let name = self.name(is_text);
                match self.choices.weighted(&[4, 5, 1, 2, 1]) {
                    0 => format!("{name}.split()"),
                    1 => {
                        let sign = self.choices.pick(&[" ", ",", "-", "_", "a", "e", " "]);
                        format!("{name}.split({})", self.quoted(sign))
                    }
                    2 => format!("{name}.split()[::-1]"),
                    3 => {
                        let sign = self.choices.pick(&[" ", ",", "-", "a", "o"]);
                        format!("{name}.rsplit({}, 1)", self.quoted(sign))
                    }
                    _ => format!("{name}.splitlines()"),
                }
            }
            2 => match self.choices.below(3) {
                0 => format!("list({})", self.name(is_key)),
                1 => format!("list({}.keys())", self.name(is_key)),
                _ => format!("sorted({})", self.name(is_key)),
            },
            3 => format!("list({}.values())", self.name(has_value)),
            4 => {
                let stop = self.choices.between(2, 6);
                match self.choices.below(3) {
                    0 => format!("list(range({stop}))"),
                    1 => format!("list(range(1, {}))", stop + 1),
                    _ => format!("list(range({stop}, 0, -1))"),
                }
            }
            _ => return self.literal(&Kind::list(of.plain())),
        })
    }

    /// A tuple of these kinds.
    pub(super) fn tuple(&mut self, of: &[Kind], depth: usize) -> Expression {
        let kind = Kind::Tuple(of.to_vec());
        if self.has_kind(&kind) && self.choices.chance(0.4) {
            return self.name(|variable| variable.kind.is_like(&kind));
        }
        let texts: Vec<_> =
            of.iter().map(|kind| self.expression(kind, depth.min(1)).to_string()).collect();
        let comma = if texts.len() == 1 { "," } else { "" };
        Expression::atom(format!("({}{comma})", texts.join(", ")))
    }

    /// A dict of these kinds.
    pub(super) fn dict(
        &mut self,
        key: &Kind,
        value: &Kind,
        items: Items,
        depth: usize,
    ) -> Expression {
        let kind = Kind::dict(key.clone(), value.clone());
        let own = u32::from(self.has_kind(&kind));
        let deep = u32::from(depth > 0);
        let keys = |variable: &Variable| {
            !matches!(variable.kind, Kind::Dict(..))
                && variable.kind.element().is_some_and(|element| element.is_like(key))
        };
        let looped = u32::from(self.has(keys));
        let weights =
            [3, 6 * own, 4 * looped * deep, 2 * own * deep, 2 * looped * deep, 2 * own * deep];
        match self.choices.weighted(&weights) {
            0 => self.literal(&Kind::Dict(Box::new(key.plain()), Box::new(value.plain()), items)),
            1 => self.name(|variable| variable.kind.is_like(&kind)),
            2 => {
                let Some(over) = self.variable(keys) else { return Expression::atom("{}") };
                let mark = self.scope.mark();
                let name = self.bind(key, Role::Element);
                let given = self.about(&name, value, 1);
                self.scope.leave(mark);
                let given = given.at(Level::Conditional);
                Expression::atom(format!("{{{name}: {given} for {name} in {}}}", over.name))
            }
            3 => {
                let name = self.name(|variable| variable.kind.is_like(&kind));
                Expression::atom(match self.choices.below(2) {
                    0 => format!("{name}.copy()"),
                    _ => format!("dict({name})"),
                })
            }
            4 => {
                let name = self.name(keys);
                let value = self.literal(value);
                Expression::atom(format!("dict.fromkeys({name}, {value})"))
            }
            _ => {
                let name = self.name(|variable| variable.kind.is_like(&kind));
                let pair = format!("{}: {}", self.expression(key, 0), self.expression(value, 0));
                Expression::atom(format!("{{**{name}, {pair}}}"))
            }
        }
    }

    /// A set of this kind of elements.
    pub(super) fn set(&mut self, of: &Kind, depth: usize) -> Expression {
        let kind = Kind::Set(Box::new(of.clone()));
        let own = u32::from(self.has_kind(&kind));
        let over = |variable: &Variable| {
            variable.kind.element().is_some_and(|element| element.is_like(of))
        };
        let looped = u32::from(depth > 0 && self.has(over));
        match self.choices.weighted(&[2, 4 * own, 5 * looped]) {
            0 => self.literal(&kind),
            1 => self.name(|variable| variable.kind.is_like(&kind)),
            _ => {
                let name = self.name(over);
                Expression::atom(format!("set({name})"))
            }
        }
    }

    /// A kind that a variable of a freely written function may have.
    pub(super) fn some_kind(&mut self, weights: [u32; 6]) -> Kind {
        match self.choices.weighted(&weights) {
            0 => Kind::INT,
            1 => Kind::STR,
            2 => Kind::list(Kind::INT),
            3 => Kind::list(Kind::STR),
            4 => self.dict_kind(),
            _ => Kind::Bool,
        }
    }

    /// A kind of dict.
    pub(super) fn dict_kind(&mut self) -> Kind {
        match self.choices.weighted(&[7, 2, 2, 2]) {
            0 => Kind::dict(Kind::STR, Kind::INT),
            1 => Kind::dict(Kind::INT, Kind::STR),
            2 => Kind::dict(Kind::STR, Kind::STR),
            _ => Kind::dict(Kind::INT, Kind::INT),
        }
    }

    /// The kind with which something of this kind begins to grow, and its first value.
    pub(super) fn beginning(&mut self, kind: &Kind) -> Expression {
        match kind {
            Kind::Int(_) => match self.choices.weighted(&[8, 2, 1]) {
                0 => Expression::atom("0"),
                1 => Expression::atom("1"),
                _ => self.number(Number::Any),
            },
            Kind::Str(_) => match self.choices.chance(0.12) {
                true => self.literal(&Kind::Str(Letters::Word)),
                false => self.quoted(""),
            },
            Kind::List(..) => Expression::atom(match self.choices.chance(0.1) {
                true => "list()",
                false => "[]",
            }),
            Kind::Dict(..) => Expression::atom(match self.choices.chance(0.1) {
                true => "dict()",
                false => "{}",
            }),
            Kind::Set(_) => Expression::atom("set()"),
            Kind::Bool | Kind::Tuple(_) => self.literal(kind),
        }
    }
}
