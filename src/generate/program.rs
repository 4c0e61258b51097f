//! Whole programs: one or more functions, and what calls them.

use super::author::Author;
use super::functions::Function;
use super::kind::{Items, Kind};
use super::names::Role;
use super::scope::Scope;
use super::shape::{Shape, shapes};

impl Author<'_> {
    /// Writes a program.
    pub(super) fn program(&mut self) {
        let manners = &self.difficulty.manners;
        let weights = [manners.free, manners.shape, manners.pair, manners.several, manners.module];
        match self.choices.weighted(&weights) {
            0 => {
                let function = self.free_function(&[]);
                self.gap();
                self.plain_main(&function);
            }
            1 => {
                let shape = self.some_shape(|_| true);
                shape.into_iter().for_each(|shape| self.shaped(shape));
            }
            2 => self.paired(),
            3 => {
                let function = self.some_function();
                self.gap();
                self.busy_main(&function);
            }
            _ => {
                let function = self.some_function();
                self.gap();
                self.module_calls(&function);
            }
        }
    }

    fn some_shape(&mut self, wanted: impl Fn(&&Shape) -> bool) -> Option<&'static Shape> {
        let wanted: Vec<_> = shapes().iter().filter(wanted).collect();
        let at = self.choices.below(wanted.len());
        wanted.get(at).copied()
    }

    /// Writes a shape, and a `main` that calls it if it has none of its own.
    pub(super) fn shaped(&mut self, shape: &Shape) {
        if let Some(function) = self.fill(shape, &[]) {
            self.gap();
            self.plain_main(&function);
        }
    }

    /// A function that can be called.
    fn some_function(&mut self) -> Function {
        if self.choices.chance(0.5)
            && let Some(shape) = self.some_shape(|shape| !shape.has_main())
            && let Some(function) = self.fill(shape, &[])
        {
            return function;
        }
        self.free_function(&[])
    }

    /// Two functions, of which the second may call the first.
    fn paired(&mut self) {
        let helper = self.free_function(&[]);
        self.gap();
        let taken = vec![helper.name.clone()];
        self.helpers.push(helper);
        let function = self.free_function(&taken);
        self.helpers.clear();
        self.gap();
        self.plain_main(&function);
    }

    fn arguments(&mut self, function: &Function) -> String {
        let texts: Vec<_> =
            function.parameters.iter().map(|kind| self.literal(kind).to_string()).collect();
        texts.join(", ")
    }

    /// `return f(...)`
    fn plain_main(&mut self, function: &Function) {
        let arguments = self.arguments(function);
        let call = format!("{}({arguments})", function.name);
        self.block("def main():", |author| match author.choices.weighted(&[12, 2]) {
            0 => author.line(format!("return {call}")),
            _ => {
                author.line(format!("result = {call}"));
                author.line("return result");
            }
        });
    }

    /// Several calls.
    fn busy_main(&mut self, function: &Function) {
        self.block("def main():", |author| match author.choices.weighted(&[3, 3, 2, 2]) {
            0 => {
                let names = ["first", "second", "third"];
                let count = author.choices.between(2, 3) as usize;
                for name in &names[..count] {
                    let arguments = author.arguments(function);
                    author.line(format!("{name} = {}({arguments})", function.name));
                }
                author.line(format!("return {}", names[..count].join(", ")));
            }
            1 => {
                let calls: Vec<_> = (0..2)
                    .map(|_| format!("{}({})", function.name, author.arguments(function)))
                    .collect();
                author.line(format!("return {}", calls.join(", ")));
            }
            2 => author.looping_main(function),
            _ => author.sharing_main(function),
        });
    }

    /// The same call with one argument that varies.
    fn looping_main(&mut self, function: &Function) {
        let Some(first) = function.parameters.first() else {
            return self.line(format!("return {}()", function.name));
        };
        let values: Vec<_> = (0..2).map(|_| self.literal(first).to_string()).collect();
        let rest: Vec<_> = function.parameters[1..]
            .iter()
            .map(|kind| format!(", {}", self.literal(kind)))
            .collect();
        self.scope = Scope::default();
        let name = self.fresh(first, Role::Element);
        self.line("results = []");
        self.block(format!("for {name} in [{}]:", values.join(", ")), |author| {
            author.line(format!("results.append({}({name}{}))", function.name, rest.concat()));
        });
        self.line("return results");
    }

    /// Two calls with the same object.
    fn sharing_main(&mut self, function: &Function) {
        let Some(first) = function.parameters.first() else {
            return self.line(format!("return {}()", function.name));
        };
        self.scope = Scope::default();
        self.scope.take(&function.name);
        let value = self.literal(first);
        let name = self.fresh(first, Role::Given);
        let rest: Vec<_> = function.parameters[1..]
            .iter()
            .map(|kind| format!(", {}", self.literal(kind)))
            .collect();
        let call = format!("{}({name}{})", function.name, rest.concat());
        self.line(format!("{name} = {value}"));
        self.line(format!("before = {call}"));
        self.line(format!("after = {call}"));
        match self.choices.below(2) {
            0 => self.line(format!("return before, after, {name}")),
            _ => self.line("return before == after"),
        }
    }

    /// Statements of the module.
    fn module_calls(&mut self, function: &Function) {
        self.scope = Scope::default();
        self.scope.take(&function.name);
        match self.choices.below(3) {
            0 => {
                let arguments = self.arguments(function);
                self.line(format!("print({}({arguments}))", function.name));
            }
            1 => {
                let arguments = self.arguments(function);
                self.line(format!("result = {}({arguments})", function.name));
                self.line("print(result)");
            }
            _ => {
                let kind = Kind::List(Box::new(Kind::INT), Items::Some);
                let name = self.bind(&kind, Role::Given);
                let value = self.literal(&kind);
                self.line(format!("{name} = {value}"));
                let arguments = self.arguments(function);
                self.line(format!("{name}.append({}({arguments}))", function.name));
                self.line(format!("print(len({name}), {name}[0])"));
            }
        }
    }
}
