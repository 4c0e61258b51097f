//! Proves that a run never ends, where it can be proved.
//!
//! A run repeats for ever if one activation comes twice to one place with the same state. The state
//! is everything that its code can see from there: its locals, its module's globals, and whatever
//! they refer to, with the structure of references. The proof holds only where nothing else can
//! make a difference, so it is given up as soon as it might:
//!
//! - by the program's text ([`Loops`]): anything imported or read in, anything that looks behind
//!   the values (`is`, `id`, double underscores), loops that keep an iterator;
//! - by the values ([`Snapshot`]): anything but immutable built-in values, built-in containers and
//!   plain functions of the program;
//! - by the frame: generators, which are left and come back to.
//!
//! Visits are compared as in Brent's cycle search: with a state that is kept anew at every power of
//! two. Comparing states is costly, so it starts with the texts of the frame's own locals.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{CmpOp, Expr, Stmt};
use ruff_text_size::Ranged;
use rustpython_vm::builtins::{
    PyByteArray, PyBytes, PyComplex, PyDict, PyFloat, PyFrozenSet, PyFunction, PyInt, PyList,
    PyRange, PySet, PyStr, PyTuple,
};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

/// Functions that read in something, or look behind the values.
const VOIDING: &[&str] = &[
    "input",
    "id",
    "hash",
    "exec",
    "eval",
    "compile",
    "globals",
    "locals",
    "vars",
    "dir",
    "open",
    "getattr",
    "setattr",
    "delattr",
    "breakpoint",
    "help",
    "object",
    "type",
];

/// The places of a program where a repeated state can be told: lines at which each `while` loop
/// comes by in every round, and at which a frame holds nothing but its variables.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    lines: HashSet<u32>,
}

impl Loops {
    /// Finds them in a module with this text; none at all if something in the text makes a proof
    /// impossible.
    pub fn of(module: &[Stmt], source: &str) -> Self {
        let mut search = Search { voided: false };
        search.visit_body(module);
        if search.voided {
            return Loops::default();
        }
        let ends: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
        let mut loops = Loops::default();
        loops.collect(module, &ends, true);
        loops
    }

    /// Whether a repeated state can be told here.
    pub fn has(&self, line: u32) -> bool {
        self.lines.contains(&line)
    }

    /// Adds the lines of the loops in `body`. `bare` is false within statements that keep something
    /// on the frame's stack: an iterator, a context manager, an exception.
    fn collect(&mut self, body: &[Stmt], ends: &[usize], bare: bool) {
        for statement in body {
            match statement {
                Stmt::FunctionDef(function) => self.collect(&function.body, ends, true),
                Stmt::While(statement) => {
                    if bare {
                        let header = line(statement.range().start().to_usize(), ends);
                        let test = line(statement.test.range().end().to_usize(), ends);
                        self.add(header, test, &statement.test);
                        if let Some(first) = statement.body.first() {
                            self.add_statement(first, ends);
                        }
                    }
                    self.collect(&statement.body, ends, bare);
                    self.collect(&statement.orelse, ends, bare);
                }
                Stmt::If(statement) => {
                    self.collect(&statement.body, ends, bare);
                    for clause in &statement.elif_else_clauses {
                        self.collect(&clause.body, ends, bare);
                    }
                }
                Stmt::For(statement) => {
                    self.collect(&statement.body, ends, false);
                    self.collect(&statement.orelse, ends, false);
                }
                Stmt::With(statement) => self.collect(&statement.body, ends, false),
                Stmt::Try(statement) => {
                    self.collect(&statement.body, ends, false);
                    for handler in &statement.handlers {
                        let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                        self.collect(&handler.body, ends, false);
                    }
                    self.collect(&statement.orelse, ends, false);
                    self.collect(&statement.finalbody, ends, false);
                }
                // A class's body is a frame of its own kind, and a match keeps its subject.
                _ => {}
            }
        }
    }

