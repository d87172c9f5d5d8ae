//! What patterns of the bits of the node number share: they need a power of two of nodes.

use super::{Field, NodeMap, Problem, Targets, Topology, TrafficError};

/// Refuses a network whose nodes are known not to be a power of two.
pub(super) fn check(field: &Field<'_>, word: &str, topology: &Topology) -> Result<(), Problem> {
    match topology.nodes() {
        Some(nodes) if !nodes.is_power_of_two() => Err(field
            .refuse(format!("the pattern \"{word}\" needs a power of two of nodes, but there are {nodes}"))),
        _ => Ok(()),
    }
}

/// The target of each node from its number, and from how many bits a node number has: at least 1.
pub(super) fn each(
    on: &NodeMap,
    pattern: &'static str,
    to: impl Fn(u32, u32) -> u32,
) -> Result<Targets, TrafficError> {
    let nodes = on.nodes();
    if nodes < 2 || !nodes.is_power_of_two() {
        return Err(TrafficError::NeedsPowerOfTwo { pattern, nodes });
    }
    let bits = nodes.trailing_zeros();
    Ok(Targets::Fixed((0..nodes).map(|node| to(node, bits)).collect()))
}
