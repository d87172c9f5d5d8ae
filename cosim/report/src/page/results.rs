//! A folder of results: its table of points, and where they come from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use desvio_sim::bounded;
use desvio_sim::scenario::Scenario;
use desvio_sim::stats::mean_and_ci95;
use desvio_sim::summary::State;
use serde_json::Value as Json;

use super::PageError;
use super::metric::{Metric, metrics};
use crate::csv::name_of;

/// What a run, a comparison or a campaign measured, seeds summed up.
#[derive(Debug)]
pub(super) struct Results {
    /// The folder's name.
    pub(super) name: String,
    /// `provenance.json`.
    pub(super) provenance: Json,
    /// The columns that say what a point is, but for load, seed and its name.
    pub(super) keys: Vec<String>,
    pub(super) metrics: Vec<Metric>,
    pub(super) curves: Vec<Line>,
    pub(super) rows: Vec<Row>,
    /// The row of a point, by its name (or its curve) and its load, as tables beside this one write them.
    pub(super) row_of: HashMap<(String, String), usize>,
}

/// A combination of keys.
#[derive(Debug)]
pub(super) struct Line {
    /// Of each key.
    pub(super) values: Vec<String>,
    /// `None` where it cannot be read any more.
    pub(super) scenario: Option<Scenario>,
}

/// A combination at a load.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) curve: usize,
    pub(super) load: f64,
    pub(super) seeds: usize,
    /// The worst of the seeds.
    pub(super) state: String,
    /// Whether every node kept up with the load, with every seed.
    pub(super) is_steady: bool,
    /// Of each metric, the mean over seeds and the half-width of its 95 % confidence interval: over seeds, if there are several,
    /// otherwise within the run. NaN where there is none.
    pub(super) values: Vec<(f64, f64)>,
    /// Of each seed and each metric: what the means are of.
    points: Vec<Vec<(f64, f64)>>,
}

/// The tables of points that there can be.
const TABLES: [&str; 3] = ["points.csv", "compare.csv", "summary.csv"];
/// Columns of a campaign's table that are no keys.
const POINT: &str = "point";
const SEED: &str = "seed";
const LABEL: &str = "label";

impl Results {
    pub(super) fn read(dir: &Path) -> Result<Self, PageError> {
        let path = TABLES.iter().map(|name| dir.join(name)).find(|path| path.is_file());
        let Some(path) = path else {
            let path = dir.to_owned();
            let is_campaign = dir.join("points").is_dir();
            return Err(match dir.is_dir() {
                false => PageError::Missing { path },
                true if is_campaign => PageError::Uncollected { path },
                true => PageError::Nothing { path },
            });
        };
        let full = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        let table = Table::read(&path)?;
        let mut results = Self {
            name: full.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            provenance: provenance(&dir.join("provenance.json"))?,
            keys: table.keys.iter().map(|(_, key)| key.clone()).collect(),
            metrics: metrics(&table.header),
            curves: Vec::new(),
            rows: Vec::new(),
            row_of: HashMap::new(),
        };
        results.take(&table)?;
        Ok(results)
    }

    /// Sorts the points into curves and rows, and sums up seeds.
    fn take(&mut self, table: &Table) -> Result<(), PageError> {
        let (mut curves, mut rows) = (HashMap::new(), HashMap::new());
        let columns: Vec<_> = self
            .metrics
            .iter()
            .map(|metric| (table.column(&metric.column), metric.interval.and_then(|name| table.column(name))))
            .collect();
        for record in &table.records {
            let values: Vec<String> =
                table.keys.iter().map(|(n, _)| name_of(&record[*n]).to_owned()).collect();
            let curve = *curves.entry(values).or_insert_with_key(|values| {
                let scenario = scenario(&self.provenance, &self.keys, values);
                self.curves.push(Line { values: values.clone(), scenario });
                self.curves.len() - 1
            });
            let (load, state) = (table.number(record, Some(table.load))?, &record[table.state]);
            let state = State::ALL.into_iter().find(|known| known.word() == state);
            let state = state.ok_or_else(|| table.wrong(record, "an unknown state"))?;
            let row = *rows.entry((curve, load.to_bits())).or_insert_with(|| {
                self.rows.push(Row::new(curve, load));
                self.rows.len() - 1
            });
            let name = table.name.map(|n| record[n].to_owned()).unwrap_or_default();
            self.row_of.insert((name, record[table.load].to_owned()), row);
            let values = columns
                .iter()
                .map(|&(mean, half)| Ok((table.number(record, mean)?, table.number(record, half)?)))
                .collect::<Result<_, PageError>>()?;
            self.rows[row].add(state, values);
        }
        self.rows.iter_mut().for_each(Row::sum_up);
        Ok(())
    }
}

