//! Which part of a corpus this process evaluates, as people write it or as a scheduler says it.

use std::str::FromStr;

use super::record::Shard;

/// The user's own variables: how many parts there are, and which one this is.
const SHARDS: &str = "LOCKSTEP_SHARDS";
const SHARD: &str = "LOCKSTEP_SHARD";

/// Why it isn't known which part to evaluate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is written otherwise.
    #[error("give a part and how many there are, from 0, e.g. 2/8")]
    Form,
    /// No scheduler says it.
    #[error(
        "auto needs the variables of a Slurm array (SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT), \
         of tasks started by srun (SLURM_PROCID, SLURM_STEP_NUM_TASKS), or of an indexed Kubernetes \
         job (JOB_COMPLETION_INDEX) with {SHARDS}"
    )]
    Unknown,
    /// A variable is no number.
    #[error("{name} is {value:?}, which is no number")]
    NoNumber {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// The index is none of so many.
    #[error("part {index} of {of}, counted from 0, is none")]
    Outside {
        /// The part.
        index: usize,
        /// How many there are.
        of: usize,
    },
    /// Kubernetes doesn't tell how many there are.
    #[error("JOB_COMPLETION_INDEX says which part, {SHARDS} must say of how many")]
    NoCount,
    /// The tasks of an array are only some of those that there were.
    #[error(
        "the tasks of this Slurm array are not evenly spaced, as when some are run again: set \
         {SHARDS} to the number of parts, and number the tasks from 0"
    )]
    Gaps,
}

impl FromStr for Shard {
    type Err = ShardError;

    /// Reads `2/8`.
    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, of) = text.split_once('/').ok_or(ShardError::Form)?;
        match (index.parse(), of.parse()) {
            (Ok(index), Ok(of)) if index < of => Ok(Shard { index, of }),
            _ => Err(ShardError::Form),
        }
    }
}

