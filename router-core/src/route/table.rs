//! Every shortest route, looked up: destination router → set of output ports. For any graph.
//!
//! One VC per hop: a packet that came by VC `c` leaves by VC `c + 1`, so that dependencies only rise. The network
//! needs as many VCs as its longest shortest route has hops.

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::layout;
use crate::map::table::{Row, Table};
use crate::map::{AnyMap, MapKind};
use crate::units::{Bits, PortClass, VcId, VcSet};

/// Every shortest route, from a table, on any topology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TableScheme;

crate::no_settings!(TableScheme);

impl Scheme for TableScheme {
    const WORD: &'static str = "table";
    const VC_PER_HOP_OF: u32 = 1;
    const RTL: Option<u32> = Some(layout::ROUTING_TABLE);
    type Routing<'m> = Table<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Graph)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Table<'m>> {
        let AnyMap::Graph(table) = *map else { return None };
        Some(table)
    }
}

impl<B: Bits> Route<B> for Table<'_, B> {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        Ok(Candidates::minimal(self.ports(here.router, header.to.router), VcSet::only(next_vc(from))))
    }
}

impl<B: Bits> Route<B> for Row<'_, B> {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let ports = self.ports.get(header.to.router as usize).copied().unwrap_or_default();
        let vcs = if self.takes_any_vc { VcSet::from_bits(u8::MAX) } else { VcSet::only(next_vc(from)) };
        Ok(Candidates::minimal(ports, vcs))
    }
}

/// The VC of the next hop, where each hop takes the next one.
#[inline]
pub(super) const fn next_vc(from: Arrival) -> VcId {
    match from.kind {
        PortClass::NODE => VcId::new(0),
        _ => VcId::new(from.vc.number().wrapping_add(1)),
    }
}
