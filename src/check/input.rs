//! Places where a program reads its standard input.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};

use super::finding::{Finding, Kind, Places, Severity};
use super::scopes::{Scopes, Value};

/// Findings for every use of `input` and `sys.stdin`.
pub(super) fn check<'a>(
    body: &'a [Stmt],
    scopes: &'a Scopes<'a>,
    places: &'a Places<'a>,
) -> Vec<Finding> {
    let mut input = Input { scopes, places, findings: vec![] };
    input.visit_body(body);
    input.findings
}

struct Input<'a> {
    scopes: &'a Scopes<'a>,
    places: &'a Places<'a>,
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
                let is_stdin = |value: &Value<'_>| {
                    matches!(value, Value::Member { module: "sys", name: "stdin" })
                };
                if self.scopes.is_builtin(expression, &["input"]) {
                    self.note(name.range(), "input");
                } else if self.scopes.values(name).iter().any(is_stdin) {
                    self.note(name.range(), "sys.stdin");
                }
            }
            Expr::Attribute(attribute)
                if attribute.attr.as_str() == "stdin" && attribute.ctx.is_load() =>
            {
                if let Expr::Name(module) = &*attribute.value {
                    let is_sys = |value: &Value<'_>| matches!(value, Value::Module("sys"));
                    if self.scopes.values(module).iter().any(is_sys) {
                        self.note(attribute.range(), "sys.stdin");
                    }
                }
            }
            _ => {}
        }
        walk_expr(self, expression);
    }
}
