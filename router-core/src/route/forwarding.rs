//! One output port for each router and destination, from a table that is given: linear forwarding tables, as the switches of
//! InfiniBand have them. For any graph.
//!
//! Routes are deterministic and depend on the destination alone. The VCs are any, those of each entry, or a layer that the packet keeps
//! from its first router on (a virtual lane for a service level). They may also be that which the router has for its service level, input
//! and output. Nothing here excludes deadlock: that is a property of the tables, and `desvio prove` says whether they have it. Source:
//! InfiniBand Architecture Specification, volume 1, 18.2.4.3.3 (linear forwarding table).

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::{Address, Header};
use crate::layout;
use crate::map::forwarding::ForwardingTable;
use crate::map::{AnyMap, MapKind};
use crate::units::{Bits, PortClass, PortSet};

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
    fn outputs<B: Bits>(&self, here: &Here<B>, to: Address) -> PortSet<B> {
        match () {
            () if here.router != to.router => self.entry(here.router, to).ports(),
            () if self.has(to) => consume(here, to).ports(),
            () => PortSet::EMPTY,
        }
    }
}

impl<B: Bits> Route<B> for ForwardingTable<'_> {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        if let Some(lanes) = self.lanes() {
            let ports = self.outputs(here, header.to);
            let output = ports.first().unwrap_or_default();
            let vcs = lanes.vcs(here.router, (from.port, output), header.carried.level());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Carried;
    use crate::map::forwarding::{Entry, VcRule};
    use crate::map::sl_to_vl::{Lanes, SlToVl, lane};
    use crate::units::{PortId, VcId, VcSet};

    const PORTS: u8 = 3;

    /// Router 1 of two sends packets for the other one by port 2, and its own node is at port 0. A packet of each level, by each port and
    /// VC, takes the lane of its level between the two ports, whatever the entry says, and whatever VC it came on.
    #[test]
    fn the_lane_of_a_level_is_that_of_input_and_output() {
        let entry = Entry::new(PortId::new(2), VcSet::from_bits(0b1));
        let entries = [Entry::NONE, entry, entry, Entry::NONE];
        let mut tables = [0; 18];
        for (table, number) in tables.iter_mut().zip(1..) {
            *table = Lanes::wrapping_mul(number, 0x1234_5678_9abc_def1);
        }
        let levels = [0, 7, 9, 0];
        let lanes = SlToVl::load(&tables, &levels, (2, PORTS.into(), 2)).expect("tables");
        let plain = ForwardingTable::load(&entries, &[], &[], 2, VcRule::PerHop, |_| <PortSet>::range(1, 3));
        let table = plain.expect("a table").with_lanes(lanes);
        let here: Here = Here { router: 1, wired: PortSet::first_n(PORTS.into()), ..Here::default() };
        for (number, output) in [(0, 2), (1, 0)] {
            let to = Address { router: number, port: 0 };
            for (port, level) in (0..PORTS).flat_map(|port| (0..16).map(move |level| (port, level))) {
                let kind = if port == 0 { PortClass::NODE } else { PortClass::LOCAL };
                let from = Arrival { port: PortId::new(port), kind, vc: VcId::new(1) };
                let header =
                    Header { to, carried: Carried::default().with_level(level), ..Header::default() };
                let offered = table.offer(&here, from, &header).expect("room");
                let expected = lane(tables[9 + usize::from(port) * 3 + output], level);
                assert_eq!(offered.vcs_at(PortId::new(output as u8)), expected, "{port}, {level}");
                assert_eq!(offered.is_empty(), expected.is_empty(), "without a lane there is no way");
            }
        }
        let at = |router| Address { router, port: 0 };
        assert_eq!([(0, 1), (1, 0)].map(|(a, b)| Route::<usize>::level(&table, at(a), at(b))), [7, 9]);
        assert_eq!(Route::<usize>::level(&plain.expect("a table"), at(0), at(1)), 0);
        let nowhere = Header { to: at(2), ..Header::default() };
        assert!(table.offer(&here, Arrival::default(), &nowhere).expect("room").is_empty());
    }
}
