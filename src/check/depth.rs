//! Refuses programs that are nested too deeply, before anything recursive sees them.
//!
//! The parser moves to a fresh stack when one runs low, but the tree that it returns is dropped
//! recursively, one frame a level, and each level of the parser's own recursion keeps its stack.
//! So a source of a few hundred kilobytes (`-----…1`, `a.a.a.a…`) ends the process. The lexer is
//! a loop and knows nothing of this: its tokens bound the depth of the tree from above.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Mode;
use ruff_python_parser::lexer::lex;
use ruff_text_size::{TextRange, TextSize};

use super::finding::{Kind, Places, Severity, SyntaxError};

/// Deepest nesting that is parsed, as [`depth`] bounds it.
///
/// Dropping a tree of 10,000 levels of the worst kind (attributes, subscripts, calls, conditional
/// expressions, lambdas) was measured to fit a stack of 2 MiB, of 50,000 levels one of 8 MiB, of
/// 200,000 levels one of 64 MiB; 2 MiB and 8 MiB overflow at the next of these steps. Compiling a
/// chain of 100,000 `elif`s fits 64 MiB, of 300,000 doesn't. Between 1,000 levels and this bound
/// the compiler says no itself, with the exact place.
const MAX_DEPTH: u32 = 10_000;

/// Says no to a program that is nested too deeply.
pub(super) fn bounded(places: &Places<'_>) -> Result<(), SyntaxError> {
    let text = places.text();
    if depth(text) <= MAX_DEPTH {
        return Ok(());
    }
    // The lexer keeps the places of its tokens to itself. The bound grows with the text, so the
    // shortest beginning that exceeds it ends where the fault lies.
    let (mut within, mut beyond) = (0, text.len());
    while beyond - within > 1 {
        let middle = within.midpoint(beyond);
        let cut = text.floor_char_boundary(middle);
        if cut > within && depth(&text[..cut]) <= MAX_DEPTH {
            within = cut;
        } else if cut <= within {
            within = middle;
        } else {
            beyond = cut;
        }
    }
    let end = TextSize::new(super::finding::narrow(beyond));
    let start = TextSize::new(super::finding::narrow(text.floor_char_boundary(beyond - 1)));
    Err(SyntaxError(places.finding(
        Severity::Error,
        Kind::NestedTooDeeply,
        TextRange::new(start, end),
        MESSAGE.to_owned(),
    )))
}

/// What is said of such a program, here and where the compiler finds it.
pub(super) const MESSAGE: &str =
    "nested too deeply to be compiled; split it into smaller statements";

/// What is open at a point of the text: a bracket, an interpolated string, or an indented block.
#[derive(Default)]
struct Group {
    /// Tokens since the last separator that may each put one node above another.
    links: u32,
    /// Depth of the deepest group within the current stretch.
    inner: u32,
    /// Depth of the deepest stretch that is complete.
    deepest: u32,
    /// Lambdas whose parameters are being read: their commas separate nothing.
    lambdas: u32,
    /// `elif`s of the statement so far: the tree has them side by side, but the compiler goes down
    /// one level for each.
    branches: u32,
}

impl Group {
    fn stretch(&self) -> u32 {
        self.branches + self.links + self.inner
    }

    fn depth(&self) -> u32 {
        self.deepest.max(self.stretch())
    }

    /// Ends a stretch: what follows lies beside it.
    fn separate(&mut self) {
        self.deepest = self.depth();
        (self.links, self.inner, self.lambdas) = (0, 0, 0);
    }

    /// Begins a statement.
    fn begin(&mut self) {
        self.separate();
        self.branches = 0;
    }
}

