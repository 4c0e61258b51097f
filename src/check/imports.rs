//! Imports of modules that a program doesn't have here.

use ruff_python_ast::visitor::{Visitor, walk_body, walk_stmt};
use ruff_python_ast::{ExceptHandler, Expr, Stmt, StmtImportFrom, StmtTry, StmtWith};
use ruff_text_size::{Ranged, TextRange};

use super::finding::{Finding, Kind, Places, Severity};
use super::handlers::{catches, names_one_of};
use super::modules::{self, Absence};

/// What catches the failure of an import.
const CAUGHT: &[&str] = &["ModuleNotFoundError", "ImportError", "Exception", "BaseException"];

/// Findings for imports that fail when they are reached.
pub(super) fn check(body: &[Stmt], places: &Places<'_>) -> Vec<Finding> {
    let mut imports = Imports { places, standing: Standing::Certain, findings: vec![] };
    imports.visit_body(body);
    imports.findings
}

/// What an import's failure means for the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// It runs first of all, and its failure ends the program.
    Certain,
    /// It may not run.
    Conditional,
    /// The program is prepared for its failure.
    Guarded,
}

struct Imports<'a> {
    places: &'a Places<'a>,
    standing: Standing,
    findings: Vec<Finding>,
}

impl Imports<'_> {
    fn missing(&mut self, name: &str, absence: Absence, range: TextRange) {
        let reason = absence.reason();
        let (severity, advice) = match self.standing {
            Standing::Certain => (Severity::Error, "do without it, or catch `ImportError`"),
            Standing::Conditional => (Severity::Warning, "the import fails if it is reached"),
            Standing::Guarded => (Severity::Note, "the program catches the failure"),
        };
        let message = format!("module `{name}` isn't available: {reason}; {advice}");
        self.findings.push(self.places.finding(severity, Kind::MissingModule, range, message));
    }

    fn import_from(&mut self, import: &StmtImportFrom) {
        let module = import.module.as_ref().map_or("", |module| module.as_str());
        if import.level > 0 {
            let name = format!("{}{module}", ".".repeat(import.level as usize));
            return self.missing(&name, Absence::Relative, import.range);
        }
        if let Some(absence) = modules::absence(module) {
            let range = import.module.as_ref().map_or(import.range, Ranged::range);
            return self.missing(module, absence, range);
        }
        // `from urllib import request` imports a module too.
        for alias in &import.names {
            let name = format!("{module}.{}", alias.name);
            if let Some(absence) = modules::known_absence(&name) {
                self.missing(&name, absence, alias.range);
            }
        }
    }

    fn at_least(&mut self, standing: Standing, body: &[Stmt]) {
        let around = self.standing;
        self.standing = around.max(standing);
        walk_body(self, body);
        self.standing = around;
    }

    fn try_statement(&mut self, statement: &StmtTry) {
        let guarded = catches(statement, CAUGHT);
        let body = if guarded { Standing::Guarded } else { Standing::Certain };
        self.at_least(body, &statement.body);
        for ExceptHandler::ExceptHandler(handler) in &statement.handlers {
            // The usual place of a substitute, which isn't needed if the first import succeeds.
            let handler_standing = if guarded { Standing::Guarded } else { Standing::Conditional };
            self.at_least(handler_standing, &handler.body);
        }
        self.at_least(Standing::Conditional, &statement.orelse);
        self.at_least(Standing::Certain, &statement.finalbody);
    }
}

/// Whether it is `with suppress(ImportError)` or the like.
fn suppresses(statement: &StmtWith) -> bool {
    statement.items.iter().any(|item| match &item.context_expr {
        Expr::Call(call) => {
            names_one_of(&call.func, &["suppress"])
                && call.arguments.args.iter().any(|caught| names_one_of(caught, CAUGHT))
        }
        _ => false,
    })
}

/// Whether what comes after this statement may not run, or may find modules that it made.
fn ends_or_provides(statement: &Stmt) -> bool {
    match statement {
        Stmt::Raise(_) => true,
        Stmt::Expr(expression) => match &*expression.value {
            Expr::Call(call) => names_one_of(&call.func, &["exit", "quit", "_exit", "abort"]),
            _ => false,
        },
        Stmt::Assign(assign) => assign.targets.iter().any(|target| match target {
            Expr::Subscript(subscript) => names_one_of(&subscript.value, &["modules"]),
            _ => false,
        }),
        _ => false,
    }
}

impl<'a> Visitor<'a> for Imports<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let name = alias.name.as_str();
                    if let Some(absence) = modules::absence(name) {
                        self.missing(name, absence, alias.name.range);
                    }
                }
            }
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Try(statement) => self.try_statement(statement),
            Stmt::With(statement) => {
                let guarded = suppresses(statement);
                let standing = if guarded { Standing::Guarded } else { Standing::Certain };
                self.at_least(standing, &statement.body);
            }
            Stmt::FunctionDef(function) => {
                // It runs where it is called, outside any `try` around its definition.
                let around = std::mem::replace(&mut self.standing, Standing::Conditional);
                self.visit_body(&function.body);
                self.standing = around;
            }
            Stmt::If(statement) => {
                // Type checkers take the branch, the program doesn't.
                if !names_one_of(&statement.test, &["TYPE_CHECKING"]) {
                    self.at_least(Standing::Conditional, &statement.body);
                }
                for clause in &statement.elif_else_clauses {
                    self.at_least(Standing::Conditional, &clause.body);
                }
            }
            Stmt::For(_) | Stmt::While(_) | Stmt::Match(_) => {
                let around = self.standing;
                self.standing = around.max(Standing::Conditional);
                walk_stmt(self, statement);
                self.standing = around;
            }
            _ => {
                if ends_or_provides(statement) {
                    self.standing = self.standing.max(Standing::Conditional);
                }
                walk_stmt(self, statement);
            }
        }
    }

    // Only statements import.
    fn visit_expr(&mut self, _: &'a Expr) {}
}
