//! Reports of a log. Here are those of its numbers alone: text to read, Markdown, CSV and JSON. The
//! others, which tell steps too, are made while the log is read, each by its own [`Sink`].

mod findings;
mod format;
mod github;
mod html;
mod junit;
mod parquet;
mod sarif;
mod write;

pub use format::{Format, UnknownFormat};
pub use write::{Options, ReportError, Sources, Whole, write};

use std::fmt::{self, Write};

use serde_json::json;

use super::bootstrap::Estimate;
use super::compare::Comparison;
use super::metrics::{By, Metrics, Row};
use super::recipe::Direction;
use super::record::Header;
use super::statistics::{PairedDifference, Share};
use super::tables::{self, Number, Table};

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
    writeln!(text, "{}\n", title(header, metrics))?;
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
            plain_row(text, row.key.trim(), &row.share)?;
        }
    }
    for table in tables::tables(metrics) {
        write!(text, "\n{}", table.plain())?;
    }
    for remark in remarks(metrics) {
        writeln!(text, "\n{remark}")?;
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
    writeln!(text, "### {}\n", title(header, metrics))?;
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
        let of_group: Vec<_> =
            of_group.map(|row| (format!("`{}`", row.key.trim()), row.share)).collect();
        if !of_group.is_empty() {
            table(text, by.title(), of_group)?;
        }
    }
    for table in tables::tables(metrics) {
        writeln!(text, "{}", table.markdown())?;
    }
    remarks(metrics).iter().try_for_each(|remark| writeln!(text, "{remark}\n"))
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
        let (by, key) = (by.as_str().unwrap_or_default(), key.trim());
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
        let reasons: Vec<String> =
            metrics.unjudged.iter().map(|(why, count)| format!("{count} × {why}")).collect();
        remarks.push(format!("Steps without a verdict: {}", reasons.join("; ")));
    }
    if !metrics.malformed.is_empty() {
        let reasons: Vec<String> =
            metrics.malformed.iter().map(|(why, count)| format!("{count} × {why}")).collect();
        remarks.push(format!("Malformed answers: {}", reasons.join("; ")));
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

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
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

/// A difference of shares, in points.
fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    crate::python::Grouped(number as u64).to_string()
}

/// What two logs say of each other, as text.
pub fn comparison(found: &Comparison) -> String {
    let mut text = String::new();
    let _ = compared(&mut text, found);
    text
}

fn compared(text: &mut String, found: &Comparison) -> fmt::Result {
    let names = [&found.first, &found.second].map(|recipe| {
        let digest: String = recipe.model.sha256.chars().take(8).collect();
        format!("{} ({digest})", recipe.model.label())
    });
    writeln!(text, "{} → {}\n", names[0], names[1])?;
    let Some(difference) = &found.difference else {
        return writeln!(text, "No step has a verdict in both logs.");
    };
    write!(text, "  difference {} points", points(difference.difference))?;
    if let Some([low, high]) = difference.interval {
        write!(text, ", 95% [{}, {}]", points(low), points(high))?;
    }
    let (of, programs) = (grouped(difference.of as usize), difference.programs);
    writeln!(text, "; {of} steps in {programs} programs")?;
    let (only_first, only_second) = (difference.only_first, difference.only_second);
    writeln!(
        text,
        "  {only_second} steps became right, {only_first} wrong; McNemar p = {:.2e}",
        difference.mcnemar
    )?;
    if found.unpaired > 0 {
        let unpaired = grouped(found.unpaired);
        writeln!(
            text,
            "  {unpaired} steps are not compared: only one log has them or their verdict"
        )?;
    }
    if difference.is_noise() {
        write!(text, "\nThis difference is within noise")?;
        match difference.needed {
            Some(needed) => writeln!(
                text,
                ": to see one of this size 8 times in 10 takes {} programs.",
                grouped(needed as usize)
            )?,
            None => writeln!(text, ".")?,
        }
    }
    if let Some(power) = found.power {
        let (gap, programs) = (power.gap * 100.0, grouped(power.programs as usize));
        writeln!(
            text,
            "\nTo see {gap} points 8 times in 10 takes {programs} programs like these."
        )?;
    }
    if found.by_action.len() > 1 {
        let row = |(action, difference): (&String, &PairedDifference)| {
            let interval = difference
                .interval
                .map(|[low, high]| format!("[{}, {}]", points(low), points(high)));
            let mark = if difference.is_noise() { "noise" } else { "" };
            let of = grouped(difference.of as usize);
            let points = points(difference.difference);
            vec![action.clone(), points, interval.unwrap_or_default(), of, mark.to_owned()]
        };
        let columns = vec!["action", "points", "95%", "steps", ""];
        let rows = found.by_action.iter().map(row).collect();
        write!(text, "\n{}", Table { title: "by action", columns, rows }.plain())?;
    }
    if !found.flips.is_empty() {
        writeln!(text, "\nsteps that became right (+) or wrong (-)")?;
    }
    for flip in &found.flips {
        let sign = if flip.better { '+' } else { '-' };
        let fields = flip.fields.join(", ");
        let (program, step, line) = (&flip.program, flip.step, flip.line);
        let action = flip.action.split(':').next().unwrap_or_default();
        writeln!(text, "{sign} {program}:{line} step {step} {action}: {fields}")?;
    }
    if found.flipped > found.flips.len() {
        writeln!(text, "… and {} more", grouped(found.flipped - found.flips.len()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::record::{ForecastRecord, ProgramRecord, SampleRecord, Status, StepRecord};

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
