//! Finds where a run starts: a function of the program, or the module itself.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Parameters, Stmt, StmtFunctionDef};

use super::wire::Refusal;

/// The function that is called if the program defines it and nobody asked for another.
const DEFAULT: &str = "main";

/// Where a run starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// At the first statement of the module.
    Module,
    /// At the call of this function, after the module's own statements.
    Function(String),
}

/// Why a function can't be called as the entry; none if it can.
fn obstacle(function: &StmtFunctionDef) -> Option<&'static str> {
    if required(&function.parameters) {
        Some("needs arguments; name a function that can be called without any")
    } else if function.is_async {
        Some("is a coroutine: calling it runs nothing; name a function that runs it")
    } else if yields(&function.body) {
        Some("is a generator: calling it runs nothing; name a function that walks over it")
    } else {
        None
    }
}

/// Finds the entry of a module: the function that was asked for, else `main` if it can be called
/// without arguments, else the module.
pub fn find(module: &[Stmt], wanted: Option<&str>) -> Result<Entry, Refusal> {
    let mut functions = Vec::new();
    collect(module, &mut functions);
    let last = |name: &str| functions.iter().rev().find(|function| function.name.as_str() == name);
    let Some(name) = wanted else {
        let callable = last(DEFAULT).is_some_and(|main| obstacle(main).is_none());
        return Ok(if callable { Entry::Function(DEFAULT.to_owned()) } else { Entry::Module });
    };
    match last(name) {
        Some(function) => match obstacle(function) {
            None => Ok(Entry::Function(name.to_owned())),
            Some(why) => Err(Refusal::BadEntry { name: name.to_owned(), why: why.to_owned() }),
        },
        None => {
            let mut candidates: Vec<String> = Vec::new();
            for function in functions.iter().filter(|function| obstacle(function).is_none()) {
                if !candidates.iter().any(|known| known == function.name.as_str()) {
                    candidates.push(function.name.to_string());
                }
            }
            let names: Vec<&str> = candidates.iter().map(String::as_str).collect();
            let meant =
                similar::get_close_matches(name, &names, 1, 0.6).first().map(|s| (*s).to_owned());
            Err(Refusal::NoEntry { name: name.to_owned(), candidates, meant })
        }
    }
}

/// The functions that a module defines, also under `if`, `try` and `with`.
fn collect<'a>(statements: &'a [Stmt], functions: &mut Vec<&'a StmtFunctionDef>) {
    for statement in statements {
        match statement {
            Stmt::FunctionDef(function) => functions.push(function),
            Stmt::If(branch) => {
                collect(&branch.body, functions);
                for clause in &branch.elif_else_clauses {
                    collect(&clause.body, functions);
                }
            }
            Stmt::Try(attempt) => {
                collect(&attempt.body, functions);
                collect(&attempt.orelse, functions);
                collect(&attempt.finalbody, functions);
            }
            Stmt::With(with) => collect(&with.body, functions),
            _ => {}
        }
    }
}

/// Whether a call must give arguments.
fn required(parameters: &Parameters) -> bool {
    parameters.iter_non_variadic_params().any(|parameter| parameter.default.is_none())
}

/// Whether a function's own body yields.
fn yields(body: &[Stmt]) -> bool {
    struct Search(bool);
    impl<'a> Visitor<'a> for Search {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                visitor::walk_stmt(self, statement);
            }
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
                Expr::Lambda(_) => {}
                _ => visitor::walk_expr(self, expression),
            }
        }
    }
    let mut search = Search(false);
    search.visit_body(body);
    search.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(source: &str, wanted: Option<&str>) -> Result<Entry, Refusal> {
        find(ruff_python_parser::parse_module(source).unwrap().suite(), wanted)
    }

    fn function(name: &str) -> Result<Entry, Refusal> {
        Ok(Entry::Function(name.to_owned()))
    }

    #[test]
    fn main_is_the_entry_if_it_can_be_called() {
        assert_eq!(entry("def main(): pass", None), function("main"));
        assert_eq!(entry("def main(n=1, *rest, k=2, **more): pass", None), function("main"));
        for other in [
            "def main(n): pass",
            "def main(*, n): pass",
            "async def main(): pass",
            "def main():\n yield 1",
            "class A:\n def main(): pass",
            "x = 1",
        ] {
            assert_eq!(entry(other, None), Ok(Entry::Module), "{other}");
        }
    }

    #[test]
    fn the_last_definition_counts_also_under_a_condition() {
        let twice = "def main(): pass\nif True:\n  def main(n): pass";
        assert_eq!(entry(twice, None), Ok(Entry::Module));
        assert_eq!(entry("try:\n  def go(): pass\nfinally: pass", Some("go")), function("go"));
    }

    #[test]
    fn a_generator_inside_does_not_make_a_generator() {
        assert_eq!(
            entry("def main():\n def g():\n  yield 1\n return lambda: (yield)", None),
            function("main")
        );
    }

    #[test]
    fn an_unknown_name_gets_suggestions() {
        let source = "def count(): pass\ndef other(): pass\ndef third(x): pass\ndef count(): pass";
        assert_eq!(
            entry(source, Some("cuont")),
            Err(Refusal::NoEntry {
                name: "cuont".into(),
                candidates: vec!["count".into(), "other".into()],
                meant: Some("count".into()),
            })
        );
        let Err(Refusal::BadEntry { why, .. }) = entry(source, Some("third")) else { panic!() };
        assert!(why.contains("needs arguments"), "{why}");
    }
}
