//! One walk over a program that notes every scope, every binding and every read of a name.
//!
//! Annotations, the bounds of type parameters and the values of type aliases are left out: since
//! Python 3.14 nothing evaluates them unless somebody asks.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, Identifier, Parameters, Pattern, Stmt,
    StmtImport, StmtImportFrom, StmtTry, TypeParams,
};
use ruff_text_size::TextRange;
use std::collections::HashMap;

use super::handlers;
use super::scopes::{Declared, MODULE, Read, Scope, ScopeId, ScopeKind, Value};

/// What the walk finds.
pub(super) struct Bound<'a> {
    pub(super) scopes: Vec<Scope<'a>>,
    pub(super) bindings: Vec<Binding<'a>>,
    pub(super) reads: Vec<Read<'a>>,
    /// See [`super::scopes::Scopes::is_dynamic`].
    pub(super) dynamic: bool,
}

/// A name that is given a value by code of this scope; `global` and `nonlocal` not yet applied.
pub(super) struct Binding<'a> {
    pub(super) scope: ScopeId,
    pub(super) name: &'a str,
    pub(super) value: Value<'a>,
}

/// Built-in names that let a program bind any name.
const REFLECTION: &[&str] = &["__builtins__", "eval", "exec", "globals"];
/// Built-in names that do so where the namespace is that of a module or a class.
const NAMESPACE: &[&str] = &["locals", "vars"];
/// Attributes that lead to a module's namespace, or to a frame and from there to one; and those
/// of `enum` that bind an enumeration's members in its module.
const NAMESPACE_ATTRIBUTES: &[&str] =
    &["__globals__", "_convert_", "_getframe", "f_builtins", "f_globals", "global_enum", "modules"];
/// Modules whose use lets a program bind any name.
const REFLECTION_MODULES: &[&str] = &["__main__", "builtins", "code", "importlib", "runpy"];

/// What catches the failure of a read.
const UNBOUND: &[&str] = &["UnboundLocalError", "NameError", "Exception", "BaseException"];

/// Walks a program.
pub(super) fn bind(body: &[Stmt]) -> Bound<'_> {
    let mut binder = Binder {
        found: Bound { scopes: vec![], bindings: vec![], reads: vec![], dynamic: false },
        scope: MODULE,
        caught: false,
    };
    binder.open(ScopeKind::Module, None);
    binder.visit_body(body);
    binder.found
}

struct Binder<'a> {
    found: Bound<'a>,
    scope: ScopeId,
    /// Whether a `try` around this place, in the same scope, catches `NameError`.
    caught: bool,
}

impl<'a> Binder<'a> {
    fn open(&mut self, kind: ScopeKind, parent: Option<ScopeId>) {
        self.scope = ScopeId(self.found.scopes.len());
        self.found.scopes.push(Scope {
            kind,
            parent,
            bindings: HashMap::new(),
            declared: HashMap::new(),
        });
    }

    /// Walks what lies in a scope of its own.
    fn within(&mut self, kind: ScopeKind, walk: impl FnOnce(&mut Self)) {
        let (around, caught) = (self.scope, self.caught);
        self.open(kind, Some(around));
        if kind == ScopeKind::Function {
            // It runs where it is called.
            self.caught = false;
        }
        walk(self);
        (self.scope, self.caught) = (around, caught);
    }

    /// Walks in a scope of type parameters, if there are any.
    fn with_type_parameters(
        &mut self,
        parameters: Option<&'a TypeParams>,
        walk: impl FnOnce(&mut Self),
    ) {
        let Some(parameters) = parameters else { return walk(self) };
        self.within(ScopeKind::TypeParameters, |binder| {
            for parameter in parameters {
                binder.bind_identifier(parameter.name());
            }
            walk(binder);
        });
    }

    fn bind(&mut self, name: &'a str, value: Value<'a>) {
        self.found.bindings.push(Binding { scope: self.scope, name, value });
    }

