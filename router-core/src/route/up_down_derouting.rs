//! Up and down twice, by random ways, in a network of levels: to any two leaves, also where no spine is above both of them.
//!
//! A leaf *reaches* another one where a spine is above both. In a network of two levels a packet at the leaf `s` of its source, for a node at leaf `d`:
//!
//! - at `s`, unless it goes straight: draws a leaf that `s` reaches and that reaches `d`, and goes up to a spine above `s` and that leaf;
//! - at a spine that is above `d`: goes down to `d`;
//! - at another spine: draws a spine above `d` that it has a leaf in common with, and goes down to a leaf below both;
//! - at that leaf: goes up to any spine above it and `d`.
//!
//! So a route has 2 or 4 hops between routers. The first way up and down is on VCs of even numbers; from the last way up on they are odd. A
//! packet that comes to a spine above `d` by the first way up changes there. Neither has a cycle, and no packet goes back from the second
//! ones to the first ones: two VCs suffice. All draws are made where the packet starts, each port, leaf and spine of those allowed as
//! likely as the others, so that a packet never has a choice of ports.
//!
//! In a network of more levels a packet goes by a drawn leaf that its source reaches and that reaches its destination, each part by any shortest
//! way: as [`super::valiant_leaves`] by one of all leaves. With `l` levels a route has at most `4 (l − 1)` hops.
//!
//! Packets for which one spine suffices go straight with `lazy`, and then only on VCs of odd numbers; with `always` they deroute, too.

use super::valiant_leaves::{FIRST, SECOND, ValiantLeaves};
use super::{
    Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs, consume, drawn,
};
use crate::header::{Address, Header, Progress};
use crate::map::levels::Levels;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortId, PortSet};

/// Which packets go up and down twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Derouting {
    /// All.
    Always,
    /// Those whose leaves have no spine in common.
    #[default]
    Lazy,
}

crate::words!(Derouting {
    "always" => [Self::Always],
    "lazy" => [Self::Lazy],
});

/// Up and down twice, by random ways, in a network of levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UpDownDeroutingScheme {
    /// Which packets do.
    pub derouting: Derouting,
}

impl Settings for UpDownDeroutingScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("derouting", &mut self.derouting)
    }
}

impl Scheme for UpDownDeroutingScheme {
    const WORD: &'static str = "up-down-derouting";
    const DRAWS: bool = true;
    type Routing<'m> = UpDownDerouting<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Tree | MapKind::Levels).then_some(MapKind::Levels)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(2, 2, "up-down-derouting routing")
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 2, local: 2, global: 2 }
    }

    /// A way between any two leaves.
    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        let AnyMap::Levels(levels) = *map else { return Ok(()) };
        let routing = UpDownDerouting { levels, derouting: self.derouting };
        let is_apart = |&(here, there): &(u32, u32)| {
            !routing.goes_straight(here, there) && routing.between(here, there).next().is_none()
        };
        levels.pairs().find(is_apart).map_or(Ok(()), |(here, there)| Err(Misfit::Apart { here, there }))
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<UpDownDerouting<'m>> {
        let AnyMap::Levels(levels) = *map else { return None };
        Some(UpDownDerouting { levels, derouting: self.derouting })
    }
}

/// Up and down twice.
#[derive(Clone, Copy, Debug)]
pub struct UpDownDerouting<'t> {
    /// The map.
    pub levels: Levels<'t>,
    /// Which packets do.
    pub derouting: Derouting,
}

