//! A Spidergon: a ring of routers with a node each, and a link from each router to the one opposite (M. Coppola et al., *Spidergon: a novel
//! on-chip communication network*, SoC 2004).

use std::path::Path;

use desvio_core::map::{Map, Peer, RouterClass};
use desvio_core::units::{PortClass, PortId};
use desvio_sim::document::{Lines, Problem, Section};
use desvio_sim::topology::{Defaults, Layout, TopologyError, Wiring};

/// Ports of a router: its node, one router further, one back, the router opposite.
pub const NODE: PortId = PortId::new(0);
pub const UP: PortId = PortId::new(1);
pub const DOWN: PortId = PortId::new(2);
pub const ACROSS: PortId = PortId::new(3);

/// The network.
#[derive(Clone, Copy, Debug)]
pub struct Spidergon {
    /// A multiple of 4.
    routers: u32,
}

impl Layout for Spidergon {
    const WORD: &'static str = "spidergon";
    const KEYS: &'static [&'static str] = &["routers"];
    const ROUTING: &'static str = "across-first";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let field = section.need("routers", "the number of routers")?;
        let routers = field.whole(8..=1024)?;
        if routers % 4 == 0 { Ok(Self { routers }) } else { Err(field.refuse("expected a multiple of 4")) }
    }

    fn write(&self) -> Lines {
        vec![("routers", self.routers.to_string())]
    }

    fn classes(&self) -> &'static [&'static str] {
        &["node", "ring", "across"]
    }

    /// Links across are longer than those of the ring.
    fn defaults(&self) -> Defaults {
        Defaults { buffer_flits: &[16, 16, 32], latency: &[1, 1, 4] }
    }

    fn nodes(&self) -> Option<u32> {
        Some(self.routers)
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        Wiring::of(self, self.classes())
    }
}

impl Map for Spidergon {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.routers
    }

    fn ports(&self) -> usize {
        4
    }

    /// The numbers of the names above: node, ring, across.
    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        PortClass::new([0, 1, 1, 2][port.index() % 4])
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
