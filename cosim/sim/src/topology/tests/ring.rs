//! A ring of routers with a node each.

use std::path::Path;

use router_core::map::{self, Map, RouterClass};
use router_core::units::{PortClass, PortId};

use super::layout::{Defaults, Layout};
use super::{Known, TopologyError, Wiring};
use crate::scenario::{Lines, Problem, Section};

/// A ring. Ports of a router: its node, one router further, one back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// Routers, 3…9.
    pub routers: u32,
}

impl Layout for Ring {
    const WORD: &'static str = "ring";
    const KEYS: &'static [&'static str] = &["routers"];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let routers = section.need("routers", "the number of routers")?.whole(3..=9)?;
        Ok(Self { routers })
    }

    fn write(&self) -> Lines {
        vec![("routers", self.routers.to_string())]
    }

    fn classes(&self) -> &'static [&'static str] {
        &["node", "ring"]
    }

    fn defaults(&self) -> Defaults {
        Defaults { buffer_flits: &[32, 32], latency: &[1, 1] }
    }

    fn nodes(&self) -> Option<u32> {
        Some(self.routers)
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        Wiring::collect(self, self.classes(), Known::default())
    }
}

impl Map for Ring {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.routers
    }

    fn ports(&self) -> usize {
        3
    }

    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        if port.number() == 0 { PortClass::NODE } else { PortClass::new(1) }
    }

    fn peer(&self, router: u32, port: PortId) -> Option<map::Peer> {
        let (steps, back) = match port.number() {
            0 => return Some(map::Peer::Node),
            1 => (1, 2),
            _ => (self.routers - 1, 1),
        };
        Some(map::Peer::Router { router: (router + steps) % self.routers, port: PortId::new(back) })
    }
}
