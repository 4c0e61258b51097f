//! Values that are written out.

use super::author::Author;
use super::expression::{Expression, Level};
use super::kind::{Items, Kind, Letters, Number};

/// Words that texts are made of.
pub const WORDS: &[&str] = &[
    "a",
    "cat",
    "dog",
    "sun",
    "map",
    "red",
    "blue",
    "apple",
    "berry",
    "hello",
    "world",
    "python",
    "tree",
    "river",
    "stone",
    "light",
    "green",
    "north",
    "apricot",
    "banana",
    "cherry",
    "level",
    "radar",
    "noon",
    "letter",
    "window",
    "mirror",
    "summer",
    "silver",
    "copper",
    "table",
    "chair",
    "pencil",
    "paper",
    "bread",
    "honey",
    "lemon",
    "onion",
    "pepper",
    "salt",
    "anna",
    "bob",
    "carol",
    "dave",
    "eve",
    "frank",
    "grace",
    "oscar",
    "alice",
    "zoe",
    "one",
    "two",
    "three",
    "six",
    "ten",
    "zero",
    "north",
    "south",
    "east",
    "west",
    "up",
    "down",
    "left",
    "right",
    "start",
    "stop",
    "open",
    "close",
    "add",
    "sub",
    "push",
    "pop",
    "key",
    "value",
    "name",
    "age",
    "total",
    "item",
    "data",
    "file",
    "line",
    "word",
    "text",
    "code",
    "test",
    "abc",
    "xyz",
    "foo",
    "bar",
    "baz",
    "mississippi",
    "book",
    "moon",
    "pool",
    "seen",
    "toffee",
    "balloon",
    "kayak",
    "civic",
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "lazy",
    "and",
    "is",
    "to",
    "of",
    "in",
    "it",
    "ok",
];

const SIGNS: &str =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789    ,.-_!?/:#@*&%+=$;";

