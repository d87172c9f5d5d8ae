//! Up, then down, in a network of levels: up by any port until the destination is below, then down to it.
//!
//! Every route is minimal among those that go up, then down. No packet goes up after it has gone down, so that the buffers can be put in
//! an order: going up by rising level, then going down by falling level. That excludes deadlock with any number of VCs, one included
//! (Leiserson, 1985; the rule up*/down* of Schroeder et al., 1991, on levels).
//!
//! In a fat tree the way is arithmetic on addresses; in other networks of levels, some of whose leaves may have few routers above them in
//! common, it is a table. Where a packet has a choice, it takes what is free, or what was drawn where it started, or what its destination
//! says.

mod levelled;

use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Route, Scheme, Vcs, consume, drawn};
use crate::header::{Address, Header};
use crate::layout;
use crate::map::levels::Levels;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{Bits, PortClass, PortSet, VcSet};
pub use levelled::Levelled;

/// Which of several shortest ways a packet takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Ascent {
    /// Any of them, as there is room.
    #[default]
    Adaptive,
    /// One that is drawn where the packet starts, each port of a router as likely as the others.
    Random,
    /// The one that the number of its destination gives, level by level: D-mod-k (Zahavi et al., 2010) where each router has as many ports
    /// up.
    Destination,
}

crate::words!(Ascent {
    "adaptive" => [Self::Adaptive],
    "random" => [Self::Random],
    "destination" => [Self::Destination],
});

impl Ascent {
    /// What a row of the RTL's routing table is for (parameter `TABLE_BY`).
    pub fn rtl(self) -> u32 {
        match self {
            Self::Adaptive => layout::TABLE_BY_ROUTER,
            Self::Destination => layout::TABLE_BY_NODE,
            Self::Random => layout::TABLE_BY_DRAWN,
        }
    }
}

/// Up, then down, in a network of levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UpDownScheme {
    /// Which of several ways.
    pub ascent: Ascent,
}

impl Settings for UpDownScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("ascent", &mut self.ascent)
    }
}

impl Scheme for UpDownScheme {
    const WORD: &'static str = "up-down";
    const RTL: Option<u32> = Some(layout::ROUTING_TABLE);
    type Routing<'m> = UpDown<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Tree | MapKind::Levels).then_some(on)
    }

    fn draws(&self) -> bool {
        self.ascent == Ascent::Random
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        let AnyMap::Levels(levels) = map else { return Ok(()) };
        self.check_levels(levels)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<UpDown<'m>> {
        Some(UpDown { levels: Levelled::of(map)?, ascent: self.ascent })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        put("HOP_VCS", layout::HOP_VCS_ANY);
    }
}

impl UpDownScheme {
    /// There is a way from each leaf to each other.
    pub(super) fn check_levels<B: Bits>(&self, levels: &Levels<'_, B>) -> Result<(), Misfit> {
        levels.first_apart().map_or(Ok(()), |(here, there)| Err(Misfit::Apart { here, there }))
    }
}

/// Up, then down.
#[derive(Clone, Copy, Debug)]
pub struct UpDown<'m, B: Bits = usize> {
    /// The map.
    pub levels: Levelled<'m, B>,
    /// Which of several ways.
    pub ascent: Ascent,
}

impl<B: Bits> UpDown<'_, B> {
    /// The one of several ports that was drawn, or that the destination gives.
    #[inline]
    fn choose(&self, here: u32, ways: PortSet<B>, header: &Header) -> PortSet<B> {
        let one = match self.ascent {
            Ascent::Random if !ways.is_single() => Some(drawn::next(header)),
            Ascent::Destination => ways.nth(self.levels.digit(here, header.to, ways.len())),
            _ => return ways,
        };
        one.map_or(PortSet::EMPTY, PortSet::only).and(ways)
    }
}

