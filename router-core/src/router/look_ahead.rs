//! Stages 2 and 3, a packet early: while a tail leaves, the packet behind it is routed and selected, so that it requests an output
//! in the next cycle.

use super::Router;
use crate::alloc::Grants;
use crate::plan::{CountAt, Plan};
use crate::route::{Arrival, Route};
use crate::select::{Outputs, Waiting};
use crate::units::{Bits, Channel, PortId, PortSet, VcId};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Routes and selects the packets behind the tails that are granted, before anything leaves: the inputs where there is one.
    ///
    /// A packet of one flit is head and tail, and selection is its own while it waits; what is behind it is routed as it leaves
    /// ([`ask_only`](Self::ask_only)). So is what is behind any tail where nothing is [selected ahead](crate::options::Options::select_ahead).
    #[inline(always)]
    pub(super) fn look_ahead<const COPIES: bool>(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        grants: &Grants<P, B>,
    ) -> PortSet<B> {
        let mut shown = PortSet::EMPTY;
        // A copy: nothing leaves the set here.
        let ending = self.ending;
        ending.each(|input, vc| {
            if plan.options.select_ahead
                && grants.vc_of(input) == Some(vc)
                && !(COPIES && self.copying.contains(input, vc))
                && self.fronts.get(input, vc).is_some_and(|front| front.packets() > 1)
                && self.show_behind(plan, routing, Channel::new(input, vc)).is_some()
            {
                shown.insert(input);
            }
        });
        shown
    }

    /// Routes and selects the packet behind a tail. `None`: there is none, or no route for it.
    #[inline(never)]
    fn show_behind(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
    ) -> Option<()> {
        let holds = self.flows.get(port, vc)?.to();
        let ring = plan.links.ring(port, vc);
        let front = self.fronts.get(port, vc)?;
        let packet = front.packet_behind(self.store.as_ref(), ring)?;
        let from = Arrival { port, kind: plan.links.class(port), vc };
        let candidates = self.offer(plan, routing, from, &packet.header).ok()?;
        let tap = self.lfsr.tap(port.number(), vc.number());
        let minimal = match plan.count_at {
            CountAt::Arrival => front.counted_behind(self.store.as_ref(), ring),
            CountAt::Head => {
                let counted = routing.counted(&self.here, &packet.header, &candidates);
                plan.preference.own(counted, front.minimal(), || tap)
            }
        }?;
        if candidates.is_empty() {
            return None;
        }
        if plan.listens() {
            self.heed(routing, from, &packet.header);
        }
        // The tail gives back what it holds.
        let (mut owned, mut held) = (self.owned.clone(), self.held);
        owned.remove(holds.port, holds.vc);
        held.release(port, holds.port);
        let view = Outputs { owned: &owned, held: held.outputs(), ..self.view(plan) };
        let length = packet.header.length;
        let packet = Waiting { at: Channel::new(port, vc), candidates: &candidates, minimal, length, tap };
        let request = plan.selection.choose(&packet, &view);
        let front = self.fronts.get_mut(port, vc)?;
        front.count_behind(self.store.as_mut(), ring, minimal);
        front.show(&candidates, request);
        Some(())
    }

    /// The packet behind a tail, which has been shown, comes to the front. One without a choice keeps its request.
    #[inline]
    pub(super) fn move_up(&mut self, plan: &Plan<P>, from @ Channel { port, vc }: Channel) {
        let ring = plan.links.ring(port, vc);
        let Some(front) = self.fronts.get(port, vc) else { return };
        let (Some(packet), Some(minimal)) =
            (front.packet(self.store.as_ref(), ring), front.counted_before(self.store.as_ref(), ring))
        else {
            return;
        };
        if !front.candidates().ports().is_single() {
            self.undecided.insert(port, vc);
        }
        self.waiting.insert(port, vc);
        self.come_forward(plan, from, minimal, packet.header.length);
    }

    /// A packet that has come to the front unselected requests the only output that it may leave by.
    #[inline]
    pub(super) fn ask_only(&mut self, input: PortId, vc: VcId) {
        let Some(front) = self.fronts.get_mut(input, vc) else { return };
        let ports = front.candidates().ports();
        if ports.is_single() {
            front.ask(ports);
            self.deciding.remove(input, vc);
        }
    }
}
