//! Proves of functions of a program, by their text alone, that they change nothing and end.
//!
//! A `__repr__` may run while a value is shown only if the program can't tell. The proof is
//! conservative and goes by names (the objects that a text shows are looked at one by one, by
//! [`super::repr`]): a function is *clean* if its body holds only forms that change
//! nothing (no assignment but to its own variables, no `while`, no `try`, no `del`), and it is
//! *pure* if every function of the program that it may reach, by a name or by an operator, is clean
//! too. Whatever could bind a name to something else at run time voids the proof.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Number, Operator, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged;

/// Built-in functions that change nothing. `next`, `map` and `getattr` are not among them: they
/// move an iterator, call what they are given, or read what a name doesn't say.
const FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "bool",
    "bytes",
    "chr",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "float",
    "format",
    "frozenset",
    "hex",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "list",
    "max",
    "min",
    "oct",
    "ord",
    "pow",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "zip",
];

/// Methods of built-in classes that change nothing, and that no built-in class has in another
/// sense.
const METHODS: &[&str] = &[
    "as_integer_ratio",
    "bit_length",
    "capitalize",
    "casefold",
    "center",
    "conjugate",
    "copy",
    "count",
    "decode",
    "difference",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "get",
    "hex",
    "index",
    "intersection",
    "is_integer",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isdisjoint",
    "isidentifier",
    "islower",
    "isnumeric",
    "isoformat",
    "isprintable",
    "isspace",
    "issubset",
    "issuperset",
    "istitle",
    "isupper",
    "items",
    "join",
    "keys",
    "ljust",
    "lower",
    "lstrip",
    "most_common",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strftime",
    "strip",
    "swapcase",
    "title",
    "total_seconds",
    "union",
    "upper",
    "values",
    "zfill",
    "__format__",
    "__len__",
    "__repr__",
    "__str__",
];

/// Methods of built-in classes that change something: also a program's own method of such a name
/// isn't called, since the name doesn't say whose it is.
const CHANGING: &[&str] = &[
    "add",
    "append",
    "appendleft",
    "clear",
    "close",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "popleft",
    "read",
    "readline",
    "remove",
    "reverse",
    "rotate",
    "send",
    "setdefault",
    "sort",
    "subtract",
    "throw",
    "update",
    "write",
];

/// What binds names in ways that the text doesn't show.
const VOIDING: &[&str] =
    &["setattr", "delattr", "exec", "eval", "compile", "globals", "locals", "vars", "__import__"];

/// Attributes through which anything can be bound.
const VOIDING_ATTRIBUTES: &[&str] =
    &["__dict__", "__code__", "__globals__", "__builtins__", "modules"];

/// Methods that showing an object as text calls.
const SHOWING: &[&str] = &["__repr__", "__str__", "__format__"];
/// Methods that walking over an object calls.
const WALKING: &[&str] = &["__iter__", "__next__", "__reversed__", "__getitem__", "__len__"];
/// Methods that asking an object for its truth calls.
const ASKING: &[&str] = &["__bool__", "__len__"];
/// Methods that reading an attribute calls.
const READING: &[&str] = &["__getattr__", "__getattribute__", "__get__"];
/// Methods that indexing calls.
const INDEXING: &[&str] = &["__getitem__", "__missing__", "__index__", "__hash__", "__eq__"];
/// Methods that operators and the arithmetic built-in functions call.
const OPERATING: &[&str] = &[
    "__add__",
    "__radd__",
    "__sub__",
    "__rsub__",
    "__mul__",
    "__rmul__",
    "__truediv__",
    "__rtruediv__",
    "__floordiv__",
    "__rfloordiv__",
    "__mod__",
    "__rmod__",
    "__divmod__",
    "__rdivmod__",
    "__pow__",
    "__rpow__",
    "__matmul__",
    "__rmatmul__",
    "__lshift__",
    "__rlshift__",
    "__rshift__",
    "__rrshift__",
    "__and__",
    "__rand__",
    "__or__",
    "__ror__",
    "__xor__",
    "__rxor__",
    "__neg__",
    "__pos__",
    "__invert__",
    "__abs__",
    "__round__",
    "__int__",
    "__float__",
    "__complex__",
    "__index__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__contains__",
    "__hash__",
    "__instancecheck__",
    "__subclasscheck__",
    "__bytes__",
];

/// The functions of a program that are pure, by name and first line.
#[derive(Clone, Debug, Default)]
pub struct Pure(HashSet<(String, u32)>);

