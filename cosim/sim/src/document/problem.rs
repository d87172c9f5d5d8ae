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
}

impl Problem {
    /// A problem without hints.
    #[must_use]
    pub fn new(at: Place, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), notes: Vec::new() }
    }

    /// Adds a hint.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}
