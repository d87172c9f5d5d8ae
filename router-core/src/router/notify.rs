//! What a router broadcasts in its group, and what it does with broadcasts (ECtN, PB): only where new packets react to them.

use super::Router;
use crate::header::Header;
use crate::plan::Plan;
use crate::route::{Arrival, Route, way_out};
use crate::units::{Bits, Channel, PortClass, PortId, VcId};
use crate::vc::{Descriptor, VcState};

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The destination group of each packet at the front of its VCs that leaves this group, those on their way out included. Packets count
    /// that have come from a node or from another group.
    pub fn leaving<'a, R: Route<B>>(
        &'a self,
        plan: &'a Plan<P>,
        routing: &'a R,
    ) -> impl Iterator<Item = u32> + 'a {
        Self::channels(plan).filter_map(move |at| self.group_of(plan, routing, at))
    }

    /// The destination group of the front packet of one VC, as its address says: for routings that count together.
    pub fn leaves_for(&self, plan: &Plan<P>, Channel { port, vc }: Channel) -> Option<u32> {
        let flow = self.flows.get(port, vc)?;
        let packet = self.front(plan, port, vc).filter(|_| flow.state() != VcState::Idle)?;
        way_out(&self.here, Arrival { port, kind: plan.links.class(port), vc }, &packet.header)
    }

    /// The ways to these groups are contended, and no others.
    pub fn tell(&mut self, plan: &Plan<P>, routing: &impl Route<B>, contended: impl Iterator<Item = u32>) {
        if self.contention.notices.replace(contended) {
            for at in Self::channels(plan).filter(|at| plan.links.class(at.port) == PortClass::NODE) {
                let group = self.group_of(plan, routing, at);
                self.contention.notices.heed(at, group);
            }
        }
    }

    /// Whether the way to a group is contended, by the last broadcasts.
    pub fn told_of(&self, group: u32) -> bool {
        self.contention.notices.is_contended(group)
    }

    /// `flits` flits of no packet enter the FIFO of an output; returns the link cycle in which the last of them leaves.
    pub fn occupy(&mut self, port: PortId, next: u64, flits: u32) -> u64 {
        let Some(out) = self.outputs.get_mut(port) else { return next };
        let at = out.occupy(next, flits);
        if out.is_full(next, self.full_at) {
            self.full.insert(port);
        }
        at
    }

    /// A packet comes to the front of a VC, or is the one behind a tail.
    #[inline(never)]
    pub(super) fn heed(&mut self, routing: &impl Route<B>, from: Arrival, header: &Header) {
        if from.kind == PortClass::NODE {
            let group = routing.leaves_for(&self.here, from, header);
            self.contention.notices.heed(Channel::new(from.port, from.vc), group);
        }
    }

    /// The group that the front packet of a VC is leaving its own one for.
    fn group_of(
        &self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
    ) -> Option<u32> {
        let (front, flow) = (self.fronts.get(port, vc)?, self.flows.get(port, vc)?);
        if flow.state() == VcState::Idle {
            return None;
        }
        let packet = front.packet(self.store.as_ref(), plan.links.ring(port, vc))?;
        routing.leaves_for(&self.here, Arrival { port, kind: plan.links.class(port), vc }, &packet.header)
    }

    /// Every VC of every port.
    fn channels(plan: &Plan<P>) -> impl Iterator<Item = Channel> {
        let ports = plan.links.each();
        ports.flat_map(|port| (0..V as u8).map(move |vc| Channel::new(port, VcId::new(vc))))
    }
}
