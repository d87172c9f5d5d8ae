//! What is counted while a network runs.

use super::packets::Record;
use crate::summary::LatencyBin;
use serde::{Deserialize, Serialize};

/// Values below this are counted one by one; above, in steps of a 1,024th of their size.
const EXACT: u64 = 2048;
const STEPS: u64 = 1024;

/// How often each latency occurred.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Histogram {
    bins: Vec<u32>,
    count: u64,
    max: u64,
}

impl Histogram {
    fn bin(value: u64) -> usize {
        if value < EXACT {
            return value as usize;
        }
        let octave = u64::from(value.ilog2()) - 11;
        (EXACT + octave * STEPS + (value >> (octave + 1)) - STEPS) as usize
    }

    /// The lowest value of a bin.
    fn value(bin: usize) -> u64 {
        let bin = bin as u64;
        if bin < EXACT {
            return bin;
        }
        let (octave, step) = ((bin - EXACT) / STEPS, (bin - EXACT) % STEPS);
        (STEPS + step) << (octave + 1)
    }

    pub(crate) fn add(&mut self, value: u64) {
        let bin = Self::bin(value);
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
        self.count += 1;
        self.max = self.max.max(value);
    }

    fn merge(&mut self, other: &Self) {
        merge(&mut self.bins, &other.bins);
        self.count += other.count;
        self.max = self.max.max(other.max);
    }

    /// The value that a share `q` of all values does not exceed; 0 when there are none.
    pub(crate) fn quantile(&self, q: f64) -> u64 {
        let rank = (q * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let found = self.bins.iter().position(|&n| {
            seen += u64::from(n);
            seen >= rank
        });
        found.map_or(0, Self::value)
    }

    pub(crate) fn max(&self) -> u64 {
        self.max
    }

    /// The standard deviation of all values; NaN when there are none.
    pub(crate) fn deviation(&self) -> f64 {
        let bins = || self.bins.iter().enumerate().map(|(bin, &n)| (Self::value(bin) as f64, f64::from(n)));
        let count = self.count as f64;
        let mean = bins().map(|(value, n)| value * n).sum::<f64>() / count;
        (bins().map(|(value, n)| (value - mean).powi(2) * n).sum::<f64>() / count).sqrt()
    }

    /// The counts in bins of a 32nd of their size, one by one below 64: few enough to keep for every point. Empty bins are left out.
    pub(crate) fn coarse(&self) -> Vec<LatencyBin> {
        let mut found: Vec<LatencyBin> = Vec::new();
        for (bin, &packets) in self.bins.iter().enumerate().filter(|(_, packets)| **packets > 0) {
            let (value, packets) = (Self::value(bin), u64::from(packets));
            match found.last_mut() {
                Some(last) if value < last.below() => last.packets += packets,
                _ => found.push(LatencyBin { from: LatencyBin::start(value), packets }),
            }
        }
        found
    }
}

/// Adds counts place by place.
fn merge<N: Copy + Default + std::ops::AddAssign>(counts: &mut Vec<N>, others: &[N]) {
    if counts.len() < others.len() {
        counts.resize(others.len(), N::default());
    }
    counts.iter_mut().zip(others).for_each(|(count, &other)| *count += other);
}

/// Sums over the packets delivered since the last reset.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) flits: u64,
    pub(crate) packets: u64,
    pub(crate) latency: u64,
    pub(crate) network_latency: u64,
    pub(crate) hops: u64,
    pub(crate) global_misroutes: u64,
    pub(crate) local_misroutes: u64,
    pub(crate) misrouted: u64,
    /// Packets with a forward mark.
    pub(crate) marked: u64,
    /// Packets with a backward mark, notifications included, and flits of the latter.
    pub(crate) notices: u64,
    pub(crate) notice_flits: u64,
    pub(crate) latencies: Histogram,
    pub(crate) by_hops: Vec<u64>,
    /// Flits of ACKs, which are no part of the load that the nodes accept.
    pub(crate) ack_flits: u64,
    /// ACKs, and the cycles from when each could leave until its tail was there.
    pub(crate) acks: u64,
    pub(crate) ack_latency: u64,
    /// Packets whose path was chosen, and paths that were open to choose from.
    pub(crate) paths_chosen: u64,
    pub(crate) paths_open: u64,
}

impl Tally {
    /// A node has chosen one of so many paths for a packet; of none for an ACK.
    pub(crate) fn choose_path(&mut self, open: u8) {
        self.paths_chosen += u64::from(open > 0);
        self.paths_open += u64::from(open);
    }

    /// The tail of a packet with these marks, forward and backward, was delivered in cycle `now`.
    pub(crate) fn deliver(&mut self, record: &Record, (forward, backward): (bool, bool), now: u64) {
        let latency = now - record.generated;
        self.packets += 1;
        self.latency += latency;
        self.network_latency += now - record.injected;
        self.hops += u64::from(record.hops());
        self.global_misroutes += u64::from(record.global_misroutes);
        self.local_misroutes += u64::from(record.local_misroutes);
        self.misrouted += u64::from(record.global_misroutes + record.local_misroutes > 0);
        self.marked += u64::from(forward);
        self.notices += u64::from(backward);
        self.latencies.add(latency);
        let hops = usize::from(record.hops());
        if hops >= self.by_hops.len() {
            self.by_hops.resize(hops + 1, 0);
        }
        self.by_hops[hops] += 1;
    }
}

