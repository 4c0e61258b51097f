//! The page, opened and clicked through in a headless Chromium: `LOCKSTEP_CHROMIUM` names one, else
//! it is looked for on the PATH. Without a browser there is nothing to test, and the test says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::bench;
use crate::support::Bench;

/// Clicks through the page and leaves what it found in an element.
const CLICKS: &str = include_str!("clicks.js");

/// As browsers are called.
const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "chrome", "chrome-headless-shell"];

fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("LOCKSTEP_CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let places =
        std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// Opens a page until it has nothing more to do; what it looks like then.
fn opened(browser: &Path, bench: &Bench, page: &str) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000"])
        .arg(format!("--user-data-dir={}", bench.path().join("browser").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", bench.path().join(page).display()))
        .env("HOME", bench.path())
        .output()
        .expect("the browser starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A page that shows the other in a frame of this width, which no window could have, and writes down
/// what it is told.
fn frame(width: u32) -> String {
    format!(
        "<script>onmessage = (event) => {{ document.title = event.data; }}</script>\n\
         <iframe src=\"clicked.html\" style=\"width: {width}px; height: 900px\"></iframe>\n"
    )
}

#[test]
fn the_page_is_clicked_through() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium on the PATH, and LOCKSTEP_CHROMIUM names none");
        return;
    };
    let bench = bench();
    bench.ok(&["report", "eval.jsonl", "--format", "html", "--corpus", "c", "--out", "page.html"]);
    let page = std::fs::read_to_string(bench.path().join("page.html")).unwrap();
    let clicks = format!("<script>\n{CLICKS}</script></body>");
    bench.write("clicked.html", page.replace("</body>", &clicks));
    for width in [1300, 380] {
        bench.write("frame.html", frame(width));
        let dom = opened(&browser, &bench, "frame.html");
        let found = dom.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
        let (found, _) = found.unwrap_or_else(|| panic!("the clicks did not end:\n{dom}"));
        let expected = format!(" are as they should be, {width} wide");
        assert!(found.starts_with("all of ") && found.ends_with(&expected), "{found}");
    }
}