    fn bind_identifier(&mut self, name: &'a Identifier) {
        self.bind(name.as_str(), Value::Unknown);
    }

    /// Binds a target; a name is given the value, the parts of anything else something unknown.
    fn bind_target(&mut self, target: &'a Expr, value: Value<'a>) {
        match target {
            Expr::Name(name) => self.bind(name.id.as_str(), value),
            _ => self.visit_expr(target),
        }
    }

    fn bind_parameters(&mut self, parameters: &'a Parameters) {
        for parameter in parameters {
            self.bind_identifier(parameter.name());
        }
    }

    fn read(&mut self, name: &'a str, range: TextRange) {
        let kind = self.found.scopes[self.scope.0].kind;
        self.found.dynamic |= REFLECTION.contains(&name)
            || (NAMESPACE.contains(&name) && matches!(kind, ScopeKind::Module | ScopeKind::Class));
        let private = name.starts_with("__") && !name.ends_with("__");
        let mangled = private && self.is_inside_class();
        let (scope, caught) = (self.scope, self.caught);
        self.found.reads.push(Read { name, range, scope, caught, mangled });
    }

    fn is_inside_class(&self) -> bool {
        let parent = |scope: &ScopeId| self.found.scopes[scope.0].parent;
        std::iter::successors(Some(self.scope), parent)
            .any(|scope| self.found.scopes[scope.0].kind == ScopeKind::Class)
    }

    /// The scope that a `:=` of a comprehension binds in.
    fn outside_comprehensions(&self) -> ScopeId {
        let mut scope = self.scope;
        while let Scope { kind: ScopeKind::Comprehension, parent: Some(parent), .. } =
            &self.found.scopes[scope.0]
        {
            scope = *parent;
        }
        scope
    }

    fn import(&mut self, statement: &'a StmtImport) {
        for alias in &statement.names {
            let full = alias.name.as_str();
            let top = full.split('.').next().unwrap_or(full);
            self.found.dynamic |= REFLECTION_MODULES.contains(&top);
            match &alias.asname {
                Some(name) => self.bind(name.as_str(), Value::Module(full)),
                None => self.bind(top, Value::Module(top)),
            }
        }
    }

    fn import_from(&mut self, statement: &'a StmtImportFrom) {
        let module = statement.module.as_ref().map_or("", |module| module.as_str());
        let top = module.split('.').next().unwrap_or(module);
        self.found.dynamic |= REFLECTION_MODULES.contains(&top);
        for alias in &statement.names {
            let name = alias.name.as_str();
            self.found.dynamic |= name == "*" || NAMESPACE_ATTRIBUTES.contains(&name);
            let bound = alias.asname.as_ref().map_or(name, |asname| asname.as_str());
            self.bind(bound, Value::Member { module, name });
        }
    }

    fn try_statement(&mut self, statement: &'a StmtTry) {
        let around = self.caught;
        self.caught |= handlers::catches(statement, UNBOUND);
        self.visit_body(&statement.body);
        self.caught = around;
        for handler in &statement.handlers {
            self.visit_except_handler(handler);
        }
        self.visit_body(&statement.orelse);
        self.visit_body(&statement.finalbody);
    }

    /// A comprehension, whose first iterable is evaluated outside it.
    fn comprehension(&mut self, generators: &'a [Comprehension], elements: &[&'a Expr]) {
        let Some((first, rest)) = generators.split_first() else { return };
        self.visit_expr(&first.iter);
        self.within(ScopeKind::Comprehension, |binder| {
            binder.visit_expr(&first.target);
            first.ifs.iter().for_each(|condition| binder.visit_expr(condition));
            for generator in rest {
                binder.visit_comprehension(generator);
            }
            elements.iter().for_each(|element| binder.visit_expr(element));
        });
    }
}

