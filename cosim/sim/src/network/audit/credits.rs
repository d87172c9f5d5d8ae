//! Credits: those of each VC add up to the places of its buffer, and VCs that share places have no more flits than there are.

use super::super::shard::Shard;
use super::super::violation::Violation;
use super::super::wheel::End;
use super::{Buffer, Network, ports};
use router_core::units::{Bits, Channel, VcId};
use std::collections::HashMap;

/// How much of something is on the wires.
struct OnWires {
    /// To each VC of each port of each router.
    to_ports: Vec<u32>,
    /// To the node behind a port of a router, by VC.
    to_nodes: HashMap<Buffer, u64>,
}

impl OnWires {
    fn at<const P: usize, const V: usize>(&self, Buffer { router, at }: Buffer) -> u64 {
        u64::from(self.to_ports[(router * P + at.port.index()) * V + at.vc.index()])
    }
}

impl<const P: usize, const V: usize, R, B: Bits> Network<'_, P, V, R, B> {
    pub(super) fn audit_credits(&self) -> Option<Violation> {
        let (flits, credits) = (self.flits_on_wires(), self.credits_on_wires());
        self.buffers().find_map(|buffer| self.audit_credits_of(buffer, &flits, &credits))
    }

    /// The depth of a VC behind an output is the sum of credits here, flits on the way there, flits in the buffer and credits on the way
    /// back. It includes those lost by a link that is down or owed by one that loses.
    fn audit_credits_of(&self, buffer: Buffer, flits: &OnWires, credits: &OnWires) -> Option<Violation> {
        let Buffer { router, at: Channel { port, vc } } = buffer;
        let plan = self.plan(router);
        if !self.router(router).here().wired.contains(port)
            || !plan.links.vcs(port).contains(vc)
            || self.leads_elsewhere(router, port)
        {
            return None;
        }
        let label = plan.links.relabel(port, vc);
        let on_wire = Buffer { router, at: Channel::new(port, label) };
        let depth = u64::from(plan.links.buffer(port));
        let used = self.router(router).occupancy(plan, Channel::new(port, vc));
        let here = depth.saturating_sub(u64::from(used)) + credits.at::<P, V>(on_wire);
        let found = if self.down_link((router, port)).is_some_and(|link| link.discards) {
            here
        } else {
            let (buffered, on_way) = match self.behind(router, port) {
                // On the way to a node: what its router has put on the wire to it.
                None => (0, flits.to_nodes.get(&on_wire).copied().unwrap_or(0)),
                Some((router, port)) => {
                    let there = |vc| Buffer { router, at: Channel::new(port, vc) };
                    (self.flits_in(there(vc)), flits.at::<P, V>(there(label)))
                }
            };
            here + on_way + buffered + self.lost_credits(on_wire)
        };
        let (port, vc) = (port.number(), label.number());
        let lost = Violation::CreditsLost { cycle: self.cycle, router, port, vc, found, depth };
        (found != depth).then_some(lost)
    }

    /// Credits that links that are down have lost, and that a link which loses some owes.
    fn lost_credits(&self, Buffer { router, at: Channel { port, vc } }: Buffer) -> u64 {
        let flits = self.down_link((router, port)).map_or(0, |link| link.flits[vc.index()]);
        let way_back = self.behind(router, port).and_then(|behind| self.down_link(behind));
        let credits = way_back.map_or(0, |link| link.credits[vc.index()]);
        flits + credits + self.link_credits().map_or(0, |links| links.owed(router, port.index(), vc))
    }

    /// The VCs of an input port have no more flits in shared places than there are.
    pub(in super::super) fn audit_shared_places(&self) -> Option<Violation> {
        let ports = self.routers().flat_map(|router| ports::<P>().map(move |port| (router, port)));
        ports.filter(|&(router, port)| self.plan(router).links.shared(port) > 0).find_map(|(router, port)| {
            let (plan, cycle) = (self.plan(router), self.cycle);
            let (reserved, places) =
                (u64::from(plan.links.reserved(port)), u64::from(plan.links.shared(port)));
            let flits = |vc| self.flits_in(Buffer { router, at: Channel::new(port, vc) });
            let found = plan.links.vcs(port).iter().map(|vc| flits(vc).saturating_sub(reserved)).sum();
            let port = port.number();
            (found > places).then_some(Violation::SharedPlaces { cycle, router, port, found, places })
        })
    }

    fn flits_on_wires(&self) -> OnWires {
        self.on_wires(|shard, count| {
            shard.wheel.all_heads().for_each(|head| count(head.to, head.vc));
            shard.wheel.all_bodies().for_each(|body| count(body.to(), body.vc()));
        })
    }

    fn credits_on_wires(&self) -> OnWires {
        self.on_wires(|shard, count| {
            shard.wheel.all_credits().for_each(|credit| count(credit.to(), credit.vc()));
            let circuits = shard.circuits.iter();
            circuits.flat_map(|circuits| circuits.credits()).for_each(|(to, vc)| count(to, vc));
        })
    }

    /// Counts what `each` finds on the wires.
    fn on_wires(&self, each: impl Fn(&Shard<P, V, B>, &mut dyn FnMut(End, VcId))) -> OnWires {
        let mut found = OnWires { to_ports: vec![0; self.routers().end * P * V], to_nodes: HashMap::new() };
        for shard in &self.shards {
            let mut count = |to: End, vc: VcId| match to.as_node() {
                Some(node) => {
                    let (router, port) = shard.nodes[node].at.as_port::<P>();
                    let router = shard.first_router + router;
                    *found.to_nodes.entry(Buffer { router, at: Channel::new(port, vc) }).or_default() += 1;
                }
                None => {
                    let (router, port) = to.as_port::<P>();
                    found.to_ports[((shard.first_router + router) * P + port.index()) * V + vc.index()] += 1;
                }
            };
            each(shard, &mut count);
        }
        found
    }
}
