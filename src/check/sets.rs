//! Places where the order of a set's elements shows.
//!
//! The interpreter keeps them in the order in which they were added, CPython by their hashes. So
//! whatever runs over a set, or writes it out, differs from CPython. `sorted`, `len`, `in`, `min`,
//! `max`, `sum`, `any`, `all` and the set operations don't depend on the order.

use ruff_python_ast::visitor::{Visitor, walk_comprehension, walk_expr, walk_stmt};
use ruff_python_ast::{Comprehension, Expr, ExprCall, InterpolatedStringElement, Operator, Stmt};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

use super::finding::{Finding, Kind, Places, Severity};
use super::scopes::{Scopes, Value, Variable};

/// Findings for every place where the order of a set shows.
pub(super) fn check<'a>(
    body: &'a [Stmt],
    scopes: &'a Scopes<'a>,
    places: &'a Places<'a>,
) -> Vec<Finding> {
    let mut sets = Sets { scopes, places, variables: HashSet::new(), findings: vec![] };
    sets.find_variables();
    sets.visit_body(body);
    sets.findings
}

/// Built-in functions that pass on the order of what they are given.
const ORDERED: &[&str] =
    &["dict", "enumerate", "filter", "iter", "list", "map", "reversed", "tuple", "zip"];
/// Built-in functions whose result doesn't depend on the order of what they are given.
const ORDERLESS: &[&str] =
    &["all", "any", "frozenset", "len", "max", "min", "set", "sorted", "sum"];
/// Built-in functions that write out what they are given.
const WRITING: &[&str] = &["ascii", "format", "print", "repr", "str"];
/// Methods that pass on the order of what they are given.
const ORDERED_METHODS: &[&str] =
    &["chain", "cycle", "deque", "extend", "fromkeys", "join", "writelines"];
/// Methods of a set that give a set.
const SET_METHODS: &[&str] =
    &["copy", "difference", "intersection", "symmetric_difference", "union"];

/// How many names may stand between a use and the set that it goes back to. It keeps the time for
/// long chains of assignments linear.
const CHAIN: u32 = 8;

struct Sets<'a> {
    scopes: &'a Scopes<'a>,
    places: &'a Places<'a>,
    /// Variables that are only ever given sets.
    variables: HashSet<Variable<'a>>,
    findings: Vec<Finding>,
}

impl<'a> Sets<'a> {
    fn note(&mut self, range: TextRange, what: &str) {
        let message = format!(
            "{what} in the order in which the elements were added, CPython in the order of their \
             hashes; use `sorted(...)` for the same order in both"
        );
        self.findings.push(self.places.finding(Severity::Note, Kind::SetOrder, range, message));
    }

    /// Notes that something runs over this expression, if it is a set.
    fn iterated(&mut self, iterable: &Expr) {
        if self.is_set(iterable, None) && !is_tiny(iterable) {
            self.note(iterable.range(), "this runs over a set");
        }
    }

    /// Notes that this expression is written out, if it is a set.
    fn written(&mut self, value: &Expr) {
        if self.is_set(value, None) && !is_tiny(value) {
            self.note(value.range(), "this writes out a set");
        }
    }

    /// Finds the variables that are only ever given sets, from those that are given one directly to
    /// those that are given another variable.
    fn find_variables(&mut self) {
        for _ in 0..CHAIN {
            let scopes = self.scopes;
            let found: Vec<_> = scopes
                .variables()
                .filter(|(variable, values)| self.holds_sets(*variable, values))
                .map(|(variable, _)| variable)
                .collect();
            let before = self.variables.len();
            self.variables.extend(found);
            if self.variables.len() == before {
                break;
            }
        }
    }

