//! End nodes receive: they check what comes, and answer it.

use super::super::constants::Constants;
use super::super::packets::Record;
use super::super::shard::Shard;
use super::super::violation::Violation;
use super::super::wheel::OnWire;
use super::{News, Receiving};
use crate::traffic::Generated;
use router_core::header::Flit;
use router_core::route::Route;
use router_core::units::VcId;
use std::num::NonZeroU16;

impl<const P: usize, const V: usize> Shard<P, V> {
    /// A node takes a flit off its wire, on which it was in link cycle `now`, and returns the credit.
    #[inline]
    pub(in super::super) fn receive<R: Route>(
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
        self.tally.flits += 1;
        let receiving = &mut receiver.receiving[vc.index()];
        let came = match (flit, *receiving) {
            (Flit::Head(packet), None) => {
                let record = self.packets.get(packet.tag);
                if record.to as usize != self.first_node + node || !record.live {
                    return self.misdelivered(node, "a packet for another node");
                }
                if let (Some(balancer), Some(balance)) = (&constants.balancer, &mut receiver.balance)
                    && record.is_reply
                {
                    let router = constants.addresses[record.from as usize].router;
                    balance.learn(balancer, (record.from, router), &packet.header);
                }
                let path = packet.header.carried.spare();
                Receiving { tag: packet.tag, flits: NonZeroU16::MIN, path }
            }
            (Flit::Body { .. }, Some(so_far)) => {
                Receiving { flits: so_far.flits.saturating_add(1), ..so_far }
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
        if record.is_reply && constants.has_acks {
            self.tally.ack_flits += u64::from(record.length);
        } else {
            self.tally.deliver(&record, now);
            if let Some(series) = &mut self.series {
                series.deliver(&record, now);
            }
        }
        if constants.reply_flits > 0 {
            self.answer(constants.reply_flits, node, &record, (came.path, now));
        }
    }

    /// A whole packet has come: a request gets its reply, a reply opens the window of the node that asked. The node acts
    /// on it from the next link cycle on.
    #[inline(never)]
    fn answer(&mut self, flits: u16, node: usize, came: &Record, (path, now): (u8, u64)) {
        let endpoint = &mut self.nodes[node];
        if came.is_reply {
            endpoint.control.on_reply();
            self.replies_out += 1;
        } else {
            endpoint.source.push_reply(Generated { at: self.cycle + 1, to: came.from, flits });
            if let Some(balance) = &mut endpoint.balance {
                let latency = now - came.injected - u64::from(came.length - 1);
                balance.answer(News { path, latency: u32::try_from(latency).unwrap_or(u32::MAX) });
            }
            self.requests_out += 1;
        }
        self.ready.insert(node);
    }

    #[cold]
    fn misdelivered(&mut self, node: usize, what: &'static str) {
        let node = self.first_node + node;
        self.violation.get_or_insert(Violation::Misdelivered { cycle: self.cycle, node, what });
    }
}
