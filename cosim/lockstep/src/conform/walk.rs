//! Packets that can really come to the switch: found by walking through the network with the scenario's own routing.

use super::dice::Dice;
use super::site::{Site, Way};
use desvio_sim::topology::Peer;
use router_core::header::{Carried, Header};
use router_core::route::{Arrival, Here, Route};
use router_core::units::{PortClass, PortId, VcId};
use std::collections::HashMap;

/// A header as it comes in by one VC of one port, and its legal ways on.
#[derive(Clone, Debug)]
pub(super) struct Arrived {
    pub(super) header: Header,
    pub(super) ways: Vec<Way>,
}

/// What may come in by one VC, by the output it may take.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    by_output: Vec<(usize, Vec<Arrived>)>,
}

impl Arrivals {
    /// Whether nothing can come by this VC.
    pub(super) fn is_empty(&self) -> bool {
        self.by_output.is_empty()
    }

    /// The outputs that something of this may take.
    pub(super) fn outputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.by_output.iter().map(|(output, _)| *output)
    }

    /// Those that may take an output.
    pub(super) fn towards(&self, output: usize) -> &[Arrived] {
        let found = self.by_output.iter().find(|(port, _)| *port == output);
        found.map_or(&[], |(_, among)| among)
    }

    /// One that may take `output`, or just any.
    pub(super) fn pick(&self, output: Option<usize>, dice: &mut Dice) -> Option<&Arrived> {
        let (_, among) = match output {
            Some(output) => self.by_output.iter().find(|(port, _)| *port == output)?,
            None => dice.pick(&self.by_output)?,
        };
        dice.pick(among)
    }

    fn add(&mut self, arrived: &Arrived) {
        self.add_to(arrived, |_| true);
    }

    /// Keeps it for those of its outputs that are wanted.
    fn add_to(&mut self, arrived: &Arrived, is_wanted: impl Fn(usize) -> bool) {
        for way in arrived.ways.iter().filter(|way| is_wanted(way.port)) {
            let at = self.by_output.iter().position(|(output, _)| *output == way.port).unwrap_or_else(|| {
                self.by_output.push((way.port, Vec::new()));
                self.by_output.len() - 1
            });
            let known = &mut self.by_output[at].1;
            if known.len() < ENOUGH {
                known.push(arrived.clone());
            }
        }
    }
}

/// What may come in, by port and VC as named on the wires.
#[derive(Debug)]
pub(super) struct Pool {
    ports: Vec<Vec<Arrivals>>,
    /// Packets that had no legal way on at the switch: the scenario does not fit itself.
    pub(super) stranded: u64,
}

impl Pool {
    /// Sends packets through the network, and keeps what comes by.
    pub(super) fn gather(site: &Site<'_>, seed: u64) -> Self {
        let none = |port: &super::site::Port| vec![Arrivals::default(); port.vcs];
        let mut pool = Self { ports: site.ports().iter().map(none).collect(), stranded: 0 };
        let mut walker = Walker::new(site, seed);
        for _ in 0..WALKS {
            walker.walk(&mut pool);
        }
        pool
    }

    /// For each input VC, packets to the outputs that no packet takes from there: every header that was seen, where the
    /// scenario's routing offers a way on to one that comes in there.
    pub(super) fn complete(&mut self, site: &Site<'_>) {
        let all = self.ports.iter().flatten().flat_map(|vc| vc.by_output.iter().flat_map(|(_, kept)| kept));
        let headers: Vec<Header> = all.map(|arrived| arrived.header).collect();
        for port in site.wired() {
            for vc in 0..site.port(port).vcs {
                let arrivals = &mut self.ports[port][vc];
                let known: Vec<usize> = arrivals.outputs().collect();
                let from = site.arrival(port, vc);
                for header in &headers {
                    let ways = site.ways(from, header);
                    arrivals.add_to(&Arrived { header: *header, ways }, |output| !known.contains(&output));
                }
            }
        }
    }

    /// The pairs of ports that packets may take, of those that there are.
    pub(super) fn pairs(&self, site: &Site<'_>) -> (usize, usize) {
        let taken = |port: &usize| {
            let outputs = self.ports[*port].iter().flat_map(Arrivals::outputs);
            outputs.collect::<std::collections::BTreeSet<_>>().len()
        };
        let wired = site.wired().count();
        (site.wired().map(|port| taken(&port)).sum(), wired * wired)
    }

