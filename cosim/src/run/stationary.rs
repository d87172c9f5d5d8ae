//! When to start measuring, and when to stop.
//!
//! A run is cut into batches. It is stationary when, over the last six of them, latency, network latency and
//! accepted load do not drift, and the packets at the front of the source queues do not wait longer and longer. It
//! is saturated when the network's own measures are steady while those waits keep growing.

use super::Sums;
use crate::network::Tally;
use crate::stats::{is_steady, mean_and_ci95};

/// What one batch delivered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    /// Flits per cycle.
    pub(crate) flits: f64,
    /// Packets.
    pub(crate) packets: u64,
    /// Mean latency; NaN without packets.
    pub(crate) latency: f64,
    /// Mean network latency; NaN without packets.
    network_latency: f64,
    /// By how much the mean wait in the source queues grew, per cycle: 0 while they keep up, 1 when nothing moves.
    growth: f64,
}

impl Batch {
    pub(crate) fn between(before: &Sums, after: &Tally, cycles: u64, wait: f64) -> Self {
        let packets = after.packets - before.packets;
        let mean = |sum: u64| if packets == 0 { f64::NAN } else { sum as f64 / packets as f64 };
        Self {
            flits: (after.flits - before.flits) as f64 / cycles.max(1) as f64,
            packets,
            latency: mean(after.latency - before.latency),
            network_latency: mean(after.network_latency - before.network_latency),
            growth: wait / cycles.max(1) as f64,
        }
    }
}

/// What the last batches say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing drifts.
    Stationary,
    /// Nothing drifts but the source queues, which grow.
    Growing,
    /// Too early to say.
    Unsteady,
}

/// Batches looked at together.
const WINDOW: usize = 6;
/// Drift of latencies and of accepted load that is none, as shares.
const DRIFT: (f64, f64) = (0.03, 0.015);
/// Growth of the source queues' waits, per cycle, that is none: 1 % more offered than accepted.
const GROWTH: f64 = 0.01;

/// Watches a run warm up.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    batches: Vec<Batch>,
    growing: usize,
}

impl Watch {
    pub(crate) fn push(&mut self, batch: Batch) {
        self.batches.push(batch);
    }

    pub(crate) fn verdict(&mut self) -> Verdict {
        let Some(from) = self.batches.len().checked_sub(WINDOW) else { return Verdict::Unsteady };
        let recent = &self.batches[from..];
        if recent.iter().any(|batch| batch.packets == 0) {
            // So little traffic that a batch may see none of it: nothing to wait for.
            let nothing_waits = recent.iter().all(|batch| batch.growth < GROWTH);
            return if nothing_waits && self.batches.len() >= 2 * WINDOW { Verdict::Stationary } else { Verdict::Unsteady };
        }
        let steady = |of: fn(&Batch) -> f64, drift| is_steady(&recent.iter().map(of).collect::<Vec<_>>(), drift);
        let inside = steady(|b| b.network_latency, DRIFT.0) && steady(|b| b.flits, DRIFT.1);
        if grows(recent) {
            self.growing = if inside { self.growing + 1 } else { 0 };
            // Queues that fill up to a higher level grow for a while, too.
            return if self.growing >= WINDOW { Verdict::Growing } else { Verdict::Unsteady };
        }
        self.growing = 0;
        if inside && steady(|b| b.latency, DRIFT.0) { Verdict::Stationary } else { Verdict::Unsteady }
    }
}

/// Whether the source queues grow, in the mean of these batches.
pub(crate) fn grows(batches: &[Batch]) -> bool {
    batches.iter().map(|batch| batch.growth).sum::<f64>() / batches.len() as f64 > GROWTH
}

/// Whether the confidence intervals of latency and accepted load are narrow enough. Of a saturated network only the
/// accepted load is looked at: its latency has no mean.
pub(crate) fn is_narrow(batches: &[Batch], (latency, accepted): (f64, f64), saturated: bool) -> bool {
    let of = |value: fn(&Batch) -> f64| {
        let values: Vec<_> = batches.iter().map(value).filter(|x| x.is_finite()).collect();
        let (mean, ci) = mean_and_ci95(&values);
        ci / mean
    };
    of(|b| b.flits) <= accepted && (saturated || of(|b| b.latency) <= latency)
}
