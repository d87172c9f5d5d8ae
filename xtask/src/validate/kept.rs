//! Results kept as text: of each program one file, with its version and a hash of its configuration.

use super::table::FOLDER;
use crate::bench::simulator::Reading;
use crate::step::{Failure, root};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// The results of one program.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    /// Which one, and how it is started.
    pub(super) version: String,
    pub(super) command: String,
    /// By cell.
    #[serde(default)]
    pub(super) run: BTreeMap<String, Outcome>,
}

/// One run.
#[derive(Debug, Clone, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Outcome {
    /// A hash of the program's configuration.
    pub(super) told: String,
    pub(super) accepted: f64,
    pub(super) latency: f64,
    pub(super) hops: f64,
}

impl Outcome {
    pub(super) fn new(told: &str, reading: Reading) -> Self {
        let Reading { accepted, latency, hops, .. } = reading;
        let rounded = |value: f64, places: i32| (value * 10f64.powi(places)).round() / 10f64.powi(places);
        Self {
            told: hash(told),
            accepted: rounded(accepted, 4),
            latency: rounded(latency, 1),
            hops: rounded(hops, 3),
        }
    }
}

/// A short name of a text (FNV-1a).
pub(super) fn hash(text: &str) -> String {
    let of = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, of))
}

fn file(program: &str) -> PathBuf {
    root().join("scenarios").join(FOLDER).join("kept").join(program).with_extension("toml")
}

impl Kept {
    /// Those of a program; nothing where nothing is kept.
    pub(super) fn read(program: &str) -> Result<Self, Failure> {
        let file = file(program);
        let failed = |error: String| Failure::new(format!("{}: {error}", file.display()));
        match fs::read_to_string(&file) {
            Ok(text) => toml::from_str(&text).map_err(|error| failed(error.to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// Keeps them.
    pub(super) fn write(&self, program: &str) -> Result<(), Failure> {
        let file = file(program);
        fs::write(&file, self.text()).map_err(|error| Failure::new(format!("{}: {error}", file.display())))
    }

    fn text(&self) -> String {
        let mut text = format!(
            "# Written by `cargo xtask validate --update`.\nversion = {:?}\ncommand = {:?}\n\n[run]\n",
            self.version, self.command
        );
        for (cell, Outcome { told, accepted, latency, hops }) in &self.run {
            let _ = writeln!(
                text,
                "{cell:?} = {{ told = {told:?}, accepted = {accepted:?}, latency = {latency:?}, hops = {hops:?} }}"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let outcome = Outcome { told: hash("x"), accepted: 0.5, latency: 120.0, hops: 2.75 };
        let run = BTreeMap::from([("a: MIN, ADV+1".to_owned(), outcome)]);
        let kept = Kept { version: "1 \"b\"".to_owned(), command: "./p run.cfg".to_owned(), run };
        let read: Kept = toml::from_str(&kept.text()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read, kept);
    }
}
