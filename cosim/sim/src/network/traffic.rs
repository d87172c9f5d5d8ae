//! Nodes at work: they inject what they generate, one flit a cycle, and check what they are sent.

use super::active::ActiveSet;
use super::constants::Constants;
use super::launch::{Launch, Launches};
use super::node::{Receiving, Sending};
use super::packets::Record;
use super::shard::Shard;
use super::violation::Violation;
use super::wheel::OnWire;
use router_core::header::Flit;
use router_core::route::Route;
use router_core::units::VcId;
use std::num::NonZeroU16;

impl<const P: usize, const V: usize> Shard<P, V> {
    pub(super) fn wake_nodes(&mut self) {
        let Self { timers, ready, cycle, .. } = self;
        timers.ring(*cycle, |node| ready.insert(node as usize));
    }

    /// Each node that has a flit to send and a credit for it puts it on its wire. Returns whether any node was ready.
    pub(super) fn inject<R: Route>(&mut self, constants: &Constants<'_, P, R>) -> bool {
        let mut ready = std::mem::replace(&mut self.ready, ActiveSet::new(0));
        let any = ready.retain(|node| self.inject_at(constants, node));
        self.ready = ready;
        any
    }

    /// Says whether the node may have something to send in the next cycle.
    #[inline]
    fn inject_at<R: Route>(&mut self, constants: &Constants<'_, P, R>, at: usize) -> bool {
        let node = &mut self.nodes[at];
        match node.sending {
            Sending::Packet { vc, left } => {
                if node.credits[vc.index()] == 0 {
                    return false;
                }
                node.sending =
                    if left == 1 { Sending::Between } else { Sending::Packet { vc, left: left - 1 } };
                let (to, when) = (node.at, self.wire_time(constants));
                self.wheel.body(when, OnWire::new(to, vc, left == 1));
                self.count_sent(at, vc);
                true
            }
            Sending::Between => self.start_packet(constants, at),
        }
    }

    /// When the router writes what a node puts on its wire now.
    #[inline(always)]
    fn wire_time<R>(&self, constants: &Constants<'_, P, R>) -> u64 {
        constants.speedup * self.cycle + constants.node_delay + 1
    }

    /// Starts the next packet of a node, if it is due and there is room for it.
    fn start_packet<R: Route>(&mut self, constants: &Constants<'_, P, R>, at: usize) -> bool {
        let when = self.wire_time(constants);
        let node = &mut self.nodes[at];
        let Some(packet) = node.next else { return false };
        if packet.at > self.cycle {
            // Its timers has been set when it became the next one.
            return false;
        }
        let length = constants.length;
        let Some(vc) = node.vc_with_most_credits(constants.flow.room(length, true)) else {
            return false;
        };
        node.next = node.generator.next(constants.traffic);
        if let Some(next) = node.next.filter(|next| next.at > self.cycle) {
            self.timers.set(self.cycle + 1, next.at, at as u32);
        }
        if length > 1 {
            node.sending = Sending::Packet { vc, left: length - 1 };
        }
        let tag = self.packets.enter(Record {
            generated: packet.at,
            injected: self.cycle,
            to: packet.to,
            length,
            ..Record::default()
        });
        let here = *self.routers[node.at.as_port::<P>().0].router.here();
        let launch = Launch { here, to: constants.addresses[packet.to as usize], when, at: node.at, vc, tag };
        match &mut self.launches {
            Launches::Now(random) => launch.onto(&mut self.wheel, launch.header(constants, random)),
            Launches::Later(launches) => launches.push(launch),
        }
        self.count_sent(at, vc);
        true
    }

    #[inline(always)]
    fn count_sent(&mut self, at: usize, vc: VcId) {
        self.nodes[at].credits[vc.index()] -= 1;
        self.injected[at] += 1;
        self.flits_in += 1;
        self.moved = self.moved.max(self.cycle);
    }

    /// A node takes a flit off its wire, on which it was in link cycle `now`, and returns the credit.
    #[inline]
    pub(super) fn receive<R: Route>(
        &mut self,
        constants: &Constants<'_, P, R>,
        node: usize,
        vc: VcId,
        flit: Flit,
        now: u64,
    ) {
        let receiver = &mut self.nodes[node];
        let credit = OnWire::new(receiver.at, vc, false);
        self.wheel.credit(constants.speedup * now + constants.node_delay + 1, credit);
        self.flits_out += 1;
        self.tally.flits += 1;
        let receiving = &mut receiver.receiving[vc.index()];
        let came = match (flit, *receiving) {
            (Flit::Head(packet), None) => {
                let record = self.packets.get(packet.tag);
                if record.to as usize != self.first_node + node || !record.live {
                    return self.misdelivered(node, "a packet for another node");
                }
                Receiving { tag: packet.tag, flits: NonZeroU16::MIN }
            }
            (Flit::Body { .. }, Some(Receiving { tag, flits })) => {
                Receiving { tag, flits: flits.saturating_add(1) }
            }
            _ => return self.misdelivered(node, "a packet inside another, or without its head"),
        };
        if !flit.is_tail() {
            *receiving = Some(came);
            return;
        }
        *receiving = None;
        let record = self.packets.leave(came.tag);
        if came.flits.get() != record.length {
            return self.misdelivered(node, "a packet with flits lost or duplicated");
        }
        self.tally.deliver(&record, now);
        if let Some(series) = &mut self.series {
            series.deliver(&record, now);
        }
    }

    #[cold]
    fn misdelivered(&mut self, node: usize, what: &'static str) {
        let node = self.first_node + node;
        self.violation.get_or_insert(Violation::Misdelivered { cycle: self.cycle, node, what });
    }
}
