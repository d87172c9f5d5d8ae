//! UGAL on any graph: a shortest route, or Valiant's through a random router, as selection decides at the first router.
//!
//! Source: Singh, Load-Balanced Routing in Interconnection Networks, 2005; Kim et al., ISCA 2008 (UGAL-L). The intermediate router is
//! drawn where the packet is injected, each of all routers alike. Its first router offers both ways with their hops, and the trigger
//! `ugal` compares the queues there; no router after it offers a choice of kinds. One VC per hop, as in [`super::valiant_table`].

use super::{
    Arrival, CandidateSet, Candidates, Draw, Full, Here, HopKind, Route, Scheme, Vcs, consume, table,
};
use crate::header::{Address, Header, Progress};
use crate::map::distance::DistanceTable;
use crate::map::{AnyMap, MapKind};
use crate::units::{Bits, PortClass, VcSet};

/// A shortest route or Valiant's, on any topology, from a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UgalScheme;

crate::no_settings!(UgalScheme);

impl Scheme for UgalScheme {
    const WORD: &'static str = "ugal";
    const DETOURS: &'static [HopKind] = &[HopKind::GlobalMisroute];
    const TRIGGER: &'static str = "ugal";
    const DRAWS: bool = true;
    const VC_PER_HOP_OF: u32 = 2;
    type Routing<'m> = Ugal<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Distance)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Ugal<'m>> {
        let AnyMap::Distance(map) = *map else { return None };
        Some(Ugal { map })
    }
}

/// UGAL by a table.
#[derive(Clone, Copy, Debug)]
pub struct Ugal<'t, B: Bits = usize> {
    /// The map.
    pub map: DistanceTable<'t, B>,
}

impl<B: Bits> Ugal<'_, B> {
    /// Whether a packet that took the detour has its intermediate router ahead.
    #[inline]
    fn is_ahead(here: &Here<B>, header: &Header) -> bool {
        header.progress.via_ahead() && here.router != header.via
    }

    /// The shortest way, and the way by the intermediate router where that is another one.
    fn both(&self, here: &Here<B>, header: &Header, vcs: VcSet) -> Candidates<B> {
        let (at, via, to) = (here.router, header.via, header.to.router);
        let set =
            |towards, kind, hops| CandidateSet { ports: self.map.table.ports(at, towards), vcs, kind, hops };
        let minimal = set(to, HopKind::Minimal, self.map.hops(at, to));
        if via == at || via == to {
            return Candidates::of([minimal]);
        }
        let hops = self.map.hops(at, via).saturating_add(self.map.hops(via, to));
        Candidates::of([minimal, set(via, HopKind::GlobalMisroute, hops)])
    }
}

impl<B: Bits> Route<B> for Ugal<'_, B> {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        let vcs = VcSet::only(table::next_vc(from));
        if Self::is_ahead(here, header) {
            return Ok(Candidates::minimal(self.map.table.ports(here.router, header.via), vcs));
        }
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        if from.kind == PortClass::NODE {
            return Ok(self.both(here, header, vcs));
        }
        Ok(Candidates::minimal(self.map.table.ports(here.router, header.to.router), vcs))
    }

    /// The detour is taken at the first router, or not at all.
    fn onward(&self, here: &Here<B>, header: &Header, _out_kind: PortClass, hop: HopKind) -> Header {
        let is_ahead = hop == HopKind::GlobalMisroute || Self::is_ahead(here, header);
        Header { progress: header.progress.with_via_ahead(is_ahead), ..*header }
    }

    fn launch(&self, _here: &Here<B>, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let via = draw.below(self.map.table.routers());
        Header { to, via, length, progress: Progress::default(), ..Header::default() }
    }
}
