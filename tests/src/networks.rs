//! Real networks to search through: the wiring of `desvio-sim`, the addresses of `router-core`; and, between them, every packet state
//! that a routing can reach.

mod dependencies;
mod reach;

pub use dependencies::Dependencies;
use desvio_sim::topology::{Arrangement, Dragonfly, Peer, Wiring};
pub use reach::{Hop, Place, Reach};
use router_core::PortClass;
use router_core::header::{Address, Header};
use router_core::route::{Arrival, Here};
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
        let topology = Dragonfly { p, group_sizes, h, local_links: 1, arrangement };
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
