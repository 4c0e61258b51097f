//! Loops that end: over what doesn't change meanwhile, or by a number that only falls or rises.

use super::author::Author;
use super::kind::{Kind, Letters, Number};
use super::names::Role;
use super::scope::Variable;
use super::statements::Setting;

fn is_walked(variable: &Variable) -> bool {
    !variable.empty
        && match &variable.kind {
            Kind::Str(letters) => *letters != Letters::One,
            kind => kind.element().is_some(),
        }
}

impl Author<'_> {
    /// What a loop may run over here: inside another one, nothing that grows in it.
    fn walkable(&self) -> impl Fn(&Variable) -> bool + Copy + use<> {
        let inside = self.loops > 0;
        move |variable| is_walked(variable) && !(inside && variable.grows)
    }

    /// A `for` loop.
    pub(super) fn for_loop(&mut self, budget: &mut usize, setting: Setting) {
        let setting = Setting { nesting: setting.nesting.saturating_sub(1), ..setting };
        let walked = u32::from(self.has(self.walkable()));
        let dicts = u32::from(self.has(|v| matches!(v.kind, Kind::Dict(..))));
        let walkable = self.walkable();
        let lists = self.scope.variables().iter().filter(|v| walkable(v)).count();
        let weights =
            [3, 12 * walked, 6 * walked, 4 * walked, 9 * dicts, u32::from(lists > 1), walked];
        match self.choices.weighted(&weights) {
            0 => self.counting(budget, setting),
            1 => self.walking(budget, setting),
            2 => self.by_place(budget, setting),
            3 => self.numbered(budget, setting),
            4 => self.pairs_of(budget, setting),
            5 => self.side_by_side(budget, setting),
            _ => self.in_order(budget, setting),
        }
        if self.choices.chance(0.06) {
            self.block("else:", Self::update_or_change);
        }
    }

    fn body(&mut self, budget: &mut usize, setting: Setting) {
        *budget = (*budget).max(1);
        let branch = setting.nesting > 0 && self.choices.chance(0.45);
        match branch {
            true => {
                *budget -= 1;
                self.branch(budget, setting);
            }
            false => {
                *budget -= 1;
                self.update_or_change();
                if self.choices.chance(0.3) && *budget > 0 {
                    self.statements(budget, 2, setting);
                }
            }
        }
    }

    fn counting(&mut self, budget: &mut usize, setting: Setting) {
        let few = |v: &Variable| matches!(v.kind, Kind::Int(Number::Small | Number::Positive));
        let stop = match self.has(few) && self.choices.chance(0.6) {
            true => self.name(few).to_string(),
            false => self.choices.between(2, 5).to_string(),
        };
        let range = match self.choices.weighted(&[5, 3, 1]) {
            0 => format!("range({stop})"),
            1 => format!("range(1, {stop} + 1)").replace("range(1, 2 + 1)", "range(1, 3)"),
            _ => format!("range({stop}, 0, -1)"),
        };
        let name = match self.choices.chance(0.12) {
            true => "_".to_owned(),
            false => self.fresh(&Kind::INT, Role::Index),
        };
        self.looped(&format!("for {name} in {range}:"), &[], |author| {
            if name != "_" {
                author.scope.bind(&name, Kind::Int(Number::Digit)).worked_on = 1;
            }
            author.body(budget, setting);
        });
    }

    fn walking(&mut self, budget: &mut usize, setting: Setting) {
        let Some(over) = self.variable(self.walkable()) else { return };
        let Some(element) = over.kind.element() else { return };
        let name = self.fresh(&element, Role::Element);
        let mut shown = over.name.clone();
        if self.choices.chance(0.12) && !matches!(over.kind, Kind::Dict(..)) {
            shown = match self.choices.below(4) {
                0 => format!("{shown}[::-1]"),
                1 => format!("{shown}[1:]"),
                2 => format!("reversed({shown})"),
                _ => format!("{shown}[:3]"),
            };
        }
        self.looped(&format!("for {name} in {shown}:"), &[&over.name], |author| {
            let bound = author.scope.bind(&name, element);
            bound.worked_on = 2;
            if matches!(over.kind, Kind::Dict(..)) {
                bound.place_in.push(over.name.clone());
            }
            if bound.kind.is_mutable() {
                bound.shares = over.shares;
            }
            author.body(budget, setting);
        });
    }

    fn by_place(&mut self, budget: &mut usize, setting: Setting) {
        let walkable = self.walkable();
        let wanted = |v: &Variable| walkable(v) && !matches!(v.kind, Kind::Dict(..));
        let Some(over) = self.variable(wanted) else { return self.counting(budget, setting) };
        let index = self.fresh(&Kind::INT, Role::Index);
        let name = &over.name;
        let range = match self.choices.weighted(&[8, 2, 2, 1, 1]) {
            0 => format!("range(len({name}))"),
            1 => format!("range(len({name}) - 1)"),
            2 => format!("range(1, len({name}))"),
            3 => format!("range(len({name}) - 1, -1, -1)"),
            _ => format!("range(0, len({name}), 2)"),
        };
        // Elements of a list may be replaced meanwhile; if one is taken away, the loop may fail.
        let fixed = matches!(over.kind, Kind::Str(_)) || self.choices.chance(0.5);
        let fixed: &[&str] = if fixed { &[name] } else { &[] };
        self.looped(&format!("for {index} in {range}:"), fixed, |author| {
            let bound = author.scope.bind(&index, Kind::INT);
            bound.fixed = true;
            bound.worked_on = 1;
            bound.place_in.push(name.clone());
            author.body(budget, setting);
        });
    }

    fn numbered(&mut self, budget: &mut usize, setting: Setting) {
        let walkable = self.walkable();
        let wanted = |v: &Variable| walkable(v) && !matches!(v.kind, Kind::Dict(..));
        let Some(over) = self.variable(wanted) else { return self.counting(budget, setting) };
        let Some(element) = over.kind.element() else { return };
        let index = self.fresh(&Kind::INT, Role::Index);
        self.scope.take(&index);
        let name = self.fresh(&element, Role::Element);
        let start = if self.choices.chance(0.15) { ", 1" } else { "" };
        let head = format!("for {index}, {name} in enumerate({}{start}):", over.name);
        self.looped(&head, &[&over.name], |author| {
            let bound = author.scope.bind(&index, Kind::INT);
            bound.fixed = true;
            if start.is_empty() {
                bound.place_in.push(over.name.clone());
            }
            author.scope.bind(&name, element).worked_on = 1;
            author.body(budget, setting);
        });
    }

    fn pairs_of(&mut self, budget: &mut usize, setting: Setting) {
        let is_dict = |v: &Variable| matches!(v.kind, Kind::Dict(..));
        let Some(over) = self.variable(is_dict) else { return self.counting(budget, setting) };
        let Kind::Dict(key, value, _) = over.kind.clone() else { return };
        let (k, v) = match self.choices.below(3) {
            0 => ("k", "v"),
            1 => ("key", "value"),
            _ => ("key", "val"),
        };
        let taken = self.scope.is_taken(k) || self.scope.is_taken(v);
        let (k, v) = match taken {
            true => {
                let k = self.fresh(&key, Role::Element);
                self.scope.take(&k);
                (k, self.fresh(&value, Role::Element))
            }
            false => (k.to_owned(), v.to_owned()),
        };
        let head = match self.choices.chance(0.12) {
            true => format!("for {k}, {v} in sorted({}.items()):", over.name),
            false => format!("for {k}, {v} in {}.items():", over.name),
        };
        self.looped(&head, &[&over.name], |author| {
            author.scope.bind(&k, *key).worked_on = 1;
            let bound = author.scope.bind(&v, *value);
            bound.worked_on = 1;
            if bound.kind.is_mutable() {
                bound.shares = over.shares;
            }
            author.body(budget, setting);
        });
    }

    fn side_by_side(&mut self, budget: &mut usize, setting: Setting) {
        let walkable = self.walkable();
        let wanted = |v: &Variable| walkable(v) && !matches!(v.kind, Kind::Dict(..));
        let Some(one) = self.variable(wanted) else { return self.counting(budget, setting) };
        let Some(other) = self.variable(|v| wanted(v) && v.name != one.name) else {
            return self.walking(budget, setting);
        };
        let (Some(a), Some(b)) = (one.kind.element(), other.kind.element()) else { return };
        let left = self.fresh(&a, Role::Element);
        self.scope.take(&left);
        let right = self.fresh(&b, Role::Element);
        let head = format!("for {left}, {right} in zip({}, {}):", one.name, other.name);
        self.looped(&head, &[&one.name, &other.name], |author| {
            author.scope.bind(&left, a).worked_on = 1;
            author.scope.bind(&right, b).worked_on = 1;
            author.body(budget, setting);
        });
    }

    fn in_order(&mut self, budget: &mut usize, setting: Setting) {
        let Some(over) = self.variable(self.walkable()) else {
            return self.counting(budget, setting);
        };
        let Some(element) = over.kind.element() else { return };
        if !matches!(element, Kind::Int(_) | Kind::Str(_)) {
            return self.walking(budget, setting);
        }
        let name = self.fresh(&element, Role::Element);
        let head = match self.choices.below(3) {
            0 => format!("for {name} in sorted({}):", over.name),
            1 => format!("for {name} in sorted(set({})):", over.name),
            _ => format!("for {name} in list({}):", over.name),
        };
        self.looped(&head, &[], |author| {
            author.scope.bind(&name, element).worked_on = 1;
            author.body(budget, setting);
        });
    }

    /// A `while` loop.
    pub(super) fn while_loop(&mut self, budget: &mut usize, setting: Setting) {
        let setting = Setting { nesting: setting.nesting.saturating_sub(1), ..setting };
        let scope = self.scope.clone();
        let is_list = |v: &Variable| matches!(v.kind, Kind::List(..)) && scope.is_free(v);
        let lists = u32::from(self.loops == 0 && self.has(is_list));
        let walkable = self.walkable();
        let is_seq = |v: &Variable| walkable(v) && !matches!(v.kind, Kind::Dict(..));
        let walked = u32::from(self.has(is_seq));
        match self.choices.weighted(&[4, 3 * lists, 3 * walked, 2, 2 * walked]) {
            1 => self.emptying(budget, setting),
            2 => self.climbing(budget, setting),
            3 => self.digits(budget, setting),
            4 => self.closing_in(budget, setting),
            _ => self.falling(budget, setting),
        }
    }

    /// A number that falls.
    fn falling(&mut self, budget: &mut usize, setting: Setting) {
        let is_free = |v: &Variable| {
            matches!(v.kind, Kind::Int(Number::Positive | Number::Small)) && !v.fixed
        };
        let name = match self.variable(is_free) {
            Some(variable) => variable.name,
            None => {
                let name = self.bind(&Kind::INT, Role::Local);
                let start = self.choices.between(2, 9);
                self.line(format!("{name} = {start}"));
                name
            }
        };
        let step = match self.choices.weighted(&[4, 2, 2]) {
            0 => format!("{name} -= 1"),
            1 => format!("{name} //= 2"),
            _ => format!("{name} -= 2"),
        };
        // `continue` would pass by the step: the body has it first, or no blocks.
        let first = self.choices.chance(0.3);
        let inner = Setting { nesting: if first { setting.nesting } else { 0 }, ..setting };
        self.looped(&format!("while {name} > 0:"), &[&name.clone()], |author| {
            if first {
                author.line(&step);
            }
            author.body(budget, inner);
            if !first {
                author.line(&step);
            }
        });
        self.scope.rebind(&name);
    }

    /// A list that is emptied.
    fn emptying(&mut self, budget: &mut usize, setting: Setting) {
        let scope = self.scope.clone();
        let is_list = |v: &Variable| matches!(v.kind, Kind::List(..)) && scope.is_free(v);
        let Some(list) = self.variable(is_list) else { return };
        let Some(of) = list.kind.element() else { return };
        let name = list.name.clone();
        let taken = self.fresh(&of, Role::Element);
        let place = self.choices.pick(&["", "0", ""]);
        self.scope.shrink(&name);
        let head = match self.choices.below(3) {
            0 => format!("while len({name}) > 0:"),
            1 => format!("while len({name}) > 1:"),
            _ => format!("while {name}:"),
        };
        self.looped(&head, &[&name.clone()], |author| {
            author.line(format!("{taken} = {name}.pop({place})"));
            author.scope.bind(&taken, of.plain()).worked_on = 1;
            author.body(budget, setting);
        });
    }

    /// A place that climbs through a sequence.
    fn climbing(&mut self, budget: &mut usize, setting: Setting) {
        let walkable = self.walkable();
        let wanted = |v: &Variable| walkable(v) && !matches!(v.kind, Kind::Dict(..));
        let Some(over) = self.variable(wanted) else { return };
        let index = self.bind(&Kind::INT, Role::Index);
        self.line(format!("{index} = 0"));
        let step = self.choices.pick(&["1", "1", "1", "2"]);
        let more = match self.choices.chance(0.25) {
            true => format!(" and {}", self.comparison(0)),
            false => String::new(),
        };
        let head = format!("while {index} < len({}){more}:", over.name);
        let inner = Setting { nesting: 0, ..setting };
        self.looped(&head, &[&index.clone(), &over.name], |author| {
            if let Some(variable) = author.scope.get_mut(&index) {
                variable.place_in.push(over.name.clone());
                variable.worked_on = 1;
            }
            author.body(budget, inner);
            author.line(format!("{index} += {step}"));
        });
        self.scope.rebind(&index);
    }

    /// The digits of a number.
    fn digits(&mut self, budget: &mut usize, setting: Setting) {
        let name = match self.variable(|v| matches!(v.kind, Kind::Int(Number::Large)) && !v.fixed) {
            Some(variable) => variable.name,
            None => {
                let name = self.bind(&Kind::INT, Role::Local);
                let start = self.number(Number::Large);
                self.line(format!("{name} = {start}"));
                name
            }
        };
        let digit = names_of_digit(self);
        let base = self.choices.pick(&["10", "10", "2", "3"]);
        self.looped(&format!("while {name} > 0:"), &[&name.clone()], |author| {
            author.line(format!("{digit} = {name} % {base}"));
            author.line(format!("{name} //= {base}"));
            author.scope.bind(&digit, Kind::Int(Number::Digit)).worked_on = 2;
            author.body(budget, setting);
        });
        self.scope.rebind(&name);
    }

    /// Two places that close in on each other.
    fn closing_in(&mut self, budget: &mut usize, setting: Setting) {
        let walkable = self.walkable();
        let wanted = |v: &Variable| walkable(v) && !matches!(v.kind, Kind::Dict(..));
        let Some(over) = self.variable(wanted) else { return };
        let (left, right) = match self.choices.below(3) {
            0 => ("left", "right"),
            1 => ("i", "j"),
            _ => ("low", "high"),
        };
        if self.scope.is_taken(left) || self.scope.is_taken(right) {
            return self.climbing(budget, setting);
        }
        self.line(format!("{left}, {right} = 0, len({}) - 1", over.name));
        for name in [left, right] {
            self.scope.bind(name, Kind::INT);
        }
        let inner = Setting { nesting: 0, ..setting };
        self.looped(&format!("while {left} < {right}:"), &[left, right, &over.name], |author| {
            for name in [left, right] {
                if let Some(variable) = author.scope.get_mut(name) {
                    variable.place_in.push(over.name.clone());
                    variable.worked_on = 1;
                }
            }
            author.body(budget, inner);
            author.line(format!("{left} += 1"));
            if author.choices.chance(0.7) {
                author.line(format!("{right} -= 1"));
            }
        });
        self.scope.rebind(left);
        self.scope.rebind(right);
    }
}

fn names_of_digit(author: &mut Author) -> String {
    let pool = ["digit", "d", "last", "rest", "r", "bit"];
    let scope = &author.scope;
    super::names::fresh(&mut author.choices, &pool, |name| scope.is_taken(name))
}
