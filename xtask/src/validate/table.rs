//! What is compared: tables of routings or loads by patterns, each cell an experiment of another program and two of ours.

use crate::bench::booksim::BookSim;
use crate::bench::experiment::Experiment;
use crate::bench::fogsim::Fogsim;
use crate::bench::simulator::Run;
use crate::step::{Failure, root};
use serde::Deserialize;
use std::fs;

/// Where scenarios, tables and results are, in `scenarios`.
pub(super) const FOLDER: &str = "validation";

/// The file of all tables.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    table: Vec<Table>,
}

/// One table of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) program: Program,
    /// The scenario that all cells begin with, by its name in the folder.
    pub(super) scenario: String,
    pub(super) measure: Measure,
    /// Whether FOGSim is compared with as it is, and with the changes that the page lists.
    #[serde(default)]
    pub(super) changed: bool,
    /// What is set in our second run of each cell: our defaults, where the scenario has options that make it like the other program.
    #[serde(default)]
    pub(super) plain: Vec<String>,
    pub(super) row: Vec<Line>,
    pub(super) column: Vec<Line>,
    #[serde(default)]
    pub(super) difference: Vec<Difference>,
    #[serde(default)]
    pub(super) cause: Vec<Cause>,
}

/// A row that is the difference of two others, by their names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Difference {
    pub(super) name: String,
    pub(super) row: String,
    pub(super) minus: String,
}

/// A program that is compared with.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub(super) enum Program {
    Fogsim,
    /// With the changes that the page lists: of the tables that ask for it.
    #[serde(skip)]
    FogsimChanged,
    Booksim,
}

/// What is compared.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Measure {
    /// Accepted load.
    Accepted,
    /// Mean latency.
    Latency,
    /// Mean latency above that of the first column.
    Waiting,
}

/// A row or a column: its name, what it sets, and, of a row, figures from elsewhere for each column.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) name: String,
    #[serde(default)]
    pub(super) set: Vec<String>,
    #[serde(default)]
    pub(super) recorded: Vec<f64>,
}

/// Why cells differ.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cause {
    /// Rows and columns, by name; none: all.
    #[serde(default)]
    pub(super) rows: Vec<String>,
    #[serde(default)]
    pub(super) columns: Vec<String>,
    pub(super) text: String,
}

/// One cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'t> {
    pub(super) table: &'t Table,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// All tables.
pub(super) fn tables() -> Result<Vec<Table>, Failure> {
    let file = root().join("scenarios").join(FOLDER).join("tables.toml");
    let failed = |error: String| Failure::new(format!("{}: {error}", file.display()));
    let text = fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
    let read: Tables = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    Ok(read.table)
}

impl Table {
    /// Its cells, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let columns = self.column.len();
        (0..self.row.len())
            .flat_map(move |row| (0..columns).map(move |column| Cell { table: self, row, column }))
    }

    /// Whether it is compared with this program.
    pub(super) fn is_beside(&self, program: Program) -> bool {
        self.program == program || self.changed && program == Program::FogsimChanged
    }
}

impl Program {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Fogsim, Self::FogsimChanged, Self::Booksim];

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Fogsim => "FOGSim",
            Self::FogsimChanged => "FOGSim, changed",
            Self::Booksim => "BookSim 2",
        }
    }

    /// Its name in names of files and options.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Fogsim => "fogsim",
            Self::FogsimChanged => "fogsim-changed",
            Self::Booksim => "booksim",
        }
    }
}

impl Cause {
    /// Whether it is said of a cell.
    pub(super) fn holds(&self, cell: Cell<'_>) -> bool {
        let has = |names: &[String], name: &String| names.is_empty() || names.contains(name);
        has(&self.rows, cell.row()) && has(&self.columns, cell.column())
    }
}

impl<'t> Cell<'t> {
    /// The name of its row.
    pub(super) fn row(self) -> &'t String {
        &self.table.row[self.row].name
    }

    /// The name of its column.
    pub(super) fn column(self) -> &'t String {
        &self.table.column[self.column].name
    }

    /// What it is called in the files of results.
    pub(super) fn key(self) -> String {
        format!("{}: {}, {}", self.table.name, self.row(), self.column())
    }

    /// A figure from elsewhere.
    pub(super) fn recorded(self) -> Option<f64> {
        self.table.row[self.row].recorded.get(self.column).copied().filter(|figure| !figure.is_nan())
    }

    /// Its scenario, as the other program's configuration has it, or with our defaults.
    pub(super) fn experiment(self, plain: bool) -> Result<Experiment, Failure> {
        let Table { scenario, plain: defaults, row, column, .. } = self.table;
        let defaults = if plain { defaults.as_slice() } else { &[] };
        let sets = [&row[self.row].set, &column[self.column].set, defaults].concat();
        Experiment::with(&format!("{FOLDER}/{scenario}"), &sets)
    }

    /// How it is run.
    pub(super) fn run(experiment: &Experiment) -> Run {
        let (load, cycles) = (experiment.traffic.loads[0], experiment.run);
        Run { load, warmup: cycles.warmup, measured: cycles.measured }
    }

    /// The other program's configuration.
    pub(super) fn configuration(self) -> Result<String, Failure> {
        let experiment = self.experiment(false)?;
        let run = Self::run(&experiment);
        match self.table.program {
            Program::Fogsim | Program::FogsimChanged => Fogsim::configuration(&experiment, run),
            Program::Booksim => BookSim::configuration(&experiment, run),
        }
    }
}
