//! What a source line is made of: the syntactic constructs that run on it.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{Visitor, walk_comprehension, walk_expr, walk_stmt};
use ruff_python_ast::{BoolOp, Comprehension, Expr, Stmt};
use ruff_source_file::LineIndex;
use ruff_text_size::{Ranged, TextSize};
use serde::{Deserialize, Serialize};

use crate::check::with_tree;

/// A construct of Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the words of Python's grammar")]
pub enum Construct {
    Arithmetic,
    Assert,
    Assignment,
    Attribute,
    AugmentedAssignment,
    Await,
    Boolean,
    Break,
    Call,
    Class,
    Comparison,
    Comprehension,
    Conditional,
    Continue,
    Def,
    Del,
    Except,
    FString,
    For,
    If,
    Import,
    Lambda,
    Match,
    MethodCall,
    Pass,
    Raise,
    Return,
    Slice,
    Starred,
    Subscript,
    Try,
    Unpacking,
    Walrus,
    While,
    With,
    Yield,
}

impl Construct {
    /// The word for it in reports and logs.
    pub fn name(self) -> &'static str {
        match self {
            Construct::Assert => "assert",
            Construct::Assignment => "assignment",
            Construct::Attribute => "attribute",
            Construct::AugmentedAssignment => "augmented-assignment",
            Construct::Arithmetic => "arithmetic",
            Construct::Await => "await",
            Construct::Boolean => "boolean",
            Construct::Break => "break",
            Construct::Call => "call",
            Construct::Class => "class",
            Construct::Comparison => "comparison",
            Construct::Comprehension => "comprehension",
            Construct::Conditional => "conditional",
            Construct::Continue => "continue",
            Construct::Def => "def",
            Construct::Del => "del",
            Construct::Except => "except",
            Construct::FString => "f-string",
            Construct::For => "for",
            Construct::If => "if",
            Construct::Import => "import",
            Construct::Lambda => "lambda",
            Construct::Match => "match",
            Construct::MethodCall => "method-call",
            Construct::Pass => "pass",
            Construct::Raise => "raise",
            Construct::Return => "return",
            Construct::Slice => "slice",
            Construct::Starred => "starred",
            Construct::Subscript => "subscript",
            Construct::Try => "try",
            Construct::Unpacking => "unpacking",
            Construct::Walrus => "walrus",
            Construct::While => "while",
            Construct::With => "with",
            Construct::Yield => "yield",
        }
    }
}

/// The constructs of each line of a program, the first line's first: those that begin there, and of
/// a compound statement its head alone. Empty for a program that can't be parsed.
pub fn constructs(source: &str) -> Vec<Vec<Construct>> {
    let lines = source.split('\n').count();
    let found = with_tree(source, |body| {
        let mut finder = Finder {
            index: LineIndex::from_source_text(source),
            lines: vec![BTreeSet::new(); lines],
        };
        finder.visit_body(body);
        finder.lines
    });
    let found = found.unwrap_or_else(|| vec![BTreeSet::new(); lines]);
    found.into_iter().map(|line| line.into_iter().collect()).collect()
}

struct Finder {
    index: LineIndex,
    lines: Vec<BTreeSet<Construct>>,
}

impl Finder {
    fn add(&mut self, at: TextSize, construct: Construct) {
        let line = self.index.line_index(at).to_zero_indexed();
        if let Some(line) = self.lines.get_mut(line) {
            line.insert(construct);
        }
    }
}

