//! Real networks to search through: the wiring of `desvio-sim`, the addresses of `router-core`, and every packet state
//! that a routing can reach between them.

use desvio_sim::topology::{Arrangement, Dragonfly, Peer, Wiring};
use router_core::PortClass;
use router_core::header::{Address, Header};
use router_core::route::{Arrival, Candidate, Here, Route};
use router_core::units::{PortId, PortSet, VcId};
use std::collections::VecDeque;

/// The sizes of a Dragonfly.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Nodes per router.
    pub p: u8,
    /// Routers of each group.
    pub sizes: Vec<u8>,
    /// Global links per router.
    pub h: u8,
    /// Which global port leads to which group.
    pub arrangement: Arrangement,
}

/// All arrangements of global links.
pub const ARRANGEMENTS: [Arrangement; 3] =
    [Arrangement::Palmtree, Arrangement::Consecutive, Arrangement::Absolute];

impl Shape {
    /// `groups` groups of `2h` routers with `h` nodes and `h` global links each.
    #[must_use]
    pub fn balanced(h: u8, groups: usize, arrangement: Arrangement) -> Self {
        Self { p: h, sizes: vec![2 * h; groups], h, arrangement }
    }

    /// The map of `router-core`.
    ///
    /// # Panics
    /// When the sizes make no Dragonfly.
    #[must_use]
    pub fn map(&self) -> router_core::map::dragonfly::Dragonfly<'_> {
        router_core::map::dragonfly::Dragonfly::new(self.p, self.h, &self.sizes, self.arrangement)
            .expect("a Dragonfly")
    }

    /// Group of each router.
    #[must_use]
    pub fn groups_of_routers(&self) -> Vec<usize> {
        self.sizes.iter().enumerate().flat_map(|(group, &a)| vec![group; usize::from(a)]).collect()
    }

    /// The network, its routers addressed by group and index.
    ///
    /// # Panics
    /// When the sizes make no Dragonfly.
    #[must_use]
    pub fn network(&self) -> Network {
        let (p, h, group_sizes, arrangement) = (self.p, self.h, self.sizes.clone(), self.arrangement);
        let topology = Dragonfly { p, group_sizes, h, arrangement };
        let wiring = Wiring::build(&topology.into()).expect("a Dragonfly");
        let addresses = self
            .sizes
            .iter()
            .zip(0..)
            .flat_map(|(&a, g)| (0..u32::from(a)).map(move |i| g << 6 | i))
            .collect();
        Network::new(wiring, addresses)
    }
}

/// A wiring, and the address of each of its routers.
#[derive(Debug)]
pub struct Network {
    /// Which port is joined with which.
    pub wiring: Wiring,
    /// Address of each router.
    pub addresses: Vec<u32>,
    /// What each router knows of itself.
    pub heres: Vec<Here>,
}

/// A buffer and the packet in it, without its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The router.
    pub router: usize,
    /// How the packet came.
    pub from: Arrival,
    /// Its header.
    pub header: Header,
}

/// One step from a place to the next.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    /// The candidate that was taken.
    pub by: Candidate,
    /// Number of the place it leads to.
    pub to: usize,
}

/// Every place that packets for one destination reach, and every hop between them.
#[derive(Debug)]
pub struct Reach {
    /// The destination.
    pub destination: usize,
    /// All places; those at the sources come first.
    pub places: Vec<Place>,
    /// How many of them are at sources.
    pub sources: usize,
    /// Entry `place`: whether the packet is handed to its node there.
    arrived: Vec<bool>,
    hops: Vec<Hop>,
    /// Entry `place`: its first hop; one entry more, the number of hops.
    first: Vec<usize>,
}

impl Reach {
    /// The hops from a place; none at the destination.
    #[must_use]
    pub fn hops(&self, place: usize) -> &[Hop] {
        &self.hops[self.first[place]..self.first[place + 1]]
    }

    /// Whether a place is at the destination, with nothing left to visit before.
    #[must_use]
    pub fn is_arrived(&self, place: usize) -> bool {
        self.arrived[place]
    }

    /// The most router hops to the destination from any place.
    ///
    /// # Panics
    /// When a packet can go round for ever.
    #[must_use]
    pub fn longest_route(&self) -> usize {
        // Longest path by leaving out, again and again, the places that no hop leads to any more.
        let mut into = vec![0_usize; self.places.len()];
        self.hops.iter().for_each(|hop| into[hop.to] += 1);
        let mut length = vec![0; self.places.len()];
        let mut ready: Vec<usize> = (0..self.places.len()).filter(|&place| into[place] == 0).collect();
        let mut done = 0;
        while let Some(place) = ready.pop() {
            done += 1;
            for hop in self.hops(place) {
                length[hop.to] = length[hop.to].max(length[place] + 1);
                into[hop.to] -= 1;
                if into[hop.to] == 0 {
                    ready.push(hop.to);
                }
            }
        }
        assert_eq!(done, self.places.len(), "a packet for router {} can go round for ever", self.destination);
        length.into_iter().max().unwrap_or(0)
    }
}

