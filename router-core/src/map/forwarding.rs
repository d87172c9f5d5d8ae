//! The map of any graph as forwarding tables: for each router and destination one output port, and the VCs of that hop.

use super::sl_to_vl::SlToVl;
use super::table::TableError;
use crate::header::Address;
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// What a router does with the packets for one destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Entry {
    /// The port by which they leave; none of [`NOWHERE`], and any of [`UNSUPPORTED`].
    port: u8,
    /// By the rule of the tables: the VCs of the hop, or of the first hop of packets from the router's own nodes.
    pub vcs: VcSet,
}

impl Entry {
    /// No way on: packets for this destination do not come here.
    pub const NONE: Self = Self { port: NOWHERE, vcs: VcSet::EMPTY };

    /// By a port that no router has, where packets are discarded ([`crate::discard`]).
    pub const UNSUPPORTED: Self = Self { port: UNSUPPORTED, vcs: VcSet::from_bits(u8::MAX) };

    /// By this port, on one of these VCs.
    #[must_use]
    pub const fn new(port: PortId, vcs: VcSet) -> Self {
        Self { port: port.number(), vcs }
    }

    /// The port; nothing where there is no way on.
    #[inline]
    pub const fn port(self) -> Option<PortId> {
        if self.port < UNSUPPORTED { Some(PortId::new(self.port)) } else { None }
    }

    /// The port as a set: empty where there is none, all ports for one that no router has.
    #[inline]
    pub fn ports<B: Bits>(self) -> PortSet<B> {
        if self.port == UNSUPPORTED {
            return PortSet::first_n(B::CAPACITY);
        }
        // A number that is higher than any set can hold is not another one once more.
        let port = self.port().filter(|port| port.index() < B::CAPACITY);
        port.map_or(PortSet::EMPTY, PortSet::only)
    }
}

/// Ports that an entry can name, from 0 on.
pub const ENTRY_PORTS: usize = UNSUPPORTED as usize;

/// The number that stands for no port.
const NOWHERE: u8 = u8::MAX;

/// The number of a port that no router has.
const UNSUPPORTED: u8 = u8::MAX - 1;

/// Which VC a hop takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VcRule {
    /// Those of the entry at each hop.
    #[default]
    PerHop,
    /// One of the entry at the first router, or of the source's layers; the same one at all others: the layer of the packet.
    PerRoute,
}

/// The tables of all routers of a network, or of one.
///
/// An address is the number of a router. Router `here` finds the way to a destination at entry
/// `here · destinations + destination`.
#[derive(Clone, Copy, Debug)]
pub struct ForwardingTable<'t> {
    entries: &'t [Entry],
    /// Entry `router`: the first destination at it, its port 0; one entry more, the number of destinations. Empty where
    /// destinations are routers.
    first: &'t [u32],
    /// Entry `source · destinations + destination`, where layers are those of sources: the VCs of the first hop of packets from a node.
    layers: &'t [VcSet],
    routers: u32,
    destinations: u32,
    rule: VcRule,
    /// Where they, and not the entries, say the VC of a hop.
    lanes: Option<SlToVl<'t>>,
}

impl<'t> ForwardingTable<'t> {
    /// Loads and verifies the tables of `routers` routers. Destinations are routers where `first` is empty; otherwise they are the
    /// ports of routers, and `first` names the first destination of each router, and their number. `layers` are empty, or have the VCs of
    /// the first hop for each pair of ports, numbered as destinations. `wired(r)` are the ports of router `r` that lead to other routers.
    ///
    /// # Errors
    /// Names the first entry that cannot be right.
    pub fn load<B: Bits>(
        entries: &'t [Entry],
        first: &'t [u32],
        layers: &'t [VcSet],
        routers: u32,
        rule: VcRule,
        wired: impl Fn(u32) -> PortSet<B>,
    ) -> Result<Self, TableError> {
        let table = Self::load_unverified(entries, first, layers, routers, rule)?;
        for (here, row) in (0u32..).zip(entries.chunks_exact(table.destinations as usize)) {
            let known = wired(here);
            for (there, entry) in (0u32..).zip(row) {
                if !entry.ports().minus(known).is_empty() || entry.port().is_some() && entry.vcs.is_empty() {
                    return Err(TableError::WrongPort { here, there });
                }
            }
        }
        Ok(table)
    }