impl<B: Bits> Route<B> for UpDown<'_, B> {
    #[inline]
    fn offer(&self, here: &Here<B>, _from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        if !self.levels.has(header.to) {
            return Ok(Candidates::NONE);
        }
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let ways = self.levels.ways(here.router, header.to.router);
        Ok(Candidates::minimal(self.choose(here.router, ways, header), VcSet::from_bits(u8::MAX)))
    }

    /// A port that was drawn is used up.
    fn onward(&self, here: &Here<B>, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        let is_drawn =
            self.ascent == Ascent::Random && self.levels.ways(here.router, header.to.router).len() > 1;
        if is_drawn { drawn::after(header) } else { *header }
    }

    /// Draws a port wherever there is a choice on the way.
    fn launch(&self, here: &Here<B>, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let (mut via, mut choices, mut at) = (0, 0, here.router);
        while self.ascent == Ascent::Random && at != to.router && choices < drawn::MOST {
            let ways = self.levels.ways(at, to.router);
            let port =
                if ways.len() > 1 { ways.nth(draw.below(ways.len() as u32) as usize) } else { ways.first() };
            let Some((port, next)) = port.and_then(|port| Some((port, self.levels.peer(at, port)?))) else {
                break;
            };
            if ways.len() > 1 {
                via = drawn::with(via, choices, port);
                choices = choices.wrapping_add(1);
            }
            at = next;
        }
        Header { to, length, via, ..Header::default() }
    }

    /// A packet that came down has its destination below.
    #[inline]
    fn keeps_order(&self, here: &Here<B>, from: Arrival, header: &Header) -> bool {
        from.kind == PortClass::NODE
            || !self.levels.comes_down(here.router, from.port)
            || self.levels.is_below(header.to.router, here.router)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Address;
    use crate::map::tree::Tree;
    use crate::map::{Map, Peer};
    use crate::units::{PortId, VcId};

    /// Every packet from every leaf to every leaf, by every candidate: it arrives after as many hops as the digits in
    /// which the leaves differ make necessary, and keeps the order on the way.
    #[test]
    fn every_route_is_minimal_and_goes_up_before_it_goes_down() {
        for (radix, levels) in [(4, 2), (6, 2), (4, 3), (6, 3), (4, 4)] {
            let routing = adaptive(Tree::new(radix, levels).unwrap());
            let tree = Tree::new(radix, levels).unwrap();
            let leaves: Vec<u32> = tree.routers().filter(|&router| tree.level(router) == 0).collect();
            for (&from, &to) in leaves.iter().flat_map(|from| leaves.iter().map(move |to| (from, to))) {
                let to_node = Address { router: to, port: 1 };
                let header = Header { to: to_node, length: 1, ..Header::default() };
                let hops = (0..levels).find(|&l| ancestors_meet(&tree, from, to, l)).unwrap() * 2;
                let mut at = vec![(from, Arrival { port: PortId::new(0), ..Arrival::default() })];
                for left in (0..=hops).rev() {
                    let mut next = Vec::new();
                    for (router, arrival) in at {
                        next.extend(steps(&tree, &routing, router, arrival, &header, left == 0));
                    }
                    next.sort_unstable_by_key(|&(router, from)| (router, from.port));
                    next.dedup();
                    at = next;
                }
                assert!(at.is_empty(), "{from} to {to}");
            }
        }
    }

    /// Whether some router `level` levels above one leaf is also above the other, found by walking up all links.
    fn ancestors_meet(tree: &Tree, from: u32, to: u32, level: u8) -> bool {
        let climb = |leaf| {
            let mut at = vec![leaf];
            for _ in 0..level {
                let up = |&router: &u32| {
                    let peers =
                        tree.up_ports::<usize>(router).iter().filter_map(move |port| tree.peer(router, port));
                    peers.filter_map(|peer| match peer {
                        Peer::Router { router, .. } => Some(router),
                        Peer::Node => None,
                    })
                };
                at = at.iter().flat_map(up).collect();
            }
            at
        };
        let above = climb(to);
        climb(from).iter().any(|router| above.contains(router))
    }

    fn adaptive(tree: Tree) -> UpDown<'static> {
        UpDown { levels: Levelled::Tree(tree), ascent: Ascent::Adaptive }
    }

    fn steps(
        tree: &Tree,
        routing: &UpDown<'_>,
        router: u32,
        from: Arrival,
        header: &Header,
        last: bool,
    ) -> Vec<(u32, Arrival)> {
        let here = Here { router, wired: PortSet::first_n(tree.ports()), ..Here::default() };
        assert!(routing.keeps_order(&here, from, header));
        let offered = routing.offer(&here, from, header).unwrap();
        assert!(!offered.is_empty());
        let towards = |port: PortId| match tree.peer(router, port)? {
            Peer::Node => None,
            Peer::Router { router: there, port } => {
                let kind = tree.port_class(tree.router_class(there), port);
                Some((there, Arrival { port, kind, vc: VcId::new(0) }))
            }
        };
        let next: Vec<_> = offered.ports().iter().filter_map(towards).collect();
        assert_eq!(next.is_empty(), last, "at {router:#x}, to {:#x}", header.to.router);
        next
    }
}
