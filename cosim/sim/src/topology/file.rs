//! Files of graphs: a list of edges, Graphviz DOT, GraphML, by the ending of their names.

mod dot;
mod edge_list;
mod graphml;
mod names;
mod tokens;

use std::path::Path;

use super::edges::Edge;
use super::{LineError, PlaceError, TopologyError};
use crate::bounded;

/// Why a file means nothing, and where.
#[derive(Debug)]
enum Fault {
    /// In a line, from 1.
    Line(usize, LineError),
    /// At a line and column, from 1.
    Place(Place, PlaceError),
}

/// A line and a column of a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn fault(self, what: PlaceError) -> Fault {
        Fault::Place(self, what)
    }
}

/// Reads `file`.
pub(super) fn read(file: &Path) -> Result<Vec<Edge>, TopologyError> {
    let text = bounded::read_text(file, LARGEST)
        .map_err(|source| TopologyError::Read { file: file.to_path_buf(), source })?;
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let edges = match ending.to_ascii_lowercase().as_str() {
        "dot" | "gv" => dot::read(&text),
        "graphml" => graphml::read(&text),
        _ => edge_list::read(&text),
    };
    let file = file.to_path_buf();
    edges.map_err(|fault| match fault {
        Fault::Line(line, what) => TopologyError::Line { file, line, what },
        Fault::Place(Place { line, column }, what) => TopologyError::Place { file, line, column, what },
    })
}

/// The latency that a text says.
fn latency(text: &str) -> Option<u32> {
    text.parse().ok().filter(|cycles| (1..=10_000).contains(cycles))
}

/// The key of a latency.
const LATENCY: &str = "latency";

/// A line has a dozen bytes: millions of edges.
const LARGEST: u64 = 64 << 20;
