//! Slips that change nothing, each with the reason.

use super::Source;
use super::site::Site;
use crate::step::{Failure, root};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;

/// The list.
const FILE: &str = "xtask/model-equivalents.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    equivalent: Vec<Equivalent>,
}

/// A slip is named by its file, the text of its line and the change, so that lines may move.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Equivalent {
    file: String,
    line: String,
    changes: Vec<String>,
    reason: String,
}

/// Slips that are known to change nothing.
#[derive(Debug, Default)]
pub(crate) struct Equivalents(BTreeSet<(String, String, String)>);

impl Equivalents {
    /// Reads the list. A line that is nowhere in its file is an error: what was argued of it may not hold any more.
    pub(crate) fn read(sources: &[Source]) -> Result<Self, Failure> {
        let text = fs::read_to_string(root().join(FILE)).unwrap_or_default();
        let list: List = toml::from_str(&text).map_err(|error| Failure::new(format!("{FILE}: {error}")))?;
        let mut all = BTreeSet::new();
        for Equivalent { file, line, changes, reason } in list.equivalent {
            let source = sources.iter().find(|source| source.name == file);
            if !source.is_some_and(|source| source.text.lines().any(|other| other.trim() == line)) {
                return Err(Failure::new(format!("{FILE}: {file} has no line `{line}`")));
            }
            if reason.is_empty() {
                return Err(Failure::new(format!("{FILE}: no reason for `{line}` of {file}")));
            }
            all.extend(changes.into_iter().map(|change| (file.clone(), line.clone(), change)));
        }
        Ok(Self(all))
    }

    /// Whether a slip is in the list.
    pub(crate) fn has(&self, site: &Site, text: &str) -> bool {
        self.0.contains(&(site.file.clone(), site.line(text).to_owned(), site.change(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files are split and lines change: the list follows them.
    #[test]
    fn each_slip_of_the_list_is_in_the_model() {
        let sources = super::super::sources().unwrap();
        assert!(!Equivalents::read(&sources).unwrap().0.is_empty());
    }
}