    /// Adds the line of a simple statement that stands on one line.
    fn add_statement(&mut self, statement: &Stmt, ends: &[usize]) {
        let first = line(statement.range().start().to_usize(), ends);
        let last = line(statement.range().end().to_usize(), ends);
        match statement {
            Stmt::Expr(simple) => self.add(first, last, &simple.value),
            Stmt::Assign(simple) => self.add(first, last, &simple.value),
            Stmt::AugAssign(simple) => self.add(first, last, &simple.value),
            Stmt::Pass(_) | Stmt::Continue(_) => {
                self.lines.insert(first);
            }
            _ => {}
        }
    }

    /// Adds a line, unless its expression goes over several or walks over something within.
    fn add(&mut self, first: u32, last: u32, expression: &Expr) {
        struct Walks(bool);
        impl<'a> Visitor<'a> for Walks {
            fn visit_expr(&mut self, expression: &'a Expr) {
                self.0 |= matches!(
                    expression,
                    Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_)
                );
                visitor::walk_expr(self, expression);
            }
        }
        let mut walks = Walks(false);
        walks.visit_expr(expression);
        if first == last && !walks.0 {
            self.lines.insert(first);
        }
    }
}

fn line(offset: usize, ends: &[usize]) -> u32 {
    1 + ends.partition_point(|end| *end < offset) as u32
}

/// Looks for what makes a proof impossible.
struct Search {
    voided: bool,
}

impl<'a> Visitor<'a> for Search {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.voided |= matches!(statement, Stmt::Import(_) | Stmt::ImportFrom(_));
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => {
                let name = name.id.as_str();
                // The name of the module is a plain string, and asked for in many programs.
                let inside = name.starts_with("__") && name != "__name__";
                self.voided |= inside || VOIDING.contains(&name);
            }
            Expr::Attribute(attribute) => {
                self.voided |= attribute.attr.as_str().starts_with("__");
            }
            Expr::Compare(compare) => {
                // Which of several equal immutable objects a variable holds isn't part of a state.
                let is_one_of_a_kind =
                    |side: &Expr| matches!(side, Expr::NoneLiteral(_) | Expr::BooleanLiteral(_));
                let sides: Vec<&Expr> =
                    std::iter::once(&*compare.left).chain(&compare.comparators).collect();
                for (sides, op) in sides.windows(2).zip(&compare.ops) {
                    let identity = matches!(op, CmpOp::Is | CmpOp::IsNot);
                    self.voided |= identity && !sides.iter().any(|side| is_one_of_a_kind(side));
                }
            }
            Expr::Await(_) => self.voided = true,
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

/// What an activation knows of its visits to the places where a repetition can be told.
#[derive(Default)]
pub struct Visits {
    places: Vec<Place>,
}

#[derive(Default)]
struct Place {
    instruction: u32,
    visits: u64,
    /// What is compared with, and the step at which it was kept.
    kept: Option<(Snapshot, u64)>,
    /// The next visit at which whole states are compared.
    next: u64,
    /// Comparisons of whole states that failed since a state was kept.
    failures: u64,
    /// Whether states here can't be taken.
    hopeless: bool,
}

/// A state that came again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Recorded states from one time to the next.
    pub period: u64,
}

