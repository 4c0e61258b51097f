//! The parts of a report that are no list of shares: numbers with a bootstrap's interval, and tables.

pub(super) mod cells;

use serde::Serialize;

use self::cells::{grouped, percent};
use super::bootstrap::Estimate;
use super::metrics::{Mean, Metrics};

/// A number of a report that is no share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Number {
    /// Its name in CSV and JSON.
    pub name: &'static str,
    /// Its name for people.
    #[serde(skip)]
    pub title: &'static str,
    /// The number.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// A table of a report. The first column names the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: &'static str,
    /// The headings of the columns.
    pub columns: Vec<&'static str>,
    /// As many cells a row as there are columns.
    pub rows: Vec<Vec<String>>,
}

/// All numbers of a report that are no shares, in its order.
pub fn numbers(metrics: &Metrics) -> Vec<Number> {
    let mean = |mean: Mean| {
        let estimate = metrics.mean(mean)?;
        Some(Number { name: mean.name(), title: mean.title(), estimate })
    };
    let mut numbers: Vec<Number> = Mean::ALL.into_iter().filter_map(mean).collect();
    if let Some(found) = metrics.calibration() {
        let (error, brier) = (found.error, found.brier);
        let title = "expected calibration error";
        numbers.push(Number { name: "calibration-error", title, estimate: error });
        let title = "Brier score of the confidence";
        numbers.push(Number { name: "confidence-brier", title, estimate: brier });
    }
    let area = metrics.ranking().and_then(|ranking| ranking.area);
    numbers.extend(area.map(|estimate| {
        let title = "failing programs ranked (AUC)";
        Number { name: "failure-auc", title, estimate }
    }));
    numbers
}

/// All tables of a report that hold something, in its order.
pub fn tables(metrics: &Metrics) -> Vec<Table> {
    let all = [reliability(metrics), jumps(metrics), exits(metrics), foretold(metrics)];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// The reliability diagram: bins without answers are left out.
fn reliability(metrics: &Metrics) -> Table {
    let bins = metrics.calibration().map(|found| found.bins).unwrap_or_default();
    let row = |bin: super::calibration::Bin| {
        let range = format!("{:.1} to {:.1}", bin.low, bin.high);
        let (confidence, right) = (bin.confidence?, bin.right?);
        Some(vec![range, percent(confidence), percent(right), grouped(bin.steps)])
    };
    Table {
        title: "how sure the model is, and how often right",
        columns: vec!["confidence", "mean", "right", "steps"],
        rows: bins.into_iter().filter_map(row).collect(),
    }
}

fn jumps(metrics: &Metrics) -> Table {
    let row = |(action, split): (&String, &super::jumps::JumpSplit)| {
        let counts = [split.both, split.only_jump, split.only_steps, split.neither];
        let cells = counts.map(|count| grouped(count as usize));
        std::iter::once(action.clone()).chain(cells).collect()
    };
    Table {
        title: "jumps, and all the single steps that lead to the same place",
        columns: vec!["jump", "both right", "only the jump", "only the steps", "neither"],
        rows: metrics.jumps.iter().map(row).collect(),
    }
}

fn exits(metrics: &Metrics) -> Table {
    let row = |((really, said), count): (&(String, String), &usize)| {
        vec![really.clone(), said.clone(), grouped(*count)]
    };
    Table {
        title: "how runs end, and what the model says",
        columns: vec!["the run", "the model says", "steps"],
        rows: metrics.exits.iter().map(row).collect(),
    }
}

fn foretold(metrics: &Metrics) -> Table {
    let row = |found: super::ranking::Ranking| {
        let share = |count: usize| percent(count as f64 / found.programs as f64);
        vec![grouped(found.programs), share(found.failing), share(found.right)]
    };
    Table {
        title: "how runs end, foretold from their first state",
        columns: vec!["programs", "fail", "foretold rightly"],
        rows: metrics.ranking().map(row).into_iter().collect(),
    }
}

impl Table {
    /// Lines of aligned text, the title first.
    pub fn plain(&self) -> String {
        let in_line = |row: &Vec<String>| row.iter().map(|cell| cells::line(cell)).collect();
        let rows = || std::iter::once(self.headings()).chain(self.rows.iter().map(in_line));
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| rows().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        let line = |row: Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate().map(|(number, (cell, &width))| {
                if number == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
        };
        let mut text = format!("{}\n", self.title);
        text.extend(rows().map(line));
        text
    }

    /// A Markdown table under its title.
    pub fn markdown(&self) -> String {
        let line = |row: &[String]| {
            let cells: Vec<String> = row.iter().map(|cell| cells::markdown(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", "---|".repeat(self.columns.len()));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}:\n\n{}{rule}{rows}", self.title, line(&self.headings()))
    }

    fn headings(&self) -> Vec<String> {
        self.columns.iter().map(|column| (*column).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned_in_text_and_escaped_in_markdown() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = vec![row(["breakpoint", "7"]), row(["x", "1,234"])];
        let table = Table { title: "jumps", columns: vec!["jump", "n"], rows };
        let expected = "jumps\n  jump            n\n  breakpoint      7\n  x           1,234\n";
        assert_eq!(table.plain(), expected);
        let expected = "jumps:\n\n| jump | n |\n|---|---|\n| breakpoint | 7 |\n| x | 1,234 |\n";
        assert_eq!(table.markdown(), expected);
        let table = Table { rows: vec![row(["a\nb|`c", "1"])], ..table };
        assert_eq!(table.plain(), "jumps\n  jump    n\n  a b|`c  1\n");
        assert!(table.markdown().ends_with("|---|---|\n| a b\\|\\`c | 1 |\n"));
    }
}
