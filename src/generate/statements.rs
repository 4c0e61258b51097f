//! Statements: which comes next, branches, early ends.

use super::author::Author;
use super::expression::Expression;
use super::kind::Kind;
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
        let worked = self.variable(|v| v.kind.is_like(kind) && v.worked_on > 0);
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
