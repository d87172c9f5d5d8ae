//! InfiniBand's lifetime limits: of packets at the head of a queue (HOQLife), with lanes that are stalled by it (VLStallCount), and of packets in
//! a router (LifeTimeValue).
//!
//! A packet that cannot leave is discarded after a time, so that what waits behind it goes on: in a ring of queues each of which waits for
//! the next one, too. The rules, for a packet at the front of an input VC that waits for an output (InfiniBand Architecture Specification,
//! volume 1, 18.2.5.4, and PortInfo in 14.2.5.6):
//!
//! - **Limit.** Each output has a limit. A packet may be granted an output in as many link cycles; in the next internal cycle it asks for
//!   nothing, and is [discarded](crate::discard). The limit is that of the output at which the packet is counted, its minimal one: a packet of
//!   a forwarding table has no other. Once its head has left, it is not discarded any more.
//! - **Stalled lanes.** An output counts, for each VC behind it, the cycles in succession in which a packet is discarded that waited for it; a
//!   head that leaves into the VC sets the count back. Where it comes to `stall_count`, the VC is stalled for eight limits, the link cycle of
//!   that discard included, in which every packet for it is discarded as soon as it waits, and not counted. A stall count of 0 stalls none.
//!   (The specification's queue is that of an output, whose packets are discarded one after the other. Here several inputs may have one for
//!   the same VC: those that are discarded in one cycle count as one.)
//! - **A packet with a choice** of VCs at that output waited for all of them, and is one for a stalled VC where all of them are stalled.
//!
//! - **In the router.** A packet may be granted an output for as many link cycles at most as the router has for a limit, counted from that
//!   in which its head is written into the buffer, and for three quarters of them at least. The router has a clock that ticks four times in
//!   a limit, and a packet is too old when it has seen four ticks. It is discarded as it comes to the front, or as it waits there, and
//!   counts for no stalled lane.
//!   Since packets of a VC keep their order, those that have seen so many ticks are the first of its queue: four counts are enough, whatever
//!   its packets.
//!
//! The same in SystemVerilog are `dsv_lifetime`, `dsv_vl_stalls`, `dsv_lifetime_tick` and `dsv_packet_ages`.

use crate::layout;
use crate::per_port::PerPort;
use crate::units::PortId;

/// The highest limit, in link cycles.
pub const MOST_LIFETIME: u32 = (1 << 28) - 1;

/// The highest number of discarded packets by which a VC is stalled.
pub const MOST_STALL_COUNT: u8 = (1 << layout::VL_STALL_BITS) - 1;

/// How many ticks a packet sees in a router until it is too old.
pub const TICKS: usize = layout::LIFETIME_TICKS as usize;

/// What an output has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HeadLimit {
    /// Link cycles that a packet waits, up to [`MOST_LIFETIME`]; 0: there is no limit.
    pub cycles: u32,
    /// Discards in succession by which a VC is stalled, up to [`MOST_STALL_COUNT`]; 0: none is.
    pub stall_count: u8,
}

impl HeadLimit {
    /// Link cycles for which a VC is stalled.
    #[inline]
    pub fn stalled_cycles(self) -> u64 {
        u64::from(self.cycles).wrapping_mul(layout::VL_STALL_LIMITS.into())
    }
}

/// The limits of all outputs of the routers of a class. By default, none.
///
/// The feature `small` leaves them out, and then they stay none: a microcontroller has no tables.
#[derive(Clone, Debug, Default)]
pub struct Lifetimes<const P: usize> {
    #[cfg(not(feature = "small"))]
    limits: PerPort<HeadLimit, P>,
    #[cfg(feature = "small")]
    limits: PerPort<HeadLimit, 0>,
    common: [Common; COMMON],
}

/// What all outputs have in common.
#[derive(Clone, Copy, Debug, Default)]
struct Common {
    /// Internal cycles to a link cycle.
    speedup: u8,
    limits_heads: bool,
    /// Link cycles between two ticks; 0: packets have no limit in the router.
    tick: u32,
}

