//! `cargo xtask sources`: the figures of the documents that this project implements, run again, beside what they publish.

use crate::bench::desvio::Desvio;
use crate::bench::program;
use crate::step::{Failure, each, root};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Where the documents are, a file each.
const FOLDER: &str = "scenarios/sources";

/// What is run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only curves that take seconds
    #[arg(long)]
    quick: bool,
    /// Only curves whose figure or name contains this, such as "4.12"
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// A program `desvio` that is built already
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    desvio: Option<PathBuf>,
    /// Writes the rows of the curves that were run into the pages, instead of comparing them
    #[arg(long)]
    update: bool,
}

/// A document with figures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Its page, from the root.
    page: PathBuf,
    /// The scenario of all its curves.
    scenario: String,
    /// The campaign whose zipped axes set the curves apart, in the order of the curves; none where these say themselves what is set.
    campaign: Option<PathBuf>,
    /// A load at which latency is measured, and one at which what is accepted and hops are.
    loads: [f64; 2],
    curve: Vec<Curve>,
}

/// A curve of a figure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Curve {
    figure: String,
    /// Network, routing and traffic.
    name: String,
    /// What the document says of it.
    published: String,
    /// Whether it takes seconds.
    #[serde(default)]
    quick: bool,
    /// Keys and values beside the scenario's.
    #[serde(default)]
    sets: Vec<String>,
}

impl Curve {
    /// The beginning of its row.
    fn key(&self) -> String {
        format!("| {} | {} |", self.figure, self.name)
    }
}

/// Runs the curves that are asked for, and compares or writes their rows.
pub(crate) fn sources(arguments: &Arguments) -> Result<(), Failure> {
    let documents = documents()?;
    let program = match &arguments.desvio {
        Some(path) => path.clone(),
        None => Desvio::build()?.program,
    };
    for document in &documents {
        let wanted: Vec<_> = document.curve.iter().filter(|curve| arguments.wants(curve)).collect();
        let rows = Mutex::new(Vec::new());
        each(&wanted, |curve| {
            let row = run(&program, document, curve)?;
            eprintln!("{row}");
            rows.lock().unwrap_or_else(PoisonError::into_inner).push((curve.key(), row));
            Ok(())
        })?;
        let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        settle(&root().join(&document.page), &rows, arguments.update)?;
    }
    Ok(())
}

impl Arguments {
    fn wants(&self, curve: &Curve) -> bool {
        (curve.quick || !self.quick) && self.only.as_ref().is_none_or(|text| curve.key().contains(text))
    }
}

/// The documents, with what their campaigns set.
fn documents() -> Result<Vec<Document>, Failure> {
    let folder = root().join(FOLDER);
    let failed = |reason: String| Failure::new(format!("{FOLDER}: {reason}"));
    let files = fs::read_dir(&folder).map_err(|error| failed(error.to_string()))?;
    let mut files: Vec<_> = files.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let read = |file: &PathBuf| -> Result<Document, Failure> {
        let mut document: Document = toml(file)?;
        if let Some(campaign) = &document.campaign {
            let sets = zipped(&toml(&root().join(campaign))?);
            if sets.len() != document.curve.len() {
                let curves = document.curve.len();
                return Err(failed(format!("{curves} curves, and {} in {}", sets.len(), campaign.display())));
            }
            document.curve.iter_mut().zip(sets).for_each(|(curve, sets)| curve.sets.extend(sets));
        }
        Ok(document)
    };
    files.iter().map(read).collect()
}

