//! The books of the network: flits, credits and counters must add up; and who waits for whom when nothing moves.

mod credits;
mod losses;

use super::shard::Shard;
use super::violation::Violation;
use super::{Network, Router, Switch};
use router_core::plan::{CountAt, Plan};
use router_core::units::{Bits, Channel, PortId, VcId};
use router_core::vc::VcState;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

/// The buffer of a VC of an input port of a router; VCs in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Buffer {
    router: usize,
    at: Channel,
}

impl<const P: usize, const V: usize, R, B: Bits> Network<'_, P, V, R, B> {
    /// Checks that nothing has been lost or invented; notes the first thing that has.
    pub(crate) fn audit(&mut self) {
        // Of the first two and of copies all processes look at the sums of all; of the others each looks at its own routers.
        let (flits, replies) = (self.audit_flits(), self.audit_replies());
        let found = flits.or_else(|| self.audit_credits()).or_else(|| self.audit_shared_places());
        let copies = self.audit_copies();
        let found = found.or_else(|| self.audit_contention()).or(replies).or(copies);
        let found = found.or_else(|| self.find_stranded());
        if self.violation.is_none() {
            self.violation = found;
        }
        if self.gather(self.violation.is_some()).contains(&true) {
            let cycle = self.cycle;
            self.violation.get_or_insert(Violation::Unfinished { cycle });
        }
    }

    /// The least number of packets that have entered and not left, beyond those whose flits are still inside.
    pub(crate) fn lost_packets(&self) -> u64 {
        let (entered, left) = self.flits_through();
        let inside = self.flits_inside();
        let missing = (entered + self.flits_copied()).abs_diff(left + inside + self.flits_lost());
        missing.div_ceil(u64::from(self.constants.longest))
    }

    /// Flits put on a wire by nodes, and taken off by them.
    fn flits_through(&self) -> (u64, u64) {
        let each = self.shards.iter().map(Shard::flits_through);
        let own = each.fold((0, 0), |(ins, outs), (injected, delivered)| (ins + injected, outs + delivered));
        self.totals(own.into()).into()
    }

    /// Flits lost by links that went down, those of dead addresses that have been killed, and those of packets that have been discarded.
    fn flits_lost(&self) -> u64 {
        self.flits_lost_by_links() + self.flits_killed() + self.discards().flits
    }

    fn flits_inside(&self) -> u64 {
        let buffered: u64 = self.buffers().map(|buffer| self.flits_in(buffer) + self.probes_in(buffer)).sum();
        let probes = self.shards.iter().filter_map(|shard| shard.circuits.as_ref());
        let returning: u64 = probes.map(|circuits| circuits.probes_on_wires()).sum();
        let wheels = self.shards.iter().map(|shard| &shard.wheel);
        let wired: usize = wheels.map(|wheel| wheel.all_heads().count() + wheel.all_bodies().count()).sum();
        let [inside] = self.totals([buffered + returning + wired as u64]);
        inside
    }

    /// A probe that has come back to a VC and has no place in its buffer.
    fn probes_in(&self, Buffer { router, at }: Buffer) -> u64 {
        if !self.constants.flow.backtracks() {
            return 0;
        }
        let input = self.router(router).input(at.port, at.vc);
        input.map_or(0, |input| u64::from(input.state() == VcState::Waiting && input.flits() == 0))
    }

    fn flits_in(&self, Buffer { router, at }: Buffer) -> u64 {
        let input = self.router(router).input(at.port, at.vc);
        let kept = self.router(router).kept(self.plan(router), at.port, at.vc);
        input.map_or(0, |input| u64::from(input.flits())) + u64::from(kept)
    }

    /// The routers of this process.
    fn routers(&self) -> Range<usize> {
        let first = self.shards.first().map_or(0, |first| first.first_router);
        first..self.shards.last().map_or(0, |last| last.first_router + last.routers.len())
    }

    /// The shard of a router, and its number there.
    pub(super) fn shard_of(&self, router: usize) -> (&Shard<P, V, B>, usize) {
        let (shard, at) = self.place(router);
        (&self.shards[shard], at)
    }

    /// The number of the shard of a router, and its number there.
    pub(super) fn place(&self, router: usize) -> (usize, usize) {
        let shard = self.shards.partition_point(|shard| shard.first_router <= router) - 1;
        (shard, router - self.shards[shard].first_router)
    }

    /// The routers of this process, with their numbers.
    fn switches(&self) -> impl Iterator<Item = (usize, &Switch<P, V, B>)> {
        self.routers().zip(self.shards.iter().flat_map(|shard| &shard.routers))
    }

    fn switch(&self, router: usize) -> &Switch<P, V, B> {
        let (shard, at) = self.shard_of(router);
        &shard.routers[at]
    }

    fn router(&self, router: usize) -> &Router<P, V, B> {
        &self.switch(router).router
    }

    fn plan(&self, router: usize) -> &Plan<P> {
        &self.switch(router).plan
    }

    /// Where the link behind an output ends: a router and a port; `None` for a node.
    pub(super) fn behind(&self, router: usize, out: PortId) -> Option<(usize, PortId)> {
        let (shard, at) = self.shard_of(router);
        if let Some(down) = self.down_link((router, out)) {
            return Some(down.to);
        }
        let to = shard.routers[at].links[out.index()].to.untapped();
        let (there, to) = match to.as_exit() {
            Some(exit) => {
                let exit = shard.exits[exit];
                (&self.shards[exit.shard as usize - self.own.start], exit.to)
            }
            None => (shard, to),
        };
        if to.as_node().is_some() {
            return None;
        }
        let (at, port) = to.as_port::<P>();
        Some((there.first_router + at, port))
    }

    /// Whether the link behind an output leads to another process.
    fn leads_elsewhere(&self, router: usize, out: PortId) -> bool {
        let (shard, at) = self.shard_of(router);
        let exit = shard.routers[at].links[out.index()].to.untapped().as_exit();
        exit.is_some_and(|exit| !self.own.contains(&(shard.exits[exit].shard as usize)))
    }

    fn buffers(&self) -> impl Iterator<Item = Buffer> + '_ {
        self.routers().flat_map(|router| channels::<P, V>().map(move |at| Buffer { router, at }))
    }

    fn audit_flits(&self) -> Option<Violation> {
        let ((entered, left), inside) = (self.flits_through(), self.flits_inside());
        let (cycle, discarded) = (self.cycle, self.discards().flits);
        let lost = self.flits_lost().saturating_sub(discarded);
        let entered = entered + self.flits_copied();
        let wrong = entered != left + inside + lost + discarded;
        wrong.then_some(Violation::FlitsLost { cycle, entered, left, inside, lost, discarded })
    }

    /// Each request that has come and needs an answer has one, a reply or a notification: in its source queue, on its way, delivered, or lost by a link that is down.
    fn audit_replies(&self) -> Option<Violation> {
        if !self.constants.answers() {
            return None;
        }
        let sum = |of: &dyn Fn(&Shard<P, V, B>) -> u64| {
            let [sum] = self.totals([self.shards.iter().map(of).sum()]);
            sum
        };
        let requests = sum(&|shard| shard.requests_out);
        let queued = sum(&|shard| shard.nodes.iter().map(|node| node.source.answers() as u64).sum());
        let inside = sum(&|shard| shard.packets.answers() as u64);
        let delivered = sum(&|shard| shard.replies_out);
        let lost: u64 = self.all_down().map(|link| link.replies).sum();
        let lost = lost + self.link_credits().map_or(0, |links| links.replies);
        let lost = lost + sum(&|shard| shard.packets.discarded_replies);
        let replies = queued + inside + delivered + lost;
        (requests != replies).then_some(Violation::Replies { cycle: self.cycle, requests, replies })
    }

    fn audit_contention(&self) -> Option<Violation> {
        if self.constants.count_at != CountAt::Head {
            return None;
        }
        for (at, Switch { router, .. }) in self.switches() {
            for (port, found) in ports::<P>().zip(wanting(router)) {
                let counted = u64::from(router.contention(port));
                if counted != found {
                    return Some(Violation::Contention {
                        cycle: self.cycle,
                        router: at,
                        port: port.number(),
                        counted,
                        found,
                    });
                }
            }
        }
        None
    }

    /// A packet that can never leave where it is, whatever moves.
    pub(super) fn find_stranded(&self) -> Option<Violation> {
        self.switches().find_map(|(at, Switch { router, plan, .. })| {
            let (Channel { port, vc }, why) = router.stranded(plan).next()?;
            let vc = plan.links.relabel(port, vc).number();
            Some(Violation::Stranded { cycle: self.cycle, router: at, port: port.number(), vc, why })
        })
    }

    /// The VC that a VC waits for: the one behind the output that its front packet holds or requests.
    fn waits_for(&self, Buffer { router, at }: Buffer) -> Option<Buffer> {
        let input = self.router(router).input(at.port, at.vc)?;
        let (out, out_vc) = match input.state() {
            VcState::Idle | VcState::Discarding { .. } => return None,
            VcState::Active { out, vc } => (out, vc),
            VcState::Waiting => {
                let out = input.request().first().unwrap_or(input.minimal());
                (
                    out,
                    input
                        .candidates()
                        .holding(out)
                        .next()?
                        .vcs
                        .and(self.plan(router).links.vcs(out))
                        .first()?,
                )
            }
        };
        let (router, port) = self.behind(router, out)?;
        Some(Buffer { router, at: Channel::new(port, out_vc) })
    }

    /// A cycle of VCs that wait for each other, one line each.
    pub(crate) fn waiting_cycle(&self) -> String {
        find_ring(self.buffers(), |at| self.waits_for(at)).map_or_else(
            || {
                "  no virtual channels wait for each other in a ring: a packet waits for what never comes"
                    .to_owned()
            },
            |ring| self.describe(&ring),
        )
    }

    fn describe(&self, ring: &[Buffer]) -> String {
        let mut text = String::from("  these virtual channels wait for each other in a ring:");
        for &buffer in ring {
            let Buffer { router, at: Channel { port, vc } } = buffer;
            let plan = self.plan(router);
            let class = self.constants.class_names[plan.links.class(port).index()];
            let (port, label) = (port.number(), plan.links.relabel(port, vc).number());
            let flits = self.flits_in(buffer);
            let _ = write!(text, "\n  router {router}, port {port} ({class}), VC {label}: {flits} flits");
        }
        text
    }
}

