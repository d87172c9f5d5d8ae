//! What one shard sends to another: gathered while the shards run, taken out when all have come to the same cycle.

use super::packets::Record;
use super::wheel::{End, HeadOnWire, OnWire};
use router_core::header::Flit;
use router_core::units::VcId;

/// A head flit that takes its packet's record along.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) when: u32,
    pub(crate) head: HeadOnWire,
    pub(crate) record: Record,
}

/// Flits and credits from one shard to another, each with the lower half of the internal cycle in which its receiver
/// writes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outbox {
    pub(crate) heads: Vec<Head>,
    pub(crate) bodies: Vec<(u32, OnWire)>,
    pub(crate) credits: Vec<(u32, OnWire)>,
}

impl Outbox {
    /// A flit; a head's record comes from `record`.
    #[inline]
    pub(crate) fn flit(
        &mut self,
        when: u64,
        to: End,
        vc: VcId,
        flit: Flit,
        record: impl FnOnce(u32) -> Record,
    ) {
        match flit {
            Flit::Head(packet) => self.heads.push(Head {
                when: when as u32,
                head: HeadOnWire { to, vc, packet },
                record: record(packet.tag),
            }),
            Flit::Body { tail } => self.bodies.push((when as u32, OnWire::new(to, vc, tail))),
        }
    }

    #[inline]
    pub(crate) fn credit(&mut self, when: u64, to: End, vc: VcId) {
        self.credits.push((when as u32, OnWire::new(to, vc, false)));
    }

    /// Empties it and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.bodies.clear();
        self.credits.clear();
    }
}
