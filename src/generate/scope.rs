//! What is bound at a place of a program, and what is known of it.

use super::kind::{Items, Kind};

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Whether it must stay as it is: a loop runs over it, or counts with it.
    pub fixed: bool,
    /// The sequences in which it is a place that exists, or the dicts in which it is a key.
    pub place_in: Vec<String>,
    /// Variables with the same number may share an object.
    pub shares: usize,
    /// How often it was bound or changed; results are made of what was worked on.
    pub worked_on: u32,
    /// Whether it grows in a loop; what grows must not be added to what grows, or it doubles.
    pub grows: bool,
    /// Whether it was made empty, to grow, and nothing was added yet.
    pub empty: bool,
}

/// The variables of a function, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    variables: Vec<Variable>,
    /// Names that are bound elsewhere in the function, or in the module.
    taken: Vec<String>,
    objects: usize,
}

/// A place in a scope to which it can be taken back.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

impl Scope {
    /// Binds a new name.
    pub fn bind(&mut self, name: &str, kind: Kind) -> &mut Variable {
        self.objects += 1;
        self.take(name);
        self.variables.retain(|variable| variable.name != name);
        self.variables.push(Variable {
            name: name.to_owned(),
            kind,
            fixed: false,
            place_in: Vec::new(),
            shares: self.objects,
            worked_on: 0,
            grows: false,
            empty: false,
        });
        let last = self.variables.len() - 1;
        &mut self.variables[last]
    }

    /// Keeps a name from being chosen.
    pub fn take(&mut self, name: &str) {
        if !self.is_taken(name) {
            self.taken.push(name.to_owned());
        }
    }

    /// Whether a new variable can't have this name.
    pub fn is_taken(&self, name: &str) -> bool {
        super::names::is_reserved(name) || self.taken.iter().any(|taken| taken == name)
    }

    /// All variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The variable of this name.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Variable> {
        self.variables.iter_mut().find(|variable| variable.name == name)
    }

    /// Where the scope stands.
    pub fn mark(&self) -> Mark {
        Mark(self.variables.len())
    }

    /// Forgets the variables that were bound since: the block that bound them may not run. Their
    /// names stay taken.
    pub fn leave(&mut self, mark: Mark) {
        self.variables.truncate(mark.0);
    }

    /// Whether something may be done to the object that this variable holds.
    pub fn is_free(&self, variable: &Variable) -> bool {
        self.variables.iter().all(|other| other.shares != variable.shares || !other.fixed)
    }

    /// The object of this variable may have got shorter: nothing is known of its elements.
    pub fn shrink(&mut self, name: &str) {
        let Some(shares) = self.get_mut(name).map(|variable| variable.shares) else { return };
        let mut names = Vec::new();
        for variable in self.variables.iter_mut().filter(|variable| variable.shares == shares) {
            match &mut variable.kind {
                Kind::List(_, items) | Kind::Dict(_, _, items) => *items = Items::Any,
                _ => variable.kind = variable.kind.plain(),
            }
            names.push(variable.name.clone());
        }
        for variable in &mut self.variables {
            variable.place_in.retain(|place| !names.contains(place));
        }
    }

    /// The name was bound again: whatever was known of it is over.
    pub fn rebind(&mut self, name: &str) {
        self.objects += 1;
        let own = self.objects;
        if let Some(variable) = self.get_mut(name) {
            variable.kind = variable.kind.plain();
            variable.place_in.clear();
            variable.shares = own;
            variable.worked_on += 1;
            variable.empty = false;
        }
        for variable in &mut self.variables {
            variable.place_in.retain(|place| place != name);
        }
    }
}
