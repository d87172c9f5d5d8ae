//! UGAL that knows more than its router: the flags of a group (piggybacking), or the queues of all routers (an oracle).
//!
//! Source: Jiang, Kim and Dally, ISCA 2009 (PB); Kim et al., ISCA 2008 (UGAL-G). Whether a packet takes the shortest way is decided as it
//! leaves its node, when all shards have come to the end of the cycle. Nothing of this is sent over links: flags are out of band, and the
//! queues of other routers are known at once, which no hardware can do.

use super::Switch;
use super::constants::Constants;
use super::launch::Launch;
use super::shard::Shard;
use crate::blueprint::Blueprint;
use crate::topology::{Peer, Wiring};
use router_core::header::Header;
use router_core::route::ugal_dragonfly::{Knowledge, Piggyback, UgalDragonflyScheme};
use router_core::route::{Arrival, Route, RoutingScheme};
use router_core::select::Selection;
use router_core::select::ugal::{Queue, UgalTrigger};
use router_core::units::{PortClass, PortId, VcId, VcSet};
use std::collections::VecDeque;

/// More links than any route has.
const LONGEST: usize = 16;
/// Bits of a factor behind the point.
const FRACTION: u32 = 8;

/// What decides for all sources.
pub(crate) struct Informed<'b> {
    wiring: &'b Wiring,
    knowledge: Knowledge,
    piggyback: Piggyback,
    trigger: UgalTrigger,
    /// Cycles that a flag takes to the other routers of the group.
    latency: u64,
    /// Flits of a packet.
    packet: u32,
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
    scheme.knowledge.is_of_sources().then_some(scheme)
}

/// Whether headers are drawn where all shards have come to the same cycle, even if there is one.
pub(crate) fn is_informed(blueprint: &Blueprint) -> bool {
    scheme(blueprint).is_some()
}

impl<'b> Informed<'b> {
    /// That of a network whose sources are informed.
    pub(crate) fn new(blueprint: &'b Blueprint) -> Option<Self> {
        let scheme = scheme(blueprint)?;
        let trigger = match blueprint.scenario().selection.trigger {
            Selection::Ugal(trigger) => trigger,
            _ => UgalTrigger::default(),
        };
        Some(Self {
            wiring: blueprint.wiring(),
            knowledge: scheme.knowledge,
            piggyback: scheme.piggyback,
            trigger,
            latency: blueprint.latency(PortClass::LOCAL).into(),
            packet: blueprint.scenario().longest_packet(),
            flags: VecDeque::new(),
        })
    }

    /// Takes in the state at the end of a cycle.
    pub(crate) fn observe<const P: usize, const V: usize>(&mut self, cycle: u64, shards: &[Shard<P, V>]) {
        if self.knowledge != Knowledge::Group {
            return;
        }
        // The newest that is old enough stays.
        while self.flags.get(1).is_some_and(|&(at, _)| at + self.latency <= cycle) {
            self.flags.pop_front();
        }
        let flags = shards.iter().flat_map(|shard| &shard.routers).flat_map(|switch| {
            (0..self.wiring.ports()).map(|port| congested(switch, self.piggyback, self.packet, port))
        });
        let flags = flags.collect();
        self.flags.push_back((cycle, flags));
    }

    /// The header of a new packet, as it was drawn, with the way that the packet takes.
    pub(crate) fn decide<const P: usize, const V: usize, R: Route>(
        &self,
        constants: &Constants<'_, P, R>,
        shards: &[Shard<P, V>],
        shard: usize,
        launch: &Launch,
        drawn: Header,
    ) -> Header {
        let with = |is_ahead| Header { progress: drawn.progress.with_via_ahead(is_ahead), ..drawn };
        let (at, port) = launch.at.as_port::<P>();
        let start = (shards[shard].first_router + at, port);
        let steps = |header| self.walk(constants, shards, start, header);
        let (minimal, detour) = (steps(with(false)), steps(with(true)));
        let is_better = minimal != detour
            && match self.knowledge {
                Knowledge::Router | Knowledge::Credits => false,
                Knowledge::Group => {
                    let cycle = shards[shard].cycle;
                    self.is_flagged(cycle, shards, &minimal) || self.is_shorter(shards, &minimal, &detour)
                }
                Knowledge::Oracle => {
                    let waiting = |steps: &[Step]| -> u64 {
                        steps.iter().map(|&step| self.waiting(shards, step)).sum()
                    };
                    waiting(&minimal) > waiting(&detour) + u64::from(self.trigger.bias)
                }
            };
        with(is_better)
    }

