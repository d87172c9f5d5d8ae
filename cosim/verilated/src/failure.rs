//! A failed check inside the design.

use std::fmt;

use thiserror::Error;

/// What kind of statement failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// An assertion, or `$error`; with Verilator 5.006 also `$fatal`, which it reports in the same words.
    Error,
    /// `$fatal`.
    Fatal,
    /// `$stop`.
    Stop,
    /// Verilator's library gave up, for instance because a loop does not settle. The model cannot go on.
    Internal,
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Fatal => "fatal",
            Self::Stop => "$stop",
            Self::Internal => "internal error",
        })
    }
}

/// The first check that failed during an evaluation.
///
/// The process lives on, and so does the model, except after [`FailureKind::Internal`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {kind} at time {time}{}{}{}", at(hierarchy), after_colon(message), further(*others))]
pub struct Failure {
    /// What kind of statement failed.
    pub kind: FailureKind,
    /// The source file, as it was named to Verilator.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// Where in the design, top first; empty if Verilator does not say.
    pub hierarchy: String,
    /// The text of the statement; empty for `$stop`.
    pub message: String,
    /// The model's time.
    pub time: u64,
    /// How many more checks failed in the same evaluation.
    pub others: u32,
}

fn at(hierarchy: &str) -> String {
    if hierarchy.is_empty() { String::new() } else { format!(" in {hierarchy}") }
}

fn after_colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

fn further(others: u32) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more)") }
}

/// Splits `[120] %Error: a.sv:4: Assertion failed in top.unit.name: text` into hierarchy and text.
///
/// What has another form is all text.
pub(crate) fn split_message(printed: &str) -> (String, String) {
    let printed = printed.trim_end();
    let announced = printed.split_once("%Error: ").or_else(|| printed.split_once("%Fatal: "));
    let Some((_, (_place, text))) = announced.and_then(|(time, rest)| Some((time, rest.split_once(": ")?)))
    else {
        return (String::new(), printed.to_owned());
    };
    match text.strip_prefix("Assertion failed in ") {
        Some(rest) => match rest.split_once(": ") {
            Some((hierarchy, text)) => (clean(hierarchy), text.to_owned()),
            None => (clean(rest.trim_end_matches(':')), String::new()),
        },
        None => (String::new(), text.to_owned()),
    }
}

/// An unnamed model still writes the dot that would follow its name.
fn clean(hierarchy: &str) -> String {
    hierarchy.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::split_message;

    #[test]
    fn the_hierarchy_is_separated_from_the_text() {
        let printed = "[120] %Error: a.sv:4: Assertion failed in .top.unit.bounded: count: 5 is too much\n";
        assert_eq!(
            split_message(printed),
            ("top.unit.bounded".to_owned(), "count: 5 is too much".to_owned())
        );
        assert_eq!(split_message("[7] %Fatal: a.sv:4: no: more"), (String::new(), "no: more".to_owned()));
        assert_eq!(split_message("Did not converge"), (String::new(), "Did not converge".to_owned()));
    }
}
