//! Programs evaluated one after another, by a walk or from a cache.

use super::cache::{Cache, CacheError, Kept};
use super::corpus::Item;
use super::record::{ProgramRecord, StepRecord};
use super::walk::{WalkError, Walker};

/// Evaluates programs.
pub struct Evaluator {
    walker: Walker,
    cache: Option<Cache>,
}

/// A program that was evaluated.
#[derive(Debug)]
pub struct Evaluated {
    /// Its end, after its steps.
    pub program: ProgramRecord,
    /// Whether it came from the cache.
    pub cached: bool,
    /// What is wrong with the cache, if anything is; the program is none the worse for it.
    pub complaints: Vec<CacheError>,
}

impl Evaluator {
    /// Evaluates by this walker; what the cache has, which must be opened with the walker's recipe,
    /// is taken from it.
    pub fn new(walker: Walker, cache: Option<Cache>) -> Self {
        Evaluator { walker, cache }
    }

    /// Evaluates the program at this place of a corpus, giving each step to `take`.
    pub fn evaluate(
        &mut self,
        place: usize,
        item: &Item,
        mut take: impl FnMut(StepRecord) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
    ) -> Result<Evaluated, WalkError> {
        let Some(cache) = &self.cache else {
            let program = self.walker.walk(place, item, take)?;
            return Ok(Evaluated { program, cached: false, complaints: Vec::new() });
        };
        let mut complaints = Vec::new();
        match cache.get(place, item) {
            Ok(Some(Kept { steps, program })) => {
                steps.into_iter().try_for_each(take).map_err(WalkError::Sink)?;
                return Ok(Evaluated { program, cached: true, complaints });
            }
            Ok(None) => {}
            Err(complaint) => complaints.push(complaint),
        }
        let mut steps = Vec::new();
        let program = self.walker.walk(place, item, |step| {
            steps.push(step.clone());
            take(step)
        })?;
        let kept = Kept { steps, program };
        complaints.extend(cache.put(item, &kept).err());
        Ok(Evaluated { program: kept.program, cached: false, complaints })
    }
}
