//! Fills a shape: chooses its names, decides what may be left out, writes what was left open.

use std::collections::HashMap;

use super::author::Author;
use super::expression::Level;
use super::functions::Function;
use super::kind::Kind;
use super::names;
use super::scope::Scope;
use super::shape::{CLOSE, OPEN, Shape};

/// A shape's slots with the names that they got.
struct Names<'s> {
    shape: &'s Shape,
    chosen: HashMap<&'static str, String>,
}

impl Author<'_> {
    /// Writes a shape; the function that is called from outside, if it has no `main` of its own.
    pub(super) fn fill(&mut self, shape: &Shape, taken: &[String]) -> Option<Function> {
        let names = self.choose_names(shape, taken);
        let mut left_out: Option<usize> = None;
        for line in &shape.lines {
            let (line, optional) = match line.strip_prefix('?') {
                Some(rest) => (rest, true),
                None => (line.as_str(), false),
            };
            let depth = line.len() - line.trim_start().len();
            if left_out.is_some_and(|out| depth > out && !line.is_empty()) {
                continue;
            }
            left_out = None;
            if optional && self.choices.chance(0.5) {
                left_out = Some(depth);
                continue;
            }
            let line = self.requoted(line);
            let text = self.fill_text(&line, &names);
            // What was all hole may have become nothing.
            if line.is_empty() || !text.trim().is_empty() {
                self.line(text);
            }
        }
        self.called(shape, &names)
    }

    fn choose_names<'s>(&mut self, shape: &'s Shape, taken: &[String]) -> Names<'s> {
        let mut scope = Scope::default();
        taken.iter().for_each(|name| scope.take(name));
        let mut chosen = HashMap::new();
        let plain = self.choices.chance(0.4);
        for slot in &shape.slots {
            let pool: &[&str] = match (&slot.kind, slot.names.is_empty()) {
                (Some(kind), true) => names::pool(kind, slot.role),
                _ => &slot.names,
            };
            // As in CruxEval.
            let pool = if slot.mark == "F" && plain { &["f"] } else { pool };
            let name = names::fresh(&mut self.choices, pool, |name| scope.is_taken(name));
            scope.take(&name);
            chosen.insert(slot.mark, name);
        }
        Names { shape, chosen }
    }

    /// A shape's line in the quotes of this program, unless it has both.
    fn requoted(&self, line: &str) -> String {
        let other = if self.quote == '"' { '\'' } else { '"' };
        match line.contains(self.quote) {
            true => line.to_owned(),
            false => line.replace(other, &self.quote.to_string()),
        }
    }

    /// A text with its holes filled and its slots named.
    fn fill_text(&mut self, text: &str, names: &Names) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(OPEN) {
            let Some(length) = matching(&rest[start..]) else { break };
            let inside = &rest[start + OPEN.len_utf8()..start + length - CLOSE.len_utf8()];
            out.push_str(&names.named(&rest[..start]));
            let filled = self.fill_hole(inside, names);
            out.push_str(&filled);
            rest = &rest[start + length..];
        }
        out.push_str(&names.named(rest));
        out
    }

    fn fill_hole(&mut self, inside: &str, names: &Names) -> String {
        let alternatives = alternatives(inside);
        if alternatives.len() > 1 {
            let chosen = alternatives[self.choices.below(alternatives.len())];
            // One that is all hole needs no guillemets of its own.
            let filled = self.fill_value(chosen).or_else(|| self.fill_expression(chosen, names));
            return filled.unwrap_or_else(|| self.fill_text(chosen, names));
        }
        let value = self.fill_value(inside).or_else(|| {
            let slot = names.shape.slot(inside.strip_prefix("= ")?)?;
            Some(self.literal(slot.kind.as_ref()?).to_string())
        });
        value.or_else(|| self.fill_expression(inside, names)).unwrap_or_default()
    }

    /// Fills `= kind`.
    fn fill_value(&mut self, inside: &str) -> Option<String> {
        let kind = Kind::parse(inside.strip_prefix("= ")?).ok()?;
        Some(self.literal(&kind).to_string())
    }

    /// Fills `int! X I@NUMS`.
    fn fill_expression(&mut self, inside: &str, names: &Names) -> Option<String> {
        let end = inside.rfind(']').map_or(0, |at| at + 1);
        let end = inside[end..].find(' ').map_or(inside.len(), |at| end + at);
        let (kind, slots) = inside.split_at(end);
        let (kind, depth) = match kind.split_once(':') {
            Some((kind, depth)) => (kind, depth.parse().ok()?),
            None => (kind, self.difficulty.expression),
        };
        let (kind, beside) = match kind.strip_suffix('!') {
            Some(kind) => (kind, true),
            None => (kind, false),
        };
        let kind = Kind::parse(kind).ok()?;
        let marks =
            || slots.split_whitespace().map(|slot| slot.split_once('@').unwrap_or((slot, "")));
        if marks().next().is_none() || marks().any(|(mark, _)| names.shape.slot(mark).is_none()) {
            return None;
        }
        let outer = std::mem::take(&mut self.scope);
        for name in names.chosen.values() {
            self.scope.take(name);
        }
        for (mark, place_in) in marks() {
            let kind = names.shape.slot(mark).and_then(|slot| slot.kind.clone());
            let (Some(kind), Some(name)) = (kind, names.chosen.get(mark)) else { continue };
            let bound = self.scope.bind(name, kind);
            bound.place_in.extend(names.chosen.get(place_in).cloned());
        }
        let wanted = self.scope.variables().first().map(|variable| variable.name.clone());
        // Most shapes stand in a loop: nothing that grows fast.
        self.loops += 1;
        let found = match wanted {
            Some(name) => self.about(&name, &kind, depth),
            None => self.expression(&kind, depth),
        };
        self.loops -= 1;
        self.scope = outer;
        Some(if beside { found.at(Level::Sign) } else { found.to_string() })
    }

    /// The function of a shape that `main` is to call.
    fn called(&mut self, shape: &Shape, names: &Names) -> Option<Function> {
        if shape.has_main() {
            return None;
        }
        let head = shape.lines.iter().find_map(|line| line.strip_prefix("def F("))?;
        let parameters = head.split_once("):")?.0;
        let parameters = parameters
            .split(',')
            .map(str::trim)
            .filter(|parameter| !parameter.contains('=') && !parameter.is_empty())
            .filter_map(|mark| shape.slot(mark)?.kind.clone())
            .collect();
        let name = names.chosen.get("F")?.clone();
        // Nobody asks what a shape gives.
        Some(Function { name, parameters, result: Kind::Tuple(Vec::new()) })
    }
}

impl Names<'_> {
    /// The text with its slots replaced by their names.
    fn named(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_uppercase()) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest[start..].find(|c| !is_part(c)).map_or(rest.len(), |at| start + at);
            let word = &rest[start..end];
            let within = rest[..start].ends_with(is_part);
            out.push_str(&rest[..start]);
            match self.chosen.get(word) {
                Some(name) if !within => out.push_str(name),
                _ => out.push_str(word),
            }
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }
}

/// The length of the hole that a text starts with.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            OPEN => depth += 1,
            CLOSE if depth == 1 => return Some(at + CLOSE.len_utf8()),
            CLOSE => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits at the bars that stand in no inner hole.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            OPEN => depth += 1,
            CLOSE => depth -= 1,
            '|' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
