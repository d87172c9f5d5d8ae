//! Circuits: answers on their way back to the source of a probe, and probes that go back themselves.
//!
//! The head of a packet is the probe. It takes hold of one VC after the other, as the head of a wormhole does; its body stays at the
//! source until an answer has come back along what it holds. Under [`FlowControl::PipelinedCircuit`] a probe that finds each of its ways
//! held by other packets is refused. The router forgets it, and the one before releases its output and does not try that one again for this
//! probe. It has no place in a buffer there, since the data that come behind a probe need all of them: it waits in the registers of its VC.
//!
//! [`FlowControl::PipelinedCircuit`]: crate::links::FlowControl::PipelinedCircuit

use super::{Router, Wires};
use crate::alloc::Grants;
use crate::draw::any;
use crate::event::ProtocolError;
use crate::plan::Plan;
use crate::units::{Bits, Channel, PortId, PortSet, VcId};
use crate::vc::Descriptor;

/// What comes back to a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Answer {
    /// It has come to its destination: the whole path is held.
    Established,
    /// It found no way on from the router that answers, which holds nothing for it any more.
    Refused {
        /// Whether its head had a place in the buffer there: its credit comes back, too.
        place: bool,
    },
}

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// An answer that was on a wire in the cycle before, to the packet that holds the VC with the name `vc` behind output `port`.
    /// One that goes on is on the wire of the packet's input in link cycle `at`.
    ///
    /// # Errors
    /// When no packet holds that VC; nothing changes.
    pub fn handle_answer(
        &mut self,
        plan: &Plan<P>,
        Channel { port, vc }: Channel,
        answer: Answer,
        at: u64,
        wires: &mut impl Wires,
    ) -> Result<(), ProtocolError> {
        let to = Channel::new(port, plan.links.relabel(port, vc));
        let Some(from) = self.holder(plan, to) else {
            return Err(self.refuse(plan, to, ProtocolError::BodyWithoutHead));
        };
        match answer {
            Answer::Established => {
                let label = plan.links.relabel(from.port, from.vc);
                wires.answer(Channel::new(from.port, label), at, answer);
            }
            Answer::Refused { place } => self.take_back(plan, (from, to), place, wires),
        }
        Ok(())
    }

    /// The input VC whose front packet holds a VC behind an output.
    fn holder(&self, plan: &Plan<P>, to: Channel) -> Option<Channel> {
        let holds = |port: PortId, vc: VcId| {
            self.flows.get(port, vc).is_some_and(|flow| flow.is_active() && flow.to() == to)
        };
        let ports = self.here.wired.into_iter();
        let mut channels = ports.flat_map(|port| plan.links.vcs(port).into_iter().map(move |vc| (port, vc)));
        channels.find(|&(port, vc)| holds(port, vc)).map(|(port, vc)| Channel::new(port, vc))
    }

    /// A probe has come back from an output, which it does not try again.
    fn take_back(
        &mut self,
        plan: &Plan<P>,
        (from, to): (Channel, Channel),
        place: bool,
        wires: &mut impl Wires,
    ) {
        let Channel { port, vc } = from;
        if let (true, Some(out)) = (place, self.outputs.get_mut(to.port)) {
            // It was taken when the head left, so that there is room for it.
            let _ = out.credits.give(to.vc, plan.links.buffer(to.port));
        }
        let (Some(flow), Some(front)) = (self.flows.get_mut(port, vc), self.fronts.get_mut(port, vc)) else {
            return;
        };
        let Some(packet) = front.packet(self.store.as_ref(), plan.links.ring(port, vc)) else { return };
        flow.wait(packet.header.length);
        front.show(&front.candidates().without(to.port), PortSet::EMPTY);
        self.owned.remove(to.port, to.vc);
        self.ending.remove(port, vc);
        self.waiting.insert(port, vc);
        self.undecided.insert(port, vc);
        wires.back(&packet);
    }

    /// Whether the front packet of a VC is a probe that has come back. If so, its head may leave once more.
    #[inline(always)]
    pub(super) fn is_back(&mut self, input: PortId, vc: VcId) -> bool {
        let Some(flow) = self.flows.get_mut(input, vc) else { return false };
        let is_back = !cfg!(feature = "small") & flow.is_back();
        if is_back {
            flow.put_back();
        }
        is_back
    }

    /// Stage 3 for probes that wait for nothing that others hold: each that was not granted requests an output behind which a VC is free, or
    /// nothing.
    #[inline(never)]
    pub(super) fn search(&mut self, plan: &Plan<P>, grants: &Grants<P, B>) {
        let undecided = self.undecided;
        undecided.each(|input, vc| {
            if grants.vc_of(input) == Some(vc) {
                return;
            }
            let way = self.free_way(plan, input, vc);
            if let Some(front) = self.fronts.get_mut(input, vc) {
                front.ask(way.map_or(PortSet::EMPTY, PortSet::only));
            }
        });
    }

    /// Sends the probes back that request nothing: to be called after each [`step`](Self::step), before anything is written, where
    /// [probes go back](crate::links::FlowControl::backtracks). The answers are on their wires in link cycle `next`.
    pub fn turn_back(&mut self, plan: &Plan<P>, next: u64, wires: &mut impl Wires) {
        let undecided = self.undecided;
        undecided.each(|input, vc| {
            if self.fronts.get(input, vc).is_some_and(|front| front.request().is_empty()) {
                self.refuse_probe(plan, next, Channel::new(input, vc), wires);
            }
        });
    }

    /// An output of a probe's behind which no other packet holds a VC that it may take: one that takes it now, if there is one.
    fn free_way(&self, plan: &Plan<P>, input: PortId, vc: VcId) -> Option<PortId> {
        let front = self.fronts.get(input, vc)?;
        let all = front.candidates();
        let view = self.view(plan);
        let is_free = |port: &PortId| {
            let vcs = all.vcs_at(*port).and(plan.links.vcs(*port));
            self.here.wired.contains(*port) && !vcs.minus(self.owned.at(*port)).is_empty()
        };
        let free: PortSet<B> = all.ports().into_iter().filter(is_free).collect();
        let open: PortSet<B> = free.into_iter().filter(|&port| view.is_open(port, all, 1)).collect();
        let ways = if open.is_empty() { free } else { open };
        ways.first()?;
        let tap = || self.lfsr.tap(input.number(), vc.number());
        if view.preference.draws_ports() { any(ways, tap) } else { view.prefer(ways, front.minimal(), tap) }
    }

    /// A probe goes back to the router before, or to its node.
    fn refuse_probe(&mut self, plan: &Plan<P>, next: u64, from: Channel, wires: &mut impl Wires) {
        let Channel { port, vc } = from;
        let (Some(flow), Some(front)) = (self.flows.get_mut(port, vc), self.fronts.get_mut(port, vc)) else {
            return;
        };
        let place = flow.withdraw();
        let minimal = front.minimal();
        front.finish(plan.links.ring(port, vc));
        self.waiting.remove(port, vc);
        self.undecided.remove(port, vc);
        self.contention.fall(minimal);
        let to = Channel::new(port, plan.links.relabel(port, vc));
        wires.answer(to, next, Answer::Refused { place });
    }
}
