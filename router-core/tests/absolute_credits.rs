//! Absolute credits: against counts without an end, for every state of a small width, and with losses.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::absolute_credits::{Blocks, FlowPacket, MOST_ROOM, Receiver, Sender};
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};

const BITS: u32 = 4;
const HALF: u16 = 1 << (BITS - 1);

/// For each state of four bits: what is said is what counts without an end say.
#[test]
fn a_sender_may_send_up_to_its_limit() {
    for (sent, ahead, blocks) in
        (0..32u16).flat_map(|s| (0..=HALF).flat_map(move |a| (0..2 * HALF).map(move |b| (s, a, b))))
    {
        let mut sender = Sender::<BITS>::new();
        sender.send(sent);
        sender.hear(Blocks::new(sent + ahead));
        assert_eq!(sender.room(), ahead);
        assert_eq!(sender.may_send(blocks), blocks <= ahead && blocks < HALF, "{sent} {ahead} {blocks}");
    }
    // A limit that is behind is no room: the receiver has less than was sent.
    let mut sender = Sender::<BITS>::new();
    sender.send(3);
    assert_eq!((sender.room(), sender.may_send(1)), (0, false));
}

/// What is on its way, first in, first out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Signal {
    Block { is_lost: bool },
    Total(u16),
}

/// A lane of a link, and the same by counts without an end.
#[derive(Clone, Debug)]
struct Lane<const BITS: u32> {
    sender: Sender<BITS>,
    receiver: Receiver<BITS>,
    places: u16,
    stored: u16,
    lost: u16,
    forward: VecDeque<Signal>,
    backward: VecDeque<Blocks<BITS>>,
}

impl<const BITS: u32> Lane<BITS> {
    fn new(places: u16) -> Self {
        let (forward, backward) = Default::default();
        let mut lane = Self {
            sender: Sender::new(),
            receiver: Receiver::new(),
            places,
            stored: 0,
            lost: 0,
            forward,
            backward,
        };
        lane.sender.hear(lane.receiver.limit(places));
        lane
    }

    /// One of the things that can happen, if it can.
    fn act(&mut self, what: u8) {
        match what {
            0 | 1 if self.sender.may_send(1) => {
                self.sender.send(1);
                self.forward.push_back(Signal::Block { is_lost: what == 1 });
            }
            2 => self.forward.push_back(Signal::Total(self.sender.sent().number())),
            3 => match self.forward.pop_front() {
                Some(Signal::Block { is_lost: true }) => self.lost += 1,
                Some(Signal::Block { is_lost: false }) => {
                    self.receiver.receive(1);
                    self.stored += 1;
                }
                Some(Signal::Total(sent)) => {
                    self.receiver.hear(Blocks::new(sent));
                    self.lost = 0;
                }
                None => {}
            },
            4 => self.stored = self.stored.saturating_sub(1),
            5 => self.backward.push_back(self.receiver.limit(self.places - self.stored)),
            6 => {
                if let Some(limit) = self.backward.pop_front() {
                    self.sender.hear(limit);
                }
            }
            // A flow control packet is lost, either way.
            7 => drop(self.backward.pop_front()),
            8 if matches!(self.forward.front(), Some(Signal::Total(_))) => drop(self.forward.pop_front()),
            _ => {}
        }
    }

    fn on_the_way(&self) -> u16 {
        self.forward.iter().filter(|signal| matches!(signal, Signal::Block { .. })).count() as u16
    }

    /// Never more than there are places, of which those of lost blocks are not used until a flow control packet has come.
    fn check(&self) {
        let used = self.stored + self.on_the_way() + self.lost + self.sender.room();
        assert!(used <= self.places, "{self:?}");
    }

    /// A flow control packet comes in either direction, and everything is sent that was on its way: all that is not stored is room.
    fn settle(&mut self) {
        self.backward.clear();
        self.act(2);
        while !self.forward.is_empty() {
            self.act(3);
        }
        self.act(5);
        self.act(6);
        assert_eq!(self.sender.room(), self.places - self.stored, "{self:?}");
    }
}

/// Every state of a lane with counts of three bits, and what is on its way at most one signal each way but two blocks: whatever happens next.
#[test]
fn no_state_of_three_bits_sends_too_much_or_loses_room() {
    type Key = (u16, u16, u16, u16, u16, Vec<Signal>, Vec<u16>);
    let key = |lane: &Lane<3>| -> Key {
        (
            lane.sender.sent().number(),
            lane.sender.room(),
            lane.receiver.limit(0).number(),
            lane.stored,
            lane.lost,
            lane.forward.iter().copied().collect(),
            lane.backward.iter().map(|limit| limit.number()).collect(),
        )
    };
    for places in 1..=4 {
        let first = Lane::<3>::new(places);
        let (mut seen, mut open) = (BTreeSet::from([key(&first)]), vec![first]);
        while let Some(lane) = open.pop() {
            lane.check();
            lane.clone().settle();
            for what in 0..9 {
                let mut next = lane.clone();
                next.act(what);
                if next.forward.len() <= 3 && next.backward.len() <= 2 && seen.insert(key(&next)) {
                    open.push(next);
                }
            }
        }
        assert!(seen.len() > 700, "{places}: {}", seen.len());
    }
}

proptest! {
    /// The same of the width on the wire, over many turns, with bursts.
    #[test]
    fn nothing_is_sent_without_room_and_no_room_is_lost(
        places in 1u16..=MOST_ROOM,
        acts in proptest::collection::vec((0u8..9, 1u16..600), 1..400),
    ) {
        let mut lane = Lane::<12>::new(places);
        for (what, times) in acts {
            (0..times).for_each(|_| lane.act(what));
            lane.check();
        }
        lane.settle();
    }

    #[test]
    fn packets_are_what_they_were(lane in 0u8..16, sent in 0u16..4096, limit in 0u16..4096) {
        let packet = FlowPacket { lane, sent: Blocks::new(sent), limit: Blocks::new(limit) };
        prop_assert_eq!(FlowPacket::parse(packet.bytes()), Some(packet));
        let [first, rest @ ..] = packet.bytes();
        let [second, third, fourth] = rest;
        prop_assert_eq!(FlowPacket::parse([first | 0x10, second, third, fourth]), None);
    }
}

#[test]
fn the_bytes_are_those_of_the_specification() {
    let packet = FlowPacket { lane: 0xa, sent: Blocks::new(0x123), limit: Blocks::new(0x456) };
    assert_eq!(packet.bytes(), [0x01, 0x23, 0xa4, 0x56]);
}
