//! One page with everything: plots, timelines of programs, and steps to search and filter.
//!
//! The page is one file and asks for nothing from a network. What a program or a model said goes into
//! it as JSON (`json.rs`) and reaches the reader as text alone. It is written while the log is read:
//! of a large log the first steps are held one by one, and the numbers are those of all.

mod crossed;
mod json;
mod steps;

use std::io::{self, Write};

use serde_json::json;

use self::crossed::Crossed;
use self::steps::Strings;
use super::write::{Options, Sink, Sources, Whole};
use super::{GROUPS, HEADLINES, object, remarks, title};
use crate::eval::metrics::By;
use crate::eval::record::{ProgramRecord, StepRecord};

const STYLE: &str = include_str!("html/style.css");
const BODY: &str = include_str!("html/body.html");

/// One script, in its order.
const SCRIPT: [&str; 6] = [
    include_str!("html/data.js"),
    include_str!("html/plots.js"),
    include_str!("html/list.js"),
    include_str!("html/timeline.js"),
    include_str!("html/detail.js"),
    include_str!("html/explorer.js"),
];

/// Up to the style. The policy lets nothing in from elsewhere, whatever a text may hold.
const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">
<title>Lockstep</title>
<style>
";

/// The page, as it is written.
pub(super) struct Page<'a, W> {
    sources: Sources<'a>,
    /// How many more steps are told one by one.
    left: usize,
    /// How many programs are.
    listed: usize,
    strings: Strings,
    crossed: Crossed,
    out: W,
}

impl<'a, W: Write> Page<'a, W> {
    pub fn begin(options: &Options<'a>, mut out: W) -> io::Result<Self> {
        write!(out, "{HEAD}{STYLE}</style>\n</head>\n<body>\n{BODY}")?;
        write!(out, "<script type=\"application/json\" id=\"programs\">[")?;
        Ok(Page {
            sources: options.sources,
            left: options.most_steps,
            listed: 0,
            strings: Strings::default(),
            crossed: Crossed::default(),
            out,
        })
    }
}

impl<W: Write> Sink for Page<'_, W> {
    fn program(&mut self, program: &ProgramRecord, steps: Vec<StepRecord>) -> io::Result<()> {
        self.crossed.add(&steps);
        if self.left == 0 || steps.is_empty() {
            return Ok(());
        }
        let told = &steps[..steps.len().min(self.left)];
        let comma = if self.listed == 0 { "\n" } else { ",\n" };
        self.out.write_all(comma.as_bytes())?;
        let source = (self.sources)(program.place);
        let object = steps::program(program, source, told, steps.len(), &mut self.strings);
        json::write(&object, &mut self.out)?;
        self.left -= told.len();
        self.listed += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>, whole: &Whole) -> io::Result<()> {
        let Whole { header, metrics } = whole;
        let named = |by: &By| json!([by, by.title()]);
        let (held, of) = whole.programs();
        let numbers = json!({
            "title": title(header, metrics),
            "report": object(header, metrics),
            "remarks": remarks(metrics),
            "headlines": HEADLINES.iter().map(named).collect::<Vec<_>>(),
            "groups": GROUPS.iter().map(named).collect::<Vec<_>>(),
            "held": held,
            "of": of,
            "listed": self.listed,
            "crossed": self.crossed.rows(),
            "strings": self.strings.list(),
        });
        write!(self.out, "]</script>\n<script type=\"application/json\" id=\"numbers\">")?;
        json::write(&numbers, &mut self.out)?;
        write!(self.out, "</script>\n<script>\n\"use strict\";\n")?;
        SCRIPT.iter().try_for_each(|part| self.out.write_all(part.as_bytes()))?;
        write!(self.out, "</script>\n</body>\n</html>\n")?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::log::tests::{header, program, step};
    use crate::eval::metrics::Metrics;
    use crate::eval::report::Format;

    fn page(most_steps: usize, programs: &[(&str, Vec<StepRecord>)]) -> String {
        let (mut metrics, mut out) = (Metrics::default(), Vec::new());
        let sources = |place| (place == 0).then(|| "</script><script>alert(1)".to_owned());
        let options = Options { format: Format::Html, sources: &sources, most_steps, least: None };
        let mut page = Box::new(Page::begin(&options, &mut out).unwrap());
        for (place, (id, steps)) in programs.iter().enumerate() {
            let ended = ProgramRecord { id: (*id).into(), ..program(place, steps.len()) };
            metrics.add(&ended, steps);
            page.program(&ended, steps.clone()).unwrap();
        }
        page.finish(&Whole { header: header(), metrics }).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// What a script element of the page holds.
    fn data(page: &str, id: &str) -> serde_json::Value {
        let start = page.split_once(&format!("id=\"{id}\">")).unwrap().1;
        serde_json::from_str(start.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn no_text_leaves_its_place() {
        let evil = "</ScRiPt><!--<script>\u{2028}]]>&amp;'\"`${x}";
        let mut wrong = step(0, 1, false);
        wrong.diff[0].predicted = Some(evil.into());
        let page = page(10, &[(evil, vec![wrong])]);
        assert_eq!(page.matches("<script").count(), 3);
        assert_eq!(page.to_lowercase().matches("</script").count(), 3);
        assert!(!page.contains("<!--") && !page.contains('\u{2028}'));
        let programs = data(&page, "programs");
        assert_eq!(programs[0]["id"], evil);
        assert_eq!(programs[0]["source"], "</script><script>alert(1)");
        let strings = data(&page, "numbers")["strings"].clone();
        assert!(strings.as_array().unwrap().contains(&json!(evil)));
    }

    #[test]
    fn of_many_steps_the_first_are_told_and_all_are_counted() {
        let steps = |place| (1..=4).map(|n| step(place, n, n > 1)).collect::<Vec<_>>();
        let programs = [("a", steps(0)), ("b", steps(1)), ("c", steps(2))];
        let page = page(6, &programs);
        let told = data(&page, "programs");
        let lengths: Vec<_> =
            told.as_array().unwrap().iter().map(|p| p["steps"].as_array().unwrap().len()).collect();
        assert_eq!(lengths, [4, 2]);
        assert_eq!(told[1]["of"], 4);
        let numbers = data(&page, "numbers");
        assert_eq!((&numbers["report"]["steps"], &numbers["listed"]), (&json!(12), &json!(2)));
        assert_eq!((&numbers["held"], &numbers["of"]), (&json!(3), &json!(3)));
    }

    #[test]
    fn the_page_asks_for_nothing() {
        let page = page(0, &[]);
        for word in ["http://", "https://", "src=", "@import", "url(", "fetch(", "innerHTML"] {
            let found = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(word), "{word}");
        }
    }
}
