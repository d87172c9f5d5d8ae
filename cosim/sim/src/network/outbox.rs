//! What one shard sends to another: gathered while the shards run, taken out when all have come to the same cycle.

use super::Shard;
use super::packets::{Packets, Record};
use super::signal::Signal;
use super::wheel::{End, HeadOnWire, OnWire};
use router_core::header::Flit;
use router_core::units::Bits;
use serde::{Deserialize, Serialize};

/// A head flit that takes its packet's record along.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) when: u32,
    pub(crate) head: HeadOnWire,
    pub(crate) record: Record,
}

/// Signals from one shard to another, each with the lower half of the internal cycle in which its receiver
/// writes it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Outbox {
    pub(crate) heads: Vec<Head>,
    pub(crate) bodies: Vec<(u32, OnWire)>,
    pub(crate) credits: Vec<(u32, OnWire)>,
}

impl Outbox {
    /// A signal for `to`, written there in internal cycle `when`. A head takes its record out of `packets`.
    #[inline]
    pub(crate) fn put(&mut self, when: u64, to: End, signal: Signal, packets: &mut Packets) {
        let when = when as u32;
        match signal {
            Signal::Flit(vc, Flit::Head(packet)) => {
                let record = packets.leave(packet.tag);
                self.heads.push(Head { when, head: HeadOnWire { to, vc, packet }, record });
            }
            Signal::Flit(vc, Flit::Body { tail }) => self.bodies.push((when, OnWire::new(to, vc, tail))),
            Signal::Credit(vc) => self.credits.push((when, OnWire::new(to, vc, false))),
        }
    }

    /// The first internal cycle, from `now` on, in which something of it is written.
    pub(crate) fn first(&self, now: u64) -> Option<u64> {
        let heads = self.heads.iter().map(|head| head.when);
        let whens = heads.chain(self.bodies.iter().chain(&self.credits).map(|&(when, _)| when));
        whens.map(|when| now + u64::from(when.wrapping_sub(now as u32))).min()
    }

    /// Empties it and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.bodies.clear();
        self.credits.clear();
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// Takes in what the other shards have sent.
    pub(crate) fn take_in<'m>(&mut self, outbox: impl Iterator<Item = &'m Outbox>) {
        for outbox in outbox {
            for &Head { when, mut head, record } in &outbox.heads {
                head.packet.tag = self.packets.enter(record);
                self.wheel.head(when.into(), head);
            }
            for &(when, body) in &outbox.bodies {
                self.wheel.body(when.into(), body);
            }
            for &(when, credit) in &outbox.credits {
                self.wheel.credit(when.into(), credit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use router_core::header::Packet;
    use router_core::units::VcId;

    /// Proves: the earliest signal counts, whatever its kind and its place, also where the lower half of a cycle begins again.
    #[test]
    fn the_first_cycle_is_that_of_the_earliest_signal() {
        let (edge, vc) = (1 << 32, VcId::new(1));
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        for now in [0, 1000, edge - 3, edge - 1, edge, 5 * edge + 7] {
            for (from, order) in [0, 1].into_iter().flat_map(|from| orders.map(|order| (now + from, order))) {
                let (mut outbox, mut packets) = (Outbox::default(), Packets::default());
                assert_eq!(outbox.first(now), None);
                for credits_only in [false, true] {
                    let tag = packets.enter(Record::default());
                    let head = Flit::Head(Packet { tag, ..Packet::default() });
                    let flits = [head, Flit::Body { tail: true }].map(|flit| Signal::Flit(vc, flit));
                    let credit = Signal::Credit(vc);
                    let all = if credits_only { [credit; 3] } else { [flits[0], flits[1], credit] };
                    for (signal, after) in all.into_iter().zip(order) {
                        outbox.put(from + after, End::default(), signal, &mut packets);
                    }
                    assert_eq!(outbox.first(now), Some(from), "{now} {order:?}");
                    outbox.clear();
                    assert_eq!(outbox.first(now), None);
                }
            }
        }
    }
}
