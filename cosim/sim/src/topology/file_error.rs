//! What is wrong with the file of a network.

use thiserror::Error;

use super::{MAX_PORTS, MAX_ROUTERS};

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
    #[error("the file has no switch {0}")]
    NoSwitch(String),
    /// A switch that the file has before.
    #[error("switch {0} is listed twice")]
    TwoSwitches(String),
    /// A port that the switch has before.
    #[error("port {0} is listed twice")]
    TwoPorts(u8),
    /// A link that the other end does not know.
    #[error("port {port} of switch {switch} does not lead back")]
    OneWay {
        /// The switch at the other end.
        switch: String,
        /// Its port.
        port: u8,
    },
    /// Too large to hold.
    #[error("the file has more than {MAX_ROUTERS} switches")]
    TooManyRouters,
    /// A line that other programs obey.
    #[error("`{0}` is not read")]
    Unread(&'static str),
    /// A word that is none of `anynet`.
    #[error(
        "expected `router` or `node` and a number, or a latency from 1 to 10000, as BookSim's anynet has them, not `{0}`"
    )]
    Anynet(String),
    /// A node that is at another router before.
    #[error("node {0} is at another router before")]
    TwoHomes(u32),
    /// A node that is joined with a node.
    #[error("node {0} is joined with another node")]
    NodeToNode(u32),
    /// A word that is none of `topology.conf`.
    #[error(
        "expected `SwitchName=`, `Switches=`, `Nodes=` or `LinkSpeed=`, as Slurm's topology.conf has them, not `{0}`"
    )]
    Slurm(String),
    /// A list of hosts that means nothing.
    #[error("`{0}` is no list of names such as `node[001-008,010]`, or a list of too many")]
    Hosts(String),
    /// Something behind the routers that is no latency and no width.
    #[error(
        "`{0}` is neither `latency=` and a whole number of cycles from 1 to 10000, nor `width=` and a whole number of flits per cycle from 1 to 63, nor `rate=` and flits per cycle from 1/100 to 1"
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

/// What is wrong at a place of a DOT, GraphML or GML file.
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
    /// Not a rate.
    #[error("a rate is flits per cycle, at most 1 and at least 1/100, such as 1/4, not `{0}`")]
    Rate(String),
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
    /// Two servers with a link between them.
    #[error("server `{0}` is joined with a server: one of them must be a switch")]
    TwoServers(String),
    /// No vertex is a router.
    #[error("all of this graph are servers: there is no switch")]
    ServersAlone,
    /// Nested too deeply.
    #[error("more than {} levels are nested here", crate::bounded::GRAPH.depth)]
    Deep,
    /// A tag that is too long.
    #[error("a tag is too long: this one has more than 4096 bytes")]
    LongTag,
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

/// What is wrong with the file of a graph as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// Adapters without a switch between them.
    #[error("no switch in this fabric: two adapters are joined directly")]
    BackToBack,
    /// A fabric without a switch.
    #[error("no switch in this file")]
    NoSwitch,
    /// The file of another program.
    #[error(
        "this is {0}. What is read: edge lists, Graphviz DOT, GraphML, GML, what ibnetdiscover writes, ibsim's files, Slurm's topology.conf, BookSim's anynet"
    )]
    Other(&'static str),
    /// Parts that no link joins, and none of them is asked for.
    #[error(
        "the network is not connected, it falls into planes ({}); topology.plane = 0 takes the first of them alone", planes.join("; ")
    )]
    Planes {
        /// The first planes and their routers.
        planes: Vec<String>,
    },
    /// A plane that there is not.
    #[error("topology.plane = {plane}: there is no such plane ({})", planes.join("; "))]
    NoPlane {
        /// The one that is asked for.
        plane: u32,
        /// The first planes and their routers.
        planes: Vec<String>,
    },
    /// A router that is wider than a set of ports.
    #[error("{router} needs {} ports ({nodes} to nodes, {links} to routers); at most {MAX_PORTS} are possible, {} of them to nodes", nodes + links, u8::MAX)]
    TooManyPorts {
        /// The router.
        router: String,
        /// Its ports to nodes.
        nodes: usize,
        /// Its ports to routers.
        links: usize,
    },
    /// More nodes than memory is meant for.
    #[error("this file lists more than {MAX_ROUTERS} nodes")]
    TooManyNodes,
    /// More links than memory is meant for.
    #[error("this graph has more than {} links", crate::bounded::GRAPH.items)]
    TooManyLinks,
}
