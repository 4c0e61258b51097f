//! Reports of a log. Here are those of its numbers alone: text to read, Markdown, CSV and JSON. The
//! others, which tell steps too, are made while the log is read, each by its own sink (`report/write.rs`).

mod comparison;
mod findings;
mod format;
mod github;
mod html;
mod junit;
mod parquet;
mod sarif;
mod write;

pub use comparison::comparison;
pub use format::{Format, UnknownFormat};
pub use write::{Options, ReportError, Sources, Whole, write};

use std::fmt::{self, Write};

use serde_json::json;

use super::bootstrap::Estimate;
use super::metrics::{By, Metrics, Reasons, Row};
use super::recipe::Direction;
use super::record::Header;
use super::statistics::Share;
use super::tables::cells::{self, grouped, percent};
use super::tables::{self, Number};

/// A report of the numbers alone, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    /// To read in a terminal.
    Text,
    /// Markdown, for a pull request or a page.
    Markdown,
    /// A line a share.
    Csv,
    /// One object.
    Json,
}

/// The shares that come first, without a group.
const HEADLINES: [By; 10] = [
    By::Steps,
    By::Works,
    By::Format,
    By::Programs,
    By::Prefix,
    By::Path,
    By::State,
    By::Output,
    By::Coverage,
    By::Incremental,
];

/// The groups, in the order of a report.
const GROUPS: [By; 15] = [
    By::Action,
    By::Predecessor,
    By::ExactAt,
    By::WorksAt,
    By::Event,
    By::Field,
    By::Type,
    By::Change,
    By::Construct,
    By::Depth,
    By::Horizon,
    By::Skipped,
    By::SkippedAt,
    By::Jumps,
    By::Exit,
];

/// Most reasons that a remark lists.
const MAX_REASONS: usize = 10;

/// Writes a report of what a log says.
pub fn render(header: &Header, metrics: &Metrics, summary: Summary) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = match summary {
        Summary::Text => plain(&mut text, header, metrics),
        Summary::Markdown => markdown(&mut text, header, metrics),
        Summary::Csv => csv(&mut text, metrics),
        Summary::Json => writeln!(text, "{}", object(header, metrics)),
    };
    text
}

/// What was evaluated, in one line.
fn title(header: &Header, metrics: &Metrics) -> String {
    let recipe = &header.recipe;
    let part = match header.shard.of {
        1 => String::new(),
        of => format!(", part {} of {of}", header.shard.index),
    };
    format!(
        "{} on {} programs{part}: {} steps, policy {}, {}",
        recipe.model.label(),
        metrics.programs + metrics.refused.len(),
        grouped(metrics.steps),
        recipe.policy,
        match recipe.direction {
            Direction::Forward => recipe.mode.name(),
            Direction::Inverse => "going back",
        },
    )
}

fn plain(text: &mut String, header: &Header, metrics: &Metrics) -> fmt::Result {
    writeln!(text, "{}\n", cells::line(&title(header, metrics)))?;
    for by in HEADLINES {
        if let Some(share) = metrics.share(by, "") {
            plain_row(text, by.title(), &share)?;
        }
    }
    for Number { title, estimate, .. } in tables::numbers(metrics) {
        let (value, interval) = (estimate.value, number_interval(&estimate));
        write!(text, "  {title:<32} {value:>6.3}  {interval:<16}")?;
        writeln!(text, " {:>9} in {}", grouped(estimate.of as usize), estimate.programs)?;
    }
    let rows = metrics.rows();
    for by in GROUPS {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.by == by).collect();
        if rows.is_empty() {
            continue;
        }
        writeln!(text, "\n{}", by.title())?;
        for row in rows {
            plain_row(text, &cells::line(&row.key), &row.share)?;
        }
    }
    for table in tables::tables(metrics) {
        write!(text, "\n{}", table.plain())?;
    }
    for remark in remarks(metrics) {
        writeln!(text, "\n{}", cells::line(&remark))?;
    }
    Ok(())
}

fn plain_row(text: &mut String, name: &str, share: &Share) -> fmt::Result {
    let Share { of, programs, .. } = share;
    write!(text, "  {name:<32} {:>6}", percent(share.share))?;
    write!(text, "  {:<16}", interval(share))?;
    writeln!(text, " {:>9} in {programs}", grouped(*of as usize))
}