    /// What may come by a VC of a port.
    pub(super) fn at(&self, port: usize, vc: usize) -> &Arrivals {
        &self.ports[port][vc]
    }
}

struct Walker<'s, 'b> {
    site: &'s Site<'b>,
    dice: Dice,
    /// Nodes of the switch, and nodes up to two hops away.
    own: Vec<usize>,
    near: Vec<usize>,
    /// Places that were looked up already.
    places: HashMap<usize, Here>,
}

impl<'s, 'b> Walker<'s, 'b> {
    fn new(site: &'s Site<'b>, seed: u64) -> Self {
        let wiring = site.blueprint.wiring();
        let distances = wiring.distances_from(site.router);
        let within = |hops: u32| {
            let routers = (0..wiring.routers()).filter(|router| distances[*router] <= hops);
            routers.flat_map(|router| wiring.nodes_of(router).collect::<Vec<_>>()).collect()
        };
        Self { site, dice: Dice::new(seed), own: within(0), near: within(2), places: HashMap::new() }
    }

    fn here(&mut self, router: usize) -> Here {
        *self.places.entry(router).or_insert_with(|| self.site.blueprint.here(router))
    }

    /// A node; most often one near the switch, since most routes elsewhere never come by.
    fn node(&mut self) -> usize {
        let among = match self.dice.below(4) {
            0 => &self.own,
            1 | 2 => &self.near,
            _ => return self.dice.below(self.site.blueprint.wiring().nodes()),
        };
        self.dice.pick(among).copied().unwrap_or(0)
    }

    /// One packet from its source until it is delivered.
    fn walk(&mut self, pool: &mut Pool) {
        let blueprint = self.site.blueprint;
        let (from, to) = (self.node(), self.node());
        if from == to {
            return;
        }
        let (mut router, port) = blueprint.wiring().attachment(from);
        let routing = &self.site.routing;
        let (source, to) = (blueprint.address(from), blueprint.address(to));
        let here = self.here(router);
        let launched = routing.launch(&here, to, 1, self.dice.generator());
        let random = self.dice.bits();
        let carried =
            Carried::default().with_source(source).with_level(random as u8).with_spare((random >> 8) as u8);
        let carried = carried.with_marks(random >> 16 & 1 == 1, random >> 17 & 1 == 1);
        let mut header = Header { carried, ..launched };
        let vcs = blueprint.scenario().router.vcs[PortClass::NODE] as usize;
        let vc = VcId::new(self.dice.below(vcs) as u8);
        let mut from = Arrival { port: PortId::new(port as u8), kind: PortClass::NODE, vc };
        for _ in 0..LONGEST {
            if router == self.site.router {
                self.keep(pool, from, header);
            }
            let Some((next, arrival, onward)) = self.hop(router, from, &header) else { return };
            (router, from, header) = (next, arrival, onward);
        }
    }

    fn keep(&self, pool: &mut Pool, from: Arrival, header: Header) {
        let ways = self.site.ways(from, &header);
        if ways.is_empty() {
            pool.stranded += 1;
            return;
        }
        let port = from.port.index();
        let vc = self.site.relabel(port, from.vc.index());
        if let Some(arrivals) = pool.ports.get_mut(port).and_then(|port| port.get_mut(vc)) {
            arrivals.add(&Arrived { header, ways });
        }
    }

    /// One hop by any candidate: the next router, how the packet comes there, and its header.
    fn hop(&mut self, router: usize, from: Arrival, header: &Header) -> Option<(usize, Arrival, Header)> {
        let blueprint = self.site.blueprint;
        let here = self.here(router);
        let candidates = self.site.routing.offer(&here, from, header).ok()?;
        let all = self.site.without_detours(candidates.iter().collect(), |candidate| candidate.kind);
        let candidate = self.dice.pick(&all)?;
        let kind = blueprint.wiring().class(router, candidate.port.index());
        let Some(Peer::Router { router, port }) = blueprint.wiring().peer(router, candidate.port.index())
        else {
            return None;
        };
        let onward = self.site.routing.onward(&here, header, kind, candidate.kind);
        let arrival = Arrival { port: PortId::new(port), kind, vc: candidate.vc };
        Some((router as usize, arrival, onward))
    }
}

/// Packets sent through the network to see which come by the switch.
const WALKS: usize = 60_000;
/// Headers kept for each input VC and output.
const ENOUGH: usize = 64;
/// Hops after which a packet is given up: no routing here takes as many.
const LONGEST: usize = 128;
