//! One output port for each router and destination, from a table that is given: linear forwarding tables, as the switches of
//! InfiniBand have them. For any graph.
//!
//! Routes are deterministic and depend on the destination alone. The VCs are any, or those of each entry, or a layer that the packet
//! keeps from its first router on (a virtual lane that a service level stands for), or that which the router has for its service level,
//! input and output. Nothing here excludes deadlock: that is a property
//! of the tables, and `desvio prove` says whether they have it.
//! Source: InfiniBand Architecture Specification, volume 1, 18.2.4.3.3 (linear forwarding table).

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::{Address, Header};
use crate::layout;
use crate::map::forwarding::ForwardingTable;
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet};

/// By forwarding tables that are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ForwardingScheme;

crate::no_settings!(ForwardingScheme);

impl Scheme for ForwardingScheme {
    const WORD: &'static str = "forwarding";
    const RTL: Option<u32> = Some(layout::ROUTING_TABLE);
    type Routing<'m> = ForwardingTable<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Forwarding)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<ForwardingTable<'m>> {
        let AnyMap::Forwarding(table) = *map else { return None };
        Some(table)
    }
}

impl ForwardingTable<'_> {
    /// The output of packets for a node.
    #[inline]
    fn outputs(&self, here: &Here, to: Address) -> PortSet {
        match () {
            () if here.router != to.router => self.entry(here.router, to).ports(),
            () if self.has(to) => consume(here, to).ports(),
            () => PortSet::EMPTY,
        }
    }
}

impl Route for ForwardingTable<'_> {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if let Some(lanes) = self.lanes() {
            let ports = self.outputs(here, header.to);
            let output = ports.first().unwrap_or_default();
            let vcs = lanes.vcs(here.router, (from.port, output), header.carried.class());
            return Ok(Candidates::minimal(ports, vcs));
        }
        if here.router == header.to.router {
            return Ok(if self.has(header.to) { consume(here, header.to) } else { Candidates::default() });
        }
        let entry = self.entry(here.router, header.to);
        let vcs = if from.kind == PortClass::NODE {
            let source = Address { router: here.router, port: from.port.number() };
            self.first_vcs(entry, source, header.to)
        } else {
            self.vcs_after(entry, from.vc)
        };
        Ok(Candidates::minimal(entry.ports(), vcs))
    }

    fn level(&self, from: Address, to: Address) -> u8 {
        self.level_of(from, to)
    }
}