fn markdown(text: &mut String, header: &Header, metrics: &Metrics) -> fmt::Result {
    writeln!(text, "### {}\n", cells::markdown(&title(header, metrics)))?;
    let table = |text: &mut String, heading: &str, rows: Vec<(String, Share)>| {
        writeln!(text, "| {heading} | share | 95% | of | programs |\n|---|---|---|---|---|")?;
        for (name, share) in rows {
            let (share_text, interval) = (percent(share.share), interval(&share));
            let of = grouped(share.of as usize);
            writeln!(text, "| {name} | {share_text} | {interval} | {of} | {} |", share.programs)?;
        }
        writeln!(text)
    };
    let headline = |by: By| Some((by.title().to_owned(), metrics.share(by, "")?));
    table(text, "", HEADLINES.into_iter().filter_map(headline).collect())?;
    let numbers = tables::numbers(metrics);
    if !numbers.is_empty() {
        writeln!(text, "| | value | 95% | of | programs |\n|---|---|---|---|---|")?;
    }
    for Number { title, estimate, .. } in numbers {
        let (value, interval) = (estimate.value, number_interval(&estimate));
        let (of, programs) = (grouped(estimate.of as usize), estimate.programs);
        writeln!(text, "| {title} | {value:.3} | {interval} | {of} | {programs} |")?;
    }
    writeln!(text)?;
    let rows = metrics.rows();
    for by in GROUPS {
        let of_group = rows.iter().filter(|row| row.by == by);
        let of_group: Vec<_> = of_group.map(|row| (cells::code(&row.key), row.share)).collect();
        if !of_group.is_empty() {
            table(text, by.title(), of_group)?;
        }
    }
    for table in tables::tables(metrics) {
        writeln!(text, "{}", table.markdown())?;
    }
    let mut remarks = remarks(metrics).into_iter();
    remarks.try_for_each(|remark| writeln!(text, "{}\n", cells::markdown(&remark)))
}

/// A line a share, and a line a number that is none (`by` is then `number`).
fn csv(text: &mut String, metrics: &Metrics) -> fmt::Result {
    writeln!(text, "by,key,share,error,low,high,of,programs")?;
    let six = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
    let ends = |interval: Option<[f64; 2]>| {
        let [low, high] = [0, 1].map(|end| six(interval.map(|interval| interval[end])));
        format!("{low},{high}")
    };
    for Row { by, key, share } in metrics.rows() {
        let by = json!(by);
        let (by, key) = (by.as_str().unwrap_or_default(), cells::csv(key.trim()));
        let (error, interval) = (six(share.error), ends(share.interval));
        let Share { share, of, programs, .. } = share;
        writeln!(text, "{by},{key},{share:.6},{error},{interval},{of},{programs}")?;
    }
    for Number { name, estimate, .. } in tables::numbers(metrics) {
        let Estimate { of, programs, value, interval } = estimate;
        writeln!(text, "number,{name},{value:.6},,{},{of},{programs}", ends(interval))?;
    }
    Ok(())
}

fn object(header: &Header, metrics: &Metrics) -> serde_json::Value {
    let exits = metrics.exits.iter().map(
        |((really, said), count)| json!({ "real": really, "predicted": said, "steps": count }),
    );
    let refused = metrics.refused.iter().map(|(id, reason)| json!({ "id": id, "reason": reason }));
    json!({
        "recipe": header.recipe,
        "shard": header.shard,
        "programs": metrics.programs,
        "refused": refused.collect::<Vec<_>>(),
        "steps": metrics.steps,
        "unjudged": metrics.unjudged,
        "malformed": metrics.malformed,
        "restarts": metrics.restarts,
        "numbers": tables::numbers(metrics),
        "calibration": metrics.calibration(),
        "failures": metrics.ranking(),
        "jumps": metrics.jumps,
        "exits": exits.collect::<Vec<_>>(),
        "shares": metrics.rows(),
    })
}

/// What a reader should know before believing the numbers.
fn remarks(metrics: &Metrics) -> Vec<String> {
    let mut remarks = Vec::new();
    if metrics.programs < 30 {
        remarks.push(format!(
            "{} programs are few: the intervals are rough, and other programs may give other numbers.",
            metrics.programs
        ));
    }
    if let Some((id, reason)) = metrics.refused.first() {
        let (count, why) = (metrics.refused.len(), reason.lines().next().unwrap_or_default());
        remarks
            .push(format!("Not run, and counted nowhere: {count}, the first of them {id}: {why}"));
    }
    if !metrics.unjudged.is_empty() {
        remarks.push(format!("Steps without a verdict: {}", listed(&metrics.unjudged)));
    }
    if !metrics.malformed.is_empty() {
        remarks.push(format!("Malformed answers: {}", listed(&metrics.malformed)));
    }
    if metrics.restarts > 0 {
        remarks.push(format!(
            "The model's context was full and began anew {} times; what it had been told before that \
             was lost to it.",
            grouped(metrics.restarts)
        ));
    }
    remarks
}

/// The most frequent reasons, in one line.
fn listed(reasons: &Reasons) -> String {
    let all = reasons.most_frequent();
    let told = all.iter().take(MAX_REASONS).map(|(why, count)| format!("{count} × {why}"));
    let mut listed = told.collect::<Vec<_>>().join("; ");
    if let Some(rest @ [_, ..]) = all.get(MAX_REASONS..) {
        let count: usize = rest.iter().map(|(_, count)| count).sum();
        listed.push_str(&format!("; {count} for {} more reasons", rest.len()));
    }
    listed
}

