//! Statements that change a list, dict or set in place.

use super::author::Author;
use super::expression::{Expression, Level};
use super::kind::{Items, Kind, Number};
use super::names::Role;
use super::scope::Variable;
use super::statements::Setting;

impl Author<'_> {
    /// Changes a list, dict or set in place.
    pub(super) fn change_some(&mut self) {
        let scope = self.scope.clone();
        match self.variable(|v| v.kind.is_mutable() && scope.is_free(v)) {
            Some(variable) => self.change(&variable),
            None => self.bind_new(),
        }
    }

    /// Changes this list, dict or set in place.
    pub(super) fn change(&mut self, variable: &Variable) {
        match &variable.kind {
            Kind::List(of, items) => self.change_list(&variable.name, of, *items),
            Kind::Dict(key, value, _) => self.change_dict(&variable.name, key, value),
            Kind::Set(of) => {
                let element = self.telling(&of.plain(), 1);
                let method = self.choices.pick(&["add", "add", "add", "discard"]);
                self.line(format!("{}.{method}({element})", variable.name));
            }
            _ => {}
        }
        if let Some(variable) = self.scope.get_mut(&variable.name) {
            variable.worked_on += 1;
            variable.empty = false;
        }
        self.grow(&variable.name);
    }

    pub(super) fn change_list(&mut self, name: &str, of: &Kind, items: Items) {
        let of = of.plain();
        let depth = self.difficulty.expression.saturating_sub(1);
        let some = u32::from(items != Items::Any);
        // `xs[i]` of some other place is no element that certainly is there.
        let placed = u32::from(self.has(|v| v.place_in.iter().any(|place| place == name)));
        let growing = u32::from(self.loops < 2);
        let emptied = u32::from(self.loops == 0);
        let weights = [14, 3, 2, 2, some, 4 * placed, 2 * growing, 2 * some, placed, emptied];
        match self.choices.weighted(&weights) {
            0 => {
                let element = self.new_element(name, &of, depth);
                self.line(format!("{name}.append({element})"));
            }
            1 => {
                let at = self.choices.pick(&["0", "0", "1", "2", "-1"]);
                let element = self.new_element(name, &of, 0);
                self.line(format!("{name}.insert({at}, {element})"));
            }
            2 => self.line(format!("{name}.reverse()")),
            3 if matches!(of, Kind::Int(_) | Kind::Str(_)) => {
                let reverse = if self.choices.chance(0.3) { "reverse=True" } else { "" };
                self.line(format!("{name}.sort({reverse})"));
            }
            3 => self.line(format!("{name}.reverse()")),
            4 => {
                let place = self.choices.pick(&["", "0", ""]);
                self.line(format!("{name}.pop({place})"));
                self.scope.shrink(name);
            }
            5 => {
                let index = self.place_of(name);
                let (sign, value) = match matches!(of, Kind::Int(_)) && self.choices.chance(0.5) {
                    true => (self.choices.pick(&["+=", "-=", "*="]), self.number(Number::Small)),
                    false => ("=", self.new_element(name, &of, depth)),
                };
                self.line(format!("{name}[{index}] {sign} {value}"));
            }
            6 => {
                let mut more = self.literal(&Kind::list(of.clone()));
                if self.choices.chance(0.3) {
                    let other = self.list(&of, Items::Any, 1);
                    let doubles = self.loops > 0 && self.is_growing(&other);
                    more = if other.mentions(name) || doubles { more } else { other };
                }
                match self.choices.chance(0.5) {
                    true => self.line(format!("{name}.extend({more})")),
                    false => self.line(format!("{name} += {more}")),
                }
            }
            7 => {
                let place = self.choices.pick(&["0", "-1", "1"]);
                match matches!(of, Kind::Int(_)) && self.choices.chance(0.4) {
                    true => {
                        let more = self.number(Number::Positive);
                        self.line(format!("{name}[{place}] += {more}"));
                    }
                    false => {
                        let value = self.new_element(name, &of, depth);
                        self.line(format!("{name}[{place}] = {value}"));
                    }
                }
            }
            9 => {
                self.line(format!("{name}.clear()"));
                self.scope.shrink(name);
            }
            _ => {
                let index = self.place_of(name);
                match self.choices.chance(0.5) {
                    true => self
                        .line(format!("{name}[0], {name}[{index}] = {name}[{index}], {name}[0]")),
                    false => self
                        .line(format!("{name}[{index}], {name}[-1] = {name}[-1], {name}[{index}]")),
                }
            }
        }
    }

    /// What is put into a list. In a loop it must not be made of
    /// what was put in before.
    pub(super) fn new_element(&mut self, name: &str, of: &Kind, depth: usize) -> Expression {
        let element = self.telling(of, depth);
        let holds = element.mentions(name) || self.is_growing(&element);
        let doubles = self.loops > 0 && holds && !matches!(of, Kind::Int(_));
        if doubles { self.literal(of) } else { element }
    }

    pub(super) fn place_of(&mut self, name: &str) -> Expression {
        self.name(|variable| variable.place_in.iter().any(|place| place == name))
    }

    pub(super) fn change_dict(&mut self, name: &str, key: &Kind, value: &Kind) {
        let (key, value) = (key.plain(), value.plain());
        let depth = self.difficulty.expression.saturating_sub(1);
        let at = self.telling(&key, 0);
        match (&value, self.choices.weighted(&[5, 5, 2, 1, 1, 1])) {
            (Kind::Int(_), 1) => {
                let more = match self.choices.chance(0.6) {
                    true => Expression::atom("1"),
                    false => self.expression(&Kind::Int(Number::Digit), 0),
                };
                self.line(format!(
                    "{name}[{at}] = {name}.get({at}, 0) + {}",
                    more.at(Level::Product)
                ));
            }
            (Kind::List(of, _), 0 | 1) => {
                let element = self.telling(&of.plain(), 1);
                self.line(format!("{name}.setdefault({at}, []).append({element})"));
            }
            (_, 2) => {
                let default = self.literal(&value);
                self.line(format!("{name}.setdefault({at}, {default})"));
            }
            (_, 3) => {
                let default = self.literal(&value);
                self.line(format!("{name}.pop({at}, {default})"));
                self.scope.shrink(name);
            }
            (_, 4) => {
                let new = self.telling(&value, 0);
                self.line(format!("{name}.update({{{at}: {new}}})"));
            }
            (_, 5) if self.loops == 0 => {
                let method = self.choices.pick(&["popitem", "popitem", "clear"]);
                match method {
                    "clear" => self.line(format!("{name}.clear()")),
                    _ => self.block(format!("if {name}:"), |author| {
                        author.line(format!("{name}.popitem()"));
                    }),
                }
                self.scope.shrink(name);
            }
            _ => {
                let new = self.telling(&value, depth);
                self.line(format!("{name}[{at}] = {new}"));
            }
        }
    }

    /// Takes something out of a container, if it is there.
    pub(super) fn guarded_change(&mut self, setting: Setting) {
        let scope = self.scope.clone();
        let is_free = |v: &Variable| v.kind.is_mutable() && scope.is_free(v);
        let Some(variable) = self.variable(is_free) else { return self.bind_new() };
        let (name, setting) = (variable.name.clone(), Setting { nesting: 0, ..setting });
        match &variable.kind {
            Kind::List(of, _) => match self.choices.below(3) {
                0 => {
                    let place = self.choices.pick(&["", "0", ""]);
                    let role = Role::Local;
                    let taken = self.fresh(&of.plain(), role);
                    let kind = of.plain();
                    self.block(format!("if {name}:"), |author| {
                        author.line(format!("{taken} = {name}.pop({place})"));
                        author.scope.bind(&taken, kind);
                        author.scope.shrink(&name);
                        author.statements(&mut 1, 1, setting);
                    });
                }
                _ => {
                    let element = self.expression(&of.plain(), 0);
                    self.block(format!("if {element} in {name}:"), |author| {
                        author.line(format!("{name}.remove({element})"));
                        author.scope.shrink(&name);
                    });
                }
            },
            Kind::Dict(key, ..) => {
                let key = self.expression(&key.plain(), 0);
                self.block(format!("if {key} in {name}:"), |author| {
                    author.line(format!("del {name}[{key}]"));
                    author.scope.shrink(&name);
                });
            }
            _ => self.change(&variable),
        }
    }
}
