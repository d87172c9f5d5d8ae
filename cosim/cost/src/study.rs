//! What mechanisms cost beside what they gain: the same scenarios, synthesised and simulated.

mod gain;

use super::report::Row;
use super::{CostError, Measured, Target};
use crate::report::records;
use desvio_sim::bounded;
pub use gain::draw_gain;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What to compare, as a file of TOML says it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// Keys of every scenario.
    #[serde(default)]
    pub set: Vec<String>,
    /// The routers.
    pub router: Vec<Base>,
    /// What each of them is built with; the first is what the others are compared with.
    pub mechanism: Vec<Mechanism>,
    /// What they are loaded with.
    pub traffic: Vec<Traffic>,
}

/// A router to build mechanisms into.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// As tables call it.
    pub name: String,
    /// The scenario file, from the study's folder.
    pub scenario: PathBuf,
    /// Keys that differ from the file.
    #[serde(default)]
    pub set: Vec<String>,
    /// Mechanisms that it is not built with, by name: large routers take their time.
    #[serde(default)]
    pub without: Vec<String>,
}

/// A mechanism: what differs from the others.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanism {
    /// As tables call it.
    pub name: String,
    /// Keys of the scenario.
    #[serde(default)]
    pub set: Vec<String>,
}

/// A traffic.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// As tables call it.
    pub name: String,
    /// Keys of the scenario.
    pub set: Vec<String>,
}

impl Study {
    /// Reads a study.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn load(path: &Path) -> Result<Self, CostError> {
        let wrong = |reason| CostError::Study { path: path.to_owned(), reason };
        let text = bounded::read_text(path, LARGEST)
            .map_err(|error| wrong(format!("cannot read the study: {error}")))?;
        toml::from_str(&text).map_err(|error| wrong(error.to_string()))
    }
}

impl Study {
    /// Every mechanism in every router that it is built into.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&Base, &Mechanism)> {
        let of = |base: &&Base, mechanism: &&Mechanism| !base.without.contains(&mechanism.name);
        let with = |base| {
            self.mechanism.iter().filter(move |mechanism| of(&base, mechanism)).map(move |m| (base, m))
        };
        self.router.iter().flat_map(with).collect()
    }
}

/// One mechanism in one router: what it costs, and the load it accepts under each traffic.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The router it is built into.
    pub base: String,
    /// The mechanism, and its cost.
    pub row: Row,
    /// Accepted load in flits per node per cycle when every node offers 1, by traffic.
    pub accepted: Vec<f64>,
}

/// Transistors of a memory's bit: the six of a static cell, without decoders and amplifiers.
pub const BIT: u64 = 6;

impl Finding {
    /// Transistors of the logic.
    #[must_use]
    pub fn logic(&self) -> Option<f64> {
        let cost = self.row.cost(|target| *target == Target::Cells)?;
        Some(cost.sum(Measured::transistors) as f64)
    }

    /// Transistors of logic and memories.
    #[must_use]
    pub fn total(&self) -> Option<f64> {
        let cost = self.row.cost(|target| *target == Target::Cells)?;
        Some(self.logic()? + (BIT * cost.sum(Measured::memory_bits)) as f64)
    }
}

/// The table of a study: header and rows, the same for CSV and for people.
#[must_use]
pub fn table(findings: &[Finding], traffics: &[Traffic]) -> Vec<Vec<String>> {
    let header =
        ["router", "mechanism", "cells", "flip-flops", "logic transistors", "logic, relative", "depth"];
    let more = [
        "memory bits",
        "with memory, relative",
        "area µm²",
        "clock MHz",
        "period FO4",
        "iCE40 LUT4",
        "slowest unit MHz",
    ];
    let header = header.into_iter().chain(more).map(str::to_owned);
    let header = header.chain(traffics.iter().map(|traffic| format!("accepted, {}", traffic.name))).collect();
    let row = |finding: &Finding| {
        let first = findings.iter().find(|other| other.base == finding.base);
        let relative = |of: fn(&Finding) -> Option<f64>| Some(of(finding)? / of(first?)?);
        let number = |key: &str| {
            let column = super::report::COLUMNS.iter().find(|column| column.key == key);
            column.and_then(|column| (column.value)(&finding.row))
        };
        let numbers = [
            (number("cells"), 0),
            (number("flip_flops"), 0),
            (finding.logic(), 0),
            (relative(Finding::logic), 3),
            (number("depth"), 0),
            (number("memory_bits"), 0),
            (relative(Finding::total), 3),
            (number("area_um2"), 0),
            (number("clock_mhz"), 0),
            (number("period_fo4"), 0),
            (number("ice40_luts"), 0),
            (number("ice40_mhz"), 1),
        ];
        let shown = |(value, decimals): (Option<f64>, usize)| {
            value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.decimals$}"))
        };
        let accepted = finding.accepted.iter().map(|load| format!("{load:.3}"));
        [finding.base.clone(), finding.row.name.clone()]
            .into_iter()
            .chain(numbers.into_iter().map(shown))
            .chain(accepted)
            .collect()
    };
    without_empty_columns(std::iter::once(header).chain(findings.iter().map(row)).collect())
}

/// What stands where nothing was measured.
const NOTHING: &str = "–";

/// A table without the columns of targets that were not asked for.
fn without_empty_columns(table: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let is_empty =
        |column: usize| table.iter().skip(1).all(|row| row.get(column).is_none_or(|cell| cell == NOTHING));
    let width = table.first().map_or(0, Vec::len);
    let kept: Vec<usize> = (0..width).filter(|&column| !is_empty(column)).collect();
    let row = |row: &Vec<String>| kept.iter().filter_map(|&column| row.get(column).cloned()).collect();
    table.iter().map(row).collect()
}

/// The table as CSV.
#[must_use]
pub fn csv(findings: &[Finding], traffics: &[Traffic]) -> String {
    let mut table = table(findings, traffics).into_iter();
    records(table.next().unwrap_or_default(), table)
}

/// A study has a page or two.
const LARGEST: u64 = 1 << 20;
