//! What is counted, and under which names. docs/metrics.md defines it.

use serde::Serialize;

/// A way to divide what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// All steps: every field is right.
    Steps,
    /// Steps by action: those that are right; going back, those whose predecessor works.
    Action,
    /// Steps by the constructs of the line from which they were taken; a line has several.
    Construct,
    /// Steps by the depth of the frame from which they were taken.
    Depth,
    /// Steps by how many states they pass.
    Horizon,
    /// Steps by what really came: an event, or the exit.
    Event,
    /// Fields by their kind.
    Field,
    /// Variables and values by their type.
    Type,
    /// Variables that changed, and those that did not.
    Change,
    /// Steps at which the run ends, by how it really does, errors by their class.
    Exit,
    /// Answers that are a state or an exit.
    Format,
    /// Of a program's lines that run or are said to run, those that do both (REval: coverage).
    Coverage,
    /// Next lines (REval: path).
    Path,
    /// Variables after a line (REval: state).
    State,
    /// Returned values of the entry (REval: output).
    Output,
    /// REval's incremental consistency over these four.
    Incremental,
    /// Programs of which every step is right; going back, works.
    Programs,
    /// Of a program's steps, those before the first wrong one.
    Prefix,
    /// Predecessors that are the recorded one or another from which the run comes here.
    Works,
    /// Predecessors by what they are worth.
    Predecessor,
    /// The probability of a right answer among k samples.
    ExactAt,
    /// The probability of a predecessor that works among k samples (pass@k).
    WorksAt,
    /// Jumps by the share of their frame's states that they skip.
    Skipped,
    /// The same among k samples.
    SkippedAt,
    /// Jumps that are right where all their steps are, and wrong where not.
    Jumps,
}

impl By {
    /// The heading of its group in reports.
    pub fn title(self) -> &'static str {
        match self {
            By::Steps => "steps",
            By::Action => "by action",
            By::Construct => "by construct of the line",
            By::Depth => "by call depth",
            By::Horizon => "by states passed",
            By::Event => "by what came",
            By::Field => "by field",
            By::Type => "by type of the value",
            By::Change => "by whether the variable changed",
            By::Exit => "exits by how the run ends",
            By::Format => "well-formed answers",
            By::Coverage => "coverage",
            By::Path => "next line",
            By::State => "variables after a line",
            By::Output => "value of the entry",
            By::Incremental => "incremental consistency",
            By::Programs => "programs without a fault",
            By::Prefix => "steps before the first fault",
            By::Works => "predecessors that work",
            By::Predecessor => "predecessors by what they are worth",
            By::ExactAt => "right among k samples",
            By::WorksAt => "a predecessor that works among k samples (pass@k)",
            By::Skipped => "jumps by share of states skipped",
            By::SkippedAt => "jumps by share of states skipped, right among k samples",
            By::Jumps => "jumps that go with their steps",
        }
    }
}

/// A mean that is no share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mean {
    /// Surprise of what really came, in bits a step.
    Bits,
    /// Jaccard's index of the variables' names, over steps that have variables.
    JaccardNames,
    /// Jaccard's index of names with values, over steps that have variables.
    JaccardPairs,
    /// The two-sample estimate of the Brier score (BrierLM's, over whole answers): 1 is best.
    TwoSampleBrier,
    /// Different answers among the samples of a step.
    DistinctSamples,
    /// The number of a program's first wrong step, over programs that have one.
    FirstFault,
    /// The longest run of right steps of a program.
    LongestRun,
}

impl Mean {
    /// All of them, in the order of a report.
    pub const ALL: [Mean; 7] = [
        Mean::Bits,
        Mean::JaccardNames,
        Mean::JaccardPairs,
        Mean::FirstFault,
        Mean::LongestRun,
        Mean::TwoSampleBrier,
        Mean::DistinctSamples,
    ];

    /// Its name in CSV and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Mean::Bits => "bits",
            Mean::JaccardNames => "jaccard-names",
            Mean::JaccardPairs => "jaccard-pairs",
            Mean::TwoSampleBrier => "two-sample-brier",
            Mean::DistinctSamples => "distinct-samples",
            Mean::FirstFault => "first-fault",
            Mean::LongestRun => "longest-run",
        }
    }

    /// Its name in reports.
    pub fn title(self) -> &'static str {
        match self {
            Mean::Bits => "bits a step",
            Mean::JaccardNames => "Jaccard of variables' names",
            Mean::JaccardPairs => "Jaccard of names with values",
            Mean::TwoSampleBrier => "two-sample Brier estimate",
            Mean::DistinctSamples => "different answers of the samples",
            Mean::FirstFault => "number of the first wrong step",
            Mean::LongestRun => "longest run of right steps",
        }
    }
}
