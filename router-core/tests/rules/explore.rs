//! Every state of a packet that a routing can reach from its sources, by a map.

use desvio_core::header::Header;
use desvio_core::map::{Map, Peer};
use desvio_core::route::{Arrival, Candidate, Candidates, Here, HopKind, Route};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use std::collections::HashMap;

/// The wiring of a map.
#[derive(Debug)]
pub(crate) struct Net {
    pub(crate) routers: Vec<u32>,
    peers: HashMap<(u32, u8), Peer>,
    classes: HashMap<(u32, u8), PortClass>,
    sends: HashMap<(u32, u8), bool>,
    ports: u8,
    heres: HashMap<u32, Here>,
}

impl Net {
    pub(crate) fn of(map: &impl Map) -> Self {
        let routers: Vec<_> = map.routers().collect();
        let ports = map.ports() as u8;
        let (mut peers, mut classes, mut sends) = (HashMap::new(), HashMap::new(), HashMap::new());
        for &router in &routers {
            for port in 0..ports {
                let id = PortId::new(port);
                classes.insert((router, port), map.port_class(map.router_class(router), id));
                sends.insert((router, port), map.sends(router, id));
                if let Some(peer) = map.peer(router, id) {
                    peers.insert((router, port), peer);
                }
            }
        }
        let mut net = Self { routers, peers, classes, sends, ports, heres: HashMap::new() };
        net.heres = net.routers.iter().map(|&router| (router, net.find_here(router))).collect();
        net
    }

    pub(crate) fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        self.peers.get(&(router, port.number())).copied()
    }

    pub(crate) fn class(&self, router: u32, port: PortId) -> PortClass {
        self.classes[&(router, port.number())]
    }

    pub(crate) fn ports(&self) -> impl Iterator<Item = PortId> + use<> {
        (0..self.ports).map(PortId::new)
    }

    /// What a router knows of itself.
    pub(crate) fn here(&self, router: u32) -> Here {
        self.heres[&router]
    }

    fn find_here(&self, router: u32) -> Here {
        let wired = |&port: &PortId| self.peer(router, port).is_some();
        let leads_out = |&port: &PortId| match self.peer(router, port) {
            Some(Peer::Router { router: other, .. }) if self.class(router, port) == PortClass::LOCAL => self
                .ports()
                .any(|far| self.class(other, far) == PortClass::GLOBAL && self.peer(other, far).is_some()),
            _ => false,
        };
        let (wired, group_exits) =
            (self.ports().filter(wired).collect(), self.ports().filter(leads_out).collect());
        Here { router, wired, group_exits, ..Here::default() }
    }

    /// The peer of a peer is the port itself, and its class is the other's.
    pub(crate) fn check_symmetry(&self) {
        for &router in &self.routers {
            for port in self.ports() {
                if let Some(Peer::Router { router: there, port: at }) = self.peer(router, port) {
                    assert_eq!(
                        self.peer(there, at),
                        Some(Peer::Router { router, port }),
                        "{router} {port:?}"
                    );
                    assert_eq!(self.class(there, at), self.class(router, port));
                }
            }
        }
    }

    /// Hops between routers of the shortest routes to one, by links that send.
    pub(crate) fn distances(&self, to: u32) -> HashMap<u32, u32> {
        let mut found = HashMap::from([(to, 0)]);
        loop {
            let mut more = Vec::new();
            for &router in self.routers.iter().filter(|router| !found.contains_key(router)) {
                let near = self.neighbours(router).filter_map(|(_, there)| found.get(&there)).min();
                if let Some(near) = near {
                    more.push((router, near + 1));
                }
            }
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// The routers behind the ports that send.
    pub(crate) fn neighbours(&self, router: u32) -> impl Iterator<Item = (PortId, u32)> + '_ {
        self.ports().filter_map(move |port| match self.peer(router, port) {
            Some(Peer::Router { router: there, .. }) if self.sends[&(router, port.number())] => {
                Some((port, there))
            }
            _ => None,
        })
    }
}

/// A packet in a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) router: u32,
    pub(crate) from: Arrival,
    pub(crate) header: Header,
}

/// A state, what is offered in it, and where that leads.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) state: State,
    pub(crate) offered: Candidates,
    pub(crate) hops: Vec<(Candidate, usize)>,
}

/// All states from these on. What leads to a node leads nowhere.
pub(crate) fn explore(net: &Net, routing: &impl Route, starts: Vec<State>) -> Vec<Step> {
    let key = |state: &State| {
        let State { router, from, header } = state;
        let place = (*router, from.port.number(), from.vc.number());
        (place, header.to.router, header.to.port, header.via, header.progress.bits())
    };
    let (mut numbers, mut states) = (HashMap::new(), Vec::new());
    for state in starts {
        numbers.entry(key(&state)).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        });
    }
    let mut steps: Vec<Step> = Vec::new();
    while let Some(&state) = states.get(steps.len()) {
        let here = net.here(state.router);
        let offered = routing.offer(&here, state.from, &state.header).unwrap();
        let mut hops = Vec::new();
        for candidate in offered.iter() {
            let Some(Peer::Router { router, port }) = net.peer(state.router, candidate.port) else {
                continue;
            };
            let class = net.class(state.router, candidate.port);
            let header = routing.onward(&here, &state.header, class, candidate.kind);
            let from = Arrival { port, kind: net.class(router, port), vc: candidate.vc };
            let to = State { router, from, header };
            let number = *numbers.entry(key(&to)).or_insert_with(|| {
                states.push(to);
                states.len() - 1
            });
            hops.push((candidate, number));
        }
        steps.push(Step { state, offered, hops });
    }
    steps
}

/// The most hops from the first states to an end; panics where a packet can go round for ever.
pub(crate) fn longest(steps: &[Step]) -> usize {
    let mut into = vec![0; steps.len()];
    steps.iter().flat_map(|step| &step.hops).for_each(|&(_, to)| into[to] += 1);
    let mut length = vec![0; steps.len()];
    let mut ready: Vec<_> = (0..steps.len()).filter(|&at| into[at] == 0).collect();
    let mut done = 0;
    while let Some(at) = ready.pop() {
        done += 1;
        for &(_, to) in &steps[at].hops {
            length[to] = length[to].max(length[at] + 1);
            into[to] -= 1;
            if into[to] == 0 {
                ready.push(to);
            }
        }
    }
    assert_eq!(done, steps.len(), "a packet can go round for ever");
    length.into_iter().max().unwrap_or(0)
}

/// An arrival from a node.
pub(crate) fn injected(port: u8, vc: u8) -> Arrival {
    Arrival { port: PortId::new(port), kind: PortClass::NODE, vc: VcId::new(vc) }
}

/// What is offered, without the order and the hops: each port and VC with its kind.
pub(crate) fn flat(offered: &Candidates) -> Vec<(u8, u8, HopKind)> {
    let all = offered.iter().map(|one| (one.port.number(), one.vc.number(), one.kind));
    sorted(all.collect())
}

/// Each of some ports with each of some VCs.
pub(crate) fn each(ports: PortSet, vcs: VcSet, kind: HopKind) -> Vec<(u8, u8, HopKind)> {
    ports.iter().flat_map(|port| vcs.iter().map(move |vc| (port.number(), vc.number(), kind))).collect()
}

pub(crate) fn sorted(mut all: Vec<(u8, u8, HopKind)>) -> Vec<(u8, u8, HopKind)> {
    all.sort_by_key(|&(port, vc, kind)| (port, vc, kind as u8));
    all.dedup();
    all
}

/// One VC.
pub(crate) fn vc(number: u8) -> VcSet {
    VcSet::only(VcId::new(number))
}
