//! What is known of a network at the end, and how it is written.

use super::traffics::Kind;
use crate::command::cases::Case;
use desvio_sim::topology::Peer;
use std::error::Error;
use std::path::Path;

/// A network: its size, its cost, its throughput.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) name: String,
    nodes: usize,
    routers: usize,
    /// Ports of the widest router.
    radix: usize,
    /// Links between routers.
    cables: usize,
    /// Flits accepted per node and cycle.
    pub(super) uniform: f64,
    /// The traffic with the lowest throughput of those tried, and that throughput.
    pub(super) worst: (&'static str, f64),
}

impl Answer {
    /// From its runs: case, traffic, flits accepted per node and cycle; `None` without runs.
    pub(super) fn of<'c>(name: &str, runs: impl Iterator<Item = (&'c Case, Kind, f64)>) -> Option<Self> {
        let runs: Vec<_> = runs.collect();
        let wiring = runs.first()?.0.blueprint.wiring();
        let uniform = runs.iter().find(|(_, kind, _)| *kind == Kind::Uniform)?.2;
        let worst =
            runs.iter().map(|(_, kind, load)| (kind.word(), *load)).min_by(|a, b| a.1.total_cmp(&b.1))?;
        let ends = (0..wiring.routers()).map(|router| wiring.neighbours(router).count()).sum::<usize>();
        let widest = |router: usize| {
            (0..wiring.ports()).filter(|&port| is_connected(wiring.peer(router, port))).count()
        };
        Some(Self {
            name: name.to_owned(),
            nodes: wiring.nodes(),
            routers: wiring.routers(),
            radix: (0..wiring.routers()).map(widest).max().unwrap_or(0),
            cables: ends / 2,
            uniform,
            worst,
        })
    }

    /// Both ends of each cable between routers, and the ports to nodes.
    pub(super) fn ports_per_node(&self) -> f64 {
        (2 * self.cables + self.nodes) as f64 / self.nodes as f64
    }
}

fn is_connected(peer: Option<Peer>) -> bool {
    peer.is_some()
}

const COLUMNS: [&str; 9] =
    ["network", "nodes", "routers", "radix", "cables", "ports/node", "uniform", "worst", "worst traffic"];

impl Answer {
    fn cells(&self) -> [String; 9] {
        [
            self.name.clone(),
            self.nodes.to_string(),
            self.routers.to_string(),
            self.radix.to_string(),
            self.cables.to_string(),
            format!("{:.2}", self.ports_per_node()),
            format!("{:.3}", self.uniform),
            format!("{:.3}", self.worst.1),
            self.worst.0.to_owned(),
        ]
    }
}

/// A table for people.
pub(super) fn table(answers: &[Answer]) -> String {
    let rows: Vec<_> =
        std::iter::once(COLUMNS.map(str::to_owned)).chain(answers.iter().map(Answer::cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..COLUMNS.len()).map(width).collect();
    let line = |row: &[String; 9]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 | 8 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Writes `survey.csv`: the table, with every digit.
pub(super) fn write_csv(path: &Path, answers: &[Answer]) -> Result<(), Box<dyn Error>> {
    let mut file = csv::Writer::from_writer(Vec::new());
    file.write_record(COLUMNS)?;
    for answer in answers {
        let mut cells = answer.cells();
        cells[0] = desvio_report::text_cell(&cells[0]);
        cells[5] = answer.ports_per_node().to_string();
        cells[6] = answer.uniform.to_string();
        cells[7] = answer.worst.1.to_string();
        file.write_record(&cells)?;
    }
    desvio_report::replace(path, &file.into_inner()?)?;
    Ok(())
}
