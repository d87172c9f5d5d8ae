//! Notes on what of a fabric is left out.

use std::collections::HashSet;

use super::count;

/// What is left out of a fabric.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Cables from a switch to itself, by the switch and the lower port.
    pub(super) loopbacks: HashSet<(usize, u8)>,
    pub(super) to_routers: usize,
    pub(super) aggregations: usize,
    /// Switches without a cable.
    pub(super) switches: usize,
    /// Adapters with cables, none of which is at a switch.
    pub(super) adapters: usize,
}

/// The note on one loopback cable, and on several.
pub(super) const LOOPBACKS: [&str; 2] = ["loopback cable is left out", "loopback cables are left out"];

impl LeftOut {
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let notes = [
            (self.loopbacks.len(), LOOPBACKS[0], LOOPBACKS[1]),
            (
                self.to_routers,
                "link to a router of InfiniBand, which leads to another subnet, is left out",
                "links to routers of InfiniBand, which lead to other subnets, are left out",
            ),
            (
                self.aggregations,
                "aggregation node, which is inside a switch and no host, is left out",
                "aggregation nodes, which are inside switches and no hosts, are left out",
            ),
            (
                self.adapters,
                "adapter whose cable leads to no switch is left out",
                "adapters whose cables lead to no switch are left out",
            ),
            (self.switches, "switch without a cable is left out", "switches without a cable are left out"),
        ];
        notes.into_iter().filter(|note| note.0 > 0).map(|(number, one, many)| count(number, one, many))
    }
}
