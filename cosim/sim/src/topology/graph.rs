//! Any connected graph, from a file.

use std::path::{Path, PathBuf};

use router_core::units::PortClass;

use super::edges::{Edges, NodesPerRouter};
use super::grid::{CLASSES, DEFAULTS};
use super::layout::{Defaults, Layout};
use super::{Known, TopologyError, Wiring, file};
use crate::document::write::path;
use crate::document::{Lines, Problem, Section};

/// A graph from a file: one edge (`a b`) per line and `#` comments, or Graphviz DOT, or GraphML, by the ending of its name.
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
        let expected = "the name of a file with one edge per line, of a .dot or of a .graphml file";
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

/// Reads `file` and counts its routers.
fn read_edges(file: &Path, nodes: &NodesPerRouter) -> Result<Edges, TopologyError> {
    let edges = Edges::join(nodes.clone(), file::read(file)?);
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
