//! A TOML file read key by key, in which everything knows its place.
//!
//! The scenario's reader does the same for the scenario's tables and keeps to them; errors look alike.

use desvio_sim::scenario::Refusal;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Where something stands, in bytes.
pub(super) type Place = Range<usize>;

/// What is wrong, before the text around its place has been looked up.
#[derive(Debug)]
pub(super) struct Problem {
    at: Place,
    message: String,
    notes: Vec<String>,
}

impl Problem {
    pub(super) fn new(at: Place, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), notes: Vec::new() }
    }

    /// Adds a hint.
    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// The text of a file and its name.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) file: String,
    pub(super) text: String,
}

impl Document {
    /// The error for a problem: with the line around it.
    pub(super) fn refuse(&self, problem: Problem) -> Box<Refusal> {
        let Problem { at, message, notes, .. } = problem;
        let text = self.text.as_str();
        let start = text.floor_char_boundary(at.start.min(text.trim_end().len()));
        let end = text.floor_char_boundary(at.end.max(start));
        let (before, after) = text.split_at(start);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = after.find(['\r', '\n']).map_or(text.len(), |length| start + length);
        let count = |from: usize, to: usize| text.get(from..to).map_or(0, |part| part.chars().count());
        let (caret, width) = (count(line_start, start), count(start, end.min(line_end)).max(1));
        // A long line is shown from a little before its caret.
        let skipped = if count(line_start, line_end) > SHOWN { caret.saturating_sub(LEAD) } else { 0 };
        let line = text.get(line_start..line_end).unwrap_or_default();
        let quote = line.chars().skip(skipped).take(SHOWN);
        let quote = quote.map(|c| if c == '\t' { ' ' } else { c });
        Box::new(Refusal {
            origin: self.file.clone(),
            is_set: false,
            line: before.matches('\n').count() + 1,
            column: caret + 1,
            message,
            notes,
            quote: quote.map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect(),
            caret: caret - skipped,
            width: width.min(SHOWN - LEAD),
            expected: None,
        })
    }
}

/// One table.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// Such as `input`; empty for the file itself.
    path: String,
    at: Place,
    entries: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    /// The whole file, none of whose keys is unknown.
    pub(super) fn root(entries: &'a DeTable<'a>, keys: &[&str]) -> Result<Self, Problem> {
        Self { path: String::new(), at: 0..0, entries }.only(keys, "at the top of the file")
    }

    fn only(self, keys: &[&str], whose: &str) -> Result<Self, Problem> {
        let unknown = self.entries.keys().filter(|key| !keys.contains(&&**key.get_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(self) };
        let name: String = key.get_ref().chars().take(40).collect();
        let message =
            format!("unknown key `{}` {whose}, expected one of {}", name.escape_debug(), list(keys, '`'));
        let problem = Problem::new(key.span(), message);
        Err(match nearest(&name, keys.iter().copied()) {
            Some(near) => problem.note(format!("did you mean `{near}`?")),
            None => problem,
        })
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// The value of a key, if it is written.
    pub(super) fn get(&self, key: &str) -> Option<Item<'a>> {
        self.entries.get(key).map(|value| Item { path: self.path_of(key), value })
    }

    /// The value of a key that has no default.
    pub(super) fn need(&self, key: &str, expected: &str) -> Result<Item<'a>, Problem> {
        self.get(key).ok_or_else(|| {
            Problem::new(self.at.clone(), format!("`{}` is missing, expected {expected}", self.path_of(key)))
        })
    }

    /// Every key and value, in the order of the file.
    pub(super) fn all(&self) -> Vec<(Spanned<String>, Item<'a>)> {
        let mut all: Vec<_> = self
            .entries
            .iter()
            .map(|(key, value)| {
                let path = self.path_of(key.get_ref());
                (Spanned::new(key.span(), key.get_ref().to_string()), Item { path, value })
            })
            .collect();
        all.sort_by_key(|(key, _)| key.span().start);
        all
    }

    /// Where the table is named.
    pub(super) fn at(&self) -> Place {
        self.at.clone()
    }
}

