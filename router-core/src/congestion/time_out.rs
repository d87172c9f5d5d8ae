//! Static rate control: a source leaves a time-out behind a packet to a destination whose way is slower than the source's own link.

use crate::rate::Rate;

/// An entry of a source's static rate control table: one destination. Times are cycles of the node's link; they never go back.
///
/// ```text
///  next packet to it: not before (head of the last one) + (its flits) / (least rate on the way)
/// ```
///
/// A way of a third of the source's rate makes two packet times behind each packet, one of the source's rate makes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TimeOut {
    /// The least rate on the way, where it is below that of the source.
    least: Option<Rate>,
    /// The first cycle in which the entry is no more.
    until: u64,
    /// What packets so far have taken beyond whole cycles, in parts of a cycle: as many parts as the rate has flits.
    owed: u16,
}

impl TimeOut {
    /// That of a destination to which nothing has been sent: the rate of the source's own link, and the least one on the way.
    pub fn new(own: Rate, least: Rate) -> Self {
        Self { least: (least < own).then_some(least), until: 0, owed: 0 }
    }

    /// The head of a packet of `length` flits to this destination is sent in cycle `now`.
    pub fn on_sent(&mut self, length: u16, now: u64) {
        let Some(least) = self.least else { return };
        let parts = u32::from(length).wrapping_mul(least.cycles().into());
        let time = u64::from(parts).wrapping_add(self.owed.into());
        let flits = u64::from(least.flits());
        self.owed = time.checked_rem(flits).unwrap_or_default() as u16;
        self.until = now.saturating_add(time.checked_div(flits).unwrap_or_default());
    }

    /// The first cycle, `now` at the earliest, in which the next packet to this destination may start.
    pub fn ready_at(&self, now: u64) -> u64 {
        self.until.max(now)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    /// Ports of 12×, 4× and 1×, of which the fastest carries a flit in each cycle: what a source leaves behind a packet, in times of that
    /// packet on its own link.
    #[test]
    fn the_time_out_is_the_ratio_of_the_rates() {
        let lanes = |lanes| Rate::new(lanes, 12).unwrap();
        for (own, to, packets) in
            [(12, 4, 2), (12, 1, 11), (4, 1, 3), (12, 12, 0), (4, 4, 0), (4, 12, 0), (1, 12, 0)]
        {
            for length in [1u16, 8, 1023] {
                let mut entry = TimeOut::new(lanes(own), lanes(to));
                entry.on_sent(length, 100);
                let own_time = u64::from(length) * 12 / u64::from(own);
                let waits = entry.ready_at(100 + own_time) - (100 + own_time);
                assert_eq!(waits, packets * own_time, "{own}x to {to}x, {length} flits");
            }
        }
    }

    /// Packets that follow each other as closely as they may take their flits over the least rate, in the mean exactly.
    #[test]
    fn the_mean_is_the_least_rate() {
        for (flits, cycles) in [(1, 4), (3, 4), (4, 25), (2, 3)] {
            let (mut entry, mut now) = (TimeOut::new(Rate::FULL, Rate::new(flits, cycles).unwrap()), 0);
            for sent in 1..500u64 {
                entry.on_sent(8, now);
                now = entry.ready_at(now);
                assert_eq!(now, sent * 8 * u64::from(cycles) / u64::from(flits), "{flits}/{cycles}");
            }
        }
    }
}
