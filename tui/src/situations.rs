//! Moments of a session for the tests: a program that partitions a list, and what a model says.

use std::sync::Arc;

use crate::page::{Item, Page};
use crate::snapshot::{
    Breakpoint, Field, Frame, Mode, Notice, Prediction, Real, Row, Snapshot, Tally, Text, Verdict,
};

const PROGRAM: &str = "\
\"\"\"Sorts a list in place, by Hoare's quicksort with the last item as pivot.\"\"\"


def partition(items, low, high):
    pivot = items[high]
    i = low - 1
    for j in range(low, high):
        if items[j] <= pivot:
            i += 1
            items[i], items[j] = items[j], items[i]
    items[i + 1], items[high] = items[high], items[i + 1]
    return i + 1


def quicksort(items, low, high):
    if low < high:
        p = partition(items, low, high)
        quicksort(items, low, p - 1)
        quicksort(items, p + 1, high)


def main():
    items = [33, 4, 15, 42, 8, 23, 16]
    quicksort(items, 0, len(items) - 1)
    print(items)
    return items


if __name__ == \"__main__\":
    result = main()
    assert result == sorted(result)
";

const ITEMS: &str = "[4, 15, 33, 42, 8, 23, 16]";

pub(crate) fn locals(pairs: &[(&str, &str)]) -> Arc<[(Text, Text)]> {
    pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
}

fn frame(function: &str, line: u32, pairs: &[(&str, &str)]) -> Frame {
    Frame { function: function.into(), line, locals: locals(pairs) }
}

pub(crate) fn same(field: Field, text: &str) -> Row {
    Row {
        field,
        real: Some(text.into()),
        predicted: Some(text.into()),
        verdict: Verdict::Same,
        changed: false,
    }
}

pub(crate) fn variable(name: &str) -> Field {
    Field::Variable(name.into())
}

fn stopped(event: &str, line: u32) -> Real {
    let stack = Arc::new([
        frame("main", 24, &[("items", ITEMS)]),
        frame("quicksort", 17, &[("items", ITEMS), ("low", "0"), ("high", "6")]),
        frame("partition", line, &[]),
    ]);
    Real::At { event: event.into(), stack }
}

/// Replaces the row of a field, or adds one.
pub(crate) fn with_row(mut snapshot: Snapshot, row: Row) -> Snapshot {
    let mut rows = snapshot.rows.to_vec();
    match rows.iter_mut().find(|old| old.field == row.field) {
        Some(old) => *old = row,
        None => rows.push(row),
    }
    snapshot.rows = rows.into();
    snapshot
}

/// Both sides agree.
pub(crate) fn agreeing() -> Snapshot {
    Snapshot {
        request: 0,
        program: "quicksort.py".into(),
        source: PROGRAM.lines().map(Text::from).collect(),
        real: stopped("line", 9),
        predicted: Prediction::At { event: "line".into(), lines: Arc::new([9]) },
        rows: Arc::new([
            same(Field::Event, "line"),
            same(Field::Line, "i += 1"),
            same(variable("items"), ITEMS),
            same(variable("low"), "0"),
            same(variable("high"), "6"),
            same(variable("pivot"), "16"),
            same(variable("i"), "0"),
            Row { changed: true, ..same(variable("j"), "2") },
        ]),
        breakpoints: [(5, Breakpoint::On), (12, Breakpoint::Off)].into(),
        mode: Mode::Follow,
        action: Some("step into".into()),
        step: 14,
        index: Some(37),
        tally: Tally { compared: 14, agreed: 12, malformed: 1 },
        bits: Some(0.31),
        model: Some("tiny-nd-8m".into()),
        notice: None,
        output: Arc::new([]),
        running: None,
        can_undo: true,
        branch: None,
        asks: None,
        page: None,
    }
}

/// Two variables differ, one is missing, one is extra.
pub(crate) fn diverging_variable() -> Snapshot {
    let diverging = Row {
        predicted: Some("[4, 33, 15, 42, 8, 23, 16]".into()),
        verdict: Verdict::Changed,
        changed: true,
        ..same(variable("items"), ITEMS)
    };
    let missing =
        Row { predicted: None, verdict: Verdict::Missing, ..same(variable("pivot"), "16") };
    let extra = Row { real: None, verdict: Verdict::Extra, ..same(variable("k"), "3") };
    let snapshot = with_row(with_row(with_row(agreeing(), diverging), missing), extra);
    Snapshot { bits: Some(11.8), ..snapshot }
}

/// The model took the other branch.
pub(crate) fn diverging_line() -> Snapshot {
    let line = Row {
        predicted: Some("for j in range(low, high):".into()),
        verdict: Verdict::Changed,
        ..same(Field::Line, "i += 1")
    };
    Snapshot {
        predicted: Prediction::At { event: "line".into(), lines: Arc::new([7]) },
        ..with_row(agreeing(), line)
    }
}

/// The predicted text stands in several lines.
pub(crate) fn ambiguous_line() -> Snapshot {
    Snapshot {
        predicted: Prediction::At { event: "line".into(), lines: Arc::new([9, 11, 25]) },
        ..diverging_line()
    }
}

/// The run ended, and the model thought that it would fail.
pub(crate) fn exit() -> Snapshot {
    let row = Row {
        predicted: Some("error".into()),
        verdict: Verdict::Changed,
        ..same(Field::Exit, "normal")
    };
    Snapshot {
        real: Real::Ended("normal exit".into()),
        predicted: Prediction::Exit("error".into()),
        rows: Arc::new([row]),
        action: Some("continue".into()),
        output: Arc::new(["[4, 8, 15, 16, 23, 33, 42]".into()]),
        ..agreeing()
    }
}