    /// Whether all that a variable is given is sets. `s = s | t` gives it one if it held one.
    fn holds_sets(&self, variable: Variable<'a>, values: &[Value<'a>]) -> bool {
        let given = |assumed| {
            move |value: &Value<'_>| match value {
                Value::Expression(expression) => Some(self.is_set(expression, assumed)),
                Value::Updated => None,
                Value::Module(_) | Value::Member { .. } | Value::Unknown => Some(false),
            }
        };
        values.iter().filter_map(given(Some(variable))).all(|is_set| is_set)
            && values.iter().filter_map(given(None)).any(|is_set| is_set)
    }

    /// Whether an expression certainly has a set as its value, if this variable holds one.
    fn is_set(&self, expression: &Expr, assumed: Option<Variable<'a>>) -> bool {
        match expression {
            Expr::Set(_) | Expr::SetComp(_) => true,
            Expr::Name(name) => self.scopes.variable(name).is_some_and(|variable| {
                Some(variable) == assumed || self.variables.contains(&variable)
            }),
            Expr::Named(named) => self.is_set(&named.value, assumed),
            Expr::If(choice) => {
                self.is_set(&choice.body, assumed) && self.is_set(&choice.orelse, assumed)
            }
            Expr::BinOp(operation) => {
                let keeps = matches!(
                    operation.op,
                    Operator::BitOr | Operator::BitAnd | Operator::BitXor | Operator::Sub
                );
                keeps
                    && (self.is_set(&operation.left, assumed)
                        || self.is_set(&operation.right, assumed))
            }
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(method) => {
                    SET_METHODS.contains(&method.attr.as_str())
                        && self.is_set(&method.value, assumed)
                }
                function => self.scopes.is_builtin(function, &["set", "frozenset"]),
            },
            _ => false,
        }
    }

    fn call(&mut self, call: &ExprCall) {
        let arguments = &call.arguments.args;
        let formats = |function: &Expr| match function {
            Expr::Attribute(method) => method.attr.as_str() == "format",
            _ => false,
        };
        if self.scopes.is_builtin(&call.func, WRITING) || formats(&call.func) {
            arguments.iter().for_each(|argument| self.written(argument));
        } else if self.scopes.is_builtin(&call.func, ORDERED) || is_ordered_method(&call.func) {
            arguments.iter().for_each(|argument| self.iterated(argument));
        } else if let Expr::Attribute(method) = &*call.func
            && method.attr.as_str() == "pop"
            && arguments.is_empty()
            && self.is_set(&method.value, None)
        {
            self.note(call.range(), "`pop` takes elements of a set");
        }
    }
}

/// Whether it is `", ".join`, `deque`, `items.extend` or the like.
fn is_ordered_method(function: &Expr) -> bool {
    match function {
        Expr::Attribute(method) => ORDERED_METHODS.contains(&method.attr.as_str()),
        Expr::Name(name) => ["chain", "cycle", "deque"].contains(&name.id.as_str()),
        _ => false,
    }
}

/// Whether a target takes a value apart into more than one place.
fn unpacks(target: &Expr) -> bool {
    let elements = match target {
        Expr::Tuple(tuple) => &tuple.elts,
        Expr::List(list) => &list.elts,
        _ => return false,
    };
    elements.len() > 1 || elements.iter().any(Expr::is_starred_expr)
}

/// Whether a set has at most one element, by its text.
fn is_tiny(expression: &Expr) -> bool {
    match expression {
        Expr::Set(set) => set.elts.len() < 2 && !set.elts.iter().any(Expr::is_starred_expr),
        Expr::Call(call) => call.func.is_name_expr() && call.arguments.is_empty(),
        _ => false,
    }
}

impl<'a> Visitor<'a> for Sets<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::For(statement) => self.iterated(&statement.iter),
            Stmt::Assign(assignment) if assignment.targets.iter().any(unpacks) => {
                self.iterated(&assignment.value);
            }
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            // `sorted(list(s))`: the order that the inner call passes on is lost at once.
            Expr::Call(call) if self.scopes.is_builtin(&call.func, ORDERLESS) => {
                for argument in &call.arguments.args {
                    match argument {
                        Expr::Call(inner) if self.scopes.is_builtin(&inner.func, ORDERED) => {
                            walk_expr(self, argument);
                        }
                        _ => self.visit_expr(argument),
                    }
                }
                call.arguments.keywords.iter().for_each(|keyword| self.visit_keyword(keyword));
                return;
            }
            Expr::Call(call) => self.call(call),
            Expr::YieldFrom(delegation) => self.iterated(&delegation.value),
            Expr::Starred(starred) if starred.ctx.is_load() => self.iterated(&starred.value),
            // What is put into a set has no order there.
            Expr::Set(set) => {
                for element in set {
                    match element {
                        Expr::Starred(starred) => self.visit_expr(&starred.value),
                        _ => self.visit_expr(element),
                    }
                }
                return;
            }
            _ => {}
        }
        walk_expr(self, expression);
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.iterated(&comprehension.iter);
        walk_comprehension(self, comprehension);
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        if let InterpolatedStringElement::Interpolation(interpolation) = element {
            self.written(&interpolation.expression);
        }
        ruff_python_ast::visitor::walk_interpolated_string_element(self, element);
    }
}
