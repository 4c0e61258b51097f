//! Places where a program reads its standard input.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

use super::finding::{Finding, Kind, Places, Severity};
use super::scopes::{Scopes, Value, Variable};

/// Findings for every use of `input` and `sys.stdin`.
pub(super) fn check<'a>(
    body: &'a [Stmt],
    scopes: &'a Scopes<'a>,
    places: &'a Places<'a>,
) -> Vec<Finding> {
    let given = |is_it: fn(&Value<'_>) -> bool| {
        let variables = scopes.variables().filter(|(_, values)| values.iter().any(is_it));
        variables.map(|(variable, _)| variable).collect()
    };
    let modules = given(|value| matches!(value, Value::Module("sys")));
    let streams = given(|value| matches!(value, Value::Member { module: "sys", name: "stdin" }));
    let mut input = Input { scopes, places, modules, streams, findings: vec![] };
    input.visit_body(body);
    input.findings
}

struct Input<'a> {
    scopes: &'a Scopes<'a>,
    places: &'a Places<'a>,
    /// Variables that may hold the module `sys`.
    modules: HashSet<Variable<'a>>,
    /// Variables that may hold `sys.stdin`.
    streams: HashSet<Variable<'a>>,
    findings: Vec<Finding>,
}

impl Input<'_> {
    fn note(&mut self, range: TextRange, what: &str) {
        let message = format!("the program reads its standard input (`{what}`); give it some");
        self.findings.push(self.places.finding(Severity::Note, Kind::ReadsInput, range, message));
    }
}

impl<'a> Visitor<'a> for Input<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) if name.ctx.is_load() => {
                let variable = self.scopes.variable(name);
                if self.scopes.is_builtin(expression, &["input"]) {
                    self.note(name.range(), "input");
                } else if variable.is_some_and(|variable| self.streams.contains(&variable)) {
                    self.note(name.range(), "sys.stdin");
                }
            }
            Expr::Attribute(attribute)
                if attribute.attr.as_str() == "stdin" && attribute.ctx.is_load() =>
            {
                if let Expr::Name(module) = &*attribute.value {
                    let variable = self.scopes.variable(module);
                    if variable.is_some_and(|variable| self.modules.contains(&variable)) {
                        self.note(attribute.range(), "sys.stdin");
                    }
                }
            }
            _ => {}
        }
        walk_expr(self, expression);
    }
}