impl Network {
    /// Addresses for a wiring.
    #[must_use]
    pub fn new(wiring: Wiring, addresses: Vec<u32>) -> Self {
        assert_eq!(addresses.len(), wiring.routers());
        let heres = (0..wiring.routers())
            .map(|router| {
                let mut wired = PortSet::EMPTY;
                for port in (0..wiring.ports()).filter(|&port| wiring.peer(router, port).is_some()) {
                    wired.insert(PortId::new(port as u8));
                }
                let leads_out = |other: usize| {
                    wiring.neighbours(other).any(|(port, _)| wiring.class(other, port) == PortClass::GLOBAL)
                };
                let mut group_exits = PortSet::EMPTY;
                for (port, other) in wiring.neighbours(router) {
                    if wiring.class(router, port) == PortClass::LOCAL && leads_out(other) {
                        group_exits.insert(PortId::new(port as u8));
                    }
                }
                Here { router: addresses[router], wired, group_exits, ..Here::default() }
            })
            .collect();
        Self { wiring, addresses, heres }
    }

    /// How many routers there are.
    #[must_use]
    pub fn routers(&self) -> usize {
        self.addresses.len()
    }

    /// Router and port at the other end of a link between routers.
    #[must_use]
    pub fn across(&self, router: usize, port: PortId) -> Option<(usize, usize)> {
        match self.wiring.peer(router, port.index())? {
            Peer::Router { router, port } => Some((router as usize, usize::from(port))),
            Peer::Node(_) => None,
        }
    }

    /// Hops from each router to `destination` over any links.
    #[must_use]
    pub fn distances_to(&self, destination: usize) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.routers()];
        distances[destination] = 0;
        let mut next = VecDeque::from([destination]);
        while let Some(router) = next.pop_front() {
            for (_, other) in self.wiring.neighbours(router) {
                if distances[other] == usize::MAX {
                    distances[other] = distances[router] + 1;
                    next.push_back(other);
                }
            }
        }
        distances
    }

    /// Number of the buffer of a VC of a port.
    #[must_use]
    pub fn channel(&self, router: usize, port: usize, vc: VcId) -> usize {
        (router * self.wiring.ports() + port) * 8 + vc.index()
    }

    /// How many such numbers there are.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.routers() * self.wiring.ports() * 8
    }

    /// Number of the buffer that a packet is in; `None` where that is a node's.
    #[must_use]
    pub fn channel_of(&self, place: &Place) -> Option<usize> {
        (place.from.kind != PortClass::NODE)
            .then(|| self.channel(place.router, place.from.port.index(), place.from.vc))
    }

    /// Every place that packets reach from every router, launched with `header`, on their way to `destination`.
    ///
    /// # Panics
    /// When a packet has no way on, a candidate leads nowhere or to a VC that does not exist, or a packet that has
    /// arrived is not offered its node and nothing else.
    pub fn reach<R: Route>(
        &self,
        routing: &R,
        destination: usize,
        header: Header,
        exists: impl Fn(PortClass, VcId) -> bool,
    ) -> Reach {
        assert_eq!(header.to.router, self.addresses[destination]);
        let mut known = Known::new(self.routers() * self.wiring.ports());
        let mut reach = Reach {
            destination,
            places: Vec::new(),
            sources: 0,
            arrived: Vec::new(),
            hops: Vec::new(),
            first: vec![0],
        };
        for router in 0..self.routers() {
            for port in
                (0..self.wiring.ports()).filter(|&port| self.wiring.class(router, port) == PortClass::NODE)
            {
                for vc in [VcId::new(0), VcId::new(2)] {
                    let from = Arrival { port: PortId::new(port as u8), kind: PortClass::NODE, vc };
                    let place = Place { router, from, header };
                    known.number(self.key(&place), &mut reach.places, place);
                }
            }
        }
        reach.sources = reach.places.len();
        let mut next = 0;
        while next < reach.places.len() {
            let place = reach.places[next];
            let here = &self.heres[place.router];
            let offered = routing.offer(here, place.from, &place.header).expect("room for all sets");
            assert!(!offered.is_empty(), "no way on for {place:?} to router {destination}");
            let arrived = place.router == destination
                && offered.sets().count() == 1
                && offered.ports() == PortSet::only(PortId::new(header.to.port));
            let may_pass = place.router != destination || place.header.progress.via_ahead();
            assert!(arrived || may_pass, "{place:?} has arrived and is offered {offered:?}");
            reach.arrived.push(arrived);
            if !arrived {
                for by in offered.iter() {
                    let way = self.across(place.router, by.port);
                    let (router, port) = way.unwrap_or_else(|| {
                        panic!("{by:?} of {place:?} to router {destination} leads nowhere")
                    });
                    let kind = self.wiring.class(place.router, by.port.index());
                    assert!(exists(kind, by.vc), "{by:?} of {place:?} to router {destination}: no such VC");
                    let to = Place {
                        router,
                        from: Arrival {
                            port: PortId::new(port as u8),
                            kind: self.wiring.class(router, port),
                            vc: by.vc,
                        },
                        header: routing.onward(here, &place.header, kind, by.kind),
                    };
                    let to = known.number(self.key(&to), &mut reach.places, to);
                    reach.hops.push(Hop { by, to });
                }
            }
            reach.first.push(reach.hops.len());
            next += 1;
        }
        reach
    }

    /// Packets for one destination differ in their buffer and their progress.
    fn key(&self, place: &Place) -> usize {
        let progress = place.header.progress.bits();
        self.channel(place.router, place.from.port.index(), place.from.vc) * 64 + progress as usize
    }

    /// The header of a packet for the first node of a router.
    #[must_use]
    pub fn header_to(&self, destination: usize) -> Header {
        Header {
            to: Address { router: self.addresses[destination], port: 0 },
            length: 8,
            ..Header::default()
        }
    }
}

