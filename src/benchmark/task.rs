//! What a benchmark asks, and the actions by which a debugger is asked (spec, section 5.1).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// What a call gives.
    Output,
    /// Any call that gives this.
    Input,
}

impl Task {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Task::Output => "output",
            Task::Input => "input",
        }
    }

    /// The actions that ask it, the one that reports lead with first.
    pub fn ways(self) -> &'static [By] {
        match self {
            Task::Output => &[By::StepReturn, By::Breakpoint, By::Trace],
            Task::Input => &[By::StepCall],
        }
    }
}

/// By which action a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// One `step_return` from the call: the returned value.
    StepReturn,
    /// One breakpoint on the return statement that is executed: the variables before it, in which
    /// its expression is then evaluated. It tells the model which return is executed.
    Breakpoint,
    /// `step_into`, again and again, over the model's own states, until the function returns.
    Trace,
    /// One `inv_step_call` from the return: the arguments.
    #[serde(rename = "inv-step-call")]
    StepCall,
}

impl By {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            By::StepReturn => "step-return",
            By::Breakpoint => "breakpoint",
            By::Trace => "trace",
            By::StepCall => "inv-step-call",
        }
    }

    /// What it asks.
    pub fn task(self) -> Task {
        match self {
            By::StepReturn | By::Breakpoint | By::Trace => Task::Output,
            By::StepCall => Task::Input,
        }
    }
}

/// A word that names nothing here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownWord {
    /// No task.
    #[error("`{0}` is no task; tasks are: output, input")]
    Task(String),
    /// No way to ask.
    #[error("`{0}` is no way to ask; there are: step-return, breakpoint, trace, inv-step-call")]
    By(String),
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Task {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let found = [Task::Output, Task::Input].into_iter().find(|task| task.name() == word);
        found.ok_or_else(|| UnknownWord::Task(word.to_owned()))
    }
}

impl FromStr for By {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let mut all = [Task::Output, Task::Input].into_iter().flat_map(Task::ways);
        let found = all.find(|by| by.name() == word.replace('_', "-"));
        found.copied().ok_or_else(|| UnknownWord::By(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back_and_ways_know_their_task() {
        for task in [Task::Output, Task::Input] {
            assert_eq!(task.to_string().parse(), Ok(task));
            for by in task.ways() {
                assert_eq!((by.to_string().parse(), by.task()), (Ok(*by), task));
                assert_eq!(serde_json::to_string(by).unwrap(), format!("\"{by}\""));
            }
        }
        assert_eq!("step_return".parse(), Ok(By::StepReturn));
        let error = "jump".parse::<By>().unwrap_err().to_string();
        assert!(error.starts_with("`jump` is no way to ask"), "{error}");
    }
}
