//! The texts a document is made of, and where in them something is.

use super::place::Place;
use super::problem::{Problem, Refusal};

/// The file and the `--set` arguments. A [`Place`] says which of them it is in by number; the file is 0.
#[derive(Debug)]
pub struct Sources {
    file: String,
    texts: Vec<String>,
}

impl Sources {
    /// The text of a file, whose name errors say, and the `--set` arguments.
    #[must_use]
    pub fn new(file: &str, text: &str, sets: &[String]) -> Self {
        let mut texts = vec![text.to_owned()];
        texts.extend_from_slice(sets);
        Self { file: file.to_owned(), texts }
    }

    /// The error for a problem: with the text around it.
    #[must_use]
    pub fn refuse(&self, problem: Problem) -> Refusal {
        let Problem { at, message, notes, expected } = problem;
        let text = self.texts.get(at.source).map_or("", String::as_str);
        let is_set = at.source > 0;
        let found = Found::new(text, at);
        let mut quote = Quote::new(found.line, found.column, found.width);
        let origin =
            if is_set { format!("--set {}", printable(&clip(text, SHOWN))) } else { self.file.clone() };
        if is_set {
            quote.shift("--set ");
        }
        let Quote { text: quote, caret, width } = quote;
        let (line, column) = (found.number, found.column + 1);
        Refusal { origin, is_set, line, column, message, notes, quote, caret, width, expected }
    }
}

/// The first `limit` characters, and an ellipsis when that is not all.
pub(super) fn clip(text: &str, limit: usize) -> String {
    let mut rest = text.chars();
    let mut shown: String = rest.by_ref().take(limit).collect();
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

/// A place as line and column.
struct Found<'a> {
    line: &'a str,
    /// From 1.
    number: usize,
    /// In characters, from 0.
    column: usize,
    /// In characters, at least 1.
    width: usize,
}

impl<'a> Found<'a> {
    fn new(text: &'a str, at: Place) -> Self {
        // What is missing at the end of a file is missing after its last character, not below its last line.
        let start = text.floor_char_boundary(at.start.min(text.trim_end().len()));
        let end = text.floor_char_boundary(at.end.max(start));
        let (before, after) = text.split_at(start);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = after.find(['\r', '\n']).map_or(text.len(), |length| start + length);
        let count = |from: usize, to: usize| text.get(from..to).map_or(0, |part| part.chars().count());
        Self {
            line: text.get(line_start..line_end).unwrap_or(""),
            number: before.matches('\n').count() + 1,
            column: count(line_start, start),
            width: count(start, end.min(line_end)).max(1),
        }
    }
}

/// A line as shown.
struct Quote {
    text: String,
    caret: usize,
    width: usize,
}

impl Quote {
    /// The line, or the part of it around `column`.
    fn new(line: &str, column: usize, width: usize) -> Self {
        let skipped = if line.chars().nth(SHOWN).is_none() { 0 } else { column.saturating_sub(LEAD) };
        let mut rest = line.chars().skip(skipped);
        let shown: String = rest.by_ref().take(SHOWN).collect();
        let (left, right) =
            (if skipped > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
        let caret = column - skipped + left.chars().count();
        Self { text: printable(&format!("{left}{shown}{right}")), caret, width: width.min(SHOWN - LEAD) }
    }

    /// Puts `prefix` before the line.
    fn shift(&mut self, prefix: &str) {
        self.text.insert_str(0, prefix);
        self.caret += prefix.chars().count();
    }
}

/// The text with a visible character, one column wide, for each that a terminal would obey.
fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Characters of a line that are shown at most.
const SHOWN: usize = 100;
/// Characters before the caret that are shown of a longer line.
const LEAD: usize = 40;