const COMMON: usize = if cfg!(feature = "small") { 0 } else { 1 };

impl<const P: usize> Lifetimes<P> {
    /// No limits yet, for routers with `speedup` internal cycles to a link cycle.
    pub fn new(speedup: u8) -> Self {
        Self { common: [Common { speedup, ..Common::default() }; COMMON], ..Self::default() }
    }

    /// Sets the limit of an output; what is above the highest values is the highest.
    pub fn set_limit(&mut self, output: PortId, HeadLimit { cycles, stall_count }: HeadLimit) {
        let limit =
            HeadLimit { cycles: cycles.min(MOST_LIFETIME), stall_count: stall_count.min(MOST_STALL_COUNT) };
        self.limits.set(output, limit);
        let limits_heads = self.limits.iter().any(|limit| limit.cycles > 0);
        self.common.iter_mut().for_each(|common| common.limits_heads = limits_heads);
    }

    /// Sets for how many link cycles a packet may be in the router, up to [`MOST_LIFETIME`]: a multiple of [`TICKS`], to which others are rounded
    /// down, and those below the first one up. 0: for any.
    pub fn set_packet_limit(&mut self, cycles: u32) {
        let tick = cycles.min(MOST_LIFETIME).wrapping_div(layout::LIFETIME_TICKS).max(u32::from(cycles > 0));
        self.common.iter_mut().for_each(|common| common.tick = tick);
    }

    /// For how many link cycles a packet may be in the router, as it is kept.
    pub fn packet_limit(&self) -> u32 {
        self.tick().wrapping_mul(layout::LIFETIME_TICKS)
    }

    /// Link cycles between two ticks of the clock by which packets in the router grow old; 0 where they do not.
    #[inline]
    pub fn tick(&self) -> u32 {
        self.common.first().map_or(0, |common| common.tick)
    }

    /// Ticks up to a link cycle.
    #[inline]
    pub fn ticks(&self, link_cycle: u64) -> u64 {
        link_cycle.checked_div(self.tick().into()).unwrap_or_default()
    }

    /// The limit of an output.
    #[inline]
    pub fn limit(&self, output: PortId) -> HeadLimit {
        self.limits.at(output)
    }

    /// The limit of an output in internal cycles; `None` where there is none.
    #[inline]
    pub fn internal_cycles(&self, output: PortId) -> Option<u32> {
        let HeadLimit { cycles, .. } = self.limit(output);
        let speedup = self.common.first()?.speedup;
        (cycles > 0).then_some(cycles.wrapping_mul(speedup.into()))
    }

    /// Whether any output has a limit.
    #[inline(always)]
    pub const fn limits_heads(&self) -> bool {
        matches!(self.common.first(), Some(Common { limits_heads: true, .. }))
    }

    /// Whether packets have a limit in the router.
    #[inline(always)]
    pub const fn limits_packets(&self) -> bool {
        matches!(self.common.first(), Some(Common { tick: 1.., .. }))
    }

    /// Whether there is any limit.
    #[inline(always)]
    pub const fn is_on(&self) -> bool {
        self.limits_heads() | self.limits_packets()
    }

    /// Bits of the highest limit: parameter `LIFETIME` of the RTL.
    pub fn width(&self) -> u32 {
        let most = self.limits.iter().map(|limit| limit.cycles).max().unwrap_or_default();
        u32::BITS.wrapping_sub(most.leading_zeros())
    }
}

impl HeadLimit {
    /// Its bits as rows of the RTL's table memory have them, where a limit has `width` bits: limit, stall count.
    pub fn bits(self, width: u32) -> impl Iterator<Item = bool> {
        let words = [(self.cycles, width), (self.stall_count.into(), layout::VL_STALL_BITS)];
        words.into_iter().flat_map(|(word, bits)| (0..bits).map(move |bit| word.wrapping_shr(bit) & 1 == 1))
    }
}
