//! A network that is a list of edges: routers by number, some nodes at each.

use std::collections::BTreeSet;

use router_core::map::{self, Map, RouterClass};
use router_core::rate::Rate;
use router_core::units::{PortClass, PortId};

use super::{Known, TopologyError, Wiring};
use crate::document::write::{list, quoted};
use crate::document::{Data, Field, Problem};

/// Most nodes at a router that a scenario names: two ports are left.
const MOST_NODES: u8 = 254;

/// How many nodes are at each router.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodesPerRouter {
    /// As many at each, 1…254.
    Same(u8),
    /// So many at each, by number, 0…254.
    Each(Vec<u8>),
    /// As many as the file of the graph says, which is that of a fabric.
    File,
}

impl NodesPerRouter {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, Problem> {
        match &field.value.data {
            Data::List(_) => {
                let expected = "a whole number from 1 to 254 or a list of them, one per router";
                let each = field.list(expected)?;
                Ok(Self::Each(
                    each.iter().map(|field| field.whole(0..=MOST_NODES)).collect::<Result<_, _>>()?,
                ))
            }
            Data::Text(_) => field.one_of(&[OF_FILE]).map(|_| Self::File),
            _ => field.whole(1..=MOST_NODES).map(Self::Same),
        }
    }

    pub(super) fn write(&self) -> String {
        match self {
            Self::Same(nodes) => nodes.to_string(),
            Self::Each(nodes) => list(nodes),
            Self::File => quoted(OF_FILE),
        }
    }

    pub(super) fn at(&self, router: usize) -> u8 {
        match self {
            Self::Same(nodes) => *nodes,
            Self::Each(nodes) => nodes.get(router).copied().unwrap_or(0),
            Self::File => 0,
        }
    }
}

/// Instead of a number of nodes: as the file says.
const OF_FILE: &str = "file";

/// An edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    /// The routers; where it is one-way, from the first to the second.
    pub(super) ends: (u32, u32),
    /// Whether flits go one way only.
    pub(super) is_one_way: bool,
    /// Link cycles, where the edge has a latency of its own.
    pub(super) latency: Option<u32>,
    /// Flits per cycle each way, 1 to [`WIDEST`], where the edge says so: as many parallel links of one flit per cycle.
    pub(super) width: Option<u8>,
    /// Flits per cycle of each of its links, where the edge says so.
    pub(super) rate: Option<Rate>,
}

impl Edge {
    /// One that is as wide as every other, goes both ways, and has the latency of its class.
    pub(super) const fn plain(ends: (u32, u32)) -> Self {
        Self { ends, is_one_way: false, latency: None, width: None, rate: None }
    }
}

/// The widest edge: a router has no more ports to others.
pub(super) const WIDEST: u8 = 63;

/// What lies behind a port.
#[derive(Debug, Clone, Copy)]
struct End {
    router: usize,
    port: usize,
    latency: Option<u32>,
    rate: Option<Rate>,
    /// Whether flits leave by it.
    sends: bool,
}

/// A graph whose routers are numbered without gaps. Parallel edges are allowed.
///
/// Ports of a router: its nodes, then one local port per end of an edge, in the order of the list. The address of a
/// router is its number.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    nodes: NodesPerRouter,
    /// The different numbers of nodes at a router: one class of routers for each.
    classes: Vec<u8>,
    /// Entry `router`, `port - nodes`.
    ends: Vec<Vec<End>>,
}

impl Edges {
    /// Joins two different ones of so many routers by each edge.
    pub(super) fn join(nodes: NodesPerRouter, routers: usize, edges: impl IntoIterator<Item = Edge>) -> Self {
        let mut joined = Self { nodes, classes: Vec::new(), ends: vec![Vec::new(); routers] };
        for edge in edges {
            (0..edge.width.unwrap_or(1)).for_each(|_| joined.add(edge));
        }
        let different: BTreeSet<u8> = (0..joined.ends.len()).map(|router| joined.nodes.at(router)).collect();
        joined.classes = different.into_iter().collect();
        joined
    }

    fn add(&mut self, Edge { ends: (a, b), is_one_way, latency, rate, .. }: Edge) {
        let (a, b) = (a as usize, b as usize);
        let port_a = usize::from(self.nodes.at(a)) + self.ends[a].len();
        let port_b = usize::from(self.nodes.at(b)) + self.ends[b].len();
        self.ends[a].push(End { router: b, port: port_b, latency, rate, sends: true });
        self.ends[b].push(End { router: a, port: port_a, latency, rate, sends: !is_one_way });
    }

    /// Wires it; links between routers are of class 1.
    pub(super) fn wire(
        &self,
        class_names: &'static [&'static str],
        known: Known,
    ) -> Result<Wiring, TopologyError> {
        let mut wiring = Wiring::collect(self, class_names, known)?;
        if self.ends.iter().flatten().any(|end| end.latency.is_some()) {
            wiring.latencies = vec![None; wiring.peers.len()];
            for (router, ends) in self.ends.iter().enumerate() {
                let first = router * wiring.ports + usize::from(self.nodes.at(router));
                let links = wiring.latencies[first..].iter_mut().zip(ends);
                links.for_each(|(latency, end)| *latency = end.latency);
            }
        }
        for (router, ends) in self.ends.iter().enumerate() {
            for (end, port) in ends.iter().zip(usize::from(self.nodes.at(router))..) {
                if let Some(rate) = end.rate {
                    wiring.set_rate(router, port, rate);
                }
            }
        }
        Ok(wiring)
    }
}

impl Map for Edges {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.ends.len() as u32
    }

    fn ports(&self) -> usize {
        let ports = |(router, ends): (usize, &Vec<_>)| usize::from(self.nodes.at(router)) + ends.len();
        self.ends.iter().enumerate().map(ports).max().unwrap_or(0)
    }

    fn router_class(&self, router: u32) -> RouterClass {
        let nodes = self.nodes.at(router as usize);
        RouterClass(self.classes.iter().position(|&other| other == nodes).unwrap_or(0) as u8)
    }

    fn port_class(&self, RouterClass(of): RouterClass, port: PortId) -> PortClass {
        let nodes = self.classes.get(usize::from(of)).copied().unwrap_or(0);
        if port.number() < nodes { PortClass::NODE } else { PortClass::LOCAL }
    }

    fn sends(&self, router: u32, port: PortId) -> bool {
        let end = port.number().checked_sub(self.nodes.at(router as usize));
        end.and_then(|end| self.ends[router as usize].get(usize::from(end))).is_none_or(|end| end.sends)
    }

    fn peer(&self, router: u32, port: PortId) -> Option<map::Peer> {
        let router = router as usize;
        let Some(end) = port.number().checked_sub(self.nodes.at(router)) else {
            return Some(map::Peer::Node);
        };
        let End { router, port, .. } = *self.ends[router].get(usize::from(end))?;
        Some(map::Peer::Router { router: router as u32, port: PortId::new(port as u8) })
    }
}