/// The model's answer could not be read.
pub(crate) fn malformed() -> Snapshot {
    let unasked = |row: &Row| Row { predicted: None, verdict: Verdict::Unasked, ..row.clone() };
    Snapshot {
        predicted: Prediction::Malformed {
            reason: "the locals end inside a string, at token 31".into(),
            raw: "<|frame_sep|><|line_sep|><|arg_sep|>{\"..\": \"..\", \"items\": \"[4, 15, 33"
                .into(),
        },
        rows: agreeing().rows.iter().map(unasked).collect(),
        ..agreeing()
    }
}

/// The model has not answered yet.
pub(crate) fn thinking() -> Snapshot {
    let pending = |row: &Row| Row { predicted: None, verdict: Verdict::Pending, ..row.clone() };
    Snapshot {
        predicted: Prediction::Pending,
        rows: agreeing().rows.iter().map(pending).collect(),
        running: Some("the model thinks".into()),
        bits: None,
        ..agreeing()
    }
}

/// The model runs free, and has something to say.
pub(crate) fn free() -> Snapshot {
    Snapshot {
        mode: Mode::Free,
        notice: Some(Notice::info("the model goes on from what it said")),
        ..diverging_variable()
    }
}

/// The program runs alone.
pub(crate) fn no_model() -> Snapshot {
    let unasked = |row: &Row| Row { predicted: None, verdict: Verdict::Unasked, ..row.clone() };
    Snapshot {
        predicted: Prediction::None,
        rows: agreeing().rows.iter().map(unasked).collect(),
        model: None,
        bits: None,
        tally: Tally::default(),
        ..agreeing()
    }
}

/// A variable was changed on the way, and the run went on from there.
pub(crate) fn on_a_branch() -> Snapshot {
    Snapshot { branch: Some("branch 1: pivot = 23 at state 12".into()), ..diverging_variable() }
}

/// The program waits for a line.
pub(crate) fn asking() -> Snapshot {
    Snapshot { asks: Some("1: ascending\n2: descending\nWhich order? ".into()), ..agreeing() }
}

fn item(key: &str, class: &str, identity: u32, value: &str) -> Item {
    Item {
        key: key.into(),
        value: value.into(),
        class: class.into(),
        identity: Some(identity),
        opens: !matches!(class, "int" | "str"),
    }
}

/// The variables of the innermost frame; two names are bound to one list.
pub(crate) fn variables() -> Page {
    let words = "'a text that is much longer than a row of the page is wide, so that it is cut'";
    let items = [
        item("items", "list", 1, ITEMS),
        item("same", "list", 1, ITEMS),
        item("low", "int", 2, "0"),
        item("a_name_that_goes_on_and_on_and_on", "collections.OrderedDict", 14, "{}"),
        item("words", "str", 15, words),
        Item { key: "unbound".into(), value: "not bound".into(), ..Item::default() },
    ];
    Page { title: "variables of partition at state 37".into(), items: items.into(), total: 6 }
}

/// The first items of a long list.
pub(crate) fn numbers(count: usize) -> Page {
    let items = (0..count).map(|n| item(&format!("[{n}]"), "int", 2, &(n * n).to_string()));
    Page { title: "numbers".into(), items: items.collect(), total: 1_000 }
}

/// A page was asked for.
pub(crate) fn with_page(page: Page) -> Snapshot {
    Snapshot { page: Some(Arc::new(page)), ..agreeing() }
}

/// A page of a program that tries to write over the screen.
pub(crate) fn hostile_page() -> Snapshot {
    let bomb = "\x1b[2J'日本語 e\u{301}\u{202e}gnp\u{7}\r\n'";
    let item = Item { identity: Some(u32::MAX), opens: true, ..item(bomb, bomb, 0, bomb) };
    let page = Page { title: bomb.into(), items: Arc::new([item]), total: usize::MAX };
    Snapshot { branch: Some(bomb.into()), page: Some(Arc::new(page)), ..hostile() }
}

/// A long program, far down, and much output.
pub(crate) fn long() -> Snapshot {
    let stack = Arc::new([frame("<module>", 1_234, &[])]);
    Snapshot {
        source: (1..=2_000).map(|n| Text::from(format!("value_{n} = compute({n})"))).collect(),
        real: Real::At { event: "line".into(), stack },
        predicted: Prediction::At { event: "line".into(), lines: Arc::new([1_240]) },
        output: (1..=100).map(|n| Text::from(format!("line {n} of the output"))).collect(),
        ..agreeing()
    }
}

/// A program that tries to write over the screen.
pub(crate) fn hostile() -> Snapshot {
    let bomb = "\x1b[2J\x1b[31m'日本語 e\u{301}\u{202e}gnp\u{7}\r\n'";
    let row = Row {
        predicted: Some(bomb.replace('本', "木").into()),
        verdict: Verdict::Changed,
        ..same(variable("名前\x1b[m"), bomb)
    };
    let mut source = agreeing().source.to_vec();
    source[8] = "\ts = '\x1b]0;title\x07' # \u{202e} 日本語".into();
    Snapshot {
        program: "evil\x1b[2J.py".into(),
        source: source.into(),
        output: Arc::new([bomb.into(), "\tok".into()]),
        ..with_row(agreeing(), row)
    }
}
