//! Valiant's routing on any graph: shortest routes, from a table, to a random intermediate router and from there.
//!
//! Source: Valiant and Brebner, 1981. The intermediate router is drawn where the packet is injected, each of all routers alike, so that
//! every traffic loads the links as twice uniform traffic does. One VC per hop, as in [`super::table`]: the network needs twice as
//! many VCs as its longest shortest route has hops.

use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Route, Scheme, Vcs, consume, table};
use crate::header::{Address, Header, Progress};
use crate::map::table::Table;
use crate::map::{AnyMap, MapKind};
use crate::units::{Bits, PortClass, VcSet};

/// Valiant's routing on any graph, from a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ValiantTableScheme;

crate::no_settings!(ValiantTableScheme);

impl Scheme for ValiantTableScheme {
    const WORD: &'static str = "valiant-table";
    const DRAWS: bool = true;
    const VC_PER_HOP_OF: u32 = 2;
    type Routing<'m> = ValiantTable<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Graph)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<ValiantTable<'m>> {
        let AnyMap::Graph(table) = *map else { return None };
        Some(ValiantTable { table })
    }
}

/// Valiant's routing by a table.
#[derive(Clone, Copy, Debug)]
pub struct ValiantTable<'t, B: Bits = usize> {
    /// The map.
    pub table: Table<'t, B>,
}

impl<B: Bits> Route<B> for ValiantTable<'_, B> {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        let is_ahead = header.progress.via_ahead() && here.router != header.via;
        let to = if is_ahead { header.via } else { header.to.router };
        if here.router == to {
            return Ok(consume(here, header.to));
        }
        Ok(Candidates::minimal(self.table.ports(here.router, to), VcSet::only(table::next_vc(from))))
    }

    fn onward(&self, here: &Here<B>, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        let is_ahead = header.progress.via_ahead() && here.router != header.via;
        Header { progress: header.progress.with_via_ahead(is_ahead), ..*header }
    }

    fn launch(&self, here: &Here<B>, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let via = draw.below(self.table.routers());
        let progress = Progress::default().with_via_ahead(via != here.router && via != to.router);
        Header { to, via, length, progress, ..Header::default() }
    }
}
