//! For how long a queue remembers what it held. Batches of a run that is hardly longer show too little of that, or too much by chance: the
//! interval of such a run would be too narrow, or too wide.
//!
//! In heavy traffic the wait in a queue is a reflected Brownian motion with a stationary distribution that is exponential, of mean W. Its
//! correlations have a sum over all distances, both ways, of 8 W² / F cycles. F is the mean square of the flits that come at once, divided
//! by their mean. Source: Whitt, *Planning Queueing Simulations*, Management Science 35(11), 1989, the canonical process in its time scale;
//! W is F / 2 by the slack. W is read from the tail of the latencies of all packets: between the median and the 99th percentile it falls to
//! a fiftieth.

use crate::network::Histogram;
use crate::traffic::{Process, TrafficSettings};

/// Cycles over which the latencies of the slowest queue correlate.
pub(super) fn cycles(traffic: &TrafficSettings, latencies: &Histogram) -> f64 {
    let tail = latencies.quantile(0.99).saturating_sub(latencies.quantile(0.5));
    let wait = tail as f64 / 50.0_f64.ln();
    8.0 * wait * wait / flits_at_once(traffic)
}

/// The mean square of the flits that a node sends at once, divided by their mean: packets, or bursts of a geometric number of them.
fn flits_at_once(traffic: &TrafficSettings) -> f64 {
    let (mut all, mut flits, mut squares) = (0.0, 0.0, 0.0);
    for one in traffic.packet_flits.shares() {
        let length = f64::from(one.flits);
        (all, flits, squares) =
            (all + one.share, flits + one.share * length, squares + one.share * length * length);
    }
    let (mean, square) = (flits / all, squares / all);
    let packets = if traffic.process == Process::Burst { traffic.burst_packets } else { 1.0 };
    square / mean + 2.0 * (packets - 1.0) * mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{LengthShare, PacketFlits};

    #[test]
    fn what_comes_at_once() {
        let traffic = |packet_flits, process, burst_packets| TrafficSettings {
            packet_flits,
            process,
            burst_packets,
            ..TrafficSettings::defaults()
        };
        let mixed = || {
            let share = |flits| LengthShare { flits, share: 0.5 };
            PacketFlits::Mixed(vec![share(2), share(6)])
        };
        let of = |packet_flits, process, packets| flits_at_once(&traffic(packet_flits, process, packets));
        assert!((of(PacketFlits::Same(8), Process::Bernoulli, 4.0) - 8.0).abs() < 1e-9);
        assert!((of(mixed(), Process::Exponential, 4.0) - 5.0).abs() < 1e-9, "20 / 4");
        assert!((of(mixed(), Process::Burst, 1.0) - 5.0).abs() < 1e-9, "each packet is a burst");
        // Geometric with mean 4: mean square 28, divided by 4.
        assert!((of(PacketFlits::Same(8), Process::Burst, 4.0) - 56.0).abs() < 1e-9);
    }

    /// A queue to which packets of 8 flits come at random, at .9 of its rate. The variance of means over 20,000 cycles, times those, is
    /// that of the waits, times the cycles over which they correlate.
    #[test]
    fn a_queue_remembers_for_that_long() {
        let traffic = TrafficSettings { packet_flits: PacketFlits::Same(8), ..TrafficSettings::defaults() };
        let (means, waits, square) = queue(400, 20_000);
        let mean = means.iter().sum::<f64>() / 400.0;
        // The mean of the stationary distribution, from its balance equations.
        assert!((mean - 32.4).abs() < 1.0, "{mean}");
        let of_means = means.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 399.0;
        let measured = 20_000.0 * of_means / (square - mean * mean);
        let read = cycles(&traffic, &waits);
        assert!((read / measured - 1.0).abs() < 0.25, "{read} by the tail, {measured} by variances");
    }

    /// Of a queue that sends a flit in each cycle the mean waits in batches, all waits, and their mean square.
    fn queue(batches: usize, cycles: usize) -> (Vec<f64>, Histogram, f64) {
        let mut state = 1_u64;
        let mut comes = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as f64) < 0.9 / 8.0 * (1_u64 << 53) as f64
        };
        let (mut work, mut waits, mut squares) = (0_u64, Histogram::default(), 0.0);
        let mut batch = |_| {
            let mut sum = 0;
            for _ in 0..cycles {
                (sum, squares) = (sum + work, squares + (work * work) as f64);
                waits.add(work);
                work = work.saturating_sub(1) + if comes() { 8 } else { 0 };
            }
            sum as f64 / cycles as f64
        };
        let means: Vec<_> = (0..batches).map(&mut batch).collect();
        (means, waits, squares / (batches * cycles) as f64)
    }
}