impl Shard {
    /// The part that a scheduler's variables tell. `variable` reads one.
    ///
    /// LOCKSTEP_SHARDS, where it is set, says how many parts there are, and the scheduler's number
    /// counts from 0: so some parts of an array can be run again, whose own count is then another.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ShardError> {
        let number = |name: &'static str| match variable(name) {
            None => Ok(None),
            Some(value) => match value.trim().parse::<usize>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(ShardError::NoNumber { name, value }),
            },
        };
        let task = number("SLURM_ARRAY_TASK_ID")?;
        let completion = number("JOB_COMPLETION_INDEX")?;
        // In a batch script, beside `srun`, SLURM_PROCID is 0 and SLURM_NTASKS what was asked for:
        // of one process that would be a part only. SLURM_STEP_NUM_TASKS is srun's alone.
        let of_step = number("SLURM_STEP_NUM_TASKS")?.filter(|tasks| *tasks > 1);
        let process = match of_step {
            Some(_) => number("SLURM_PROCID")?,
            None => None,
        };
        if let Some(of) = number(SHARDS)? {
            let own = number(SHARD)?;
            return match own.or(completion).or(task).or(process) {
                Some(index) => Shard { index, of }.checked(),
                None => Err(ShardError::Unknown),
            };
        }
        let inner = match (process, of_step) {
            (Some(index), Some(of)) => Shard { index, of },
            _ => Shard::WHOLE,
        };
        let outer = match (task, number("SLURM_ARRAY_TASK_COUNT")?) {
            (Some(task), Some(of)) => {
                let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
                let last = number("SLURM_ARRAY_TASK_MAX")?;
                let stride = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
                let span = stride.saturating_mul(of.saturating_sub(1));
                let is_even = last.is_none_or(|last| first.saturating_add(span) == last);
                let steps = task.checked_sub(first).filter(|ahead| is_even && ahead % stride == 0);
                Shard { index: steps.ok_or(ShardError::Gaps)? / stride, of }
            }
            _ if completion.is_some() => return Err(ShardError::NoCount),
            _ if inner == Shard::WHOLE => return Err(ShardError::Unknown),
            _ => Shard::WHOLE,
        };
        let (outer, inner) = (outer.checked()?, inner.checked()?);
        let index = outer.index.saturating_mul(inner.of).saturating_add(inner.index);
        Shard { index, of: outer.of.saturating_mul(inner.of) }.checked()
    }

    fn checked(self) -> Result<Self, ShardError> {
        match self {
            Shard { index, of } if index >= of => Err(ShardError::Outside { index, of }),
            shard => Ok(shard),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(variables: &[(&str, &str)]) -> Result<(usize, usize), ShardError> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let shard = Shard::from_environment(|name| find(name).map(|(_, value)| value.to_string()));
        shard.map(|shard| (shard.index, shard.of))
    }

    #[test]
    fn parts_are_counted_from_0() {
        assert_eq!("2/8".parse(), Ok(Shard { index: 2, of: 8 }));
        for wrong in ["8/8", "2", "2/", "/8", "-1/8", "2/8/9", "0/0", "a/b"] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardError::Form), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_part_or_not(text in ".{0,12}", index in 0usize..20, of in 0usize..20) {
            let _ = text.parse::<Shard>();
            let _ = told(&[("SLURM_ARRAY_TASK_ID", &text), ("SLURM_ARRAY_TASK_COUNT", &text)]);
            let read = format!("{index}/{of}").parse::<Shard>();
            prop_assert_eq!(read.is_ok(), index < of);
        }

        #[test]
        fn the_tasks_of_an_array_are_each_part_once(first in 0usize..9, stride in 1usize..5, of in 1usize..9) {
            let numbers = [first, first + stride * (of - 1), stride, of].map(|n| n.to_string());
            let [min, max, stride_text, count] = &numbers;
            let parts = (0..of).map(|part| {
                told(&[
                    ("SLURM_ARRAY_TASK_ID", &(first + stride * part).to_string()),
                    ("SLURM_ARRAY_TASK_MIN", min),
                    ("SLURM_ARRAY_TASK_MAX", max),
                    ("SLURM_ARRAY_TASK_STEP", stride_text),
                    ("SLURM_ARRAY_TASK_COUNT", count),
                ])
            });
            let parts: Vec<_> = parts.collect();
            prop_assert_eq!(parts, (0..of).map(|part| Ok((part, of))).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_array_of_slurm_may_count_from_anywhere() {
        let task = |id, min, max, stride, count| {
            told(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_MAX", max),
                ("SLURM_ARRAY_TASK_STEP", stride),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ])
        };
        assert_eq!(task("2", "0", "7", "1", "8"), Ok((2, 8)));
        assert_eq!(task("8", "1", "8", "1", "8"), Ok((7, 8)));
        assert_eq!(task("14", "10", "16", "2", "4"), Ok((2, 4)));
        // Parts 3 and 7 alone, again: their own count would make other parts of them.
        assert_eq!(task("7", "3", "7", "1", "2"), Err(ShardError::Gaps));
        let again = [("SLURM_ARRAY_TASK_ID", "7"), ("SLURM_ARRAY_TASK_COUNT", "2")];
        assert_eq!(told(&[again[0], again[1], (SHARDS, "8")]), Ok((7, 8)));
        assert_eq!(
            told(&[("SLURM_ARRAY_TASK_ID", "8"), (SHARDS, "8")]),
            Err(ShardError::Outside { index: 8, of: 8 })
        );
    }

    #[test]
    fn the_tasks_of_srun_divide_what_an_array_leaves() {
        let step = [("SLURM_PROCID", "1"), ("SLURM_STEP_NUM_TASKS", "3")];
        assert_eq!(told(&step), Ok((1, 3)));
        let array = [("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "4")];
        assert_eq!(told(&[step, array].concat()), Ok((7, 12)));
        // A batch script that asked for three tasks and starts one process by itself.
        let batch = [("SLURM_PROCID", "0"), ("SLURM_NTASKS", "3")];
        assert_eq!(told(&batch), Err(ShardError::Unknown));
        assert_eq!(told(&[batch, array].concat()), Ok((2, 4)));
    }

    #[test]
    fn kubernetes_tells_the_part_and_the_user_the_number() {
        let index = ("JOB_COMPLETION_INDEX", "4");
        assert_eq!(told(&[index, (SHARDS, "5")]), Ok((4, 5)));
        assert_eq!(told(&[index]), Err(ShardError::NoCount));
        assert_eq!(told(&[(SHARD, "1"), (SHARDS, "2")]), Ok((1, 2)));
        assert_eq!(told(&[(SHARDS, "2")]), Err(ShardError::Unknown));
        let wrong = ShardError::NoNumber { name: SHARDS, value: "many".into() };
        assert_eq!(told(&[index, (SHARDS, "many")]), Err(wrong));
    }
}