impl Row {
    fn new(curve: usize, load: f64) -> Self {
        let (state, values) = (String::new(), Vec::new());
        Self { curve, load, seeds: 0, state, is_steady: true, values, points: Vec::new() }
    }

    fn add(&mut self, state: State, values: Vec<(f64, f64)>) {
        if self.seeds == 0 || (self.is_steady && !state.keeps_up()) {
            state.word().clone_into(&mut self.state);
        }
        self.is_steady &= state.keeps_up();
        self.seeds += 1;
        self.points.push(values);
    }

    fn sum_up(&mut self) {
        let metrics = self.points.first().map_or(0, Vec::len);
        let of = |metric: usize| {
            let found: Vec<(f64, f64)> =
                self.points.iter().map(|point| point[metric]).filter(|(mean, _)| mean.is_finite()).collect();
            match found[..] {
                [] => (f64::NAN, f64::NAN),
                [one] => one,
                _ => mean_and_ci95(&found.iter().map(|(mean, _)| *mean).collect::<Vec<_>>()),
            }
        };
        self.values = (0..metrics).map(of).collect();
        self.points = Vec::new();
    }
}

/// A table of points as it stands in its file.
struct Table {
    path: PathBuf,
    header: Vec<String>,
    records: Vec<csv::StringRecord>,
    load: usize,
    state: usize,
    /// The column that tables beside this one begin with, if they have one more than the load.
    name: Option<usize>,
    /// Columns, and the keys that they are.
    keys: Vec<(usize, String)>,
}

impl Table {
    fn read(path: &Path) -> Result<Self, PageError> {
        let failed = |error: csv::Error| PageError::wrong(path, error.to_string());
        let bytes = read(path)?;
        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        let header: Vec<String> = reader.headers().map_err(failed)?.iter().map(str::to_owned).collect();
        let records = reader.records().collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let column = |name: &str| header.iter().position(|column| column == name);
        let missing = |name: &str| PageError::wrong(path, format!("no column `{name}`"));
        let load = column("load").ok_or_else(|| missing("load"))?;
        let state = column("state").ok_or_else(|| missing("state"))?;
        if records.is_empty() {
            return Err(PageError::wrong(path, "no point is finished"));
        }
        let leading = header[..load].iter().cloned().enumerate();
        let keys = leading.filter(|(_, name)| ![POINT, SEED, LABEL].contains(&name.as_str())).collect();
        let name = column(POINT).or(column("scenario")).filter(|&n| n < load);
        Ok(Self { path: path.to_owned(), load, state, name, keys, records, header })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// NaN where the field is empty, or there is no such column.
    fn number(&self, record: &csv::StringRecord, column: Option<usize>) -> Result<f64, PageError> {
        match column.and_then(|n| record.get(n)) {
            None | Some("") => Ok(f64::NAN),
            Some(text) => text.parse().map_err(|_| self.wrong(record, &format!("{text:?} is no number"))),
        }
    }

    fn wrong(&self, record: &csv::StringRecord, message: &str) -> PageError {
        let line = record.position().map_or(0, csv::Position::line);
        PageError::wrong(&self.path, format!("{message} in line {line}"))
    }
}

fn provenance(path: &Path) -> Result<Json, PageError> {
    serde_json::from_slice(&read(path)?).map_err(|error| PageError::wrong(path, error.to_string()))
}

fn read(path: &Path) -> Result<Vec<u8>, PageError> {
    bounded::read(path, LARGEST).map_err(|source| PageError::Unreadable { path: path.to_owned(), source })
}

/// A point has three hundred bytes: a million of them.
const LARGEST: u64 = 256 << 20;

/// The scenario of a curve: as `provenance.json` has it, or the base of a campaign with the keys that vary set.
fn scenario(provenance: &Json, keys: &[String], values: &[String]) -> Option<Scenario> {
    let folder = Path::new("");
    if let Some(base) = provenance["base"].as_str() {
        let given = keys.iter().zip(values).filter(|(_, value)| !value.is_empty());
        let sets: Vec<String> = given.map(|(key, value)| format!("{key}={value}")).collect();
        return Scenario::parse(base, "base", folder, &sets).ok();
    }
    let curves = provenance["curves"].as_array()?;
    let is_it = |curve: &&Json| values.first().is_none_or(|name| curve["name"] == **name);
    Scenario::parse(curves.iter().find(is_it)?["scenario"].as_str()?, "scenario", folder, &[]).ok()
}
