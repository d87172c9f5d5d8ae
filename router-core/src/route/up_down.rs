//! Up, then down, in a fat tree: up by any port until the destination is below, then down by the one way there.
//!
//! Every route is minimal. No packet goes up after it has gone down, so that the buffers can be put in an order: going
//! up by rising level, then going down by falling level. That excludes deadlock with any number of VCs, one included
//! (Leiserson, 1985; the rule up*/down* of Schroeder et al., 1991, on a tree).

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::map::tree::{Tree, Way};
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet, VcSet};

/// Up, then down, in a fat tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UpDownScheme;

crate::no_settings!(UpDownScheme);

impl Scheme for UpDownScheme {
    const WORD: &'static str = "up-down";
    type Routing<'m> = UpDown;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Tree).then_some(on)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<UpDown> {
        let AnyMap::Tree(tree) = *map else { return None };
        Some(UpDown { tree })
    }
}

/// Up, then down.
#[derive(Clone, Copy, Debug)]
pub struct UpDown {
    /// The map.
    pub tree: Tree,
}

impl Route for UpDown {
    #[inline]
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if !self.tree.has(header.to) {
            return Ok(Candidates::NONE);
        }
        let any = VcSet::from_bits(u8::MAX);
        Ok(match self.tree.way(here.router, header.to.router) {
            Way::Here => consume(here, header.to),
            Way::Down(port) => Candidates::minimal(PortSet::only(port), any),
            Way::Up(ports) => Candidates::minimal(ports, any),
        })
    }

    /// A packet that came down has its destination below.
    #[inline]
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        from.kind == PortClass::NODE
            || !self.tree.up_ports(here.router).contains(from.port)
            || self.tree.is_below(header.to.router, here.router)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Address;
    use crate::map::{Map, Peer};
    use crate::units::{PortId, VcId};

    /// Every packet from every leaf to every leaf, by every candidate: it arrives after as many hops as the digits in
    /// which the leaves differ make necessary, and keeps the order on the way.
    #[test]
    fn every_route_is_minimal_and_goes_up_before_it_goes_down() {
        for (radix, levels) in [(4, 2), (6, 2), (4, 3), (6, 3), (4, 4)] {
            let routing = UpDown { tree: Tree::new(radix, levels).unwrap() };
            let leaves: Vec<u32> =
                routing.tree.routers().filter(|&router| routing.tree.level(router) == 0).collect();
            for (&from, &to) in leaves.iter().flat_map(|from| leaves.iter().map(move |to| (from, to))) {
                let to_node = Address { router: to, port: 1 };
                let header = Header { to: to_node, length: 1, ..Header::default() };
                let hops = (0..levels).find(|&l| ancestors_meet(&routing.tree, from, to, l)).unwrap() * 2;
                let mut at = vec![(from, Arrival { port: PortId::new(0), ..Arrival::default() })];
                for left in (0..=hops).rev() {
                    let mut next = Vec::new();
                    for (router, arrival) in at {
                        next.extend(steps(&routing, router, arrival, &header, left == 0));
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
                    let peers = tree.up_ports(router).iter().filter_map(move |port| tree.peer(router, port));
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

    fn steps(
        routing: &UpDown,
        router: u32,
        from: Arrival,
        header: &Header,
        last: bool,
    ) -> Vec<(u32, Arrival)> {
        let here = Here { router, wired: PortSet::first_n(routing.tree.ports()), ..Here::default() };
        assert!(routing.keeps_order(&here, from, header));
        let offered = routing.offer(&here, from, header).unwrap();
        assert!(!offered.is_empty());
        let towards = |port: PortId| match routing.tree.peer(router, port)? {
            Peer::Node => None,
            Peer::Router { router: there, port } => {
                let kind = routing.tree.port_class(routing.tree.router_class(there), port);
                Some((there, Arrival { port, kind, vc: VcId::new(0) }))
            }
        };
        let next: Vec<_> = offered.ports().iter().filter_map(towards).collect();
        assert_eq!(next.is_empty(), last, "at {router:#x}, to {:#x}", header.to.router);
        next
    }
}