/// A ring in a graph in which each place leads to one other at most.
fn find_ring(
    starts: impl Iterator<Item = Buffer>,
    next: impl Fn(Buffer) -> Option<Buffer>,
) -> Option<Vec<Buffer>> {
    // By which start each place was reached first.
    let mut reached: HashMap<Buffer, usize> = HashMap::new();
    for (n, start) in starts.enumerate() {
        let mut path = vec![start];
        while let Some(&at) = path.last()
            && !reached.contains_key(&at)
        {
            reached.insert(at, n);
            path.extend(next(at));
        }
        if let Some((last, before)) = path.split_last()
            && reached[last] == n
            && let Some(first) = before.iter().position(|place| place == last)
        {
            return Some(before[first..].to_vec());
        }
    }
    None
}

/// Packets at a router that are counted at each port, found by looking at each VC's front.
fn wanting<const P: usize, const V: usize, B: Bits>(router: &Router<P, V, B>) -> [u64; P] {
    let mut found = [0; P];
    let inputs = channels::<P, V>().filter_map(|at| router.input(at.port, at.vc));
    let counts = |state| matches!(state, VcState::Waiting | VcState::Active { .. });
    for input in inputs.filter(|input| counts(input.state())) {
        if let Some(found) = found.get_mut(input.minimal().index()) {
            *found += 1;
        }
    }
    found
}

