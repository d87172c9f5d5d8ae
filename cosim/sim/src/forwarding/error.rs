//! Why forwarding tables cannot be used.

use std::path::PathBuf;

use thiserror::Error;

/// Why the tables of a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{key}: {}{}: {what}", file.display(), line.map_or_else(String::new, |line| format!(":{line}")))]
pub struct TablesError {
    /// The key that names the file.
    pub key: &'static str,
    /// The file.
    pub file: PathBuf,
    /// The line, from 1, if it is that of one.
    pub line: Option<u32>,
    /// What is wrong.
    pub what: Flaw,
}

/// What is wrong with forwarding tables.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Flaw {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(String),
    /// Not a CSV file.
    #[error("not a CSV file: {0}")]
    Csv(String),
    /// A first line with other columns.
    #[error(
        "expected the columns `router`, `to_node` or `to_router`, `port` or `next`, and perhaps `vc` or `layer`, not `{0}`"
    )]
    Columns(String),
    /// A value that is no number, or out of range.
    #[error("`{column}` must be a whole number from 0 to {most}, not `{found}`")]
    Number {
        /// The column.
        column: &'static str,
        /// The highest value.
        most: usize,
        /// What is there.
        found: String,
    },
    /// A port that leads to no other router.
    #[error("port {port} of router {router} leads to no other router")]
    NoLink {
        /// The router.
        router: usize,
        /// The port.
        port: usize,
    },
    /// Two routers that are not joined.
    #[error("router {router} is not joined with router {next}")]
    NoNeighbour {
        /// The router.
        router: usize,
        /// The other one.
        next: usize,
    },
    /// Two routers with more than one link, of which a row must choose one.
    #[error("several links join router {router} with router {next}: a column `port` can say which one")]
    SeveralLinks {
        /// The router.
        router: usize,
        /// The other one.
        next: usize,
    },
    /// A row of a router towards itself.
    #[error("{to} is at router {router} itself")]
    Here {
        /// The router.
        router: usize,
        /// The destination.
        to: To,
    },
    /// A second row for one router and destination.
    #[error("router {router} has a row for {to} before, in line {line}")]
    Twice {
        /// The router.
        router: usize,
        /// The destination.
        to: To,
        /// The line of the first one.
        line: u32,
    },
    /// Packets come to a router that has no row for them.
    #[error("router {router} has no entry for {to}, but packets from router {from} come there")]
    Missing {
        /// The router.
        router: usize,
        /// The destination.
        to: To,
        /// Where they start.
        from: usize,
    },
    /// Packets would never arrive.
    #[error("packets for {to} go round for ever: routers {}", joined(routers))]
    Circle {
        /// The destination.
        to: To,
        /// The routers of the circle, the first one once more at the end.
        routers: Vec<usize>,
    },
    /// Packets that come to the destination's router by a row that names another node's port, or none.
    #[error("LID {lid} is that of node {node}, but the switch sends it to port {port}")]
    WrongNode {
        /// The LID.
        lid: u32,
        /// The node.
        node: u32,
        /// The port's number at the switch.
        port: u8,
    },
    /// More rows than memory is meant for.
    #[error("these tables have {0} entries, the limit is 67108864")]
    TooLarge(usize),
    /// Tables by LIDs on a network that has none.
    #[error("these are tables of LIDs: the topology must be a graph from an ibnetdiscover file")]
    NoFabric,
    /// Tables by LIDs on a network whose nodes have none.
    #[error(
        "these are tables of LIDs, and {0} has none: the fabric was discovered before a subnet manager gave LIDs to it"
    )]
    NoLids(String),
    /// A LID that two nodes have.
    #[error("these are tables of LIDs, and LID {0} is that of two ports in the file of the fabric")]
    TwoLids(u32),
    /// A switch that the fabric does not have.
    #[error("the fabric has no switch {0:#x}")]
    NoSwitch(u64),
    /// A LID that no switch has, and no node.
    #[error("the fabric has no switch, and no channel adapter, with LID {0}")]
    NoLid(u32),
    /// Two ports that have other lanes before.
    #[error(
        "the lanes from port {input} to port {output} of the switch with LID {lid} are others in line {line}"
    )]
    TwoLanes {
        /// The switch.
        lid: u32,
        /// Where packets come, as the switch numbers it.
        input: u8,
        /// Where they leave.
        output: u8,
        /// The line of the first ones.
        line: u32,
    },
    /// A switch that has a table before.
    #[error("switch {0:#x} has a table before")]
    TwoTables(u64),
    /// A line that means nothing.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A port that is not connected.
    #[error("port {port} of switch {guid:#x} is not connected")]
    NoSuchPort {
        /// The switch.
        guid: u64,
        /// Its port.
        port: u8,
    },
    /// A service level that is no virtual lane.
    #[error("service level {0} is above 7: there are at most 8 VCs")]
    Level(u32),
    /// A pair of nodes without a service level.
    #[error("no service level from node {from} to node {to}")]
    NoLevel {
        /// The source.
        from: usize,
        /// The destination.
        to: usize,
    },
    /// A pair of nodes with a second service level.
    #[error(
        "the service level from node {from} to node {to} is {level}, and {before} by a line before: where tables are by routers, nodes of a router have one"
    )]
    TwoLevels {
        /// The source.
        from: usize,
        /// The destination.
        to: usize,
        /// The level of this line.
        level: u8,
        /// The other one.
        before: u8,
    },
    /// A first line with other columns.
    #[error("expected the columns `from,to,level`, or what `saquery PR` writes, not `{0}`")]
    LevelColumns(String),
    /// A first line with other columns.
    #[error("expected the columns `router,input,output,lanes`, or what `smpquery sl2vl` writes, not `{0}`")]
    LaneColumns(String),
    /// Not sixteen lanes.
    #[error(
        "`lanes` must be 16 numbers from 0 to 15 with spaces between them, those of service levels 0 to 15, not `{0}`"
    )]
    Lanes(String),
    /// A packet whose lane its output has not.
    #[error(
        "packets of service level {level} from port {input} to port {output} of router {router} get lane {lane}, but the output has {vcs} {}",
        if *vcs == 1 { "VC" } else { "VCs" }
    )]
    NoLane {
        /// The router.
        router: usize,
        /// Where they come.
        input: usize,
        /// Where they leave.
        output: usize,
        /// Their service level.
        level: u8,
        /// The lane.
        lane: u8,
        /// VCs of the output.
        vcs: u32,
    },
    /// Service levels beside a VC for each row.
    #[error("the tables have a VC for each row already")]
    VcsTwice,
}

/// A destination, for a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// A node.
    Node(usize),
    /// A router.
    Router(usize),
}

impl std::fmt::Display for To {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Node(node) => write!(f, "node {node}"),
            Self::Router(router) => write!(f, "router {router}"),
        }
    }
}

/// How many there are, with its verb.
pub(crate) fn are(count: u32) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

fn joined(routers: &[usize]) -> String {
    routers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
