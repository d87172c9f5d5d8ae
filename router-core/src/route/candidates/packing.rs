//! Candidates as one number.

use super::{CandidateSet, Candidates};
use crate::layout;
use crate::units::{PortSet, VcSet};

/// What the RTL's probes show of candidates, and what digests are made of.
///
/// Bit 0: a detour is due. Then each set in offer order, from the lowest bit up: its VCs, its ports. A set that offers
/// nothing is 0, so that room for more sets changes nothing. Kinds and hops are not in it: in the RTL they are constants of
/// the routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Ports of the router.
    pub ports: u32,
    /// VCs of the port that has most.
    pub vcs: u32,
}

impl Packing {
    /// Bits of the number for `sets` sets.
    pub const fn bits(self, sets: u32) -> u32 {
        self.at(sets)
    }

    /// The lowest bit of a set.
    const fn at(self, set: u32) -> u32 {
        self.ports.wrapping_add(self.vcs).wrapping_mul(set).wrapping_add(1)
    }

    /// Packs candidates; the VCs that no port has are left out, and what lies beyond 128 bits.
    pub fn pack(self, all: &Candidates) -> u128 {
        let known = VcSet::first_n(self.vcs as usize);
        // From the last set to the first: what lies beyond 128 bits is shifted out.
        let sets = all.every().rev().fold(0u128, |packed, CandidateSet { ports, vcs, .. }| {
            let with_ports = packed.wrapping_shl(self.ports) | ports.bits() as u128;
            with_ports.wrapping_shl(self.vcs) | u128::from(vcs.and(known).bits())
        });
        sets << 1 | u128::from(all.is_forced())
    }

    /// Packs the hops of the sets of candidates, from the first one's up, each into as many bits as the RTL has for them.
    pub fn pack_hops(all: &Candidates) -> u128 {
        let most = 1u8.wrapping_shl(layout::HOPS_BITS).wrapping_sub(1);
        all.every().rev().fold(0, |packed, CandidateSet { hops, .. }| {
            packed.wrapping_shl(layout::HOPS_BITS) | u128::from(hops.min(most))
        })
    }

    /// The ports of a set.
    pub fn ports_of(self, packed: u128, set: u32) -> u64 {
        let above = packed.checked_shr(self.at(set).wrapping_add(self.vcs)).unwrap_or_default();
        above as u64 & <PortSet>::first_n(self.ports as usize).bits() as u64
    }

    /// Whether a detour is due.
    pub const fn is_forced(self, packed: u128) -> bool {
        packed & 1 == 1
    }
}
