//! What the compiler says of a program: the first error, or its warnings.
//!
//! The text goes through RustPython's own parser, symbol table and code generator, without an
//! interpreter. So a program that passes here compiles in the host too, and most of what is refused
//! has CPython's words (`'return' outside function`); the rest has the parser's, which say more
//! (``expected `:`, found newline``).

use ruff_python_parser::ParseErrorType;
use ruff_source_file::SourceLocation;
use rustpython_vm::compiler::codegen::error::CodegenErrorType;
use rustpython_vm::compiler::{
    CompileError, CompileOpts, Mode, compile_with_syntax_warning_handler,
};

use super::depth;
use super::finding::{Finding, Kind, Places, Severity, Span, SyntaxError, narrow};

/// Compiles a program: the warnings that the compiler has, or its first error.
pub(super) fn compile(places: &Places<'_>) -> Result<Vec<Finding>, SyntaxError> {
    let text = places.text();
    let mut warnings = vec![];
    let mut warn = |location, message| {
        let (line, column) = counted_in_characters(text, location);
        warnings.push(Finding {
            span: Span { line, column, end_line: line, end_column: column },
            severity: Severity::Warning,
            kind: Kind::SyntaxWarning,
            message,
        });
        Ok(())
    };
    let compiled = compile_with_syntax_warning_handler(
        text,
        Mode::Exec,
        "",
        CompileOpts::default(),
        &mut warn,
    );
    match compiled {
        Ok(_) => Ok(warnings),
        Err(error) => Err(refusal(text, &error)),
    }
}

fn refusal(text: &str, error: &CompileError) -> SyntaxError {
    // The parser's columns count characters, those of the later passes bytes.
    let (place, end) = match error {
        CompileError::Parse(error) => {
            let place = |location: SourceLocation| {
                (narrow(location.line.get()), narrow(location.character_offset.get()))
            };
            (place(error.location), place(error.end_location))
        }
        CompileError::Codegen(error) => {
            let place = |location| counted_in_characters(text, location);
            let start = error.location.map_or((1, 1), place);
            (start, error.end_location.map_or(start, place))
        }
    };
    let too_deep = matches!(
        error,
        CompileError::Codegen(error) if matches!(error.error, CodegenErrorType::RecursionError)
    );
    let end = end.max(place);
    SyntaxError(Finding {
        span: Span { line: place.0, column: place.1, end_line: end.0, end_column: end.1 },
        severity: Severity::Error,
        kind: if too_deep { Kind::NestedTooDeeply } else { Kind::SyntaxError },
        message: if too_deep { depth::MESSAGE.to_owned() } else { words(error) },
    })
}

/// The compiler's words, in lower case where they are the parser's own.
fn words(error: &CompileError) -> String {
    let message = error.to_string();
    match error {
        CompileError::Parse(error) if !matches!(error.error, ParseErrorType::OtherError(_)) => {
            let mut characters = message.chars();
            characters
                .next()
                .map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
        }
        _ => message,
    }
}

/// A line, and a column that counts characters, of a location whose column counts bytes.
fn counted_in_characters(text: &str, location: SourceLocation) -> (u32, u32) {
    let line = text.split('\n').nth(location.line.get() - 1).unwrap_or_default();
    let before = line.floor_char_boundary(location.character_offset.get() - 1);
    (narrow(location.line.get()), narrow(line[..before].chars().count() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        compile(&Places::new(text)).unwrap_err().to_string()
    }

    #[test]
    fn errors_are_those_of_cpython() {
        for (text, expected) in [
            ("x = = 1\n", "1:5: invalid syntax"),
            ("if x\n  pass\n", "1:5: expected `:`, found newline"),
            ("x = (1,\ny = 2\n", "1:5: '(' was never closed"),
            ("é = 'ü' +\n", "1:10: invalid syntax"),
            ("x = 'abc\n", "1:5: unterminated string literal (detected at line 1)"),
            ("if x:\npass\n", "2:1: expected an indented block after 'if' statement on line 1"),
            ("print 1\n", "1:1: Missing parentheses in call to 'print'. Did you mean print(...)?"),
            ("return 1\n", "1:1: 'return' outside function"),
            ("s = 'é'; return 1\n", "1:10: 'return' outside function"),
            ("break\n", "1:1: 'break' outside loop"),
            ("def f(a, a): pass\n", "1:10: duplicate argument 'a' in function definition"),
            ("nonlocal x\n", "1:1: nonlocal declaration not allowed at module level"),
            ("def f():\n  nonlocal x\n", "2:3: no binding for nonlocal 'x' found"),
            (
                "def f():\n  print(x)\n  global x\n",
                "3:3: name 'x' is used prior to global declaration",
            ),
            ("1 = x\n", "1:1: cannot assign to literal here. Maybe you meant '==' instead of '='?"),
            ("x = yield\n", "1:5: 'yield' outside function"),
            ("f(a=1, a=2)\n", "1:8: keyword argument repeated: a"),
            ("from __future__ import braces\n", "1:24: not a chance"),
            ("\u{feff}x = 1", "1:1: invalid non-printable character U+FEFF"),
        ] {
            assert_eq!(error(text), expected, "{text}");
        }
    }

    #[test]
    fn nesting_beyond_the_compilers_limit_is_named_as_such() {
        let deep = format!("x = {}1", "-".repeat(2_000));
        let SyntaxError(finding) = compile(&Places::new(&deep)).unwrap_err();
        assert_eq!(finding.kind, Kind::NestedTooDeeply);
        assert_eq!(finding.message, depth::MESSAGE);
        let brackets = format!("{}{}", "(".repeat(300), ")".repeat(300));
        assert_eq!(error(&brackets), "1:201: too many nested parentheses");
    }

    #[test]
    fn warnings_of_the_compiler_are_kept() {
        let text = "é = 1\nif é is 1:\n    pass\nassert (é, 'always true')\n";
        let warnings = compile(&Places::new(text)).unwrap();
        let shown: Vec<_> = warnings
            .iter()
            .map(|warning| {
                format!("{}:{}: {}", warning.span.line, warning.span.column, warning.message)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "2:4: \"is\" with 'int' literal. Did you mean \"==\"?",
                "4:1: assertion is always true, perhaps remove parentheses?"
            ]
        );
    }
}
