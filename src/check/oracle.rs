//! The scopes held against the compiler's own symbol table, on programs thrown together to be hard.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rustpython_vm::compiler::codegen::symboltable::{SymbolFlags, SymbolScope, SymbolTable};
use rustpython_vm::compiler::{Mode, compile_symtable};

use super::scopes::{Origin, Scopes};

/// The names that the compiler looks up in the module and that nothing binds there.
fn unbound_by_compiler(source: &str) -> Option<BTreeSet<String>> {
    let module = compile_symtable(source, Mode::Exec, "").ok()?;
    let (mut read, mut bound) = (BTreeSet::new(), BTreeSet::new());
    bound.extend(module.symbols.iter().filter(|(_, s)| s.is_bound()).map(|(n, _)| n.to_string()));
    collect(&module, None, &mut read, &mut bound);
    Some(read.difference(&bound).cloned().collect())
}

fn collect(
    table: &SymbolTable,
    around: Option<&SymbolTable>,
    read: &mut BTreeSet<String>,
    bound: &mut BTreeSet<String>,
) {
    // Type parameters look into the class around them first, which the compiler does by hand. The
    // variables of a class's comprehensions are in its table, but not among its names.
    let class = around.filter(|_| table.can_see_class_scope);
    for (name, symbol) in &table.symbols {
        let in_class = class.is_some_and(|class| {
            class.symbols.get(name).is_some_and(|outer| {
                let not_its_own = SymbolFlags::DEF_GLOBAL | SymbolFlags::DEF_COMP_ITER;
                outer.is_bound() && !outer.flags.intersects(not_its_own)
            })
        });
        match symbol.scope {
            SymbolScope::GlobalExplicit if symbol.is_bound() => {
                bound.insert(name.to_string());
            }
            SymbolScope::GlobalExplicit | SymbolScope::GlobalImplicit
                if symbol.flags.contains(SymbolFlags::USE) && !in_class =>
            {
                read.insert(name.to_string());
            }
            _ => {}
        }
    }
    for inner in table.sub_tables.iter().chain(&table.inlined_comprehension_blocks) {
        collect(inner, Some(table), read, bound);
    }
}

/// The names of which the scopes say so.
fn unbound_by_scopes(source: &str) -> BTreeSet<String> {
    let parsed = ruff_python_parser::parse_module(source).unwrap();
    let scopes = Scopes::of(parsed.suite());
    let outside = |origin| matches!(origin, Origin::Given | Origin::Nowhere);
    let reads = scopes.reads().iter().filter(|read| outside(scopes.origin(read)));
    reads.map(|read| read.name.to_owned()).collect()
}

/// Expressions over few names, so that the scopes' bindings meet.
fn expression() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "c", "d", "e"]).prop_map(str::to_owned);
    name.clone().prop_recursive(3, 12, 3, move |inner| {
        let (name, e) = (name.clone(), inner);
        prop_oneof![
            (e.clone(), e.clone()).prop_map(|(x, y)| format!("({x} + {y})")),
            (name.clone(), e.clone()).prop_map(|(n, x)| format!("({n} := {x})")),
            (name.clone(), e.clone()).prop_map(|(n, x)| format!("(lambda {n}: {x})")),
            (name.clone(), e.clone(), e.clone())
                .prop_map(|(n, d, x)| format!("(lambda {n}={d}: {x})")),
            (e.clone(), name.clone(), e.clone())
                .prop_map(|(x, n, i)| format!("[{x} for {n} in {i}]")),
            (e.clone(), name.clone(), e.clone(), e.clone())
                .prop_map(|(x, n, i, f)| format!("({x} for {n} in {i} if {f})")),
            (e.clone(), name.clone(), e.clone(), name, e.clone())
                .prop_map(|(x, n, i, m, j)| format!("{{{x} for {n} in {i} for {m} in {j}}}")),
            (e.clone(), e).prop_map(|(f, x)| format!("f'{{{f}}}'[{x}]")),
        ]
    })
}

/// Blocks of statements, indented by one space a level.
fn block() -> impl Strategy<Value = Vec<String>> {
    let name = || prop::sample::select(vec!["a", "b", "c", "d", "e"]);
    let leaf = prop_oneof![
        (name(), expression()).prop_map(|(n, x)| vec![format!("{n} = {x}")]),
        expression().prop_map(|x| vec![x]),
        (name(), expression()).prop_map(|(n, x)| vec![format!("{n} += {x}")]),
        name().prop_map(|n| vec![format!("global {n}")]),
        name().prop_map(|n| vec![format!("nonlocal {n}")]),
        name().prop_map(|n| vec![format!("import {n}.x")]),
        (name(), name()).prop_map(|(n, m)| vec![format!("from x import {n} as {m}")]),
        name().prop_map(|n| vec![format!("del {n}")]),
        (name(), name()).prop_map(|(n, m)| vec![format!("for {n}, *{m} in []: pass")]),
        (name(), name())
            .prop_map(|(n, m)| { vec![format!("match {n}:"), format!(" case [{m}, *_]: pass")] }),
    ];
    let statement = leaf.prop_recursive(4, 40, 5, move |inner| {
        let body = || {
            prop::collection::vec(inner.clone(), 1..4).prop_map(|statements| {
                let lines = statements.into_iter().flatten();
                lines.map(|line| format!(" {line}")).collect::<Vec<_>>()
            })
        };
        prop_oneof![
            (name(), name(), body()).prop_map(|(f, p, b)| headed(format!("def {f}({p}):"), b)),
            (name(), expression(), body())
                .prop_map(|(f, d, b)| headed(format!("def {f}(*, k={d}):"), b)),
            (name(), name(), body()).prop_map(|(f, t, b)| headed(format!("def {f}[{t}]():"), b)),
            (name(), expression(), body())
                .prop_map(|(c, x, b)| headed(format!("class {c}(*{x}):"), b)),
            (name(), name(), expression(), body())
                .prop_map(|(c, t, x, b)| headed(format!("class {c}[{t}](*{x}):"), b)),
            (name(), body()).prop_map(|(n, b)| {
                headed("try: pass".to_owned(), headed(format!("except OSError as {n}:"), b))
            }),
            (name(), body()).prop_map(|(n, b)| headed(format!("with x as {n}:"), b)),
        ]
    });
    prop::collection::vec(statement, 1..6).prop_map(|statements| statements.concat())
}

fn headed(head: String, mut body: Vec<String>) -> Vec<String> {
    body.insert(0, head);
    body
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_000,
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn names_are_unbound_where_the_compiler_says_so(
        globals in prop::sample::subsequence(vec!["a", "b", "c"], 0..3),
        lines in block(),
    ) {
        // The compiler's table of a module holds the variables of its comprehensions too, so these
        // are kept out of it.
        let globals: String = globals.into_iter().map(|name| format!("{name} = 1\n")).collect();
        let lines: String = lines.into_iter().map(|line| format!(" {line}\n")).collect();
        let source = format!("{globals}def main():\n{lines}");
        // Many have a `nonlocal` without a variable or the like.
        let Some(expected) = unbound_by_compiler(&source) else {
            return Err(TestCaseError::reject("doesn't compile"));
        };
        prop_assert_eq!(unbound_by_scopes(&source), expected, "\n{}", source);
    }
}
