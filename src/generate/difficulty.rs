//! How hard the programs are, and of what there is how much.

use serde::{Deserialize, Serialize};

/// The knobs of the generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Difficulty {
    /// Most statements of a freely written function, those in its blocks included.
    pub statements: usize,
    /// Most blocks inside each other in such a function.
    pub nesting: usize,
    /// Most operations inside each other in an expression.
    pub expression: usize,
    /// Most elements of a list, dict or set that is written out.
    pub elements: usize,
    /// Most characters of a text that is written out.
    pub letters: usize,
    /// The largest number that is written out.
    pub number: i64,
    /// Share of freely written functions in which something may fail.
    pub exceptions: f64,
    /// How often each manner of program is drawn.
    pub manners: Manners,
}

/// Weights of the manners in which a program can be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manners {
    /// One function of freely chosen statements, called once by `main`, as in CruxEval.
    pub free: u32,
    /// An algorithm as people write them, with its conditions and operations varied.
    pub shape: u32,
    /// Two functions, one of which calls the other.
    pub pair: u32,
    /// Several calls in `main`.
    pub several: u32,
    /// Statements of a module, without `main`.
    pub module: u32,
}

impl Default for Difficulty {
    fn default() -> Self {
        Difficulty {
            statements: 9,
            nesting: 3,
            expression: 2,
            elements: 6,
            letters: 14,
            number: 100,
            exceptions: 0.2,
            manners: Manners::default(),
        }
    }
}

impl Default for Manners {
    fn default() -> Self {
        Manners { free: 42, shape: 38, pair: 8, several: 7, module: 5 }
    }
}