impl<'a> Visitor<'a> for Binder<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                for decorator in &function.decorator_list {
                    self.visit_decorator(decorator);
                }
                self.visit_parameters(&function.parameters);
                self.bind_identifier(&function.name);
                self.with_type_parameters(function.type_params.as_deref(), |binder| {
                    binder.within(ScopeKind::Function, |binder| {
                        binder.bind_parameters(&function.parameters);
                        binder.visit_body(&function.body);
                    });
                });
            }
            Stmt::ClassDef(class) => {
                for decorator in &class.decorator_list {
                    self.visit_decorator(decorator);
                }
                self.with_type_parameters(class.type_params.as_deref(), |binder| {
                    if let Some(arguments) = &class.arguments {
                        binder.visit_arguments(arguments);
                    }
                    binder.within(ScopeKind::Class, |binder| binder.visit_body(&class.body));
                });
                self.bind_identifier(&class.name);
            }
            Stmt::TypeAlias(alias) => self.bind_target(&alias.name, Value::Unknown),
            Stmt::Assign(assignment) => {
                self.visit_expr(&assignment.value);
                for target in &assignment.targets {
                    self.bind_target(target, Value::Expression(&assignment.value));
                }
            }
            Stmt::AnnAssign(assignment) => {
                let value = assignment.value.as_deref();
                if let Some(value) = value {
                    self.visit_expr(value);
                }
                let value = value.map_or(Value::Unknown, Value::Expression);
                self.bind_target(&assignment.target, value);
            }
            Stmt::AugAssign(assignment) => {
                if let Expr::Name(name) = &*assignment.target {
                    self.read(name.id.as_str(), name.range);
                }
                self.visit_expr(&assignment.value);
                self.bind_target(&assignment.target, Value::Updated);
            }
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Global(global) => {
                let declared = &mut self.found.scopes[self.scope.0].declared;
                declared.extend(global.names.iter().map(|name| (name.as_str(), Declared::Global)));
            }
            Stmt::Nonlocal(nonlocal) => {
                let names = nonlocal.names.iter().map(|name| (name.as_str(), Declared::Nonlocal));
                self.found.scopes[self.scope.0].declared.extend(names);
            }
            Stmt::Try(statement) => {
                for ExceptHandler::ExceptHandler(handler) in &statement.handlers {
                    handler.name.iter().for_each(|name| self.bind_identifier(name));
                }
                self.try_statement(statement);
            }
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => match name.ctx {
                ExprContext::Load => self.read(name.id.as_str(), name.range),
                ExprContext::Store | ExprContext::Del => {
                    self.bind(name.id.as_str(), Value::Unknown);
                }
                ExprContext::Invalid => {}
            },
            Expr::Named(named) => {
                self.visit_expr(&named.value);
                let here = self.scope;
                self.scope = self.outside_comprehensions();
                self.bind_target(&named.target, Value::Expression(&named.value));
                self.scope = here;
            }
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.visit_parameters(parameters);
                }
                self.within(ScopeKind::Function, |binder| {
                    if let Some(parameters) = &lambda.parameters {
                        binder.bind_parameters(parameters);
                    }
                    binder.visit_expr(&lambda.body);
                });
            }
            Expr::ListComp(list) => self.comprehension(&list.generators, &[&list.elt]),
            Expr::SetComp(set) => self.comprehension(&set.generators, &[&set.elt]),
            Expr::Generator(generator) => {
                self.comprehension(&generator.generators, &[&generator.elt]);
            }
            Expr::DictComp(dict) => {
                let elements: Vec<&Expr> =
                    dict.key.as_deref().into_iter().chain([&*dict.value]).collect();
                self.comprehension(&dict.generators, &elements);
            }
            Expr::Attribute(attribute) => {
                self.found.dynamic |= NAMESPACE_ATTRIBUTES.contains(&attribute.attr.as_str());
                walk_expr(self, expression);
            }
            _ => walk_expr(self, expression),
        }
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(capture) => capture.name.as_ref(),
            Pattern::MatchStar(star) => star.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        name.into_iter().for_each(|name| self.bind_identifier(name));
        walk_pattern(self, pattern);
    }
}
