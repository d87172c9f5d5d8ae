//! Distributed Routing Balancing (DRB): a source spreads its packets to a destination over several paths, as many as their latency asks
//! for.
//!
//! Source: Franco, Garcés and Luque, *Balanceo del Encaminamiento Distribuido para la Comunicación en Redes de Interconexión*
//! (Universitat Autònoma de Barcelona); the numbers in brackets, such as \[7\], are the equations there.
//!
//! A *multi-step path* leads from the source to an intermediate router *i* near it, on to a router *j* near the destination, and to the
//! destination. Each step takes the static minimal route; [`route::drb`](crate::route::drb) routes it. A [`Metapath`] is the open ones of a
//! source and a destination. The destination returns the latency of each packet in an ACK; the source takes it in ([`Metapath::report`]),
//! opens and closes paths, and draws the path of each new packet ([`Metapath::select`]).
//!
//! All of it is for the firmware of a channel adapter: whole numbers, arrays of fixed size, no heap. What a destination costs is
//! `size_of::<Metapath<[Path; K]>>()`: 12 bytes for a path and 8 beside them. It knows nothing of queues, clocks or packets.

mod alternatives;
mod latency;
mod metapath;
mod network;
mod supernode;

pub use alternatives::Alternatives;
pub use latency::{Bandwidth, Latency};
pub use metapath::{Change, MOST_PATHS, Metapath, Path};
pub use network::Network;
pub use supernode::{Supernode, SupernodeKind, SupernodeShape};

use crate::fixed::U8F8;
use crate::layout::VIA_BITS;

/// Bits of an intermediate router in a header.
pub const POINT_BITS: u32 = VIA_BITS / 2;

/// The routers that a multi-step path leads through; where one is the path's own end, that step is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MultiStep {
    /// Router *i*, in the supernode of the source.
    pub first: u32,
    /// Router *j*, in the supernode of the destination.
    pub second: u32,
}

impl MultiStep {
    /// The canonical path: the static minimal route.
    pub const fn canonical(from: u32, to: u32) -> Self {
        Self { first: from, second: to }
    }
}

/// When a metapath widens and when it shrinks. Latencies are shares of the *canonical latency*: that of the static minimal route in an
/// empty network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Balancing {
    /// Paths that are open at most, the canonical one included.
    pub max_paths: u8,
    /// Thl: above it no path is closed.
    pub low: U8F8,
    /// Thh: up to it no path is opened.
    pub high: U8F8,
    /// Tol: half of the width of the band round each threshold in which nothing changes.
    pub tolerance: U8F8,
}

impl Balancing {
    /// Whether a metapath of latency `latency` is to be widened: L* > Thh + Tol.
    pub(crate) fn widens(&self, latency: Latency, canonical: Latency) -> bool {
        let bits = u32::from(self.high.to_bits()).wrapping_add(self.tolerance.to_bits().into());
        latency > canonical.times(bits)
    }

    /// Whether a metapath of latency `latency` is wide enough: L* < Thl − Tol.
    pub(crate) fn shrinks(&self, latency: Latency, canonical: Latency) -> bool {
        latency < canonical.times(self.low.to_bits().saturating_sub(self.tolerance.to_bits()).into())
    }

    /// Δ of \[9\]: how many paths to open at once. With AB = 1 / `latency` and ABc = 1 / `canonical` it is the smallest Δ with AB + ABc ·
    /// Tol · (1/k) · Δ(Δ + 1)/2 ≥ ABc, where k is [`Balancing::max_paths`]. It is at least 1, and all of them where Tol is 0.
    ///
    /// \[9\] also bounds the sum from above, by ABc · (1 + 1/k). Perhaps no Δ lies between both bounds. For example, ABc = 1, AB = 0.4,
    /// Tol = 0.8 and k = 4 need Δ(Δ + 1) from 6 to 8.5, and Δ = 3 has 12. The lower one is kept, since a metapath that is too wide shrinks
    /// again.
    #[must_use]
    pub fn widening(&self, latency: Latency, canonical: Latency) -> u8 {
        // Times 2k · `latency` · 256, with Tol in 256ths: Δ(Δ + 1) · Tol · latency ≥ (latency − canonical) · 2k · 256.
        let [at, goal] = [latency, canonical].map(|latency| u64::from(latency.in_256ths()));
        let needed = at.saturating_sub(goal).saturating_mul(u64::from(self.max_paths)).saturating_mul(512);
        let step = u64::from(self.tolerance.to_bits()).saturating_mul(at);
        let reaches =
            |delta: u64| delta.saturating_mul(delta.saturating_add(1)).saturating_mul(step) >= needed;
        (1..self.max_paths.max(1)).find(|&delta| reaches(delta.into())).unwrap_or(self.max_paths)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
#[path = "drb/tests.rs"]
mod tests;
