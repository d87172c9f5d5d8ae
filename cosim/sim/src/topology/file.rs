//! Files of graphs: a list of edges, Graphviz DOT, GraphML, by the ending of their names; an InfiniBand fabric, by that or by its head.

mod dot;
mod edge_list;
mod fabric;
mod graphml;
mod names;
mod tokens;

use std::path::Path;

use super::edges::{Edge, WIDEST};
use super::{LineError, PlaceError, TopologyError};
use crate::{bounded, document};
pub(crate) use fabric::Fabric;

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

/// What a file says.
#[derive(Debug)]
pub(crate) enum Content {
    /// Links between routers.
    Edges(Vec<Edge>),
    /// Links between routers, and nodes.
    Fabric(Box<Fabric>),
}

/// Whether a file is that of a fabric, by the ending of its name.
pub(super) fn is_fabric(file: &Path) -> bool {
    ending(file) == "ibnetdiscover"
}

fn ending(file: &Path) -> String {
    file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// Reads `file`.
pub(crate) fn read(file: &Path) -> Result<Content, TopologyError> {
    let text = bounded::read_text(file, LARGEST)
        .map_err(|source| TopologyError::Read { file: file.to_path_buf(), source })?;
    let content = match ending(file).as_str() {
        "dot" | "gv" => dot::read(&text).map(Content::Edges),
        "graphml" => graphml::read(&text).map(Content::Edges),
        "ibnetdiscover" => Fabric::read(&text).map(|fabric| Content::Fabric(Box::new(fabric))),
        _ if Fabric::is(&text) => Fabric::read(&text).map(|fabric| Content::Fabric(Box::new(fabric))),
        _ => edge_list::read(&text).map(Content::Edges),
    };
    let file = file.to_path_buf();
    content.map_err(|fault| match fault {
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

/// The width that a text says.
fn width(text: &str) -> Option<u8> {
    text.parse().ok().filter(|flits| (1..=WIDEST).contains(flits))
}

/// The key of a width.
const WIDTH: &str = "width";

/// The key of a number of an edge that a name was probably meant to be.
fn meant(name: &str) -> Option<&'static str> {
    document::nearest(name, &[LATENCY, WIDTH]).filter(|&key| key != name)
}

/// A line has a dozen bytes: millions of edges. Read, a file takes up to twenty times its length.
const LARGEST: u64 = 32 << 20;
