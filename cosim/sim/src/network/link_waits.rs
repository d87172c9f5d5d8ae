//! How long heads wait for the links by which they leave, where results have details.
//!
//! The wait of a head for a link ends in the cycle in which it is on the wire. It begins in the cycle in which it would be there if it were
//! granted as soon as it is first in its VC, with its route known and its request registered. In an empty network that is 0.

use super::Switch;
use super::shard::Shard;
use crate::blueprint::Blueprint;
use router_core::options::Pipeline;
use router_core::units::{Bits, Channel, PortId, VcId};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The waits of the heads in a range of routers with `ports` ports of `vcs` VCs.
pub(crate) struct LinkWaits {
    ports: usize,
    vcs: usize,
    /// Internal cycles in which each head is seen to wait although nothing is in its way.
    pipeline: u64,
    speedup: u64,
    /// By router, input port and VC.
    fronts: Vec<Front>,
    /// By router and output port.
    links: Vec<LinkWait>,
}

/// A packet at the front of an input VC that has not been granted an output.
#[derive(Debug, Clone, Copy, Default)]
struct Front {
    tag: u32,
    /// The internal cycle behind the one in which it was last seen.
    next: u64,
    /// Internal cycles in which it was seen, that of its selection included.
    seen: u64,
}

/// What heads have waited for a link, since the last reset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkWait {
    pub(crate) heads: u64,
    /// Link cycles, of all of them.
    pub(crate) cycles: u64,
}

impl LinkWait {
    /// The mean, in link cycles; NaN without a head.
    pub(crate) fn mean(self) -> f64 {
        self.cycles as f64 / self.heads as f64
    }
}

impl LinkWaits {
    /// Those of some routers; nothing without `run.details`.
    pub(crate) fn new(
        blueprint: &Blueprint,
        routers: &Range<usize>,
        ports: usize,
        vcs: usize,
    ) -> Option<Self> {
        let scenario = blueprint.scenario();
        // A head that is written into an empty VC is selected in one cycle and granted in the next.
        let pipeline = 2 + scenario.router.options.pipeline.cycles() - Pipeline::Four.cycles();
        let outputs = routers.len() * ports;
        scenario.run.details.then(|| Self {
            ports,
            vcs,
            pipeline: pipeline.into(),
            speedup: scenario.router.options.speedup.into(),
            fronts: vec![Front::default(); outputs * vcs],
            links: vec![LinkWait::default(); outputs],
        })
    }

    fn front(&mut self, router: usize, port: PortId, vc: VcId) -> Option<&mut Front> {
        self.fronts.get_mut((router * self.ports + port.index()) * self.vcs + vc.index())
    }

    /// A packet waits at the front of an input VC at the begin of an internal cycle. One that comes up behind a tail has been selected by
    /// then; another one is in this cycle.
    pub(crate) fn see(
        &mut self,
        router: usize,
        Channel { port, vc }: Channel,
        tag: u32,
        selected: bool,
        internal: u64,
    ) {
        let Some(front) = self.front(router, port, vc) else { return };
        if (front.tag, front.next) != (tag, internal) || front.seen == 0 {
            *front = Front { tag, next: internal, seen: u64::from(selected) };
        }
        front.next = internal + 1;
        front.seen += 1;
    }

    /// It has been granted an output in that cycle, whose wire it is on in link cycle `at`.
    pub(crate) fn grant(&mut self, router: usize, from: Channel, output: PortId, at: u64, internal: u64) {
        let (pipeline, speedup) = (self.pipeline, self.speedup);
        let Some(front) = self.front(router, from.port, from.vc) else { return };
        let first = internal - std::mem::take(front).seen.saturating_sub(pipeline);
        if let Some(link) = self.links.get_mut(router * self.ports + output.index()) {
            link.heads += 1;
            // What is granted in a link cycle is on an idle wire in the next one.
            link.cycles += at - (first / speedup + 1);
        }
    }

    /// Forgets what has been granted so far.
    pub(crate) fn reset(&mut self) {
        self.links.fill(LinkWait::default());
    }

    /// What has been waited for an output of a router.
    pub(crate) fn of(&self, router: usize, output: PortId) -> LinkWait {
        self.links.get(router * self.ports + output.index()).copied().unwrap_or_default()
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// Notes which heads wait at the begin of an internal cycle.
    #[cold]
    #[inline(never)]
    pub(super) fn see_waiting(&mut self, internal: u64) {
        let Self { routers, waits: Some(waits), .. } = self else { return };
        for (at, Switch { router, plan, .. }) in routers.iter().enumerate() {
            router.each_waiting(plan, |from, packet, selected| {
                waits.see(at, from, packet.tag, selected, internal);
            });
        }
    }
}
