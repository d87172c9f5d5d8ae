//! UGAL whose sources know more than their router: the flags of a group (piggybacking), or the queues of all routers (an oracle).
//!
//! Source: Jiang, Kim and Dally, ISCA 2009 (PB); Kim et al., ISCA 2008 (UGAL-G). Whether a packet takes the shortest way is decided as it
//! leaves its node, when all shards have come to the end of the cycle. Nothing of this is sent over links. What a router flags, and what
//! it makes of flags, is [`router_core::piggyback`]'s: here they only travel, out of band. The oracle is a yardstick: it knows the queues of
//! other routers at once, which no hardware can do.

use super::Switch;
use super::constants::Constants;
use super::launch::Launch;
use super::shard::Shard;
use crate::blueprint::Blueprint;
use crate::topology::{Peer, Wiring};
use router_core::header::Header;
use router_core::route::ugal_dragonfly::{Knowledge, UgalDragonflyScheme};
use router_core::route::{Arrival, Route, RoutingScheme};
use router_core::select::Selection;
use router_core::units::{Bits, PortClass, PortId, VcId, VcSet};
use std::collections::VecDeque;

/// More links than any route has.
const LONGEST: usize = 16;

/// What decides for all sources.
pub(crate) struct Informed<'b> {
    wiring: &'b Wiring,
    knowledge: Knowledge,
    /// Flits by which the oracle's shortest way must be worse.
    bias: u64,
    /// Cycles that a flag takes to the other routers of the group.
    latency: u64,
    /// The flags at the ends of cycles, the newest last, none older than needed: the VCs of each port of each router that are congested.
    flags: VecDeque<(u64, Vec<VcSet>)>,
}

/// A link that a packet may take, and the VC behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    router: usize,
    port: PortId,
    vc: VcId,
}

/// The scenario's routing, if its sources are informed.
fn scheme(blueprint: &Blueprint) -> Option<UgalDragonflyScheme> {
    let RoutingScheme::UgalDragonfly(scheme) = blueprint.scenario().routing.scheme else { return None };
    matches!(scheme.knowledge, Knowledge::Group | Knowledge::Oracle).then_some(scheme)
}

/// Whether headers are drawn where all shards have come to the same cycle, even if there is one.
pub(crate) fn is_informed(blueprint: &Blueprint) -> bool {
    scheme(blueprint).is_some()
}

impl<'b> Informed<'b> {
    /// That of a network whose sources are informed.
    pub(crate) fn new(blueprint: &'b Blueprint) -> Option<Self> {
        let scheme = scheme(blueprint)?;
        let bias = match blueprint.scenario().selection.trigger {
            Selection::Ugal(trigger) => trigger.bias,
            _ => 0,
        };
        Some(Self {
            wiring: blueprint.wiring(),
            knowledge: scheme.knowledge,
            bias: bias.into(),
            latency: blueprint.latency(PortClass::LOCAL).into(),
            flags: VecDeque::new(),
        })
    }

    /// Takes in the state at the end of a cycle.
    pub(crate) fn observe<const P: usize, const V: usize, B: Bits>(
        &mut self,
        cycle: u64,
        shards: &[Shard<P, V, B>],
    ) {
        if self.knowledge != Knowledge::Group {
            return;
        }
        // The newest that is old enough stays.
        while self.flags.get(1).is_some_and(|&(at, _)| at + self.latency <= cycle) {
            self.flags.pop_front();
        }
        let ports = 0..self.wiring.ports() as u8;
        let flags =
            shards.iter().flat_map(|shard| &shard.routers).flat_map(|Switch { router, plan, .. }| {
                ports.clone().map(|port| router.flags(plan, PortId::new(port)))
            });
        let flags = flags.collect();
        self.flags.push_back((cycle, flags));
    }