    /// Loads tables without a look at the ports that the entries name, for routers that discard packets ([`crate::discard`]).
    ///
    /// # Errors
    /// When there are not as many entries as there should be.
    pub fn load_unverified(
        entries: &'t [Entry],
        first: &'t [u32],
        layers: &'t [VcSet],
        routers: u32,
        rule: VcRule,
    ) -> Result<Self, TableError> {
        let destinations = first.last().copied().unwrap_or(routers);
        let by_port = !first.is_empty();
        let expected = u64::from(routers).wrapping_mul(u64::from(destinations));
        let names_all =
            !by_port || first.len() as u64 == u64::from(routers).wrapping_add(1) && first.is_sorted();
        let pairs = u64::from(destinations).wrapping_mul(u64::from(destinations));
        let has_layers = layers.is_empty() || by_port && layers.len() as u64 == pairs;
        if routers == 0 || destinations == 0 || entries.len() as u64 != expected || !names_all || !has_layers
        {
            return Err(TableError::Size);
        }
        Ok(Self { entries, first, layers, routers, destinations, rule, lanes: None })
    }

    /// The tables, with the VC of each hop, that to the node included, by the service level of a packet.
    #[must_use]
    pub const fn with_lanes(self, lanes: SlToVl<'t>) -> Self {
        Self { lanes: Some(lanes), ..self }
    }

    /// The tables from service levels to lanes, where there are any.
    pub const fn lanes(&self) -> Option<&SlToVl<'t>> {
        self.lanes.as_ref()
    }

    /// How many destinations there are.
    pub const fn destinations(&self) -> u32 {
        self.destinations
    }

    /// Which VC a hop takes.
    pub const fn rule(&self) -> VcRule {
        self.rule
    }

    /// Whether the packets of a router have one entry for each router, wherever they come from: not where nodes, or pairs of them, have
    /// their own.
    pub const fn is_by_router(&self) -> bool {
        self.first.is_empty() && self.layers.is_empty()
    }

    /// Destinations of each router from 0 on that has any, where they are ports, as many for each, and every hop takes any VC: all that a table
    /// of ports by node says.
    pub fn ports_by_node(&self) -> Option<u32> {
        let counts =
            || self.first.iter().zip(self.first.iter().skip(1)).map(|(first, end)| end.wrapping_sub(*first));
        let each = counts().next().filter(|each| *each > 0)?;
        let is_alike = counts().skip_while(|count| *count == each).all(|count| count == 0);
        let is_any = |entry: &Entry| entry.port().is_none() || entry.vcs == VcSet::from_bits(u8::MAX);
        let is_alone =
            self.layers.is_empty() && self.rule == VcRule::PerHop && self.entries.iter().all(is_any);
        (is_alike && is_alone).then_some(each)
    }

    /// Whether a packet for this address has a destination.
    #[inline]
    pub fn has(&self, to: Address) -> bool {
        self.destination(to).is_some()
    }

    /// What router `here` does with packets for a node.
    #[inline]
    pub fn entry(&self, here: u32, to: Address) -> Entry {
        match self.destination(to) {
            Some(there) if here < self.routers => {
                let row = (here as usize).wrapping_mul(self.destinations as usize);
                self.entries.get(row.wrapping_add(there as usize)).copied().unwrap_or(Entry::NONE)
            }
            _ => Entry::NONE,
        }
    }

    /// The VCs of a hop by an entry, for a packet that came from another router on this VC.
    #[inline]
    pub const fn vcs_after(&self, entry: Entry, came: VcId) -> VcSet {
        match self.rule {
            VcRule::PerRoute => VcSet::only(came),
            VcRule::PerHop => entry.vcs,
        }
    }

    /// The VCs of the first hop by an entry, for a packet from one node to another.
    #[inline]
    pub fn first_vcs(&self, entry: Entry, from: Address, to: Address) -> VcSet {
        let (false, Some(from), Some(to)) =
            (self.layers.is_empty(), self.destination(from), self.destination(to))
        else {
            return entry.vcs;
        };
        let pair = (from as usize).wrapping_mul(self.destinations as usize).wrapping_add(to as usize);
        self.layers.get(pair).copied().unwrap_or(VcSet::EMPTY)
    }

    /// The service level of packets from one node to another; 0 where there are no tables from levels to lanes.
    pub(crate) fn level_of(&self, from: Address, to: Address) -> u8 {
        let pair = self.destination(from).zip(self.destination(to));
        let level = self.lanes.zip(pair).map(|(lanes, pair)| lanes.level(pair, self.destinations));
        level.unwrap_or_default()
    }

    /// The destination of packets for a node.
    #[inline]
    fn destination(&self, to: Address) -> Option<u32> {
        if self.first.is_empty() {
            return Some(to.router).filter(|&router| router < self.routers);
        }
        let router = to.router as usize;
        let (&first, &end) = (self.first.get(router)?, self.first.get(router.checked_add(1)?)?);
        Some(first.wrapping_add(to.port.into())).filter(|&there| there < end)
    }
}