    /// The links from a router to the destination, one way.
    fn walk<const P: usize, const V: usize, R: Route>(
        &self,
        constants: &Constants<'_, P, R>,
        shards: &[Shard<P, V>],
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
            let kind = plan.class(port);
            let hop = candidates.holding(port).next().map(|set| set.kind).unwrap_or_default();
            steps.push(Step { router, port, vc });
            header = constants.routing.onward(core.here(), &header, kind, hop);
            from = Arrival { port: PortId::new(there), kind, vc };
            router = next as usize;
        }
        steps
    }

    /// Whether the global link of the way that is in the packet's own group is flagged, as its router knows.
    fn is_flagged<const P: usize, const V: usize>(
        &self,
        cycle: u64,
        shards: &[Shard<P, V>],
        minimal: &[Step],
    ) -> bool {
        let global = minimal.iter().find(|step| is_global(switch(shards, step.router), step.port));
        let (Some(global), Some(first)) = (global, minimal.first()) else { return false };
        // A router knows its own flags at once.
        let delay = if first.router == global.router { 0 } else { self.latency };
        let known = self.flags.iter().rev().find(|(at, _)| at + delay <= cycle);
        known.is_some_and(|(_, flags)| {
            flags[global.router * self.wiring.ports() + global.port.index()].contains(global.vc)
        })
    }

    /// Whether the queue at the router itself, times hops, is shorter by the detour.
    fn is_shorter<const P: usize, const V: usize>(
        &self,
        shards: &[Shard<P, V>],
        minimal: &[Step],
        detour: &[Step],
    ) -> bool {
        let cost = |steps: &[Step]| {
            let hops = steps.len() as u64;
            steps.first().map_or(0, |&step| hops * u64::from(self.queue(switch(shards, step.router), step)))
        };
        cost(minimal) > cost(detour) + u64::from(self.trigger.bias)
    }

    /// The queue of an output as the trigger has it.
    fn queue<const P: usize, const V: usize>(&self, switch: &Switch<P, V>, step: Step) -> u32 {
        match self.trigger.queue {
            Queue::Port => used(switch, step.port, switch.plan.vcs(step.port)),
            Queue::Vc => used(switch, step.port, VcSet::only(step.vc)),
            Queue::Packets => switch.router.contention(step.port).into(),
        }
    }

    /// Flits in the FIFO before a link and in the buffers behind it.
    fn waiting<const P: usize, const V: usize>(&self, shards: &[Shard<P, V>], step: Step) -> u64 {
        let near = switch(shards, step.router);
        let cycle = shards.first().map_or(0, |shard| shard.cycle);
        let fifo = near.router.output(step.port).map_or(0, |out| out.waiting(cycle));
        let Some(Peer::Router { router, port }) = self.wiring.peer(step.router, step.port.index()) else {
            return fifo;
        };
        let (far, port) = (switch(shards, router as usize), PortId::new(port));
        let inside = |vc| far.router.input(port, vc).map_or(0, |input| u64::from(input.flits()));
        fifo + far.plan.vcs(port).iter().map(inside).sum::<u64>()
    }
}

/// A router by its number in the network.
fn switch<const P: usize, const V: usize>(shards: &[Shard<P, V>], router: usize) -> &Switch<P, V> {
    let at = shards.partition_point(|shard| shard.first_router <= router) - 1;
    &shards[at].routers[router - shards[at].first_router]
}

fn is_global<const P: usize, const V: usize>(switch: &Switch<P, V>, port: PortId) -> bool {
    switch.plan.class(port) == PortClass::GLOBAL
}

/// Flits that credits say are in use in some VCs behind a port.
fn used<const P: usize, const V: usize>(switch: &Switch<P, V>, port: PortId, vcs: VcSet) -> u32 {
    let depth = switch.plan.buffer(port);
    let Some(out) = switch.router.output(port) else { return 0 };
    vcs.iter().map(|vc| u32::from(out.credits.occupancy(vc, depth))).sum()
}

/// The VCs of a global port that are fuller than `factor` times the mean of the router's global ports, and some packets.
fn congested<const P: usize, const V: usize>(
    switch: &Switch<P, V>,
    Piggyback { factor, packets }: Piggyback,
    packet: u32,
    port: usize,
) -> VcSet {
    let port = PortId::new(port as u8);
    if !is_global(switch, port) {
        return VcSet::EMPTY;
    }
    let wired = switch.router.here().wired;
    let globals = || wired.iter().filter(|&port| is_global(switch, port));
    let (ports, slack) = (globals().count() as u64, u64::from(packets) * u64::from(packet));
    let is_congested = |vc: &VcId| {
        let of = |port| u64::from(used(switch, port, VcSet::only(*vc)));
        let mean = u64::from(factor.to_bits()) * globals().map(of).sum::<u64>();
        // used > factor · sum / ports + slack, without a division.
        (of(port) * ports) << FRACTION > mean + ((slack * ports) << FRACTION)
    };
    let all = switch.plan.vcs(port).iter().filter(is_congested);
    all.fold(VcSet::EMPTY, |all, vc| all.union(VcSet::only(vc)))
}

#[cfg(test)]
mod tests;
