//! Names that are read and never bound.

use ruff_python_ast::Expr;
use std::collections::HashSet;

use super::builtins;
use super::finding::{Finding, Kind, Places, Severity};
use super::modules;
use super::scopes::{MODULE, Origin, ScopeId, ScopeKind, Scopes, Value, Variable};

/// Findings for reads that raise `NameError` or `UnboundLocalError` whenever they are reached: the
/// first read of each name in each scope.
pub(super) fn check(scopes: &Scopes<'_>, places: &Places<'_>) -> Vec<Finding> {
    let doomed: HashSet<Variable<'_>> = scopes
        .variables()
        .filter(|(variable, values)| is_only_updated(scopes, *variable, values))
        .map(|(variable, _)| variable)
        .collect();
    let mut seen = HashSet::new();
    let mut findings = vec![];
    for read in scopes.reads() {
        let name = read.name;
        let (kind, message) = match scopes.origin(read) {
            Origin::Nowhere if !scopes.is_dynamic() && !read.mangled => {
                (Kind::UnboundName, unbound(name))
            }
            Origin::Given => match builtins::absence(name) {
                Some(why) => {
                    (Kind::MissingBuiltin, format!("`{name}` isn't available here: {why}"))
                }
                None => continue,
            },
            // A function inside may be called when there is a value: by then the update has failed.
            Origin::Scope(scope) if scope == read.scope && doomed.contains(&(scope, name)) => {
                match scopes.kind(scope) {
                    ScopeKind::Function => (Kind::UnboundLocal, unbound_local(scopes, scope, name)),
                    _ if scopes.is_dynamic() => continue,
                    _ => (Kind::UnboundName, unbound(name)),
                }
            }
            Origin::Nowhere | Origin::Scope(_) => continue,
        };
        if seen.insert((read.scope, name)) {
            let severity = if read.caught { Severity::Note } else { Severity::Warning };
            findings.push(places.finding(severity, kind, read.range, message));
        }
    }
    findings
}

/// Whether a variable is given a value only from its old one, as `n += 1` and `n = n + 1` do, so
/// that it never has a first one. In a class the old value may be that of an outer variable, in a
/// module that of a built-in name.
fn is_only_updated(scopes: &Scopes<'_>, (scope, name): Variable<'_>, values: &[Value<'_>]) -> bool {
    let is_update = |value: &Value<'_>| match value {
        Value::Updated => true,
        Value::Expression(expression) => evaluates(expression, name),
        Value::Module(_) | Value::Member { .. } | Value::Unknown => false,
    };
    let may_be_outer = match scopes.kind(scope) {
        ScopeKind::Function => false,
        ScopeKind::Module => builtins::is_given(name),
        _ => true,
    };
    !may_be_outer && values.iter().all(is_update)
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
    } else {
        scopes.binds(MODULE, name).map(|_| "global")
    };
    match outer {
        Some(statement) => format!(
            "`{name}` is only updated in this function, so it is a local variable without a first \
             value; write `{statement} {name}` first to update the outer one"
        ),
        None => format!(
            "`{name}` is only updated in this function, never given a first value; assign it first"
        ),
    }
}
