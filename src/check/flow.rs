//! Statements that no path leads to.

use ruff_python_ast::{ExceptHandler, Expr, Number, Stmt, StmtMatch, StmtTry};
use ruff_text_size::Ranged;

use super::finding::{Finding, Kind, Places, Severity};

/// Findings for the first unreachable statement of each block; what lies inside it, or behind it
/// in the same block, is not named again.
pub(super) fn check(body: &[Stmt], places: &Places<'_>) -> Vec<Finding> {
    let mut findings = vec![];
    block(body, &mut |statement, why| {
        findings.push(places.finding(
            Severity::Warning,
            Kind::UnreachableCode,
            statement.range(),
            format!("never reached: {why}"),
        ));
    });
    findings
}

/// Walks a block up to its first unreachable statement.
fn block<'a>(body: &'a [Stmt], found: &mut impl FnMut(&'a Stmt, &'static str)) {
    for (statement, next) in body.iter().zip(body.iter().skip(1).map(Some).chain([None])) {
        inside(statement, found);
        if let Some(why) = leaves(statement) {
            if let Some(next) = next.filter(|next| !makes_generator(next)) {
                found(next, why);
            }
            return;
        }
    }
}

/// Walks the blocks of a statement.
fn inside<'a>(statement: &'a Stmt, found: &mut impl FnMut(&'a Stmt, &'static str)) {
    match statement {
        Stmt::FunctionDef(function) => block(&function.body, found),
        Stmt::ClassDef(class) => block(&class.body, found),
        Stmt::For(statement) => {
            block(&statement.body, found);
            block(&statement.orelse, found);
        }
        Stmt::While(statement) => {
            block(&statement.body, found);
            block(&statement.orelse, found);
        }
        Stmt::If(statement) => {
            block(&statement.body, found);
            statement.elif_else_clauses.iter().for_each(|clause| block(&clause.body, found));
        }
        Stmt::With(statement) => block(&statement.body, found),
        Stmt::Match(statement) => {
            statement.cases.iter().for_each(|case| block(&case.body, found));
        }
        Stmt::Try(statement) => {
            block(&statement.body, found);
            for ExceptHandler::ExceptHandler(handler) in &statement.handlers {
                block(&handler.body, found);
            }
            match (block_leaves(&statement.body), statement.orelse.first()) {
                (Some(_), Some(first)) => found(first, "the `try` block never runs to its end"),
                _ => block(&statement.orelse, found),
            }
            block(&statement.finalbody, found);
        }
        _ => {}
    }
}

/// A `yield` behind a `return` or `raise` is how a function without values is made a generator.
fn makes_generator(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(expression)
        if matches!(*expression.value, Expr::Yield(_) | Expr::YieldFrom(_)))
}

/// Why control never goes on behind a statement, if it never does.
///
/// A `with` is taken to go on: its context manager may swallow an exception of the block.
fn leaves(statement: &Stmt) -> Option<&'static str> {
    match statement {
        Stmt::Return(_) => Some("the `return` before it leaves the function"),
        Stmt::Raise(_) => Some("the `raise` before it leaves this block"),
        Stmt::Break(_) => Some("the `break` before it leaves the loop"),
        Stmt::Continue(_) => Some("the `continue` before it goes on with the loop"),
        Stmt::If(statement) => {
            let has_else = statement.elif_else_clauses.last().is_some_and(|c| c.test.is_none());
            let mut bodies = statement.elif_else_clauses.iter().map(|clause| &clause.body);
            (has_else
                && block_leaves(&statement.body).is_some()
                && bodies.all(|body| block_leaves(body).is_some()))
            .then_some("every branch of the `if` before it leaves this block")
        }
        Stmt::While(statement) if is_always_true(&statement.test) => {
            (!breaks(&statement.body)).then_some("the endless `while` before it has no `break`")
        }
        Stmt::While(statement) => loop_leaves(&statement.body, &statement.orelse),
        Stmt::For(statement) => loop_leaves(&statement.body, &statement.orelse),
        Stmt::Match(statement) => match_leaves(statement),
        Stmt::Try(statement) => try_leaves(statement),
        _ => None,
    }
}

fn block_leaves(body: &[Stmt]) -> Option<&'static str> {
    body.iter().find_map(leaves)
}

/// A loop without `break` ends through its `else`.
fn loop_leaves(body: &[Stmt], orelse: &[Stmt]) -> Option<&'static str> {
    (!breaks(body) && block_leaves(orelse).is_some())
        .then_some("the `else` of the loop before it leaves this block")
}

fn match_leaves(statement: &StmtMatch) -> Option<&'static str> {
    let catch_all = statement
        .cases
        .last()
        .is_some_and(|case| case.guard.is_none() && case.pattern.is_irrefutable());
    (catch_all && statement.cases.iter().all(|case| block_leaves(&case.body).is_some()))
        .then_some("every case of the `match` before it leaves this block")
}

fn try_leaves(statement: &StmtTry) -> Option<&'static str> {
    if block_leaves(&statement.finalbody).is_some() {
        return Some("the `finally` before it leaves this block");
    }
    let body = block_leaves(&statement.body).or_else(|| block_leaves(&statement.orelse));
    let mut handlers = statement.handlers.iter();
    (body.is_some()
        && handlers
            .all(|ExceptHandler::ExceptHandler(handler)| block_leaves(&handler.body).is_some()))
    .then_some("every way through the `try` before it leaves this block")
}

/// Whether the test of a loop is a constant that is true.
fn is_always_true(test: &Expr) -> bool {
    match test {
        Expr::BooleanLiteral(literal) => literal.value,
        Expr::NumberLiteral(literal) => {
            matches!(&literal.value, Number::Int(number) if number.as_u64() != Some(0))
        }
        _ => false,
    }
}

/// Whether a loop's body holds a `break` of this loop.
fn breaks(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Break(_) => true,
        Stmt::If(statement) => {
            breaks(&statement.body)
                || statement.elif_else_clauses.iter().any(|clause| breaks(&clause.body))
        }
        Stmt::With(statement) => breaks(&statement.body),
        Stmt::Match(statement) => statement.cases.iter().any(|case| breaks(&case.body)),
        Stmt::For(inner) => breaks(&inner.orelse),
        Stmt::While(inner) => breaks(&inner.orelse),
        Stmt::Try(statement) => {
            let mut handlers = statement.handlers.iter();
            breaks(&statement.body)
                || handlers.any(|ExceptHandler::ExceptHandler(handler)| breaks(&handler.body))
                || breaks(&statement.orelse)
                || breaks(&statement.finalbody)
        }
        _ => false,
    })
}
