//! Trees of groups of nodes: for each router of a group's tree the ports by which a packet for the group leaves.
//!
//! A tree joins the routers of all members. A packet comes to a router by one port of the tree and leaves by all others, so that
//! it comes to each member once. This is a multicast forwarding table without its empty rows. Source: InfiniBand Architecture
//! Specification, volume 1, 14.2.5.12 (MulticastForwardingTable), where the row is a mask of ports.

use crate::header::Address;
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// A router in the tree of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TreeRow {
    /// The group, counted from 0.
    pub group: u32,
    /// The address of the router.
    pub router: u32,
    /// The place of its first port in the list of ports. Ports to routers come before those to members.
    pub first: u32,
    /// Ports to other routers of the tree.
    pub links: u16,
    /// Ports to members of the group.
    pub members: u16,
}

/// The trees of all groups of a network.
///
/// A group has an address as nodes have: its router is [`Trees::address`], above those of all routers.
#[derive(Clone, Copy, Debug)]
pub struct Trees<'t> {
    rows: &'t [TreeRow],
    ports: &'t [PortId],
    /// The address of group 0.
    first: u32,
    /// The VC of all hops between routers.
    vc: VcId,
    /// Whether no other packets take it.
    is_own: bool,
}

/// Why there are no such trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TreesError {
    /// The rows do not rise by group, then by router.
    Order,
    /// A row names ports beyond the list.
    Ports,
}

impl core::fmt::Display for TreesError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Order => "the rows of the trees do not rise by group, then by router",
            Self::Ports => "a row of a tree names ports beyond the list",
        })
    }
}

impl core::error::Error for TreesError {}

impl<'t> Trees<'t> {
    /// Loads the trees of groups whose addresses are `first` and above. Hops between routers take `vc`, which no other packets take where
    /// it `is_own`.
    ///
    /// # Errors
    /// When rows are out of order, or name ports that are not there.
    pub fn load(
        rows: &'t [TreeRow],
        ports: &'t [PortId],
        first: u32,
        (vc, is_own): (VcId, bool),
    ) -> Result<Self, TreesError> {
        let trees = Self { rows, ports, first, vc, is_own };
        if !rows.is_sorted_by_key(|row| (row.group, row.router)) {
            return Err(TreesError::Order);
        }
        let has_ports = |row: &TreeRow| trees.links(row).is_some() && trees.members(row).is_some();
        if rows.iter().all(has_ports) { Ok(trees) } else { Err(TreesError::Ports) }
    }

    /// The address of a group.
    pub const fn address(&self, group: u32) -> Address {
        Address { router: self.first.wrapping_add(group), port: 0 }
    }

    /// The group that an address is of; nothing for that of a node.
    #[inline]
    pub const fn group(&self, to: Address) -> Option<u32> {
        to.router.checked_sub(self.first)
    }

    /// The row of a router in the tree of a group; nothing where the tree does not come to it.
    #[inline]
    pub fn row(&self, group: u32, router: u32) -> Option<&TreeRow> {
        let at = self.rows.binary_search_by_key(&(group, router), |row| (row.group, row.router)).ok()?;
        self.rows.get(at)
    }

    /// The ports of a row to other routers, and those to members, without the one by which a packet came.
    #[inline]
    pub fn branches<B: Bits>(&self, row: &TreeRow, came: PortId) -> (PortSet<B>, PortSet<B>) {
        let others = |ports: Option<&[PortId]>| -> PortSet<B> {
            let fits = |port: &PortId| *port != came && port.index() < B::CAPACITY;
            ports.unwrap_or_default().iter().copied().filter(fits).collect()
        };
        (others(self.links(row)), others(self.members(row)))
    }

    /// The VCs of hops between routers of packets for groups: one.
    pub const fn vcs(&self) -> VcSet {
        VcSet::only(self.vc)
    }

    /// The VC that no packets for single nodes take, where there is one.
    #[inline]
    pub const fn own_vc(&self) -> Option<VcId> {
        if self.is_own { Some(self.vc) } else { None }
    }

    fn links(&self, row: &TreeRow) -> Option<&'t [PortId]> {
        self.slice(row.first, row.links)
    }

    fn members(&self, row: &TreeRow) -> Option<&'t [PortId]> {
        self.slice(row.first.checked_add(row.links.into())?, row.members)
    }

    fn slice(&self, first: u32, count: u16) -> Option<&'t [PortId]> {
        let first = first as usize;
        self.ports.get(first..first.checked_add(count.into())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORTS: [PortId; 4] = [PortId::new(3), PortId::new(1), PortId::new(0), PortId::new(2)];

    fn row(group: u32, router: u32, first: u32, links: u16, members: u16) -> TreeRow {
        TreeRow { group, router, first, links, members }
    }

    fn load(rows: &[TreeRow]) -> Result<Trees<'_>, TreesError> {
        Trees::load(rows, &PORTS, 10, (VcId::new(1), true))
    }

    /// A packet leaves by all ports of its router's row but the one by which it came.
    #[test]
    fn branches_are_all_other_ports_of_the_row() {
        let rows = [row(0, 4, 0, 2, 1), row(1, 4, 3, 1, 0), row(1, 5, 3, 0, 1)];
        let trees = load(&rows).expect("trees");
        let sets = |links: &[u8], members: &[u8]| -> (PortSet, PortSet) {
            let of = |ports: &[u8]| ports.iter().copied().map(PortId::new).collect();
            (of(links), of(members))
        };
        let of =
            |group, router, came| trees.row(group, router).map(|row| trees.branches(row, PortId::new(came)));
        assert_eq!(of(0, 4, 9), Some(sets(&[1, 3], &[0])));
        assert_eq!(of(0, 4, 3), Some(sets(&[1], &[0])));
        assert_eq!(of(0, 4, 0), Some(sets(&[1, 3], &[])));
        assert_eq!(of(1, 5, 9), Some(sets(&[], &[2])));
        assert_eq!([of(0, 5, 9), of(2, 4, 9)], [None, None]);
        assert_eq!(trees.group(trees.address(1)), Some(1));
        assert_eq!(trees.group(Address { router: 9, port: 0 }), None);
    }

    #[test]
    fn rows_out_of_order_or_beyond_the_ports_are_refused() {
        assert_eq!(load(&[row(1, 0, 0, 1, 0), row(0, 9, 0, 1, 0)]).err(), Some(TreesError::Order));
        assert_eq!(load(&[row(0, 0, 3, 1, 1)]).err(), Some(TreesError::Ports));
        assert_eq!(load(&[row(0, 0, u32::MAX, 1, 1)]).err(), Some(TreesError::Ports));
    }
}