impl Pure {
    /// Finds them in a module with this text.
    pub fn of(module: &[Stmt], source: &str) -> Self {
        let mut program = Bindings::default();
        program.visit_body(module);
        if program.voided {
            return Pure::default();
        }
        let bodies = judge(&program);
        let line = |offset: usize| 1 + source[..offset].matches('\n').count() as u32;
        let pure = program.functions.iter().zip(bodies).filter(|(_, body)| body.clean);
        Pure(pure.map(|(function, body)| (body.name, line(start(function)))).collect())
    }

    /// Whether the function of this name that begins on this line is pure.
    pub fn holds(&self, name: &str, line: u32) -> bool {
        self.0.contains(&(name.to_owned(), line))
    }
}

/// What an expression that changes nothing reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// What can be reached from the values of these names.
    Names(Vec<String>),
    /// Anything that the program's functions can reach.
    Everything,
}

/// What an expression reads that is evaluated in a frame of this module; none if it may change
/// something, as far as the texts say.
pub fn touched<'a>(module: &'a [Stmt], expression: &'a Expr) -> Option<Touched> {
    let mut program = Bindings::default();
    program.visit_body(module);
    program.visit_expr(expression);
    if program.voided {
        return None;
    }
    let mut names = Loaded::default();
    names.visit_expr(expression);
    let own = names.names.iter().copied().collect();
    let mut check = Check { program: &program, own, clean: true, needs: HashSet::new() };
    check.need(ASKING);
    if names.shows {
        check.need(SHOWING);
    }
    check.visit_expr(expression);
    let bodies = judge(&program);
    let is_clean = |name: &String| bodies.iter().all(|body| body.clean || body.name != *name);
    if !check.clean || !check.needs.iter().all(is_clean) {
        return None;
    }
    Some(match check.needs.is_empty() {
        true => Touched::Names(names.names.iter().map(|name| (*name).to_owned()).collect()),
        false => Touched::Everything,
    })
}

/// The names in an expression, and whether it makes a text of a value.
#[derive(Default)]
struct Loaded<'a> {
    names: Vec<&'a str>,
    shows: bool,
}

impl<'a> Visitor<'a> for Loaded<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => {
                let name = name.id.as_str();
                self.names.push(name);
                self.shows |= matches!(name, "str" | "repr" | "ascii" | "format");
            }
            Expr::Attribute(attribute) => self.shows |= attribute.attr.as_str() == "format",
            Expr::BinOp(operation) => self.shows |= operation.op == Operator::Mod,
            Expr::FString(_) => self.shows = true,
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

/// What the bodies of a program's functions do, and whether they are pure.
fn judge(program: &Bindings) -> Vec<Body> {
    let mut bodies: Vec<Body> =
        program.functions.iter().map(|function| Body::of(function, program)).collect();
    // From all clean functions take away those that need one that isn't there, until none does.
    loop {
        let dirty: HashSet<String> =
            bodies.iter().filter(|body| !body.clean).map(|body| body.name.clone()).collect();
        let falling = |body: &Body| body.clean && body.needs.iter().any(|n| dirty.contains(n));
        let mut any = false;
        for body in &mut bodies {
            if falling(body) {
                body.clean = false;
                any = true;
            }
        }
        if !any {
            break;
        }
    }
    bodies
}

/// Where a function's code begins: at its first decorator, if it has one.
fn start(function: &StmtFunctionDef) -> usize {
    let first = function.decorator_list.first().map(Ranged::start);
    first.unwrap_or(function.range().start()).to_usize()
}

/// What a program binds, and how.
#[derive(Default)]
struct Bindings<'a> {
    functions: Vec<&'a StmtFunctionDef>,
    /// How often a name is bound by `def`.
    defined: HashMap<&'a str, usize>,
    /// Names that are bound in another way.
    bound: HashSet<&'a str>,
    /// Attributes that are assigned.
    assigned: HashSet<&'a str>,
    voided: bool,
}

