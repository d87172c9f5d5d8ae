//! Any connected graph, from a file with one edge per line.

use std::path::{Path, PathBuf};

use router_core::units::PortClass;

use super::edges::{Edges, NodesPerRouter};
use super::grid::{CLASSES, DEFAULTS};
use super::layout::{Defaults, Layout};
use super::{Known, LineError, MAX_ROUTERS, TopologyError, Wiring};
use crate::bounded;
use crate::document::write::path;
use crate::document::{Lines, Problem, Section};

/// A graph from a file with one edge (`a b`) per line and `#` comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The file, as found from the scenario's folder.
    pub file: PathBuf,
    /// Nodes at the routers.
    pub nodes_per_router: NodesPerRouter,
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
        read_edges(&self.file, &self.nodes_per_router)?.wire(CLASSES, Known::default())
    }
}

/// Reads `file`: two router numbers per line, `#` starts a comment.
fn read_edges(file: &Path, nodes: &NodesPerRouter) -> Result<Edges, TopologyError> {
    let text = bounded::read_text(file, LARGEST)
        .map_err(|source| TopologyError::Read { file: file.to_path_buf(), source })?;
    let mut list = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let edge = parse_edge(line).map_err(|what| TopologyError::Line {
            file: file.to_path_buf(),
            line: n + 1,
            what,
        })?;
        list.extend(edge);
    }
    let edges = Edges::join(nodes.clone(), list);
    check(&edges, nodes, file)?;
    Ok(edges)
}

fn check(edges: &Edges, nodes: &NodesPerRouter, file: &Path) -> Result<(), TopologyError> {
    let (file, routers) = (file.to_path_buf(), edges.routers());
    if let NodesPerRouter::Each(nodes) = nodes
        && nodes.len() != routers
    {
        return Err(TopologyError::NodesPerRouter { file, listed: nodes.len(), routers });
    }
    let Some(highest) = routers.checked_sub(1) else {
        return Err(TopologyError::NoEdges { file });
    };
    match edges.gap() {
        Some(router) => Err(TopologyError::Gap { file, router, highest }),
        None => Ok(()),
    }
}

/// The edge a line names; `None` for a line that is empty but for a comment.
fn parse_edge(line: &str) -> Result<Option<(u32, u32)>, LineError> {
    let edge = line.split('#').next().unwrap_or_default();
    let words: Vec<&str> = edge.split_whitespace().collect();
    let (a, b) = match words[..] {
        [] => return Ok(None),
        [a, b] => (parse_router(a)?, parse_router(b)?),
        _ => return Err(LineError::NotAPair(words.len())),
    };
    if a == b { Err(LineError::Loop(a as usize)) } else { Ok(Some((a, b))) }
}

fn parse_router(word: &str) -> Result<u32, LineError> {
    let number = word.parse().ok().filter(|&router| router < MAX_ROUTERS as u32);
    number.ok_or_else(|| LineError::NotARouter(word.to_owned()))
}

/// A line has a dozen bytes: millions of edges.
const LARGEST: u64 = 64 << 20;
