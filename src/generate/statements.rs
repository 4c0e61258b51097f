//! Statements: bindings, changes in place, branches, early ends.

use super::author::Author;
use super::expression::{Expression, Level};
use super::kind::{Items, Kind, Letters, Number};
use super::names::Role;
use super::scope::Variable;

/// What a statement may do where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'k> {
    /// What the function returns, if statements may return.
    pub returns: Option<&'k Kind>,
    /// Blocks that may still be opened inside each other.
    pub nesting: usize,
}

/// Whether the lines after a statement are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// They are, or may be.
    On,
    /// They aren't.
    Ends,
}

impl Author<'_> {
    /// Writes statements, at most as many as `budget`, which they use up.
    pub(super) fn statements(&mut self, budget: &mut usize, most: usize, setting: Setting) -> Flow {
        let count = self.choices.between(1, most.max(1) as i64);
        for _ in 0..count {
            if *budget == 0 {
                break;
            }
            if self.statement(budget, setting) == Flow::Ends {
                return Flow::Ends;
            }
        }
        Flow::On
    }

    /// Writes one statement.
    fn statement(&mut self, budget: &mut usize, setting: Setting) -> Flow {
        *budget = budget.saturating_sub(1);
        let nested = u32::from(setting.nesting > 0 && *budget > 0);
        let loops = nested * u32::from(self.loops < 2);
        let changeable = u32::from(self.has(|v| v.kind.is_mutable()));
        let updatable = u32::from(self.has(is_updatable));
        let weights =
            [6, 9 * updatable, 8 * changeable, 7 * nested, 4 * loops, loops, 2, nested, 1];
        match self.choices.weighted(&weights) {
            0 => self.bind_new(),
            1 => self.update_some(),
            2 => self.change_some(),
            3 => return self.branch(budget, setting),
            4 => self.for_loop(budget, setting),
            5 => self.while_loop(budget, setting),
            6 => self.unpack(),
            7 => self.guarded_change(setting),
            _ => self.alias(),
        }
        Flow::On
    }

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
    fn bind_value(&mut self, name: &str, kind: Kind, value: &Expression) {
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
    fn grow(&mut self, name: &str) {
        let looped = self.loops > 0;
        if let Some(variable) = self.scope.get_mut(name) {
            variable.grows |= looped;
        }
    }

    /// Whether something that grows stands in an expression.
    fn is_growing(&self, value: &Expression) -> bool {
        self.scope.variables().iter().any(|v| v.grows && value.mentions(&v.name))
    }

    fn updated_number(&mut self, name: &str, depth: usize) -> String {
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

    fn updated_text(&mut self, name: &str, depth: usize) -> String {
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

    fn part_of_text_but(&mut self, name: &str) -> Expression {
        let part = self.part_of_text();
        if part.mentions(name) { self.literal(&Kind::Str(Letters::One)) } else { part }
    }

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

    fn change_list(&mut self, name: &str, of: &Kind, items: Items) {
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
    fn new_element(&mut self, name: &str, of: &Kind, depth: usize) -> Expression {
        let element = self.telling(of, depth);
        let holds = element.mentions(name) || self.is_growing(&element);
        let doubles = self.loops > 0 && holds && !matches!(of, Kind::Int(_));
        if doubles { self.literal(of) } else { element }
    }

    fn place_of(&mut self, name: &str) -> Expression {
        self.name(|variable| variable.place_in.iter().any(|place| place == name))
    }

    fn change_dict(&mut self, name: &str, key: &Kind, value: &Kind) {
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
    fn guarded_change(&mut self, setting: Setting) {
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

    /// Several names at once.
    fn unpack(&mut self) {
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

    fn fresh_taken(&mut self, kind: &Kind) -> String {
        let name = self.fresh(kind, Role::Local);
        self.scope.take(&name);
        name
    }

    /// A second name for the same object.
    fn alias(&mut self) {
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

    /// `if`, with what may follow it.
    pub(super) fn branch(&mut self, budget: &mut usize, setting: Setting) -> Flow {
        let inner = Setting { nesting: setting.nesting.saturating_sub(1), ..setting };
        let condition = self.telling(&Kind::Bool, self.difficulty.expression.min(1));
        let first = self.block(format!("if {condition}:"), |a| a.arm(budget, inner));
        let mut ends = first == Flow::Ends;
        let others = self.choices.weighted(&[5, 1, 0]);
        for _ in 0..others {
            let condition = self.telling(&Kind::Bool, 0);
            ends &=
                self.block(format!("elif {condition}:"), |a| a.arm(budget, inner)) == Flow::Ends;
        }
        // After `return` people write no `else`, most of the time.
        let has_else = self.choices.chance(if ends { 0.15 } else { 0.45 });
        if has_else {
            ends &= self.block("else:", |a| a.arm(budget, inner)) == Flow::Ends;
        }
        if ends && has_else { Flow::Ends } else { Flow::On }
    }

    /// What stands under a condition: a change, or an end.
    fn arm(&mut self, budget: &mut usize, setting: Setting) -> Flow {
        *budget = (*budget).max(1);
        let returns = u32::from(setting.returns.is_some());
        let looped = u32::from(self.loops > 0);
        match self.choices.weighted(&[10, 2 * returns, looped, looped]) {
            1 => {
                if let Some(kind) = setting.returns {
                    self.give_back(kind);
                }
                Flow::Ends
            }
            2 => {
                if self.choices.chance(0.5) {
                    self.update_or_change();
                }
                self.line("break");
                Flow::Ends
            }
            3 => {
                if self.choices.chance(0.4) {
                    self.update_or_change();
                }
                self.line("continue");
                Flow::Ends
            }
            _ => {
                self.update_or_change();
                *budget -= 1;
                match self.choices.chance(0.25) {
                    true => self.statements(budget, 2, setting),
                    false => Flow::On,
                }
            }
        }
    }

    /// Works on something that is there.
    pub(super) fn update_or_change(&mut self) {
        let focus = self.focus.clone();
        let scope = self.scope.clone();
        let in_focus = |v: &Variable| {
            focus.contains(&v.name) && (is_updatable(v) || v.kind.is_mutable() && scope.is_free(v))
        };
        if self.choices.chance(0.7)
            && let Some(variable) = self.variable(in_focus)
        {
            return match variable.kind.is_mutable() {
                true => self.change(&variable),
                false => self.update(&variable),
            };
        }
        let changeable = u32::from(self.has(|v| v.kind.is_mutable()));
        let updatable = u32::from(self.has(is_updatable));
        match self.choices.weighted(&[5 * updatable, 5 * changeable]) {
            0 if updatable > 0 => self.update_some(),
            1 => self.change_some(),
            _ => self.bind_new(),
        }
    }

    /// Writes a `return` of this kind.
    pub(super) fn give_back(&mut self, kind: &Kind) {
        let depth = self.difficulty.expression;
        let worked: Option<Variable> =
            self.variable(|v| v.kind.is_like(kind) && v.worked_on > 0).filter(|_| true);
        let value = match (worked, self.choices.weighted(&[6, 4])) {
            (Some(variable), 0) => Expression::atom(variable.name),
            _ => self.telling(kind, depth),
        };
        let text = value.to_string();
        // A tuple is returned as people do, without its parentheses.
        let bare = matches!(kind, Kind::Tuple(of) if of.len() > 1)
            && text.starts_with('(')
            && text.ends_with(')');
        self.line(format!("return {}", if bare { &text[1..text.len() - 1] } else { &text }));
    }
}

/// Whether a new value can be given to it, made of its old one.
pub(super) fn is_updatable(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Int(_) | Kind::Str(_) | Kind::Bool) && !variable.fixed
}
