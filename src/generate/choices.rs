//! The choices that a generator makes: drawn from a seed, or replayed from a list.
//!
//! A program is a function of its choices. A list of choices can therefore be shrunk in place of
//! the program, and whatever is left is still a program by construction. For that to work, smaller
//! choices must mean simpler programs: 0 takes the first alternative, says no, and is the least
//! number; a list that has run out goes on with zeros.

use fastrand::Rng;

/// A source of choices that remembers what it gave.
#[derive(Clone, Debug)]
pub struct Choices {
    given: Vec<u32>,
    rest: Rest,
}

#[derive(Clone, Debug)]
enum Rest {
    Random(Rng),
    Replayed(std::vec::IntoIter<u32>),
}

impl Choices {
    /// Choices that a seed decides.
    pub fn seeded(seed: u64) -> Self {
        Choices { given: Vec::new(), rest: Rest::Random(Rng::with_seed(seed)) }
    }

    /// These choices, then zeros.
    pub fn replayed(choices: Vec<u32>) -> Self {
        Choices { given: Vec::new(), rest: Rest::Replayed(choices.into_iter()) }
    }

    /// What was given so far.
    pub fn given(self) -> Vec<u32> {
        self.given
    }

    fn draw(&mut self) -> u32 {
        let choice = match &mut self.rest {
            Rest::Random(random) => random.u32(..),
            Rest::Replayed(choices) => choices.next().unwrap_or(0),
        };
        self.given.push(choice);
        choice
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.draw()) * bound as u64) >> 32) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as usize) as i64
    }

    /// Yes in this share of cases.
    pub fn chance(&mut self, share: f64) -> bool {
        f64::from(self.draw()) >= (1.0 - share) * (f64::from(u32::MAX) + 1.0)
    }

    /// One of these; `items` must not be empty.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// The place of one of these weights, as often as it weighs; the first if none weighs anything.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut point = self.below(weights.iter().sum::<u32>() as usize) as u32;
        let found = weights.iter().position(|&weight| {
            let here = point < weight;
            point = point.saturating_sub(weight);
            here
        });
        found.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_can_be_replayed() {
        let take = |mut choices: Choices| {
            let taken = (choices.below(10), choices.between(-5, 5), choices.chance(0.5));
            (taken, choices.given())
        };
        let (first, given) = take(Choices::seeded(7));
        assert_eq!(take(Choices::replayed(given)).0, first);
    }

    #[test]
    fn zeros_are_the_simplest_choices() {
        let mut zeros = Choices::replayed(vec![]);
        assert_eq!(zeros.below(9), 0);
        assert_eq!(zeros.between(-3, 3), -3);
        assert!(!zeros.chance(0.99) && zeros.chance(1.0));
        assert_eq!(zeros.weighted(&[0, 3, 1]), 1);
        assert_eq!(zeros.weighted(&[]), 0);
    }

    #[test]
    fn shares_and_weights_are_kept() {
        let mut choices = Choices::seeded(1);
        let yes = (0..10_000).filter(|_| choices.chance(0.2)).count();
        assert!((1_800..2_200).contains(&yes), "{yes}");
        let second = (0..10_000).filter(|_| choices.weighted(&[1, 3]) == 1).count();
        assert!((7_300..7_700).contains(&second), "{second}");
    }
}