/// One value and the key it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub(super) path: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Item<'a> {
    pub(super) fn at(&self) -> Place {
        self.value.span()
    }

    /// The error for a value that is something else than expected.
    pub(super) fn wrong(&self, expected: &str) -> Problem {
        let found = describe(self.value.get_ref());
        Problem::new(self.at(), format!("`{}` must be {expected}, not {found}", self.path))
    }

    /// The text, if it is one.
    pub(super) fn as_text(&self) -> Option<&'a str> {
        if let DeValue::String(text) = self.value.get_ref() { Some(text) } else { None }
    }

    /// The number, if it is a whole one of at most 64 bits.
    pub(super) fn as_whole(&self) -> Option<u64> {
        let DeValue::Integer(number) = self.value.get_ref() else { return None };
        u64::from_str_radix(number.as_str(), number.radix()).ok()
    }

    /// Whether it is a table.
    pub(super) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(super) fn text(&self, expected: &str) -> Result<&'a str, Problem> {
        self.as_text().filter(|text| !text.is_empty()).ok_or_else(|| self.wrong(expected))
    }

    pub(super) fn whole(&self, range: RangeInclusive<u64>) -> Result<u64, Problem> {
        let expected = || self.wrong(&format!("a whole number from {} to {}", range.start(), range.end()));
        self.as_whole().filter(|number| range.contains(number)).ok_or_else(expected)
    }

    /// A whole number that may be negative.
    pub(super) fn signed(&self, range: RangeInclusive<i64>) -> Result<i64, Problem> {
        let expected = || self.wrong(&format!("a whole number from {} to {}", range.start(), range.end()));
        let DeValue::Integer(number) = self.value.get_ref() else { return Err(expected()) };
        let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
        number.filter(|number| range.contains(number)).ok_or_else(expected)
    }

    pub(super) fn truth(&self) -> Result<bool, Problem> {
        self.value.get_ref().as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, Problem> {
        let names: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        let expected = format!("one of {}", list(&names, '"'));
        let text = self.as_text().ok_or_else(|| self.wrong(&expected))?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, choice)| *choice).ok_or_else(|| {
            let problem = self.wrong(&expected);
            match nearest(text, names.iter().copied()) {
                Some(near) => problem.note(format!("did you mean \"{near}\"?")),
                None => problem,
            }
        })
    }

    /// The elements, if it is a list that has some.
    pub(super) fn as_list(&self) -> Option<Vec<Self>> {
        let DeValue::Array(values) = self.value.get_ref() else { return None };
        let element = |(index, value)| Self { path: format!("{}[{index}]", self.path), value };
        Some(values.iter().enumerate().map(element).collect()).filter(|list: &Vec<_>| !list.is_empty())
    }

    /// The table with these keys.
    pub(super) fn table(&self, keys: &[&str]) -> Result<Table<'a>, Problem> {
        let table = self.any_table(&format!("a table with {}", list(keys, '`')))?;
        table.only(keys, &format!("in [{}]", self.path))
    }

    /// The table, whatever its keys.
    pub(super) fn any_table(&self, expected: &str) -> Result<Table<'a>, Problem> {
        let DeValue::Table(entries) = self.value.get_ref() else { return Err(self.wrong(expected)) };
        Ok(Table { path: self.path.clone(), at: self.at(), entries })
    }
}

/// The words one after the other, each between quotes.
pub(super) fn list(words: &[&str], quote: char) -> String {
    words.iter().map(|word| format!("{quote}{word}{quote}")).collect::<Vec<_>>().join(", ")
}

/// The word that was probably meant.
pub(super) fn nearest<'w>(found: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let plain = |word: &str| word.to_lowercase().replace(['-', ' '], "_");
    let found = plain(found);
    let distance = |word: &str| strsim::osa_distance(&found, &plain(word));
    let word = words.min_by_key(|word| distance(word))?;
    let far = if word.len() < 3 { 0 } else { 1.max(word.len() / 3) };
    (distance(word) <= far).then_some(word)
}

fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(values) if values.is_empty() => "an empty list".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// Characters of a line that are shown at most.
const SHOWN: usize = 100;
/// Characters before the caret that are shown of a longer line.
const LEAD: usize = 40;
