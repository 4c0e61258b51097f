//! Names that are read and never bound.

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

/// Whether the scope gives the name a value only from its old one, so that it never has a first.
/// In a class the old value may be that of an outer variable.
fn is_only_updated(scopes: &Scopes<'_>, scope: ScopeId, read: &Read<'_>) -> bool {
    read.updates
        && matches!(scopes.kind(scope), ScopeKind::Function | ScopeKind::Module)
        && !builtins::is_given(read.name)
        && scopes.bound(scope, read.name).iter().all(|value| matches!(value, Value::Updated))
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
