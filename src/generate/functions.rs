//! Functions of freely chosen statements, in the skeletons that people fill.

use super::author::Author;
use super::expression::Level;
use super::kind::{Items, Kind, Letters, Number};
use super::names::{self, Role};
use super::scope::Scope;
use super::statements::{Flow, Setting};

/// A function that was written.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it is called with.
    pub parameters: Vec<Kind>,
    /// What it returns.
    pub result: Kind,
}

impl Author<'_> {
    /// Writes a function whose name is not taken.
    pub(super) fn free_function(&mut self, taken: &[String]) -> Function {
        let name = names::fresh(&mut self.choices, names::FUNCTIONS, |name| {
            taken.iter().any(|other| other == name)
        });
        let mut scope = Scope::default();
        taken.iter().for_each(|name| scope.take(name));
        scope.take(&name);
        let outer = std::mem::replace(&mut self.scope, scope);
        let count = 1 + self.choices.weighted(&[5, 4, 2]);
        let parameters: Vec<Kind> = (0..count).map(|at| self.parameter(at)).collect();
        let result = self.result_of(&parameters);
        let mut shown = Vec::new();
        for kind in &parameters {
            shown.push(self.bind(kind, Role::Given));
        }
        self.block(format!("def {name}({}):", shown.join(", ")), |author| {
            author.free_body(&result)
        });
        self.scope = outer;
        Function { name, parameters, result }
    }

    /// The kind of a parameter; the first is what the function is about.
    fn parameter(&mut self, at: usize) -> Kind {
        let weights = if at == 0 { [3, 11, 7, 4, 6, 0] } else { [8, 6, 2, 1, 1, 1] };
        let kind = self.some_kind(weights);
        match kind {
            Kind::Int(_) => Kind::Int(match self.choices.weighted(&[4, 4, 2, 1]) {
                0 => Number::Any,
                1 => Number::Positive,
                2 => Number::Small,
                _ => Number::Large,
            }),
            Kind::Str(_) if at > 0 => Kind::Str(match self.choices.weighted(&[5, 4, 2]) {
                0 => Letters::One,
                1 => Letters::Word,
                _ => Letters::Any,
            }),
            Kind::List(of, _) => match self.choices.weighted(&[12, 1, 1, 1]) {
                0 => Kind::List(of, self.some_or_any()),
                1 => Kind::List(Box::new(Kind::list(Kind::INT)), Items::Some),
                2 => Kind::List(
                    Box::new(Kind::Tuple(vec![Kind::Str(Letters::Word), Kind::INT])),
                    Items::Some,
                ),
                _ => Kind::List(of, Items::Rising),
            },
            Kind::Dict(key, value, _) => {
                let items = self.some_or_any();
                match self.choices.chance(0.1) {
                    true => Kind::Dict(key, Box::new(Kind::list(Kind::INT)), items),
                    false => Kind::Dict(key, value, items),
                }
            }
            kind => kind,
        }
    }

    fn some_or_any(&mut self) -> Items {
        if self.choices.chance(0.25) { Items::Any } else { Items::Some }
    }

    /// What a function with these parameters returns.
    fn result_of(&mut self, parameters: &[Kind]) -> Kind {
        match self.choices.weighted(&[6, 4, 2]) {
            0 => self.some_kind([7, 7, 5, 3, 3, 3]),
            1 => match parameters.first() {
                Some(kind) => kind.plain(),
                None => Kind::INT,
            },
            _ => {
                let (a, b) =
                    (self.some_kind([5, 4, 2, 1, 1, 1]), self.some_kind([5, 4, 2, 1, 1, 1]));
                Kind::Tuple(vec![a, b])
            }
        }
    }

    fn free_body(&mut self, result: &Kind) {
        let mut budget = self.choices.between(2, self.difficulty.statements.max(2) as i64) as usize;
        let setting = Setting { returns: Some(result), nesting: self.difficulty.nesting };
        let risky = self.choices.chance(self.difficulty.exceptions);
        if self.choices.chance(0.12) {
            self.guard(result);
        }
        let texts = u32::from(self.has(is_long_text));
        let flow = match self.choices.weighted(&[2, 10, 5, 3, 4, 3 * texts]) {
            0 => Flow::On,
            1 => {
                self.growing(result, &mut budget, setting);
                Flow::On
            }
            2 => self.statements(&mut budget, 4, setting),
            3 => self.branch(&mut budget, setting),
            4 => {
                self.reworked(&mut budget, setting);
                Flow::On
            }
            _ => {
                self.taken_apart(result, &mut budget, setting);
                return;
            }
        };
        if flow == Flow::On {
            if risky {
                self.risk(result);
            }
            self.give_back(result);
        }
    }

    /// `if not text: return ''`
    fn guard(&mut self, result: &Kind) {
        let condition = self.comparison(0);
        let value = match self.choices.chance(0.6) {
            true => self.beginning(result),
            false => self.expression(result, 0),
        };
        self.block(format!("if {condition}:"), |author| author.line(format!("return {value}")));
    }

    /// Something that begins empty and grows in a loop.
    fn growing(&mut self, result: &Kind, budget: &mut usize, setting: Setting) {
        let kinds = match result {
            Kind::Tuple(of) if self.choices.chance(0.7) => of.clone(),
            Kind::Bool | Kind::Tuple(_) => vec![self.some_kind([6, 3, 3, 2, 2, 1])],
            kind => vec![kind.plain()],
        };
        for kind in &kinds {
            let name = self.fresh(kind, Role::Result);
            let first = self.beginning(kind);
            self.line(format!("{name} = {first}"));
            let bound = self.scope.bind(&name, kind.plain());
            bound.worked_on = 3;
            bound.empty = kind.element().is_some() || matches!(kind, Kind::Set(_));
            self.focus.push(name);
        }
        if self.choices.chance(0.25) {
            self.bind_new();
        }
        match self.choices.weighted(&[8, 2]) {
            0 => self.for_loop(budget, setting),
            _ => self.while_loop(budget, setting),
        }
        self.focus.clear();
        if self.choices.chance(0.3) && *budget > 0 {
            self.statements(budget, 2, setting_without_return(setting));
        }
    }

    /// What came in is changed, and given back.
    fn reworked(&mut self, budget: &mut usize, setting: Setting) {
        self.update_or_change();
        let count = self.choices.between(0, 2);
        for _ in 0..count {
            if *budget == 0 {
                break;
            }
            *budget -= 1;
            self.update_or_change();
        }
        if self.choices.chance(0.3) {
            self.statements(budget, 2, setting_without_return(setting));
        }
    }

    /// A text is made a list, worked on, and put together again.
    fn taken_apart(&mut self, result: &Kind, budget: &mut usize, setting: Setting) {
        let text = self.name(is_long_text);
        let value = match self.choices.weighted(&[5, 4, 3]) {
            0 => format!("list({text})"),
            1 => format!("{text}.split()"),
            _ => {
                let sign = self.choices.pick(&[" ", ",", "-", "a", "e", " "]);
                format!("{text}.split({})", self.quoted(sign))
            }
        };
        let kind = Kind::list(Kind::STR);
        let name = self.fresh(&kind, Role::Result);
        self.line(format!("{name} = {value}"));
        self.scope.bind(&name, kind.clone()).worked_on = 3;
        self.focus.push(name.clone());
        match self.choices.weighted(&[4, 3, 2]) {
            0 => {
                let count = self.choices.between(1, 3);
                (0..count).for_each(|_| self.update_or_change());
            }
            1 => self.for_loop(budget, setting),
            _ => _ = self.branch(budget, setting_without_return(setting)),
        }
        self.focus.clear();
        if matches!(result, Kind::Str(_)) || self.choices.chance(0.3) {
            let sign = self.choices.pick(&["", "", " ", "-", ",", "_"]);
            let sign = self.quoted(sign);
            self.line(format!("return {sign}.join({name})"));
        } else {
            self.give_back(result);
        }
    }

    /// Something that may fail, with or without a handler.
    fn risk(&mut self, result: &Kind) {
        let kind = match result {
            Kind::Tuple(of) => of.first().cloned().unwrap_or(Kind::INT),
            kind => kind.plain(),
        };
        let Some((value, class)) = self.risky(&kind) else { return };
        let name = self.fresh(&kind, Role::Local);
        if self.choices.chance(0.25) {
            self.line(format!("{name} = {value}"));
            self.scope.bind(&name, kind).worked_on = 2;
            return;
        }
        let fallback = self.literal(&kind);
        self.block("try:", |author| author.line(format!("{name} = {value}")));
        let class = match self.choices.weighted(&[8, 1, 1]) {
            0 => class.to_owned(),
            1 => format!("(TypeError, {class})"),
            _ => "Exception".to_owned(),
        };
        let named = self.choices.chance(0.2) && matches!(kind, Kind::Str(_));
        let head = if named { format!("except {class} as e:") } else { format!("except {class}:") };
        self.block(head, |author| match named {
            true => author.line(format!("{name} = str(e)")),
            false => author.line(format!("{name} = {fallback}")),
        });
        self.scope.bind(&name, kind).worked_on = 2;
        if self.choices.chance(0.15) {
            self.block("finally:", Self::update_or_change);
        }
    }

    /// An expression that may fail, and with what.
    fn risky(&mut self, kind: &Kind) -> Option<(String, &'static str)> {
        let holds = |v: &super::scope::Variable| {
            !matches!(v.kind, Kind::Dict(..)) && v.kind.element().is_some_and(|of| of.is_like(kind))
        };
        let maps = |v: &super::scope::Variable| matches!(&v.kind, Kind::Dict(_, value, _) if value.is_like(kind));
        let is_int = matches!(kind, Kind::Int(_));
        let is_number = |v: &super::scope::Variable| matches!(v.kind, Kind::Int(_));
        let is_text = |v: &super::scope::Variable| matches!(v.kind, Kind::Str(_));
        let weights = [
            4 * u32::from(self.has(holds)),
            5 * u32::from(self.has(maps)),
            3 * u32::from(is_int && self.has(is_text)),
            3 * u32::from(is_int && self.has(is_number)),
            2 * u32::from(is_int && self.has(is_text)),
        ];
        if weights.iter().sum::<u32>() == 0 {
            return None;
        }
        Some(match self.choices.weighted(&weights) {
            0 => {
                let (name, place) =
                    (self.name(holds), self.expression(&Kind::Int(Number::Digit), 0));
                (format!("{name}[{place}]"), "IndexError")
            }
            1 => {
                let dict = self.variable(maps)?;
                let Kind::Dict(key, ..) = &dict.kind else { return None };
                let key = self.expression(&key.plain(), 0);
                (format!("{}[{key}]", dict.name), "KeyError")
            }
            2 => (format!("int({})", self.name(is_text)), "ValueError"),
            3 => {
                let (above, below) = (self.name(is_number), self.integer(Number::Digit, 1));
                (format!("{above} // {}", below.at(Level::Sign)), "ZeroDivisionError")
            }
            _ => {
                let (name, part) = (self.name(is_text), self.part_of_text());
                (format!("{name}.index({part})"), "ValueError")
            }
        })
    }
}

fn is_long_text(variable: &super::scope::Variable) -> bool {
    matches!(variable.kind, Kind::Str(letters) if letters != Letters::One)
}

fn setting_without_return(setting: Setting) -> Setting {
    Setting { returns: None, ..setting }
}
