//! Across first: a packet takes the link across at its first hop or never.

use desvio_core::header::Header;
use desvio_core::map::{AnyMap, MapKind};
use desvio_core::route::{Arrival, Candidates, Full, Here, Needs, Route, Scheme, Vcs, consume};
use desvio_core::settings::{Settings, Visit};
use desvio_core::units::{PortId, PortSet, VcSet};

use crate::spidergon::{ACROSS, DOWN, UP};

/// The routing, before it knows its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcrossFirst {
    /// VCs before the end of the numbering, and as many behind it. Range: 1…4.
    lanes: u8,
}

impl Default for AcrossFirst {
    fn default() -> Self {
        Self { lanes: 1 }
    }
}

impl Settings for AcrossFirst {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("lanes", 1..=4, &mut self.lanes)
    }
}

impl Scheme for AcrossFirst {
    const WORD: &'static str = "across-first";
    type Routing<'m> = Across;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Graph).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(2 * self.lanes, 2 * self.lanes, "across-first routing")
    }

    fn default_vcs(&self) -> Vcs {
        let vcs = 2 * self.lanes;
        Vcs { node: vcs, local: vcs, global: vcs }
    }

    /// Nothing where the network is no Spidergon.
    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Across> {
        let AnyMap::Graph(table) = *map else { return None };
        let routers = table.routers();
        let is_spidergon = routers >= 8
            && routers % 4 == 0
            && (0..routers).all(|router| {
                let leads = |to: u32, port| table.ports(router, to % routers).contains(port);
                leads(router + 1, UP)
                    && leads(router + routers - 1, DOWN)
                    && leads(router + routers / 2, ACROSS)
            });
        is_spidergon.then_some(Across { routers, lanes: self.lanes })
    }
}

/// The routing on a Spidergon.
#[derive(Clone, Copy, Debug)]
pub struct Across {
    routers: u32,
    lanes: u8,
}

impl Across {
    /// The port to take from `here`, which is not `there`.
    fn port(self, here: u32, there: u32) -> PortId {
        match (there + self.routers - here) % self.routers {
            up if up <= self.routers / 4 => UP,
            up if up >= self.routers - self.routers / 4 => DOWN,
            _ => ACROSS,
        }
    }
}

impl Route for Across {
    /// Free of deadlock: links across are taken from nodes only, so that no buffer of the ring waits for one. On the ring lower VCs lead to
    /// the end of the numbering and upper ones behind it, so that no circle of buffers waits for itself.
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let (this, there) = (here.router, header.to.router);
        if this == there {
            return Ok(consume(here, header.to));
        }
        let port = self.port(this, there);
        let before_the_end = if port == UP { there < this } else { there > this };
        let lanes = usize::from(self.lanes);
        let vcs = match port {
            ACROSS => VcSet::first_n(2 * lanes),
            _ if before_the_end => VcSet::first_n(lanes),
            _ => VcSet::range(lanes, 2 * lanes),
        };
        Ok(Candidates::minimal(PortSet::only(port), vcs))
    }
}
