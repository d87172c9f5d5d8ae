//! What topologies have in common that are a rule for their edges, with as many nodes at each router.
//!
//! Ports of a router: its nodes, then one per end of an edge, in the order of the rule. Links between routers are of one class.

use std::path::Path;

use router_core::units::PortClass;

use super::edges::{Edge, Edges, NodesPerRouter};
use super::grid::{CLASSES, DEFAULTS};
use super::layout::{Defaults, Layout};
use super::{Known, MAX_ADDRESS, MOST_PORTS, TopologyError, Wiring};
use crate::document::{Field, Lines, Problem, Section};

/// A topology that is a rule for its edges. One file each.
pub(super) trait Generated: Clone + std::fmt::Debug + Send + Sync {
    /// Its word in `topology.kind`.
    const WORD: &'static str;
    /// Its keys beside `kind`, in the order in which they are written, [`NODES`] last.
    const KEYS: &'static [&'static str];
    /// The word of the routing that a scenario has if it names none.
    const ROUTING: &'static str;

    /// Reads its keys, all of which are known.
    ///
    /// # Errors
    /// The first key that is missing or wrong.
    fn read(section: &Section<'_>) -> Result<Self, Problem>;

    /// Its keys but [`NODES`], and their values; reading them gives the same topology again.
    fn write(&self) -> Lines;

    /// Nodes at each router.
    fn nodes_per_router(&self) -> u8;

    /// The first so many routers have nodes; all of them, unless it says otherwise.
    fn hosts(&self) -> Option<u32> {
        self.routers()
    }

    /// How many routers there are; `None` where the numbers, which a program may have made, are out of range.
    fn routers(&self) -> Option<u32>;

    /// The rule: the two routers of each edge, which are different ones, each below [`Generated::routers`].
    fn edges(&self) -> Vec<(u32, u32)>;

    /// The link of an edge, which goes both ways unless it says otherwise.
    fn edge(ends: (u32, u32)) -> Edge {
        Edge::plain(ends)
    }

    /// Facts that follow from the rule.
    fn known(&self) -> Known {
        Known::default()
    }
}

impl<G: Generated> Layout for G {
    const WORD: &'static str = <G as Generated>::WORD;
    const KEYS: &'static [&'static str] = <G as Generated>::KEYS;
    const ROUTING: &'static str = <G as Generated>::ROUTING;

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        <G as Generated>::read(section)
    }

    fn write(&self) -> Lines {
        let mut lines = <G as Generated>::write(self);
        lines.push((NODES, self.nodes_per_router().to_string()));
        lines
    }

    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn has(&self, class: PortClass) -> bool {
        class != PortClass::GLOBAL
    }

    fn defaults(&self) -> Defaults {
        DEFAULTS
    }

    fn nodes(&self) -> Option<u32> {
        Some(self.hosts()?.saturating_mul(self.nodes_per_router().into()))
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        let (Some(routers), Some(hosts)) = (self.routers(), self.hosts()) else {
            return Err(TopologyError::Numbers { word: <G as Generated>::WORD });
        };
        let nodes = match self.nodes_per_router() {
            each if hosts == routers => NodesPerRouter::Same(each),
            each => NodesPerRouter::Each(vec![each; hosts as usize]),
        };
        let edges = self.edges().into_iter().map(G::edge);
        Edges::join(nodes, routers as usize, edges).wire(CLASSES, self.known())
    }
}

/// Reads the nodes at each router, which has `degree` links to others because of `cause`.
pub(super) fn nodes_per_router(section: &Section<'_>, degree: u32, cause: &Field<'_>) -> Result<u8, Problem> {
    let nodes = section.whole(NODES, 1..=62, 1)?;
    let ports = degree.saturating_add(u32::from(nodes));
    if ports > MOST_PORTS {
        let field = section.get(NODES).unwrap_or(cause.clone());
        return Err(field.refuse(format!(
            "a router would need {ports} ports ({nodes} to nodes, {degree} to routers), at most {MOST_PORTS} are possible"
        )));
    }
    Ok(nodes)
}

/// A circulant graph: each of `routers` routers is joined with those so many `steps` further round the numbering, each of which is
/// at most half-way round.
pub(super) fn circulant(routers: u32, steps: impl IntoIterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for step in steps {
        // Two routers that are opposite of each other have one link.
        let first = if 2 * step == routers { step } else { routers };
        edges.extend((0..first).map(|router| (router, (router + step) % routers)));
    }
    edges
}

/// A Hamming graph: routers with coordinates below `dims`, the first of which counts fastest; two are joined where one coordinate
/// differs.
pub(super) fn hamming(dims: &[u32]) -> Vec<(u32, u32)> {
    let routers: u32 = dims.iter().product();
    let (mut edges, mut stride) = (Vec::new(), 1);
    for &size in dims {
        for router in 0..routers {
            let own = router / stride % size;
            edges.extend((1..size - own).map(|further| (router, router + further * stride)));
        }
        stride *= size;
    }
    edges
}

/// Links between two halves of a Hamming graph, where known: half of the smallest dimension on each side.
///
/// Routes that correct one coordinate after the other load a channel of dimension `k` with `N / k` of the `N² / 2` pairs of routers that
/// lie across two halves. So at least `N k / 4` links cross, with the smallest `k`; exactly as many do when that `k` is even and halved.
pub(super) fn hamming_bisection(dims: &[u32]) -> Option<u64> {
    let smallest = u64::from(dims.iter().copied().min().filter(|k| k % 2 == 0)?);
    Some(dims.iter().map(|&k| u64::from(k)).product::<u64>() * smallest / 4)
}

/// The key of the nodes at each router.
pub(super) const NODES: &str = "nodes_per_router";

/// Most routers: the numbers that a header has room for.
pub(super) const MOST_ROUTERS: u32 = MAX_ADDRESS + 1;
