//! Fixed-point numbers of 16 bits, as the threshold registers of a switch hold them.
//!
//! Types of its own and not a crate's: comparators take their bits, no arithmetic is needed beyond reading and writing them, and a
//! crate of them brings a dozen others into every firmware.

use core::fmt;

/// A number of 16 bits without sign, `F` of them behind the binary point. Range: 0 to [`Fixed::MAX`], in steps of 2^−`F`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fixed<const F: u32>(u16);

/// 8 bits before the binary point, 8 behind it: factors up to 255.996.
pub type U8F8 = Fixed<8>;
/// 1 bit before the binary point, 15 behind it: shares from 0 to 1.
pub type U1F15 = Fixed<15>;

impl<const F: u32> Fixed<F> {
    /// Nought.
    pub const ZERO: Self = Self(0);
    /// One.
    pub const ONE: Self = const {
        assert!(F < u16::BITS, "one does not fit");
        Self(1_u16.wrapping_shl(F))
    };
    /// The largest number.
    pub const MAX: Self = Self(u16::MAX);

    /// The number whose 16 bits these are.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Its 16 bits.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The nearest number to a ratio of whole numbers; [`Fixed::MAX`] for one that is too large.
    pub const fn ratio(numerator: u16, denominator: u16) -> Self {
        let doubled = (numerator as u64).wrapping_shl(F.wrapping_add(1)).wrapping_add(denominator as u64);
        match doubled.checked_div((denominator as u64).wrapping_mul(2)) {
            Some(bits) if bits <= u16::MAX as u64 => Self(bits as u16),
            _ => Self::MAX,
        }
    }

    /// The nearest number to `value`: 0 for a negative one, [`Fixed::MAX`] for one that is too large.
    pub fn nearest(value: f64) -> Self {
        // Casts of floating-point numbers saturate.
        Self((value * f64::from(Self::ONE.0) + 0.5) as u16)
    }

    /// As a floating-point number, exactly.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE.0)
    }
}

impl<const F: u32> fmt::Display for Fixed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_f64(), f)
    }
}

impl<const F: u32> fmt::Debug for Fixed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance of 16 bits from an exact number of steps.
    fn off(bits: u16, steps: f64) -> f64 {
        (f64::from(bits) - steps).abs()
    }

    #[test]
    fn the_nearest_number_is_taken() {
        for bits in 0..=u16::MAX {
            let (share, factor) = (U1F15::from_bits(bits), U8F8::from_bits(bits));
            assert_eq!(U1F15::nearest(share.to_f64()), share);
            assert_eq!(U8F8::nearest(factor.to_f64()), factor);
            let between = (f64::from(bits) + 0.49) / 256.0;
            assert_eq!(U8F8::nearest(between), factor);
        }
        for (numerator, denominator) in (1..200).flat_map(|n| (1..200).map(move |d| (n, d))) {
            let steps = f64::from(numerator) / f64::from(denominator) * 256.0;
            let ratio = U8F8::ratio(numerator, denominator);
            assert!(off(ratio.to_bits(), steps) <= 0.5, "{numerator}/{denominator}: {ratio}");
            assert!(off(U8F8::nearest(steps / 256.0).to_bits(), steps) <= 0.5);
        }
    }

    #[test]
    fn what_does_not_fit_ends_at_the_ends() {
        assert_eq!(U1F15::nearest(-0.1), U1F15::ZERO);
        assert_eq!(U1F15::nearest(2.0), U1F15::MAX);
        assert_eq!(U8F8::nearest(f64::NAN), U8F8::ZERO);
        assert_eq!((U8F8::ratio(256, 1), U8F8::ratio(1, 0)), (U8F8::MAX, U8F8::MAX));
        assert_eq!((U8F8::ONE.to_bits(), U1F15::ONE.to_bits()), (256, 32768));
    }
}