    /// The header of a new packet, as it was drawn, with the way that the packet takes.
    pub(crate) fn decide<const P: usize, const V: usize, R: Route<B>, B: Bits>(
        &self,
        constants: &Constants<'_, P, R>,
        shards: &[Shard<P, V, B>],
        shard: usize,
        launch: &Launch<B>,
        drawn: Header,
    ) -> Header {
        let with = |is_ahead| Header { progress: drawn.progress.with_via_ahead(is_ahead), ..drawn };
        let (at, port) = launch.at.as_port::<P>();
        let start = shards[shard].first_router + at;
        let takes_detour = match self.knowledge {
            Knowledge::Router | Knowledge::Credits | Knowledge::GroupEachCycle | Knowledge::Reservation => {
                false
            }
            Knowledge::Group => {
                let Switch { router, plan, .. } = &shards[shard].routers[at];
                let from = Arrival { port, kind: plan.links.class(port), vc: launch.vc };
                let cycle = shards[shard].cycle;
                router.takes_detour(plan, &constants.routing, from, &drawn, |behind, port, vc| {
                    self.is_flagged(cycle, (start, behind), port, vc)
                })
            }
            Knowledge::Oracle => {
                let steps = |is_ahead| self.walk(constants, shards, (start, port), with(is_ahead));
                let (minimal, detour) = (steps(false), steps(true));
                let waiting =
                    |steps: &[Step]| -> u64 { steps.iter().map(|&step| self.waiting(shards, step)).sum() };
                minimal != detour && waiting(&minimal) > waiting(&detour) + self.bias
            }
        };
        with(takes_detour)
    }

    /// The links from a router to the destination, one way.
    fn walk<const P: usize, const V: usize, R: Route<B>, B: Bits>(
        &self,
        constants: &Constants<'_, P, R>,
        shards: &[Shard<P, V, B>],
        (mut router, port): (usize, PortId),
        mut header: Header,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut from = Arrival { port, kind: PortClass::NODE, vc: VcId::new(0) };
        while steps.len() < LONGEST {
            let Switch { router: core, plan, .. } = switch(shards, router);
            let Ok(candidates) = constants.routing.offer(core.here(), from, &header) else { break };
            let Some(port) = candidates.preferred().first() else { break };
            let Some(Peer::Router { router: next, port: there }) = self.wiring.peer(router, port.index())
            else {
                break;
            };
            let vc = candidates.vcs_at(port).first().unwrap_or_default();
            let kind = plan.links.class(port);
            let hop = candidates.holding(port).next().map(|set| set.kind).unwrap_or_default();
            steps.push(Step { router, port, vc });
            header = constants.routing.onward(core.here(), &header, kind, hop);
            from = Arrival { port: PortId::new(there), kind, vc };
            router = next as usize;
        }
        steps
    }

    /// Whether a VC of the global link at a port is flagged, as the router knows that is before the link's own one by a local port.
    fn is_flagged(&self, cycle: u64, (router, behind): (usize, PortId), port: PortId, vc: VcId) -> bool {
        let Some(Peer::Router { router: owner, .. }) = self.wiring.peer(router, behind.index()) else {
            return false;
        };
        let known = self.flags.iter().rev().find(|(at, _)| at + self.latency <= cycle);
        known
            .is_some_and(|(_, flags)| flags[owner as usize * self.wiring.ports() + port.index()].contains(vc))
    }

    /// Flits in the FIFO before a link and in the buffers behind it.
    fn waiting<const P: usize, const V: usize, B: Bits>(&self, shards: &[Shard<P, V, B>], step: Step) -> u64 {
        let near = switch(shards, step.router);
        let cycle = shards.first().map_or(0, |shard| shard.cycle);
        let fifo = near.router.queued(step.port, cycle);
        let Some(Peer::Router { router, port }) = self.wiring.peer(step.router, step.port.index()) else {
            return fifo;
        };
        let (far, port) = (switch(shards, router as usize), PortId::new(port));
        let inside = |vc| far.router.input(port, vc).map_or(0, |input| u64::from(input.flits()));
        fifo + far.plan.links.vcs(port).iter().map(inside).sum::<u64>()
    }
}

/// A router by its number in the network.
fn switch<const P: usize, const V: usize, B: Bits>(
    shards: &[Shard<P, V, B>],
    router: usize,
) -> &Switch<P, V, B> {
    let at = shards.partition_point(|shard| shard.first_router <= router) - 1;
    &shards[at].routers[router - shards[at].first_router]
}

#[cfg(test)]
mod tests;
