//! When something was last served, among as many as a set of ports holds.

use core::fmt::Debug;
use core::num::{NonZeroU8, NonZeroU16};

/// When a requester was last served.
pub trait Stamp: Copy + Debug + Default + Ord + Send + Sync + 'static {
    /// The next one; never 0.
    type Clock: Copy + Debug + Send + Sync + 'static;
    /// Later than any.
    const LAST: Self;

    /// The stamp of this number.
    fn of(number: usize) -> Self;
    /// The clock behind so many stamps.
    fn clock(stamps: usize) -> Self::Clock;
    /// The next stamp.
    fn now(clock: Self::Clock) -> Self;
    /// The clock behind that; nothing where no number is left.
    fn tick(clock: Self::Clock) -> Option<Self::Clock>;
}

/// Makes a number the stamp of up to so many requesters.
macro_rules! stamp {
    ($number:ty, $clock:ty) => {
        impl Stamp for $number {
            type Clock = $clock;
            const LAST: Self = Self::MAX;

            #[inline(always)]
            fn of(number: usize) -> Self {
                number as Self
            }
            #[inline(always)]
            fn clock(stamps: usize) -> $clock {
                <$clock>::MIN.saturating_add(stamps as Self)
            }
            #[inline(always)]
            fn now(clock: $clock) -> Self {
                clock.get()
            }
            #[inline(always)]
            fn tick(clock: $clock) -> Option<$clock> {
                clock.checked_add(1)
            }
        }
    };
}

stamp!(u8, NonZeroU8);
stamp!(u16, NonZeroU16);
