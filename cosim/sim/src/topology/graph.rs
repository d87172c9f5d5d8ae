//! Any connected graph, from a file with one edge per line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use router_core::map::{self, Map, RouterClass};
use router_core::units::{PortClass, PortId};

use super::grid::{CLASSES, DEFAULTS};
use super::layout::{Defaults, Layout};
use super::{Known, LineError, MAX_ROUTERS, TopologyError, Wiring};
use crate::bounded;
use crate::document::write::{list, path};
use crate::document::{Data, Field, Lines, Problem, Section};

/// A graph from a file with one edge (`a b`) per line and `#` comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The file, as found from the scenario's folder.
    pub file: PathBuf,
    /// Nodes at the routers.
    pub nodes_per_router: NodesPerRouter,
}

/// How many nodes are at each router.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodesPerRouter {
    /// As many at each, 1…62.
    Same(u8),
    /// So many at each, by number, 0…62.
    Each(Vec<u8>),
}

impl NodesPerRouter {
    fn read(field: &Field<'_>) -> Result<Self, Problem> {
        match &field.value.data {
            Data::List(_) => {
                let expected = "a whole number from 1 to 62 or a list of them, one per router";
                let each = field.list(expected)?;
                Ok(Self::Each(each.iter().map(|field| field.whole(0..=62)).collect::<Result<_, _>>()?))
            }
            _ => field.whole(1..=62).map(Self::Same),
        }
    }

    fn write(&self) -> String {
        match self {
            Self::Same(nodes) => nodes.to_string(),
            Self::Each(nodes) => list(nodes),
        }
    }

    fn at(&self, router: usize) -> u8 {
        match self {
            Self::Same(nodes) => *nodes,
            Self::Each(nodes) => nodes.get(router).copied().unwrap_or(0),
        }
    }
}

impl Layout for Graph {
    const WORD: &'static str = "graph";
    const KEYS: &'static [&'static str] = &["file", "nodes_per_router"];
    const ROUTING: &'static str = "table";

    /// The path is made absolute, so that a scenario that is written elsewhere still finds the file.
    fn read(section: &Section<'_>, folder: &Path) -> Result<Self, Problem> {
        let expected = "the name of a file with one edge per line";
        let field = section.need("file", expected)?;
        let name = field.text(expected)?;
        if name.is_empty() || name.contains('\0') {
            return Err(field.wrong(expected));
        }
        let file = folder.join(name);
        let file = std::path::absolute(&file).unwrap_or(file);
        let nodes = section.get("nodes_per_router").map(|field| NodesPerRouter::read(&field)).transpose()?;
        Ok(Self { file, nodes_per_router: nodes.unwrap_or(NodesPerRouter::Same(1)) })
    }

    fn write(&self) -> Lines {
        vec![("file", path(&self.file)), ("nodes_per_router", self.nodes_per_router.write())]
    }

    fn named(&self) -> Self {
        let file = self.file.file_name().map(Into::into).unwrap_or_default();
        Self { file, ..self.clone() }
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
        match &self.nodes_per_router {
            NodesPerRouter::Same(_) => None,
            NodesPerRouter::Each(nodes) => Some(nodes.iter().map(|&nodes| u32::from(nodes)).sum()),
        }
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        Wiring::collect(&Edges::read(&self.file, &self.nodes_per_router)?, CLASSES, Known::default())
    }
}

/// A graph whose routers are numbered without gaps. Parallel edges are allowed.
///
/// Ports of a router: its nodes, then one local port per end of an edge, in the order of the file. The address of a
/// router is its number.
#[derive(Debug, Clone)]
struct Edges {
    nodes: NodesPerRouter,
    /// The different numbers of nodes at a router: one class of routers for each.
    classes: Vec<u8>,
    /// Entry `router`, `port - nodes`: router and port at the other end.
    ends: Vec<Vec<(usize, usize)>>,
}

impl Edges {
    /// Reads `file`: two router numbers per line, `#` starts a comment.
    fn read(file: &Path, nodes: &NodesPerRouter) -> Result<Self, TopologyError> {
        let text = bounded::read_text(file, LARGEST)
            .map_err(|source| TopologyError::Read { file: file.to_path_buf(), source })?;
        let mut edges = Self { nodes: nodes.clone(), classes: Vec::new(), ends: Vec::new() };
        for (n, line) in text.lines().enumerate() {
            let edge = parse_edge(line).map_err(|what| TopologyError::Line {
                file: file.to_path_buf(),
                line: n + 1,
                what,
            })?;
            if let Some((a, b)) = edge {
                edges.join(a, b);
            }
        }
        edges.check(file)?;
        let routers = edges.ends.len();
        let different: BTreeSet<u8> = (0..routers).map(|router| nodes.at(router)).collect();
        edges.classes = different.into_iter().collect();
        Ok(edges)
    }

    fn join(&mut self, a: usize, b: usize) {
        let routers = self.ends.len().max(a + 1).max(b + 1);
        self.ends.resize(routers, Vec::new());
        let port_a = usize::from(self.nodes.at(a)) + self.ends[a].len();
        let port_b = usize::from(self.nodes.at(b)) + self.ends[b].len();
        self.ends[a].push((b, port_b));
        self.ends[b].push((a, port_a));
    }

    fn check(&self, file: &Path) -> Result<(), TopologyError> {
        let file = file.to_path_buf();
        if let NodesPerRouter::Each(nodes) = &self.nodes
            && nodes.len() != self.ends.len()
        {
            return Err(TopologyError::NodesPerRouter {
                file,
                listed: nodes.len(),
                routers: self.ends.len(),
            });
        }
        let Some(highest) = self.ends.len().checked_sub(1) else {
            return Err(TopologyError::NoEdges { file });
        };
        match self.ends.iter().position(Vec::is_empty) {
            Some(router) => Err(TopologyError::Gap { file, router, highest }),
            None => Ok(()),
        }
    }
}

/// The edge a line names; `None` for a line that is empty but for a comment.
fn parse_edge(line: &str) -> Result<Option<(usize, usize)>, LineError> {
    let edge = line.split('#').next().unwrap_or_default();
    let words: Vec<&str> = edge.split_whitespace().collect();
    let (a, b) = match words[..] {
        [] => return Ok(None),
        [a, b] => (parse_router(a)?, parse_router(b)?),
        _ => return Err(LineError::NotAPair(words.len())),
    };
    if a == b { Err(LineError::Loop(a)) } else { Ok(Some((a, b))) }
}

fn parse_router(word: &str) -> Result<usize, LineError> {
    let number = word.parse().ok().filter(|&router| router < MAX_ROUTERS);
    number.ok_or_else(|| LineError::NotARouter(word.to_owned()))
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

    fn peer(&self, router: u32, port: PortId) -> Option<map::Peer> {
        let router = router as usize;
        let Some(end) = port.number().checked_sub(self.nodes.at(router)) else {
            return Some(map::Peer::Node);
        };
        let &(there, port) = self.ends[router].get(usize::from(end))?;
        Some(map::Peer::Router { router: there as u32, port: PortId::new(port as u8) })
    }
}

/// A line has a dozen bytes: millions of edges.
const LARGEST: u64 = 64 << 20;
