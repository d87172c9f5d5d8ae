//! Planar-adaptive routing on meshes and tori: adaptive in two dimensions at a time.
//!
//! A packet crosses planes in their order (Chien and Kim, 1992). Plane `i` is made of the dimensions `i` and `i + 1`, and a packet leaves
//! it when it has gone its way in dimension `i`. In a plane any shortest way is free; the VCs of dimension `i + 1` are of two classes
//! there, one for packets that go up in dimension `i`, one for those that go down. With the VCs of dimension `i` itself that makes three
//! classes: a dimension needs all three unless it is the first, which needs one, or the last, which needs two.
//!
//! A packet that has no way to go in dimension `i` meets the last plane in its second dimension alone. It takes the class of those
//! that go up, and may stay in the other one when it comes from there: from one class to the other there is one way only.
//!
//! On a torus each of the three classes is there twice. In all of plane `i` the wrap-around link of dimension `i` leads from the lower half
//! of a class to its upper one: a packet takes the lower half as long as it has that link ahead. So columns of a plane are passed in one
//! order. In the second dimension a packet takes no wrap-around link, nor any link before it: it waits until it is in the plane that begins
//! there. The last dimension has all three classes.

use super::dateline_adaptive::wrap_ahead;
use super::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Needs, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Adaptive in two dimensions at a time, on a mesh or torus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PlanarAdaptiveScheme;

crate::no_settings!(PlanarAdaptiveScheme);

impl Scheme for PlanarAdaptiveScheme {
    const WORD: &'static str = "planar-adaptive";
    type Routing<'m> = PlanarAdaptive;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Mesh | MapKind::Torus).then_some(on)
    }

    fn needs(&self, on: MapKind) -> Needs {
        match on {
            MapKind::Torus => Needs::between_routers(6, 0, "planar-adaptive routing on a torus"),
            _ => Needs::between_routers(3, 0, "planar-adaptive routing"),
        }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<PlanarAdaptive> {
        let AnyMap::Grid(grid) = *map else { return None };
        Some(PlanarAdaptive { grid, vcs: vcs.local })
    }
}

/// What a VC of a dimension is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// The plane before, for packets that go up in its first dimension.
    Up,
    /// The plane before, for packets that go down in its first dimension.
    Down,
    /// The plane that begins with this dimension.
    First,
}

/// Planar-adaptive routing.
#[derive(Clone, Copy, Debug)]
pub struct PlanarAdaptive {
    /// The map.
    pub grid: Grid,
    /// VCs of each port between routers, at least 3; at least 6 on a torus.
    pub vcs: u8,
}

impl PlanarAdaptive {
    /// The VCs of a class: all in the first dimension, a half in the last one, a third in the others.
    #[inline]
    fn class(&self, dimension: u8, class: Class) -> VcSet {
        let all = usize::from(self.vcs);
        let is_last = dimension.wrapping_add(1) == self.grid.dimensions();
        let parts = if is_last { 2 } else { 3 };
        let ends = |part: usize| all.wrapping_mul(part).checked_div(parts).unwrap_or_default();
        match class {
            _ if dimension == 0 => VcSet::first_n(all),
            Class::Up => VcSet::range(0, ends(1)),
            Class::Down => VcSet::range(ends(1), ends(2)),
            Class::First => VcSet::range(ends(2), all),
        }
    }

    /// The VCs of a class on a torus, for a packet that has the wrap-around link of its plane's first dimension ahead or not; all of the class
    /// where it has no two VCs.
    #[inline]
    fn half(&self, dimension: u8, class: Class, ahead: bool) -> VcSet {
        let (part, parts) = match class {
            _ if dimension == 0 => (0, 2),
            Class::Up => (0, 6),
            Class::Down => (2, 6),
            Class::First => (4, 6),
        };
        let cut = |half: usize| {
            let all = usize::from(self.vcs).wrapping_mul(half.wrapping_add(part));
            all.checked_div(parts).unwrap_or_default()
        };
        match ahead {
            _ if cut(0) == cut(1) => VcSet::range(cut(0), cut(2)),
            true => VcSet::range(cut(0), cut(1)),
            false => VcSet::range(cut(1), cut(2)),
        }
    }

    /// The VCs of the last dimension, for a packet that has no way to go in any other.
    #[inline]
    fn last_way(&self, dimension: u8, from: Arrival) -> VcSet {
        let (up, down) = (self.class(dimension, Class::Up), self.class(dimension, Class::Down));
        let ports = |dimension| [true, false].map(|up| self.grid.port(dimension, up));
        // A packet that goes down in the dimension before came in by the port that leads up.
        let goes_down = dimension > 0 && from.port == self.grid.port(dimension.wrapping_sub(1), true);
        let stays_down = ports(dimension).contains(&from.port) && down.contains(from.vc);
        if from.kind != PortClass::NODE && (goes_down || stays_down) { up.union(down) } else { up }
    }
}

impl Route for PlanarAdaptive {
    /// The first dimension of the plane, then its second one.
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let mut ways = self.grid.differences(here.router, header.to.router);
        let Some((dimension, size, x, y)) = ways.next() else {
            return Ok(consume(here, header.to));
        };
        let next = ways.next().filter(|(other, ..)| *other == dimension.wrapping_add(1));
        let is_out = |size: u32, y: u32| y >= size;
        if is_out(size, y) || next.is_some_and(|(_, size, _, y)| is_out(size, y)) {
            return Ok(Candidates::NONE);
        }
        let set = |dimension, up, vcs| {
            let ports = PortSet::only(self.grid.port(dimension, up)).and(here.wired);
            CandidateSet::new(ports, vcs, HopKind::Minimal)
        };
        if self.grid.wraps {
            let up = self.grid.goes_up(size, x, y);
            let ahead = wrap_ahead(up, x, y);
            let first = set(dimension, up, self.half(dimension, Class::First, ahead));
            let second = next.map(|(other, size, a, b)| (other, self.grid.goes_up(size, a, b), a, b));
            let second = second.filter(|&(_, up, a, b)| !wrap_ahead(up, a, b));
            let Some((other, other_up, ..)) = second else { return Ok(Candidates::of([first])) };
            let class = if up { Class::Up } else { Class::Down };
            return Ok(Candidates::of([first, set(other, other_up, self.half(other, class, ahead))]));
        }
        if dimension.wrapping_add(1) == self.grid.dimensions() {
            return Ok(Candidates::of([set(dimension, y > x, self.last_way(dimension, from))]));
        }
        let first = set(dimension, y > x, self.class(dimension, Class::First));
        let Some((other, _, a, b)) = next else { return Ok(Candidates::of([first])) };
        let class = if y > x { Class::Up } else { Class::Down };
        Ok(Candidates::of([first, set(other, b > a, self.class(other, class))]))
    }

    fn keeps_order(&self, _here: &Here, from: Arrival, _header: &Header) -> bool {
        from.kind == PortClass::NODE || from.vc < VcId::new(self.vcs)
    }
}
