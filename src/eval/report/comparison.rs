//! What two logs say of each other, as text.

use std::fmt::{self, Write};

use crate::eval::compare::{Comparison, Power};
use crate::eval::statistics::PairedDifference;
use crate::eval::tables::Table;
use crate::eval::tables::cells::grouped;

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
    if let Some(interval) = difference.interval {
        write!(text, ", 95% {}", ends(interval))?;
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
    sureness(text, difference)?;
    if let Some(power) = &found.power {
        gap(text, power)?;
    }
    by_action(text, found)?;
    flips(text, found)
}

/// Whether the difference can be told from chance.
fn sureness(text: &mut String, difference: &PairedDifference) -> fmt::Result {
    match (difference.interval, difference.needed) {
        (None, _) if difference.only_first + difference.only_second == 0 => {
            writeln!(text, "\nNo verdict differs.")
        }
        (None, _) if difference.programs < 2 => {
            writeln!(
                text,
                "\nOne program tells nothing of how others differ: there is no interval."
            )
        }
        (None, _) => writeln!(
            text,
            "\nAll programs differ alike, which tells nothing of how others would: there is no \
             interval."
        ),
        (Some(_), _) if !difference.is_noise() => Ok(()),
        (Some(_), None) => writeln!(text, "\nThis difference is within noise."),
        (Some(_), Some(needed)) => writeln!(
            text,
            "\nThis difference is within noise: to see one of this size 8 times in 10 takes {} \
             programs.",
            grouped(needed as usize)
        ),
    }
}

/// What it takes to see the gap that was asked about.
fn gap(text: &mut String, power: &Power) -> fmt::Result {
    // As it was given: times 100 it may have a tail of digits.
    let points = (power.gap * 1e6).round() / 1e4;
    match power.programs {
        Some(programs) => writeln!(
            text,
            "\nTo see {points} points 8 times in 10 takes {} programs like these.",
            grouped(programs as usize)
        ),
        None => writeln!(
            text,
            "\nHow many programs it takes to see {points} points can't be told from these."
        ),
    }
}

fn by_action(text: &mut String, found: &Comparison) -> fmt::Result {
    if found.by_action.len() < 2 {
        return Ok(());
    }
    let row = |(action, difference): (&String, &PairedDifference)| {
        let interval = difference.interval.map(ends);
        let mark = match (&interval, difference.is_noise()) {
            (None, _) => "unknown",
            (Some(_), true) => "noise",
            (Some(_), false) => "",
        };
        let of = grouped(difference.of as usize);
        let points = points(difference.difference);
        vec![action.clone(), points, interval.unwrap_or_default(), of, mark.to_owned()]
    };
    let columns = vec!["action", "points", "95%", "steps", ""];
    let rows = found.by_action.iter().map(row).collect();
    write!(text, "\n{}", Table { title: "by action", columns, rows }.plain())
}

fn flips(text: &mut String, found: &Comparison) -> fmt::Result {
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

/// A difference of shares, in points.
fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

fn ends([low, high]: [f64; 2]) -> String {
    format!("[{}, {}]", points(low), points(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::compare::compare;
    use crate::eval::log::tests::log;

    fn told(first: &[(usize, &[bool])], second: &[(usize, &[bool])]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, programs| {
            let path = folder.path().join(name);
            std::fs::write(&path, log(programs)).unwrap();
            path
        };
        let mut found = compare(&write("a", first), &write("b", second)).unwrap();
        found.ask_power(0.07);
        comparison(&found)
    }

    #[test]
    fn programs_that_all_flip_tell_no_interval_and_no_power() {
        let told = told(&[(0, &[false]), (1, &[false])], &[(0, &[true]), (1, &[true])]);
        insta::assert_snapshot!(told, @r"
        m (00) → m (00)

          difference +100.0 points; 2 steps in 2 programs
          2 steps became right, 0 wrong; McNemar p = 5.00e-1

        All programs differ alike, which tells nothing of how others would: there is no interval.

        How many programs it takes to see 7 points can't be told from these.

        steps that became right (+) or wrong (-)
        + p0:1 step 1 step_into: source
        + p1:1 step 1 step_into: source
        ");
    }

    #[test]
    fn a_difference_within_noise_says_what_it_takes() {
        let first: [(usize, &[bool]); 3] = [(0, &[true, false]), (1, &[true]), (2, &[true])];
        let second: [(usize, &[bool]); 3] = [(0, &[true, true]), (1, &[true]), (2, &[true])];
        insta::assert_snapshot!(told(&first, &second), @r"
        m (00) → m (00)

          difference +25.0 points, 95% [-11.7, +61.7]; 4 steps in 3 programs
          1 steps became right, 0 wrong; McNemar p = 1.00e0

        This difference is within noise: to see one of this size 8 times in 10 takes 14 programs.

        To see 7 points 8 times in 10 takes 169 programs like these.

        steps that became right (+) or wrong (-)
        + p0:1 step 2 step_into: source
        ");
    }
}
