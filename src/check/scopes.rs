//! Which scope each name of a program belongs to, by the rules of CPython 3.14.
//!
//! The binder (binder.rs) walks the program once and notes what every scope binds and reads; this
//! file answers where a read finds its value. Only the order of statements is left out: a name
//! that a scope binds anywhere counts as bound there everywhere.

use std::collections::HashMap;

use ruff_python_ast::{Expr, ExprName, Stmt};
use ruff_text_size::{TextRange, TextSize};

use super::{binder, builtins};

/// A scope, by its place in [`Scopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(pub(super) usize);

/// The whole program.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// A name in the scope that binds it.
pub(super) type Variable<'a> = (ScopeId, &'a str);

/// What opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    /// A class body, which the scopes inside it can't see.
    Class,
    /// A function or a lambda.
    Function,
    /// A comprehension or a generator expression.
    Comprehension,
    /// The type parameters of a function or a class. Alone of the scopes inside a class, it sees
    /// the class's names; those inside it don't.
    TypeParameters,
}

/// Where a `global` or `nonlocal` statement sends a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    Global,
    Nonlocal,
}

/// What a binding gives to a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    /// This expression's value, alone.
    Expression(&'a Expr),
    /// Its own old value, changed by `+=` or the like.
    Updated,
    /// A module; its full name.
    Module(&'a str),
    /// Something of a module.
    Member {
        /// The module's full name.
        module: &'a str,
        /// What it is called there.
        name: &'a str,
    },
    /// Something that the text doesn't tell.
    Unknown,
}

/// A name that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read<'a> {
    pub(super) name: &'a str,
    pub(super) range: TextRange,
    pub(super) scope: ScopeId,
    /// Whether it stands in a `try` that catches `NameError` or `UnboundLocalError`.
    pub(super) caught: bool,
    /// Whether the compiler writes the class's name before it (`__x` in a class).
    pub(super) mangled: bool,
}

/// Where a read finds its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// In this scope.
    Scope(ScopeId),
    /// It is built in, or given to every module, class or method.
    Given,
    /// Nothing in the program binds it.
    Nowhere,
}

pub(super) struct Scope<'a> {
    pub(super) kind: ScopeKind,
    pub(super) parent: Option<ScopeId>,
    pub(super) bindings: HashMap<&'a str, Vec<Value<'a>>>,
    pub(super) declared: HashMap<&'a str, Declared>,
}

/// The scopes of a program and the names that are read in them.
pub(super) struct Scopes<'a> {
    scopes: Vec<Scope<'a>>,
    reads: Vec<Read<'a>>,
    by_place: HashMap<TextSize, usize>,
    dynamic: bool,
}

impl<'a> Scopes<'a> {
    /// The scopes of a program.
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let binder::Bound { scopes, bindings, reads, dynamic } = binder::bind(body);
        let by_place = (0..).zip(&reads).map(|(at, read)| (read.range.start(), at)).collect();
        let mut all = Scopes { scopes, reads, by_place, dynamic };
        // A `nonlocal` name belongs to a scope that binds it, so these come last.
        let (nonlocal, plain): (Vec<_>, Vec<_>) = bindings.into_iter().partition(|binding| {
            all.scopes[binding.scope.0].declared.get(binding.name) == Some(&Declared::Nonlocal)
        });
        for binding in plain.into_iter().chain(nonlocal) {
            let home = all.home(binding.scope, binding.name);
            all.scopes[home.0].bindings.entry(binding.name).or_default().push(binding.value);
        }
        all
    }

    /// All reads, in the order in which they are evaluated.
    pub(super) fn reads(&self) -> &[Read<'a>] {
        &self.reads
    }

    /// Whether the program can bind names in ways that its text doesn't show: `exec`, `globals`,
    /// `from m import *` and their like.
    pub(super) fn is_dynamic(&self) -> bool {
        self.dynamic
    }

    /// What kind of scope it is.
    pub(super) fn kind(&self, scope: ScopeId) -> ScopeKind {
        self.scopes[scope.0].kind
    }

    /// Where a read finds its value.
    pub(super) fn origin(&self, read: &Read<'_>) -> Origin {
        match self.search(read.scope, read.name) {
            Some(scope) => Origin::Scope(scope),
            None if builtins::is_given(read.name) => Origin::Given,
            None => Origin::Nowhere,
        }
    }

    /// All variables of the program, each with all that it is given.
    pub(super) fn variables(&self) -> impl Iterator<Item = (Variable<'a>, &[Value<'a>])> {
        (0..).map(ScopeId).zip(&self.scopes).flat_map(|(id, scope)| {
            scope.bindings.iter().map(move |(name, values)| ((id, *name), values.as_slice()))
        })
    }

    /// The variable that this expression reads; none if the program doesn't bind the name.
    pub(super) fn variable(&self, name: &ExprName) -> Option<Variable<'a>> {
        let read = &self.reads[*self.by_place.get(&name.range.start())?];
        Some((self.search(read.scope, read.name)?, read.name))
    }

    /// Whether this expression reads one of these built-in names.
    pub(super) fn is_builtin(&self, expression: &Expr, names: &[&str]) -> bool {
        let Expr::Name(name) = expression else { return false };
        names.contains(&name.id.as_str()) && self.variable(name).is_none()
    }

    /// The nearest function around a scope that binds a name.
    pub(super) fn enclosing(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let found = self.search_outward(self.scopes[scope.0].parent, name, false);
        found.filter(|found| *found != MODULE)
    }

    /// The scope that a binding made in `scope` belongs to.
    fn home(&self, scope: ScopeId, name: &str) -> ScopeId {
        match self.scopes[scope.0].declared.get(name) {
            None => scope,
            Some(Declared::Global) => MODULE,
            Some(Declared::Nonlocal) => self.enclosing(scope, name).unwrap_or(MODULE),
        }
    }

    /// The scope whose binding of a name is seen in `scope`.
    fn search(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        self.search_outward(Some(scope), name, true)
    }

    fn search_outward(
        &self,
        mut next: Option<ScopeId>,
        name: &str,
        mut sees_class: bool,
    ) -> Option<ScopeId> {
        while let Some(at) = next {
            let here = &self.scopes[at.0];
            if here.kind != ScopeKind::Class || sees_class {
                if here.declared.get(name) == Some(&Declared::Global) {
                    return self.binds(MODULE, name);
                }
                if let Some(found) = self.binds(at, name) {
                    return Some(found);
                }
            }
            sees_class &= here.kind == ScopeKind::TypeParameters;
            next = here.parent;
        }
        None
    }

    /// The scope, if it binds a name.
    pub(super) fn binds(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        self.scopes[scope.0].bindings.contains_key(name).then_some(scope)
    }
}
