//! The part of a program that a model is shown when it is asked what came before (spec, sections
//! 1.5 and 2.4): the source blocks that the call visited, and what they need, but nothing that
//! calls the entry, since that would give its arguments away.
//!
//! Blocks are the statements of the module. Those that hold a visited line are kept, and those that
//! bind a name which a kept one mentions, unless they mention the entry's function themselves.

use std::collections::{BTreeSet, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Stmt};
use ruff_text_size::{Ranged, TextRange};

use crate::check;
use crate::program::Program;

/// The name of a module's own frame.
const MODULE: &str = "<module>";

/// What a model is shown of `program` for a call of `function` (its qualified name) that stood on
/// these lines. All of the program for a call of the module itself, and where the text can't be
/// taken apart.
pub fn context(program: &Program, lines: &BTreeSet<u32>, function: &str) -> Program {
    let entry = function.split('.').next().unwrap_or(function);
    if entry == MODULE {
        return program.clone();
    }
    let source = program.text();
    let kept = check::with_tree(source, |module| kept_lines(source, module, lines, entry));
    let text = kept.map(|kept| cut(program, &kept)).unwrap_or_default();
    // What holds no statement is no program.
    Program::from_text(program.name().to_owned(), &text).unwrap_or_else(|_| program.clone())
}

/// A statement of the module.
struct Block {
    /// First and last line, 1-based.
    lines: (u32, u32),
    binds: HashSet<String>,
    mentions: HashSet<String>,
    kept: bool,
}

fn kept_lines(
    source: &str,
    module: &[Stmt],
    visited: &BTreeSet<u32>,
    entry: &str,
) -> BTreeSet<u32> {
    let line_of = |at: usize| 1 + source[..at].matches('\n').count() as u32;
    let place = |range: TextRange| {
        let (start, end) = (range.start().to_usize(), range.end().to_usize());
        (line_of(start), line_of(end))
    };
    let mut blocks: Vec<Block> = Vec::with_capacity(module.len());
    for statement in module {
        let lines = place(statement.range());
        let mut names = Names::default();
        names.visit_stmt(statement);
        let kept = names.whole || visited.range(lines.0..=lines.1).next().is_some();
        blocks.push(Block { lines, binds: names.binds, mentions: names.mentions, kept });
    }
    while keep_more(&mut blocks, entry) {}
    blocks
        .iter()
        .filter(|block| block.kept)
        .flat_map(|block| block.lines.0..=block.lines.1)
        .collect()
}

/// Keeps the blocks that kept ones need; whether there were any.
fn keep_more(blocks: &mut [Block], entry: &str) -> bool {
    let kept = blocks.iter().filter(|block| block.kept);
    let needed: HashSet<String> = kept.flat_map(|block| block.mentions.iter().cloned()).collect();
    let mut more = false;
    for block in blocks.iter_mut().filter(|block| !block.kept) {
        block.kept = !block.mentions.contains(entry) && !block.binds.is_disjoint(&needed);
        more |= block.kept;
    }
    more
}

/// The program's text with these lines alone, and as many blank lines between two of them as the
/// longest stretch of blank lines that was there.
fn cut(program: &Program, kept: &BTreeSet<u32>) -> String {
    let mut text = String::new();
    let (mut blank, mut most) = (0, 0);
    for number in 1..=program.lines().len() as u32 {
        let line = program.line(number);
        if kept.contains(&number) {
            if !text.is_empty() {
                text.extend(std::iter::repeat_n('\n', most));
            }
            text.push_str(&line);
            text.push('\n');
            (blank, most) = (0, 0);
        } else if line.trim().is_empty() {
            blank += 1;
            most = most.max(blank);
        } else {
            blank = 0;
        }
    }
    text
}

/// The names that a statement of the module binds there, and all that it mentions.
#[derive(Default)]
struct Names {
    binds: HashSet<String>,
    mentions: HashSet<String>,
    /// It changes what the whole module means: a star import, or one of the future.
    whole: bool,
    /// Functions and classes that the visitor is within.
    within: u32,
}

impl Names {
    fn bind(&mut self, name: &str) {
        if self.within == 0 {
            self.binds.insert(name.to_owned());
        }
    }
}

impl<'a> Visitor<'a> for Names {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.bind(&function.name),
            Stmt::ClassDef(class) => self.bind(&class.name),
            Stmt::Import(import) => {
                for alias in &import.names {
                    let whole = alias.name.split('.').next().unwrap_or_default();
                    self.bind(alias.asname.as_deref().unwrap_or(whole));
                }
            }
            Stmt::ImportFrom(import) => {
                let future = import.module.as_deref() == Some("__future__");
                for alias in &import.names {
                    self.whole |= self.within == 0 && (future || &*alias.name == "*");
                    self.bind(alias.asname.as_deref().unwrap_or(&alias.name));
                }
            }
            _ => {}
        }
        let inside = matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
        self.within += u32::from(inside);
        visitor::walk_stmt(self, statement);
        self.within -= u32::from(inside);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            match name.ctx {
                ExprContext::Store => self.bind(&name.id),
                _ => _ = self.mentions.insert(name.id.to_string()),
            }
        }
        visitor::walk_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
# title: a program
import math
import os

LIMIT = 3
OTHER = 4


def scale(x):
    return x * LIMIT


# Adds.
@staticmethod
def f(a, b):
    if a < 0:
        return math.sqrt(b)
    return scale(a) + b


def helper(x):
    return f(x, x)


def main():
    return f(5, 7)


if __name__ == '__main__':
    print(main())
";

    fn shown(lines: &[u32], function: &str) -> String {
        let program = Program::from_text("p.py".into(), PROGRAM).unwrap();
        let lines = lines.iter().copied().collect();
        context(&program, &lines, function).text().to_owned()
    }

    #[test]
    fn what_calls_the_entry_is_left_out_and_what_the_call_needs_is_kept() {
        let expected = "\
import math

LIMIT = 3


def scale(x):
    return x * LIMIT


@staticmethod
def f(a, b):
    if a < 0:
        return math.sqrt(b)
    return scale(a) + b
";
        assert_eq!(shown(&[14, 15, 17, 9, 10], "f"), expected);
    }

    #[test]
    fn a_caller_that_was_visited_stays() {
        let all = shown(&[20, 21, 15, 17, 10], "helper");
        assert!(all.contains("def helper(x):") && !all.contains("def main"), "{all}");
    }

    #[test]
    fn the_module_itself_is_shown_whole() {
        assert_eq!(shown(&[1], "<module>"), PROGRAM);
        assert_eq!(shown(&[], "f"), PROGRAM, "nothing would be left");
    }
}
