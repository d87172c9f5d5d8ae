//! Valiant's routing in a network of levels: up, then down, to a random leaf, and up, then down, from there.
//!
//! Source: Valiant and Brebner, 1981; the restriction to leaves: two spines need not be joined by a route up, then down. The leaf is drawn
//! where the packet is injected, each of all leaves alike, that of the source and that of the destination included.
//!
//! The way to the leaf is on VCs of even numbers, the way from there on those of odd numbers. Neither has a cycle, and no packet goes back
//! from the second ones to the first ones: two VCs suffice.

use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs, consume};
use crate::header::{Address, Header, Progress};
use crate::map::levels::Levels;
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, VcSet};

/// Through a random leaf of a network of levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ValiantLeavesScheme;

crate::no_settings!(ValiantLeavesScheme);

impl Scheme for ValiantLeavesScheme {
    const WORD: &'static str = "valiant-leaves";
    const DRAWS: bool = true;
    type Routing<'m> = ValiantLeaves<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Tree | MapKind::Levels).then_some(MapKind::Levels)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(2, 2, "valiant-leaves routing")
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        let AnyMap::Levels(levels) = map else { return Ok(()) };
        levels.first_apart().map_or(Ok(()), |(here, there)| Err(Misfit::Apart { here, there }))
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<ValiantLeaves<'m>> {
        let AnyMap::Levels(levels) = *map else { return None };
        Some(ValiantLeaves { levels })
    }
}

/// The VCs of the first part of a route.
pub(super) const FIRST: VcSet = VcSet::from_bits(0b0101_0101);
/// The VCs of the second part.
pub(super) const SECOND: VcSet = VcSet::from_bits(0b1010_1010);

/// Valiant's routing over leaves.
#[derive(Clone, Copy, Debug)]
pub struct ValiantLeaves<'t> {
    /// The map.
    pub levels: Levels<'t>,
}

impl Route for ValiantLeaves<'_> {
    #[inline]
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let is_ahead = header.progress.via_ahead() && here.router != header.via;
        let (to, vcs) = if is_ahead { (header.via, FIRST) } else { (header.to.router, SECOND) };
        if here.router == to {
            return Ok(consume(here, header.to));
        }
        Ok(Candidates::minimal(self.levels.ways(here.router, to), vcs))
    }

    fn onward(&self, here: &Here, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        let is_ahead = header.progress.via_ahead() && here.router != header.via;
        Header { progress: header.progress.with_via_ahead(is_ahead), ..*header }
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let via = draw.below(self.levels.leaves());
        let progress = Progress::default().with_via_ahead(via != here.router && via != to.router);
        Header { to, via, length, progress, ..Header::default() }
    }

    /// Each part on its VCs; what came down has the end of its part below.
    #[inline]
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        let is_first = header.progress.via_ahead();
        let (to, vcs) = if is_first { (header.via, FIRST) } else { (header.to.router, SECOND) };
        let goes_on =
            || !self.levels.comes_down(here.router, from.port) || self.levels.is_below(to, here.router);
        from.kind == PortClass::NODE || (vcs.contains(from.vc) && goes_on())
    }
}
