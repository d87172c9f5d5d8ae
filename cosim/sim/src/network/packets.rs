//! The packets inside the network: what a header need not carry, found by its tag.

use super::endpoint::Kind;
use crate::summary::Discards;
use router_core::discard::Discard;
use router_core::header::{Flit, Packet, TAG_BITS};
use router_core::route::HopKind;
use router_core::router::DEAD_TAG;
use serde::{Deserialize, Serialize};

/// One packet on its way.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Cycle of its generation.
    pub(crate) generated: u64,
    /// Cycle in which its head was put on the wire.
    pub(crate) injected: u64,
    /// Its source.
    pub(crate) from: u32,
    /// Its destination.
    pub(crate) to: u32,
    /// Its flits.
    pub(crate) length: u16,
    /// Outputs taken, the last one to the node included.
    pub(crate) outputs: u16,
    /// Global misroutes taken.
    pub(crate) global_misroutes: u8,
    /// Local misroutes taken.
    pub(crate) local_misroutes: u8,
    /// What it is to the end nodes.
    pub(crate) kind: Kind,
    /// Whether it is on its way.
    pub(crate) live: bool,
}

impl Record {
    /// Router-to-router links crossed, once it has been delivered.
    pub(crate) fn hops(&self) -> u16 {
        self.outputs.saturating_sub(1)
    }
}

/// All packets inside the network. Tags of delivered packets are used again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Packets {
    records: Vec<Record>,
    free: Vec<u32>,
    /// What routers have discarded since the start, and the replies among it.
    pub(crate) discards: Discards,
    pub(crate) discarded_replies: u64,
    /// Flits that copies have added since the start.
    pub(crate) kept: u64,
}

impl Packets {
    /// A packet enters; returns its tag.
    #[inline]
    pub(crate) fn enter(&mut self, record: Record) -> u32 {
        let record = Record { live: true, ..record };
        match self.free.pop() {
            Some(tag) => {
                self.records[tag as usize] = record;
                tag
            }
            None => self.grow(record),
        }
    }

    /// A copy of a packet leaves a router, while the packet stays: the copy's tag.
    #[cold]
    pub(crate) fn copy(&mut self, tag: u32) -> u32 {
        self.enter(*self.get(tag))
    }

    /// More packets than ever before: a new tag.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, record: Record) -> u32 {
        let tag = self.records.len();
        assert!(
            tag < DEAD_TAG as usize,
            "a tag of {TAG_BITS} bits cannot count the packets in flight in a shard"
        );
        self.records.push(record);
        tag as u32
    }

    /// A packet has been delivered whole.
    pub(crate) fn leave(&mut self, tag: u32) -> Record {
        let record = std::mem::take(&mut self.records[tag as usize]);
        self.free.push(tag);
        record
    }

    /// A router has dropped a flit. With its head a packet is gone.
    #[cold]
    pub(crate) fn discard(&mut self, flit: &Flit, why: Discard) {
        self.discards.flits += 1;
        if let Flit::Head(packet) = flit {
            self.discards.packets[why.index()] += 1;
            self.discarded_replies += u64::from(self.leave(packet.tag).kind != Kind::Request);
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, tag: u32) -> &Record {
        &self.records[tag as usize]
    }

    /// The record of a packet; a dead address has none.
    pub(crate) fn find(&self, tag: u32) -> Option<&Record> {
        self.records.get(tag as usize)
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, tag: u32) -> &mut Record {
        &mut self.records[tag as usize]
    }

    /// A packet's head has been granted an output. A dead address has no record.
    #[inline(always)]
    pub(crate) fn hop(&mut self, packet: &Packet, hop: HopKind) {
        let Some(record) = self.records.get_mut(packet.tag as usize) else { return };
        record.outputs = record.outputs.saturating_add(1);
        match hop {
            HopKind::Minimal | HopKind::Escape => {}
            HopKind::GlobalMisroute => record.global_misroutes = record.global_misroutes.saturating_add(1),
            HopKind::LocalMisroute => record.local_misroutes = record.local_misroutes.saturating_add(1),
        }
    }

    /// The head of a packet has come back from an output.
    pub(crate) fn back(&mut self, packet: &Packet) {
        let record = self.get_mut(packet.tag);
        record.outputs = record.outputs.saturating_sub(1);
    }

    /// Replies and notifications on their way.
    pub(crate) fn answers(&self) -> usize {
        self.records.iter().filter(|record| record.live && record.kind != Kind::Request).count()
    }

    /// Packets on their way.
    pub(crate) fn live(&self) -> usize {
        self.records.len() - self.free.len()
    }
}
