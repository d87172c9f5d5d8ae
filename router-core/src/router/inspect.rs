//! Reading a router's state, at any time.

use super::Router;
use crate::alloc::Allocator;
use crate::discard::Discard;
use crate::event::ProtocolError;
use crate::header::Packet;
use crate::lfsr::Lfsr;
use crate::output::OutputPort;
use crate::plan::Plan;
use crate::units::{Bits, Channel, PortId, PortSet, VcId, VcSet};
use crate::vc::{Descriptor, InputVc};

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Packets that have `port` as their minimal output.
    pub fn contention(&self, port: PortId) -> u16 {
        self.contention.at(port)
    }
    /// One input VC, in ascending order.
    pub fn input(&self, port: PortId, vc: VcId) -> Option<InputVc<B>> {
        let (flow, mut front) = (*self.flows.get(port, vc)?, *self.fronts.get(port, vc)?);
        if self.deciding.contains(port, vc) {
            front.ask(PortSet::EMPTY);
        }
        Some(InputVc { flow, front })
    }
    /// The output at which the front packet of an input VC is counted, if there is one that waits or leaves.
    pub fn counted_at(&self, port: PortId, vc: VcId) -> Option<PortId> {
        let flow = self.flows.get(port, vc)?;
        if !flow.is_active() && !flow.is_waiting() {
            return None;
        }
        Some(self.fronts.get(port, vc)?.minimal())
    }
    /// Flits of a packet for a group that a copy has read, and that stay in the buffer of an input VC for other branches.
    pub fn kept(&self, plan: &Plan<P>, port: PortId, vc: VcId) -> u16 {
        let packet = self.front(plan, port, vc).filter(|_| self.copying.contains(port, vc));
        let left = self.flows.get(port, vc).map_or(0, |flow| flow.left());
        packet.map_or(0, |packet| packet.header.length.wrapping_sub(left))
    }
    /// The packet at the front of an input VC.
    pub fn front(&self, plan: &Plan<P>, port: PortId, vc: VcId) -> Option<Packet> {
        self.fronts.get(port, vc)?.packet(self.store.as_ref(), plan.links.ring(port, vc))
    }
    /// One output port; its VCs in ascending order.
    pub fn output(&self, port: PortId) -> Option<&OutputPort<V>> {
        self.outputs.get(port)
    }
    /// The VCs behind an output that packets hold.
    pub fn owned(&self, port: PortId) -> VcSet {
        self.owned.at(port)
    }
    /// Visits each input VC whose front packet waits to be granted an output, with the packet and whether it requests one already.
    pub fn each_waiting(&self, plan: &Plan<P>, mut visit: impl FnMut(Channel, &Packet, bool)) {
        self.waiting.each(|port, vc| {
            if let (Some(front), Some(packet)) = (self.fronts.get(port, vc), self.front(plan, port, vc)) {
                let requests = !front.request().is_empty() && !self.deciding.contains(port, vc);
                visit(Channel::new(port, vc), &packet, requests);
            }
        });
    }
    /// What an input VC asks the allocator for in the next cycle, where requests are registered: an output, and a VC behind it.
    pub fn wants(&self, port: PortId, vc: VcId) -> Option<Channel> {
        self.admitted.of(port, vc)
    }
    /// The VC of an input of which a flit leaves in the next cycle, and by which output into which VC, where grants are registered.
    pub fn granted(&self, port: PortId) -> Option<(VcId, Channel)> {
        self.admitted.granted_of(port)
    }
    /// Whether the head of the newest packet of an input VC was written in the cycle before, where packets are marked.
    pub fn is_fresh(&self, port: PortId, vc: VcId) -> bool {
        self.fresh.contains(port, vc)
    }
    /// The allocator, with its pointers.
    pub const fn allocator(&self) -> &Allocator<P, V, B> {
        &self.allocator
    }
    /// How often a protocol error occurred; stays at 65,535.
    pub fn errors(&self, error: ProtocolError) -> u32 {
        self.errors.get(error.index()).copied().unwrap_or_default().into()
    }
    /// Protocol errors of all kinds.
    pub fn error_count(&self) -> u32 {
        self.errors.iter().fold(0, |sum, &count| sum.saturating_add(count.into()))
    }
    /// How many packets have been discarded for a reason; stays at 65,535.
    pub fn discards(&self, why: Discard) -> u32 {
        self.discards.get(why.index()).copied().unwrap_or_default().into()
    }
    /// The word in the random register.
    pub const fn lfsr(&self) -> Lfsr {
        self.lfsr
    }
}