/// An upper bound on the depth of the tree that this text parses to.
///
/// Two nodes of one expression can only lie above each other if a token joins them: an operator,
/// a dot, a keyword, or the bracket of a call. Left-recursive chains (`a.b.c`, `a + b + c`) count
/// as they nest, by their length.
fn depth(text: &str) -> u32 {
    let mut lexer = lex(text, Mode::Module);
    let mut open = vec![];
    let mut group = Group::default();
    let mut is_first = true;
    loop {
        let token = lexer.next_token();
        // What begins a statement that doesn't go on with the one before.
        match token {
            TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent => is_first = true,
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            _ if !std::mem::take(&mut is_first) => {}
            TokenKind::Elif => group.branches += 1,
            TokenKind::Else => {}
            _ => group.begin(),
        }
        match token {
            TokenKind::EndOfFile => break,
            TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart
            | TokenKind::Indent => open.push(std::mem::take(&mut group)),
            TokenKind::Rpar
            | TokenKind::Rsqb
            | TokenKind::Rbrace
            | TokenKind::FStringEnd
            | TokenKind::TStringEnd
            | TokenKind::Dedent => {
                if let Some(around) = open.pop() {
                    group = within(&group, around);
                }
            }
            TokenKind::Comma if group.lambdas > 0 => group.links += 1,
            TokenKind::Comma | TokenKind::Newline | TokenKind::Semi => group.separate(),
            TokenKind::Lambda => {
                group.lambdas += 1;
                group.links += 1;
            }
            TokenKind::Colon => {
                group.lambdas = group.lambdas.saturating_sub(1);
                group.links += 1;
            }
            TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringMiddle
            | TokenKind::TStringMiddle
            | TokenKind::Comment
            | TokenKind::NonLogicalNewline => {}
            _ => group.links += 1,
        }
    }
    while let Some(around) = open.pop() {
        group = within(&group, around);
    }
    group.depth()
}

/// The group around one that has just closed. The bracket itself is a link: in `f()()()` each call
/// lies above the one to its left.
fn within(closed: &Group, mut around: Group) -> Group {
    around.inner = around.inner.max(closed.depth());
    around.links += 1;
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nests_counts_and_what_lies_side_by_side_does_not() {
        for (text, expected) in [
            ("", 0),
            ("x", 0),
            ("- - - x", 3),
            ("a.b.c.d", 3),
            ("f()()()", 3),
            ("1 + 1 + 1", 2),
            ("((((1))))", 4),
            ("[1, 2, 3, [4]]", 2),
            ("[-1, -2, -3]", 2),
            ("x = -1; y = -2\nz = -3\n", 2),
            ("lambda: lambda: lambda: 0", 6),
            ("[lambda a, b: 0, lambda a, b: 0]", 4),
            ("f'{f'{x}'}'", 4),
            ("if a:\n  if b:\n    if c:\n      pass\n", 4),
            ("if a:\n  b\nelif c:\n  d\nelif e:\n  f\nelse:\n  g\n", 5),
            ("if a: b\nelif c: d\nif a: b\nelif c: d\n", 3),
        ] {
            assert_eq!(depth(text), expected, "{text}");
        }
    }

    #[test]
    fn commas_of_a_lambdas_parameters_separate_nothing() {
        let nested = "lambda x, y: - - lambda z, w: - - 0";
        assert!(depth(nested) >= 6, "{}", depth(nested));
    }

    #[test]
    fn programs_that_would_overflow_a_stack_are_refused_with_their_place() {
        let many = 300_000;
        for (text, line, column) in [
            (format!("x = 1\n{}1", "-".repeat(many)), 2, 10_001),
            (format!("a{}", ".a".repeat(many)), 1, 20_002),
            (format!("a{}", "()".repeat(many)), 1, 20_000),
            (format!("{}1", "not ".repeat(many)), 1, 40_003),
            (format!("1{}", "**1".repeat(many)), 1, 30_002),
            (format!("é = '𝒞'\n{}1", "lambda: ".repeat(many)), 2, 40_006),
            ("(".repeat(many), 1, 10_000),
            (format!("if a: pass\n{}", "elif a: pass\n".repeat(many)), 9_999, 12),
            ("f'{".repeat(many), 1, 15_002),
        ] {
            let start: String = text.chars().take(30).collect();
            let SyntaxError(finding) = bounded(&Places::new(&text)).unwrap_err();
            assert_eq!((finding.span.line, finding.span.column), (line, column), "{start}");
            assert_eq!(finding.kind, Kind::NestedTooDeeply);
        }
    }

    #[test]
    fn long_programs_that_are_not_deep_are_accepted() {
        for text in [
            "x = 1\n".repeat(100_000),
            format!("x = [{}]", "-1, ".repeat(100_000)),
            format!("x = [{}]", "lambda a, b: a, ".repeat(50_000)),
            format!("if a: pass\n{}", "elif a: pass\n".repeat(5_000)),
            "if a: pass\nelif a: pass\n".repeat(50_000),
            format!("f({})", "'a' ".repeat(100_000)),
        ] {
            assert_eq!(bounded(&Places::new(&text)), Ok(()));
        }
    }
}
