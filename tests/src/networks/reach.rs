//! Every packet state that a routing can reach on its way to one destination.

use super::Network;
use router_core::PortClass;
use router_core::header::Header;
use router_core::route::{Arrival, Candidate, Route};
use router_core::units::{PortId, PortSet, VcId};

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