impl Visits {
    /// Notes a visit to `instruction` at the run's `step`. `state` takes the whole state, none if
    /// it holds what no proof can be made of; `texts` are those of the frame's own locals.
    pub fn visit(
        &mut self,
        instruction: u32,
        step: u64,
        locals_are: impl Fn(&[String]) -> bool,
        texts: impl Fn() -> Vec<String>,
        state: impl Fn() -> Option<Vec<u8>>,
    ) -> Option<Repetition> {
        let known = self.places.iter().position(|place| place.instruction == instruction);
        let at = known.unwrap_or_else(|| {
            self.places.push(Place { instruction, ..Place::default() });
            self.places.len() - 1
        });
        let place = &mut self.places[at];
        if place.hopeless {
            return None;
        }
        place.visits += 1;
        if let Some((kept, since)) = &place.kept
            && place.visits >= place.next
            && locals_are(&kept.texts)
        {
            match state() {
                Some(state) if state == kept.bytes => {
                    return Some(Repetition { period: step - since });
                }
                Some(_) => {
                    // Ever rarer, at triangular numbers: among these are multiples of any period.
                    place.failures += 1;
                    place.next = place.visits + place.failures + 1;
                }
                None => place.hopeless = true,
            }
        }
        if place.visits.is_power_of_two() {
            match state() {
                Some(bytes) => {
                    place.kept = Some((Snapshot { texts: texts(), bytes }, step));
                    place.next = place.visits + 1;
                    place.failures = 0;
                }
                None => place.hopeless = true,
            }
        }
        None
    }
}

/// A state that is kept.
struct Snapshot {
    /// Texts of the frame's locals: a cheap first look.
    texts: Vec<String>,
    bytes: Vec<u8>,
}

/// States of more bytes aren't compared.
const MAX_BYTES: usize = 64 * 1024;
/// Nor are deeper ones.
const MAX_DEPTH: usize = 100;
/// Nor integers of more bits.
const MAX_BITS: u64 = 4096;

/// The state of a frame with these locals (the values of its slots) and globals, as bytes: equal
/// bytes are equal states. None if anything in it could hold more than its parts.
pub fn snapshot(
    locals: impl Iterator<Item = Option<PyObjectRef>>,
    globals: &Py<PyDict>,
    vm: &VirtualMachine,
) -> Option<Vec<u8>> {
    let mut walk = Walk { vm, globals, bytes: Vec::new(), seen: HashMap::new(), depth: 0 };
    for local in locals {
        match local {
            // Which functions share a variable with the frame is part of the state.
            Some(cell) if cell.class().is(vm.ctx.types.cell_type) => walk.cell(&cell)?,
            Some(value) => walk.value(&value)?,
            None => walk.tag(Tag::Unbound, 0),
        }
    }
    for (name, value) in globals.items_vec() {
        let is_world = name.downcast_ref::<PyStr>().is_some_and(|name| {
            matches!(name.as_bytes(), b"__builtins__" | b"__loader__" | b"__spec__")
        });
        if !is_world {
            walk.value(&name)?;
            walk.value(&value)?;
        }
    }
    Some(walk.bytes)
}

#[derive(Clone, Copy)]
#[repr(u8)]
enum Tag {
    Unbound,
    Seen,
    None,
    False,
    True,
    Ellipsis,
    Int,
    Float,
    Complex,
    Str,
    Bytes,
    ByteArray,
    Range,
    Tuple,
    FrozenSet,
    List,
    Dict,
    Set,
    Function,
    Cell,
}

struct Walk<'a> {
    vm: &'a VirtualMachine,
    globals: &'a Py<PyDict>,
    bytes: Vec<u8>,
    /// Objects that can change, numbered in the order in which they are met.
    seen: HashMap<usize, usize>,
    depth: usize,
}

