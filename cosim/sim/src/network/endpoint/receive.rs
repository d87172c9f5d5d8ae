//! End nodes receive: they check what comes, and answer it.

use super::super::circuits::AnswerOnWire;
use super::super::constants::Constants;
use super::super::packets::Record;
use super::super::shard::Shard;
use super::super::violation::Violation;
use super::super::wheel::OnWire;
use super::{Kind, Receiving};
use crate::traffic::Generated;
use router_core::header::Packet;
use router_core::route::Route;
use router_core::router::Answer;
use router_core::units::{Bits, VcId};
use std::num::NonZeroU16;

/// What is wrong with a flit that no packet waits for, or a head that comes too early.
const OUT_OF_PLACE: &str = "a packet inside another, or without its head";

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// A node takes the head of a packet off its wire, on which it was in link cycle `now`, and returns the credit.
    #[inline(never)]
    pub(in super::super) fn receive_head<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        node: usize,
        vc: VcId,
        packet: &Packet,
        now: u64,
    ) {
        let when = self.return_credit(constants, node, vc, now);
        let receiver = &mut self.nodes[node];
        let receiving = &mut receiver.receiving[vc.index()];
        if receiving.is_some() {
            return self.misdelivered(node, OUT_OF_PLACE);
        }
        let record = self.packets.get(packet.tag);
        let here = self.first_node + node;
        let is_wrong =
            |record| !constants.is_channel_of(here, record) && !constants.is_for_member(here, record);
        if record.to as usize != here && is_wrong(record) || !record.live {
            return self.misdelivered(node, "a packet for another node");
        }
        if record.kind == Kind::Message {
            return self.take_message(node, packet);
        }
        if let Some(circuits) = &mut self.circuits {
            circuits.put(when, AnswerOnWire { to: receiver.at, vc, answer: Answer::Established });
        }
        let carried = packet.header.carried;
        let mut path = 0;
        if let (Some(chooser), Some(choice)) = (&constants.chooser, &mut receiver.choice) {
            path = choice.came_by(&packet.header);
            if record.kind != Kind::Request {
                let router = constants.addresses[record.from as usize].router;
                choice.learn(chooser, (record.from, router), &packet.header, now);
            }
        }
        let marks = (carried.forward_mark(), carried.backward_mark());
        let came = Receiving { tag: packet.tag, flits: NonZeroU16::MIN, marks, path };
        if packet.header.length == 1 {
            self.take_packet(constants, node, came, now);
        } else {
            *receiving = Some(came);
        }
    }

    /// A node takes a later flit off its wire, on which it was in link cycle `now`, and returns the credit.
    #[inline(always)]
    pub(in super::super) fn receive_body<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        node: usize,
        vc: VcId,
        tail: bool,
        now: u64,
    ) {
        self.return_credit(constants, node, vc, now);
        let receiving = &mut self.nodes[node].receiving[vc.index()];
        let Some(came) = receiving else { return self.misdelivered(node, OUT_OF_PLACE) };
        came.flits = came.flits.saturating_add(1);
        if tail && let Some(came) = receiving.take() {
            self.take_packet(constants, node, came, now);
        }
    }

    /// A node returns the credit of a flit: says in which internal cycle it comes to the router.
    #[inline(always)]
    fn return_credit<R>(&mut self, constants: &Constants<'_, P, R>, node: usize, vc: VcId, now: u64) -> u64 {
        let when = constants.speedup * now + constants.node_credit_delay + 1;
        self.wheel.credit(when, OnWire::new(self.nodes[node].at, vc, false));
        self.tally.flits += 1;
        when
    }

    /// The tail of a packet has come.
    #[inline(never)]
    fn take_packet<R>(&mut self, constants: &Constants<'_, P, R>, node: usize, came: Receiving, now: u64) {
        let record = self.packets.leave(came.tag);
        if let Some(copies) = &mut self.copies
            && record.to as usize >= constants.nodes
        {
            copies.take((self.first_node + node) as u32, record.from);
        }
        if came.flits.get() != record.length {
            return self.misdelivered(node, "a packet with flits lost or duplicated");
        }
        if record.kind == Kind::Notification {
            self.tally.notice(&record);
        } else if record.kind.is_reply() && constants.has_acks {
            self.tally.acknowledge(&record, came.marks.1, now);
        } else {
            self.tally.deliver(&record, came.marks, now);
            if let Some(series) = &mut self.series {
                series.deliver(&record, now);
            }
        }
        if constants.answers() {
            self.answer(constants, node, &record, (came, now));
        }
    }

    /// A whole packet has come: a request gets its reply, or a notification if it has met congestion; a reply opens the window
    /// of the node that asked, and a backward mark slows it down. The node acts on it from the next link cycle on.
    #[inline(never)]
    fn answer<R>(
        &mut self,
        constants: &Constants<'_, P, R>,
        node: usize,
        came: &Record,
        (packet, now): (Receiving, u64),
    ) {
        let (congested, backward) = packet.marks;
        let (endpoint, at, to) = (&mut self.nodes[node], self.cycle + 1, came.from);
        let (reply, notification) = (constants.reply_flits, constants.adapters.notification_flits);
        if came.kind != Kind::Request {
            if came.kind != Kind::Notification {
                endpoint.control.on_reply();
            }
            if backward {
                endpoint.control.on_notification(&constants.adapters, came.from, self.cycle);
            }
            self.replies_out += 1;
        } else if reply > 0 {
            endpoint.source.push_answer(Kind::Reply { congested }, Generated { at, to, flits: reply });
            if let (Some(chooser), Some(choice)) = (&constants.chooser, &mut endpoint.choice) {
                choice.answer(chooser, &packet, came, now);
            }
            self.requests_out += 1;
        } else if congested && notification > 0 {
            endpoint.source.push_answer(Kind::Notification, Generated { at, to, flits: notification });
            if let (Some(chooser), Some(choice)) = (&constants.chooser, &mut endpoint.choice) {
                choice.answer(chooser, &packet, came, now);
            }
            self.requests_out += 1;
        }
        self.ready.insert(node);
    }

    #[cold]
    pub(super) fn misdelivered(&mut self, node: usize, what: &'static str) {
        let node = self.first_node + node;
        self.violation.get_or_insert(Violation::Misdelivered { cycle: self.cycle, node, what });
    }
}
