//! Nodes at work: they inject what they generate, one flit a cycle, and check what they are sent.

use super::Network;
use super::active::ActiveSet;
use super::fault::Fault;
use super::node::Sending;
use super::packets::Record;
use router_core::header::{Flit, Packet};
use router_core::route::{HopKind, Route};
use router_core::units::VcId;

impl<const P: usize, const V: usize> Network<'_, P, V> {
    pub(super) fn wake_nodes(&mut self) {
        let Self { alarm, ready, cycle, .. } = self;
        alarm.ring(*cycle, |node| ready.insert(node as usize));
    }

    /// Each node that has a flit to send and a credit for it puts it on its wire.
    pub(super) fn inject(&mut self) {
        let mut ready = std::mem::replace(&mut self.ready, ActiveSet::new(0));
        ready.retain(|node| self.inject_at(node));
        self.ready = ready;
    }

    /// Says whether the node may have something to send in the next cycle.
    #[inline]
    fn inject_at(&mut self, at: usize) -> bool {
        let node = &mut self.nodes[at];
        match node.sending {
            Sending::Packet { vc, left } => {
                if node.credits[vc.index()] == 0 {
                    return false;
                }
                node.sending =
                    if left == 1 { Sending::Between } else { Sending::Packet { vc, left: left - 1 } };
                self.send(at, vc, Flit::Body { tail: left == 1 });
                true
            }
            Sending::Between => self.start_packet(at),
        }
    }

    /// Starts the next packet of a node, if it is due and there is room for it.
    fn start_packet(&mut self, at: usize) -> bool {
        let node = &mut self.nodes[at];
        let Some(packet) = node.next else { return false };
        if packet.at > self.cycle {
            // Its alarm has been set when it became the next one.
            return false;
        }
        let Some(vc) = node.roomiest(self.plan.flow.room(self.length, HopKind::Minimal)) else {
            return false;
        };
        node.next = node.generator.next(self.traffic);
        if let Some(next) = node.next.filter(|next| next.at > self.cycle) {
            self.alarm.set(next.at, at as u32);
        }
        let length = self.length;
        if length > 1 {
            node.sending = Sending::Packet { vc, left: length - 1 };
        }
        let here = self.routers[node.router as usize].here();
        let to = self.nodes[packet.to as usize].to;
        let header = self.routing.launch(here, to, length, &mut self.random);
        let tag = self.packets.enter(Record {
            generated: packet.at,
            injected: self.cycle,
            to: packet.to,
            length,
            ..Record::default()
        });
        self.send(at, vc, Flit::Head(Packet { header, tag }));
        true
    }

    #[inline]
    fn send(&mut self, at: usize, vc: VcId, flit: Flit) {
        let node = &mut self.nodes[at];
        node.credits[vc.index()] -= 1;
        let latency = self.links_to_node(at);
        let to = self.nodes[at].at;
        self.wheel.flit(self.speedup * (self.cycle + latency) + 1, to, vc, flit);
        self.injected[at] += 1;
        self.flits_in += 1;
        self.moved = self.moved.max(self.cycle);
    }

    #[inline]
    fn links_to_node(&self, node: usize) -> u64 {
        let (router, port) = self.nodes[node].at.as_port::<P>();
        u64::from(self.links[router * P + usize::from(port)].latency)
    }

    /// A node takes a flit off its wire, on which it was in link cycle `now`, and returns the credit.
    #[inline]
    pub(super) fn receive(&mut self, node: usize, vc: VcId, flit: Flit, now: u64) {
        let latency = self.links_to_node(node);
        let receiver = &mut self.nodes[node];
        self.wheel.credit(self.speedup * (now + latency) + 1, receiver.at, vc);
        self.flits_out += 1;
        self.tally.flits += 1;
        let receiving = &mut receiver.receiving[vc.index()];
        let tag = match (flit, *receiving) {
            (Flit::Head(packet), None) => packet.tag,
            (Flit::Body { .. }, Some(tag)) => tag,
            _ => return self.misdelivered(node, "a packet inside another, or without its head"),
        };
        let record = self.packets.get_mut(tag);
        record.delivered += 1;
        if record.to as usize != node || !record.live {
            return self.misdelivered(node, "a packet for another node");
        }
        *receiving = if flit.is_tail() { None } else { Some(tag) };
        if flit.is_tail() {
            if record.delivered != record.length {
                return self.misdelivered(node, "a packet with flits lost or duplicated");
            }
            let record = self.packets.leave(tag);
            self.tally.deliver(&record, now);
            if let Some(series) = &mut self.series {
                series.deliver(&record, now);
            }
        }
    }

    #[cold]
    fn misdelivered(&mut self, node: usize, what: &'static str) {
        self.fault.get_or_insert(Fault::Misdelivered { cycle: self.cycle, node, what });
    }
}
