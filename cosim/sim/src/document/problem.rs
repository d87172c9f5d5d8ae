//! What is wrong in a document, and where: first as a place, then as the user sees it.

use std::fmt;

use super::place::Place;

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The file's name, or the whole `--set key=value`.
    pub origin: String,
    /// Whether the text comes from a `--set`.
    pub is_set: bool,
    /// Line in the text, from 1.
    pub line: usize,
    /// Column in that line, in characters, from 1. Of a `--set`: in what follows the word `--set`.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
    /// Further hints, one per line.
    pub notes: Vec<String>,
    /// The offending line, unprintable characters replaced, clipped when very long.
    pub quote: String,
    /// Characters of `quote` before the caret.
    pub caret: usize,
    /// Carets, at least one.
    pub width: usize,
    /// What can stand there, where a reader says so in other than words.
    pub expected: Option<Box<Expected>>,
}

/// What a reader takes: the part of a refusal that programs read. `desvio schema` is made of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// `true` or `false`.
    Flag,
    /// A text.
    Text,
    /// One of these words.
    Words(Vec<String>),
    /// A whole number, its bounds included.
    Whole(String, String),
    /// Any number, its bounds included.
    Number(String, String),
    /// A table with these keys.
    Keys(Vec<String>),
    /// This key, which has no default.
    Key(String),
    /// What this text describes.
    Other(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, line, column, message, quote, caret, width, .. } = self;
        let number = if self.is_set { String::new() } else { line.to_string() };
        let gutter = number.len();
        if self.is_set {
            writeln!(f, "{origin}: {message}")?;
        } else {
            writeln!(f, "{origin}:{line}:{column}: {message}")?;
        }
        writeln!(f, " {number} | {quote}")?;
        write!(f, " {:gutter$} | {:caret$}{}", "", "", "^".repeat(*width))?;
        for note in &self.notes {
            write!(f, "\n {:gutter$} = {note}", "")?;
        }
        Ok(())
    }
}

/// What is wrong, before the text around its place has been looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub at: Place,
    /// What is wrong, and what was expected.
    pub message: String,
    /// Further hints, one per line.
    pub notes: Vec<String>,
    /// What can stand there, where the reader says so.
    pub expected: Option<Box<Expected>>,
}

impl Problem {
    /// A problem without hints.
    #[must_use]
    pub fn new(at: Place, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), notes: Vec::new(), expected: None }
    }

    /// Adds what can stand there.
    #[must_use]
    pub fn expecting(mut self, expected: Expected) -> Self {
        self.expected = Some(Box::new(expected));
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}
