//! Why a network cannot be wired.

use std::path::PathBuf;

use router_core::map::dragonfly::MapError;
use router_core::map::grid::GridError;
use router_core::map::tree::TreeError;
use router_core::units::PortClass;
use thiserror::Error;

use super::{FileError, LineError, MAX_ADDRESS, MAX_PORTS, MAX_ROUTERS, PlaceError};

/// Why a network cannot be wired.
#[derive(Debug, Error)]
pub enum TopologyError {
    /// There is nothing to wire.
    #[error("the topology has no routers")]
    NoRouters,
    /// Too large to hold.
    #[error("the topology has more than {MAX_ROUTERS} routers")]
    TooManyRouters,
    /// Wider than a set of ports.
    #[error("the largest router needs {ports} ports; at most {MAX_PORTS} are possible")]
    TooManyPorts {
        /// The ports it needs.
        ports: usize,
    },
    /// The numbers make no Dragonfly.
    #[error("topology: {0}")]
    Dragonfly(#[from] MapError),
    /// The numbers make no mesh or torus.
    #[error("topology: {0}")]
    Grid(#[from] GridError),
    /// The numbers make no fat tree.
    #[error("topology: {0}")]
    Tree(#[from] TreeError),
    /// Numbers that a file may not have, of a topology that is a rule for its edges.
    #[error("topology: its numbers make no {word}")]
    Numbers {
        /// The topology's word.
        word: &'static str,
    },
    /// A list of nodes that is as long as another graph.
    #[error("topology.nodes_per_router lists {listed} routers, but {} has {routers}", file.display())]
    NodesPerRouter {
        /// The file of the graph.
        file: PathBuf,
        /// Entries of the list.
        listed: usize,
        /// Routers of the graph.
        routers: usize,
    },
    /// Nodes are in the file, or they are not.
    #[error(
        "topology.nodes_per_router {}: {} {}",
        if *lists_nodes { "must be \"file\"" } else { "must not be \"file\"" }, file.display(),
        if *lists_nodes { "lists its nodes, and other numbers of them" } else { "lists no nodes" }
    )]
    NodesOfFile {
        /// The file of the graph.
        file: PathBuf,
        /// Whether nodes are in it.
        lists_nodes: bool,
    },
    /// The map of a program contradicts itself.
    #[error("map: {0}")]
    Map(MapFlaw),
    /// The network falls into parts.
    #[error("the network is not connected: router {router} cannot be reached from router 0")]
    Unconnected {
        /// The first such router.
        router: usize,
    },
    /// Links are one-way, and none lead back.
    #[error("the network is not connected: router 0 cannot be reached from router {router}")]
    NoWayBack {
        /// The first such router.
        router: usize,
    },
    /// The file of a graph cannot be read.
    #[error("cannot read the graph {}: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line of the file of a graph means nothing.
    #[error("{}:{line}: {what}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: LineError,
    },
    /// Something in a DOT, GraphML or GML file means nothing.
    #[error("{}:{line}:{column}: {what}", file.display())]
    Place {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        what: PlaceError,
    },
    /// The file of a graph as a whole means no network.
    #[error("{}: {what}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: FileError,
    },
    /// The file of a graph leaves out a router.
    #[error(
        "{}: router {router} has no edge, but router {highest} has; number the routers 0 to {} without gaps",
        file.display(),
        highest - 1
    )]
    Gap {
        /// The file.
        file: PathBuf,
        /// The first router left out.
        router: usize,
        /// The highest router.
        highest: usize,
    },
    /// The file of a graph has no edge.
    #[error("{}: no edge in the file; a list of edges names two routers in each line, like `0 1`", file.display())]
    NoEdges {
        /// The file.
        file: PathBuf,
    },
}

/// What is wrong with the map of a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MapFlaw {
    /// There are too few or too many classes of links.
    #[error("{classes} classes of links have names, expected 2 to {}", PortClass::COUNT)]
    ClassNames {
        /// Classes with a name.
        classes: usize,
    },
    /// An address that two routers have, or that no header can hold.
    #[error("router address {router} is given twice, or higher than {MAX_ADDRESS}")]
    Address {
        /// The address.
        router: u32,
    },
    /// The blocks have more or fewer routers than the network.
    #[error("the blocks do not add up to the routers")]
    Blocks,
    /// There is no node.
    #[error("the network has no nodes")]
    NoNodes,
    /// A port to a node is not of class 0, or one between routers is of class 0 or of a class without a name.
    #[error(
        "port {port} of router {router} leads to a node and is not of class 0, or the other way round, or its class has no name"
    )]
    Class {
        /// The router's address.
        router: u32,
        /// Its port.
        port: usize,
    },
    /// The port behind a port does not lead back, is of another class, or belongs to the same router.
    #[error(
        "the port behind port {port} of router {router} does not lead back, is of another class, or belongs to no other router"
    )]
    Peer {
        /// The router's address.
        router: u32,
        /// Its port.
        port: usize,
    },
}
