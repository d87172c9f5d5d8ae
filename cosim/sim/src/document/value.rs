//! A TOML tree in which every key and value knows its place.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::Place;
use super::problem::Problem;
use super::source::clip;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub struct Value {
    /// Where.
    pub at: Place,
    /// What.
    pub data: Data,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum Data {
    /// A text.
    Text(String),
    /// `None`: too long for any number we count with.
    Integer(Option<i128>),
    /// Another number.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A date or a time, which no key takes.
    Date,
    /// `[…]`
    List(Vec<Value>),
    /// `{…}`, or a table of the file, in the order of the text.
    Table(Vec<Entry>),
}

/// A key and its value.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where it stands.
    pub key_at: Place,
    /// Its value.
    pub value: Value,
}

impl Value {
    /// Reads a whole file.
    ///
    /// # Errors
    /// When it is not TOML.
    pub fn document(text: &str) -> Result<Self, Problem> {
        let origin = Origin { source: 0, offset: 0 };
        let table = DeTable::parse(text).map_err(|error| origin.problem(&error))?;
        Ok(Self { at: origin.place(0..0), data: origin.table(table.into_inner()) })
    }

    /// Reads the value of the `source`-th `--set`, which starts at byte `offset` of its text.
    ///
    /// # Errors
    /// When it is no value of TOML.
    pub fn argument(text: &str, source: usize, offset: usize) -> Result<Self, Problem> {
        let origin = Origin { source, offset };
        DeValue::parse(text).map(|value| origin.value(value)).map_err(|error| origin.problem(&error))
    }

    /// The entries of a table, none of anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        if let Data::Table(entries) = &self.data { entries } else { &[] }
    }

    /// The entry of that key, if this is a table that has one.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// The place to show for a refused combination of keys. It is the first of `paths` that was written, or rather the last `--set` among
    /// them. When all were left out, it is the table of the first one.
    pub(crate) fn blame(&self, paths: &[&str]) -> Place {
        let written = || paths.iter().filter_map(|path| self.find(path)).map(|value| value.at);
        let set = written().filter(|at| at.source > 0).max_by_key(|at| at.source);
        let table =
            || paths.first().and_then(|path| self.entry(path.split('.').next()?)).map(|entry| entry.key_at);
        set.or_else(|| written().next()).or_else(table).unwrap_or(self.at)
    }

    /// The value at a path such as `router.vcs.local`; a number stands for all its kinds.
    fn find(&self, path: &str) -> Option<&Self> {
        let mut found = self;
        for key in path.split('.') {
            match &found.data {
                Data::Table(_) => found = &found.entry(key)?.value,
                _ => return Some(found),
            }
        }
        Some(found)
    }

    /// The value as a message names it.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.data {
            Data::Text(text) => format!("{:?}", clip(text, 40)),
            Data::Integer(Some(number)) => number.to_string(),
            Data::Integer(None) => "a number with so many digits".to_owned(),
            Data::Float(number) => format!("{number:?}"),
            Data::Boolean(truth) => truth.to_string(),
            Data::Date => "a date".to_owned(),
            Data::List(values) if values.is_empty() => "an empty list".to_owned(),
            Data::List(_) => "a list".to_owned(),
            Data::Table(_) => "a table".to_owned(),
        }
    }
}

/// Turns the parser's spans into places.
#[derive(Clone, Copy)]
struct Origin {
    source: usize,
    offset: usize,
}

impl Origin {
    fn place(self, span: std::ops::Range<usize>) -> Place {
        Place { source: self.source, start: self.offset + span.start, end: self.offset + span.end }
    }

    fn problem(self, error: &toml::de::Error) -> Problem {
        let message = match error.message() {
            "extra `=`, expected nothing" => "one `=` too many, expected key = value",
            message => message,
        };
        Problem::new(self.place(error.span().unwrap_or(0..0)), format!("not valid TOML: {message}"))
    }

    /// The parser bounds the depth of what it accepts, and so of this recursion.
    fn value(self, value: Spanned<DeValue<'_>>) -> Value {
        let at = self.place(value.span());
        let data = match value.into_inner() {
            DeValue::String(text) => Data::Text(text.into_owned()),
            DeValue::Integer(number) => {
                Data::Integer(i128::from_str_radix(number.as_str(), number.radix()).ok())
            }
            DeValue::Float(number) => Data::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(truth) => Data::Boolean(truth),
            DeValue::Datetime(_) => Data::Date,
            DeValue::Array(values) => Data::List(values.into_iter().map(|value| self.value(value)).collect()),
            DeValue::Table(table) => self.table(table),
        };
        Value { at, data }
    }

    /// The entries in the order of the text.
    fn table(self, table: DeTable<'_>) -> Data {
        let entry = |(key, value): (Spanned<_>, _)| {
            let key_at = self.place(key.span());
            Entry {
                key: std::borrow::Cow::<str>::into_owned(key.into_inner()),
                key_at,
                value: self.value(value),
            }
        };
        let mut entries: Vec<_> = table.into_iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.key_at);
        Data::Table(entries)
    }
}
