//! Stages 4, 1 and 2: what was on the wires is written; a head that comes to the front is routed and counted.

mod mark;

use super::Router;
use crate::draw::any;
use crate::event::{Event, ProtocolError, emit};
use crate::header::{Flit, Header, Packet};
use crate::plan::{CountAt, Plan};
use crate::route::{Arrival, Here, Route};
use crate::units::{Bits, Channel, PortId, PortSet, VcId};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Stage 2: routes the front packet of a VC, and counts it if it has not been counted on arrival. Its header is at hand where it comes.
    #[inline(never)]
    pub(super) fn route_front(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port: input, vc }: Channel,
        header: &Header,
    ) -> Result<(), ProtocolError> {
        if plan.links.flow.goes_ahead() {
            return self.route_ahead(plan, routing, input, vc);
        }
        // Set before routing: a packet that cannot be routed stays in this set for ever (and is reported).
        self.waiting.insert(input, vc);
        let front = self.fronts.get_mut(input, vc).ok_or(ProtocolError::NoSuchVc)?;
        let from = Arrival { port: input, kind: plan.links.class(input), vc };
        let offered = routing.offer(&self.here, from, header);
        // Not copied before they are kept.
        let candidates = match &offered {
            Ok(candidates) => candidates,
            &Err(full) => return Err(full.into()),
        };
        if plan.discards()
            && let Some(why) = Self::why_discarded(plan, &self.here, from, header, candidates)
        {
            self.discard(Channel::new(input, vc), header.length, why);
            return Ok(());
        }
        let minimal = match plan.count_at {
            CountAt::Arrival => front.counted_before(self.store.as_ref(), plan.links.ring(input, vc)),
            CountAt::Head => {
                let counted = routing.counted(&self.here, header, candidates);
                let tap = || self.lfsr.tap(input.number(), vc.number());
                plan.preference.own(counted, front.minimal(), tap)
            }
        };
        let minimal = minimal.ok_or(ProtocolError::NoRoute)?;
        if candidates.is_empty() {
            return Err(ProtocolError::NoRoute);
        }
        match candidates.only_way() {
            Some(only) if !plan.links.flow.backtracks() => {
                front.show(candidates, only);
                self.deciding.insert(input, vc);
            }
            _ => {
                front.show(candidates, PortSet::EMPTY);
                self.undecided.insert(input, vc);
            }
        }
        if plan.listens() {
            self.heed(routing, from, header);
        }
        self.come_forward(plan, Channel::new(input, vc), minimal, header.length);
        Ok(())
    }

    /// A routed packet of `length` flits is at the front of its VC, which is among those that wait: it is counted if it has not been counted
    /// on arrival.
    #[inline]
    pub(super) fn come_forward(
        &mut self,
        plan: &Plan<P>,
        Channel { port, vc }: Channel,
        minimal: PortId,
        length: u16,
    ) {
        if let (Some(front), Some(flow)) = (self.fronts.get_mut(port, vc), self.flows.get_mut(port, vc)) {
            front.count(minimal);
            flow.wait(length);
        }
        if plan.count_at == CountAt::Head {
            self.contention.rise(minimal);
        }
    }

    /// Counts a packet whose head has just been written.
    fn count_arrival(&mut self, plan: &Plan<P>, routing: &impl Route<B>, from: Arrival, packet: &Packet) {
        // What cannot be routed is reported where it comes to the front.
        let Ok(candidates) = self.offer(plan, routing, from, &packet.header) else { return };
        let tap = || self.lfsr.tap(from.port.number(), from.vc.number());
        let Some(minimal) = any(routing.counted(&self.here, &packet.header, &candidates), tap) else {
            return;
        };
        debug_assert!(plan.count_at == CountAt::Arrival);
        if let Some(front) = self.fronts.get(from.port, from.vc) {
            front.count_newest(self.store.as_mut(), plan.links.ring(from.port, from.vc), minimal);
        }
        self.contention.rise(minimal);
    }

    /// Stage 4: a flit that was on a wire in the cycle before, for the VC at `port` with the name `vc` on that wire.
    ///
    /// # Errors
    /// When it breaks the protocol: the flit is dropped and counted. When the packet it brought to the front cannot be
    /// routed: that is counted, too, and the packet stays where it is and blocks its VC. So does one that is routed to where
    /// it can never go, which breaks no protocol: [`stranded`](Router::stranded) names those.
    ///
    /// Where VCs share places, the neighbour has to have a credit: [`take_flit`](Router::take_flit) is for those that may have none.
    #[inline]
    pub fn handle_flit(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
        flit: &Flit,
    ) -> Result<(), ProtocolError> {
        let to = Channel::new(port, plan.links.relabel(port, vc));
        let result = match flit {
            Flit::Head(packet) => self.write_head(plan, routing, to, packet),
            Flit::Body { tail } => self.write_body(plan, to, *tail),
        };
        result.map_err(|error| self.refuse(plan, to, error))
    }

    /// Where there is no such port or VC, no head was ever written, so that this flit is refused, too.
    #[inline(always)]
    fn write_body(
        &mut self,
        plan: &Plan<P>,
        Channel { port, vc }: Channel,
        tail: bool,
    ) -> Result<(), ProtocolError> {
        let (Some(flow), true) = (self.flows.get_mut(port, vc), Self::is_place(port, vc)) else {
            return Err(ProtocolError::NoSuchVc);
        };
        flow.write_body(tail, plan.links.depth(Channel::new(port, vc)))?;
        self.streaming.insert_if(flow.is_active(), port, vc);
        // A VC whose front packet is discarded has something to do again.
        if !cfg!(feature = "small") & flow.is_discarding() {
            self.waiting.insert(port, vc);
        }
        Ok(())
    }

    #[inline(never)]
    fn write_head(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
        packet: &Packet,
    ) -> Result<(), ProtocolError> {
        if plan.links.flow.goes_ahead() {
            return self.write_ahead(plan, routing, Channel::new(port, vc), packet);
        }
        self.write_parts(plan, routing, Channel::new(port, vc), packet, (packet, None))
    }

    /// Writes the head of a packet that becomes two as it comes, or does not.
    #[inline(always)]
    pub(super) fn write_parts(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
        packet: &Packet,
        (first, rest): (&Packet, Option<&Packet>),
    ) -> Result<(), ProtocolError> {
        let known = Self::is_known(&self.here, plan, port, vc);
        let (Some(front), Some(flow), true) =
            (self.fronts.get_mut(port, vc), self.flows.get_mut(port, vc), known)
        else {
            return Err(ProtocolError::NoSuchVc);
        };
        flow.accept_head(packet.header.length, plan.links.depth(Channel::new(port, vc)))?;
        let comes_first = front.push(self.store.as_mut(), plan.links.ring(port, vc), first)?;
        if let Some(rest) = rest {
            front.push(self.store.as_mut(), plan.links.ring(port, vc), rest)?;
        }
        flow.write_head(packet.header.length);
        if plan.marks() {
            self.fresh.insert(port, vc);
        }
        if plan.count_at == CountAt::Arrival {
            self.count_arrival(plan, routing, Arrival { port, kind: plan.links.class(port), vc }, packet);
        }
        if comes_first {
            self.route_front(plan, routing, Channel::new(port, vc), &first.header)
        } else {
            Ok(())
        }
    }

    /// Stage 6: a credit that was on a wire in the cycle before, for the VC at `port` with the name `vc` on that wire.
    ///
    /// # Errors
    /// When there is no such VC, or its buffer was empty already; nothing changes but the count of errors.
    #[inline]
    pub fn handle_credit(
        &mut self,
        plan: &Plan<P>,
        Channel { port, vc }: Channel,
    ) -> Result<(), ProtocolError> {
        let vc = plan.links.relabel(port, vc);
        // Where there is no such port or VC, all credits are here: no flit ever took one.
        let out = self.outputs.get_mut(port).filter(|_| Self::is_place(port, vc));
        let given = out.map(|out| out.credits.give(vc, plan.links.own_depth(Channel::new(port, vc))));
        match given {
            Some(Ok(())) => Ok(()),
            _ => self.give_back_shared(plan, Channel::new(port, vc)),
        }
    }

    /// Whether the router has a place for such a port and VC.
    #[inline(always)]
    pub(super) const fn is_place(port: PortId, vc: VcId) -> bool {
        (port.index() < P) & (vc.index() < V)
    }

    /// Whether it is connected there, and has this VC.
    #[inline(always)]
    pub(super) fn is_known(here: &Here<B>, plan: &Plan<P>, port: PortId, vc: VcId) -> bool {
        Self::is_place(port, vc) && here.wired.contains(port) && plan.links.vcs(port).contains(vc)
    }

    /// Counts and reports an error: that there is no such port or VC, where there is none.
    #[cold]
    pub(super) fn refuse(
        &mut self,
        plan: &Plan<P>,
        Channel { port, vc }: Channel,
        error: ProtocolError,
    ) -> ProtocolError {
        let known = Self::is_known(&self.here, plan, port, vc);
        let error = if known { error } else { ProtocolError::NoSuchVc };
        if let Some(count) = self.errors.get_mut(error.index()) {
            *count = count.saturating_add(1);
        }
        emit(Event::Refused { router: self.here.router, port, vc, error });
        error
    }
}
