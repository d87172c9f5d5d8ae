//! Rows of bits, as a port of the RTL shows them.

use router_core::alloc::ArbiterKind;
use verilated::{Model, Output};

/// Bits, from the lowest up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bits {
    pub(super) words: Vec<u32>,
    pub(super) len: usize,
}

impl Bits {
    pub(super) fn push(&mut self, value: u128, bits: usize) {
        let (mut value, mut left) = (value, bits);
        while left > 0 {
            let (at, room) = (self.len % 32, 32 - self.len % 32);
            if at == 0 {
                self.words.push(0);
            }
            let taken = left.min(room);
            let part = (value & ((1 << taken) - 1)) as u32;
            self.words[self.len / 32] |= part << at;
            value >>= taken;
            left -= taken;
            self.len += taken;
        }
    }

    pub(super) fn read(model: &Model, from: Output) -> Self {
        let len = from.bits() as usize;
        let mut words = vec![0; len.div_ceil(32)];
        model.get_words(from, &mut words);
        Self { words, len }
    }
}

/// Bits to number `n` things.
pub(super) fn index_bits(n: usize) -> usize {
    (n.max(2) - 1).ilog2() as usize + 1
}

/// Bits of an `arbiter_state`.
pub(super) fn state_bits(arbiter: ArbiterKind, requesters: usize) -> usize {
    match arbiter {
        ArbiterKind::RoundRobin => requesters,
        ArbiterKind::Matrix => (requesters * (requesters - 1) / 2).max(1),
    }
}
