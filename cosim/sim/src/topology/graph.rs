//! Any connected graph, from a file.

use std::path::{Path, PathBuf};

use router_core::units::PortClass;

use super::edges::{Edges, NodesPerRouter};
use super::file::{Content, Fabric};
use super::grid::{CLASSES, DEFAULTS};
use super::layout::{Defaults, Layout};
use super::{Known, TopologyError, Wiring, file};
use crate::document;
use crate::document::write::path;
use crate::document::{Lines, Problem, Section};

/// A graph from a file: one edge (`a b`) per line and `#` comments, or Graphviz DOT, GraphML, or an InfiniBand fabric that
/// `ibnetdiscover` wrote.
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

    fn read(section: &Section<'_>, folder: &Path) -> Result<Self, Problem> {
        let expected =
            "the name of a file with one edge per line, of a .dot, .graphml or .ibnetdiscover file";
        let field = section.need("file", expected)?;
        let file = document::file::read(&field, folder, expected)?;
        let nodes = section.get("nodes_per_router").map(|field| NodesPerRouter::read(&field)).transpose()?;
        let default = if file::is_fabric(&file) { NodesPerRouter::File } else { NodesPerRouter::Same(1) };
        Ok(Self { file, nodes_per_router: nodes.unwrap_or(default) })
    }

    fn write(&self) -> Lines {
        vec![("file", path(&self.file)), ("nodes_per_router", self.nodes_per_router.write())]
    }

    fn named(&self) -> Self {
        let file = self.file.file_name().map(Into::into).unwrap_or_default();
        Self { file, ..self.clone() }
    }

    fn file(&self) -> Option<&Path> {
        Some(&self.file)
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
            NodesPerRouter::Same(_) | NodesPerRouter::File => None,
            NodesPerRouter::Each(nodes) => Some(nodes.iter().map(|&nodes| u32::from(nodes)).sum()),
        }
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        read_edges(&self.file, &self.nodes_per_router)?.wire(CLASSES, Known::default())
    }
}

/// Reads `file` and counts its routers.
fn read_edges(file: &Path, nodes: &NodesPerRouter) -> Result<Edges, TopologyError> {
    let is_of_file = *nodes == NodesPerRouter::File;
    let unfit = |is_fabric| TopologyError::NodesOfFile { file: file.to_path_buf(), is_fabric };
    match file::read(file)? {
        Content::Edges(_) if is_of_file => Err(unfit(false)),
        Content::Fabric(_) if !is_of_file => Err(unfit(true)),
        Content::Edges(edges) => checked(Edges::join(nodes.clone(), edges), nodes, file),
        Content::Fabric(fabric) => {
            let nodes = NodesPerRouter::Each(fabric.nodes_per_router());
            checked(Edges::join(nodes.clone(), fabric.edges().iter().copied()), &nodes, file)
        }
    }
}

impl Graph {
    /// The fabric that the file is, if it is one.
    ///
    /// # Errors
    /// When the file cannot be read, or means nothing.
    pub(crate) fn fabric(&self) -> Result<Option<Fabric>, TopologyError> {
        match file::read(&self.file)? {
            Content::Fabric(fabric) => Ok(Some(*fabric)),
            Content::Edges(_) => Ok(None),
        }
    }
}

fn checked(edges: Edges, nodes: &NodesPerRouter, file: &Path) -> Result<Edges, TopologyError> {
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
