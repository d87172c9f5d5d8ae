//! Channels: a VC of a link, with the buffer at its end.

use desvio_sim::blueprint::Blueprint;
use router_core::route::Arrival;
use router_core::units::{PortId, VcId, VcSet};
use std::fmt::{Display, Formatter};

/// A VC of a link: the buffer at its end, in which packets wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    /// The router whose buffer it is.
    pub router: u32,
    /// The input port.
    pub port: u8,
    /// The VC, in ascending order.
    pub vc: u8,
}

impl Display for Channel {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "router {}, port {}, VC {}", self.router, self.port, self.vc)
    }
}

/// The number of a channel: dense by router, port and VC, those included that are not connected.
pub(crate) type Number = u32;

/// How channels are numbered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbering {
    ports: u32,
}

impl Numbering {
    const VCS: u32 = VcSet::CAPACITY as u32;

    pub(crate) fn of(blueprint: &Blueprint) -> Self {
        Self { ports: blueprint.wiring().ports() as u32 }
    }

    /// One above the highest number, in a network of so many routers.
    pub(crate) fn count(self, routers: usize) -> usize {
        routers * (self.ports * Self::VCS) as usize
    }

    pub(crate) fn number(self, Channel { router, port, vc }: Channel) -> Number {
        (router * self.ports + u32::from(port)) * Self::VCS + u32::from(vc)
    }

    pub(crate) fn channel(self, number: Number) -> Channel {
        let at = number / Self::VCS;
        Channel { router: at / self.ports, port: (at % self.ports) as u8, vc: (number % Self::VCS) as u8 }
    }
}

impl Channel {
    /// How a packet in it came, by a port of this class.
    pub(crate) fn arrival(self, kind: router_core::PortClass) -> Arrival {
        Arrival { port: PortId::new(self.port), kind, vc: VcId::new(self.vc) }
    }
}