impl<'a> Visitor<'a> for Finder {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let construct = match statement {
            Stmt::Assert(_) => Some(Construct::Assert),
            Stmt::Assign(assign) => {
                if assign
                    .targets
                    .iter()
                    .any(|target| matches!(target, Expr::Tuple(_) | Expr::List(_)))
                {
                    self.add(statement.start(), Construct::Unpacking);
                }
                Some(Construct::Assignment)
            }
            Stmt::AnnAssign(_) => Some(Construct::Assignment),
            Stmt::AugAssign(_) => Some(Construct::AugmentedAssignment),
            Stmt::Break(_) => Some(Construct::Break),
            Stmt::ClassDef(_) => Some(Construct::Class),
            Stmt::Continue(_) => Some(Construct::Continue),
            Stmt::Delete(_) => Some(Construct::Del),
            Stmt::For(_) => Some(Construct::For),
            Stmt::FunctionDef(_) => Some(Construct::Def),
            Stmt::If(statement) => {
                for clause in &statement.elif_else_clauses {
                    if clause.test.is_some() {
                        self.add(clause.start(), Construct::If);
                    }
                }
                Some(Construct::If)
            }
            Stmt::Import(_) | Stmt::ImportFrom(_) => Some(Construct::Import),
            Stmt::Match(_) => Some(Construct::Match),
            Stmt::Pass(_) => Some(Construct::Pass),
            Stmt::Raise(_) => Some(Construct::Raise),
            Stmt::Return(_) => Some(Construct::Return),
            Stmt::Try(statement) => {
                for handler in &statement.handlers {
                    self.add(handler.start(), Construct::Except);
                }
                Some(Construct::Try)
            }
            Stmt::While(_) => Some(Construct::While),
            Stmt::With(_) => Some(Construct::With),
            _ => None,
        };
        if let Some(construct) = construct {
            self.add(statement.start(), construct);
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        let construct = match expression {
            Expr::Attribute(_) => Some(Construct::Attribute),
            Expr::Await(_) => Some(Construct::Await),
            Expr::BinOp(_) | Expr::UnaryOp(_) => Some(Construct::Arithmetic),
            Expr::BoolOp(operation) => match operation.op {
                BoolOp::And | BoolOp::Or => Some(Construct::Boolean),
            },
            Expr::Call(call) => Some(match &*call.func {
                Expr::Attribute(_) => Construct::MethodCall,
                _ => Construct::Call,
            }),
            Expr::Compare(_) => Some(Construct::Comparison),
            Expr::FString(_) => Some(Construct::FString),
            Expr::If(_) => Some(Construct::Conditional),
            Expr::Lambda(_) => Some(Construct::Lambda),
            Expr::Named(_) => Some(Construct::Walrus),
            Expr::Slice(_) => Some(Construct::Slice),
            Expr::Starred(_) => Some(Construct::Starred),
            Expr::Subscript(_) => Some(Construct::Subscript),
            Expr::Yield(_) | Expr::YieldFrom(_) => Some(Construct::Yield),
            _ => None,
        };
        if let Some(construct) = construct {
            self.add(expression.start(), construct);
        }
        walk_expr(self, expression);
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.add(comprehension.start(), Construct::Comprehension);
        walk_comprehension(self, comprehension);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The constructs of each line, as words.
    fn words(source: &str) -> Vec<String> {
        let line = |line: &Vec<Construct>| {
            line.iter().map(|construct| construct.name()).collect::<Vec<_>>().join(" ")
        };
        constructs(source).iter().map(line).collect()
    }

    #[test]
    fn lines_are_named_by_what_runs_on_them() {
        let source = "\
def f(xs):
    a, b = xs[0], xs[1:]
    a += len(b) if b else -1
    for x in [y * 2 for y in b if y]:
        print(f'{x}')
    try:
        xs.append(a)
    except ValueError:
        raise
    return a and b";
        assert_eq!(
            words(source),
            [
                "def",
                "assignment slice subscript unpacking",
                "arithmetic augmented-assignment call conditional",
                "arithmetic comprehension for",
                "call f-string",
                "try",
                "attribute method-call",
                "except",
                "raise",
                "boolean return",
            ]
        );
    }

    #[test]
    fn an_expression_counts_on_the_line_where_it_begins() {
        assert_eq!(words("x = f(\n    1 + 2,\n)\n"), ["assignment call", "arithmetic", "", ""]);
    }

    #[test]
    fn what_does_not_parse_has_none() {
        assert_eq!(words("x = = 1\n"), ["", ""]);
        assert!(words(&"(".repeat(100_000)).iter().all(String::is_empty));
    }
}
