//! Files of networks, each in the format that its ending or its first lines say.

mod anynet;
mod blocks;
mod cluster;
mod content;
mod dot;
mod edge_list;
mod fabric;
mod gml;
mod graphml;
mod kinds;
mod left_out;
mod planes;
mod servers;
mod slurm;
mod speeds;
mod tokens;
mod vertices;

use router_core::rate::Rate;
use std::path::Path;

use super::edges::WIDEST;
use super::{FileError, LineError, PlaceError, TopologyError};
use crate::bounded::GRAPH;
use crate::{bounded, document};
pub(crate) use content::Content;
pub(crate) use fabric::{Fabric, LidFlaw};
use kinds::Kind;

/// Why a file means nothing, and where.
#[derive(Debug)]
enum Fault {
    /// In a line, from 1.
    Line(usize, LineError),
    /// At a line and column, from 1.
    Place(Place, PlaceError),
    /// As a whole.
    File(FileError),
}

/// A line and a column of a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    const START: Self = Self { line: 1, column: 1 };

    fn fault(self, what: PlaceError) -> Fault {
        Fault::Place(self, what)
    }

    /// The place behind a text that begins here.
    fn behind(self, text: &str) -> Self {
        let lines = text.matches('\n').count();
        let last = text.rsplit('\n').next().unwrap_or_default().chars().count();
        let column = if lines == 0 { self.column } else { 1 };
        Self { line: self.line + lines, column: column + last }
    }
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
    let bytes = bounded::read(file, GRAPH.bytes);
    let text = bytes.and_then(|bytes| bounded::text_of_names(bytes, is_fabric(file)));
    let text = text.map_err(|source| TopologyError::Read { file: file.to_path_buf(), source })?;
    let content = content(&ending(file), text.trim_start_matches('\u{feff}')).and_then(|content| {
        let fits = content.edges.len() <= GRAPH.items;
        if fits { Ok(content) } else { Err(Fault::File(FileError::TooManyLinks)) }
    });
    let file = file.to_path_buf();
    content.map_err(|fault| match fault {
        Fault::Line(line, what) => TopologyError::Line { file, line, what },
        Fault::Place(Place { line, column }, what) => TopologyError::Place { file, line, column, what },
        Fault::File(what) => TopologyError::File { file, what },
    })
}

fn content(ending: &str, text: &str) -> Result<Content, Fault> {
    match kinds::of(ending, text).map_err(|other| Fault::File(FileError::Other(other)))? {
        Kind::EdgeList => edge_list::read(text),
        Kind::Dot => dot::read(text),
        Kind::GraphMl => graphml::read(text),
        Kind::Gml => gml::read(text),
        Kind::Discovered => cluster::read_discovered(text),
        Kind::Described => cluster::read_described(text),
        Kind::Slurm => slurm::read(text),
        Kind::Anynet => anynet::read(text),
    }
}

/// `1 link at 4xEDR`, or `3 links at 4xEDR`.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
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

/// The rate that a text says: `1/4`, or `1`.
pub(crate) fn rate(text: &str) -> Option<Rate> {
    let (flits, cycles) = text.split_once('/').unwrap_or((text, "1"));
    let rate = Rate::new(flits.trim().parse().ok()?, cycles.trim().parse().ok()?)?;
    (rate.longest_gap() <= SLOWEST).then_some(rate)
}

/// Most cycles between two flits of a link.
const SLOWEST: u32 = 100;

/// The key of a rate.
const RATE: &str = "rate";

/// The key of a number of an edge that a name was probably meant to be.
fn meant(name: &str) -> Option<&'static str> {
    document::nearest(name, &[LATENCY, WIDTH]).filter(|&key| key != name)
}