impl<'a> Visitor<'a> for Bindings<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                *self.defined.entry(function.name.as_str()).or_default() += 1;
                self.functions.push(function);
                for parameter in function.parameters.iter() {
                    self.bound.insert(parameter.name().as_str());
                }
            }
            Stmt::ClassDef(class) => {
                self.bound.insert(class.name.as_str());
            }
            Stmt::Import(import) => {
                let names =
                    import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name));
                self.bound.extend(names.map(|name| name.as_str()));
            }
            Stmt::ImportFrom(import) => {
                let names =
                    import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name));
                self.voided |= import.names.iter().any(|alias| alias.name.as_str() == "*");
                self.bound.extend(names.map(|name| name.as_str()));
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => {
                self.voided |= VOIDING.contains(&name.id.as_str());
                if name.ctx != ExprContext::Load {
                    self.bound.insert(name.id.as_str());
                }
            }
            Expr::Attribute(attribute) => {
                self.voided |= VOIDING_ATTRIBUTES.contains(&attribute.attr.as_str());
                if attribute.ctx != ExprContext::Load {
                    self.assigned.insert(attribute.attr.as_str());
                }
            }
            Expr::Lambda(lambda) => {
                for parameter in lambda.parameters.iter().flat_map(|p| p.iter()) {
                    self.bound.insert(parameter.name().as_str());
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

/// Whether a name looks like that of an exception of Python's own.
fn is_exception(name: &str) -> bool {
    name.ends_with("Error") || name == "Exception"
}

/// What a function's body does.
struct Body {
    name: String,
    clean: bool,
    /// Names of functions of the program that it may call.
    needs: HashSet<String>,
}

impl Body {
    fn of(function: &StmtFunctionDef, program: &Bindings) -> Self {
        let mut own = Own::default();
        own.0.extend(function.parameters.iter().map(|parameter| parameter.name().as_str()));
        own.visit_body(&function.body);
        let mut check = Check { program, own: own.0, clean: true, needs: HashSet::new() };
        let decorators = function.decorator_list.iter().all(|decorator| {
            matches!(&decorator.expression, Expr::Name(name) if name.id.as_str() == "property")
        });
        check.clean &= decorators && !function.is_async && !Long::runs(&function.body);
        check.visit_body(&function.body);
        Body { name: function.name.to_string(), clean: check.clean, needs: check.needs }
    }
}

/// The variables of a function.
#[derive(Default)]
struct Own<'a>(HashSet<&'a str>);

impl<'a> Visitor<'a> for Own<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression
            && name.ctx == ExprContext::Store
        {
            self.0.insert(name.id.as_str());
        }
        visitor::walk_expr(self, expression);
    }
}

/// Looks for numbers that make even one call of a built-in function run on and on, which nothing
/// can interrupt.
#[derive(Default)]
struct Long(bool);

impl Long {
    /// The largest number that a text may count to.
    const FAR: u64 = 1_000_000;

    fn runs(body: &[Stmt]) -> bool {
        let mut long = Long::default();
        long.visit_body(body);
        long.0
    }
}

impl<'a> Visitor<'a> for Long {
    fn visit_expr(&mut self, expression: &'a Expr) {
        self.0 |= match expression {
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(number) => number.as_u64().is_none_or(|number| number > Self::FAR),
                Number::Float(_) | Number::Complex { .. } => false,
            },
            // `10**12` and `1 << 40` are large numbers, too.
            Expr::BinOp(operation) => {
                matches!(operation.op, Operator::Pow | Operator::LShift)
                    && operation.left.is_number_literal_expr()
            }
            _ => false,
        };
        visitor::walk_expr(self, expression);
    }
}

/// A walk over one function's body.
struct Check<'p, 'a> {
    program: &'p Bindings<'a>,
    own: HashSet<&'a str>,
    clean: bool,
    needs: HashSet<String>,
}

impl Check<'_, '_> {
    /// Notes methods that may be called.
    fn need(&mut self, names: &[&str]) {
        for name in names {
            if self.program.defined.contains_key(name) {
                self.needs.insert((*name).to_owned());
            }
            // A method that is put there by an assignment can be anything.
            if self.program.assigned.contains(name) || self.program.bound.contains(name) {
                self.clean = false;
            }
        }
    }

    /// Whether a name stands for a function that is judged by its name.
    fn is_known(&self, name: &str) -> bool {
        let own = self.program.defined.contains_key(name);
        !self.program.bound.contains(name) && (own || FUNCTIONS.contains(&name))
    }

    fn call(&mut self, function: &Expr) {
        match function {
            Expr::Name(name) => {
                let name = name.id.as_str();
                let own = self.program.defined.contains_key(name);
                let other = self.program.bound.contains(name);
                if own && !other {
                    self.needs.insert(name.to_owned());
                } else if own || other || !(FUNCTIONS.contains(&name) || is_exception(name)) {
                    self.clean = false;
                }
                self.need(WALKING);
                self.need(ASKING);
                self.need(OPERATING);
            }
            Expr::Attribute(attribute) => {
                let name = attribute.attr.as_str();
                let own = self.program.defined.contains_key(name);
                let assigned = self.program.assigned.contains(name);
                if assigned || CHANGING.contains(&name) || !(own || METHODS.contains(&name)) {
                    self.clean = false;
                }
                self.need(WALKING);
                self.need(INDEXING);
                self.visit_expr(function);
            }
            _ => self.clean = false,
        }
    }
}

