//! When to start measuring, and when to stop.
//!
//! A run is cut into batches. It is stationary when, over the last six of them, latency, network latency and
//! accepted load do not drift, and the packets at the front of the source queues do not wait longer and longer. It
//! is saturated when the network's own measures are steady while those waits keep growing.

use super::session::Sums;
use crate::network::Tally;
use crate::stats::{Interval, interval, interval_of, interval_of_flow, is_steady};

/// What one batch delivered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    /// Its length.
    cycles: u64,
    /// Flits per cycle.
    pub(crate) flits: f64,
    /// Packets.
    pub(crate) packets: u64,
    /// Mean latency; NaN without packets.
    pub(crate) latency: f64,
    /// Mean network latency; NaN without packets.
    network_latency: f64,
    /// By how much the mean wait in the source queues grew, per cycle: 0 while they keep up, 1 when nothing moves.
    mean_growth: f64,
    /// By how much the longest wait in a source queue grew, per cycle.
    longest_growth: f64,
    /// The longest wait in the source queues at its end.
    longest_wait: f64,
}

impl Batch {
    pub(crate) fn between(
        before: &Sums,
        after: &Tally,
        cycles: u64,
        waits: (f64, f64),
        later: (f64, f64),
    ) -> Self {
        let packets = after.packets.saturating_sub(before.packets);
        let mean = |sum: u64| if packets == 0 { f64::NAN } else { sum as f64 / packets as f64 };
        Self {
            cycles,
            flits: after.load_flits().saturating_sub(before.flits) as f64 / cycles.max(1) as f64,
            packets,
            latency: mean(after.latency.saturating_sub(before.latency)),
            network_latency: mean(after.network_latency.saturating_sub(before.network_latency)),
            mean_growth: (later.0 - waits.0) / cycles.max(1) as f64,
            longest_growth: (later.1 - waits.1) / cycles.max(1) as f64,
            longest_wait: later.1,
        }
    }
}

/// Which source queues grow without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Growth {
    /// None.
    None,
    /// Those of some nodes, while the others keep up.
    Some,
    /// Those of so many that the mean grows.
    All,
}

/// What the last batches say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing drifts.
    Stationary,
    /// Nothing drifts but source queues, which grow.
    Growing(Growth),
    /// Too early to say.
    Unsteady,
}

/// Batches looked at together.
const WINDOW: usize = 6;
/// Drift of latencies and of accepted load that is none, as shares.
const DRIFT: (f64, f64) = (0.03, 0.015);
/// Growth of the mean and of the longest wait, per cycle, that is none: a node whose wait grows by 0.02 per cycle
/// is offered 2 % more than it may inject.
const GROWTH: (f64, f64) = (0.01, 0.02);
/// Growth of the same two in all, in cycles, that may be chance.
const CHANCE: (f64, f64) = (20.0, 100.0);

/// Watches a run warm up.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    batches: Vec<Batch>,
    /// Batches in a row at which queues grew while the network itself was steady.
    growing: usize,
}

impl Watch {
    pub(crate) fn push(&mut self, batch: Batch) {
        self.batches.push(batch);
    }

    pub(crate) fn verdict(&mut self) -> Verdict {
        let Some(from) = self.batches.len().checked_sub(WINDOW) else { return Verdict::Unsteady };
        let recent = &self.batches[from..];
        let growth = growth(recent);
        if recent.iter().any(|batch| batch.packets == 0) {
            // So little traffic that a batch may see none of it: nothing to wait for.
            let settled = growth == Growth::None && self.batches.len() >= 2 * WINDOW;
            return if settled { Verdict::Stationary } else { Verdict::Unsteady };
        }
        let steady =
            |of: fn(&Batch) -> f64, drift| is_steady(&recent.iter().map(of).collect::<Vec<_>>(), drift);
        let inside = steady(|b| b.network_latency, DRIFT.0) && steady(|b| b.flits, DRIFT.1);
        if growth != Growth::None {
            self.growing = if inside { self.growing + 1 } else { 0 };
            // Queues that fill up to a higher level grow for a while, too.
            return if self.growing >= WINDOW { Verdict::Growing(growth) } else { Verdict::Unsteady };
        }
        self.growing = 0;
        if inside && steady(|b| b.latency, DRIFT.0) { Verdict::Stationary } else { Verdict::Unsteady }
    }

    /// The growing quantity where the time ends without a verdict. A network that had the time to become steady and did not is saturated.
    /// Without that time, or with hardly a packet, the result is the growth that was seen.
    pub(crate) fn growth_at_limit(&self) -> Growth {
        let recent = &self.batches[self.batches.len().saturating_sub(WINDOW)..];
        let could_tell = recent.len() == WINDOW && recent.iter().all(|batch| batch.packets > 0);
        if could_tell { Growth::All } else { growth(recent) }
    }
}

