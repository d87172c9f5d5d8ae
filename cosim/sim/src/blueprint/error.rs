//! Why a scenario cannot be built.

use super::MOST_GIB;
use crate::forwarding::{Flaw, TablesError, are};
use crate::shadow::ShadowError;
use crate::topology::{MAX_PORTS, TopologyError, WORD_PORTS};
use crate::traffic::TrafficError;
use router_core::links::LinksError;
use router_core::map::table::TableError;
use router_core::route::{Misfit, WideRouting};
use thiserror::Error;

/// A scenario that cannot be built, although each of its values is legal.
#[derive(Debug, Error)]
pub enum BlueprintError {
    /// The wiring.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// The tables.
    #[error("routing table: {0}")]
    Table(#[from] TableError),
    /// Links of a file with rates of their own, where each has to carry a flit in each cycle.
    #[error("topology.file: links with a `rate` of their own do not go with this scenario ({0})")]
    Rates(String),
    /// The forwarding tables of a file.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// No file is named.
    #[error("routing.tables is missing: the file of the forwarding tables")]
    NoTables,
    /// Forwarding tables that are computed.
    #[error("routing tables: {0}")]
    Forwarding(Flaw),
    /// Tables that name more VCs than there are.
    #[error(
        "router.vcs: {word} routing needs {needed} VCs between routers on this network, but {} given (up to 8 are possible)", are(*vcs)
    )]
    TableVcs {
        /// The routing.
        word: &'static str,
        /// VCs that the tables name.
        needed: u32,
        /// VCs given.
        vcs: u32,
    },
    /// The routers.
    #[error("router: {0}")]
    Plan(#[from] LinksError),
    /// Second implementations of its routers.
    #[error("{0}")]
    Shadow(ShadowError),
    /// More buffers than fit into memory.
    #[error(
        "router.buffer_flits: the buffers of this network take {0} GiB to simulate, the limit is {MOST_GIB}; smaller buffers or longer packets need less"
    )]
    TooLarge(usize),
    /// Too many routers for a table each.
    #[error(
        "routing.algorithm = \"{word}\" keeps a table at every router and takes at most {most} routers; this network has {routers}"
    )]
    TooLargeForTables {
        /// The routing.
        word: &'static str,
        /// Routers of the network.
        routers: usize,
        /// Most routers of a network.
        most: usize,
    },
    /// Routers with more ports than the routing knows.
    #[error(
        "routing.algorithm = \"{word}\" is for routers of at most {WORD_PORTS} ports, and the widest router of this network has {ports}; routers of up to {MAX_PORTS} ports have {}",
        WideRouting::WORDS
    )]
    WideRouting {
        /// The routing.
        word: &'static str,
        /// Ports of the widest router.
        ports: usize,
    },
    /// More ports than something else has.
    #[error(
        "{what} is for routers of at most {most} ports, and the widest router of this network has {ports}"
    )]
    Wide {
        /// What, by its key or command.
        what: &'static str,
        /// Ports of the widest router.
        ports: usize,
        /// Most ports.
        most: usize,
    },
    /// The root of the order is no router.
    #[error("routing.root: there is no router {root}, the network has {routers}, numbered from 0")]
    NoSuchRoot {
        /// The root.
        root: u32,
        /// Routers of the network.
        routers: usize,
    },
    /// Built for a routing of another crate, and run without it.
    #[error("this network was built without a routing: it runs with `run_with`")]
    NoRouting,
    /// A routing of the program's own, where one of the closed list is needed.
    #[error(
        "routing.algorithm = \"{0}\" is this program's own: run, compare, survey, campaign and prove have it, this command has not"
    )]
    OwnRouting(&'static str),
    /// The map is not of a kind that the routing knows.
    #[error("routing.algorithm = \"{0}\" does not fit this network")]
    Unfit(&'static str),
    /// The network has such a map, but lacks something that the routing needs.
    #[error("routing.algorithm = \"{word}\" {misfit}")]
    Misfit {
        /// The routing.
        word: &'static str,
        /// What it lacks.
        misfit: Misfit,
    },
    /// Routers without a port that stands for their management.
    #[error(
        "router.discards: port 0 of a table stands for management, and port 0 of router {router} is a link"
    )]
    NoManagementPort {
        /// The first of them.
        router: usize,
    },
    /// Links that flits take one way, and a routing that takes them both ways.
    #[error(
        "routing.algorithm = \"{word}\" sends both ways over each link; some of this network are one-way"
    )]
    OneWay {
        /// The routing.
        word: &'static str,
    },
    /// The groups that messages are for.
    #[error("traffic: {0}")]
    Traffic(#[from] TrafficError),
    /// More groups than there are addresses beside those of the routers.
    #[error("traffic.pattern: {groups} groups need an address each, and the routers leave {most}")]
    GroupAddresses {
        /// Groups.
        groups: usize,
        /// Addresses that are left.
        most: u32,
    },
    /// Messages for groups, where there are none.
    #[error(
        "traffic.pattern: {what} has no messages for groups of nodes; the pattern must be another one than \"multicast\""
    )]
    Multicast {
        /// What has none.
        what: &'static str,
    },
    /// A group whose members no tree joins.
    #[error("traffic.pattern: the members of group {group} are not connected")]
    GroupApart {
        /// The group.
        group: u32,
    },
    /// A link that cannot go down: there is none.
    #[error("links.down: no link to another router is at port {port} of router {router}")]
    NoSuchLink {
        /// The router.
        router: u32,
        /// The port.
        port: u32,
    },
    /// VCs that follow hops, and not enough of them.
    #[error(
        "router.vcs: {word} routing needs {needed} VCs where the longest route has {hops} hops, but {} given (up to 8 are possible)", are(*vcs)
    )]
    TooFewVcsForHops {
        /// The routing.
        word: &'static str,
        /// Hops of the longest route.
        hops: u32,
        /// VCs that it needs.
        needed: u32,
        /// VCs given.
        vcs: u32,
    },
    /// One VC per hop, and not enough of them.
    #[error(
        "router.vcs: {word} routing uses one VC per hop; its longest route has {hops} hops, but {} given (up to 8 are possible)", are(*vcs)
    )]
    TooFewVcs {
        /// The routing.
        word: &'static str,
        /// Hops of the longest route.
        hops: u32,
        /// VCs given.
        vcs: u32,
    },
}
