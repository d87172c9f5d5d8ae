//! Why there can be no such traffic.

use thiserror::Error;

use super::MOST_LOAD;

/// Why there can be no such traffic.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TrafficError {
    /// More than a node can send, or nothing.
    #[error("a load of {0} flits per node and cycle; it must be above 0 and at most {MOST_LOAD}")]
    Load(f64),
    /// A process that has one packet at a time.
    #[error("a load of {load} flits per node and cycle is more than the process `{process}` makes, {most}")]
    Process {
        /// The load.
        load: f64,
        /// The process.
        process: &'static str,
        /// The highest load.
        most: f64,
    },
    /// A packet without a flit.
    #[error("a packet must have at least one flit")]
    EmptyPacket,
    /// A burst shorter than a packet.
    #[error("a burst of {0} packets on average; it must be at least 1")]
    BurstPackets(f64),
    /// A group without a node, in a pattern that sends to the nodes of groups.
    #[error("group {0} has no node")]
    EmptyGroup(usize),
    /// The pattern speaks of groups.
    #[error("the pattern `{0}` needs groups: it is for a dragonfly")]
    NeedsGroups(&'static str),
    /// The pattern speaks of dimensions.
    #[error("the pattern `{0}` needs dimensions: it is for a mesh or a torus")]
    NeedsDimensions(&'static str),
    /// The pattern keeps the index of a node at its router.
    #[error("the pattern `{0}` needs as many nodes at each router that has any")]
    NeedsEqualRouters(&'static str),
    /// The pattern speaks of the bits of the node number.
    #[error("the pattern `{pattern}` needs a power of two of nodes, not {nodes}")]
    NeedsPowerOfTwo {
        /// Its name.
        pattern: &'static str,
        /// Nodes there are.
        nodes: u32,
    },
    /// The pattern speaks of the halves of the node number.
    #[error("the pattern `{pattern}` needs an even number of bits in the node number, not {bits}")]
    NeedsEvenBits {
        /// Its name.
        pattern: &'static str,
        /// Bits there are.
        bits: u32,
    },
    /// One thing cannot be permuted without a fixed point.
    #[error("the pattern `{0}` needs at least two to permute")]
    NothingToPermute(&'static str),
    /// A hot-spot without a hot spot.
    #[error("the pattern `hot-spot` names no node")]
    NoHotSpot,
    /// A hot spot outside the network.
    #[error("the pattern `{pattern}` names node {node}, but there are {nodes} nodes, numbered from 0")]
    NoSuchNode {
        /// The pattern.
        pattern: &'static str,
        /// The node named.
        node: u32,
        /// Nodes there are.
        nodes: u32,
    },
    /// More members of groups than nodes, or a group that nobody in it sends to.
    #[error(
        "the pattern `multicast` has {groups} groups of {size} members, which takes more than {nodes} nodes, or less than 2 members"
    )]
    Groups {
        /// Groups.
        groups: u32,
        /// Members of each.
        size: u32,
        /// Nodes there are.
        nodes: u32,
    },
    /// A pattern of the program's own that sends outside the network, or has lists of another length than there are nodes.
    #[error("the pattern {pattern} has a destination for, or at, node {node}, but there are {nodes} nodes")]
    NoSuchTarget {
        /// As it is written.
        pattern: String,
        /// The node.
        node: u32,
        /// Nodes there are.
        nodes: u32,
    },
    /// Not a share.
    #[error("the pattern `hot-spot` has a share of {0}; it must be between 0 and 1")]
    Share(f64),
    /// A share of no packet.
    #[error("a pattern of a `mixture` has a share of {0}; it must be above 0")]
    PatternShare(f64),
    /// A part of a mixture that is not the same at all times.
    #[error("the pattern `mixture` is made of patterns that do not change with time")]
    MixtureChanges,
    /// Not a transform for each coordinate.
    #[error("the pattern `cartesian` has {transforms} transforms for {sides} coordinates")]
    Coordinates {
        /// Transforms given.
        transforms: usize,
        /// Coordinates there are.
        sides: usize,
    },
    /// Not a box of the nodes.
    #[error("the product of the sides of the pattern `cartesian` must be the number of nodes, {0}")]
    Sides(u32),
    /// There is one node, or every node is mapped to itself.
    #[error("no node of this network sends to another one under this pattern")]
    NobodySends,
}
