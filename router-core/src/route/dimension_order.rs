//! Dimension-order routing on meshes and tori of any dimensions.
//!
//! On a torus each ring has a dateline: its VCs form two halves, and a packet that has yet to cross the wrap-around
//! link uses the lower half (Dally and Seitz, 1987). A packet that never crosses it enters the ring in the lower half; in the
//! ring it may use either, but once in the upper it stays there. So the lower half's dependencies end at the wrap-around link,
//! and the upper half's never cross it. The free places of the upper half are left to packets that are in the ring already. Otherwise,
//! beyond saturation, packets that enter would take each one as soon as it appears, and the ring would stand still. In a ring of two or
//! three routers no packet takes a second hop, and all VCs serve; where links lead up alone, in one of two.

use super::{Arrival, Candidates, Draw, Full, Here, Needs, Route, Scheme, Vcs, consume};
use crate::header::{Address, Header};
use crate::layout;
use crate::map::grid::{Grid, Ties};
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortId, PortSet, VcId, VcSet};

/// One dimension after the other, on a mesh or torus: its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DimensionOrderScheme {
    /// Which way packets go half-way round a ring.
    pub ties: Ties,
}

impl Settings for DimensionOrderScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("ties", &mut self.ties)
    }
}

impl Scheme for DimensionOrderScheme {
    const WORD: &'static str = "dimension-order";
    const RTL: Option<u32> = Some(layout::ROUTING_DIMENSION_ORDER);
    type Routing<'m> = DimensionOrder;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Mesh | MapKind::Torus | MapKind::OneWayTorus).then_some(on)
    }

    fn needs(&self, on: MapKind) -> Needs {
        match on {
            MapKind::Torus | MapKind::OneWayTorus => {
                Needs::between_routers(2, 0, "dimension-order routing on a torus")
            }
            _ => Needs::NOTHING,
        }
    }

    fn draws(&self) -> bool {
        self.ties == Ties::Random
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<DimensionOrder> {
        let AnyMap::Grid(grid) = *map else { return None };
        Some(DimensionOrder { grid: grid.with_ties(self.ties), vcs: vcs.local })
    }
}

/// Dimension-order routing.
#[derive(Clone, Copy, Debug)]
pub struct DimensionOrder {
    /// The map.
    pub grid: Grid,
    /// VCs of each port between routers; at least 2 on a torus.
    pub vcs: u8,
}

impl DimensionOrder {
    /// The VCs for a hop in a ring, from coordinate `x` towards `y`, after a packet came by `from`; `straight`:
    /// it is already travelling in this dimension.
    #[inline]
    fn ring_vcs(&self, from: Arrival, up: bool, straight: bool, (size, x, y): (u32, u32, u32)) -> VcSet {
        let half = usize::from(self.vcs / 2);
        let (lower, upper) = (VcSet::first_n(half), VcSet::range(half, usize::from(self.vcs)));
        if size <= self.grid.single_hop() {
            return lower.union(upper);
        }
        let wrap_ahead = if up { y < x } else { y > x };
        let just_wrapped = x == if up { 0 } else { size.wrapping_sub(1) };
        if wrap_ahead || !straight {
            lower
        } else if just_wrapped || upper.contains(from.vc) {
            upper
        } else {
            lower.union(upper)
        }
    }

    /// The next hop towards a router: its output, and the VCs that it may take. `None` at that router; no output where the router lies
    /// beyond the network. `drawn` has a bit for each dimension, where ties are drawn: `via` of a header.
    #[inline]
    pub(super) fn hop(&self, here: &Here, from: Arrival, to: u32, drawn: u32) -> Option<(PortSet, VcSet)> {
        let (dimension, size, x, y) = self.grid.first_difference(here.router, to)?;
        let is_drawn = self.grid.ties() == Ties::Random && self.grid.is_halfway(size, x, y);
        let up = if is_drawn {
            drawn.wrapping_shr(dimension.into()) & 1 == 1
        } else {
            self.grid.goes_up(size, x, y)
        };
        let out = self.grid.port(dimension, up);
        let vcs = if self.grid.wraps {
            // A packet that travels up came in by the port that leads down.
            let straight = from.kind != PortClass::NODE && from.port == self.grid.port(dimension, !up);
            self.ring_vcs(from, up, straight, (size, x, y))
        } else {
            VcSet::first_n(usize::from(self.vcs))
        };
        if y >= size || !here.wired.contains(out) {
            return Some((PortSet::EMPTY, VcSet::EMPTY));
        }
        Some((PortSet::only(out), vcs))
    }
}

impl Route for DimensionOrder {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let hop = self.hop(here, from, header.to.router, header.via);
        Ok(hop.map_or_else(|| consume(here, header.to), |(ports, vcs)| Candidates::minimal(ports, vcs)))
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let header = Header { to, length, ..Header::default() };
        if self.grid.ties() != Ties::Random {
            return header;
        }
        let ties = self.grid.differences(here.router, to.router);
        let ties = ties.filter(|&(_, size, x, y)| self.grid.is_halfway(size, x, y));
        let via = ties.fold(0, |via, (dimension, ..)| via | draw.below(2).wrapping_shl(dimension.into()));
        Header { via, ..header }
    }

    fn straight(&self, from: Arrival) -> Option<PortId> {
        (from.kind != PortClass::NODE).then(|| self.grid.heading(from.port))
    }

    fn legs(&self, from: u32, to: u32) -> u16 {
        self.grid.differences(from, to).fold(0, |legs, _| legs.wrapping_add(1))
    }

    fn keeps_order(&self, _here: &Here, from: Arrival, _header: &Header) -> bool {
        from.kind == PortClass::NODE || from.vc < VcId::new(self.vcs)
    }
}
