//! up*/down*: shortest routes that go up, then down, by an order of the routers of any graph (Schroeder et al., Autonet, 1991).
//!
//! No packet goes up after it has gone down, and no circle of links goes up all the way round. So the buffers can be put in an order: going
//! up in the order of the routers, then going down against it. That excludes deadlock with any number of VCs, one included. All shortest
//! legal routes are offered; they may be longer than the shortest ones of the graph, and many of them pass the root.

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::{Header, ROUTER_BITS};
use crate::layout;
use crate::map::up_down::UpDownTable;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{Bits, PortClass, VcSet};

/// Up, then down, on any topology, by an order of its routers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UpDownStarScheme {
    /// The router that everything goes down from. Range: 0…262143.
    pub root: u32,
}

impl Settings for UpDownStarScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("root", 0..=LAST_ROUTER, &mut self.root)
    }
}

impl Scheme for UpDownStarScheme {
    const WORD: &'static str = "up*/down*";
    const RTL: Option<u32> = Some(layout::ROUTING_TABLE);
    type Routing<'m> = UpDownTable<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::UpDown)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<UpDownTable<'m>> {
        let AnyMap::UpDown(table) = *map else { return None };
        Some(table)
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        put("HOP_VCS", layout::HOP_VCS_ANY);
    }
}

impl<B: Bits> UpDownTable<'_, B> {
    /// Whether a packet that came by `from` has gone down.
    #[inline]
    fn has_gone_down(&self, here: &Here<B>, from: Arrival) -> bool {
        from.kind != PortClass::NODE && self.comes_down(here.router, from.port)
    }
}

impl<B: Bits> Route<B> for UpDownTable<'_, B> {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let ports = self.ports(here.router, header.to.router, self.has_gone_down(here, from));
        Ok(Candidates::minimal(ports, VcSet::from_bits(u8::MAX)))
    }

    /// A packet that has gone down has a way further down, or is there.
    #[inline]
    fn keeps_order(&self, here: &Here<B>, from: Arrival, header: &Header) -> bool {
        let to = header.to.router;
        !self.has_gone_down(here, from) || here.router == to || !self.ports(here.router, to, true).is_empty()
    }
}

const LAST_ROUTER: u32 = (1 << ROUTER_BITS) - 1;
