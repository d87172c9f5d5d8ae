//! The map of any graph as intervals: each router has a label, and each port an interval of labels, in a circle.
//!
//! A port's interval begins at a label of its own and ends where that of another port of the router begins. So a router needs one label
//! for each port, however large the network is.
//! Source: Santoro and Khatib, Labelling and implicit routing in networks, 1985; van Leeuwen and Tan, Interval routing, 1987.

use super::table::TableError;
use crate::units::{Bits, PortId, PortSet};

/// Of a port without an interval.
pub const NO_INTERVAL: u32 = u32::MAX;

/// The labels and intervals of all routers of a network.
///
/// An address is the number of a router.
#[derive(Clone, Copy, Debug)]
pub struct IntervalTable<'t> {
    /// Entry `router`: its label.
    labels: &'t [u32],
    /// Entry `router · width + port`: where the interval of the port begins; [`NO_INTERVAL`] where it has none.
    starts: &'t [u32],
    width: u32,
}

impl<'t> IntervalTable<'t> {
    /// Loads and verifies the labels of as many routers as there are, and the intervals of `width` ports of each; `wired(r)` are the ports
    /// of router `r` that lead to other routers.
    ///
    /// # Errors
    /// When a label is not below the number of routers, a port that is not connected has an interval, or two ports have the same. That no two
    /// routers have one label is the caller's to see to: it takes memory, or a look at each pair.
    pub fn load<B: Bits>(
        labels: &'t [u32],
        starts: &'t [u32],
        width: u32,
        wired: impl Fn(u32) -> PortSet<B>,
    ) -> Result<Self, TableError> {
        let routers = u32::try_from(labels.len()).unwrap_or(0);
        let entries = u64::from(routers).wrapping_mul(width.into());
        let in_range = labels.iter().all(|&label| label < routers);
        if routers == 0 || width == 0 || starts.len() as u64 != entries || !in_range {
            return Err(TableError::Size);
        }
        let table = Self { labels, starts, width };
        for here in 0..routers {
            let own = || table.intervals(here);
            let is_wrong = |(port, start): (PortId, u32)| {
                let is_twice = own().filter(|&(_, other)| other == start).count() > 1;
                !wired(here).contains(port) || start >= routers || is_twice
            };
            if own().any(is_wrong) {
                return Err(TableError::WrongPort { here, there: here });
            }
        }
        Ok(table)
    }

    /// Routers of the network.
    pub const fn routers(&self) -> u32 {
        self.labels.len() as u32
    }

    /// The label of a router; nothing beyond the network.
    #[inline]
    pub fn label(&self, router: u32) -> Option<u32> {
        self.labels.get(router as usize).copied()
    }

    /// The ports of a router that have an interval, each with the label where it begins.
    pub fn intervals(&self, router: u32) -> impl Iterator<Item = (PortId, u32)> {
        self.starts_of(router).filter(|&(_, start)| start != NO_INTERVAL)
    }

    /// The port of a router whose interval a label is in; nothing beyond the network.
    #[inline]
    pub fn port(&self, here: u32, label: u32) -> Option<PortId> {
        if label >= self.routers() {
            return None;
        }
        // From its label down, round the circle, the first place where an interval begins.
        let back = |start: u32| {
            let behind = if start <= label { 0 } else { self.routers() };
            label.wrapping_add(behind).wrapping_sub(start)
        };
        self.intervals(here).min_by_key(|&(_, start)| back(start)).map(|(port, _)| port)
    }

    fn starts_of(&self, router: u32) -> impl Iterator<Item = (PortId, u32)> {
        let first = (router as usize).wrapping_mul(self.width as usize);
        let starts = self.starts.iter().skip(first).take(self.width as usize);
        (0..=u8::MAX).zip(starts).map(|(port, &start)| (PortId::new(port), start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: u32 = NO_INTERVAL;
    /// Four routers in a row, labels as their numbers; port 0 leads to a node, 1 up, 2 down.
    const LABELS: [u32; 4] = [0, 1, 2, 3];
    const STARTS: [u32; 12] = [NONE, 1, NONE, NONE, 2, 0, NONE, 3, 0, NONE, NONE, 0];

    fn wired(router: u32) -> PortSet {
        PortSet::from_bits([0b010, 0b110, 0b110, 0b100][router as usize])
    }

    #[test]
    fn each_label_is_in_the_interval_of_the_port_that_leads_there() {
        let table = IntervalTable::load(&LABELS, &STARTS, 3, wired).unwrap();
        for here in 0..4 {
            for there in (0..4).filter(|&there| there != here) {
                let port = if there > here { 1 } else { 2 };
                assert_eq!(table.port(here, there), Some(PortId::new(port)), "{here} to {there}");
            }
            assert_eq!(table.port(here, 4), None);
        }
        assert_eq!((table.label(3), table.label(4)), (Some(3), None));
    }

    #[test]
    fn an_interval_may_pass_the_highest_label() {
        // At router 1 the labels from 3 on, and 0, are behind port 2.
        let mut starts = STARTS;
        starts[5] = 3;
        let table = IntervalTable::load(&LABELS, &starts, 3, wired).unwrap();
        assert_eq!(
            [0, 2, 3].map(|label| table.port(1, label)),
            [2, 1, 2].map(|port| Some(PortId::new(port)))
        );
    }

    #[test]
    fn wrong_tables_are_refused() {
        let refused =
            |labels: &[u32], starts: &[u32]| IntervalTable::load(labels, starts, 3, wired).map(drop);
        assert_eq!(refused(&LABELS, &STARTS[..9]), Err(TableError::Size));
        assert_eq!(refused(&[0, 1, 2, 4], &STARTS), Err(TableError::Size));
        for (entry, start, here) in [(0, 3, 0), (4, 0, 1), (4, 4, 1)] {
            let mut starts = STARTS;
            starts[entry] = start;
            let wrong = Err(TableError::WrongPort { here, there: here });
            assert_eq!(refused(&LABELS, &starts), wrong, "entry {entry}: {start}");
        }
    }
}
