//! Why a network cannot be wired.

use std::path::PathBuf;

use router_core::map::dragonfly::MapError;
use router_core::map::grid::GridError;
use router_core::map::tree::TreeError;
use router_core::units::PortClass;
use thiserror::Error;

use super::{MAX_ADDRESS, MAX_PORTS, MAX_ROUTERS};

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
    /// The nodes of a fabric are in its file, those of other files are not.
    #[error(
        "topology.nodes_per_router must {}be \"file\": {} is {} fabric that ibnetdiscover wrote",
        if *is_fabric { "" } else { "not " }, file.display(), if *is_fabric { "a" } else { "no" }
    )]
    NodesOfFile {
        /// The file of the graph.
        file: PathBuf,
        /// Whether it is a fabric.
        is_fabric: bool,
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
    /// Something in a DOT or GraphML file means nothing.
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
    #[error("{}: no edge in the file; each line names two routers, like `0 1`", file.display())]
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

/// What is wrong with a line of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// Not two words.
    #[error("an edge is two router numbers, like `0 1`, or `0 -> 1` where it is one-way; this line has {0}")]
    NotAPair(usize),
    /// A word that is no number of a router.
    #[error("`{0}` is not the number of a router, 0 to {max}", max = MAX_ROUTERS - 1)]
    NotARouter(String),
    /// An edge from a router to itself.
    #[error("router {0} is joined with itself")]
    Loop(usize),
    /// Not what `ibnetdiscover` writes.
    #[error("expected {0}, as ibnetdiscover writes it")]
    Fabric(&'static str),
    /// A link to a switch that the file does not have.
    #[error("the file has no switch {0:#x}")]
    NoSwitch(u64),
    /// A switch that the file has before.
    #[error("switch {0:#x} is listed twice")]
    TwoSwitches(u64),
    /// A port that the switch has before.
    #[error("port {0} is listed twice")]
    TwoPorts(u8),
    /// A LID that two ports have.
    #[error("LID {0} is that of two ports")]
    Lid(u32),
    /// A link that the other end does not know.
    #[error("port {port} of switch {guid:#x} does not lead back")]
    OneWay {
        /// The switch at the other end.
        guid: u64,
        /// Its port.
        port: u8,
    },
    /// Too large to hold.
    #[error("the fabric has more than {MAX_ROUTERS} switches")]
    TooManyRouters,
    /// Something behind the routers that is no latency and no width.
    #[error(
        "`{0}` is neither `latency=` and a whole number of cycles from 1 to 10000, nor `width=` and a whole number of flits per cycle from 1 to 63"
    )]
    NotAnAttribute(String),
    /// Almost a latency or a width.
    #[error("unknown attribute `{found}`: did you mean `{meant}`?")]
    Misspelt {
        /// What is there.
        found: String,
        /// What was probably meant.
        meant: &'static str,
    },
}

/// What is wrong at a place of a DOT or GraphML file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlaceError {
    /// Something else should be there.
    #[error("expected {expected}, not {found}")]
    Expected {
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A text or comment without an end.
    #[error("the {0} that begins here has no end")]
    Open(&'static str),
    /// A part of the language that has no meaning here.
    #[error("{0} is not read")]
    Unread(&'static str),
    /// Almost an attribute that is read; others are for other programs.
    #[error("unknown attribute `{found}`: did you mean `{meant}`?")]
    Misspelt {
        /// What is there.
        found: String,
        /// What was probably meant.
        meant: &'static str,
    },
    /// Not a latency.
    #[error("a latency is a whole number of cycles from 1 to 10000, not `{0}`")]
    Latency(String),
    /// Not a width.
    #[error("a width is a whole number of flits per cycle from 1 to 63, not `{0}`")]
    Width(String),
    /// An edge from a router to itself.
    #[error("router `{0}` is joined with itself")]
    Loop(String),
    /// A router that no edge leads to.
    #[error("router `{0}` has no edge")]
    NoEdge(String),
    /// An edge to a router that is not listed.
    #[error("there is no router `{0}`")]
    NoRouter(String),
    /// A router that is listed before.
    #[error("router `{0}` is listed twice")]
    Twice(String),
    /// Too large to hold.
    #[error("the graph has more than {MAX_ROUTERS} routers")]
    TooManyRouters,
    /// Not XML.
    #[error("not well-formed XML: {0}")]
    Xml(String),
}

impl PlaceError {
    /// Something else should be there.
    pub(super) fn expected(expected: &'static str, found: &str) -> Self {
        Self::Expected { expected, found: found.to_owned() }
    }
}