impl Walk<'_> {
    fn tag(&mut self, tag: Tag, length: usize) {
        self.bytes.push(tag as u8);
        self.bytes.extend_from_slice(&(length as u64).to_le_bytes());
    }

    fn data(&mut self, tag: Tag, data: &[u8]) {
        self.tag(tag, data.len());
        self.bytes.extend_from_slice(data);
    }

    /// Whether this object was met before; then only its number is written.
    fn met(&mut self, object: &PyObject) -> bool {
        let next = self.seen.len();
        let number = *self.seen.entry(object.as_raw() as usize).or_insert(next);
        if number < next {
            self.tag(Tag::Seen, number);
        }
        number < next
    }

    fn parts(&mut self, tag: Tag, parts: &[PyObjectRef]) -> Option<()> {
        self.tag(tag, parts.len());
        parts.iter().try_for_each(|part| self.value(part))
    }

    fn value(&mut self, value: &PyObject) -> Option<()> {
        if self.bytes.len() > MAX_BYTES || self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let written = self.write(value);
        self.depth -= 1;
        written
    }

    fn write(&mut self, value: &PyObject) -> Option<()> {
        let vm = self.vm;
        if vm.is_none(value) {
            self.tag(Tag::None, 0);
        } else if value.is(vm.ctx.true_value.as_object()) {
            self.tag(Tag::True, 0);
        } else if value.is(vm.ctx.false_value.as_object()) {
            self.tag(Tag::False, 0);
        } else if value.is(vm.ctx.ellipsis.as_object()) {
            self.tag(Tag::Ellipsis, 0);
        } else if let Some(int) = value.downcast_ref_if_exact::<PyInt>(vm) {
            self.int(int)?;
        } else if let Some(float) = value.downcast_ref_if_exact::<PyFloat>(vm) {
            self.data(Tag::Float, &float.to_f64().to_bits().to_le_bytes());
        } else if let Some(complex) = value.downcast_ref_if_exact::<PyComplex>(vm) {
            let number = complex.to_complex();
            self.data(Tag::Complex, &number.re.to_bits().to_le_bytes());
            self.bytes.extend_from_slice(&number.im.to_bits().to_le_bytes());
        } else if let Some(string) = value.downcast_ref_if_exact::<PyStr>(vm) {
            self.data(Tag::Str, string.as_bytes());
        } else if let Some(bytes) = value.downcast_ref_if_exact::<PyBytes>(vm) {
            self.data(Tag::Bytes, bytes.as_bytes());
        } else if let Some(range) = value.downcast_ref_if_exact::<PyRange>(vm) {
            self.tag(Tag::Range, 3);
            for end in [&range.start, &range.stop, &range.step] {
                self.int(end)?;
            }
        } else if let Some(tuple) = value.downcast_ref_if_exact::<PyTuple>(vm) {
            self.parts(Tag::Tuple, tuple.as_slice())?;
        } else if let Some(set) = value.downcast_ref_if_exact::<PyFrozenSet>(vm) {
            // In the order in which a loop would see them, as sets below.
            self.parts(Tag::FrozenSet, &set.elements())?;
        } else {
            self.container(value)?;
        }
        Some(())
    }

    /// A value that can change, which is known by its identity too.
    fn container(&mut self, value: &PyObject) -> Option<()> {
        let vm = self.vm;
        if self.met(value) {
            return Some(());
        }
        if let Some(list) = value.downcast_ref_if_exact::<PyList>(vm) {
            let parts = list.borrow_vec().to_vec();
            self.parts(Tag::List, &parts)
        } else if let Some(dict) = value.downcast_ref_if_exact::<PyDict>(vm) {
            if dict.is(self.globals) {
                return None;
            }
            self.tag(Tag::Dict, dict.__len__());
            for (key, item) in dict.items_vec() {
                self.value(&key)?;
                self.value(&item)?;
            }
            Some(())
        } else if let Some(set) = value.downcast_ref_if_exact::<PySet>(vm) {
            self.parts(Tag::Set, &set.elements())
        } else if let Some(bytes) = value.downcast_ref_if_exact::<PyByteArray>(vm) {
            let bytes = bytes.borrow_buf().to_vec();
            self.data(Tag::ByteArray, &bytes);
            Some(())
        } else if value.class().is(vm.ctx.types.function_type) {
            self.function(value)
        } else {
            None
        }
    }

    fn int(&mut self, int: &Py<PyInt>) -> Option<()> {
        if int.as_bigint().bits() > MAX_BITS {
            return None;
        }
        self.data(Tag::Int, int.to_str_radix_10().as_bytes());
        Some(())
    }

    /// A function of the program: its code, and what it keeps from call to call.
    fn function(&mut self, value: &PyObject) -> Option<()> {
        let vm = self.vm;
        value.downcast_ref::<PyFunction>()?;
        let part = |name: &str| value.get_attr(vm.ctx.intern_str(name), vm).ok();
        // The globals of another module are another world.
        if !part("__globals__")?.is(self.globals) {
            return None;
        }
        let code = part("__code__")?;
        self.tag(Tag::Function, code.as_raw() as usize);
        for kept in ["__defaults__", "__kwdefaults__", "__dict__"] {
            let kept = part(kept)?;
            self.value(&kept)?;
        }
        let closure = part("__closure__")?;
        let Some(cells) = closure.downcast_ref::<PyTuple>() else { return Some(()) };
        cells.as_slice().iter().try_for_each(|cell| self.cell(cell))
    }

    /// A variable that functions share.
    fn cell(&mut self, cell: &PyObject) -> Option<()> {
        if self.met(cell) {
            return Some(());
        }
        match cell.gc_get_referents().first() {
            Some(contents) => {
                self.tag(Tag::Cell, 1);
                self.value(contents)
            }
            None => {
                self.tag(Tag::Cell, 0);
                Some(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(source: &str) -> Vec<u32> {
        let module = ruff_python_parser::parse_module(source).unwrap();
        let mut lines: Vec<u32> = Loops::of(module.suite(), source).lines.into_iter().collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn a_loop_is_told_at_its_head_and_at_the_start_of_its_body() {
        assert_eq!(lines("while True:\n    x = 1\n    y = 2\n"), [1, 2]);
        assert_eq!(lines("def f():\n    while f(1):\n        pass\n"), [2, 3]);
        assert_eq!(lines("if x:\n    while x: pass\n"), [2]);
    }

    #[test]
    fn frames_that_keep_something_else_are_left_out() {
        for keeps in ["for i in x:", "with x:", "try:", "match x:\n  case 1:", "class A:"] {
            let end = if keeps == "try:" { "\nfinally: pass" } else { "" };
            let source = format!("{keeps}\n    while True: pass{end}\n");
            assert_eq!(lines(&source), [0; 0], "{source}");
        }
        assert_eq!(lines("while f([i\n         for i in x]):\n    y = [i for i in x]\n"), [0; 0]);
        assert_eq!(lines("while f(1,\n        2):\n    y = (1 +\n         2)\n"), [0; 0]);
    }

    #[test]
    fn texts_that_hide_something_allow_no_proof() {
        for hides in [
            "import random",
            "from time import time",
            "input()",
            "x is y",
            "x is not 1000",
            "id(x)",
            "x.__class__",
            "exec('')",
            "__builtins__",
        ] {
            assert_eq!(lines(&format!("while True:\n    pass\n{hides}\n")), [0; 0], "{hides}");
        }
        assert_eq!(lines("x is None\nwhile True: pass\n"), [2]);
    }

    fn visit(visits: &mut Visits, step: u64, texts: &[&str], state: &str) -> Option<u64> {
        let texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
        let found = visits.visit(
            7,
            step,
            |kept| kept == texts,
            || texts.clone(),
            || Some(state.as_bytes().to_vec()),
        );
        found.map(|repetition| repetition.period)
    }

    #[test]
    fn a_period_of_any_length_is_found_and_named() {
        for period in 1..60u64 {
            let mut visits = Visits::default();
            let found = (0..20_000).find_map(|step| {
                let state = (step % period).to_string();
                visit(&mut visits, step, &["same"], &state)
            });
            let found = found.unwrap();
            assert_eq!(found % period, 0, "{period}");
        }
    }

    #[test]
    fn states_that_never_come_again_are_never_taken_for_it() {
        let mut visits = Visits::default();
        for step in 0..5_000u64 {
            assert_eq!(visit(&mut visits, step, &["same"], &step.to_string()), None);
        }
    }
}
