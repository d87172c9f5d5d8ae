//! Which of their global links the routers of a group flag, where packets react to them while they wait (piggybacking), and how the others
//! come to know.
//!
//! Source: Jiang, Kim and Dally, ISCA 2009. What a router flags is [`router_core::piggyback`]'s, and what a packet makes of it
//! [`router_core::notice`]'s: here flags only travel, out of band, to the other routers of the group. A router has its own after a cycle, and
//! those of another one after two more and a local link: what registers take ([`router_core::exchange::Flags`]) whose routers have no speedup.
//! With one, what a router flags is looked at in each link cycle.
//!
//! Groups are never cut into shards, so that all of this happens inside one.

use super::Switch;
use crate::blueprint::Blueprint;
use crate::topology::Peer;
use router_core::map::dragonfly::Place;
use router_core::route::Route;
use router_core::route::ways::Exit;
use router_core::units::{Bits, PortClass, PortId, VcId};
use std::collections::VecDeque;
use std::ops::Range;

/// Cycles after which a router knows its own flags, and from which on those of others take the latency of a link.
const OWN: u64 = 1;
const OTHERS: u64 = 2;

/// The global link from a group to another one, and the VC behind it that shortest ways take.
struct Link {
    /// The router that has it, in the shard.
    owner: usize,
    port: PortId,
    vc: VcId,
    /// The group that it leads to.
    to: u32,
}

/// What the routers of a shard tell each other.
pub(crate) struct GroupFlags {
    /// Those of a group side by side.
    links: Vec<Link>,
    /// By router those of its group.
    of_group: Vec<Range<usize>>,
    /// Cycles after which flags of others are known.
    latency: u64,
    /// Which links are flagged, from the beginning of which link cycle on, the newest last; none older than needed.
    flagged: VecDeque<(u64, Vec<bool>)>,
    /// The end of the last cycle that was not skipped.
    seen: u64,
}

impl GroupFlags {
    /// That of a shard with these routers, if their packets react to flags.
    pub(crate) fn new<B: Bits>(
        blueprint: &Blueprint,
        routing: &impl Route<B>,
        routers: &Range<usize>,
    ) -> Option<Self> {
        if !blueprint.scenario().heeds_flags() {
            return None;
        }
        let groups = blueprint.scenario().topology.groups()?.len() as u32;
        let group_of = |router: usize| Place::of(blueprint.here(router).router).group;
        let (mut links, mut of_group) = (Vec::new(), Vec::<Range<usize>>::new());
        for router in routers.clone() {
            if router == routers.start || group_of(router) != group_of(router - 1) {
                let first = links.len();
                links.extend((0..groups).filter_map(|to| {
                    let Exit { behind, port, vc } = routing.exit(&blueprint.place(router), to)?;
                    let owner = match behind.map(|port| blueprint.wiring().peer(router, port.index())) {
                        None => router,
                        Some(Some(Peer::Router { router, .. })) => router as usize,
                        Some(_) => return None,
                    };
                    Some(Link { owner: owner - routers.start, port, vc, to })
                }));
                of_group.push(first..links.len());
            } else {
                of_group.extend(of_group.last().cloned());
            }
        }
        let latency = OTHERS + u64::from(blueprint.latency(PortClass::LOCAL));
        let nothing = vec![false; links.len()];
        Some(Self { links, of_group, latency, flagged: VecDeque::from([(0, nothing)]), seen: 0 })
    }

    /// What happens before the routers of the shard are stepped in a link cycle.
    pub(crate) fn link_cycle<const P: usize, const V: usize, B: Bits>(
        &mut self,
        routing: &impl Route<B>,
        switches: &mut [Switch<P, V, B>],
        cycle: u64,
    ) {
        let is_flagged = |&Link { owner, port, vc, .. }: &Link| {
            let Switch { router, plan, .. } = &switches[owner];
            router.flags(plan, port).contains(vc)
        };
        let now: Vec<_> = self.links.iter().map(is_flagged).collect();
        // In cycles that were skipped nothing has changed.
        if self.flagged.back().is_none_or(|(_, newest)| *newest != now) {
            self.flagged.push_back((self.seen, now));
        }
        self.seen = cycle + 1;
        while self.flagged.get(1).is_some_and(|&(from, _)| from + self.latency <= cycle) {
            self.flagged.pop_front();
        }
        let (own, others) = (self.as_of(cycle, OWN), self.as_of(cycle, self.latency));
        for (at, Switch { router, plan, .. }) in switches.iter_mut().enumerate() {
            let links = self.of_group[at].clone();
            let contended =
                links.filter(|&link| if self.links[link].owner == at { own[link] } else { others[link] });
            router.tell(plan, routing, contended.map(|link| self.links[link].to));
        }
    }

    /// Which links were flagged so many cycles before.
    fn as_of(&self, cycle: u64, before: u64) -> &[bool] {
        let then = self.flagged.iter().rev().find(|&&(from, _)| from + before <= cycle);
        then.or(self.flagged.front()).map_or(&[], |(_, flagged)| flagged)
    }
}

#[cfg(test)]
mod tests;
