//! Mad postman: packets that go ahead of their addresses.
//!
//! A packet brings an address for each dimension in which it travels, ahead of its data and in the order of the dimensions. A router sends
//! what comes straight on, in the same dimension, while it reads the address: so that no time for routing is seen. Where the packet turns,
//! or is for a node here, that was wrong. The address has gone straight on, *dead*, and is no part of the packet any more; what follows
//! goes where it should. A dead address goes on until it leaves the network, or is blocked: then the router that has it kills it.
//!
//! Here the router makes two packets of the one whose head comes, at once, but neither moves early. The address keeps its length and
//! requests the output straight ahead in the next cycle. The rest requests its own when the address is gone. Source: Jesshope, Miller and
//! Yantchev, 1989; the textbook's 3.2.6 (`docs/papers.md`).

use super::{Router, Wires};
use crate::event::ProtocolError;
use crate::header::{Header, Packet, TAG_BITS};
use crate::layout;
use crate::plan::Plan;
use crate::route::{Arrival, Candidates, Route};
use crate::units::{Bits, Channel, PortId, PortSet, VcId, VcSet};
use crate::vc::Descriptor;

/// What the field `via` of a dead address has, which the routings that go with mad postman do not use.
const DEAD: u32 = (1 << layout::VIA_BITS) - 1;

/// The tag of dead addresses, which are no packets to their network.
pub const DEAD_TAG: u32 = (1 << TAG_BITS) - 1;

/// Whether a packet is a dead address.
const fn is_dead(header: &Header) -> bool {
    header.via == DEAD
}

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The dead address that a packet leaves behind where it does not go straight on, and what is left of it; nothing where it does.
    fn cut(
        &self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
        packet: &Packet,
    ) -> Option<(Packet, Packet)> {
        let from = Arrival { port, kind: plan.links.class(port), vc };
        let (straight, header) = (routing.straight(from)?, packet.header);
        let ways = routing.offer(&self.here, from, &header).ok()?.ports();
        let left = header.length.checked_sub(plan.options.address_flits).filter(|&left| left > 0)?;
        if is_dead(&header) || ways == PortSet::only(straight) {
            return None;
        }
        let dead = Header { via: DEAD, length: plan.options.address_flits, ..header };
        let rest = Header { length: left, ..header };
        Some((Packet { header: dead, tag: DEAD_TAG }, Packet { header: rest, ..*packet }))
    }

    /// Stage 4: writes the head of a packet that may leave a dead address behind.
    #[inline(never)]
    pub(super) fn write_ahead(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        to: Channel,
        packet: &Packet,
    ) -> Result<(), ProtocolError> {
        let known = Self::is_known(&self.here, plan, to.port, to.vc);
        let parts = if known { self.cut(plan, routing, to, packet) } else { None };
        let (first, rest) = parts.as_ref().map_or((packet, None), |(dead, rest)| (dead, Some(rest)));
        self.write_parts(plan, routing, to, packet, (first, rest))
    }

    /// Stages 2 and 3 in one: the front packet of a VC requests its only output, in the next cycle in which its head is here.
    #[inline(never)]
    pub(super) fn route_ahead(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        input: PortId,
        vc: VcId,
    ) -> Result<(), ProtocolError> {
        // As in `route_front`.
        self.waiting.insert(input, vc);
        let from = Arrival { port: input, kind: plan.links.class(input), vc };
        let front = self.fronts.get_mut(input, vc).ok_or(ProtocolError::NoSuchVc)?;
        let packet = front.packet(self.store.as_ref(), plan.links.ring(input, vc));
        let Packet { header, .. } = packet.ok_or(ProtocolError::NoSuchVc)?;
        let (candidates, counted) = if is_dead(&header) {
            let straight = routing.straight(from).ok_or(ProtocolError::NoRoute)?;
            let there = PortSet::only(straight).and(self.here.wired);
            (Candidates::minimal(there, VcSet::from_bits(u8::MAX)), straight)
        } else {
            let offered = routing.offer(&self.here, from, &header)?;
            (offered, offered.ports().first().ok_or(ProtocolError::NoRoute)?)
        };
        front.show(&candidates, candidates.ports());
        self.come_forward(plan, Channel::new(input, vc), counted, header.length);
        Ok(())
    }

    /// Kills a flit of each dead address that is blocked, and gives its credit back: to be called after each [`step`](Self::step), before
    /// anything is written, where packets [go ahead](crate::links::FlowControl::goes_ahead). Says how many were killed.
    ///
    /// An address is blocked where there is no output straight ahead, or where its head has not left by the time that its last flit is
    /// here. Before that, a router cannot know that it is dead.
    pub fn kill_dead(&mut self, plan: &Plan<P>, routing: &impl Route<B>, wires: &mut impl Wires) -> u64 {
        let mut killed = 0u64;
        // A copy, since what is killed leaves the set on the way.
        let waiting = self.waiting;
        waiting.each(|port, vc| {
            let at = Channel::new(port, vc);
            if self.is_blocked(plan, at) {
                killed = killed.wrapping_add(1);
                self.kill_flit(plan, routing, at, wires);
            }
        });
        killed
    }

    /// Whether the front packet of a VC is a dead address that goes no further, with a flit of it here.
    fn is_blocked(&self, plan: &Plan<P>, Channel { port, vc }: Channel) -> bool {
        let (Some(flow), Some(front)) = (self.flows.get(port, vc), self.fronts.get(port, vc)) else {
            return false;
        };
        let goes_no_further = front.request().is_empty() || flow.is_whole();
        let packet = || front.packet(self.store.as_ref(), plan.links.ring(port, vc));
        flow.flits() > 0 && goes_no_further && packet().is_some_and(|packet| is_dead(&packet.header))
    }

    fn kill_flit(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
        wires: &mut impl Wires,
    ) {
        let (Some(flow), Some(front)) = (self.flows.get_mut(port, vc), self.fronts.get_mut(port, vc)) else {
            return;
        };
        front.ask(PortSet::EMPTY);
        wires.credit(Channel::new(port, plan.links.relabel(port, vc)));
        if !flow.read() {
            return;
        }
        self.contention.fall(front.minimal());
        front.finish(plan.links.ring(port, vc));
        flow.finish();
        self.waiting.remove(port, vc);
        if front.packets() > 0
            && let Err(error) = self.route_ahead(plan, routing, port, vc)
        {
            self.refuse(plan, Channel::new(port, vc), error);
        }
    }
}
