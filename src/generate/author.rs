//! Who writes a program: its choices, its habits, what is bound, and the lines so far.

use super::choices::Choices;
use super::difficulty::Difficulty;
use super::expression::Expression;
use super::functions::Function;
use super::kind::{Kind, Number};
use super::names::{self, Role};
use super::scope::{Scope, Variable};

/// Writes one program.
pub struct Author<'d> {
    pub choices: Choices,
    pub difficulty: &'d Difficulty,
    /// The quote that this program is written with.
    pub quote: char,
    pub scope: Scope,
    lines: Vec<String>,
    indent: usize,
    /// Loops around the line that is being written.
    pub loops: u32,
    /// Functions that may be called.
    pub helpers: Vec<Function>,
    /// Variables that the loop at hand is there for.
    pub focus: Vec<String>,
    /// Whether it writes a comprehension; one inside another is hard to read, and slow.
    pub comprehends: bool,
}

impl<'d> Author<'d> {
    /// An author with these choices.
    pub fn new(mut choices: Choices, difficulty: &'d Difficulty) -> Self {
        let quote = if choices.chance(0.45) { '"' } else { '\'' };
        let scope = Scope::default();
        Author {
            choices,
            difficulty,
            quote,
            scope,
            lines: Vec::new(),
            indent: 0,
            loops: 0,
            helpers: Vec::new(),
            focus: Vec::new(),
            comprehends: false,
        }
    }

    /// The program, and the choices that made it.
    pub fn finish(self) -> (String, Vec<u32>) {
        let text = self.lines.join("\n");
        (format!("{}\n", text.trim_matches('\n')), self.choices.given())
    }

    /// Writes a line at the present depth.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let indent = if text.is_empty() { 0 } else { self.indent };
        self.lines.push(format!("{}{text}", "    ".repeat(indent)));
    }

    /// Two blank lines, as they stand between functions.
    pub fn gap(&mut self) {
        self.lines.extend([String::new(), String::new()]);
    }

    /// Writes a block under `head`. What it binds is forgotten behind it.
    pub fn block<R>(&mut self, head: impl AsRef<str>, body: impl FnOnce(&mut Self) -> R) -> R {
        self.line(head);
        let mark = self.scope.mark();
        self.indent += 1;
        let result = body(self);
        self.indent -= 1;
        self.scope.leave(mark);
        result
    }

    /// Writes a loop under `head`, over or with the variable `fixed`, which stays as it is.
    pub fn looped(&mut self, head: &str, fixed: &[&str], body: impl FnOnce(&mut Self)) {
        let before: Vec<bool> = fixed.iter().map(|name| self.fix(name, true)).collect();
        self.loops += 1;
        self.block(head, body);
        self.loops -= 1;
        for (name, was) in fixed.iter().zip(before) {
            self.fix(name, was);
        }
    }

    pub(super) fn fix(&mut self, name: &str, fixed: bool) -> bool {
        let Some(variable) = self.scope.get_mut(name) else { return false };
        std::mem::replace(&mut variable.fixed, fixed)
    }

    /// A new name for a variable of this kind.
    pub fn fresh(&mut self, kind: &Kind, role: Role) -> String {
        let scope = &self.scope;
        let pool = names::pool(kind, role);
        names::fresh(&mut self.choices, pool, |name| scope.is_taken(name))
    }

    /// Binds a new variable of this kind; its name.
    pub fn bind(&mut self, kind: &Kind, role: Role) -> String {
        let name = self.fresh(kind, role);
        self.scope.bind(&name, kind.clone());
        name
    }

    /// One of the variables that are wanted, those worked on more often.
    pub fn variable(&mut self, wanted: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let found: Vec<_> = self.scope.variables().iter().filter(|v| wanted(v)).collect();
        let weights: Vec<_> = found.iter().map(|v| 2 + 2 * v.worked_on.min(2)).collect();
        let at = self.choices.weighted(&weights);
        found.get(at).map(|&variable| variable.clone())
    }

    /// Whether there is such a variable.
    pub fn has(&self, wanted: impl Fn(&Variable) -> bool) -> bool {
        self.scope.variables().iter().any(wanted)
    }

    /// Whether there is a variable of this kind's type.
    pub fn has_kind(&self, kind: &Kind) -> bool {
        self.has(|variable| variable.kind.is_like(kind))
    }

    /// An expression of this kind, with at most `depth` operations inside each other.
    pub fn expression(&mut self, kind: &Kind, depth: usize) -> Expression {
        let fits = |helper: &&Function| helper.result.is_like(kind);
        if depth > 0 && self.helpers.iter().any(|helper| fits(&helper)) && self.choices.chance(0.4)
        {
            let fitting: Vec<_> = self.helpers.iter().filter(fits).cloned().collect();
            let at = self.choices.below(fitting.len());
            return self.call(&fitting[at], 0);
        }
        match kind {
            Kind::Int(which) => self.integer(*which, depth),
            Kind::Bool => self.condition(depth),
            Kind::Str(letters) => self.text(*letters, depth),
            Kind::List(of, items) => self.list(of, *items, depth),
            Kind::Tuple(of) => self.tuple(of, depth),
            Kind::Dict(key, value, items) => self.dict(key, value, *items, depth),
            Kind::Set(of) => self.set(of, depth),
        }
    }

    /// A call of this function.
    pub fn call(&mut self, function: &Function, depth: usize) -> Expression {
        let arguments: Vec<_> =
            function.parameters.iter().map(|kind| self.argument(kind, depth).to_string()).collect();
        Expression::atom(format!("{}({})", function.name, arguments.join(", ")))
    }

    /// What a function may be given where this kind is wanted. It may change what it is given: that
    /// must be nothing that a loop runs over. Where it counts with a number, that must be small.
    fn argument(&mut self, kind: &Kind, depth: usize) -> Expression {
        let small = matches!(kind, Kind::Int(Number::Small | Number::Positive));
        let scope = self.scope.clone();
        let is_free = |v: &Variable| v.kind.is_like(kind) && scope.is_free(v);
        if small || kind.is_mutable() && !self.has(is_free) || !self.has_kind(kind) {
            self.literal(kind)
        } else if kind.is_mutable() {
            self.name(is_free)
        } else {
            self.expression(&kind.plain(), depth)
        }
    }

    /// An expression of this kind in which a variable stands, if it can be had in a few attempts.
    pub fn telling(&mut self, kind: &Kind, depth: usize) -> Expression {
        let mut found = self.expression(kind, depth);
        for _ in 0..4 {
            if self.scope.variables().iter().any(|variable| found.mentions(&variable.name)) {
                break;
            }
            found = self.expression(kind, depth);
        }
        found
    }
}
