//! Dimension order on tori, on the VCs that the datelines leave free: partially adaptive.
//!
//! In each ring a packet that has yet to cross the wrap-around link takes the lower VC, any other the upper one (Dally and Seitz,
//! 1987). That is the strict rule; it leaves the upper VCs of the first links behind the dateline and the lower ones of the last
//! unused. The adaptive rule lets a packet without a wrap-around link ahead choose between all VCs, and keeps but one of them for it
//! alone: VC 1 (the ring of Duato, 1993). The other VCs have a cycle round the ring, and VC 1 behind the dateline, VC 0
//! before it, are the escape. On a ring whose links lead up alone the two rules are the textbook's examples of a routing whose
//! dependencies have no cycle and of one that is free of deadlock with a cycle.

use super::{Arrival, Candidates, Full, Here, Needs, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Which VCs a packet may take that has no wrap-around link ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Datelines {
    /// All of them.
    #[default]
    Adaptive,
    /// The upper half.
    Strict,
}

crate::words!(Datelines {
    "adaptive" => [Self::Adaptive],
    "strict" => [Self::Strict],
});

/// Dimension order with datelines, on a torus: its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DatelineAdaptiveScheme {
    /// Which VCs a packet may take that has no wrap-around link ahead.
    pub datelines: Datelines,
}

impl Settings for DatelineAdaptiveScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("datelines", &mut self.datelines)
    }
}

impl Scheme for DatelineAdaptiveScheme {
    const WORD: &'static str = "dateline-adaptive";
    type Routing<'m> = DatelineAdaptive;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Torus | MapKind::OneWayTorus).then_some(on)
    }

    fn whole_packets(&self) -> bool {
        self.datelines == Datelines::Adaptive
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(2, 0, "dateline-adaptive routing")
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<DatelineAdaptive> {
        let AnyMap::Grid(grid) = *map else { return None };
        Some(DatelineAdaptive { grid, datelines: self.datelines, vcs: vcs.local })
    }
}

/// Dimension order with datelines.
#[derive(Clone, Copy, Debug)]
pub struct DatelineAdaptive {
    /// The map: a torus.
    pub grid: Grid,
    /// Which VCs a packet may take that has no wrap-around link ahead.
    pub datelines: Datelines,
    /// VCs of each port between routers, at least 2.
    pub vcs: u8,
}

impl DatelineAdaptive {
    /// The VC for packets without a wrap-around link ahead alone.
    const BEHIND: VcId = VcId::new(1);
}

/// The adaptive rule for a hop from coordinate `x` towards `y`, for a ring with `vcs` VCs.
#[inline]
pub(super) fn adaptive_vcs(vcs: u8, up: bool, x: u32, y: u32) -> VcSet {
    let all = VcSet::first_n(usize::from(vcs));
    if wrap_ahead(up, x, y) { all.minus(VcSet::only(DatelineAdaptive::BEHIND)) } else { all }
}

/// Whether the wrap-around link lies between `x` and `y`.
#[inline]
pub(super) const fn wrap_ahead(up: bool, x: u32, y: u32) -> bool {
    if up { y < x } else { y > x }
}

impl Route for DatelineAdaptive {
    #[inline]
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let Some((dimension, size, x, y)) = self.grid.first_difference(here.router, header.to.router) else {
            return Ok(consume(here, header.to));
        };
        let up = self.grid.goes_up(size, x, y);
        let out = self.grid.port(dimension, up);
        if y >= size || !here.wired.contains(out) {
            return Ok(Candidates::NONE);
        }
        let half = usize::from(self.vcs / 2);
        let vcs = match (self.datelines, wrap_ahead(up, x, y)) {
            (Datelines::Adaptive, _) => adaptive_vcs(self.vcs, up, x, y),
            (Datelines::Strict, true) => VcSet::first_n(half),
            (Datelines::Strict, false) => VcSet::range(half, usize::from(self.vcs)),
        };
        Ok(Candidates::minimal(PortSet::only(out), vcs))
    }

    fn keeps_order(&self, _here: &Here, from: Arrival, _header: &Header) -> bool {
        from.kind == PortClass::NODE || from.vc < VcId::new(self.vcs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Address;

    /// On a ring of 8, from 6 to 1, the way takes the lower VC as far as the link from 7 to 0, and the upper one behind it. The adaptive
    /// rule keeps VC 1 from packets before that link, and nothing from those behind it.
    #[test]
    fn the_wrap_around_link_is_crossed_on_the_lower_vcs() {
        let grid = Grid::new(&[8], 1, true).unwrap();
        let vcs = |datelines, vcs, at: u32, to: u32| {
            let here = Here { router: at, wired: grid.ways(), ..Here::default() };
            let header = Header { to: Address { router: to, port: 0 }, length: 1, ..Header::default() };
            let offered = DatelineAdaptive { grid, datelines, vcs }.offer(&here, Arrival::default(), &header);
            offered.unwrap().vcs_at(grid.port(0, grid.goes_up(8, at, to)))
        };
        for (at, to, is_ahead) in
            [(6, 1, true), (7, 1, true), (0, 1, false), (1, 6, true), (0, 6, true), (7, 6, false)]
        {
            let (strict, adaptive) = if is_ahead { (0b01, 0b01) } else { (0b10, 0b11) };
            assert_eq!(vcs(Datelines::Strict, 2, at, to), VcSet::from_bits(strict), "{at} to {to}");
            assert_eq!(vcs(Datelines::Adaptive, 2, at, to), VcSet::from_bits(adaptive), "{at} to {to}");
            let (strict, adaptive) = if is_ahead { (0b0011, 0b1101) } else { (0b1100, 0b1111) };
            assert_eq!(vcs(Datelines::Strict, 4, at, to), VcSet::from_bits(strict), "{at} to {to}");
            assert_eq!(vcs(Datelines::Adaptive, 4, at, to), VcSet::from_bits(adaptive), "{at} to {to}");
        }
    }
}
