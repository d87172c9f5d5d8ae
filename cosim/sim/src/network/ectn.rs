//! What the routers of a group tell each other (explicit contention notification, ECtN), and how it travels.
//!
//! Source: Fuentes et al., IPDPS 2015. Every `ectn_period` cycles each router sends the others of its group a counter for each other group:
//! its packets that are leaving for it ([`router_core::notice`]). They go over each of its local links, in as many flits as they need.
//! These flits leave behind those that wait there, and packets behind them: the bandwidth is used. A router adds up the last counters of
//! each, itself included, and takes a way for contended from the threshold on.
//!
//! Groups are never cut into shards, so that all of this happens inside one.

use super::Switch;
use crate::blueprint::Blueprint;
use crate::topology::{Peer, Wiring};
use router_core::route::Route;
use router_core::select::Selection;
use router_core::select::ectn::EctnTrigger;
use router_core::units::{Bits, PortClass, PortId};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// How many packets of a router are leaving for each group.
type Counters = Arc<[u16]>;

/// Counters on their way, or those that a router received last from another one of its group.
struct Message {
    /// A router of the shard, and which of those that it hears of sent them; it is the first itself.
    to: usize,
    from: usize,
    counters: Counters,
}

/// The routers of a group with the same port on its way to each other.
struct Mouth {
    port: PortId,
    to: usize,
    /// What the sender is called there.
    from: usize,
    latency: u64,
}

/// A router: the counters that it broadcasts, and those that it has received.
struct Member {
    mouths: Vec<Mouth>,
    /// The counters that each router of the group has sent last, its own first.
    heard: Vec<Counters>,
    /// Their sum, by group.
    sum: Vec<u32>,
}

/// What the routers of a shard tell each other.
pub(crate) struct Ectn {
    trigger: EctnTrigger,
    groups: usize,
    members: Vec<Member>,
    /// What arrives, by link cycle: it is known at the end of that cycle.
    on_way: BTreeMap<u64, Vec<Message>>,
    /// The link cycle in which routers share their counters next.
    next: u64,
}

impl Ectn {
    /// That of a shard with these routers, if its routers listen.
    pub(crate) fn new(blueprint: &Blueprint, routers: Range<usize>) -> Option<Self> {
        let Selection::Ectn(trigger) = blueprint.scenario().selection.trigger else { return None };
        let groups = blueprint.scenario().topology.groups()?.len();
        let member = |router| Member::new(blueprint, router, &routers, groups);
        let members = routers.clone().map(member).collect();
        Some(Self { trigger, groups, members, on_way: BTreeMap::new(), next: u64::from(trigger.period) })
    }

    /// The next link cycle in which something happens.
    pub(crate) fn due(&self) -> u64 {
        self.on_way.keys().next().map_or(self.next, |&arrives| arrives.min(self.next))
    }

    /// What happens before the routers of the shard are stepped in a link cycle.
    #[inline]
    pub(crate) fn link_cycle<const P: usize, const V: usize, B: Bits>(
        &mut self,
        routing: &impl Route<B>,
        switches: &mut [Switch<P, V, B>],
        cycle: u64,
    ) {
        if self.due() > cycle {
            return;
        }
        self.hear(routing, switches, cycle);
        if self.next <= cycle {
            self.next = cycle + u64::from(self.trigger.period);
            for at in 0..self.members.len() {
                self.speak(routing, switches, at, cycle);
            }
        }
    }

    /// Counters arrive.
    fn hear<const P: usize, const V: usize, B: Bits>(
        &mut self,
        routing: &impl Route<B>,
        switches: &mut [Switch<P, V, B>],
        cycle: u64,
    ) {
        while let Some(first) = self.on_way.first_entry().filter(|first| *first.key() <= cycle) {
            for Message { to, from, counters } in first.remove() {
                let member = &mut self.members[to];
                member.replace(from, counters);
                let Switch { router, plan, .. } = &mut switches[to];
                let sums = (0u32..).zip(&member.sum);
                let contended = sums.filter(|&(_, &sum)| self.trigger.is_contended(sum));
                router.tell(plan, routing, contended.map(|(group, _)| group));
            }
        }
    }

    /// A router counts, and sends its counters to the others of its group.
    fn speak<const P: usize, const V: usize, B: Bits>(
        &mut self,
        routing: &impl Route<B>,
        switches: &mut [Switch<P, V, B>],
        at: usize,
        cycle: u64,
    ) {
        let Switch { router, plan, links } = &mut switches[at];
        let mut counters = vec![0; self.groups];
        router.leaving(plan, routing).for_each(|group| counters[group as usize] += 1);
        let (counters, flits) = (Counters::from(counters), self.trigger.flits(self.groups as u32 - 1));
        self.send(cycle + 1, Message { to: at, from: 0, counters: Arc::clone(&counters) });
        for mouth in 0..self.members[at].mouths.len() {
            let &Mouth { port, to, from, latency } = &self.members[at].mouths[mouth];
            let link = &mut links[port.index()];
            if link.to.as_down().is_some() {
                continue;
            }
            link.carried += flits;
            let leaves = router.occupy(port, cycle + 1, flits);
            self.send(leaves + latency + 1, Message { to, from, counters: Arc::clone(&counters) });
        }
    }

    fn send(&mut self, arrives: u64, message: Message) {
        self.on_way.entry(arrives).or_default().push(message);
    }
}

impl Member {
    fn new(blueprint: &Blueprint, router: usize, shard: &Range<usize>, groups: usize) -> Self {
        let mouths = neighbours(blueprint.wiring(), router).map(|(port, there)| {
            let back = neighbours(blueprint.wiring(), there).position(|(_, back)| back == router);
            Mouth {
                port: PortId::new(port as u8),
                to: there - shard.start,
                from: back.map_or(0, |back| back + 1),
                latency: blueprint.link_latency(router, port).into(),
            }
        });
        let mouths: Vec<_> = mouths.collect();
        let nothing = Counters::from(vec![0; groups]);
        Self { heard: vec![nothing; mouths.len() + 1], mouths, sum: vec![0; groups] }
    }

    /// The counters of a router take the place of those it sent before.
    fn replace(&mut self, from: usize, counters: Counters) {
        let before = std::mem::replace(&mut self.heard[from], counters);
        for ((sum, &now), &before) in self.sum.iter_mut().zip(&*self.heard[from]).zip(&*before) {
            *sum = *sum + u32::from(now) - u32::from(before);
        }
    }
}

/// The routers of the same group, and the ports that lead there.
fn neighbours(wiring: &Wiring, router: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..wiring.ports()).filter_map(move |port| match wiring.peer(router, port) {
        Some(Peer::Router { router: there, .. }) if wiring.class(router, port) == PortClass::LOCAL => {
            Some((port, there as usize))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests;
