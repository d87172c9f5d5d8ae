//! Reservation: the places on the global links of the network, which their routers keep, and where a packet asks for one.
//!
//! What a place is, and what is said about it, is [`router_core::reservation`]'s. A question goes to a node of the router that owns the
//! link, which answers for it at once. Global links are tapped, so that other networks pay nothing: a packet that has a place gives it back
//! in the cycle in which its head is on the link.

use super::signal::Signal;
use super::wires::Way;
use crate::blueprint::Blueprint;
use crate::topology::{Peer, Wiring};
use router_core::header::Flit;
use router_core::map::dragonfly::Place;
use router_core::reservation::{Places, Reservation, has_place};
use router_core::units::{PortClass, PortId};
use std::collections::{HashMap, VecDeque};

/// Whether packets ask for places.
pub(crate) fn is_on(blueprint: &Blueprint) -> bool {
    blueprint.scenario().reservation().is_some()
}

/// Whether the link behind a port is tapped: a global one, where packets ask for places on it.
pub(crate) fn taps(blueprint: &Blueprint, router: usize, port: usize) -> bool {
    blueprint.wiring().class(router, port) == PortClass::GLOBAL && is_on(blueprint)
}

/// A global link.
#[derive(Debug, Clone, Default)]
struct Link {
    places: Places,
    /// When packets that have a place will be on it: those that are in its output FIFO.
    crossing: VecDeque<u64>,
}

/// The global link of a shortest way, and a node that answers for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) router: usize,
    pub(crate) port: PortId,
    pub(crate) node: u32,
}

/// The places on all global links of a network.
#[derive(Debug)]
pub(crate) struct Reservations {
    pub(crate) settings: Reservation,
    /// Ports of a router, and all links by router and port.
    radix: usize,
    links: Vec<Link>,
    /// Internal cycles per link cycle.
    speedup: u64,
    /// The router and the port of the link from one group to another.
    owners: HashMap<(u32, u32), (usize, PortId)>,
    /// The nodes of each router.
    nodes: Vec<Vec<u32>>,
}

impl Reservations {
    /// Those of a network whose packets ask for places.
    pub(crate) fn new(blueprint: &Blueprint) -> Option<Self> {
        let (settings, wiring) = (blueprint.scenario().reservation()?, blueprint.wiring());
        let routers = || 0..wiring.routers();
        let groups: Vec<_> = routers().map(|router| Place::of(blueprint.here(router).router).group).collect();
        let radix = wiring.ports();
        Some(Self {
            settings,
            radix,
            speedup: blueprint.scenario().router.options.speedup.into(),
            links: vec![Link::default(); wiring.routers() * radix],
            owners: owners(wiring, &groups),
            nodes: routers()
                .map(|router| wiring.nodes_of(router).map(|node| node as u32).collect())
                .collect(),
        })
    }

    /// The link by which the shortest way of a node's packet, from one router's address to another's, leaves its group, if it does. Nodes
    /// of a router ask nodes of another in turn.
    pub(crate) fn owner(&self, node: usize, (from, to): (u32, u32)) -> Option<Owner> {
        let groups = (Place::of(from).group, Place::of(to).group);
        let &(router, port) = self.owners.get(&groups)?;
        let nodes = &self.nodes[router];
        Some(Owner { router, port, node: nodes[node % nodes.len()] })
    }

    /// A packet asks for a place in link cycle `now`: says whether it has got one.
    pub(crate) fn ask(&mut self, router: usize, port: PortId, now: u64) -> bool {
        let Link { places, crossing } = &mut self.links[router * self.radix + port.index()];
        while crossing.pop_front_if(|when| *when <= now).is_some() {
            places.cross();
        }
        places.ask(self.settings.threshold)
    }

    /// A signal is put on a tapped wire.
    pub(super) fn pass(&mut self, way: &Way, signal: Signal) {
        if let Signal::Flit(_, Flit::Head(packet)) = signal
            && has_place(&packet.header)
        {
            let link = &mut self.links[way.router * self.radix + way.port.index()];
            link.crossing.push_back(way.on_wire / self.speedup);
        }
    }

    /// Packets that have a place on each link and have not crossed it in link cycle `now`.
    #[cfg(test)]
    pub(crate) fn taken(&self, now: u64) -> impl Iterator<Item = usize> {
        self.links.iter().map(move |link| {
            let crossed = link.crossing.iter().filter(|when| **when <= now).count();
            usize::from(link.places.taken()) - crossed
        })
    }
}

/// The router and the port of the link from each group to each other one.
fn owners(wiring: &Wiring, groups: &[u32]) -> HashMap<(u32, u32), (usize, PortId)> {
    let ports = (0..wiring.routers()).flat_map(|router| (0..wiring.ports()).map(move |port| (router, port)));
    let link = |(router, port): (usize, usize)| {
        let Some(Peer::Router { router: there, .. }) = wiring.peer(router, port) else { return None };
        let (from, to) = (groups[router], groups[there as usize]);
        (from != to).then(|| ((from, to), (router, PortId::new(port as u8))))
    };
    ports.filter_map(link).collect()
}
