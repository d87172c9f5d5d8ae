//! Credits that come back late where the way on is congested (credit round trip, CRT), so that sources sense it in their own queues.
//!
//! Source: Kim et al., ISCA 2008; Jiang, Kim and Dally, ISCA 2009. A router measures at each output how long the credit of a flit takes
//! to come back, and how much longer that is than the shortest time it has seen: the output's delay. It holds the credit of each flit
//! back by the delay of the output that the flit left by, less the least delay of its outputs to other routers. Held credits leave in
//! order, one in a cycle. Credits that leave over global links are not held, so that these links stay busy.
//!
//! Every link is tapped, so that other networks pay nothing. Times are internal cycles.

use super::signal::Signal;
use super::wires::Way;
use crate::blueprint::Blueprint;
use crate::topology::Wiring;
use router_core::route::RoutingScheme;
use router_core::route::ugal_dragonfly::Knowledge;
use router_core::units::{PortClass, PortId, PortSet};
use std::collections::VecDeque;

/// Whether credits are held back.
pub(crate) fn is_on(blueprint: &Blueprint) -> bool {
    let RoutingScheme::UgalDragonfly(scheme) = blueprint.scenario().routing.scheme else { return false };
    scheme.knowledge == Knowledge::Credits
}

/// The longest time that a credit is held back: that of a flit and its credit over the longest link.
pub(crate) fn longest(blueprint: &Blueprint) -> u64 {
    let speedup = u64::from(blueprint.scenario().router.options.speedup);
    if is_on(blueprint) { 2 * speedup * u64::from(blueprint.longest_latency()) } else { 0 }
}

/// An output to another router, and the input beside it.
#[derive(Debug, Clone, Default)]
struct Port {
    /// When the flits whose credits have yet to come were on the wire, by VC.
    sent: Vec<VecDeque<u64>>,
    /// The least time that a credit took.
    least: Option<u64>,
    /// How much longer the last one took, and those that are on their way, by when they come.
    delay: u64,
    to_come: VecDeque<(u64, u64)>,
    /// When the last credit that left by this port arrives.
    last: u64,
}

/// What the routers of a network measure.
#[derive(Debug)]
pub(crate) struct CreditDelays {
    /// Ports of a router, and all of them by router.
    radix: usize,
    ports: Vec<Port>,
    /// Those of each router that lead to other routers, and to those of its group.
    between: Vec<PortSet>,
    local: Vec<PortSet>,
    longest: u64,
    /// The output that a flit has just left by.
    left_by: (usize, usize),
}

impl CreditDelays {
    /// Those of a network, where credits are held back.
    pub(crate) fn new(blueprint: &Blueprint) -> Option<Self> {
        let (wiring, longest) = (blueprint.wiring(), longest(blueprint));
        let routers = || 0..wiring.routers();
        let port = Port { sent: vec![VecDeque::new(); 8], ..Port::default() };
        is_on(blueprint).then(|| Self {
            radix: wiring.ports(),
            ports: vec![port; wiring.routers() * wiring.ports()],
            between: routers().map(|router| blueprint.between(router as u32)).collect(),
            local: routers().map(|router| local_ports(wiring, router)).collect(),
            longest,
            left_by: (0, 0),
        })
    }

    /// A signal is put on a wire: when it arrives. The credit of a flit comes right behind the flit.
    pub(super) fn pass<const P: usize>(&mut self, way: &Way, signal: Signal) -> u64 {
        let (router, port) = (way.router, way.port.index());
        match signal {
            Signal::Flit(vc, _) => {
                self.left_by = (router, port);
                if self.between[router].contains(way.port) {
                    self.ports[router * self.radix + port].sent[vc.index()].push_back(way.on_wire);
                }
                way.when
            }
            Signal::Credit(_) if !self.between[router].contains(way.port) => way.when,
            Signal::Credit(vc) => {
                let held = if self.local[router].contains(way.port) { self.excess(way.on_wire) } else { 0 };
                let own = &mut self.ports[router * self.radix + port];
                let when = (way.when + held).max(own.last + 1);
                own.last = when;
                let (there, behind) = way.to.untapped().as_port::<P>();
                let upstream = &mut self.ports[there * self.radix + behind.index()];
                if let Some(sent) = upstream.sent[vc.index()].pop_front() {
                    upstream.measure(when, when - sent);
                }
                when
            }
        }
    }

    /// The delay of the output that a flit has just left by, less the least one of the router.
    fn excess(&mut self, now: u64) -> u64 {
        let (router, port) = self.left_by;
        let (mut own, mut least) = (0, u64::MAX);
        for other in self.between[router] {
            let delay = self.ports[router * self.radix + other.index()].delay_at(now);
            least = least.min(delay);
            if other.index() == port {
                own = delay;
            }
        }
        own.saturating_sub(least).min(self.longest)
    }
}

/// The ports of a router to others of its group.
fn local_ports(wiring: &Wiring, router: usize) -> PortSet {
    let is_local =
        |&port: &usize| wiring.peer(router, port).is_some() && wiring.class(router, port) == PortClass::LOCAL;
    (0..wiring.ports()).filter(is_local).map(|port| PortId::new(port as u8)).collect()
}

impl Port {
    /// A credit that comes at `when` has taken so long.
    fn measure(&mut self, when: u64, took: u64) {
        let least = self.least.map_or(took, |least| least.min(took));
        self.least = Some(least);
        self.to_come.push_back((when, took - least));
    }

    /// The delay as it is known.
    fn delay_at(&mut self, now: u64) -> u64 {
        while let Some((_, delay)) = self.to_come.pop_front_if(|&mut (when, _)| when <= now) {
            self.delay = delay;
        }
        self.delay
    }
}

#[cfg(test)]
mod tests;
