//! Stage 3. The notices of a group that new packets observe: the other groups to which the way is contended. With explicit contention
//! notification (ECtN) so many of the group's packets are going to that group. With piggybacking (PB; [`crate::piggyback`]) the global link
//! to it is congested.
//!
//! Source: Fuentes et al., IPDPS 2015; Jiang et al., ISCA 2009. With ECtN, every so many cycles each router says how many packets at the front of its VCs are leaving for
//! which group; how that travels is the business of the wires around it. A router compares the sum of what all have said with a
//! threshold and keeps the result, a bit for each group; new packets for one of these groups may take a detour at once.

use crate::per_port::PerPort;
use crate::units::{Channel, VcSet};

/// Groups that there are bits for: those of a Dragonfly with 16 global links per router, and some more. A microcontroller has no wires
/// for this.
pub const GROUPS: u32 = if cfg!(feature = "small") { 0 } else { 576 };
const WORDS: usize = (GROUPS / u64::BITS) as usize;

/// The groups that contended ways lead to, and the packets that are about to take them.
#[derive(Clone, Debug)]
pub struct Notices<const P: usize> {
    groups: [u64; WORDS],
    /// The VCs whose front packet has come from a node and is for such a group.
    told: [PerPort<VcSet, P>; TOLD],
}

const TOLD: usize = if GROUPS == 0 { 0 } else { 1 };

impl<const P: usize> Default for Notices<P> {
    fn default() -> Self {
        Self { groups: [0; WORDS], told: core::array::from_fn(|_| PerPort::default()) }
    }
}

impl<const P: usize> Notices<P> {
    /// Whether the way to a group is contended.
    pub fn is_contended(&self, group: u32) -> bool {
        let word = self.groups.get((group / u64::BITS) as usize).copied().unwrap_or_default();
        word.wrapping_shr(group) & 1 != 0
    }

    /// The ways to these groups are contended, and no others. Says whether that is news.
    pub fn replace(&mut self, contended: impl Iterator<Item = u32>) -> bool {
        let mut groups = [0; WORDS];
        for group in contended {
            if let Some(word) = groups.get_mut((group / u64::BITS) as usize) {
                *word |= 1u64.wrapping_shl(group);
            }
        }
        core::mem::replace(&mut self.groups, groups) != groups
    }

    /// The front packet of a VC has come from a node and is going to this group, or none.
    pub fn heed(&mut self, Channel { port, vc }: Channel, group: Option<u32>) {
        let is_told = group.is_some_and(|group| self.is_contended(group));
        let Some(told) = self.told.first_mut() else { return };
        match is_told {
            true => told.insert(port, vc),
            false => told.remove(port, vc),
        }
    }

    /// Whether the front packet of a VC has come from a node and is about to take a contended way.
    #[inline(always)]
    pub fn has_told(&self, Channel { port, vc }: Channel) -> bool {
        self.told.first().is_some_and(|told| told.at(port).contains(vc))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_a_bit_of_its_own() {
        let mut notices = Notices::<1>::default();
        for group in 0..GROUPS {
            assert!(notices.replace([group].into_iter()), "{group}");
            assert!((0..GROUPS).all(|other| notices.is_contended(other) == (other == group)), "{group}");
        }
        assert!(
            !notices.replace([GROUPS - 1, GROUPS].into_iter()),
            "there is no bit for more, and nothing new"
        );
        assert!(!notices.is_contended(GROUPS));
    }
}
