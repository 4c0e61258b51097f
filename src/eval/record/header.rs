//! The first line of a log: what made it, and which part of the corpus it holds.

use serde::{Deserialize, Serialize};

use crate::eval::recipe::Recipe;
use crate::eval::shard::ShardError;

/// What made a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub schema: u32,
    /// Which part of the corpus it holds.
    pub shard: Shard,
    /// Everything on which the numbers depend.
    pub recipe: Recipe,
}

/// A part of a corpus: the programs whose place, modulo `of`, is `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Shard {
    /// From 0.
    pub index: usize,
    /// How many parts there are.
    pub of: usize,
}

/// A part as a log writes it, which may be none.
#[derive(Deserialize)]
struct Written {
    index: usize,
    of: usize,
}

impl TryFrom<Written> for Shard {
    type Error = ShardError;

    fn try_from(Written { index, of }: Written) -> Result<Self, ShardError> {
        match index < of {
            true => Ok(Shard { index, of }),
            false => Err(ShardError::Outside { index, of }),
        }
    }
}

impl Shard {
    /// The whole corpus.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Whether the program at this place belongs to it.
    pub fn has(self, place: usize) -> bool {
        place.checked_rem(self.of) == Some(self.index)
    }

    /// How many of so many programs belong to it.
    pub fn count(self, programs: usize) -> usize {
        let after = programs.checked_sub(self.index.saturating_add(1));
        after.and_then(|after| after.checked_div(self.of)).map_or(0, |more| more + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_part_that_is_none_is_not_read() {
        let read = |text: &str| serde_json::from_str::<Shard>(text);
        assert_eq!(read(r#"{"index":1,"of":2}"#).unwrap(), Shard { index: 1, of: 2 });
        for (text, why) in [
            (r#"{"index":0,"of":0}"#, "part 0 of 0, counted from 0, is none"),
            (r#"{"index":2,"of":2}"#, "part 2 of 2, counted from 0, is none"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }

    #[test]
    fn programs_are_counted_however_many_there_are() {
        assert_eq!(Shard::WHOLE.count(usize::MAX), usize::MAX);
        assert_eq!(Shard { index: 1, of: 2 }.count(usize::MAX), usize::MAX / 2);
        assert!(!Shard { index: 0, of: 0 }.has(3));
    }

    proptest! {
        #[test]
        fn a_part_counts_the_programs_that_it_has(programs in 0usize..50, index in 0usize..9, of in 1usize..9) {
            let shard = Shard { index, of };
            prop_assume!(index < of);
            let has = (0..programs).filter(|place| shard.has(*place)).count();
            prop_assert_eq!(shard.count(programs), has);
        }
    }
}
