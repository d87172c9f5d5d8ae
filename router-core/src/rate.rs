//! Link rates: how many flits a link carries in how many cycles.
//!
//! A link of rate 1/4 carries one flit in four link cycles. Its output FIFO sends the next flit four cycles after the one before. Where cycles
//! do not come out even, flits follow each other by one cycle more or less, so that the mean is exact.

use crate::per_port::PerPort;
use crate::units::PortId;
use core::cmp::Ordering;

/// Flits per link cycle, at most 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rate {
    flits: u16,
    cycles: u16,
}

impl Rate {
    /// A flit in each cycle.
    pub const FULL: Self = Self { flits: 1, cycles: 1 };

    /// So many flits in so many cycles, 1…65535 each, in lowest terms; none where there are more flits than cycles.
    pub const fn new(flits: u16, cycles: u16) -> Option<Self> {
        let (mut of, mut rest) = (cycles, flits);
        while let Some(left) = of.checked_rem(rest) {
            (of, rest) = (rest, left);
        }
        match (flits.checked_div(of), cycles.checked_div(of)) {
            (Some(flits), Some(cycles)) if flits > 0 && flits <= cycles => Some(Self { flits, cycles }),
            _ => None,
        }
    }

    /// Flits in [`cycles`](Self::cycles).
    pub const fn flits(self) -> u16 {
        self.flits
    }

    /// Cycles for [`flits`](Self::flits).
    pub const fn cycles(self) -> u16 {
        self.cycles
    }

    /// Whether there is a flit in each cycle.
    pub const fn is_full(self) -> bool {
        self.flits == self.cycles
    }

    /// At least as many cycles as lie between two flits.
    pub const fn longest_gap(self) -> u32 {
        self.cycles.div_ceil(if self.flits == 0 { 1 } else { self.flits }) as u32
    }

    /// Flits that have yet to leave by a link that is taken for so many cycles.
    pub const fn flits_in(self, cycles: u64) -> u64 {
        match cycles.wrapping_mul(self.flits as u64).checked_div(self.cycles as u64) {
            Some(flits) => flits,
            None => cycles,
        }
    }
}

/// A lower rate is less.
impl Ord for Rate {
    fn cmp(&self, other: &Self) -> Ordering {
        let of = |rate: &Self, beside: &Self| u32::from(rate.flits).wrapping_mul(beside.cycles.into());
        of(self, other).cmp(&of(other, self))
    }
}

impl PartialOrd for Rate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Rate {
    fn default() -> Self {
        Self::FULL
    }
}

/// The time that the flits of one link take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    rate: Rate,
    /// What the flits so far have taken beyond whole cycles, in parts of a cycle: as many parts as the rate has flits.
    owed: u16,
}

impl Pace {
    /// That of a link which has carried nothing.
    pub const fn new(rate: Rate) -> Self {
        Self { rate, owed: 0 }
    }

    /// The link's rate.
    pub const fn rate(self) -> Rate {
        self.rate
    }

    /// A flit is on the link: the cycles until the next one may be there.
    pub fn step(&mut self) -> u32 {
        let time = u32::from(self.owed).wrapping_add(self.rate.cycles.into());
        let flits = u32::from(self.rate.flits);
        self.owed = time.checked_rem(flits).unwrap_or_default() as u16;
        time.checked_div(flits).unwrap_or(1)
    }
}

/// The paces of the links behind a router's outputs.
pub(crate) type Paces<const P: usize> = PerPort<Pace, P>;

/// Those of full rate.
pub(crate) fn full<const P: usize>() -> Paces<P> {
    PerPort::filled(Pace::new(Rate::FULL))
}

/// Those of links of these rates, and whether one of them is slower than a flit in each cycle.
pub(crate) fn paces<const P: usize>(rate: impl Fn(PortId) -> Rate) -> (Paces<P>, bool) {
    let paces = PerPort::from_fn(|port| Pace::new(rate(PortId::new(port as u8))));
    let is_slow = paces.iter().any(|pace: &Pace| !pace.rate.is_full());
    (paces, is_slow)
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_in_lowest_terms_and_at_most_one() {
        let of = |flits, cycles| Rate::new(flits, cycles).map(|rate| (rate.flits(), rate.cycles()));
        assert_eq!(of(16, 100), Some((4, 25)));
        assert_eq!(of(3, 3), Some((1, 1)));
        assert_eq!([of(0, 1), of(1, 0), of(0, 0), of(5, 4)], [None; 4]);
        assert_eq!(Rate::new(4, 25).unwrap().longest_gap(), 7);
        let rising = [(1, 65_535), (1, 12), (4, 25), (1, 3), (2, 3), (65_534, 65_535), (1, 1)];
        assert!(rising.map(|(flits, cycles)| Rate::new(flits, cycles).unwrap()).is_sorted_by(|a, b| a < b));
    }

    /// Of `n` flits that follow each other, the last one is on the link ⌊(n − 1) · cycles / flits⌋ cycles behind the first.
    #[test]
    fn the_mean_is_exact() {
        for (flits, cycles) in [(1, 1), (1, 4), (4, 25), (3, 4), (2, 3), (7, 9)] {
            let (mut pace, mut at) = (Pace::new(Rate::new(flits, cycles).unwrap()), 0);
            for n in 1..200u32 {
                at += pace.step();
                assert_eq!(at, n * u32::from(cycles) / u32::from(flits), "{flits}/{cycles}, {n}");
            }
        }
    }
}
