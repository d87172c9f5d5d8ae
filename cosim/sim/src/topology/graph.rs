//! Any connected graph, from a file.

use std::path::{Path, PathBuf};

use router_core::units::PortClass;

use super::edges::{Edges, NodesPerRouter};
use super::file::{Content, Fabric};
use super::grid::{CLASSES, DEFAULTS};
use super::layout::{Defaults, Layout};
use super::{FileError, Known, MAX_PORTS, MAX_ROUTERS, TopologyError, Wiring, file};
use crate::document;
use crate::document::write::path;
use crate::document::{Lines, Problem, Section};
use std::sync::Arc;

/// A graph from a file: a list of edges, Graphviz DOT, GraphML, GML, an InfiniBand fabric as `ibnetdiscover` writes it or `ibsim` reads
/// it, Slurm's `topology.conf`, or BookSim's `anynet`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The file, as found from the scenario's folder.
    pub file: PathBuf,
    /// Nodes at the routers. A number is not used where the file lists nodes.
    pub nodes_per_router: NodesPerRouter,
    /// Which part of the file it is, where no links join its parts, from 0 in the order of their lowest routers.
    pub plane: Option<u32>,
}

impl Layout for Graph {
    const WORD: &'static str = "graph";
    const KEYS: &'static [&'static str] = &["file", "nodes_per_router", "plane"];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>, folder: &Path) -> Result<Self, Problem> {
        let expected = "the name of a file with one edge per line, of a .dot, .graphml, .gml or .ibnetdiscover file, or another that is read";
        let field = section.need("file", expected)?;
        let file = document::file::read(&field, folder, expected)?;
        let nodes = section.get("nodes_per_router").map(|field| NodesPerRouter::read(&field)).transpose()?;
        let default = if file::is_fabric(&file) { NodesPerRouter::File } else { NodesPerRouter::Same(1) };
        let plane = section.get("plane").map(|field| field.whole(0..=MAX_ROUTERS as u32)).transpose()?;
        Ok(Self { file, nodes_per_router: nodes.unwrap_or(default), plane })
    }

    fn write(&self) -> Lines {
        let plane = self.plane.map(|plane| ("plane", plane.to_string()));
        let nodes = ("nodes_per_router", self.nodes_per_router.write());
        [("file", path(&self.file)), nodes].into_iter().chain(plane).collect()
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
        let content = self.content()?;
        let (nodes, note) = self.nodes_at(&content)?;
        self.check_ports(&content, &nodes)?;
        let names = content.names(&nodes).map(Arc::new);
        let edges = Edges::join(nodes, content.count, content.edges.iter().copied());
        let mut wiring = edges.wire(CLASSES, Known::default())?;
        for (router, of) in content.routers.iter().enumerate() {
            for (port, node) in of.nodes.iter().enumerate() {
                if let Some(rate) = node.rate {
                    wiring.set_rate(router, port, rate);
                }
            }
        }
        wiring.rates.are_speeds = content.has_speeds;
        wiring.names = names;
        wiring.notes = content.notes.into_iter().chain(note).collect();
        let file = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        wiring.notes.iter_mut().for_each(|note| *note = format!("{file}: {note}"));
        Ok(wiring)
    }
}

impl Graph {
    /// A whole file, in one part.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>, nodes_per_router: NodesPerRouter) -> Self {
        Self { file: file.into(), nodes_per_router, plane: None }
    }

    /// The identifiers of the fabric that the file is, if it is one.
    ///
    /// # Errors
    /// When the file cannot be read, or means nothing.
    pub(crate) fn fabric(&self) -> Result<Option<Fabric>, TopologyError> {
        Ok(Fabric::of(&self.content()?))
    }

    /// What the file says about the plane that is asked for.
    fn content(&self) -> Result<Content, TopologyError> {
        let file = || self.file.clone();
        let content = file::read(&self.file)?;
        if content.count == 0 {
            return Err(TopologyError::NoEdges { file: file() });
        }
        if let Some(router) = content.gap() {
            return Err(TopologyError::Gap { file: file(), router, highest: content.count - 1 });
        }
        content.plane(self.plane).map_err(|planes| TopologyError::File {
            file: file(),
            what: match self.plane {
                Some(plane) => FileError::NoPlane { plane, planes },
                None => FileError::Planes { planes },
            },
        })
    }

    /// The nodes at each router, those of the file if it lists any, and a note if that is not what the scenario says.
    fn nodes_at(&self, content: &Content) -> Result<(NodesPerRouter, Option<String>), TopologyError> {
        let (file, routers) = (self.file.clone(), content.count);
        let listed = content.lists_nodes.then(|| NodesPerRouter::Each(content.nodes()));
        match (&self.nodes_per_router, listed) {
            (NodesPerRouter::File, None) => Err(TopologyError::NodesOfFile { file, lists_nodes: false }),
            (NodesPerRouter::Each(_), Some(listed)) if self.nodes_per_router != listed => {
                Err(TopologyError::NodesOfFile { file, lists_nodes: true })
            }
            (NodesPerRouter::Each(nodes), None) if nodes.len() != routers => {
                Err(TopologyError::NodesPerRouter { file, listed: nodes.len(), routers })
            }
            (NodesPerRouter::Same(nodes @ 2..), Some(listed)) => {
                let note = format!("it lists its nodes: topology.nodes_per_router = {nodes} is not used");
                Ok((listed, Some(note)))
            }
            (_, Some(listed)) => Ok((listed, None)),
            (nodes, None) => Ok((nodes.clone(), None)),
        }
    }

    /// Names the router that has too many ports.
    fn check_ports(&self, content: &Content, nodes: &NodesPerRouter) -> Result<(), TopologyError> {
        let mut links = vec![0_usize; content.count];
        for edge in &content.edges {
            let width = usize::from(edge.width.unwrap_or(1));
            links[edge.ends.0 as usize] += width;
            links[edge.ends.1 as usize] += width;
        }
        let nodes = |router: usize| content.listed(router).unwrap_or(nodes.at(router).into());
        let ports = |router: usize| nodes(router) + links[router];
        let Some(router) = (0..content.count).max_by_key(|&router| ports(router)) else { return Ok(()) };
        let nodes = nodes(router);
        if ports(router) <= MAX_PORTS && nodes <= u8::MAX.into() {
            return Ok(());
        }
        let what = FileError::TooManyPorts { router: content.label(router), nodes, links: links[router] };
        Err(TopologyError::File { file: self.file.clone(), what })
    }
}
