//! What a `try` catches.

use ruff_python_ast::{ExceptHandler, Expr, StmtTry};

/// Whether one of its handlers catches one of these exceptions: a bare `except`, or one that
/// names such an exception or a tuple with one.
///
/// Give an exception with its base classes. Names are compared as written.
pub(super) fn catches(statement: &StmtTry, exceptions: &[&str]) -> bool {
    statement.handlers.iter().any(|ExceptHandler::ExceptHandler(handler)| {
        handler.type_.as_deref().is_none_or(|caught| names_one_of(caught, exceptions))
    })
}

/// Whether an expression names one of these exceptions, alone or in a tuple.
pub(super) fn names_one_of(expression: &Expr, exceptions: &[&str]) -> bool {
    match expression {
        Expr::Tuple(tuple) => tuple.iter().any(|one| names_one_of(one, exceptions)),
        Expr::Name(name) => exceptions.contains(&name.id.as_str()),
        Expr::Attribute(attribute) => exceptions.contains(&attribute.attr.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruff_python_ast::Stmt;

    #[test]
    fn handlers_catch_what_they_name() {
        let wanted = ["ImportError", "Exception"];
        for (handler, expected) in [
            ("except:", true),
            ("except ImportError:", true),
            ("except (ValueError, ImportError) as e:", true),
            ("except builtins.Exception:", true),
            ("except* ImportError:", true),
            ("except ValueError:", false),
            ("except errors():", false),
            ("finally:", false),
        ] {
            let source = format!("try: pass\n{handler} pass\n");
            let module = ruff_python_parser::parse_module(&source).unwrap().into_syntax();
            let Stmt::Try(statement) = &module.body[0] else { unreachable!() };
            assert_eq!(catches(statement, &wanted), expected, "{handler}");
        }
    }
}