impl<'a> Visitor<'a> for Check<'_, '_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Return(_) | Stmt::Expr(_) | Stmt::Pass(_) | Stmt::Raise(_) | Stmt::Assign(_) => {}
            Stmt::AnnAssign(assignment) => {
                // The annotation of a local variable isn't evaluated.
                self.visit_expr(&assignment.target);
                if let Some(value) = &assignment.value {
                    self.visit_expr(value);
                }
                return;
            }
            // An operator in place may change the object that a local variable names.
            Stmt::AugAssign(_) => self.clean = false,
            Stmt::If(_) => self.need(ASKING),
            Stmt::For(statement) => {
                self.clean &= !statement.is_async;
                self.need(WALKING);
            }
            _ => {
                self.clean = false;
                return;
            }
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Call(call) => {
                self.call(&call.func);
                for keyword in &call.arguments.keywords {
                    // The only parameter of those functions that is called.
                    self.clean &= match (&keyword.arg, &keyword.value) {
                        (Some(name), Expr::Name(function)) if name.as_str() == "key" => {
                            self.is_known(function.id.as_str())
                        }
                        (Some(name), _) => name.as_str() != "key",
                        (None, _) => false,
                    };
                }
                for argument in call.arguments.iter_source_order() {
                    self.visit_expr(argument.value());
                }
                return;
            }
            // A function may be called by what it is given to.
            Expr::Name(name) if self.program.defined.contains_key(name.id.as_str()) => {
                self.needs.insert(name.id.to_string());
            }
            Expr::Attribute(attribute) => {
                self.clean &= attribute.ctx == ExprContext::Load;
                let name = attribute.attr.as_str();
                if self.program.defined.contains_key(name) {
                    self.needs.insert(name.to_owned());
                }
                self.need(READING);
            }
            Expr::Subscript(subscript) => {
                self.clean &= subscript.ctx == ExprContext::Load;
                self.need(INDEXING);
            }
            Expr::FString(_) => {}
            Expr::BinOp(_) | Expr::Compare(_) => {
                self.need(OPERATING);
                self.need(WALKING);
            }
            Expr::UnaryOp(_) => {
                self.need(OPERATING);
                self.need(ASKING);
            }
            Expr::BoolOp(_) | Expr::If(_) => self.need(ASKING),
            Expr::ListComp(_)
            | Expr::SetComp(_)
            | Expr::DictComp(_)
            | Expr::Generator(_)
            | Expr::Starred(_)
            | Expr::YieldFrom(_) => {
                self.need(WALKING);
                self.need(ASKING);
                self.need(INDEXING);
            }
            Expr::Set(_) | Expr::Dict(_) => self.need(INDEXING),
            // What is found through the object itself is looked at when it is shown; what is found
            // through the module's names could be any object of the program.
            Expr::Name(name) if !self.own.contains(name.id.as_str()) => self.need(SHOWING),
            Expr::Name(_)
            | Expr::Named(_)
            | Expr::List(_)
            | Expr::Tuple(_)
            | Expr::Slice(_)
            | Expr::Yield(_)
            | Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_) => {}
            _ => {
                self.clean = false;
                return;
            }
        }
        visitor::walk_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the first `__repr__` of a program is pure.
    fn is_pure(source: &str) -> bool {
        let module = ruff_python_parser::parse_module(source).unwrap();
        let line = 1 + source[..source.find("def __repr__").unwrap()].matches('\n').count();
        Pure::of(module.suite(), source).holds("__repr__", line as u32)
    }

    fn class(body: &str) -> String {
        format!("class A:\n  def __repr__(self):\n    {body}\n")
    }

    #[test]
    fn usual_reprs_are_pure() {
        for body in [
            "return f'A({self.x!r}, {self.y:>3})'",
            "return 'A(%r)' % (self.x,)",
            "return 'A({})'.format(self.x)",
            "return 'A(' + ', '.join(str(i) for i in self.items) + ')'",
            "return f'{type(self).__name__}({self.n})'",
            "return f'{self.__class__.__name__}({self.n})'",
            "parts = [repr(p) for p in sorted(self.parts)]\n    return '\\n'.join(parts)",
            "if self.x is None:\n      return 'A()'\n    return 'A'",
            "return super().__repr__()",
        ] {
            assert!(is_pure(&class(body)), "{body}");
        }
    }

    #[test]
    fn what_changes_something_or_need_not_end_is_not() {
        for body in [
            "return str(sum(range(10**12)))",
            "return str(sum(range(1 << 40)))",
            "return str(sum(range(10_000_000)))",
            "self.n += 1\n    return 'A'",
            "self.n = 1\n    return 'A'",
            "self.items.append(1)\n    return 'A'",
            "return str(self.items.pop())",
            "return str(next(self.it))",
            "print('x')\n    return 'A'",
            "global n\n    n = 1\n    return 'A'",
            "while True: pass",
            "try:\n      return 'A'\n    finally:\n      pass",
            "del self.x\n    return 'A'",
            "self.d['x'] = 1\n    return 'A'",
            "import os\n    return 'A'",
            "return self.callback()",
            "return (lambda: 'A')()",
            "x = self.items\n    x += [1]\n    return 'A'",
            "return input()",
        ] {
            assert!(!is_pure(&class(body)), "{body}");
        }
    }

    #[test]
    fn what_a_repr_reaches_counts() {
        let with = |rest: &str| class("return f'{self.name()} {self.size}'") + rest;
        assert!(is_pure(&with("  def name(self): return 'x'\n")));
        assert!(!is_pure(&with("  def name(self):\n    self.n = 1\n    return 'x'\n")));
        assert!(!is_pure(&with("")), "a method that the program doesn't define");
        let property = "  def name(self): return ''\n  @property\n  def size(self):\n    ";
        assert!(is_pure(&with(&format!("{property}return 1\n"))));
        assert!(!is_pure(&with(&format!("{property}self.n = 1\n"))));
        let other = "class B:\n  def __str__(self):\n    log.append(1)\n";
        assert!(!is_pure(&(class("return f'{THING}'") + other)), "a text of any object");
    }

    #[test]
    fn operators_reach_methods_of_their_own() {
        let add = "class B:\n  def __add__(self, o):\n    self.n = 1\n";
        assert!(!is_pure(&(class("return self.x + 'A'") + add)));
        assert!(is_pure(&(class("return self.x") + add)));
        let next = "class B:\n  def __next__(self):\n    self.n = 1\n";
        assert!(!is_pure(&(class("return str([x for x in self.b])") + next)));
        assert!(is_pure(&(class("return f'{self.x}'") + next)));
    }

    #[test]
    fn names_that_mean_something_else_void_the_proof() {
        assert!(!is_pure(&(class("return str(self.x)") + "str = print\n")));
        assert!(!is_pure(&(class("return str(self.x)") + "exec('str = print')\n")));
        assert!(!is_pure(&(class("return self.x.upper()") + "x.upper = f\n")));
        assert!(!is_pure(&(class("return f()") + "def f(): return ''\nf = print\n")));
        assert!(!is_pure(&(class("return f'{self.x}'") + "from x import *\n")));
    }

    fn is_harmless(program: &str, expression: &str) -> bool {
        let module = ruff_python_parser::parse_module(program).unwrap();
        let expression = ruff_python_parser::parse_expression(expression).unwrap();
        touched(module.suite(), expression.expr()).is_some()
    }

    #[test]
    fn usual_conditions_are_harmless() {
        let program = "class A:\n  def __init__(self): self.x = 1\n  def __repr__(self): self.n = 1\n\
            def double(n): return 2 * n\ndef bump(): global n; n += 1\n";
        for expression in [
            "n > 5",
            "x == 3 and not y",
            "len(xs) > 10 and xs[i] != xs[-1]",
            "self.next is None",
            "any(x < 0 for x in xs)",
            "{k: v for k, v in d.items() if k in seen}",
            "double(n) % 2 == 0",
            "sorted(xs, key=double)[:2]",
            "max(xs, default=0)",
            "(last := n) > 3",
            "name.startswith('a')",
        ] {
            let text_of_any_object = expression.contains('%');
            assert_eq!(is_harmless(program, expression), !text_of_any_object, "{expression}");
        }
    }

    #[test]
    fn what_may_change_something_is_not() {
        let program = "def bump(x=0):\n  global n\n  n += 1\ndef double(n): return 2 * n\n";
        for expression in [
            "bump()",
            "double(bump())",
            "xs.append(1)",
            "next(it)",
            "unknown(1)",
            "sorted(xs, key=bump)",
            "sorted(xs, key=lambda x: bump())",
            "sorted(xs, **options)",
            "[f(1) for f in (bump, double)]",
            "[len(1) for len in (bump, double)]",
            "(len := bump) and len()",
            "map(bump, xs)",
            "input()",
            "exec('n = 1')",
            "globals()",
            "f.__globals__",
            "random.random()",
        ] {
            assert!(!is_harmless(program, expression), "{expression}");
        }
    }
}