impl Tally {
    /// A notification was delivered: it is no part of the load that is accepted, and has no latency.
    pub(crate) fn notice(&mut self, record: &Record) {
        self.notices += 1;
        self.notice_flits += u64::from(record.length);
    }

    /// An ACK was delivered: likewise, and it may bring a backward mark.
    pub(crate) fn acknowledge(&mut self, record: &Record, backward: bool, now: u64) {
        self.acks += 1;
        self.ack_latency += now - record.generated;
        self.ack_flits += u64::from(record.length);
        self.notices += u64::from(backward);
    }

    /// Flits delivered, without those of notifications and ACKs.
    pub(crate) fn load_flits(&self) -> u64 {
        self.flits.saturating_sub(self.notice_flits + self.ack_flits)
    }
}

impl std::ops::AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.flits += other.flits;
        self.packets += other.packets;
        self.latency += other.latency;
        self.network_latency += other.network_latency;
        self.hops += other.hops;
        self.global_misroutes += other.global_misroutes;
        self.local_misroutes += other.local_misroutes;
        self.misrouted += other.misrouted;
        self.marked += other.marked;
        self.notices += other.notices;
        self.notice_flits += other.notice_flits;
        self.latencies.merge(&other.latencies);
        merge(&mut self.by_hops, &other.by_hops);
        self.ack_flits += other.ack_flits;
        self.acks += other.acks;
        self.ack_latency += other.ack_latency;
        self.paths_chosen += other.paths_chosen;
        self.paths_open += other.paths_open;
    }
}

/// The packets injected in each window of a fixed number of cycles.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Series {
    width: u64,
    /// Cycles by which the first window begins before the run.
    ahead: u64,
    windows: Vec<SeriesWindow>,
}

/// Sums over the packets injected in one window.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct SeriesWindow {
    pub(crate) packets: u64,
    pub(crate) latency: u64,
    pub(crate) misrouted: u64,
}

impl std::ops::AddAssign for SeriesWindow {
    fn add_assign(&mut self, other: Self) {
        self.packets += other.packets;
        self.latency += other.latency;
        self.misrouted += other.misrouted;
    }
}

impl Series {
    /// Windows of `width` cycles, one of which begins at cycle `origin`.
    pub(crate) fn new(width: u64, origin: u64) -> Self {
        let width = width.max(1);
        Self { width, ahead: (width - origin % width) % width, windows: Vec::new() }
    }

    pub(crate) fn deliver(&mut self, record: &Record, now: u64) {
        let at = ((record.injected + self.ahead) / self.width) as usize;
        if at >= self.windows.len() {
            self.windows.resize(at + 1, SeriesWindow::default());
        }
        let window = &mut self.windows[at];
        window.packets += 1;
        window.latency += now - record.generated;
        window.misrouted += u64::from(record.global_misroutes + record.local_misroutes > 0);
    }

    /// Adds another one of the same windows.
    pub(crate) fn add(&mut self, other: &Self) {
        merge(&mut self.windows, &other.windows);
    }

    /// Cycles of a window.
    pub(crate) fn width(&self) -> u64 {
        self.width
    }

    /// Each window with its first cycle.
    pub(crate) fn windows(&self) -> impl Iterator<Item = (i64, SeriesWindow)> + '_ {
        let start = |n: usize| n as i64 * self.width as i64 - self.ahead as i64;
        self.windows.iter().enumerate().map(move |(n, window)| (start(n), *window))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn bins_are_narrow_and_in_order(value in 0u64..1 << 40) {
            let low = Histogram::value(Histogram::bin(value));
            proptest::prop_assert!(low <= value && value - low <= value / 1024);
            proptest::prop_assert!(Histogram::bin(value + 1) - Histogram::bin(value) <= 1);
        }
    }

    /// The textbook's example: mean 5, standard deviation 2.
    #[test]
    fn deviation_of_eight_values() {
        let mut histogram = Histogram::default();
        assert!(histogram.deviation().is_nan());
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|value| histogram.add(value));
        assert!((histogram.deviation() - 2.0).abs() < 1e-12);
    }

    proptest::proptest! {
        /// Each value is in the one bin that holds it, and none is lost.
        #[test]
        fn coarse_bins_hold_what_was_added(values in proptest::collection::vec(0u64..1 << 20, 1..50)) {
            let mut histogram = Histogram::default();
            values.iter().for_each(|&value| histogram.add(value));
            let bins = histogram.coarse();
            proptest::prop_assert!(bins.windows(2).all(|two| two[0].below() <= two[1].from));
            for bin in bins {
                let held = values.iter().filter(|value| (bin.from..bin.below()).contains(value)).count() as u64;
                proptest::prop_assert_eq!((held, LatencyBin::start(bin.from)), (bin.packets, bin.from));
                proptest::prop_assert!((bin.below() - bin.from) as f64 <= (bin.from as f64 / 32.0).max(1.0));
            }
        }
    }

    #[test]
    fn quantiles_of_a_hundred() {
        let mut histogram = Histogram::default();
        (1..=100).for_each(|n| histogram.add(n));
        assert_eq!((histogram.quantile(0.5), histogram.quantile(0.99), histogram.max()), (50, 99, 100));
    }
}
