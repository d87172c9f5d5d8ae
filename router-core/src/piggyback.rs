//! Stage 3. Piggybacking: the routers of a group tell each other which of their global links are congested, and a packet that is injected
//! takes a detour where the link of its shortest way is.
//!
//! Source: Jiang, Kim and Dally, ISCA 2009. A router flags a VC of its own global link that holds so many times the mean over its global
//! links, and some packets more. Which way a packet takes is decided once, where it comes from its node ([`Router::takes_detour`](crate::router::Router::takes_detour)), or in each cycle
//! in which it waits in its first router, by the trigger `ugal` and [`crate::notice`]. How flags travel is the business of the wires around a
//! router.

use crate::fixed::U8F8;

/// When a router says of its own global link that it is congested, as a scenario has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Piggyback {
    /// More flits are in the VC behind it than so many times the mean over the router's global links, itself included. Range: 0…16.
    pub factor: U8F8,
    /// Plus this many packets.
    pub packets: u16,
}

impl Default for Piggyback {
    fn default() -> Self {
        Self { factor: U8F8::ratio(2, 1), packets: 5 }
    }
}

impl Piggyback {
    /// The rule in flits, for packets of so many flits.
    pub fn for_packets(self, flits: u32) -> FlagRule {
        FlagRule { factor: self.factor, flits: u32::from(self.packets).wrapping_mul(flits) }
    }
}

/// The rule in flits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FlagRule {
    /// Of the mean.
    pub factor: U8F8,
    /// More than that. Range: 0…260,865.
    pub flits: u32,
}

impl FlagRule {
    /// Whether one of so many links is congested, by the flits behind it and behind all of them together: used > factor · sum / links +
    /// flits, without a division.
    pub(crate) fn is_exceeded(self, used: u32, sum: u32, links: u32) -> bool {
        let wide = |flits: u32, by: u32| u64::from(flits).wrapping_mul(by.into());
        let over = wide(used, links).saturating_sub(wide(self.flits, links));
        over.wrapping_mul(u64::from(U8F8::ONE.to_bits())) > wide(sum, self.factor.to_bits().into())
    }
}
