//! Generated programs: small, in the manner of people, and sure to end.
//!
//! A program is made of choices ([`Choices`]), which a seed decides or a list replays; so it can be
//! shrunk by shrinking the list ([`strategy`]). Expressions are typed and, unless something is meant
//! to fail, can be had without an error in every run; loops run over what doesn't change meanwhile
//! or count in one direction. There are two manners: functions of freely chosen statements, and
//! shapes of common algorithms whose conditions and operations vary.

mod author;
mod bindings;
mod changes;
mod choices;
mod conditions;
mod containers;
mod difficulty;
mod expression;
mod filling;
mod functions;
mod integers;
mod kind;
mod literal;
mod loops;
mod names;
mod program;
mod scope;
mod shape;
mod statements;
pub mod strategy;
#[cfg(test)]
mod tests;
mod texts;

pub use choices::Choices;
pub use difficulty::{Difficulty, Manners};
pub use literal::WORDS;

use author::Author;

/// The program that a seed decides: its text.
pub fn generate(seed: u64, difficulty: &Difficulty) -> String {
    write(Choices::seeded(seed), difficulty).0
}

/// The program that these choices make, and those of them that it took.
pub fn write(choices: Choices, difficulty: &Difficulty) -> (String, Vec<u32>) {
    let mut author = Author::new(choices, difficulty);
    author.program();
    author.finish()
}
