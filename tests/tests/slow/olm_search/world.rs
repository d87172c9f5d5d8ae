//! A second reading of the rules of OLM, by the wiring alone.

use desvio_tests::networks::{Hop, Network, Place, Shape, order_index};
use router_core::PortClass;
use router_core::route::Arrival;
use router_core::route::olm::{Olm, Policy, Rules};
use router_core::units::PortId;
use std::collections::BTreeSet;

/// A Dragonfly as the wiring shows it.
pub(super) struct World {
    pub(super) network: Network,
    pub(super) group: Vec<usize>,
}

/// A hop as the rules see it: port, and order index of the VC.
pub(super) type Step = (usize, i32);

impl World {
    pub(super) fn new(shape: &Shape) -> Self {
        Self { network: shape.network(), group: shape.groups_of_routers() }
    }

    pub(super) fn ports(&self, router: usize, kind: PortClass) -> impl Iterator<Item = (usize, usize)> {
        let wiring = &self.network.wiring;
        wiring.neighbours(router).filter(move |&(port, _)| wiring.class(router, port) == kind)
    }

    /// `has(E, G)`: the ports of router `E` to group `G`.
    pub(super) fn own_links(&self, router: usize, group: usize) -> Vec<usize> {
        let links = self.ports(router, PortClass::GLOBAL).filter(|&(_, there)| self.group[there] == group);
        links.map(|(port, _)| port).collect()
    }

    /// Hops of the shortest local–global–local route.
    pub(super) fn distance(&self, from: usize, to: usize) -> i32 {
        if self.group[from] == self.group[to] {
            return i32::from(from != to);
        }
        (0..self.network.routers())
            .filter(|&exit| self.group[exit] == self.group[from])
            .flat_map(|exit| self.ports(exit, PortClass::GLOBAL).map(move |(_, landing)| (exit, landing)))
            .filter(|&(_, landing)| self.group[landing] == self.group[to])
            .map(|(exit, landing)| i32::from(exit != from) + 1 + i32::from(landing != to))
            .min()
            .expect("a link between each pair of groups")
    }

    /// Rules a–e: every minimal step.
    pub(super) fn minimal(&self, place: &Place, destination: usize, at_origin: bool) -> BTreeSet<Step> {
        let (here, goal) = (place.router, self.group[destination]);
        let own = self.own_links(here, goal);
        if self.group[here] == goal {
            let port = self.ports(here, PortClass::LOCAL).find(|&(_, there)| there == destination);
            return port.into_iter().map(|(port, _)| (port, next(place, PortClass::LOCAL))).collect();
        }
        if !own.is_empty() {
            return own.into_iter().map(|port| (port, next(place, PortClass::GLOBAL))).collect();
        }
        let index = if at_origin { 0 } else { next(place, PortClass::LOCAL) };
        self.ports(here, PortClass::LOCAL)
            .filter(|&(_, there)| !self.own_links(there, goal).is_empty())
            .map(|(port, _)| (port, index))
            .collect()
    }

    /// Every local step with this order index, but not back by the port the packet came by (a free choice, T7).
    pub(super) fn all_local(&self, place: &Place, index: i32) -> BTreeSet<Step> {
        let back = if place.from.kind == PortClass::LOCAL { place.from.port.index() } else { usize::MAX };
        let ports = self.ports(place.router, PortClass::LOCAL).map(|(port, _)| port);
        ports.filter(|&port| port != back).map(|port| (port, index)).collect()
    }

    pub(super) fn all_global(&self, place: &Place) -> BTreeSet<Step> {
        self.ports(place.router, PortClass::GLOBAL).map(|(port, _)| (port, 1)).collect()
    }

    /// Rules f–l for a packet in its origin group, as far as the policy offers them.
    pub(super) fn detours(&self, olm: &Olm<'_>, place: &Place, destination: usize) -> BTreeSet<Step> {
        let owner = !self.own_links(place.router, self.group[destination]).is_empty();
        let injected = place.from.kind == PortClass::NODE;
        let (local, global) = match (olm.scheme.rules, injected, owner) {
            (Rules::Free, true, _) | (Rules::Free, false, true) => (true, true), // h
            (Rules::Free, false, false) => (false, true),                        // g
            (Rules::Restricted, true, _) | (Rules::Restricted, false, false) => (false, true), // j, k
            (Rules::Restricted, false, true) => (true, false),                   // l
        };
        let (local_offered, global_offered) = match (olm.scheme.policy, injected) {
            (Policy::Rrg, _) => (true, true),
            (Policy::Crg, _) | (Policy::Mm, true) => (false, true),
            (Policy::Nrg, _) | (Policy::Mm, false) => (true, false),
        };
        let mut steps = BTreeSet::new();
        if local && local_offered {
            // The packet has to leave the group from there, which takes a global link.
            let exits: BTreeSet<usize> = self
                .ports(place.router, PortClass::LOCAL)
                .filter(|&(_, there)| self.ports(there, PortClass::GLOBAL).next().is_some())
                .map(|(port, _)| port)
                .collect();
            steps.extend(self.all_local(place, 0).into_iter().filter(|step| exits.contains(&step.0)));
        }
        if global && global_offered {
            steps.extend(self.all_global(place));
        }
        steps
    }

    /// Rules m–o.
    pub(super) fn local_misroutes(&self, olm: &Olm<'_>, place: &Place, destination: usize) -> BTreeSet<Step> {
        let goal = self.group[destination];
        let m = self.group[place.router] == goal;
        let n = self.own_links(place.router, goal).is_empty();
        if !olm.scheme.local_misrouting
            || place.header.progress.local_misroutes() >= olm.scheme.limit
            || !(m || n)
        {
            return BTreeSet::new();
        }
        self.all_local(
            place,
            match place.from.kind {
                PortClass::NODE => 0,
                PortClass::GLOBAL => order_index(place.from) - 1,
                _ => order_index(place.from),
            },
        )
    }

    /// `R_esc`: the steps that remain when no packet takes a detour any more.
    pub(super) fn escape(&self, place: &Place, destination: usize) -> BTreeSet<Step> {
        let goal = self.group[destination];
        let at_origin = !place.header.progress.left_origin();
        if at_origin && self.group[place.router] != goal && place.from.kind == PortClass::LOCAL {
            let own: BTreeSet<Step> =
                self.own_links(place.router, goal).into_iter().map(|port| (port, 1)).collect();
            return if own.is_empty() { self.all_global(place) } else { own };
        }
        self.minimal(place, destination, at_origin)
    }
}

/// The order index of an order-respecting hop.
pub(super) fn next(place: &Place, to: PortClass) -> i32 {
    let kind = if place.from.kind == PortClass::NODE { PortClass::GLOBAL } else { place.from.kind };
    order_index(place.from) + if kind == to { 2 } else { 1 }
}

pub(super) fn step(world: &World, router: usize, hop: &Hop) -> Step {
    let kind = world.network.wiring.class(router, hop.by.port.index());
    (hop.by.port.index(), order_index(Arrival { port: PortId::new(0), kind, vc: hop.by.vc }))
}