fn toml<T: for<'d> Deserialize<'d>>(file: &Path) -> Result<T, Failure> {
    let failed = |reason: String| Failure::new(format!("{}: {reason}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    toml::from_str(&text).map_err(|error| failed(error.to_string()))
}

/// What each point of a campaign's zipped axes sets.
fn zipped(campaign: &toml::Table) -> Vec<Vec<String>> {
    let zips = campaign.get("zip").and_then(|zip| zip.as_array()).into_iter().flatten();
    let mut points: Vec<Vec<String>> = Vec::new();
    for (key, values) in zips.filter_map(|zip| zip.as_table()).flatten() {
        for (at, value) in values.as_array().into_iter().flatten().enumerate() {
            points.resize(points.len().max(at + 1), Vec::new());
            points[at].push(format!("{key}={value}"));
        }
    }
    points
}

/// The row of a curve.
fn run(program: &Path, document: &Document, curve: &Curve) -> Result<String, Failure> {
    let failed = |reason: String| Failure::new(format!("{} {}: {reason}", curve.figure, curve.name));
    let folder = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    let loads = format!("traffic.loads={:?}", document.loads);
    let sets = curve.sets.iter().chain([&loads]).flat_map(|set| ["--set", set]);
    let mut command = Command::new(program);
    command.arg("run").arg(root().join(&document.scenario)).args(["--quiet", "--threads", "1", "--out"]);
    let output = command.arg(folder.path()).args(sets).output().map_err(|error| failed(error.to_string()))?;
    // A load above what a network accepts has a status of its own.
    let text = fs::read_to_string(folder.path().join("summary.csv"))
        .map_err(|_| failed(String::from_utf8_lossy(&output.stderr).into_owned()))?;
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().unwrap_or_default();
    let rows: Vec<BTreeMap<_, _>> = lines.map(|row| names.iter().cloned().zip(row).collect()).collect();
    let [low, high] = rows.as_slice() else { return Err(failed("two loads have no two rows".to_owned())) };
    let value = |row: &BTreeMap<String, String>, name: &str, digits: usize| {
        let number = row.get(name).and_then(|text| text.parse::<f64>().ok());
        number.map_or_else(|| "–".to_owned(), |number| format!("{number:.digits$}"))
    };
    let (latency, accepted) = (value(low, "latency_mean", 1), value(high, "accepted", 3));
    let hops = value(high, "hops_mean", 2);
    Ok(format!("{} {} | {latency} | {accepted} | {hops} |", curve.key(), curve.published))
}

/// Rows take the place of those in a page that are of their curves, or have to be them.
fn settle(page: &Path, rows: &[(String, String)], update: bool) -> Result<(), Failure> {
    let failed = |reason: String| Failure::new(format!("{}: {reason}", page.display()));
    let text = fs::read_to_string(page).map_err(|error| failed(error.to_string()))?;
    let mut others = Vec::new();
    let mut lines: Vec<&str> = text.lines().collect();
    for (key, row) in rows {
        match lines.iter_mut().find(|line| line.starts_with(key.as_str())) {
            Some(line) if *line == row => {}
            Some(line) => {
                others.push(format!("{row}\n  kept: {line}"));
                *line = row;
            }
            None => return Err(failed(format!("no row begins with {key}"))),
        }
    }
    match (update, others.is_empty()) {
        (_, true) => Ok(()),
        (true, false) => fs::write(page, lines.join("\n") + "\n").map_err(|error| failed(error.to_string())),
        (false, false) => Err(failed(format!("`--update` would write\n  {}", others.join("\n  ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each curve has one row in its page, in the order of the file, with what the document says.
    #[test]
    fn every_curve_has_its_row() {
        for document in documents().unwrap() {
            let text = fs::read_to_string(root().join(&document.page)).unwrap();
            let rows: Vec<_> = text.lines().filter(|line| line.ends_with(" |")).skip(1).collect();
            let wanted = document.curve.iter().map(|curve| format!("{} {} |", curve.key(), curve.published));
            let wanted: Vec<_> = wanted.collect();
            assert_eq!(rows.len(), wanted.len(), "{}", document.page.display());
            for (row, wanted) in rows.iter().zip(wanted) {
                assert!(row.starts_with(&wanted), "{row}\n{wanted}");
            }
            assert!(document.curve.iter().any(|curve| curve.quick));
        }
    }

    #[test]
    fn zipped_axes_are_keys_and_values() {
        let text = "[[zip]]\ntopology = [{ kind = \"star\", leaves = 3 }, { kind = \"ring\" }]\n\"a.b\" = [\"x\", 2]\n";
        let points = zipped(&toml::from_str(text).unwrap());
        assert_eq!(points[0], ["a.b=\"x\"", "topology={ kind = \"star\", leaves = 3 }"]);
        assert_eq!(points[1], ["a.b=2", "topology={ kind = \"ring\" }"]);
    }
}
