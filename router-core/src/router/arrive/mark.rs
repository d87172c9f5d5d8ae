//! Stage 4: a packet whose head has been written is marked where it meets congestion ([`crate::mark`]).

use super::super::Router;
use crate::draw::any;
use crate::header::Packet;
use crate::mark::limit;
use crate::plan::Plan;
use crate::route::{Arrival, Route};
use crate::units::{Bits, PortId, VcId, VcSet};
use crate::vc::{Descriptor, Flow, VcState};
use crate::vc_sets::VcSets;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The packets whose heads came in the cycle before get a forward mark if they meet congestion, as all registers were at its end: none
    /// of them can have left. Marks of other routers stay.
    ///
    /// Work, for each of them: one route computation, and a look at each VC that holds a flit.
    #[inline(never)]
    pub(in super::super) fn mark(&mut self, plan: &Plan<P>, routing: &impl Route<B>, next: u64) {
        let fresh = core::mem::replace(&mut self.fresh, VcSets::EMPTY);
        fresh.each(|port, vc| {
            let ring = plan.links.ring(port, vc);
            let from = Arrival { port, kind: plan.links.class(port), vc };
            let newest = self.fronts.get(port, vc).and_then(|front| front.newest(self.store.as_ref(), ring));
            if newest.is_some_and(|packet| self.meets_congestion(plan, routing, from, &packet, next))
                && let Some(front) = self.fronts.get(port, vc)
            {
                front.mark_newest(self.store.as_mut(), ring);
            }
        });
    }

    fn meets_congestion(
        &self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        from: Arrival,
        packet: &Packet,
        next: u64,
    ) -> bool {
        let length = packet.header.length;
        let tap = || self.lfsr.tap(from.port.number(), from.vc.number());
        // What cannot be routed is reported where it comes to the front.
        let Ok(candidates) = self.offer(plan, routing, from, &packet.header) else { return false };
        let Some(output) = any(routing.counted(&self.here, &packet.header, &candidates), tap) else {
            return false;
        };
        let vcs = candidates.vcs_at(output).and(plan.links.vcs(output));
        let size = plan.links.depth_of_all(output, vcs);
        let Some(limit) = limit(plan.marking.weight(output, vcs), size) else { return false };
        // It is a flit of the queue where its VC is.
        let itself = self.waits_for(from.port, from.vc, output, vcs).is_some();
        let room = plan.links.room_at(output, plan.links.flow.room(length, true));
        let is_root = self.outputs.get(output).is_some_and(|out| {
            let behind = self.queued(output, next).saturating_sub(length.into()).min(room.into());
            out.has_room(vcs, room.saturating_sub(behind as u16))
        });
        (is_root || plan.marking.victim_mask.contains(output))
            && self.queue(output, vcs).saturating_sub(itself.into()) > limit
            && plan.marking.settings.picks(length, tap)
    }

    /// An input VC whose front packet holds one of these VCs of an output, or waits for that and may take one of them.
    fn waits_for(&self, input: PortId, vc: VcId, output: PortId, vcs: VcSet) -> Option<&Flow> {
        let (flow, front) = (self.flows.get(input, vc)?, self.fronts.get(input, vc)?);
        let waits = match flow.state() {
            VcState::Idle | VcState::Discarding { .. } => false,
            VcState::Active { out, vc } => out == output && vcs.contains(vc),
            VcState::Waiting => {
                front.minimal() == output && !front.candidates().vcs_at(output).and(vcs).is_empty()
            }
        };
        waits.then_some(flow)
    }

    /// Flits in the input buffers that wait for these VCs of an output: those behind a front packet with it.
    pub fn queue(&self, output: PortId, vcs: VcSet) -> u32 {
        let mut flits = 0u32;
        let mut count = |input: PortId, vc: VcId| {
            let waiting = self.waits_for(input, vc, output, vcs).map_or(0, Flow::flits);
            flits = flits.wrapping_add(waiting.into());
        };
        self.streaming.each(&mut count);
        self.waiting.each(count);
        flits
    }
}
