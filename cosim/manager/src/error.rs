//! What ends a manager's work.

use crate::route::Route;
use std::io;
use thiserror::Error;

/// Why a fabric is not managed.
#[derive(Debug, Error)]
pub enum ManagerError {
    /// The manager's own port.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The agent of the manager's own node does not answer.
    #[error("the manager's own node does not answer")]
    Alone,
    /// A node refuses what every node of its kind has.
    #[error(
        "the node along route {route} refuses attribute {attribute:#x}, modifier {modifier:#x}: status {status:#x}"
    )]
    Refused {
        /// The attribute.
        attribute: u16,
        /// Which part of it.
        modifier: u32,
        /// As the answer says.
        status: u16,
        /// Output ports on the way.
        route: Route,
    },
    /// Two nodes have the same GUID.
    #[error(
        "GUID {guid:#018x} belongs to two nodes: \"{first}\" (route {first_route}) and \"{second}\" (route {second_route})"
    )]
    Duplicate {
        /// The GUID.
        guid: u64,
        /// Description of one of them.
        first: String,
        /// The way to it.
        first_route: Route,
        /// Description of the other one.
        second: String,
        /// The way to it.
        second_route: Route,
    },
    /// There are more nodes than LIDs.
    #[error("no LIDs are left for \"{0}\": there are 49,151")]
    NoLids(String),
    /// A multicast forwarding table has fewer rows than there are groups.
    #[error("the multicast forwarding table of \"{switch}\" has {room} rows: there are {groups} groups")]
    NoRoomForGroups {
        /// The switch.
        switch: String,
        /// Rows that it has.
        room: u16,
        /// Groups.
        groups: usize,
    },
    /// A forwarding table ends before the highest LID.
    #[error("the forwarding table of \"{switch}\" has {room} entries: LIDs go up to {top}")]
    NoRoom {
        /// The switch.
        switch: String,
        /// Entries that it has.
        room: u16,
        /// The highest LID.
        top: u16,
    },
}
