//! Distributed Routing Balancing on InfiniBand: several LIDs for each destination, a tree of routes for each, a LID chosen by the source.
//!
//! Source: as [`crate::congestion::Agent`] says, which is the choice of the source; [`Route::launch`] draws from all LIDs that a source has for a
//! destination, so that a proof covers all that it can choose.
//!
//! A router looks up the whole DLID: the forwarding table has a row for each LID, here at the destination's router and the number of the LID,
//! which the header has in its field `via`. A packet keeps the VC of its first hop: the virtual lane of its service level. The tables give
//! service levels to pairs of source and LID so that no lane's channel dependency graph has a cycle. A pair that would close one, or whose
//! route shares a link with a shorter one of the pair's, gets none: the source has no such LID.

use super::{Arrival, Candidates, Draw, Full, Here, Needs, Route, Scheme, Vcs, consume};
use crate::congestion::{PathSettings, lid_of, with_lid};
use crate::header::{Address, Header};
use crate::map::forwarding::{Entry, ForwardingTable};
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortId, VcSet};

/// Distributed Routing Balancing by LIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DrbInfiniBandScheme {
    /// When sources open and close paths.
    pub paths: PathSettings,
    /// LIDs of a destination are 2^`lmc`. Range: 0…3.
    pub lmc: u8,
    /// Hops by which a path may be longer than the shortest one. Range: 0…16.
    pub detour_hops: u8,
}

impl Default for DrbInfiniBandScheme {
    fn default() -> Self {
        Self { paths: PathSettings::default(), lmc: 3, detour_hops: 4 }
    }
}

impl DrbInfiniBandScheme {
    /// LIDs of a destination.
    #[must_use]
    pub const fn lids(&self) -> u8 {
        1u8.wrapping_shl(self.lmc as u32)
    }
}

impl Settings for DrbInfiniBandScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        self.paths.visit(visitor)?;
        visitor.whole("lmc", 0..=3, &mut self.lmc)?;
        visitor.whole("detour_hops", 0..=16, &mut self.detour_hops)
    }
}

impl Scheme for DrbInfiniBandScheme {
    const WORD: &'static str = "drb-infiniband";
    const DRAWS: bool = true;
    type Routing<'m> = DrbInfiniBand<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Forwarding)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::NOTHING
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 4, local: 8, global: 8 }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<DrbInfiniBand<'m>> {
        let AnyMap::Forwarding(table) = *map else { return None };
        Some(DrbInfiniBand { table, lids: self.lids() })
    }
}

/// Routing by tables with several LIDs for each router.
#[derive(Clone, Copy, Debug)]
pub struct DrbInfiniBand<'m> {
    /// Its destinations are LIDs, in the place of a router's ports.
    table: ForwardingTable<'m>,
    /// LIDs of a router.
    lids: u8,
}

impl DrbInfiniBand<'_> {
    /// The row of router `here` for a LID, and the VCs of the first hop of the router's own packets: none, if they have no such path.
    fn row(&self, here: u32, to: u32, lid: u8) -> (Entry, VcSet) {
        let to = Address { router: to, port: lid };
        let entry = self.table.entry(here, to);
        (entry, self.table.first_vcs(entry, Address { router: here, port: 0 }, to))
    }

    /// The port by which router `here` sends packets for a LID.
    pub fn port(&self, here: u32, to: u32, lid: u8) -> Option<PortId> {
        self.table.entry(here, Address { router: to, port: lid }).port()
    }

    /// The LIDs by which packets of router `here` may go to another one, the lowest first.
    pub fn paths(&self, here: u32, to: u32) -> impl Iterator<Item = u8> + Clone + '_ {
        let is_path = move |lid: &u8| {
            let (entry, vcs) = self.row(here, to, *lid);
            entry.port().is_some() && !vcs.is_empty()
        };
        (0..self.lids).filter(is_path)
    }
}

// Not inlined: the other routings, in whose dispatch it would be, pay for its registers.
impl Route for DrbInfiniBand<'_> {
    #[inline(never)]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let (entry, first) = self.row(here.router, header.to.router, lid_of(header));
        let vcs = if from.kind == PortClass::NODE { first } else { self.table.vcs_after(entry, from.vc) };
        Ok(Candidates::minimal(entry.ports(), vcs))
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let header = Header { to, length, ..Header::default() };
        let paths = self.paths(here.router, to.router);
        let count = paths.clone().count() as u32;
        if count == 0 {
            return header;
        }
        let lid = paths.clone().nth(draw.below(count) as usize).unwrap_or_default();
        with_lid(header, lid)
    }
}