/// Which source queues grow over these batches.
pub(crate) fn growth(batches: &[Batch]) -> Growth {
    let cycles: u64 = batches.iter().map(|b| b.cycles).sum();
    let grows = |of: fn(&Batch) -> f64, rate: f64, chance: f64| {
        let total: f64 = batches.iter().map(|b| of(b) * b.cycles as f64).sum();
        total > chance.max(rate * cycles as f64)
    };
    if grows(|b| b.mean_growth, GROWTH.0, CHANCE.0) {
        Growth::All
    } else if grows(|b| b.longest_growth, GROWTH.1, CHANCE.1) {
        Growth::Some
    } else {
        Growth::None
    }
}

/// Whether latency keeps rising: that of the last third of the batches is more than twice that of the first, and not by
/// chance.
pub(crate) fn climbs(batches: &[Batch]) -> bool {
    let latencies = finite(batches, |b| b.latency);
    let third = latencies.len() / 3;
    let (first, last) = (interval(&latencies[..third]), interval(&latencies[latencies.len() - third..]));
    last.mean > 2.0 * first.mean && last.mean - first.mean > first.half_width + last.half_width
}

/// Whether the second half of the batches is above the first one by more than chance: what grows slowly, or has not settled yet.
fn rises(values: &[f64]) -> bool {
    let (first, second) = values.split_at(values.len() / 2);
    let (first, second) = (interval(first), interval(second));
    second.mean - first.mean > first.half_width.hypot(second.half_width)
}

/// The interval of the mean latency, which is known to correlate over so many cycles ([`relaxation`](super::relaxation)).
pub(super) fn latency_interval(batches: &[Batch], lasting: f64) -> Interval {
    let latencies = finite(batches, |b| b.latency);
    let longest = batches.iter().map(|b| b.cycles).max().unwrap_or(1);
    interval_of(&latencies, lasting / longest as f64)
}

/// Half-widths of confidence intervals that are narrow enough.
pub(crate) struct Narrow {
    /// Of latency, as a share of the mean.
    pub(crate) latency: f64,
    /// Of accepted load, as a share of the mean ...
    pub(crate) accepted: f64,
    /// ... or in flits per node and cycle, whichever is wider: of a small load, chance makes a large share.
    pub(crate) load: f64,
}

/// Whether the confidence intervals of latency and accepted load are narrow enough, and neither latency nor the longest wait in the
/// source queues is still rising. Of a saturated network only the accepted load is looked at: its latency has no mean. `lasting`: cycles over
/// which latencies are known to correlate.
pub(crate) fn is_narrow(
    batches: &[Batch],
    narrow: &Narrow,
    senders: usize,
    saturated: bool,
    lasting: f64,
) -> bool {
    let is = |of: Interval, share: f64, least: f64| {
        let Interval { mean, half_width, is_trusted } = of;
        is_trusted && half_width <= (share * mean).max(least)
    };
    let settled = || {
        let longest_waits = finite(batches, |b| b.longest_wait);
        is(latency_interval(batches, lasting), narrow.latency, 0.0)
            && !rises(&finite(batches, |b| b.latency))
            && !rises(&longest_waits)
    };
    let flits = interval_of_flow(&finite(batches, |b| b.flits));
    is(flits, narrow.accepted, narrow.load * senders as f64) && (saturated || settled())
}

/// A measure of the batches that have it.
fn finite(batches: &[Batch], of: fn(&Batch) -> f64) -> Vec<f64> {
    batches.iter().map(of).filter(|x| x.is_finite()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal;

    /// Batches of which each keeps a share of the one before, around 100, and grow by so much each.
    fn series(seed: u64, keeps: f64, grows: f64) -> Vec<f64> {
        let (mut random, mut x) = (normal(seed), 0.0);
        let next = |n: u32| {
            x = keeps * x + random();
            100.0 + x + grows * f64::from(n)
        };
        (0..100).map(next).collect()
    }

    /// Of 200 series each: a growth of two to twenty standard deviations in all is told from none, nearly always. A slow one makes the halves
    /// differ, a fast one makes neighbours alike, so that there are too few independent batches.
    #[test]
    fn growth_is_told_from_chance() {
        let settled = |keeps, grows| {
            let is = |seed: &u64| {
                let values = series(*seed, keeps, grows);
                interval(&values).is_trusted && !rises(&values)
            };
            (1..=200).filter(is).count()
        };
        let counts = [(0.0, 0.0), (0.3, 0.0), (0.0, 0.02), (0.0, 0.05), (0.0, 0.2), (0.3, 0.05)]
            .map(|(keeps, grows)| settled(keeps, grows));
        let [independent, correlated, growing @ ..] = counts;
        assert!(independent >= 190 && correlated >= 180, "{counts:?} of 200");
        assert!(growing.iter().all(|&settled| settled <= 20), "{counts:?} of 200");
    }
}
