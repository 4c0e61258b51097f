//! The forms of a report, by their names.

use std::str::FromStr;

use super::Summary;

/// A form of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The numbers alone.
    Summary(Summary),
    /// A page with plots, timelines and all steps, in one file.
    Html,
    /// The steps as a table of columns.
    Parquet,
    /// A test case a program.
    Junit,
    /// A result a wrong step.
    Sarif,
    /// Annotations by GitHub's workflow commands.
    Github,
}

/// All of them, as they are called.
const NAMES: [(&str, Format); 9] = [
    ("text", Format::Summary(Summary::Text)),
    ("markdown", Format::Summary(Summary::Markdown)),
    ("csv", Format::Summary(Summary::Csv)),
    ("json", Format::Summary(Summary::Json)),
    ("html", Format::Html),
    ("parquet", Format::Parquet),
    ("junit", Format::Junit),
    ("sarif", Format::Sarif),
    ("github", Format::Github),
];

impl Format {
    /// Whether it is nothing that a terminal could show.
    pub fn is_for_files(self) -> bool {
        matches!(self, Format::Html | Format::Parquet)
    }
}

/// A word that names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no format; formats are: {list}", list = NAMES.map(|(name, _)| name).join(", "))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        let name = if word == "md" { "markdown" } else { word };
        let named = NAMES.into_iter().find(|(known, _)| *known == name);
        named.map(|(_, format)| format).ok_or_else(|| UnknownFormat(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_as_they_are_called() {
        assert_eq!("md".parse(), Ok(Format::Summary(Summary::Markdown)));
        assert_eq!("sarif".parse(), Ok(Format::Sarif));
        let error = "pdf".parse::<Format>().unwrap_err().to_string();
        let expected = "`pdf` is no format; formats are: text, markdown, csv, json, html, parquet, \
                        junit, sarif, github";
        assert_eq!(error, expected);
    }
}
