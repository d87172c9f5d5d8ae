//! Every shortest route, from a table, on any VC. For any graph.
//!
//! Nothing orders the VCs: on graphs with cycles packets may wait for each other for ever. `desvio prove` says whether they can;
//! [`super::table`] excludes it with a VC for each hop.

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::layout;
use crate::map::table::Table;
use crate::map::{AnyMap, MapKind};
use crate::units::{Bits, VcSet};

/// Every shortest route, from a table, on any VC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MultipathScheme;

crate::no_settings!(MultipathScheme);

impl Scheme for MultipathScheme {
    const WORD: &'static str = "multipath";
    const RTL: Option<u32> = Some(layout::ROUTING_TABLE);
    type Routing<'m> = Multipath<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Graph)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Multipath<'m>> {
        let AnyMap::Graph(table) = *map else { return None };
        Some(Multipath { table })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        put("HOP_VCS", layout::HOP_VCS_ANY);
    }
}

/// Every shortest route on any VC.
#[derive(Clone, Copy, Debug)]
pub struct Multipath<'t, B: Bits = usize> {
    /// The map.
    pub table: Table<'t, B>,
}

impl<B: Bits> Route<B> for Multipath<'_, B> {
    #[inline]
    fn offer(&self, here: &Here<B>, _from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        Ok(Candidates::minimal(self.table.ports(here.router, header.to.router), VcSet::from_bits(u8::MAX)))
    }
}
