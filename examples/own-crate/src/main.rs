//! A topology and a routing of its own, run by Desvio's simulator as a library.
//!
//! The network is a Spidergon: a ring of an even number of routers with a node each, and a link from each router to the one
//! opposite. The routing is "across first" (M. Coppola et al., *Spidergon: a novel on-chip communication network*, SoC 2004).

use std::error::Error;

use desvio_core::header::Header;
use desvio_core::map::{Map, Peer, RouterClass};
use desvio_core::route::{Arrival, Candidates, Full, Here, Route, consume};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run_with;
use desvio_sim::scenario::{Loads, Scenario};
use desvio_sim::topology::Custom;

/// Ports of a router: its node, one router further, one back, the router opposite.
const NODE: PortId = PortId::new(0);
const UP: PortId = PortId::new(1);
const DOWN: PortId = PortId::new(2);
const ACROSS: PortId = PortId::new(3);

/// The network, and the way through it.
#[derive(Clone, Copy, Debug)]
struct Spidergon {
    /// A multiple of 4.
    routers: u32,
}

impl Spidergon {
    /// Routers from `here` to `there` along the ring, upwards.
    fn distance(self, here: u32, there: u32) -> u32 {
        (there + self.routers - here) % self.routers
    }

    /// The port to take from `here`, which is not `there`. A packet goes across at its first hop or never.
    fn port(self, here: u32, there: u32) -> PortId {
        match self.distance(here, there) {
            up if up <= self.routers / 4 => UP,
            up if up >= self.routers - self.routers / 4 => DOWN,
            _ => ACROSS,
        }
    }
}

impl Map for Spidergon {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.routers
    }

    fn ports(&self) -> usize {
        4
    }

    /// The numbers of the names below: node, ring, across.
    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        PortClass::new([0, 1, 1, 2][port.index()])
    }

    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        let (further, back) = match port {
            NODE => return Some(Peer::Node),
            UP => (1, DOWN),
            DOWN => (self.routers - 1, UP),
            _ => (self.routers / 2, ACROSS),
        };
        Some(Peer::Router { router: (router + further) % self.routers, port: back })
    }
}

impl Route for Spidergon {
    /// Free of deadlock: links across are taken from nodes only, so that no buffer of the ring waits for one; on the ring
    /// VC 0 leads to the end of the numbering and VC 1 behind it, so that no circle of buffers waits for itself.
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let (this, there) = (here.router, header.to.router);
        if this == there {
            return Ok(consume(here, header.to));
        }
        let port = self.port(this, there);
        let before_the_end = if port == UP { there < this } else { there > this };
        let vcs = match port {
            ACROSS => VcSet::first_n(2),
            _ => VcSet::only(VcId::new(if before_the_end { 0 } else { 1 })),
        };
        Ok(Candidates::minimal(PortSet::only(port), vcs))
    }
}

/// Everything but the topology, as in a scenario file. Links across are longer than those of the ring.
const SETTINGS: &str = "
[router]
vcs = 2
buffer_flits = { node = 16, ring = 16, across = 32 }
[links]
latency = { node = 1, ring = 1, across = 4 }
[traffic]
pattern = \"uniform\"
packet_flits = 4
loads = [0.1, 0.3, 0.5]
[run]
warmup_cycles = 1000
measure_cycles = 10000
";

fn main() -> Result<(), Box<dyn Error>> {
    let network = Spidergon { routers: 16 };
    let topology = Custom::new("spidergon", &network, &["node", "ring", "across"])?;
    let blueprint = Blueprint::without_routing(Scenario::around(topology, SETTINGS, "own-crate")?)?;
    let Loads::List(loads) = &blueprint.scenario().traffic.loads else {
        return Err("no list of loads".into());
    };
    println!("  load  accepted  latency  hops");
    for &load in loads {
        let outcome = run_with::<4, 2, _>(&blueprint, &network, load, &|_| ())?;
        let summary = outcome.summary;
        println!(
            "{load:6.2} {:9.3} {:8.1} {:5.2}",
            summary.accepted, summary.latency_mean, summary.hops_mean
        );
        assert!(outcome.violation.is_none(), "{:?}", outcome.violation);
        assert_eq!(summary.packets_lost, 0);
        assert!((summary.accepted - load).abs() < 0.02, "{} of {load} is accepted", summary.accepted);
        // By hand: one hop to 3 of 15 others (two on the ring, one opposite), two to 4, three and four to 4 each.
        let hops = f64::from(3 + 2 * 4 + 3 * 4 + 4 * 4) / 15.0;
        assert!((summary.hops_mean - hops).abs() < 0.05, "{} hops, not {hops}", summary.hops_mean);
    }
    Ok(())
}
