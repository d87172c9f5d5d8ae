//! Stage 4: a packet whose head is written is marked where it meets congestion ([`crate::mark`]).

use super::super::Router;
use crate::draw::any;
use crate::header::Packet;
use crate::mark::limit;
use crate::plan::Plan;
use crate::route::{Arrival, Route};
use crate::units::{PortId, VcId, VcSet};
use crate::vc::{Descriptor, VcState};

impl<S, const P: usize, const V: usize> Router<S, P, V>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The packet as it is written: with a forward mark if it meets congestion. Marks of other routers stay.
    ///
    /// Work: one route computation, and a look at each VC that holds a flit.
    #[inline(never)]
    pub(super) fn marked(
        &self,
        plan: &Plan<P>,
        routing: &impl Route,
        from: Arrival,
        packet: &Packet,
    ) -> Packet {
        let mut packet = *packet;
        if self.meets_congestion(plan, routing, from, &packet) {
            let carried = packet.header.carried;
            packet.header.carried = carried.with_marks(true, carried.backward_mark());
        }
        packet
    }

    fn meets_congestion(&self, plan: &Plan<P>, routing: &impl Route, from: Arrival, packet: &Packet) -> bool {
        let length = packet.header.length;
        let tap = || self.lfsr.tap(from.port.number(), from.vc.number());
        // What cannot be routed is reported where it comes to the front.
        let Ok(candidates) = routing.offer(&self.here, from, &packet.header) else { return false };
        let Some(output) = any(candidates.preferred(), tap) else { return false };
        let vcs = candidates.vcs_at(output).and(plan.vcs(output));
        let size = u32::from(plan.buffer(output)).wrapping_mul(vcs.len() as u32);
        let Some(limit) = limit(plan.marking.weight(output, vcs), size) else { return false };
        let room = plan.room_at(output, plan.flow.room(length, true));
        let is_root = self.outputs.get(output).is_some_and(|out| {
            let behind = out.waiting(self.next).saturating_sub(length.into()).min(room.into());
            !out.roomy(vcs, room.saturating_sub(behind as u16)).is_empty()
        });
        (is_root || plan.marking.victim_mask.contains(output))
            && self.queue(output, vcs) > limit
            && plan.marking.settings.picks(length, tap)
    }

    /// Flits in the input buffers that wait for these VCs of an output: those behind a front packet with it.
    pub fn queue(&self, output: PortId, vcs: VcSet) -> u32 {
        let mut flits = 0u32;
        let mut count = |input: PortId, vc: VcId| {
            let (Some(flow), Some(front)) = (self.flows.get(input, vc), self.fronts.get(input, vc)) else {
                return;
            };
            let waits = match flow.state() {
                VcState::Idle => false,
                VcState::Active { out, vc } => out == output && vcs.contains(vc),
                VcState::Waiting => {
                    front.minimal() == output && !front.candidates().vcs_at(output).and(vcs).is_empty()
                }
            };
            flits = flits.wrapping_add(if waits { flow.flits().into() } else { 0 });
        };
        self.streaming.each(&mut count);
        self.waiting.each(count);
        flits
    }
}
