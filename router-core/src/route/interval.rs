//! Interval routing: each port of a router has an interval of labels, and a packet leaves by the port in whose interval the label of its
//! destination is. On any topology.
//!
//! Routers of a mesh are labelled row by row: then the intervals are those of dimension order, the last dimension first. Elsewhere labels
//! follow a spanning tree, of shortest routes to the router `root`, in depth-first order: the labels of a subtree are an interval, and all
//! others are behind the port up. Packets use the links of the tree alone. Neither has a cycle of channels on any VC.
//! Source: Santoro and Khatib, 1985; van Leeuwen and Tan, 1987.

use super::{Arrival, Candidates, Draw, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::{Address, Header, ROUTER_BITS};
use crate::layout;
use crate::map::intervals::IntervalTable;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{Bits, PortSet, VcSet};

/// By intervals of labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct IntervalScheme {
    /// The root of the spanning tree; no matter on a mesh. Range: 0…262143.
    pub root: u32,
}

impl Settings for IntervalScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("root", 0..=LAST_ROUTER, &mut self.root)
    }
}

impl Scheme for IntervalScheme {
    const WORD: &'static str = "interval";
    const RTL: Option<u32> = Some(layout::ROUTING_TABLE);
    type Routing<'m> = IntervalTable<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Intervals)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<IntervalTable<'m>> {
        let AnyMap::Intervals(table) = *map else { return None };
        Some(table)
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        put("HOP_VCS", layout::HOP_VCS_ANY);
    }
}

impl<B: Bits> Route<B> for IntervalTable<'_> {
    /// The label is in the header; a router compares it with its own intervals.
    #[inline]
    fn offer(&self, here: &Here<B>, _from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let port = self.port(here.router, header.via).map_or(PortSet::EMPTY, PortSet::only);
        Ok(Candidates::minimal(port, VcSet::from_bits(u8::MAX)))
    }

    /// Labels take as many bits as addresses.
    fn launch(&self, _here: &Here<B>, to: Address, length: u16, _draw: &mut impl Draw) -> Header {
        Header { to, length, via: self.label(to.router).unwrap_or(LAST_ROUTER), ..Header::default() }
    }
}

const LAST_ROUTER: u32 = (1 << ROUTER_BITS) - 1;