impl Author<'_> {
    /// A value of this kind, written out.
    pub fn literal(&mut self, kind: &Kind) -> Expression {
        match kind {
            Kind::Int(which) => self.number(*which),
            Kind::Bool => Expression::atom(self.choices.pick(&["False", "True"])),
            Kind::Str(letters) => {
                let text = self.letters(*letters);
                self.quoted(&text)
            }
            Kind::List(of, Items::Rising) if of.is_like(&Kind::INT) => self.rising(),
            Kind::List(of, items) => {
                let texts = self.elements(of, *items);
                Expression::atom(format!("[{}]", texts.join(", ")))
            }
            Kind::Tuple(of) => {
                let texts: Vec<_> = of.iter().map(|kind| self.literal(kind).to_string()).collect();
                let comma = if texts.len() == 1 { "," } else { "" };
                Expression::atom(format!("({}{comma})", texts.join(", ")))
            }
            Kind::Dict(key, value, items) => {
                let mut keys = self.elements(key, *items);
                let mut seen = std::collections::HashSet::new();
                keys.retain(|key| seen.insert(key.clone()));
                let pairs: Vec<_> =
                    keys.into_iter().map(|key| format!("{key}: {}", self.literal(value))).collect();
                Expression::atom(format!("{{{}}}", pairs.join(", ")))
            }
            Kind::Set(of) => match self.elements(of, Items::Some) {
                texts if texts.is_empty() => Expression::atom("set()"),
                texts => Expression::atom(format!("{{{}}}", texts.join(", "))),
            },
        }
    }

    /// A text in quotes.
    pub fn quoted(&mut self, text: &str) -> Expression {
        let quote = if text.contains(self.quote) { '"' } else { self.quote };
        let mut out = String::from(quote);
        for c in text.chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\\' => out.push_str("\\\\"),
                c if c == quote => out.extend(['\\', c]),
                c => out.push(c),
            }
        }
        out.push(quote);
        Expression::atom(out)
    }

    /// A number, small ones more often.
    pub fn number(&mut self, which: Number) -> Expression {
        let most = self.difficulty.number.max(10);
        let value = match which {
            Number::Digit => self.choices.between(0, 9),
            Number::Positive => self.choices.between(1, 9),
            Number::Small => self.choices.between(2, 4),
            Number::Large => self.choices.between(10, most.saturating_mul(10)),
            Number::Any => match self.choices.weighted(&[55, 30, 5, 10]) {
                0 => self.choices.between(0, 10),
                1 => self.choices.between(0, most),
                2 => self.choices.between(0, most.saturating_mul(10)),
                _ => -self.choices.between(1, most / 5),
            },
        };
        let level = if value < 0 { Level::Sign } else { Level::Atom };
        Expression::new(value.to_string(), level)
    }

    /// A text of these letters, as it is.
    pub fn letters(&mut self, letters: Letters) -> String {
        let most = self.difficulty.letters.max(2);
        let word = |author: &mut Self| author.choices.pick(WORDS).to_owned();
        match letters {
            Letters::Word => match self.choices.weighted(&[8, 1, 1]) {
                0 => word(self),
                1 => self.some(2, 8.min(most), "abcdefghijklmnopqrstuvwxyz"),
                _ => self.some(1, 4, "abc"),
            },
            Letters::One => match self.choices.weighted(&[6, 2, 2]) {
                0 => self.some(1, 1, "abcdeilnorstuxyz"),
                1 => self.some(1, 1, " ,-_.:/#*"),
                _ => self.some(1, 1, SIGNS.trim_end_matches(';')),
            },
            Letters::Phrase => {
                let count = self.choices.between(2, 4);
                let words: Vec<_> = (0..count).map(|_| word(self)).collect();
                words.join(" ")
            }
            Letters::Digits => self.some(1, 7.min(most), "0123456789"),
            Letters::Mixed => self.some(1, most, SIGNS),
            Letters::Brackets => self.some(2, 9.min(most), "()()[]{}"),
            Letters::Runs => self.runs(most),
            Letters::Any => match self.choices.weighted(&[7, 4, 2, 3, 2, 2, 3, 1, 1]) {
                0 => self.letters(Letters::Word),
                1 => self.some(3, most, "abcdefghijklmnopqrstuvwxyz"),
                2 => self.letters(Letters::Phrase),
                3 => self.letters(Letters::Mixed),
                4 => self.letters(Letters::Digits),
                5 => self.runs(most),
                6 => self.cased(),
                7 => {
                    let count = self.choices.between(2, 4);
                    let words: Vec<_> = (0..count).map(|_| word(self)).collect();
                    words.join(self.choices.pick(&[",", "-", "_", "/", ", ", ":", "\n", "  "]))
                }
                _ => String::new(),
            },
        }
    }

    /// Words with capitals here and there.
    fn cased(&mut self) -> String {
        let text = if self.choices.chance(0.4) {
            self.letters(Letters::Phrase)
        } else {
            self.letters(Letters::Word)
        };
        match self.choices.below(3) {
            0 => text.split(' ').map(capitalized).collect::<Vec<_>>().join(" "),
            1 => text.to_uppercase(),
            _ => {
                let mut flip = |c: char| match self.choices.chance(0.4) {
                    true => c.to_ascii_uppercase(),
                    false => c,
                };
                text.chars().map(&mut flip).collect()
            }
        }
    }

    /// Letters that repeat.
    fn runs(&mut self, most: usize) -> String {
        let mut text = String::new();
        let count = self.choices.between(1, 4);
        for _ in 0..count {
            let letter = self.some(1, 1, "abcxy");
            let times = self.choices.between(1, 4) as usize;
            text.push_str(&letter.repeat(times));
        }
        text.truncate(most);
        text
    }

    /// As many characters as `least` to `most`, of these ASCII ones.
    fn some(&mut self, least: usize, most: usize, of: &str) -> String {
        let count = self.choices.between(least as i64, most.max(least) as i64);
        (0..count).map(|_| char::from(of.as_bytes()[self.choices.below(of.len())])).collect()
    }

    /// The elements of a container.
    fn elements(&mut self, kind: &Kind, items: Items) -> Vec<String> {
        let most = match kind {
            Kind::List(..) | Kind::Tuple(_) | Kind::Dict(..) => 3,
            _ => self.difficulty.elements.max(2) as i64,
        };
        let least = match items {
            Items::Any => i64::from(!self.choices.chance(0.07)),
            Items::Some | Items::Rising => 2.min(most),
        };
        let count = if least == 0 { 0 } else { self.choices.between(least, most) };
        // People write lists of one manner: all small, all words.
        let kind = match kind {
            Kind::Int(Number::Any) if self.choices.chance(0.6) => &Kind::Int(Number::Digit),
            Kind::Str(Letters::Any) if self.choices.chance(0.7) => &Kind::Str(Letters::Word),
            kind => kind,
        };
        (0..count).map(|_| self.literal(kind).to_string()).collect()
    }

    fn rising(&mut self) -> Expression {
        let count = self.choices.between(2, self.difficulty.elements.max(2) as i64 + 2);
        let mut at = self.choices.between(-3, 6);
        let texts: Vec<_> = (0..count)
            .map(|_| {
                at += self.choices.between(1, 6);
                at.to_string()
            })
            .collect();
        Expression::atom(format!("[{}]", texts.join(", ")))
    }
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