impl<'t> UpDownDerouting<'t> {
    /// The parts of a route by way of a leaf, where there are more than two levels.
    #[inline]
    fn parts(&self) -> Option<ValiantLeaves<'t>> {
        (self.levels.sizes().len() > 2).then_some(ValiantLeaves { levels: self.levels })
    }

    /// Whether a packet goes by one spine.
    #[inline]
    fn goes_straight(&self, from: u32, to: u32) -> bool {
        self.derouting == Derouting::Lazy && self.reaches(from, to)
    }

    /// Whether a spine is above two different leaves.
    #[inline]
    fn reaches(&self, from: u32, to: u32) -> bool {
        !self.levels.ways(from, to).is_empty()
    }

    /// The leaves that one leaf reaches, and that reach another one.
    fn between(&self, from: u32, to: u32) -> impl Iterator<Item = u32> {
        let leaves = 0..self.levels.leaves();
        leaves.filter(move |&leaf| self.reaches(from, leaf) && self.reaches(leaf, to))
    }

    /// The routers behind some ports of a router.
    fn peers(&self, router: u32, ports: PortSet) -> impl Iterator<Item = (PortId, u32)> {
        ports.iter().filter_map(move |port| Some((port, self.levels.peer(router, port)?)))
    }

    /// The ports by which a spine has a leaf in common with another one.
    fn down_to(&self, spine: u32, down: PortSet, other: u32) -> PortSet {
        self.peers(spine, down)
            .filter(|&(_, leaf)| self.levels.is_below(leaf, other))
            .map(|(port, _)| port)
            .collect()
    }

    /// The ports of a spine that lead down.
    fn down(&self, spine: u32) -> PortSet {
        let leaves = 0..self.levels.leaves();
        leaves.fold(PortSet::EMPTY, |ports, leaf| ports.union(self.levels.ways(spine, leaf)))
    }

    /// Draws the way of a packet that goes up and down twice: the port up, then, unless the spine there is above the destination, the port
    /// down and the port up again.
    fn draw(&self, from: u32, to: u32, draw: &mut impl Draw) -> Option<u32> {
        let leaf = one_of(|| self.between(from, to), draw)?;
        let up = any(self.levels.ways(from, leaf), draw)?;
        let spine = self.levels.peer(from, up)?;
        let way = drawn::with(0, 0, up);
        if self.levels.is_below(to, spine) {
            return Some(way);
        }
        let ports = self.down(spine);
        let above = || {
            let spines = self.peers(to, self.levels.up(to)).map(|(_, other)| other);
            spines.filter(|&other| !self.down_to(spine, ports, other).is_empty())
        };
        let other = one_of(above, draw)?;
        let down = any(self.down_to(spine, ports, other), draw)?;
        let again = any(self.levels.ways(self.levels.peer(spine, down)?, to), draw)?;
        Some(drawn::with(drawn::with(way, 1, down), 2, again))
    }
}

/// One of several, each as likely as the others.
fn one_of<I: Iterator<Item = u32>>(all: impl Fn() -> I, draw: &mut impl Draw) -> Option<u32> {
    all().nth(draw.below(all().count() as u32) as usize)
}

/// One port of a set, each as likely as the others.
fn any(ports: PortSet, draw: &mut impl Draw) -> Option<PortId> {
    ports.nth(draw.below(ports.len() as u32) as usize)
}

impl Route for UpDownDerouting<'_> {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if let Some(parts) = self.parts() {
            return parts.offer(here, from, header);
        }
        let (at, to) = (here.router, header.to.router);
        if at == to {
            return Ok(consume(here, header.to));
        }
        let is_leaf = at < self.levels.leaves();
        let ways = self.levels.ways(at, to);
        if !is_leaf && self.levels.is_below(to, at) {
            return Ok(Candidates::minimal(ways, SECOND));
        }
        let is_last = is_leaf && (from.kind != PortClass::NODE || self.goes_straight(at, to));
        let port = PortSet::only(drawn::next(header)).and(here.wired);
        Ok(Candidates::minimal(port, if is_last { SECOND } else { FIRST }))
    }

    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        self.parts().map_or_else(|| drawn::after(header), |parts| parts.onward(here, header, out_kind, hop))
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let (from, leaf) = (here.router, to.router);
        if self.parts().is_some() {
            let is_straight = from == leaf || self.goes_straight(from, leaf);
            let via = if is_straight { None } else { one_of(|| self.between(from, leaf), draw) };
            let progress = Progress::default().with_via_ahead(via.is_some());
            return Header { to, length, via: via.unwrap_or(leaf), progress, ..Header::default() };
        }
        let way = match () {
            () if from == leaf => None,
            () if self.goes_straight(from, leaf) => {
                any(self.levels.ways(from, leaf), draw).map(|port| drawn::with(0, 0, port))
            }
            () => self.draw(from, leaf, draw),
        };
        Header { to, length, via: way.unwrap_or(0), ..Header::default() }
    }

    /// On the second VCs the destination is one spine away or below; on the first ones a leaf where the packet came down reaches it.
    #[inline]
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        if let Some(parts) = self.parts() {
            return parts.keeps_order(here, from, header);
        }
        let (at, to) = (here.router, header.to.router);
        if from.kind == PortClass::NODE {
            true
        } else if SECOND.contains(from.vc) {
            self.levels.is_below(to, at)
        } else {
            at >= self.levels.leaves() || self.reaches(at, to)
        }
    }
}