/// Numbers of places by their keys; 0 is none.
struct Known(Vec<u32>);

impl Known {
    fn new(ports: usize) -> Self {
        Self(vec![0; ports * 8 * 64])
    }

    fn number(&mut self, key: usize, places: &mut Vec<Place>, place: Place) -> usize {
        if self.0[key] == 0 {
            places.push(place);
            self.0[key] = places.len() as u32;
        }
        let number = self.0[key] as usize - 1;
        assert_eq!(places[number], place, "two places, one key");
        number
    }
}

/// Which buffer may have to wait for which: packets in the first want to go on to the second.
#[derive(Debug)]
pub struct Dependencies {
    after: Vec<Vec<u32>>,
}

impl Dependencies {
    /// None between the buffers of `network`.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        Self { after: vec![Vec::new(); network.channels()] }
    }

    /// Packets in buffer `from` want to go on to buffer `to`.
    pub fn add(&mut self, from: usize, to: usize) {
        if !self.after[from].contains(&(to as u32)) {
            self.after[from].push(to as u32);
        }
    }

    /// Adds what the hops of `reach` tell that `counts` lets through.
    pub fn add_all(&mut self, network: &Network, reach: &Reach, counts: impl Fn(&Place, &Hop) -> bool) {
        for (number, place) in reach.places.iter().enumerate() {
            let Some(from) = network.channel_of(place) else { continue };
            for hop in reach.hops(number).iter().filter(|hop| counts(place, hop)) {
                if let Some(to) = network.channel_of(&reach.places[hop.to]) {
                    self.add(from, to);
                }
            }
        }
    }

    /// How many dependencies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.after.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no circle of buffers waits for itself (Kahn: take away what nothing leads to, until nothing is left).
    #[must_use]
    pub fn are_acyclic(&self) -> bool {
        let mut into = vec![0_u32; self.after.len()];
        self.after.iter().flatten().for_each(|&to| into[to as usize] += 1);
        let mut ready: Vec<usize> = (0..into.len()).filter(|&buffer| into[buffer] == 0).collect();
        let mut gone = 0;
        while let Some(buffer) = ready.pop() {
            gone += 1;
            for &to in &self.after[buffer] {
                into[to as usize] -= 1;
                if into[to as usize] == 0 {
                    ready.push(to as usize);
                }
            }
        }
        gone == into.len()
    }
}

/// Position in the order of VCs along a Dragonfly route: −1 before the first hop, local
/// VCs 0, 2, 4, global VCs 1, 3.
#[must_use]
pub fn order_index(from: Arrival) -> i32 {
    match from.kind {
        PortClass::NODE => -1,
        PortClass::GLOBAL => 2 * i32::from(from.vc.number()) + 1,
        _ => 2 * i32::from(from.vc.number()),
    }
}
