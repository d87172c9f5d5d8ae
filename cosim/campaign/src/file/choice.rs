//! One value of a key that varies.

use desvio_sim::document::{Data, Place, Value};

/// One value of a key that varies.
#[derive(Debug, Clone)]
pub struct Choice {
    /// As `--set` takes it: TOML.
    pub(crate) text: String,
    /// As the table and messages show it: a word without its quotes.
    pub(crate) shown: String,
    /// What it is equal to.
    pub(crate) same: Same,
    /// Where it stands in the file.
    pub(crate) at: Place,
}

/// What two values that are written differently have in common: `0.1` and `0.10`, `{a = 1}` and `{ a = 1 }`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Same {
    Number(f64),
    Text(String),
}

impl Choice {
    /// A value of the file.
    pub(crate) fn new(value: &Value, file: &str) -> Self {
        let text = written(value, file);
        let (shown, same) = match &value.data {
            Data::Text(word) => (word.clone(), Same::Text(format!("{word:?}"))),
            Data::Integer(Some(number)) => (number.to_string(), Same::Number(*number as f64)),
            Data::Float(number) => (number.to_string(), Same::Number(*number)),
            _ => (text.clone(), Same::Text(text.split_whitespace().collect())),
        };
        Self { text, shown, same, at: value.at }
    }

    /// A number of a range that is at a place.
    pub(crate) fn number(text: &str, at: Place) -> Self {
        let same = Same::Number(text.parse().unwrap_or(f64::NAN));
        Self { text: text.to_owned(), shown: text.to_owned(), same, at }
    }

    /// The number, if it is one.
    pub(crate) fn real(&self) -> Option<f64> {
        if let Same::Number(number) = self.same { Some(number) } else { None }
    }
}

/// The text of a value, as it stands in the file, on one line.
fn written(value: &Value, file: &str) -> String {
    let text = file.get(value.at.start..value.at.end).unwrap_or_default();
    match &value.data {
        // Comments end with their line, so lines cannot be joined where there are some.
        Data::List(_) | Data::Table(_) if !text.contains('#') => {
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        _ => text.to_owned(),
    }
}
