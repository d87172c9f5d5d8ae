//! Stage 6: a granted flit leaves its buffer, and the packet behind a tail comes to the front.

use super::{Router, Wires};
use crate::alloc::Grant;
use crate::event::{Event, emit};
use crate::header::{Flit, Packet};
use crate::options::AllocationUnit;
use crate::output::OutputPort;
use crate::plan::Plan;
use crate::route::{HopKind, Route};
use crate::units::{Bits, Channel, PortSet, VcId};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Stage 6: one granted flit leaves. `shown`: the packet behind its tail has been routed and selected. `COPIES`: some packets leave by
    /// several outputs.
    #[inline(always)]
    pub(super) fn traverse<const COPIES: bool>(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        next: u64,
        granted: Grant,
        shown: bool,
        wires: &mut impl Wires,
    ) {
        let Grant { input, vc, .. } = granted;
        let Some(flow) = self.flows.get(input, vc) else { return };
        let is_tail = if flow.is_active() {
            let to = Channel::new(granted.output, flow.to().vc);
            self.send_body::<COPIES>(plan, next, Channel::new(input, vc), to, wires)
        } else {
            self.send_head::<COPIES>(plan, routing, next, granted, wires)
        };
        if is_tail && COPIES && self.copying.contains(input, vc) {
            self.rewind(plan, Channel::new(input, vc));
        } else if is_tail {
            self.finish(plan, routing, Channel::new(input, vc), shown);
        }
    }

    /// A flit of a packet that is leaving: whether it is the tail.
    #[inline(always)]
    fn send_body<const COPIES: bool>(
        &mut self,
        plan: &Plan<P>,
        next: u64,
        from: Channel,
        to: Channel,
        wires: &mut impl Wires,
    ) -> bool {
        let (at, is_tail) = self.depart(plan, next, from, to);
        let (label, freed) = plan.links.relabel_both(to, from);
        wires.flit(Channel::new(to.port, label), at, Flit::Body { tail: is_tail });
        let stays = COPIES && self.copying.contains(from.port, from.vc);
        self.free(stays, Channel::new(from.port, freed), wires);
        is_tail
    }

    /// The head of a waiting front packet: whether it is the tail, too. Apart from later flits, which are most.
    #[inline(never)]
    fn send_head<const COPIES: bool>(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        next: u64,
        granted: Grant,
        wires: &mut impl Wires,
    ) -> bool {
        let Grant { input, vc, output, .. } = granted;
        let from = Channel::new(input, vc);
        if !self.flows.get(input, vc).is_some_and(|flow| flow.is_waiting()) {
            return false;
        }
        let again = self.is_back(input, vc);
        let stays = COPIES && self.stays(plan, from, output);
        let Some((mut packet, hop, out_vc)) = self.leave_head(plan, routing, granted) else { return false };
        let to = Channel::new(output, out_vc);
        let (at, is_tail) = self.depart(plan, next, from, to);
        let (label, freed) = plan.links.relabel_both(to, from);
        if stays {
            self.copying.insert(input, vc);
            packet.tag = wires.copy(&packet);
        }
        wires.hop(&packet, output, hop);
        wires.granted(from, output, at);
        wires.flit(Channel::new(output, label), at, Flit::Head(packet));
        if !again {
            self.free(stays, Channel::new(input, freed), wires);
        }
        is_tail
    }

    /// A flit moves from its buffer into an output's FIFO: the link cycle in which it leaves that, and whether it is a tail.
    #[inline(always)]
    fn depart(&mut self, plan: &Plan<P>, next: u64, from: Channel, to: Channel) -> (u64, bool) {
        let has_credit = |out: &OutputPort<V>| out.credits.left(to.vc) > 0;
        debug_assert!(
            self.outputs.get(to.port).is_none_or(has_credit),
            "CREDIT-NO-DEBT: a flit leaves without a credit"
        );
        let (Some(flow), Some(out)) = (self.flows.get_mut(from.port, from.vc), self.outputs.get_mut(to.port))
        else {
            return (next, false);
        };
        let is_tail = flow.read();
        if is_tail | (flow.flits() == 0) {
            self.streaming.remove(from.port, from.vc);
        }
        if flow.left() <= 1 {
            if is_tail {
                self.owned.remove(to.port, to.vc);
            } else {
                self.ending.insert(from.port, from.vc);
            }
        }
        let (at, mut queued) = out.push(to.vc, next);
        let looked_at = self.looked_at();
        if queued >= looked_at {
            if !cfg!(feature = "small") && looked_at == 0 {
                self.lend(plan, to);
                queued = self.take_time(to.port, next);
            }
            if queued >= self.full_at {
                self.full.insert(to.port);
            }
        }
        (at, is_tail)
    }

    /// Gives a waiting front packet its output VC: the packet as it goes on, its hop, and the VC.
    #[inline(always)]
    fn leave_head(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Grant { input, vc, output, out_vc }: Grant,
    ) -> Option<(Packet, HopKind, VcId)> {
        let front = self.fronts.get(input, vc)?;
        let mut packet = front.packet(self.store.as_ref(), plan.links.ring(input, vc))?;
        let is_single = front.request().is_single();
        let (hop, out_vc) = match front.candidates().only_kind(output) {
            _ if plan.options.pipeline.registers_requests() => (self.admitted.hop(input, vc), out_vc),
            Some(hop) if is_single => (hop, out_vc),
            _ => {
                // The set that admission found: an output is granted to one input, so nothing of it has been taken since.
                let view = self.view(plan);
                let (hop, open) = view.open(output, front.candidates(), packet.header.length);
                // With several requests the packet was offered the VC of the first output.
                let taken = || view.vc_of(open, || self.lfsr.tap(input.number(), vc.number()));
                (hop, if is_single { out_vc } else { taken()? })
            }
        };
        packet.header = routing.onward(&self.here, &packet.header, plan.links.class(output), hop);
        if hop != HopKind::Minimal {
            let router = self.here.router;
            emit(Event::Detoured { router, from: input, vc, to: output, hop });
        }
        self.owned.insert(output, out_vc);
        if plan.options.allocation_unit == AllocationUnit::Packet {
            self.held.take(input, output);
        }
        if let Some(lanes) = plan.lanes() {
            self.allocator.send(lanes, output, out_vc, packet.header.length);
        }
        if plan.has_lifetimes() {
            self.pass(Channel::new(output, out_vc));
        }
        self.flows.get_mut(input, vc)?.activate(output, out_vc);
        self.fronts.get_mut(input, vc)?.ask(PortSet::only(output));
        self.waiting.remove(input, vc);
        self.undecided.remove(input, vc);
        self.streaming.insert(input, vc);
        Some((packet, hop, out_vc))
    }

    /// The front packet has left; the one behind it comes to the front, or the VC falls idle. `shown`: the one behind it has been
    /// routed and selected.
    #[inline]
    fn finish(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        from @ Channel { port, vc }: Channel,
        shown: bool,
    ) {
        let (Some(front), Some(flow)) = (self.fronts.get_mut(port, vc), self.flows.get_mut(port, vc)) else {
            return;
        };
        self.ending.remove(port, vc);
        if plan.options.allocation_unit == AllocationUnit::Packet {
            self.held.release(port, flow.to().port);
        }
        self.contention.fall(front.minimal());
        front.finish(plan.links.ring(port, vc));
        flow.finish();
        if shown {
            self.move_up(plan, from);
            return;
        }
        front.ask(PortSet::EMPTY);
        if front.packets() > 0 {
            self.bring_next(plan, routing, from);
        }
    }

    /// The packet behind one that has left, if there is one, comes to the front unselected.
    #[inline(never)]
    pub(super) fn bring_next(&mut self, plan: &Plan<P>, routing: &impl Route<B>, from: Channel) {
        let Channel { port, vc } = from;
        let Some(Packet { header, .. }) = self.front(plan, port, vc) else { return };
        match self.route_front(plan, routing, from, &header) {
            Ok(())
                if plan.discards() && self.flows.get(port, vc).is_some_and(|flow| flow.is_discarding()) => {}
            Ok(()) => self.ask_only(port, vc),
            Err(error) => {
                self.refuse(plan, from, error);
            }
        }
    }
}
