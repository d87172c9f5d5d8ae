//! Values as text.

use std::path::Path;

use router_core::settings::Word;

/// Keys and values of one table.
pub type Lines = Vec<(&'static str, String)>;

/// `[1, 2]`
pub(crate) fn list<T: ToString>(numbers: &[T]) -> String {
    format!("[{}]", numbers.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

/// The shortest text that reads as the same number, and as no whole one.
pub(crate) fn number(number: &f64) -> String {
    format!("{number:?}")
}

/// A choice, by its word.
pub(crate) fn word(choice: impl Word) -> String {
    quoted(choice.word())
}

/// The path of a file.
pub(crate) fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A text between quotes.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
