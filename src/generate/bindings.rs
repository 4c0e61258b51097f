//! Statements that give a name a value: a new one, one made of its old one, another name's.

use super::author::Author;
use super::expression::{Expression, Level};
use super::kind::{Kind, Letters, Number};
use super::names::Role;
use super::scope::Variable;
use super::statements::is_updatable;

impl Author<'_> {
    /// A new variable with a value.
    pub(super) fn bind_new(&mut self) {
        let kind = self.some_kind([6, 6, 4, 3, 2, 1]);
        let depth = self.difficulty.expression;
        let value = self.telling(&kind, depth);
        let name = self.fresh(&kind, Role::Local);
        self.line(format!("{name} = {value}"));
        self.bind_value(&name, kind, &value);
    }

    /// Binds a name to a value. Where the value may be another variable's object, both know it.
    pub(super) fn bind_value(&mut self, name: &str, kind: Kind, value: &Expression) {
        let sharing =
            self.scope.variables().iter().find(|v| value.mentions(&v.name)).map(|v| v.shares);
        let bound = self.scope.bind(name, kind.plain());
        bound.worked_on = 1;
        if let (true, Some(shares)) = (kind.is_mutable(), sharing) {
            bound.shares = shares;
        }
    }

    /// A new value for a variable, made of its old one.
    pub(super) fn update_some(&mut self) {
        if let Some(variable) = self.variable(is_updatable) {
            self.update(&variable);
        }
    }

    /// Updates a number, a text or a flag.
    pub(super) fn update(&mut self, variable: &Variable) {
        let name = &variable.name;
        let depth = self.difficulty.expression.saturating_sub(1);
        let line = match &variable.kind {
            Kind::Int(_) => self.updated_number(name, depth),
            Kind::Str(_) => self.updated_text(name, depth),
            _ => match self.choices.chance(0.3) {
                true => format!("{name} = not {name}"),
                false => format!("{name} = {}", self.telling(&Kind::Bool, 1)),
            },
        };
        self.line(line);
        self.scope.rebind(name);
        self.grow(name);
    }

    /// What is changed in a loop grows, as far as anybody knows.
    pub(super) fn grow(&mut self, name: &str) {
        let looped = self.loops > 0;
        if let Some(variable) = self.scope.get_mut(name) {
            variable.grows |= looped;
        }
    }

    /// Whether something that grows stands in an expression.
    pub(super) fn is_growing(&self, value: &Expression) -> bool {
        self.scope.variables().iter().any(|v| v.grows && value.mentions(&v.name))
    }

    pub(super) fn updated_number(&mut self, name: &str, depth: usize) -> String {
        let multiplied = u32::from(self.loops < 2);
        match self.choices.weighted(&[6, 7, 3, 2 * multiplied, 2, 2, 1, multiplied]) {
            0 => format!("{name} += {}", self.choices.pick(&["1", "1", "1", "2"])),
            1 => {
                let value = self.telling(&Kind::INT, depth);
                format!("{name} += {value}")
            }
            2 => {
                let value = self.expression(&Kind::Int(Number::Digit), depth);
                format!("{name} -= {value}")
            }
            3 => format!("{name} *= {}", self.number(Number::Small)),
            4 => {
                let (function, value) =
                    (self.choices.pick(&["max", "min"]), self.telling(&Kind::INT, 0));
                match value.to_string() == name {
                    true => format!("{name} += 1"),
                    false => format!("{name} = {function}({name}, {value})"),
                }
            }
            5 => {
                let sign = self.choices.pick(&["//", "%"]);
                format!("{name} {sign}= {}", self.number(Number::Small))
            }
            6 => format!("{name} = {}", self.telling(&Kind::INT, depth)),
            _ => {
                let (times, value) =
                    (self.number(Number::Small), self.expression(&Kind::Int(Number::Digit), 0));
                let value = if value.to_string() == name { Expression::atom("1") } else { value };
                format!("{name} = {name} * {times} + {value}")
            }
        }
    }

    pub(super) fn updated_text(&mut self, name: &str, depth: usize) -> String {
        let mut value = self.telling(&Kind::STR, depth);
        if value.mentions(name) || self.loops > 0 && self.is_growing(&value) {
            value = self.literal(&Kind::Str(Letters::One));
        }
        match self.choices.weighted(&[9, 3, 2, 2, 1]) {
            0 => format!("{name} += {value}"),
            1 => format!("{name} = {} + {name}", value.at(Level::Sum)),
            2 => {
                let method = self.choices.pick(&["upper", "lower", "strip", "title", "swapcase"]);
                format!("{name} = {name}.{method}()")
            }
            3 => format!(
                "{name} = {name}.replace({}, {})",
                self.part_of_text_but(name),
                self.literal(&Kind::Str(Letters::One))
            ),
            _ => format!("{name} = {name}[{}]", self.choices.pick(&["1:", "::-1", ":-1", ":3"])),
        }
    }

    pub(super) fn part_of_text_but(&mut self, name: &str) -> Expression {
        let part = self.part_of_text();
        if part.mentions(name) { self.literal(&Kind::Str(Letters::One)) } else { part }
    }

    /// Several names at once.
    pub(super) fn unpack(&mut self) {
        let is_pair = |v: &Variable| matches!(&v.kind, Kind::Tuple(of) if of.len() == 2);
        let is_some = |v: &Variable| matches!(&v.kind, Kind::List(..)) && v.kind.has_items();
        let is_int = |v: &Variable| matches!(v.kind, Kind::Int(_)) && !v.fixed;
        let ints = self.scope.variables().iter().filter(|v| is_int(v)).count();
        let weights = [
            2,
            4 * u32::from(self.has(is_pair)),
            2 * u32::from(self.has(is_some)),
            2 * u32::from(ints > 1),
        ];
        match self.choices.weighted(&weights) {
            1 => {
                let Some(pair) = self.variable(is_pair) else { return };
                let Kind::Tuple(of) = pair.kind else { return };
                let names: Vec<_> = of.iter().map(|kind| self.fresh_taken(kind)).collect();
                self.line(format!("{} = {}", names.join(", "), pair.name));
                for (name, kind) in names.iter().zip(of) {
                    self.scope.bind(name, kind.plain());
                }
            }
            2 => {
                let Some(list) = self.variable(is_some) else { return };
                let Some(of) = list.kind.element() else { return };
                let first = self.fresh_taken(&of);
                let rest = self.fresh_taken(&Kind::list(of.clone()));
                match self.choices.chance(0.3) {
                    true => self.line(format!("*{rest}, {first} = {}", list.name)),
                    false => self.line(format!("{first}, *{rest} = {}", list.name)),
                }
                self.scope.bind(&first, of.plain());
                self.scope.bind(&rest, Kind::list(of.plain()));
            }
            3 => {
                let Some(one) = self.variable(is_int) else { return };
                let Some(other) = self.variable(|v| is_int(v) && v.name != one.name) else {
                    return;
                };
                let (a, b) = (one.name, other.name);
                let line = match self.choices.below(3) {
                    0 => format!("{a}, {b} = {b}, {a}"),
                    1 => format!("{a}, {b} = {b}, {a} + {b}"),
                    _ => format!("{a}, {b} = {b}, {a} % 7"),
                };
                self.line(line);
                self.scope.rebind(&a);
                self.scope.rebind(&b);
            }
            _ => {
                let kinds =
                    [self.some_kind([5, 4, 1, 1, 0, 0]), self.some_kind([5, 4, 1, 1, 0, 0])];
                let values: Vec<_> = kinds.iter().map(|kind| self.expression(kind, 1)).collect();
                let names: Vec<_> = kinds.iter().map(|kind| self.fresh_taken(kind)).collect();
                self.line(format!("{}, {} = {}, {}", names[0], names[1], values[0], values[1]));
                for ((name, kind), value) in names.iter().zip(kinds).zip(&values) {
                    self.bind_value(name, kind, value);
                }
            }
        }
    }

    pub(super) fn fresh_taken(&mut self, kind: &Kind) -> String {
        let name = self.fresh(kind, Role::Local);
        self.scope.take(&name);
        name
    }

    /// A second name for the same object.
    pub(super) fn alias(&mut self) {
        let is_list = |v: &Variable| v.kind.is_mutable();
        let Some(variable) = self.variable(is_list) else { return self.bind_new() };
        let name = self.fresh(&variable.kind, Role::Local);
        let (copied, value) = match self.choices.weighted(&[4, 2, 1]) {
            0 => (false, variable.name.clone()),
            1 => (true, format!("{}.copy()", variable.name)),
            _ => match variable.kind {
                Kind::List(..) => (true, format!("{}[:]", variable.name)),
                _ => (true, format!("{}.copy()", variable.name)),
            },
        };
        self.line(format!("{name} = {value}"));
        let bound = self.scope.bind(&name, variable.kind.plain());
        bound.worked_on = 1;
        if !copied {
            bound.shares = variable.shares;
        }
    }
}