/// Every port of a router.
pub(super) fn ports<const P: usize>() -> impl Iterator<Item = PortId> {
    (0..P).map(|port| PortId::new(port as u8))
}

/// Every VC of every port of a router.
pub(super) fn channels<const P: usize, const V: usize>() -> impl Iterator<Item = Channel> {
    ports::<P>().flat_map(|port| (0..V as u8).map(move |vc| Channel::new(port, VcId::new(vc))))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// Against the definition: from a place of a ring one comes back to it.
        #[test]
        fn rings_are_found_where_there_are_any(leads in proptest::collection::vec(proptest::option::of(0usize..12), 12)) {
            let buffer = |router| Buffer { router, at: Channel::default() };
            let next = |at: Buffer| leads[at.router].map(buffer);
            let comes_back = |start: usize| {
                let mut at = leads[start];
                for _ in 0..12 {
                    match at { Some(here) if here == start => return true, Some(here) => at = leads[here], None => return false }
                }
                false
            };
            match find_ring((0..12).map(buffer), next) {
                None => proptest::prop_assert!((0..12).all(|n| !comes_back(n))),
                Some(ring) => {
                    for (n, &at) in ring.iter().enumerate() {
                        proptest::prop_assert_eq!(next(at), Some(ring[(n + 1) % ring.len()]));
                    }
                }
            }
        }
    }
}
