//! Reports of a log: as text to read, Markdown, CSV or JSON.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde_json::json;

use super::metrics::{By, Metrics, Row};
use super::record::Header;
use super::statistics::Share;

/// A form of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// To read in a terminal.
    Text,
    /// Markdown, for a pull request or a page.
    Markdown,
    /// A line a share.
    Csv,
    /// One object.
    Json,
}

/// A word that names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no format; formats are: text, markdown, csv, json")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        match word {
            "text" => Ok(Format::Text),
            "markdown" | "md" => Ok(Format::Markdown),
            "csv" => Ok(Format::Csv),
            "json" => Ok(Format::Json),
            _ => Err(UnknownFormat(word.to_owned())),
        }
    }
}

/// The shares that come first, without a group.
const HEADLINES: [By; 8] = [
    By::Steps,
    By::Format,
    By::Programs,
    By::Prefix,
    By::Path,
    By::State,
    By::Output,
    By::Coverage,
];

/// The groups, in the order of a report.
const GROUPS: [By; 8] =
    [By::Action, By::Event, By::Field, By::Type, By::Change, By::Construct, By::Depth, By::Horizon];

/// Writes a report of what a log says.
pub fn render(header: &Header, metrics: &Metrics, format: Format) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = match format {
        Format::Text => plain(&mut text, header, metrics),
        Format::Markdown => markdown(&mut text, header, metrics),
        Format::Csv => csv(&mut text, metrics),
        Format::Json => writeln!(text, "{}", object(header, metrics)),
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
        recipe.model.name,
        metrics.programs + metrics.refused.len(),
        grouped(metrics.steps),
        recipe.policy,
        recipe.mode.name(),
    )
}

fn plain(text: &mut String, header: &Header, metrics: &Metrics) -> fmt::Result {
    writeln!(text, "{}\n", title(header, metrics))?;
    for by in HEADLINES {
        if let Some(share) = metrics.share(by, "") {
            plain_row(text, by.title(), &share)?;
        }
    }
    for (name, value) in means(metrics) {
        writeln!(text, "  {name:<32} {value}")?;
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
    if !metrics.exits.is_empty() {
        writeln!(text, "\nhow runs end, and what the model says")?;
        for ((really, said), count) in &metrics.exits {
            writeln!(text, "  {really:<10} said {said:<10} {count:>7}")?;
        }
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
    for (name, value) in means(metrics) {
        writeln!(text, "- {name}: {value}")?;
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
    if !metrics.exits.is_empty() {
        writeln!(text, "| the run | the model says | steps |\n|---|---|---|")?;
        for ((really, said), count) in &metrics.exits {
            writeln!(text, "| {really} | {said} | {count} |")?;
        }
        writeln!(text)?;
    }
    remarks(metrics).iter().try_for_each(|remark| writeln!(text, "{remark}\n"))
}

fn csv(text: &mut String, metrics: &Metrics) -> fmt::Result {
    writeln!(text, "by,key,share,error,low,high,of,programs")?;
    for Row { by, key, share } in metrics.rows() {
        let by = json!(by);
        let number =
            |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
        writeln!(
            text,
            "{},{},{:.6},{},{},{},{},{}",
            by.as_str().unwrap_or_default(),
            key.trim(),
            share.share,
            number(share.error),
            number(share.interval.map(|[low, _]| low)),
            number(share.interval.map(|[_, high]| high)),
            share.of,
            share.programs,
        )?;
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
        "bits": metrics.mean_bits(),
        "jaccard_names": metrics.mean_names(),
        "jaccard_pairs": metrics.mean_pairs(),
        "exits": exits.collect::<Vec<_>>(),
        "shares": metrics.rows(),
    })
}

/// What is a mean and no share.
fn means(metrics: &Metrics) -> Vec<(&'static str, String)> {
    let three = |value: f64| format!("{value:>6.3}");
    [
        ("bits a step", metrics.mean_bits()),
        ("Jaccard of variables' names", metrics.mean_names()),
        ("Jaccard of names with values", metrics.mean_pairs()),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, three(value?))))
    .collect()
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

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    crate::python::Grouped(number as u64).to_string()
}

/// What two logs say of each other, as text.
pub fn comparison(found: &super::compare::Comparison) -> String {
    let mut text = String::new();
    let _ = compared(&mut text, found);
    text
}

fn compared(text: &mut String, found: &super::compare::Comparison) -> fmt::Result {
    let names = [&found.first, &found.second].map(|recipe| {
        let digest: String = recipe.model.sha256.chars().take(8).collect();
        format!("{} ({digest})", recipe.model.name)
    });
    writeln!(text, "{} → {}\n", names[0], names[1])?;
    let Some(difference) = &found.difference else {
        return writeln!(text, "No step has a verdict in both logs.");
    };
    let points = |value: f64| format!("{:+.1}", value * 100.0);
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
    use crate::eval::record::{ProgramRecord, Status};

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
        insta::assert_snapshot!(render(&header(), &metrics(), Format::Text));
    }

    #[test]
    fn a_report_in_markdown() {
        insta::assert_snapshot!(render(&header(), &metrics(), Format::Markdown));
    }

    #[test]
    fn a_report_as_csv() {
        insta::assert_snapshot!(render(&header(), &metrics(), Format::Csv));
    }

    #[test]
    fn formats_are_read_as_they_are_called() {
        assert_eq!("md".parse(), Ok(Format::Markdown));
        let error = "html".parse::<Format>().unwrap_err().to_string();
        assert_eq!(error, "`html` is no format; formats are: text, markdown, csv, json");
    }
}
