//! Packets that are discarded ([`crate::discard`]) leave their VCs.

use super::{Router, Wires};
use crate::alloc::Grants;
use crate::discard::{self, Discard};
use crate::event::{Event, emit};
use crate::header::{Flit, Header};
use crate::plan::Plan;
use crate::route::{Arrival, Candidates, Full, Here, Route};
use crate::units::{Bits, Channel, PortId, PortSet, VcId};
use crate::vc::{Descriptor, VcState};

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// What the routing offers a packet; nothing where it is discarded.
    ///
    /// # Errors
    /// When there are more sets of candidates than a packet has room for.
    #[inline(always)]
    pub(super) fn offer(
        &self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        from: Arrival,
        header: &Header,
    ) -> Result<Candidates<B>, Full> {
        let candidates = routing.offer(&self.here, from, header)?;
        let is_discarded =
            plan.discards() && Self::why_discarded(plan, &self.here, from, header, &candidates).is_some();
        Ok(if is_discarded { Candidates::NONE } else { candidates })
    }

    /// Why a packet with these candidates is discarded, if it is.
    pub(super) fn why_discarded(
        plan: &Plan<P>,
        here: &Here<B>,
        from: Arrival,
        header: &Header,
        candidates: &Candidates<B>,
    ) -> Option<Discard> {
        let is_here = here.router == header.to.router;
        discard::why(plan, here, Channel::new(from.port, from.vc), is_here, candidates.ports())
    }

    /// The front packet of a VC, of `length` flits, is discarded: counted, and reported.
    #[cold]
    pub(super) fn discard(&mut self, Channel { port, vc }: Channel, length: u16, why: Discard) {
        if let Some(flow) = self.flows.get_mut(port, vc) {
            flow.discard(length, why);
        }
        if let Some(count) = self.discards.get_mut(why.index()) {
            *count = count.saturating_add(1);
        }
        emit(Event::Discarded { router: self.here.router, port, vc, why });
    }

    /// The first VC of each input of which no flit is granted that discards and holds a flit. As registers were before the grants.
    #[inline(never)]
    pub(super) fn discarding(&self, grants: &Grants<P, B>) -> [Option<VcId>; P] {
        let mut found = [None; P];
        self.waiting.each(|input, vc| {
            let is_discarding = self.flows.get(input, vc).is_some_and(|flow| flow.is_discarding());
            if let Some(first) = found.get_mut(input.index())
                && is_discarding
                && grants.vc_of(input).is_none()
            {
                *first = first.or(Some(vc));
            }
        });
        found
    }

    /// A flit of each of these VCs leaves, by no output.
    #[inline(never)]
    pub(super) fn drop_flits(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        vcs: &[Option<VcId>; P],
        wires: &mut impl Wires,
    ) {
        for (port, vc) in (0..=u8::MAX).map(PortId::new).zip(vcs) {
            if let Some(vc) = *vc {
                self.drop_flit(plan, routing, Channel::new(port, vc), wires);
            }
        }
    }

    fn drop_flit(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        from @ Channel { port, vc }: Channel,
        wires: &mut impl Wires,
    ) {
        let front = self.front(plan, port, vc);
        let (Some(flow), Some(packet)) = (self.flows.get_mut(port, vc), front) else { return };
        let VcState::Discarding { why } = flow.state() else { return };
        let is_head = flow.left() == packet.header.length;
        let is_tail = flow.read();
        if flow.flits() == 0 || is_tail {
            self.waiting.remove(port, vc);
        }
        wires.discard(&if is_head { Flit::Head(packet) } else { Flit::Body { tail: is_tail } }, why);
        wires.credit(Channel::new(port, plan.links.relabel(port, vc)));
        if is_tail {
            self.drop_front(plan, routing, from);
        }
    }

    /// The front packet is gone; the one behind it comes to the front, or the VC falls idle.
    fn drop_front(&mut self, plan: &Plan<P>, routing: &impl Route<B>, from @ Channel { port, vc }: Channel) {
        let (Some(front), Some(flow)) = (self.fronts.get_mut(port, vc), self.flows.get_mut(port, vc)) else {
            return;
        };
        front.finish(plan.links.ring(port, vc));
        front.ask(PortSet::EMPTY);
        flow.finish();
        if plan.has_lifetimes() {
            self.heads.forget(from);
        }
        self.bring_next(plan, routing, from);
    }
}
