//! Names that are read and never bound.

use ruff_python_ast::Expr;
use ruff_text_size::Ranged;

use super::builtins;
use super::finding::{Finding, Kind, Places, Severity};
use super::modules;
use super::scopes::{MODULE, Origin, Read, ScopeId, ScopeKind, Scopes, Value};

/// Findings for reads that raise `NameError` or `UnboundLocalError` whenever they are reached.
pub(super) fn check(scopes: &Scopes<'_>, places: &Places<'_>) -> Vec<Finding> {
    let finding = |read: &Read<'_>, kind, message| {
        let severity = if read.caught { Severity::Note } else { Severity::Warning };
        places.finding(severity, kind, read.range, message)
    };
    let mut findings = vec![];
    for read in scopes.reads() {
        let name = read.name;
        match scopes.origin(read) {
            Origin::Nowhere if !scopes.is_dynamic() && !read.mangled => {
                findings.push(finding(read, Kind::UnboundName, unbound(name)));
            }
            Origin::Given => {
                if let Some(why) = builtins::absence(name) {
                    let message = format!("`{name}` isn't available here: {why}");
                    findings.push(finding(read, Kind::MissingBuiltin, message));
                }
            }
            Origin::Scope(scope) if is_only_updated(scopes, scope, read) => {
                if scopes.kind(scope) == ScopeKind::Function {
                    let message = unbound_local(scopes, scope, name);
                    findings.push(finding(read, Kind::UnboundLocal, message));
                } else if !scopes.is_dynamic() {
                    findings.push(finding(read, Kind::UnboundName, unbound(name)));
                }
            }
            Origin::Nowhere | Origin::Scope(_) => {}
        }
    }
    findings
}

/// Whether the scope gives the name a value only from its old one, as `n += 1` and `n = n + 1` do,
/// so that it never has a first one; and this read is one of those that need it.
///
/// In a class the old value may be that of an outer variable.
fn is_only_updated(scopes: &Scopes<'_>, scope: ScopeId, read: &Read<'_>) -> bool {
    let values = scopes.bound(scope, read.name);
    let is_update = |value: &Value<'_>| match value {
        Value::Updated => true,
        Value::Expression(expression) => evaluates(expression, read.name),
        Value::Module(_) | Value::Member { .. } | Value::Unknown => false,
    };
    let in_update = |value: &Value<'_>| match value {
        Value::Expression(expression) => expression.range().contains_range(read.range),
        _ => false,
    };
    matches!(scopes.kind(scope), ScopeKind::Function | ScopeKind::Module)
        && (scope != MODULE || !builtins::is_given(read.name))
        && values.iter().all(is_update)
        && (read.updates || read.scope == scope && values.iter().any(in_update))
}

/// Whether the value of an expression is never had without that of a name.
fn evaluates(expression: &Expr, name: &str) -> bool {
    let reads = |part: &Expr| evaluates(part, name);
    match expression {
        Expr::Name(read) => read.id.as_str() == name,
        Expr::BinOp(operation) => reads(&operation.left) || reads(&operation.right),
        Expr::UnaryOp(operation) => reads(&operation.operand),
        Expr::Compare(comparison) => reads(&comparison.left),
        Expr::Attribute(attribute) => reads(&attribute.value),
        Expr::Subscript(subscript) => reads(&subscript.value) || reads(&subscript.slice),
        Expr::Call(call) => {
            let keywords = &call.arguments.keywords;
            reads(&call.func)
                || call.arguments.args.iter().any(reads)
                || keywords.iter().any(|keyword| reads(&keyword.value))
        }
        Expr::Starred(starred) => reads(&starred.value),
        Expr::Tuple(tuple) => tuple.iter().any(reads),
        Expr::List(list) => list.iter().any(reads),
        _ => false,
    }
}

fn unbound(name: &str) -> String {
    if modules::is_available(name) {
        format!("`{name}` is never bound in this program; write `import {name}` first")
    } else {
        format!("`{name}` is never bound in this program; check its spelling or assign it first")
    }
}

fn unbound_local(scopes: &Scopes<'_>, scope: ScopeId, name: &str) -> String {
    let outer = if scopes.enclosing(scope, name).is_some() {
        Some("nonlocal")
    } else if scopes.bound(MODULE, name).is_empty() {
        None
    } else {
        Some("global")
    };
    match outer {
        Some(statement) => format!(
            "`{name}` is updated here, which makes it a local variable without a first value; \
             write `{statement} {name}` at the top of the function to update the outer one"
        ),
        None => format!(
            "`{name}` is updated in this function but never given a first value; assign it first"
        ),
    }
}
