//! Latencies and bandwidths of paths, in fixed point.

/// A latency in 256ths of a cycle, from an eighth to 2¹⁸ cycles: none is so short that its inverse does not fit. That of one path is at least
/// a cycle, that of 64 together may be less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Latency(u32);

/// The inverse of a latency \[4\], in 2⁻²⁸ per cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bandwidth(u32);

/// The bandwidth of a latency of a 256th of a cycle: 2²⁸ · 256.
const UNIT: u64 = 1 << 36;

impl Latency {
    /// Bits of a latency in whole cycles, as an ACK brings it.
    pub const BITS: u32 = 18;
    const MIN: u32 = 1 << 5;
    const MAX: u32 = 1 << (Self::BITS + 8);
    /// An ACK counts for one of 2³ parts of the mean of those before it.
    const SMOOTHING: u32 = 3;

    /// So many cycles; out of range, the nearest that is in it, and 1 for none.
    #[must_use]
    pub const fn cycles(cycles: u32) -> Self {
        Self::of_256ths(if cycles == 0 { 256 } else { cycles.saturating_mul(256) })
    }

    const fn of_256ths(parts: u32) -> Self {
        Self(if parts < Self::MIN {
            Self::MIN
        } else if parts > Self::MAX {
            Self::MAX
        } else {
            parts
        })
    }

    /// In 256ths of a cycle.
    #[must_use]
    pub const fn in_256ths(self) -> u32 {
        self.0
    }

    /// So many 256ths of it.
    pub(super) const fn times(self, parts: u32) -> Self {
        let product = (self.0 as u64).saturating_mul(parts as u64).wrapping_shr(8);
        Self::of_256ths(if product > Self::MAX as u64 { Self::MAX } else { product as u32 })
    }

    /// The mean of what was measured so far with one more, which counts for an eighth: a single packet that met another says little.
    pub(super) const fn averaged(self, with: Self) -> Self {
        let (old, new) = (self.0, with.0);
        Self(if new >= old {
            old.saturating_add(new.saturating_sub(old).wrapping_shr(Self::SMOOTHING))
        } else {
            old.saturating_sub(old.saturating_sub(new).wrapping_shr(Self::SMOOTHING))
        })
    }

    /// \[4\]
    #[must_use]
    pub const fn bandwidth(self) -> Bandwidth {
        Bandwidth(inverse(self.0))
    }
}

impl Bandwidth {
    /// \[8\]: of several paths together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// \[7\]: the latency of as many paths as have this bandwidth together.
    #[must_use]
    pub const fn latency(self) -> Latency {
        Latency::of_256ths(inverse(self.0))
    }

    /// In 2⁻²⁸ per cycle.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// The nearest number to [`UNIT`] divided by a number.
const fn inverse(of: u32) -> u32 {
    let half = of.wrapping_shr(1) as u64;
    match UNIT.wrapping_add(half).checked_div(of as u64) {
        Some(quotient) if quotient <= u32::MAX as u64 => quotient as u32,
        _ => u32::MAX,
    }
}
