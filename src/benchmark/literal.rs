//! Which texts are values: Python literals, and what `repr` writes for the built-in containers.
//!
//! An answer is text that nobody has looked at. It is evaluated only if nothing of it can run: no
//! name, no call but those of the built-in containers, no operator but the sign of a number and the
//! sum of a complex one. Nor is anything built of it that is much larger than the text: a container's
//! call holds a container that is written out, and a range is no longer than a text may be.

use ruff_python_ast::{Expr, Number, Operator, Stmt, UnaryOp};

use crate::check::with_tree;

/// Longest text that is taken, in bytes, and longest range.
const MAX_BYTES: usize = 1 << 20;

/// Whether the text is one value, and nothing else.
pub fn is_value(text: &str) -> bool {
    is(text, is_literal)
}

/// Whether the text is one call of this function with values for arguments.
pub fn is_call(text: &str, function: &str) -> bool {
    is(text, |expression| match expression {
        Expr::Call(call) => {
            call.func.as_name_expr().is_some_and(|name| name.id.as_str() == function)
                && call.arguments.args.iter().all(is_literal)
                && call
                    .arguments
                    .keywords
                    .iter()
                    .all(|keyword| keyword.arg.is_some() && is_literal(&keyword.value))
        }
        _ => false,
    })
}

fn is(text: &str, wanted: impl Fn(&Expr) -> bool + Send + Sync) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.len() <= MAX_BYTES
        && with_tree(text, |module| match module {
            [Stmt::Expr(statement)] => wanted(&statement.value),
            _ => false,
        })
        .unwrap_or(false)
}

/// Whether evaluating this runs nothing.
fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(_)
        | Expr::StringLiteral(_)
        | Expr::BytesLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_)
        | Expr::EllipsisLiteral(_) => true,
        Expr::List(list) => list.elts.iter().all(is_literal),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_literal),
        Expr::Set(set) => set.elts.iter().all(is_literal),
        Expr::Dict(dict) => dict
            .items
            .iter()
            .all(|item| item.key.as_ref().is_some_and(is_literal) && is_literal(&item.value)),
        Expr::UnaryOp(unary) => {
            matches!(unary.op, UnaryOp::UAdd | UnaryOp::USub) && is_number(&unary.operand)
        }
        Expr::BinOp(sum) => {
            let complex = |number: &Expr| match number {
                Expr::NumberLiteral(literal) => matches!(literal.value, Number::Complex { .. }),
                _ => false,
            };
            matches!(sum.op, Operator::Add | Operator::Sub)
                && is_literal(&sum.left)
                && !complex(&sum.left)
                && complex(&sum.right)
                && !matches!(&*sum.left, Expr::BinOp(_))
        }
        // How `repr` writes what has no literal.
        Expr::Name(_) => is_number(expression),
        Expr::Call(call) => {
            let name = call.func.as_name_expr().map(|name| name.id.as_str());
            let arguments = &*call.arguments.args;
            call.arguments.keywords.is_empty()
                && match name {
                    Some("set" | "frozenset" | "bytearray") => match arguments {
                        [] => true,
                        [one] => is_container(one) && is_literal(one),
                        _ => false,
                    },
                    Some("range") => is_short_range(arguments),
                    _ => false,
                }
        }
        _ => false,
    }
}

/// Whether it is a container that is written out.
fn is_container(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::List(_)
            | Expr::Tuple(_)
            | Expr::Set(_)
            | Expr::Dict(_)
            | Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
    )
}

/// Whether these are the whole numbers of a range that isn't longer than a text may be.
fn is_short_range(arguments: &[Expr]) -> bool {
    let numbers: Option<Vec<i64>> = arguments.iter().map(whole_number).collect();
    let (start, end, step) = match numbers.as_deref() {
        Some(&[end]) => (0, end, 1),
        Some(&[start, end]) => (start, end, 1),
        Some(&[start, end, step]) => (start, end, step),
        _ => return false,
    };
    let (way, step) = (i128::from(end) - i128::from(start), i128::from(step));
    step != 0 && way / step <= MAX_BYTES as i128
}

fn whole_number(expression: &Expr) -> Option<i64> {
    match expression {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(number) => number.as_i64(),
            _ => None,
        },
        Expr::UnaryOp(unary) if unary.op == UnaryOp::USub => {
            whole_number(&unary.operand)?.checked_neg()
        }
        _ => None,
    }
}

fn is_number(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(_) => true,
        Expr::Name(name) => matches!(name.id.as_str(), "inf" | "nan"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn literals_and_what_repr_writes_are_values() {
        for text in [
            "1",
            " -12.5e-3 ",
            "(1+2j)",
            "-inf",
            "[nan, 0x1F, 1_000]",
            "'it\\'s {x}'",
            "'a' 'b'",
            "b'\\x00'",
            "[1, [2, 'a'], (3,), {'k': {1, 2}}, True, None, ...]",
            "set()",
            "frozenset({1})",
            "range(0, 3)",
            "range(9, -9, -2)",
            "range(1048576)",
            "range(0, -9000000000000000000)",
            "frozenset('ab')",
            "bytearray(b'\\x00')",
            "()",
            "1, 2",
            "'''a\nb'''",
        ] {
            assert!(is_value(text), "{text}");
        }
    }

    #[test]
    fn what_runs_anything_is_none() {
        for text in [
            "",
            "x",
            "f(1)",
            "1 == 1",
            "1 + 1",
            "[1] * 9",
            "9**9",
            "-'a'",
            "[1][0]",
            "(1)(2)",
            "'a'.upper()",
            "f'{1}'",
            "lambda: 1",
            "[x for x in [1]]",
            "{**{}}",
            "[*[1]]",
            "1; 2",
            "x = 1",
            "1 if 2 else 3",
            "set(x)",
            "set(1)",
            "set([1], [2])",
            "set(range(9))",
            "set([x])",
            "bytearray(9)",
            "bytearray(1000000000000)",
            "frozenset(frozenset({1}))",
            "range()",
            "range(1.0)",
            "range('a')",
            "range(0, 9, 0)",
            "range(1048577)",
            "range(0, -9000000000000000000, -1)",
            "range(99999999999999999999)",
            "deque([1])",
            "[1, 2, … 3 more]",
            "'open",
        ] {
            assert!(!is_value(text), "{text}");
        }
    }

    #[test]
    fn a_call_has_the_name_and_values_alone() {
        for text in ["f()", "f([1], 'a')", " f(a=1, b=(2,)) ", "f(1,)"] {
            assert!(is_call(text, "f"), "{text}");
        }
        for text in ["g(1)", "f(x)", "f(*[1])", "f(**{})", "f(1)(2)", "f", "f(f(1))", "f(1) == 2"] {
            assert!(!is_call(text, "f"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in any::<String>(), tail in "[\\[\\](){}'\",:1-9-]{0,20}") {
            let _ = (is_value(&text), is_value(&tail), is_call(&format!("f({tail})"), "f"));
        }
    }
}