fn interval(share: &Share) -> String {
    match share.interval {
        Some([low, high]) => format!("[{:.1}, {:.1}]", low * 100.0, high * 100.0),
        None => String::new(),
    }
}

fn number_interval(estimate: &Estimate) -> String {
    match estimate.interval {
        Some([low, high]) => format!("[{low:.3}, {high:.3}]"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::record::{
        ForecastRecord, MalformedRecord, ProgramRecord, SampleRecord, Status, StepRecord,
    };

    /// Two programs that were walked, one of them with faults, and one that could not be run.
    fn metrics() -> Metrics {
        let mut metrics = Metrics::default();
        let mut wrong = step(0, 2, false);
        (wrong.exit, wrong.predicted_exit) = (Some("error".into()), Some("normal".into()));
        metrics.add(&program(0, 2), &[step(0, 1, true), wrong]);
        let mut unjudged = step(1, 2, true);
        (unjudged.agree, unjudged.unjudged) = (None, Some("the real run was stopped".into()));
        metrics.add(&program(1, 2), &[step(1, 1, true), unjudged]);
        let status = Status::Refused { reason: "it does not compile".into() };
        metrics.add(&ProgramRecord { place: 2, id: "p2".into(), status }, &[]);
        metrics
    }

    #[test]
    fn a_report_to_read() {
        insta::assert_snapshot!(render(&header(), &metrics(), Summary::Text));
    }

    #[test]
    fn a_report_in_markdown() {
        insta::assert_snapshot!(render(&header(), &metrics(), Summary::Markdown));
    }

    #[test]
    fn a_report_as_csv() {
        insta::assert_snapshot!(render(&header(), &metrics(), Summary::Csv));
    }

    /// A program chooses the name of the class that ends it, a model what it writes.
    #[test]
    fn nothing_that_a_program_or_a_model_says_leaves_its_place() {
        let mut metrics = Metrics::default();
        let mut raised = step(0, 1, false);
        raised.exit = Some("error".into());
        raised.error = Some("a,\"b\"\n| <img> `".into());
        let malformed = |number: usize| {
            let reason = format!("rule {number} | <b>\n: `x{number}`");
            let malformed = Some(MalformedRecord { reason, raw: String::new() });
            StepRecord { malformed, ..step(0, number, false) }
        };
        let steps: Vec<_> = std::iter::once(raised).chain((2..14).map(malformed)).collect();
        metrics.add(&program(0, steps.len()), &steps);

        let csv = render(&header(), &metrics, Summary::Csv);
        assert!(csv.contains("exit,\"error (a,\"\"b\"\"\n| <img> `)\",0.000000,"), "{csv}");
        let markdown = render(&header(), &metrics, Summary::Markdown);
        let class = r#"error (a,"b" \| \<img\> \`)"#;
        assert_eq!(markdown.matches(&format!("| {class} |")).count(), 2, "{markdown}");
        assert!(!markdown.contains("<b>") && !markdown.contains("x2"), "{markdown}");
        assert!(markdown.ends_with("; 2 for 2 more reasons\n\n"), "{markdown}");
        let text = render(&header(), &metrics, Summary::Text);
        assert!(text.contains("\n  error (a,\"b\" | <img> `)"), "{text}");
    }

    /// Four programs, two of which fail, walked by a horizon study: the model foretells all but one,
    /// is right at the single steps but for the last program's, and sure of all it says.
    #[test]
    fn a_report_of_how_far_how_sure_and_what_fails() {
        let mut metrics = Metrics::default();
        for (place, error) in [0.1, 0.4, 0.35, 0.8].into_iter().enumerate() {
            let (fails, is_right) = (place >= 2, place < 3);
            let exit = if fails { "error" } else { "normal" }.to_owned();
            let class = fails.then(|| "KeyError".to_owned());
            let (normal, never) = (1.0 - error, 0.0);
            let forecast = Some(ForecastRecord { normal, error, never, exit, class });
            let status = Status::Done { steps: 3, exit: None, statements: vec![1, 2], forecast };
            let sample = |same_as, agree| SampleRecord { same_as, agree, verdict: None };
            let single = |number, confidence| StepRecord {
                confidence: Some(confidence),
                samples: vec![sample(0, is_right), sample(1, false)],
                ..step(place, number, is_right)
            };
            let jump = StepRecord {
                action: "step_return".into(),
                from: 0,
                horizon: Some(2),
                frame: Some(3),
                confidence: Some(0.5),
                ..step(place, 3, place == 0)
            };
            let steps = [single(1, 0.95), single(2, 0.85), jump];
            let program = ProgramRecord { place, id: format!("p{place}"), status };
            metrics.add(&program, &steps);
        }
        insta::assert_snapshot!(render(&header(), &metrics, Summary::Text));
    }
}
